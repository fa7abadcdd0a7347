//! The log of a conversation: numbered steps that are only ever added. Everything that people see and that models are
//! sent is a view of this log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::access;
use crate::agents::PermissionMode;
use crate::approvals::Decision;
use crate::attachments::AttachmentRef;
use crate::conversations::MessageRole;
use crate::handoffs::Trigger;
use crate::ids::{ActivationId, AgentId, ApprovalId, ConversationId, MessageId, TaskId, TransitionId};
use crate::models::{StopReason, Thinking, Usage};
use crate::parts::Part;
use crate::tape::Block;
use crate::tools::{Nature, Preview};
use crate::{tolerant, words};

words! {
    /// How a message stands.
    MessageStatus {
        Streaming => "streaming",
        Complete => "complete",
        Stopped => "stopped",
        Failed => "failed",
    }
}

words! {
    /// How a turn ended.
    TurnStatus { Completed => "completed", Stopped => "stopped", Failed => "failed" }
}

/// A step with its place in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedStep {
    pub seq: i64,
    /// The turn's root task; which task under it did this is told by the handoffs between. None for what belongs to no
    /// turn.
    pub task_id: Option<TaskId>,
    pub agent_id: AgentId,
    /// The message it belongs to.
    pub message_id: Option<MessageId>,
    pub step: Step,
    pub at: DateTime<Utc>,
}

/// A step to be stored; its number is given by the commit.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStep {
    pub task_id: Option<TaskId>,
    pub agent_id: AgentId,
    pub message_id: Option<MessageId>,
    pub step: Step,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// A person said something.
    User {
        content: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<AttachmentRef>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        web_search: bool,
        /// Said by Baton, so that a stage begins; people don't see it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        synthetic: bool,
    },
    /// Brought along by a client: text, whatever it claims to be.
    Imported {
        role: MessageRole,
        content: String,
    },
    /// A model call opens.
    Call {
        attempt: i32,
        /// Set when it begins or restarts a message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Start>,
        /// What the call it replaces used before a crash cut it, as far as can be guessed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lost: Option<Spent>,
    },
    /// A model call closes: all it said, byte for byte.
    Said(Said),
    /// One call of a reply; it starts only once this is stored.
    ToolCall(CallStep),
    ToolResult(ResultStep),
    ApprovalAsked {
        approval_id: ApprovalId,
        call_id: String,
        tool_name: String,
        args: Map<String, Value>,
        expires_at: DateTime<Utc>,
        /// What the call would change, where its tool can tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preview: Option<Preview>,
    },
    ApprovalResolved {
        approval_id: ApprovalId,
        call_id: String,
        #[serde(deserialize_with = "tolerant::word")]
        decision: Decision,
        /// The person's name, or who else decided.
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The same call is allowed for the rest of the conversation.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        remember: bool,
        /// The arguments to run with, where a person changed them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        args: Option<Map<String, Value>>,
        /// The hash of the arguments that were approved; none in what was logged before it was kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        args_hash: Option<String>,
    },
    /// A router has decided who answers.
    Routed(Routed),
    /// Another agent goes on with the turn.
    Handoff(Handoff),
    /// Another agent holds the conversation, and no turn goes on with it by itself.
    Switched(Switched),
    /// The first words of an agent that a person switched to, as its definition has them.
    Greeting {
        agent_name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        avatar_url: Option<String>,
        text: String,
    },
    /// A stage is completed.
    Snapshot {
        stage: String,
        data: Value,
        /// Why the next one can't begin.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stuck: Option<String>,
        /// It can't because the person may not use its agent.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "tolerant::known")]
        refused: Option<access::AccessRefusal>,
    },
    /// The agent said that another takes over, and did nothing about it.
    Suggested {
        to: AgentId,
        to_name: String,
    },
    /// A call asked another agent: its turn is in a conversation of its own.
    SubtaskCreated(SubtaskCreated),
    /// A message ends without a call closing.
    MessageEnd {
        #[serde(deserialize_with = "tolerant::word")]
        status: MessageStatus,
    },
    Error {
        code: String,
        message: String,
        recoverable: bool,
    },
    /// The turn is over.
    Done {
        #[serde(deserialize_with = "tolerant::word")]
        status: TurnStatus,
        spent: Spent,
        /// Model calls of its agents that were sent, each once however often a crash made it again. A router's isn't an
        /// agent's.
        calls: i32,
    },
    /// A newer Baton wrote it, as it is stored. It keeps its number, and that is all it does here: no event, nothing for
    /// models, nothing counted. A running turn that holds one is ended by an error, as nobody here can go on with it.
    #[serde(skip)]
    Unknown(Value),
}

