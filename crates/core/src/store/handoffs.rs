//! Tools that people define, and what handoffs read and leave behind: activations, transitions, snapshots, the tree of
//! tasks.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::Result;
use crate::agents::Agent;
use crate::defined_tools::{DefinedTool, ToolDefinition};
use crate::handoffs::{Activation, NewTransition, Snapshot, Transition};
use crate::ids::{AgentId, ConversationId, ProfileId, TaskId, ToolId, WorkspaceId};
use crate::log::{LoggedStep, Spent};
use crate::secrets::{Sealed, SecretChange};
use crate::visitors::Person;

/// Tools that people define.
#[async_trait]
pub trait DefinedTools: Send + Sync {
    /// A workspace's defined tools, by name.
    async fn tools(&self, workspace: WorkspaceId) -> Result<Vec<DefinedTool>>;
    async fn tool(&self, id: ToolId) -> Result<DefinedTool>;
    /// What its secrets are sealed as, if it has any.
    async fn tool_secrets(&self, id: ToolId) -> Result<Option<Sealed>>;
    /// The target of a handoff must be an agent of the workspace.
    async fn create_tool(&self, new: NewTool, by: ProfileId) -> Result<DefinedTool>;
    /// What agents may do with the tool without asking ends if it reaches outside and is another one now.
    async fn change_tool(
        &self,
        id: ToolId,
        definition: ToolDefinition,
        secrets: SecretChange,
        by: ProfileId,
    ) -> Result<DefinedTool>;
    /// Refuses what `create_tool` would refuse, and writes nothing.
    async fn check_new_tool(&self, workspace: WorkspaceId, definition: &ToolDefinition) -> Result<()>;
    /// Refuses what `change_tool` would refuse, and writes nothing.
    async fn check_tool_change(&self, id: ToolId, definition: &ToolDefinition) -> Result<()>;
    async fn delete_tool(&self, id: ToolId, by: ProfileId) -> Result<()>;
}

/// A tool to be stored. Its id is chosen before, as its secrets are bound to it.
#[derive(Debug, Clone)]
pub struct NewTool {
    pub id: ToolId,
    pub workspace_id: WorkspaceId,
    pub definition: ToolDefinition,
    pub secrets: SecretChange,
}

/// What handoffs leave behind, and what they look at.
#[async_trait]
pub trait Handoffs: Send + Sync {
    /// The workspace's active agents, by slug.
    async fn hired(&self, workspace: WorkspaceId) -> Result<Vec<Agent>>;
    /// Who held a conversation when, oldest first; the newest thousand.
    async fn activations(&self, id: ConversationId) -> Result<Vec<Activation>>;
    /// Who holds it, and the epoch.
    async fn active(&self, id: ConversationId) -> Result<Option<(Activation, i64)>>;
    /// Records a handoff that was refused before anything was changed.
    async fn record_attempt(&self, id: ConversationId, attempt: NewTransition) -> Result<()>;
    /// The results of stages, oldest first.
    async fn snapshots(&self, id: ConversationId) -> Result<Vec<Snapshot>>;
    /// Newest first.
    async fn transitions(&self, query: TransitionQuery) -> Result<Vec<Transition>>;
    async fn transition_totals(&self, query: TransitionQuery) -> Result<Vec<PairTotal>>;
    /// The whole tree that a task of this person belongs to.
    async fn task_tree(&self, id: TaskId, person: Person) -> Result<TaskTree>;
}

#[derive(Debug, Clone)]
pub struct TransitionQuery {
    pub workspace_id: WorkspaceId,
    pub agent_id: Option<AgentId>,
    pub since: Option<DateTime<Utc>>,
    pub limit: u64,
}

/// What became of the handoffs from one agent to another.
#[derive(Debug, Clone, PartialEq)]
pub struct PairTotal {
    pub from: AgentId,
    pub to: Option<AgentId>,
    pub attempts: i64,
    pub completed: i64,
    pub latency_ms: i64,
    pub tokens_full: i64,
    pub tokens_sent: i64,
}

/// A turn's tasks with their steps.
#[derive(Debug, Clone)]
pub struct TaskTree {
    /// Where it began.
    pub conversation_id: ConversationId,
    /// The root first, then as they began.
    pub tasks: Vec<Task>,
    /// All steps, those of each conversation together and oldest first; each names the first task of its conversation.
    pub steps: Vec<LoggedStep>,
}

#[derive(Debug, Clone)]
pub struct Task {
    pub id: TaskId,
    pub parent_id: Option<TaskId>,
    /// A subtask has one of its own.
    pub conversation_id: ConversationId,
    pub agent_id: AgentId,
    pub status: String,
    pub input: Value,
    pub context: Map<String, Value>,
    pub spent: Spent,
    pub created_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}
