//! Every commit: written behind its guard, or not at all.

use baton_core::turns::{After, Committed, Refused};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::guard::pass;
use super::handoff::{self, Guarded};
use super::write::{ask, cancel_turn, count_usage, end_task, insert_steps, resolve, write_messages};
use super::{Outcome, accept, id, run, subtask, time};
use crate::turns::rows::{CommitRows, GuardRows, task_status};

/// `generation` is the number of changes as it is while this is written.
pub fn commit(db: &Connection, rows: &CommitRows, generation: u64) -> Outcome<Committed> {
    let at = time(rows.at);
    let guarded = Guarded { conversation: rows.conversation_id, workspace: rows.workspace_id, at: &at };
    // A request that came before finds its own turn, whatever has changed since.
    if let GuardRows::Accept(accept) = &rows.guard {
        accept::repeated(db, accept)?;
    }
    if rows.known.is_some_and(|known| known != generation) {
        return Err(Refused::Stale);
    }
    let committed = match &rows.guard {
        GuardRows::Accept(accept) => accept::begin(db, guarded, accept, rows)?,
        GuardRows::Turn { .. } | GuardRows::Switch => pass(db, rows)?,
    };
    if let Some(turn) = rows.ends {
        cancel_turn(db, guarded, turn)?;
    }
    handoff::write(db, guarded, &rows.handoff)?;
    if let Some(new) = &rows.subtask {
        subtask::begin(db, guarded, new)?;
    }
    subtask::stop(db, guarded, &rows.stops)?;
    // If someone asked to stop, the next call is not opened and nothing of it is begun.
    let steps = rows.steps.iter().filter(|step| step.seq <= committed.last_seq);
    let begun = rows.new_messages.iter().filter(|message| message.seq <= committed.last_seq);
    insert_steps(db, guarded.conversation, steps, &at)?;
    write_messages(db, guarded.conversation, begun, &rows.changed_messages, &at)?;
    if let GuardRows::Turn { task_id, .. } = rows.guard {
        ask(db, guarded, task_id, &rows.approvals)?;
    }
    resolve(db, &rows.resolved, &at)?;
    count_usage(db, guarded, rows.usage.iter().filter(|used| used.call_seq <= committed.last_seq))?;
    match &rows.guard {
        GuardRows::Accept(accept) => accept::begin_turn(db, guarded, accept)?,
        GuardRows::Turn { task_id, working, after } => {
            settle(db, guarded, [*working, *task_id], *after)?;
        }
        GuardRows::Switch => {}
    }
    Ok(committed)
}

/// Updates the status of the turn's tasks. A task that handed off was completed then; only the turn's root task is
/// updated again.
fn settle(db: &Connection, guarded: Guarded<'_>, tasks: [Uuid; 2], after: After) -> Outcome<()> {
    match after {
        After::Running { .. } => return Ok(()),
        After::Waiting => {
            let sql = "UPDATE tasks SET status = 'waiting' WHERE id IN (?, ?) AND ended_at IS NULL";
            run(db, sql, tasks.map(id))?;
        }
        After::Ended(_) => {
            for task in tasks {
                end_task(db, task, task_status(after).0, guarded.at)?;
            }
        }
    }
    // No call is open, so nobody needs what the last one had said.
    run(db, "DELETE FROM tapes WHERE conversation_id = ?", params![id(guarded.conversation)]).map(drop)
}
