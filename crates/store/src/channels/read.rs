//! What is written in channels, as one person sees it: pages of messages, search, and mentions.

use std::collections::HashMap;

use baton_core::channels::{
    Around, ChannelKind, ChannelMessage, FoundMessage, MAX_UNREAD_MENTIONS, Mention, MessagesPage,
    MessagesQuery, plain,
};
use baton_core::data::rows::{Author, ByAgent};
use baton_core::ids::{AgentId, ChannelId, ChannelMessageId, ConversationId, ProfileId, WorkspaceId};
use baton_core::search::{Query, snippet};
use baton_core::store::{Error, Result};
use sea_orm::sea_query::Order;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement, Value,
};
use uuid::Uuid;

use super::{access, list};
use crate::conversations;
use crate::db::{OrStoreError, stored};
use crate::entities::{
    agent_conversations, agents, channel_members, channel_mentions, channel_messages, channels,
};
use crate::full_text::{self, Scope};

/// Private channels of one person that a search looks into.
const MAX_SEARCHED: u64 = 1_000;

pub async fn page(
    db: &impl ConnectionTrait,
    reader: ProfileId,
    query: MessagesQuery,
) -> Result<MessagesPage> {
    let seen = access::seen(db, reader, query.channel_id.0).await?;
    let parent = match query.thread_id {
        None => seen.row.id,
        Some(thread) => {
            let root = channel_messages::Entity::find_by_id(thread.0).one(db).await.db()?;
            let is_its = |root: &channel_messages::Model| root.channel_id == seen.row.id;
            root.filter(is_its).ok_or(Error::NotFound("message"))?.id
        }
    };
    let place = (seen.row.id, parent);
    let (rows, has_earlier, has_later) = match query.around {
        Around::Newest => {
            let (rows, earlier) = some(db, place, None, Order::Desc, query.limit).await?;
            (rows, earlier, false)
        }
        Around::Before(number) => {
            let (rows, earlier) = some(db, place, Some(number), Order::Desc, query.limit).await?;
            (rows, earlier, true)
        }
        Around::After(number) => {
            let (rows, later) = some(db, place, Some(number), Order::Asc, query.limit).await?;
            (rows, number > 0, later)
        }
        Around::Number(number) => {
            let half = query.limit.div_ceil(2);
            let (mut rows, earlier) = some(db, place, Some(number), Order::Desc, half).await?;
            let (after, later) = some(db, place, Some(number - 1), Order::Asc, half).await?;
            rows.extend(after);
            (rows, earlier, later)
        }
    };
    Ok(MessagesPage { messages: messages(db, reader, rows).await?, has_earlier, has_later })
}

/// Messages before or after a number, and whether there are more beyond them.
async fn some(
    db: &impl ConnectionTrait,
    (channel, parent): (Uuid, Uuid),
    from: Option<i64>,
    order: Order,
    limit: u64,
) -> Result<(Vec<channel_messages::Model>, bool)> {
    use channel_messages::Column::{ChannelId, Number, ParentId};
    let is_backward = order == Order::Desc;
    let mut select =
        channel_messages::Entity::find().filter(ChannelId.eq(channel)).filter(ParentId.eq(parent));
    if let Some(from) = from {
        select = select.filter(if is_backward { Number.lt(from) } else { Number.gt(from) });
    }
    // One more tells whether there are more.
    let mut rows = select.order_by(Number, order).limit(limit + 1).all(db).await.db()?;
    let has_more = rows.len() as u64 > limit;
    rows.truncate(limit as usize);
    if is_backward {
        rows.reverse();
    }
    Ok((rows, has_more))
}

pub async fn one(
    db: &impl ConnectionTrait,
    reader: ProfileId,
    id: ChannelMessageId,
) -> Result<ChannelMessage> {
    let row = channel_messages::Entity::find_by_id(id.0).one(db).await.db()?;
    let row = row.ok_or(Error::NotFound("message"))?;
    access::seen(db, reader, row.channel_id).await.map_err(hidden)?;
    messages(db, reader, vec![row]).await?.pop().ok_or(Error::NotFound("message"))
}

/// Of a channel that one may not read there is no message either.
pub fn hidden(error: Error) -> Error {
    match error {
        Error::NotFound(_) => Error::NotFound("message"),
        other => other,
    }
}

