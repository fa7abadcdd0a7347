//! Sends a request once, and says what is known of it then.
//!
//! What is hard: whoever waits must know whether it may have been carried out. So a failure before the connection stands
//! is told from one after, and only what reads follows redirects.

use std::time::Duration;

use baton_core::defined_tools::{HttpMethod, PlannedRequest, ToolSecrets};
use futures::StreamExt;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Method, Response};
use url::Url;

use crate::outbound::{Outbound, OutboundError};

pub const TOTAL: Duration = Duration::from_secs(60);
/// The most bytes of an answer that are read.
pub const MAX_ANSWER: usize = 4 * 1024 * 1024;
const MAX_HOPS: usize = 5;

/// What is known of a request.
pub enum Came {
    /// Nothing was sent.
    NotSent(String),
    /// It was sent, and there is no answer.
    NoAnswer(String),
    Answered(Answered),
}

pub struct Answered {
    pub status: u16,
    pub content_type: String,
    pub bytes: Vec<u8>,
    pub whole: Whole,
}

/// Whether all of an answer was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    Yes,
    /// It is larger than is read.
    TooLarge,
    BrokeOff,
}

pub async fn send(outbound: &Outbound, planned: &PlannedRequest, secrets: &ToolSecrets) -> Came {
    let sent = tokio::time::timeout(TOTAL, follow(outbound, planned, secrets)).await;
    sent.unwrap_or_else(|_| Came::NoAnswer(format!("there was no answer within {} seconds", TOTAL.as_secs())))
}

async fn follow(outbound: &Outbound, planned: &PlannedRequest, secrets: &ToolSecrets) -> Came {
    let (Ok(mut url), Ok(home)) = (Url::parse(&planned.url), Url::parse(&planned.origin)) else {
        return Came::NotSent("the address can't be read".into());
    };
    // The template made sure of it; whoever reads addresses otherwise finds out here.
    if url.origin() != home.origin() {
        return Came::NotSent("the address leads elsewhere".into());
    }
    let own = match headers(planned, secrets) {
        Ok(own) => own,
        Err(why) => return Came::NotSent(why),
    };
    for _ in 0..MAX_HOPS {
        let client = match outbound.client(&url).await {
            Ok(client) => client,
            Err(error) => return Came::NotSent(refused(&error)),
        };
        let mut request = client.request(method(planned.method), url.clone());
        // Elsewhere they are nobody's business.
        if url.origin() == home.origin() {
            request = request.headers(own.clone());
        }
        if let Some(body) = &planned.body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() || error.is_builder() => {
                return Came::NotSent("it could not be reached".into());
            }
            Err(error) => {
                // Without the address, which may hold what the person said.
                tracing::warn!(error = %error.without_url(), "a tool's request got no answer");
                return Came::NoAnswer("the connection ended before there was an answer".into());
            }
        };
        let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
        let next = to.filter(|_| response.status().is_redirection()).map(|to| url.join(to));
        match next {
            Some(Ok(next)) if planned.method == HttpMethod::Get => url = next,
            _ => return Came::Answered(read(response).await),
        }
    }
    Came::NotSent("it was sent from one address to the next too often".into())
}

fn method(method: HttpMethod) -> Method {
    match method {
        HttpMethod::Get => Method::GET,
        HttpMethod::Post => Method::POST,
        HttpMethod::Put => Method::PUT,
        HttpMethod::Patch => Method::PATCH,
        HttpMethod::Delete => Method::DELETE,
    }
}

fn headers(planned: &PlannedRequest, secrets: &ToolSecrets) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/*;q=0.9, */*;q=0.5"));
    let plain = planned.headers.iter().map(|(name, value)| (name, value.as_str(), false));
    let secret = secrets.iter().map(|(name, value)| (name, value.reveal(), true));
    for (name, value, is_secret) in plain.chain(secret) {
        let wrong = || format!("the header {name} can't be sent");
        let key = HeaderName::try_from(name.as_str()).map_err(|_| wrong())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        value.set_sensitive(is_secret);
        headers.insert(key, value);
    }
    Ok(headers)
}

fn refused(error: &OutboundError) -> String {
    match error {
        OutboundError::Forbidden => {
            "its address is not public, and only an admin of the server can open it".into()
        }
        other => format!("its address {other}"),
    }
}

async fn read(response: Response) -> Answered {
    let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let (status, content_type) = (response.status().as_u16(), content_type.unwrap_or_default().to_owned());
    let (mut bytes, mut whole) = (Vec::new(), Whole::Yes);
    let mut body = response.bytes_stream();
    while let Some(piece) = body.next().await {
        let Ok(piece) = piece else {
            whole = Whole::BrokeOff;
            break;
        };
        let left = MAX_ANSWER - bytes.len();
        bytes.extend_from_slice(&piece[..piece.len().min(left)]);
        if piece.len() > left {
            whole = Whole::TooLarge;
            break;
        }
    }
    Answered { status, content_type, bytes, whole }
}
