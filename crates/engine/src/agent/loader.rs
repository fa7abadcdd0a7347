//! Reads from the store everything that an agent is made ready from. The result is kept as long as nothing in the
//! database has changed. On a database that other processes write to, it is kept only for commits that confirm it.

use std::sync::Arc;

use baton_core::agents::{Agent, AgentDefinition, DEMO_ANSWER};
use baton_core::ids::TeamId;
use baton_core::models::{DemoCard, WorkspaceModels};
use baton_core::prompt;
use baton_core::store::{EngineStore, Error};
use baton_core::teams::{Team, TeamKind};
use baton_core::tools::{ToolPlace, ToolSpec, Toolbox};
use serde_json::Value;

use crate::agent::ready::{Assignment, Parts, ReadyAgent, RouterModel};
use crate::agent::subtask_tools;
use crate::generation_cache::MadeOnce;
use crate::handoff::targets::{HandoffTool, Surroundings, Target, team_prompt};

pub struct AgentLoader {
    store: Arc<dyn EngineStore>,
    toolbox: Arc<dyn Toolbox>,
    models: Arc<dyn WorkspaceModels>,
    ready: MadeOnce<Assignment, ReadyAgent>,
    teams: MadeOnce<TeamId, Team>,
}

impl AgentLoader {
    pub fn new(
        store: Arc<dyn EngineStore>,
        toolbox: Arc<dyn Toolbox>,
        models: Arc<dyn WorkspaceModels>,
    ) -> Self {
        Self { store, toolbox, models, ready: MadeOnce::default(), teams: MadeOnce::default() }
    }

    /// The agent as it is now.
    pub async fn load(&self, assignment: Assignment) -> Result<Arc<ReadyAgent>, Error> {
        self.load_at(self.store.generation(), assignment).await
    }

    /// The agent as it was at this number of changes or later; without one, as it is now.
    pub async fn load_at(
        &self,
        known: Option<u64>,
        assignment: Assignment,
    ) -> Result<Arc<ReadyAgent>, Error> {
        self.ready.get(known, assignment, self.make(assignment, known)).await
    }

    /// The same of a team.
    pub async fn team_at(&self, known: Option<u64>, id: TeamId) -> Result<Arc<Team>, Error> {
        self.teams.get(known, id, async { self.store.team(id).await.map(Arc::new) }).await
    }

    async fn make(&self, assignment: Assignment, known: Option<u64>) -> Result<Arc<ReadyAgent>, Error> {
        let agent = self.store.agent(assignment.agent).await?;
        let workspace = self.store.workspace(agent.workspace_id).await?;
        let team = match assignment.team {
            // A team that is gone leaves its agents to themselves.
            Some(id) => found(self.team_at(known, id).await)?,
            None => None,
        };
        // So does one that isn't open, at the public address.
        let is_open = |team: &Team| team.definition.is_public || !assignment.is_public;
        let team = team.filter(|team| is_open(team) && team.definition.member(agent.id).is_some());
        let rules = self.store.rules_of(Some(agent.id), agent.ai_agent_id).await?;
        let place = ToolPlace { in_team: team.is_some(), is_public: assignment.is_public };
        let offer = self.toolbox.offered(&agent, place).await?;
        let mut system_prompt = prompt::fixed_part(&agent.definition.system_prompt, &rules);
        let team_says = team.as_ref().and_then(|team| team_prompt(&agent, team));
        for block in team_says.iter().chain(&offer.skills) {
            system_prompt.push_str("\n\n");
            system_prompt.push_str(block);
        }
        let ReachableAgents { handoffs, subtask_tools, members } =
            self.around(&agent, team.as_deref(), assignment).await?;
        let models = self.models.models_of(agent.workspace_id).await?;
        let model = models.resolve(&agent.definition.model);
        let is_routed = |team: &&Arc<Team>| team.definition.kind == TeamKind::Router;
        let router = team.as_ref().filter(is_routed).map(|team| {
            let name = team.definition.router_model_name().to_owned();
            RouterModel { model: models.resolve(&name), name }
        });
        let demo = demo_card(&agent, team.as_deref(), offer.missing, assignment.is_public);
        let tools = offer.tools;
        Ok(Arc::new(ReadyAgent::new(Parts {
            agent,
            workspace,
            team,
            system_prompt: &system_prompt,
            tools,
            handoffs,
            subtask_tools,
            members,
            model,
            router,
            demo,
            known,
        })))
    }

    async fn around(
        &self,
        agent: &Agent,
        team: Option<&Team>,
        assignment: Assignment,
    ) -> Result<ReachableAgents, Error> {
        // Most agents list no tool that could be one, and then nothing has to be read.
        let listed = if assignment.is_public { &agent.public_tools } else { &agent.definition.tools };
        let lists_any = listed.iter().any(|name| self.toolbox.is_unknown(name));
        if team.is_none() && !lists_any {
            return Ok(ReachableAgents::default());
        }
        let (hired, defined) =
            tokio::try_join!(self.store.hired(agent.workspace_id), self.store.tools(agent.workspace_id),)?;
        let (viewer, is_public) = (assignment.viewer, assignment.is_public);
        let around = Surroundings { agent, team, hired: &hired, defined: &defined, viewer, is_public };
        let handoffs = if assignment.is_subtask { Vec::new() } else { around.tools() };
        let subtask_tools = subtask_tools::tools(agent, listed, &hired, assignment.viewer);
        Ok(ReachableAgents { handoffs, subtask_tools, members: around.members() })
    }
}

/// The agents around one, and its tools to reach them.
#[derive(Default)]
struct ReachableAgents {
    handoffs: Vec<(ToolSpec, HandoffTool)>,
    subtask_tools: Vec<(ToolSpec, Target)>,
    members: Vec<Target>,
}

/// What the demo model is told beside the prompt. A team's starters are for whoever of it they reach.
fn demo_card(agent: &Agent, team: Option<&Team>, missing_tools: Vec<String>, is_public: bool) -> DemoCard {
    let AgentDefinition { name, config, starters, .. } = &agent.definition;
    let of_team = team.map(|team| team.definition.starters.as_slice()).unwrap_or_default();
    let starters = of_team.iter().chain(starters).cloned().collect();
    let answer = config.get(DEMO_ANSWER).and_then(Value::as_str).map(str::to_owned);
    DemoCard { name: name.clone(), starters, answer, missing_tools, is_public }
}

fn found<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
    match read {
        Ok(there) => Ok(Some(there)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
