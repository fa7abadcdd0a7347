//! Changes of channels and of who is in them. A refusal is words that a person or a model can act on.

use baton_core::channels::{
    ChannelChange, ChannelChanges, ChannelKind, ChannelPerson, MAX_CHANNELS, NewChannel, ReadUpTo, done,
    name_key, named,
};
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::Author;
use baton_core::effects::EffectRefused;
use baton_core::ids::{ChannelId, ProfileId, WorkspaceId};
use baton_core::store::{Error, Result, Written};
use baton_core::workspaces::Role;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, Statement,
    Value as SqlValue,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::access::{self, Seen, people_key};
use super::write;
use crate::areas;
use crate::db::{OrStoreError, at_most, is_taken, now, stored};
use crate::entities::{channel_members, channels, workspace_members};
use crate::write::Write;

pub type Changed<T> = std::result::Result<T, EffectRefused>;

pub async fn change(
    within: &Write,
    workspace: WorkspaceId,
    author: Author,
    change: ChannelChange,
) -> Written {
    let areas = areas::of(&**within, workspace, author.profile_id).await?;
    areas.check(Area::Messages, AreaAccess::Write).map_err(Error::from)?;
    let by = author.profile_id;
    match change {
        ChannelChange::Create { id, new } => create(within, workspace, by, id, new).await,
        ChannelChange::OpenDirect { people } => {
            let row = direct(within, workspace, by, &people).await?;
            Ok(told(done::OPENED, &row))
        }
        ChannelChange::Set { channel, changes } => {
            set(within, there(within, workspace, by, channel).await?, by, changes).await
        }
        ChannelChange::Join { channel } => {
            let seen = there(within, workspace, by, channel).await?;
            join(within, &seen, by).await?;
            Ok(told(done::JOINED, &seen.row))
        }
        ChannelChange::Leave { channel } => {
            leave(within, there(within, workspace, by, channel).await?, by).await
        }
        ChannelChange::Add { channel, people } => {
            add(within, there(within, workspace, by, channel).await?, &people).await
        }
        ChannelChange::Remove { channel, person } => {
            remove(within, there(within, workspace, by, channel).await?, by, person).await
        }
        ChannelChange::Send { id, to, text } => write::send(within, workspace, author, id, to, &text).await,
        ChannelChange::Edit { message, text } => write::edit(within, workspace, author, message, &text).await,
        ChannelChange::Delete { message } => write::delete(within, workspace, author, message).await,
    }
}

pub fn refused(words: impl Into<String>) -> EffectRefused {
    EffectRefused::NotNow(words.into())
}

/// What every outcome has.
pub fn told(what: &str, row: &channels::Model) -> Value {
    json!({"done": what, "channel": {"id": row.id, "name": row.name, "kind": row.kind}})
}

/// A channel of the workspace that its reader may read, locked.
pub async fn there(
    within: &Write,
    workspace: WorkspaceId,
    reader: ProfileId,
    channel: ChannelId,
) -> Result<Seen> {
    let seen = access::locked(within, reader, channel.0).await?;
    if seen.row.workspace_id == workspace.0 { Ok(seen) } else { Err(Error::NotFound("channel")) }
}

async fn create(
    within: &Write,
    workspace: WorkspaceId,
    by: ProfileId,
    id: ChannelId,
    new: NewChannel,
) -> Written {
    let there = channels::Entity::find()
        .filter(channels::Column::WorkspaceId.eq(workspace.0))
        .filter(channels::Column::Kind.is_in([ChannelKind::Open.as_str(), ChannelKind::Private.as_str()]));
    at_most("channels", MAX_CHANNELS, there.count(&**within).await.db()?)?;
    let row = channels::ActiveModel {
        name_key: Set(name_key(&new.name)),
        name: Set(new.name),
        topic: Set(new.topic),
        ..blank(workspace, id, new.kind, by)
    };
    let row = channels::Entity::insert(row).exec_with_returning(&**within).await;
    let row = row.map_err(|error| name_taken(error, new.kind))?;
    let people = access::people_among(&**within, workspace, &new.people).await?;
    let mut inside: Vec<ProfileId> = people.iter().map(|person| person.profile_id).collect();
    inside.retain(|person| *person != by);
    inside.push(by);
    for person in inside {
        enter(within, &row, person).await?;
    }
    Ok(told(done::CREATED, &row))
}

fn blank(workspace: WorkspaceId, id: ChannelId, kind: ChannelKind, by: ProfileId) -> channels::ActiveModel {
    let at = now();
    channels::ActiveModel {
        id: Set(id.0),
        workspace_id: Set(workspace.0),
        kind: Set(kind.to_string()),
        name: Set(String::new()),
        name_key: Set(String::new()),
        topic: Set(String::new()),
        people_key: Set(None),
        created_by: Set(Some(by.0)),
        last_number: Set(0),
        last_message_id: Set(None),
        last_at: Set(at),
        bytes: Set(0),
        created_at: Set(at),
        archived_at: Set(None),
    }
}

