//! Rows of kinds: how they are asked for, how they are changed, and who changed them.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::areas::{AreaAccess, AreaRefused, Areas};
use super::kind::{Direction, Kind};
use crate::effects::{Effect, SeenRow};
use crate::ids::{AgentId, ConversationId, ProfileId, WorkspaceId};
use crate::words;

/// In which workspace, and with which rights: every query and every change of data begins with it.
#[derive(Debug, Clone, Copy)]
pub struct DataScope {
    pub workspace_id: WorkspaceId,
    pub areas: Areas,
}

impl DataScope {
    pub fn check(&self, kind: &Kind, least: AreaAccess) -> Result<(), AreaRefused> {
        self.areas.check(kind.area, least)
    }
}

/// A row, with its fields in their canonical form: text; an integer for money and numbers; `YYYY-MM-DD`; an id as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub id: Uuid,
    /// Grows with every change of the row.
    pub version: i64,
    pub fields: Map<String, Value>,
    /// What its references are called, by the name of the field.
    pub titles: Map<String, Value>,
    /// Of a kind that keeps deleted rows: whether this one is.
    pub is_deleted: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Row {
    pub fn seen(&self, kind: &Kind) -> SeenRow {
        SeenRow { kind: kind.name.to_owned(), id: self.id, version: self.version }
    }
}

/// How far rows that fit a filter or a search are counted. All rows of a kind are always counted.
pub const MAX_COUNTED: u64 = 10_000;
/// The most rows of one page.
pub const MAX_PAGE: u64 = 500;
/// The most changes of one write.
pub const MAX_CHANGES: usize = 1_000;

#[derive(Debug, Clone, Default)]
pub struct RowQuery {
    pub filters: Vec<Filter>,
    pub search: Option<String>,
    /// Unless it is given, the kind's own.
    pub order: Option<(String, Direction)>,
    pub limit: u64,
    /// What the page before ended with.
    pub cursor: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    pub field: &'static str,
    pub test: Test,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    Is(Value),
    OneOf(Vec<Value>),
    IsNull,
    AtLeast(Value),
    AtMost(Value),
}

#[derive(Debug, Clone)]
pub struct RowPage {
    pub rows: Vec<Row>,
    /// How many there are in all, as far as they were counted: see [`MAX_COUNTED`].
    pub total: u64,
    /// Whether `total` is exact.
    pub is_counted: bool,
    pub next_cursor: Option<String>,
}

/// One change of one row. Those of one write are carried out together or not at all.
#[derive(Debug, Clone)]
pub struct RowChange {
    pub kind: &'static Kind,
    pub change: Change,
}

#[derive(Debug, Clone)]
pub enum Change {
    Create {
        /// Made by whoever asks, so that later changes of the same write can refer to it.
        id: Uuid,
        fields: Map<String, Value>,
    },
    /// Fields that are not named stay as they are.
    Set {
        id: Uuid,
        seen: Option<i64>,
        fields: Map<String, Value>,
    },
    Delete {
        id: Uuid,
        seen: Option<i64>,
    },
    Restore {
        id: Uuid,
    },
}

impl Change {
    pub fn of(self, kind: &'static Kind) -> RowChange {
        RowChange { kind, change: self }
    }
}

words! {
    /// What a change did.
    ChangeAction { Created => "created", Changed => "changed", Deleted => "deleted", Restored => "restored" }
}

/// Who changes data: a person, by hand or through an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Author {
    pub profile_id: ProfileId,
    pub agent: Option<ByAgent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByAgent {
    pub agent_id: AgentId,
    pub conversation_id: ConversationId,
    /// The number of the call's step; who approved it is found by that.
    pub seq: i64,
}

/// What makes a write one that is done once.
#[derive(Debug, Clone)]
pub enum Once {
    /// A call of a turn.
    Call(Effect),
    /// A request with an `Idempotency-Key`.
    Request { profile_id: ProfileId, key: String, request_hash: String },
    /// A request without one: done as often as it comes.
    Unkeyed,
}

/// Beside other things, the outcome of a write names the kinds of which it changed rows.
pub const KINDS_CHANGED: &str = "kinds";

/// The kinds of which a write changed rows, by its outcome.
pub fn kinds_changed(outcome: &Value) -> impl Iterator<Item = &'static Kind> + '_ {
    let names = outcome.get(KINDS_CHANGED).and_then(Value::as_array);
    names.into_iter().flatten().filter_map(|name| super::kinds::find(name.as_str()?))
}

/// A change as it was recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedChange {
    pub id: Uuid,
    pub kind: String,
    pub row_id: Uuid,
    pub action: ChangeAction,
    pub before: Option<Map<String, Value>>,
    pub after: Option<Map<String, Value>>,
    pub author: Option<Author>,
    pub approved_by: Option<ProfileId>,
    /// The change that this one takes back.
    pub undoes: Option<Uuid>,
    /// The first of several changes that belong together and are taken back together.
    pub part_of: Option<Uuid>,
    /// Whether a later change took this one back.
    pub is_undone: bool,
    pub created_at: DateTime<Utc>,
}
