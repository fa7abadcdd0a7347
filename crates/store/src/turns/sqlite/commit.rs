//! What a turn commits as it goes: behind its guard, or not at all.

use baton_core::refusals::{check_checkpoint, check_commit};
use baton_core::turns::{After, Checkpoint, Commit, Committed, Refused};
use rusqlite::{Connection, params};

use super::handover::{Behind, hand};
use super::write::{end_task, insert_steps, resolve, write_messages};
use super::{Outcome, asked, guarded_row, id, one, run, time};
use crate::turns::asked::SubtaskRow;
use crate::turns::handing::Handing;
use crate::turns::rows::{CommitRows, StepRow, to_json};

pub fn commit(db: &Connection, commit: &Commit) -> Outcome<Committed> {
    let rows = CommitRows::new(commit)?;
    let at = time(commit.at);
    let (running, progressed) = match commit.after {
        After::Running { progressed } => (true, progressed),
        After::Waiting | After::Ended(_) => (false, true),
    };
    let guard = &commit.guard;
    let epoch = commit.handover.as_ref().map(|handover| handover.epoch);
    let committed = one(
        db,
        "UPDATE agent_conversations SET \
         last_seq = last_seq + ? + (CASE WHEN ? AND stop_requested_at IS NULL THEN 1 ELSE 0 END), \
         turn_task_id = CASE WHEN ? THEN NULL ELSE turn_task_id END, \
         turn_owner = CASE WHEN ? THEN turn_owner ELSE NULL END, \
         turn_tries = CASE WHEN ? THEN 0 ELSE turn_tries END, updated_at = ?, epoch = epoch + ? \
         WHERE id = ? AND turn_task_id = ? AND turn_attempt = ? AND last_seq = ? AND deleted_at IS NULL \
         AND (? IS NULL OR (epoch = ? AND stop_requested_at IS NULL)) AND (? OR stop_requested_at IS NULL) \
         RETURNING last_seq, stop_requested_at IS NOT NULL",
        params![
            commit.steps.len() as i64,
            commit.next_call.is_some(),
            rows.is_over,
            running,
            progressed,
            at,
            epoch.is_some(),
            id(guard.conversation_id.0),
            id(guard.task_id.0),
            guard.attempt,
            guard.last_seq,
            epoch,
            epoch,
            commit.subtask.is_none(),
        ],
        |row| Ok(Committed { last_seq: row.get(0)?, stop_requested: row.get(1)? }),
    )?;
    let Some(committed) = committed else {
        let row = guarded_row(db, guard.conversation_id.0)?;
        let asks = commit.subtask.as_ref().map(|subtask| subtask.agent_id);
        let refused = check_commit(row, guard, commit.handover.as_ref(), asks).err();
        return Err(refused.unwrap_or(Refused::Moved));
    };
    let conversation = rows.conversation_id.0;
    let behind = Behind { conversation, workspace: commit.workspace_id.0, at: &at };
    hand(db, behind, &Handing::of_commit(commit))?;
    if let Some(new) = &commit.subtask {
        asked::begin(db, behind, &SubtaskRow::new(new)?)?;
    }
    asked::stop(db, behind, commit.stops.iter().map(|id| id.0))?;
    let stored: Vec<&StepRow> = rows.steps.iter().filter(|step| step.seq <= committed.last_seq).collect();
    insert_steps(db, conversation, stored, &at)?;
    // What the next call would have begun isn't, if someone asked to stop.
    let begun = rows.new_messages.iter().filter(|message| message.seq <= committed.last_seq);
    write_messages(db, conversation, begun, &rows.changed_messages, &at)?;
    write_rest(db, commit, &rows, &at)?;
    Ok(committed)
}

