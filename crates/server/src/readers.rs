//! Who was recently found to be a reader of a conversation, by the cookie or token they came with. While the database
//! can't say who someone is, this list lets such a person stop the turn they were reading, and nothing else. This
//! includes visitors: the signature of their cookie is enough.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum_extra::extract::cookie::CookieJar;
use baton_core::ids::VisitorId;
use uuid::Uuid;

use crate::http::{SESSION_COOKIE, Someone, Via, Who, bearer};
use crate::secret;
use crate::visitor::{self, VisitorKey};

/// Streams ask again at every heartbeat, four times as often.
const KNOWN: Duration = Duration::from_secs(60);
/// Beyond this all are forgotten, until their streams ask again.
const MOST: usize = 10_000;

/// The session, token or visitor's cookie that a request carries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Credential {
    /// A session or a token, as it is kept.
    Secret(Vec<u8>),
    Visitor(VisitorId),
}

impl Credential {
    pub fn of(someone: &Someone) -> Self {
        match &someone.who {
            Who::Profile(caller) => {
                let (Via::Session { token_hash, .. } | Via::Token { token_hash, .. }) = &caller.via;
                Self::Secret(token_hash.clone())
            }
            Who::Visitor(visitor) => Self::Visitor(visitor.id),
        }
    }

    /// All credentials of a request. A person whose session has ended may be a visitor again; a token is never sent
    /// together with a cookie.
    pub fn in_request(headers: &HeaderMap, visitors: &VisitorKey) -> Vec<Self> {
        let secret = |secret: &str| Self::Secret(secret::hash(secret));
        if let Some(token) = bearer(headers) {
            return vec![secret(token)];
        }
        let jar = CookieJar::from_headers(headers);
        let session = jar.get(SESSION_COOKIE).map(|cookie| secret(cookie.value()));
        let visitor = jar.get(visitor::COOKIE).and_then(|cookie| visitors.verify(cookie.value()));
        session.into_iter().chain(visitor.map(|visitor| Self::Visitor(visitor.id))).collect()
    }
}

type Seen = HashMap<(Credential, Uuid), Instant>;

#[derive(Default)]
pub struct Readers(Mutex<Seen>);

impl Readers {
    /// Whoever comes with this was found to be allowed to read a conversation.
    pub fn saw(&self, credential: Credential, conversation: Uuid) {
        let mut seen = self.seen();
        let key = (credential, conversation);
        // Looked through as seldom as it can be.
        if seen.len() >= MOST && !seen.contains_key(&key) {
            seen.retain(|_, at| at.elapsed() < KNOWN);
            if seen.len() >= MOST {
                seen.clear();
            }
        }
        seen.insert(key, Instant::now());
    }

    pub fn knows(&self, credential: Credential, conversation: Uuid) -> bool {
        self.seen().get(&(credential, conversation)).is_some_and(|at| at.elapsed() < KNOWN)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use axum::http::header::{AUTHORIZATION, COOKIE};
    use baton_core::ids::WorkspaceId;

    use super::*;
    use crate::visitor::Visitor;

    fn secret_of(name: &str) -> Credential {
        Credential::Secret(secret::hash(name))
    }

    #[test]
    fn only_who_was_seen_to_read_it_is_known() {
        let (readers, one, other) = (Readers::default(), Uuid::now_v7(), Uuid::now_v7());
        let visitor = VisitorId::new();
        readers.saw(secret_of("ana"), one);
        readers.saw(Credential::Visitor(visitor), other);
        assert!(readers.knows(secret_of("ana"), one));
        assert!(readers.knows(Credential::Visitor(visitor), other));
        assert!(!readers.knows(secret_of("ana"), other) && !readers.knows(secret_of("ben"), one));
        assert!(!readers.knows(Credential::Visitor(visitor), one));
        assert!(!readers.knows(Credential::Visitor(VisitorId::new()), other));
        for _ in 0..MOST + 5 {
            readers.saw(secret_of("ana"), Uuid::now_v7());
        }
        assert!(readers.seen().len() <= MOST, "it does not grow for ever");
    }

    #[test]
    fn a_request_comes_with_a_token_or_with_its_cookies() {
        let (key, other_key) = (VisitorKey::new(vec![1; 32]), VisitorKey::new(vec![2; 32]));
        let visitor = Visitor::new(WorkspaceId::new());
        let cookie = |key: &VisitorKey| format!("baton_session=s; baton_visitor={}", key.sign(&visitor));
        let comes_with = |cookie: String, token: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(COOKIE, HeaderValue::from_str(&cookie).expect("a header"));
            headers.extend(token.map(|token| (AUTHORIZATION, HeaderValue::from_static(token))));
            Credential::in_request(&headers, &key)
        };
        let both = vec![secret_of("s"), Credential::Visitor(visitor.id)];
        assert_eq!(comes_with(cookie(&key), None), both);
        assert_eq!(comes_with(cookie(&other_key), None), [secret_of("s")], "not our signature");
        assert_eq!(comes_with(cookie(&key), Some("Bearer t")), [secret_of("t")]);
        assert_eq!(comes_with(String::new(), None), []);
    }
}
