//! Messages of channels: read in pages, found by their words, written, changed by who wrote them.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use baton_core::channels::{Around, ChannelChange, MAX_MESSAGES, MessagesQuery, Recipient};
use baton_core::data::areas::AreaAccess;
use baton_core::data::rows::Once;
use baton_core::ids::{ChannelId, ChannelMessageId, WorkspaceId};
use baton_core::search::Query;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::channel_view::{FoundMessageView, MentionView, MessageView};
use super::channels::{carried_out, check_area, own};
use super::data_request::once;
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Ids, Params, search};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Of a thread: the message that it replies to. Left out, the messages of the channel that reply to none.
    #[serde(rename = "threadId")]
    thread_id: Option<Uuid>,
    /// Messages before this number.
    #[param(minimum = 0)]
    before: Option<i64>,
    /// Messages after this number.
    #[param(minimum = 0)]
    after: Option<i64>,
    /// Messages on both sides of this number, and the one that has it.
    #[param(minimum = 0)]
    around: Option<i64>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct ChannelMessages {
    /// In the order in which they were written.
    messages: Vec<MessageView>,
    has_earlier: bool,
    has_later: bool,
}

/// Messages of a channel or of a thread, the newest unless a number is given
#[utoipa::path(get, path = "/api/channels/{id}/messages", tag = "channels", params(("id" = Uuid, Path), PageQuery),
    responses((status = 200, body = ChannelMessages), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<PageQuery>,
) -> Result<Json<ChannelMessages>, ApiError> {
    let around = match (query.before, query.after, query.around) {
        (None, None, None) => Around::Newest,
        (Some(number), None, None) => Around::Before(number),
        (None, Some(number), None) => Around::After(number),
        (None, None, Some(number)) => Around::Number(number),
        _ => return Err(ApiError::invalid("before", "must not be given with after or around")),
    };
    let channel = own(&app, &caller, id, AreaAccess::Read).await?;
    let thread_id = query.thread_id.map(ChannelMessageId);
    let limit = limit(query.limit)?;
    let query = MessagesQuery { channel_id: channel.id, thread_id, around, limit };
    let page = app.store.channel_messages(caller.profile.id, query).await?;
    Ok(Json(ChannelMessages {
        messages: page.messages.into_iter().map(Into::into).collect(),
        has_earlier: page.has_earlier,
        has_later: page.has_later,
    }))
}

fn limit(given: Option<u64>) -> Result<u64, ApiError> {
    let limit = given.unwrap_or(50);
    match (1..=MAX_MESSAGES).contains(&limit) {
        true => Ok(limit),
        false => Err(ApiError::invalid("limit", &format!("must be from 1 to {MAX_MESSAGES}"))),
    }
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChannelMessage {
    /// Markdown. `@Name` names the member who is called so.
    #[schema(min_length = 1, max_length = 10_000)]
    text: String,
    /// The message that it replies to.
    thread_id: Option<Uuid>,
}

/// Write in a channel
///
/// Who writes in an open channel is in it from then on.
#[utoipa::path(post, path = "/api/channels/{id}/messages", tag = "channels", request_body = NewChannelMessage,
    params(("id" = Uuid, Path), ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters: the same request again, within a day, is done once")),
    responses((status = 201, body = MessageView), Errors))]
pub async fn send(
    State(app): State<SharedApp>,
    caller: Caller,
    headers: HeaderMap,
    Id(id): Id,
    Body(body): Body<NewChannelMessage>,
) -> Result<(StatusCode, Json<MessageView>), ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    app.space.check(channel.workspace_id).await?;
    let once = once(&headers, &caller, "send message", &(id, &body))?;
    let to = match body.thread_id {
        None => Recipient::Channel(channel.id),
        Some(thread) => {
            inside(&app, &caller, id, thread).await?;
            Recipient::Thread(ChannelMessageId(thread))
        }
    };
    let change = ChannelChange::Send { id: ChannelMessageId::new(), to, text: body.text };
    let sent = changed(&app, &caller, channel.workspace_id, &once, change).await?;
    Ok((StatusCode::CREATED, Json(sent)))
}