fn name_taken(error: sea_orm::DbErr, kind: ChannelKind) -> Error {
    // Only open ones have names of their own.
    if kind == ChannelKind::Open && (is_taken(&error, "name_key") || is_taken(&error, "idx_channels_open")) {
        return Error::NameTaken { what: "channel", field: "name" };
    }
    crate::db::database_error(error)
}

/// Whoever comes in has nothing to catch up on.
async fn enter(within: &Write, row: &channels::Model, person: ProfileId) -> Result<bool> {
    let sql = "INSERT INTO channel_members (channel_id, profile_id, workspace_id, read_number, unread_deleted, joined_at) \
               VALUES ($1, $2, $3, $4, 0, $5) ON CONFLICT DO NOTHING";
    let values: [SqlValue; 5] =
        [row.id.into(), person.0.into(), row.workspace_id.into(), row.last_number.into(), now().into()];
    Ok(run(within, sql, values).await? == 1)
}

/// The direct channel between someone and others, made if there is none.
pub async fn direct(
    within: &Write,
    workspace: WorkspaceId,
    by: ProfileId,
    people: &[ProfileId],
) -> Changed<channels::Model> {
    let mut others: Vec<ProfileId> = people.iter().copied().filter(|person| *person != by).collect();
    others.sort_unstable();
    others.dedup();
    if others.is_empty() {
        return Err(refused("A direct message goes to someone else."));
    }
    let readers = access::people_among(&**within, workspace, &others).await?;
    if readers.len() < others.len() {
        return Err(refused(
            "One of these people is no member of this workspace, or may not read messages here.",
        ));
    }
    let mut everyone: Vec<Uuid> = others.iter().map(|person| person.0).collect();
    everyone.push(by.0);
    let key = people_key(&everyone);
    // So that two who ask at once get the same one.
    within.lock_name(&format!("direct channels of {workspace}")).await?;
    let found = channels::Entity::find()
        .filter(channels::Column::WorkspaceId.eq(workspace.0))
        .filter(channels::Column::PeopleKey.eq(key.clone()));
    let row = match found.one(&**within).await.db()? {
        Some(row) => row,
        None => {
            let row = channels::ActiveModel {
                people_key: Set(Some(key)),
                ..blank(workspace, ChannelId::new(), ChannelKind::Direct, by)
            };
            channels::Entity::insert(row).exec_with_returning(&**within).await.db()?
        }
    };
    for person in everyone {
        enter(within, &row, ProfileId(person)).await?;
    }
    Ok(row)
}

async fn set(within: &Write, seen: Seen, by: ProfileId, changes: ChannelChanges) -> Written {
    not_direct(&seen, "A direct channel has no name and can't be archived.")?;
    let (row, kind) = (&seen.row, seen.kind()?);
    if seen.own.is_none() {
        return Err(refused("Join the channel first."));
    }
    if let Some(archived) = changes.is_archived
        && archived != row.archived_at.is_some()
    {
        may_manage(within, row, by).await?;
    }
    let name = changes.name.unwrap_or_else(|| row.name.clone());
    let change = channels::ActiveModel {
        id: Unchanged(row.id),
        name_key: Set(name_key(&name)),
        name: Set(name),
        topic: Set(changes.topic.unwrap_or_else(|| row.topic.clone())),
        archived_at: Set(match changes.is_archived {
            None => row.archived_at,
            Some(true) => row.archived_at.or(Some(now())),
            Some(false) => None,
        }),
        ..Default::default()
    };
    let row = change.update(&**within).await.map_err(|error| name_taken(error, kind))?;
    Ok(told(done::CHANGED, &row))
}

fn not_direct(seen: &Seen, words: &str) -> Changed<()> {
    if seen.kind()? == ChannelKind::Direct { Err(refused(words)) } else { Ok(()) }
}

/// Whoever made it, admins and owners.
async fn may_manage(within: &Write, row: &channels::Model, by: ProfileId) -> Changed<()> {
    let member = workspace_members::Entity::find_by_id((row.workspace_id, by.0)).one(&**within).await.db()?;
    let role: Option<Role> = member.map(|member| stored("role", &member.role)).transpose()?;
    match row.created_by == Some(by.0) || role.is_some_and(|role| role >= Role::Admin) {
        true => Ok(()),
        false => Err(refused("Only who made the channel, and admins who are in it, can do this.")),
    }
}

pub async fn join(within: &Write, seen: &Seen, by: ProfileId) -> Changed<()> {
    if seen.own.is_some() {
        return Ok(());
    }
    not_archived(&seen.row)?;
    enter(within, &seen.row, by).await?;
    Ok(())
}

