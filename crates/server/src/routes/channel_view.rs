//! Channels and their messages as the API shows them.

use baton_core::channels::{
    Channel, ChannelKind, ChannelMember, ChannelMessage, ChannelName, ChannelPerson, FoundMessage, Mention,
    MentionReason,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::knowledge_view::{TextPart, parts};
use crate::http::{channel_kind_schema, mention_reason_schema};

#[derive(Serialize, ToSchema)]
#[schema(as = ChannelPerson)]
pub struct PersonView {
    profile_id: Uuid,
    name: String,
}

impl From<ChannelPerson> for PersonView {
    fn from(person: ChannelPerson) -> Self {
        Self { profile_id: person.profile_id.0, name: person.name }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Channel)]
pub struct ChannelView {
    id: Uuid,
    /// Who may read it: every member with the area, those in it, or the people that it is between.
    #[schema(schema_with = channel_kind_schema)]
    kind: ChannelKind,
    /// A direct channel is called by the others in it.
    name: String,
    topic: String,
    /// The others in a direct channel.
    people: Vec<PersonView>,
    /// Who made it.
    #[schema(required)]
    created_by: Option<Uuid>,
    /// How many are in it.
    members: u64,
    /// Whether the caller is in it.
    is_member: bool,
    /// The number of the newest message that the caller has read; null for who is not in it.
    #[schema(required)]
    read_number: Option<i64>,
    /// Messages after that one; replies are none.
    unread: u64,
    /// Unread messages that name the caller, or add to a thread that they wrote in.
    unread_mentions: u64,
    last_number: i64,
    #[schema(required)]
    last: Option<MessageView>,
    last_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
    /// Nothing is written in an archived channel.
    #[schema(required)]
    archived_at: Option<DateTime<Utc>>,
}

impl From<Channel> for ChannelView {
    fn from(channel: Channel) -> Self {
        Self {
            name: channel.title(),
            id: channel.id.0,
            kind: channel.kind,
            topic: channel.topic,
            people: channel.people.into_iter().map(Into::into).collect(),
            created_by: channel.created_by.map(|id| id.0),
            members: channel.members,
            is_member: channel.is_member,
            read_number: channel.read_number,
            unread: channel.unread,
            unread_mentions: channel.unread_mentions,
            last_number: channel.last_number,
            last: channel.last.map(Into::into),
            last_at: channel.last_at,
            created_at: channel.created_at,
            archived_at: channel.archived_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ChannelMember)]
pub struct MemberView {
    profile_id: Uuid,
    name: String,
    joined_at: DateTime<Utc>,
}

impl From<ChannelMember> for MemberView {
    fn from(member: ChannelMember) -> Self {
        Self { profile_id: member.profile_id.0, name: member.name, joined_at: member.joined_at }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ChannelMessage)]
pub struct MessageView {
    id: Uuid,
    channel_id: Uuid,
    /// The message that it replies to.
    #[schema(required)]
    thread_id: Option<Uuid>,
    /// Its place in the channel, or in its thread.
    number: i64,
    /// Markdown; people are named by `[@name](person:ID)`. Empty once it was deleted.
    text: String,
    /// Who wrote it, or for whom an agent did; null once they have no account any more.
    #[schema(required)]
    profile_id: Option<Uuid>,
    #[schema(required)]
    author: Option<String>,
    /// The agent that wrote it.
    #[schema(required)]
    agent_id: Option<Uuid>,
    #[schema(required)]
    agent: Option<String>,
    /// The agent's conversation, if it is the caller's own.
    #[schema(required)]
    conversation_id: Option<Uuid>,
    /// Who allowed the agent to write it, if anyone was asked.
    #[schema(required)]
    approved_by: Option<String>,
    replies: u64,
    #[schema(required)]
    last_reply_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    #[schema(required)]
    edited_at: Option<DateTime<Utc>>,
    #[schema(required)]
    deleted_at: Option<DateTime<Utc>>,
}

impl From<ChannelMessage> for MessageView {
    fn from(message: ChannelMessage) -> Self {
        Self {
            id: message.id.0,
            channel_id: message.channel_id.0,
            thread_id: message.thread_id.map(|id| id.0),
            number: message.number,
            text: message.text,
            profile_id: message.author.map(|author| author.profile_id.0),
            author: message.author_name,
            agent_id: message.author.and_then(|author| author.agent).map(|agent| agent.agent_id.0),
            agent: message.agent_name,
            conversation_id: message.conversation_id.map(|id| id.0),
            approved_by: message.approved_by,
            replies: message.replies,
            last_reply_at: message.last_reply_at,
            created_at: message.created_at,
            edited_at: message.edited_at,
            deleted_at: message.deleted_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ChannelName)]
pub struct NameView {
    id: Uuid,
    #[schema(schema_with = channel_kind_schema)]
    kind: ChannelKind,
    name: String,
}

impl From<ChannelName> for NameView {
    fn from(name: ChannelName) -> Self {
        Self { id: name.id.0, kind: name.kind, name: name.title() }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = FoundChannelMessage)]
pub struct FoundMessageView {
    channel: NameView,
    message: MessageView,
    /// The piece of the text that shows why it was found.
    snippet: Vec<TextPart>,
}

impl From<FoundMessage> for FoundMessageView {
    fn from(found: FoundMessage) -> Self {
        Self { channel: found.channel.into(), message: found.message.into(), snippet: parts(found.snippet) }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ChannelMention)]
pub struct MentionView {
    channel: NameView,
    message: MessageView,
    /// It names the caller, or it is in a thread that they wrote in.
    #[schema(schema_with = mention_reason_schema)]
    reason: MentionReason,
    is_read: bool,
}

impl From<Mention> for MentionView {
    fn from(mention: Mention) -> Self {
        Self {
            channel: mention.channel.into(),
            message: mention.message.into(),
            reason: mention.reason,
            is_read: mention.is_read,
        }
    }
}
