//! Secrets, and what has them: model providers and search engines that were set in the app.

use async_trait::async_trait;

use super::Result;
use crate::ids::{ProfileId, ProviderId, WorkspaceId};
use crate::providers::{ModelProvider, NewProvider, ProviderDefinition};
use crate::search_engines::{NewSearchEngine, SearchEngine};
use crate::secrets::{Sealed, SecretChange, StoredSecret};

#[async_trait]
pub trait Secrets: Send + Sync {
    /// The key that seals new secrets, if one was ever chosen.
    async fn sealing_key(&self) -> Result<Option<String>>;
    /// From now on this key seals. Secrets under other keys stay until they are sealed again.
    async fn choose_sealing_key(&self, key_id: &str) -> Result<()>;
    /// Whether there are any.
    async fn has_secrets(&self) -> Result<bool>;
    /// Some of those that are under another key, after this one in the order of their owners.
    async fn secrets_not_under(
        &self,
        key_id: &str,
        after: Option<&StoredSecret>,
    ) -> Result<Vec<StoredSecret>>;
    /// Seals a secret anew, if it is still the same; false if it was changed meanwhile.
    async fn reseal(&self, before: &StoredSecret, sealed: Sealed) -> Result<bool>;
    /// Removes a secret that nobody can open any more.
    async fn forget_secret(&self, secret: &StoredSecret) -> Result<()>;
}

#[async_trait]
pub trait Providers: Send + Sync {
    /// The server's, or a workspace's own, in the order in which aliases try them.
    async fn model_providers(&self, workspace: Option<WorkspaceId>) -> Result<Vec<ModelProvider>>;
    /// What a workspace's turns use: its own first, then the server's.
    async fn usable_providers(&self, workspace: WorkspaceId) -> Result<Vec<ModelProvider>>;
    async fn model_provider(&self, id: ProviderId) -> Result<ModelProvider>;
    async fn add_model_provider(&self, new: NewProvider, by: ProfileId) -> Result<ModelProvider>;
    async fn change_model_provider(
        &self,
        id: ProviderId,
        definition: ProviderDefinition,
        secret: SecretChange,
        by: ProfileId,
    ) -> Result<ModelProvider>;
    async fn delete_model_provider(&self, id: ProviderId, by: ProfileId) -> Result<()>;

    /// The server's, or a workspace's own.
    async fn search_engine(&self, workspace: Option<WorkspaceId>) -> Result<Option<SearchEngine>>;
    /// In place of the one that is there.
    async fn set_search_engine(&self, new: NewSearchEngine, by: ProfileId) -> Result<SearchEngine>;
    async fn delete_search_engine(&self, workspace: Option<WorkspaceId>, by: ProfileId) -> Result<()>;
}