words! {
    /// What a router can decide.
    Route { Stay => "stay", Switch => "switch", Resume => "resume" }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Routed {
    #[serde(deserialize_with = "tolerant::word")]
    pub decision: Route,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Why it stays although the router said something else, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    pub model: String,
    pub spent: Spent,
    pub duration_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Handoff {
    pub id: TransitionId,
    pub from: AgentId,
    pub to: AgentId,
    pub to_name: String,
    #[serde(deserialize_with = "tolerant::word")]
    pub trigger: Trigger,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was passed along, without Baton's marks.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub context: Map<String, Value>,
    pub epoch: i64,
    pub activation_id: ActivationId,
    /// The task that goes on from here.
    pub task_id: TaskId,
    /// The stricter of both agents' modes holds for the rest of the turn.
    #[serde(deserialize_with = "tolerant::word")]
    pub mode: PermissionMode,
    /// The stage that begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<StageRef>,
    /// The tool call that asked for it, if a model did; not kept before there was this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
}

/// Where a pipeline is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageRef {
    pub name: String,
    /// From 1.
    pub number: usize,
    pub of: usize,
    /// The stage before it, which is completed.
    pub completed: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Switched {
    pub from: AgentId,
    pub to: AgentId,
    pub to_name: String,
    /// A person, or Baton: a fallback or a rollback.
    #[serde(deserialize_with = "tolerant::word")]
    pub by: Trigger,
    pub epoch: i64,
    pub activation_id: ActivationId,
    /// A router leaves it with this agent.
    #[serde(default)]
    pub pinned: bool,
}

impl Switched {
    /// The holder stays, and only whether a router leaves it alone has changed.
    pub fn is_pin(&self) -> bool {
        self.from == self.to
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubtaskCreated {
    pub call_id: String,
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
    pub agent_id: AgentId,
    pub agent_name: String,
    pub depth: i32,
}

/// Tokens and what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub usage: Usage,
    /// In millionths of a dollar; `None` when a model without a price took part.
    pub cost_micros: Option<i64>,
}

impl Spent {
    pub const NOTHING: Self = Self { usage: Usage::NOTHING, cost_micros: Some(0) };
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, more: Self) {
        self.usage += more.usage;
        self.cost_micros = self.cost_micros.zip(more.cost_micros).map(|(one, other)| one + other);
    }
}

/// How a message begins, as the reader of a stream must know it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Start {
    pub agent_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar_url: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Said {
    pub blocks: Vec<Block>,
    /// As the vendor wants it back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thinking: Vec<Thinking>,
    /// `provider/model`: thinking goes back to no other.
    pub model: String,
    /// The hash of the prompt and the tools it was asked with: vendors bind thinking to them. Stored as `prompt`, as it always was.
    #[serde(default, rename = "prompt", skip_serializing_if = "String::is_empty")]
    pub prompt_hash: String,
    pub spent: Spent,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "tolerant::known")]
    pub stop: Option<StopReason>,
    /// It was opened and never sent: the turn ended before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsent: bool,
    /// Set when the message ends here too.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "tolerant::maybe_word")]
    pub ends: Option<MessageStatus>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallStep {
    pub call_id: String,
    pub tool_name: String,
    /// The tool by which the model named this one, because it has too many to be sent them all: the model is shown its call as
    /// one of that tool. In all else it is a call of `tool_name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    pub display_name: String,
    pub args: Map<String, Value>,
    /// What it would do; `None` if the agent has no such tool, or the arguments are not what it takes.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "tolerant::known")]
    pub nature: Option<Nature>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loads_skill: bool,
    /// It hands the conversation on, or completes something: decided by the turn, not run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hands_off: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultStep {
    pub call_id: String,
    pub tool_name: String,
    pub result: Value,
    pub success: bool,
    pub duration_ms: u64,
    /// It was sent and nobody knows whether it was carried out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unknown: bool,
    /// It was a subtask, and a tool that writes came through in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wrote: bool,
    /// What of it the person can open, and the model was not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<AttachmentRef>,
}

impl NewStep {
    pub fn at(self, seq: i64, at: DateTime<Utc>) -> LoggedStep {
        let Self { task_id, agent_id, message_id, step } = self;
        LoggedStep { seq, task_id, agent_id, message_id, step, at }
    }
}

impl Step {
    /// A step as it is stored, whichever Baton wrote it.
    pub fn read(body: Value) -> Self {
        Self::deserialize(&body).unwrap_or(Self::Unknown(body))
    }

    /// As it is stored.
    pub fn body(&self) -> serde_json::Result<Value> {
        match self {
            Self::Unknown(body) => Ok(body.clone()),
            known => serde_json::to_value(known),
        }
    }

    /// The word in the column `type`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::User { .. } | Self::Imported { role: MessageRole::User, .. } => "user_message",
            Self::Imported { role: MessageRole::Assistant, .. } | Self::Said(_) => "assistant_message",
            Self::Call { .. } => "call",
            Self::ToolCall(call) if call.loads_skill => "skill_load",
            Self::ToolCall(_) => "tool_call",
            Self::ToolResult(_) => "tool_result",
            Self::Error { .. } => "error",
            Self::SubtaskCreated(_) => "subtask_created",
            Self::Handoff(_) | Self::Switched(_) => "handoff",
            Self::Routed(_)
            | Self::Greeting { .. }
            | Self::Snapshot { .. }
            | Self::Suggested { .. }
            | Self::ApprovalAsked { .. }
            | Self::ApprovalResolved { .. }
            | Self::MessageEnd { .. }
            | Self::Done { .. }
            | Self::Unknown(_) => "status_change",
        }
    }
}
