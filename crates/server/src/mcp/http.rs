//! An MCP server over HTTP: one POST in, JSON or a stream of events out. Workspaces and the fixture of the
//! conformance suite are served by this same code.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use baton_tools::mcp::serve::{self, Answer, Offer};
use futures::StreamExt;
use futures::stream::BoxStream;
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// Proxies close what is silent for long.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const BEAT: Bytes = Bytes::from_static(b": \n\n");

pub async fn respond(offer: &dyn Offer, headers: &HeaderMap, body: &[u8]) -> Response {
    match serve::answer(offer, headers, body).await {
        Answer::Accepted => StatusCode::ACCEPTED.into_response(),
        Answer::One { status, message, session } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let mut response = (status, Json(message)).into_response();
            if let Some(session) = session.and_then(|session| HeaderValue::from_str(&session).ok()) {
                response.headers_mut().insert(SESSION, session);
            }
            response
        }
        Answer::Many(messages) => stream(messages),
    }
}

/// Dropped with the connection: what makes the messages sees that nobody listens any more.
fn stream(messages: BoxStream<'static, Value>) -> Response {
    let mut beat = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let frames = futures::stream::unfold((messages, beat), |(mut messages, mut beat)| async move {
        let frame = tokio::select! {
            biased;
            message = messages.next() => Bytes::from(serve::frame(&message?)),
            _ = beat.tick() => BEAT,
        };
        Some((Ok::<_, Infallible>(frame), (messages, beat)))
    });
    let mut response = Body::from_stream(frames).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
