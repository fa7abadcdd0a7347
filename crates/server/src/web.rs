//! The web app: embedded in release builds, read from disk in debug. Browsers keep files with a hash in their name for
//! good. Every path that is not a file gets the app's page, and the app itself finds the right view.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::http::ApiError;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Dist;

const API_DOCS_CSS: &str = include_str!("api-docs.css");

pub async fn serve(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return ApiError::not_found("address").into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed().into_response();
    }
    if path == "api-docs.css" {
        return ([(header::CONTENT_TYPE, "text/css")], API_DOCS_CSS).into_response();
    }
    if !path.is_empty()
        && let Some(response) = file(path, request.headers())
    {
        return response;
    }
    let looks_like_a_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if looks_like_a_file {
        return ApiError::not_found("file").into_response();
    }
    file("index.html", request.headers()).unwrap_or_else(not_built)
}

fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    // The files with .br and .gz hold the same content, compressed.
    if path.ends_with(".br") || path.ends_with(".gz") {
        return None;
    }
    let plain = Dist::get(path)?;
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let accepts = |name: &str| {
        accepted.split(',').any(|one| {
            let mut words = one.split(';').map(str::trim);
            words.next() == Some(name) && !words.any(|word| word == "q=0")
        })
    };
    let smaller = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(encoding, _)| accepts(encoding))
        .find_map(|(encoding, ending)| Some((encoding, Dist::get(&format!("{path}.{ending}"))?)));
    let tag = etag(&plain);
    let kept = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = if headers.get(header::IF_NONE_MATCH).is_some_and(|seen| *seen == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let (encoding, file) = smaller.map_or((None, plain), |(encoding, file)| (Some(encoding), file));
        let mut response = Body::from(file.data).into_response();
        if let Some(encoding) = encoding {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
        response
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::ETAG, tag);
    Some(response)
}

fn etag(file: &EmbeddedFile) -> HeaderValue {
    let hex: String = file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("\"{hex}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn not_built() -> Response {
    let text = "The web app is not built. Run `make web`, then reload this page. The API is at /api/docs.\n";
    (StatusCode::SERVICE_UNAVAILABLE, text).into_response()
}
