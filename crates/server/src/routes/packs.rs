//! Packs, and hiring a pack's team in one step.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::access::{Gate, Use, may_use};
use baton_core::catalog::AgentListing;
use baton_core::ids::WorkspaceId;
use baton_core::packs::{Pack, PackAgent, PackTeam};
use baton_core::teams::{Team, TeamKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agents::all;
use super::hiring::HireBody;
use super::team_view::TeamView;
use super::teams;
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Params, PathTexts, team_kind_schema};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PackQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct PackList {
    packs: Vec<PackView>,
}

/// Agents and teams to be hired.
#[derive(Serialize, ToSchema)]
#[schema(as = Pack)]
pub struct PackView {
    name: String,
    title: String,
    description: String,
    agents: Vec<PackAgentView>,
    teams: Vec<PackTeamView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PackAgent)]
pub struct PackAgentView {
    slug: String,
    name: String,
    description: String,
    /// An emoji, or the path of an image on this server.
    #[schema(required)]
    avatar_url: Option<String>,
    is_hired: bool,
    /// Whether it can be hired, or is: an admin may have taken it out of the catalog.
    is_offered: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PackTeam)]
pub struct PackTeamView {
    slug: String,
    name: String,
    description: String,
    #[schema(schema_with = team_kind_schema)]
    kind: TeamKind,
    /// The slugs of its agents in the pack, in order.
    members: Vec<String>,
    is_hired: bool,
    /// The workspace's team, once it is hired.
    #[schema(required)]
    team_id: Option<Uuid>,
}

/// Packs with their agents and teams, and what of them the workspace has hired
#[utoipa::path(get, path = "/api/packs", tag = "teams", params(PackQuery), responses((status = 200, body = PackList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<PackQuery>,
) -> Result<Json<PackList>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace).await?;
    let (listed, hired) = (all(&app, workspace, false).await?, app.store.teams(workspace).await?);
    let pack = |pack: &Pack| PackView {
        name: pack.name.clone(),
        title: pack.title.clone(),
        description: pack.description.clone(),
        agents: pack
            .agents
            .iter()
            .map(|agent| PackAgentView::new(agent, find(&listed, &agent.slug)))
            .collect(),
        teams: pack.teams.iter().map(|team| PackTeamView::new(pack, team, &hired)).collect(),
    };
    Ok(Json(PackList { packs: app.packs.iter().map(pack).collect() }))
}

/// Hire a pack's team: the agents it needs, the tools between them, and the team itself
#[utoipa::path(post, path = "/api/packs/{name}/teams/{slug}/hire", tag = "teams", params(("name" = String, Path), ("slug" = String, Path)), request_body = HireBody, responses((status = 201, body = TeamView), Errors))]
pub async fn hire(
    State(app): State<SharedApp>,
    caller: Caller,
    PathTexts(name, slug): PathTexts,
    Body(body): Body<HireBody>,
) -> Result<(StatusCode, Json<TeamView>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    let role = app.role(&caller, workspace).await?;
    let pack = app.packs.iter().find(|pack| pack.name == name);
    let pack = pack.ok_or_else(|| ApiError::not_found("pack"))?;
    let team = pack.team(&slug).ok_or_else(|| ApiError::not_found("team"))?;
    let listed = all(&app, workspace, false).await?;
    for member in &team.members {
        let listing = find(&listed, &member.agent).ok_or_else(|| ApiError::not_found("agent"))?;
        if let (false, Some(entry)) = (is_hired(listing), &listing.catalog) {
            may_use(caller.viewer(), Gate::from(&entry.definition), Use::Select)?;
        }
    }
    let team = app.store.hire_team(pack, &slug, workspace, caller.author(role)).await?;
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(teams::view(&app, &caller, role, team).await?)))
}

/// The catalog knows a pack's agents by slug.
fn find<'a>(listed: &'a [AgentListing], slug: &str) -> Option<&'a AgentListing> {
    listed.iter().find(|listing| listing.catalog.as_ref().is_some_and(|entry| entry.slug == slug))
}

fn is_hired(listing: &AgentListing) -> bool {
    listing.hired.as_ref().is_some_and(|agent| agent.is_active)
}

impl PackAgentView {
    fn new(agent: &PackAgent, listing: Option<&AgentListing>) -> Self {
        Self {
            slug: agent.slug.clone(),
            name: agent.name.clone(),
            description: agent.description.clone(),
            avatar_url: agent.avatar.clone(),
            is_hired: listing.is_some_and(is_hired),
            is_offered: listing.is_some(),
        }
    }
}

impl PackTeamView {
    fn new(pack: &Pack, team: &PackTeam, hired: &[Team]) -> Self {
        let comes_from_here = |hired: &&Team| {
            let origin = hired.pack.as_ref();
            origin.is_some_and(|origin| origin.pack == pack.name && origin.team == team.slug)
        };
        let hired = hired.iter().find(comes_from_here);
        Self {
            slug: team.slug.clone(),
            name: team.name.clone(),
            description: team.description.clone(),
            kind: team.kind,
            members: team.members.iter().map(|member| member.agent.clone()).collect(),
            is_hired: hired.is_some(),
            team_id: hired.map(|team| team.id.0),
        }
    }
}