pub fn not_archived(row: &channels::Model) -> Changed<()> {
    match row.archived_at {
        Some(_) => Err(refused("This channel is archived: nothing is written in it any more.")),
        None => Ok(()),
    }
}

async fn leave(within: &Write, seen: Seen, by: ProfileId) -> Written {
    not_direct(&seen, "Nobody leaves a direct channel.")?;
    if seen.kind()? == ChannelKind::Private {
        let inside =
            channel_members::Entity::find().filter(channel_members::Column::ChannelId.eq(seen.row.id));
        if seen.own.is_some() && inside.count(&**within).await.db()? == 1 {
            return Err(refused(
                "You are the last one in it, and nobody could come back: archive it instead.",
            ));
        }
    }
    take_out(within, &seen.row, by).await?;
    let mut outcome = told(done::LEFT, &seen.row);
    outcome["gone"] = json!([{ "id": by }]);
    Ok(outcome)
}

async fn take_out(within: &Write, row: &channels::Model, person: ProfileId) -> Result<()> {
    let sql = "DELETE FROM channel_members WHERE channel_id = $1 AND profile_id = $2";
    run(within, sql, [row.id.into(), person.0.into()]).await?;
    // What one can't look at can't be read.
    let sql = "DELETE FROM channel_mentions WHERE workspace_id = $1 AND profile_id = $2 AND channel_id = $3";
    run(within, sql, [row.workspace_id.into(), person.0.into(), row.id.into()]).await.map(drop)
}

async fn add(within: &Write, seen: Seen, people: &[ProfileId]) -> Written {
    not_direct(&seen, "A direct channel is between its people: open another one with more.")?;
    not_archived(&seen.row)?;
    if seen.own.is_none() {
        return Err(refused("Join the channel first."));
    }
    let readers = access::people_among(&**within, WorkspaceId(seen.row.workspace_id), people).await?;
    let mut added: Vec<ChannelPerson> = Vec::new();
    for person in readers {
        if enter(within, &seen.row, person.profile_id).await? {
            added.push(person);
        }
    }
    let mut outcome = told(done::ADDED, &seen.row);
    outcome["people"] = named(added.iter().map(|person| (person.profile_id, person.name.as_str())));
    Ok(outcome)
}

async fn remove(within: &Write, seen: Seen, by: ProfileId, person: ProfileId) -> Written {
    not_direct(&seen, "Nobody is taken out of a direct channel.")?;
    if person == by {
        return leave(within, seen, by).await;
    }
    if seen.own.is_none() {
        return Err(refused("Join the channel first."));
    }
    may_manage(within, &seen.row, by).await?;
    let there = channel_members::Entity::find_by_id((seen.row.id, person.0)).one(&**within).await.db()?;
    if there.is_none() {
        return Err(Error::NotFound("member of this channel").into());
    }
    take_out(within, &seen.row, person).await?;
    let mut outcome = told(done::REMOVED, &seen.row);
    outcome["gone"] = json!([{ "id": person }]);
    Ok(outcome)
}

/// Messages up to a number are read, with the mentions in them. Whether anything changed.
pub async fn mark_read(within: &Write, seen: &Seen, reader: ProfileId, up_to: ReadUpTo) -> Result<bool> {
    let (row, mut changed) = (&seen.row, 0);
    if up_to.thread_id.is_none()
        && let Some(own) = &seen.own
    {
        let number = up_to.number.min(row.last_number);
        if number > own.read_number {
            let sql = "UPDATE channel_members SET read_number = $1, unread_deleted = (SELECT COUNT(*) FROM channel_messages \
                       WHERE channel_id = $2 AND parent_id = $2 AND number > $1 AND deleted_at IS NOT NULL) \
                       WHERE channel_id = $2 AND profile_id = $3";
            changed += run(within, sql, [number.into(), row.id.into(), reader.0.into()]).await?;
        }
    }
    let parent = up_to.thread_id.map_or(row.id, |thread| thread.0);
    let sql = "UPDATE channel_mentions SET read_at = $1 WHERE workspace_id = $2 AND profile_id = $3 AND channel_id = $4 \
               AND parent_id = $5 AND number <= $6 AND read_at IS NULL";
    let values: [SqlValue; 6] = [
        now().into(),
        row.workspace_id.into(),
        reader.0.into(),
        row.id.into(),
        parent.into(),
        up_to.number.into(),
    ];
    changed += run(within, sql, values).await?;
    Ok(changed > 0)
}

pub async fn run<const N: usize>(within: &Write, sql: &str, values: [SqlValue; N]) -> Result<u64> {
    let statement = Statement::from_sql_and_values(within.get_database_backend(), sql, values);
    Ok(within.execute_raw(statement).await.db()?.rows_affected())
}
