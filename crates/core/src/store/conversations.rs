//! Conversations and the messages people see in them, always for one person.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::Result;
use crate::conversations::{
    Conversation, ConversationQuery, Deleted, ImportedMessage, ListedConversation, Message, NewConversation,
    ReadConversation, SpaceTaken, Versions,
};
use crate::ids::{ConversationId, MessageId, WorkspaceId};
use crate::visitors::Person;

/// A conversation is there for its own person only: every method takes the person, or the conversation they got.
#[async_trait]
pub trait Conversations {
    async fn create_conversation(&self, new: NewConversation) -> Result<Conversation>;
    /// One version of each, the latest that matches. Newest activity first; one row more than asked for tells that there is another page.
    async fn conversations(&self, query: ConversationQuery) -> Result<Vec<ListedConversation>>;
    async fn conversation(&self, id: ConversationId, person: Person) -> Result<Conversation>;
    /// A conversation with the newest `limit` messages before `before`, all as they were at one moment.
    async fn read_conversation(
        &self,
        id: ConversationId,
        person: Person,
        before: Option<MessageId>,
        limit: u64,
    ) -> Result<ReadConversation>;
    async fn import_messages(
        &self,
        id: ConversationId,
        person: Person,
        messages: Vec<ImportedMessage>,
    ) -> Result<Vec<Message>>;
    /// How much space a workspace's conversations and attachments take.
    async fn space_taken(&self, workspace: WorkspaceId) -> Result<SpaceTaken>;
    /// Conversations of visitors in which nobody wrote since `before`, with whose they are; at most `limit`.
    async fn idle_of_visitors(&self, before: DateTime<Utc>, limit: u64) -> Result<Vec<Conversation>>;
    /// Renames the conversation with all its versions, which are returned.
    async fn rename_conversation(
        &self,
        id: ConversationId,
        person: Person,
        title: &str,
    ) -> Result<Vec<Conversation>>;
    async fn delete_conversation(
        &self,
        id: ConversationId,
        person: Person,
        versions: Versions,
    ) -> Result<Vec<Deleted>>;
}
