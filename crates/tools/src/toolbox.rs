//! Which tools an agent has: the clock, what it lists, and `load_skill` where there is something to load.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::store::{Error, Memories, Skills};
use baton_core::tools::{Offer, Place, Tool, Toolbox};

use crate::clock::Clock;
use crate::directory;
use crate::memory::{self, MemoryTool};
use crate::skills::{LoadSkill, prompt_block};

pub struct WorkspaceTools {
    clock: Arc<dyn Tool>,
    memory: Arc<dyn Tool>,
    load_skill: Arc<dyn Tool>,
    skills: Arc<dyn Skills>,
}

impl WorkspaceTools {
    pub fn new(memories: Arc<dyn Memories>, skills: Arc<dyn Skills>) -> Self {
        Self {
            clock: Arc::new(Clock),
            memory: Arc::new(MemoryTool::new(memories)),
            load_skill: Arc::new(LoadSkill::new(skills.clone())),
            skills,
        }
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
    async fn offered(&self, agent: &Agent, _place: Place) -> Result<Offer, Error> {
        // In the directory's order and each once, however the agent lists them: a prompt that stays the same is cached.
        let is_listed = |name: &str| {
            let ids = agent.definition.tools.iter();
            ids.filter_map(|id| directory::lookup(id)).any(|tool| tool.tool_name == name)
        };
        let mut tools = vec![self.clock.clone()];
        tools.extend(directory::names().filter(|name| is_listed(name)).filter_map(|name| self.listed(name)));
        let skills = self.skills.skills_of(agent.id).await?;
        if !skills.is_empty() {
            tools.push(self.load_skill.clone());
        }
        Ok(Offer { tools, skills: prompt_block(&skills) })
    }

    fn is_unknown(&self, name: &str) -> bool {
        directory::lookup(name).is_none()
    }
}
