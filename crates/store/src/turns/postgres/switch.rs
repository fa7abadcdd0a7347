//! A person chooses another agent, whatever a turn is doing.

use baton_core::turns::{Committed, Refused, Switch};
use sea_orm::Value;

use super::{CHANGED_MESSAGES, NEW_MESSAGES, Outcome, RESOLVED, STEPS, handover, json, one, standing};
use crate::connection::Db;
use crate::db::OrStoreError;
use crate::turns::handing::Handing;
use crate::turns::{refusals, rows};

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
    ];
    let handover::Clauses { set, and, writes } =
        handover::clauses(&mut values, &Handing::of_switch(&switch), "$7")?;
    let sql = format!(
        "WITH guard AS (UPDATE agent_conversations SET last_seq = last_seq + $9, updated_at = $1, \
         turn_task_id = CASE WHEN $10 IS NULL THEN turn_task_id END{set} \
         WHERE id = $6 AND deleted_at IS NULL AND last_seq = $8 \
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
    match refusals::of_switch(standing(db, id).await?, switch.last_seq, &switch.handover) {
        Some(refused) => Ok(refused),
        None => handover::why_not(db, id, &switch.handover).await,
    }
}
