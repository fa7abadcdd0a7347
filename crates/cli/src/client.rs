//! HTTP requests to the server, with the token or session of the person, and what went wrong with them.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::{Host, Url};

/// For an answer that is not a stream.
const ANSWER: Duration = Duration::from_secs(30);
/// The server's heart beats every 15 seconds: a stream that is silent for three beats is dead.
const SILENCE: Duration = Duration::from_secs(45);

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{error} ({code})")]
    Refused { status: StatusCode, code: String, error: String },
    #[error("could not reach {base}: {cause}")]
    Unreachable { base: String, cause: String },
    #[error("{base} answered with something that is not Baton's: {cause}")]
    Strange { base: String, cause: String },
}

impl Failure {
    /// Whether the same request may well succeed in a moment.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Refused { status, .. } => {
                matches!(status.as_u16(), 502..=504)
            }
            Self::Unreachable { .. } => true,
            Self::Strange { .. } => false,
        }
    }

    pub fn code(&self) -> &str {
        match self {
            Self::Refused { code, .. } => code,
            Self::Unreachable { .. } | Self::Strange { .. } => "",
        }
    }
}

/// What shows the server who we are.
pub enum Key {
    Token(String),
    /// The cookie of a session, with its name.
    Session(String),
}

pub struct Client {
    http: reqwest::Client,
    /// Large files take as long as they take.
    uploads: reqwest::Client,
    base: String,
    key: Key,
}

impl Client {
    pub fn new(base: &Url, key: Key) -> anyhow::Result<Self> {
        let client = || {
            let http = reqwest::Client::builder().connect_timeout(Duration::from_secs(10));
            if is_here(base) { http.no_proxy() } else { http }
        };
        let (http, uploads) = (client().read_timeout(SILENCE).build()?, client().build()?);
        Ok(Self { http, uploads, base: base.as_str().trim_end_matches('/').to_owned(), key })
    }

    pub fn is_session(&self) -> bool {
        matches!(self.key, Key::Session(_))
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.signed(self.http.request(method, format!("{}{path}", self.base)))
    }

    /// A request whose body may take long to send.
    pub fn upload(&self, path: &str) -> RequestBuilder {
        self.signed(self.uploads.post(format!("{}{path}", self.base)))
    }

    fn signed(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.key {
            Key::Token(token) => request.bearer_auth(token),
            Key::Session(cookie) => request.header(header::COOKIE, cookie),
        }
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.answer(self.request(Method::GET, path)).await
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, Failure> {
        self.answer(self.request(Method::POST, path).json(body)).await
    }

    pub async fn patch<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, Failure> {
        self.answer(self.request(Method::PATCH, path).json(body)).await
    }

    pub async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.answer(self.request(Method::DELETE, path)).await
    }

    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Failure> {
        let response = self.send(request.timeout(ANSWER)).await?;
        response.json().await.map_err(|error| self.failure(error))
    }

    /// The answer's head, if it is a good one.
    pub async fn send(&self, request: RequestBuilder) -> Result<Response, Failure> {
        let response = request.send().await.map_err(|error| self.failure(error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let said: Value = response.json().await.unwrap_or_default();
        let word = |name: &str| said[name].as_str().map(str::to_owned);
        Err(Failure::Refused {
            status,
            code: word("code").unwrap_or_else(|| status.as_u16().to_string()),
            error: word("error").unwrap_or_else(|| format!("{} refused", self.base)),
        })
    }

    pub fn failure(&self, error: reqwest::Error) -> Failure {
        let base = self.base.clone();
        let is_strange = error.is_decode();
        let cause = innermost(&error);
        if is_strange { Failure::Strange { base, cause } } else { Failure::Unreachable { base, cause } }
    }
}

/// The last cause says what happened; those before it say that something did.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// An address on this machine is never asked through a proxy.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}
