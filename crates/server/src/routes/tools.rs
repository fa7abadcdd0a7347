//! Tools that people define. An agent has a handoff tool if its `tools` name it. So a person who makes, changes or
//! deletes one changes the agents that name it, and must be allowed to change them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::agents::Agent;
use baton_core::handoff_tools::{DefinedTool, ToolDefinition, ToolType};
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::workspaces::Role;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_view::{ToolDetail, ToolsHere, built_in_tools};
use super::agents::all_hired;
use super::tool_body::{NewTool, ToolChanges, VariableBody};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, tool_type_schema};

/// A tool that people defined.
#[derive(Serialize, ToSchema)]
#[schema(as = Tool)]
pub struct ToolView {
    id: Uuid,
    workspace_id: Uuid,
    /// What models call it by; an agent has it by this name in its `tools`.
    name: String,
    #[serde(rename = "type")]
    #[schema(schema_with = tool_type_schema)]
    kind: ToolType,
    description: String,
    config: HandoffConfigView,
    #[schema(required)]
    created_by: Option<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = HandoffConfig)]
pub struct HandoffConfigView {
    target_agent_id: Uuid,
    /// Null if the target was let go.
    #[schema(required)]
    target_agent_slug: Option<String>,
    context_variables: Vec<VariableBody>,
    #[schema(required)]
    handoff_instructions: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ToolQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct ToolList {
    tools: Vec<ToolView>,
    /// What Baton has itself; the ids are what agents list in `tools`.
    built_in: Vec<ToolDetail>,
}

/// The tools of a workspace: those that its people defined, and all of Baton's own
#[utoipa::path(get, path = "/api/tools", tag = "teams", params(ToolQuery), responses((status = 200, body = ToolList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ToolQuery>,
) -> Result<Json<ToolList>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace).await?;
    let (tools, agents) = (app.store.tools(workspace).await?, all_hired(&app, workspace).await?);
    let tools = tools.into_iter().map(|tool| ToolView::new(tool, &agents)).collect();
    let here = ToolsHere::of(&app, workspace).await?;
    Ok(Json(ToolList { tools, built_in: built_in_tools(&here) }))
}

/// Define a handoff tool
#[utoipa::path(post, path = "/api/tools", tag = "teams", request_body = NewTool, responses((status = 201, body = ToolView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewTool>,
) -> Result<(StatusCode, Json<ToolView>), ApiError> {
    let NewDraft { workspace, definition, agents } = NewDraft::checked(&app, &caller, body).await?;
    let tool = app.store.create_tool(workspace, definition, caller.profile.id).await?;
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(ToolView::new(tool, &agents))))
}

/// One tool that people defined
#[utoipa::path(get, path = "/api/tools/{id}", tag = "teams", params(("id" = Uuid, Path)), responses((status = 200, body = ToolView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<ToolView>, ApiError> {
    let (tool, _) = find(&app, &caller, id).await?;
    let agents = all_hired(&app, tool.workspace_id).await?;
    Ok(Json(ToolView::new(tool, &agents)))
}

/// Change a tool (who defined it, admins and owners)
#[utoipa::path(patch, path = "/api/tools/{id}", tag = "teams", params(("id" = Uuid, Path)), request_body = ToolChanges, responses((status = 200, body = ToolView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ToolChanges>,
) -> Result<Json<ToolView>, ApiError> {
    let ChangedDraft { tool, definition, agents } = ChangedDraft::checked(&app, &caller, id, body).await?;
    let tool = app.store.change_tool(tool, definition, caller.profile.id).await?;
    app.workspace_changed(tool.workspace_id);
    Ok(Json(ToolView::new(tool, &agents)))
}

/// Delete a tool; agents that name it go on without it (who defined it, admins and owners)
#[utoipa::path(delete, path = "/api/tools/{id}", tag = "teams", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let (tool, role) = find_to_change(&app, &caller, id).await?;
    let agents = all_hired(&app, tool.workspace_id).await?;
    check_users(&caller, role, &agents, &[&tool.definition.name])?;
    app.store.delete_tool(tool.id, caller.profile.id).await?;
    app.workspace_changed(tool.workspace_id);
    Ok(done())
}

