//! The models of this server: those of its settings, and those that people set in the app. What is set in the app is
//! read from the store when an agent is made ready, so a change holds for the next turn on every node. A turn that runs
//! keeps its client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use baton_core::ids::{ProviderId, WorkspaceId};
use baton_core::models::{Models, WorkspaceModels};
use baton_core::providers::{ModelProvider, WireFormat};
use baton_core::secrets::SecretText;
use baton_core::store::{self, Store};
use baton_demo::DemoModel;
use baton_models::{
    HttpOptions, ModelOptions, ModelSet, Provider, ProviderKey, ProviderOptions, Scripted, Source,
};
use baton_tools::outbound::Outbound;
use chrono::{DateTime, Utc};

use crate::base_url::{self, Guard};
use crate::secrets::Vault;
use crate::settings::{ModelSettings, ProviderSettings, Settings};

/// The demo model's time per word: quick to read, slow enough to see that it streams.
const DEMO_PACE: Duration = Duration::from_millis(15);
/// Providers whose clients are kept, and workspaces with providers of their own whose models are.
const MOST_SETS: usize = 1_000;

/// Which rows a set was made of, and when each was changed last.
type MadeOf = Vec<(ProviderId, DateTime<Utc>)>;

pub struct LiveModels {
    store: Arc<dyn Store>,
    vault: Arc<Vault>,
    outbound: Outbound,
    /// What the settings say, without what people set in the app.
    settings: ModelOptions,
    /// The providers that the setting `model_order` names; `None` if it isn't set.
    order: Option<Vec<String>>,
    /// Clients are kept while their rows stay the same, and with them their connections.
    made: Mutex<Clients>,
    sets: Mutex<Sets>,
}

/// By provider, each as of its row's last change.
type Clients = HashMap<ProviderId, (DateTime<Utc>, Arc<Provider>)>;
/// By workspace; `None` is the server's own.
type Sets = HashMap<Option<WorkspaceId>, (MadeOf, Arc<ModelSet>)>;

impl LiveModels {
    pub fn new(
        settings: &Settings,
        store: Arc<dyn Store>,
        vault: Arc<Vault>,
        outbound: Outbound,
    ) -> anyhow::Result<Self> {
        let order = settings.models.order.clone();
        let options = of_settings(&settings.models)?;
        // What can't work is said at the start.
        ModelSet::new(options.clone())?;
        let (made, sets) = (Mutex::default(), Mutex::default());
        Ok(Self { store, vault, outbound, settings: options, order, made, sets })
    }

    /// The models of a workspace, or of the server alone.
    pub async fn set_of(&self, workspace: Option<WorkspaceId>) -> store::Result<Arc<ModelSet>> {
        let rows = match workspace {
            Some(workspace) => self.store.usable_providers(workspace).await?,
            None => self.store.model_providers(None).await?,
        };
        // Workspaces without providers of their own share a set.
        let place = workspace.filter(|_| rows.iter().any(|row| row.workspace_id.is_some()));
        let made_of: MadeOf = rows.iter().map(|row| (row.id, row.updated_at)).collect();
        let kept =
            lock(&self.sets).get(&place).filter(|(kept, _)| *kept == made_of).map(|(_, set)| set.clone());
        if let Some(set) = kept {
            return Ok(set);
        }
        let mut is_whole = true;
        let mut providers = Vec::new();
        for row in &rows {
            match self.provider(row) {
                Ok((provider, is_readable)) => {
                    is_whole &= is_readable;
                    providers.push(provider);
                }
                // It was checked when it was stored.
                Err(error) => tracing::error!(provider = row.definition.name, "{error:#}"),
            }
        }
        let options = ModelOptions { providers: self.in_order(providers), ..self.settings.clone() };
        let set = ModelSet::new(options).map_err(|wrong| store::Error::Database(wrong.into()))?;
        let set = Arc::new(set);
        let mut sets = lock(&self.sets);
        if sets.len() >= MOST_SETS {
            sets.clear();
        }
        // With a key that can't be read yet, it is tried again.
        if is_whole {
            sets.insert(place, (made_of, set.clone()));
        }
        Ok(set)
    }

    /// A provider of the settings by its name.
    pub fn of_settings(&self, name: &str) -> Option<&Arc<Provider>> {
        self.settings
            .providers
            .iter()
            .find(|provider| **provider.name() == *name && provider.client().is_some())
    }

