//! Which tools an agent has: the clock, the tools it lists, notes if it works in a team, and `load_skill` if it has
//! skills.

use std::sync::Arc;

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::data::areas::Areas;
use baton_core::data::exports::Exporter;
use baton_core::defined_tools::{DefinedTool, ToolConfig, ToolType};
use baton_core::figures::SeasonalModel;
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::server_tools::{Level, Permission};
use baton_core::store::{
    Channels, DefinedTools, Effects, Error, Figures, Memories, MoneyRows, Pages, Projects, Reports, Rows,
    Sales, Skills,
};
use baton_core::tools::{Offer, Tool, ToolPlace, Toolbox};
use serde_json::Map;

use crate::analytics::{self, Analytics};
use crate::clock::{self, Clock};
use crate::directory::{self, ToolInfo};
use crate::export::{self, ExportTool};
use crate::finance::{self, MoneyStore};
use crate::knowledge::{self, KnowledgeTool};
use crate::memory::{self, MemoryTool};
use crate::messaging::{self, MessagingTool};
use crate::notes::{self, ReadContext, UpdateContext};
use crate::permitted::PermittedTool;
use crate::preset::PresetTool;
use crate::projects::{self, ManageProjects, ProjectStore};
use crate::requests::{RequestTool, Sender};
use crate::sales::{self, SalesStore};
use crate::search::{self, SearchEngines, SearchWeb};
use crate::servers::Servers;
use crate::skills::{LoadSkill, prompt_block};

pub struct WorkspaceTools {
    clock: Arc<dyn Tool>,
    memory: Arc<dyn Tool>,
    export: Option<Arc<dyn Tool>>,
    knowledge: Arc<dyn Tool>,
    messaging: Arc<dyn Tool>,
    public_knowledge: Arc<dyn Tool>,
    load_skill: Arc<dyn Tool>,
    update_context: Arc<dyn Tool>,
    read_context: Arc<dyn Tool>,
    skills: Arc<dyn Skills>,
    search: Arc<dyn Tool>,
    engines: Arc<dyn SearchEngines>,
    analytics: Arc<dyn Tool>,
    /// The tools over money and over customers.
    data: Vec<Arc<dyn Tool>>,
    projects: Arc<dyn Tool>,
    defined: Option<Definers>,
}

/// Where tools that people define come from, and how they are called.
pub struct Definers {
    pub tools: Arc<dyn DefinedTools>,
    pub sender: Sender,
    pub servers: Servers,
}

/// What the tools read and write.
pub struct Sources {
    pub memories: Arc<dyn Memories>,
    pub effects: Arc<dyn Effects>,
    pub skills: Arc<dyn Skills>,
    pub pages: Arc<dyn Pages>,
    pub channels: Arc<dyn Channels>,
    pub money: MoneyStore,
    pub figures: Arc<dyn Figures>,
    pub forecasts: Arc<dyn SeasonalModel>,
    pub sales: SalesStore,
    pub projects: ProjectStore,
    pub engines: Arc<dyn SearchEngines>,
}

impl Sources {
    /// All of it from one place, but for search engines and the model of forecasts.
    pub fn of<S>(store: &Arc<S>, engines: Arc<dyn SearchEngines>, forecasts: Arc<dyn SeasonalModel>) -> Self
    where
        S: Memories
            + Effects
            + Skills
            + Pages
            + Channels
            + Rows
            + MoneyRows
            + Reports
            + Sales
            + Projects
            + Figures
            + 'static,
    {
        Self {
            memories: store.clone(),
            effects: store.clone(),
            skills: store.clone(),
            pages: store.clone(),
            channels: store.clone(),
            money: MoneyStore {
                rows: store.clone(),
                money: store.clone(),
                reports: store.clone(),
                effects: store.clone(),
            },
            figures: store.clone(),
            forecasts,
            sales: SalesStore { rows: store.clone(), sales: store.clone(), effects: store.clone() },
            projects: ProjectStore { rows: store.clone(), projects: store.clone(), effects: store.clone() },
            engines,
        }
    }
}

/// Why a workspace does not have a built-in tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNot {
    /// This build can't run it.
    NotYet,
    /// Neither the workspace nor the server has a search engine.
    NoSearchEngine,
}

