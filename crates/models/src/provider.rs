//! A provider that can be called: its settings and its client. It outlives changes to others, so that its connections
//! are kept, and turns that run go on with it when it is changed or removed.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::models::{ChatModel, ModelError, ModelRequest, ModelStream, PaidBy};
use baton_core::providers::ProviderModel;
use url::Host;

use crate::anthropic::Anthropic;
use crate::openai::OpenAi;
use crate::options::{HttpOptions, ProviderKey, ProviderOptions, SetupError, Source};
use crate::{WireFormat, defaults};

pub struct Provider {
    pub(crate) options: ProviderOptions,
    /// `None`: it has neither a key nor a base URL.
    pub(crate) client: Option<Arc<dyn ChatModel>>,
}

impl Provider {
    pub fn new(options: ProviderOptions, http: HttpOptions) -> Result<Self, SetupError> {
        let client: Option<Arc<dyn ChatModel>> = match (&options.key, options.wire) {
            (ProviderKey::Unreadable, _) => Some(Arc::new(Unreadable)),
            _ if !options.is_configured() => None,
            (_, WireFormat::Anthropic) => Some(Arc::new(Anthropic::new(&options, http)?)),
            (_, WireFormat::Openai) => Some(Arc::new(OpenAi::new(&options, http)?)),
        };
        Ok(Self { options, client })
    }

    pub fn name(&self) -> &Arc<str> {
        &self.options.name
    }

    /// A model to try the provider with: the first that people list, or the cheapest that the vendor is known to have.
    pub fn model_to_try(&self) -> Option<&str> {
        let options = &self.options;
        let listed = options.models.first().map(|listed| listed.model.as_str());
        let vendors = || options.is_vendors_own().then(|| defaults::cheapest(options.wire));
        listed.or(options.only_model.as_deref()).or_else(vendors)
    }

    pub fn source(&self) -> Source {
        self.options.source
    }

    pub fn options(&self) -> &ProviderOptions {
        &self.options
    }

    pub fn client(&self) -> Option<Arc<dyn ChatModel>> {
        self.client.clone()
    }

    pub(crate) fn paid_by(&self) -> PaidBy {
        match self.options.source {
            Source::Settings | Source::Server => PaidBy::Server,
            Source::Workspace => PaidBy::Workspace,
        }
    }

    /// The model that people said has this name, or is called so.
    pub(crate) fn listed(&self, name: &str) -> Option<&str> {
        // An explicit `provider/model` is never a model of another provider.
        if name.contains('/') {
            return None;
        }
        let has = |listed: &&ProviderModel| {
            listed.model == name || listed.aliases.iter().any(|alias| alias == name)
        };
        self.options.models.iter().find(has).map(|listed| listed.model.as_str())
    }

    /// The model that all aliases mean there. A server of one's own knows no vendor's names: it answers with the first
    /// model that it is said to have.
    pub(crate) fn only_model(&self) -> Option<&str> {
        let set = self.options.only_model.as_deref().filter(|model| !model.is_empty());
        let first = || self.options.models.first().filter(|_| !self.options.is_vendors_own());
        set.or_else(|| first().map(|listed| listed.model.as_str()))
    }

    /// Its models have names that nobody can know beforehand.
    pub(crate) fn has_names_of_its_own(&self) -> bool {
        let options = &self.options;
        self.client.is_some() && options.wire == WireFormat::Openai && options.base_url.is_some()
    }

    /// Whether its address is this machine's.
    pub(crate) fn is_local(&self) -> bool {
        self.options.base_url.as_ref().is_some_and(|url| match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        })
    }
}

/// Stands for a provider whose key can't be decrypted here. It stays in its place: otherwise another provider would answer,
/// and nobody would know why.
struct Unreadable;

#[async_trait]
impl ChatModel for Unreadable {
    async fn call(&self, _: ModelRequest) -> Result<ModelStream, ModelError> {
        Err(ModelError::KeyUnreadable)
    }
}
