//! An agent ready to work: its prompt, its tools under names every vendor takes, its model. Kept as long as nothing in
//! the database has changed.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use baton_core::agents::Agent;
use baton_core::ids::AgentId;
use baton_core::models::{ModelError, Models, Resolved};
use baton_core::prompt;
use baton_core::store::{Error, Store};
use baton_core::tools::{Place, Tool, ToolSpec, Toolbox};
use baton_core::workspaces::Workspace;

use tokio::sync::OnceCell;

use crate::hub::lock;

pub struct Cast {
    pub agent: Agent,
    pub workspace: Workspace,
    /// The standing part of its prompt; the same bytes every time.
    pub standing: String,
    pub specs: Vec<ToolSpec>,
    pub tools: HashMap<String, Arc<dyn Tool>>,
    pub model: Result<Resolved, ModelError>,
    /// Tells this prompt and these tools from others.
    pub print: String,
}

impl Cast {
    pub fn new(
        agent: Agent,
        workspace: Workspace,
        standing: &str,
        tools: Vec<Arc<dyn Tool>>,
        model: Result<Resolved, ModelError>,
    ) -> Self {
        let standing = crate::clean::clean(standing);
        let (specs, tools) = named(tools);
        let print = print(&standing, &specs);
        Self { agent, workspace, standing, specs, tools, model, print }
    }

    /// `provider/model`, as the log names it.
    pub fn model_name(&self) -> String {
        match &self.model {
            Ok(model) => format!("{}/{}", model.provider, model.model),
            Err(_) => self.agent.definition.model.clone(),
        }
    }
}

pub struct Casting {
    store: Arc<dyn Store>,
    toolbox: Arc<dyn Toolbox>,
    models: Arc<dyn Models>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    generation: u64,
    /// Each made once, however many turns ask at the same time.
    casts: HashMap<AgentId, Arc<OnceCell<Arc<Cast>>>>,
}

impl Casting {
    pub fn new(store: Arc<dyn Store>, toolbox: Arc<dyn Toolbox>, models: Arc<dyn Models>) -> Self {
        Self { store, toolbox, models, kept: Mutex::default() }
    }

    pub async fn cast(&self, id: AgentId) -> Result<Arc<Cast>, Error> {
        let Some(generation) = self.store.generation() else { return self.make(id).await.map(Arc::new) };
        let cell = {
            let mut kept = lock(&self.kept);
            if kept.generation != generation {
                *kept = Kept { generation, casts: HashMap::new() };
            }
            kept.casts.entry(id).or_default().clone()
        };
        cell.get_or_try_init(|| async { self.make(id).await.map(Arc::new) }).await.cloned()
    }

    async fn make(&self, id: AgentId) -> Result<Cast, Error> {
        let agent = self.store.agent(id).await?;
        let workspace = self.store.workspace(agent.workspace_id).await?;
        let rules = self.store.rules_of(Some(agent.id), agent.ai_agent_id).await?;
        let offer = self.toolbox.offered(&agent, Place { in_team: false, is_public: false }).await?;
        let mut standing = prompt::standing(&agent.definition.system_prompt, &rules);
        if let Some(skills) = &offer.skills {
            standing.push_str("\n\n");
            standing.push_str(skills);
        }
        let model = self.models.resolve(&agent.definition.model);
        Ok(Cast::new(agent, workspace, &standing, offer.tools, model))
    }
}

/// The tools under safe names, each once.
fn named(tools: Vec<Arc<dyn Tool>>) -> (Vec<ToolSpec>, HashMap<String, Arc<dyn Tool>>) {
    let mut taken = HashSet::new();
    let mut specs = Vec::with_capacity(tools.len());
    let mut by_name = HashMap::with_capacity(tools.len());
    for tool in tools {
        let mut spec = tool.spec();
        spec.name = free_name(&spec.name, &taken);
        taken.insert(spec.name.clone());
        by_name.insert(spec.name.clone(), tool);
        specs.push(spec);
    }
    (specs, by_name)
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

fn free_name(name: &str, taken: &HashSet<String>) -> String {
    let safe: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' })
        .take(MAX_NAME)
        .collect();
    let safe = if safe.is_empty() { "tool".to_owned() } else { safe };
    let mut free = safe.clone();
    let mut number = 2;
    while taken.contains(&free) {
        let ending = format!("_{number}");
        free = safe.chars().take(MAX_NAME - ending.len()).collect::<String>() + &ending;
        number += 1;
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_each_once() {
        let mut taken = HashSet::new();
        let long = "x".repeat(80);
        for (given, kept) in [
            ("manageMemory", "manageMemory".to_owned()),
            ("manage memory/ä", "manage_memory__".to_owned()),
            ("manageMemory", "manageMemory_2".to_owned()),
            ("", "tool".to_owned()),
            (long.as_str(), "x".repeat(64)),
            (long.as_str(), "x".repeat(62) + "_2"),
        ] {
            let name = free_name(given, &taken);
            assert_eq!(name, kept);
            taken.insert(name);
        }
    }
}
