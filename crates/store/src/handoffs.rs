//! What handoffs leave behind (transitions, snapshots), and the agents that they can go to.

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::handoffs::{Activation, NewTransition, Snapshot, Transition};
use baton_core::ids::{AgentId, ConversationId, SnapshotId, TaskId, TransitionId, WorkspaceId};
use baton_core::store::{Error, Handoffs, PairTotal, Result, TaskTree, TransitionQuery};
use baton_core::tolerant;
use baton_core::visitors::Person;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Select,
};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{agent_conversations, agents, snapshots, transitions};
use crate::{activations, tasks};

#[async_trait]
impl Handoffs for SqlStore {
    async fn hired(&self, workspace: WorkspaceId) -> Result<Vec<Agent>> {
        let rows = agents::Entity::find()
            .filter(agents::Column::WorkspaceId.eq(workspace.0))
            .filter(agents::Column::IsActive.eq(true))
            .order_by_asc(agents::Column::Slug)
            .all(&self.db)
            .await
            .db()?;
        rows.into_iter().map(crate::agents::agent).collect()
    }

    async fn activations(&self, id: ConversationId) -> Result<Vec<Activation>> {
        activations::history(&self.db, id).await
    }

    async fn snapshots(&self, id: ConversationId) -> Result<Vec<Snapshot>> {
        let rows = snapshots::Entity::find()
            .filter(snapshots::Column::ConversationId.eq(id.0))
            .order_by_asc(snapshots::Column::CreatedAt)
            .order_by_asc(snapshots::Column::Id)
            .all(&self.db)
            .await
            .db()?;
        Ok(rows.into_iter().map(snapshot).collect())
    }

    async fn active(&self, id: ConversationId) -> Result<Option<(Activation, i64)>> {
        activations::active(&self.db, id).await
    }

    async fn record_attempt(&self, id: ConversationId, attempt: NewTransition) -> Result<()> {
        let write = self.write().await?;
        let row = agent_conversations::Entity::find_by_id(id.0).one(&*write).await.db()?;
        let row = row.ok_or(Error::NotFound("conversation"))?;
        let new = transitions::ActiveModel {
            id: Set(attempt.id.0),
            workspace_id: Set(row.workspace_id),
            conversation_id: Set(id.0),
            task_id: Set(None),
            trigger: Set(attempt.trigger.to_string()),
            from_agent_id: Set(attempt.from.0),
            to_agent_id: Set(attempt.to.map(|id| id.0)),
            reason: Set(attempt.reason),
            outcome: Set(attempt.outcome.to_string()),
            code: Set(attempt.code),
            latency_ms: Set(attempt.latency_ms),
            tokens_full: Set(attempt.tokens_full),
            tokens_sent: Set(attempt.tokens_sent),
            created_at: Set(now()),
        };
        transitions::Entity::insert(new).exec_without_returning(&*write).await.db()?;
        write.commit_unkept().await
    }

    async fn transitions(&self, query: TransitionQuery) -> Result<Vec<Transition>> {
        let rows = chosen(&query)
            .order_by_desc(transitions::Column::CreatedAt)
            .order_by_desc(transitions::Column::Id)
            .limit(query.limit)
            .all(&self.db)
            .await
            .db()?;
        Ok(rows.into_iter().map(transition).collect())
    }

    async fn transition_totals(&self, query: TransitionQuery) -> Result<Vec<PairTotal>> {
        use transitions::Column::{FromAgentId, ToAgentId};
        let sum = |what: &str| Expr::cust(format!("CAST(SUM({what}) AS BIGINT)"));
        let rows: Vec<PairRow> = chosen(&query)
            .select_only()
            .columns([FromAgentId, ToAgentId])
            .expr_as(Expr::cust("COUNT(*)"), "attempts")
            .expr_as(sum("CASE WHEN outcome = 'completed' THEN 1 ELSE 0 END"), "completed")
            .expr_as(sum("latency_ms"), "latency_ms")
            .expr_as(sum("tokens_full"), "tokens_full")
            .expr_as(sum("tokens_sent"), "tokens_sent")
            .group_by(FromAgentId)
            .group_by(ToAgentId)
            .order_by_desc(Expr::cust("COUNT(*)"))
            .order_by_asc(FromAgentId)
            .order_by_asc(ToAgentId)
            .into_model()
            .all(&self.db)
            .await
            .db()?;
        Ok(rows.into_iter().map(PairTotal::from).collect())
    }

    async fn task_tree(&self, id: TaskId, person: Person) -> Result<TaskTree> {
        tasks::tree(&self.db, id, person).await
    }
}

fn chosen(query: &TransitionQuery) -> Select<transitions::Entity> {
    let mut select =
        transitions::Entity::find().filter(transitions::Column::WorkspaceId.eq(query.workspace_id.0));
    if let Some(agent) = query.agent_id {
        let either = Condition::any()
            .add(transitions::Column::FromAgentId.eq(agent.0))
            .add(transitions::Column::ToAgentId.eq(agent.0));
        select = select.filter(either);
    }
    if let Some(since) = query.since {
        select = select.filter(transitions::Column::CreatedAt.gte(since));
    }
    select
}

#[derive(FromQueryResult)]
struct PairRow {
    from_agent_id: Uuid,
    to_agent_id: Option<Uuid>,
    attempts: i64,
    completed: i64,
    latency_ms: i64,
    tokens_full: i64,
    tokens_sent: i64,
}

impl From<PairRow> for PairTotal {
    fn from(row: PairRow) -> Self {
        Self {
            from: AgentId(row.from_agent_id),
            to: row.to_agent_id.map(AgentId),
            attempts: row.attempts,
            completed: row.completed,
            latency_ms: row.latency_ms,
            tokens_full: row.tokens_full,
            tokens_sent: row.tokens_sent,
        }
    }
}

fn snapshot(row: snapshots::Model) -> Snapshot {
    Snapshot {
        id: SnapshotId(row.id),
        stage: row.stage,
        version: row.version,
        agent_id: AgentId(row.agent_id),
        data: row.data,
        created_at: row.created_at,
    }
}

fn transition(row: transitions::Model) -> Transition {
    Transition {
        workspace_id: WorkspaceId(row.workspace_id),
        conversation_id: ConversationId(row.conversation_id),
        created_at: row.created_at,
        new: NewTransition {
            id: TransitionId(row.id),
            trigger: tolerant::read(&row.trigger),
            from: AgentId(row.from_agent_id),
            to: row.to_agent_id.map(AgentId),
            reason: row.reason,
            outcome: tolerant::read(&row.outcome),
            code: row.code,
            latency_ms: row.latency_ms,
            tokens_full: row.tokens_full,
            tokens_sent: row.tokens_sent,
        },
    }
}
