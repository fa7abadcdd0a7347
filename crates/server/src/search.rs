//! The search engine of a workspace: its own, else the server's. It is read anew for every search.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::ids::WorkspaceId;
use baton_core::search_engines::SearchEngine;
use baton_core::secrets::SecretText;
use baton_core::store::{self, Store};
use baton_tools::outbound::Outbound;
use baton_tools::search::{Engine, EngineKey, SearchEngines, Way};

use crate::base_url;
use crate::secrets::Vault;

pub struct LiveEngines {
    store: Arc<dyn Store>,
    vault: Arc<Vault>,
    outbound: Outbound,
}

impl LiveEngines {
    pub fn new(store: Arc<dyn Store>, vault: Arc<Vault>, outbound: Outbound) -> Self {
        Self { store, vault, outbound }
    }

    /// The key of an engine, as far as it has one that can be read.
    pub fn key(&self, engine: &SearchEngine) -> anyhow::Result<EngineKey> {
        let Some(sealed) = &engine.sealed else { return Ok(EngineKey::None) };
        let place = base_url::engine_place(engine)?;
        Ok(self.vault.open(&place, sealed).map_or(EngineKey::Unreadable, EngineKey::Known))
    }

    /// The engine as it is called.
    pub fn callable(&self, engine: &SearchEngine, key: EngineKey) -> anyhow::Result<Engine> {
        let base_url = base_url::engine_url(engine.kind, engine.base_url.as_deref())?;
        let way = match engine.workspace_id {
            Some(_) => Way::Guarded(self.outbound.clone()),
            None => Way::Open,
        };
        Ok(Engine { kind: engine.kind, base_url, key, way })
    }

    /// For who gives a key to be tried.
    pub fn given(key: Option<SecretText>) -> EngineKey {
        key.map_or(EngineKey::None, EngineKey::Known)
    }
}

#[async_trait]
impl SearchEngines for LiveEngines {
    async fn engine_of(&self, workspace: WorkspaceId) -> store::Result<Option<Engine>> {
        let found = match self.store.search_engine(Some(workspace)).await? {
            Some(own) => Some(own),
            None => self.store.search_engine(None).await?,
        };
        let callable = |engine: SearchEngine| self.callable(&engine, self.key(&engine)?);
        found.map(callable).transpose().map_err(|wrong| store::Error::Database(wrong.into()))
    }
}
