//! An agent ready to work: its prompt, its model, and its tools under names that every vendor accepts. A ready agent
//! is kept as long as nothing in the database has changed. On a database that other processes write to, it is kept
//! only for commits that confirm it.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use baton_core::access::Viewer;
use baton_core::agents::{Agent, AgentDefinition};
use baton_core::ids::{AgentId, TeamId};
use baton_core::log::Start;
use baton_core::models::{CONTEXT_WINDOW, DemoCard, ModelError, PaidBy, Resolved};
use baton_core::parts::Part;
use baton_core::people::Tier;
use baton_core::teams::{Team, TeamKind};
use baton_core::tools::{Tool, ToolSpec};
use baton_core::workspaces::Workspace;

use crate::agent::many_tools::{Searched, are_too_many, call_spec, search_spec};
use crate::agent::parameters::spelled_out;
use crate::agent::tool_names::Names;
use crate::handoff::targets::{HandoffTool, Target};
use crate::sizes::tools_size;

pub struct ReadyAgent {
    pub agent: Agent,
    pub workspace: Workspace,
    pub team: Option<Arc<Team>>,
    /// The part of its prompt that stays: the same bytes every time.
    pub system_prompt: String,
    /// What it is sent of its tools.
    pub specs: Vec<ToolSpec>,
    /// All its tools, also those that are searched for, by the names that its model calls them.
    pub tools: HashMap<String, Arc<dyn Tool>>,
    /// The tools that are searched for, if they are too many to be sent.
    pub searched: Option<Searched>,
    /// What it can hand the conversation to, by the tool.
    pub handoffs: HashMap<String, HandoffTool>,
    /// Whom it can ask, by the tool.
    pub subtask_tools: HashMap<String, Target>,
    /// The team's members that are there, itself included, in the team's order.
    pub members: Vec<Target>,
    pub model: Result<Resolved, ModelError>,
    /// The model that decides who answers, in a team with a router.
    pub router: Option<RouterModel>,
    /// What the demo model is told of it.
    pub demo: Arc<DemoCard>,
    /// Tells this prompt and these tools from others.
    pub prompt_hash: String,
    /// How many bytes the prompt and the tools are.
    pub size: usize,
    /// All of it was read at this number of changes, if it was read to be kept.
    pub known: Option<u64>,
}

/// The model of a team's router.
pub struct RouterModel {
    /// As the team names it.
    pub name: String,
    pub model: Result<Resolved, ModelError>,
}

/// What an agent is made ready from.
pub struct Parts<'a> {
    pub agent: Agent,
    pub workspace: Workspace,
    pub team: Option<Arc<Team>>,
    pub system_prompt: &'a str,
    pub tools: Vec<Arc<dyn Tool>>,
    pub handoffs: Vec<(ToolSpec, HandoffTool)>,
    pub subtask_tools: Vec<(ToolSpec, Target)>,
    pub members: Vec<Target>,
    pub model: Result<Resolved, ModelError>,
    pub router: Option<RouterModel>,
    pub demo: DemoCard,
    pub known: Option<u64>,
}

