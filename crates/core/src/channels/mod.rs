//! Channels: where the people of a workspace write to each other, and agents for them. Who may read a channel is said by the
//! channel itself, within what the area Messages allows.

mod change;
mod mentions;

use chrono::{DateTime, Utc};

pub use change::{
    ChannelChange, ChannelChanges, GONE, NOTIFIED, NewChannel, Recipient, done, named, notices,
};
pub use mentions::{mentioned, mentions, person_link, plain, with_ids};

use crate::data::rows::Author;
use crate::ids::{ChannelId, ChannelMessageId, ConversationId, ProfileId, WorkspaceId};
use crate::search::{Part, Searchable, Snippet};
use crate::text::{self, Invalid};
use crate::words;

pub const MAX_NAME: usize = 80;
pub const MAX_TOPIC: usize = 500;
/// Characters of one message.
pub const MAX_TEXT: usize = 10_000;
/// Channels of a workspace with a name, archived ones too.
pub const MAX_CHANNELS: u64 = 5_000;
/// People of a direct channel.
pub const MAX_DIRECT: usize = 9;
/// People that one request adds to a channel.
pub const MAX_ADDED: usize = 200;
/// Messages that are read at once.
pub const MAX_MESSAGES: u64 = 200;
/// How far unread mentions are counted.
pub const MAX_UNREAD_MENTIONS: u64 = 100;

words! {
    /// Who may read a channel.
    ChannelKind {
        /// Every member with the area.
        Open => "open",
        /// Those who are in it.
        Private => "private",
        /// The people that it is between; there is one for each set of people.
        Direct => "direct",
    }
}

words! {
    /// Why someone hears of a message.
    MentionReason {
        /// It names them.
        Named => "named",
        /// It is in a thread that they wrote in.
        Replied => "replied",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelPerson {
    pub profile_id: ProfileId,
    pub name: String,
}

/// A member who may read messages in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelReader {
    pub person: ChannelPerson,
    pub email: String,
}

/// A channel as one person sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    pub id: ChannelId,
    pub workspace_id: WorkspaceId,
    pub kind: ChannelKind,
    /// Empty for a direct one.
    pub name: String,
    pub topic: String,
    /// Of a direct one: the others.
    pub people: Vec<ChannelPerson>,
    pub created_by: Option<ProfileId>,
    /// How many are in it.
    pub members: u64,
    pub is_member: bool,
    /// The number of the newest message that they have read; none for who is not in it.
    pub read_number: Option<i64>,
    /// Messages after that one; replies are none.
    pub unread: u64,
    /// Mentions of them that they haven't read.
    pub unread_mentions: u64,
    pub last_number: i64,
    pub last: Option<ChannelMessage>,
    pub last_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    pub archived_at: Option<DateTime<Utc>>,
}

impl Channel {
    /// What it is called by this person: a direct one by the others.
    pub fn title(&self) -> String {
        title(self.kind, &self.name, &self.people)
    }
}

fn title(kind: ChannelKind, name: &str, people: &[ChannelPerson]) -> String {
    match kind {
        ChannelKind::Open | ChannelKind::Private => name.to_owned(),
        ChannelKind::Direct => {
            let names: Vec<&str> = people.iter().map(|person| person.name.as_str()).collect();
            names.join(", ")
        }
    }
}

/// Enough of a channel to name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelName {
    pub id: ChannelId,
    pub kind: ChannelKind,
    pub name: String,
    pub people: Vec<ChannelPerson>,
}

impl ChannelName {
    pub fn title(&self) -> String {
        title(self.kind, &self.name, &self.people)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelMember {
    pub profile_id: ProfileId,
    pub name: String,
    pub joined_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChannelMessage {
    pub id: ChannelMessageId,
    pub workspace_id: WorkspaceId,
    pub channel_id: ChannelId,
    /// The message that it replies to.
    pub thread_id: Option<ChannelMessageId>,
    /// Within its channel, or within its thread.
    pub number: i64,
    /// Markdown; people are named by `[@name](person:ID)`. Empty once it was deleted.
    pub text: String,
    /// None once they have no account any more.
    pub author: Option<Author>,
    pub author_name: Option<String>,
    pub agent_name: Option<String>,
    /// The agent's conversation, if it is the reader's own and still there.
    pub conversation_id: Option<ConversationId>,
    pub approved_by: Option<String>,
    pub replies: u64,
    pub last_reply_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    pub deleted_at: Option<DateTime<Utc>>,
}

/// Which channels are listed. Never those that the reader may not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedChannels {
    /// Those they are in, the one with the newest message first.
    Own,
    /// Open ones, by name.
    Open,
    Archived,
}

/// Which messages of a channel or a thread are read. All come in the order in which they were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Around {
    Newest,
    Before(i64),
    After(i64),
    /// As many before it as after it.
    Number(i64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagesQuery {
    pub channel_id: ChannelId,
    pub thread_id: Option<ChannelMessageId>,
    pub around: Around,
    pub limit: u64,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct MessagesPage {
    pub messages: Vec<ChannelMessage>,
    pub has_earlier: bool,
    pub has_later: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FoundMessage {
    pub message: ChannelMessage,
    pub channel: ChannelName,
    pub snippet: Snippet,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    pub message: ChannelMessage,
    pub channel: ChannelName,
    pub reason: MentionReason,
    pub is_read: bool,
}

/// What is marked as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadUpTo {
    pub channel_id: ChannelId,
    pub thread_id: Option<ChannelMessageId>,
    pub number: i64,
}

pub fn checked_name(name: &str) -> Result<String, Invalid> {
    let name = name.trim().trim_start_matches('#');
    text::line("name", name, MAX_NAME)
}

/// A name as it is compared.
pub fn name_key(name: &str) -> String {
    text::fold(name.trim().trim_start_matches('#').trim()).chars().take(MAX_NAME).collect()
}

pub fn checked_topic(topic: Option<&str>) -> Result<String, Invalid> {
    Ok(text::optional("topic", topic, MAX_TOPIC, text::line)?.unwrap_or_default())
}

/// With plain line ends, and without empty lines around it.
pub fn checked_text(given: &str) -> Result<String, Invalid> {
    let given = text::prose("text", given, MAX_TEXT)?.replace("\r\n", "\n");
    Ok(given.trim_start_matches('\n').trim_end().to_owned())
}

/// The words by which a message is found.
pub fn searchable(text: &str) -> Searchable {
    let mut found = Searchable::default();
    found.add(Part::Body, &plain(text));
    found
}

#[cfg(test)]
mod tests;
