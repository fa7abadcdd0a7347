//! The record of what changed in the workspace's data, and taking changes back.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use baton_core::data::rows::kinds_changed;
use baton_core::ids::ConversationId;
use baton_core::store::ChangesOf;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::data_request::{RowPath, Within, author, once, outcome, scope};
use super::data_view::DataChange;
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Params};

/// The most that an answer holds.
const MOST: u64 = 200;

#[derive(Serialize, ToSchema)]
pub struct DataChanges {
    /// The newest first.
    changes: Vec<DataChange>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct ChangesQuery {
    workspace_id: Uuid,
    /// With `seq`: what one call of an agent changed.
    conversation_id: Option<Uuid>,
    seq: Option<i64>,
    /// Before this change.
    before: Option<Uuid>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
}

/// What changed in the workspace's data, as far as the caller may see it, the newest first
#[utoipa::path(get, path = "/api/data/changes", tag = "data", params(ChangesQuery), responses((status = 200, body = DataChanges), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ChangesQuery>,
) -> Result<Json<DataChanges>, ApiError> {
    let scope = scope(&app, &caller, query.workspace_id).await?;
    let limit = query.limit.unwrap_or(50);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::invalid("limit", "must be from 1 to 200"));
    }
    let of = match (query.conversation_id, query.seq) {
        (Some(id), Some(seq)) => ChangesOf::Call { conversation: ConversationId(id), seq },
        (None, None) => ChangesOf::Workspace { before: query.before },
        (None, Some(_)) => return Err(ApiError::invalid("conversationId", "is required with seq")),
        (Some(_), None) => return Err(ApiError::invalid("seq", "is required with conversationId")),
    };
    answer(app.store.changes(scope, of, limit).await?)
}

/// What changed of one row, the newest first
#[utoipa::path(get, path = "/api/data/{kind}/{id}/changes", tag = "data", params(("kind" = String, Path), ("id" = Uuid, Path), Within), responses((status = 200, body = DataChanges), Errors))]
pub async fn of_row(
    State(app): State<SharedApp>,
    caller: Caller,
    RowPath(kind, id): RowPath,
    Params(within): Params<Within>,
) -> Result<Json<DataChanges>, ApiError> {
    let scope = scope(&app, &caller, within.workspace_id).await?;
    answer(app.store.changes(scope, ChangesOf::Row { kind, id }, MOST).await?)
}

fn answer(changes: Vec<baton_core::data::rows::RecordedChange>) -> Result<Json<DataChanges>, ApiError> {
    Ok(Json(DataChanges { changes: changes.into_iter().map(Into::into).collect() }))
}

/// What a write of several rows did.
#[derive(Serialize, ToSchema)]
pub struct DataDone {
    /// How many rows changed.
    changed: u64,
    /// The changes, to be undone.
    changes: Vec<String>,
    /// The first rows that changed, as they are now, with `kind` and what was `done`.
    #[schema(value_type = Vec<Object>)]
    rows: Vec<Value>,
    /// Whether the same again would change more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
    /// How many rows were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    looked_at: Option<u64>,
}

/// What was done, of which others are told.
pub fn done(app: &App, workspace: Uuid, outcome: &Value) -> Result<Json<DataDone>, ApiError> {
    let list = |name: &str| outcome[name].as_array().cloned().unwrap_or_default();
    let rows = list("rows");
    for kind in kinds_changed(outcome) {
        app.data_changed(baton_core::ids::WorkspaceId(workspace), kind);
    }
    Ok(Json(DataDone {
        changed: outcome["changed"].as_u64().unwrap_or_default(),
        changes: list("changes").iter().filter_map(|id| id.as_str().map(str::to_owned)).collect(),
        rows,
        more: outcome["more"].as_bool(),
        looked_at: outcome["looked_at"].as_u64(),
    }))
}

#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UndoBody {
    workspace_id: Uuid,
    #[schema(min_items = 1, max_items = 1000)]
    changes: Vec<Uuid>,
}

/// Take changes back, all of them or none; refused (409) if a row was changed since
#[utoipa::path(post, path = "/api/data/changes/undo", tag = "data",
    params(("idempotency-key" = Option<String>, Header, description = "Any text of 1 to 200 characters")),
    request_body = UndoBody, responses((status = 200, body = DataDone), Errors))]
pub async fn undo(
    State(app): State<SharedApp>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<UndoBody>,
) -> Result<Json<DataDone>, ApiError> {
    let scope = scope(&app, &caller, body.workspace_id).await?;
    let once = once(&headers, &caller, "undo", &body)?;
    let written = app.store.undo(&once, scope, author(&caller), body.changes).await;
    done(&app, body.workspace_id, &outcome(written)?)
}
