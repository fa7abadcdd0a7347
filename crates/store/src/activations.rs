//! Who held a conversation when. Every switch adds a row, and each may keep much, so never all of them are read.

use std::collections::HashMap;

use baton_core::handoffs::Activation;
use baton_core::ids::{ActivationId, AgentId, ConversationId, MessageId};
use baton_core::store::Result;
use baton_core::tolerant;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Statement,
};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::db::OrStoreError;
use crate::entities::activations;

/// What a turn looks at.
const LOADED: u64 = 200;
/// What people are shown.
const SHOWN: u64 = 1_000;

/// The newest, oldest first, and whatever the active one goes on with, however long ago that was.
pub async fn newest(db: &impl ConnectionTrait, id: ConversationId) -> Result<Vec<Activation>> {
    let mut rows = newest_rows(db, id, LOADED).await?;
    if rows.len() as u64 == LOADED
        && let Some(earlier) = first_missing(&rows)
    {
        let mut resumed = resumed_rows(db, earlier).await?;
        resumed.retain(|row| row.conversation_id == id.0 && rows.iter().all(|other| other.id != row.id));
        rows.append(&mut resumed);
        rows.sort_by_key(|row| (row.began_seq, row.id));
    }
    Ok(rows.into_iter().map(activation).collect())
}

/// The one that holds it, with the epoch of the same moment.
pub async fn active(db: &impl ConnectionTrait, id: ConversationId) -> Result<Option<(Activation, i64)>> {
    let sql = "SELECT activations.*, agent_conversations.epoch AS epoch FROM activations \
        JOIN agent_conversations ON agent_conversations.id = activations.conversation_id \
        WHERE activations.conversation_id = $1 AND activations.status = 'active'";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.0.into()]);
    let Some(row) = db.query_one_raw(statement).await.db()? else { return Ok(None) };
    let epoch = row.try_get("", "epoch").db()?;
    Ok(Some((activation(activations::Model::from_query_result(&row, "").db()?), epoch)))
}

/// Who holds each of these conversations.
pub async fn holders(db: &impl ConnectionTrait, conversations: Vec<Uuid>) -> Result<HashMap<Uuid, AgentId>> {
    let active = activations::Entity::find()
        .select_only()
        .columns([activations::Column::ConversationId, activations::Column::AgentId])
        .filter(activations::Column::ConversationId.is_in(conversations))
        .filter(activations::Column::Status.eq("active"));
    let rows = active.into_tuple::<(Uuid, Uuid)>().all(db).await.db()?;
    Ok(rows.into_iter().map(|(conversation, agent)| (conversation, AgentId(agent))).collect())
}

/// The newest, oldest first.
pub async fn history(db: &impl ConnectionTrait, id: ConversationId) -> Result<Vec<Activation>> {
    Ok(newest_rows(db, id, SHOWN).await?.into_iter().map(activation).collect())
}

async fn newest_rows(
    db: &impl ConnectionTrait,
    id: ConversationId,
    limit: u64,
) -> Result<Vec<activations::Model>> {
    let mut rows = activations::Entity::find()
        .filter(activations::Column::ConversationId.eq(id.0))
        .order_by_desc(activations::Column::BeganSeq)
        .order_by_desc(activations::Column::Id)
        .limit(limit)
        .all(db)
        .await
        .db()?;
    rows.reverse();
    Ok(rows)
}

/// Where what the active one goes on with leaves these rows.
fn first_missing(rows: &[activations::Model]) -> Option<Uuid> {
    let mut next = rows.iter().rev().find(|row| row.status == "active")?.resumes;
    while let Some(row) = next.and_then(|id| rows.iter().find(|row| row.id == id)) {
        next = row.resumes;
    }
    next
}

/// This one and those it goes on with, as many as are loaded at all.
async fn resumed_rows(db: &impl ConnectionTrait, from: Uuid) -> Result<Vec<activations::Model>> {
    let sql = format!(
        "WITH RECURSIVE line AS (SELECT id, resumes, 1 AS place FROM activations WHERE id = $1 \
         UNION ALL SELECT earlier.id, earlier.resumes, line.place + 1 FROM activations AS earlier \
         JOIN line ON earlier.id = line.resumes WHERE line.place < {LOADED}) SELECT id FROM line"
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [from.into()]);
    let ids = db.query_all_raw(statement).await.db()?;
    let ids: Vec<Uuid> = ids.iter().map(|row| row.try_get("", "id").db()).collect::<Result<_>>()?;
    activations::Entity::find().filter(activations::Column::Id.is_in(ids)).all(db).await.db()
}

fn activation(row: activations::Model) -> Activation {
    Activation {
        id: ActivationId(row.id),
        agent_id: AgentId(row.agent_id),
        status: tolerant::read(&row.status),
        trigger: tolerant::read(&row.trigger),
        reason: row.reason,
        summary: row.activation_summary,
        message_id: row.message_id.map(MessageId),
        context: row.context.map(map).unwrap_or_default(),
        context_data: map(row.context_data),
        resumes: row.resumes.map(ActivationId),
        is_pinned: row.is_pinned,
        began_seq: row.began_seq,
        began_at: row.began_at,
        ended_at: row.ended_at,
    }
}

pub fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
