//! Answers one POST: reads and checks its bytes, asks the server behind it, writes the response.

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use uuid::Uuid;

use super::message::{self, Message};
use super::protocol::{
    CACHEABLE, Era, KEPT_FOR_MS, NEWEST_INITIALIZED, SERVER_INFO, SESSION_HEADER, SUPPORTED, is_initialized,
};
use super::{About, Failure, Notification, Object, Offer, Reply, Request, Told, headers};

pub enum Answer {
    /// A notification: nothing is said.
    Accepted,
    One {
        status: u16,
        message: Value,
        /// For the header `Mcp-Session-Id`.
        session: Option<String>,
    },
    /// Messages, of which the last is the response.
    Many(BoxStream<'static, Value>),
}

/// A message as an event of a stream.
pub fn frame(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}

/// Answers one POST. A client that can't read a stream waits for the result.
pub async fn answer(offer: &dyn Offer, headers: &HeaderMap, body: &[u8]) -> Answer {
    let session = headers::text(headers, SESSION_HEADER).map(str::to_owned);
    let (id, method, params) = match message::read(body) {
        Ok(Message::Request { id, method, params }) => (id, method, params),
        Ok(Message::Notification { method, params }) => {
            offer.hear(Notification { session, method, params }).await;
            return Answer::Accepted;
        }
        Err((id, failure)) => return refusal(id.as_ref(), &failure),
    };
    let era = match headers::era(headers, &method, &params) {
        Ok(era) => era,
        Err(failure) => return refusal(Some(&id), &failure),
    };
    let request = Request { era, id, session, method, params };
    let wire = Wire {
        era,
        id: request.id.clone(),
        about: info(&offer.about()),
        is_cacheable: CACHEABLE.contains(&request.method.as_str()),
        progress_token: request.progress_token(),
    };
    let session = (request.method == "initialize").then(|| Uuid::new_v4().to_string());
    let reply = match (era, request.method.as_str()) {
        (Era::Initialized, "initialize") => Ok(Reply::Now(initialized(&offer.about(), &request))),
        (Era::Initialized, "ping") => Ok(Reply::Now(Object::new())),
        (Era::Stateless, "server/discover") => Ok(Reply::Now(discovered(&offer.about()))),
        (Era::Stateless, "initialize" | "ping") => Err(Failure::no_such_method(&request.method)),
        _ => offer.answer(request).await,
    };
    match reply {
        Ok(Reply::Now(result)) => Answer::One { status: 200, message: wire.result(result), session },
        Err(failure) => refusal(Some(&wire.id), &failure),
        Ok(Reply::Later(told)) if accepts_events(headers) => {
            Answer::Many(told.filter_map(move |told| std::future::ready(wire.message(told))).boxed())
        }
        Ok(Reply::Later(mut told)) => {
            while let Some(one) = told.next().await {
                match one {
                    Told::Result(Ok(result)) => {
                        return Answer::One { status: 200, message: wire.result(result), session: None };
                    }
                    Told::Result(Err(failure)) => return refusal(Some(&wire.id), &failure),
                    Told::Progress { .. } | Told::Notification { .. } => {}
                }
            }
            refusal(Some(&wire.id), &Failure::internal("The server ended before there was a result."))
        }
    }
}

impl Answer {
    #[cfg(test)]
    pub async fn messages(self) -> Vec<Value> {
        match self {
            Self::Accepted => Vec::new(),
            Self::One { message, .. } => vec![message],
            Self::Many(messages) => messages.collect().await,
        }
    }
}

fn accepts_events(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all("accept").iter().filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/event-stream"))
}

fn refusal(id: Option<&Value>, failure: &Failure) -> Answer {
    Answer::One { status: failure.status, message: failure.message(id), session: None }
}

fn info(about: &About) -> Value {
    json!({"name": about.name, "title": about.title, "version": about.version})
}

fn initialized(about: &About, request: &Request) -> Object {
    let asked = request.params.get("protocolVersion").and_then(Value::as_str);
    let version = asked.filter(|version| is_initialized(version)).unwrap_or(NEWEST_INITIALIZED);
    let mut result = Object::from_iter([
        ("protocolVersion".to_owned(), version.into()),
        ("capabilities".to_owned(), about.capabilities.clone()),
        ("serverInfo".to_owned(), info(about)),
    ]);
    result.extend(about.instructions.clone().map(|text| ("instructions".to_owned(), text.into())));
    result
}

fn discovered(about: &About) -> Object {
    let mut capabilities = about.capabilities.clone();
    if !about.extensions.is_empty() {
        let known = about.extensions.iter().map(|name| ((*name).to_owned(), json!({})));
        capabilities["extensions"] = Value::Object(known.collect());
    }
    let mut result = Object::from_iter([
        ("supportedVersions".to_owned(), json!(SUPPORTED)),
        ("capabilities".to_owned(), capabilities),
    ]);
    result.extend(about.instructions.clone().map(|text| ("instructions".to_owned(), text.into())));
    result
}

/// What turns a result into a message of one request.
struct Wire {
    era: Era,
    id: Value,
    about: Value,
    is_cacheable: bool,
    progress_token: Option<Value>,
}

impl Wire {
    fn result(&self, mut result: Object) -> Value {
        if self.era == Era::Stateless {
            result.entry("resultType").or_insert_with(|| "complete".into());
            if self.is_cacheable {
                // Each token has its own.
                result.entry("ttlMs").or_insert_with(|| KEPT_FOR_MS.into());
                result.entry("cacheScope").or_insert_with(|| "private".into());
            }
            let meta = result.entry("_meta").or_insert_with(|| json!({}));
            meta[SERVER_INFO] = self.about.clone();
        }
        json!({"jsonrpc": "2.0", "id": self.id, "result": result})
    }

    /// None: it is not told to this client.
    fn message(&self, told: Told) -> Option<Value> {
        match told {
            Told::Result(Ok(result)) => Some(self.result(result)),
            Told::Result(Err(failure)) => Some(failure.message(Some(&self.id))),
            Told::Progress { progress, message } => {
                let token = self.progress_token.as_ref()?;
                let params = json!({"progressToken": token, "progress": progress, "message": message});
                Some(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
            }
            Told::Notification { method, params } => {
                Some(json!({"jsonrpc": "2.0", "method": method, "params": params}))
            }
        }
    }
}

impl Reply {
    /// A stream of what is known already.
    pub fn told(told: Vec<Told>) -> Self {
        Self::Later(stream::iter(told).boxed())
    }
}
