//! What only the commit of a person's message writes: the conversation, if the message begins it, the turn's task, and
//! the request's idempotency key.

use baton_core::turns::{Committed, NewConversation, Refused};
use rusqlite::{Connection, params};

use super::guard::pass;
use super::handoff::Guarded;
use super::{Outcome, id, one, run, time, uuid};
use crate::turns::rows::{AcceptRow, CommitRows};

/// The conversation's row, as it begins or behind its guard.
pub fn begin(
    db: &Connection,
    guarded: Guarded<'_>,
    accept: &AcceptRow,
    rows: &CommitRows,
) -> Outcome<Committed> {
    match accept.begins {
        None => pass(db, rows),
        Some(new) => {
            begin_conversation(db, guarded, accept, new, rows)?;
            Ok(Committed { last_seq: rows.certain, stop_requested: false })
        }
    }
}

/// Whether the same person sent this key before.
pub fn repeated(db: &Connection, accept: &AcceptRow) -> Outcome<()> {
    let Some(key) = &accept.key else { return Ok(()) };
    run(
        db,
        "DELETE FROM request_keys WHERE person_id = ? AND request_key = ? AND created_at < ?",
        params![id(accept.person.id()), key.key, time(key.since)],
    )?;
    let found = one(
        db,
        "SELECT body_hash, conversation_id, task_id, first_seq FROM request_keys WHERE person_id = ? AND request_key = ?",
        params![id(accept.person.id()), key.key],
        |row| Ok((row.get::<_, Vec<u8>>(0)?, uuid(row, 1)?, uuid(row, 2)?, row.get::<_, i64>(3)?)),
    )?;
    match found {
        None => Ok(()),
        Some((hash, ..)) if hash != key.body_hash => Err(Refused::KeyReused),
        Some((_, conversation, task, first_seq)) => {
            Err(Refused::Repeated { conversation_id: conversation.into(), task_id: task.into(), first_seq })
        }
    }
}

fn begin_conversation(
    db: &Connection,
    guarded: Guarded<'_>,
    accept: &AcceptRow,
    new: NewConversation,
    rows: &CommitRows,
) -> Outcome<()> {
    run(
        db,
        "INSERT INTO agent_conversations (id, workspace_id, agent_id, team_id, user_id, visitor_id, title, search_text, \
         last_seq, bytes, created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, 1)",
        params![
            id(guarded.conversation),
            id(guarded.workspace),
            id(accept.agent_id),
            new.team_id.map(|team| id(team.0)),
            accept.person.profile_id().map(|person| id(person.0)),
            accept.person.visitor_id().map(|person| id(person.0)),
            accept.title,
            accept.search_text,
            rows.certain,
            rows.bytes,
            guarded.at,
            guarded.at,
            id(accept.task_id),
            id(accept.node),
        ],
    )?;
    run(
        db,
        "INSERT INTO activations (id, conversation_id, agent_id, status, trigger, context_data, began_at) \
         VALUES (?, ?, ?, 'active', 'user', '{}', ?)",
        params![id(new.activation_id.0), id(guarded.conversation), id(accept.agent_id), guarded.at],
    )
    .map(drop)
}

pub fn begin_turn(db: &Connection, guarded: Guarded<'_>, accept: &AcceptRow) -> Outcome<()> {
    run(
        db,
        "INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, master_task_id, status, input, context, \
         token_id, created_at) VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?)",
        params![
            id(accept.task_id),
            id(guarded.workspace),
            id(guarded.conversation),
            id(accept.agent_id),
            id(accept.task_id),
            accept.input,
            accept.context,
            accept.token_id.map(id),
            guarded.at,
        ],
    )?;
    let Some(key) = &accept.key else { return Ok(()) };
    run(
        db,
        "INSERT INTO request_keys (person_id, request_key, body_hash, conversation_id, task_id, first_seq, created_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?)",
        params![
            id(accept.person.id()),
            key.key,
            key.body_hash,
            id(guarded.conversation),
            id(accept.task_id),
            key.first_seq,
            guarded.at,
        ],
    )
    .map(drop)
}
