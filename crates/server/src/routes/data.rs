//! Rows of the workspace's data, by their kinds.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::KINDS;
use baton_core::data::rows::{Change, RowChange};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::data_request::{self, ListParams, RowPath, Within, author, once, outcome, scope};
use super::data_view::{self, DataKind, DataRow};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Params, PathText};

#[derive(Serialize, ToSchema)]
pub struct DataKinds {
    kinds: Vec<DataKind>,
}

/// The kinds of data that the caller may see, and what they may do with each
#[utoipa::path(get, path = "/api/data/kinds", tag = "data", params(Within), responses((status = 200, body = DataKinds), Errors))]
pub async fn kinds(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(within): Params<Within>,
) -> Result<Json<DataKinds>, ApiError> {
    let areas = scope(&app, &caller, within.workspace_id).await?.areas;
    let seen = KINDS.iter().filter(|kind| data_view::may_see(kind, &areas));
    Ok(Json(DataKinds { kinds: seen.map(|kind| data_view::kind(kind, &areas)).collect() }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DataRows {
    rows: Vec<DataRow>,
    /// How many there are without limit and cursor, as far as they were counted.
    total: u64,
    /// Whether that is all of them: very many that fit a filter or a search are not counted to their end.
    is_counted: bool,
    /// For the next page; null on the last.
    next_cursor: Option<String>,
}

/// Rows of a kind
///
/// Filters have the names of the kind's fields in camelCase: `accountId=…` (given again: any of them), `categoryId=none`,
/// `bookedOnFrom=2026-01-01`, `bookedOnTo=…`, `amountFrom=…` in minor units.
#[utoipa::path(get, path = "/api/data/{kind}", tag = "data",
    params(("kind" = String, Path), Within,
        ("search" = Option<String>, Query, description = "Words of a row, in any case; of kinds with few rows any part of its text"),
        ("sort" = Option<String>, Query, description = "A field such as `bookedOn`, or `-bookedOn` for the last first"),
        ("limit" = Option<u64>, Query, description = "1 to 500; left out: 50"),
        ("cursor" = Option<String>, Query, description = "The `nextCursor` of the page before")),
    responses((status = 200, body = DataRows), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(name): PathText,
    params: ListParams,
) -> Result<Json<DataRows>, ApiError> {
    let scope = scope(&app, &caller, params.workspace()?).await?;
    let kind = data_request::kind(&name)?;
    let page = app.store.rows(scope, kind, params.query(kind)?).await?;
    Ok(Json(DataRows {
        rows: page.rows.into_iter().map(Into::into).collect(),
        total: page.total,
        is_counted: page.is_counted,
        next_cursor: page.next_cursor,
    }))
}

/// Add a row
#[utoipa::path(post, path = "/api/data/{kind}", tag = "data",
    params(("kind" = String, Path), Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters; sent again within a day, the first answer is given")),
    request_body(content = Object, description = "The fields of the kind"),
    responses((status = 201, body = DataRow), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(name): PathText,
    Params(within): Params<Within>,
    headers: HeaderMap,
    Body(fields): Body<Map<String, Value>>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let workspace = within.workspace_id;
    let scope = scope(&app, &caller, workspace).await?;
    let kind = data_request::kind(&name)?;
    app.space.check(scope.workspace_id).await?;
    let once = once(&headers, &caller, &format!("create {name} in {workspace}"), &fields)?;
    let changes = vec![RowChange { kind, change: Change::Create { id: Uuid::now_v7(), fields } }];
    let written = app.store.change_rows(&once, scope, author(&caller), changes).await;
    changed(&app, workspace, kind, outcome(written)?).map(|row| (StatusCode::CREATED, row))
}

/// One row
#[utoipa::path(get, path = "/api/data/{kind}/{id}", tag = "data", params(("kind" = String, Path), ("id" = Uuid, Path), Within), responses((status = 200, body = DataRow), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    RowPath(kind, id): RowPath,
    Params(within): Params<Within>,
) -> Result<Json<DataRow>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    Ok(Json(app.store.row(scope, kind, id).await?.into()))
}

/// Change a row
///
/// Fields that are not named stay. With `version`, as it was read, the change is refused (409) if the row has changed since.
#[utoipa::path(patch, path = "/api/data/{kind}/{id}", tag = "data",
    params(("kind" = String, Path), ("id" = Uuid, Path), Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    request_body(content = Object, description = "Some fields of the kind, and `version`"),
    responses((status = 200, body = DataRow), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    RowPath(kind, id): RowPath,
    Params(within): Params<Within>,
    headers: HeaderMap,
    Body(mut fields): Body<Map<String, Value>>,
) -> Result<Json<Value>, ApiError> {
    let workspace = within.workspace_id;
    let scope = scope(&app, &caller, workspace).await?;
    app.space.check(scope.workspace_id).await?;
    let once = once(&headers, &caller, &format!("change {} {id} in {workspace}", kind.name), &fields)?;
    let seen = seen(fields.remove("version"))?;
    let changes = vec![RowChange { kind, change: Change::Set { id, seen, fields } }];
    let written = app.store.change_rows(&once, scope, author(&caller), changes).await;
    let done = outcome(written)?;
    if done["changed"] == 0 {
        // It was so already.
        let row: DataRow = app.store.row(scope, kind, id).await?.into();
        return serde_json::to_value(row).map(Json).map_err(ApiError::internal);
    }
    changed(&app, workspace, kind, done)
}

fn seen(version: Option<Value>) -> Result<Option<i64>, ApiError> {
    match version {
        None => Ok(None),
        Some(version) => match version.as_i64() {
            Some(version) => Ok(Some(version)),
            None => Err(ApiError::invalid("version", "must be a whole number")),
        },
    }
}

/// Delete a row
#[utoipa::path(delete, path = "/api/data/{kind}/{id}", tag = "data",
    params(("kind" = String, Path), ("id" = Uuid, Path), Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    responses((status = 200, body = DataRow), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    RowPath(kind, id): RowPath,
    Params(within): Params<Within>,
    headers: HeaderMap,
) -> Result<Json<Value>, ApiError> {
    alone(&app, &caller, (kind, id), within.workspace_id, &headers, Change::Delete { id, seen: None }).await
}

/// Bring a deleted row back, of a kind that keeps them
#[utoipa::path(post, path = "/api/data/{kind}/{id}/restore", tag = "data",
    params(("kind" = String, Path), ("id" = Uuid, Path), Within, ("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    responses((status = 200, body = DataRow), Errors))]
pub async fn restore(
    State(app): State<SharedApp>,
    caller: Caller,
    RowPath(kind, id): RowPath,
    Params(within): Params<Within>,
    headers: HeaderMap,
) -> Result<Json<Value>, ApiError> {
    alone(&app, &caller, (kind, id), within.workspace_id, &headers, Change::Restore { id }).await
}

/// A change without a body.
async fn alone(
    app: &App,
    caller: &Caller,
    (kind, id): (&'static Kind, Uuid),
    workspace: Uuid,
    headers: &HeaderMap,
    change: Change,
) -> Result<Json<Value>, ApiError> {
    let scope = scope(app, caller, workspace).await?;
    let what = match change {
        Change::Restore { .. } => "restore",
        _ => "delete",
    };
    let once = once(headers, caller, &format!("{what} {} {id} in {workspace}", kind.name), &())?;
    let changes = vec![RowChange { kind, change }];
    let written = app.store.change_rows(&once, scope, author(caller), changes).await;
    changed(app, workspace, kind, outcome(written)?)
}

/// The one row that changed, of which others are told.
fn changed(app: &App, workspace: Uuid, kind: &Kind, mut outcome: Value) -> Result<Json<Value>, ApiError> {
    app.data_changed(baton_core::ids::WorkspaceId(workspace), kind);
    let change = outcome["changes"][0].take();
    let mut row = outcome["rows"][0].take();
    if let Value::Object(row) = &mut row {
        row.remove("kind");
        row.remove("done");
        row.insert("change_id".to_owned(), change);
    }
    Ok(Json(row))
}