impl WorkspaceTools {
    pub fn new(from: Sources) -> Self {
        let Sources {
            memories,
            effects,
            skills,
            pages,
            channels,
            money,
            figures,
            forecasts,
            sales,
            projects,
            engines,
        } = from;
        let data = |name| finance::tool(name, &money).or_else(|| sales::tool(name, &sales));
        Self {
            clock: Arc::new(Clock),
            messaging: Arc::new(MessagingTool::new(channels, effects.clone())),
            memory: Arc::new(MemoryTool::new(memories, effects)),
            export: None,
            knowledge: Arc::new(KnowledgeTool::new(pages.clone())),
            public_knowledge: Arc::new(KnowledgeTool::public(pages)),
            load_skill: Arc::new(LoadSkill::new(skills.clone())),
            update_context: Arc::new(UpdateContext),
            read_context: Arc::new(ReadContext),
            skills,
            search: Arc::new(SearchWeb::new(engines.clone())),
            engines,
            analytics: Arc::new(Analytics { figures, model: forecasts }),
            data: directory::ids().filter_map(data).collect(),
            projects: Arc::new(ManageProjects(projects)),
            defined: None,
        }
    }

    /// With the tools that people define.
    pub fn defining(mut self, definers: Definers) -> Self {
        self.defined = Some(definers);
        self
    }

    /// A tool that people defined, as agents have it. `None`: it is no tool of the toolbox, or this build lacks what it needs.
    pub fn of_definition(&self, tool: &DefinedTool) -> Option<Arc<dyn Tool>> {
        let sender = &self.defined.as_ref()?.sender;
        match &tool.definition.config {
            ToolConfig::HttpApi(_) | ToolConfig::SupabaseRpc(_) => {
                RequestTool::new(tool, sender).map(|tool| Arc::new(tool) as Arc<dyn Tool>)
            }
            ToolConfig::Internal(config) => {
                let base = self.built_in(&config.tool)?;
                Some(Arc::new(PresetTool::new(&tool.definition, config, base)))
            }
            // The engine offers handoffs itself, and a server is many tools.
            ToolConfig::Handoff(_) | ToolConfig::McpServer(_) => None,
        }
    }

    /// One of the thirteen, by an id or by its name.
    pub fn built_in(&self, id: &str) -> Option<Arc<dyn Tool>> {
        directory::lookup(id).and_then(|tool| self.listed(tool.tool_name))
    }

    /// The tools that people defined and the agent lists, and the names of those that the workspace can't use now. By name, as
    /// the store lists them.
    async fn defined(&self, agent: &Agent) -> Result<(Vec<Arc<dyn Tool>>, Vec<String>), Error> {
        let Some(Definers { tools: store, servers, .. }) = &self.defined else {
            return Ok(Default::default());
        };
        let listed = &agent.definition.tools;
        // Most agents list none, and then nothing has to be read.
        if !listed.iter().any(|name| directory::lookup(name).is_none()) {
            return Ok(Default::default());
        }
        let (mut tools, mut missing) = (Vec::new(), Vec::new());
        let mut rows = store.tools(agent.workspace_id).await?;
        rows.retain(|tool| listed.contains(&tool.definition.name));
        let decided = servers.permissions.tool_permissions(agent.id).await?;
        // Of all servers at once, however many there are.
        let lists_servers = rows.iter().any(|tool| tool.definition.kind() == ToolType::McpServer);
        let allowed = match lists_servers {
            true => servers.permissions.pinned_tools_of(agent.workspace_id).await?,
            false => Vec::new(),
        };
        for tool in rows {
            if let ToolConfig::Internal(preset) = &tool.definition.config
                && let Some(base) = directory::lookup(&preset.tool)
                && self.why_not(agent.workspace_id, base).await?.is_some()
            {
                missing.push(tool.definition.name);
                continue;
            }
            for served in servers.offered(&tool, &allowed) {
                let hash = served.definition_hash();
                let nature = served.nature(&Map::new());
                let found = find(&decided, tool.id, Some(served.raw_name()));
                let level = found.map(|decided| decided.level_now(nature, Some(&hash)));
                tools.extend(permitted(Arc::new(served), level));
            }
            let level = find(&decided, tool.id, None).map(|decided| decided.level);
            tools.extend(self.of_definition(&tool).and_then(|tool| permitted(tool, level)));
        }
        Ok((tools, missing))
    }

    /// With what makes files.
    pub fn exporting(mut self, rows: Arc<dyn Rows>, exporter: Arc<dyn Exporter>) -> Self {
        self.export = Some(Arc::new(ExportTool::new(rows, exporter)));
        self
    }

    /// At the public address an agent has the tools that `public_tools` names and, in a team, notes on this
    /// conversation. Its memories are never available there, and of pages only those that are public, to be read.
    async fn public(&self, agent: &Agent, place: ToolPlace) -> Result<Vec<Arc<dyn Tool>>, Error> {
        let is_named = agent.public_tools.iter().any(|name| name == clock::NAME);
        let mut tools: Vec<Arc<dyn Tool>> = is_named.then(|| self.clock.clone()).into_iter().collect();
        // What is never public was refused when it was named; rules may have become stricter since.
        let named = agent.public_tools.iter().filter(|name| directory::check_public(name).is_ok());
        for tool in self.of_directory(agent.workspace_id, named).await?.0 {
            let reads_pages = tool.spec().name == knowledge::NAME;
            tools.push(if reads_pages { self.public_knowledge.clone() } else { tool });
        }
        tools.extend(self.notes(agent.public_tools.iter(), place));
        Ok(tools)
    }

