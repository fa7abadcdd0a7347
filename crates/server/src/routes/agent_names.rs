//! Adds agents' names beside their ids, for answers that mention agents.

use std::collections::{HashMap, HashSet};

use baton_core::access::{Gate, Use, may_use};
use baton_core::agents::Agent;
use baton_core::ids::{AgentId, WorkspaceId};
use baton_core::store::Error;
use baton_core::workspaces::Role;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::http::{ApiError, Caller};

/// What agents are called, those that are still there.
pub async fn names(app: &App, agents: HashSet<AgentId>) -> Result<HashMap<AgentId, String>, ApiError> {
    let there = still_there(app, agents).await?;
    Ok(there.into_iter().map(|agent| (agent.id, agent.definition.name)).collect())
}

/// An agent as its messages show it, also when it no longer works here.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Speaker)]
pub struct SpeakerView {
    id: Uuid,
    name: String,
    #[schema(required)]
    avatar_url: Option<String>,
}

impl SpeakerView {
    pub fn is(&self, id: AgentId) -> bool {
        self.id == id.0
    }
}

pub async fn speakers(app: &App, agents: HashSet<AgentId>) -> Result<Vec<SpeakerView>, ApiError> {
    let view = |Agent { id, definition, .. }| SpeakerView {
        id: id.0,
        name: definition.name,
        avatar_url: definition.avatar_url,
    };
    Ok(still_there(app, agents).await?.into_iter().map(view).collect())
}

/// Those of these agents that a member may know nothing of: restricted ones, unless it is their tier's or they look
/// after the agent.
pub async fn hidden(
    app: &App,
    caller: &Caller,
    (workspace, role): (WorkspaceId, Role),
    mut ids: HashSet<AgentId>,
) -> Result<HashSet<AgentId>, ApiError> {
    if role >= Role::Admin {
        return Ok(HashSet::new());
    }
    let mut agents = app.store.hired(workspace).await?;
    for agent in &agents {
        ids.remove(&agent.id);
    }
    // An agent that was let go is in no list.
    agents.extend(still_there(app, ids).await?);
    let is_hidden = |agent: &Agent| {
        let sees = may_use(caller.viewer(), Gate::from(&agent.definition), Use::See).is_ok();
        !sees && !agent.may_be_changed_by(caller.profile.id, role)
    };
    Ok(agents.into_iter().filter(is_hidden).map(|agent| agent.id).collect())
}

/// Takes away what is hidden; false if it was about nobody else.
pub fn keep_seen(agents: &mut Vec<AgentId>, hidden: &HashSet<AgentId>) -> bool {
    let was_about_all = agents.is_empty();
    agents.retain(|agent| !hidden.contains(agent));
    was_about_all || !agents.is_empty()
}

async fn still_there(app: &App, ids: HashSet<AgentId>) -> Result<Vec<Agent>, ApiError> {
    let mut agents = Vec::with_capacity(ids.len());
    for id in ids {
        match app.store.agent(id).await {
            Ok(agent) => agents.push(agent),
            Err(Error::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(agents)
}
