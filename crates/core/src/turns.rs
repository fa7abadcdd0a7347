//! A turn's commits, as plain data. Each crosses to the database once and begins with its guard.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::approvals::{Approval, Decision, NewApproval};
use crate::conversations::Conversation;
use crate::fold::Spoken;
use crate::handoffs::{Activation, ActivationStatus, Handover, NewSnapshot, NewTransition, Trigger, active};
use crate::ids::{
    ActivationId, AgentId, ApprovalId, ConversationId, MessageId, NodeId, ProfileId, TaskId, TeamId, TokenId,
    TransitionId, WorkspaceId,
};
use crate::log::{LoggedStep, NewStep, TurnStatus};
use crate::models::Usage;
use crate::subtasks::NewSubtask;
use crate::tape::Tape;
use crate::tools::Change;
use crate::visitors::Person;

/// Locks, fences and numbers: the conversation must still be in this turn, at this attempt, and its log must end where
/// the committer believes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
    pub attempt: i32,
    pub last_seq: i64,
}

/// How a turn stands on its conversation's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnRow {
    pub task_id: TaskId,
    /// `None`: it waits for a person.
    pub owner: Option<NodeId>,
    pub attempt: i32,
    /// How often the same step was begun by now without coming through.
    pub tries: i32,
    pub stop_requested: bool,
}

/// A conversation with its log, as one read found them.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub conversation: Conversation,
    pub turn: Option<TurnRow>,
    /// Who held it when, oldest first; exactly one is active.
    pub activations: Vec<Activation>,
    /// The newest steps, oldest first.
    pub steps: Vec<LoggedStep>,
    /// Whether older steps were left out.
    pub is_cut: bool,
    /// The tape of the open call, as far as it was checkpointed, by the number of the step that opened it.
    pub checkpoint: Option<(i64, Tape)>,
    /// Calls a person allowed for the rest of the conversation: the agent's, with the hash of tool and arguments.
    pub allowed: Vec<(AgentId, String)>,
}

impl Loaded {
    /// The activation that holds the conversation.
    pub fn active(&self) -> Option<&Activation> {
        active(&self.activations)
    }

    /// The agent that holds the conversation.
    pub fn holder(&self) -> AgentId {
        self.active().map_or(self.conversation.agent_id, |active| active.agent_id)
    }
}

/// A message row to be written with the steps it is folded from.
#[derive(Debug, Clone, PartialEq)]
pub enum MessageWrite {
    User {
        id: MessageId,
        agent_id: AgentId,
        content: String,
        metadata: Value,
        step: usize,
    },
    /// A new message of an agent; `step` is the index of the step that begins it.
    Begin {
        spoken: Spoken,
        step: usize,
    },
    Update {
        spoken: Spoken,
        metadata: Value,
    },
}

/// What one model call used. Such rows refer to nothing and stay.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageRow {
    /// The task that used it: the turn's root or one under it.
    pub task_id: TaskId,
    pub agent_id: AgentId,
    /// `provider/model`.
    pub model: String,
    pub usage: Usage,
    /// `None`: no price is known.
    pub cost_micros: Option<i64>,
    /// The call was cut by a crash: nobody said what it used.
    pub is_estimate: bool,
    /// For a guest or a visitor, at the workspace's public address.
    pub is_public: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedApproval {
    pub id: ApprovalId,
    pub decision: Decision,
    pub by: String,
    pub reason: Option<String>,
}

/// Which conversation a message goes into.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    New {
        id: ConversationId,
        activation_id: ActivationId,
        team_id: Option<TeamId>,
        title: Option<String>,
    },
    /// As it was loaded. `ends` is the turn that waits for a person and ends with this message.
    Existing {
        id: ConversationId,
        last_seq: i64,
        ends: Option<TurnRow>,
        title: Option<String>,
    },
}

impl Place {
    pub fn id(&self) -> ConversationId {
        match self {
            Self::New { id, .. } | Self::Existing { id, .. } => *id,
        }
    }

    pub fn last_seq(&self) -> i64 {
        match self {
            Self::New { .. } => 0,
            Self::Existing { last_seq, .. } => *last_seq,
        }
    }
}

/// An idempotency key, good for a day and one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    pub key: String,
    pub body_hash: Vec<u8>,
}

/// Which turn a request with a key began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRequest {
    pub body_hash: Vec<u8>,
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
    pub first_seq: i64,
}

/// Takes a person's message and begins a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Accept {
    pub place: Place,
    pub workspace_id: WorkspaceId,
    pub person: Person,
    pub agent_id: AgentId,
    pub node: NodeId,
    pub task_id: TaskId,
    pub token_id: Option<TokenId>,
    pub key: Option<RequestKey>,
    /// What the person said; for the task.
    pub input: Value,
    /// What was passed to the agent that holds the conversation; for the task.
    pub context: Map<String, Value>,
    /// The holder is gone, and another takes its place with this message.
    pub handover: Option<Handover>,
    /// The record of that.
    pub transition: Option<NewTransition>,
    pub steps: Vec<NewStep>,
    pub messages: Vec<MessageWrite>,
    pub resolved: Vec<ResolvedApproval>,
    pub at: DateTime<Utc>,
}

