//! Tools that people define. An agent has a handoff tool if its `tools` name it. So a person who makes, changes or
//! deletes one changes the agents that name it, and must be allowed to change them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::agents::Agent;
use baton_core::handoff_tools::{
    DefinedTool, HandoffConfig, ToolDefinition, ToolType, Variable, VariableType,
};
use baton_core::ids::{AgentId, ToolId, WorkspaceId};
use baton_core::workspaces::Role;
use baton_tools::directory;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_view::{ToolDetail, built_in_tools};
use super::agents::all_hired;
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, some, tool_type_schema, variable_type_schema};

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

/// What the calling model must or may pass along.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = ContextVariable)]
#[serde(deny_unknown_fields)]
pub struct VariableBody {
    /// Begins with a letter; letters, digits and _.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    #[serde(rename = "type")]
    #[schema(schema_with = variable_type_schema)]
    kind: VariableType,
    #[serde(default)]
    required: bool,
    #[schema(max_length = 500)]
    description: Option<String>,
    /// The only values it can have.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 50)]
    choices: Option<Vec<Value>>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTool {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// One of its kind in the workspace, and no name of a tool that Baton brings along.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    name: String,
    #[serde(rename = "type")]
    #[schema(schema_with = tool_type_schema)]
    kind: ToolType,
    /// When to use it: this is what the calling model reads.
    #[schema(min_length = 1, max_length = 2_000)]
    description: String,
    config: HandoffConfigBody,
}

/// Where a handoff tool leads. The target is named by its id, by its slug, or by both.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewHandoffConfig)]
#[serde(deny_unknown_fields)]
pub struct HandoffConfigBody {
    target_agent_id: Option<Uuid>,
    #[schema(max_length = 100)]
    target_agent_slug: Option<String>,
    #[serde(default)]
    #[schema(max_items = 20)]
    context_variables: Vec<VariableBody>,
    /// For the target, in its system prompt. Whoever calls the tool reads them in its definition.
    #[schema(max_length = 8_000)]
    handoff_instructions: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolChanges {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 64, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 2_000, nullable = false)]
    description: Option<String>,
    /// The whole configuration from now on.
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    config: Option<HandoffConfigBody>,
    /// This field and the following ones may be sent back as they were read, but can't be changed.
    id: Option<Uuid>,
    workspace_id: Option<Uuid>,
    #[serde(rename = "type")]
    #[schema(schema_with = tool_type_schema)]
    kind: Option<ToolType>,
    created_by: Option<Uuid>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
}

impl ToolChanges {
    /// A tool can be sent back as it was read, with what can't be changed as it is.
    fn check_kept(&self, tool: &DefinedTool) -> Result<(), ApiError> {
        fn kept<T: PartialEq>(given: Option<T>, is: T) -> bool {
            given.is_none_or(|given| given == is)
        }
        let changed = [
            ("id", kept(self.id, tool.id.0)),
            ("workspace_id", kept(self.workspace_id, tool.workspace_id.0)),
            ("type", kept(self.kind, tool.definition.kind)),
            ("created_by", kept(self.created_by.map(Some), tool.created_by.map(|id| id.0))),
            ("created_at", kept(self.created_at, tool.created_at)),
        ];
        if let Some((field, _)) = changed.into_iter().find(|(_, is_kept)| !is_kept) {
            return Err(ApiError::invalid(field, "can't be changed"));
        }
        if !kept(self.updated_at, tool.updated_at) {
            let message =
                "must be when the tool was last changed: someone else may have changed it since you read it";
            return Err(ApiError::invalid("updated_at", message));
        }
        Ok(())
    }
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

/// The tools that a workspace's people defined, by name
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
    Ok(Json(ToolList { tools, built_in: built_in_tools() }))
}

/// Define a handoff tool
#[utoipa::path(post, path = "/api/tools", tag = "teams", request_body = NewTool, responses((status = 201, body = ToolView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewTool>,
) -> Result<(StatusCode, Json<ToolView>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    let role = app.role(&caller, workspace).await?;
    let agents = all_hired(&app, workspace).await?;
    let definition = ToolDefinition {
        name: body.name,
        kind: body.kind,
        description: body.description,
        config: body.config.resolved(&agents)?,
    };
    let definition = definition.checked(directory::is_built_in)?;
    check_users(&caller, role, &agents, &[&definition.name])?;
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
    let (tool, role) = find_to_change(&app, &caller, id).await?;
    body.check_kept(&tool)?;
    let agents = all_hired(&app, tool.workspace_id).await?;
    let before = tool.definition;
    let definition = ToolDefinition {
        name: body.name.unwrap_or_else(|| before.name.clone()),
        kind: before.kind,
        description: body.description.unwrap_or(before.description),
        config: match body.config {
            Some(config) => config.resolved(&agents)?,
            None => before.config,
        },
    };
    let definition = definition.checked(directory::is_built_in)?;
    check_users(&caller, role, &agents, &[&before.name, &definition.name])?;
    let tool = app.store.change_tool(tool.id, definition, caller.profile.id).await?;
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

async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<(DefinedTool, Role), ApiError> {
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

impl HandoffConfigBody {
    fn resolved(self, agents: &[Agent]) -> Result<HandoffConfig, ApiError> {
        const SLUG: &str = "config.target_agent_slug";
        let slug = self.target_agent_slug.as_deref();
        let named = slug.map(|slug| {
            let named = agents.iter().find(|agent| agent.slug == slug).map(|agent| agent.id);
            named.ok_or_else(|| ApiError::invalid(SLUG, "must be an agent of this workspace"))
        });
        let target_agent_id = match (self.target_agent_id.map(AgentId), named.transpose()?) {
            (Some(id), Some(named)) if id != named => {
                return Err(ApiError::invalid(SLUG, "must name the same agent as target_agent_id"));
            }
            (Some(id), _) | (None, Some(id)) => id,
            (None, None) => {
                let message = "or target_agent_slug is required";
                return Err(ApiError::invalid("config.target_agent_id", message));
            }
        };
        let variable = |body: VariableBody| Variable {
            name: body.name,
            kind: body.kind,
            required: body.required,
            description: body.description,
            choices: body.choices,
        };
        Ok(HandoffConfig {
            target_agent_id,
            context_variables: self.context_variables.into_iter().map(variable).collect(),
            handoff_instructions: self.handoff_instructions,
        })
    }
}

impl ToolView {
    fn new(tool: DefinedTool, agents: &[Agent]) -> Self {
        let ToolDefinition { name, kind, description, config } = tool.definition;
        let target = agents.iter().find(|agent| agent.id == config.target_agent_id);
        let variable = |variable: Variable| VariableBody {
            name: variable.name,
            kind: variable.kind,
            required: variable.required,
            description: variable.description,
            choices: variable.choices,
        };
        Self {
            id: tool.id.0,
            workspace_id: tool.workspace_id.0,
            name,
            kind,
            description,
            config: HandoffConfigView {
                target_agent_id: config.target_agent_id.0,
                target_agent_slug: target.map(|agent| agent.slug.clone()),
                context_variables: config.context_variables.into_iter().map(variable).collect(),
                handoff_instructions: config.handoff_instructions,
            },
            created_by: tool.created_by.map(|id| id.0),
            created_at: tool.created_at,
            updated_at: tool.updated_at,
        }
    }
}
