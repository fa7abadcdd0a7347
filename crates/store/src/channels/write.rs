//! Writing in channels: sending, editing and deleting messages, with whom they name and the words they are found by.

use baton_core::channels::{
    ChannelKind, ChannelPerson, MentionReason, NOTIFIED, ReadUpTo, Recipient, done, mentioned, named,
    searchable, with_ids,
};
use baton_core::data::rows::Author;
use baton_core::ids::{ChannelId, ChannelMessageId, ProfileId, WorkspaceId};
use baton_core::store::{Error, Result, Written};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value as SqlValue};
use uuid::Uuid;

use super::access::{self, Seen, people_of};
use super::change::{Changed, direct, join, mark_read, not_archived, refused, run, there, told};
use super::read::hidden;
use crate::data;
use crate::db::{OrStoreError, now};
use crate::entities::{channel_messages, channels};
use crate::full_text::{self, Scope};
use crate::write::Write;

/// Replies of a thread whose authors hear of another one.
const HEARING: u64 = 200;
/// What a message takes beside its text.
const WEIGHT: i64 = 300;

pub async fn send(
    within: &Write,
    workspace: WorkspaceId,
    author: Author,
    id: ChannelMessageId,
    to: Recipient,
    text: &str,
) -> Written {
    let by = author.profile_id;
    let (seen, root) = place(within, workspace, by, to).await?;
    not_archived(&seen.row)?;
    // Whoever writes in an open channel is in it from now on.
    join(within, &seen, by).await?;
    let text = resolved(within, workspace, text).await?;
    let at = now();
    let channel = &seen.row;
    let number = match &root {
        None => channel.last_number + 1,
        Some(root) => root.last_reply + 1,
    };
    let approved_by = match author.agent {
        Some(agent) => data::approver(&**within, agent).await?,
        None => None,
    };
    let row = channel_messages::ActiveModel {
        id: Set(id.0),
        workspace_id: Set(workspace.0),
        channel_id: Set(channel.id),
        parent_id: Set(root.as_ref().map_or(channel.id, |root| root.id)),
        number: Set(number),
        text: Set(text.clone()),
        profile_id: Set(Some(by.0)),
        agent_id: Set(author.agent.map(|agent| agent.agent_id.0)),
        conversation_id: Set(author.agent.map(|agent| agent.conversation_id.0)),
        seq: Set(author.agent.map(|agent| agent.seq)),
        approved_by: Set(approved_by),
        replies: Set(0),
        last_reply: Set(0),
        last_reply_at: Set(None),
        created_at: Set(at),
        edited_at: Set(None),
        deleted_at: Set(None),
    };
    let row = channel_messages::Entity::insert(row).exec_with_returning(&**within).await.db()?;
    let bytes = WEIGHT + text.len() as i64;
    if root.is_none() {
        let sql = "UPDATE channels SET last_number = $1, last_message_id = $2, last_at = $3, bytes = bytes + $4 WHERE id = $5";
        run(within, sql, [number.into(), row.id.into(), at.into(), bytes.into(), channel.id.into()]).await?;
    } else {
        let sql = "UPDATE channel_messages SET replies = replies + 1, last_reply = $1, last_reply_at = $2 WHERE id = $3";
        run(within, sql, [number.into(), at.into(), row.parent_id.into()]).await?;
        grow(within, channel.id, bytes).await?;
    }
    let told_people = mention(within, channel, &row, root.as_ref(), author).await?;
    index(within, channel, &row).await?;
    if author.agent.is_none() {
        // Whoever writes has read what is there.
        let seen = access::seen(&**within, by, channel.id).await?;
        let thread_id = root.as_ref().map(|root| ChannelMessageId(root.id));
        let up_to = ReadUpTo { channel_id: ChannelId(channel.id), thread_id, number };
        mark_read(within, &seen, by, up_to).await?;
    }
    let mut outcome = told(done::SENT, channel);
    outcome["message_id"] = id.0.to_string().into();
    if let Some(root) = &root {
        outcome["thread_id"] = root.id.to_string().into();
    }
    if channel.people_key.is_some() {
        let others: Vec<Uuid> = people_of(channel).into_iter().filter(|id| *id != by.0).collect();
        let names = access::names(&**within, others).await?;
        outcome["to"] = named(names.iter().map(|(id, name)| (ProfileId(*id), name.as_str())));
    }
    if !told_people.is_empty() {
        let told_people = told_people.iter().map(|person| (person.profile_id, person.name.as_str()));
        outcome[NOTIFIED] = named(told_people);
    }
    Ok(outcome)
}

