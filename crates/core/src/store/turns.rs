//! What the engine asks of the store while turns run: commits, leases and claims, steps, approvals, forks.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use crate::approvals::{Approval, ApprovalStatus};
use crate::conversations::Conversation;
use crate::ids::{AgentId, ApprovalId, ConversationId, MessageId, NodeId, TaskId, WorkspaceId};
use crate::log::LoggedStep;
use crate::store::Result;
use crate::turns::{
    Checkpoint, Claimed, Commit, Committed, Decide, Decided, KeptRequest, LeaseBefore, Loaded, Refused,
    Since, TurnRow,
};
use crate::visitors::Person;

/// What the engine asks of the store while turns run.
#[async_trait]
pub trait Turns: Send + Sync {
    async fn load(&self, id: ConversationId) -> Result<Loaded>;
    /// What has come since `seq`. `None` where the log ends before it, or has grown by more than is read at once: then all
    /// is to be loaded.
    async fn load_since(&self, id: ConversationId, seq: i64) -> Result<Option<Since>>;
    /// The request that came with this key within a day.
    async fn find_request(&self, person: Person, key: &str, at: DateTime<Utc>)
    -> Result<Option<KeptRequest>>;
    /// Stores a commit: of a message, of a step of a turn, or of a person's switch.
    async fn commit(&self, commit: &Commit) -> std::result::Result<Committed, Refused>;
    async fn checkpoint(&self, checkpoint: Checkpoint) -> std::result::Result<(), Refused>;
    /// Renews this node's lease; on SQLite there are no other nodes, so it does nothing.
    async fn renew_lease(&self, node: NodeId) -> Result<LeaseBefore>;
    /// Ends this node's lease in order: other nodes may claim its turns at once, and that counts as no try. Can be
    /// repeated.
    async fn end_lease(&self, node: NodeId) -> Result<()>;
    /// Ends the lease of a node id as after a crash: claiming its turns counts as a try. Can be repeated.
    async fn drop_lease(&self, node: NodeId) -> Result<()>;
    /// Takes over the turns of nodes whose lease has run out, one try each, or was ended by `end_lease`, which is no try.
    async fn claim_turns(&self, node: NodeId) -> Result<Vec<Claimed>>;
    /// Takes a turn of this node up once more, as a takeover does; whether it is still there.
    async fn claim_again(&self, node: NodeId, turn: Claimed) -> Result<bool>;
    /// The turns that are this node's.
    async fn turns_of(&self, node: NodeId) -> Result<Vec<Claimed>>;
    /// Asks the turn of a conversation to stop, whichever it is, or only this one: a later turn of the same conversation is
    /// not meant by a stop that was asked for before it. `None` if no such turn is there.
    async fn request_stop(
        &self,
        id: ConversationId,
        only: Option<TaskId>,
        at: DateTime<Utc>,
    ) -> Result<Option<TurnRow>>;
    /// The turns of this node that were asked to stop.
    async fn stops_requested(&self, node: NodeId) -> Result<Vec<TaskId>>;
}

/// Steps in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct StepsPage {
    pub steps: Vec<LoggedStep>,
    /// Whether the log is known to end after these steps. If false, it may end there all the same.
    pub is_last: bool,
}

/// What readers of streams ask.
#[async_trait]
pub trait Steps: Send + Sync {
    /// Steps after `seq`, oldest first, at most `limit`.
    async fn steps_after(&self, id: ConversationId, seq: i64, limit: u64) -> Result<Vec<LoggedStep>>;
    /// The same in a page of a size that a reader can be sent at once.
    async fn steps_page(&self, id: ConversationId, seq: i64) -> Result<StepsPage>;
    /// The call that is open at this number: opened at or before it, and closed after it or not at all.
    async fn open_call(&self, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>>;
    /// The step with this number.
    async fn step(&self, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>>;
    /// How the conversation's turn stands.
    async fn turn(&self, id: ConversationId) -> Result<Option<TurnRow>>;
    async fn last_seqs(&self, ids: Vec<ConversationId>) -> Result<Vec<(ConversationId, i64)>>;
}

/// Approvals, for their own person.
#[async_trait]
pub trait Approvals {
    async fn approvals(&self, query: ApprovalQuery) -> Result<Vec<Approval>>;
    async fn approval(&self, id: ApprovalId, person: Person) -> Result<Approval>;
    async fn decide(&self, decide: Decide) -> std::result::Result<Decided, Refused>;
    /// Calls that a person allowed an agent for the rest of a conversation: the hashes of tool and arguments.
    async fn remembered(&self, conversation: ConversationId, agent: AgentId) -> Result<Vec<String>>;
    /// Approvals nobody decided in time.
    async fn overdue_approvals(&self, now: DateTime<Utc>) -> Result<Vec<ApprovalId>>;
    /// Which token began the turn that asked, if one did.
    async fn token_of_task(&self, task: TaskId) -> Result<Option<crate::ids::TokenId>>;
}

#[derive(Debug, Clone)]
pub struct ApprovalQuery {
    pub workspace_id: WorkspaceId,
    pub person: Person,
    pub conversation_id: Option<ConversationId>,
    pub status: Option<ApprovalStatus>,
    pub limit: u64,
}

/// Versions of a conversation.
#[async_trait]
pub trait Forks {
    /// A new conversation with the same history up to, and without, a message.
    async fn fork(&self, id: ConversationId, person: Person, before: MessageId) -> Result<Conversation>;
    /// The points where a conversation and others part, oldest first.
    async fn fork_points(&self, conversation: &Conversation) -> Result<Vec<ForkPoint>>;
}

/// Conversations that are the same up to a number.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkPoint {
    pub seq: i64,
    /// The message of the asked conversation that begins its own version.
    pub message_id: Option<MessageId>,
    pub versions: Vec<Version>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    pub id: ConversationId,
    pub title: Option<String>,
    pub created_at: DateTime<Utc>,
    /// The messages that this version left out ran tools that write.
    pub left_writes_behind: bool,
}
