//! The turn's commits on SQLite: a guard and cached statements, on the writer's connection, inside its transaction.

mod accept;
mod commit;
mod guard;
mod handoff;
mod subtask;
mod write;

use baton_core::store::Error;
use baton_core::turns::Refused;
use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row, ToSql};
use uuid::Uuid;

pub use commit::commit;
pub use guard::{TapeRow, checkpoint};

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
