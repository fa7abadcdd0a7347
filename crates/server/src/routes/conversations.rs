//! Conversations, each for its own person only.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use baton_core::access::{Gate, Use, may_use};
use baton_core::conversations::{Conversation, ConversationQuery, MAX_TITLE, NewConversation};
use baton_core::ids::{AgentId, ConversationId, MessageId, WorkspaceId};
use baton_core::text;
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::messages::MessageView;
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, search, window};

const NEWEST_MESSAGES: u64 = 100;

#[derive(Serialize, ToSchema)]
pub struct ConversationView {
    id: Uuid,
    agent_id: Uuid,
    workspace_id: Uuid,
    /// Whose it is; null for a visitor's.
    #[schema(required)]
    user_id: Option<Uuid>,
    #[schema(required)]
    title: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Conversation> for ConversationView {
    fn from(conversation: Conversation) -> Self {
        Self {
            id: conversation.id.0,
            agent_id: conversation.agent_id.0,
            workspace_id: conversation.workspace_id.0,
            user_id: conversation.person.profile_id().map(|id| id.0),
            title: conversation.title,
            created_at: conversation.created_at,
            updated_at: conversation.updated_at,
        }
    }
}

/// The caller's conversation: in a workspace they are still in.
pub async fn own(app: &App, caller: &Caller, id: Uuid) -> Result<Conversation, ApiError> {
    let person = Person::Profile(caller.profile.id);
    let conversation = app.store.conversation(ConversationId(id), person).await?;
    app.role_inside(caller, conversation.workspace_id, "conversation").await?;
    Ok(conversation)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    #[serde(rename = "agentId")]
    agent_id: Uuid,
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// Part of a title or of what was said, in any case.
    #[param(max_length = 200)]
    search: Option<String>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    /// Where the previous page ended; its `Link` header has it.
    before: Option<String>,
}

/// One's conversations with an agent, the latest first
#[utoipa::path(get, path = "/api/agent-conversations", tag = "conversations", params(ListQuery),
    responses((status = 200, body = Vec<ConversationView>, headers(("link" = String, description = "The next page, as rel=\"next\"; absent on the last"))), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ListQuery>,
) -> Result<(HeaderMap, Json<Vec<ConversationView>>), ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace_id).await?;
    let agent = app.store.agent(AgentId(query.agent_id)).await?;
    if agent.workspace_id != workspace_id {
        return Err(ApiError::not_found("agent"));
    }
    let limit = window(query.limit, None)?.limit;
    let mut rows = app
        .store
        .conversations(ConversationQuery {
            workspace_id,
            agent_id: agent.id,
            person: Person::Profile(caller.profile.id),
            search: search(query.search.as_deref())?,
            limit,
            before: query.before.as_deref().map(parse_cursor).transpose()?,
        })
        .await?;
    let mut headers = HeaderMap::new();
    if rows.len() as u64 > limit {
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        if let Some(last) = rows.last() {
            headers.extend(next_link(&query, last).map(|link| (header::LINK, link)));
        }
    }
    Ok((headers, Json(rows.into_iter().map(Into::into).collect())))
}

/// Where a page ends: the last row's time and id.
fn cursor(conversation: &Conversation) -> String {
    format!("{}-{}", conversation.updated_at.timestamp_micros(), conversation.id.0.simple())
}

fn parse_cursor(text: &str) -> Result<(DateTime<Utc>, ConversationId), ApiError> {
    let parsed = text.split_once('-').and_then(|(micros, id)| {
        let at = DateTime::from_timestamp_micros(micros.parse().ok()?)?;
        Some((at, ConversationId(Uuid::parse_str(id).ok()?)))
    });
    parsed.ok_or_else(|| ApiError::invalid("before", "must come from the Link header of a page"))
}