fn write_rest(db: &Connection, commit: &Commit, rows: &CommitRows, at: &str) -> Outcome<()> {
    write_memories(db, commit, rows, at)?;
    ask(db, commit, rows, at)?;
    resolve(db, &rows.resolved, at)?;
    count_usage(db, commit, rows, at)?;
    // A task that others went on from was completed then; the turn's first is looked at again all the same.
    let tasks = [commit.task_id.0, commit.guard.task_id.0];
    match commit.after {
        After::Running { .. } => return Ok(()),
        After::Waiting => {
            let sql = "UPDATE tasks SET status = 'waiting' WHERE id IN (?, ?) AND ended_at IS NULL";
            run(db, sql, tasks.map(id))?;
        }
        After::Ended(_) => {
            end_task(db, tasks[0], rows.task_status, at)?;
            if tasks[1] != tasks[0] {
                end_task(db, tasks[1], rows.task_status, at)?;
            }
        }
    }
    // No call is open, so nobody needs what the last one had said.
    run(db, "DELETE FROM tapes WHERE conversation_id = ?", params![id(rows.conversation_id.0)]).map(drop)
}

fn write_memories(db: &Connection, commit: &Commit, rows: &CommitRows, at: &str) -> Outcome<()> {
    for gone in &rows.forgotten {
        run(
            db,
            "DELETE FROM agent_memories WHERE agent_id = ? AND path = ?",
            params![id(gone.agent_id), gone.path],
        )?;
    }
    for memory in &rows.memories {
        run(
            db,
            "INSERT INTO agent_memories (id, agent_id, workspace_id, path, content, search_text, created_at, updated_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (agent_id, path) DO UPDATE SET \
             content = excluded.content, search_text = excluded.search_text, updated_at = excluded.updated_at",
            params![
                id(memory.id),
                id(memory.agent_id),
                id(commit.workspace_id.0),
                memory.path,
                memory.content,
                memory.search_text,
                at,
                at
            ],
        )?;
    }
    Ok(())
}

fn ask(db: &Connection, commit: &Commit, rows: &CommitRows, at: &str) -> Outcome<()> {
    for asked in &rows.approvals {
        run(
            db,
            "INSERT INTO approvals (id, workspace_id, conversation_id, task_id, agent_id, message_id, call_id, \
             tool_name, args, args_hash, status, remember, expires_at, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', false, ?, ?)",
            params![
                id(asked.id),
                id(commit.workspace_id.0),
                id(rows.conversation_id.0),
                id(commit.guard.task_id.0),
                id(asked.agent_id),
                id(asked.message_id),
                asked.call_id,
                asked.tool_name,
                asked.args.to_string(),
                asked.args_hash,
                time(asked.expires_at),
                at,
            ],
        )?;
    }
    Ok(())
}

fn count_usage(db: &Connection, commit: &Commit, rows: &CommitRows, at: &str) -> Outcome<()> {
    for used in &rows.usage {
        run(
            db,
            "INSERT INTO model_usage (id, workspace_id, conversation_id, task_id, agent_id, profile_id, model, \
             input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_micros, \
             is_estimate, is_public, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                id(used.id),
                id(commit.workspace_id.0),
                id(rows.conversation_id.0),
                id(used.task_id),
                id(used.agent_id),
                commit.profile_id.map(|profile| id(profile.0)),
                used.model,
                used.input_tokens,
                used.cache_read_tokens,
                used.cache_write_tokens,
                used.output_tokens,
                used.reasoning_tokens,
                used.cost_micros,
                used.is_estimate,
                used.is_public,
                at,
            ],
        )?;
    }
    Ok(())
}

/// Written only while the log ends with the call that speaks: a tape never gets the number of another step. Where the
/// log has moved on, the turn is still its owner's, and what was said is stored when the call closes.
pub fn checkpoint(db: &Connection, checkpoint: &Checkpoint) -> Outcome<()> {
    let guard = &checkpoint.guard;
    let tape = to_json(&checkpoint.tape)?.to_string();
    let changed = run(
        db,
        "INSERT INTO tapes (conversation_id, call_seq, tape) \
         SELECT id, last_seq, ? FROM agent_conversations \
         WHERE id = ? AND turn_task_id = ? AND turn_attempt = ? AND last_seq = ? AND deleted_at IS NULL \
         ON CONFLICT (conversation_id) DO UPDATE SET call_seq = excluded.call_seq, tape = excluded.tape",
        params![tape, id(guard.conversation_id.0), id(guard.task_id.0), guard.attempt, guard.last_seq],
    )?;
    if changed > 0 {
        return Ok(());
    }
    check_checkpoint(guarded_row(db, guard.conversation_id.0)?, guard)
}
