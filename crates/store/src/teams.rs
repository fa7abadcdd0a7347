//! Teams and who is in them.

use async_trait::async_trait;
use baton_core::ids::{ProfileId, TeamId, WorkspaceId};
use baton_core::packs::Pack;
use baton_core::store::{Error, Result, Teams};
use baton_core::teams::{Team, TeamDefinition};
use baton_core::workspaces::Role;

use crate::connect::SqlStore;

#[async_trait]
impl Teams for SqlStore {
    async fn teams(&self, _workspace: WorkspaceId) -> Result<Vec<Team>> {
        Err(Error::NotFound("unfinished"))
    }

    async fn team(&self, _id: TeamId) -> Result<Team> {
        Err(Error::NotFound("unfinished"))
    }

    async fn create_team(&self, _: WorkspaceId, _: TeamDefinition, _: ProfileId) -> Result<Team> {
        Err(Error::NotFound("unfinished"))
    }

    async fn change_team(&self, _: TeamId, _: TeamDefinition, _: ProfileId) -> Result<Team> {
        Err(Error::NotFound("unfinished"))
    }

    async fn delete_team(&self, _: TeamId, _: ProfileId) -> Result<()> {
        Err(Error::NotFound("unfinished"))
    }

    async fn hire_team(&self, _: &Pack, _: &str, _: WorkspaceId, _: ProfileId, _: Role) -> Result<Team> {
        Err(Error::NotFound("unfinished"))
    }
}
