//! What only the commit of a person's message writes: the conversation, if the message begins it, the turn's task, and
//! the request's idempotency key.

use baton_core::store;
use baton_core::turns::{NewConversation, Refused};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, SqlErr, Statement, Value};
use uuid::Uuid;

use super::handoff::{Clauses, place};
use super::{Outcome, json, one};
use crate::connection::Db;
use crate::db::OrStoreError;
use crate::turns::rows::AcceptRow;

impl Clauses {
    /// The guard of a conversation that begins with it: its id must be new.
    pub fn begin_conversation(
        &mut self,
        values: &mut Vec<Value>,
        accept: &AcceptRow,
        new: NewConversation,
        bytes: i64,
    ) -> String {
        let (agent, activation) =
            (place(values, accept.agent_id.into()), place(values, new.activation_id.0.into()));
        self.writes += &format!(
            ", activation AS (INSERT INTO activations (id, conversation_id, agent_id, status, trigger, context_data, \
             began_at) SELECT {activation}, id, {agent}, 'active', 'user', '{{}}', $1 FROM guard)"
        );
        let (task, node) = (place(values, accept.task_id.into()), place(values, accept.node.into()));
        let team = place(values, new.team_id.map(|id| id.0).into());
        let profile = place(values, accept.person.profile_id().map(|id| id.0).into());
        let visitor = place(values, accept.person.visitor_id().map(|id| id.0).into());
        let title = place(values, accept.title.clone().into());
        let search_text = place(values, accept.search_text.clone().into());
        let bytes = place(values, bytes.into());
        let and = &self.and;
        format!(
            "INSERT INTO agent_conversations (id, workspace_id, agent_id, team_id, user_id, visitor_id, title, \
             search_text, last_seq, bytes, created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt) \
             SELECT $6, $7, {agent}, {team}, {profile}, {visitor}, {title}, {search_text}, $8 + $9, {bytes}, $1, $1, 1, \
             {task}, {node}, 1 WHERE true{and} RETURNING id, last_seq, false AS stop_requested"
        )
    }

    pub fn begin_turn(&mut self, values: &mut Vec<Value>, accept: &AcceptRow) -> store::Result<()> {
        let (task, agent) = (place(values, accept.task_id.into()), place(values, accept.agent_id.into()));
        let input = place(values, json(&accept.input)?);
        let (context, token) = (place(values, json(&accept.context)?), place(values, accept.token_id.into()));
        self.writes += &format!(
            ", task AS (INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, master_task_id, status, input, \
             context, token_id, created_at) \
             SELECT {task}, $7, id, {agent}, {task}, 'running', {input}, {context}, {token}, $1 FROM guard)"
        );
        let Some(key) = &accept.key else { return Ok(()) };
        let (person, name) =
            (place(values, accept.person.id().into()), place(values, key.key.clone().into()));
        let (hash, first_seq) =
            (place(values, key.body_hash.clone().into()), place(values, key.first_seq.into()));
        self.writes += &format!(
            ", request_key AS (INSERT INTO request_keys (person_id, request_key, body_hash, conversation_id, task_id, \
             first_seq, created_at) SELECT {person}, {name}, {hash}, id, {task}, {first_seq}, $1 FROM guard)"
        );
        Ok(())
    }
}

/// A request that came before finds its own turn, whatever else it was refused for.
pub async fn check_key(
    db: &Db,
    accept: &AcceptRow,
    stored: &Result<Option<QueryResult>, DbErr>,
) -> Outcome<()> {
    match stored {
        Ok(Some(_)) => Ok(()),
        Ok(None) => repeated(db, accept).await,
        // The key is there already, or the conversation that was stored with it. A key so old that it no longer counts
        // is gone by now.
        Err(error) if is_there(error, "") => {
            repeated(db, accept).await?;
            if is_there(error, "request_keys") { Err(Refused::Moved) } else { Ok(()) }
        }
        Err(_) => Ok(()),
    }
}

/// A row of this table, or of any, is there already.
fn is_there(error: &DbErr, table: &str) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(message)) if message.contains(table))
}

/// Whether the same person sent this key before.
async fn repeated(db: &Db, accept: &AcceptRow) -> Outcome<()> {
    let Some(key) = &accept.key else { return Ok(()) };
    let person = accept.person.id();
    let sql = "DELETE FROM request_keys WHERE person_id = $1 AND request_key = $2 AND created_at < $3";
    let values = [person.into(), key.key.clone().into(), key.since.into()];
    db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.db()?;
    let sql = "SELECT body_hash, conversation_id, task_id, first_seq FROM request_keys \
               WHERE person_id = $1 AND request_key = $2";
    let values = vec![person.into(), key.key.clone().into()];
    let Some(row) = one(db, sql, values).await.db()? else { return Ok(()) };
    if row.try_get::<Vec<u8>>("", "body_hash").db()? != key.body_hash {
        return Err(Refused::KeyReused);
    }
    Err(Refused::Repeated {
        conversation_id: row.try_get::<Uuid>("", "conversation_id").db()?.into(),
        task_id: row.try_get::<Uuid>("", "task_id").db()?.into(),
        first_seq: row.try_get("", "first_seq").db()?,
    })
}
