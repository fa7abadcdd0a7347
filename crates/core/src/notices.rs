//! Notices: what changes outside the open chat, and who may hear of it. A notice is not stored and not repeated; a
//! client that was away reads its data again.

use serde::{Deserialize, Serialize};

use crate::approvals::Decision;
use crate::data::areas::Area;
use crate::data::imports::ImportStatus;
use crate::data::kind::Kind;
use crate::handoffs::Trigger;
use crate::ids::{
    AgentId, ApprovalId, ChannelId, ChannelMessageId, ConversationId, ImportId, TaskId, WorkspaceId,
};
use crate::log::TurnStatus;
use crate::visitors::Person;
use crate::words;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    pub workspace_id: WorkspaceId,
    pub audience: Audience,
    pub happened: Happened,
}

impl Notice {
    /// For members who may see it: rows of a kind changed.
    pub fn data_changed(workspace_id: WorkspaceId, kind: &Kind) -> Self {
        let happened = Happened::DataChanged { kind: kind.name.to_owned() };
        Self { workspace_id, audience: Audience::Area(kind.area), happened }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// The conversation's own person.
    Person(Person),
    Members,
    /// Members who may see this area of the workspace's data.
    Area(Area),
    /// Members who may read this channel.
    Channel(ChannelId),
}

words! {
    /// What became of a message of a channel.
    MessageChange { Sent => "sent", Edited => "edited", Deleted => "deleted" }
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
    /// A file that comes in got further.
    ImportChanged {
        import_id: ImportId,
        status: ImportStatus,
        read: u64,
        stored: u64,
        duplicates: u64,
        refused: u64,
    },
    /// Its agents, people, rules, skills or settings changed.
    WorkspaceChanged {},
    /// Rows of a kind of data changed.
    DataChanged {
        kind: String,
    },
    /// A channel was made or changed, or who is in it, or what the reader has read of it.
    ChannelChanged {
        channel_id: ChannelId,
    },
    /// A message of a channel was written, edited or deleted.
    ChannelMessage {
        channel_id: ChannelId,
        message_id: ChannelMessageId,
        thread_id: Option<ChannelMessageId>,
        change: MessageChange,
    },
    /// A message names the reader, or adds to a thread that they wrote in.
    Mentioned {
        channel_id: ChannelId,
        message_id: ChannelMessageId,
    },
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
        "import_changed",
        "workspace_changed",
        "data_changed",
        "channel_changed",
        "channel_message",
        "mentioned",
    ];

    pub fn name(&self) -> &'static str {
        match self {
            Self::TurnStarted { .. } => "turn_started",
            Self::TurnEnded { .. } => "turn_ended",
            Self::ApprovalRequired { .. } => "approval_required",
            Self::ApprovalResolved { .. } => "approval_resolved",
            Self::Switched { .. } => "switched",
            Self::ConversationChanged { .. } => "conversation_changed",
            Self::ImportChanged { .. } => "import_changed",
            Self::WorkspaceChanged {} => "workspace_changed",
            Self::DataChanged { .. } => "data_changed",
            Self::ChannelChanged { .. } => "channel_changed",
            Self::ChannelMessage { .. } => "channel_message",
            Self::Mentioned { .. } => "mentioned",
        }
    }
}
