//! An agent ready to work: its prompt, its tools under names every vendor takes, its model. Kept as long as nothing in
//! the database has changed; where others write too, for what a commit confirms.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use baton_core::access::Viewer;
use baton_core::agents::{Agent, AgentDefinition, DEMO_ANSWER};
use baton_core::ids::{AgentId, TeamId};
use baton_core::log::Start;
use baton_core::models::{DemoCard, ModelError, Models, Resolved};
use baton_core::parts::Part;
use baton_core::people::Tier;
use baton_core::prompt;
use baton_core::store::{Error, Store};
use baton_core::teams::{Team, TeamKind};
use baton_core::tools::{Place, Tool, ToolSpec, Toolbox};
use baton_core::workspaces::Workspace;
use serde_json::Value;

use crate::as_of::MadeOnce;
use crate::ask;
use crate::parameters::spelled_out;
use crate::reach::{Around, HandoffTool, Target, team_prompt};
use crate::request::tools_size;

pub struct Cast {
    pub agent: Agent,
    pub workspace: Workspace,
    pub team: Option<Arc<Team>>,
    /// The standing part of its prompt; the same bytes every time.
    pub standing: String,
    pub specs: Vec<ToolSpec>,
    pub tools: HashMap<String, Arc<dyn Tool>>,
    /// What it can hand the conversation to, by the tool.
    pub handoffs: HashMap<String, HandoffTool>,
    /// Whom it can ask, by the tool.
    pub asks: HashMap<String, Target>,
    /// The team's members that are there, itself included, in the team's order.
    pub members: Vec<Target>,
    pub model: Result<Resolved, ModelError>,
    /// What the demo model is told of it.
    pub demo: Arc<DemoCard>,
    /// Tells this prompt and these tools from others.
    pub print: String,
    /// How many bytes the prompt and the tools are.
    pub size: usize,
    /// All of it was read at this number of changes, if it was read to be kept.
    pub known: Option<u64>,
}

/// What a cast is made from.
pub struct Parts<'a> {
    pub agent: Agent,
    pub workspace: Workspace,
    pub team: Option<Arc<Team>>,
    pub standing: &'a str,
    pub tools: Vec<Arc<dyn Tool>>,
    pub handoffs: Vec<(ToolSpec, HandoffTool)>,
    pub asks: Vec<(ToolSpec, Target)>,
    pub members: Vec<Target>,
    pub model: Result<Resolved, ModelError>,
    pub demo: DemoCard,
    pub known: Option<u64>,
}

impl Cast {
    pub fn new(parts: Parts<'_>) -> Self {
        let Parts { agent, workspace, team, standing, tools, handoffs, asks, members, model, demo, known } =
            parts;
        let standing = crate::clean::clean(standing);
        let mut names = Names::default();
        let mut specs = Vec::with_capacity(tools.len() + handoffs.len() + asks.len());
        let mut own = |mut spec: ToolSpec| {
            spec.name = names.free(&spec.name);
            spec.parameters = spelled_out(spec.parameters);
            specs.push(spec.clone());
            spec.name
        };
        // Handoffs first: they keep their names whatever else is there.
        let handoffs: HashMap<_, _> = handoffs.into_iter().map(|(spec, means)| (own(spec), means)).collect();
        let asks: HashMap<_, _> = asks.into_iter().map(|(spec, target)| (own(spec), target)).collect();
        let tools: HashMap<_, _> = tools.into_iter().map(|tool| (own(tool.spec()), tool)).collect();
        let print = print(&standing, &specs);
        let size = standing.len() + tools_size(&specs);
        Self {
            agent,
            workspace,
            team,
            standing,
            specs,
            tools,
            handoffs,
            asks,
            members,
            model,
            demo: Arc::new(demo),
            print,
            size,
            known,
        }
    }

    /// `provider/model`, as the log names it.
    pub fn model_name(&self) -> String {
        match &self.model {
            Ok(model) => model.name(),
            Err(_) => self.agent.definition.model.clone(),
        }
    }

    /// How a message of this agent begins.
    pub fn start(&self, parts: Vec<Part>) -> Start {
        let AgentDefinition { name, avatar_url, .. } = &self.agent.definition;
        Start { agent_name: name.clone(), avatar_url: avatar_url.clone(), parts }
    }

    pub fn team_kind(&self) -> Option<TeamKind> {
        self.team.as_ref().map(|team| team.definition.kind)
    }

    /// All agents it could hand to.
    pub fn reachable(&self) -> Vec<&Target> {
        let mut reachable: Vec<&Target> = Vec::new();
        for means in self.handoffs.values() {
            let targets: Vec<&Target> = match means {
                HandoffTool::Switch(targets) => targets.iter().collect(),
                HandoffTool::Defined { target, .. } => target.iter().collect(),
                HandoffTool::CompleteTask(_) | HandoffTool::CompleteStage(_) => Vec::new(),
            };
            reachable.extend(targets);
        }
        reachable.sort_by_key(|target| target.id);
        reachable.dedup_by_key(|target| target.id);
        reachable
    }
}

/// An agent, and where and for whom it works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Engagement {
    pub agent: AgentId,
    pub team: Option<TeamId>,
    pub viewer: Viewer,
    pub is_public: bool,
    /// Another agent asked: it answers, and hands nothing on.
    pub is_subtask: bool,
}

impl Engagement {
    /// An agent by itself, for someone of the workspace.
    pub fn of_member(agent: AgentId) -> Self {
        Self {
            agent,
            team: None,
            viewer: Viewer::Profile(Tier::Premium),
            is_public: false,
            is_subtask: false,
        }
    }

    /// Another agent in the same place.
    pub fn of(self, agent: AgentId) -> Self {
        Self { agent, ..self }
    }
}

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
        let asks = ask::tools(agent, listed, &hired, role.viewer);
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

/// Not for keeping beyond a turn: another build of Baton may hash otherwise, and then thinking is left out once.
fn print(standing: &str, specs: &[ToolSpec]) -> String {
    let mut hasher = DefaultHasher::new();
    standing.hash(&mut hasher);
    for spec in specs {
        (&spec.name, &spec.description, spec.parameters.to_string()).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

const MAX_NAME: usize = 64;

/// Names of tools that every vendor takes, each given once.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn free(&mut self, name: &str) -> String {
        let safe: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' })
            .take(MAX_NAME)
            .collect();
        let safe = if safe.is_empty() { "tool".to_owned() } else { safe };
        let mut free = safe.clone();
        let mut number = 2;
        while self.0.contains(&free) {
            let ending = format!("_{number}");
            free = safe.chars().take(MAX_NAME - ending.len()).collect::<String>() + &ending;
            number += 1;
        }
        self.0.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_each_once() {
        let mut names = Names::default();
        let long = "x".repeat(80);
        for (given, kept) in [
            ("manageMemory", "manageMemory".to_owned()),
            ("manage memory/ä", "manage_memory__".to_owned()),
            ("manageMemory", "manageMemory_2".to_owned()),
            ("", "tool".to_owned()),
            (long.as_str(), "x".repeat(64)),
            (long.as_str(), "x".repeat(62) + "_2"),
        ] {
            assert_eq!(names.free(given), kept);
        }
    }
}
