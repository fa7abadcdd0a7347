//! Which model a name stands for.
//!
//! An alias goes to the first provider, in the configured order, that is configured and has a model for it; a
//! `provider/model` goes there or nowhere. With no provider at all, aliases go to the demo model.

use std::collections::BTreeMap;
use std::sync::Arc;

use baton_core::models::{ChatModel, ModelError, Models, Price, Resolved};

use crate::anthropic::Anthropic;
use crate::defaults;
use crate::http::is_vendors_own;
use crate::openai::OpenAi;
use crate::options::{ModelOptions, Provider, ProviderOptions, SetupError};

const FREE: Price = Price { input: 0.0, output: 0.0, cache_read: None, cache_write: None };

pub struct ModelSet {
    pub(crate) options: ModelOptions,
    anthropic: Option<Arc<dyn ChatModel>>,
    openai: Option<Arc<dyn ChatModel>>,
    aliases: BTreeMap<String, Vec<(Provider, String)>>,
}

impl ModelSet {
    pub fn new(options: ModelOptions) -> Result<Self, SetupError> {
        let aliases = options
            .aliases
            .iter()
            .map(|(alias, targets)| Ok((alias.clone(), targets_of(alias, targets)?)))
            .collect::<Result<_, SetupError>>()?;
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

    fn alias(&self, name: &str, targets: &[(Provider, String)]) -> Result<Resolved, ModelError> {
        if !self.has_provider() {
            return Ok(self.demo());
        }
        // A vendor's own name for a model means that model wherever the vendor itself is configured.
        let by_name =
            targets.iter().find(|(provider, model)| model == name && self.is_vendors_own(*provider));
        if let Some((provider, model)) = by_name.filter(|(provider, _)| self.only_model(*provider).is_none())
        {
            return self.at(*provider, model, name);
        }
        let of = |provider: Provider| {
            let listed = targets.iter().find(|(target, _)| *target == provider).map(|(_, model)| model);
            self.only_model(provider).or(listed).map(|model| (provider, model))
        };
        let mut order = self.options.order.iter().filter(|provider| self.client(**provider).is_some());
        match order.find_map(|provider| of(*provider)) {
            Some((provider, model)) => self.at(provider, model, name),
            None => Err(ModelError::NotConfigured(name.to_owned())),
        }
    }

    fn at(&self, provider: Provider, model: &str, name: &str) -> Result<Resolved, ModelError> {
        let client = self.client(provider).filter(|_| !model.is_empty());
        let client = client.ok_or_else(|| ModelError::NotConfigured(name.to_owned()))?.clone();
        let price = self.price(provider, model);
        Ok(Resolved { client, provider: provider.as_str(), model: model.to_owned(), price })
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

    fn only_model(&self, provider: Provider) -> Option<&String> {
        let model = match provider {
            Provider::Anthropic => &self.options.anthropic_model,
            Provider::Openai => &self.options.openai_model,
        };
        model.as_ref().filter(|model| !model.is_empty())
    }

    fn demo(&self) -> Resolved {
        let client = self.options.demo.clone();
        Resolved { client, provider: "demo", model: "demo".into(), price: Some(FREE) }
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
            });
        }
        if name == "demo" {
            return Ok(self.demo());
        }
        if let Some(targets) = self.aliases.get(name) {
            return self.alias(name, targets);
        }
        let unknown = || ModelError::NotConfigured(name.to_owned());
        match name.split_once('/') {
            Some((provider, model)) => self.at(Provider::parse(provider).ok_or_else(unknown)?, model, name),
            // A server of one's own has names of its own.
            None if self.configured(Provider::Openai).is_some_and(|openai| openai.base_url.is_some()) => {
                self.at(Provider::Openai, name, name)
            }
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
