//! Reports over a workspace's money.

use async_trait::async_trait;

use super::Result;
use crate::data::rows::{DataScope, Filter};
use crate::reports::{Matching, MoneyBook, ReportAnswer, ReportQuery};

#[async_trait]
pub trait Reports: Send + Sync {
    async fn report(&self, scope: DataScope, query: ReportQuery) -> Result<ReportAnswer>;
    /// The workspace's accounts and categories, by name.
    async fn money_book(&self, scope: DataScope) -> Result<MoneyBook>;
    /// What all transactions that fit add up to, as far as they are few enough to be gone through.
    async fn matching(
        &self,
        scope: DataScope,
        filters: Vec<Filter>,
        search: Option<String>,
    ) -> Result<Matching>;
}
