//! Tools: what a model sees of a tool, what Baton must know about it, and what a run of it returns.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agents::{Agent, PermissionMode};
use crate::ids::{AgentId, ConversationId, WorkspaceId};
use crate::visitors::Person;

/// What a model sees of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Letters, digits, `_` and `-`, at most 64: what every vendor takes.
    pub name: String,
    pub description: String,
    /// A JSON Schema of an object.
    pub parameters: Value,
}

/// What a call would do, seen from outside. It may depend on the arguments: one tool can read and write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Nature {
    pub writes: bool,
    /// Reaches outside the workspace.
    pub outside: bool,
    /// May be sent again when nobody knows whether it was carried out. Baton's own tools always may: their change and
    /// their result are one commit.
    pub repeatable: bool,
}

impl Nature {
    pub const READS: Self = Self { writes: false, outside: false, repeatable: true };
    pub const WRITES: Self = Self { writes: true, outside: false, repeatable: true };
    /// What is assumed of a tool that Baton did not write.
    pub const UNKNOWN: Self = Self { writes: true, outside: true, repeatable: false };

    /// Whether a person is asked before such a call.
    pub fn needs_approval(self, mode: PermissionMode) -> bool {
        match mode {
            PermissionMode::Default => self.writes,
            PermissionMode::AcceptEdits => self.writes && self.outside,
            PermissionMode::BypassPermissions => false,
        }
    }
}

/// For whom and where a call runs.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolContext {
    pub workspace_id: WorkspaceId,
    pub agent_id: AgentId,
    pub conversation_id: ConversationId,
    pub person: Person,
    /// Whether they may change the agent, and so what it knows for everyone.
    pub may_change_agent: bool,
    /// The person's, else the workspace's.
    pub time_zone: String,
    /// The agent's working state in this conversation.
    pub context_data: Map<String, Value>,
    /// What its teammates have noted there, by their slugs.
    pub teammates: Vec<(String, Map<String, Value>)>,
}

/// A change that one of Baton's own tools asks for; it is committed with the result, or not at all. Of several to one
/// path the last one holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// Writes a memory of the agent, new or over what was there.
    PutMemory {
        path: String,
        content: String,
    },
    DeleteMemory {
        path: String,
    },
    /// Adds to the working state of the agent that holds the conversation; a null removes the name.
    PutContext {
        data: Map<String, Value>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolAnswer {
    pub value: Value,
    pub changes: Vec<Change>,
    /// The call made somebody else write something: a tool of a subtask wrote.
    pub wrote: bool,
}

impl From<Value> for ToolAnswer {
    fn from(value: Value) -> Self {
        Self { value, changes: Vec::new(), wrote: false }
    }
}

/// Words the model can act on; never an internal error's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolFailure(pub String);

#[async_trait]
pub trait Tool: Send + Sync {
    fn spec(&self) -> ToolSpec;
    /// For people.
    fn display_name(&self) -> String;
    fn nature(&self, arguments: &Map<String, Value>) -> Nature;
    /// What is wrong with the arguments, as far as they alone tell and beyond what their schema says. Nobody is asked
    /// about such a call: the model is told, or the person who changed them.
    fn check(&self, _arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        Ok(())
    }
    /// Whether this tool loads a skill; such calls are logged as `skill_load`.
    fn loads_skill(&self) -> bool {
        false
    }
    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure>;
}

/// Where an agent's tools come from.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools this agent has now, in a stable order, with what its prompt says about skills.
    async fn offered(&self, agent: &Agent, place: ToolPlace) -> Result<Offer, crate::store::Error>;
    /// Whether a name in an agent's `tools` is none of these, and so may be one that people defined.
    fn is_unknown(&self, name: &str) -> bool;
}

/// Where an agent works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ToolPlace {
    pub in_team: bool,
    /// At the workspace's public address: only what the agent's `public_tools` names.
    pub is_public: bool,
}

#[derive(Clone, Default)]
pub struct Offer {
    pub tools: Vec<Arc<dyn Tool>>,
    /// A block for the standing prompt: the skills it can load, by name and description.
    pub skills: Option<String>,
    /// Tools that the agent lists and this server doesn't have yet, as people call them.
    pub missing: Vec<String>,
}

#[cfg(test)]
mod tests;
