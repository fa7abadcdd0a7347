//! Channels as one person sees them: with what they have not read.

use std::collections::HashMap;

use baton_core::channels::{
    Channel, ChannelKind, ChannelMember, ChannelName, ChannelPerson, ListedChannels, MAX_UNREAD_MENTIONS,
    name_key,
};
use baton_core::ids::{ChannelId, ProfileId, WorkspaceId};
use baton_core::listing::{Page, Window};
use baton_core::store::{Error, Result};
use baton_core::text;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Statement, Value,
};
use uuid::Uuid;

use super::access::{kind, names, people_of};
use super::read;
use crate::db::OrStoreError;
use crate::entities::{channel_members, channel_messages, channels};

/// People of a channel that are listed.
const MAX_LISTED: u64 = 1_000;
/// Channels of one person that are looked at for a name.
const LOOKED_AT: u64 = 2_000;

/// The members of $2, if they are in it.
const OWN: &str = "LEFT JOIN channel_members AS own ON own.channel_id = channels.id AND own.profile_id = $2";

pub async fn list(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    reader: ProfileId,
    listed: ListedChannels,
    window: Window,
) -> Result<Page<Channel>> {
    let (from, order) = match listed {
        ListedChannels::Own => (
            // A direct one without messages is there for who opened it.
            "FROM channel_members AS own JOIN channels ON channels.id = own.channel_id \
             WHERE own.workspace_id = $1 AND own.profile_id = $2 AND channels.archived_at IS NULL \
             AND (channels.kind <> 'direct' OR channels.last_number > 0 OR channels.created_by = $2)"
                .to_owned(),
            "channels.last_at DESC, channels.id DESC",
        ),
        ListedChannels::Open => (
            format!(
                "FROM channels {OWN} WHERE channels.workspace_id = $1 AND channels.kind = 'open' \
                 AND channels.archived_at IS NULL"
            ),
            "channels.name_key, channels.id",
        ),
        ListedChannels::Archived => (
            format!(
                "FROM channels {OWN} WHERE channels.workspace_id = $1 AND channels.kind IN ('open', 'private') \
                 AND channels.archived_at IS NOT NULL AND (channels.kind = 'open' OR own.profile_id IS NOT NULL)"
            ),
            "channels.name_key, channels.id",
        ),
    };
    let values: Vec<Value> = vec![workspace.0.into(), reader.0.into()];
    let sql = format!("SELECT COUNT(*) AS total {from}");
    let total = Statement::from_sql_and_values(db.get_database_backend(), sql, values.clone());
    let total = db.query_one_raw(total).await.db()?;
    let total = total.map_or(Ok(0), |row| row.try_get::<i64>("", "total")).db()?;
    let sql = format!(
        "SELECT channels.id {from} ORDER BY {order} LIMIT {} OFFSET {}",
        window.limit.min(LOOKED_AT),
        window.offset.min(1_000_000_000)
    );
    let ids = ids(db, sql, values).await?;
    Ok(Page { rows: shown(db, reader, &ids).await?, total: total.unsigned_abs() })
}

async fn ids(db: &impl ConnectionTrait, sql: String, values: Vec<Value>) -> Result<Vec<Uuid>> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.query_all_raw(statement).await.db()?.iter().map(|row| row.try_get("", "id").db()).collect()
}

pub async fn named(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    reader: ProfileId,
    name: &str,
) -> Result<Vec<Channel>> {
    let key = name_key(name);
    let open = "SELECT id FROM channels WHERE workspace_id = $1 AND kind = 'open' AND archived_at IS NULL AND name_key = $2";
    let mut found = ids(db, open.to_owned(), vec![workspace.0.into(), key.clone().into()]).await?;
    let private = "SELECT channels.id FROM channel_members AS own JOIN channels ON channels.id = own.channel_id \
                   WHERE own.workspace_id = $1 AND own.profile_id = $2 AND channels.kind = 'private' \
                   AND channels.name_key = $3 AND channels.archived_at IS NULL";
    let values: Vec<Value> = vec![workspace.0.into(), reader.0.into(), key.into()];
    found.extend(ids(db, private.to_owned(), values).await?);
    if !found.is_empty() {
        return shown(db, reader, &found).await;
    }
    let window = Window { limit: LOOKED_AT, offset: 0 };
    let own = list(db, workspace, reader, ListedChannels::Own, window).await?;
    let is_called = |channel: &Channel| {
        channel.kind == ChannelKind::Direct && text::fold(&channel.title()) == text::fold(name.trim())
    };
    Ok(own.rows.into_iter().filter(is_called).collect())
}

pub async fn one(db: &impl ConnectionTrait, reader: ProfileId, id: ChannelId) -> Result<Channel> {
    super::access::seen(db, reader, id.0).await?;
    shown(db, reader, &[id.0]).await?.pop().ok_or(Error::NotFound("channel"))
}

pub async fn members(db: &impl ConnectionTrait, row: &channels::Model) -> Result<Vec<ChannelMember>> {
    let inside = channel_members::Entity::find()
        .filter(channel_members::Column::ChannelId.eq(row.id))
        .order_by_asc(channel_members::Column::ProfileId)
        .limit(MAX_LISTED)
        .all(db)
        .await
        .db()?;
    let names = names(db, inside.iter().map(|one| one.profile_id).collect()).await?;
    let member = |one: channel_members::Model| {
        let name = names.get(&one.profile_id)?.clone();
        Some(ChannelMember { profile_id: ProfileId(one.profile_id), name, joined_at: one.joined_at })
    };
    let mut members: Vec<ChannelMember> = inside.into_iter().filter_map(member).collect();
    members.sort_by(|one, other| (&one.name, one.profile_id).cmp(&(&other.name, other.profile_id)));
    Ok(members)
}

