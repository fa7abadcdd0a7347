//! What the server and the tools ask of the store about the workspace's data.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Result, Written};
use crate::data::areas::Area;
use crate::data::kind::Kind;
use crate::data::rows::{Author, DataScope, Once, RecordedChange, Row, RowChange, RowPage, RowQuery};
use crate::workspaces::Member;

/// Rows of kinds, read and changed by their descriptions.
#[async_trait]
pub trait Rows: Send + Sync {
    async fn rows(&self, scope: DataScope, kind: &'static Kind, query: RowQuery) -> Result<RowPage>;
    async fn row(&self, scope: DataScope, kind: &'static Kind, id: Uuid) -> Result<Row>;
    /// The members of the workspace, whom fields of rows can name.
    async fn people(&self, scope: DataScope) -> Result<Vec<Member>>;
    /// All of them or none, in one transaction with the record of what changed. The outcome names the rows and the changes.
    async fn change_rows(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        changes: Vec<RowChange>,
    ) -> Written;
    /// The newest first: of one row, or of all that the scope may see.
    async fn changes(&self, scope: DataScope, of: ChangesOf, limit: u64) -> Result<Vec<RecordedChange>>;
    /// Takes changes back, the newest first, if their rows are still as those changes left them.
    async fn undo(&self, once: &Once, scope: DataScope, author: Author, changes: Vec<Uuid>) -> Written;
}

/// Which changes are meant.
#[derive(Debug, Clone, Copy)]
pub enum ChangesOf {
    Row {
        kind: &'static Kind,
        id: Uuid,
    },
    /// Of one call of an agent.
    Call {
        conversation: crate::ids::ConversationId,
        seq: i64,
    },
    /// Before this one, if it is given.
    Workspace {
        before: Option<Uuid>,
    },
    /// Of an area, made at this moment or later.
    Area {
        area: Area,
        since: DateTime<Utc>,
    },
}
