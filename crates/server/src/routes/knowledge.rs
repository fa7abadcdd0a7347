//! The workspace's pages: their tree, their text, and search. Who may is said by the area Knowledge.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::{Author, Once};
use baton_core::effects::EffectRefused;
use baton_core::ids::{PageId, WorkspaceId};
use baton_core::pages::{BodyChange, Listed, NewPage, Page, PageChange, PageChanges, PageRef, Place, Sight};
use baton_core::search::Query;
use baton_core::store::Error;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::data_request::{self, once};
use super::knowledge_view::{FoundView, NodeView, PageProperty, PageView, given_properties};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, search, some, window};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// The page above; left out, the pages at the top.
    #[serde(rename = "parentId")]
    parent_id: Option<Uuid>,
    /// `latest`: all pages, the latest changed first. `deleted`: those that can be restored.
    #[param(inline)]
    order: Option<Order>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

#[derive(Deserialize, ToSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Tree,
    Latest,
    Deleted,
}

#[derive(Serialize, ToSchema)]
pub struct PageList {
    pages: Vec<NodeView>,
    /// How many there are without limit and offset.
    total: u64,
}

/// Pages below a page or at the top, in their order
#[utoipa::path(get, path = "/api/knowledge", tag = "knowledge", params(ListQuery), responses((status = 200, body = PageList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ListQuery>,
) -> Result<Json<PageList>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let listed = match query.order.unwrap_or(Order::Tree) {
        Order::Tree => Listed::Below(query.parent_id.map(PageId)),
        Order::Latest => Listed::Latest,
        Order::Deleted => Listed::Deleted,
    };
    let window = window(query.limit, query.offset)?;
    let page = app.store.pages(workspace, listed, Sight::All, window).await?;
    Ok(Json(PageList { pages: page.rows.into_iter().map(Into::into).collect(), total: page.total }))
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPageBody {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// The page above; left out, it is at the top.
    parent_id: Option<Uuid>,
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    /// Markdown. `[[Title]]` becomes a link to the page with that title.
    #[schema(max_length = 200_000)]
    body: Option<String>,
    #[schema(max_items = 50)]
    properties: Option<Vec<PageProperty>>,
    is_public: Option<bool>,
}

/// Write a new page
#[utoipa::path(post, path = "/api/knowledge", tag = "knowledge", request_body = NewPageBody,
    params(("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters: the same request again, within a day, is done once")),
    responses((status = 201, body = PageView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<NewPageBody>,
) -> Result<(StatusCode, Json<PageView>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Write).await?;
    app.space.check(workspace).await?;
    let once = once(&headers, &caller, "create page", &body)?;
    let new = NewPage {
        parent: body.parent_id.map(|id| PageRef::Id(PageId(id))),
        title: body.title,
        body: body.body.unwrap_or_default(),
        properties: body.properties.map(given_properties).unwrap_or_default(),
        is_public: body.is_public.unwrap_or(false),
    };
    let create = PageChange::Create { id: PageId::new(), new: new.checked()? };
    let page = changed(&app, &caller, workspace, &once, create, None).await?;
    Ok((StatusCode::CREATED, Json(page)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageSearchQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// Words, without regard to case and accents; the last may be typed half. A page has all of them.
    #[param(min_length = 1, max_length = 200)]
    search: String,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct FoundPages {
    pages: Vec<FoundView>,
    total: u64,
    /// Whether `total` is all of them: a word that is everywhere isn't counted to the end.
    is_counted: bool,
}

/// Find pages by their words, best first
#[utoipa::path(get, path = "/api/knowledge/search", tag = "knowledge", params(PageSearchQuery), responses((status = 200, body = FoundPages), Errors))]
pub async fn find(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<PageSearchQuery>,
) -> Result<Json<FoundPages>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let limit = window(query.limit.or(Some(20)), None)?.limit;
    // As typed: a space at the end says that the last word is whole.
    search(Some(&query.search))?;
    let Some(words) = Query::new(&query.search) else {
        return Ok(Json(FoundPages { pages: Vec::new(), total: 0, is_counted: true }));
    };
    let found = app.store.search_pages(workspace, &words, Sight::All, limit).await?;
    let pages = found.found.into_iter().map(Into::into).collect();
    Ok(Json(FoundPages { pages, total: found.total, is_counted: found.is_counted }))
}

/// One page
#[utoipa::path(get, path = "/api/knowledge/{id}", tag = "knowledge", params(("id" = Uuid, Path)), responses((status = 200, body = PageView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<PageView>, ApiError> {
    Ok(Json(own(&app, &caller, id, AreaAccess::Read).await?.into()))
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PageChangesBody {
    /// The version that was read: if there is a newer one, the answer is 409 `page_changed`.
    version: i64,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 200, nullable = false)]
    title: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(max_length = 200_000, nullable = false)]
    body: Option<String>,
    /// All properties from now on.
    #[serde(default, deserialize_with = "some")]
    #[schema(max_items = 50, nullable = false)]
    properties: Option<Vec<PageProperty>>,
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    is_public: Option<bool>,
}

