//! Activations: which agent held a conversation when. Every switch adds a row, and a row may hold much, so a turn
//! never reads all of them.

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

/// The first message that a person wrote in the conversation.
const OPENING: &str =
    "SELECT id FROM agent_messages WHERE conversation_id = $1 AND role = 'user' ORDER BY seq LIMIT 1";

/// The one that holds it, for people, with the epoch of the same moment.
pub async fn active(db: &impl ConnectionTrait, id: ConversationId) -> Result<Option<(Activation, i64)>> {
    let sql = format!(
        "SELECT activations.*, agent_conversations.epoch AS epoch, CASE WHEN began_seq = 0 THEN ({OPENING}) END AS opening \
         FROM activations JOIN agent_conversations ON agent_conversations.id = activations.conversation_id \
         WHERE activations.conversation_id = $1 AND activations.status = 'active'"
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.0.into()]);
    let Some(row) = db.query_one_raw(statement).await.db()? else { return Ok(None) };
    let (epoch, opening) = (row.try_get("", "epoch").db()?, row.try_get("", "opening").db()?);
    let active = activation(activations::Model::from_query_result(&row, "").db()?);
    Ok(Some((began_by(active, opening), epoch)))
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

/// The newest, oldest first, for people.
pub async fn history(db: &impl ConnectionTrait, id: ConversationId) -> Result<Vec<Activation>> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), OPENING, [id.0.into()]);
    let opening = db.query_one_raw(statement).await.db()?;
    let opening = opening.map(|row| row.try_get("", "id").db()).transpose()?;
    let rows = newest_rows(db, id, SHOWN).await?.into_iter();
    Ok(rows.map(|row| began_by(activation(row), opening)).collect())
}

/// Whoever held the conversation from its start was called in by its first message. That is said to people only: a message
/// that a turn finds on an activation is one that the agent is shown, and a router may have given the first one to another.
fn began_by(activation: Activation, opening: Option<Uuid>) -> Activation {
    let opening = opening.filter(|_| activation.began_seq == 0).map(MessageId);
    Activation { message_id: activation.message_id.or(opening), ..activation }
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
