//! The turn's commits on SQLite: a guard and cached statements, on the writer's connection, inside its transaction.

mod accept;
mod asked;
mod commit;
mod handover;
mod switch;
mod write;

use baton_core::ids::{NodeId, TaskId};
use baton_core::refusals::GuardedRow;
use baton_core::store::Error;
use baton_core::turns::Refused;
use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row, ToSql};
use uuid::Uuid;

pub use accept::accept;
pub use commit::{checkpoint, commit};
pub use switch::switch;

type Outcome<T> = Result<T, Refused>;

fn run(db: &Connection, sql: &str, values: impl Params) -> Outcome<usize> {
    db.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(refused)
}

fn one<T>(
    db: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Outcome<Option<T>> {
    let mut statement = db.prepare_cached(sql).map_err(refused)?;
    statement.query_row(values, read).optional().map_err(refused)
}

/// The conversation's row as it is; none if it was deleted.
fn guarded_row(db: &Connection, conversation: Uuid) -> Outcome<Option<GuardedRow>> {
    one(
        db,
        "SELECT turn_task_id, turn_owner, turn_attempt, last_seq, epoch, stop_requested_at IS NOT NULL \
         FROM agent_conversations WHERE id = ? AND deleted_at IS NULL",
        [id(conversation)],
        |row| {
            let bytes = |column| row.get::<_, Option<[u8; 16]>>(column);
            Ok(GuardedRow {
                turn_task_id: bytes(0)?.map(Uuid::from_bytes).map(TaskId),
                turn_owner: bytes(1)?.map(Uuid::from_bytes).map(NodeId),
                attempt: row.get(2)?,
                last_seq: row.get(3)?,
                epoch: row.get(4)?,
                stop_requested: row.get(5)?,
            })
        },
    )
}

/// As the rest of the store keeps ids: their bytes.
fn id(uuid: Uuid) -> impl ToSql {
    uuid.into_bytes()
}

fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    row.get::<_, [u8; 16]>(column).map(Uuid::from_bytes)
}

/// As the rest of the store keeps times.
fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}

fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
}

pub fn store_error(error: rusqlite::Error) -> Error {
    if is_full(&error) {
        return Error::Full;
    }
    // Someone else has the file.
    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) {
        return Error::Unavailable;
    }
    // Something was deleted between looking and writing.
    let gone = matches!(&error, rusqlite::Error::SqliteFailure(failure, _)
        if failure.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY);
    if gone { Error::NotFound("record any more") } else { Error::Database(Box::new(error)) }
}

pub fn refused(error: rusqlite::Error) -> Refused {
    Refused::Store(store_error(error))
}
