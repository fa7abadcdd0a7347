use async_trait::async_trait;

use super::Result;
use crate::conversations::{Conversation, ConversationQuery, ImportedMessage, Message, NewConversation};
use crate::ids::{ConversationId, MessageId};
use crate::visitors::Person;

/// A conversation is there for its own person only: every method takes the person, or the conversation they got.
#[async_trait]
pub trait Conversations {
    async fn create_conversation(&self, new: NewConversation) -> Result<Conversation>;
    /// Newest activity first; one row more than asked for tells that there is another page.
    async fn conversations(&self, query: ConversationQuery) -> Result<Vec<Conversation>>;
    async fn conversation(&self, id: ConversationId, person: Person) -> Result<Conversation>;
    /// The newest `limit` messages before `before`, oldest first, and whether older ones are left. None is newer than
    /// the conversation as it was read.
    async fn messages(
        &self,
        conversation: &Conversation,
        before: Option<MessageId>,
        limit: u64,
    ) -> Result<(Vec<Message>, bool)>;
    async fn import_messages(
        &self,
        id: ConversationId,
        person: Person,
        messages: Vec<ImportedMessage>,
    ) -> Result<Vec<Message>>;
    async fn rename_conversation(
        &self,
        id: ConversationId,
        person: Person,
        title: &str,
    ) -> Result<Conversation>;
    async fn delete_conversation(&self, id: ConversationId, person: Person) -> Result<()>;
}
