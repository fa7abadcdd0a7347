//! A workspace's agents: listing, hiring, changing and letting go.

use async_trait::async_trait;
use uuid::Uuid;

use super::Result;
use crate::access::Viewer;
use crate::agents::{Agent, AgentChanges, AgentDefinition, Author};
use crate::catalog::AgentListing;
use crate::ids::{AgentId, CatalogAgentId, ProfileId, WorkspaceId};
use crate::listing::{AgentQuery, Page};

#[async_trait]
pub trait Agents {
    /// The workspace's agents and what it could hire, as far as the viewer may see them.
    async fn agents(&self, query: AgentQuery, viewer: Viewer) -> Result<Page<AgentListing>>;
    /// One agent by a hired agent's id, or by a catalog id seen from a workspace.
    async fn agent_listing(&self, id: Uuid, workspace: Option<WorkspaceId>) -> Result<AgentListing>;
    async fn agent(&self, id: AgentId) -> Result<Agent>;
    /// Copies the published version, or brings the same record back with its edits.
    async fn hire(&self, id: CatalogAgentId, workspace: WorkspaceId, by: Author) -> Result<Agent>;
    /// Brings an agent of the workspace's own back, as it was. One that an admin let go, only an admin brings back.
    async fn hire_back(&self, id: AgentId, by: Author) -> Result<Agent>;
    async fn unhire(&self, id: AgentId, by: Author) -> Result<()>;
    async fn create_agent(
        &self,
        workspace: WorkspaceId,
        definition: AgentDefinition,
        by: Author,
    ) -> Result<Agent>;
    async fn change_agent(&self, id: AgentId, changes: AgentChanges, by: Author) -> Result<Agent>;
    /// Updates to the published version, giving up edits; see [`AgentDefinition::updated_to`].
    async fn update_agent(&self, id: AgentId, by: Author) -> Result<Agent>;
    /// Counts the agents the viewer may see.
    async fn stats(
        &self,
        workspace: WorkspaceId,
        person: ProfileId,
        viewer: Viewer,
    ) -> Result<WorkspaceStats>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceStats {
    pub hired_agents: u64,
    /// Decisions that wait for this person.
    pub pending_approvals: u64,
    pub agents: Vec<AgentStats>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentStats {
    pub agent_id: AgentId,
    /// This person's conversations with the agent.
    pub conversations: u64,
    /// Their tasks that the agent completed.
    pub completed_tasks: u64,
}
