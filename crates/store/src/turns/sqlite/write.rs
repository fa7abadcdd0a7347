//! Rows that more than one kind of commit writes.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::{Outcome, id, run};
use crate::turns::rows::{MessageRow, ResolvedRow, StepRow};

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
                step.body.to_string(),
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
                row.parts.as_ref().map(ToString::to_string),
                row.metadata.to_string(),
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
                row.parts.as_ref().map(ToString::to_string),
                row.metadata.to_string(),
                row.status,
                row.attempt,
                id(row.id),
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
pub fn cancel_turn(db: &Connection, conversation: Uuid, turn: Uuid, at: &str) -> Outcome<()> {
    run(
        db,
        "UPDATE tasks SET status = 'cancelled', ended_at = ? \
         WHERE conversation_id = ? AND master_task_id = ? AND ended_at IS NULL",
        params![at, id(conversation), id(turn)],
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
