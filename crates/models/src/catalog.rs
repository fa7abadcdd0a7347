//! Which model a name stands for.
//!
//! An alias goes to the first configured provider, in the configured order, that has a model for it. What people said
//! about an alias counts first, then the only model of a provider, then the vendors' usual models. A workspace's own
//! providers are asked before the server's. A `provider/model` goes to that provider or is refused. With no provider at
//! all, aliases go to the demo model.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baton_core::Invalid;
use baton_core::models::{CONTEXT_WINDOW, DEMO, ModelError, Models, PaidBy, Price, Resolved, SCRIPTED};

use crate::options::{ModelOptions, SetupError};
use crate::provider::Provider;
use crate::{WireFormat, defaults};

const FREE: Price = Price { input: 0.0, output: 0.0, cache_read: None, cache_write: None };

pub struct ModelSet {
    pub(crate) options: ModelOptions,
    aliases: BTreeMap<String, Alias>,
}

struct Alias {
    origin: Origin,
    /// Provider and model. Of a built-in alias, the provider is the wire format of its vendor.
    targets: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    BuiltIn,
    /// The alias was set by a person in the settings.
    Own,
}

impl Alias {
    /// What it means at a provider.
    fn at(&self, provider: &Provider) -> Option<&str> {
        let options = &provider.options;
        let name = match self.origin {
            Origin::BuiltIn => options.wire.as_str(),
            Origin::Own => &options.name,
        };
        self.targets.iter().find(|(at, _)| at == name).map(|(_, model)| model.as_str())
    }
}

impl ModelSet {
    pub fn new(options: ModelOptions) -> Result<Self, SetupError> {
        let mut aliases = BTreeMap::new();
        for (origin, named) in [(Origin::BuiltIn, &defaults::aliases()), (Origin::Own, &options.aliases)] {
            for (name, targets) in named {
                aliases.insert(name.clone(), Alias { origin, targets: targets_of(name, targets)? });
            }
        }
        Ok(Self { options, aliases })
    }

    /// The providers that can be called, in order.
    pub(crate) fn callable(&self) -> impl Iterator<Item = &Provider> {
        self.options.providers.iter().map(AsRef::as_ref).filter(|provider| provider.client.is_some())
    }

    pub(crate) fn has_provider(&self) -> bool {
        self.callable().next().is_some()
    }

    /// What a name means that is not `provider/model`: first at the workspace's own providers, then at the server's.
    fn named(&self, name: &str) -> Option<Resolved> {
        let alias = self.aliases.get(name);
        [PaidBy::Workspace, PaidBy::Server].into_iter().find_map(|paid_by| {
            let tried =
                || self.callable().filter(move |it| it.paid_by() == paid_by && it.options.has_aliases);
            let first = |model: &dyn Fn(&Provider) -> Option<String>| {
                tried().find_map(|provider| Some(self.at(provider, &model(provider)?)))
            };
            let listed = first(&|it| it.listed(name).map(str::to_owned));
            let Some(alias) = alias else { return listed };
            // A vendor's own name for a model means that model wherever the vendor itself is configured.
            let by_name = || {
                first(&|it| {
                    let is_its = it.options.is_vendors_own() && alias.at(it) == Some(name);
                    (is_its && (alias.origin == Origin::Own || it.only_model().is_none()))
                        .then(|| name.to_owned())
                })
            };
            let meant = |it: &Provider| alias.at(it).map(str::to_owned);
            let only = |it: &Provider| it.only_model().map(str::to_owned);
            listed.or_else(by_name).or_else(|| match alias.origin {
                Origin::BuiltIn => first(&|it| only(it).or_else(|| meant(it))),
                Origin::Own => first(&meant).or_else(|| first(&only)),
            })
        })
    }

