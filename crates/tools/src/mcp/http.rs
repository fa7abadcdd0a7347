//! MCP over HTTP, through the guarded way out.
//!
//! What is hard: a connection lives long, and the guard must hold for each request of it. So the address is checked again
//! and again, and the client is pinned to the address that was checked. A redirect is followed only to the same origin,
//! which is that same address. No body is read beyond a limit, whatever its length is said to be.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::stream::BoxStream;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use reqwest::Response;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::auth::WWWAuthenticateParams;
use rmcp::transport::common::http_header::{
    EVENT_STREAM_MIME_TYPE, HEADER_LAST_EVENT_ID, HEADER_SESSION_ID, JSON_MIME_TYPE,
};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, InsufficientScopeError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio::sync::watch;
use url::Url;

use super::sse;
use crate::outbound::{Outbound, OutboundError, pinned, read};

const MAX_REDIRECTS: usize = 3;
/// The most bytes of an answer that only says what went wrong.
const MAX_ERROR_BODY: usize = 64 * 1024;
/// How long an address that was checked is used before its name is resolved and checked again.
const CHECKED_FOR: Duration = Duration::from_secs(60);
/// How long the server's own stream is waited for.
const OWN_STREAM: Duration = Duration::from_secs(1);
/// Names of headers that the transport itself sets.
const RESERVED: [&str; 3] = ["accept", "mcp-session-id", "last-event-id"];

type Failure = StreamableHttpError<HttpError>;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum HttpError {
    #[error("its address {0}")]
    Outbound(OutboundError),
    #[error("it could not be reached")]
    Unreachable,
    #[error("the connection broke")]
    Broken,
    #[error("it redirects to {0}, which is not followed; give the server's final address")]
    Redirect(String),
    #[error("it answered with {0}, not with MCP")]
    NotMcp(String),
    #[error("it answered HTTP {0}")]
    Status(u16),
}

/// The client side of one server's HTTP transport.
#[derive(Clone)]
pub(super) struct Http {
    out: Arc<Outbound>,
    max_bytes: usize,
    client: Arc<Mutex<Option<Checked>>>,
    own_stream: Arc<watch::Sender<OwnStream>>,
}

/// The stream on which a server with sessions speaks by itself, beside its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OwnStream {
    /// Without a session there is none.
    None,
    Wanted,
    /// It is open, or the server has none.
    Answered,
}

#[derive(Clone)]
struct Checked {
    at: SocketAddr,
    origin: url::Origin,
    since: Instant,
    client: reqwest::Client,
}

struct Asked<'a> {
    method: Method,
    uri: &'a str,
    headers: HeaderMap,
    body: Option<Vec<u8>>,
}

impl Http {
    pub(super) fn new(out: Arc<Outbound>, max_bytes: usize) -> Self {
        let own_stream = Arc::new(watch::Sender::new(OwnStream::None));
        Self { out, max_bytes, client: Arc::default(), own_stream }
    }

    /// Waits a little for the server's own stream: what it says there before that is open is lost, such as a question
    /// during the first call.
    pub(super) async fn own_stream_is_open(&self) {
        let mut seen = self.own_stream.subscribe();
        let answered = seen.wait_for(|stream| *stream != OwnStream::Wanted);
        // A server may say nothing at all until it has something to say.
        let _ = tokio::time::timeout(OWN_STREAM, answered).await;
    }

