//! What a fork takes along: everything up to a number, with ids of its own.

use std::collections::HashMap;

use baton_core::handoffs::ActivationStatus;
use baton_core::ids::{ActivationId, MessageId, SnapshotId};
use baton_core::store::{Error, Result};
use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::entities::{activations, agent_messages, snapshots, task_messages};

/// Rows copied in one transaction.
const BATCH: u64 = 200;

/// From one conversation to another, up to and without this number.
#[derive(Clone, Copy)]
pub struct Copy {
    pub from: Uuid,
    pub to: Uuid,
    pub before: i64,
}

impl SqlStore {
    /// Which message became which.
    pub(super) async fn copy_messages(&self, copy: Copy) -> Result<HashMap<Uuid, Uuid>> {
        let (mut ids, mut last) = (HashMap::new(), 0);
        loop {
            let rows = agent_messages::Entity::find()
                .filter(agent_messages::Column::ConversationId.eq(copy.from))
                .filter(agent_messages::Column::Seq.gt(last))
                .filter(agent_messages::Column::Seq.lt(copy.before))
                .order_by_asc(agent_messages::Column::Seq)
                .limit(BATCH)
                .all(&self.db)
                .await
                .db()?;
            let Some(newest) = rows.last() else { return Ok(ids) };
            last = newest.seq;
            let copies = rows.into_iter().map(|row| {
                let id = MessageId::new().0;
                ids.insert(row.id, id);
                agent_messages::ActiveModel::from(agent_messages::Model {
                    id,
                    conversation_id: copy.to,
                    ..row
                })
                .reset_all()
            });
            let copies: Vec<_> = copies.collect();
            let write = self.write().await?;
            agent_messages::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
            write.commit_unkept().await?;
        }
    }

    pub(super) async fn copy_steps(&self, copy: Copy, ids: &HashMap<Uuid, Uuid>) -> Result<()> {
        let mut last = 0;
        loop {
            let rows = task_messages::Entity::find()
                .filter(task_messages::Column::ConversationId.eq(copy.from))
                .filter(task_messages::Column::Seq.gt(last))
                .filter(task_messages::Column::Seq.lt(copy.before))
                .order_by_asc(task_messages::Column::Seq)
                .limit(BATCH)
                .all(&self.db)
                .await
                .db()?;
            let Some(newest) = rows.last() else { return Ok(()) };
            last = newest.seq;
            let copies = rows.into_iter().map(|row| {
                let message_id = row.message_id.map(|id| ids.get(&id).copied().unwrap_or(id));
                task_messages::ActiveModel::from(task_messages::Model {
                    conversation_id: copy.to,
                    message_id,
                    ..row
                })
                .reset_all()
            });
            let write = self.write().await?;
            task_messages::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
            write.commit_unkept().await?;
        }
    }

    /// Who held it when, up to there; how many there were. Whoever held it then holds the copy. What is handed on
    /// meanwhile begins after that.
    pub(super) async fn copy_activations(&self, copy: Copy, messages: &HashMap<Uuid, Uuid>) -> Result<i64> {
        let held = activations::Entity::find()
            .filter(activations::Column::ConversationId.eq(copy.from))
            .filter(activations::Column::BeganSeq.lt(copy.before));
        let total = held.clone().count(&self.db).await.db()?;
        let held = held.order_by_asc(activations::Column::BeganSeq).order_by_asc(activations::Column::Id);
        let (mut ids, mut copied) = (HashMap::new(), 0);
        while copied < total {
            let rows =
                held.clone().offset(copied).limit(BATCH.min(total - copied)).all(&self.db).await.db()?;
            if rows.is_empty() {
                break;
            }
            let mut copies = Vec::with_capacity(rows.len());
            for row in rows {
                copied += 1;
                let id = ActivationId::new().0;
                ids.insert(row.id, id);
                let mut made = activations::Model {
                    id,
                    conversation_id: copy.to,
                    message_id: row.message_id.map(|id| messages.get(&id).copied().unwrap_or(id)),
                    resumes: row.resumes.and_then(|earlier| ids.get(&earlier).copied()),
                    ..row
                };
                if copied == total {
                    made.status = ActivationStatus::Active.to_string();
                    made.ended_at = None;
                }
                copies.push(activations::ActiveModel::from(made).reset_all());
            }
            let write = self.write().await?;
            activations::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
            write.commit_unkept().await?;
        }
        i64::try_from(total).map_err(|error| Error::Database(Box::new(error)))
    }

    /// The results of stages that were there when the first message left out was made.
    pub(super) async fn copy_snapshots(&self, copy: Copy, made: DateTime<Utc>) -> Result<()> {
        let rows = snapshots::Entity::find()
            .filter(snapshots::Column::ConversationId.eq(copy.from))
            .filter(snapshots::Column::CreatedAt.lte(made))
            .all(&self.db)
            .await
            .db()?;
        if rows.is_empty() {
            return Ok(());
        }
        let copies = rows.into_iter().map(|row| {
            let id = SnapshotId::new().0;
            let made = snapshots::Model { id, conversation_id: copy.to, ..row };
            snapshots::ActiveModel::from(made).reset_all()
        });
        let write = self.write().await?;
        snapshots::Entity::insert_many(copies).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await
    }
}
