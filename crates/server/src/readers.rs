//! Who was just found to read a conversation, by what they came with. While the database can't say who someone is, this
//! lets them stop what they were reading, and nothing else.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum_extra::extract::cookie::CookieJar;
use uuid::Uuid;

use crate::http::{SESSION_COOKIE, bearer};
use crate::secret;

/// Streams ask again at every heartbeat, four times as often.
const KNOWN: Duration = Duration::from_secs(60);
/// Beyond this all are forgotten, until their streams ask again.
const MOST: usize = 10_000;

type Seen = HashMap<(Vec<u8>, Uuid), Instant>;

#[derive(Default)]
pub struct Readers(Mutex<Seen>);

impl Readers {
    /// The holder of this session or token was found to be allowed to read a conversation.
    pub fn saw(&self, credential: &[u8], conversation: Uuid) {
        let mut seen = self.seen();
        let key = (credential.to_vec(), conversation);
        // Looked through as seldom as it can be.
        if seen.len() >= MOST && !seen.contains_key(&key) {
            seen.retain(|_, at| at.elapsed() < KNOWN);
            if seen.len() >= MOST {
                seen.clear();
            }
        }
        seen.insert(key, Instant::now());
    }

    pub fn knows(&self, credential: &[u8], conversation: Uuid) -> bool {
        let seen = self.seen();
        seen.get(&(credential.to_vec(), conversation)).is_some_and(|at| at.elapsed() < KNOWN)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The session or token of a request, as it is kept.
pub fn credential(headers: &HeaderMap) -> Option<Vec<u8>> {
    let cookie =
        || CookieJar::from_headers(headers).get(SESSION_COOKIE).map(|cookie| cookie.value().to_owned());
    bearer(headers).map(str::to_owned).or_else(cookie).map(|secret| secret::hash(&secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_was_seen_to_read_it_is_known() {
        let (readers, one, other) = (Readers::default(), Uuid::now_v7(), Uuid::now_v7());
        readers.saw(b"ana", one);
        assert!(readers.knows(b"ana", one));
        assert!(!readers.knows(b"ana", other) && !readers.knows(b"ben", one));
        for _ in 0..MOST + 5 {
            readers.saw(b"ana", Uuid::now_v7());
        }
        assert!(readers.seen().len() <= MOST, "it does not grow for ever");
    }
}
