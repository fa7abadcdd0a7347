//! Channels: which there are, and who is in them. A channel that the caller may not read is not there: 404.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use baton_core::channels::{
    Channel, ChannelChange, ChannelChanges, ChannelKind, ListedChannels, NewChannel, ReadUpTo, notices,
};
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::Once;
use baton_core::ids::{ChannelId, ChannelMessageId, ProfileId, WorkspaceId};
use baton_core::notices::{Audience, Happened, Notice};
use baton_core::visitors::Person;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::channel_view::{ChannelView, MemberView, PersonView};
use super::data_request::{Within, author, once, outcome};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Ids, Params, channel_kind_schema, some, window};

#[derive(Deserialize, ToSchema, Clone, Copy, Default)]
#[serde(rename_all = "snake_case")]
pub enum Listed {
    #[default]
    Own,
    Open,
    Archived,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// `own`: those the caller is in, the one with the newest message first. `open`: those that everyone may read, by name.
    /// `archived`.
    #[param(inline)]
    listed: Option<Listed>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct ChannelList {
    channels: Vec<ChannelView>,
    /// How many there are without limit and offset.
    total: u64,
    /// Unread mentions of the caller in all channels, counted up to 100.
    unread_mentions: u64,
}

/// Channels of a workspace, with what the caller has not read
#[utoipa::path(get, path = "/api/channels", tag = "channels", params(ListQuery), responses((status = 200, body = ChannelList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ListQuery>,
) -> Result<Json<ChannelList>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let listed = match query.listed.unwrap_or_default() {
        Listed::Own => ListedChannels::Own,
        Listed::Open => ListedChannels::Open,
        Listed::Archived => ListedChannels::Archived,
    };
    let window = window(query.limit.or(Some(200)), query.offset)?;
    let reader = caller.profile.id;
    let page = app.store.channels(workspace, reader, listed, window).await?;
    let unread_mentions = app.store.unread_mentions(workspace, reader).await?;
    let channels = page.rows.into_iter().map(Into::into).collect();
    Ok(Json(ChannelList { channels, total: page.total, unread_mentions }))
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChannelBody {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// `open` or `private`.
    #[schema(schema_with = channel_kind_schema)]
    kind: ChannelKind,
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    #[schema(max_length = 500)]
    topic: Option<String>,
    /// Members who are in it from its beginning, beside the caller.
    #[schema(max_items = 200)]
    people: Option<Vec<Uuid>>,
}

/// Make a channel
#[utoipa::path(post, path = "/api/channels", tag = "channels", request_body = NewChannelBody,
    params(("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters: the same request again, within a day, is done once")),
    responses((status = 201, body = ChannelView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<NewChannelBody>,
) -> Result<(StatusCode, Json<ChannelView>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Write).await?;
    app.space.check(workspace).await?;
    let once = once(&headers, &caller, "create channel", &body)?;
    let new = NewChannel {
        kind: body.kind,
        name: body.name,
        topic: body.topic.unwrap_or_default(),
        people: people(body.people.unwrap_or_default()),
    };
    let change = ChannelChange::Create { id: ChannelId::new(), new };
    Ok((StatusCode::CREATED, Json(changed(&app, &caller, workspace, &once, change).await?)))
}

fn people(ids: Vec<Uuid>) -> Vec<ProfileId> {
    ids.into_iter().map(ProfileId).collect()
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DirectBody {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// The others.
    #[schema(min_items = 1, max_items = 8)]
    people: Vec<Uuid>,
}

/// The direct channel between the caller and others
///
/// There is one for each set of people; it is made when somebody asks for it first.
#[utoipa::path(post, path = "/api/channels/direct", tag = "channels", request_body = DirectBody, responses((status = 200, body = ChannelView), Errors))]
pub async fn direct(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<DirectBody>,
) -> Result<Json<ChannelView>, ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Write).await?;
    let change = ChannelChange::OpenDirect { people: people(body.people) };
    Ok(Json(changed(&app, &caller, workspace, &Once::Unkeyed, change).await?))
}

#[derive(Serialize, ToSchema)]
pub struct ChannelPeople {
    people: Vec<PersonView>,
}

/// Members who may read messages: who can be named, added and written to
#[utoipa::path(get, path = "/api/channels/people", tag = "channels", params(Within), responses((status = 200, body = ChannelPeople), Errors))]
pub async fn readers(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<Within>,
) -> Result<Json<ChannelPeople>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let people = app.store.channel_people(workspace).await?;
    Ok(Json(ChannelPeople { people: people.into_iter().map(|reader| reader.person.into()).collect() }))
}

/// One channel
#[utoipa::path(get, path = "/api/channels/{id}", tag = "channels", params(("id" = Uuid, Path)), responses((status = 200, body = ChannelView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<ChannelView>, ApiError> {
    Ok(Json(own(&app, &caller, id, AreaAccess::Read).await?.into()))
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelChangesBody {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 80, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(max_length = 500, nullable = false)]
    topic: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    is_archived: Option<bool>,
}

/// Rename a channel, say what it is about, or archive it
///
/// Who is in it may; only who made it, and admins who are in it, archive it.
#[utoipa::path(patch, path = "/api/channels/{id}", tag = "channels", request_body = ChannelChangesBody, params(("id" = Uuid, Path)),
    responses((status = 200, body = ChannelView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ChannelChangesBody>,
) -> Result<Json<ChannelView>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    let changes = ChannelChanges { name: body.name, topic: body.topic, is_archived: body.is_archived };
    let change = ChannelChange::Set { channel: channel.id, changes };
    Ok(Json(changed(&app, &caller, channel.workspace_id, &Once::Unkeyed, change).await?))
}

