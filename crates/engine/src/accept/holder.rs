//! Who answers a message: the agent that holds the conversation, or, when it is gone, the next in line.

use std::sync::Arc;

use baton_core::access::{Gate, Use, may_use};
use baton_core::agents::Agent;
use baton_core::handoffs::Activation;
use baton_core::ids::AgentId;
use baton_core::models::Resolved;
use baton_core::store::Error;
use baton_core::teams::TeamKind;
use baton_core::turns::Loaded;

use crate::accept::send::{Send, SendError, To};
use crate::agent::ready::{Cast, Engagement};
use crate::node::engine::Engine;
use crate::prompt::router::router_model_name;

pub struct Answering {
    pub cast: Arc<Cast>,
    pub role: Engagement,
    /// Who held the conversation until now, if it is gone.
    pub fallback: Option<Fallback>,
}

pub struct Fallback {
    pub held: Activation,
    /// The agent that is gone, as far as anything of it is still there.
    pub gone: Option<Agent>,
}

impl Fallback {
    pub fn slug(&self) -> &str {
        self.gone.as_ref().map_or("(gone)", |gone| gone.slug.as_str())
    }

    /// What the person is told.
    pub fn notice(&self, cast: &Cast) -> String {
        let name = self.gone.as_ref().map(|gone| gone.definition.name.as_str());
        let gone = name.unwrap_or("The agent of this conversation");
        format!("{gone} isn't available any more, so {} answers.", cast.agent.definition.name)
    }
}

impl Engine {
    pub(crate) async fn answering(
        &self,
        send: &Send,
        loaded: Option<&Loaded>,
    ) -> Result<Answering, SendError> {
        let role = |agent, team| Engagement {
            agent,
            team,
            viewer: send.viewer,
            is_public: send.is_public,
            is_subtask: false,
        };
        let Some(loaded) = loaded else {
            let (agent, team) = match send.to {
                To::Agent(id) => (id, None),
                To::Team(id) => {
                    let team = self.0.casting.team_at(send.known, id).await?;
                    let entry = team.definition.entry().map(|entry| entry.agent_id);
                    // At the public address there are only those that were opened.
                    let is_there = team.workspace_id == send.workspace_id
                        && (team.definition.is_public || !send.is_public);
                    let found = entry.filter(|_| is_there).ok_or(Error::NotFound("team"))?;
                    (found, Some(id))
                }
                To::Conversation(_) => return Err(SendError::NoAgent),
            };
            let role = role(agent, team);
            let cast = self.0.casting.cast_at(send.known, role).await?;
            if cast.agent.workspace_id != send.workspace_id || !cast.agent.is_active {
                return Err(Error::NotFound("agent").into());
            }
            let gate = Gate::from(&cast.agent.definition);
            may_use(send.viewer, gate, Use::Begin).map_err(SendError::NotAllowed)?;
            return Ok(Answering { cast, role, fallback: None });
        };
        if loaded.conversation.subtask.is_some() {
            return Err(Error::IsSubtask.into());
        }
        let role = role(loaded.holder(), loaded.conversation.team_id);
        if let Some(cast) = self.usable(send.known, role).await? {
            return Ok(Answering { cast, role, fallback: None });
        }
        self.fall_back(send.known, loaded, role).await
    }

    /// An agent that is there and that the person may write to.
    async fn usable(&self, known: Option<u64>, role: Engagement) -> Result<Option<Arc<Cast>>, Error> {
        let cast = match self.0.casting.cast_at(known, role).await {
            Ok(cast) => cast,
            Err(Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let is_open = may_use(role.viewer, Gate::from(&cast.agent.definition), Use::Begin).is_ok();
        Ok((cast.agent.is_active && is_open).then_some(cast))
    }

    /// The previous agent still there, else the team's or the workspace's default.
    async fn fall_back(
        &self,
        known: Option<u64>,
        loaded: &Loaded,
        role: Engagement,
    ) -> Result<Answering, SendError> {
        let Some(held) = loaded.active().cloned() else { return Err(SendError::NoAgent) };
        let mut candidates: Vec<AgentId> = loaded.activations.iter().rev().map(|one| one.agent_id).collect();
        if let Some(id) = role.team
            && let Ok(team) = self.0.store.team(id).await
        {
            candidates.extend(team.definition.entry().map(|entry| entry.agent_id));
        }
        let workspace = self.0.store.workspace(loaded.conversation.workspace_id).await?;
        candidates.extend(workspace.default_agent_id);
        candidates.retain(|id| *id != held.agent_id);
        for agent in candidates {
            let role = role.of(agent);
            if let Some(cast) = self.usable(known, role).await? {
                let gone = self.0.store.agent(held.agent_id).await.ok();
                return Ok(Answering { cast, role, fallback: Some(Fallback { held, gone }) });
            }
        }
        Err(SendError::NoAgent)
    }

    /// The model that decides who answers, in a team with a router.
    pub(crate) fn router_model(&self, cast: &Cast) -> Option<Resolved> {
        let team = cast.team.as_ref().filter(|team| team.definition.kind == TeamKind::Router)?;
        self.0.casting.model(router_model_name(team)).ok()
    }
}
