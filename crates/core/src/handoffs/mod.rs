//! The handoff: which activation ends, which begins, and the rules that need no I/O. The engine plans with these
//! rules; the store applies the same rules to fresh rows inside its transaction.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::access::Use;
use crate::ids::{
    ActivationId, AgentId, ConversationId, MessageId, SnapshotId, TaskId, TransitionId, WorkspaceId,
};
use crate::words;

mod context;
mod new_handoff;

pub use context::{MAX_CHAIN, MAX_CONTEXT, Marks, fits, merged, own_keys};
pub use new_handoff::{Given, Held, NewActivation, NewHandoff, NewTask};

words! {
    /// Who asked for a handoff.
    Trigger {
        User => "user",
        Model => "model",
        Router => "router",
        Completion => "completion",
        /// The holder is gone: Baton chose another.
        Fallback => "fallback",
        /// The next agent failed before it said anything.
        Rollback => "rollback",
    }
}

impl Trigger {
    /// How the person's access to the next agent is looked at. What a model chooses by itself is held to less than what
    /// a team's own order brings about.
    pub fn needs(self) -> Use {
        match self {
            Self::Model => Use::ModelSwitch,
            Self::User | Self::Router | Self::Completion => Use::Select,
            Self::Fallback | Self::Rollback => Use::Begin,
        }
    }

    /// How the activation before it ends.
    pub fn ends_as(self) -> ActivationStatus {
        match self {
            Self::User | Self::Router => ActivationStatus::Paused,
            Self::Model | Self::Completion => ActivationStatus::Completed,
            Self::Fallback | Self::Rollback => ActivationStatus::Cancelled,
        }
    }
}

words! {
    ActivationStatus {
        Active => "active",
        Paused => "paused",
        Completed => "completed",
        Cancelled => "cancelled",
    }
}

/// The time one agent holds a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Activation {
    pub id: ActivationId,
    pub agent_id: AgentId,
    pub status: ActivationStatus,
    pub trigger: Trigger,
    pub reason: Option<String>,
    /// Why it began, for the agent itself.
    pub summary: Option<String>,
    /// The message that began it.
    pub message_id: Option<MessageId>,
    /// What was passed along with the handoff that began it.
    pub context: Map<String, Value>,
    /// The agent's own working state.
    pub context_data: Map<String, Value>,
    /// The earlier interval of the same agent that it goes on with.
    pub resumes: Option<ActivationId>,
    /// A person chose it: routers leave it alone.
    pub is_pinned: bool,
    /// The number of the step that began it; 0 for the first.
    pub began_seq: i64,
    pub began_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// The activation that holds the conversation.
pub fn active(activations: &[Activation]) -> Option<&Activation> {
    activations.iter().rfind(|one| one.status == ActivationStatus::Active)
}

/// Activations that can be gone on with: paused, and not gone on with yet.
pub fn resumable(activations: &[Activation]) -> impl DoubleEndedIterator<Item = &Activation> {
    let is_resumed = |id: ActivationId| activations.iter().any(|other| other.resumes == Some(id));
    activations
        .iter()
        .filter(move |activation| activation.status == ActivationStatus::Paused && !is_resumed(activation.id))
}

/// The one an agent goes on with.
pub fn resumable_by(activations: &[Activation], agent: AgentId) -> Option<&Activation> {
    resumable(activations).rfind(|paused| paused.agent_id == agent)
}

/// What an agent may keep as its working state.
pub const MAX_CONTEXT_DATA: usize = 64 * 1024;
pub const MAX_SUMMARY: usize = 4_000;
pub const MAX_REASON: usize = 1_000;

/// A stage's validated result.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSnapshot {
    pub id: SnapshotId,
    pub agent_id: AgentId,
    pub task_id: TaskId,
    pub stage: String,
    pub data: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub id: SnapshotId,
    pub stage: String,
    /// Grows each time the stage is completed again.
    pub version: i32,
    pub agent_id: AgentId,
    pub data: Value,
    pub created_at: DateTime<Utc>,
}

