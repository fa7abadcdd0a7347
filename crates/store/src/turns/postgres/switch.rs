//! A person chooses another agent, whatever a turn is doing.

use baton_core::refusals::check_switch;
use baton_core::turns::{Choice, Committed, Refused, Switch};
use sea_orm::Value;

use super::{CHANGED_MESSAGES, NEW_MESSAGES, Outcome, RESOLVED, STEPS, guarded_row, handover, json, one};
use crate::connection::Db;
use crate::db::OrStoreError;
use crate::turns::handing::Handing;
use crate::turns::rows;

pub async fn switch(db: &Db, switch: Switch) -> Outcome<Committed> {
    let (new, changed) = rows::message_rows(switch.last_seq, &switch.messages)?;
    let mut values: Vec<Value> = vec![
        switch.at.into(),
        json(&rows::step_rows(switch.last_seq, switch.steps.iter())?)?,
        json(&new)?,
        json(&changed)?,
        json(&rows::resolved_rows(&switch.resolved))?,
        switch.conversation_id.0.into(),
        switch.workspace_id.0.into(),
        switch.last_seq.into(),
        (switch.steps.len() as i64).into(),
        switch.ends.map(|turn| turn.task_id.0).into(),
        switch.epoch.into(),
    ];
    let handover::Clauses { set, and, writes } =
        handover::clauses(&mut values, &Handing::of_switch(&switch), "$7")?;
    let sql = format!(
        "WITH guard AS (UPDATE agent_conversations SET last_seq = last_seq + $9, updated_at = $1, \
         turn_task_id = CASE WHEN $10 IS NULL THEN turn_task_id END{set} \
         WHERE id = $6 AND deleted_at IS NULL AND last_seq = $8 AND epoch = $11 \
         AND ($10 IS NULL OR (turn_task_id = $10 AND turn_owner IS NULL)){and} \
         RETURNING id, last_seq, turn_task_id IS NOT NULL AND stop_requested_at IS NOT NULL AS stop_requested), \
         steps AS ({STEPS}), new_messages AS ({NEW_MESSAGES}), changed_messages AS ({CHANGED_MESSAGES}), \
         resolved AS ({RESOLVED}), \
         cancelled AS (UPDATE tasks SET status = 'cancelled', ended_at = $1 FROM guard \
         WHERE tasks.conversation_id = guard.id AND tasks.master_task_id = $10 AND tasks.ended_at IS NULL){writes} \
         SELECT last_seq, stop_requested FROM guard"
    );
    match one(db, &sql, values).await.db()? {
        Some(row) => Ok(Committed {
            last_seq: row.try_get("", "last_seq").db()?,
            stop_requested: row.try_get("", "stop_requested").db()?,
        }),
        None => Err(why_not(db, &switch).await?),
    }
}

async fn why_not(db: &Db, switch: &Switch) -> Outcome<Refused> {
    let id = switch.conversation_id.0;
    match (check_switch(guarded_row(db, id).await?, switch), &switch.choice) {
        (Err(refused), _) => Ok(refused),
        (Ok(()), Choice::Agent(handover)) => handover::why_not(db, id, handover).await,
        // Where neither epoch nor log has moved, it is the holder that isn't as it was.
        (Ok(()), Choice::Pin { .. }) => Ok(Refused::StaleEpoch),
    }
}
