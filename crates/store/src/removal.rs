//! Conversations on their way out: marked first, so that nobody sees them and no turn writes to them; removed later.

use baton_core::store::Result;
use chrono::{DateTime, Duration, Utc};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, IntoCondition};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Statement,
};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{agent_conversations, approvals, transitions};
use crate::write::Write;

/// Conversations in one transaction.
const PURGED_AT_ONCE: u64 = 20;

/// Marks them, and all that was asked for in them, and ends their turns; what they hold is purged later. A driver's next
/// commit finds no row.
pub async fn mark_deleted(write: &Write, mut going: Vec<Uuid>) -> Result<()> {
    // Who asked is marked before who was asked: then nobody else is asked, and whoever locks several does it in this order.
    while !going.is_empty() {
        for id in &going {
            mark_one(write, *id).await?;
        }
        let asked = agent_conversations::Entity::find()
            .select_only()
            .column(agent_conversations::Column::Id)
            .filter(agent_conversations::Column::ParentId.is_in(going))
            .filter(agent_conversations::Column::DeletedAt.is_null())
            .order_by_asc(agent_conversations::Column::Id)
            .into_tuple::<Uuid>();
        going = asked.all(&**write).await.db()?;
    }
    Ok(())
}

async fn mark_one(write: &Write, id: Uuid) -> Result<()> {
    let at = now();
    let change = agent_conversations::ActiveModel {
        id: Unchanged(id),
        deleted_at: Set(Some(at)),
        turn_task_id: Set(None),
        turn_owner: Set(None),
        ..Default::default()
    };
    change.update(&**write).await.db()?;
    approvals::Entity::update_many()
        .col_expr(approvals::Column::Status, Expr::value("cancelled"))
        .col_expr(approvals::Column::DecidedAt, Expr::value(at))
        .filter(approvals::Column::ConversationId.eq(id))
        .filter(approvals::Column::Status.eq("pending"))
        .exec(&**write)
        .await
        .db()?;
    forget_reasons(write, agent_conversations::Column::Id.eq(id).into_condition()).await?;
    let sql = "UPDATE tasks SET status = 'cancelled', ended_at = $2 \
               WHERE conversation_id = $1 AND status IN ('pending', 'running', 'waiting')";
    let backend = write.get_database_backend();
    write.execute_raw(Statement::from_sql_and_values(backend, sql, [id.into(), at.into()])).await.db()?;
    Ok(())
}

impl SqlStore {
    /// Removes what was deleted a while ago, once nothing can be writing to it: a few at a time, so that others write in
    /// between.
    pub async fn purge(&self, now: DateTime<Utc>) -> Result<()> {
        let lock = if self.writer.is_some() { "" } else { "FOR UPDATE SKIP LOCKED" };
        let sql = format!(
            "DELETE FROM agent_conversations WHERE id IN (SELECT id FROM agent_conversations \
             WHERE deleted_at < $1 ORDER BY deleted_at LIMIT {PURGED_AT_ONCE} {lock})"
        );
        loop {
            let write = self.write().await?;
            let old = now - Duration::minutes(10);
            let statement = Statement::from_sql_and_values(write.get_database_backend(), &sql, [old.into()]);
            let purged = write.execute_raw(statement).await.db()?.rows_affected();
            write.commit_unkept().await?;
            if purged < PURGED_AT_ONCE {
                break;
            }
        }
        let write = self.write().await?;
        let sql = "DELETE FROM request_keys WHERE created_at < $1";
        let old = now - Duration::days(1);
        let backend = write.get_database_backend();
        write.execute_raw(Statement::from_sql_and_values(backend, sql, [old.into()])).await.db()?;
        write.commit_unkept().await
    }
}

/// What was said about handoffs goes with the conversations; that they took place stays.
async fn forget_reasons(write: &Write, which: Condition) -> Result<()> {
    let going = agent_conversations::Entity::find()
        .select_only()
        .column(agent_conversations::Column::Id)
        .filter(which)
        .into_query();
    transitions::Entity::update_many()
        .col_expr(transitions::Column::Reason, Expr::value(None::<String>))
        .filter(transitions::Column::ConversationId.in_subquery(going))
        .exec(&**write)
        .await
        .db()
        .map(drop)
}

/// Before conversations are deleted together with what they belong to: they are locked, and what tells of them forgets.
pub async fn let_go(write: &Write, which: Condition) -> Result<()> {
    lock_all(write, which.clone()).await?;
    forget_reasons(write, which).await
}

/// Locks conversations, in one order, before what they belong to is locked and deleted: a turn's commit has its
/// conversation first too, and then looks at the workspace. SQLite has one writer and needs no more.
async fn lock_all(write: &Write, which: Condition) -> Result<()> {
    if write.get_database_backend() == DbBackend::Postgres {
        agent_conversations::Entity::find()
            .select_only()
            .column(agent_conversations::Column::Id)
            .filter(which)
            .order_by_asc(agent_conversations::Column::Id)
            .lock_exclusive()
            .into_tuple::<Uuid>()
            .all(&**write)
            .await
            .db()?;
    }
    Ok(())
}
