//! Which tools an agent has: the clock, the tools it lists, notes if it works in a team, and `load_skill` if it has
//! skills.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::store::{Effects, Error, Memories, Skills};
use baton_core::tools::{Offer, Tool, ToolPlace, Toolbox};

use crate::clock::{self, Clock};
use crate::directory;
use crate::memory::{self, MemoryTool};
use crate::notes::{self, ReadContext, UpdateContext};
use crate::skills::{LoadSkill, prompt_block};

pub struct WorkspaceTools {
    clock: Arc<dyn Tool>,
    memory: Arc<dyn Tool>,
    load_skill: Arc<dyn Tool>,
    update_context: Arc<dyn Tool>,
    read_context: Arc<dyn Tool>,
    skills: Arc<dyn Skills>,
}

impl WorkspaceTools {
    pub fn new(memories: Arc<dyn Memories>, effects: Arc<dyn Effects>, skills: Arc<dyn Skills>) -> Self {
        Self {
            clock: Arc::new(Clock),
            memory: Arc::new(MemoryTool::new(memories, effects)),
            load_skill: Arc::new(LoadSkill::new(skills.clone())),
            update_context: Arc::new(UpdateContext),
            read_context: Arc::new(ReadContext),
            skills,
        }
    }

    /// At the public address an agent has the tools that `public_tools` names and, in a team, notes on this
    /// conversation. Its memories are never available there.
    fn public(&self, agent: &Agent, place: ToolPlace) -> Vec<Arc<dyn Tool>> {
        let is_named = agent.public_tools.iter().any(|name| name == clock::NAME);
        let clock = is_named.then(|| self.clock.clone());
        clock.into_iter().chain(self.notes(agent.public_tools.iter(), place)).collect()
    }

    /// Notes on the conversation itself: for members of a team, and for who lists them.
    fn notes<'a>(&self, listed: impl Iterator<Item = &'a String>, place: ToolPlace) -> Vec<Arc<dyn Tool>> {
        if place.in_team {
            return vec![self.update_context.clone(), self.read_context.clone()];
        }
        let is_listed = listed.into_iter().any(|name| name == notes::UPDATE);
        is_listed.then(|| self.update_context.clone()).into_iter().collect()
    }

    /// The tool behind a name of the directory, as far as this build has it.
    fn listed(&self, tool_name: &str) -> Option<Arc<dyn Tool>> {
        match tool_name {
            memory::NAME => Some(self.memory.clone()),
            _ => None,
        }
    }
}

#[async_trait]
impl Toolbox for WorkspaceTools {
    async fn offered(&self, agent: &Agent, place: ToolPlace) -> Result<Offer, Error> {
        if place.is_public {
            return Ok(Offer { tools: self.public(agent, place), ..Offer::default() });
        }
        // In the directory's order and each once, however the agent lists them: a prompt that stays the same is cached.
        let is_listed = |name: &str| {
            let ids = agent.definition.tools.iter();
            ids.filter_map(|id| directory::lookup(id)).any(|tool| tool.tool_name == name)
        };
        let mut tools = vec![self.clock.clone()];
        tools.extend(directory::names().filter(|name| is_listed(name)).filter_map(|name| self.listed(name)));
        tools.extend(self.notes(agent.definition.tools.iter(), place));
        let skills = self.skills.skills_of(agent.id).await?;
        if !skills.is_empty() {
            tools.push(self.load_skill.clone());
        }
        Ok(Offer { tools, skills: prompt_block(&skills), missing: missing(agent) })
    }

    fn is_unknown(&self, name: &str) -> bool {
        directory::lookup(name).is_none()
    }
}

/// What an agent lists and this build has not, each once.
fn missing(agent: &Agent) -> Vec<String> {
    let listed = agent.definition.tools.iter().filter_map(|id| directory::lookup(id));
    let mut missing: Vec<String> = Vec::new();
    for tool in listed.filter(|tool| !directory::is_available(tool)) {
        if !missing.iter().any(|name| name == tool.name) {
            missing.push(tool.name.to_owned());
        }
    }
    missing
}
