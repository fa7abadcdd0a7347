//! The catalog: its agents, their versions, and the packs that fill it.

use async_trait::async_trait;

use super::Result;
use crate::agents::{AgentChanges, AgentDefinition, Department};
use crate::catalog::{Applied, CatalogAgent, CatalogVersion, Offer, Publish};
use crate::ids::{CatalogAgentId, ProfileId, WorkspaceId};
use crate::listing::{Page, Window};
use crate::packs::Pack;

#[async_trait]
pub trait Catalog {
    /// Brings the catalog up to what the pack says. Idempotent.
    async fn apply_pack(&self, pack: &Pack, publish: Publish) -> Result<Applied>;
    async fn departments(&self) -> Result<Vec<Department>>;

    /// Every entry with its current version, published or not.
    async fn catalog(&self, search: Option<&str>, window: Window) -> Result<Page<CatalogAgent>>;
    async fn catalog_agent(&self, id: CatalogAgentId) -> Result<CatalogAgent>;
    async fn catalog_versions(&self, id: CatalogAgentId) -> Result<Vec<CatalogVersion>>;
    /// A new entry at version 1, not yet published.
    async fn add_catalog_agent(&self, definition: AgentDefinition, by: ProfileId) -> Result<CatalogAgent>;
    /// A change makes a new current version; the published one stays in force.
    async fn change_catalog_agent(
        &self,
        id: CatalogAgentId,
        changes: AgentChanges,
        by: ProfileId,
    ) -> Result<CatalogAgent>;
    async fn publish_catalog_agent(
        &self,
        id: CatalogAgentId,
        version: i32,
        by: ProfileId,
    ) -> Result<CatalogAgent>;
    /// Hired copies of a disabled entry are gone, and back once it is enabled: also tells in which workspaces.
    async fn offer_catalog_agent(
        &self,
        id: CatalogAgentId,
        offer: Offer,
        by: ProfileId,
    ) -> Result<(CatalogAgent, Vec<WorkspaceId>)>;
}