/// What these channels are called by a reader, who may read them.
pub async fn channel_names(
    db: &impl ConnectionTrait,
    reader: ProfileId,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, ChannelName>> {
    let rows = channels::Entity::find()
        .filter(channels::Column::Id.is_in(ids.iter().copied()))
        .all(db)
        .await
        .db()?;
    let people = people(db, reader, &rows).await?;
    rows.into_iter()
        .map(|row| {
            let people = people.get(&row.id).cloned().unwrap_or_default();
            let name = ChannelName { id: ChannelId(row.id), kind: kind(&row)?, name: row.name, people };
            Ok((row.id, name))
        })
        .collect()
}

/// The others in direct channels.
async fn people(
    db: &impl ConnectionTrait,
    reader: ProfileId,
    rows: &[channels::Model],
) -> Result<HashMap<Uuid, Vec<ChannelPerson>>> {
    let names = names(db, rows.iter().flat_map(people_of).collect()).await?;
    let others = |row: &channels::Model| {
        let others = people_of(row).into_iter().filter(|id| *id != reader.0);
        let named = others.filter_map(|id| {
            Some(ChannelPerson { profile_id: ProfileId(id), name: names.get(&id)?.clone() })
        });
        let mut people: Vec<ChannelPerson> = named.collect();
        people.sort_by(|one, other| one.name.cmp(&other.name));
        (row.id, people)
    };
    Ok(rows.iter().filter(|row| row.people_key.is_some()).map(others).collect())
}

#[derive(FromQueryResult)]
struct Counted {
    channel_id: Uuid,
    number: i64,
}

async fn counted(db: &impl ConnectionTrait, sql: String, values: Vec<Value>) -> Result<HashMap<Uuid, u64>> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let rows = Counted::find_by_statement(statement).all(db).await.db()?;
    Ok(rows.into_iter().map(|row| (row.channel_id, row.number.unsigned_abs())).collect())
}

/// Channels that the reader may read, in this order.
async fn shown(db: &impl ConnectionTrait, reader: ProfileId, ids: &[Uuid]) -> Result<Vec<Channel>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut rows = channels::Entity::find()
        .filter(channels::Column::Id.is_in(ids.iter().copied()))
        .all(db)
        .await
        .db()?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    let own = channel_members::Entity::find()
        .filter(channel_members::Column::ProfileId.eq(reader.0))
        .filter(channel_members::Column::ChannelId.is_in(ids.iter().copied()));
    let own = own.all(db).await.db()?;
    let own: HashMap<Uuid, channel_members::Model> =
        own.into_iter().map(|one| (one.channel_id, one)).collect();
    let places: Vec<String> = (1..=ids.len()).map(|at| format!("${at}")).collect();
    let inside = format!(
        "SELECT channel_id, COUNT(*) AS number FROM channel_members WHERE channel_id IN ({}) GROUP BY channel_id",
        places.join(", ")
    );
    let inside = counted(db, inside, ids.iter().map(|id| (*id).into()).collect()).await?;
    let workspace = rows.first().map_or(Uuid::nil(), |row| row.workspace_id);
    let mentions = format!(
        "SELECT channel_id, COUNT(*) AS number FROM (SELECT channel_id FROM channel_mentions WHERE workspace_id = $1 \
         AND profile_id = $2 AND read_at IS NULL LIMIT {}) AS unread GROUP BY channel_id",
        MAX_UNREAD_MENTIONS * 10
    );
    let mentions = counted(db, mentions, vec![workspace.into(), reader.0.into()]).await?;
    let last: Vec<Uuid> = rows.iter().filter_map(|row| row.last_message_id).collect();
    let last = channel_messages::Entity::find().filter(channel_messages::Column::Id.is_in(last));
    let last = read::messages(db, reader, last.all(db).await.db()?).await?;
    let mut last: HashMap<Uuid, _> = last.into_iter().map(|one| (one.channel_id.0, one)).collect();
    let mut people = people(db, reader, &rows).await?;
    rows.into_iter()
        .map(|row| {
            let own = own.get(&row.id);
            let unread = own.map_or(0, |own| row.last_number - own.read_number - own.unread_deleted);
            Ok(Channel {
                kind: kind(&row)?,
                people: people.remove(&row.id).unwrap_or_default(),
                members: inside.get(&row.id).copied().unwrap_or(0),
                is_member: own.is_some(),
                read_number: own.map(|own| own.read_number),
                unread: unread.max(0).unsigned_abs(),
                unread_mentions: mentions.get(&row.id).copied().unwrap_or(0),
                last: last.remove(&row.id),
                id: ChannelId(row.id),
                workspace_id: WorkspaceId(row.workspace_id),
                name: row.name,
                topic: row.topic,
                created_by: row.created_by.map(ProfileId),
                last_number: row.last_number,
                last_at: row.last_at,
                created_at: row.created_at,
                archived_at: row.archived_at,
            })
        })
        .collect()
}
