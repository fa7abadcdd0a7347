//! A turn as it is stored: the conversation's row, what a commit and a decision hold, and why one of them was refused.

mod commit;

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

pub use commit::{
    Accept, After, Checkpoint, Commit, Committed, Fence, Guard, MessageWrite, NewConversation, Pin,
    RequestKey, ResolvedApproval, Switch, Terms, Whose,
};

use crate::approvals::{Approval, Decision};
use crate::conversations::Conversation;
use crate::handoffs::{Activation, active};
use crate::ids::{AgentId, ApprovalId, ConversationId, NodeId, TaskId};
use crate::log::LoggedStep;
use crate::tape::Tape;

/// How long a node's lease is valid. A node whose lease is older is taken for dead.
pub const LEASE: Duration = Duration::from_secs(5);

/// What a renewal found of the lease that it renews.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseBefore {
    /// Nobody can have taken over what runs under it.
    Good,
    /// It had run out, or there was none.
    RunOut,
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
}

/// What has come to a conversation since a number, as one read found it.
#[derive(Debug, Clone)]
pub struct Since {
    pub conversation: Conversation,
    pub turn: Option<TurnRow>,
    /// Who held it when; `None` if there is no new step, and so no change.
    pub activations: Option<Vec<Activation>>,
    /// The steps after that number, oldest first.
    pub steps: Vec<LoggedStep>,
    pub checkpoint: Option<(i64, Tape)>,
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

/// Which turn a request with a key began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRequest {
    pub body_hash: Vec<u8>,
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
    pub first_seq: i64,
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
    /// What it was made from has changed: read it anew.
    #[error("an agent, a person or a rule has changed meanwhile")]
    Stale,
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
    #[error("the conversation has another holder by now")]
    StaleEpoch,
    /// The target is gone, or no longer hired.
    #[error("there is no such agent any more")]
    TargetGone,
    #[error("the target is not for this person")]
    NotAllowed(crate::access::AccessRefusal),
    /// Someone asked to stop: nothing is handed off.
    #[error("someone asked to stop")]
    Stopped,
    #[error(transparent)]
    Store(#[from] crate::store::Error),
}
