//! Which model a name stands for.
//!
//! An alias goes to the first configured provider, in the configured order, that has a model for it. A
//! `provider/model` goes to that provider or is refused. With no provider at all, aliases go to the demo model.

use std::collections::BTreeMap;
use std::sync::Arc;

use baton_core::Invalid;
use baton_core::models::{ChatModel, ModelError, Models, Price, Resolved};
use url::Host;

use crate::anthropic::Anthropic;
use crate::defaults;
use crate::http::is_vendors_own;
use crate::openai::OpenAi;
use crate::options::{ModelOptions, Provider, ProviderOptions, SetupError};

const DEMO: &str = "demo";
const FREE: Price = Price { input: 0.0, output: 0.0, cache_read: None, cache_write: None };

pub struct ModelSet {
    pub(crate) options: ModelOptions,
    anthropic: Option<Arc<dyn ChatModel>>,
    openai: Option<Arc<dyn ChatModel>>,
    aliases: BTreeMap<String, Alias>,
}

struct Alias {
    origin: Origin,
    targets: Vec<(Provider, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    BuiltIn,
    /// The alias was set by a person.
    Own,
}

impl ModelSet {
    pub fn new(options: ModelOptions) -> Result<Self, SetupError> {
        let mut aliases = BTreeMap::new();
        for (origin, named) in [(Origin::BuiltIn, &defaults::aliases()), (Origin::Own, &options.aliases)] {
            for (name, targets) in named {
                aliases.insert(name.clone(), Alias { origin, targets: targets_of(name, targets)? });
            }
        }
        let configured =
            |provider: &Option<ProviderOptions>| provider.clone().filter(ProviderOptions::is_configured);
        let anthropic = match configured(&options.anthropic) {
            Some(provider) => Some(Arc::new(Anthropic::new(&provider, options.http)?) as Arc<dyn ChatModel>),
            None => None,
        };
        let openai = match configured(&options.openai) {
            Some(provider) => Some(Arc::new(OpenAi::new(&provider, options.http)?) as Arc<dyn ChatModel>),
            None => None,
        };
        Ok(Self { options, anthropic, openai, aliases })
    }

    pub(crate) fn client(&self, provider: Provider) -> Option<&Arc<dyn ChatModel>> {
        match provider {
            Provider::Anthropic => self.anthropic.as_ref(),
            Provider::Openai => self.openai.as_ref(),
        }
    }

    pub(crate) fn configured(&self, provider: Provider) -> Option<&ProviderOptions> {
        self.client(provider)?;
        match provider {
            Provider::Anthropic => self.options.anthropic.as_ref(),
            Provider::Openai => self.options.openai.as_ref(),
        }
    }

    pub(crate) fn has_provider(&self) -> bool {
        Provider::ALL.into_iter().any(|provider| self.client(provider).is_some())
    }

    fn alias(&self, name: &str, alias: &Alias) -> Result<Resolved, ModelError> {
        if !self.has_provider() {
            return Ok(self.demo());
        }
        let targets = &alias.targets;
        let listed = |provider: Provider| targets.iter().find(|it| it.0 == provider).map(|it| &it.1);
        let only = |provider: Provider| self.only_model(provider);
        // A vendor's own name for a model means that model wherever the vendor itself is configured.
        let by_name = targets.iter().find(|(provider, model)| {
            model == name
                && self.is_vendors_own(*provider)
                && (alias.origin == Origin::Own || only(*provider).is_none())
        });
        let by_name = by_name.map(|(provider, model)| (*provider, model));
        let found = by_name.or_else(|| match alias.origin {
            Origin::BuiltIn => self.first(|provider| only(provider).or(listed(provider))),
            Origin::Own => self.first(listed).or_else(|| self.first(only)),
        });
        match found {
            Some((provider, model)) => self.at(provider, model, name),
            None => Err(ModelError::NotConfigured(name.to_owned())),
        }
    }

    /// The first provider, in the configured order, that can be called and for which there is a model.
    fn first<'a>(&self, model: impl Fn(Provider) -> Option<&'a String>) -> Option<(Provider, &'a String)> {
        let mut callable = self.options.order.iter().filter(|provider| self.client(**provider).is_some());
        callable.find_map(|provider| Some((*provider, model(*provider)?)))
    }