/// Be in an open channel
#[utoipa::path(post, path = "/api/channels/{id}/join", tag = "channels", params(("id" = Uuid, Path)), responses((status = 200, body = ChannelView), Errors))]
pub async fn join(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<ChannelView>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    let change = ChannelChange::Join { channel: channel.id };
    Ok(Json(changed(&app, &caller, channel.workspace_id, &Once::Unkeyed, change).await?))
}

/// Be in a channel no more
#[utoipa::path(post, path = "/api/channels/{id}/leave", tag = "channels", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn leave(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    let change = ChannelChange::Leave { channel: channel.id };
    carried_out(&app, &caller, channel.workspace_id, &Once::Unkeyed, change).await?;
    Ok(done())
}

#[derive(Serialize, ToSchema)]
pub struct ChannelMembers {
    members: Vec<MemberView>,
}

/// Who is in a channel
#[utoipa::path(get, path = "/api/channels/{id}/members", tag = "channels", params(("id" = Uuid, Path)), responses((status = 200, body = ChannelMembers), Errors))]
pub async fn members(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<ChannelMembers>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Read).await?;
    let members = app.store.channel_members(caller.profile.id, channel.id).await?;
    Ok(Json(ChannelMembers { members: members.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddedBody {
    #[schema(min_items = 1, max_items = 200)]
    people: Vec<Uuid>,
}

/// Bring members of the workspace into a channel that one is in
#[utoipa::path(post, path = "/api/channels/{id}/members", tag = "channels", request_body = AddedBody, params(("id" = Uuid, Path)),
    responses((status = 200, body = ChannelMembers), Errors))]
pub async fn add(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<AddedBody>,
) -> Result<Json<ChannelMembers>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    let change = ChannelChange::Add { channel: channel.id, people: people(body.people) };
    carried_out(&app, &caller, channel.workspace_id, &Once::Unkeyed, change).await?;
    let members = app.store.channel_members(caller.profile.id, channel.id).await?;
    Ok(Json(ChannelMembers { members: members.into_iter().map(Into::into).collect() }))
}

/// Take someone out of a channel
///
/// Who made the channel may, and admins who are in it.
#[utoipa::path(delete, path = "/api/channels/{id}/members/{profileId}", tag = "channels",
    params(("id" = Uuid, Path), ("profileId" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn remove(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, person): Ids,
) -> Result<Json<Success>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Write).await?;
    let change = ChannelChange::Remove { channel: channel.id, person: ProfileId(person) };
    carried_out(&app, &caller, channel.workspace_id, &Once::Unkeyed, change).await?;
    Ok(done())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadBody {
    /// The number of the newest message that was read.
    #[schema(minimum = 0)]
    number: i64,
    /// Of a thread: the message that it replies to.
    thread_id: Option<Uuid>,
}

/// Say how far the caller has read a channel or a thread
///
/// Mentions up to there count as read. What was read before stays read.
#[utoipa::path(post, path = "/api/channels/{id}/read", tag = "channels", request_body = ReadBody, params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn mark_read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ReadBody>,
) -> Result<Json<Success>, ApiError> {
    let channel = own(&app, &caller, id, AreaAccess::Read).await?;
    let thread_id = body.thread_id.map(ChannelMessageId);
    let up_to = ReadUpTo { channel_id: channel.id, thread_id, number: body.number };
    if app.store.mark_channel_read(caller.profile.id, up_to).await? {
        // Their other tabs.
        app.engine.notify(Notice {
            workspace_id: channel.workspace_id,
            audience: Audience::Person(Person::Profile(caller.profile.id)),
            happened: Happened::ChannelChanged { channel_id: channel.id },
        });
    }
    Ok(done())
}

/// What the caller may do in the area; 403 in words if it is too little.
pub async fn check_area(
    app: &App,
    caller: &Caller,
    workspace: WorkspaceId,
    least: AreaAccess,
) -> Result<(), ApiError> {
    app.role(caller, workspace).await?;
    let areas = app.store.areas(workspace, caller.profile.id).await?;
    areas.check(Area::Messages, least).map_err(|refused| {
        let error: baton_core::store::Error = refused.into();
        error.into()
    })
}

/// A channel that the caller may read.
pub async fn own(app: &App, caller: &Caller, id: Uuid, least: AreaAccess) -> Result<Channel, ApiError> {
    let channel = app.store.channel(caller.profile.id, ChannelId(id)).await?;
    app.role_inside(caller, channel.workspace_id, "channel").await?;
    check_area(app, caller, channel.workspace_id, least).await?;
    Ok(channel)
}

/// Makes the change and tells others of it.
pub async fn carried_out(
    app: &App,
    caller: &Caller,
    workspace: WorkspaceId,
    once: &Once,
    change: ChannelChange,
) -> Result<Value, ApiError> {
    let change = change.checked()?;
    let outcome = outcome(app.store.change_channel(once, workspace, author(caller), change).await)?;
    for notice in notices(workspace, &outcome) {
        app.engine.notify(notice);
    }
    Ok(outcome)
}

/// Makes the change, and answers with the channel as it is then.
async fn changed(
    app: &App,
    caller: &Caller,
    workspace: WorkspaceId,
    once: &Once,
    change: ChannelChange,
) -> Result<ChannelView, ApiError> {
    let outcome = carried_out(app, caller, workspace, once, change).await?;
    let id = outcome["channel"]["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let id = id.ok_or_else(|| ApiError::internal("an outcome without a channel"))?;
    Ok(app.store.channel(caller.profile.id, ChannelId(id)).await?.into())
}
