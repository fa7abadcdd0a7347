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

use super::agents::all_hired;
use super::team_view::{NewTeam, TeamChanges, TeamView};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params};

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
    app.role(&caller, workspace).await?;
    let teams = app.store.teams(workspace).await?;
    Ok(Json(TeamList { teams: views(&app, workspace, teams).await? }))
}

/// Make a team of agents that the workspace has hired
#[utoipa::path(post, path = "/api/teams", tag = "teams", request_body = NewTeam, responses((status = 201, body = TeamView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewTeam>,
) -> Result<(StatusCode, Json<TeamView>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    app.role(&caller, workspace).await?;
    let definition = TeamDefinition::from(body).checked()?;
    check_model(&app, &definition, None)?;
    let team = app.store.create_team(workspace, definition, caller.profile.id).await?;
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(view(&app, team).await?)))
}

/// One team
#[utoipa::path(get, path = "/api/teams/{id}", tag = "teams", params(("id" = Uuid, Path)), responses((status = 200, body = TeamView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<TeamView>, ApiError> {
    let (team, _) = find(&app, &caller, id).await?;
    Ok(Json(view(&app, team).await?))
}

/// Change a team (who made it, admins and owners)
#[utoipa::path(patch, path = "/api/teams/{id}", tag = "teams", params(("id" = Uuid, Path)), request_body = TeamChanges, responses((status = 200, body = TeamView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<TeamChanges>,
) -> Result<Json<TeamView>, ApiError> {
    let team = find_to_change(&app, &caller, id).await?;
    let before = team.definition.router_model.clone();
    let definition = body.apply(team.definition).checked()?;
    check_model(&app, &definition, before.as_deref())?;
    let team = app.store.change_team(team.id, definition, caller.profile.id).await?;
    app.workspace_changed(team.workspace_id);
    Ok(Json(view(&app, team).await?))
}

/// Delete a team; its agents and conversations stay (who made it, admins and owners)
#[utoipa::path(delete, path = "/api/teams/{id}", tag = "teams", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let team = find_to_change(&app, &caller, id).await?;
    app.store.delete_team(team.id, caller.profile.id).await?;
    app.workspace_changed(team.workspace_id);
    Ok(done())
}

async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<(Team, Role), ApiError> {
    let team = app.store.team(TeamId(id)).await?;
    let role = app.role_inside(caller, team.workspace_id, "team").await?;
    Ok((team, role))
}

async fn find_to_change(app: &App, caller: &Caller, id: Uuid) -> Result<Team, ApiError> {
    let (team, role) = find(app, caller, id).await?;
    let made_it = team.created_by == Some(caller.profile.id);
    if made_it || role >= Role::Admin { Ok(team) } else { Err(ApiError::role_too_low()) }
}

/// A model that is changed must be one there is.
fn check_model(app: &App, definition: &TeamDefinition, before: Option<&str>) -> Result<(), ApiError> {
    match definition.router_model.as_deref() {
        Some(model) if before != Some(model) => {
            app.models.check_name(model).map_err(|wrong| ApiError::invalid("router.model", &wrong.message))
        }
        _ => Ok(()),
    }
}

pub async fn view(app: &App, team: Team) -> Result<TeamView, ApiError> {
    let views = views(app, team.workspace_id, vec![team]).await?;
    views.into_iter().next().ok_or_else(|| ApiError::not_found("team"))
}

async fn views(app: &App, workspace: WorkspaceId, teams: Vec<Team>) -> Result<Vec<TeamView>, ApiError> {
    let mut agents = all_hired(app, workspace).await?;
    // Who was let go is in no list.
    for member in teams.iter().flat_map(|team| &team.definition.members) {
        if !agents.iter().any(|agent| agent.id == member.agent_id) {
            agents.push(app.store.agent(member.agent_id).await?);
        }
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
pub async fn entry_agent(app: &App, workspace: WorkspaceId, id: TeamId) -> Result<Agent, ApiError> {
    let team = app.store.team(id).await?;
    if team.workspace_id != workspace {
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
