//! Every commit: one statement, so one round trip.

use std::sync::atomic::Ordering;

use baton_core::access::Use;
use baton_core::refusals::check_commit;
use baton_core::store::{Error, Result};
use baton_core::turns::{After, Commit, Committed, Refused};
use sea_orm::{QueryResult, Value};
use uuid::Uuid;

use super::guard::{guard, guarded_row};
use super::handoff::{self, Clauses, place};
use super::{Outcome, accept, json, one, subtask};
use crate::connect::SqlStore;
use crate::connection::Db;
use crate::db::{OrStoreError, database_error};
use crate::turns::rows::{CommitRows, GuardRows, task_status};
use crate::write::number;

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

pub async fn commit(store: &SqlStore, commit: &Commit) -> Outcome<Committed> {
    let db = &store.db;
    let rows = CommitRows::new(commit)?;
    let (rows, sql, values) = match rows.guard {
        // A long answer takes a while to shape, and the lease is renewed by the same few threads.
        GuardRows::Turn { .. } => {
            let shaped = tokio::task::spawn_blocking(move || shaped(rows)).await;
            shaped.map_err(|lost| Error::Database(Box::new(lost)))??
        }
        GuardRows::Accept(_) | GuardRows::Switch => shaped(rows)?,
    };
    let stored = one(db, &sql, values).await;
    if let GuardRows::Accept(accept) = &rows.guard {
        accept::check_key(db, accept, &stored).await?;
    }
    match stored.map_err(database_error)? {
        Some(row) => committed(&row),
        None => {
            check_known(store, commit.known).await?;
            Err(why_not(db, commit).await?)
        }
    }
}

/// Checks that nothing has changed since the agents of this commit were read (`Commit::known`). If something has, the
/// next try is made from newer data.
async fn check_known(store: &SqlStore, known: Option<u64>) -> Outcome<()> {
    let Some(known) = known else { return Ok(()) };
    let Some(row) = one(&store.db, "SELECT number FROM generation", Vec::new()).await.db()? else {
        return Ok(());
    };
    let newest = number(&row)?;
    store.generation.store(newest, Ordering::Release);
    if newest == known { Ok(()) } else { Err(Refused::Stale) }
}

fn committed(row: &QueryResult) -> Outcome<Committed> {
    Ok(Committed {
        last_seq: row.try_get("", "last_seq").db()?,
        stop_requested: row.try_get("", "stop_requested").db()?,
    })
}

/// The statement with its values. No part of it sees what another writes: what is asked and taken back at once is written
/// as it ends.
fn shaped(rows: CommitRows) -> Result<(CommitRows, String, Vec<Value>)> {
    let mut values: Vec<Value> = vec![
        rows.at.into(),
        json(&rows.steps)?,
        json(&rows.new_messages)?,
        json(&rows.changed_messages)?,
        json(&rows.resolved)?,
        rows.conversation_id.into(),
        rows.workspace_id.into(),
        rows.terms.last_seq.into(),
        rows.certain.into(),
    ];
    let mut more = handoff::clauses(&mut values, &rows.handoff)?;
    subtask::clauses(&mut more, &mut values, &rows)?;
    more.write_rest(&mut values, &rows)?;
    if let Some(known) = rows.known {
        let known = place(&mut values, known.cast_signed().into());
        more.and += &format!(" AND (SELECT number FROM generation) = {known}");
    }
    let guard = match &rows.guard {
        GuardRows::Accept(accept) => {
            more.begin_turn(&mut values, accept)?;
            match accept.begins {
                Some(new) => more.begin_conversation(&mut values, accept, new, rows.bytes),
                None => guard(&mut values, &rows, &more),
            }
        }
        GuardRows::Turn { task_id, working, after } => {
            more.settle(&mut values, [*task_id, *working], *after, rows.handoff.completes());
            guard(&mut values, &rows, &more)
        }
        GuardRows::Switch => guard(&mut values, &rows, &more),
    };
    let writes = &more.writes;
    let sql = format!(
        "WITH guard AS ({guard}), steps AS ({STEPS}), new_messages AS ({NEW_MESSAGES}), \
         changed_messages AS ({CHANGED_MESSAGES}), resolved AS ({RESOLVED}){writes} \
         SELECT last_seq, stop_requested FROM guard"
    );
    Ok((rows, sql, values))
}

