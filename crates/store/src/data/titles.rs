//! What the rows are called that other rows refer to, so that a table needs no second question.

use std::collections::{BTreeMap, BTreeSet};

use baton_core::data::check::{self, Fields};
use baton_core::data::kind::{FieldType, Kind};
use baton_core::data::money::PARTS;
use baton_core::data::rows::Row;
use baton_core::data::shown::title_name;
use baton_core::store::Result;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QuerySelect};
use serde_json::Value;
use uuid::Uuid;

use super::scoped::Scoped;
use super::{Record, values};
use crate::db::OrStoreError;
use crate::entities::profiles;

/// What stands for a kind where a title is a person's name.
const PEOPLE: &str = "profiles";

type Titles = BTreeMap<(&'static str, Uuid), Value>;

pub async fn with_titles(
    db: &impl ConnectionTrait,
    scoped: Scoped,
    kind: &'static Kind,
    records: Vec<Record>,
) -> Result<Vec<Row>> {
    let mut asked: BTreeMap<&'static str, BTreeSet<Uuid>> = BTreeMap::new();
    for record in &records {
        for (_, other, id) in check::references(kind, &record.fields) {
            asked.entry(other).or_default().insert(id);
        }
        for part in record.fields.get(PARTS).and_then(Value::as_array).into_iter().flatten() {
            asked.entry("categories").or_default().extend(check::id(&part["category_id"]));
        }
    }
    let mut titles = people(db, kind, &records).await?;
    for (other, ids) in asked {
        let kind = values::kind(other)?;
        let title = kind.field(kind.title).unwrap_or(&kind.fields[0]);
        let mut select = scoped.select(kind.name);
        select.columns(["id", title.name]).and_where(Expr::col("id").is_in(ids));
        for row in db.query_all(&select).await.db()? {
            titles.insert((kind.name, row.try_get("", "id").db()?), values::from_sql(&row, title)?);
        }
    }
    Ok(records.into_iter().map(|record| row(kind, record, &titles)).collect())
}

/// The names of the people that rows name: who was a member once stays known by name.
async fn people(db: &impl ConnectionTrait, kind: &Kind, records: &[Record]) -> Result<Titles> {
    let named = records.iter().flat_map(|record| check::members(kind, &record.fields));
    let ids: BTreeSet<Uuid> = named.map(|(_, id)| id).collect();
    if ids.is_empty() {
        return Ok(Titles::new());
    }
    let mut select = profiles::Entity::find().select_only();
    select = select.columns([profiles::Column::Id, profiles::Column::Name]);
    let found: Vec<(Uuid, String)> =
        select.filter(profiles::Column::Id.is_in(ids)).into_tuple().all(db).await.db()?;
    Ok(found.into_iter().map(|(id, name)| ((PEOPLE, id), name.into())).collect())
}

fn row(kind: &'static Kind, record: Record, titles: &Titles) -> Row {
    let mut own = Fields::new();
    for field in kind.fields {
        let other = match field.of {
            FieldType::Reference(other) => Some(other),
            FieldType::Member => Some(PEOPLE),
            _ => None,
        };
        if let Some(other) = other {
            let id = record.fields.get(field.name).and_then(check::id);
            let title = id.and_then(|id| titles.get(&(other, id)));
            own.insert(title_name(field.name).to_owned(), title.cloned().unwrap_or_default());
        }
    }
    let mut fields = record.fields;
    for hidden in values::hidden(kind) {
        fields.remove(hidden.name);
    }
    for part in fields.get_mut(PARTS).and_then(Value::as_array_mut).into_iter().flatten() {
        let title = check::id(&part["category_id"]).and_then(|id| titles.get(&("categories", id)));
        part["category"] = title.cloned().unwrap_or_default();
    }
    Row {
        id: record.id,
        version: record.version,
        fields,
        titles: own,
        is_deleted: record.is_deleted,
        created_at: record.created_at,
        updated_at: record.updated_at,
    }
}