    /// Every alias, in the order of the alphabet.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = &String> {
        self.aliases.keys()
    }

    /// Whether a name can be given to an agent: a name that no provider could ever have is most likely a typo. The
    /// provider need not be configured; if it isn't, the agent's turns say so.
    pub fn check_name(&self, name: &str) -> Result<(), Invalid> {
        let name = name.trim();
        if name == DEMO
            || name.contains('/')
            || self.aliases.contains_key(name)
            || self.has_names_of_its_own()
        {
            return Ok(());
        }
        let known: Vec<&str> = self.aliases().map(String::as_str).chain([DEMO]).collect();
        let message = format!(
            "{name:?} is not known here. There are {}; or name a provider and its model, as in anthropic/… or openai/…",
            known.join(", ")
        );
        Err(Invalid::new("model", message))
    }

    /// A server of one's own may have any name for its models.
    fn has_names_of_its_own(&self) -> bool {
        self.configured(Provider::Openai).is_some_and(|openai| openai.base_url.is_some())
    }

    fn at(&self, provider: Provider, model: &str, name: &str) -> Result<Resolved, ModelError> {
        let client = self.client(provider).filter(|_| !model.is_empty());
        let client = client.ok_or_else(|| ModelError::NotConfigured(name.to_owned()))?.clone();
        let price = self.price(provider, model);
        let is_local = self.is_local(provider);
        Ok(Resolved { client, provider: provider.as_str(), model: model.to_owned(), price, is_local })
    }

    /// A lookalike's models may have a vendor's names; they do not have its prices.
    fn price(&self, provider: Provider, model: &str) -> Option<Price> {
        let name = format!("{}/{model}", provider.as_str());
        let built_in = || self.is_vendors_own(provider).then(|| defaults::price(&name)).flatten();
        self.options.prices.get(&name).copied().or_else(built_in)
    }

    fn is_vendors_own(&self, provider: Provider) -> bool {
        self.configured(provider).is_some_and(|configured| is_vendors_own(provider, configured))
    }

    /// Whether the provider's address is this machine's.
    fn is_local(&self, provider: Provider) -> bool {
        let url = self.configured(provider).and_then(|configured| configured.base_url.as_ref());
        url.is_some_and(|url| match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        })
    }

    fn only_model(&self, provider: Provider) -> Option<&String> {
        let model = match provider {
            Provider::Anthropic => &self.options.anthropic_model,
            Provider::Openai => &self.options.openai_model,
        };
        model.as_ref().filter(|model| !model.is_empty())
    }

    fn demo(&self) -> Resolved {
        let client = self.options.demo.clone();
        Resolved { client, provider: DEMO, model: DEMO.into(), price: Some(FREE), is_local: true }
    }
}

impl Models for ModelSet {
    fn resolve(&self, name: &str) -> Result<Resolved, ModelError> {
        let name = name.trim();
        if let Some(script) = &self.options.script {
            let price = self.options.prices.get("scripted/scripted").copied().unwrap_or(FREE);
            let client = Arc::new(script.clone());
            return Ok(Resolved {
                client,
                provider: "scripted",
                model: "scripted".into(),
                price: Some(price),
                is_local: true,
            });
        }
        if name == DEMO {
            return Ok(self.demo());
        }
        if let Some(alias) = self.aliases.get(name) {
            return self.alias(name, alias);
        }
        let unknown = || ModelError::NotConfigured(name.to_owned());
        match name.split_once('/') {
            Some((provider, model)) => self.at(Provider::parse(provider).ok_or_else(unknown)?, model, name),
            None if self.has_names_of_its_own() => self.at(Provider::Openai, name, name),
            None => Err(unknown()),
        }
    }
}

fn targets_of(alias: &str, targets: &[String]) -> Result<Vec<(Provider, String)>, SetupError> {
    let target_of = |target: &String| {
        let (provider, model) = target.split_once('/').filter(|(_, model)| !model.is_empty())?;
        Some((Provider::parse(provider)?, model.to_owned()))
    };
    let bad = |target: &String| SetupError::BadAlias { alias: alias.to_owned(), target: target.clone() };
    targets.iter().map(|target| target_of(target).ok_or_else(|| bad(target))).collect()
}

#[cfg(test)]
#[path = "catalog_tests.rs"]
mod tests;