impl ReadyAgent {
    pub fn new(parts: Parts<'_>) -> Self {
        let Parts {
            agent,
            workspace,
            team,
            system_prompt,
            tools,
            handoffs,
            subtask_tools,
            members,
            model,
            router,
            demo,
            known,
        } = parts;
        let system_prompt = crate::nul::clean(system_prompt);
        let mut names = Names::default();
        let mut specs = Vec::with_capacity(tools.len() + handoffs.len() + subtask_tools.len());
        let mut own = |spec: ToolSpec| {
            let spec = as_sent(spec, &mut names);
            let name = spec.name.clone();
            specs.push(spec);
            name
        };
        // Handoffs first: they keep their names whatever else is there.
        let handoffs: HashMap<_, _> = handoffs.into_iter().map(|(spec, tool)| (own(spec), tool)).collect();
        let subtask_tools: HashMap<_, _> =
            subtask_tools.into_iter().map(|(spec, target)| (own(spec), target)).collect();
        let mut named: HashMap<String, Arc<dyn Tool>> = HashMap::with_capacity(tools.len());
        let mut brought = Vec::new();
        for tool in tools {
            let name = own(tool.spec());
            if tool.is_brought() {
                brought.push(name.clone());
            }
            named.insert(name, tool);
        }
        let window = model.as_ref().map_or(CONTEXT_WINDOW, |model| model.context_window);
        let searched = searched(&mut specs, &mut names, &brought, window);
        if let Some(searched) = &searched {
            let [search, call] = searched.means();
            named.extend([(searched.search.clone(), search), (searched.call.clone(), call)]);
        }
        let prompt_hash = prompt_hash(&system_prompt, &specs);
        let size = system_prompt.len() + tools_size(&specs);
        Self {
            agent,
            workspace,
            team,
            system_prompt,
            specs,
            tools: named,
            searched,
            handoffs,
            subtask_tools,
            members,
            model,
            router,
            demo: Arc::new(demo),
            prompt_hash,
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

    /// Who pays for its calls: the server, unless the workspace brought all models that they go to.
    pub fn paid_by(&self) -> PaidBy {
        let router = self.router.as_ref().and_then(|router| router.model.as_ref().ok());
        let models = [self.model.as_ref().ok(), router];
        let is_servers = models.into_iter().flatten().any(|model| model.paid_by == PaidBy::Server);
        if is_servers { PaidBy::Server } else { PaidBy::Workspace }
    }

    pub fn can_search_web(&self) -> bool {
        self.tools.values().any(|tool| tool.searches_web())
    }

    /// What its model knows of one of its tools, also of one that is searched for.
    pub fn spec(&self, name: &str) -> Option<&ToolSpec> {
        let searched = self.searched.iter().flat_map(|searched| searched.specs.iter());
        self.specs.iter().chain(searched).find(|spec| spec.name == name)
    }

    /// Its tools that do something by themselves: not those by which others are found and called.
    pub fn doing_tools(&self) -> impl Iterator<Item = (&String, &Arc<dyn Tool>)> {
        let is_means = |name: &String| self.searched.as_ref().is_some_and(|searched| searched.is_means(name));
        self.tools.iter().filter(move |(name, _)| !is_means(name))
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
        for tool in self.handoffs.values() {
            let targets: Vec<&Target> = match tool {
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
pub struct Assignment {
    pub agent: AgentId,
    pub team: Option<TeamId>,
    pub viewer: Viewer,
    pub is_public: bool,
    /// Another agent asked: it answers, and hands nothing on.
    pub is_subtask: bool,
}

impl Assignment {
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

/// A tool as models are sent it: a name that no tool before it has, and parameters that every vendor accepts.
pub fn as_sent(spec: ToolSpec, names: &mut Names) -> ToolSpec {
    ToolSpec { name: names.free(&spec.name), parameters: spelled_out(spec.parameters), ..spec }
}

/// Takes what people brought out of the tools that are sent, if it is too much for the model, and puts the means to find and
/// call it in its place.
fn searched(
    specs: &mut Vec<ToolSpec>,
    names: &mut Names,
    brought: &[String],
    window: u64,
) -> Option<Searched> {
    let brought: HashSet<&String> = brought.iter().collect();
    let is_brought = |spec: &ToolSpec| brought.contains(&spec.name);
    if !are_too_many(specs.iter().filter(|spec| is_brought(spec)), window) {
        return None;
    }
    let many: Vec<ToolSpec> = specs.extract_if(.., |spec| is_brought(spec)).collect();
    let (search, call) = (as_sent(search_spec(&many), names), as_sent(call_spec(), names));
    let searched = Searched::new(many, search.name.clone(), call.name.clone());
    specs.extend([search, call]);
    Some(searched)
}

/// Not for keeping beyond a turn: another build of Baton may hash otherwise, and then thinking is left out once.
fn prompt_hash(system_prompt: &str, specs: &[ToolSpec]) -> String {
    let mut hasher = DefaultHasher::new();
    system_prompt.hash(&mut hasher);
    for spec in specs {
        (&spec.name, &spec.description, spec.parameters.to_string()).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}
