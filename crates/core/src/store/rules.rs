//! Rules of a workspace and of the catalog.

use async_trait::async_trait;

use super::Result;
use crate::ids::{AgentId, CatalogAgentId, ProfileId, RuleId, WorkspaceId};
use crate::rules::{Rule, RuleChanges};

#[async_trait]
pub trait Rules {
    /// A workspace's rules, or the catalog's for `None`.
    async fn rules(&self, workspace: Option<WorkspaceId>) -> Result<Vec<Rule>>;
    async fn rule(&self, id: RuleId) -> Result<Rule>;
    /// What one agent follows: its own rules and those of its catalog entry.
    async fn rules_of(&self, agent: Option<AgentId>, catalog: Option<CatalogAgentId>) -> Result<Vec<Rule>>;
    async fn create_rule(
        &self,
        workspace: Option<WorkspaceId>,
        rule: RuleChanges,
        by: ProfileId,
    ) -> Result<Rule>;
    async fn change_rule(&self, id: RuleId, changes: RuleChanges, by: ProfileId) -> Result<Rule>;
    async fn delete_rule(&self, id: RuleId, by: ProfileId) -> Result<()>;
}
