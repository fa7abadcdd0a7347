//! The settings for models. The server fills them from flags, environment and file.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use baton_core::models::{ChatModel, Price};
use baton_core::providers::{ProviderModel, WireFormat};
use baton_core::secrets::SecretText;
use url::Url;

use crate::provider::Provider;
use crate::scripted::Scripted;

/// Where a provider was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// In the server's file or environment.
    Settings,
    /// In the app, by an admin of the server.
    Server,
    /// In the app, by a workspace for itself.
    Workspace,
}

#[derive(Debug, Clone, Default)]
pub enum ProviderKey {
    #[default]
    None,
    Known(SecretText),
    /// There is one, and this node can't decrypt it.
    Unreadable,
}

/// Says which addresses may be called. Asked for the very address that a connection is made to.
pub trait AddressGuard: Send + Sync {
    fn allows(&self, address: IpAddr) -> bool;
}

/// A provider counts as configured when it has a key or a base URL.
#[derive(Clone)]
pub struct ProviderOptions {
    /// What stands before the slash in `provider/model`.
    pub name: Arc<str>,
    pub wire: WireFormat,
    pub key: ProviderKey,
    pub base_url: Option<Url>,
    /// What people say about its models.
    pub models: Vec<ProviderModel>,
    /// The model that aliases mean there, unless one is said to have them: for servers that have only one.
    pub only_model: Option<String>,
    pub source: Source,
    /// Whether aliases go there. One that is left out of the configured order answers only to `provider/model`.
    pub has_aliases: bool,
    /// Where the base URL is given by people who must not reach into the server's network.
    pub guard: Option<Arc<dyn AddressGuard>>,
}

impl ProviderOptions {
    /// One of the two that the server's settings know.
    pub fn of_settings(wire: WireFormat) -> Self {
        Self {
            name: wire.as_str().into(),
            wire,
            key: ProviderKey::None,
            base_url: None,
            models: Vec::new(),
            only_model: None,
            source: Source::Settings,
            has_aliases: true,
            guard: None,
        }
    }

    pub(crate) fn key(&self) -> Option<&str> {
        match &self.key {
            ProviderKey::Known(key) => Some(key.reveal().trim()).filter(|key| !key.is_empty()),
            ProviderKey::None | ProviderKey::Unreadable => None,
        }
    }

    pub(crate) fn is_configured(&self) -> bool {
        self.key().is_some() || self.base_url.is_some() || matches!(self.key, ProviderKey::Unreadable)
    }

    /// Whether this is the vendor's own address, not a lookalike's.
    pub(crate) fn is_vendors_own(&self) -> bool {
        let own = Url::parse(self.wire.own_base_url()).ok();
        self.base_url.as_ref().is_none_or(|base| own.is_some_and(|own| own.host() == base.host()))
    }
}

/// Says whether there is a key, never which; an address may hold a password too.
impl fmt::Debug for ProviderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.base_url.as_ref().and_then(Url::host_str);
        let mut shown = f.debug_struct("ProviderOptions");
        shown.field("name", &self.name).field("key", &self.key).field("host", &host).finish_non_exhaustive()
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
    /// In the order in which aliases try them. Those of a workspace come first, and hide others of the same name.
    pub providers: Vec<Arc<Provider>>,
    /// Aliases of one's own, each with its `provider/model`s: over the built-in ones, and over the only model of a
    /// provider.
    pub aliases: BTreeMap<String, Vec<String>>,
    /// By `provider/model`; over the built-in ones. A workspace's own providers have their own.
    pub prices: BTreeMap<String, Price>,
    /// How many tokens models read at once, likewise.
    pub context_windows: BTreeMap<String, u64>,
    /// Answers when no provider is configured, and to the name `demo`.
    pub demo: Arc<dyn ChatModel>,
    /// Answers in place of every other model.
    pub script: Option<Scripted>,
}

impl ModelOptions {
    /// Nothing configured: the demo model answers to every alias.
    pub fn new(demo: Arc<dyn ChatModel>) -> Self {
        Self {
            providers: Vec::new(),
            aliases: BTreeMap::new(),
            prices: BTreeMap::new(),
            context_windows: BTreeMap::new(),
            demo,
            script: None,
        }
    }
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SetupError {
    #[error(
        "The API key for {0} holds characters that cannot be sent. Copy it again from the provider's page."
    )]
    BadKey(String),
    #[error("The base URL for {0} must begin with http:// or https:// and name a host.")]
    BadBaseUrl(String),
    #[error("The model alias {alias} names {target}, which is not provider/model, such as openai/gpt-4o.")]
    BadAlias { alias: String, target: String },
    #[error("A client for model providers could not be made: {0}")]
    Client(String),
}
