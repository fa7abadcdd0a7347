//! The turn's commits on Postgres: one statement each, so one round trip. The guard comes first, and the rest writes
//! only if the guard found its row. The first values of each statement are the same: time, steps, new and changed
//! messages, resolved approvals, conversation, workspace, the number where the log ended, the number of steps.

mod accept;
mod commit;
mod guard;
mod handoff;
mod subtask;

use baton_core::store::Error;
use baton_core::turns::Refused;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};
use serde::Serialize;

use super::rows::to_json;
use crate::connection::Db;

pub use commit::commit;
pub use guard::checkpoint;

type Outcome<T> = Result<T, Refused>;

async fn one(db: &Db, sql: &str, values: Vec<Value>) -> Result<Option<QueryResult>, DbErr> {
    db.query_one_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    Ok(to_json(value)?.into())
}
