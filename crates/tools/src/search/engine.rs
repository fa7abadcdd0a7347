//! A search engine as it is called. Its key is sent to its own address only: redirects are not followed. An engine that a
//! workspace's people set goes through the guarded way out; a server admin's may be on this machine.

use std::time::Duration;

use baton_core::search_engines::SearchEngineKind;
use baton_core::secrets::SecretText;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use url::{Host, Url};

use super::formats::{self, Found, Query};
use crate::outbound::{Outbound, OutboundError, install_tls, read};

const CONNECT: Duration = Duration::from_secs(5);
const TOTAL: Duration = Duration::from_secs(30);
const MAX_ANSWER: usize = 2 * 1024 * 1024;

#[derive(Debug, Clone)]
pub struct Engine {
    pub kind: SearchEngineKind,
    pub base_url: Url,
    pub key: EngineKey,
    pub way: Way,
}

#[derive(Debug, Clone)]
pub enum EngineKey {
    None,
    Known(SecretText),
    /// There is one, and this node can't decrypt it.
    Unreadable,
}

#[derive(Debug, Clone)]
pub enum Way {
    /// Only to public addresses, and those that the server allows.
    Guarded(Outbound),
    /// Anywhere: an admin of the server named the address.
    Open,
}

/// In words for the model, and for the person who tries an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    #[error(
        "The search engine's key can't be decrypted on this server. An admin has to enter it again in Settings."
    )]
    KeyUnreadable,
    #[error("The search engine rejected its key. An admin has to check it in Settings.")]
    KeyRejected,
    #[error(
        "This SearXNG doesn't answer in JSON. Whoever runs it has to add json to search.formats in its settings.yml."
    )]
    NoJson,
    #[error("The search engine takes no more searches for now. Try again later, or answer without it.")]
    TooMany,
    #[error("The search engine could not be reached. Try again later, or answer without it.")]
    Unreachable,
    #[error("The search engine's address is not public, and only an admin of the server can open it.")]
    NotPublic,
    #[error("The search engine answered {0}. Try again later, or answer without it.")]
    Refused(u16),
    #[error("What answered is no {0}. An admin has to check the address in Settings.")]
    NotAnEngine(&'static str),
}

impl Engine {
    pub async fn search(&self, query: &Query) -> Result<Vec<Found>, SearchError> {
        let asked = tokio::time::timeout(TOTAL, self.ask(query)).await;
        asked.unwrap_or(Err(SearchError::Unreachable))
    }

    async fn ask(&self, query: &Query) -> Result<Vec<Found>, SearchError> {
        let headers = self.headers()?;
        let ask = formats::ask(self.kind, &self.base_url, query);
        let client = self.client(&ask.url).await?;
        let request = match ask.body {
            Some(body) => client
                .post(ask.url)
                .header(reqwest::header::CONTENT_TYPE, "application/json")
                .body(body.to_string()),
            None => client.get(ask.url),
        };
        let answer = request.headers(headers).send().await.map_err(|error| {
            // Without the address, which holds what was searched for.
            tracing::warn!(kind = %self.kind, error = %error.without_url(), "a web search failed");
            SearchError::Unreachable
        })?;
        let status = answer.status().as_u16();
        match (self.kind, status) {
            (_, 200..=299) => {}
            (SearchEngineKind::Searxng, 403) => return Err(SearchError::NoJson),
            // Brave says 422 of a key that it doesn't know.
            (_, 401 | 403) | (SearchEngineKind::Brave, 422) => return Err(SearchError::KeyRejected),
            // Tavily's own codes for a plan that is used up.
            (_, 402 | 429 | 432 | 433) => return Err(SearchError::TooMany),
            _ => return Err(SearchError::Refused(status)),
        }
        let body = read(answer, MAX_ANSWER).await.map_err(|_| SearchError::Unreachable)?;
        let not_an_engine = || SearchError::NotAnEngine(self.display_name());
        let answer: Value = serde_json::from_slice(&body.bytes).map_err(|_| not_an_engine())?;
        formats::read(self.kind, &answer, query.limit).ok_or_else(not_an_engine)
    }

    pub fn display_name(&self) -> &'static str {
        match self.kind {
            SearchEngineKind::Searxng => "SearXNG",
            SearchEngineKind::Brave => "Brave Search",
            SearchEngineKind::Tavily => "Tavily",
        }
    }

    fn headers(&self) -> Result<HeaderMap, SearchError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let key = match &self.key {
            EngineKey::None => return Ok(headers),
            EngineKey::Unreadable => return Err(SearchError::KeyUnreadable),
            EngineKey::Known(key) => key.reveal(),
        };
        let (name, value) = match self.kind {
            SearchEngineKind::Brave => (HeaderName::from_static("x-subscription-token"), key.to_owned()),
            SearchEngineKind::Searxng | SearchEngineKind::Tavily => (AUTHORIZATION, format!("Bearer {key}")),
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| SearchError::KeyRejected)?;
        value.set_sensitive(true);
        headers.insert(name, value);
        Ok(headers)
    }

    async fn client(&self, url: &Url) -> Result<reqwest::Client, SearchError> {
        match &self.way {
            Way::Guarded(outbound) => outbound.client(url).await.map_err(|error| match error {
                OutboundError::Forbidden => SearchError::NotPublic,
                _ => SearchError::Unreachable,
            }),
            Way::Open => open_client(url).map_err(|_| SearchError::Unreachable),
        }
    }
}

fn open_client(url: &Url) -> reqwest::Result<reqwest::Client> {
    install_tls();
    let builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .user_agent(concat!("baton/", env!("CARGO_PKG_VERSION")));
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    // A company's proxy can't reach an engine on this machine.
    if is_here { builder.no_proxy().build() } else { builder.build() }
}
