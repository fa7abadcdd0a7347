//! Approvals: read by their person, decided once. A decision is a step of the log, and gives a turn that waited to the
//! node that took it.

use async_trait::async_trait;
use baton_core::approvals::{Approval, ApprovalStatus, arguments_hash, decided_hash};
use baton_core::ids::{AgentId, ApprovalId, ConversationId, MessageId, TaskId, TokenId};
use baton_core::log::{NewStep, Step};
use baton_core::refusals::check_decision;
use baton_core::store::{ApprovalQuery, Approvals, Error, Result};
use baton_core::tolerant;
use baton_core::turns::{Decide, Decided, Refused};
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Statement,
};
use serde_json::Value;
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::conversations::{self, belongs_to, there};
use crate::db::OrStoreError;
use crate::entities::{agent_conversations, approvals, task_messages};
use crate::turns::step_model;
use crate::write::Write;

#[async_trait]
impl Approvals for SqlStore {
    async fn approvals(&self, query: ApprovalQuery) -> Result<Vec<Approval>> {
        let theirs = there()
            .select_only()
            .column(agent_conversations::Column::Id)
            .filter(agent_conversations::Column::WorkspaceId.eq(query.workspace_id.0))
            .filter(belongs_to(query.person))
            .into_query();
        let mut select = approvals::Entity::find()
            .filter(approvals::Column::WorkspaceId.eq(query.workspace_id.0))
            .filter(approvals::Column::ConversationId.in_subquery(theirs));
        if let Some(id) = query.conversation_id {
            select = select.filter(approvals::Column::ConversationId.eq(id.0));
        }
        if let Some(status) = query.status {
            select = select.filter(approvals::Column::Status.eq(status.as_str()));
        }
        let rows = select.order_by_desc(approvals::Column::Id).limit(query.limit).all(&self.db).await.db()?;
        rows.into_iter().map(approval).collect()
    }

    async fn approval(&self, id: ApprovalId, person: Person) -> Result<Approval> {
        let row = approvals::Entity::find_by_id(id.0).one(&self.db).await.db()?;
        let row = row.ok_or(Error::NotFound("approval"))?;
        let theirs = there()
            .filter(agent_conversations::Column::Id.eq(row.conversation_id))
            .filter(belongs_to(person))
            .one(&self.db)
            .await
            .db()?;
        if theirs.is_none() {
            return Err(Error::NotFound("approval"));
        }
        approval(row)
    }

    async fn decide(&self, decide: Decide) -> std::result::Result<Decided, Refused> {
        let write = self.write().await?;
        let id = find(&*write, decide.approval_id).await?.conversation_id;
        // The conversation's row first, always: no two transactions wait for each other.
        let conversation = there()
            .filter(agent_conversations::Column::Id.eq(id))
            .lock_exclusive()
            .one(&*write)
            .await
            .db()?
            .ok_or(Error::NotFound("approval"))?;
        let row = find(&*write, decide.approval_id).await?;
        let turn = conversation.turn_task_id.map(TaskId);
        if let Err(refused) = check_decision(&approval(row.clone())?, turn, &decide) {
            // Nothing is written. The row is let go before the answer: a claim passes over rows that are locked.
            write.commit_unkept().await?;
            return Err(refused);
        }
        let step = resolved_step(&row, &decide);
        let resumes = conversation.turn_owner.is_none();
        let seq = conversation.last_seq + 1;
        let logged = step.clone().at(seq, decide.at);

        let mut change = agent_conversations::ActiveModel {
            id: Unchanged(conversation.id),
            last_seq: Set(seq),
            ..Default::default()
        };
        if resumes {
            change.turn_owner = Set(Some(decide.node.0));
            change.turn_attempt = Set(conversation.turn_attempt + 1);
        }
        let changed = change.update(&*write).await.db()?;
        store_decision(&write, &row, &decide).await?;
        let row_of_step = step_model(id, seq, &step, decide.at)?;
        task_messages::Entity::insert(row_of_step).exec_without_returning(&*write).await.db()?;
        if resumes {
            // The approval names the turn; which of its tasks waits depends on what was handed off.
            let sql = "UPDATE tasks SET status = 'running' \
                       WHERE conversation_id = $1 AND master_task_id = $2 AND status = 'waiting'";
            let (backend, values) = (write.get_database_backend(), [id.into(), row.task_id.into()]);
            write.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await.db()?;
        }
        write.commit_unkept().await?;
        Ok(Decided { conversation: conversations::conversation(changed)?, step: logged, resumes })
    }

