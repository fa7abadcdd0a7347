//! The catalog, for server admins: every entry with its current version, published or not.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::agents::{AgentChanges, Department};
use baton_core::catalog::{CatalogAgent, CatalogVersion, Offer};
use baton_core::ids::CatalogAgentId;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::agent_body::{AgentFields, NewCatalogAgent};
use super::agent_view::{CatalogAgentView, DefinitionView};
use super::agents::check_model;
use super::avatars;
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, MaybeBody, Params, SearchQuery};

#[derive(Serialize, ToSchema)]
pub struct CatalogList {
    agents: Vec<CatalogAgentView>,
    total: u64,
}

async fn view(app: &App, agent: CatalogAgent) -> Result<CatalogAgentView, ApiError> {
    Ok(view_in(&app.store.departments().await?, agent))
}

fn view_in(departments: &[Department], agent: CatalogAgent) -> CatalogAgentView {
    let department = departments.iter().find(|d| Some(d.id) == agent.definition.department_id);
    CatalogAgentView::new(agent, department.cloned().map(Into::into))
}

/// Every entry of the catalog
#[utoipa::path(get, path = "/api/admin/agents", tag = "admin", params(SearchQuery), responses((status = 200, body = CatalogList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<SearchQuery>,
) -> Result<Json<CatalogList>, ApiError> {
    caller.admin()?;
    let page = app.store.catalog(query.search()?.as_deref(), query.window()?).await?;
    let departments = app.store.departments().await?;
    let agents = page.rows.into_iter().map(|agent| view_in(&departments, agent)).collect();
    Ok(Json(CatalogList { agents, total: page.total }))
}

/// Add an entry; it is not listed until it is published
#[utoipa::path(post, path = "/api/admin/agents", tag = "admin", request_body = NewCatalogAgent, responses((status = 201, body = CatalogAgentView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewCatalogAgent>,
) -> Result<(StatusCode, Json<CatalogAgentView>), ApiError> {
    caller.admin()?;
    let (mut definition, mut changes) = body.split()?;
    check_model(&app, None, &changes, &definition).await?;
    avatars::keep(&app, &mut changes, &definition, None, caller.profile.id).await?;
    changes.apply(&mut definition)?;
    let agent = app.store.add_catalog_agent(definition, caller.profile.id).await?;
    Ok((StatusCode::CREATED, Json(view(&app, agent).await?)))
}

/// One entry with its current version
#[utoipa::path(get, path = "/api/admin/agents/{id}", tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = CatalogAgentView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<CatalogAgentView>, ApiError> {
    caller.admin()?;
    let agent = app.store.catalog_agent(CatalogAgentId(id)).await?;
    Ok(Json(view(&app, agent).await?))
}

/// Change an entry: a new current version, not yet published
#[utoipa::path(patch, path = "/api/admin/agents/{id}", tag = "admin", params(("id" = Uuid, Path)), request_body = AgentFields, responses((status = 200, body = CatalogAgentView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<AgentFields>,
) -> Result<Json<CatalogAgentView>, ApiError> {
    caller.admin()?;
    let mut changes = AgentChanges::from(body);
    if changes.public_tools.is_some() {
        return Err(ApiError::invalid("public_tools", "can be set on a workspace's agent only"));
    }
    let definition = app.store.catalog_agent(CatalogAgentId(id)).await?.definition;
    check_model(&app, None, &changes, &definition).await?;
    avatars::keep(&app, &mut changes, &definition, None, caller.profile.id).await?;
    let agent = app.store.change_catalog_agent(CatalogAgentId(id), changes, caller.profile.id).await?;
    Ok(Json(view(&app, agent).await?))
}

#[derive(Serialize, ToSchema)]
pub struct VersionView {
    version: i32,
    definition: DefinitionView,
    #[schema(required)]
    created_by: Option<Uuid>,
    created_at: DateTime<Utc>,
}

impl From<CatalogVersion> for VersionView {
    fn from(version: CatalogVersion) -> Self {
        Self {
            version: version.version,
            definition: version.definition.into(),
            created_by: version.created_by.map(|id| id.0),
            created_at: version.created_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct VersionList {
    versions: Vec<VersionView>,
}

/// Every version of an entry, newest first
#[utoipa::path(get, path = "/api/admin/agents/{id}/versions", tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = VersionList), Errors))]
pub async fn versions(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<VersionList>, ApiError> {
    caller.admin()?;
    let versions = app.store.catalog_versions(CatalogAgentId(id)).await?;
    Ok(Json(VersionList { versions: versions.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishBody {
    /// Which version; the current one when left out.
    #[schema(minimum = 1)]
    version: Option<i32>,
}

/// Put a version in force: new hires copy it, and it is what people see
#[utoipa::path(post, path = "/api/admin/agents/{id}/publish", tag = "admin", params(("id" = Uuid, Path)), request_body = Option<PublishBody>, responses((status = 200, body = CatalogAgentView), Errors))]
pub async fn publish(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    MaybeBody(body): MaybeBody<PublishBody>,
) -> Result<Json<CatalogAgentView>, ApiError> {
    caller.admin()?;
    let id = CatalogAgentId(id);
    let version = match body.and_then(|body| body.version) {
        Some(version) => version,
        None => app.store.catalog_agent(id).await?.current_version,
    };
    let agent = app.store.publish_catalog_agent(id, version, caller.profile.id).await?;
    Ok(Json(view(&app, agent).await?))
}

/// Take an entry off the list; where it is hired it is gone until it is enabled again
#[utoipa::path(post, path = "/api/admin/agents/{id}/disable", tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = CatalogAgentView), Errors))]
pub async fn disable(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<CatalogAgentView>, ApiError> {
    set_offer(&app, &caller, id, Offer::Disabled).await
}

/// Put an entry back on the list
#[utoipa::path(post, path = "/api/admin/agents/{id}/enable", tag = "admin", params(("id" = Uuid, Path)), responses((status = 200, body = CatalogAgentView), Errors))]
pub async fn enable(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<CatalogAgentView>, ApiError> {
    set_offer(&app, &caller, id, Offer::Enabled).await
}

async fn set_offer(
    app: &App,
    caller: &Caller,
    id: Uuid,
    offer: Offer,
) -> Result<Json<CatalogAgentView>, ApiError> {
    caller.admin()?;
    let (agent, changed) =
        app.store.offer_catalog_agent(CatalogAgentId(id), offer, caller.profile.id).await?;
    changed.into_iter().for_each(|workspace| app.workspace_changed(workspace));
    Ok(Json(view(app, agent).await?))
}
