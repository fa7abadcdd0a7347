//! What transactions that fit a query add up to.

use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::rows::{DataScope, Filter, MAX_COUNTED};
use baton_core::money::Money;
use baton_core::reports::{InAndOut, Matching, fits};
use baton_core::store::Result;
use sea_orm::ConnectionTrait;
use sea_orm::sea_query::{Expr, Query};

use super::currency_of;
use super::sums::{halves, wide};
use crate::connect::SqlStore;
use crate::data::scoped::Scoped;
use crate::data::{list, search};
use crate::db::OrStoreError;

impl SqlStore {
    pub(crate) async fn add_up(
        &self,
        scope: DataScope,
        filters: &[Filter],
        words: Option<&str>,
    ) -> Result<Matching> {
        let scoped = Scoped::reading(scope, &TRANSACTIONS)?;
        let hits = search::hits(&self.db, scoped, &TRANSACTIONS, words).await?;
        let mut told = Matching { count: 0, is_too_many: hits.is_cut(), set_aside: 0, sums: Vec::new() };
        let Some(fitting) = hits.select(scoped, &TRANSACTIONS) else { return Ok(told) };
        if told.is_too_many {
            return Ok(told);
        }
        let mut fitting = list::fit(fitting, &TRANSACTIONS, filters)?;
        fitting.columns(["currency", "amount", "status", "activity", "transfer_id"]).limit(MAX_COUNTED + 1);
        // As in all reports: see `MoneyBook::counted`.
        let payment = "activity = 'payment' AND transfer_id IS NULL";
        let counted = |sign: &str| {
            format!("CASE WHEN status = 'booked' AND {payment} AND amount {sign} 0 THEN amount ELSE 0 END")
        };
        let sums = format!(
            "COUNT(*) AS number, \
             COUNT(CASE WHEN status = 'booked' AND NOT ({payment}) THEN 1 END) AS set_aside, {}, {}",
            halves(&counted(">"), "money_in"),
            halves(&counted("<"), "money_out")
        );
        let mut select = Query::select();
        select.column("currency").expr(Expr::cust(sums)).from_subquery(fitting, "fitting");
        select.add_group_by([Expr::col("currency")]).order_by("currency", sea_orm::Order::Asc);
        for row in self.db.query_all(&select).await.db()? {
            let currency = currency_of(&row.try_get::<String>("", "currency").db()?)?;
            told.count += row.try_get::<i64>("", "number").db()?;
            told.set_aside += row.try_get::<i64>("", "set_aside").db()?;
            told.sums.push(InAndOut {
                money_in: Money::new(fits(wide(&row, "money_in")?)?, currency),
                money_out: Money::new(fits(wide(&row, "money_out")?)?, currency),
            });
        }
        if told.count.unsigned_abs() > MAX_COUNTED {
            told = Matching { count: told.count - 1, is_too_many: true, set_aside: 0, sums: Vec::new() };
        }
        Ok(told)
    }
}
