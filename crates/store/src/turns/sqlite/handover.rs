//! Who holds the conversation: one activation ends, another begins, with all that belongs to it.

use baton_core::access::{Gate, SUPPORT, Use, Viewer};
use baton_core::refusals::{Target, check_target};
use baton_core::turns::Refused;
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::write::end_task;
use super::{Outcome, id, one, run};
use crate::db::stored;
use crate::turns::handing::{Handing, Over, TaskRow};

/// A conversation whose guard has let a commit through, and when.
#[derive(Clone, Copy)]
pub struct Behind<'a> {
    pub conversation: Uuid,
    pub workspace: Uuid,
    pub at: &'a str,
}

pub fn hand(db: &Connection, behind: Behind<'_>, handing: &Handing) -> Outcome<()> {
    // To the newest time the agent held the conversation: the person may have given it to another meanwhile.
    for kept in &handing.contexts {
        run(
            db,
            "UPDATE activations SET context_data = ? WHERE id = (SELECT id FROM activations \
             WHERE conversation_id = ? AND agent_id = ? ORDER BY began_seq DESC, id DESC LIMIT 1)",
            params![kept.data.to_string(), id(behind.conversation), id(kept.agent_id)],
        )?;
    }
    keep_snapshot(db, behind, handing)?;
    if let Some(over) = &handing.over {
        hand_over(db, behind, over)?;
    }
    if let Some((activation, is_pinned)) = handing.pin {
        let sql =
            "UPDATE activations SET is_pinned = ? WHERE id = ? AND conversation_id = ? AND status = 'active'";
        if run(db, sql, params![is_pinned, id(activation), id(behind.conversation)])? == 0 {
            return Err(Refused::StaleEpoch);
        }
    }
    record(db, behind, handing)
}

fn hand_over(db: &Connection, behind: Behind<'_>, over: &Over) -> Outcome<()> {
    let ended = run(
        db,
        "UPDATE activations SET status = ?, ended_at = ? WHERE id = ? AND conversation_id = ? AND status = 'active'",
        params![over.ends_as, behind.at, id(over.ends), id(behind.conversation)],
    )?;
    if ended == 0 {
        return Err(Refused::StaleEpoch);
    }
    if let Some(how) = over.access {
        check(db, behind.conversation, over.begins.agent_id, how)?;
    }
    let begins = &over.begins;
    run(
        db,
        "INSERT INTO activations (id, conversation_id, agent_id, status, trigger, reason, activation_summary, message_id, \
         context, context_data, resumes, is_pinned, began_seq, began_at) \
         VALUES (?, ?, ?, 'active', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            id(begins.id),
            id(behind.conversation),
            id(begins.agent_id),
            begins.trigger,
            begins.reason,
            begins.activation_summary,
            begins.message_id.map(id),
            begins.context.to_string(),
            begins.context_data.to_string(),
            begins.resumes.map(id),
            begins.is_pinned,
            begins.began_seq,
            behind.at,
        ],
    )?;
    match &over.task {
        Some(task) => go_on(db, behind, task),
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
fn go_on(db: &Connection, behind: Behind<'_>, task: &TaskRow) -> Outcome<()> {
    end_task(db, task.parent_id, "completed", behind.at)?;
    run(
        db,
        "INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, parent_id, master_task_id, status, input, context, \
         created_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            id(task.id),
            id(behind.workspace),
            id(behind.conversation),
            id(task.agent_id),
            id(task.parent_id),
            id(task.master_task_id),
            task.status,
            task.input.to_string(),
            task.context.to_string(),
            behind.at,
            task.is_over.then_some(behind.at),
        ],
    )
    .map(drop)
}

fn keep_snapshot(db: &Connection, behind: Behind<'_>, handing: &Handing) -> Outcome<()> {
    let Some(kept) = &handing.snapshot else { return Ok(()) };
    run(
        db,
        "INSERT INTO snapshots (id, conversation_id, stage, version, agent_id, task_id, data, created_at) \
         SELECT ?1, ?2, ?3, 1 + COALESCE(MAX(version), 0), ?4, ?5, ?6, ?7 FROM snapshots \
         WHERE conversation_id = ?2 AND stage = ?3",
        params![
            id(kept.id),
            id(behind.conversation),
            kept.stage,
            id(kept.agent_id),
            id(kept.task_id),
            kept.data.to_string(),
            behind.at,
        ],
    )
    .map(drop)
}

fn record(db: &Connection, behind: Behind<'_>, handing: &Handing) -> Outcome<()> {
    for new in &handing.transitions {
        run(
            db,
            "INSERT INTO transitions (id, workspace_id, conversation_id, task_id, trigger, from_agent_id, to_agent_id, \
             reason, outcome, code, latency_ms, tokens_full, tokens_sent, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(new.id),
                id(behind.workspace),
                id(behind.conversation),
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
                behind.at,
            ],
        )?;
    }
    if let Some(transition) = handing.rolled_back {
        run(
            db,
            "UPDATE transitions SET outcome = 'rolled_back' WHERE id = ? AND conversation_id = ?",
            params![id(transition), id(behind.conversation)],
        )?;
    }
    Ok(())
}
