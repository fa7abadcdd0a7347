//! Whether an agent may call a tool of other people without asking: always, ask or never, as an admin decides for each agent
//! and tool. What is decided here comes before the agent's permission mode and its allow rules.

use axum::Json;
use axum::extract::State;
use baton_core::defined_tools::{DefinedTool, ToolType};
use baton_core::ids::ToolId;
use baton_core::server_tools::{Level, Permission};
use baton_core::workspaces::Role;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agents::{InWorkspace, find_to_change};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, level_schema};

#[derive(Serialize, ToSchema)]
#[schema(as = ToolPermission)]
pub struct PermissionView {
    tool_id: Uuid,
    /// The name by which the server calls its tool; null if the tool is no server.
    #[schema(required)]
    raw_name: Option<String>,
    #[schema(schema_with = level_schema)]
    level: Level,
}

#[derive(Serialize, ToSchema)]
pub struct ToolPermissionList {
    permissions: Vec<PermissionView>,
}

/// What was decided about an agent's tools (its creator, admins and owners)
#[utoipa::path(get, path = "/api/agents/{id}/tool-permissions", tag = "agents", params(("id" = Uuid, Path), InWorkspace), responses((status = 200, body = ToolPermissionList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
) -> Result<Json<ToolPermissionList>, ApiError> {
    let (agent, _) = find_to_change(&app, &caller, id, query).await?;
    let permissions = app.store.tool_permissions(agent.id).await?;
    let view = |permission: Permission| PermissionView {
        tool_id: permission.tool_id.0,
        raw_name: permission.raw_name,
        level: permission.level,
    };
    Ok(Json(ToolPermissionList { permissions: permissions.into_iter().map(view).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewToolPermission)]
pub struct NewPermissionBody {
    tool_id: Uuid,
    /// Of a server: which of its tools.
    #[schema(max_length = 1_000)]
    raw_name: Option<String>,
    #[schema(schema_with = level_schema)]
    level: Level,
}

/// Decide about a tool of an agent (admins and owners)
///
/// "always" for a tool that reaches outside ends when its definition changes.
#[utoipa::path(put, path = "/api/agents/{id}/tool-permissions", tag = "agents", params(("id" = Uuid, Path), InWorkspace), request_body = NewPermissionBody, responses((status = 200, body = PermissionView), Errors))]
pub async fn set(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
    Body(body): Body<NewPermissionBody>,
) -> Result<Json<PermissionView>, ApiError> {
    caller.session()?;
    let (agent, role) = find_to_change(&app, &caller, id, query).await?;
    if role < Role::Admin {
        return Err(ApiError::role_too_low());
    }
    let tool = app.store.tool(ToolId(body.tool_id)).await?;
    if tool.workspace_id != agent.workspace_id {
        return Err(ApiError::not_found("tool"));
    }
    let definition_hash = definition_hash(&app, &tool, body.raw_name.as_deref()).await?;
    let permission = Permission {
        agent_id: agent.id,
        tool_id: tool.id,
        raw_name: body.raw_name.clone(),
        level: body.level,
        definition_hash,
    };
    app.store.set_tool_permission(permission, caller.profile.id).await?;
    app.workspace_changed(agent.workspace_id);
    Ok(Json(PermissionView { tool_id: tool.id.0, raw_name: body.raw_name, level: body.level }))
}

/// What the decision is bound to.
async fn definition_hash(
    app: &App,
    tool: &DefinedTool,
    raw_name: Option<&str>,
) -> Result<Option<String>, ApiError> {
    match (tool.definition.kind(), raw_name) {
        (ToolType::Handoff, _) => {
            Err(ApiError::invalid("tool_id", "is a handoff: nobody is asked about those"))
        }
        (ToolType::McpServer, None) => {
            Err(ApiError::invalid("raw_name", "must be given: the tool is a server"))
        }
        (ToolType::McpServer, Some(name)) => {
            let pinned = app.store.pinned_tools(tool.id).await?;
            let pinned = pinned.into_iter().find(|one| one.name == name);
            let pinned =
                pinned.ok_or_else(|| ApiError::invalid("raw_name", "must be a tool that is allowed"))?;
            Ok(Some(pinned.hash()))
        }
        (_, Some(_)) => Err(ApiError::invalid("raw_name", "must be left out: the tool is no server")),
        (_, None) => Ok(None),
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PermissionQuery {
    #[serde(rename = "toolId")]
    tool_id: Uuid,
    #[serde(rename = "rawName")]
    raw_name: Option<String>,
    /// The workspace from which a catalog id is meant.
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
}

/// Take such a decision back (admins and owners)
#[utoipa::path(delete, path = "/api/agents/{id}/tool-permissions", tag = "agents", params(("id" = Uuid, Path), PermissionQuery), responses((status = 200, body = Success), Errors))]
pub async fn take_back(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<PermissionQuery>,
) -> Result<Json<Success>, ApiError> {
    caller.session()?;
    let within = InWorkspace { workspace_id: query.workspace_id };
    let (agent, role) = find_to_change(&app, &caller, id, within).await?;
    if role < Role::Admin {
        return Err(ApiError::role_too_low());
    }
    let (tool, raw_name) = (ToolId(query.tool_id), query.raw_name.as_deref());
    app.store.remove_tool_permission(agent.id, tool, raw_name, caller.profile.id).await?;
    app.workspace_changed(agent.workspace_id);
    Ok(done())
}
