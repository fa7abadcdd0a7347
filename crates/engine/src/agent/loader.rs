//! Reads what an agent is made ready from. It is kept as long as nothing in the database has changed; where others write too,
//! for what a commit confirms.

use std::sync::Arc;

use baton_core::agents::{Agent, AgentDefinition, DEMO_ANSWER};
use baton_core::ids::TeamId;
use baton_core::models::{DemoCard, ModelError, Models, Resolved};
use baton_core::prompt;
use baton_core::store::{Error, Store};
use baton_core::teams::Team;
use baton_core::tools::{Place, ToolSpec, Toolbox};
use serde_json::Value;

use crate::agent::ready::{Cast, Engagement, Parts};
use crate::agent::subtask_tools;
use crate::generation_cache::MadeOnce;
use crate::handoff::targets::{Around, HandoffTool, Target, team_prompt};

pub struct Casting {
    store: Arc<dyn Store>,
    toolbox: Arc<dyn Toolbox>,
    models: Arc<dyn Models>,
    casts: MadeOnce<Engagement, Cast>,
    teams: MadeOnce<TeamId, Team>,
}

impl Casting {
    pub fn new(store: Arc<dyn Store>, toolbox: Arc<dyn Toolbox>, models: Arc<dyn Models>) -> Self {
        Self { store, toolbox, models, casts: MadeOnce::default(), teams: MadeOnce::default() }
    }

    pub fn model(&self, name: &str) -> Result<Resolved, ModelError> {
        self.models.resolve(name)
    }

    /// The agent as it is now.
    pub async fn cast(&self, role: Engagement) -> Result<Arc<Cast>, Error> {
        self.cast_at(self.store.generation(), role).await
    }

    /// The agent as it was at this number of changes or later; without one, as it is now.
    pub async fn cast_at(&self, known: Option<u64>, role: Engagement) -> Result<Arc<Cast>, Error> {
        self.casts.get(known, role, self.make(role, known)).await
    }

    /// The same of a team.
    pub async fn team_at(&self, known: Option<u64>, id: TeamId) -> Result<Arc<Team>, Error> {
        self.teams.get(known, id, async { self.store.team(id).await.map(Arc::new) }).await
    }

    async fn make(&self, role: Engagement, known: Option<u64>) -> Result<Arc<Cast>, Error> {
        let agent = self.store.agent(role.agent).await?;
        let workspace = self.store.workspace(agent.workspace_id).await?;
        let team = match role.team {
            // A team that is gone leaves its agents to themselves.
            Some(id) => found(self.team_at(known, id).await)?,
            None => None,
        };
        // So does one that isn't open, at the public address.
        let is_open = |team: &Team| team.definition.is_public || !role.is_public;
        let team = team.filter(|team| is_open(team) && team.definition.member(agent.id).is_some());
        let rules = self.store.rules_of(Some(agent.id), agent.ai_agent_id).await?;
        let place = Place { in_team: team.is_some(), is_public: role.is_public };
        let offer = self.toolbox.offered(&agent, place).await?;
        let mut standing = prompt::standing(&agent.definition.system_prompt, &rules);
        let team_says = team.as_ref().and_then(|team| team_prompt(&agent, team));
        for block in team_says.iter().chain(&offer.skills) {
            standing.push_str("\n\n");
            standing.push_str(block);
        }
        let Surroundings { handoffs, asks, members } = self.around(&agent, team.as_deref(), role).await?;
        let model = self.models.resolve(&agent.definition.model);
        let demo = demo_card(&agent, team.as_deref(), offer.missing, role.is_public);
        let tools = offer.tools;
        Ok(Arc::new(Cast::new(Parts {
            agent,
            workspace,
            team,
            standing: &standing,
            tools,
            handoffs,
            asks,
            members,
            model,
            demo,
            known,
        })))
    }

    async fn around(
        &self,
        agent: &Agent,
        team: Option<&Team>,
        role: Engagement,
    ) -> Result<Surroundings, Error> {
        // Most agents list no tool that could be one, and then nothing has to be read.
        let listed = if role.is_public { &agent.public_tools } else { &agent.definition.tools };
        let lists_any = listed.iter().any(|name| self.toolbox.is_unknown(name));
        if team.is_none() && !lists_any {
            return Ok(Surroundings::default());
        }
        let (hired, defined) =
            tokio::try_join!(self.store.hired(agent.workspace_id), self.store.tools(agent.workspace_id),)?;
        let (viewer, is_public) = (role.viewer, role.is_public);
        let around = Around { agent, team, hired: &hired, defined: &defined, viewer, is_public };
        let handoffs = if role.is_subtask { Vec::new() } else { around.tools() };
        let asks = subtask_tools::tools(agent, listed, &hired, role.viewer);
        Ok(Surroundings { handoffs, asks, members: around.members() })
    }
}

/// The agents around one, and its tools to reach them.
#[derive(Default)]
struct Surroundings {
    handoffs: Vec<(ToolSpec, HandoffTool)>,
    asks: Vec<(ToolSpec, Target)>,
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
