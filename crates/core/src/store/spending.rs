//! The rows of model calls, as nodes add them up.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::Result;
use crate::ids::{ConversationId, NodeId, WorkspaceId};
use crate::spending::{SpendingChanges, SpentLately, UsageRow};

/// Rows of what model calls cost. Turns write them with their commits; this is the rest.
#[async_trait]
pub trait Spending: Send + Sync {
    /// All that counts for calls that opened since a moment.
    async fn spent_lately(&self, since: DateTime<Utc>) -> Result<SpentLately>;
    /// Rows that changed since a moment, by the database's clock; none while this node is the only one.
    async fn spending_changes(&self, node: NodeId, since: DateTime<Utc>) -> Result<SpendingChanges>;
    /// Calls of a conversation that opened since a moment and that nobody has settled.
    async fn open_usage(
        &self,
        of: (ConversationId, WorkspaceId),
        since: DateTime<Utc>,
    ) -> Result<Vec<UsageRow>>;
    /// Settles calls without a turn's guard, for whoever has lost the turn: those that were still open.
    async fn settle(&self, of: ConversationId, rows: &[UsageRow]) -> Result<Vec<UsageRow>>;
}
