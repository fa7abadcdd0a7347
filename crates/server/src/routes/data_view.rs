//! How kinds, rows and changes of data look in answers.

use baton_core::data::areas::{AreaAccess, Areas};
use baton_core::data::kind::{Direction, Field, FieldType, Kind, Presence};
use baton_core::data::rows::{RecordedChange, Row};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::{area_access_schema, area_schema};

/// A kind of data, as tables and forms need it.
#[derive(Serialize, ToSchema)]
pub struct DataKind {
    name: &'static str,
    /// One row of it, in words.
    one: &'static str,
    label: &'static str,
    #[schema(schema_with = area_schema)]
    area: &'static str,
    /// What the caller may do with it.
    #[schema(schema_with = area_access_schema)]
    access: &'static str,
    /// The field that names a row to people.
    title: &'static str,
    /// How rows are sorted unless `sort` says otherwise.
    sort: String,
    /// Whether a deleted row can be restored.
    keeps_deleted: bool,
    /// The most rows of one workspace.
    most: u64,
    fields: Vec<DataField>,
}

#[derive(Serialize, ToSchema)]
pub struct DataField {
    /// In rows.
    name: &'static str,
    /// In `sort` and in filters.
    query_name: String,
    label: &'static str,
    about: &'static str,
    /// `line`, `prose`, `day`, `currency`, `money`, `number`, `decimal`, `flag`, `choice`, `reference`, `member` (the id of a person) or `id`.
    r#type: &'static str,
    /// Of text: how many characters it may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<usize>,
    /// Of money: the field with its currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<&'static [&'static str]>,
    /// Of a reference: the kind that it names a row of. That row's title is beside it, under the name without `_id`; so is a
    /// member's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    refers_to: Option<&'static str>,
    /// `required`, `optional`, `default`, `derived` (set by the server) or `fixed` (set once).
    presence: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
    is_searched: bool,
    is_sorted: bool,
    is_filtered: bool,
}

pub fn kind(kind: &'static Kind, areas: &Areas) -> DataKind {
    let order = kind.field(kind.order.field).map(Field::camel_name).unwrap_or_default();
    let sign = if kind.order.direction == Direction::Falling { "-" } else { "" };
    DataKind {
        name: kind.name,
        one: kind.one,
        label: kind.label,
        area: kind.area.as_str(),
        access: areas.access(kind.area).as_str(),
        title: kind.title,
        sort: format!("{sign}{order}"),
        keeps_deleted: kind.keeps_deleted,
        most: kind.most,
        fields: kind.fields.iter().map(field).collect(),
    }
}

/// Whether someone is shown a kind at all.
pub fn may_see(kind: &Kind, areas: &Areas) -> bool {
    areas.access(kind.area) >= AreaAccess::Read
}

fn field(field: &'static Field) -> DataField {
    let (mut max, mut currency, mut choices, mut refers_to) = (None, None, None, None);
    let r#type = match field.of {
        FieldType::Line { max: most } => {
            max = Some(most);
            "line"
        }
        FieldType::Prose { max: most } => {
            max = Some(most);
            "prose"
        }
        FieldType::Day => "day",
        FieldType::Currency => "currency",
        FieldType::Money { currency: beside } => {
            currency = Some(beside);
            "money"
        }
        FieldType::Number { .. } => "number",
        FieldType::Decimal => "decimal",
        FieldType::Flag => "flag",
        FieldType::Choice(words) => {
            choices = Some(words);
            "choice"
        }
        FieldType::Reference(kind) => {
            refers_to = Some(kind);
            "reference"
        }
        FieldType::Member => "member",
        FieldType::Id => "id",
    };
    let (presence, default) = match field.presence {
        Presence::Required => ("required", None),
        Presence::Optional => ("optional", None),
        Presence::Default(json) => ("default", serde_json::from_str(json).ok()),
        Presence::Derived => ("derived", None),
        Presence::Fixed => ("fixed", None),
    };
    DataField {
        name: field.name,
        query_name: field.camel_name(),
        label: field.label,
        about: field.about,
        r#type,
        max,
        currency,
        choices,
        refers_to,
        presence,
        default,
        is_searched: field.is_searched,
        is_sorted: field.is_sorted,
        is_filtered: field.is_filtered,
    }
}

/// A row: the fields of its kind, and the titles of the rows that it refers to (`account` beside `account_id`).
#[derive(Serialize, ToSchema)]
pub struct DataRow {
    id: Uuid,
    /// Grows with every change. Sent back with a change, that is refused if someone else was faster.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

impl From<Row> for DataRow {
    fn from(row: Row) -> Self {
        let mut fields = row.fields;
        fields.extend(row.titles);
        Self {
            id: row.id,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
            fields,
        }
    }
}

/// One change of one row, as it was recorded.
#[derive(Serialize, ToSchema)]
pub struct DataChange {
    id: Uuid,
    kind: String,
    row_id: Uuid,
    /// `created`, `changed`, `deleted` or `restored`.
    action: &'static str,
    /// The fields that changed, as they were; null if there was no row.
    before: Option<Map<String, Value>>,
    /// The fields that changed, as they were then; null if the row was deleted.
    after: Option<Map<String, Value>>,
    /// Who did it, or for whom an agent did it.
    profile_id: Option<Uuid>,
    agent_id: Option<Uuid>,
    /// The conversation and the step of the call with which an agent did it.
    conversation_id: Option<Uuid>,
    seq: Option<i64>,
    approved_by: Option<Uuid>,
    /// The change that this one takes back.
    undoes: Option<Uuid>,
    /// The first of several changes that belong together: whichever is taken back, all are.
    part_of: Option<Uuid>,
    /// Whether a later change took this one back.
    is_undone: bool,
    created_at: DateTime<Utc>,
}

impl From<RecordedChange> for DataChange {
    fn from(change: RecordedChange) -> Self {
        let agent = change.author.and_then(|author| author.agent);
        // What nobody sees of a row, nobody sees of its changes.
        let seen = |fields: Option<Map<String, Value>>| {
            fields.map(|mut fields| {
                fields.remove("source_key");
                fields.remove("version");
                fields
            })
        };
        Self {
            id: change.id,
            kind: change.kind,
            row_id: change.row_id,
            action: change.action.as_str(),
            before: seen(change.before),
            after: seen(change.after),
            profile_id: change.author.map(|author| author.profile_id.0),
            agent_id: agent.map(|agent| agent.agent_id.0),
            conversation_id: agent.map(|agent| agent.conversation_id.0),
            seq: agent.map(|agent| agent.seq),
            approved_by: change.approved_by.map(|profile| profile.0),
            undoes: change.undoes,
            part_of: change.part_of,
            is_undone: change.is_undone,
            created_at: change.created_at,
        }
    }
}
