//! A person's message begins a turn.

use baton_core::refusals::check_accept;
use baton_core::turns::{Accept, Committed, Place, Refused};
use chrono::Duration;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, SqlErr, Statement, Value};
use serde_json::Value as Json;
use uuid::Uuid;

use super::{CHANGED_MESSAGES, NEW_MESSAGES, Outcome, RESOLVED, STEPS, guarded_row, handover, json, one};
use crate::connection::Db;
use crate::db::{OrStoreError, database_error};
use crate::turns::handing::Handing;
use crate::turns::{KEY_DAYS, rows};

pub async fn accept(db: &Db, accept: Accept) -> Outcome<Committed> {
    let base = accept.place.last_seq();
    let last_seq = base + accept.steps.len() as i64;
    let (new, changed) = rows::message_rows(base, &accept.messages)?;
    let mut values: Vec<Value> = vec![
        accept.at.into(),
        json(&rows::step_rows(base, accept.steps.iter())?)?,
        json(&new)?,
        json(&changed)?,
        json(&rows::resolved_rows(&accept.resolved))?,
        accept.place.id().0.into(),
        accept.task_id.0.into(),
        accept.node.0.into(),
        accept.workspace_id.0.into(),
        accept.agent_id.0.into(),
        accept.person.profile_id().map(|id| id.0).into(),
        accept.person.visitor_id().map(|id| id.0).into(),
        accept.token_id.map(|id| id.0).into(),
        accept.input.clone().into(),
        last_seq.into(),
    ];
    values.push(Json::Object(accept.context.clone()).into());
    let (title, search_text) = title(&accept.place);
    values.push(title.into());
    values.push(search_text.into());
    let (guard, more) = match &accept.place {
        Place::New { activation_id, team_id, .. } => {
            values.push(activation_id.0.into());
            values.push(team_id.map(|id| id.0).into());
            (
                "INSERT INTO agent_conversations (id, workspace_id, agent_id, team_id, user_id, visitor_id, title, \
                 search_text, last_seq, created_at, updated_at, epoch, turn_task_id, turn_owner, turn_attempt) \
                 VALUES ($6, $9, $10, $20, $11, $12, $17, $18, $15, $1, $1, 1, $7, $8, 1) RETURNING id, last_seq"
                    .to_owned(),
                ", activation AS (INSERT INTO activations (id, conversation_id, agent_id, status, trigger, \
                 context_data, began_at) SELECT $19, id, $10, 'active', 'user', '{}', $1 FROM guard)"
                    .to_owned(),
            )
        }
        Place::Existing { ends, .. } => {
            values.push(ends.map(|turn| turn.task_id.0).into());
            values.push(base.into());
            let hand = handover::clauses(&mut values, &Handing::of_accept(&accept), "$9")?;
            let (set, and) = (&hand.set, &hand.and);
            (
                format!(
                    "UPDATE agent_conversations SET last_seq = $15, turn_task_id = $7, turn_owner = $8, turn_attempt = 1, \
                     turn_tries = 0, stop_requested_at = NULL, updated_at = $1, \
                     search_text = CASE WHEN title IS NULL THEN $18 ELSE search_text END, title = COALESCE(title, $17){set} \
                     WHERE id = $6 AND deleted_at IS NULL AND last_seq = $20 AND user_id IS NOT DISTINCT FROM $11 \
                     AND visitor_id IS NOT DISTINCT FROM $12 \
                     AND (turn_task_id IS NULL OR (turn_task_id = $19 AND turn_owner IS NULL)){and} \
                     RETURNING id, last_seq"
                ),
                format!(
                    ", ended AS (UPDATE tasks SET status = 'cancelled', ended_at = $1 FROM guard \
                     WHERE tasks.conversation_id = guard.id AND tasks.master_task_id = $19 AND tasks.ended_at IS NULL){}",
                    hand.writes
                ),
            )
        }
    };
    let next = values.len() + 1;
    let key = match &accept.key {
        Some(key) => {
            let before = accept.steps.iter().take_while(|step| step.task_id != Some(accept.task_id)).count();
            values.push(accept.person.id().into());
            values.push(key.key.clone().into());
            values.push(key.body_hash.clone().into());
            values.push((base + 1 + before as i64).into());
            format!(
                ", request_key AS (INSERT INTO request_keys (person_id, request_key, body_hash, conversation_id, task_id, \
                 first_seq, created_at) SELECT ${next}, ${}, ${}, id, $7, ${}, $1 FROM guard)",
                next + 1,
                next + 2,
                next + 3
            )
        }
        None => String::new(),
    };
    let sql = format!(
        "WITH guard AS ({guard}), steps AS ({STEPS}), new_messages AS ({NEW_MESSAGES}), \
         changed_messages AS ({CHANGED_MESSAGES}), resolved AS ({RESOLVED}), \
         task AS (INSERT INTO tasks (id, workspace_id, conversation_id, agent_id, master_task_id, status, input, context, \
         token_id, created_at) SELECT $7, $9, id, $10, $7, 'running', $14, $16, $13, $1 FROM guard){more}{key} \
         SELECT last_seq FROM guard"
    );
    match one(db, &sql, values).await {
        Ok(Some(_)) => Ok(Committed { last_seq, stop_requested: false }),
        Ok(None) => Err(why_not(db, &accept).await?),
        // The key is there already, or the conversation that was stored with it.
        Err(error) if accept.key.is_some() && is_there(&error, "") => match repeated(db, &accept).await {
            Err(Refused::Moved) if !is_there(&error, "request_keys") => Err(database_error(error).into()),
            answer => answer,
        },
        Err(error) => Err(database_error(error).into()),
    }
}

