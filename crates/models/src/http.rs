//! The HTTP side of a call: one client with its pool per provider, and the tries of one call.
//!
//! What is hard: a try counts as failed until the first event of its answer has arrived, and no longer after it. So
//! opening a call reads up to that event.

use std::sync::Arc;
use std::time::Duration;

use baton_core::models::{ModelError, ModelStream};
use bytes::Bytes;
use chrono::Utc;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Client, Response, redirect};
use tokio::time::timeout;
use url::{Host, Url};

use crate::errors::{Failure, Retry};
use crate::guard::{GuardedNames, may_name};
use crate::options::{AddressGuard, HttpOptions, ProviderOptions, SetupError};
use crate::reading::Reading;
use crate::retry;
use crate::wire::Wire;

const MAX_ERROR_BODY: usize = 64 * 1024;
const ERROR_BODY: Duration = Duration::from_secs(10);

pub struct Endpoint {
    provider: Arc<str>,
    client: Client,
    url: Url,
    headers: HeaderMap,
    key: Option<Arc<str>>,
    options: HttpOptions,
    guard: Option<Arc<dyn AddressGuard>>,
}

impl Endpoint {
    /// `path` is appended to the base URL; `headers` carry the key.
    pub fn new(
        configured: &ProviderOptions,
        path: &str,
        mut headers: HeaderMap,
        options: HttpOptions,
    ) -> Result<Self, SetupError> {
        let name = configured.name.clone();
        let url = address(configured, path).ok_or_else(|| SetupError::BadBaseUrl(name.to_string()))?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let guard = configured.guard.clone();
        let client =
            client(&url, options, guard.clone()).map_err(|error| SetupError::Client(error.to_string()))?;
        // A short one, such as lookalikes take, is a common word and no secret.
        let key = configured.key().filter(|key| key.len() >= 8).map(Arc::from);
        Ok(Self { provider: name, client, url, headers, key, options, guard })
    }

    /// Makes the call, again where that can help, until there is something to give out.
    pub async fn call<W: Wire>(
        &self,
        model: &str,
        body: Vec<u8>,
        wire: impl Fn() -> W,
    ) -> Result<ModelStream, ModelError> {
        let body = Bytes::from(body);
        let log = Log { provider: self.provider.clone(), model: model.to_owned(), key: self.key.clone() };
        let mut tries = 0;
        loop {
            let failure = match self.open(body.clone(), wire()).await {
                Ok(reading) => return Ok(reading.into_stream(log)),
                Err(failure) => log.without_key(failure),
            };
            tries += 1;
            let next = retry::wait_after(&failure, tries, self.options.backoff, fastrand::f64());
            log.warn(
                &failure,
                if next.is_ok() { "model call failed, trying again" } else { "model call failed" },
            );
            tokio::time::sleep(next?).await;
        }
    }

    async fn open<W: Wire>(&self, body: Bytes, wire: W) -> Result<Reading<W>, Failure> {
        if let Some(guard) = &self.guard
            && !may_name(guard.as_ref(), &self.url)
        {
            return Err(Failure::new(ModelError::NoConnection, Retry::Never, "the address is not public"));
        }
        let request = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body);
        let response = match timeout(self.options.answer, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(unreachable(error)),
            // Not tried again: a person has waited long enough.
            Err(_) => return Err(Failure::new(ModelError::Unreachable, Retry::Never, "no answer in time")),
        };
        if !response.status().is_success() || !may_be_stream(&response) {
            return Err(refusal(response).await);
        }
        let mut reading = Reading::new(response, wire, self.options.idle);
        reading.until_first_event().await?;
        Ok(reading)
    }
}

/// Says in the log what the vendor said. Some gateways repeat the key in their errors; it goes no further.
pub struct Log {
    provider: Arc<str>,
    model: String,
    key: Option<Arc<str>>,
}

impl Log {
    pub fn without_key(&self, mut failure: Failure) -> Failure {
        if let Some(key) = self.key.as_deref() {
            failure.said = failure.said.replace(key, "…");
            if let ModelError::Rejected(words) = &mut failure.error {
                *words = words.replace(key, "…");
            }
        }
        failure
    }

    pub fn warn(&self, failure: &Failure, what: &str) {
        tracing::warn!(provider = %self.provider, model = self.model, said = failure.said, "{what}");
    }
}

/// A header that carries a key, kept out of debug output.
pub fn secret(
    configured: &ProviderOptions,
    name: HeaderName,
    value: &str,
) -> Result<(HeaderName, HeaderValue), SetupError> {
    let mut value =
        HeaderValue::from_str(value).map_err(|_| SetupError::BadKey(configured.name.to_string()))?;
    value.set_sensitive(true);
    Ok((name, value))
}

