//! One log line per request, under an id that the answer carries too. Paths are logged as patterns, so no id, search
//! or token of a path reaches the log.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub async fn log_requests(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = Uuid::now_v7().to_string();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("(web app)", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", id = %id, %method, route = %route);
    let mut response = next.run(request).instrument(span.clone()).await;
    let status = response.status().as_u16();
    let ms = began.elapsed().as_millis() as u64;
    span.in_scope(|| tracing::info!(status, ms, "answered"));
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}