/// A row of this table, or of any, is there already.
fn is_there(error: &DbErr, table: &str) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(message)) if message.contains(table))
}

/// The key is there already: the same request, another one, or one so old that it no longer counts.
async fn repeated(db: &Db, accept: &Accept) -> Outcome<Committed> {
    let Some(key) = &accept.key else { return Err(Refused::Moved) };
    let old = accept.at - Duration::days(KEY_DAYS);
    let person = accept.person.id();
    let sql = "DELETE FROM request_keys WHERE person_id = $1 AND request_key = $2 AND created_at < $3";
    let values = [person.into(), key.key.clone().into(), old.into()];
    db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.db()?;
    let sql = "SELECT body_hash, conversation_id, task_id, first_seq FROM request_keys \
               WHERE person_id = $1 AND request_key = $2";
    let values = vec![person.into(), key.key.clone().into()];
    let Some(row) = one(db, sql, values).await.db()? else { return Err(Refused::Moved) };
    if row.try_get::<Vec<u8>>("", "body_hash").db()? != key.body_hash {
        return Err(Refused::KeyReused);
    }
    Err(Refused::Repeated {
        conversation_id: row.try_get::<Uuid>("", "conversation_id").db()?.into(),
        task_id: row.try_get::<Uuid>("", "task_id").db()?.into(),
        first_seq: row.try_get("", "first_seq").db()?,
    })
}

async fn why_not(db: &Db, accept: &Accept) -> Outcome<Refused> {
    // A repeated request finds its own turn here, running or not.
    if accept.key.is_some()
        && let Err(refused @ (Refused::Repeated { .. } | Refused::KeyReused)) = repeated(db, accept).await
    {
        return Ok(refused);
    }
    let sql = "SELECT 1 AS theirs FROM agent_conversations WHERE id = $1 AND user_id IS NOT DISTINCT FROM $2 \
               AND visitor_id IS NOT DISTINCT FROM $3";
    let (profile, visitor) = (accept.person.profile_id(), accept.person.visitor_id());
    let id = accept.place.id().0;
    let values = vec![id.into(), profile.map(|id| id.0).into(), visitor.map(|id| id.0).into()];
    let theirs = one(db, sql, values).await.db()?.is_some();
    let row = if theirs { guarded_row(db, id).await? } else { None };
    match (check_accept(row, accept), &accept.handover) {
        (Err(refused), _) => Ok(refused),
        (Ok(()), Some(handover)) => handover::why_not(db, id, handover).await,
        (Ok(()), None) => Ok(Refused::Moved),
    }
}

fn title(place: &Place) -> (Option<String>, String) {
    let (Place::New { title, .. } | Place::Existing { title, .. }) = place;
    (title.clone(), baton_core::text::fold(title.as_deref().unwrap_or_default()))
}
