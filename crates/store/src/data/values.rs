//! Fields of rows between JSON and SQL, by their types.

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{Field, FieldType, Kind};
use baton_core::store::{Error, Result};
use chrono::NaiveDate;
use sea_orm::{QueryResult, Value as SqlValue};
use serde_json::Value;
use uuid::Uuid;

use crate::db::OrStoreError;

/// What a transaction has beside its description: see the table.
static SOURCE_KEY: [Field; 1] = [Field::line("source_key", "Source", 200)];

/// Fields that nobody sees.
pub fn hidden(kind: &Kind) -> &'static [Field] {
    if kind.name == "transactions" { &SOURCE_KEY } else { &[] }
}

/// All columns that hold something of the row itself.
pub fn columns(kind: &'static Kind) -> impl Iterator<Item = &'static Field> + Clone {
    kind.fields.iter().chain(hidden(kind))
}

/// A value in canonical form, for its column.
pub fn to_sql(field: &Field, value: &Value) -> SqlValue {
    let text = || value.as_str().map(str::to_owned);
    match field.of {
        FieldType::Line { .. }
        | FieldType::Prose { .. }
        | FieldType::Currency
        | FieldType::Decimal
        | FieldType::Choice(_) => text().into(),
        FieldType::Day => value.as_str().and_then(check::day).into(),
        FieldType::Money { .. } | FieldType::Number { .. } => value.as_i64().into(),
        FieldType::Flag => value.as_bool().into(),
        FieldType::Reference(_) | FieldType::Member | FieldType::Id => check::id(value).into(),
    }
}

pub fn from_sql(row: &QueryResult, field: &Field) -> Result<Value> {
    let name = field.name;
    Ok(match field.of {
        FieldType::Line { .. }
        | FieldType::Prose { .. }
        | FieldType::Currency
        | FieldType::Decimal
        | FieldType::Choice(_) => row.try_get::<Option<String>>("", name).db()?.into(),
        FieldType::Day => row.try_get::<Option<NaiveDate>>("", name).db()?.map(|day| day.to_string()).into(),
        FieldType::Money { .. } | FieldType::Number { .. } => {
            row.try_get::<Option<i64>>("", name).db()?.into()
        }
        FieldType::Flag => row.try_get::<Option<bool>>("", name).db()?.into(),
        FieldType::Reference(_) | FieldType::Member | FieldType::Id => {
            row.try_get::<Option<Uuid>>("", name).db()?.map(|id| id.to_string()).into()
        }
    })
}

/// All fields of a row that was read, hidden ones too.
pub fn fields(row: &QueryResult, kind: &'static Kind) -> Result<Fields> {
    columns(kind).map(|field| Ok((field.name.to_owned(), from_sql(row, field)?))).collect()
}

/// A kind by the name that a record of a change has.
pub fn kind(name: &str) -> Result<&'static Kind> {
    baton_core::data::kinds::find(name)
        .ok_or_else(|| Error::Database(format!("there is no kind {name}").into()))
}
