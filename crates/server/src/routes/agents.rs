//! Agents: list, read, create one's own, change.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use baton_core::access::{Gate, Use, Viewer, may_use};
use baton_core::agents::{Agent, AgentChanges, AgentDefinition, Category, model_name, tool_names};
use baton_core::catalog::AgentListing;
use baton_core::ids::{DepartmentId, WorkspaceId};
use baton_core::listing::{AgentQuery, Window};
use baton_core::people::Tier;
use baton_core::prompt;
use baton_core::store::Error;
use baton_core::subtasks;
use baton_core::workspaces::Role;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_body::{AgentFields, NewAgent};
use super::agent_view::{AgentWithHireStatus, CatalogAgentView, LocalAgent, ToolsHere};
use super::rules::RuleView;
use super::{avatars, public};
use baton_engine::Assignment;
use baton_tools::directory;

use crate::app::{App, SharedApp};
use crate::http::{
    ApiError, Body, Caller, Errors, Id, Params, PresentAs, Someone, Who, category_schema, search, window,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// Part of a name or description, in any case.
    #[param(max_length = 200)]
    search: Option<String>,
    #[param(schema_with = category_schema)]
    category: Option<Category>,
    department_id: Option<Uuid>,
    /// Only agents the workspace has.
    hired_only: Option<bool>,
    /// `false` leaves out each agent's `system_prompt`, which can be long. It is there otherwise.
    prompts: Option<bool>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct AgentList {
    agents: Vec<AgentWithHireStatus>,
    /// How many there are without limit and offset.
    total: u64,
}

/// The workspace's agents and those it could hire
///
/// At a workspace's public address guests and visitors get a `PublicAgentList`: the hired agents they may talk to.
#[utoipa::path(get, path = "/api/agents", tag = "agents", params(ListQuery), responses((status = 200, body = AgentList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    someone: Someone,
    Params(query): Params<ListQuery>,
) -> Result<Response, ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    let present = app.present(&someone, workspace_id).await?;
    let with_prompts = query.prompts.unwrap_or(true);
    let query = AgentQuery {
        workspace_id,
        search: search(query.search.as_deref())?,
        category: query.category,
        department_id: query.department_id.map(DepartmentId),
        hired_only: query.hired_only.unwrap_or(false),
        window: window(query.limit, query.offset)?,
    };
    let (Who::Profile(caller), PresentAs::Member(role)) = (&someone.who, present.present_as) else {
        return Ok(Json(public::agents(&app, query, someone.viewer()).await?).into_response());
    };
    let page = app.store.agents(query, caller.viewer()).await?;
    let may_change = |agent: &Agent| may_change(caller, agent, role);
    let tools = ToolsHere::of(&app, workspace_id).await?;
    let view = |row| {
        let agent = AgentWithHireStatus::of_listing(row, may_change)?.with_tools(&tools);
        Ok(if with_prompts { agent } else { agent.without_prompt() })
    };
    let agents = page.rows.into_iter().map(view).collect::<Result<_, ApiError>>()?;
    Ok(Json(AgentList { agents, total: page.total }).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InWorkspace {
    /// The workspace from which a catalog id is meant. Not needed with a hired agent's id, nor to read what exactly one
    /// of the caller's workspaces hired.
    #[serde(rename = "workspaceId")]
    pub workspace_id: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
pub struct AgentDetail {
    agent: CatalogAgentView,
    #[serde(rename = "localAgent")]
    #[schema(required)]
    local_agent: Option<LocalAgent>,
    #[serde(rename = "isHired")]
    is_hired: bool,
    /// The rules it follows, in order.
    rules: Vec<RuleView>,
    /// The fixed part of what its model is told: system prompt, then rules, then the skills it can load.
    effective_system_prompt: String,
}

/// One agent, by a hired agent's id or a catalog id
#[utoipa::path(get, path = "/api/agents/{id}", tag = "agents", params(("id" = Uuid, Path), InWorkspace), responses((status = 200, body = AgentDetail), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
) -> Result<Json<AgentDetail>, ApiError> {
    let query = match query.workspace_id {
        Some(_) => query,
        None => InWorkspace { workspace_id: the_one_that_hired(&app, &caller, id).await? },
    };
    let (listing, role) = find(&app, &caller, id, query).await?;
    let listing = as_seen_by(&caller, listing, role)?;
    let definition = listing.definition().ok_or_else(|| ApiError::not_found("agent"))?.clone();
    let agent_id = listing.hired.as_ref().map(|agent| agent.id);
    let catalog_id = listing.catalog.as_ref().map(|agent| agent.id);
    let rules = app.store.rules_of(agent_id, catalog_id).await?;
    let effective_system_prompt = match agent_id {
        Some(id) => app.engine.ready_agent(Assignment::of_member(id)).await?.system_prompt.clone(),
        None => prompt::fixed_part(&definition.system_prompt, &rules),
    };
    let tools = match &listing.hired {
        Some(agent) => ToolsHere::of(&app, agent.workspace_id).await?,
        None => ToolsHere::default(),
    };
    Ok(Json(AgentDetail {
        is_hired: listing.hired.as_ref().is_some_and(|agent| agent.is_active),
        local_agent: (listing.hired.clone())
            .map(|agent| LocalAgent::new(agent, listing.department.clone(), &tools)),
        effective_system_prompt,
        rules: rules.into_iter().map(Into::into).collect(),
        agent: CatalogAgentView::of_listing(listing)?.with_tools(&tools),
    }))
}

/// Where a catalog id is given alone: the caller's workspace that hired it, if there is exactly one.
async fn the_one_that_hired(app: &App, caller: &Caller, id: Uuid) -> Result<Option<Uuid>, ApiError> {
    let mut hired = Vec::new();
    for membership in app.store.memberships(caller.profile.id).await? {
        let workspace = membership.workspace_id;
        // A token is good in one workspace only.
        match app.role(caller, workspace).await {
            Ok(_) => {}
            Err(refused) if refused.status() == StatusCode::FORBIDDEN => continue,
            Err(error) => return Err(error),
        }
        let listing = match app.store.agent_listing(id, Some(workspace)).await {
            Ok(listing) => listing,
            Err(Error::NotFound(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        // By the id of a hired agent itself, its workspace is known.
        match listing.hired {
            Some(agent) if agent.id.0 == id => return Ok(None),
            Some(agent) if agent.is_active => hired.push(workspace.0),
            _ => {}
        }
    }
    Ok(if hired.len() == 1 { hired.pop() } else { None })
}

/// What the caller may see of an agent: of a restricted one, nothing, unless they look after it.
fn as_seen_by(
    caller: &Caller,
    mut listing: AgentListing,
    role: Option<Role>,
) -> Result<AgentListing, ApiError> {
    let manages = |agent: &Agent| role.is_some_and(|role| may_change(caller, agent, role));
    let may_see = |definition| may_use(caller.viewer(), Gate::from(definition), Use::See);
    let seen_as_hired = match &listing.hired {
        Some(agent) if manages(agent) => return Ok(listing),
        Some(agent) if agent.is_active || listing.catalog.is_none() => Some(may_see(&agent.definition)),
        _ => None,
    };
    let seen_in_catalog = listing.catalog.as_ref().map(|entry| may_see(&entry.definition));
    match (seen_as_hired, seen_in_catalog) {
        (Some(Err(refusal)), _) | (None, Some(Err(refusal))) => return Err(refusal.into()),
        (Some(Ok(())), Some(Err(_))) => {
            // The workspace opened its copy: the copy is all there is to see.
            if let (Some(entry), Some(agent)) = (&mut listing.catalog, &listing.hired) {
                entry.definition = agent.definition.clone();
            }
        }
        _ => {}
    }
    if listing.catalog.is_some() {
        listing.hired = listing.hired.filter(|agent| agent.is_active);
    }
    Ok(listing)
}

/// Finds an agent the caller can reach, and their role in its workspace.
async fn find(
    app: &App,
    caller: &Caller,
    id: Uuid,
    query: InWorkspace,
) -> Result<(AgentListing, Option<Role>), ApiError> {
    let workspace = query.workspace_id.map(WorkspaceId);
    let role = match workspace {
        Some(workspace) => Some(app.role(caller, workspace).await?),
        None => None,
    };
    let listing = app.store.agent_listing(id, workspace).await?;
    let role = match (&listing.hired, workspace) {
        (Some(agent), None) => Some(app.role_inside(caller, agent.workspace_id, "agent").await?),
        (Some(agent), Some(workspace)) if agent.workspace_id != workspace => {
            return Err(ApiError::not_found("agent"));
        }
        _ => role,
    };
    Ok((listing, role))
}

/// The workspace's agent behind an id, for someone who may change it.
pub async fn find_to_change(
    app: &App,
    caller: &Caller,
    id: Uuid,
    query: InWorkspace,
) -> Result<(Agent, Role), ApiError> {
    let (agent, role) = find_hired(app, caller, id, query).await?;
    if may_change(caller, &agent, role) { Ok((agent, role)) } else { Err(ApiError::role_too_low()) }
}

/// The same, for who may let it go: whoever brought it, unless visitors reach it, admins and owners.
pub async fn find_to_let_go(
    app: &App,
    caller: &Caller,
    id: Uuid,
    query: InWorkspace,
) -> Result<(Agent, Role), ApiError> {
    let (agent, role) = find_hired(app, caller, id, query).await?;
    if agent.may_be_let_go_by(caller.profile.id, role) {
        Ok((agent, role))
    } else {
        Err(ApiError::role_too_low())
    }
}

async fn find_hired(
    app: &App,
    caller: &Caller,
    id: Uuid,
    query: InWorkspace,
) -> Result<(Agent, Role), ApiError> {
    let (listing, role) = find(app, caller, id, query).await?;
    let hired = listing.hired.filter(|agent| agent.is_active);
    hired.zip(role).ok_or_else(|| ApiError::not_found("agent"))
}

fn may_change(caller: &Caller, agent: &Agent, role: Role) -> bool {
    agent.may_be_changed_by(caller.profile.id, role)
}

/// All agents that a workspace has hired, whoever may see them.
pub async fn all_hired(app: &App, workspace_id: WorkspaceId) -> Result<Vec<Agent>, ApiError> {
    let listed = all(app, workspace_id, true).await?;
    Ok(listed.into_iter().filter_map(|listing| listing.hired).collect())
}

/// All agents that a workspace has, and unless only those are wanted, all that it could hire.
pub async fn all(
    app: &App,
    workspace_id: WorkspaceId,
    hired_only: bool,
) -> Result<Vec<AgentListing>, ApiError> {
    let window = Window { limit: u64::MAX, offset: 0 };
    let query =
        AgentQuery { workspace_id, search: None, category: None, department_id: None, hired_only, window };
    Ok(app.store.agents(query, Viewer::Profile(Tier::Premium)).await?.rows)
}

/// A workspace's agent, with its department.
pub async fn local_agent(app: &App, agent: Agent) -> Result<LocalAgent, ApiError> {
    let departments = app.store.departments().await?;
    let department = departments.into_iter().find(|d| Some(d.id) == agent.definition.department_id);
    let tools = ToolsHere::of(app, agent.workspace_id).await?;
    Ok(LocalAgent::new(agent, department, &tools))
}

fn check_admin_fields(changes: &AgentChanges, role: Role) -> Result<(), ApiError> {
    match changes.needs_admin() {
        Some(field) if role < Role::Admin => Err(ApiError::role_too_low().at(field)),
        _ => Ok(()),
    }
}

/// A model that is changed must be one there is. What an agent has already may stay: aliases come and go with the
/// configuration, and packs bring their own.
pub async fn check_model(
    app: &App,
    workspace: Option<WorkspaceId>,
    changes: &AgentChanges,
    now: &AgentDefinition,
) -> Result<(), ApiError> {
    match &changes.model {
        Some(model) if model.trim() != now.model => {
            let model = model_name(model)?;
            app.models.set_of(workspace).await?.check_name(&model).map_err(Into::into)
        }
        _ => Ok(()),
    }
}

/// Make an agent of the workspace's own
#[utoipa::path(post, path = "/api/agents", tag = "agents", request_body = NewAgent, responses((status = 201, body = LocalAgent), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewAgent>,
) -> Result<(StatusCode, Json<LocalAgent>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    let role = app.role(&caller, workspace).await?;
    let (mut definition, mut changes) = body.split()?;
    check_admin_fields(&changes, role)?;
    if role < Role::Admin && definition.is_support() {
        // A name suggests; who visitors reach is an admin's decision.
        definition.role = None;
    }
    check_model(&app, Some(workspace), &changes, &definition).await?;
    avatars::keep(&app, &mut changes, &definition, Some(workspace), caller.profile.id).await?;
    changes.apply(&mut definition)?;
    let agent = app.store.create_agent(workspace, definition, caller.author(role)).await?;
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(local_agent(&app, agent).await?)))
}

/// Change a workspace's agent (its creator, admins and owners)
#[utoipa::path(patch, path = "/api/agents/{id}", tag = "agents", params(("id" = Uuid, Path), InWorkspace), request_body = AgentFields, responses((status = 200, body = LocalAgent), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
    Body(body): Body<AgentFields>,
) -> Result<Json<LocalAgent>, ApiError> {
    let (agent, role) = find_to_change(&app, &caller, id, query).await?;
    let mut changes = AgentChanges::from(body);
    check_admin_fields(&changes, role)?;
    check_model(&app, Some(agent.workspace_id), &changes, &agent.definition).await?;
    if let Some(names) = &changes.public_tools {
        changes.public_tools = Some(public_tools(&app, &agent, names).await?);
    }
    avatars::keep(&app, &mut changes, &agent.definition, Some(agent.workspace_id), caller.profile.id).await?;
    let agent = app.store.change_agent(agent.id, changes, caller.author(role)).await?;
    app.workspace_changed(agent.workspace_id);
    Ok(Json(local_agent(&app, agent).await?))
}

