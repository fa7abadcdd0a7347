//! Memories of an agent, as one person sees them: the agent's memories, and the person's own.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::access::{Gate, Use, may_use};
use baton_core::agents::Agent;
use baton_core::ids::{AgentId, MemoryId};
use baton_core::memories::{Memory, MemoryChanges, MemoryQuery, NewMemory, Scope};
use baton_core::workspaces::Role;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{
    ApiError, Body, Caller, Errors, Id, Ids, Params, memory_scope_schema, search, some, window,
};

#[derive(Serialize, ToSchema)]
#[schema(as = AgentMemory)]
pub struct MemoryView {
    id: Uuid,
    /// Within its scope.
    path: String,
    /// `own`: only this person's turns use it. `agent`: the whole workspace's.
    #[schema(schema_with = memory_scope_schema)]
    scope: Scope,
    content: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Memory> for MemoryView {
    fn from(memory: Memory) -> Self {
        Self {
            id: memory.id.0,
            path: memory.path_within().to_owned(),
            scope: memory.scope(),
            content: memory.content,
            created_at: memory.created_at,
            updated_at: memory.updated_at,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Part of a path or of what is noted, in any case.
    #[param(max_length = 200)]
    search: Option<String>,
    #[param(schema_with = memory_scope_schema)]
    scope: Option<Scope>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct MemoryList {
    memories: Vec<MemoryView>,
    /// How many there are without limit and offset.
    total: u64,
}

/// What an agent remembers, the latest first: its notes for everyone, and those about the caller
#[utoipa::path(get, path = "/api/agents/{id}/memories", tag = "agents", params(("id" = Uuid, Path), ListQuery), responses((status = 200, body = MemoryList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<ListQuery>,
) -> Result<Json<MemoryList>, ApiError> {
    let (agent, _) = find_agent(&app, &caller, id).await?;
    let query = MemoryQuery {
        agent_id: agent.id,
        person: Some(caller.profile.id),
        scope: query.scope,
        search: search(query.search.as_deref())?,
        window: window(query.limit, query.offset)?,
    };
    let page = app.store.memories(query).await?;
    Ok(Json(MemoryList { memories: page.rows.into_iter().map(Into::into).collect(), total: page.total }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMemoryBody {
    /// Names between single slashes, such as preferences/travel.
    #[schema(min_length = 1, max_length = 150)]
    path: String,
    #[schema(min_length = 1, max_length = 20_000)]
    content: String,
    /// Left out: `own`.
    #[serde(default, deserialize_with = "some")]
    #[schema(schema_with = memory_scope_schema)]
    scope: Option<Scope>,
}

/// Give an agent something to remember: of one's own, or (who may change the agent) for everyone
#[utoipa::path(post, path = "/api/agents/{id}/memories", tag = "agents", params(("id" = Uuid, Path)), request_body = NewMemoryBody, responses((status = 201, body = MemoryView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<NewMemoryBody>,
) -> Result<(StatusCode, Json<MemoryView>), ApiError> {
    let (agent, role) = find_agent(&app, &caller, id).await?;
    if !agent.is_active {
        return Err(ApiError::not_found("agent"));
    }
    let scope = body.scope.unwrap_or(Scope::Own);
    may_write(&caller, &agent, role, scope)?;
    let workspace_id = agent.workspace_id;
    let new = NewMemory { workspace_id, agent_id: agent.id, scope, path: body.path, content: body.content };
    let memory = app.store.create_memory(new.checked()?, caller.profile.id).await?;
    Ok((StatusCode::CREATED, Json(memory.into())))
}

/// One memory
#[utoipa::path(get, path = "/api/agents/{id}/memories/{memoryId}", tag = "agents", params(("id" = Uuid, Path), ("memoryId" = Uuid, Path)), responses((status = 200, body = MemoryView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, memory): Ids,
) -> Result<Json<MemoryView>, ApiError> {
    let (agent, _) = find_agent(&app, &caller, id).await?;
    Ok(Json(app.store.memory(agent.id, MemoryId(memory), Some(caller.profile.id)).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryChangesBody {
    /// Within its scope, which stays.
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 150, nullable = false)]
    path: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 20_000, nullable = false)]
    content: Option<String>,
}

/// Change a memory: one's own, or (who may change the agent) the agent's
#[utoipa::path(patch, path = "/api/agents/{id}/memories/{memoryId}", tag = "agents", params(("id" = Uuid, Path), ("memoryId" = Uuid, Path)), request_body = MemoryChangesBody, responses((status = 200, body = MemoryView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, memory): Ids,
    Body(body): Body<MemoryChangesBody>,
) -> Result<Json<MemoryView>, ApiError> {
    let (agent, memory) = find_to_write(&app, &caller, id, memory).await?;
    let changes = MemoryChanges { path: body.path, content: body.content }.checked()?;
    Ok(Json(app.store.change_memory(agent, memory, changes, caller.profile.id).await?.into()))
}

/// Forget a memory: one's own, or (who may change the agent) the agent's
#[utoipa::path(delete, path = "/api/agents/{id}/memories/{memoryId}", tag = "agents", params(("id" = Uuid, Path), ("memoryId" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, memory): Ids,
) -> Result<Json<Success>, ApiError> {
    let (agent, memory) = find_to_write(&app, &caller, id, memory).await?;
    app.store.delete_memory(agent, memory, caller.profile.id).await?;
    Ok(done())
}

/// An agent of a workspace the caller is in, if they may use it or look after it. Also one that was let go: what it
/// remembers of a person stays theirs to see and to delete.
async fn find_agent(app: &App, caller: &Caller, id: Uuid) -> Result<(Agent, Role), ApiError> {
    let agent = app.store.agent(AgentId(id)).await?;
    let role = app.role_inside(caller, agent.workspace_id, "agent").await?;
    if !agent.may_be_changed_by(caller.profile.id, role) {
        may_use(caller.viewer(), Gate::from(&agent.definition), Use::Select)?;
    }
    Ok((agent, role))
}

async fn find_to_write(
    app: &App,
    caller: &Caller,
    id: Uuid,
    memory: Uuid,
) -> Result<(AgentId, MemoryId), ApiError> {
    let (agent, role) = find_agent(app, caller, id).await?;
    let memory = app.store.memory(agent.id, MemoryId(memory), Some(caller.profile.id)).await?;
    may_write(caller, &agent, role, memory.scope())?;
    Ok((agent.id, memory.id))
}

fn may_write(caller: &Caller, agent: &Agent, role: Role, scope: Scope) -> Result<(), ApiError> {
    match scope {
        Scope::Own => Ok(()),
        Scope::Agent if agent.may_be_changed_by(caller.profile.id, role) => Ok(()),
        Scope::Agent => Err(ApiError::role_too_low()),
    }
}
