//! Server-sent events: frames from a source, and an end when the server ends or the reader may no longer read, which is
//! asked at every heartbeat and when someone's rights have ended here.

use std::future::Future;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::streams::Place;

const HEARTBEAT: Duration = Duration::from_secs(15);
const BEAT: Bytes = Bytes::from_static(b": \n\n");

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
    Fut: Future<Output = bool> + Send + 'static,
{
    let mut beat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Boxed, as the state moves through every step of the stream.
    let state = Box::new((first, frames, may_read, beat, place));
    let body = futures::stream::unfold(state, |mut state| async move {
        let (first, frames, may_read, beat, place) = &mut *state;
        if let Some(first) = first.take() {
            return Some((Ok::<_, std::convert::Infallible>(first), state));
        }
        tokio::select! {
            biased;
            () = place.told_to_look() => {}
            next = frames.next() => return next.map(|bytes| (Ok(bytes), state)),
            _ = beat.tick() => {}
        }
        // In a task of its own: a client that has stalled must hold no connection of the database.
        let may_go_on = tokio::spawn(may_read()).await.unwrap_or(false);
        may_go_on.then_some((Ok(BEAT), state))
    });
    let mut response = Body::from_stream(body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
