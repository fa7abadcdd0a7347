//! Agents to test with, and their tools: one that reads, one that writes, one of other people's, and some with names
//! that vendors would refuse.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use baton_core::agents::{Agent, AgentDefinition, PermissionMode};
use baton_core::allow_rules::AllowRule;
use baton_core::ids::{AgentId, WorkspaceId};
use baton_core::models::{
    ChatModel, DemoCard, ModelError, ModelRequest, ModelStream, PaidBy, Price, Resolved,
};
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use baton_core::workspaces::Workspace;
use chrono::DateTime;
use serde_json::{Map, Value, json};

use crate::agent::ready::{Parts, ReadyAgent};

pub struct TestTool {
    pub name: &'static str,
    pub nature: Nature,
    /// How often it was called.
    pub calls: AtomicUsize,
}

impl TestTool {
    pub fn new(name: &'static str, nature: Nature) -> Arc<Self> {
        Arc::new(Self { name, nature, calls: AtomicUsize::new(0) })
    }
}

#[async_trait]
impl Tool for TestTool {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            description: format!("Does {}.", self.name),
            parameters: json!({"type": "object"}),
        }
    }

    fn display_name(&self) -> String {
        self.name.to_uppercase()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        self.nature
    }

    async fn call(
        &self,
        _context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        // Work that takes a while: others come in between.
        for _ in 0..arguments.get("pauses").and_then(Value::as_u64).unwrap_or(0) {
            tokio::task::yield_now().await;
        }
        if arguments.contains_key("fails") {
            return Err(ToolFailure("It did not work.".into()));
        }
        let notes = arguments.get("noted").and_then(Value::as_object).cloned();
        Ok(ToolAnswer { notes, ..json!({"ok": true}).into() })
    }
}

pub const TOOLS: [(&str, Nature); 6] = [
    ("look", Nature::READS),
    ("save", Nature::WRITES),
    ("send", Nature::UNKNOWN),
    ("send", Nature::READS),
    ("Wörter zählen/alle", Nature::READS),
    ("a_tool_whose_name_is_longer_than_any_vendor_takes_and_then_goes_on_and_on", Nature::UNKNOWN),
];

pub fn agent(id: AgentId, name: &str, model: &str) -> Agent {
    let mut definition = AgentDefinition::new(name, &format!("You are {name}.")).expect("a definition");
    definition.model = model.to_owned();
    definition.permission_mode = PermissionMode::Default;
    Agent {
        id,
        workspace_id: workspace().id,
        ai_agent_id: None,
        slug: name.to_lowercase(),
        definition,
        is_active: true,
        public_tools: vec![],
        hired_version: None,
        created_by: None,
        hired_at: None,
        created_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
    }
}

pub fn workspace() -> Workspace {
    Workspace {
        id: WorkspaceId(uuid::Uuid::from_u128(1)),
        name: "Test".into(),
        slug: "test".into(),
        time_zone: "UTC".into(),
        spend_cap_micros: None,
        public_spend_cap_micros: None,
        public_chat: false,
        public_unpriced: false,
        default_agent_id: None,
        created_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
    }
}

/// A model nobody calls.
struct Silent;

#[async_trait]
impl ChatModel for Silent {
    async fn call(&self, _request: ModelRequest) -> Result<ModelStream, ModelError> {
        Err(ModelError::Unreachable)
    }
}

/// An agent ready to work with the first `tools` tools.
pub fn ready(id: AgentId, name: &str, provider: &'static str, tools: usize) -> Arc<ReadyAgent> {
    let agent = agent(id, name, "any");
    let tools = TOOLS.iter().take(tools).map(|(name, nature)| TestTool::new(name, *nature) as Arc<dyn Tool>);
    let tools: Vec<_> = tools.collect();
    let price = Some(Price { input: 1.0, output: 2.0, cache_read: None, cache_write: None });
    let model = Ok(Resolved {
        client: Arc::new(Silent),
        provider: provider.into(),
        model: "claude-sonnet-5".into(),
        price,
        is_local: false,
        paid_by: PaidBy::Server,
    });
    let fixed = format!("{}\nYou have {} tools.", agent.definition.system_prompt, tools.len());
    Arc::new(ReadyAgent::new(Parts {
        agent,
        workspace: workspace(),
        team: None,
        system_prompt: &fixed,
        tools,
        handoffs: vec![],
        subtask_tools: vec![],
        members: vec![],
        model,
        router: None,
        demo: DemoCard::default(),
        known: None,
    }))
}

/// A rule that lets an agent use a tool without asking.
pub fn rule(tool_name: &str, covers_outside: bool) -> AllowRule {
    AllowRule {
        agent_id: AgentId::new(),
        tool_name: tool_name.to_owned(),
        covers_outside,
        made_by: None,
        made_by_name: None,
        created_at: DateTime::UNIX_EPOCH,
    }
}
