//! Exports: rows of a kind as a file, at once or made by an agent before.

use axum::body::Body as HttpBody;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use baton_core::data::areas::AreaAccess;
use baton_core::data::exports::{ExportFormat, ExportWish};
use baton_core::ids::{ExportId, WorkspaceId};
use chrono::Utc;
use futures::TryStreamExt;
use utoipa::IntoParams;
use uuid::Uuid;

use super::attachments::FileBytes;
use super::data_request::{self, ListParams};
use super::imports::scope;
use crate::app::SharedApp;
use crate::exports::{self, FilePieces};
use crate::http::{ApiError, Caller, Errors, Id, PathText, download_as};

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct ExportQuery {
    #[param(rename = "workspaceId")]
    workspace_id: Uuid,
    /// `csv`, which an import reads back to the same rows, or `json`.
    format: Option<String>,
    /// Words that rows must have.
    #[param(max_length = 200)]
    search: Option<String>,
}

/// Rows of a kind as a file: CSV, which an import reads back to the same rows, or JSON
///
/// Filters are those of the list of the kind. Amounts are decimals, references are there by name and by id, and cells that a
/// spreadsheet would run are quoted.
#[utoipa::path(get, path = "/api/data/{kind}/export", tag = "data", params(("kind" = String, Path), ExportQuery), responses((status = 200, body = FileBytes, content_type = "text/csv"), Errors))]
pub async fn export(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(kind): PathText,
    params: ListParams,
) -> Result<Response, ApiError> {
    let kind = data_request::kind(&kind)?;
    let (format, query) = params.export(kind)?;
    let scope = scope(&app, &caller, WorkspaceId(params.workspace()?), kind, AreaAccess::Read).await?;
    let pieces = exports::pieces(app.store.clone(), scope, ExportWish { kind, format, query, most: None });
    file(format, &exports::filename(kind, format), pieces)
}

/// A file that an agent made for the caller; it expires after a day
#[utoipa::path(get, path = "/api/data/exports/{id}", tag = "data", params(("id" = Uuid, Path)), responses((status = 200, body = FileBytes, content_type = "text/csv"), Errors))]
pub async fn download(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let made = app.store.export_file(ExportId(id), caller.profile.id, Utc::now()).await?;
    app.role_inside(&caller, made.workspace_id, "file").await?;
    // As they may see it now, not as it was made.
    scope(&app, &caller, made.workspace_id, data_request::kind(&made.kind)?, AreaAccess::Read).await?;
    let format: ExportFormat = made.format.parse().map_err(ApiError::internal)?;
    file(format, &made.filename, exports::kept(app.store.clone(), &made))
}

fn file(format: ExportFormat, name: &str, pieces: FilePieces) -> Result<Response, ApiError> {
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(format.media_type())),
        (header::CONTENT_DISPOSITION, download_as(name)?),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
    ]);
    let pieces =
        pieces.inspect_err(|error| tracing::error!(%error, "an export could not be written to its end"));
    Ok((headers, HttpBody::from_stream(pieces)).into_response())
}