    pub fn settings(&self) -> impl Iterator<Item = &Arc<Provider>> {
        self.settings.providers.iter().filter(|provider| provider.client().is_some())
    }

    /// The client of a row, and whether its key could be read.
    fn provider(&self, row: &ModelProvider) -> anyhow::Result<(Arc<Provider>, bool)> {
        let kept = lock(&self.made).get(&row.id).filter(|(at, _)| *at == row.updated_at).cloned();
        if let Some((_, provider)) = kept {
            return Ok((provider, true));
        }
        let key = match &row.sealed {
            None => ProviderKey::None,
            Some(sealed) => match self.vault.open(&base_url::provider_place(row)?, sealed) {
                Some(key) => ProviderKey::Known(key),
                None => ProviderKey::Unreadable,
            },
        };
        let is_readable = !matches!(key, ProviderKey::Unreadable);
        let options = self.options(row, key)?;
        let provider = Arc::new(Provider::new(options, HttpOptions::default())?);
        if is_readable {
            let mut made = lock(&self.made);
            // Those of providers that are gone go with the others.
            if made.len() >= MOST_SETS {
                made.clear();
            }
            made.insert(row.id, (row.updated_at, provider.clone()));
        }
        Ok((provider, is_readable))
    }

    /// What a row says, with its key.
    pub fn options(&self, row: &ModelProvider, key: ProviderKey) -> anyhow::Result<ProviderOptions> {
        let definition = &row.definition;
        let base_url = definition.base_url.as_deref().map(base_url::parse).transpose()?;
        let is_own = row.workspace_id.is_some();
        Ok(ProviderOptions {
            name: definition.name.as_str().into(),
            wire: definition.wire,
            key,
            base_url,
            models: definition.models.clone(),
            only_model: None,
            source: if is_own { Source::Workspace } else { Source::Server },
            has_aliases: true,
            guard: is_own.then(|| Arc::new(Guard(self.outbound.clone())) as Arc<_>),
        })
    }

    /// A workspace's own first, then as `model_order` says, then the settings' and those of the app. What the settings say
    /// about a name holds.
    fn in_order(&self, rows: Vec<Arc<Provider>>) -> Vec<Arc<Provider>> {
        let (own, servers): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|provider| provider.source() == Source::Workspace);
        let of_settings = self.settings.providers.iter().cloned();
        let servers = servers.into_iter().filter(|provider| self.of_settings(provider.name()).is_none());
        let mut servers: Vec<_> = of_settings.chain(servers).collect();
        let named = self.order.clone().unwrap_or_default();
        let place = |provider: &Arc<Provider>| named.iter().position(|name| **name == **provider.name());
        servers.sort_by_key(|provider| place(provider).unwrap_or(usize::MAX));
        own.into_iter().chain(servers).collect()
    }
}

#[async_trait]
impl WorkspaceModels for LiveModels {
    async fn models_of(&self, workspace: WorkspaceId) -> store::Result<Arc<dyn Models>> {
        Ok(self.set_of(Some(workspace)).await?)
    }
}

fn of_settings(given: &ModelSettings) -> anyhow::Result<ModelOptions> {
    let mut options = ModelOptions::new(Arc::new(DemoModel::new(DEMO_PACE)));
    let mut providers = Vec::new();
    for (wire, of) in [(WireFormat::Anthropic, &given.anthropic), (WireFormat::Openai, &given.openai)] {
        // One that the configured order leaves out is not used for aliases.
        let has_aliases =
            given.order.as_ref().is_none_or(|order| order.iter().any(|name| name.trim() == wire.as_str()));
        let of = ProviderOptions { has_aliases, ..provider(wire, of) };
        providers.push(Arc::new(Provider::new(of, HttpOptions::default())?));
    }
    options.providers = providers;
    options.aliases = given.aliases.clone();
    options.prices.extend(given.prices.clone());
    options.context_windows.extend(given.context_windows.clone());
    if let Some(path) = &given.script {
        let script = Scripted::load(path).with_context(|| format!("{} is no script", path.display()))?;
        options.script = Some(script);
    }
    Ok(options)
}

fn provider(wire: WireFormat, given: &ProviderSettings) -> ProviderOptions {
    let key = given.key.as_ref().map_or(ProviderKey::None, |key| ProviderKey::Known(SecretText::new(key)));
    ProviderOptions {
        key,
        base_url: given.base_url.clone(),
        only_model: given.model.clone(),
        ..ProviderOptions::of_settings(wire)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
