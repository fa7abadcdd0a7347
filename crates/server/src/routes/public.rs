//! A workspace's public address: somebody who comes there without an account becomes a visitor, known by a signed
//! cookie.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use baton_core::access::{Gate, Use, Viewer, may_use};
use baton_core::agents::{Agent, Category};
use baton_core::catalog::AgentListing;
use baton_core::handoffs::Trigger;
use baton_core::ids::WorkspaceId;
use baton_core::listing::{AgentQuery, MAX_LIMIT, Window};
use baton_core::store::Error;
use baton_core::teams::{Team, TeamDefinition, TeamKind};
use baton_core::workspaces::Workspace;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::{App, SharedApp};
use crate::http::{ApiError, Errors, MaybeSomeone, PathText, Who, category_schema, cookie, team_kind_schema};
use crate::visitor::{self, Visitor};
use crate::web;

/// An agent as guests and visitors see it.
#[derive(Serialize, ToSchema)]
pub struct PublicAgent {
    id: Uuid,
    /// The same id: guests and visitors see only hired agents.
    #[serde(rename = "localAgentId")]
    local_agent_id: Uuid,
    slug: String,
    name: String,
    #[schema(required)]
    description: Option<String>,
    #[schema(required)]
    avatar_url: Option<String>,
    #[schema(required)]
    role: Option<String>,
    is_default: bool,
    #[schema(schema_with = category_schema)]
    category: Category,
    /// What it says first.
    #[schema(required)]
    initial_prompt: Option<String>,
}

