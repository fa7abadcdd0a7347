//! Channels. `access.rs` says who may read one, and every use case begins there; `list.rs` reads channels and `read.rs` what is
//! written in them; `change.rs` changes a channel and who is in it, `write.rs` its messages.
//!
//! Whoever writes in a channel locks its row first, so messages are numbered without gaps. From these numbers, what someone
//! has not read is known without counting.

mod access;
mod change;
mod export;
mod list;
mod read;
mod write;

use async_trait::async_trait;
use baton_core::channels::{
    Channel, ChannelChange, ChannelMember, ChannelMessage, ChannelReader, FoundMessage, ListedChannels,
    Mention, MessagesPage, MessagesQuery, ReadUpTo,
};
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::{Author, Once};
use baton_core::ids::{ChannelId, ChannelMessageId, ProfileId, WorkspaceId};
use baton_core::listing::{Page, Window};
use baton_core::search::Query;
use baton_core::store::{Channels, Error, Result, Written};
use futures::FutureExt;

use crate::areas;
use crate::connect::SqlStore;

#[async_trait]
impl Channels for SqlStore {
    async fn channel_people(&self, workspace: WorkspaceId) -> Result<Vec<ChannelReader>> {
        access::readers(&self.db, workspace).await
    }

    async fn channels(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        listed: ListedChannels,
        window: Window,
    ) -> Result<Page<Channel>> {
        list::list(&self.db, workspace, reader, listed, window).await
    }

    async fn channels_named(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        name: &str,
    ) -> Result<Vec<Channel>> {
        list::named(&self.db, workspace, reader, name).await
    }

    async fn channel(&self, reader: ProfileId, id: ChannelId) -> Result<Channel> {
        list::one(&self.db, reader, id).await
    }

    async fn channel_members(&self, reader: ProfileId, id: ChannelId) -> Result<Vec<ChannelMember>> {
        let seen = access::seen(&self.db, reader, id.0).await?;
        list::members(&self.db, &seen.row).await
    }

    async fn reads_channel(&self, reader: ProfileId, id: ChannelId) -> Result<bool> {
        let row = match access::seen(&self.db, reader, id.0).await {
            Ok(seen) => seen.row,
            Err(Error::NotFound(_)) => return Ok(false),
            Err(error) => return Err(error),
        };
        let areas = areas::of(&self.db, WorkspaceId(row.workspace_id), reader).await?;
        Ok(areas.check(Area::Messages, AreaAccess::Read).is_ok())
    }

    async fn channel_messages(&self, reader: ProfileId, query: MessagesQuery) -> Result<MessagesPage> {
        read::page(&self.db, reader, query).await
    }

    async fn channel_message(&self, reader: ProfileId, id: ChannelMessageId) -> Result<ChannelMessage> {
        read::one(&self.db, reader, id).await
    }

    async fn search_channels(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        query: &Query,
        within: Option<ChannelId>,
        before: Option<ChannelMessageId>,
        limit: u64,
    ) -> Result<Vec<FoundMessage>> {
        read::search(&self.db, (workspace, reader), query, within, before, limit).await
    }

    async fn channel_mentions(
        &self,
        workspace: WorkspaceId,
        reader: ProfileId,
        before: Option<ChannelMessageId>,
        limit: u64,
    ) -> Result<Vec<Mention>> {
        read::mentions(&self.db, (workspace, reader), before, limit).await
    }

    async fn unread_mentions(&self, workspace: WorkspaceId, reader: ProfileId) -> Result<u64> {
        read::unread_mentions(&self.db, workspace, reader).await
    }

    async fn mark_channel_read(&self, reader: ProfileId, up_to: ReadUpTo) -> Result<bool> {
        let write = self.write().await?;
        let seen = access::seen(&*write, reader, up_to.channel_id.0).await?;
        let has_changed = change::mark_read(&write, &seen, reader, up_to).await?;
        write.commit_unkept().await?;
        Ok(has_changed)
    }

    async fn change_channel(
        &self,
        once: &Once,
        workspace: WorkspaceId,
        author: Author,
        change: ChannelChange,
    ) -> Written {
        self.once(once, move |within| {
            let change = change.clone();
            async move { change::change(within, workspace, author, change).await }.boxed()
        })
        .await
    }
}
