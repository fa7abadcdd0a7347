//! Server-sent events: frames from a source, and an end when the server ends or the reader may no longer read, which is
//! asked at every heartbeat and when someone's rights have ended here.

use std::future::Future;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::ApiError;
use crate::streams::Place;

const HEARTBEAT: Duration = Duration::from_secs(15);
/// While the database is away a stream goes on for so long after it was last allowed, and no longer than a check takes.
const UNKNOWN: Duration = Duration::from_secs(60);
const CHECK: Duration = Duration::from_secs(2);
const BEAT: Bytes = Bytes::from_static(b": \n\n");

/// Whether a stream may still be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    Yes,
    No,
    /// The database doesn't say.
    Unknown,
}

impl Allowed {
    /// What an answer of the house means.
    pub fn by(answer: Result<bool, ApiError>) -> Self {
        match answer {
            Ok(true) => Self::Yes,
            Err(error) if error.is_outage() => Self::Unknown,
            Ok(false) | Err(_) => Self::No,
        }
    }
}

/// Where frames come from.
pub trait Frames: Send + 'static {
    /// The next frames, or `None` at the end. Safe to drop while it waits.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;
}

/// Answers with a stream: `first`, then what `frames` gives, for as long as `may_read` says so.
pub fn stream<F, C, Fut>(first: Option<Bytes>, frames: F, may_read: C, place: Place) -> Response
where
    F: Frames,
    C: Fn() -> Fut + Send + 'static,
    Fut: Future<Output = Allowed> + Send + 'static,
{
    let mut beat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Boxed, as the state moves through every step of the stream.
    let state = Box::new((first, frames, may_read, beat, place, Instant::now()));
    let body = futures::stream::unfold(state, |mut state| async move {
        let (first, frames, may_read, beat, place, allowed_at) = &mut *state;
        if let Some(first) = first.take() {
            return Some((Ok::<_, std::convert::Infallible>(first), state));
        }
        let is_told = tokio::select! {
            biased;
            () = place.told_to_look() => true,
            next = frames.next() => return next.map(|bytes| (Ok(bytes), state)),
            _ = beat.tick() => false,
        };
        // In a task of its own: a client that has stalled must hold no connection of the database.
        let mut checking = tokio::spawn(may_read());
        let allowed = match is_told {
            // Rights have ended somewhere: what can't be known is not shown.
            true => checking.await.ok(),
            false => match timeout(CHECK, &mut checking).await {
                Ok(checked) => checked.ok(),
                Err(_) => Some(Allowed::Unknown),
            },
        };
        match allowed {
            Some(Allowed::Yes) => *allowed_at = Instant::now(),
            Some(Allowed::Unknown) if !is_told && allowed_at.elapsed() < UNKNOWN => {}
            Some(Allowed::Unknown | Allowed::No) | None => return None,
        }
        Some((Ok(BEAT), state))
    });
    let mut response = Body::from_stream(body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