impl From<Agent> for PublicAgent {
    fn from(agent: Agent) -> Self {
        Self {
            id: agent.id.0,
            local_agent_id: agent.id.0,
            slug: agent.slug,
            name: agent.definition.name,
            description: agent.definition.description,
            avatar_url: agent.definition.avatar_url,
            role: agent.definition.role,
            is_default: agent.definition.is_default,
            category: agent.definition.category,
            initial_prompt: agent.definition.initial_prompt,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct PublicAgentList {
    agents: Vec<PublicAgent>,
    /// How many there are without limit and offset.
    total: u64,
}

/// The agents of a workspace that someone at its public address may see.
pub async fn agents(app: &App, query: AgentQuery, viewer: Viewer) -> Result<PublicAgentList, ApiError> {
    let query = AgentQuery { hired_only: true, ..query };
    let page = app.store.agents(query, viewer).await?;
    let hired = |listing: AgentListing| listing.hired.map(Into::into);
    Ok(PublicAgentList { agents: page.rows.into_iter().filter_map(hired).collect(), total: page.total })
}

/// A team that guests and visitors can begin a conversation with.
#[derive(Serialize, ToSchema)]
pub struct PublicTeam {
    id: Uuid,
    name: String,
    #[schema(required)]
    description: Option<String>,
    #[schema(schema_with = team_kind_schema)]
    kind: TeamKind,
    /// The member that answers first.
    agent_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct PublicWorkspace {
    id: Uuid,
    name: String,
    slug: String,
    /// Who answers unless another is chosen; null if it isn't for this person.
    #[schema(required)]
    default_agent_id: Option<Uuid>,
    agents: Vec<PublicAgent>,
    teams: Vec<PublicTeam>,
}

/// A workspace at its public address
///
/// Who comes without a session becomes a visitor of this workspace: the answer sets their cookie.
#[utoipa::path(get, path = "/api/public/{workspaceSlug}", tag = "workspaces", security(()), params(("workspaceSlug" = String, Path)), responses((status = 200, body = PublicWorkspace), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    somebody: MaybeSomeone,
    jar: CookieJar,
    PathText(slug): PathText,
) -> Result<(CookieJar, Json<PublicWorkspace>), ApiError> {
    let workspace = open(&app, &slug).await?.ok_or_else(|| ApiError::not_found("workspace"))?;
    let viewer = match &somebody.who {
        Some(Who::Profile(caller)) => caller.viewer(),
        Some(Who::Visitor(_)) | None => Viewer::Visitor,
    };
    let jar = arrive(&app, jar, somebody, workspace.id)?;
    let window = Window { limit: MAX_LIMIT, offset: 0 };
    let workspace_id = workspace.id;
    let all = AgentQuery {
        workspace_id,
        search: None,
        category: None,
        department_id: None,
        hired_only: true,
        window,
    };
    let agents = agents(&app, all, viewer).await?.agents;
    let teams = app.store.teams(workspace_id).await?;
    // They can be many, with all their prompts.
    let hired = match teams.iter().any(|team| team.definition.is_public) {
        true => app.store.hired(workspace_id).await?,
        false => Vec::new(),
    };
    let begins = |team: Team| {
        let agent_id = team.definition.entry()?.agent_id.0;
        let (id, is_open) = (team.id.0, can_go_through(&team, &hired, viewer));
        let TeamDefinition { name, description, kind, .. } = team.definition;
        is_open.then_some(PublicTeam { id, name, description, kind, agent_id })
    };
    let public = PublicWorkspace {
        id: workspace_id.0,
        name: workspace.name,
        slug: workspace.slug,
        default_agent_id: agents.iter().find(|agent| agent.is_default).map(|agent| agent.id),
        teams: teams.into_iter().filter_map(begins).collect(),
        agents,
    };
    Ok((jar, Json(public)))
}

/// The app's own page, with a visitor's cookie on the first visit.
pub async fn page(
    State(app): State<SharedApp>,
    somebody: MaybeSomeone,
    jar: CookieJar,
    PathText(slug): PathText,
    mut request: Request,
) -> Result<Response, ApiError> {
    let Some(workspace) = open(&app, &slug).await? else {
        // The page says so in its own way, so it is always sent whole.
        request.headers_mut().remove(header::IF_NONE_MATCH);
        let mut page = web::serve(request).await;
        *page.status_mut() = StatusCode::NOT_FOUND;
        return Ok(page);
    };
    let page = web::serve(request).await;
    // Without a cookie the page asks again, and is told when to come back.
    let jar = arrive(&app, jar.clone(), somebody, workspace.id).unwrap_or(jar);
    Ok((jar, page).into_response())
}

async fn open(app: &App, slug: &str) -> Result<Option<Workspace>, ApiError> {
    match app.store.workspace_by_slug(slug).await {
        Ok(workspace) => Ok(Some(workspace).filter(|workspace| workspace.public_chat)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Who isn't signed in is a visitor here from now on: a new one, or the one they are elsewhere.
fn arrive(
    app: &App,
    jar: CookieJar,
    somebody: MaybeSomeone,
    place: WorkspaceId,
) -> Result<CookieJar, ApiError> {
    let visitor = match somebody.who {
        Some(Who::Profile(_)) => return Ok(jar),
        Some(Who::Visitor(visitor)) if visitor.is_at(place) => return Ok(jar),
        Some(Who::Visitor(visitor)) => visitor.also_at(place),
        None => {
            app.public_limits.visitor(somebody.from)?;
            Visitor::new(place)
        }
    };
    Ok(jar.add(cookie(app, visitor::COOKIE, app.visitors.sign(&visitor))))
}

/// Whether someone can begin with a team and be done: an admin opened it, its first member must be theirs to use, and of a pipeline every
/// stage, as nothing but its completion leads on.
fn can_go_through(team: &Team, hired: &[Agent], viewer: Viewer) -> bool {
    let may = |id, how| {
        let agent = hired.iter().find(|agent| agent.id == id && agent.is_active);
        agent.is_some_and(|agent| may_use(viewer, Gate::from(&agent.definition), how).is_ok())
    };
    if !team.definition.is_public {
        return false;
    }
    let entry = team.definition.entry().is_some_and(|entry| may(entry.agent_id, Use::Begin));
    let rest = team.definition.members.iter().skip(1);
    let needs_rest = team.definition.kind == TeamKind::Pipeline;
    entry && (!needs_rest || { rest }.all(|member| may(member.agent_id, Trigger::Completion.needs())))
}

/// Whether a picture is the avatar of one of these agents that the viewer may see.
pub fn is_avatar(agents: &[Agent], viewer: Viewer, path: &str) -> bool {
    agents.iter().any(|agent| {
        agent.definition.avatar_url.as_deref() == Some(path)
            && may_use(viewer, Gate::from(&agent.definition), Use::See).is_ok()
    })
}
