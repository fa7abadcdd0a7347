//! The subtask of a commit: the conversation that it begins, with its turn.

use baton_core::access::Use;
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::handoff::{Guarded, check};
use super::write::{insert_steps, write_messages};
use super::{Outcome, id, run};
use crate::turns::subtask_rows::SubtaskRow;

pub fn begin(db: &Connection, guarded: Guarded<'_>, new: &SubtaskRow) -> Outcome<()> {
    check(db, guarded.conversation, new.agent_id, Use::ModelSwitch)?;
    run(
        db,
        "INSERT INTO agent_conversations (id, workspace_id, agent_id, user_id, visitor_id, title, search_text, last_seq, \
         created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt, parent_id, subtask_depth, subtask_mode) \
         SELECT ?1, workspace_id, ?2, user_id, visitor_id, ?3, ?4, ?5, ?6, ?6, 1, ?7, ?8, 1, id, ?9, ?10 \
         FROM agent_conversations WHERE id = ?11",
        params![
            id(new.id),
            id(new.agent_id),
            new.title,
            new.search_text,
            new.last_seq,
            guarded.at,
            id(new.task_id),
            id(new.node),
            new.depth,
            new.mode,
            id(guarded.conversation),
        ],
    )?;
    run(
        db,
        "INSERT INTO activations (id, conversation_id, agent_id, status, trigger, context_data, began_at) \
         VALUES (?, ?, ?, 'active', 'model', '{}', ?)",
        params![id(new.activation_id), id(new.id), id(new.agent_id), guarded.at],
    )?;
    run(
        db,
        "INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, parent_id, master_task_id, status, input, context, \
         token_id, created_at) SELECT ?1, workspace_id, ?2, ?3, id, master_task_id, 'running', ?4, '{}', token_id, ?5 \
         FROM tasks WHERE id = ?6",
        params![id(new.task_id), id(new.id), id(new.agent_id), new.input, guarded.at, id(new.parent_task_id),],
    )?;
    insert_steps(db, new.id, &new.steps, guarded.at)?;
    write_messages(db, new.id, &new.messages, &[], guarded.at)
}

/// Asks the turns of subtasks to stop.
pub fn stop(db: &Connection, guarded: Guarded<'_>, subtasks: &[Uuid]) -> Outcome<()> {
    for subtask in subtasks {
        run(
            db,
            "UPDATE agent_conversations SET stop_requested_at = COALESCE(stop_requested_at, ?) \
             WHERE id = ? AND parent_id = ? AND turn_task_id IS NOT NULL",
            params![guarded.at, id(*subtask), id(guarded.conversation)],
        )?;
    }
    Ok(())
}
