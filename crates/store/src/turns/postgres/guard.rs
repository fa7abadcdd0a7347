//! The guard that every commit's statement begins with: it locks, fences, numbers and reports. The rest of the
//! statement writes only if the guard found its row.

use baton_core::ids::{NodeId, TaskId};
use baton_core::refusals::{GuardedRow, check_checkpoint};
use baton_core::turns::{Checkpoint, Whose};
use baton_core::visitors::Person;
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use uuid::Uuid;

use super::handoff::{Clauses, place};
use super::{Outcome, json, one};
use crate::connection::Db;
use crate::db::OrStoreError;
use crate::turns::rows::{CommitRows, GuardRows, turn_after};

/// Passes if the conversation's row is as the commit's terms say. `handoff` is what a handoff adds.
pub fn guard(values: &mut Vec<Value>, rows: &CommitRows, handoff: &Clauses) -> String {
    let terms = &rows.terms;
    let (mut set, mut and) = (String::new(), String::new());
    if rows.may_call() {
        set += " + (CASE WHEN stop_requested_at IS NULL THEN 1 ELSE 0 END)";
    }
    set += &format!(
        ", updated_at = $1, bytes = agent_conversations.bytes + {}",
        place(values, rows.bytes.into())
    );
    match &rows.guard {
        GuardRows::Accept(accept) => {
            let (task, node) = (place(values, accept.task_id.into()), place(values, accept.node.into()));
            let title = place(values, accept.title.clone().into());
            let search_text = place(values, accept.search_text.clone().into());
            set += &format!(
                ", turn_task_id = {task}, turn_owner = {node}, turn_attempt = 1, turn_tries = 0, \
                 stop_requested_at = NULL, title = COALESCE(title, {title}), \
                 search_text = CASE WHEN title IS NULL THEN {search_text} ELSE search_text END"
            );
        }
        GuardRows::Turn { after, .. } => set += turn_after(*after),
        GuardRows::Switch if rows.ends.is_some() => set += ", turn_task_id = NULL",
        GuardRows::Switch => {}
    }
    if let Some(epoch) = terms.epoch {
        and += &format!(" AND epoch = {}", place(values, epoch.into()));
    }
    if terms.begins {
        and += " AND stop_requested_at IS NULL";
    }
    let waits = |values: &mut Vec<Value>, turn: Option<Uuid>| {
        format!("(turn_task_id = {} AND turn_owner IS NULL)", place(values, turn.into()))
    };
    match terms.whose {
        Whose::Turn(fence) => {
            let (task, attempt) =
                (place(values, fence.task_id.0.into()), place(values, fence.attempt.into()));
            and += &format!(" AND turn_task_id = {task} AND turn_attempt = {attempt}");
        }
        Whose::Accept { person, .. } => {
            let profile = place(values, person.profile_id().map(|id| id.0).into());
            let visitor = place(values, person.visitor_id().map(|id| id.0).into());
            let waits = waits(values, rows.ends);
            and += &format!(
                " AND user_id IS NOT DISTINCT FROM {profile} AND visitor_id IS NOT DISTINCT FROM {visitor} \
                 AND (turn_task_id IS NULL OR {waits})"
            );
        }
        Whose::Switch { ends: None } => {}
        Whose::Switch { .. } => and += &format!(" AND {}", waits(values, rows.ends)),
    }
    let (more, also) = (&handoff.set, &handoff.and);
    format!(
        "UPDATE agent_conversations SET last_seq = last_seq + $9{set}{more} \
         WHERE id = $6 AND deleted_at IS NULL AND last_seq = $8{and}{also} \
         RETURNING id, workspace_id, user_id, visitor_id, last_seq, \
         turn_task_id IS NOT NULL AND stop_requested_at IS NOT NULL AS stop_requested"
    )
}

/// Written only while the log ends with the call that speaks: a tape never gets the number of another step. Where the
/// log has moved on, the turn is still its owner's, and what was said is stored when the call closes.
pub async fn checkpoint(db: &Db, checkpoint: Checkpoint) -> Outcome<()> {
    let Checkpoint { conversation_id, fence, last_seq, tape } = checkpoint;
    let sql = "INSERT INTO tapes (conversation_id, call_seq, tape) SELECT id, last_seq, $1 FROM agent_conversations \
               WHERE id = $2 AND turn_task_id = $3 AND turn_attempt = $4 AND last_seq = $5 AND deleted_at IS NULL \
               ON CONFLICT (conversation_id) DO UPDATE SET call_seq = excluded.call_seq, tape = excluded.tape";
    let values = [
        json(&tape)?,
        conversation_id.0.into(),
        fence.task_id.0.into(),
        fence.attempt.into(),
        last_seq.into(),
    ];
    let done = db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.db()?;
    if done.rows_affected() > 0 {
        return Ok(());
    }
    check_checkpoint(guarded_row(db, conversation_id.0).await?, fence)
}

/// The conversation's row as it is; none if it was deleted.
pub async fn guarded_row(db: &Db, conversation: Uuid) -> Outcome<Option<GuardedRow>> {
    let sql = "SELECT turn_task_id, turn_owner, turn_attempt, last_seq, epoch, user_id, visitor_id, \
               stop_requested_at IS NOT NULL AS stop_requested \
               FROM agent_conversations WHERE id = $1 AND deleted_at IS NULL";
    let Some(row) = one(db, sql, vec![conversation.into()]).await.db()? else { return Ok(None) };
    Ok(Some(GuardedRow {
        person: match row.try_get::<Option<Uuid>>("", "user_id").db()? {
            Some(profile) => Person::Profile(profile.into()),
            None => Person::Visitor(row.try_get::<Uuid>("", "visitor_id").db()?.into()),
        },
        turn_task_id: row.try_get::<Option<Uuid>>("", "turn_task_id").db()?.map(TaskId),
        turn_owner: row.try_get::<Option<Uuid>>("", "turn_owner").db()?.map(NodeId),
        attempt: row.try_get("", "turn_attempt").db()?,
        last_seq: row.try_get("", "last_seq").db()?,
        epoch: row.try_get("", "epoch").db()?,
        stop_requested: row.try_get("", "stop_requested").db()?,
    }))
}