    /// The tools that these ids stand for, and the names of those that the workspace doesn't have. In the directory's order
    /// and each once, however an agent lists them: a prompt that stays the same is cached.
    async fn of_directory(
        &self,
        workspace: WorkspaceId,
        ids: impl Iterator<Item = &String>,
    ) -> Result<(Vec<Arc<dyn Tool>>, Vec<String>), Error> {
        let listed: Vec<&ToolInfo> = ids.filter_map(|id| directory::lookup(id)).collect();
        let (mut tools, mut missing) = (Vec::new(), Vec::new());
        for tool in directory::all().iter().filter(|tool| listed.contains(tool)) {
            match self.why_not(workspace, tool).await? {
                Some(_) => missing.push(tool.name.to_owned()),
                None => tools.extend(self.listed(tool.tool_name)),
            }
        }
        Ok((tools, missing))
    }

    /// The tools that a person's program can call itself, without an agent, in the directory's order.
    pub async fn without_agent(
        &self,
        workspace: WorkspaceId,
        areas: Areas,
    ) -> Result<Vec<Arc<dyn Tool>>, Error> {
        let mut tools = Vec::new();
        for tool in directory::all().iter().filter(|tool| directory::serves(tool, areas)) {
            if self.why_not(workspace, tool).await?.is_none() {
                tools.extend(self.listed(tool.tool_name));
            }
        }
        Ok(tools)
    }

    /// Why a workspace doesn't have a tool of the directory, if it doesn't.
    pub async fn why_not(&self, workspace: WorkspaceId, tool: &ToolInfo) -> Result<Option<WhyNot>, Error> {
        if !directory::is_available(tool) {
            return Ok(Some(WhyNot::NotYet));
        }
        let lacks_engine =
            tool.tool_name == search::NAME && self.engines.engine_of(workspace).await?.is_none();
        Ok(lacks_engine.then_some(WhyNot::NoSearchEngine))
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
            search::NAME => Some(self.search.clone()),
            export::NAME => self.export.clone(),
            knowledge::NAME => Some(self.knowledge.clone()),
            messaging::NAME => Some(self.messaging.clone()),
            analytics::NAME => Some(self.analytics.clone()),
            projects::NAME => Some(self.projects.clone()),
            name => self.data.iter().find(|tool| tool.spec().name == name).cloned(),
        }
    }
}

fn find<'a>(decided: &'a [Permission], tool: ToolId, raw_name: Option<&str>) -> Option<&'a Permission> {
    decided.iter().find(|one| one.tool_id == tool && one.raw_name.as_deref() == raw_name)
}

/// The tool as an agent has it. `None`: it is never to call it.
fn permitted(tool: Arc<dyn Tool>, level: Option<Level>) -> Option<Arc<dyn Tool>> {
    match level {
        None => Some(tool),
        Some(Level::Never) => None,
        Some(level) => Some(Arc::new(PermittedTool { tool, level })),
    }
}

#[async_trait]
impl Toolbox for WorkspaceTools {
    async fn offered(&self, agent: &Agent, place: ToolPlace) -> Result<Offer, Error> {
        if place.is_public {
            return Ok(Offer { tools: self.public(agent, place).await?, ..Offer::default() });
        }
        let mut tools = vec![self.clock.clone()];
        let listed = agent.definition.tools.iter();
        let (of_directory, mut missing) = self.of_directory(agent.workspace_id, listed).await?;
        tools.extend(of_directory);
        let (defined, lacking) = self.defined(agent).await?;
        tools.extend(defined);
        missing.extend(lacking);
        tools.extend(self.notes(agent.definition.tools.iter(), place));
        let skills = self.skills.skills_of(agent.id).await?;
        if !skills.is_empty() {
            tools.push(self.load_skill.clone());
        }
        Ok(Offer { tools, skills: prompt_block(&skills), missing })
    }

    fn is_unknown(&self, name: &str) -> bool {
        directory::lookup(name).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Shelf;

    #[test]
    fn the_directory_says_what_the_toolbox_has() {
        let shelf = Shelf::default().shared();
        let tools = WorkspaceTools::new(Sources::of(&shelf, shelf.clone(), shelf.clone()))
            .exporting(shelf.clone(), shelf);
        for tool in directory::all() {
            let has = tools.listed(tool.tool_name);
            assert_eq!(directory::is_available(tool), has.is_some(), "{}", tool.tool_name);
            assert!(has.is_none_or(|has| has.spec().name == tool.tool_name), "{}", tool.tool_name);
        }
    }
}
