//! Conversations, each visible to its own person only.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::access::{Gate, Use, may_use};
use baton_core::conversations::{Conversation, MAX_TITLE, NewConversation, Versions, With};
use baton_core::events::Cursor;
use baton_core::ids::{ConversationId, MessageId, WorkspaceId};
use baton_core::notices::{Audience, Happened, Notice};
use baton_core::store::{ForkPoint, Version};
use baton_core::visitors::Person;
use baton_core::{public, text};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_names::{SpeakerView, speakers};
use super::conversation_list::with;
use super::messages::MessageView;
use super::switch::{ActiveView, SwitchMarkView};
use super::turns::{LastTurnView, TurnView};
use super::{Success, done, teams};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, Present, Someone, Who, window};
use crate::retention;
use crate::space::Adds;

const NEWEST_MESSAGES: u64 = 100;
/// What one person forks and imports within an hour. A fork counts once more for so many steps.
pub const COPIES_AN_HOUR: u32 = 1_000;
const STEPS_A_COPY: u32 = 100;

#[derive(Serialize, ToSchema)]
pub struct ConversationView {
    id: Uuid,
    /// The agent it began with.
    agent_id: Uuid,
    /// The team it is with, if it is with one.
    #[schema(required)]
    team_id: Option<Uuid>,
    workspace_id: Uuid,
    /// Whose it is; null for a visitor's.
    #[schema(required)]
    user_id: Option<Uuid>,
    #[schema(required)]
    title: Option<String>,
    /// The conversation it is another version of.
    #[schema(required)]
    forked_from: Option<Uuid>,
    /// The same in all versions of it; null while there is no other.
    #[schema(required)]
    family_id: Option<Uuid>,
    /// The messages that this fork left out ran tools that write.
    left_writes_behind: bool,
    /// The conversation whose agent asked for it: a subtask, in which only agents write.
    #[schema(required)]
    parent_id: Option<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Conversation> for ConversationView {
    fn from(conversation: Conversation) -> Self {
        Self {
            id: conversation.id.0,
            agent_id: conversation.agent_id.0,
            team_id: conversation.team_id.map(|id| id.0),
            workspace_id: conversation.workspace_id.0,
            user_id: conversation.person.profile_id().map(|id| id.0),
            title: conversation.title,
            forked_from: conversation.forked_from.map(|id| id.0),
            family_id: conversation.family_id.map(|id| id.0),
            left_writes_behind: conversation.left_writes_behind,
            parent_id: conversation.subtask.map(|subtask| subtask.parent_id.0),
            created_at: conversation.created_at,
            updated_at: conversation.updated_at,
        }
    }
}

/// Someone's conversation, at a workspace they may still be at.
pub async fn own_here(app: &App, someone: &Someone, id: Uuid) -> Result<(Conversation, Present), ApiError> {
    let conversation = app.store.conversation(ConversationId(id), someone.person()).await?;
    let present = app.present_inside(someone, conversation.workspace_id, "conversation").await?;
    check_open(&conversation, &present)?;
    Ok((conversation, present))
}

/// What agents ask each other, as what tools are given and say, is not for guests and visitors.
fn check_open(conversation: &Conversation, present: &Present) -> Result<(), ApiError> {
    let is_inside = conversation.subtask.is_some() && present.is_public();
    if is_inside { Err(ApiError::not_found("conversation")) } else { Ok(()) }
}

fn count_change(app: &App, present: &Present) -> Result<(), ApiError> {
    let Present { someone, .. } = present;
    if present.is_public() { app.public_limits.change(someone.person().id(), someone.from) } else { Ok(()) }
}

/// Reading as a guest: what visitors ask for is counted before, whatever it is.
pub fn count_read(app: &App, present: &Present) -> Result<(), ApiError> {
    match &present.someone.who {
        Who::Profile(caller) if present.is_public() => {
            app.public_limits.request(caller.profile.id.0, present.someone.from)
        }
        Who::Profile(_) | Who::Visitor(_) => Ok(()),
    }
}

/// The caller's conversation: in a workspace they are still a member of.
pub async fn own(app: &App, caller: &Caller, id: Uuid) -> Result<Conversation, ApiError> {
    let person = Person::Profile(caller.profile.id);
    let conversation = app.store.conversation(ConversationId(id), person).await?;
    app.role_inside(caller, conversation.workspace_id, "conversation").await?;
    Ok(conversation)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConversationBody {
    /// This or `teamId`.
    #[serde(rename = "agentId")]
    agent_id: Option<Uuid>,
    /// The member that is the first to answer begins.
    #[serde(rename = "teamId")]
    team_id: Option<Uuid>,
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    #[schema(max_length = 200)]
    title: Option<String>,
}

/// Begin a conversation with an agent or a team
#[utoipa::path(post, path = "/api/agent-conversations", tag = "conversations", request_body = NewConversationBody, responses((status = 201, body = ConversationView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    someone: Someone,
    Body(body): Body<NewConversationBody>,
) -> Result<(StatusCode, Json<ConversationView>), ApiError> {
    let workspace_id = WorkspaceId(body.workspace_id);
    let present = app.present(&someone, workspace_id).await?;
    let (agent, team_id) = match with(body.agent_id, body.team_id)? {
        With::Anyone => return Err(ApiError::invalid("agentId", "or teamId is required")),
        With::Agent(id) => (teams::hired_agent(&app, workspace_id, id).await?, None),
        With::Team(id) => (teams::entry_agent(&app, &present, workspace_id, id).await?, Some(id)),
    };
    may_use(someone.viewer(), Gate::from(&agent.definition), Use::Begin)?;
    let title = body.title.filter(|title| !title.trim().is_empty());
    let title = title.map(|title| text::line("title", &title, MAX_TITLE)).transpose()?;
    if present.is_public() {
        app.public_limits.conversation(someone.person().id(), someone.from)?;
        app.space.check_public(workspace_id, Adds::Conversation).await?;
    } else {
        app.space.check(workspace_id).await?;
    }
    let person = someone.person();
    let new = NewConversation { workspace_id, agent_id: agent.id, team_id, person, title };
    let conversation = app.store.create_conversation(new).await?;
    changed(&app, conversation.id, &conversation);
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
    /// The point in the conversation's log that this answer reaches: where to go on with its stream.
    cursor: String,
    /// Who holds it; null if that agent is gone.
    #[schema(required)]
    active: Option<ActiveView>,
    /// The turn that is under way.
    #[schema(required)]
    turn: Option<TurnView>,
    /// How the turn before ended; null while one is under way, before the first, and with `before`.
    #[schema(required)]
    last_turn: Option<LastTurnView>,
    /// Where this conversation and other versions of it part.
    versions: Vec<ForkPointView>,
    /// Handoffs and switches among the messages that no message shows, in order.
    switches: Vec<SwitchMarkView>,
    /// The agents that speak in the messages or that switches name.
    agents: Vec<SpeakerView>,
}

/// Conversations that are the same up to a message.
#[derive(Serialize, ToSchema)]
pub struct ForkPointView {
    /// The message with which this conversation's own version begins; null if there is none yet.
    #[schema(required)]
    message_id: Option<Uuid>,
    /// The oldest first; this conversation, or one it was forked from, is among them.
    conversations: Vec<VersionView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ConversationVersion)]
