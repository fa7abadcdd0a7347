//! The handoff of a commit: one activation ends, another begins, with the rows that belong to it.

use baton_core::access::{Gate, SUPPORT, Use, Viewer};
use baton_core::refusals::{Target, check_target};
use baton_core::turns::Refused;
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::write::end_task;
use super::{Outcome, id, one, run};
use crate::db::stored;
use crate::turns::handoff_rows::{ActivationChange, HandoffRows, TaskRow};

/// A conversation whose guard has let a commit through, and when.
#[derive(Clone, Copy)]
pub struct Guarded<'a> {
    pub conversation: Uuid,
    pub workspace: Uuid,
    pub at: &'a str,
}

pub fn write(db: &Connection, guarded: Guarded<'_>, handoff: &HandoffRows) -> Outcome<()> {
    // To the newest time the agent held the conversation: the person may have given it to another meanwhile.
    if let Some(kept) = &handoff.notes {
        run(
            db,
            "UPDATE activations SET context_data = ? WHERE id = (SELECT id FROM activations \
             WHERE conversation_id = ? AND agent_id = ? ORDER BY began_seq DESC, id DESC LIMIT 1)",
            params![kept.data, id(guarded.conversation), id(kept.agent_id)],
        )?;
    }
    keep_snapshot(db, guarded, handoff)?;
    if let Some(change) = &handoff.change {
        change_activation(db, guarded, change)?;
    }
    if let Some((activation, is_pinned)) = handoff.pin {
        let sql =
            "UPDATE activations SET is_pinned = ? WHERE id = ? AND conversation_id = ? AND status = 'active'";
        if run(db, sql, params![is_pinned, id(activation), id(guarded.conversation)])? == 0 {
            return Err(Refused::StaleEpoch);
        }
    }
    record(db, guarded, handoff)
}

fn change_activation(db: &Connection, guarded: Guarded<'_>, change: &ActivationChange) -> Outcome<()> {
    let ended = run(
        db,
        "UPDATE activations SET status = ?, ended_at = ? WHERE id = ? AND conversation_id = ? AND status = 'active'",
        params![change.ends_as, guarded.at, id(change.ends), id(guarded.conversation)],
    )?;
    if ended == 0 {
        return Err(Refused::StaleEpoch);
    }
    if let Some(how) = change.access {
        check(db, guarded.conversation, change.begins.agent_id, how)?;
    }
    let begins = &change.begins;
    run(
        db,
        "INSERT INTO activations (id, conversation_id, agent_id, status, trigger, reason, activation_summary, message_id, \
         context, context_data, resumes, is_pinned, began_seq, began_at) \
         VALUES (?, ?, ?, 'active', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            id(begins.id),
            id(guarded.conversation),
            id(begins.agent_id),
            begins.trigger,
            begins.reason,
            begins.activation_summary,
            begins.message_id.map(id),
            begins.context,
            begins.context_data,
            begins.resumes.map(id),
            begins.is_pinned,
            begins.began_seq,
            guarded.at,
        ],
    )?;
    match &change.task {
        Some(task) => go_on(db, guarded, task),
        None => Ok(()),
    }
}

/// The target and the person as they are now.
pub fn check(db: &Connection, conversation: Uuid, target: Uuid, how: Use) -> Outcome<()> {
    let row = one(
        db,
        "SELECT profiles.tier, agents.is_default, agents.role, agents.is_restricted FROM agent_conversations AS held \
         JOIN agents ON agents.id = ? AND agents.workspace_id = held.workspace_id AND agents.is_active \
         LEFT JOIN profiles ON profiles.id = held.user_id WHERE held.id = ?",
        params![id(target), id(conversation)],
        |row| {
            let role: Option<String> = row.get(2)?;
            let gate = Gate {
                is_default: row.get(1)?,
                is_support: role.as_deref() == Some(SUPPORT),
                is_restricted: row.get(3)?,
            };
            Ok((row.get::<_, Option<String>>(0)?, gate))
        },
    )?;
    let target = match row {
        None => None,
        Some((None, gate)) => Some(Target { viewer: Viewer::Visitor, gate }),
        Some((Some(tier), gate)) => Some(Target { viewer: Viewer::Profile(stored("tier", &tier)?), gate }),
    };
    check_target(target, how)
}

/// The work goes on as a task under the one that is completed with this.
fn go_on(db: &Connection, guarded: Guarded<'_>, task: &TaskRow) -> Outcome<()> {
    end_task(db, task.parent_id, "completed", guarded.at)?;
    run(
        db,
        "INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, parent_id, master_task_id, status, input, context, \
         created_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            id(task.id),
            id(guarded.workspace),
            id(guarded.conversation),
            id(task.agent_id),
            id(task.parent_id),
            id(task.master_task_id),
            task.status,
            task.input,
            task.context,
            guarded.at,
            task.is_over.then_some(guarded.at),
        ],
    )
    .map(drop)
}

fn keep_snapshot(db: &Connection, guarded: Guarded<'_>, handoff: &HandoffRows) -> Outcome<()> {
    let Some(kept) = &handoff.snapshot else { return Ok(()) };
    run(
        db,
        "INSERT INTO snapshots (id, conversation_id, stage, version, agent_id, task_id, data, created_at) \
         SELECT ?1, ?2, ?3, 1 + COALESCE(MAX(version), 0), ?4, ?5, ?6, ?7 FROM snapshots \
         WHERE conversation_id = ?2 AND stage = ?3",
        params![
            id(kept.id),
            id(guarded.conversation),
            kept.stage,
            id(kept.agent_id),
            id(kept.task_id),
            kept.data,
            guarded.at,
        ],
    )
    .map(drop)
}

fn record(db: &Connection, guarded: Guarded<'_>, handoff: &HandoffRows) -> Outcome<()> {
    for new in &handoff.transitions {
        run(
            db,
            "INSERT INTO transitions (id, workspace_id, conversation_id, task_id, trigger, from_agent_id, to_agent_id, \
             reason, outcome, code, latency_ms, tokens_full, tokens_sent, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(new.id),
                id(guarded.workspace),
                id(guarded.conversation),
                new.task_id.map(id),
                new.trigger,
                id(new.from_agent_id),
                new.to_agent_id.map(id),
                new.reason,
                new.outcome,
                new.code,
                new.latency_ms,
                new.tokens_full,
                new.tokens_sent,
                guarded.at,
            ],
        )?;
    }
    if let Some(transition) = handoff.rolled_back {
        run(
            db,
            "UPDATE transitions SET outcome = 'rolled_back' WHERE id = ? AND conversation_id = ?",
            params![id(transition), id(guarded.conversation)],
        )?;
    }
    Ok(())
}
