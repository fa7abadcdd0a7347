//! Who may read a channel: it is open, or they are in it. A channel that they may not read is answered as if it did not exist.

use std::collections::HashMap;

use baton_core::channels::{ChannelKind, ChannelPerson, ChannelReader};
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::store::{Error, Result};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::areas;
use crate::db::{OrStoreError, stored};
use crate::entities::{channel_members, channels, profiles, workspace_members};
use crate::write::Write;

/// A channel that someone may read.
#[derive(Debug)]
pub struct Seen {
    pub row: channels::Model,
    /// None: they are not in it.
    pub own: Option<channel_members::Model>,
}

impl Seen {
    pub fn kind(&self) -> Result<ChannelKind> {
        kind(&self.row)
    }
}

pub fn kind(row: &channels::Model) -> Result<ChannelKind> {
    stored("kind", &row.kind)
}

pub async fn seen(db: &impl ConnectionTrait, reader: ProfileId, channel: Uuid) -> Result<Seen> {
    let row = channels::Entity::find_by_id(channel).one(db).await.db()?;
    of_reader(db, reader, row).await
}

/// The same, and until the write ends nobody else writes in it.
pub async fn locked(within: &Write, reader: ProfileId, channel: Uuid) -> Result<Seen> {
    let row = channels::Entity::find_by_id(channel).lock_exclusive().one(&**within).await.db()?;
    of_reader(&**within, reader, row).await
}

async fn of_reader(
    db: &impl ConnectionTrait,
    reader: ProfileId,
    row: Option<channels::Model>,
) -> Result<Seen> {
    let row = row.ok_or(Error::NotFound("channel"))?;
    let own = channel_members::Entity::find_by_id((row.id, reader.0)).one(db).await.db()?;
    // Of another workspace even an open one is not there.
    let is_seen = match (kind(&row)?, &own) {
        (_, Some(_)) => true,
        (ChannelKind::Open, None) => {
            let member = workspace_members::Entity::find_by_id((row.workspace_id, reader.0));
            member.one(db).await.db()?.is_some()
        }
        (ChannelKind::Private | ChannelKind::Direct, None) => false,
    };
    if is_seen { Ok(Seen { row, own }) } else { Err(Error::NotFound("channel")) }
}

/// Members of a workspace who may read messages there, by name.
pub async fn people(db: &impl ConnectionTrait, workspace: WorkspaceId) -> Result<Vec<ChannelPerson>> {
    let members = workspace_members::Entity::find()
        .filter(workspace_members::Column::WorkspaceId.eq(workspace.0))
        .all(db)
        .await
        .db()?;
    named(db, workspace, members).await
}

/// The same, with their addresses.
pub async fn readers(db: &impl ConnectionTrait, workspace: WorkspaceId) -> Result<Vec<ChannelReader>> {
    let people = people(db, workspace).await?;
    let emails = profiles::Entity::find()
        .select_only()
        .columns([profiles::Column::Id, profiles::Column::Email])
        .filter(profiles::Column::Id.is_in(people.iter().map(|person| person.profile_id.0)))
        .into_tuple::<(Uuid, String)>();
    let emails: HashMap<Uuid, String> = emails.all(db).await.db()?.into_iter().collect();
    let reader = |person: ChannelPerson| {
        let email = emails.get(&person.profile_id.0)?.clone();
        Some(ChannelReader { person, email })
    };
    Ok(people.into_iter().filter_map(reader).collect())
}

/// Of these people, the ones who may read messages in the workspace, by name.
pub async fn people_among(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    among: &[ProfileId],
) -> Result<Vec<ChannelPerson>> {
    let members = workspace_members::Entity::find()
        .filter(workspace_members::Column::WorkspaceId.eq(workspace.0))
        .filter(workspace_members::Column::ProfileId.is_in(among.iter().map(|id| id.0)))
        .all(db)
        .await
        .db()?;
    named(db, workspace, members).await
}

async fn named(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    members: Vec<workspace_members::Model>,
) -> Result<Vec<ChannelPerson>> {
    let rules = areas::rules(db, workspace).await?;
    let mut readers = Vec::new();
    for member in members {
        let areas = rules.areas_of(stored("role", &member.role)?);
        if areas.access(Area::Messages) >= AreaAccess::Read {
            readers.push(member.profile_id);
        }
    }
    let names = names(db, readers.clone()).await?;
    let person = |id: Uuid| {
        let name = names.get(&id)?.clone();
        Some(ChannelPerson { profile_id: ProfileId(id), name })
    };
    let mut people: Vec<ChannelPerson> = readers.into_iter().filter_map(person).collect();
    people.sort_by(|one, other| (&one.name, one.profile_id).cmp(&(&other.name, other.profile_id)));
    Ok(people)
}

/// Of these people, the ones who may read the channel.
pub async fn readers_among(
    db: &impl ConnectionTrait,
    row: &channels::Model,
    among: &[ProfileId],
) -> Result<Vec<ChannelPerson>> {
    if among.is_empty() {
        return Ok(Vec::new());
    }
    let people = people_among(db, WorkspaceId(row.workspace_id), among).await?;
    if kind(row)? == ChannelKind::Open {
        return Ok(people);
    }
    let inside = channel_members::Entity::find()
        .select_only()
        .column(channel_members::Column::ProfileId)
        .filter(channel_members::Column::ChannelId.eq(row.id))
        .filter(channel_members::Column::ProfileId.is_in(among.iter().map(|id| id.0)));
    let inside: Vec<Uuid> = inside.into_tuple().all(db).await.db()?;
    Ok(people.into_iter().filter(|person| inside.contains(&person.profile_id.0)).collect())
}

/// What people are called.
pub async fn names(db: &impl ConnectionTrait, mut ids: Vec<Uuid>) -> Result<HashMap<Uuid, String>> {
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let people = profiles::Entity::find()
        .select_only()
        .columns([profiles::Column::Id, profiles::Column::Name])
        .filter(profiles::Column::Id.is_in(ids))
        .into_tuple::<(Uuid, String)>();
    Ok(people.all(db).await.db()?.into_iter().collect())
}

/// The people of a direct channel as its row keeps them.
pub fn people_key(people: &[Uuid]) -> String {
    let mut people = people.to_vec();
    people.sort_unstable();
    people.dedup();
    people.iter().map(|id| id.simple().to_string()).collect::<Vec<_>>().join(",")
}

pub fn people_of(row: &channels::Model) -> Vec<Uuid> {
    let key = row.people_key.as_deref().unwrap_or_default();
    key.split(',').filter_map(|id| Uuid::parse_str(id).ok()).collect()
}
