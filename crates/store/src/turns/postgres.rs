//! The turn's commits on Postgres: one statement each, so one round trip. The guard comes first and everything else is
//! written only if it found its row.

use baton_core::store::Error;
use baton_core::turns::{Accept, After, Checkpoint, Commit, Committed, Guard, Place, Refused};
use chrono::Duration;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqlErr, Statement, Value};
use serde::Serialize;
use uuid::Uuid;

use super::rows::{self, CommitRows, to_json};
use super::{KEY_DAYS, not_there, refusal};
use crate::db::{OrStoreError, database_error};

type Outcome<T> = Result<T, Refused>;

const STEPS: &str = "INSERT INTO task_messages (conversation_id, seq, task_id, agent_id, message_id, type, body, created_at) \
    SELECT guard.id, s.seq, s.task_id, s.agent_id, s.message_id, s.type, s.body, $1 \
    FROM guard, jsonb_to_recordset($2) AS s(seq bigint, task_id uuid, agent_id uuid, message_id uuid, type text, body jsonb) \
    WHERE s.seq <= guard.last_seq";
const NEW_MESSAGES: &str = "INSERT INTO agent_messages (id, conversation_id, seq, agent_id, role, content, search_text, \
    parts, metadata, created_at, status, attempt) \
    SELECT m.id, guard.id, m.seq, m.agent_id, m.role, m.content, m.search_text, m.parts, m.metadata, $1, m.status, m.attempt \
    FROM guard, jsonb_to_recordset($3) AS m(id uuid, seq bigint, agent_id uuid, role text, content text, search_text text, \
    parts jsonb, metadata jsonb, status text, attempt int)";
const CHANGED_MESSAGES: &str = "UPDATE agent_messages SET content = m.content, search_text = m.search_text, \
    parts = m.parts, metadata = m.metadata, status = m.status, attempt = m.attempt \
    FROM guard, jsonb_to_recordset($4) AS m(id uuid, content text, search_text text, parts jsonb, metadata jsonb, \
    status text, attempt int) WHERE agent_messages.id = m.id";
const RESOLVED: &str = "UPDATE approvals SET status = r.status, decided_by = r.decided_by, reason = r.reason, \
    decided_at = $1 FROM guard, jsonb_to_recordset($5) AS r(id uuid, status text, decided_by text, reason text) \
    WHERE approvals.id = r.id AND approvals.status = 'pending'";

