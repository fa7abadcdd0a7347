//! A commit as plain data. It crosses to the database once, begins with its guard, and is stored as a whole or not at
//! all. A message that begins a turn, a step of a turn and a person's switch differ only in their guard, so a handoff
//! is the same in each.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::approvals::{Decision, NewApproval};
use crate::fold::Spoken;
use crate::handoffs::{Activation, NewActivation, NewHandoff, NewSnapshot, NewTransition, Trigger};
use crate::ids::{
    ActivationId, AgentId, ApprovalId, ConversationId, MessageId, NodeId, TaskId, TeamId, TokenId,
    TransitionId, WorkspaceId,
};
use crate::log::{NewStep, TurnStatus};
use crate::spending::UsageRow;
use crate::subtasks::NewSubtask;
use crate::tape::Tape;
use crate::visitors::Person;

#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    pub conversation_id: ConversationId,
    pub workspace_id: WorkspaceId,
    /// Where the log ended when this was made.
    pub last_seq: i64,
    pub guard: Guard,
    pub steps: Vec<NewStep>,
    /// Stored after the others, unless someone asked to stop.
    pub next_call: Option<NewStep>,
    pub messages: Vec<MessageWrite>,
    /// All that this agent has noted by now. Kept only while it holds the conversation.
    pub notes: Option<(AgentId, Map<String, Value>)>,
    pub approvals: Vec<NewApproval>,
    pub resolved: Vec<ResolvedApproval>,
    /// Calls that end or open with it. One that opens with `next_call` counts only if that is stored.
    pub usage: Vec<UsageRow>,
    pub snapshot: Option<NewSnapshot>,
    pub handoff: Option<NewHandoff>,
    pub transitions: Vec<NewTransition>,
    /// A handoff made earlier that came to nothing.
    pub rolled_back: Option<TransitionId>,
    /// A call asks another agent: refused like a handoff, by the target and the person as they are now.
    pub subtask: Option<NewSubtask>,
    /// Subtasks whose turns are asked to stop, because nobody waits for them any more.
    pub stops: Vec<ConversationId>,
    /// Agents, people and all else it was made from were read at this number of changes: refused if there are newer ones.
    pub known: Option<u64>,
    pub at: DateTime<Utc>,
}

/// Who commits, and what of the conversation's row changes with it besides its number and epoch.
#[derive(Debug, Clone, PartialEq)]
pub enum Guard {
    /// A person's message begins a turn. No other may be under way.
    Accept(Box<Accept>),
    /// The turn's driver. The turn must still be its own.
    Turn {
        fence: Fence,
        /// The task under the turn that works; its status follows the turn's.
        working: TaskId,
        after: After,
    },
    /// A person chooses who holds the conversation. It never waits for a turn that runs.
    Switch(Switch),
}

/// Whoever runs a turn has lost it if this no longer names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence {
    pub task_id: TaskId,
    pub attempt: i32,
}

/// The turn that a message begins, with its task.
#[derive(Debug, Clone, PartialEq)]
pub struct Accept {
    /// `None`: the conversation is there.
    pub begins: Option<NewConversation>,
    /// The turn that waits for a person and ends with this message.
    pub ends: Option<TaskId>,
    /// For a conversation that has none.
    pub title: Option<String>,
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewConversation {
    pub activation_id: ActivationId,
    pub team_id: Option<TeamId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// A turn that waits for a person and ends with this.
    pub ends: Option<TaskId>,
    /// The holder stays; whether a router leaves it alone changes, and nothing else: a turn that runs goes on.
    pub pin: Option<Pin>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// The epoch they have seen.
    pub epoch: i64,
    pub activation_id: ActivationId,
    pub is_pinned: bool,
}

/// An idempotency key, good for a day and one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    pub key: String,
    pub body_hash: Vec<u8>,
}

/// What must hold of the conversation's row for a commit to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub whose: Whose,
    pub last_seq: i64,
    /// `None`: whoever holds the conversation.
    pub epoch: Option<i64>,
    /// It hands off, or asks another agent. A stop does neither.
    pub begins: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The person's own conversation, with no turn but one that waits and ends.
    Accept {
        person: Person,
        ends: Option<TaskId>,
    },
    Turn(Fence),
    /// Any conversation, whatever its turn does; the one that ends waits.
    Switch {
        ends: Option<TaskId>,
    },
}

impl Commit {
    /// One that changes nothing but what its guard says.
    pub fn new(
        (conversation_id, workspace_id): (ConversationId, WorkspaceId),
        last_seq: i64,
        guard: Guard,
        at: DateTime<Utc>,
    ) -> Self {
        Self {
            conversation_id,
            workspace_id,
            last_seq,
            guard,
            steps: Vec::new(),
            next_call: None,
            messages: Vec::new(),
            notes: None,
            approvals: Vec::new(),
            resolved: Vec::new(),
            usage: Vec::new(),
            snapshot: None,
            handoff: None,
            transitions: Vec::new(),
            rolled_back: None,
            subtask: None,
            stops: Vec::new(),
            known: None,
            at,
        }
    }

    pub fn terms(&self) -> Terms {
        let handed = self.handoff.as_ref().map(|handoff| handoff.epoch);
        let (whose, epoch, begins) = match &self.guard {
            Guard::Accept(accept) => {
                (Whose::Accept { person: accept.person, ends: accept.ends }, handed, false)
            }
            Guard::Turn { fence, .. } => {
                (Whose::Turn(*fence), handed, self.handoff.is_some() || self.subtask.is_some())
            }
            Guard::Switch(switch) => {
                let pinned = self.pin().map(|pin| pin.epoch);
                (Whose::Switch { ends: switch.ends }, handed.or(pinned), false)
            }
        };
        Terms { whose, last_seq: self.last_seq, epoch, begins }
    }

    /// The turn that waited for a person and ends with this.
    pub fn ends(&self) -> Option<TaskId> {
        match &self.guard {
            Guard::Accept(accept) => accept.ends,
            Guard::Switch(switch) => switch.ends,
            Guard::Turn { .. } => None,
        }
    }

    pub fn pin(&self) -> Option<Pin> {
        match &self.guard {
            Guard::Switch(switch) => switch.pin,
            Guard::Accept(_) | Guard::Turn { .. } => None,
        }
    }

    /// The activation that a new conversation begins with.
    pub fn first_activation(&self) -> Option<Activation> {
        let Guard::Accept(accept) = &self.guard else { return None };
        let id = accept.begins?.activation_id;
        let first = NewActivation { id, ..NewActivation::of(accept.agent_id, Trigger::User) };
        Some(first.from_the_start(self.at))
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

#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedApproval {
    pub id: ApprovalId,
    pub decision: Decision,
    pub by: String,
    pub reason: Option<String>,
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
    pub conversation_id: ConversationId,
    pub fence: Fence,
    /// Where the log ends: with the call that speaks.
    pub last_seq: i64,
    pub tape: Tape,
}
