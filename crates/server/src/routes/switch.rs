//! The holder of a conversation: reading who it is, and switching to another agent.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use baton_core::agents::Agent;
use baton_core::conversations::SwitchMark;
use baton_core::handoffs::{Activation, Snapshot, Trigger};
use baton_core::ids::{AgentId, ConversationId};
use baton_core::store::Error;
use baton_engine::{Assignment, HasSwitched, SwitchError, SwitchTo, Switching};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::agent_names::names;
use super::conversations::{own, own_here};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Someone, trigger_schema};

/// The agent that holds a conversation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActiveView {
    activation_id: Uuid,
    agent_id: Uuid,
    agent_name: String,
    #[schema(required)]
    avatar_url: Option<String>,
    #[schema(required)]
    role: Option<String>,
    /// Why it has the conversation, where a router or another agent said so.
    #[schema(required)]
    summary: Option<String>,
    /// The message that it began with; null if it began before any.
    #[schema(required)]
    message_id: Option<Uuid>,
    since: DateTime<Utc>,
    /// Grows with every handoff and every switch.
    epoch: i64,
    /// A person chose it: the team's router leaves it alone.
    pinned: bool,
}

impl ActiveView {
    pub fn new(activation: &Activation, agent: &Agent, epoch: i64) -> Self {
        Self {
            activation_id: activation.id.0,
            agent_id: agent.id.0,
            agent_name: agent.definition.name.clone(),
            avatar_url: agent.definition.avatar_url.clone(),
            role: agent.definition.role.clone(),
            summary: activation.summary.clone(),
            message_id: activation.message_id.map(|id| id.0),
            since: activation.began_at,
            epoch,
            pinned: activation.is_pinned,
        }
    }

    /// Without what agents and routers tell each other.
    pub fn for_public(self) -> Self {
        Self { summary: None, ..self }
    }

