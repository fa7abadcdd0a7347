//! Notices: what changes outside the open chat, and who may hear of it. A notice is not stored and not repeated; a
//! client that was away reads its data again.

use serde::{Deserialize, Serialize};

use crate::approvals::Decision;
use crate::handoffs::Trigger;
use crate::ids::{AgentId, ApprovalId, ConversationId, TaskId, WorkspaceId};
use crate::log::TurnStatus;
use crate::visitors::Person;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    pub workspace_id: WorkspaceId,
    pub audience: Audience,
    pub happened: Happened,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// The conversation's own person.
    Person(Person),
    Members,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Happened {
    TurnStarted {
        conversation_id: ConversationId,
        session_id: TaskId,
        agent_id: AgentId,
    },
    TurnEnded {
        conversation_id: ConversationId,
        session_id: TaskId,
        status: TurnStatus,
    },
    ApprovalRequired {
        conversation_id: ConversationId,
        approval_id: ApprovalId,
        agent_id: AgentId,
        tool_name: String,
    },
    ApprovalResolved {
        conversation_id: ConversationId,
        approval_id: ApprovalId,
        decision: Decision,
    },
    /// Another agent holds it.
    Switched {
        conversation_id: ConversationId,
        from: AgentId,
        to: AgentId,
        to_name: String,
        trigger: Trigger,
        epoch: i64,
    },
    /// It was begun, renamed, forked, imported into or deleted.
    ConversationChanged {
        conversation_id: ConversationId,
    },
    /// Its agents, people, rules, skills or settings changed.
    WorkspaceChanged {},
}

impl Happened {
    /// What can have happened, by name.
    pub const WORDS: &'static [&'static str] = &[
        "turn_started",
        "turn_ended",
        "approval_required",
        "approval_resolved",
        "switched",
        "conversation_changed",
        "workspace_changed",
    ];

    pub fn name(&self) -> &'static str {
        match self {
            Self::TurnStarted { .. } => "turn_started",
            Self::TurnEnded { .. } => "turn_ended",
            Self::ApprovalRequired { .. } => "approval_required",
            Self::ApprovalResolved { .. } => "approval_resolved",
            Self::Switched { .. } => "switched",
            Self::ConversationChanged { .. } => "conversation_changed",
            Self::WorkspaceChanged {} => "workspace_changed",
        }
    }
}
