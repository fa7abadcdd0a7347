//! What a call works with: the workspace's money as its person may see it, and the one way to change it.

use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::check::Fields;
use baton_core::data::kind::Kind;
use baton_core::data::rows::{Author, Change, DataScope, Once, Row, RowChange, RowPage, RowQuery};
use baton_core::money::Currency;
use baton_core::reports::{MoneyBook, Period, Report, ReportAnswer, ReportQuery};
use baton_core::store::Written;
use baton_core::tools::{Nature, ToolAnswer, ToolContext, ToolFailure};
use chrono::NaiveDate;
use serde_json::Value;
use uuid::Uuid;

use super::arguments::{When, failure};
use super::{MoneyStore, names};
use crate::arguments::store_failure;
use crate::data_call::DataCall;
pub use crate::data_call::answered;
use crate::outage::patiently;

/// The most rows of a kind that is small: budgets, goals.
const ALL: u64 = 500;

pub struct Desk<'a> {
    pub store: &'a MoneyStore,
    pub scope: DataScope,
    pub today: NaiveDate,
    call: DataCall,
}

impl<'a> Desk<'a> {
    /// Refuses people who may not do what the call needs.
    pub fn open(
        store: &'a MoneyStore,
        context: &ToolContext,
        least: AreaAccess,
    ) -> Result<Self, ToolFailure> {
        let call = DataCall::open(context, Area::Money, least, "Money")?;
        Ok(Self { store, scope: call.scope, today: call.today, call })
    }

    pub async fn book(&self) -> Result<MoneyBook, ToolFailure> {
        patiently(|| self.store.reports.money_book(self.scope)).await.map_err(store_failure)
    }

    pub async fn report(&self, query: ReportQuery) -> Result<ReportAnswer, ToolFailure> {
        patiently(|| self.store.reports.report(self.scope, query.clone())).await.map_err(store_failure)
    }

    /// A report on a period that was asked for, or else on a usual one.
    pub fn ask(&self, report: Report, when: Option<When>, usual: When) -> Result<ReportQuery, ToolFailure> {
        Ok(ReportQuery::new(report, self.today, when.unwrap_or(usual).on(self.today)?))
    }

    pub fn until_today(&self) -> Period {
        Period { from: self.today, to: self.today }
    }

    pub async fn rows(&self, kind: &'static Kind, query: RowQuery) -> Result<RowPage, ToolFailure> {
        patiently(|| self.store.rows.rows(self.scope, kind, query.clone())).await.map_err(store_failure)
    }

    /// All rows of a kind that has few.
    pub async fn all(&self, kind: &'static Kind) -> Result<Vec<Row>, ToolFailure> {
        Ok(self.rows(kind, RowQuery { limit: ALL, ..RowQuery::default() }).await?.rows)
    }

    pub async fn row(&self, kind: &'static Kind, id: Uuid) -> Result<Row, ToolFailure> {
        patiently(|| self.store.rows.row(self.scope, kind, id)).await.map_err(store_failure)
    }

    pub async fn change(&self, changes: Vec<RowChange>) -> Result<Value, ToolFailure> {
        self.write(|once, author| self.store.rows.change_rows(once, self.scope, author, changes.clone()))
            .await
    }

    /// The row of a small kind that a name or an id means, and its currency.
    pub async fn named(&self, kind: &'static Kind, wanted: &str) -> Result<(Row, Currency), ToolFailure> {
        let rows = self.all(kind).await?;
        let title =
            |row: &Row| row.fields.get(kind.title).and_then(Value::as_str).unwrap_or_default().to_owned();
        let titles: Vec<(Uuid, String)> = rows.iter().map(|row| (row.id, title(row))).collect();
        let id = names::resolve(kind.one, wanted, titles.iter().map(|(id, title)| (*id, title.as_str())))?;
        let row = rows.into_iter().find(|row| row.id == id);
        let row = row.ok_or_else(|| failure(format!("There is no such {}.", kind.one)))?;
        let currency = row.fields.get("currency").and_then(Value::as_str).and_then(Currency::parse);
        Ok((row, currency.ok_or_else(|| failure(format!("This {} has no currency.", kind.one)))?))
    }

    /// Sets fields of a row, if it is still as it was read.
    pub async fn set(
        &self,
        kind: &'static Kind,
        row: Row,
        fields: Fields,
        done: &str,
    ) -> Result<Value, ToolFailure> {
        if fields.is_empty() {
            return Err(failure(format!(
                "Nothing was changed: say what of the {} should become what.",
                kind.one
            )));
        }
        let change = Change::Set { id: row.id, seen: Some(row.version), fields };
        let outcome = self.change(vec![change.of(kind)]).await?;
        Ok(answered(outcome, |_| done.to_owned()))
    }

    /// What a call comes to.
    pub async fn answer(
        &self,
        verb: Verb,
        work: impl Future<Output = Result<Value, ToolFailure>>,
    ) -> Result<ToolAnswer, ToolFailure> {
        self.call.answer(&*self.store.effects, verb.least(), work).await
    }

    /// Carries out the call's one write.
    pub async fn write<'b, F>(&'b self, write: impl Fn(&'b Once, Author) -> F) -> Result<Value, ToolFailure>
    where
        F: Future<Output = Written>,
    {
        self.call.write(write).await
    }
}

/// Whether a call reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Read,
    Change,
}

impl Verb {
    pub fn nature(self) -> Nature {
        if self == Self::Read { Nature::READS } else { Nature::WRITES }
    }

    pub fn least(self) -> AreaAccess {
        if self == Self::Read { AreaAccess::Read } else { AreaAccess::Write }
    }
}

/// The currency of money that no account says: the only one of the workspace.
pub fn usual_currency(book: &MoneyBook) -> Result<Currency, ToolFailure> {
    let mut currencies: Vec<Currency> = book.accounts.iter().map(|account| account.currency).collect();
    currencies.sort_unstable();
    currencies.dedup();
    match currencies[..] {
        [one] => Ok(one),
        [] => Err(failure("currency is required, such as EUR: there is no account yet that would tell it.")),
        _ => {
            let codes: Vec<&str> = currencies.iter().map(Currency::code).collect();
            Err(failure(format!("currency is required: there are accounts in {}.", codes.join(", "))))
        }
    }
}
