//! Server-sent events: sends frames from a source until the source ends, the server ends, or the reader may no longer
//! read. The last is asked at every heartbeat, and at once when somebody's rights end on this node.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::{ApiError, Someone};
use crate::app::SharedApp;
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
    /// What the answer of an access check means for the stream.
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

/// What a stream was allowed by: as long as nothing has changed since, and no session has run out, nobody has to be asked.
pub struct Rights {
    changes: Box<dyn Fn() -> Option<u64> + Send + Sync>,
    expires_at: Option<DateTime<Utc>>,
    /// The number of changes at the last check; 0 before it.
    checked: AtomicU64,
}

impl Rights {
    pub fn of(app: &SharedApp, someone: &Someone) -> Self {
        let engine = app.engine.clone();
        Self::new(Box::new(move || engine.changes()), someone.expires_at())
    }

    fn new(changes: Box<dyn Fn() -> Option<u64> + Send + Sync>, expires_at: Option<DateTime<Utc>>) -> Self {
        Self { changes, expires_at, checked: AtomicU64::new(0) }
    }

    /// Whether it may still be read. `must_ask`: someone's rights have ended somewhere.
    pub async fn hold(&self, must_ask: bool, check: impl Future<Output = Result<bool, ApiError>>) -> Allowed {
        let runs = self.expires_at.is_none_or(|end| Utc::now() < end);
        let changes = (self.changes)().filter(|_| runs);
        if !must_ask && changes.is_some_and(|number| number == self.checked.load(Ordering::Relaxed)) {
            return Allowed::Yes;
        }
        let allowed = Allowed::by(check.await);
        if let (Allowed::Yes, Some(number)) = (allowed, changes) {
            self.checked.store(number, Ordering::Relaxed);
        }
        allowed
    }
}

/// Answers with a stream: `first`, then what `frames` gives, for as long as `may_read` says so. It is told whether someone's
/// rights have ended.
pub fn stream<F, C, Fut>(first: Option<Bytes>, frames: F, may_read: C, place: Place) -> Response
where
    F: Frames,
    C: Fn(bool) -> Fut + Send + 'static,
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
        let mut checking = tokio::spawn(may_read(is_told));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Heartbeats of a stream: the number of changes that is known at each, whether someone's rights have ended, and
    /// whether the server is asked.
    #[tokio::test]
    async fn nobody_is_asked_again_while_nothing_changes() {
        let known = Arc::new(std::sync::Mutex::new(None));
        let asked = AtomicU64::new(0);
        let rights = |expires_at| {
            let known = known.clone();
            Rights::new(Box::new(move || *known.lock().expect("a number")), expires_at)
        };
        let beat = async |rights: &Rights, changes, must_ask| {
            *known.lock().expect("a number") = changes;
            let before = asked.load(Ordering::Relaxed);
            let check = async { Ok(asked.fetch_add(1, Ordering::Relaxed) < 1_000) };
            assert_eq!(rights.hold(must_ask, check).await, Allowed::Yes);
            asked.load(Ordering::Relaxed) > before
        };
        let lasting = rights(None);
        let beats = [
            (Some(7), false, true),
            (Some(7), false, false),
            (Some(7), true, true),
            (Some(8), false, true),
            (Some(8), false, false),
            (None, false, true),
            (Some(8), false, false),
        ];
        for (number, (changes, must_ask, asks)) in beats.into_iter().enumerate() {
            assert_eq!(beat(&lasting, changes, must_ask).await, asks, "beat {number}");
        }
        let run_out = rights(Some(Utc::now() - chrono::Duration::seconds(1)));
        assert!(beat(&run_out, Some(8), false).await && beat(&run_out, Some(8), false).await);
        let refused = lasting.hold(true, async { Ok(false) }).await;
        assert_eq!(refused, Allowed::No);
    }
}
