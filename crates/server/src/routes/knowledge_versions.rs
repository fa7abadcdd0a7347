//! Versions of pages: every change of a page makes one.

use axum::Json;
use axum::extract::State;
use baton_core::data::areas::AreaAccess;
use baton_core::data::rows::Once;
use baton_core::pages::PageChange;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::knowledge::{changed, own};
use super::knowledge_view::{PageView, VersionView, WholeVersionView};
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Id, MaybeBody, Params, PathTexts, window};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionsQuery {
    /// Only versions before this one.
    before: Option<i64>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PageVersionList)]
pub struct VersionList {
    versions: Vec<VersionView>,
}

/// Who changed a page, the latest first
#[utoipa::path(get, path = "/api/knowledge/{id}/versions", tag = "knowledge", params(("id" = Uuid, Path), VersionsQuery), responses((status = 200, body = VersionList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<VersionsQuery>,
) -> Result<Json<VersionList>, ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Read).await?;
    let limit = window(query.limit, None)?.limit;
    let reader = Some(caller.profile.id);
    let versions = app.store.page_versions(page.node.id, query.before, limit, reader).await?;
    Ok(Json(VersionList { versions: versions.into_iter().map(Into::into).collect() }))
}

/// What a page held at a version
#[utoipa::path(get, path = "/api/knowledge/{id}/versions/{version}", tag = "knowledge", params(("id" = Uuid, Path), ("version" = i64, Path)), responses((status = 200, body = WholeVersionView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    PathTexts(id, version): PathTexts,
) -> Result<Json<WholeVersionView>, ApiError> {
    let (id, version) = numbered(&id, &version)?;
    let page = own(&app, &caller, id, AreaAccess::Read).await?;
    let version = app.store.page_version(page.node.id, version, Some(caller.profile.id)).await?;
    Ok(Json(version.into()))
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreVersion {
    /// The version that the page is at, as it was read.
    version: Option<i64>,
}

/// Give a page the title, text and properties of an earlier version
#[utoipa::path(post, path = "/api/knowledge/{id}/versions/{version}/restore", tag = "knowledge", request_body = RestoreVersion,
    params(("id" = Uuid, Path), ("version" = i64, Path)), responses((status = 200, body = PageView), Errors))]
pub async fn restore(
    State(app): State<SharedApp>,
    caller: Caller,
    PathTexts(id, version): PathTexts,
    MaybeBody(body): MaybeBody<RestoreVersion>,
) -> Result<Json<PageView>, ApiError> {
    let (id, version) = numbered(&id, &version)?;
    let page = own(&app, &caller, id, AreaAccess::Write).await?;
    app.store.page_version(page.node.id, version, None).await?;
    let seen = body.and_then(|body| body.version);
    let change = PageChange::RestoreVersion { page: page.node.id, seen, version };
    Ok(Json(changed(&app, &caller, page.workspace_id, &Once::Unkeyed, change, seen).await?))
}

fn numbered(id: &str, version: &str) -> Result<(Uuid, i64), ApiError> {
    let id = Uuid::parse_str(id).map_err(|_| ApiError::invalid("id", "must be a UUID"))?;
    let version = version.parse().map_err(|_| ApiError::invalid("version", "must be a whole number"))?;
    Ok((id, version))
}
