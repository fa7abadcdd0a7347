//! What the server and the tools ask of the store about channels.

use async_trait::async_trait;

use super::{Result, Written};
use crate::channels::{
    Channel, ChannelChange, ChannelMember, ChannelMessage, ChannelReader, FoundMessage, ListedChannels,
    Mention, MessagesPage, MessagesQuery, ReadUpTo,
};
use crate::data::rows::{Author, Once};
use crate::ids::{ChannelId, ChannelMessageId, ProfileId, WorkspaceId};
use crate::listing::{Page, Window};
use crate::search::Query;

/// Channels and their messages. Each use case is asked for a reader, and tells nothing of channels that they may not read: these
/// are not found. Whoever asks has looked at the reader's access to the area Messages.
#[async_trait]
pub trait Channels: Send + Sync {
    /// Members of the workspace who may read messages there: who can be named, added and written to.
    async fn channel_people(&self, workspace: WorkspaceId) -> Result<Vec<ChannelReader>>;
    async fn channels(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        listed: ListedChannels,
        window: Window,
    ) -> Result<Page<Channel>>;
    /// Open ones, and those that the reader is in, by name; the name of a direct one is its people's.
    async fn channels_named(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        name: &str,
    ) -> Result<Vec<Channel>>;
    async fn channel(&self, reader: ProfileId, id: ChannelId) -> Result<Channel>;
    async fn channel_members(&self, reader: ProfileId, id: ChannelId) -> Result<Vec<ChannelMember>>;
    /// Whether someone may read it now, with what the area Messages says.
    async fn reads_channel(&self, reader: ProfileId, id: ChannelId) -> Result<bool>;
    async fn channel_messages(&self, reader: ProfileId, query: MessagesQuery) -> Result<MessagesPage>;
    async fn channel_message(&self, reader: ProfileId, id: ChannelMessageId) -> Result<ChannelMessage>;
    /// The newest first, those before `before`; in one channel or all that the reader may read.
    async fn search_channels(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        query: &Query,
        within: Option<ChannelId>,
        before: Option<ChannelMessageId>,
        limit: u64,
    ) -> Result<Vec<FoundMessage>>;
    /// Mentions of the reader, the newest first.
    async fn channel_mentions(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        before: Option<ChannelMessageId>,
        limit: u64,
    ) -> Result<Vec<Mention>>;
    /// See [`MAX_UNREAD_MENTIONS`](crate::channels::MAX_UNREAD_MENTIONS).
    async fn unread_mentions(&self, workspace: WorkspaceId, reader: ProfileId) -> Result<u64>;
    /// What was read before stays read. Whether anything changed.
    async fn mark_channel_read(&self, reader: ProfileId, up_to: ReadUpTo) -> Result<bool>;
    /// Done once; a refusal is words for whoever asked.
    async fn change_channel(
        &self,
        once: &Once,
        workspace: WorkspaceId,
        author: Author,
        change: ChannelChange,
    ) -> Written;
}
