//! Teams of a workspace.

use async_trait::async_trait;

use super::Result;
use crate::agents::Author;
use crate::ids::{ProfileId, TeamId, WorkspaceId};
use crate::packs::Pack;
use crate::teams::{Team, TeamDefinition};

#[async_trait]
pub trait Teams: Send + Sync {
    /// A workspace's teams, by name.
    async fn teams(&self, workspace: WorkspaceId) -> Result<Vec<Team>>;
    async fn team(&self, id: TeamId) -> Result<Team>;
    /// Members must be active agents of the workspace.
    async fn create_team(
        &self,
        workspace: WorkspaceId,
        definition: TeamDefinition,
        by: ProfileId,
    ) -> Result<Team>;
    async fn change_team(&self, id: TeamId, definition: TeamDefinition, by: ProfileId) -> Result<Team>;
    /// Conversations of the team stay with the agents that hold them.
    async fn delete_team(&self, id: TeamId, by: ProfileId) -> Result<()>;
    /// Hires a pack's agents that are not hired yet, makes its tools, and makes the team, in one transaction.
    async fn hire_team(&self, pack: &Pack, team: &str, workspace: WorkspaceId, by: Author) -> Result<Team>;
}
