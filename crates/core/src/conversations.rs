//! Conversations and the messages people see in them.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::fold::Fault;
use crate::ids::{AgentId, ConversationId, MessageId, TeamId, WorkspaceId};
use crate::log::{MessageStatus, Switched, TurnStatus};
use crate::parts;
use crate::subtasks::Subtask;
use crate::text::{self, Invalid};
use crate::turns::TurnRow;
use crate::visitors::Person;
use crate::words;

words! {
    MessageRole { User => "user", Assistant => "assistant" }
}

pub const MAX_TITLE: usize = 200;
pub const MAX_CONTENT: usize = 200_000;
/// The same for guests and visitors.
pub const MAX_PUBLIC_CONTENT: usize = 4_000;
pub const MAX_IMPORT: usize = 100;
pub const MAX_PARTS_BYTES: usize = 512 * 1024;

#[derive(Debug, Clone)]
pub struct NewConversation {
    pub workspace_id: WorkspaceId,
    pub agent_id: AgentId,
    pub team_id: Option<TeamId>,
    pub person: Person,
    pub title: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    pub id: ConversationId,
    pub workspace_id: WorkspaceId,
    /// The agent it began with.
    pub agent_id: AgentId,
    pub team_id: Option<TeamId>,
    pub person: Person,
    pub title: Option<String>,
    /// The last number given to a step of this conversation.
    pub last_seq: i64,
    /// Grows with every change of who holds the conversation.
    pub epoch: i64,
    /// The conversation whose history it shares, up to and without the step `forked_seq`.
    pub forked_from: Option<ConversationId>,
    pub forked_seq: Option<i64>,
    /// The id of the first version, the same in all versions. `None` while there is only one.
    pub family_id: Option<ConversationId>,
    /// The messages that this fork left out ran tools that write.
    pub left_writes_behind: bool,
    /// Set if another conversation asked for it: nobody writes to it, and lists leave it out.
    pub subtask: Option<Subtask>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// A conversation in a list: with who holds it and the turn that is under way, both as they are now.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedConversation {
    pub conversation: Conversation,
    pub holder: Option<AgentId>,
    pub turn: Option<TurnRow>,
}

/// Which versions of a conversation something is done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Versions {
    All,
    This,
}

/// How much space a workspace takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpaceTaken {
    pub all: SpaceSum,
    /// The part of it that belongs to visitors and guests.
    pub public: SpaceSum,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpaceSum {
    pub conversations: u64,
    /// Bytes of the conversations' logs and of attachments.
    pub bytes: u64,
}

/// A conversation that was deleted, with the turn that ran in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Deleted {
    pub id: ConversationId,
    pub turn: Option<TurnRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub id: MessageId,
    pub conversation_id: ConversationId,
    pub seq: i64,
    pub agent_id: AgentId,
    pub role: MessageRole,
    pub content: String,
    pub parts: Option<Value>,
    pub metadata: Value,
    pub status: MessageStatus,
    pub attempt: i32,
    pub created_at: DateTime<Utc>,
}

impl Message {
    /// Baton wrote this message for an agent: people don't see it.
    pub fn is_synthetic(&self) -> bool {
        self.metadata["synthetic"] == true
    }
}

/// A conversation at one moment: its messages are what its log up to `last_seq` folds to.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadConversation {
    pub conversation: Conversation,
    /// Oldest first.
    pub messages: Vec<Message>,
    /// Whether there are older messages.
    pub has_more: bool,
    pub turn: Option<TurnRow>,
    /// Of the newest page, while no turn runs.
    pub last_turn: Option<LastTurn>,
    /// In their order.
    pub switches: Vec<SwitchMark>,
}

/// A change of the holder that no message shows.
#[derive(Debug, Clone, PartialEq)]
pub struct SwitchMark {
    /// The message before it, among those that were read and that people see.
    pub after: Option<MessageId>,
    pub switched: Switched,
}

/// How the last turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastTurn {
    pub status: TurnStatus,
    /// The error, also if no message shows it: a turn may fail before any agent speaks.
    pub error: Option<Fault>,
    /// The agent that the reply named as taking over without handing off, unless the holder has changed since.
    pub suggested: Option<(AgentId, String)>,
}

/// A message a client brings along. It is text, whatever its parts claim: never a call, a result or an approval.
#[derive(Debug, Clone)]
pub struct ImportedMessage {
    pub role: MessageRole,
    pub content: String,
    pub parts: Option<Value>,
}

impl ImportedMessage {
    pub fn checked(self, index: usize) -> Result<Self, Invalid> {
        let field = |name: &str| format!("messages[{index}].{name}");
        let content = text::prose(&field("content"), &self.content, MAX_CONTENT)?;
        if let Some(parts) = &self.parts {
            if parts.to_string().len() > MAX_PARTS_BYTES {
                return Err(Invalid::new(field("parts"), "must be at most 512 KiB"));
            }
            text::json(&field("parts"), parts)?;
        }
        let parts = self.parts.as_ref().map(parts::flattened);
        Ok(Self { content, parts, ..self })
    }
}

/// Which of a person's conversations: all, those an agent held, if only for a while, or those with a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum With {
    Anyone,
    Agent(AgentId),
    Team(TeamId),
}

#[derive(Debug, Clone)]
pub struct ConversationQuery {
    pub workspace_id: WorkspaceId,
    pub with: With,
    pub person: Person,
    pub search: Option<String>,
    pub limit: u64,
    /// Only what was last active before this one, as the previous page ended.
    pub before: Option<(DateTime<Utc>, ConversationId)>,
}