/// The channel, locked, and the message that is replied to. A reply to a reply goes to the same thread.
async fn place(
    within: &Write,
    workspace: WorkspaceId,
    by: ProfileId,
    to: Recipient,
) -> Changed<(Seen, Option<channel_messages::Model>)> {
    Ok(match to {
        Recipient::Channel(channel) => (there(within, workspace, by, channel).await?, None),
        Recipient::People(people) => {
            let row = direct(within, workspace, by, &people).await?;
            (there(within, workspace, by, ChannelId(row.id)).await?, None)
        }
        Recipient::Thread(message) => {
            let (seen, row) = message_there(within, workspace, by, message).await?;
            let root = match row.parent_id == row.channel_id {
                true => row,
                false => find(within, row.parent_id).await?,
            };
            if root.deleted_at.is_some() {
                return Err(refused("This message was deleted: nobody replies to it any more."));
            }
            (seen, Some(root))
        }
    })
}

/// A message that someone may read, with its channel, which is locked.
async fn message_there(
    within: &Write,
    workspace: WorkspaceId,
    by: ProfileId,
    id: ChannelMessageId,
) -> Result<(Seen, channel_messages::Model)> {
    let row = find(within, id.0).await?;
    let seen = there(within, workspace, by, ChannelId(row.channel_id)).await.map_err(hidden)?;
    // As it is now that nobody else writes.
    Ok((seen, find(within, id.0).await?))
}

async fn find(within: &Write, id: Uuid) -> Result<channel_messages::Model> {
    let row = channel_messages::Entity::find_by_id(id).one(&**within).await.db()?;
    row.ok_or(Error::NotFound("message"))
}

/// The text with ids for the names in it.
async fn resolved(within: &Write, workspace: WorkspaceId, text: &str) -> Result<String> {
    if !text.contains('@') {
        return Ok(text.to_owned());
    }
    Ok(with_ids(text, &access::people(&**within, workspace).await?))
}

async fn grow(within: &Write, channel: Uuid, bytes: i64) -> Result<()> {
    run(within, "UPDATE channels SET bytes = bytes + $1 WHERE id = $2", [bytes.into(), channel.into()])
        .await
        .map(drop)
}

/// Notes down who is to hear of a message: whom it names, and who wrote in its thread. Whoever wrote it doesn't, unless an agent
/// did for them.
async fn mention(
    within: &Write,
    channel: &channels::Model,
    row: &channel_messages::Model,
    root: Option<&channel_messages::Model>,
    author: Author,
) -> Result<Vec<ChannelPerson>> {
    let mut named = mentioned(&row.text);
    if author.agent.is_none() {
        named.retain(|person| *person != author.profile_id);
    }
    let mut wrote: Vec<ProfileId> = Vec::new();
    if let Some(root) = root {
        let replies = channel_messages::Entity::find()
            .select_only()
            .column(channel_messages::Column::ProfileId)
            .filter(channel_messages::Column::ChannelId.eq(channel.id))
            .filter(channel_messages::Column::ParentId.eq(root.id))
            .order_by_desc(channel_messages::Column::Number)
            .limit(HEARING);
        let authors: Vec<Option<Uuid>> = replies.into_tuple().all(&**within).await.db()?;
        wrote.extend(authors.into_iter().chain([root.profile_id]).flatten().map(ProfileId));
        wrote.sort_unstable();
        wrote.dedup();
        wrote.retain(|person| *person != author.profile_id && !named.contains(person));
    }
    let asked: Vec<ProfileId> = named.iter().chain(&wrote).copied().collect();
    let told = access::readers_among(&**within, channel, &asked).await?;
    for person in &told {
        let reason = match named.contains(&person.profile_id) {
            true => MentionReason::Named,
            false => MentionReason::Replied,
        };
        let sql = "INSERT INTO channel_mentions (message_id, profile_id, workspace_id, channel_id, parent_id, number, reason) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
        let values: [SqlValue; 7] = [
            row.id.into(),
            person.profile_id.0.into(),
            row.workspace_id.into(),
            row.channel_id.into(),
            row.parent_id.into(),
            row.number.into(),
            reason.as_str().into(),
        ];
        run(within, sql, values).await?;
    }
    Ok(told)
}

