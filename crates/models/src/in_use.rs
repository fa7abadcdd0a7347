//! The configured models as plain data for a settings page. It never holds a key.

use baton_core::models::{Models, Price};
use serde::Serialize;

use crate::catalog::ModelSet;
use crate::options::Provider;

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
    pub provider: &'static str,
    pub base_url: String,
    pub has_key: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AliasInUse {
    pub alias: String,
    /// `None` where no configured provider has a model for it.
    pub stands_for: Option<StandsFor>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandsFor {
    pub provider: &'static str,
    pub model: String,
    pub price: Option<Price>,
}

impl ModelSet {
    pub fn in_use(&self) -> InUse {
        let mut order = self.options.order.clone();
        order.extend(Provider::ALL);
        let mut providers: Vec<ProviderInUse> = Vec::new();
        for provider in order {
            if providers.iter().all(|listed| listed.provider != provider.as_str()) {
                providers.extend(self.provider_in_use(provider));
            }
        }
        let script_answers = self.options.script.is_some();
        let demo_answers = !script_answers && !self.has_provider();
        InUse { providers, aliases: self.aliases_in_use(), demo_answers, script_answers }
    }

    fn provider_in_use(&self, provider: Provider) -> Option<ProviderInUse> {
        let configured = self.configured(provider)?;
        let base_url = match &configured.base_url {
            None => provider.own_base_url().to_owned(),
            Some(base) => {
                let mut shown = base.clone();
                // Fails only for addresses that have no place for a password.
                let _ = (shown.set_password(None), shown.set_username(""));
                shown.set_query(None);
                shown.to_string()
            }
        };
        Some(ProviderInUse { provider: provider.as_str(), base_url, has_key: configured.key().is_some() })
    }

    fn aliases_in_use(&self) -> Vec<AliasInUse> {
        let aliases = self.aliases().map(|alias| {
            let resolved = self.resolve(alias).ok();
            let stands_for = resolved.map(|found| StandsFor {
                provider: found.provider,
                model: found.model,
                price: found.price,
            });
            AliasInUse { alias: alias.clone(), stands_for }
        });
        aliases.collect()
    }
}