/// One message
#[utoipa::path(get, path = "/api/channels/{id}/messages/{messageId}", tag = "channels",
    params(("id" = Uuid, Path), ("messageId" = Uuid, Path)), responses((status = 200, body = MessageView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, message): Ids,
) -> Result<Json<MessageView>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Read).await?;
    let message = inside(&app, &caller, channel.id.0, message).await?;
    Ok(Json(app.store.channel_message(caller.profile.id, message).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EditedChannelMessage {
    #[schema(min_length = 1, max_length = 10_000)]
    text: String,
}

/// Change one's own message
#[utoipa::path(patch, path = "/api/channels/{id}/messages/{messageId}", tag = "channels", request_body = EditedChannelMessage,
    params(("id" = Uuid, Path), ("messageId" = Uuid, Path)), responses((status = 200, body = MessageView), Errors))]
pub async fn edit(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, message): Ids,
    Body(body): Body<EditedChannelMessage>,
) -> Result<Json<MessageView>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    app.space.check(channel.workspace_id).await?;
    let message = inside(&app, &caller, id, message).await?;
    let change = ChannelChange::Edit { message, text: body.text };
    Ok(Json(changed(&app, &caller, channel.workspace_id, &Once::Unkeyed, change).await?))
}

/// Delete one's own message, or what an agent wrote for one
///
/// It stays in its place, without its text.
#[utoipa::path(delete, path = "/api/channels/{id}/messages/{messageId}", tag = "channels",
    params(("id" = Uuid, Path), ("messageId" = Uuid, Path)), responses((status = 200, body = MessageView), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, message): Ids,
) -> Result<Json<MessageView>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    let message = inside(&app, &caller, id, message).await?;
    let change = ChannelChange::Delete { message };
    Ok(Json(changed(&app, &caller, channel.workspace_id, &Once::Unkeyed, change).await?))
}

/// A message of this very channel.
async fn inside(app: &App, caller: &Caller, channel: Uuid, id: Uuid) -> Result<ChannelMessageId, ApiError> {
    let message = app.store.channel_message(caller.profile.id, ChannelMessageId(id)).await?;
    match message.channel_id.0 == channel {
        true => Ok(message.id),
        false => Err(ApiError::not_found("message")),
    }
}

async fn changed(
    app: &App,
    caller: &Caller,
    workspace: WorkspaceId,
    once: &Once,
    change: ChannelChange,
) -> Result<MessageView, ApiError> {
    let outcome = carried_out(app, caller, workspace, once, change).await?;
    let id = outcome["message_id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let id = id.ok_or_else(|| ApiError::internal("an outcome without a message"))?;
    Ok(app.store.channel_message(caller.profile.id, ChannelMessageId(id)).await?.into())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessageSearchQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// Words, without regard to case and accents; the last may be typed half. A message has all of them.
    #[param(min_length = 1, max_length = 200)]
    search: String,
    /// Only in this channel.
    #[serde(rename = "channelId")]
    channel_id: Option<Uuid>,
    /// The id of the last message of the page before.
    before: Option<Uuid>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct FoundChannelMessages {
    messages: Vec<FoundMessageView>,
}

/// Find messages in channels that the caller may read, the newest first
#[utoipa::path(get, path = "/api/channels/search", tag = "channels", params(MessageSearchQuery), responses((status = 200, body = FoundChannelMessages), Errors))]
pub async fn find(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<MessageSearchQuery>,
) -> Result<Json<FoundChannelMessages>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let limit = limit(query.limit)?;
    // As typed: a space at the end says that the last word is whole.
    search(Some(&query.search))?;
    let Some(words) = Query::new(&query.search) else {
        return Ok(Json(FoundChannelMessages { messages: Vec::new() }));
    };
    let (within, before) = (query.channel_id.map(ChannelId), query.before.map(ChannelMessageId));
    let reader = caller.profile.id;
    let found = app.store.search_channels(workspace, reader, &words, within, before, limit).await?;
    Ok(Json(FoundChannelMessages { messages: found.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MentionsQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// The id of the last message of the page before.
    before: Option<Uuid>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct ChannelMentions {
    mentions: Vec<MentionView>,
    /// Counted up to 100.
    unread: u64,
}

/// Messages that name the caller, or add to threads that they wrote in, the newest first
#[utoipa::path(get, path = "/api/channels/mentions", tag = "channels", params(MentionsQuery), responses((status = 200, body = ChannelMentions), Errors))]
pub async fn mentions(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<MentionsQuery>,
) -> Result<Json<ChannelMentions>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let (limit, reader) = (limit(query.limit)?, caller.profile.id);
    let before = query.before.map(ChannelMessageId);
    let mentions = app.store.channel_mentions(workspace, reader, before, limit).await?;
    let unread = app.store.unread_mentions(workspace, reader).await?;
    Ok(Json(ChannelMentions { mentions: mentions.into_iter().map(Into::into).collect(), unread }))
}