/// A tool that the caller may define, as it would be stored.
pub struct NewDraft {
    pub workspace: WorkspaceId,
    pub definition: ToolDefinition,
    agents: Vec<Agent>,
}

impl NewDraft {
    pub async fn checked(app: &App, caller: &Caller, body: NewTool) -> Result<Self, ApiError> {
        let workspace = WorkspaceId(body.workspace_id);
        let role = app.role(caller, workspace).await?;
        let agents = all_hired(app, workspace).await?;
        let definition = body.definition(&agents)?;
        check_users(caller, role, &agents, &[&definition.name])?;
        Ok(Self { workspace, definition, agents })
    }
}

/// A tool that the caller may change, as it would be stored.
pub struct ChangedDraft {
    pub tool: ToolId,
    pub definition: ToolDefinition,
    agents: Vec<Agent>,
}

impl ChangedDraft {
    pub async fn checked(app: &App, caller: &Caller, id: Uuid, body: ToolChanges) -> Result<Self, ApiError> {
        let (tool, role) = find_to_change(app, caller, id).await?;
        let agents = all_hired(app, tool.workspace_id).await?;
        let definition = body.definition(&tool, &agents)?;
        check_users(caller, role, &agents, &[&tool.definition.name, &definition.name])?;
        Ok(Self { tool: tool.id, definition, agents })
    }
}

pub async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<(DefinedTool, Role), ApiError> {
    let tool = app.store.tool(ToolId(id)).await?;
    let role = app.role_inside(caller, tool.workspace_id, "tool").await?;
    Ok((tool, role))
}

async fn find_to_change(app: &App, caller: &Caller, id: Uuid) -> Result<(DefinedTool, Role), ApiError> {
    let (tool, role) = find(app, caller, id).await?;
    let made_it = tool.created_by == Some(caller.profile.id);
    if made_it || role >= Role::Admin { Ok((tool, role)) } else { Err(ApiError::role_too_low()) }
}

/// Refuses to touch what an agent has that the caller may not change. What it has at the public address is for admins
/// and owners, whoever made the agent.
fn check_users(caller: &Caller, role: Role, agents: &[Agent], names: &[&str]) -> Result<(), ApiError> {
    let has_one = |agent: &&Agent| names.iter().any(|name| agent.names_tool(name));
    let is_public = |agent: &Agent| agent.public_tools.iter().any(|tool| names.contains(&tool.as_str()));
    let may_change = |agent: &Agent| agent.may_be_changed_by(caller.profile.id, role);
    for agent in agents.iter().filter(has_one) {
        let name = &agent.definition.name;
        let why = match (may_change(agent), is_public(agent) && role < Role::Admin) {
            (true, false) => continue,
            (true, true) => format!("{name} has this tool at the public address, which is for admins."),
            (false, _) => format!("{name} has this tool, and you may not change that agent."),
        };
        return Err(ApiError::role_too_low().with_message(why));
    }
    Ok(())
}

impl ToolView {
    fn new(tool: DefinedTool, agents: &[Agent]) -> Self {
        let ToolDefinition { name, kind, description, config } = tool.definition;
        let target = agents.iter().find(|agent| agent.id == config.target_agent_id);
        Self {
            id: tool.id.0,
            workspace_id: tool.workspace_id.0,
            name,
            kind,
            description,
            config: HandoffConfigView {
                target_agent_id: config.target_agent_id.0,
                target_agent_slug: target.map(|agent| agent.slug.clone()),
                context_variables: config.context_variables.into_iter().map(VariableBody::from).collect(),
                handoff_instructions: config.handoff_instructions,
            },
            created_by: tool.created_by.map(|id| id.0),
            created_at: tool.created_at,
            updated_at: tool.updated_at,
        }
    }
}
