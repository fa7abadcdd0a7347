//! Rules: short orders that go into an agent's system prompt, in order.

use chrono::{DateTime, Utc};

use crate::ids::{AgentId, CatalogAgentId, RuleId, WorkspaceId};
use crate::text::{self, Invalid};

pub const MAX_NAME: usize = 100;
pub const MAX_CONTENT: usize = 8_000;
pub const MAX_AGENTS: usize = 200;
pub const MAX_RULES: u64 = 500;

#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub id: RuleId,
    /// `None` for rules of the catalog, which every hired copy follows.
    pub workspace_id: Option<WorkspaceId>,
    pub name: String,
    pub content: String,
    pub active: bool,
    pub position: i32,
    pub agent_ids: Vec<AgentId>,
    pub ai_agent_ids: Vec<CatalogAgentId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone, Default)]
pub struct RuleChanges {
    pub name: Option<String>,
    pub content: Option<String>,
    pub active: Option<bool>,
    pub position: Option<i32>,
    pub agent_ids: Option<Vec<AgentId>>,
    pub ai_agent_ids: Option<Vec<CatalogAgentId>>,
}

impl RuleChanges {
    pub fn checked(mut self) -> Result<Self, Invalid> {
        self.name = self.name.map(|name| text::line("name", &name, MAX_NAME)).transpose()?;
        self.content =
            self.content.map(|content| text::prose("content", &content, MAX_CONTENT)).transpose()?;
        if self.position.is_some_and(|position| !(0..=10_000).contains(&position)) {
            return Err(Invalid::new("position", "must be from 0 to 10000"));
        }
        if self.agent_ids.as_ref().is_some_and(|ids| ids.len() > MAX_AGENTS)
            || self.ai_agent_ids.as_ref().is_some_and(|ids| ids.len() > MAX_AGENTS)
        {
            return Err(Invalid::new("agent_ids", format!("must be at most {MAX_AGENTS}")));
        }
        Ok(self)
    }
}