pub async fn accept(db: &DatabaseConnection, accept: Accept) -> Outcome<Committed> {
    let base = accept.place.last_seq();
    let last_seq = base + accept.steps.len() as i64;
    let (new, changed) = rows::message_rows(base, &accept.messages)?;
    let mut values: Vec<Value> = vec![
        accept.at.into(),
        json(&rows::step_rows(base, accept.steps.iter())?)?,
        json(&new)?,
        json(&changed)?,
        json(&rows::resolved_rows(&accept.resolved))?,
        accept.place.id().0.into(),
        accept.task_id.0.into(),
        accept.node.0.into(),
        accept.workspace_id.0.into(),
        accept.agent_id.0.into(),
        accept.person.profile_id().map(|id| id.0).into(),
        accept.person.visitor_id().map(|id| id.0).into(),
        accept.token_id.map(|id| id.0).into(),
        accept.input.clone().into(),
        last_seq.into(),
    ];
    let (guard, more) = match &accept.place {
        Place::New { activation_id, title, .. } => {
            values.push(title.clone().into());
            values.push(baton_core::text::fold(title.as_deref().unwrap_or_default()).into());
            values.push(activation_id.0.into());
            (
                "INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, visitor_id, title, search_text, \
                 last_seq, created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt) \
                 VALUES ($6, $9, $10, $11, $12, $16, $17, $15, $1, $1, 1, $7, $8, 1) RETURNING id, last_seq",
                ", activation AS (INSERT INTO activations (id, conversation_id, agent_id, status, trigger, \
                 context_data, began_at) SELECT $18, id, $10, 'active', 'user', '{}', $1 FROM guard)",
            )
        }
        Place::Existing { ends, title, .. } => {
            values.push(title.clone().into());
            values.push(baton_core::text::fold(title.as_deref().unwrap_or_default()).into());
            values.push(ends.map(|turn| turn.task_id.0).into());
            values.push(base.into());
            (
                "UPDATE agent_conversations SET last_seq = $15, turn_task_id = $7, turn_owner = $8, turn_attempt = 1, \
                 turn_tries = 0, stop_requested_at = NULL, updated_at = $1, \
                 search_text = CASE WHEN title IS NULL THEN $17 ELSE search_text END, title = COALESCE(title, $16) \
                 WHERE id = $6 AND deleted_at IS NULL AND last_seq = $19 AND user_id IS NOT DISTINCT FROM $11 \
                 AND visitor_id IS NOT DISTINCT FROM $12 \
                 AND (turn_task_id IS NULL OR (turn_task_id = $18 AND turn_owner IS NULL)) RETURNING id, last_seq",
                ", ended AS (UPDATE tasks SET status = 'cancelled', ended_at = $1 FROM guard WHERE tasks.id = $18)",
            )
        }
    };
    let next = values.len() + 1;
    let key = match &accept.key {
        Some(key) => {
            let before = accept.steps.iter().take_while(|step| step.task_id != Some(accept.task_id)).count();
            values.push(accept.person.id().into());
            values.push(key.key.clone().into());
            values.push(key.body_hash.clone().into());
            values.push((base + 1 + before as i64).into());
            format!(
                ", request_key AS (INSERT INTO request_keys (person_id, request_key, body_hash, conversation_id, task_id, \
                 first_seq, created_at) SELECT ${next}, ${}, ${}, id, $7, ${}, $1 FROM guard)",
                next + 1,
                next + 2,
                next + 3
            )
        }
        None => String::new(),
    };
    let sql = format!(
        "WITH guard AS ({guard}), steps AS ({STEPS}), new_messages AS ({NEW_MESSAGES}), \
         changed_messages AS ({CHANGED_MESSAGES}), resolved AS ({RESOLVED}), \
         task AS (INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, master_task_id, status, input, context, \
         token_id, created_at) SELECT $7, $9, id, $10, $7, 'running', $14, '{{}}', $13, $1 FROM guard){more}{key} \
         SELECT last_seq FROM guard"
    );
    match one(db, &sql, values).await {
        Ok(Some(_)) => Ok(Committed { last_seq, stop_requested: false }),
        Ok(None) => Err(why_not(db, &accept).await?),
        Err(error) if accept.key.is_some() && is_repeated(&error) => repeated(db, &accept).await,
        Err(error) => Err(database_error(error).into()),
    }
}

fn is_repeated(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(message)) if message.contains("request_keys"))
}

/// The key is there already: the same request, another one, or one so old that it no longer counts.
async fn repeated(db: &DatabaseConnection, accept: &Accept) -> Outcome<Committed> {
    let Some(key) = &accept.key else { return Err(Refused::Moved) };
    let old = accept.at - Duration::days(KEY_DAYS);
    let person = accept.person.id();
    let sql = "DELETE FROM request_keys WHERE person_id = $1 AND request_key = $2 AND created_at < $3";
    let values = [person.into(), key.key.clone().into(), old.into()];
    db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.db()?;
    let sql = "SELECT body_hash, conversation_id, task_id, first_seq FROM request_keys \
               WHERE person_id = $1 AND request_key = $2";
    let values = vec![person.into(), key.key.clone().into()];
    let Some(row) = one(db, sql, values).await.db()? else { return Err(Refused::Moved) };
    if row.try_get::<Vec<u8>>("", "body_hash").db()? != key.body_hash {
        return Err(Refused::KeyReused);
    }
    Err(Refused::Repeated {
        conversation_id: row.try_get::<Uuid>("", "conversation_id").db()?.into(),
        task_id: row.try_get::<Uuid>("", "task_id").db()?.into(),
        first_seq: row.try_get("", "first_seq").db()?,
    })
}

