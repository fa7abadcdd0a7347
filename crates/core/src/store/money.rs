//! What is done with transactions beyond setting their fields. Each is done once, recorded and can be undone.

use async_trait::async_trait;
use uuid::Uuid;

use super::{Result, Written};
use crate::data::money::{Part, Transfer, TransferProposal, Which};
use crate::data::rows::{Author, DataScope, Once};

#[async_trait]
pub trait MoneyRows: Send + Sync {
    /// In parts that add up to its amount; with none it is undivided again.
    async fn split_transaction(&self, once: &Once, scope: DataScope, author: Author, split: Split)
    -> Written;
    async fn mark_transfer(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        transfer: Transfer,
    ) -> Written;
    /// Both sides, whichever is named.
    async fn unmark_transfer(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        transaction: Uuid,
    ) -> Written;
    /// Of transactions that are no transfer yet, the latest first.
    async fn propose_transfers(&self, scope: DataScope, limit: u64) -> Result<Vec<TransferProposal>>;
    /// Gives them a category, or takes it from them.
    async fn categorise(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        which: Which,
        category: Option<Uuid>,
    ) -> Written;
    /// Gives transactions without a category that of the first rule that fits, the latest first. The outcome says whether there may be more.
    async fn apply_category_rules(&self, once: &Once, scope: DataScope, author: Author) -> Written;
}

/// How a transaction is to be split.
#[derive(Debug, Clone)]
pub struct Split {
    pub transaction: Uuid,
    pub seen: Option<i64>,
    pub parts: Vec<Part>,
}
