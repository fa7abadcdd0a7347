//! Who answers a message: the agent that holds the conversation. If that agent is gone, the next one that can answer.

use std::sync::Arc;

use baton_core::access::{Gate, Use, may_use};
use baton_core::agents::Agent;
use baton_core::handoffs::Activation;
use baton_core::ids::AgentId;
use baton_core::store::Error;
use baton_core::turns::Loaded;

use crate::accept::send::{Send, SendError, To};
use crate::agent::ready::{Assignment, ReadyAgent};
use crate::node::engine::Engine;

pub struct Holder {
    pub ready: Arc<ReadyAgent>,
    pub assignment: Assignment,
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
    pub fn notice(&self, ready: &ReadyAgent) -> String {
        let name = self.gone.as_ref().map(|gone| gone.definition.name.as_str());
        let gone = name.unwrap_or("The agent of this conversation");
        format!("{gone} isn't available any more, so {} answers.", ready.agent.definition.name)
    }
}

impl Engine {
    pub(crate) async fn holder(&self, send: &Send, loaded: Option<&Loaded>) -> Result<Holder, SendError> {
        let assignment = |agent, team| Assignment {
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
                    let team = self.0.agents.team_at(send.known, id).await?;
                    let entry = team.definition.entry().map(|entry| entry.agent_id);
                    // At the public address there are only those that were opened.
                    let is_there = team.workspace_id == send.workspace_id
                        && (team.definition.is_public || !send.is_public);
                    let found = entry.filter(|_| is_there).ok_or(Error::NotFound("team"))?;
                    (found, Some(id))
                }
                To::Conversation(_) => return Err(SendError::NoAgent),
            };
            let assignment = assignment(agent, team);
            let ready = self.0.agents.load_at(send.known, assignment).await?;
            if ready.agent.workspace_id != send.workspace_id || !ready.agent.is_active {
                return Err(Error::NotFound("agent").into());
            }
            let gate = Gate::from(&ready.agent.definition);
            may_use(send.viewer, gate, Use::Begin).map_err(SendError::NotAllowed)?;
            return Ok(Holder { ready, assignment, fallback: None });
        };
        if loaded.conversation.subtask.is_some() {
            return Err(Error::IsSubtask.into());
        }
        let assignment = assignment(loaded.holder(), loaded.conversation.team_id);
        if let Some(ready) = self.usable(send.known, assignment).await? {
            return Ok(Holder { ready, assignment, fallback: None });
        }
        self.fall_back(send.known, loaded, assignment).await
    }

    /// An agent that is there and that the person may write to.
    async fn usable(
        &self,
        known: Option<u64>,
        assignment: Assignment,
    ) -> Result<Option<Arc<ReadyAgent>>, Error> {
        let ready = match self.0.agents.load_at(known, assignment).await {
            Ok(ready) => ready,
            Err(Error::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let is_open = may_use(assignment.viewer, Gate::from(&ready.agent.definition), Use::Begin).is_ok();
        Ok((ready.agent.is_active && is_open).then_some(ready))
    }

    /// The previous agent still there, else the team's or the workspace's default.
    async fn fall_back(
        &self,
        known: Option<u64>,
        loaded: &Loaded,
        assignment: Assignment,
    ) -> Result<Holder, SendError> {
        let Some(held) = loaded.active().cloned() else { return Err(SendError::NoAgent) };
        let mut candidates: Vec<AgentId> = loaded.activations.iter().rev().map(|one| one.agent_id).collect();
        if let Some(id) = assignment.team
            && let Ok(team) = self.0.store.team(id).await
        {
            candidates.extend(team.definition.entry().map(|entry| entry.agent_id));
        }
        let workspace = self.0.store.workspace(loaded.conversation.workspace_id).await?;
        candidates.extend(workspace.default_agent_id);
        candidates.retain(|id| *id != held.agent_id);
        for agent in candidates {
            let assignment = assignment.of(agent);
            if let Some(ready) = self.usable(known, assignment).await? {
                let gone = self.0.store.agent(held.agent_id).await.ok();
                return Ok(Holder { ready, assignment, fallback: Some(Fallback { held, gone }) });
            }
        }
        Err(SendError::NoAgent)
    }
}
