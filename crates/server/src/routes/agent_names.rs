//! Names beside ids, for views that tell of agents.

use std::collections::{HashMap, HashSet};

use baton_core::ids::AgentId;
use baton_core::store::Error;

use crate::app::App;
use crate::http::ApiError;

/// What agents are called, those that are still there.
pub async fn names(app: &App, agents: HashSet<AgentId>) -> Result<HashMap<AgentId, String>, ApiError> {
    let mut names = HashMap::with_capacity(agents.len());
    for id in agents {
        match app.store.agent(id).await {
            Ok(agent) => drop(names.insert(id, agent.definition.name)),
            Err(Error::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(names)
}