    async fn remembered(&self, conversation: ConversationId, agent: AgentId) -> Result<Vec<String>> {
        approvals::Entity::find()
            .select_only()
            .column(approvals::Column::ArgsHash)
            .filter(approvals::Column::ConversationId.eq(conversation.0))
            .filter(approvals::Column::AgentId.eq(agent.0))
            .filter(approvals::Column::Remember.eq(true))
            .filter(approvals::Column::Status.eq(ApprovalStatus::Approved.as_str()))
            .into_tuple()
            .all(&self.db)
            .await
            .db()
    }

    async fn overdue_approvals(&self, now: DateTime<Utc>) -> Result<Vec<ApprovalId>> {
        // Said and not bound: only so does SQLite know, when it plans, that the index of those that wait will do.
        let waits = format!("status = '{}'", ApprovalStatus::Pending.as_str());
        let rows = approvals::Entity::find()
            .select_only()
            .column(approvals::Column::Id)
            .filter(Expr::cust(waits))
            .filter(approvals::Column::ExpiresAt.lte(now))
            .limit(100)
            .into_tuple::<Uuid>()
            .all(&self.db)
            .await
            .db()?;
        Ok(rows.into_iter().map(ApprovalId).collect())
    }

    async fn token_of_task(&self, task: TaskId) -> Result<Option<TokenId>> {
        let sql = "SELECT token_id FROM tasks WHERE id = $1";
        let backend = self.db.get_database_backend();
        let row = self.db.query_one_raw(Statement::from_sql_and_values(backend, sql, [task.0.into()]));
        let Some(row) = row.await.db()? else { return Ok(None) };
        Ok(row.try_get::<Option<Uuid>>("", "token_id").db()?.map(TokenId))
    }
}

async fn find(db: &impl ConnectionTrait, id: ApprovalId) -> Result<approvals::Model> {
    approvals::Entity::find_by_id(id.0).one(db).await.db()?.ok_or(Error::NotFound("approval"))
}

fn resolved_step(row: &approvals::Model, decide: &Decide) -> NewStep {
    NewStep {
        task_id: Some(TaskId(row.task_id)),
        agent_id: AgentId(row.agent_id),
        message_id: Some(MessageId(row.message_id)),
        step: Step::ApprovalResolved {
            approval_id: decide.approval_id,
            call_id: row.call_id.clone(),
            decision: decide.decision,
            by: decide.by.clone(),
            reason: decide.reason.clone(),
            remember: decide.remember,
            args: decide.args.clone(),
            args_hash: decided_hash(&row.tool_name, decide.args_hash.as_ref(), decide.args.as_ref()),
        },
    }
}

async fn store_decision(write: &Write, row: &approvals::Model, decide: &Decide) -> Result<()> {
    let mut change = approvals::ActiveModel {
        id: Unchanged(row.id),
        status: Set(decide.decision.to_string()),
        remember: Set(decide.remember),
        reason: Set(decide.reason.clone()),
        decided_by: Set(Some(decide.by.clone())),
        decided_at: Set(Some(decide.at)),
        ..Default::default()
    };
    if let Some(args) = &decide.args {
        change.args_hash = Set(arguments_hash(&row.tool_name, args));
        change.args = Set(Value::Object(args.clone()));
        // It was of other arguments.
        change.preview = Set(None);
    }
    change.update(&**write).await.db().map(drop)
}

fn approval(row: approvals::Model) -> Result<Approval> {
    let Value::Object(args) = row.args else {
        return Err(Error::Database(format!("the arguments of approval {} are no object", row.id).into()));
    };
    Ok(Approval {
        id: ApprovalId(row.id),
        workspace_id: row.workspace_id.into(),
        conversation_id: ConversationId(row.conversation_id),
        task_id: TaskId(row.task_id),
        agent_id: AgentId(row.agent_id),
        call_id: row.call_id,
        // Not as the row has it: whole numbers were written otherwise once.
        args_hash: arguments_hash(&row.tool_name, &args),
        tool_name: row.tool_name,
        args,
        status: tolerant::read(&row.status),
        reason: row.reason,
        decided_by: row.decided_by,
        decided_at: row.decided_at,
        expires_at: row.expires_at,
        preview: row.preview.and_then(|preview| serde_json::from_value(preview).ok()),
        created_at: row.created_at,
    })
}