impl Accept {
    /// The activation that a new conversation begins with.
    pub fn first_activation(&self) -> Option<Activation> {
        let Place::New { activation_id, .. } = self.place else { return None };
        Some(Activation {
            id: activation_id,
            agent_id: self.agent_id,
            status: ActivationStatus::Active,
            trigger: Trigger::User,
            reason: None,
            summary: None,
            message_id: None,
            context: Map::new(),
            context_data: Map::new(),
            resumes: None,
            is_pinned: false,
            began_seq: 0,
            began_at: self.at,
            ended_at: None,
        })
    }
}

/// Everything else a turn commits.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    pub guard: Guard,
    pub workspace_id: WorkspaceId,
    pub profile_id: Option<ProfileId>,
    pub steps: Vec<NewStep>,
    /// Stored after the others, unless someone asked to stop.
    pub next_call: Option<NewStep>,
    pub messages: Vec<MessageWrite>,
    pub changes: Vec<(AgentId, Change)>,
    pub approvals: Vec<NewApproval>,
    pub resolved: Vec<ResolvedApproval>,
    pub usage: Vec<UsageRow>,
    /// The task under the turn that works; its status follows the turn's.
    pub task_id: TaskId,
    pub snapshot: Option<NewSnapshot>,
    pub handover: Option<Handover>,
    pub transitions: Vec<NewTransition>,
    /// A handoff made earlier that came to nothing.
    pub rolled_back: Option<TransitionId>,
    /// A call asks another agent: refused like a handover, by the target and the person as they are now.
    pub subtask: Option<NewSubtask>,
    /// Subtasks whose turns are asked to stop, because nobody waits for them any more.
    pub stops: Vec<ConversationId>,
    pub after: After,
    pub at: DateTime<Utc>,
}

/// A person chooses who holds the conversation. It never waits for a turn that runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch {
    pub conversation_id: ConversationId,
    pub workspace_id: WorkspaceId,
    /// Where the log ended when this was made.
    pub last_seq: i64,
    /// The epoch they have seen.
    pub epoch: i64,
    pub choice: Choice,
    /// A turn that waits for a person and ends with this.
    pub ends: Option<TurnRow>,
    pub steps: Vec<NewStep>,
    pub messages: Vec<MessageWrite>,
    pub resolved: Vec<ResolvedApproval>,
    /// `None` where the agent stays.
    pub transition: Option<NewTransition>,
    pub at: DateTime<Utc>,
}

/// What a person's choice changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// Another agent has the conversation.
    Agent(Box<Handover>),
    /// The holder stays; whether a router leaves it alone changes, and nothing else: a turn that runs goes on.
    Pin { activation_id: ActivationId, is_pinned: bool },
}

impl Choice {
    pub fn handover(&self) -> Option<&Handover> {
        match self {
            Self::Agent(handover) => Some(handover),
            Self::Pin { .. } => None,
        }
    }
}

/// How the turn stands after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// `progressed`: what was tried came through, so tries begin anew.
    Running {
        progressed: bool,
    },
    /// Nothing can run until a person decides.
    Waiting,
    Ended(TurnStatus),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// The number of the last step stored.
    pub last_seq: i64,
    pub stop_requested: bool,
}

/// Keeps what an open call has said. It has no number and makes no event.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    pub guard: Guard,
    pub tape: Tape,
}

/// A turn taken over from a node that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claimed {
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
}

/// A person's decision on an approval.
#[derive(Debug, Clone, PartialEq)]
pub struct Decide {
    pub approval_id: ApprovalId,
    pub decision: Decision,
    pub by: String,
    pub reason: Option<String>,
    /// Changed arguments, already checked against the tool.
    pub args: Option<Map<String, Value>>,
    /// The hash of the arguments that the person was shown; none where nobody decided in time.
    pub args_hash: Option<String>,
    pub remember: bool,
    /// The node that goes on with the turn.
    pub node: NodeId,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    pub conversation: Conversation,
    pub step: LoggedStep,
    /// Whether the turn was waiting and is now this node's to go on with.
    pub resumes: bool,
}

/// Why a turn's commit was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The turn is no longer the committer's, or the conversation is gone. Drop everything, quietly.
    #[error("the turn is someone else's")]
    Fenced,
    /// The log has grown: read on and decide again.
    #[error("the log has moved on")]
    Moved,
    #[error("a turn is in progress")]
    TurnInProgress,
    #[error("this idempotency key was used for another request")]
    KeyReused,
    /// The same request came before: this is its turn.
    #[error("this request came before")]
    Repeated { conversation_id: ConversationId, task_id: TaskId, first_seq: i64 },
    /// As it stands: the same way, or another.
    #[error("it was decided already")]
    AlreadyDecided(Box<Approval>),
    #[error("it is too late to decide")]
    TooLate,
    /// The person was shown other arguments than the call has.
    #[error("the arguments are others than those that were shown")]
    OtherArguments,
    /// Someone else changed who holds the conversation.
    #[error("the conversation has changed hands")]
    StaleEpoch,
    /// The target is gone, or no longer hired.
    #[error("there is no such agent any more")]
    TargetGone,
    #[error("the target is not for this person")]
    NotAllowed(crate::access::Refusal),
    /// Someone asked to stop: nothing is handed off.
    #[error("someone asked to stop")]
    Stopped,
    #[error(transparent)]
    Store(#[from] crate::store::Error),
}