impl Clauses {
    fn write_rest(&mut self, values: &mut Vec<Value>, rows: &CommitRows) -> Result<()> {
        if let Some(turn) = rows.ends {
            let turn = place(values, turn.into());
            self.writes += &format!(
                ", cancelled AS (UPDATE tasks SET status = 'cancelled', ended_at = $1 FROM guard \
                 WHERE tasks.conversation_id = guard.id AND tasks.master_task_id = {turn} AND tasks.ended_at IS NULL)"
            );
        }
        if let (GuardRows::Turn { task_id, .. }, false) = (&rows.guard, rows.approvals.is_empty()) {
            let (task, asked) = (place(values, (*task_id).into()), place(values, json(&rows.approvals)?));
            self.writes += &format!(
                ", asked AS (INSERT INTO approvals (id, workspace_id, conversation_id, task_id, agent_id, message_id, \
                 call_id, tool_name, args, args_hash, status, remember, expires_at, created_at, decided_by, reason, \
                 decided_at, preview) SELECT a.id, $7, guard.id, {task}, a.agent_id, a.message_id, a.call_id, a.tool_name, a.args, \
                 a.args_hash, COALESCE(r.status, 'pending'), false, a.expires_at, $1, r.decided_by, r.reason, \
                 CASE WHEN r.id IS NOT NULL THEN $1 END, a.preview FROM guard, jsonb_to_recordset({asked}) AS a(id uuid, \
                 agent_id uuid, message_id uuid, call_id text, tool_name text, args jsonb, args_hash text, \
                 expires_at timestamptz, preview jsonb) LEFT JOIN jsonb_to_recordset($5) AS r(id uuid, status text, decided_by text, \
                 reason text) ON r.id = a.id)"
            );
        }
        if !rows.usage.is_empty() {
            let used = place(values, json(&rows.usage)?);
            self.writes += &format!(
                ", used AS (INSERT INTO model_usage (id, workspace_id, conversation_id, task_id, agent_id, profile_id, \
                 model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_micros, \
                 is_estimate, is_public, is_own, created_at, call_seq, router_attempt, is_open, changed_at) \
                 SELECT u.id, $7, guard.id, u.task_id, u.agent_id, u.profile_id, \
                 u.model, u.input_tokens, u.cache_read_tokens, u.cache_write_tokens, u.output_tokens, u.reasoning_tokens, \
                 u.cost_micros, u.is_estimate, u.is_public, u.is_own, $1, u.call_seq, u.router_attempt, u.is_open, now() \
                 FROM guard, jsonb_to_recordset({used}) AS u(id uuid, \
                 task_id uuid, agent_id uuid, profile_id uuid, model text, input_tokens bigint, cache_read_tokens bigint, \
                 cache_write_tokens bigint, output_tokens bigint, reasoning_tokens bigint, cost_micros bigint, \
                 is_estimate boolean, is_public boolean, is_own boolean, call_seq bigint, router_attempt integer, is_open boolean) \
                 WHERE u.call_seq <= guard.last_seq \
                 ON CONFLICT (id) DO UPDATE SET model = excluded.model, input_tokens = excluded.input_tokens, \
                 cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens, \
                 output_tokens = excluded.output_tokens, reasoning_tokens = excluded.reasoning_tokens, \
                 cost_micros = excluded.cost_micros, is_estimate = excluded.is_estimate, is_own = excluded.is_own, \
                 is_open = excluded.is_open, changed_at = excluded.changed_at)"
            );
        }
        Ok(())
    }

    /// How the turn's tasks stand. No call is open, so nobody needs what the last one had said.
    fn settle(
        &mut self,
        values: &mut Vec<Value>,
        [turn, working]: [Uuid; 2],
        after: After,
        completes: Option<Uuid>,
    ) {
        let (status, is_over) = task_status(after);
        if let After::Running { .. } = after {
            return;
        }
        let ended = if is_over { ", ended_at = $1" } else { "" };
        let (turn, working) = (place(values, turn.into()), place(values, working.into()));
        // That one is completed by the same statement, which can change a row only once.
        let but = completes
            .map(|task| format!(" AND tasks.id <> {}", place(values, task.into())))
            .unwrap_or_default();
        self.writes += &format!(
            ", settled AS (UPDATE tasks SET status = '{status}'{ended} FROM guard \
             WHERE tasks.id IN ({turn}, {working}) AND tasks.ended_at IS NULL{but}), \
             tape AS (DELETE FROM tapes USING guard WHERE tapes.conversation_id = guard.id)"
        );
    }
}

async fn why_not(db: &Db, commit: &Commit) -> Outcome<Refused> {
    let id = commit.conversation_id.0;
    if let Err(refused) = check_commit(guarded_row(db, id).await?, &commit.terms()) {
        return Ok(refused);
    }
    if let Some(handoff) = &commit.handoff {
        return handoff::why_not(db, id, handoff).await;
    }
    if let Some(asked) = &commit.subtask {
        return handoff::why_not_open(db, id, asked.agent_id.0, Use::ModelSwitch).await;
    }
    // Where neither epoch nor log has moved, it is the holder that isn't as it was. Otherwise nothing is wrong any more,
    // and it is worth another try.
    Ok(if commit.pin().is_some() { Refused::StaleEpoch } else { Refused::Moved })
}
