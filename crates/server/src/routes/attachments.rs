//! Attachments: files that a person sends with messages, and files of tools' results. For everyone else they do not exist (404).

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use baton_core::attachments::{AttachmentRef, MAX_NAME, NewAttachment, media_type};
use baton_core::csv;
use baton_core::ids::{FileId, WorkspaceId};
use baton_core::text;
use baton_core::visitors::Person;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{Success, done};
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Id, Params, download_as, read_body, window};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AttachQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// The file's name.
    #[param(min_length = 1, max_length = 200)]
    name: String,
}

/// The bytes of a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code)]
pub struct FileBytes(Vec<u8>);

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Attachment)]
pub struct AttachmentView {
    id: Uuid,
    name: String,
    /// Found by looking at the bytes.
    media_type: String,
    size: u64,
}

impl From<AttachmentRef> for AttachmentView {
    fn from(about: AttachmentRef) -> Self {
        Self { id: about.id.0, name: about.name, media_type: about.media_type, size: about.size }
    }
}

/// Upload a file to send along with a message: an image (PNG, JPEG, GIF, WebP) or text, up to 5 MiB, as the body
#[utoipa::path(post, path = "/api/attachments", tag = "files", params(AttachQuery), request_body(content = FileBytes, content_type = "application/octet-stream"), responses((status = 201, body = AttachmentView), Errors))]
pub async fn upload(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<AttachQuery>,
    request: Request,
) -> Result<(StatusCode, Json<AttachmentView>), ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace_id).await?;
    app.space.check(workspace_id).await?;
    let name = text::line("name", &query.name, MAX_NAME)?;
    let bytes = read_body(request, &app).await?.to_vec();
    if bytes.is_empty() {
        let error = "The file is empty.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "empty_file", error));
    }
    let Some(media_type) = media_type(&name, &bytes) else {
        let error = "Only PNG, JPEG, GIF and WebP images and text in UTF-8 can be attached.";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_type", error));
    };
    app.space.take(workspace_id, bytes.len()).await?;
    let person = Person::Profile(caller.profile.id);
    let new = NewAttachment { workspace_id, person, name, media_type, bytes };
    let kept = app.store.keep_attachment(new).await?;
    Ok((StatusCode::CREATED, Json(kept.into())))
}

/// A file one attached. In CSV, cells that begin a formula are served as text
#[utoipa::path(get, path = "/api/attachments/{id}", tag = "files", params(("id" = Uuid, Path)), responses((status = 200, body = FileBytes, content_type = "*/*"), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<(HeaderMap, Vec<u8>), ApiError> {
    let attachment = app.store.attachment(FileId(id), Person::Profile(caller.profile.id)).await?;
    app.role_inside(&caller, attachment.workspace_id, "attachment").await?;
    download(&attachment.about, attachment.bytes)
}

/// A file of a tool's result: a picture, or the whole of what the model was given a part of. In CSV, cells that begin a formula are served as text
///
/// It is there for the person of the conversation, as long as the conversation is.
#[utoipa::path(get, path = "/api/result-files/{id}", tag = "files", params(("id" = Uuid, Path)), responses((status = 200, body = FileBytes, content_type = "*/*"), Errors))]
pub async fn result_file(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<(HeaderMap, Vec<u8>), ApiError> {
    let file = app.store.result_file(FileId(id), Person::Profile(caller.profile.id)).await?;
    app.role_inside(&caller, file.workspace_id, "file").await?;
    download(&file.about, file.bytes)
}

/// A file as a download that no browser runs.
fn download(about: &AttachmentRef, bytes: Vec<u8>) -> Result<(HeaderMap, Vec<u8>), ApiError> {
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, content_type(&about.media_type)?),
        (header::CONTENT_DISPOSITION, download_as(&about.name)?),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
    ]);
    Ok((headers, served(about, bytes)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct AttachmentList {
    attachments: Vec<AttachmentView>,
    /// How many there are without limit and offset.
    total: u64,
}

/// The files one attached in a workspace, the latest first
#[utoipa::path(get, path = "/api/attachments", tag = "files", params(ListQuery), responses((status = 200, body = AttachmentList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ListQuery>,
) -> Result<Json<AttachmentList>, ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace_id).await?;
    let person = Person::Profile(caller.profile.id);
    let page = app.store.own_attachments(workspace_id, person, window(query.limit, query.offset)?).await?;
    let attachments = page.rows.into_iter().map(Into::into).collect();
    Ok(Json(AttachmentList { attachments, total: page.total }))
}

/// Delete a file one attached
///
/// Messages it was sent with still name it, and agents are told that it is no longer kept.
#[utoipa::path(delete, path = "/api/attachments/{id}", tag = "files", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let person = Person::Profile(caller.profile.id);
    let attachment = app.store.attachment(FileId(id), person).await?;
    app.role_inside(&caller, attachment.workspace_id, "attachment").await?;
    app.store.delete_attachment(FileId(id), person).await?;
    app.space.forget(attachment.workspace_id);
    Ok(done())
}

fn content_type(media_type: &str) -> Result<HeaderValue, ApiError> {
    let value = if media_type.starts_with("text/") {
        HeaderValue::from_str(&format!("{media_type}; charset=utf-8"))
    } else {
        HeaderValue::from_str(media_type)
    };
    value.map_err(ApiError::internal)
}

fn served(about: &AttachmentRef, bytes: Vec<u8>) -> Vec<u8> {
    if about.media_type != "text/csv" {
        return bytes;
    }
    // It was UTF-8 when it was taken for CSV.
    match String::from_utf8(bytes) {
        Ok(text) => csv::without_formulas(&text).into_bytes(),
        Err(not_text) => not_text.into_bytes(),
    }
}
