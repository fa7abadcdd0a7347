//! Teams of a workspace.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::agents::Agent;
use baton_core::ids::{AgentId, TeamId, WorkspaceId};
use baton_core::teams::{Team, TeamDefinition};
use baton_core::workspaces::Role;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_names::hidden;
use super::agents::all_hired;
use super::team_view::{NewTeam, TeamChanges, TeamView};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, Present};

/// What an agent is called that isn't the caller's to see.
const HIDDEN: &str = "Restricted agent";

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TeamQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct TeamList {
    teams: Vec<TeamView>,
}

/// A workspace's teams, by name
#[utoipa::path(get, path = "/api/teams", tag = "teams", params(TeamQuery), responses((status = 200, body = TeamList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<TeamQuery>,
) -> Result<Json<TeamList>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    let role = app.role(&caller, workspace).await?;
    let teams = app.store.teams(workspace).await?;
    Ok(Json(TeamList { teams: views(&app, &caller, (workspace, role), teams).await? }))
}

/// Make a team of agents that the workspace has hired
#[utoipa::path(post, path = "/api/teams", tag = "teams", request_body = NewTeam, responses((status = 201, body = TeamView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewTeam>,
) -> Result<(StatusCode, Json<TeamView>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    let role = app.role(&caller, workspace).await?;
    let definition = TeamDefinition::from(body).checked()?;
    check_opening(role, false, &definition)?;
    check_model(&app, workspace, &definition, None).await?;
    let team = app.store.create_team(workspace, definition, caller.profile.id).await?;
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(view(&app, &caller, role, team).await?)))
}

/// One team
#[utoipa::path(get, path = "/api/teams/{id}", tag = "teams", params(("id" = Uuid, Path)), responses((status = 200, body = TeamView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<TeamView>, ApiError> {
    let (team, role) = find(&app, &caller, id).await?;
    Ok(Json(view(&app, &caller, role, team).await?))
}

/// Change a team (admins and owners, and who made it unless visitors reach it)
#[utoipa::path(patch, path = "/api/teams/{id}", tag = "teams", params(("id" = Uuid, Path)), request_body = TeamChanges, responses((status = 200, body = TeamView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<TeamChanges>,
) -> Result<Json<TeamView>, ApiError> {
    let (team, role) = find_to_change(&app, &caller, id).await?;
    let (before, was_public) = (team.definition.router_model.clone(), team.definition.is_public);
    let definition = body.apply(team.definition).checked()?;
    check_opening(role, was_public, &definition)?;
    check_model(&app, team.workspace_id, &definition, before.as_deref()).await?;
    let team = app.store.change_team(team.id, definition, caller.profile.id).await?;
    app.workspace_changed(team.workspace_id);
    Ok(Json(view(&app, &caller, role, team).await?))
}

/// Delete a team; its agents and conversations stay (admins and owners, and who made it unless visitors reach it)
#[utoipa::path(delete, path = "/api/teams/{id}", tag = "teams", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let (team, _) = find_to_change(&app, &caller, id).await?;
    app.store.delete_team(team.id, caller.profile.id).await?;
    app.workspace_changed(team.workspace_id);
    Ok(done())
}

async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<(Team, Role), ApiError> {
    let team = app.store.team(TeamId(id)).await?;
    let role = app.role_inside(caller, team.workspace_id, "team").await?;
    Ok((team, role))
}

async fn find_to_change(app: &App, caller: &Caller, id: Uuid) -> Result<(Team, Role), ApiError> {
    let (team, role) = find(app, caller, id).await?;
    let may = team.may_be_changed_by(caller.profile.id, role);
    if may { Ok((team, role)) } else { Err(ApiError::role_too_low()) }
}

/// What visitors reach is for admins and owners to say.
fn check_opening(role: Role, was_public: bool, definition: &TeamDefinition) -> Result<(), ApiError> {
    if definition.is_public != was_public && role < Role::Admin {
        return Err(ApiError::role_too_low().at("is_public"));
    }
    Ok(())
}

/// A model that is changed must be one there is.
async fn check_model(
    app: &App,
    workspace: WorkspaceId,
    definition: &TeamDefinition,
    before: Option<&str>,
) -> Result<(), ApiError> {
    match definition.router_model.as_deref() {
        Some(model) if before != Some(model) => {
            let models = app.models.set_of(Some(workspace)).await?;
            models.check_name(model).map_err(|wrong| ApiError::invalid("router.model", &wrong.message))
        }
        _ => Ok(()),
    }
}

pub async fn view(app: &App, caller: &Caller, role: Role, team: Team) -> Result<TeamView, ApiError> {
    let views = views(app, caller, (team.workspace_id, role), vec![team]).await?;
    views.into_iter().next().ok_or_else(|| ApiError::not_found("team"))
}

/// Teams as the caller sees them. A member that isn't theirs to see is there without a name, so that what they may change
/// stays whole.
async fn views(
    app: &App,
    caller: &Caller,
    place: (WorkspaceId, Role),
    teams: Vec<Team>,
) -> Result<Vec<TeamView>, ApiError> {
    let mut agents = all_hired(app, place.0).await?;
    // An agent that was let go is in no list.
    for member in teams.iter().flat_map(|team| &team.definition.members) {
        if !agents.iter().any(|agent| agent.id == member.agent_id) {
            agents.push(app.store.agent(member.agent_id).await?);
        }
    }
    let members = teams.iter().flat_map(|team| &team.definition.members);
    let hidden = hidden(app, caller, place, members.map(|member| member.agent_id).collect()).await?;
    for agent in agents.iter_mut().filter(|agent| hidden.contains(&agent.id)) {
        agent.definition.name = HIDDEN.to_owned();
        agent.definition.avatar_url = None;
        agent.slug = agent.id.to_string();
    }
    Ok(teams.into_iter().map(|team| TeamView::new(team, &agents)).collect())
}

/// An agent that a conversation in this workspace can begin with.
pub async fn hired_agent(app: &App, workspace: WorkspaceId, id: AgentId) -> Result<Agent, ApiError> {
    let agent = app.store.agent(id).await?;
    if agent.workspace_id == workspace && agent.is_active {
        Ok(agent)
    } else {
        Err(ApiError::not_found("agent"))
    }
}

/// The member of a team that a conversation begins with.
pub async fn entry_agent(
    app: &App,
    present: &Present,
    workspace: WorkspaceId,
    id: TeamId,
) -> Result<Agent, ApiError> {
    let team = app.store.team(id).await?;
    // At the public address there are only those that were opened.
    let is_open = team.definition.is_public || !present.is_public();
    if team.workspace_id != workspace || !is_open {
        return Err(ApiError::not_found("team"));
    }
    let entry = team.definition.entry().map(|member| member.agent_id);
    let agent = app.store.agent(entry.ok_or_else(|| ApiError::not_found("agent"))?).await?;
    if agent.is_active {
        return Ok(agent);
    }
    let error =
        "The agent that begins for this team is not hired any more: hire it again or change the team.";
    Err(ApiError::new(StatusCode::CONFLICT, "no_agent", error))
}
