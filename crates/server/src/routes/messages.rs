//! Messages that a client imports. They are kept and shown as imported, and are only ever text.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::conversations::{ImportedMessage, MAX_IMPORT, Message, MessageRole};
use baton_core::log::MessageStatus;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::conversations::{COPIES_AN_HOUR, changed, own};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, message_role_schema, message_status_schema};

#[derive(Serialize, ToSchema)]
#[schema(as = AgentMessage)]
pub struct MessageView {
    id: Uuid,
    conversation_id: Uuid,
    /// Who speaks or, on a person's message, who is spoken to.
    agent_id: Uuid,
    #[schema(schema_with = message_role_schema)]
    role: MessageRole,
    content: String,
    #[schema(value_type = Option<Vec<Object>>, required)]
    parts: Option<Value>,
    #[schema(value_type = Object)]
    metadata: Value,
    #[schema(schema_with = message_status_schema)]
    status: MessageStatus,
    /// Grows when a message starts again after an interruption.
    attempt: i32,
    created_at: DateTime<Utc>,
}

impl From<Message> for MessageView {
    fn from(message: Message) -> Self {
        Self {
            id: message.id.0,
            conversation_id: message.conversation_id.0,
            agent_id: message.agent_id.0,
            role: message.role,
            content: message.content,
            parts: message.parts,
            metadata: message.metadata,
            status: message.status,
            attempt: message.attempt,
            created_at: message.created_at,
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct ImportedMessageBody {
    #[schema(schema_with = message_role_schema)]
    role: MessageRole,
    #[schema(min_length = 1, max_length = 200_000)]
    content: String,
    parts: Option<Vec<PartBody>>,
}

/// A part of a message, as clients know them: `text`, `reasoning`, `tool-invocation`, `tool-result`, …
#[derive(Deserialize, Serialize, ToSchema)]
pub struct PartBody {
    #[serde(rename = "type")]
    kind: String,
    #[serde(flatten)]
    #[schema(value_type = Object)]
    more: serde_json::Map<String, Value>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportBody {
    #[schema(min_items = 1, max_items = 100)]
    messages: Vec<ImportedMessageBody>,
}

#[derive(Serialize, ToSchema)]
pub struct MessageList {
    messages: Vec<MessageView>,
}

/// Add messages to a conversation, as imported
#[utoipa::path(post, path = "/api/agent-conversations/{id}/messages", tag = "conversations", params(("id" = Uuid, Path)), request_body = ImportBody, responses((status = 201, body = MessageList), Errors))]
pub async fn import(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ImportBody>,
) -> Result<(StatusCode, Json<MessageList>), ApiError> {
    let conversation = own(&app, &caller, id).await?;
    app.copies.take_many(&caller.profile.id.to_string(), 1, COPIES_AN_HOUR).map_err(ApiError::too_many)?;
    app.space.check(conversation.workspace_id).await?;
    if !(1..=MAX_IMPORT).contains(&body.messages.len()) {
        return Err(ApiError::invalid("messages", &format!("must be 1 to {MAX_IMPORT}")));
    }
    let mut messages = Vec::with_capacity(body.messages.len());
    for (index, new) in body.messages.into_iter().enumerate() {
        let parts = new.parts.map(serde_json::to_value).transpose().map_err(ApiError::internal)?;
        messages.push(ImportedMessage { role: new.role, content: new.content, parts }.checked(index)?);
    }
    let bytes = messages.iter().map(|message| message.content.len()).sum();
    app.space.take(conversation.workspace_id, bytes).await?;
    let messages = app.store.import_messages(conversation.id, conversation.person, messages).await?;
    changed(&app, conversation.id, &conversation);
    Ok((StatusCode::CREATED, Json(MessageList { messages: messages.into_iter().map(Into::into).collect() })))
}