/// Change a page
#[utoipa::path(patch, path = "/api/knowledge/{id}", tag = "knowledge", request_body = PageChangesBody,
    params(("id" = Uuid, Path), ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    responses((status = 200, body = PageView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    headers: HeaderMap,
    Id(id): Id,
    Body(body): Body<PageChangesBody>,
) -> Result<Json<PageView>, ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Write).await?;
    app.space.check(page.workspace_id).await?;
    let once = once(&headers, &caller, "change page", &(id, &body))?;
    let seen = body.version;
    let changes = PageChanges {
        title: body.title,
        body: body.body.map(BodyChange::Whole),
        properties: body.properties.map(given_properties),
        is_public: body.is_public,
    };
    let change =
        PageChange::Set { page: PageRef::Id(page.node.id), seen: Some(seen), changes: changes.checked()? };
    Ok(Json(changed(&app, &caller, page.workspace_id, &once, change, Some(seen)).await?))
}

#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MovePage {
    version: i64,
    /// The page above; left out or null, the top.
    parent_id: Option<Uuid>,
    /// The page in front of which it comes; left out or null, the last place.
    before_id: Option<Uuid>,
}

/// Put a page below another one, or in another place
#[utoipa::path(post, path = "/api/knowledge/{id}/move", tag = "knowledge", request_body = MovePage,
    params(("id" = Uuid, Path), ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    responses((status = 200, body = PageView), Errors))]
pub async fn put(
    State(app): State<SharedApp>,
    caller: Caller,
    headers: HeaderMap,
    Id(id): Id,
    Body(body): Body<MovePage>,
) -> Result<Json<PageView>, ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Write).await?;
    let once = once(&headers, &caller, "move page", &(id, &body))?;
    let change = PageChange::Move {
        page: PageRef::Id(page.node.id),
        seen: Some(body.version),
        below: body.parent_id.map(|id| PageRef::Id(PageId(id))),
        place: body.before_id.map_or(Place::Last, |id| Place::Before(PageId(id))),
    };
    Ok(Json(changed(&app, &caller, page.workspace_id, &once, change, Some(body.version)).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionQuery {
    /// The version that was read.
    version: Option<i64>,
}

/// Delete a page with all below it
///
/// For thirty days it can be restored.
#[utoipa::path(delete, path = "/api/knowledge/{id}", tag = "knowledge", params(("id" = Uuid, Path), VersionQuery), responses((status = 200, body = PageView), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<VersionQuery>,
) -> Result<Json<PageView>, ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Write).await?;
    if page.node.deleted_at.is_some() {
        return Ok(Json(page.into()));
    }
    let change = PageChange::Delete { page: PageRef::Id(page.node.id), seen: query.version };
    Ok(Json(changed(&app, &caller, page.workspace_id, &Once::Unkeyed, change, query.version).await?))
}

