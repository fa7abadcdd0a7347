//! Builds the models of this server from its settings.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use baton_demo::DemoModel;
use baton_models::{ModelOptions, ModelSet, Provider, ProviderOptions, Scripted};

use crate::settings::{ProviderSettings, Settings};

/// The demo model's time per word: quick to read, slow enough to see that it streams.
const DEMO_PACE: Duration = Duration::from_millis(15);

pub fn from_settings(settings: &Settings) -> anyhow::Result<ModelSet> {
    let given = &settings.models;
    let mut options = ModelOptions::new(Arc::new(DemoModel::new(DEMO_PACE)));
    options.anthropic = provider(&given.anthropic);
    options.openai = provider(&given.openai);
    options.anthropic_model = given.anthropic.model.clone();
    options.openai_model = given.openai.model.clone();
    options.aliases = given.aliases.clone();
    options.prices.extend(given.prices.clone());
    if let Some(order) = &given.order {
        options.order = order.iter().map(|name| named(name)).collect::<anyhow::Result<_>>()?;
    }
    if let Some(path) = &given.script {
        let script = Scripted::load(path).with_context(|| format!("{} is no script", path.display()))?;
        options.script = Some(script);
    }
    Ok(ModelSet::new(options)?)
}

fn provider(given: &ProviderSettings) -> Option<ProviderOptions> {
    let is_there = given.key.is_some() || given.base_url.is_some();
    is_there.then(|| ProviderOptions { key: given.key.clone(), base_url: given.base_url.clone() })
}

fn named(name: &str) -> anyhow::Result<Provider> {
    match Provider::parse(name.trim()) {
        Some(provider) => Ok(provider),
        None => bail!("model_order knows anthropic and openai, not {name:?}"),
    }
}