/// The names of tools that an agent could have at the public address.
async fn public_tools(app: &App, agent: &Agent, names: &[String]) -> Result<Vec<String>, ApiError> {
    let names = tool_names("public_tools", names)?;
    let here = ToolsHere::of(app, agent.workspace_id).await?;
    let others = || here.hired.iter().filter(|other| other.id != agent.id);
    for name in &names {
        let is_handoff = here
            .defined
            .iter()
            .filter(|tool| tool.definition.name == *name)
            .filter_map(|tool| tool.definition.config.handoff())
            .any(|handoff| handoff.target_agent_id != agent.id);
        let asks = subtasks::asks(name).is_some_and(|slug| others().any(|other| other.slug == slug));
        if !is_handoff && !asks {
            directory::check_public(name).map_err(|why| ApiError::invalid("public_tools", &why))?;
        }
    }
    Ok(names)
}

/// Update to the catalog's published version; edits are lost (its creator, admins and owners)
#[utoipa::path(post, path = "/api/agents/{id}/update", tag = "agents", params(("id" = Uuid, Path), InWorkspace), responses((status = 200, body = LocalAgent), Errors))]
pub async fn update(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
) -> Result<Json<LocalAgent>, ApiError> {
    let (agent, role) = find_to_change(&app, &caller, id, query).await?;
    let published = app.store.agent_listing(agent.id.0, None).await?.catalog;
    let published = published.ok_or_else(|| ApiError::not_found("catalog agent"))?;
    may_use(caller.viewer(), Gate::from(&published.definition), Use::Select)?;
    let agent = app.store.update_agent(agent.id, caller.author(role)).await?;
    app.workspace_changed(agent.workspace_id);
    Ok(Json(local_agent(&app, agent).await?))
}
