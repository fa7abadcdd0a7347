//! Versions of a conversation: a fork has the same history up to a message, and then its own. The log stays linear.

mod copies;

use async_trait::async_trait;
use baton_core::conversations::Conversation;
use baton_core::ids::{ConversationId, MessageId};
use baton_core::log::Step;
use baton_core::store::{Error, ForkPoint, Forks, Result, Version};
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

use crate::byte_pages::{Edge, steps};
use crate::connect::SqlStore;
use crate::conversations::{belongs_to, conversation, find, there, unforked};
use crate::db::{OrStoreError, now};
use crate::entities::{agent_conversations, agent_messages};
use crate::turns::logged;
use copies::{Copy, PAGE};

#[async_trait]
impl Forks for SqlStore {
    /// The copy is made in pieces, so that others write in between. Until it is whole it counts as deleted: nobody sees
    /// it, and if nobody finishes it, it is purged like the rest.
    async fn fork(&self, id: ConversationId, person: Person, before: MessageId) -> Result<Conversation> {
        let from = find(&self.db, id, person).await?;
        if from.parent_id.is_some() {
            return Err(Error::IsSubtask);
        }
        let message = first_left_out(&self.db, id, before).await?;
        let origin = origin(&self.db, &from, message.seq).await?;
        let at = now();
        let row = agent_conversations::ActiveModel {
            id: Set(ConversationId::new().0),
            workspace_id: Set(from.workspace_id),
            agent_id: Set(from.agent_id),
            team_id: Set(from.team_id),
            user_id: Set(from.user_id),
            visitor_id: Set(from.visitor_id),
            search_text: Set(String::new()),
            last_seq: Set(message.seq - 1),
            created_at: Set(at),
            updated_at: Set(at),
            forked_from: Set(Some(origin)),
            forked_seq: Set(Some(message.seq)),
            left_writes_behind: Set(wrote_from(&self.db, id, message.seq).await?),
            deleted_at: Set(Some(at)),
            ..unforked()
        };
        let write = self.write().await?;
        let row = agent_conversations::Entity::insert(row).exec_with_returning(&*write).await.db()?;
        write.commit_unkept().await?;
        let copy = Copy { from: id.0, to: row.id, before: message.seq };
        let ids = self.copy_messages(copy).await?;
        let bytes = self.copy_steps(copy, &ids).await?;
        let activations = self.copy_activations(copy, &ids).await?;
        self.copy_snapshots(copy, message.created_at).await?;

        let write = self.write().await?;
        // A conversation that was renamed or deleted meanwhile was renamed or deleted with all its versions.
        let from = there().filter(agent_conversations::Column::Id.eq(id.0)).lock_exclusive();
        let from = from.one(&*write).await.db()?.ok_or(Error::NotFound("conversation"))?;
        let family = from.family_id.unwrap_or(from.id);
        if from.family_id.is_none() {
            let first = agent_conversations::ActiveModel {
                id: Unchanged(from.id),
                family_id: Set(Some(family)),
                ..Default::default()
            };
            first.update(&*write).await.db()?;
        }
        let whole = agent_conversations::ActiveModel {
            id: Unchanged(row.id),
            title: Set(from.title),
            search_text: Set(from.search_text),
            family_id: Set(Some(family)),
            epoch: Set(activations),
            bytes: Set(bytes),
            deleted_at: Set(None),
            ..Default::default()
        };
        let row = whole.update(&*write).await.db()?;
        write.commit_unkept().await?;
        conversation(row)
    }