words! {
    /// What became of an attempted handoff.
    TransitionOutcome {
        Completed => "completed",
        /// The target is gone, or isn't for this person, or what was passed along was wrong.
        Refused => "refused",
        /// Another handoff of the same reply won.
        Ignored => "ignored",
        RolledBack => "rolled_back",
    }
}

/// The record of one attempted handoff. Like usage, it refers to nothing and stays.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTransition {
    pub id: TransitionId,
    pub trigger: Trigger,
    pub from: AgentId,
    /// `None` if the name in the call is no agent's.
    pub to: Option<AgentId>,
    pub reason: Option<String>,
    pub outcome: TransitionOutcome,
    /// Why it was refused, as a word.
    pub code: Option<String>,
    pub latency_ms: i64,
    /// About how long the next agent's request would be with the whole history, and how long it is.
    pub tokens_full: i64,
    pub tokens_sent: i64,
}

impl NewTransition {
    /// A transition that succeeded, without figures about its time and savings.
    pub fn completed(trigger: Trigger, from: AgentId, to: AgentId) -> Self {
        Self {
            id: TransitionId::new(),
            trigger,
            from,
            to: Some(to),
            reason: None,
            outcome: TransitionOutcome::Completed,
            code: None,
            latency_ms: 0,
            tokens_full: 0,
            tokens_sent: 0,
        }
    }

    pub fn refused(trigger: Trigger, from: AgentId, to: Option<AgentId>, code: &str) -> Self {
        let code = Some(code.to_owned());
        Self { to, outcome: TransitionOutcome::Refused, code, ..Self::completed(trigger, from, from) }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    pub new: NewTransition,
    pub workspace_id: WorkspaceId,
    pub conversation_id: ConversationId,
    pub created_at: DateTime<Utc>,
}

/// Handoffs within one turn.
pub const MAX_HOPS: usize = 8;

/// Why a handoff is refused, in words for the model or person who asked, with a code for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: &'static str,
    pub words: String,
}

impl Refusal {
    pub fn new(code: &'static str, words: impl Into<String>) -> Self {
        Self { code, words: words.into() }
    }
}

/// The agents a turn went through, the last one speaking.
#[derive(Debug, Clone, Copy)]
pub struct Path<'a> {
    pub agents: &'a [AgentId],
    /// How often it went from one stage to the next: that isn't a hop.
    pub stages: usize,
}

/// Whether a turn that went this way may go on to another agent.
pub fn may_hop(path: Path<'_>, to: AgentId) -> Result<(), Refusal> {
    let chain = path.agents;
    if chain.last() == Some(&to) {
        return Err(Refusal::new("same_agent", "You are that agent: answer yourself."));
    }
    if chain.len().saturating_sub(path.stages) > MAX_HOPS {
        return Err(Refusal::new(
            "hop_limit",
            format!("There were {MAX_HOPS} handoffs in this turn already: answer yourself."),
        ));
    }
    // A to B, back to A, and now to B again: nothing new comes of it.
    if let [.., first, second, third] = chain
        && *second == to
        && first == third
    {
        return Err(Refusal::new(
            "loop",
            "The two of you have handed this back and forth already: answer yourself, or ask the person.",
        ));
    }
    Ok(())
}

/// The tool by which an agent notes what it learns.
pub const UPDATE_CONTEXT: &str = "update_context";

/// Adds to an agent's notes; a null removes the name.
pub fn note(noted: &mut Map<String, Value>, data: &Map<String, Value>) {
    for (name, value) in data {
        if value.is_null() {
            noted.remove(name);
        } else {
            noted.insert(name.clone(), value.clone());
        }
    }
}

/// Whether the notes are small enough to be kept.
pub fn may_note(noted: &Map<String, Value>) -> Result<(), String> {
    let size = Value::Object(noted.clone()).to_string().len();
    if size <= MAX_CONTEXT_DATA {
        return Ok(());
    }
    Err(format!("Your notes would have {size} bytes; at most {MAX_CONTEXT_DATA} fit. Note less."))
}

#[cfg(test)]
mod tests;
