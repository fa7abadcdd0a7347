//! What transactions that fit a query add up to.

use baton_core::data::check;
use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::rows::{DataScope, Filter, MAX_COUNTED, Test};
use baton_core::money::{Currency, Money};
use baton_core::reports::{InAndOut, Matching, fits};
use baton_core::store::Result;
use sea_orm::sea_query::{Expr, JoinType, Query};
use sea_orm::{ConnectionTrait, ExprTrait, QueryResult};

use super::currency_of;
use super::sums::{halves, wide};
use crate::connect::SqlStore;
use crate::data::scoped::Scoped;
use crate::data::search::Hits;
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
        let mut told =
            Matching { count: 0, split: 0, is_too_many: hits.is_cut(), set_aside: 0, sums: Vec::new() };
        let Some(fitting) = hits.select(scoped, &TRANSACTIONS) else { return Ok(told) };
        if told.is_too_many {
            return Ok(told);
        }
        let mut fitting = list::fit(fitting, &TRANSACTIONS, filters)?;
        fitting.columns(["currency", "amount", "status", "activity", "transfer_id"]).limit(MAX_COUNTED + 1);
        let sums = format!(
            "COUNT(*) AS number, \
             COUNT(CASE WHEN status = 'booked' AND NOT ({PAYMENT}) THEN 1 END) AS set_aside, {}",
            counted()
        );
        let mut select = Query::select();
        select.column("currency").expr(Expr::cust(sums)).from_subquery(fitting, "fitting");
        select.add_group_by([Expr::col("currency")]).order_by("currency", sea_orm::Order::Asc);
        for row in self.db.query_all(&select).await.db()? {
            let currency = currency_of(&row.try_get::<String>("", "currency").db()?)?;
            told.count += row.try_get::<i64>("", "number").db()?;
            told.set_aside += row.try_get::<i64>("", "set_aside").db()?;
            told.sums.push(in_and_out(&row, currency)?);
        }
        if told.count.unsigned_abs() > MAX_COUNTED {
            told = Matching {
                count: told.count - 1,
                split: 0,
                is_too_many: true,
                set_aside: 0,
                sums: Vec::new(),
            };
            return Ok(told);
        }
        self.add_parts(scoped, &hits, filters, &mut told).await?;
        Ok(told)
    }

    /// Adds the parts of split transactions that are in the category which is asked for.
    async fn add_parts(
        &self,
        scoped: Scoped,
        hits: &Hits,
        filters: &[Filter],
        told: &mut Matching,
    ) -> Result<()> {
        let asked = filters.iter().find_map(|filter| match &filter.test {
            Test::Is(id) if filter.field == CATEGORY => check::id(id),
            _ => None,
        });
        let (Some(category), Some(whole)) = (asked, hits.select(scoped, &TRANSACTIONS)) else {
            return Ok(());
        };
        let others: Vec<Filter> = filters.iter().filter(|filter| filter.field != CATEGORY).cloned().collect();
        let in_category = || {
            let mut parts = scoped.select(PARTS);
            parts.and_where(Expr::col((PARTS, CATEGORY)).eq(category));
            parts
        };
        let mut of_these = in_category();
        of_these.column("transaction_id");
        let mut whole = list::fit(whole, &TRANSACTIONS, &others)?;
        whole.and_where(Expr::col("id").in_subquery(of_these)).and_where(Expr::col("is_split").eq(true));
        whole.columns(["id", "currency", "status", "activity", "transfer_id"]).limit(MAX_COUNTED + 1);
        let mut select = in_category();
        let same = Expr::col(("fitting", "id")).equals((PARTS, "transaction_id"));
        select.join_subquery(JoinType::InnerJoin, whole, "fitting", same);
        select.column("currency");
        select.expr(Expr::cust(format!("COUNT(DISTINCT transaction_id) AS number, {}", counted())));
        select.add_group_by([Expr::col("currency")]);
        for row in self.db.query_all(&select).await.db()? {
            let currency = currency_of(&row.try_get::<String>("", "currency").db()?)?;
            told.split += row.try_get::<i64>("", "number").db()?;
            let parts = in_and_out(&row, currency)?;
            let sum = told.sums.iter_mut().find(|sum| sum.money_in.currency == currency);
            let Some(sum) = sum else {
                told.sums.push(parts);
                continue;
            };
            for (all, part) in [(&mut sum.money_in, parts.money_in), (&mut sum.money_out, parts.money_out)] {
                all.amount = fits(i128::from(all.amount) + i128::from(part.amount))?;
            }
        }
        told.sums.sort_by_key(|sum| sum.money_in.currency);
        Ok(())
    }
}

const PARTS: &str = "transaction_splits";
const CATEGORY: &str = "category_id";
/// As in all reports: see `MoneyBook::counted`.
const PAYMENT: &str = "activity = 'payment' AND transfer_id IS NULL";

/// What came in and what went out, of rows with these columns.
fn counted() -> String {
    let counted = |sign: &str| {
        format!("CASE WHEN status = 'booked' AND {PAYMENT} AND amount {sign} 0 THEN amount ELSE 0 END")
    };
    format!("{}, {}", halves(&counted(">"), "money_in"), halves(&counted("<"), "money_out"))
}

fn in_and_out(row: &QueryResult, currency: Currency) -> Result<InAndOut> {
    Ok(InAndOut {
        money_in: Money::new(fits(wide(row, "money_in")?)?, currency),
        money_out: Money::new(fits(wide(row, "money_out")?)?, currency),
    })
}