/// With the names of people and agents. Others' conversations with agents do not exist for the reader.
pub async fn messages(
    db: &impl ConnectionTrait,
    reader: ProfileId,
    rows: Vec<channel_messages::Model>,
) -> Result<Vec<ChannelMessage>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut people: Vec<Uuid> = rows.iter().filter_map(|row| row.profile_id).collect();
    people.extend(rows.iter().filter_map(|row| row.approved_by));
    let people = access::names(db, people).await?;
    let mut hired: HashMap<Uuid, String> = HashMap::new();
    let ids: Vec<Uuid> = rows.iter().filter_map(|row| row.agent_id).collect();
    let mut own: Vec<Uuid> = Vec::new();
    if !ids.is_empty() {
        let select = agents::Entity::find()
            .select_only()
            .columns([agents::Column::Id, agents::Column::Name])
            .filter(agents::Column::Id.is_in(ids))
            .into_tuple::<(Uuid, String)>();
        hired.extend(select.all(db).await.db()?);
        let ids: Vec<Uuid> = rows.iter().filter_map(|row| row.conversation_id).collect();
        let select = conversations::there()
            .select_only()
            .column(agent_conversations::Column::Id)
            .filter(agent_conversations::Column::Id.is_in(ids))
            .filter(agent_conversations::Column::UserId.eq(reader.0))
            .into_tuple::<Uuid>();
        own = select.all(db).await.db()?;
    }
    Ok(rows.into_iter().map(|row| message(row, &people, &hired, &own)).collect())
}

fn message(
    row: channel_messages::Model,
    people: &HashMap<Uuid, String>,
    hired: &HashMap<Uuid, String>,
    own: &[Uuid],
) -> ChannelMessage {
    let name = |id: Option<Uuid>| id.and_then(|id| people.get(&id).cloned());
    ChannelMessage {
        id: ChannelMessageId(row.id),
        workspace_id: WorkspaceId(row.workspace_id),
        channel_id: ChannelId(row.channel_id),
        thread_id: (row.parent_id != row.channel_id).then_some(ChannelMessageId(row.parent_id)),
        number: row.number,
        author: row.profile_id.map(|id| Author { profile_id: ProfileId(id), agent: by_agent(&row) }),
        author_name: name(row.profile_id),
        agent_name: row.agent_id.and_then(|id| hired.get(&id).cloned()),
        conversation_id: row.conversation_id.filter(|id| own.contains(id)).map(ConversationId),
        approved_by: name(row.approved_by),
        text: row.text,
        replies: row.replies.max(0).unsigned_abs(),
        last_reply_at: row.last_reply_at,
        created_at: row.created_at,
        edited_at: row.edited_at,
        deleted_at: row.deleted_at,
    }
}

fn by_agent(row: &channel_messages::Model) -> Option<ByAgent> {
    let (agent, conversation, seq) = (row.agent_id?, row.conversation_id?, row.seq?);
    Some(ByAgent { agent_id: AgentId(agent), conversation_id: ConversationId(conversation), seq })
}

pub async fn search(
    db: &impl ConnectionTrait,
    (workspace, reader): (WorkspaceId, ProfileId),
    query: &Query,
    within: Option<ChannelId>,
    before: Option<ChannelMessageId>,
    limit: u64,
) -> Result<Vec<FoundMessage>> {
    let scopes = match within {
        Some(channel) => {
            let seen = access::seen(db, reader, channel.0).await?;
            if seen.row.workspace_id != workspace.0 {
                return Err(Error::NotFound("channel"));
            }
            vec![Scope::Channel(channel)]
        }
        None => {
            let mut scopes = vec![Scope::Workspace(workspace), Scope::PersonIn(reader, workspace)];
            let sql = format!(
                "SELECT channels.id FROM channel_members AS own JOIN channels ON channels.id = own.channel_id \
                 WHERE own.workspace_id = $1 AND own.profile_id = $2 AND channels.kind = 'private' \
                 ORDER BY channels.last_at DESC LIMIT {MAX_SEARCHED}"
            );
            let values: [Value; 2] = [workspace.0.into(), reader.0.into()];
            let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
            for row in db.query_all_raw(statement).await.db()? {
                scopes.push(Scope::Channel(ChannelId(row.try_get("", "id").db()?)));
            }
            scopes
        }
    };
    let index = full_text::CHANNEL_MESSAGES;
    let found = full_text::newest(db, index, workspace, &scopes, query, before.map(|id| id.0), limit).await?;
    let rows = channel_messages::Entity::find()
        .filter(channel_messages::Column::Id.is_in(found.iter().copied()))
        .filter(channel_messages::Column::DeletedAt.is_null())
        .order_by_desc(channel_messages::Column::Id);
    let rows = theirs(db, reader, rows.all(db).await.db()?).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.channel_id).collect();
    let names = list::channel_names(db, reader, &ids).await?;
    let found = messages(db, reader, rows).await?.into_iter().filter_map(|message| {
        let channel = names.get(&message.channel_id.0)?.clone();
        Some(FoundMessage { snippet: snippet(&plain(&message.text), query), channel, message })
    });
    Ok(found.collect())
}

