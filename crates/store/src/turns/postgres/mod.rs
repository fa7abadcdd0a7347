//! The turn's commits on Postgres: one statement each, so one round trip. The guard comes first and everything else is
//! written only if it found its row. Each statement's first values are the same: when, steps, new and changed messages,
//! resolved approvals.

mod accept;
mod asked;
mod commit;
mod handover;
mod switch;

use baton_core::ids::{NodeId, TaskId};
use baton_core::refusals::GuardedRow;
use baton_core::store::Error;
use baton_core::turns::Refused;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, Value};
use serde::Serialize;
use uuid::Uuid;

use super::rows::to_json;
use crate::connection::Db;
use crate::db::OrStoreError;

pub use accept::accept;
pub use commit::{checkpoint, commit};
pub use switch::switch;

type Outcome<T> = Result<T, Refused>;

const STEPS: &str = "INSERT INTO task_messages (conversation_id, seq, task_id, agent_id, message_id, type, body, created_at) \
    SELECT guard.id, s.seq, s.task_id, s.agent_id, s.message_id, s.type, s.body, $1 \
    FROM guard, jsonb_to_recordset($2) AS s(seq bigint, task_id uuid, agent_id uuid, message_id uuid, type text, body jsonb) \
    WHERE s.seq <= guard.last_seq";
const NEW_MESSAGES: &str = "INSERT INTO agent_messages (id, conversation_id, seq, agent_id, role, content, search_text, \
    parts, metadata, created_at, status, attempt) \
    SELECT m.id, guard.id, m.seq, m.agent_id, m.role, m.content, m.search_text, m.parts, m.metadata, $1, m.status, m.attempt \
    FROM guard, jsonb_to_recordset($3) AS m(id uuid, seq bigint, agent_id uuid, role text, content text, search_text text, \
    parts jsonb, metadata jsonb, status text, attempt int) WHERE m.seq <= guard.last_seq";
const CHANGED_MESSAGES: &str = "UPDATE agent_messages SET content = m.content, search_text = m.search_text, \
    parts = m.parts, metadata = m.metadata, status = m.status, attempt = m.attempt \
    FROM guard, jsonb_to_recordset($4) AS m(id uuid, content text, search_text text, parts jsonb, metadata jsonb, \
    status text, attempt int) WHERE agent_messages.id = m.id";
const RESOLVED: &str = "UPDATE approvals SET status = r.status, decided_by = r.decided_by, reason = r.reason, \
    decided_at = $1 FROM guard, jsonb_to_recordset($5) AS r(id uuid, status text, decided_by text, reason text) \
    WHERE approvals.id = r.id AND approvals.status = 'pending'";

/// The conversation's row as it is; none if it was deleted.
async fn guarded_row(db: &Db, conversation: Uuid) -> Outcome<Option<GuardedRow>> {
    let sql = "SELECT turn_task_id, turn_owner, turn_attempt, last_seq, epoch, \
               stop_requested_at IS NOT NULL AS stop_requested \
               FROM agent_conversations WHERE id = $1 AND deleted_at IS NULL";
    let Some(row) = one(db, sql, vec![conversation.into()]).await.db()? else { return Ok(None) };
    Ok(Some(GuardedRow {
        turn_task_id: row.try_get::<Option<Uuid>>("", "turn_task_id").db()?.map(TaskId),
        turn_owner: row.try_get::<Option<Uuid>>("", "turn_owner").db()?.map(NodeId),
        attempt: row.try_get("", "turn_attempt").db()?,
        last_seq: row.try_get("", "last_seq").db()?,
        epoch: row.try_get("", "epoch").db()?,
        stop_requested: row.try_get("", "stop_requested").db()?,
    }))
}

async fn one(db: &Db, sql: &str, values: Vec<Value>) -> Result<Option<sea_orm::QueryResult>, DbErr> {
    db.query_one_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await
}

fn json<T: Serialize>(value: &T) -> Result<Value, Error> {
    Ok(to_json(value)?.into())
}
