//! A person's message begins a turn.

use baton_core::refusals::check_accept;
use baton_core::turns::{Accept, Committed, Place, Refused};
use chrono::Duration;
use rusqlite::{Connection, params};

use super::handover::{Behind, hand};
use super::write::{cancel_turn, insert_steps, resolve, write_messages};
use super::{Outcome, guarded_row, id, one, run, time, uuid};
use crate::turns::handing::Handing;
use crate::turns::{KEY_DAYS, rows};

pub fn accept(db: &Connection, accept: &Accept) -> Outcome<Committed> {
    repeated(db, accept)?;
    let base = accept.place.last_seq();
    let last_seq = base + accept.steps.len() as i64;
    let at = time(accept.at);
    let conversation = accept.place.id();
    match &accept.place {
        Place::New { activation_id, team_id, title, .. } => {
            run(
                db,
                "INSERT INTO agent_conversations (id, workspace_id, agent_id, team_id, user_id, visitor_id, title, search_text, \
                 last_seq, created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, 1)",
                params![
                    id(conversation.0),
                    id(accept.workspace_id.0),
                    id(accept.agent_id.0),
                    team_id.map(|team| id(team.0)),
                    accept.person.profile_id().map(|person| id(person.0)),
                    accept.person.visitor_id().map(|person| id(person.0)),
                    title,
                    baton_core::text::fold(title.as_deref().unwrap_or_default()),
                    last_seq,
                    at,
                    at,
                    id(accept.task_id.0),
                    id(accept.node.0),
                ],
            )?;
            run(
                db,
                "INSERT INTO activations (id, conversation_id, agent_id, status, trigger, context_data, began_at) \
                 VALUES (?, ?, ?, 'active', 'user', '{}', ?)",
                params![id(activation_id.0), id(conversation.0), id(accept.agent_id.0), at],
            )?;
        }
        Place::Existing { ends, title, .. } => {
            let changed = run(
                db,
                "UPDATE agent_conversations SET last_seq = ?, turn_task_id = ?, turn_owner = ?, turn_attempt = 1, \
                 turn_tries = 0, stop_requested_at = NULL, epoch = epoch + ?, updated_at = ?, \
                 search_text = CASE WHEN title IS NULL THEN ? ELSE search_text END, title = COALESCE(title, ?) \
                 WHERE id = ? AND deleted_at IS NULL AND last_seq = ? AND user_id IS ? AND visitor_id IS ? \
                 AND (turn_task_id IS NULL OR (turn_task_id = ? AND turn_owner IS NULL)) AND epoch = COALESCE(?, epoch)",
                params![
                    last_seq,
                    id(accept.task_id.0),
                    id(accept.node.0),
                    accept.handover.is_some(),
                    at,
                    baton_core::text::fold(title.as_deref().unwrap_or_default()),
                    title,
                    id(conversation.0),
                    base,
                    accept.person.profile_id().map(|person| id(person.0)),
                    accept.person.visitor_id().map(|person| id(person.0)),
                    ends.map(|turn| id(turn.task_id.0)),
                    accept.handover.as_ref().map(|handover| handover.epoch),
                ],
            )?;
            if changed == 0 {
                return Err(why_not(db, accept)?);
            }
            if let Some(turn) = ends {
                cancel_turn(db, conversation.0, turn.task_id.0, &at)?;
            }
            let behind = Behind { conversation: conversation.0, workspace: accept.workspace_id.0, at: &at };
            hand(db, behind, &Handing::of_accept(accept))?;
        }
    }
    insert_steps(db, conversation.0, &rows::step_rows(base, accept.steps.iter())?, &at)?;
    let (new, changed) = rows::message_rows(base, &accept.messages)?;
    write_messages(db, conversation.0, &new, &changed, &at)?;
    resolve(db, &rows::resolved_rows(&accept.resolved), &at)?;
    run(
        db,
        "INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, master_task_id, status, input, context, \
         token_id, created_at) VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?)",
        params![
            id(accept.task_id.0),
            id(accept.workspace_id.0),
            id(conversation.0),
            id(accept.agent_id.0),
            id(accept.task_id.0),
            accept.input.to_string(),
            serde_json::Value::Object(accept.context.clone()).to_string(),
            accept.token_id.map(|token| id(token.0)),
            at,
        ],
    )?;
    if let Some(key) = &accept.key {
        let before = accept.steps.iter().take_while(|step| step.task_id != Some(accept.task_id)).count();
        run(
            db,
            "INSERT INTO request_keys (person_id, request_key, body_hash, conversation_id, task_id, first_seq, created_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?)",
            params![
                id(accept.person.id()),
                key.key,
                key.body_hash,
                id(conversation.0),
                id(accept.task_id.0),
                base + 1 + before as i64,
                at,
            ],
        )?;
    }
    Ok(Committed { last_seq, stop_requested: false })
}

/// Whether the same person sent this key before.
fn repeated(db: &Connection, accept: &Accept) -> Outcome<()> {
    let Some(key) = &accept.key else { return Ok(()) };
    run(
        db,
        "DELETE FROM request_keys WHERE person_id = ? AND request_key = ? AND created_at < ?",
        params![id(accept.person.id()), key.key, time(accept.at - Duration::days(KEY_DAYS))],
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

fn why_not(db: &Connection, accept: &Accept) -> Outcome<Refused> {
    let theirs = one(
        db,
        "SELECT 1 FROM agent_conversations WHERE id = ? AND user_id IS ? AND visitor_id IS ?",
        params![
            id(accept.place.id().0),
            accept.person.profile_id().map(|person| id(person.0)),
            accept.person.visitor_id().map(|person| id(person.0)),
        ],
        |_| Ok(()),
    )?;
    let row = if theirs.is_some() { guarded_row(db, accept.place.id().0)? } else { None };
    Ok(check_accept(row, accept).err().unwrap_or(Refused::Moved))
}