/// Messages of channels that the reader may read: the index may know them from before.
async fn theirs(
    db: &impl ConnectionTrait,
    reader: ProfileId,
    rows: Vec<channel_messages::Model>,
) -> Result<Vec<channel_messages::Model>> {
    if rows.is_empty() {
        return Ok(rows);
    }
    let ids: Vec<Uuid> = rows.iter().map(|row| row.channel_id).collect();
    let open = channels::Entity::find()
        .select_only()
        .column(channels::Column::Id)
        .filter(channels::Column::Id.is_in(ids.clone()))
        .filter(channels::Column::Kind.eq(ChannelKind::Open.as_str()));
    let mut seen: Vec<Uuid> = open.into_tuple().all(db).await.db()?;
    let own = channel_members::Entity::find()
        .select_only()
        .column(channel_members::Column::ChannelId)
        .filter(channel_members::Column::ProfileId.eq(reader.0))
        .filter(channel_members::Column::ChannelId.is_in(ids));
    seen.extend(own.into_tuple::<Uuid>().all(db).await.db()?);
    Ok(rows.into_iter().filter(|row| seen.contains(&row.channel_id)).collect())
}

pub async fn mentions(
    db: &impl ConnectionTrait,
    (workspace, reader): (WorkspaceId, ProfileId),
    before: Option<ChannelMessageId>,
    limit: u64,
) -> Result<Vec<Mention>> {
    use channel_mentions::Column::{MessageId, ProfileId, WorkspaceId};
    let mut select =
        channel_mentions::Entity::find().filter(WorkspaceId.eq(workspace.0)).filter(ProfileId.eq(reader.0));
    if let Some(before) = before {
        select = select.filter(MessageId.lt(before.0));
    }
    let told = select.order_by_desc(MessageId).limit(limit).all(db).await.db()?;
    let rows = channel_messages::Entity::find()
        .filter(channel_messages::Column::Id.is_in(told.iter().map(|one| one.message_id)))
        .order_by_desc(channel_messages::Column::Id);
    let rows = theirs(db, reader, rows.all(db).await.db()?).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.channel_id).collect();
    let names = list::channel_names(db, reader, &ids).await?;
    let mut mentions = Vec::new();
    for message in messages(db, reader, rows).await? {
        let one = told.iter().find(|one| one.message_id == message.id.0);
        let (Some(one), Some(channel)) = (one, names.get(&message.channel_id.0)) else { continue };
        let (reason, is_read) = (stored("reason", &one.reason)?, one.read_at.is_some());
        mentions.push(Mention { message, channel: channel.clone(), reason, is_read });
    }
    Ok(mentions)
}

pub async fn unread_mentions(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    reader: ProfileId,
) -> Result<u64> {
    let sql = format!(
        "SELECT COUNT(*) AS number FROM (SELECT message_id FROM channel_mentions WHERE workspace_id = $1 AND profile_id = $2 \
         AND read_at IS NULL LIMIT {MAX_UNREAD_MENTIONS}) AS unread"
    );
    let values: [Value; 2] = [workspace.0.into(), reader.0.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let row = db.query_one_raw(statement).await.db()?;
    Ok(row.map_or(Ok(0), |row| row.try_get::<i64>("", "number")).db()?.unsigned_abs())
}
