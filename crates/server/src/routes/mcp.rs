//! `/mcp`: the workspace of an API token as an MCP server. What it offers is in `mcp/`.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::{App, SharedApp};
use crate::http::{ApiError, Caller, ErrorBody, Someone, Via, is_foreign, own_authority, read_body};
use crate::mcp::{Workspace, http};

/// The workspace of an API token as an MCP server
///
/// The Model Context Protocol over one address: each POST is one JSON-RPC message, and its answer is JSON or a stream of
/// server-sent events. Spoken are the revisions 2026-07-28, 2025-11-25 and 2025-06-18. Only an API token gets in, as
/// `Authorization: Bearer …`; what it offers is what its person may do in its workspace.
#[utoipa::path(post, path = "/mcp", tag = "mcp", request_body = Object,
    responses((status = 200, description = "A JSON-RPC response, as JSON or as a stream", body = Object),
        (status = 202, description = "A notification was heard"),
        (status = 400, description = "It is no message of the protocol: a JSON-RPC error, or the body could not be read", body = Object),
        (status = 401, description = "There is no token, or none that is good", body = ErrorBody),
        (status = 403, description = "Its person is no member any more, or it came from another site", body = ErrorBody),
        (status = 404, description = "There is no such method: a JSON-RPC error", body = Object),
        (status = 408, description = "The body took too long to arrive", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 421, description = "The request names a host this server does not answer to", body = ErrorBody),
        (status = 500, description = "Something broke on the server", body = ErrorBody),
        (status = 503, description = "The database does not answer", body = ErrorBody)))]
pub async fn post(State(app): State<SharedApp>, request: Request) -> Response {
    let (headers, is_foreign) = (request.headers().clone(), is_foreign(&app.settings, &request));
    let base = base(&app, &request);
    match workspace(&app, &headers, is_foreign, base).await {
        Ok(workspace) => match read_body(request, &app).await {
            Ok(body) => http::respond(&workspace, &headers, &body).await,
            Err(unreadable) => unreadable.into_response(),
        },
        Err(refusal) if refusal.status() == StatusCode::UNAUTHORIZED => {
            let mut response = refusal.into_response();
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// Whose request it is. Nobody gets in by a cookie: a page of another site could send it along.
async fn workspace(
    app: &SharedApp,
    headers: &HeaderMap,
    is_foreign: bool,
    base: String,
) -> Result<Workspace, ApiError> {
    if is_foreign {
        return Err(ApiError::forbidden("wrong_origin", "This request came from another site."));
    }
    if crate::http::bearer(headers).is_none() {
        return Err(token_needed());
    }
    let caller = Caller::find(app, headers, app.store.generation()).await?;
    let Via::Token { token_id, workspace_id, .. } = caller.via else { return Err(token_needed()) };
    app.role(&caller, workspace_id).await?;
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    let someone = Someone::from(caller.clone());
    Ok(Workspace { app: app.clone(), someone, caller, token_id, workspace_id, base, key })
}

fn token_needed() -> ApiError {
    let error = "Send an API token as Authorization: Bearer …; one makes it in the settings.";
    ApiError::new(StatusCode::UNAUTHORIZED, "token_required", error)
}

/// Where people find this server: as it was told, or as the client calls it.
fn base(app: &App, request: &Request) -> String {
    if let Some(url) = &app.settings.public_url {
        return url.as_str().trim_end_matches('/').to_owned();
    }
    format!("http://{}", own_authority(&app.settings, request).unwrap_or_default())
}
