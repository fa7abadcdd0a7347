//! The configured models as plain data for a settings page. It never holds a key.

use baton_core::models::{Models, Price};
use serde::Serialize;

use crate::catalog::ModelSet;
use crate::options::{ProviderKey, ProviderOptions, Source};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InUse {
    /// Those configured, in the order in which aliases prefer them.
    pub providers: Vec<ProviderInUse>,
    pub aliases: Vec<AliasInUse>,
    /// Whether aliases go to the demo model, as no provider is configured.
    pub demo_answers: bool,
    /// Whether a script answers in place of every model.
    pub script_answers: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProviderInUse {
    pub provider: String,
    pub base_url: String,
    pub has_key: bool,
    #[serde(skip)]
    pub source: Source,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AliasInUse {
    pub alias: String,
    /// `None` where no configured provider has a model for it.
    pub stands_for: Option<StandsFor>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandsFor {
    pub provider: String,
    pub model: String,
    pub price: Option<Price>,
}

impl ModelSet {
    pub fn in_use(&self) -> InUse {
        let mut providers: Vec<ProviderInUse> = Vec::new();
        for provider in self.callable() {
            // One that is hidden by another of the same name is not in use.
            if providers.iter().all(|listed| listed.provider != **provider.name()) {
                providers.push(provider_in_use(&provider.options));
            }
        }
        let script_answers = self.options.script.is_some();
        let demo_answers = !script_answers && !self.has_provider();
        InUse { providers, aliases: self.aliases_in_use(), demo_answers, script_answers }
    }

    fn aliases_in_use(&self) -> Vec<AliasInUse> {
        let aliases = self.names().into_iter().map(|alias| {
            let resolved = self.resolve(alias).ok();
            let stands_for = resolved.map(|found| StandsFor {
                provider: found.provider.to_string(),
                model: found.model,
                price: found.price,
            });
            AliasInUse { alias: alias.to_owned(), stands_for }
        });
        aliases.collect()
    }
}

fn provider_in_use(options: &ProviderOptions) -> ProviderInUse {
    let base_url = match &options.base_url {
        None => options.wire.own_base_url().to_owned(),
        Some(base) => {
            let mut shown = base.clone();
            // Fails only for addresses that have no place for a password.
            let _ = (shown.set_password(None), shown.set_username(""));
            shown.set_query(None);
            shown.to_string()
        }
    };
    let has_key = options.key().is_some() || matches!(options.key, ProviderKey::Unreadable);
    ProviderInUse { provider: options.name.to_string(), base_url, has_key, source: options.source }
}
