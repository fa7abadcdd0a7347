//! What a turn commits as it goes: behind its guard, or not at all.

use baton_core::access::Use;
use baton_core::handoffs::Handover;
use baton_core::ids::AgentId;
use baton_core::refusals::{check_checkpoint, check_commit};
use baton_core::store::Error;
use baton_core::turns::{After, Checkpoint, Commit, Committed, Guard, Refused};
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};

use super::{
    CHANGED_MESSAGES, NEW_MESSAGES, Outcome, RESOLVED, STEPS, asked, guarded_row, handover, json, one,
};
use crate::connection::Db;
use crate::db::OrStoreError;
use crate::turns::handing::Handing;
use crate::turns::rows::CommitRows;

pub async fn commit(db: &Db, commit: Commit) -> Outcome<Committed> {
    let (guard, handover) = (commit.guard, commit.handover.clone());
    let asked = commit.subtask.as_ref().map(|subtask| subtask.agent_id);
    // A long answer takes a while to fold and to shape, and the lease is renewed by the same few threads.
    let shaped = tokio::task::spawn_blocking(move || shaped(&commit)).await;
    let (sql, values) = shaped.map_err(|lost| Error::Database(Box::new(lost)))??;
    match one(db, &sql, values).await.db()? {
        Some(row) => Ok(Committed {
            last_seq: row.try_get("", "last_seq").db()?,
            stop_requested: row.try_get("", "stop_requested").db()?,
        }),
        None => Err(why_not(db, &guard, handover.as_ref(), asked).await?),
    }
}

/// The statement with its values.
fn shaped(commit: &Commit) -> Result<(String, Vec<Value>), Error> {
    let rows = CommitRows::new(commit)?;
    let guard = &commit.guard;
    let (running, progressed) = match commit.after {
        After::Running { progressed } => (true, progressed),
        After::Waiting | After::Ended(_) => (false, true),
    };
    let handing = Handing::of_commit(commit);
    let mut values: Vec<Value> = vec![
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
        commit.task_id.0.into(),
        handing.completes().into(),
    ];
    let mut hand = handover::clauses(&mut values, &handing, "$15")?;
    asked::clauses(&mut hand, &mut values, commit)?;
    let (set, writes) = (&hand.set, &hand.writes);
    // A stop hands nothing off and asks nobody.
    let begins = handing.over.is_some() || commit.subtask.is_some();
    let and = if begins { format!("{} AND stop_requested_at IS NULL", hand.and) } else { hand.and.clone() };
    // No part of one statement sees what another writes: what is asked and taken back at once is written as it ends.
    let sql = format!(
        "WITH guard AS (UPDATE agent_conversations SET \
         last_seq = last_seq + $10 + (CASE WHEN $11 AND stop_requested_at IS NULL THEN 1 ELSE 0 END), \
         turn_task_id = CASE WHEN $12 THEN NULL ELSE turn_task_id END, \
         turn_owner = CASE WHEN $13 THEN turn_owner ELSE NULL END, \
         turn_tries = CASE WHEN $14 THEN 0 ELSE turn_tries END, updated_at = $1{set} \
         WHERE id = $6 AND turn_task_id = $7 AND turn_attempt = $8 AND last_seq = $9 AND deleted_at IS NULL{and} \
         RETURNING id, workspace_id, user_id, visitor_id, last_seq, stop_requested_at IS NOT NULL AS stop_requested), \
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
         tool_name, args, args_hash, status, remember, expires_at, created_at, decided_by, reason, decided_at) \
         SELECT a.id, $15, guard.id, $7, a.agent_id, a.message_id, a.call_id, a.tool_name, a.args, a.args_hash, \
         COALESCE(r.status, 'pending'), false, a.expires_at, $1, r.decided_by, r.reason, \
         CASE WHEN r.id IS NOT NULL THEN $1 END FROM guard, jsonb_to_recordset($18) AS a(id uuid, agent_id uuid, \
         message_id uuid, call_id text, tool_name text, args jsonb, args_hash text, expires_at timestamptz) \
         LEFT JOIN jsonb_to_recordset($5) AS r(id uuid, status text, decided_by text, reason text) ON r.id = a.id), \
         used AS (INSERT INTO model_usage (id, workspace_id, conversation_id, task_id, agent_id, profile_id, model, \
         input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_micros, is_estimate, \
         is_public, created_at) SELECT u.id, $15, guard.id, u.task_id, u.agent_id, $20, u.model, u.input_tokens, u.cache_read_tokens, \
         u.cache_write_tokens, u.output_tokens, u.reasoning_tokens, u.cost_micros, u.is_estimate, u.is_public, $1 \
         FROM guard, jsonb_to_recordset($19) AS u(id uuid, task_id uuid, agent_id uuid, model text, input_tokens bigint, \
         cache_read_tokens bigint, cache_write_tokens bigint, output_tokens bigint, reasoning_tokens bigint, \
         cost_micros bigint, is_estimate boolean, is_public boolean)), \
         task AS (UPDATE tasks SET status = $21, ended_at = CASE WHEN $12 THEN $1 END FROM guard \
         WHERE tasks.id IN ($7, $22) AND tasks.id IS DISTINCT FROM $23 AND tasks.ended_at IS NULL AND NOT $13), \
         tape AS (DELETE FROM tapes USING guard WHERE tapes.conversation_id = guard.id AND NOT $13){writes} \
         SELECT last_seq, stop_requested FROM guard"
    );
    Ok((sql, values))
}

async fn why_not(
    db: &Db,
    guard: &Guard,
    handover: Option<&Handover>,
    asked: Option<AgentId>,
) -> Outcome<Refused> {
    let id = guard.conversation_id.0;
    if let Err(refused) = check_commit(guarded_row(db, id).await?, guard, handover, asked) {
        return Ok(refused);
    }
    match (handover, asked) {
        (Some(handover), _) => handover::why_not(db, id, handover).await,
        (None, Some(target)) => handover::why_not_open(db, id, target.0, Use::ModelSwitch).await,
        // Nothing is wrong any more: it is worth another try.
        (None, None) => Ok(Refused::Moved),
    }
}

/// Written only while the log ends with the call that speaks: a tape never gets the number of another step. Where the
/// log has moved on, the turn is still its owner's, and what was said is stored when the call closes.
pub async fn checkpoint(db: &Db, checkpoint: Checkpoint) -> Outcome<()> {
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
    check_checkpoint(guarded_row(db, guard.conversation_id.0).await?, guard)
}