fn next_link(query: &ListQuery, last: &Conversation) -> Option<HeaderValue> {
    let mut params = url::form_urlencoded::Serializer::new(String::new());
    params.append_pair("agentId", &query.agent_id.to_string());
    params.append_pair("workspaceId", &query.workspace_id.to_string());
    if let Some(search) = &query.search {
        params.append_pair("search", search);
    }
    if let Some(limit) = query.limit {
        params.append_pair("limit", &limit.to_string());
    }
    params.append_pair("before", &cursor(last));
    HeaderValue::from_str(&format!("</api/agent-conversations?{}>; rel=\"next\"", params.finish())).ok()
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConversationBody {
    #[serde(rename = "agentId")]
    agent_id: Uuid,
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    #[schema(max_length = 200)]
    title: Option<String>,
}

/// Begin a conversation with an agent
#[utoipa::path(post, path = "/api/agent-conversations", tag = "conversations", request_body = NewConversationBody, responses((status = 201, body = ConversationView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewConversationBody>,
) -> Result<(StatusCode, Json<ConversationView>), ApiError> {
    let workspace_id = WorkspaceId(body.workspace_id);
    app.role(&caller, workspace_id).await?;
    let agent = app.store.agent(AgentId(body.agent_id)).await?;
    if agent.workspace_id != workspace_id || !agent.is_active {
        return Err(ApiError::not_found("agent"));
    }
    may_use(caller.viewer(), Gate::from(&agent.definition), Use::Begin)?;
    let title = body.title.filter(|title| !title.trim().is_empty());
    let title = title.map(|title| text::line("title", &title, MAX_TITLE)).transpose()?;
    let person = Person::Profile(caller.profile.id);
    let new = NewConversation { workspace_id, agent_id: agent.id, person, title };
    let conversation = app.store.create_conversation(new).await?;
    Ok((StatusCode::CREATED, Json(conversation.into())))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadQuery {
    /// The id of a message: only what came before it.
    before: Option<Uuid>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct ConversationDetail {
    #[serde(flatten)]
    conversation: ConversationView,
    /// The newest ones, oldest first.
    messages: Vec<MessageView>,
    /// Whether there are older messages.
    has_more: bool,
    /// The point in the conversation's log that this answer reaches.
    cursor: String,
}

/// A conversation with its newest messages
#[utoipa::path(get, path = "/api/agent-conversations/{id}", tag = "conversations", params(("id" = Uuid, Path), ReadQuery), responses((status = 200, body = ConversationDetail), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<ReadQuery>,
) -> Result<Json<ConversationDetail>, ApiError> {
    let conversation = own(&app, &caller, id).await?;
    let limit = window(Some(query.limit.unwrap_or(NEWEST_MESSAGES)), None)?.limit;
    let (messages, has_more) = app.store.messages(&conversation, query.before.map(MessageId), limit).await?;
    Ok(Json(ConversationDetail {
        cursor: format!("{}.0", conversation.last_seq),
        conversation: conversation.into(),
        messages: messages.into_iter().map(Into::into).collect(),
        has_more,
    }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    #[schema(min_length = 1, max_length = 200)]
    title: String,
}

/// Rename a conversation
#[utoipa::path(patch, path = "/api/agent-conversations/{id}", tag = "conversations", params(("id" = Uuid, Path)), request_body = Rename, responses((status = 200, body = ConversationView), Errors))]
pub async fn rename(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<Rename>,
) -> Result<Json<ConversationView>, ApiError> {
    let conversation = own(&app, &caller, id).await?;
    let title = text::line("title", &body.title, MAX_TITLE)?;
    let renamed = app.store.rename_conversation(conversation.id, conversation.person, &title).await?;
    Ok(Json(renamed.into()))
}

/// Delete a conversation and all that hangs on it
#[utoipa::path(delete, path = "/api/agent-conversations/{id}", tag = "conversations", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let conversation = own(&app, &caller, id).await?;
    app.store.delete_conversation(conversation.id, conversation.person).await?;
    Ok(done())
}