    /// A client for this URL's origin, whose address was checked lately. It keeps its connections between requests.
    async fn client(&self, url: &Url) -> Result<reqwest::Client, HttpError> {
        let kept = self.kept().clone().filter(|kept| kept.origin == url.origin());
        if let Some(kept) = &kept
            && kept.since.elapsed() < CHECKED_FOR
        {
            return Ok(kept.client.clone());
        }
        let at = self.out.checked_address(url).await.map_err(HttpError::Outbound)?;
        let client = match kept.filter(|kept| kept.at == at) {
            Some(kept) => kept.client,
            None => pinned(url, at).map_err(HttpError::Outbound)?,
        };
        let checked = Checked { at, origin: url.origin(), since: Instant::now(), client: client.clone() };
        *self.kept() = Some(checked);
        Ok(client)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Option<Checked>> {
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send(&self, asked: Asked<'_>) -> Result<Response, Failure> {
        self.follow(asked).await.map_err(StreamableHttpError::Client)
    }

    async fn follow(&self, asked: Asked<'_>) -> Result<Response, HttpError> {
        let mut url = Url::parse(asked.uri).map_err(|_| HttpError::Outbound(OutboundError::BadUrl))?;
        for _ in 0..=MAX_REDIRECTS {
            let mut request = self
                .client(&url)
                .await?
                .request(asked.method.clone(), url.clone())
                .headers(asked.headers.clone());
            if let Some(body) = &asked.body {
                request = request.body(body.clone());
            }
            let response = request.send().await.map_err(|error| {
                tracing::debug!(%error, "a request to an MCP server failed");
                if error.is_connect() { HttpError::Unreachable } else { HttpError::Broken }
            })?;
            if !response.status().is_redirection() || response.status() == StatusCode::NOT_MODIFIED {
                return Ok(response);
            }
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or_default();
            let next = url.join(to).map_err(|_| HttpError::Redirect("an address that is none".into()))?;
            // Others may turn the POST into a GET; another origin must not see what was meant for this one.
            let keeps_method = matches!(response.status().as_u16(), 307 | 308);
            if !keeps_method || next.origin() != url.origin() {
                // The origin alone: the rest may hold a secret of the configured address.
                return Err(HttpError::Redirect(next.origin().ascii_serialization()));
            }
            url = next;
        }
        Err(HttpError::Redirect("itself".into()))
    }

    async fn stream(&self, asked: Asked<'_>) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let uri = asked.uri;
        let response = self.send(asked).await?;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        refused_sign_in(&response, uri)?;
        if !response.status().is_success() {
            return Err(StreamableHttpError::Client(HttpError::Status(response.status().as_u16())));
        }
        match content_type(&response) {
            ContentType::Stream => Ok(sse::bounded(response.bytes_stream(), self.max_bytes, None)),
            other => Err(StreamableHttpError::Client(other.unexpected())),
        }
    }
}

impl StreamableHttpClient for Http {
    type Error = HttpError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let mut headers = with_token(headers, token)?;
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON_MIME_TYPE));
        insert(&mut headers, HEADER_SESSION_ID, session_id.as_deref())?;
        let body = Some(serde_json::to_vec(&message)?);
        let response = self.send(Asked { method: Method::POST, uri: &uri, headers, body }).await?;
        let request = match message {
            ClientJsonRpcMessage::Request(request) => Some(request),
            _ => None,
        };
        let id = request.as_ref().map(|request| request.id.clone());
        let status = response.status();
        refused_sign_in(&response, &uri)?;
        if status == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            let is_discovery =
                request.is_some_and(|request| matches!(request.request, ClientRequest::DiscoverRequest(_)));
            let refused = Refused { id, is_discovery, had_session: session_id.is_some() };
            return refusal(response, refused).await;
        }
        let session = response.headers().get(HEADER_SESSION_ID);
        let session = session.and_then(|value| value.to_str().ok()).map(str::to_owned);
        if session.is_some() {
            self.own_stream.send_if_modified(|stream| {
                let is_first = *stream == OwnStream::None;
                if is_first {
                    *stream = OwnStream::Wanted;
                }
                is_first
            });
        }
        // A notification or a reply isn't answered; what comes instead of nothing is of no use.
        let Some(id) = id else { return Ok(StreamableHttpPostResponse::Accepted) };
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        match content_type(&response) {
            ContentType::Stream => {
                let stream = sse::bounded(response.bytes_stream(), self.max_bytes, Some(id));
                Ok(StreamableHttpPostResponse::Sse(stream, session))
            }
            ContentType::Json => {
                let message = match read(response, self.max_bytes).await {
                    Ok(body) => serde_json::from_slice(&body.bytes)
                        .map_err(|_| StreamableHttpError::Client(HttpError::NotMcp("other JSON".into())))?,
                    Err(OutboundError::TooLarge(limit)) => sse::too_large(id, limit),
                    Err(_) => return Err(StreamableHttpError::Client(HttpError::Broken)),
                };
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            other => Err(StreamableHttpError::Client(other.unexpected())),
        }
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let mut headers = with_token(headers, token)?;
        headers.insert(ACCEPT, HeaderValue::from_static(EVENT_STREAM_MIME_TYPE));
        insert(&mut headers, HEADER_SESSION_ID, session_id.as_deref())?;
        insert(&mut headers, HEADER_LAST_EVENT_ID, last_event_id.as_deref())?;
        let stream = self.stream(Asked { method: Method::GET, uri: &uri, headers, body: None }).await;
        self.own_stream.send_replace(OwnStream::Answered);
        stream
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let mut headers = with_token(headers, token)?;
        insert(&mut headers, HEADER_SESSION_ID, Some(&session_id))?;
        // A server may not support it, and the session is of no use to it afterwards either way.
        self.send(Asked { method: Method::DELETE, uri: &uri, headers, body: None }).await.map(drop)
    }
}

