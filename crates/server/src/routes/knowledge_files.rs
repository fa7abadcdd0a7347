//! Files of pages, and pages as files: images, imports of a zip of Markdown that can be undone, and the export of all pages.

use std::fs::File;
use std::io::Read;

use axum::Json;
use axum::body::{Body as HttpBody, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use baton_core::data::areas::AreaAccess;
use baton_core::files::image_type;
use baton_core::ids::{PageFileId, PageId, PageImportId, WorkspaceId};
use baton_core::pages::{MAX_FILE_NAME, NewPageFile};
use baton_core::text;
use chrono::Utc;
use futures::stream;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::attachments::FileBytes;
use super::knowledge::{check_area, own};
use super::knowledge_view::{CountsView, ImportView, PageFileView};
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Id, Params, download_as, read_body};
use crate::pages::{Import, export as export_pages};

/// Imports in an hour, by one person.
const IMPORTS: u32 = 60;
const PIECE: usize = 64 * 1024;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    /// The file's name.
    #[param(min_length = 1, max_length = 200)]
    name: String,
}

/// Add an image or another file to a page, up to 10 MiB, as the body
#[utoipa::path(post, path = "/api/knowledge/{id}/files", tag = "knowledge", params(("id" = Uuid, Path), FileQuery), request_body(content = FileBytes, content_type = "application/octet-stream"), responses((status = 201, body = PageFileView), Errors))]
pub async fn upload(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<FileQuery>,
    request: Request,
) -> Result<(StatusCode, Json<PageFileView>), ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Write).await?;
    let name = text::line("name", &query.name, MAX_FILE_NAME)?;
    app.space.check(page.workspace_id).await?;
    let bytes = read_body(request, &app).await?.to_vec();
    if bytes.is_empty() {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "empty_file", "The file is empty."));
    }
    app.space.take(page.workspace_id, bytes.len()).await?;
    // By its bytes; whatever is no image is only ever downloaded.
    let media_type = image_type(&bytes).unwrap_or("application/octet-stream").to_owned();
    let file = NewPageFile { page_id: page.node.id, name, media_type, bytes };
    let kept = app.store.keep_page_file(page.workspace_id, caller.profile.id, file).await?;
    Ok((StatusCode::CREATED, Json(kept.into())))
}

#[derive(Serialize, ToSchema)]
pub struct PageFileList {
    files: Vec<PageFileView>,
}

/// The files of a page
#[utoipa::path(get, path = "/api/knowledge/{id}/files", tag = "knowledge", params(("id" = Uuid, Path)), responses((status = 200, body = PageFileList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<PageFileList>, ApiError> {
    let page = own(&app, &caller, id, AreaAccess::Read).await?;
    let files = app.store.page_files(page.node.id).await?;
    Ok(Json(PageFileList { files: files.into_iter().map(Into::into).collect() }))
}

/// A file of a page
#[utoipa::path(get, path = "/api/knowledge/files/{id}", tag = "knowledge", params(("id" = Uuid, Path)), responses((status = 200, body = FileBytes, content_type = "*/*"), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<(HeaderMap, Vec<u8>), ApiError> {
    let file = app.store.page_file(PageFileId(id)).await?;
    app.role_inside(&caller, file.workspace_id, "file").await?;
    check_area(&app, &caller, file.workspace_id, AreaAccess::Read).await?;
    let content_type = HeaderValue::from_str(&file.info.media_type).map_err(ApiError::internal)?;
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_DISPOSITION, download_as(&file.info.name)?),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
    ]);
    Ok((headers, file.bytes))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// The file's name, by which people know the import.
    #[param(min_length = 1, max_length = 200)]
    filename: Option<String>,
    /// The page below which they come; left out, the top.
    #[serde(rename = "parentId")]
    parent_id: Option<Uuid>,
    /// Only counts what would come of it.
    #[serde(rename = "dryRun")]
    dry_run: Option<bool>,
}

#[derive(Serialize, ToSchema)]
pub struct RefusedFileView {
    path: String,
    reason: String,
}

#[derive(Serialize, ToSchema)]
pub struct PagesImported {
    /// By which it can be undone; none if it was only tried.
    #[schema(required)]
    import_id: Option<Uuid>,
    counts: CountsView,
    /// Files that were not taken, at most 200 of them.
    refused: Vec<RefusedFileView>,
}

