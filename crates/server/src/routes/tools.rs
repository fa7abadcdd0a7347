//! Tools that people define. An agent has such a tool if its `tools` name it. So a person who makes, changes or deletes one
//! changes the agents that name it, and must be allowed to change them. What reaches outside is for admins and owners.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::agents::Agent;
use baton_core::defined_tools::{DefinedTool, McpServerConfig, ToolConfig, ToolDefinition, ToolType};
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::secrets::SecretChange;
use baton_core::server_tools::Trouble;
use baton_core::store;
use baton_core::visitors::Person;
use baton_core::workspaces::Role;
use baton_tools::outbound::OutboundError;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_view::{ToolDetail, ToolsHere, built_in_tools};
use super::agents::all_hired;
use super::tool_body::{NewTool, ToolChanges};
use super::tool_config::ToolConfigView;
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
    config: ToolConfigView,
    /// Names of secrets without a value that can be used here: the tool doesn't work without them.
    missing_secrets: Vec<String>,
    /// Of an MCP server that is down: why its tools can't be used now, as far as is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    trouble: Option<String>,
    /// Of an MCP server: the caller has to sign in there first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    needs_sign_in: bool,
    #[schema(required)]
    created_by: Option<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
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
    /// MCP servers of Baton's configuration file that the workspace may use: a tool names one in its `config`.
    configured_servers: Vec<ConfiguredServerView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ConfiguredServer)]
pub struct ConfiguredServerView {
    name: String,
    description: String,
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
    let mut views = Vec::with_capacity(tools.len());
    for tool in tools {
        views.push(ToolView::new(&app, &caller, tool, &agents).await?);
    }
    let here = ToolsHere::of(&app, workspace).await?;
    let configured = app.servers.configured_for(workspace).map(|server| ConfiguredServerView {
        name: server.name.clone(),
        description: server.description.clone(),
    });
    let configured_servers = configured.collect();
    Ok(Json(ToolList { tools: views, built_in: built_in_tools(&here), configured_servers }))
}

/// Define a tool (tools that reach outside: admins and owners; a program on the server: admins of the server)
#[utoipa::path(post, path = "/api/tools", tag = "teams", request_body = NewTool, responses((status = 201, body = ToolView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(mut body): Body<NewTool>,
) -> Result<(StatusCode, Json<ToolView>), ApiError> {
    let given = std::mem::take(&mut body.secrets);
    let NewDraft { workspace, definition, agents } = NewDraft::checked(&app, &caller, body).await?;
    let id = ToolId::new();
    let secrets = app.tool_secrets.of_new(workspace, id, &definition, given).await?;
    let new = store::NewTool { id, workspace_id: workspace, definition, secrets };
    let tool = app.store.create_tool(new, caller.profile.id).await?;
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(ToolView::new(&app, &caller, tool, &agents).await?)))
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
    Ok(Json(ToolView::new(&app, &caller, tool, &agents).await?))
}

/// Change a tool (who defined it, admins and owners)
#[utoipa::path(patch, path = "/api/tools/{id}", tag = "teams", params(("id" = Uuid, Path)), request_body = ToolChanges, responses((status = 200, body = ToolView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(mut body): Body<ToolChanges>,
) -> Result<Json<ToolView>, ApiError> {
    let given = std::mem::take(&mut body.secrets);
    let ChangedDraft { tool, definition, agents } = ChangedDraft::checked(&app, &caller, id, body).await?;
    let secrets: SecretChange = app.tool_secrets.of_changed(&tool, &definition, given).await?;
    let tool = app.store.change_tool(tool.id, definition, secrets, caller.profile.id).await?;
    // What can't be reached any more has no connection either.
    let server = app.servers.server(&tool).await.ok().flatten();
    app.connections.changed(tool.id, server.as_ref());
    app.workspace_changed(tool.workspace_id);
    Ok(Json(ToolView::new(&app, &caller, tool, &agents).await?))
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
    app.connections.changed(tool.id, None);
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
        check_reach(app, caller, role, workspace, &definition).await?;
        Ok(Self { workspace, definition, agents })
    }
}

/// A tool that the caller may change, as it would be stored.
pub struct ChangedDraft {
    pub tool: DefinedTool,
    pub definition: ToolDefinition,
    agents: Vec<Agent>,
}

