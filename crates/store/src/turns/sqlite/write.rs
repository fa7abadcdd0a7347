//! The rows of a commit, table by table.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::handoff::Guarded;
use super::{Outcome, id, run, time};
use crate::turns::rows::{ApprovalRow, MessageRow, ModelUsageRow, ResolvedRow, StepRow};

pub fn insert_steps<'a>(
    db: &Connection,
    conversation: Uuid,
    steps: impl IntoIterator<Item = &'a StepRow>,
    at: &str,
) -> Outcome<()> {
    for step in steps {
        run(
            db,
            "INSERT INTO task_messages (conversation_id, seq, task_id, agent_id, message_id, type, body, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(conversation),
                step.seq,
                step.task_id.map(id),
                id(step.agent_id),
                step.message_id.map(id),
                step.kind,
                step.body,
                at,
            ],
        )?;
    }
    Ok(())
}

pub fn write_messages<'a>(
    db: &Connection,
    conversation: Uuid,
    new: impl IntoIterator<Item = &'a MessageRow>,
    changed: &[MessageRow],
    at: &str,
) -> Outcome<()> {
    for row in new {
        run(
            db,
            "INSERT INTO agent_messages (id, conversation_id, seq, agent_id, role, content, search_text, parts, \
             metadata, created_at, status, attempt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(row.id),
                id(conversation),
                row.seq,
                id(row.agent_id),
                row.role,
                row.content,
                row.search_text,
                row.parts,
                row.metadata,
                at,
                row.status,
                row.attempt,
            ],
        )?;
    }
    for row in changed {
        run(
            db,
            "UPDATE agent_messages SET content = ?, search_text = ?, parts = ?, metadata = ?, status = ?, attempt = ? \
             WHERE id = ?",
            params![
                row.content,
                row.search_text,
                row.parts,
                row.metadata,
                row.status,
                row.attempt,
                id(row.id),
            ],
        )?;
    }
    Ok(())
}

pub fn ask(db: &Connection, guarded: Guarded<'_>, turn: Uuid, approvals: &[ApprovalRow]) -> Outcome<()> {
    for asked in approvals {
        run(
            db,
            "INSERT INTO approvals (id, workspace_id, conversation_id, task_id, agent_id, message_id, call_id, \
             tool_name, args, args_hash, status, remember, expires_at, created_at, preview) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', false, ?, ?, ?)",
            params![
                id(asked.id),
                id(guarded.workspace),
                id(guarded.conversation),
                id(turn),
                id(asked.agent_id),
                id(asked.message_id),
                asked.call_id,
                asked.tool_name,
                asked.args,
                asked.args_hash,
                time(asked.expires_at),
                guarded.at,
                asked.preview,
            ],
        )?;
    }
    Ok(())
}

pub fn count_usage<'a>(
    db: &Connection,
    guarded: Guarded<'_>,
    usage: impl Iterator<Item = &'a ModelUsageRow>,
) -> Outcome<()> {
    for used in usage {
        run(
            db,
            "INSERT INTO model_usage (id, workspace_id, conversation_id, task_id, agent_id, profile_id, model, \
             input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_micros, \
             is_estimate, is_public, is_own, created_at, call_seq, router_attempt, is_open) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
             ON CONFLICT (id) DO UPDATE SET model = excluded.model, input_tokens = excluded.input_tokens, \
             cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens, \
             output_tokens = excluded.output_tokens, reasoning_tokens = excluded.reasoning_tokens, \
             cost_micros = excluded.cost_micros, is_estimate = excluded.is_estimate, is_own = excluded.is_own, \
             is_open = excluded.is_open",
            params![
                id(used.id),
                id(guarded.workspace),
                id(guarded.conversation),
                id(used.task_id),
                id(used.agent_id),
                used.profile_id.map(id),
                used.model,
                used.input_tokens,
                used.cache_read_tokens,
                used.cache_write_tokens,
                used.output_tokens,
                used.reasoning_tokens,
                used.cost_micros,
                used.is_estimate,
                used.is_public,
                used.is_own,
                guarded.at,
                used.call_seq,
                used.router_attempt,
                used.is_open,
            ],
        )?;
    }
    Ok(())
}

pub fn resolve(db: &Connection, resolved: &[ResolvedRow], at: &str) -> Outcome<()> {
    for row in resolved {
        run(
            db,
            "UPDATE approvals SET status = ?, decided_by = ?, reason = ?, decided_at = ? WHERE id = ? AND status = 'pending'",
            params![row.status, row.decided_by, row.reason, at, id(row.id)],
        )?;
    }
    Ok(())
}

/// The turn that waited is over, whichever of its tasks was at work.
pub fn cancel_turn(db: &Connection, guarded: Guarded<'_>, turn: Uuid) -> Outcome<()> {
    run(
        db,
        "UPDATE tasks SET status = 'cancelled', ended_at = ? \
         WHERE conversation_id = ? AND master_task_id = ? AND ended_at IS NULL",
        params![guarded.at, id(guarded.conversation), id(turn)],
    )
    .map(drop)
}

/// Only the first of several ends counts.
pub fn end_task(db: &Connection, task: Uuid, status: &str, at: &str) -> Outcome<()> {
    run(
        db,
        "UPDATE tasks SET status = ?, ended_at = ? WHERE id = ? AND ended_at IS NULL",
        params![status, at, id(task)],
    )
    .map(drop)
}
