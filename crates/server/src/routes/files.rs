//! Files: images for avatars, uploaded as they are and served so that a browser never runs them.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use baton_core::agents::FILES_PATH;
use baton_core::files::{NewFile, image_type};
use baton_core::ids::{FileId, WorkspaceId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::public::is_avatar;
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Id, Params, Someone, read_body};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// Left out for a file of the catalog (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
}

/// The bytes of an image.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code)]
pub struct ImageBytes(Vec<u8>);

#[derive(Serialize, ToSchema)]
pub struct Uploaded {
    id: Uuid,
    /// What to set as `avatar_url`.
    url: String,
}

/// Upload an image: PNG, JPEG, GIF or WebP, up to 1 MiB, as the body
#[utoipa::path(post, path = "/api/files", tag = "files", params(UploadQuery), request_body(content = ImageBytes, content_type = "application/octet-stream"), responses((status = 201, body = Uploaded), Errors))]
pub async fn upload(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<UploadQuery>,
    request: Request,
) -> Result<(StatusCode, Json<Uploaded>), ApiError> {
    let workspace_id = query.workspace_id.map(WorkspaceId);
    match workspace_id {
        Some(workspace) => app.role(&caller, workspace).await.map(drop)?,
        None => caller.admin()?,
    }
    let bytes = read_body(request, &app).await?.to_vec();
    let Some(content_type) = image_type(&bytes) else {
        let error = "Only PNG, JPEG, GIF and WebP images can be uploaded.";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_type", error));
    };
    let file = NewFile { workspace_id, uploaded_by: Some(caller.profile.id), content_type, bytes };
    let id = app.store.keep_file(file).await?;
    Ok((StatusCode::CREATED, Json(Uploaded { id: id.0, url: format!("{FILES_PATH}{id}") })))
}

/// An uploaded file
#[utoipa::path(get, path = "/api/files/{id}", tag = "files", params(("id" = Uuid, Path)), responses((status = 200, body = ImageBytes, content_type = "image/*"), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    someone: Someone,
    Id(id): Id,
) -> Result<(HeaderMap, Vec<u8>), ApiError> {
    let file = app.store.file(FileId(id)).await?;
    if let Some(workspace) = file.workspace_id {
        let present = app.present_inside(&someone, workspace, "file").await?;
        let path = format!("{FILES_PATH}{id}");
        if present.is_public() && !is_avatar(&app.store.hired(workspace).await?, someone.viewer(), &path) {
            return Err(ApiError::not_found("file"));
        }
    }
    let content_type = HeaderValue::from_str(&file.content_type).map_err(ApiError::internal)?;
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, content_type),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable")),
    ]);
    Ok((headers, file.bytes))
}
