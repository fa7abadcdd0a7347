//! The settings for models. The server fills them from flags, environment and file.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use baton_core::models::{ChatModel, Price};
use url::Url;

use crate::scripted::Scripted;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provider {
    Anthropic,
    Openai,
}

impl Provider {
    pub const ALL: [Self; 2] = [Self::Anthropic, Self::Openai];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Openai => "openai",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == name)
    }

    /// Where the vendor itself answers, as its own SDK reads a base URL: OpenAI's ends in `/v1`, Anthropic's does not.
    pub fn own_base_url(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com",
            Self::Openai => "https://api.openai.com/v1",
        }
    }
}

/// A provider counts as configured when it has a key or a base URL; empty text is no key.
#[derive(Clone, Default)]
pub struct ProviderOptions {
    pub key: Option<String>,
    pub base_url: Option<Url>,
}

/// Says whether there is a key, never which; an address may hold a password too.
impl fmt::Debug for ProviderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.as_ref().map(|_| "…");
        let host = self.base_url.as_ref().and_then(Url::host_str);
        f.debug_struct("ProviderOptions").field("key", &key).field("host", &host).finish_non_exhaustive()
    }
}

impl ProviderOptions {
    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_deref().map(str::trim).filter(|key| !key.is_empty())
    }

    pub(crate) fn is_configured(&self) -> bool {
        self.key().is_some() || self.base_url.is_some()
    }
}

/// Limits of one try. There is none on the whole: an answer may take as long as it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpOptions {
    pub connect: Duration,
    /// Until the answer begins. Servers on small machines read a long conversation for minutes before they do.
    pub answer: Duration,
    /// Between two pieces of an answer; vendors send pings while a model thinks.
    pub idle: Duration,
    /// Before the second try, twice that before the third.
    pub backoff: Duration,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(300),
            idle: Duration::from_secs(120),
            backoff: Duration::from_millis(500),
        }
    }
}

#[derive(Clone)]
pub struct ModelOptions {
    pub anthropic: Option<ProviderOptions>,
    pub openai: Option<ProviderOptions>,
    /// Which provider an alias prefers. One left out is not used for aliases.
    pub order: Vec<Provider>,
    /// Aliases of one's own, each with its `provider/model`s: over the built-in ones, and over the only model of a
    /// provider.
    pub aliases: BTreeMap<String, Vec<String>>,
    /// The model that every built-in alias means at Anthropic, for servers that have only one.
    pub anthropic_model: Option<String>,
    /// The same for OpenAI: what Ollama, vLLM and llama.cpp need.
    pub openai_model: Option<String>,
    /// By `provider/model`; over the built-in ones.
    pub prices: BTreeMap<String, Price>,
    /// Answers when no provider is configured, and to the name `demo`.
    pub demo: Arc<dyn ChatModel>,
    /// Answers in place of every other model.
    pub script: Option<Scripted>,
    pub http: HttpOptions,
}

impl ModelOptions {
    /// Nothing configured: the demo model answers to every alias.
    pub fn new(demo: Arc<dyn ChatModel>) -> Self {
        Self {
            anthropic: None,
            openai: None,
            order: Provider::ALL.to_vec(),
            aliases: BTreeMap::new(),
            anthropic_model: None,
            openai_model: None,
            prices: BTreeMap::new(),
            demo,
            script: None,
            http: HttpOptions::default(),
        }
    }
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SetupError {
    #[error(
        "The API key for {0} holds characters that cannot be sent. Copy it again from the provider's page."
    )]
    BadKey(&'static str),
    #[error("The base URL for {0} must begin with http:// or https:// and name a host.")]
    BadBaseUrl(&'static str),
    #[error("The model alias {alias} names {target}, which is not anthropic/… or openai/….")]
    BadAlias { alias: String, target: String },
    #[error("A client for model providers could not be made: {0}")]
    Client(String),
}
