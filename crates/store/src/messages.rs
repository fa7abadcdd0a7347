//! Messages as they are read. A message's row is written when the message begins, when its turn waits for a person and
//! when it ends. Until then the message is folded from the log, and the results of its calls are always read from
//! there.

use std::cmp::Reverse;
use std::collections::HashMap;

use baton_core::conversations::{Message, MessageRole};
use baton_core::fold::Spoken;
use baton_core::ids::{AgentId, ConversationId, MessageId};
use baton_core::log::{LoggedStep, MessageStatus, Step};
use baton_core::store::Result;
use baton_core::{parts, tolerant};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Select};
use serde_json::{Value, json};

use crate::byte_pages::{self, Edge, weight};
use crate::db::{OrStoreError, stored};
use crate::entities::{agent_messages, task_messages};
use crate::turns::{logged, to_json};

/// Results asked for at a time.
const RESULTS: usize = 500;

/// Messages of one conversation, in the order of their rows: so many that their results have `most` bytes, and one at least.
/// The database counts, so one read does for most pages.
pub async fn read(
    db: &impl ConnectionTrait,
    rows: Vec<agent_messages::Read>,
    edge: Edge,
    most: u64,
) -> Result<Vec<Message>> {
    let mut messages = rows.into_iter().map(message).collect::<Result<Vec<_>>>()?;
    let Some(conversation) = messages.first().map(|message| message.conversation_id) else {
        return Ok(messages);
    };
    let mut results = HashMap::new();
    for message in messages.iter_mut().filter(|message| is_being_written(message)) {
        let steps = steps_of(db, message).await?;
        retell(message, &steps)?;
        results.extend(steps.into_iter().filter_map(result));
    }
    let mut left = most;
    for seqs in not_among(&results, &messages, edge).chunks(RESULTS) {
        let page = byte_pages::steps_among(db.get_database_backend(), conversation.0, seqs, edge, left);
        let rows = page.all(db).await.db()?;
        left = left.saturating_sub(rows.iter().map(|row| weight(&row.body)).sum());
        let is_all = rows.len() == seqs.len();
        results.extend(rows.into_iter().map(logged).filter_map(result));
        if !is_all {
            break;
        }
    }
    let is_whole = |message: &&Message| seqs_in(message).all(|seq| results.contains_key(&seq));
    let many = messages.iter().take_while(is_whole).count();
    messages.truncate(many.max(1));
    // One alone can have more.
    for seqs in not_among(&results, &messages, edge).chunks(RESULTS) {
        let rows = steps_at(conversation, seqs).all(db).await.db()?;
        results.extend(rows.into_iter().map(logged).filter_map(result));
    }
    for parts in messages.iter_mut().filter_map(|message| message.parts.as_mut()) {
        parts::put_results(parts, &results);
    }
    Ok(messages)
}

fn seqs_in(message: &Message) -> impl Iterator<Item = i64> {
    message.parts.iter().flat_map(parts::result_seqs)
}

/// The steps with results that these messages name and that are not there yet, as the edge goes.
fn not_among(found: &HashMap<i64, Value>, messages: &[Message], edge: Edge) -> Vec<i64> {
    let mut seqs: Vec<i64> =
        messages.iter().flat_map(seqs_in).filter(|seq| !found.contains_key(seq)).collect();
    match edge {
        Edge::Before(_) => seqs.sort_unstable_by_key(|seq| Reverse(*seq)),
        Edge::After(_) => seqs.sort_unstable(),
    }
    seqs
}

fn steps_at(conversation: ConversationId, seqs: &[i64]) -> Select<task_messages::Entity> {
    task_messages::Entity::find()
        .filter(task_messages::Column::ConversationId.eq(conversation.0))
        .filter(task_messages::Column::Seq.is_in(seqs.iter().copied()))
}

fn is_being_written(message: &Message) -> bool {
    message.role == MessageRole::Assistant && message.status == MessageStatus::Streaming
}

async fn steps_of(db: &impl ConnectionTrait, message: &Message) -> Result<Vec<LoggedStep>> {
    let rows = task_messages::Entity::find()
        .filter(task_messages::Column::ConversationId.eq(message.conversation_id.0))
        .filter(task_messages::Column::Seq.gte(message.seq))
        .filter(task_messages::Column::MessageId.eq(message.id.0))
        .order_by_asc(task_messages::Column::Seq);
    Ok(rows.all(db).await.db()?.into_iter().map(logged).collect())
}

/// Makes it what its steps say by now.
fn retell(message: &mut Message, steps: &[LoggedStep]) -> Result<()> {
    let mut spoken = Spoken::new(message.id, message.agent_id);
    steps.iter().for_each(|step| spoken.take(step));
    if let Some(task) = steps.iter().find_map(|step| step.task_id) {
        message.metadata["taskId"] = json!(task);
    }
    message.content = spoken.content();
    message.parts = Some(to_json(&spoken.parts)?);
    (message.status, message.attempt) = (spoken.status, spoken.attempt);
    Ok(())
}

fn result(logged: LoggedStep) -> Option<(i64, Value)> {
    match logged.step {
        Step::ToolResult(result) => Some((logged.seq, result.result)),
        _ => None,
    }
}

/// Parts that earlier versions stored are made what this one would have stored.
pub fn message(row: agent_messages::Read) -> Result<Message> {
    let imported = row.metadata["imported"] == true;
    let mut message = Message {
        id: MessageId(row.id),
        conversation_id: ConversationId(row.conversation_id),
        seq: row.seq,
        agent_id: AgentId(row.agent_id),
        role: stored("role", &row.role)?,
        content: row.content,
        parts: row.parts,
        metadata: row.metadata,
        status: tolerant::read(&row.status),
        attempt: row.attempt,
        created_at: row.created_at,
    };
    match &mut message.parts {
        Some(parts) if imported => *parts = parts::flattened(parts),
        Some(parts) => parts::name_arguments(parts),
        None => {}
    }
    Ok(message)
}