fn address(configured: &ProviderOptions, path: &str) -> Option<Url> {
    let mut url = match &configured.base_url {
        Some(base) => base.clone(),
        None => Url::parse(configured.wire.own_base_url()).ok()?,
    };
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return None;
    }
    let base = url.path().trim_end_matches('/');
    // Anthropic's base URL is without the version, and is often given with it.
    let base = if path.starts_with("/v1/") { base.strip_suffix("/v1").unwrap_or(base) } else { base };
    let whole = format!("{base}{path}");
    url.set_path(&whole);
    Some(url)
}

/// Connections kept for the next calls; a crowd leaves more behind than anyone needs.
const MOST_IDLE: usize = 256;

fn client(url: &Url, options: HttpOptions, guard: Option<Arc<dyn AddressGuard>>) -> reqwest::Result<Client> {
    // Fails only when one is chosen already, which is what we want.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .connect_timeout(options.connect)
        .redirect(redirect::Policy::none())
        // One stream per connection: a lost packet holds up one answer, not all.
        .http1_only()
        .tcp_nodelay(true)
        .pool_max_idle_per_host(MOST_IDLE)
        .user_agent(concat!("baton/", env!("CARGO_PKG_VERSION")));
    if let Some(guard) = guard {
        // A proxy would connect in our place, to wherever the name leads there.
        return builder.no_proxy().dns_resolver(Arc::new(GuardedNames(guard))).build();
    }
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    // A company's proxy is used for vendors, but it cannot reach a model server on this machine.
    if is_here { builder.no_proxy().build() } else { builder.build() }
}

fn unreachable(error: reqwest::Error) -> Failure {
    let retry = if error.is_builder() { Retry::Never } else { Retry::Soon };
    let is_sent = !error.is_builder() && !error.is_connect();
    let what = if is_sent { ModelError::Unreachable } else { ModelError::NoConnection };
    Failure::new(what, retry, causes(&error))
}

/// Without the address, which may hold a password.
pub fn causes(error: &reqwest::Error) -> String {
    let mut words =
        if error.is_connect() { "could not connect".to_owned() } else { "connection broke".to_owned() };
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    words
}

/// A base URL that points at a website answers with a page; some gateways answer 200 with an error.
fn may_be_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    !kind.starts_with("text/html") && !kind.starts_with("application/json")
}

async fn refusal(mut response: Response) -> Failure {
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let mut body = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_ERROR_BODY {
                break;
            }
        }
    };
    // The part that arrived by then is enough.
    let _ = timeout(ERROR_BODY, read).await;
    let body = String::from_utf8_lossy(&body);
    if status.is_success() {
        return match serde_json::from_str::<serde_json::Value>(&body) {
            Ok(value) if !value["error"].is_null() => Failure::from_stream(&value["error"]),
            _ => Failure::new(ModelError::Unreachable, Retry::Never, "answered, but not with a stream"),
        };
    }
    let mut failure = Failure::from_answer(status.as_u16(), &body);
    if let Some(to) = headers.get(LOCATION).and_then(|to| to.to_str().ok()) {
        failure.said = format!("{} redirects to {to}", failure.said);
    }
    retry::with_headers(failure, &headers, Utc::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_as_the_vendors_sdks_read_them() {
        use baton_core::providers::WireFormat::{Anthropic, Openai};
        let table = [
            (Anthropic, None, Some("https://api.anthropic.com/v1/messages")),
            (Anthropic, Some("http://h:1"), Some("http://h:1/v1/messages")),
            (Anthropic, Some("http://h:1/proxy/"), Some("http://h:1/proxy/v1/messages")),
            (Anthropic, Some("http://h:1/v1"), Some("http://h:1/v1/messages")),
            (Openai, None, Some("https://api.openai.com/v1/chat/completions")),
            (Openai, Some("http://h:1/v1"), Some("http://h:1/v1/chat/completions")),
            (Openai, Some("http://h:1/v1/"), Some("http://h:1/v1/chat/completions")),
            (
                Openai,
                Some("http://h:1/v1?api-version=2"),
                Some("http://h:1/v1/chat/completions?api-version=2"),
            ),
            (Openai, Some("mailto:me@example.org"), None),
        ];
        for (wire, base, expected) in table {
            let path = match wire {
                Anthropic => "/v1/messages",
                Openai => "/chat/completions",
            };
            let base_url = base.map(|base| base.parse().unwrap());
            let url = address(&ProviderOptions { base_url, ..ProviderOptions::of_settings(wire) }, path);
            assert_eq!(url.as_ref().map(Url::as_str), expected, "{base:?}");
        }
    }
}