    async fn fork_points(&self, of: &Conversation) -> Result<Vec<ForkPoint>> {
        // Every conversation that shares a beginning: those forked from one of its ancestors, or from itself.
        let mut line = vec![(of.id.0, i64::MAX)];
        let mut next = of.forked_from.zip(of.forked_seq);
        while let Some((id, seq)) = next {
            line.push((id.0, seq));
            let row = agent_conversations::Entity::find_by_id(id.0).one(&self.db).await.db()?;
            next = row.and_then(|row| Some((ConversationId(row.forked_from?), row.forked_seq?)));
        }
        let ids: Vec<Uuid> = line.iter().map(|(id, _)| *id).collect();
        let rows = there()
            .filter(belongs_to(of.person))
            .filter(
                Condition::any()
                    .add(agent_conversations::Column::ForkedFrom.is_in(ids.iter().copied()))
                    .add(agent_conversations::Column::Id.is_in(ids.iter().copied())),
            )
            .order_by_asc(agent_conversations::Column::Id)
            .all(&self.db)
            .await
            .db()?;
        let mut points: BTreeMap<(Uuid, i64), Vec<Version>> = BTreeMap::new();
        for row in &rows {
            if let (Some(from), Some(seq)) = (row.forked_from, row.forked_seq)
                && line.iter().any(|(id, shared)| *id == from && seq <= *shared)
            {
                points.entry((from, seq)).or_default().push(version(row));
            }
        }
        let mut found = Vec::with_capacity(points.len());
        for ((from, seq), mut versions) in points {
            if let Some(original) = rows.iter().find(|row| row.id == from) {
                versions.insert(0, Version { left_writes_behind: false, ..version(original) });
            }
            let message_id = message_at(&self.db, of.id, seq).await?;
            found.push(ForkPoint { seq, message_id, versions });
        }
        found.sort_by_key(|point| point.seq);
        Ok(found)
    }
}

fn version(row: &agent_conversations::Model) -> Version {
    Version {
        id: ConversationId(row.id),
        title: row.title.clone(),
        created_at: row.created_at,
        left_writes_behind: row.left_writes_behind,
    }
}

/// The conversation that a new fork is a version of. If the edited message is in the part that a fork shares with its
/// original, this is the original.
async fn origin(db: &impl ConnectionTrait, from: &agent_conversations::Model, seq: i64) -> Result<Uuid> {
    let mut at = from.clone();
    while let (Some(parent), Some(shared)) = (at.forked_from, at.forked_seq)
        && seq <= shared
    {
        match agent_conversations::Entity::find_by_id(parent).one(db).await.db()? {
            Some(row) => at = row,
            None => return Ok(parent),
        }
    }
    Ok(at.id)
}

/// Whether a tool that writes succeeded from this step on.
async fn wrote_from(db: &impl ConnectionTrait, id: ConversationId, seq: i64) -> Result<bool> {
    let mut writing: HashMap<String, bool> = HashMap::new();
    let mut last = seq - 1;
    loop {
        let page = steps(db.get_database_backend(), id.0, Edge::After(last), PAGE).all(db).await.db()?;
        let Some(newest) = page.last() else { return Ok(false) };
        last = newest.seq;
        for row in page {
            match logged(row).step {
                Step::ToolCall(call) => {
                    writing.insert(call.call_id, call.nature.is_some_and(|nature| nature.writes));
                }
                Step::ToolResult(result)
                    if (result.success || result.unknown) && writing.get(&result.call_id) == Some(&true) =>
                {
                    return Ok(true);
                }
                _ => {}
            }
        }
    }
}

/// The message at which a fork begins to differ.
struct LeftOut {
    seq: i64,
    created_at: DateTime<Utc>,
}

async fn first_left_out(
    db: &impl ConnectionTrait,
    id: ConversationId,
    message: MessageId,
) -> Result<LeftOut> {
    let row = agent_messages::Entity::find_by_id(message.0)
        .select_only()
        .columns([agent_messages::Column::Seq, agent_messages::Column::CreatedAt])
        .filter(agent_messages::Column::ConversationId.eq(id.0))
        .into_tuple::<(i64, DateTime<Utc>)>();
    let (seq, created_at) = row.one(db).await.db()?.ok_or(Error::NotFound("message"))?;
    Ok(LeftOut { seq, created_at })
}

async fn message_at(db: &impl ConnectionTrait, id: ConversationId, seq: i64) -> Result<Option<MessageId>> {
    let row = agent_messages::Entity::find()
        .select_only()
        .column(agent_messages::Column::Id)
        .filter(agent_messages::Column::ConversationId.eq(id.0))
        .filter(agent_messages::Column::Seq.eq(seq))
        .into_tuple::<Uuid>()
        .one(db)
        .await
        .db()?;
    Ok(row.map(MessageId))
}