async fn why_not(db: &DatabaseConnection, accept: &Accept) -> Outcome<Refused> {
    // A repeated request finds its own turn here, running or not.
    if accept.key.is_some()
        && let Err(refused @ (Refused::Repeated { .. } | Refused::KeyReused)) = repeated(db, accept).await
    {
        return Ok(refused);
    }
    let sql = "SELECT turn_task_id IS NOT NULL AND turn_owner IS NOT NULL AS busy FROM agent_conversations \
               WHERE id = $1 AND deleted_at IS NULL AND user_id IS NOT DISTINCT FROM $2 \
               AND visitor_id IS NOT DISTINCT FROM $3";
    let (profile, visitor) = (accept.person.profile_id(), accept.person.visitor_id());
    let values =
        vec![accept.place.id().0.into(), profile.map(|id| id.0).into(), visitor.map(|id| id.0).into()];
    Ok(match one(db, sql, values).await.db()? {
        None => not_there(),
        Some(row) if row.try_get::<bool>("", "busy").db()? => Refused::TurnInProgress,
        Some(_) => Refused::Moved,
    })
}

pub async fn commit(db: &DatabaseConnection, commit: Commit) -> Outcome<Committed> {
    let guard = commit.guard;
    // A long answer takes a while to fold and to shape, and the lease is renewed by the same few threads.
    let values = tokio::task::spawn_blocking(move || commit_values(&commit)).await;
    let values = values.map_err(|lost| Error::Database(Box::new(lost)))??;
    let sql = format!(
        "WITH guard AS (UPDATE agent_conversations SET \
         last_seq = last_seq + $10 + (CASE WHEN $11 AND stop_requested_at IS NULL THEN 1 ELSE 0 END), \
         turn_task_id = CASE WHEN $12 THEN NULL ELSE turn_task_id END, \
         turn_owner = CASE WHEN $13 THEN turn_owner ELSE NULL END, \
         turn_tries = CASE WHEN $14 THEN 0 ELSE turn_tries END, updated_at = $1 \
         WHERE id = $6 AND turn_task_id = $7 AND turn_attempt = $8 AND last_seq = $9 AND deleted_at IS NULL \
         RETURNING id, last_seq, stop_requested_at IS NOT NULL AS stop_requested), \
         steps AS ({STEPS}), new_messages AS ({NEW_MESSAGES}), changed_messages AS ({CHANGED_MESSAGES}), \
         resolved AS ({RESOLVED}), \
         forgotten AS (DELETE FROM agent_memories USING guard, jsonb_to_recordset($17) AS f(agent_id uuid, path text) \
         WHERE agent_memories.agent_id = f.agent_id AND agent_memories.path = f.path), \
         memories AS (INSERT INTO agent_memories (id, agent_id, workspace_id, path, content, search_text, created_at, \
         updated_at) SELECT m.id, m.agent_id, $15, m.path, m.content, m.search_text, $1, $1 \
         FROM guard, jsonb_to_recordset($16) AS m(id uuid, agent_id uuid, path text, content text, search_text text) \
         ON CONFLICT (agent_id, path) DO UPDATE SET content = excluded.content, search_text = excluded.search_text, \
         updated_at = excluded.updated_at), \
         asked AS (INSERT INTO approvals (id, workspace_id, conversation_id, task_id, agent_id, message_id, call_id, \
         tool_name, args, args_hash, status, remember, expires_at, created_at) \
         SELECT a.id, $15, guard.id, $7, a.agent_id, a.message_id, a.call_id, a.tool_name, a.args, a.args_hash, \
         'pending', false, a.expires_at, $1 FROM guard, jsonb_to_recordset($18) AS a(id uuid, agent_id uuid, \
         message_id uuid, call_id text, tool_name text, args jsonb, args_hash text, expires_at timestamptz)), \
         used AS (INSERT INTO model_usage (id, workspace_id, conversation_id, task_id, agent_id, profile_id, model, \
         input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_micros, is_estimate, \
         created_at) SELECT u.id, $15, guard.id, $7, u.agent_id, $20, u.model, u.input_tokens, u.cache_read_tokens, \
         u.cache_write_tokens, u.output_tokens, u.reasoning_tokens, u.cost_micros, u.is_estimate, $1 \
         FROM guard, jsonb_to_recordset($19) AS u(id uuid, agent_id uuid, model text, input_tokens bigint, \
         cache_read_tokens bigint, cache_write_tokens bigint, output_tokens bigint, reasoning_tokens bigint, \
         cost_micros bigint, is_estimate boolean)), \
         task AS (UPDATE tasks SET status = $21, ended_at = CASE WHEN $12 THEN $1 END FROM guard \
         WHERE tasks.id = $7 AND NOT $13), \
         tape AS (DELETE FROM tapes USING guard WHERE tapes.conversation_id = guard.id AND NOT $13) \
         SELECT last_seq, stop_requested FROM guard"
    );
    match one(db, &sql, values).await.db()? {
        Some(row) => Ok(Committed {
            last_seq: row.try_get("", "last_seq").db()?,
            stop_requested: row.try_get("", "stop_requested").db()?,
        }),
        None => Err(fenced(db, &guard).await?),
    }
}

