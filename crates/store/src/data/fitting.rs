//! The transactions that a filter of `categorise` finds.

use baton_core::data::kinds::TRANSACTIONS;
use baton_core::data::money::MAX_CATEGORISED;
use baton_core::data::rows::{Filter, MAX_COUNTED};
use baton_core::effects::EffectRefused;
use baton_core::store::Result;
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ConnectionTrait, ExprTrait, Order};
use uuid::Uuid;

use super::ledger::Ledger;
use super::scoped::Scoped;
use super::{list, search};
use crate::db::OrStoreError;

/// Undivided transactions that fit, looked at while nobody else of the workspace writes.
pub struct Fitting {
    hits: search::Hits,
    select: SelectStatement,
}

impl Fitting {
    pub async fn find(
        ledger: &Ledger<'_>,
        filters: &[Filter],
        search: Option<&str>,
    ) -> std::result::Result<Self, EffectRefused> {
        let scoped = Scoped::writing(ledger.scope, &TRANSACTIONS)?;
        let hits = search::hits(&**ledger.write, scoped, &TRANSACTIONS, search).await?;
        let Some(found) = hits.select(scoped, &TRANSACTIONS) else { return Err(nothing_fits()) };
        let mut select = list::fit(found, &TRANSACTIONS, filters)?;
        select.and_where(undivided());
        Ok(Self { hits, select })
    }

    /// Refuses if there are not as many as whoever asks has counted.
    pub async fn check(
        &self,
        ledger: &Ledger<'_>,
        filters: &[Filter],
        count: u64,
    ) -> std::result::Result<(), EffectRefused> {
        let scoped = Scoped::writing(ledger.scope, &TRANSACTIONS)?;
        let mut counted = self.hits.counted(scoped, &TRANSACTIONS, self.select.clone(), filters)?;
        counted.and_where(undivided());
        let row = ledger.write.query_one(&scoped.count_to(counted, MAX_COUNTED + 1)).await.db()?;
        let number = row.map(|row| row.try_get::<i64>("", "number").db()).transpose()?;
        let number = number.unwrap_or_default().unsigned_abs();
        let is_exact = number <= MAX_COUNTED && !self.hits.is_cut();
        if is_exact && number == count {
            return Ok(());
        }
        let found = if is_exact {
            number.to_string()
        } else {
            format!("more than {}", Ord::min(number, MAX_COUNTED))
        };
        Err(EffectRefused::NotNow(format!(
            "Nothing was changed: {found} undivided transactions fit, not {count}. Look at them with query, and state how many \
             there are."
        )))
    }

    /// Those of them that have another category, and whether there are more than one write changes.
    pub async fn with_another_category(
        mut self,
        ledger: &Ledger<'_>,
        category: Option<Uuid>,
    ) -> std::result::Result<(Vec<Uuid>, bool), EffectRefused> {
        let other = match category {
            Some(id) => {
                let own = || Expr::col("category_id");
                own().is_null().or(own().ne(id))
            }
            None => Expr::col("category_id").is_not_null(),
        };
        self.select.column("id").and_where(other);
        newest_first(&mut self.select).limit(MAX_CATEGORISED + 1);
        let rows = ledger.write.query_all(&self.select).await.db()?;
        let mut ids = rows.iter().map(|row| row.try_get("", "id").db()).collect::<Result<Vec<Uuid>>>()?;
        if ids.is_empty() {
            return Err(nothing_fits());
        }
        let has_more = ids.len() as u64 > MAX_CATEGORISED;
        ids.truncate(MAX_CATEGORISED as usize);
        Ok((ids, has_more))
    }
}

pub fn nothing_fits() -> EffectRefused {
    EffectRefused::NotNow("No transaction fits that has another category.".to_owned())
}

pub fn newest_first(select: &mut SelectStatement) -> &mut SelectStatement {
    select.order_by("booked_on", Order::Desc).order_by("id", Order::Desc)
}

pub fn undivided() -> Expr {
    Expr::col("is_split").eq(false)
}