pub struct VersionView {
    id: Uuid,
    #[schema(required)]
    title: Option<String>,
    created_at: DateTime<Utc>,
    /// The messages that this version left out ran tools that write.
    left_writes_behind: bool,
}

impl From<ForkPoint> for ForkPointView {
    fn from(point: ForkPoint) -> Self {
        let version = |version: Version| VersionView {
            id: version.id.0,
            title: version.title,
            created_at: version.created_at,
            left_writes_behind: version.left_writes_behind,
        };
        let conversations = point.versions.into_iter().map(version).collect();
        Self { message_id: point.message_id.map(|id| id.0), conversations }
    }
}

/// A conversation with its newest messages
#[utoipa::path(get, path = "/api/agent-conversations/{id}", tag = "conversations", params(("id" = Uuid, Path), ReadQuery), responses((status = 200, body = ConversationDetail), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    someone: Someone,
    Id(id): Id,
    Params(query): Params<ReadQuery>,
) -> Result<Json<ConversationDetail>, ApiError> {
    let limit = window(Some(query.limit.unwrap_or(NEWEST_MESSAGES)), None)?.limit;
    let before = query.before.map(MessageId);
    let read = app.store.read_conversation(ConversationId(id), someone.person(), before, limit).await?;
    let workspace_id = read.conversation.workspace_id;
    let present = app.present_inside(&someone, workspace_id, "conversation").await?;
    check_open(&read.conversation, &present)?;
    count_read(&app, &present)?;
    let versions = app.store.fork_points(&read.conversation).await?;
    let active = ActiveView::of(&app, read.conversation.id).await?;
    let spoke = read.messages.iter().map(|message| message.agent_id);
    let left = read.switches.iter().map(|mark| mark.switched.from);
    let agents = speakers(&app, spoke.chain(left).collect()).await?;
    let mut last_turn = read.last_turn;
    let (active, messages) = if present.is_public() {
        let messages = read.messages.into_iter().filter_map(public::message).collect();
        if let Some(turn) = &mut last_turn {
            turn.error = turn.error.take().map(public::fault);
        }
        (active.map(ActiveView::for_public), messages)
    } else {
        (active, read.messages)
    };
    Ok(Json(ConversationDetail {
        active,
        cursor: Cursor::at(read.conversation.last_seq).to_string(),
        conversation: read.conversation.into(),
        messages: messages.into_iter().map(Into::into).collect(),
        has_more: read.has_more,
        turn: read.turn.map(Into::into),
        last_turn: last_turn.map(Into::into),
        versions: versions.into_iter().map(Into::into).collect(),
        switches: read.switches.into_iter().map(Into::into).collect(),
        agents,
    }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    #[schema(min_length = 1, max_length = 200)]
    title: String,
}

/// Rename a conversation, with all its versions
#[utoipa::path(patch, path = "/api/agent-conversations/{id}", tag = "conversations", params(("id" = Uuid, Path)), request_body = Rename, responses((status = 200, body = ConversationView), Errors))]
pub async fn rename(
    State(app): State<SharedApp>,
    someone: Someone,
    Id(id): Id,
    Body(body): Body<Rename>,
) -> Result<Json<ConversationView>, ApiError> {
    let (conversation, present) = own_here(&app, &someone, id).await?;
    count_change(&app, &present)?;
    let title = text::line("title", &body.title, MAX_TITLE)?;
    for version in app.store.rename_conversation(conversation.id, conversation.person, &title).await? {
        changed(&app, version.id, &conversation);
    }
    Ok(Json(Conversation { title: Some(title), ..conversation }.into()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeleteQuery {
    /// Only this version goes, its others stay.
    #[serde(rename = "keepVersions", default)]
    #[param(required = false)]
    keep_versions: bool,
}

/// Delete a conversation with everything in it, and all its versions
#[utoipa::path(delete, path = "/api/agent-conversations/{id}", tag = "conversations", params(("id" = Uuid, Path), DeleteQuery), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    someone: Someone,
    Id(id): Id,
    Params(query): Params<DeleteQuery>,
) -> Result<Json<Success>, ApiError> {
    let (conversation, present) = own_here(&app, &someone, id).await?;
    count_change(&app, &present)?;
    let versions = if query.keep_versions { Versions::This } else { Versions::All };
    retention::delete(&app, &conversation, versions).await?;
    Ok(done())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// The new conversation has everything before this message.
    #[serde(rename = "beforeMessageId")]
    before_message_id: Uuid,
}

/// Begin another version of a conversation, to edit a message or to have it answered anew
#[utoipa::path(post, path = "/api/agent-conversations/{id}/fork", tag = "conversations", params(("id" = Uuid, Path)), request_body = Fork, responses((status = 201, body = ConversationView), Errors))]
pub async fn fork(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<Fork>,
) -> Result<(StatusCode, Json<ConversationView>), ApiError> {
    let conversation = own(&app, &caller, id).await?;
    // A few words can copy a long log.
    let steps = u32::try_from(conversation.last_seq).unwrap_or(u32::MAX);
    app.copies
        .take_many(&caller.profile.id.to_string(), 1 + steps / STEPS_A_COPY, COPIES_AN_HOUR)
        .map_err(ApiError::too_many)?;
    app.space.check(conversation.workspace_id).await?;
    let before = MessageId(body.before_message_id);
    let forked = app.store.fork(conversation.id, conversation.person, before).await?;
    // The next who adds something is asked with what this one took.
    app.space.forget(conversation.workspace_id);
    // Readers of the original conversation can switch to this version.
    changed(&app, conversation.id, &conversation);
    changed(&app, forked.id, &forked);
    Ok((StatusCode::CREATED, Json(forked.into())))
}

/// Tells the person's other tabs.
pub fn changed(app: &App, id: ConversationId, of: &Conversation) {
    app.engine.notify(Notice {
        workspace_id: of.workspace_id,
        audience: Audience::Person(of.person),
        happened: Happened::ConversationChanged { conversation_id: id },
    });
}