fn commit_values(commit: &Commit) -> Result<Vec<Value>, Error> {
    let rows = CommitRows::new(commit)?;
    let guard = &commit.guard;
    let (running, progressed) = match commit.after {
        After::Running { progressed } => (true, progressed),
        After::Waiting | After::Ended(_) => (false, true),
    };
    Ok(vec![
        commit.at.into(),
        json(&rows.steps)?,
        json(&rows.new_messages)?,
        json(&rows.changed_messages)?,
        json(&rows.resolved)?,
        guard.conversation_id.0.into(),
        guard.task_id.0.into(),
        guard.attempt.into(),
        guard.last_seq.into(),
        (commit.steps.len() as i64).into(),
        commit.next_call.is_some().into(),
        rows.is_over.into(),
        running.into(),
        progressed.into(),
        commit.workspace_id.0.into(),
        json(&rows.memories)?,
        json(&rows.forgotten)?,
        json(&rows.approvals)?,
        json(&rows.usage)?,
        commit.profile_id.map(|id| id.0).into(),
        rows.task_status.into(),
    ])
}

async fn fenced(db: &DatabaseConnection, guard: &Guard) -> Outcome<Refused> {
    let sql = "SELECT turn_task_id, turn_attempt, last_seq FROM agent_conversations \
               WHERE id = $1 AND deleted_at IS NULL";
    let row = match one(db, sql, vec![guard.conversation_id.0.into()]).await.db()? {
        Some(row) => Some((
            row.try_get::<Option<Uuid>>("", "turn_task_id").db()?,
            row.try_get("", "turn_attempt").db()?,
            row.try_get("", "last_seq").db()?,
        )),
        None => None,
    };
    Ok(refusal(row, guard))
}

/// Written only while the log ends with the call that speaks: a tape never gets the number of another step. Where the
/// log has moved on, the turn is still its owner's, and what was said is stored when the call closes.
pub async fn checkpoint(db: &DatabaseConnection, checkpoint: Checkpoint) -> Outcome<()> {
    let guard = &checkpoint.guard;
    let sql = "INSERT INTO tapes (conversation_id, call_seq, tape) SELECT id, last_seq, $1 FROM agent_conversations \
               WHERE id = $2 AND turn_task_id = $3 AND turn_attempt = $4 AND last_seq = $5 AND deleted_at IS NULL \
               ON CONFLICT (conversation_id) DO UPDATE SET call_seq = excluded.call_seq, tape = excluded.tape";
    let values = [
        json(&checkpoint.tape)?,
        guard.conversation_id.0.into(),
        guard.task_id.0.into(),
        guard.attempt.into(),
        guard.last_seq.into(),
    ];
    let done = db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.db()?;
    if done.rows_affected() > 0 {
        return Ok(());
    }
    match fenced(db, guard).await? {
        Refused::Moved => Ok(()),
        refused => Err(refused),
    }
}

async fn one(
    db: &DatabaseConnection,
    sql: &str,
    values: Vec<Value>,
) -> Result<Option<sea_orm::QueryResult>, DbErr> {
    db.query_one_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await
}

fn json<T: Serialize>(value: &T) -> Result<Value, Error> {
    Ok(to_json(value)?.into())
}
