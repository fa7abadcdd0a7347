//! What accounts have that could be the same as rows of a file, on Postgres and for dry runs: one query for many rows.

use std::collections::HashMap;

use baton_core::data::duplicates::{Identity, Known, State};
use baton_core::data::imports::ImportedTransaction;
use baton_core::ids::WorkspaceId;
use baton_core::store::{KnownTransaction, Result};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};
use serde_json::json;
use uuid::Uuid;

use crate::db::OrStoreError;

const FOUND: &str = "transactions.id AS id, transactions.account_id AS account_id, transactions.source_key AS source_key, \
    transactions.source_id AS source_id, transactions.status AS status, transactions.deleted_at IS NOT NULL AS is_deleted";

/// For each of `these`, in their order.
pub async fn of(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    these: &[ImportedTransaction],
) -> Result<Vec<Vec<KnownTransaction>>> {
    let engine = db.get_database_backend();
    let asked: Vec<_> = these
        .iter()
        .map(|row| {
            json!([
                hex(engine, row.account_id),
                row.identity.key,
                row.identity.source_id,
                row.row_id.map(|id| hex(engine, id))
            ])
        })
        .collect();
    let asked = serde_json::Value::Array(asked).to_string();
    let mut by_key: HashMap<(Uuid, String), KnownTransaction> = HashMap::new();
    let mut by_source: HashMap<(Uuid, String), Vec<KnownTransaction>> = HashMap::new();
    let mut by_id: HashMap<Uuid, KnownTransaction> = HashMap::new();
    for row in run(db, &by_key_sql(engine), &asked, workspace).await? {
        let (account, found) = read(&row)?;
        by_key.insert((account, found.known.identity.key.clone()), found);
    }
    if these.iter().any(|row| row.identity.source_id.is_some()) {
        for row in run(db, &by_source_sql(engine), &asked, workspace).await? {
            let (account, found) = read(&row)?;
            let Some(id) = found.known.identity.source_id.clone() else { continue };
            by_source.entry((account, id)).or_default().push(found);
        }
    }
    if these.iter().any(|row| row.row_id.is_some()) {
        for row in run(db, &by_id_sql(engine), &asked, workspace).await? {
            let (_, found) = read(&row)?;
            by_id.insert(found.row_id, found);
        }
    }
    let known = |row: &ImportedTransaction| {
        let mut known: Vec<KnownTransaction> = Vec::new();
        known.extend(row.row_id.and_then(|id| by_id.get(&id)).cloned());
        known.extend(by_key.get(&(row.account_id, row.identity.key.clone())).cloned());
        let source = row.identity.source_id.clone();
        known.extend(
            source.and_then(|id| by_source.get(&(row.account_id, id))).into_iter().flatten().cloned(),
        );
        known
    };
    Ok(these.iter().map(known).collect())
}

/// Ids in JSON: as text on Postgres, as the digits of a blob on SQLite.
fn hex(engine: DbBackend, id: Uuid) -> String {
    match engine {
        DbBackend::Postgres => id.to_string(),
        _ => id.simple().to_string(),
    }
}

fn by_key_sql(engine: DbBackend) -> String {
    joined(engine, "account_id = {a} AND transactions.source_key = {k}", "AND transactions.workspace_id = $2")
}

fn by_source_sql(engine: DbBackend) -> String {
    joined(
        engine,
        "account_id = {a} AND transactions.source_id = {s}",
        "AND transactions.source_id IS NOT NULL AND transactions.workspace_id = $2",
    )
}

fn by_id_sql(engine: DbBackend) -> String {
    joined(engine, "id = {i}", "AND transactions.workspace_id = $2")
}

/// Each asked row finds its own by an index: written so that the planner has no other way to join.
fn joined(engine: DbBackend, on: &str, and: &str) -> String {
    let places = match engine {
        DbBackend::Postgres => [
            ("{a}", "CAST(value->>0 AS uuid)"),
            ("{k}", "value->>1"),
            ("{s}", "value->>2"),
            ("{i}", "CAST(value->>3 AS uuid)"),
        ],
        _ => [
            ("{a}", "unhex(asked.value->>0)"),
            ("{k}", "asked.value->>1"),
            ("{s}", "asked.value->>2"),
            ("{i}", "unhex(asked.value->>3)"),
        ],
    };
    let on = places.iter().fold(on.to_owned(), |on, (place, sql)| on.replace(place, sql));
    match engine {
        DbBackend::Postgres => format!(
            "SELECT found.* FROM jsonb_array_elements(CAST($1 AS jsonb)) AS asked(value) CROSS JOIN LATERAL \
             (SELECT {FOUND} FROM transactions WHERE transactions.{on} {and} OFFSET 0) AS found"
        ),
        _ => format!(
            "SELECT {FOUND} FROM json_each($1) AS asked CROSS JOIN transactions WHERE transactions.{on} {and}"
        ),
    }
}

async fn run(
    db: &impl ConnectionTrait,
    sql: &str,
    asked: &str,
    workspace: WorkspaceId,
) -> Result<Vec<QueryResult>> {
    let values: [Value; 2] = [asked.into(), workspace.0.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.query_all_raw(statement).await.db()
}

fn read(row: &QueryResult) -> Result<(Uuid, KnownTransaction)> {
    let status: String = row.try_get("", "status").db()?;
    let identity =
        Identity { source_id: row.try_get("", "source_id").db()?, key: row.try_get("", "source_key").db()? };
    let state = state(row.try_get("", "is_deleted").db()?, &status);
    let found = KnownTransaction { row_id: row.try_get("", "id").db()?, known: Known { identity, state } };
    Ok((row.try_get("", "account_id").db()?, found))
}

pub fn state(is_deleted: bool, status: &str) -> State {
    match status {
        _ if is_deleted => State::Deleted,
        "pending" => State::Pending,
        _ => State::Booked,
    }
}