    pub async fn of(app: &App, id: ConversationId) -> Result<Option<Self>, ApiError> {
        let Some((active, epoch)) = app.store.active(id).await? else { return Ok(None) };
        match app.store.agent(active.agent_id).await {
            Ok(agent) => Ok(Some(Self::new(&active, &agent, epoch))),
            Err(Error::NotFound(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// A handoff or switch that no message shows.
#[derive(Serialize, ToSchema)]
#[schema(as = SwitchMark)]
#[serde(rename_all = "camelCase")]
pub struct SwitchMarkView {
    /// The message it happened after; null if none of these came before.
    #[schema(required)]
    after: Option<Uuid>,
    from: Uuid,
    to: Uuid,
    to_name: String,
    #[schema(schema_with = trigger_schema)]
    by: Trigger,
    epoch: i64,
    /// A router leaves it with this agent.
    pinned: bool,
}

impl From<SwitchMark> for SwitchMarkView {
    fn from(SwitchMark { after, switched }: SwitchMark) -> Self {
        Self {
            after: after.map(|id| id.0),
            from: switched.from.0,
            to: switched.to.0,
            to_name: switched.to_name,
            by: switched.by,
            epoch: switched.epoch,
            pinned: switched.pinned,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SwitchBody {
    /// An agent's id; or `auto`, in a team with a router, to leave the choice to it again.
    agent_id: String,
    /// The epoch the caller has seen: if another holds the conversation by now, nothing is changed.
    epoch: Option<i64>,
}

#[derive(Serialize, ToSchema)]
pub struct SwitchedView {
    active: ActiveView,
    /// The agent's first words in this conversation, if it has such.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<GreetingView>,
}

#[derive(Serialize, ToSchema)]
pub struct GreetingView {
    id: Uuid,
    agent_id: Uuid,
    content: String,
}

/// Give a conversation to another agent
///
/// It never waits: an answer under way is finished and its turn ends. Asked with an `epoch` that is no longer the
/// conversation's, it answers 409 with who holds it now as `active`.
#[utoipa::path(post, path = "/api/agent-conversations/{id}/switch", tag = "conversations", params(("id" = Uuid, Path)), request_body = SwitchBody, responses((status = 200, body = SwitchedView), Errors))]
pub async fn switch(
    State(app): State<SharedApp>,
    someone: Someone,
    Id(id): Id,
    Body(body): Body<SwitchBody>,
) -> Result<Response, ApiError> {
    let (conversation, present) = own_here(&app, &someone, id).await?;
    let is_public = present.is_public();
    if is_public {
        app.public_limits.message(someone.person().id(), someone.from)?;
    }
    let to = match body.agent_id.as_str() {
        "auto" => SwitchTo::Auto,
        id => {
            let id = Uuid::parse_str(id)
                .map_err(|_| ApiError::invalid("agentId", "must be an agent's id or auto"))?;
            SwitchTo::Agent(AgentId(id))
        }
    };
    let assignment = Assignment {
        agent: conversation.agent_id,
        team: conversation.team_id,
        viewer: someone.viewer(),
        is_public,
        is_subtask: false,
    };
    let shown = |active: ActiveView| if is_public { active.for_public() } else { active };
    let asked = Switching { conversation_id: conversation.id, to, epoch: body.epoch, assignment };
    match app.engine.switch(asked).await {
        Ok(switched) => {
            let SwitchedView { active, message } = view(switched);
            Ok(Json(SwitchedView { active: shown(active), message }).into_response())
        }
        Err(SwitchError::NotAllowed(refusal)) => Err(refusal.into()),
        Err(SwitchError::NoRouter) => {
            Err(ApiError::invalid("agentId", "can be auto only where a team's router decides"))
        }
        Err(SwitchError::Store(error)) => Err(error.into()),
        Err(SwitchError::StaleEpoch) => {
            let active = ActiveView::of(&app, conversation.id).await?.map(shown);
            let error = "Another agent has this conversation by now.";
            let body = json!({"error": error, "code": "stale_epoch", "active": active});
            Ok((StatusCode::CONFLICT, Json(body)).into_response())
        }
    }
}

fn view(switched: HasSwitched) -> SwitchedView {
    let HasSwitched { active, greeting } = switched;
    let agent = &active.ready.agent;
    SwitchedView {
        message: greeting.map(|(id, content)| GreetingView { id: id.0, agent_id: agent.id.0, content }),
        active: ActiveView::new(&active.activation, agent, active.epoch),
    }
}

/// An activation: the time one agent holds a conversation.
#[derive(Serialize, ToSchema)]
pub struct ActivationView {
    id: Uuid,
    agent_id: Uuid,
    #[schema(required)]
    agent_name: Option<String>,
    /// `active`, `paused`, `completed` or `cancelled`.
    status: String,
    /// `user`, `model`, `router`, `completion`, `fallback` or `rollback`.
    trigger: String,
    #[schema(required)]
    reason: Option<String>,
    #[schema(required)]
    summary: Option<String>,
    /// The message that it began with; null if it began before any.
    #[schema(required)]
    message_id: Option<Uuid>,
    /// What the agent has noted.
    #[schema(value_type = Object)]
    context_data: Map<String, Value>,
    /// The earlier activation of the same agent that this one goes on with.
    #[schema(required)]
    resumes: Option<Uuid>,
    pinned: bool,
    began_at: DateTime<Utc>,
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
}

/// Who held a conversation when, oldest first
#[utoipa::path(get, path = "/api/agent-conversations/{id}/activations", tag = "conversations", params(("id" = Uuid, Path)), responses((status = 200, body = [ActivationView]), Errors))]
pub async fn activations(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Vec<ActivationView>>, ApiError> {
    let conversation = own(&app, &caller, id).await?;
    let activations = app.store.activations(conversation.id).await?;
    let names = names(&app, activations.iter().map(|one| one.agent_id).collect()).await?;
    let views = activations
        .into_iter()
        .map(|one| ActivationView {
            id: one.id.0,
            agent_id: one.agent_id.0,
            agent_name: names.get(&one.agent_id).cloned(),
            status: one.status.to_string(),
            trigger: one.trigger.to_string(),
            reason: one.reason,
            summary: one.summary,
            message_id: one.message_id.map(|id| id.0),
            context_data: one.context_data,
            resumes: one.resumes.map(|id| id.0),
            pinned: one.is_pinned,
            began_at: one.began_at,
            ended_at: one.ended_at,
        })
        .collect();
    Ok(Json(views))
}

/// The result of a stage.
#[derive(Serialize, ToSchema)]
pub struct SnapshotView {
    id: Uuid,
    stage: String,
    /// Grows each time the stage is completed again.
    version: i32,
    agent_id: Uuid,
    data: Value,
    created_at: DateTime<Utc>,
}

impl From<Snapshot> for SnapshotView {
    fn from(snapshot: Snapshot) -> Self {
        let Snapshot { id, stage, version, agent_id, data, created_at } = snapshot;
        Self { id: id.0, stage, version, agent_id: agent_id.0, data, created_at }
    }
}

/// The results of a conversation's stages, oldest first
#[utoipa::path(get, path = "/api/agent-conversations/{id}/snapshots", tag = "conversations", params(("id" = Uuid, Path)), responses((status = 200, body = [SnapshotView]), Errors))]
pub async fn snapshots(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Vec<SnapshotView>>, ApiError> {
    let conversation = own(&app, &caller, id).await?;
    let snapshots = app.store.snapshots(conversation.id).await?;
    Ok(Json(snapshots.into_iter().map(Into::into).collect()))
}