    /// Every alias and every listed name of a model, in the order of the alphabet.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        let listed = self.options.providers.iter().flat_map(|provider| &provider.options.models);
        let listed = listed.flat_map(|listed| std::iter::once(&listed.model).chain(&listed.aliases));
        let listed = listed.filter(|name| !name.contains('/'));
        self.aliases.keys().chain(listed).map(String::as_str).collect()
    }

    /// Whether a name can be given to an agent: a name that no provider could ever have is most likely a typo. The
    /// provider need not be configured; if it isn't, the agent's turns say so.
    pub fn check_name(&self, name: &str) -> Result<(), Invalid> {
        let name = name.trim();
        let names = self.names();
        if let Some((provider, _)) = name.split_once('/') {
            let is_known = WireFormat::WORDS.contains(&provider)
                || self.options.providers.iter().any(|known| **known.name() == *provider);
            let message = format!("names the provider {provider:?}, which is not set up here");
            return if is_known { Ok(()) } else { Err(Invalid::new("model", message)) };
        }
        if name == DEMO || names.contains(name) || self.with_names_of_its_own().is_some() {
            return Ok(());
        }
        let known: Vec<&str> = names.into_iter().chain([DEMO]).collect();
        let message = format!(
            "{name:?} is not known here. There are {}; or name a provider and its model, as in anthropic/… or openai/…",
            known.join(", ")
        );
        Err(Invalid::new("model", message))
    }

    /// A server of one's own may have any name for its models.
    fn with_names_of_its_own(&self) -> Option<&Provider> {
        self.callable().find(|provider| provider.has_names_of_its_own())
    }

    fn at(&self, provider: &Provider, model: &str) -> Resolved {
        let client = provider.client.clone().unwrap_or_else(|| self.options.demo.clone());
        Resolved {
            client,
            provider: provider.name().clone(),
            model: model.to_owned(),
            price: self.price(provider, model),
            context_window: self.context_window(provider, model),
            is_local: provider.is_local(),
            paid_by: provider.paid_by(),
        }
    }

    /// A lookalike's models may have a vendor's names; they do not have its prices.
    fn price(&self, provider: &Provider, model: &str) -> Option<Price> {
        let options = &provider.options;
        let listed = options.models.iter().find(|listed| listed.model == model);
        let set = || {
            let name = format!("{}/{model}", options.name);
            self.options.prices.get(&name).copied().filter(|_| provider.paid_by() == PaidBy::Server)
        };
        let vendors = || {
            let name = format!("{}/{model}", options.wire);
            options.is_vendors_own().then(|| defaults::price(&name)).flatten()
        };
        listed.and_then(|listed| listed.price).or_else(set).or_else(vendors)
    }

    /// What is said of it comes first; a lookalike's model is assumed to read as much as the vendor's of that name.
    fn context_window(&self, provider: &Provider, model: &str) -> u64 {
        let options = &provider.options;
        let listed = options.models.iter().find(|listed| listed.model == model);
        let set = || {
            let name = format!("{}/{model}", options.name);
            self.options.context_windows.get(&name).copied().filter(|_| provider.paid_by() == PaidBy::Server)
        };
        let vendors = || defaults::context_window(&format!("{}/{model}", options.wire));
        listed
            .and_then(|listed| listed.context_window)
            .or_else(set)
            .or_else(vendors)
            .unwrap_or(CONTEXT_WINDOW)
    }

    fn demo(&self) -> Resolved {
        Resolved {
            client: self.options.demo.clone(),
            provider: DEMO.into(),
            model: DEMO.into(),
            price: Some(FREE),
            // It compares words, however many there are.
            context_window: u64::MAX,
            is_local: true,
            paid_by: PaidBy::Server,
        }
    }

    fn scripted(&self) -> Option<Resolved> {
        let script = self.options.script.clone()?;
        let price = self.options.prices.get("scripted/scripted").copied().unwrap_or(FREE);
        let window = self.options.context_windows.get("scripted/scripted").copied();
        Some(Resolved {
            client: Arc::new(script),
            provider: SCRIPTED.into(),
            model: SCRIPTED.into(),
            price: Some(price),
            context_window: window.unwrap_or(CONTEXT_WINDOW),
            is_local: true,
            paid_by: PaidBy::Server,
        })
    }
}

impl Models for ModelSet {
    fn resolve(&self, name: &str) -> Result<Resolved, ModelError> {
        let name = name.trim();
        if let Some(scripted) = self.scripted() {
            return Ok(scripted);
        }
        if name == DEMO || (self.names().contains(name) && !self.has_provider()) {
            return Ok(self.demo());
        }
        let not_configured = || ModelError::NotConfigured(name.to_owned());
        if let Some(found) = self.named(name) {
            return Ok(found);
        }
        if self.names().contains(name) {
            return Err(not_configured());
        }
        let (provider, model) = match name.split_once('/') {
            Some((provider, model)) if !model.is_empty() => {
                (self.options.providers.iter().find(|it| **it.name() == *provider).map(AsRef::as_ref), model)
            }
            Some(_) => (None, name),
            None => (self.with_names_of_its_own(), name),
        };
        // Another provider of the same name is another model.
        let provider = provider.filter(|provider| provider.client.is_some()).ok_or_else(not_configured)?;
        Ok(self.at(provider, model))
    }
}

fn targets_of(alias: &str, targets: &[String]) -> Result<Vec<(String, String)>, SetupError> {
    let target_of = |target: &String| {
        let (provider, model) = target.split_once('/')?;
        let is_whole = !provider.is_empty() && !model.is_empty();
        is_whole.then(|| (provider.to_owned(), model.to_owned()))
    };
    let bad = |target: &String| SetupError::BadAlias { alias: alias.to_owned(), target: target.clone() };
    targets.iter().map(|target| target_of(target).ok_or_else(|| bad(target))).collect()
}

#[cfg(test)]
mod tests;
