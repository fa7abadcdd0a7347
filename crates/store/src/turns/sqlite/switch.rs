//! A person chooses another agent, whatever a turn is doing.

use baton_core::refusals::check_switch;
use baton_core::turns::{Committed, Refused, Switch};
use rusqlite::{Connection, params};

use super::handover::{Behind, hand};
use super::write::{cancel_turn, insert_steps, resolve, write_messages};
use super::{Outcome, guarded_row, id, one, time};
use crate::turns::handing::Handing;
use crate::turns::rows;

pub fn switch(db: &Connection, switch: &Switch) -> Outcome<Committed> {
    let at = time(switch.at);
    let conversation = switch.conversation_id.0;
    let handing = Handing::of_switch(switch);
    let committed = one(
        db,
        "UPDATE agent_conversations SET last_seq = last_seq + ?1, epoch = epoch + ?7, updated_at = ?2, \
         turn_task_id = CASE WHEN ?3 IS NULL THEN turn_task_id END \
         WHERE id = ?4 AND deleted_at IS NULL AND last_seq = ?5 AND epoch = ?6 \
         AND (?3 IS NULL OR (turn_task_id = ?3 AND turn_owner IS NULL)) \
         RETURNING last_seq, turn_task_id IS NOT NULL AND stop_requested_at IS NOT NULL",
        params![
            switch.steps.len() as i64,
            at,
            switch.ends.map(|turn| id(turn.task_id.0)),
            id(conversation),
            switch.last_seq,
            switch.epoch,
            handing.over.is_some(),
        ],
        |row| Ok(Committed { last_seq: row.get(0)?, stop_requested: row.get(1)? }),
    )?;
    let Some(committed) = committed else {
        return Err(check_switch(guarded_row(db, conversation)?, switch).err().unwrap_or(Refused::Moved));
    };
    hand(db, Behind { conversation, workspace: switch.workspace_id.0, at: &at }, &handing)?;
    insert_steps(db, conversation, &rows::step_rows(switch.last_seq, switch.steps.iter())?, &at)?;
    let (new, changed) = rows::message_rows(switch.last_seq, &switch.messages)?;
    write_messages(db, conversation, &new, &changed, &at)?;
    resolve(db, &rows::resolved_rows(&switch.resolved), &at)?;
    if let Some(turn) = switch.ends {
        cancel_turn(db, conversation, turn.task_id.0, &at)?;
    }
    Ok(committed)
}
