//! Names beside ids, for views that tell of agents.

use std::collections::{HashMap, HashSet};

use baton_core::agents::Agent;
use baton_core::ids::AgentId;
use baton_core::store::Error;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::http::ApiError;

/// What agents are called, those that are still there.
pub async fn names(app: &App, agents: HashSet<AgentId>) -> Result<HashMap<AgentId, String>, ApiError> {
    let there = still_there(app, agents).await?;
    Ok(there.into_iter().map(|agent| (agent.id, agent.definition.name)).collect())
}

/// An agent as its messages show it, also when it no longer works here.
#[derive(Serialize, ToSchema)]
#[schema(as = Speaker)]
pub struct SpeakerView {
    id: Uuid,
    name: String,
    #[schema(required)]
    avatar_url: Option<String>,
}

pub async fn speakers(app: &App, agents: HashSet<AgentId>) -> Result<Vec<SpeakerView>, ApiError> {
    let view = |Agent { id, definition, .. }| SpeakerView {
        id: id.0,
        name: definition.name,
        avatar_url: definition.avatar_url,
    };
    Ok(still_there(app, agents).await?.into_iter().map(view).collect())
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
