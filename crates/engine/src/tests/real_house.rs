//! A real database with a person, their workspace and three agents, for tests that compare a real store with the one
//! in memory.

use baton_core::agents::{Agent, AgentChanges, Author};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::people::{FirstWorkspace, NewProfile, Tier};
use baton_core::store::{Agents, People};
use baton_core::workspaces::Role;
use baton_store::SqlStore;

use super::database::TestDatabase;

pub struct House {
    pub database: TestDatabase,
    pub profile: ProfileId,
    pub workspace: WorkspaceId,
}

impl House {
    /// An empty house. The store is for what else has to be in it.
    pub async fn build(tier: Tier) -> (Self, SqlStore) {
        let database = TestDatabase::new().await;
        let store = SqlStore::open(database.open()).await.expect("a store");
        let new = NewProfile {
            email: "eva@example.org".to_owned(),
            name: "Eva".to_owned(),
            password_hash: None,
            tier,
            is_admin: false,
        };
        let first = FirstWorkspace::Own { name: "Test".to_owned() };
        let profile = store.sign_up(new, first).await.expect("a person").id;
        let workspace = store.memberships(profile).await.expect("memberships")[0].workspace_id;
        (Self { database, profile, workspace }, store)
    }

    /// Hires agents that are like these, and gives them their tools once all of them are there.
    pub async fn hire(&self, store: &SqlStore, like: [Agent; 3]) -> Vec<Agent> {
        let mut hired = Vec::new();
        for mut like in like {
            let tools = std::mem::take(&mut like.definition.tools);
            let made = store
                .create_agent(self.workspace, like.definition, Author::in_person(self.profile, Role::Owner))
                .await;
            hired.push((made.expect("an agent").id, tools));
        }
        let mut agents = Vec::new();
        for (id, tools) in hired {
            let changes = AgentChanges { tools: Some(tools), ..AgentChanges::default() };
            agents.push(
                store
                    .change_agent(id, changes, Author::in_person(self.profile, Role::Owner))
                    .await
                    .expect("its tools"),
            );
        }
        agents
    }
}