impl ChangedDraft {
    pub async fn checked(app: &App, caller: &Caller, id: Uuid, body: ToolChanges) -> Result<Self, ApiError> {
        let (tool, role) = find_to_change(app, caller, id).await?;
        let agents = all_hired(app, tool.workspace_id).await?;
        let definition = body.definition(&tool, &agents)?;
        check_users(caller, role, &agents, &[&tool.definition.name, &definition.name])?;
        check_reach(app, caller, role, tool.workspace_id, &definition).await?;
        Ok(Self { tool, definition, agents })
    }
}

pub async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<(DefinedTool, Role), ApiError> {
    let tool = app.store.tool(ToolId(id)).await?;
    let role = app.role_inside(caller, tool.workspace_id, "tool").await?;
    Ok((tool, role))
}

async fn find_to_change(app: &App, caller: &Caller, id: Uuid) -> Result<(DefinedTool, Role), ApiError> {
    let (tool, role) = find(app, caller, id).await?;
    if tool.definition.config.reaches_outside() {
        caller.session()?;
    }
    let made_it = tool.created_by == Some(caller.profile.id) && !tool.definition.config.reaches_outside();
    if made_it || role >= Role::Admin { Ok((tool, role)) } else { Err(ApiError::role_too_low()) }
}

/// What reaches outside is for admins in person, and so is what they let it do there. An address that could not be called is
/// refused at once, so that they are told; it is checked again for every call.
async fn check_reach(
    app: &App,
    caller: &Caller,
    role: Role,
    workspace: WorkspaceId,
    definition: &ToolDefinition,
) -> Result<(), ApiError> {
    if let ToolConfig::Internal(preset) = &definition.config {
        let tool = app.tools.built_in(&preset.tool);
        let tool =
            tool.ok_or_else(|| ApiError::invalid("config.tool", "must be one of Baton's own tools"))?;
        return Ok(preset.check_against(&tool.spec().parameters)?);
    }
    if !definition.config.reaches_outside() {
        return Ok(());
    }
    caller.session()?;
    if role < Role::Admin {
        return Err(ApiError::role_too_low());
    }
    let (field, url) = match &definition.config {
        ToolConfig::McpServer(server) if server.runs_here() => return caller.admin(),
        ToolConfig::McpServer(McpServerConfig::Configured { server, .. }) => {
            let is_there = app.servers.configured_for(workspace).any(|there| there.name == *server);
            let missing =
                || ApiError::invalid("config.server", "must be one of the workspace's configured_servers");
            return is_there.then_some(()).ok_or_else(missing);
        }
        ToolConfig::SupabaseRpc(_) => ("config.base_url", definition.config.secrets_go_to()),
        _ => ("config.url", definition.config.secrets_go_to()),
    };
    let url = url.and_then(|url| Url::parse(&url).ok());
    let url = url.ok_or_else(|| ApiError::invalid(field, "must be an http(s) address"))?;
    match app.outbound.checked_address(&url).await {
        Err(OutboundError::Forbidden) => {
            let message = "points to an address that is not public. An admin of this server can open the network with \
                           outbound_allow";
            Err(ApiError::invalid(field, message))
        }
        // A name may lead nowhere today.
        Ok(_) | Err(_) => Ok(()),
    }
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
    async fn new(app: &App, caller: &Caller, tool: DefinedTool, agents: &[Agent]) -> Result<Self, ApiError> {
        let missing_secrets = app.tool_secrets.missing(&tool).await?;
        let (trouble, needs_sign_in) =
            match app.servers.tools.trouble(tool.id, Some(Person::Profile(caller.profile.id))) {
                Some(Trouble::Down(why)) => (Some(why), false),
                Some(Trouble::NeedsSignIn) => (None, true),
                None => (None, false),
            };
        let kind = tool.definition.kind();
        let ToolDefinition { name, description, config } = tool.definition;
        Ok(Self {
            id: tool.id.0,
            workspace_id: tool.workspace_id.0,
            name,
            kind,
            description,
            config: ToolConfigView::new(config, agents),
            missing_secrets,
            trouble,
            needs_sign_in,
            created_by: tool.created_by.map(|id| id.0),
            created_at: tool.created_at,
            updated_at: tool.updated_at,
        })
    }
}
