//! Headers on every answer: what the page may load, and that API answers are nobody else's to keep.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::SharedApp;

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
    frame-ancestors 'none'; base-uri 'none'";

/// Makes a browser save an answer under a name.
pub fn download(name: &'static str) -> HeaderMap {
    let value = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    value.into_iter().map(|value| (header::CONTENT_DISPOSITION, value)).collect()
}

pub async fn security_headers(State(app): State<SharedApp>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()");
    if is_api {
        set(header::CACHE_CONTROL, "no-store");
    }
    if app.settings.secure_cookies() {
        set(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    response
}
