//! Baton as an MCP server, as far as the protocol goes: one POST in, one answer out, and nothing kept in between, so that
//! any node can answer. What there is to offer is an [`Offer`]; HTTP itself is the caller's.
//!
//! Two eras are spoken: requests that say everything in their `_meta` (2026-07-28), and those that follow an `initialize`
//! (2025-11-25, 2025-06-18). Why this is our own code: `docs/decisions/0016-mcp-is-served-by-our-own-code.md`.

mod answer;
mod failure;
mod headers;
mod message;
mod protocol;

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde_json::{Map, Value};

pub use answer::{Answer, answer, frame};
pub use failure::Failure;
pub use protocol::{Era, SUPPORTED, TASKS};

use protocol::{CAPABILITIES, PROGRESS_TOKEN};

pub type Object = Map<String, Value>;

/// What a server has to offer to one caller.
#[async_trait]
pub trait Offer: Send + Sync {
    fn about(&self) -> About;
    /// Answers a request that is in order. A method that it doesn't know is a [`Failure::no_such_method`].
    async fn answer(&self, request: Request) -> Result<Reply, Failure>;
    /// Takes note of a notification.
    async fn hear(&self, notification: Notification);
}

/// What a server says about itself.
pub struct About {
    pub name: String,
    pub title: String,
    pub version: String,
    /// For the model of the client.
    pub instructions: Option<String>,
    pub capabilities: Value,
    /// Those that can only be used by requests which say everything in their `_meta`.
    pub extensions: Vec<&'static str>,
}

/// A request, checked against its headers.
#[derive(Debug, Clone)]
pub struct Request {
    pub era: Era,
    /// Text or a whole number, as the client chose it.
    pub id: Value,
    /// What `initialize` gave the client, so that its ids can be told from another client's. Nothing is kept under it.
    pub session: Option<String>,
    pub method: String,
    pub params: Object,
}

#[derive(Debug, Clone)]
pub struct Notification {
    pub session: Option<String>,
    pub method: String,
    pub params: Object,
}

pub enum Reply {
    Now(Object),
    /// What is told on the way, and the result, which comes last. Dropped when nobody listens any more.
    Later(BoxStream<'static, Told>),
}

pub enum Told {
    /// `progress` only grows.
    Progress {
        progress: u64,
        message: String,
    },
    Notification {
        method: &'static str,
        params: Object,
    },
    Result(Result<Object, Failure>),
}

impl Request {
    pub fn meta(&self, key: &str) -> Option<&Value> {
        self.params.get("_meta")?.get(key)
    }

    /// Whether the client said with this request that it knows an extension.
    pub fn knows(&self, extension: &str) -> bool {
        let extensions = self.capability("extensions");
        extensions.and_then(|known| known.get(extension)).is_some()
    }

    /// A capability that the client declared with this request.
    pub fn capability(&self, name: &str) -> Option<&Value> {
        self.meta(CAPABILITIES)?.get(name)
    }

    /// By what the client knows the progress of this request, if it wants to be told.
    fn progress_token(&self) -> Option<Value> {
        self.meta(PROGRESS_TOKEN)
            .filter(|token| token.is_string() || token.is_i64() || token.is_u64())
            .cloned()
    }
}

#[cfg(test)]
mod tests;