fn with_token(
    headers: HashMap<HeaderName, HeaderValue>,
    token: Option<String>,
) -> Result<HeaderMap, Failure> {
    let mut headers: HeaderMap =
        headers.into_iter().filter(|(name, _)| !RESERVED.contains(&name.as_str())).collect();
    if let Some(token) = token {
        let value = HeaderValue::from_str(&format!("Bearer {token}"));
        let mut value = value.map_err(|_| StreamableHttpError::UnexpectedServerResponse("a token".into()))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

fn insert(headers: &mut HeaderMap, name: &'static str, value: Option<&str>) -> Result<(), Failure> {
    let Some(value) = value else { return Ok(()) };
    let value = HeaderValue::from_str(value)
        .map_err(|_| StreamableHttpError::UnexpectedServerResponse(format!("a bad {name}").into()))?;
    headers.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| closed())?, value);
    Ok(())
}

fn closed() -> Failure {
    StreamableHttpError::TransportChannelClosed
}

enum ContentType {
    Json,
    Stream,
    Other(String),
}

impl ContentType {
    fn unexpected(self) -> HttpError {
        HttpError::NotMcp(match self {
            Self::Json => "one message".into(),
            Self::Stream => "a stream".into(),
            Self::Other(other) => other,
        })
    }
}

fn content_type(response: &Response) -> ContentType {
    let said = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match media_type.as_str() {
        JSON_MIME_TYPE => ContentType::Json,
        EVENT_STREAM_MIME_TYPE => ContentType::Stream,
        "" => ContentType::Other("something without a content type".into()),
        other => ContentType::Other(other.chars().take(100).collect()),
    }
}

/// Whether the server asks for a sign-in, or for more than the one at hand allows.
fn refused_sign_in(response: &Response, uri: &str) -> Result<(), Failure> {
    let Some(challenge) = response.headers().get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok())
    else {
        return Ok(());
    };
    let challenge = challenge.to_owned();
    match response.status() {
        StatusCode::UNAUTHORIZED => Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(challenge))),
        StatusCode::FORBIDDEN => {
            let url = Url::parse(uri).map_err(|_| closed())?;
            let scope = WWWAuthenticateParams::parse(&challenge, &url).scope;
            Err(StreamableHttpError::InsufficientScope(InsufficientScopeError::new(challenge, scope)))
        }
        _ => Ok(()),
    }
}

struct Refused {
    id: Option<RequestId>,
    is_discovery: bool,
    had_session: bool,
}

/// What an HTTP error means. A JSON-RPC error in its body is the server's answer.
async fn refusal(response: Response, refused: Refused) -> Result<StreamableHttpPostResponse, Failure> {
    let status = response.status();
    let body = read(response, MAX_ERROR_BODY).await.map(|body| body.bytes).unwrap_or_default();
    let is_sign_in = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    if is_sign_in {
        // Some servers say 401 of a session that they don't know any more, where 404 is meant.
        let of_session = String::from_utf8_lossy(&body).to_ascii_lowercase().contains("session");
        return Err(match status {
            StatusCode::UNAUTHORIZED if refused.had_session && of_session => {
                StreamableHttpError::SessionExpired
            }
            StatusCode::UNAUTHORIZED => {
                StreamableHttpError::AuthRequired(AuthRequiredError::new(String::new()))
            }
            _ => StreamableHttpError::Client(HttpError::Status(status.as_u16())),
        });
    }
    let Some(id) = refused.id else {
        return Err(StreamableHttpError::Client(HttpError::Status(status.as_u16())));
    };
    let said = match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
        Ok(JsonRpcMessage::Error(error)) => Some(error.error),
        _ => None,
    };
    let is_old = refused.is_discovery && !refused.had_session && status.is_client_error();
    let error = match said {
        Some(error) => error,
        // A server that doesn't know the question is one of before: it is greeted in the old way.
        None if is_old => ErrorData::invalid_request(format!("HTTP {status}"), None),
        None => return Err(StreamableHttpError::Client(HttpError::Status(status.as_u16()))),
    };
    Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::error(error, Some(id)), None))
}