/// Bring a deleted page back, with what was deleted with it
#[utoipa::path(post, path = "/api/knowledge/{id}/restore", tag = "knowledge", params(("id" = Uuid, Path)), responses((status = 200, body = PageView), Errors))]
pub async fn restore(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<PageView>, ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Write).await?;
    let change = PageChange::Restore { page: page.node.id };
    Ok(Json(changed(&app, &caller, page.workspace_id, &Once::Unkeyed, change, None).await?))
}

#[derive(Serialize, ToSchema)]
pub struct PageLinksView {
    links: Vec<NodeView>,
    backlinks: Vec<NodeView>,
}

/// What a page links to, and which pages link to it
#[utoipa::path(get, path = "/api/knowledge/{id}/links", tag = "knowledge", params(("id" = Uuid, Path)), responses((status = 200, body = PageLinksView), Errors))]
pub async fn links(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<PageLinksView>, ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Read).await?;
    let links = app.store.page_links(page.workspace_id, page.node.id, Sight::All).await?;
    Ok(Json(PageLinksView {
        links: links.links.into_iter().map(Into::into).collect(),
        backlinks: links.backlinks.into_iter().map(Into::into).collect(),
    }))
}

/// What the caller may do in the area; 403 in words if it is too little.
pub async fn check_area(
    app: &App,
    caller: &Caller,
    workspace: WorkspaceId,
    least: AreaAccess,
) -> Result<(), ApiError> {
    app.role(caller, workspace).await?;
    let areas = app.store.areas(workspace, caller.profile.id).await?;
    let refused = |refused| ApiError::from(Error::AreaRefused(refused));
    areas.check(Area::Knowledge, least).map_err(refused)
}

/// A page that the caller may read or change; 404 for who is not in its workspace.
pub async fn own(app: &App, caller: &Caller, id: Uuid, least: AreaAccess) -> Result<Page, ApiError> {
    let workspace = app.store.page_workspace(PageId(id)).await?;
    app.role_inside(caller, workspace, "page").await?;
    check_area(app, caller, workspace, least).await?;
    let reader = Some(caller.profile.id);
    Ok(app.store.page(workspace, &PageRef::Id(PageId(id)), Sight::All, reader).await?)
}

/// Makes the change, and answers with the page as it is then.
pub async fn changed(
    app: &App,
    caller: &Caller,
    workspace: WorkspaceId,
    once: &Once,
    change: PageChange,
    seen: Option<i64>,
) -> Result<PageView, ApiError> {
    let author = Author { profile_id: caller.profile.id, agent: None };
    let page = match &change {
        PageChange::Set { page: PageRef::Id(id), .. } | PageChange::Move { page: PageRef::Id(id), .. } => {
            Some(*id)
        }
        PageChange::Delete { page: PageRef::Id(id), .. } => Some(*id),
        PageChange::RestoreVersion { page, .. } => Some(*page),
        _ => None,
    };
    let reader = Some(caller.profile.id);
    let outcome = match app.store.change_page(once, workspace, author, change).await {
        Err(EffectRefused::NotNow(words)) => {
            let now = match page {
                Some(id) => app.store.page(workspace, &PageRef::Id(id), Sight::All, reader).await.ok(),
                None => None,
            };
            let is_newer = seen.is_some() && now.is_none_or(|now| Some(now.node.version) != seen);
            let code = if is_newer { "page_changed" } else { "not_possible" };
            return Err(ApiError::new(StatusCode::CONFLICT, code, words));
        }
        other => data_request::outcome(other)?,
    };
    app.workspace_changed(workspace);
    let id = outcome["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let id = id.ok_or_else(|| ApiError::internal("an outcome without an id"))?;
    Ok(app.store.page(workspace, &PageRef::Id(PageId(id)), Sight::All, reader).await?.into())
}
