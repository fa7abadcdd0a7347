//! What handoffs leave behind: activations, snapshots, transitions, trees of tasks.

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::handoffs::{Activation, Snapshot, Transition};
use baton_core::ids::{ActivationId, AgentId, ConversationId, MessageId, TaskId, WorkspaceId};
use baton_core::store::{Error, Handoffs, PairTotal, Result, TaskTree, TransitionQuery};
use baton_core::visitors::Person;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::{Map, Value};

use crate::connect::SqlStore;
use crate::db::{OrStoreError, stored};
use crate::entities::activations;

#[async_trait]
impl Handoffs for SqlStore {
    async fn hired(&self, _workspace: WorkspaceId) -> Result<Vec<Agent>> {
        Err(Error::NotFound("unfinished"))
    }

    async fn activations(&self, id: ConversationId) -> Result<Vec<Activation>> {
        activations_of(&self.db, id).await
    }

    async fn snapshots(&self, _id: ConversationId) -> Result<Vec<Snapshot>> {
        Err(Error::NotFound("unfinished"))
    }

    async fn transitions(&self, _query: TransitionQuery) -> Result<Vec<Transition>> {
        Err(Error::NotFound("unfinished"))
    }

    async fn transition_totals(&self, _query: TransitionQuery) -> Result<Vec<PairTotal>> {
        Err(Error::NotFound("unfinished"))
    }

    async fn task_tree(&self, _id: TaskId, _person: Person) -> Result<TaskTree> {
        Err(Error::NotFound("unfinished"))
    }
}

/// Oldest first.
pub(crate) async fn activations_of(db: &impl ConnectionTrait, id: ConversationId) -> Result<Vec<Activation>> {
    let rows = activations::Entity::find()
        .filter(activations::Column::ConversationId.eq(id.0))
        .order_by_asc(activations::Column::BeganSeq)
        .order_by_asc(activations::Column::Id)
        .all(db)
        .await
        .db()?;
    rows.into_iter().map(activation).collect()
}

fn activation(row: activations::Model) -> Result<Activation> {
    Ok(Activation {
        id: ActivationId(row.id),
        agent_id: AgentId(row.agent_id),
        status: stored("status", &row.status)?,
        trigger: stored("trigger", &row.trigger)?,
        reason: row.reason,
        summary: row.activation_summary,
        message_id: row.message_id.map(MessageId),
        context: row.context.map(map).unwrap_or_default(),
        context_data: map(row.context_data),
        resumes: row.resumes.map(ActivationId),
        is_pinned: row.is_pinned,
        began_seq: row.began_seq,
        began_at: row.began_at,
        ended_at: row.ended_at,
    })
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