/// Enters the words of a message where its readers look: an open channel's with the workspace's, a direct one's with its people's.
async fn index(within: &Write, channel: &channels::Model, row: &channel_messages::Model) -> Result<()> {
    let workspace = WorkspaceId(row.workspace_id);
    let mut scopes = vec![Scope::Channel(ChannelId(channel.id))];
    match access::kind(channel)? {
        ChannelKind::Open => scopes.push(Scope::Workspace(workspace)),
        ChannelKind::Private => {}
        ChannelKind::Direct => {
            let people = people_of(channel).into_iter();
            scopes.extend(people.map(|id| Scope::PersonIn(ProfileId(id), workspace)));
        }
    }
    full_text::put(&**within, full_text::CHANNEL_MESSAGES, row.id, &scopes, &searchable(&row.text)).await
}

pub async fn edit(
    within: &Write,
    workspace: WorkspaceId,
    author: Author,
    message: ChannelMessageId,
    text: &str,
) -> Written {
    let (seen, row) = own(within, workspace, author, message).await?;
    not_archived(&seen.row)?;
    if row.agent_id.is_some() {
        return Err(refused("An agent wrote this message: delete it, and write one yourself."));
    }
    let text = resolved(within, workspace, text).await?;
    let mut outcome = told(done::EDITED, &seen.row);
    outcome["message_id"] = row.id.to_string().into();
    if row.parent_id != row.channel_id {
        outcome["thread_id"] = row.parent_id.to_string().into();
    }
    if text == row.text {
        return Ok(outcome);
    }
    let sql = "UPDATE channel_messages SET text = $1, edited_at = $2 WHERE id = $3";
    run(within, sql, [text.clone().into(), now().into(), row.id.into()]).await?;
    grow(within, row.channel_id, text.len() as i64 - row.text.len() as i64).await?;
    let before = mentioned(&row.text);
    let row = channel_messages::Model { text, ..row };
    let named_now = mentioned(&row.text);
    for person in before.iter() {
        if named_now.contains(person) {
            continue;
        }
        let sql =
            "DELETE FROM channel_mentions WHERE message_id = $1 AND profile_id = $2 AND reason = 'named'";
        run(within, sql, [row.id.into(), person.0.into()]).await?;
    }
    let told_people = mention(within, &seen.row, &row, None, author).await?;
    let new: Vec<&ChannelPerson> =
        told_people.iter().filter(|person| !before.contains(&person.profile_id)).collect();
    if !new.is_empty() {
        outcome[NOTIFIED] = named(new.iter().map(|person| (person.profile_id, person.name.as_str())));
    }
    index(within, &seen.row, &row).await?;
    Ok(outcome)
}

/// The message stays in its place, without its text.
pub async fn delete(
    within: &Write,
    workspace: WorkspaceId,
    author: Author,
    message: ChannelMessageId,
) -> Written {
    let (seen, row) = own(within, workspace, author, message).await?;
    let sql = "UPDATE channel_messages SET text = '', deleted_at = $1 WHERE id = $2";
    run(within, sql, [now().into(), row.id.into()]).await?;
    grow(within, row.channel_id, -(row.text.len() as i64)).await?;
    run(within, "DELETE FROM channel_mentions WHERE message_id = $1", [row.id.into()]).await?;
    full_text::remove(&**within, full_text::CHANNEL_MESSAGES, row.id).await?;
    let mut outcome = told(done::DELETED, &seen.row);
    outcome["message_id"] = row.id.to_string().into();
    if row.parent_id == row.channel_id {
        let sql = "UPDATE channel_members SET unread_deleted = unread_deleted + 1 WHERE channel_id = $1 AND read_number < $2";
        run(within, sql, [row.channel_id.into(), row.number.into()]).await?;
    } else {
        let sql = "UPDATE channel_messages SET replies = replies - 1 WHERE id = $1";
        run(within, sql, [row.parent_id.into()]).await?;
        outcome["thread_id"] = row.parent_id.to_string().into();
    }
    Ok(outcome)
}

/// A message that is there, and that they wrote or an agent wrote for them.
async fn own(
    within: &Write,
    workspace: WorkspaceId,
    author: Author,
    message: ChannelMessageId,
) -> Changed<(Seen, channel_messages::Model)> {
    let (seen, row) = message_there(within, workspace, author.profile_id, message).await?;
    if row.deleted_at.is_some() {
        return Err(refused("This message was deleted."));
    }
    if row.profile_id != Some(author.profile_id.0) {
        return Err(refused("Only who wrote a message can change or delete it."));
    }
    Ok((seen, row))
}