/// Import pages from a zip of Markdown, as the body
///
/// Folders are the tree; relative links, images and front matter are kept. The same file again changes only what differs.
#[utoipa::path(post, path = "/api/knowledge/import", tag = "knowledge", params(ImportQuery), request_body(content((FileBytes = "application/zip"), (FileBytes = "application/octet-stream"))), responses((status = 200, body = PagesImported), Errors))]
pub async fn import(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ImportQuery>,
    request: Request,
) -> Result<Json<PagesImported>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Write).await?;
    let filename = query.filename.as_deref().unwrap_or("pages.zip");
    let filename = text::line("filename", filename, MAX_FILE_NAME)?;
    app.copies.take(&format!("pages of {}", caller.profile.id), IMPORTS).map_err(ApiError::too_many)?;
    app.space.check(workspace).await?;
    let zip: Bytes = read_body(request, &app).await?;
    let is_tried = query.dry_run.unwrap_or(false);
    if !is_tried {
        app.space.take(workspace, zip.len()).await?;
    }
    let (by, root) = (caller.profile.id, query.parent_id.map(PageId));
    let store = app.store.clone();
    // To its end, also if nobody waits for it any more: half an import helps nobody.
    let running = tokio::spawn(async move {
        let import = Import { store: &*store, workspace, by, root };
        import.run(zip, (!is_tried).then_some(&*filename)).await
    });
    let imported = running.await.map_err(ApiError::internal)??;
    if !is_tried {
        app.space.forget(workspace);
        app.workspace_changed(workspace);
    }
    let refused = imported.refused.into_iter();
    Ok(Json(PagesImported {
        import_id: imported.id.map(|id| id.0),
        counts: imported.counts.into(),
        refused: refused.map(|file| RefusedFileView { path: file.path, reason: file.reason }).collect(),
    }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WorkspaceQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct PageImportList {
    imports: Vec<ImportView>,
}

/// The latest imports of pages
#[utoipa::path(get, path = "/api/knowledge/imports", tag = "knowledge", params(WorkspaceQuery), responses((status = 200, body = PageImportList), Errors))]
pub async fn imports(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<WorkspaceQuery>,
) -> Result<Json<PageImportList>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let imports = app.store.page_imports(workspace, 50).await?;
    Ok(Json(PageImportList { imports: imports.into_iter().map(Into::into).collect() }))
}

#[derive(Serialize, ToSchema)]
pub struct PageImportUndone {
    /// Pages that it had made.
    removed: u64,
    /// Pages that have their earlier text again.
    reset: u64,
    /// Pages that were changed since, and stay as they are.
    kept: u64,
}

/// Undo an import of pages, as far as nobody has changed since what it brought
#[utoipa::path(delete, path = "/api/knowledge/imports/{id}", tag = "knowledge", params(("id" = Uuid, Path)), responses((status = 200, body = PageImportUndone), Errors))]
pub async fn undo(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<PageImportUndone>, ApiError> {
    let (workspace, import) = app.store.page_import(PageImportId(id)).await?;
    app.role_inside(&caller, workspace, "import").await?;
    check_area(&app, &caller, workspace, AreaAccess::Write).await?;
    let undone = app.store.undo_page_import(workspace, import.id, caller.profile.id).await?;
    app.space.forget(workspace);
    app.workspace_changed(workspace);
    Ok(Json(PageImportUndone { removed: undone.removed, reset: undone.reset, kept: undone.kept }))
}

/// All pages as a zip of Markdown
///
/// Importing it again gives the same pages.
#[utoipa::path(get, path = "/api/knowledge/export", tag = "knowledge", params(WorkspaceQuery), responses((status = 200, body = FileBytes, content_type = "application/zip"), Errors))]
pub async fn export(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<WorkspaceQuery>,
) -> Result<(HeaderMap, HttpBody), ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    check_area(&app, &caller, workspace, AreaAccess::Read).await?;
    let file = export_pages(&*app.store, workspace).await?;
    let name = format!("pages-{}.zip", Utc::now().format("%Y-%m-%d"));
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static("application/zip")),
        (header::CONTENT_DISPOSITION, download_as(&name)?),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    Ok((headers, HttpBody::from_stream(stream::unfold(Some(file), piece))))
}

/// The next piece of a file; an error is the last.
async fn piece(file: Option<File>) -> Option<(std::io::Result<Vec<u8>>, Option<File>)> {
    let mut file = file?;
    let read = tokio::task::spawn_blocking(move || {
        let mut piece = vec![0; PIECE];
        let length = file.read(&mut piece)?;
        piece.truncate(length);
        Ok::<_, std::io::Error>((piece, file))
    });
    match read.await {
        Ok(Ok((piece, _))) if piece.is_empty() => None,
        Ok(Ok((piece, file))) => Some((Ok(piece), Some(file))),
        Ok(Err(error)) => Some((Err(error), None)),
        Err(lost) => Some((Err(std::io::Error::other(lost)), None)),
    }
}
