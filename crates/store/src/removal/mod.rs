//! Deletion in two parts. First the row is marked, in one short transaction, so that nobody sees it and no turn writes
//! to it. Then its rows are removed in pieces that are counted in rows, so that other people's commits go in between.
//! What a process leaves behind when it ends is removed at the next start, or within the hour.

mod conversations;
mod owners;
mod profiles;

use baton_core::pages::KEPT_DAYS;
use baton_core::store::Result;
use chrono::{DateTime, Duration, Utc};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Statement, Value,
};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{agent_conversations, approvals, transitions};
use crate::write::Write;

pub use owners::Owner;

/// Rows in one transaction.
const ROWS: u64 = 200;
/// How long a driver, a request or a fork that does not know of the deletion may still write.
const MAY_BE_WRITTEN: Duration = Duration::minutes(10);
/// How long a request's key and an effect are kept.
const KEPT: Duration = Duration::days(1);
/// Effects of turns that ended this long ago. Those of a turn that runs or waits are kept, however old: also where its first task
/// has ended, as a handoff ends it. None is younger than its turn's end, so the index of their own time finds the few to look at.
const OLD_EFFECTS: &str = "DELETE FROM tool_effects WHERE (conversation_id, seq) IN \
    (SELECT tool_effects.conversation_id, tool_effects.seq FROM tool_effects \
    LEFT JOIN tasks ON tasks.id = tool_effects.task_id \
    WHERE tool_effects.created_at < $1 AND (tasks.id IS NULL OR tasks.ended_at < $1) AND NOT EXISTS \
    (SELECT 1 FROM agent_conversations WHERE agent_conversations.id = tool_effects.conversation_id \
    AND agent_conversations.turn_task_id = tool_effects.task_id) LIMIT $2)";

/// Deleted pages that nobody restored, those first that have none below them: a page that goes takes those below it along,
/// however many there are. Their versions went before.
const OLD_PAGES: &str = "DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE deleted_at < $1 AND NOT EXISTS \
    (SELECT 1 FROM pages AS below WHERE below.parent_id = pages.id) LIMIT $2)";
const OLD_VERSIONS: &str = "DELETE FROM page_versions WHERE (page_id, version) IN (SELECT page_versions.page_id, \
    page_versions.version FROM pages JOIN page_versions ON page_versions.page_id = pages.id \
    WHERE pages.deleted_at < $1 LIMIT $2)";
/// Channels that nobody can come to any more: all who were in them have left the workspace, or have no account.
const LEFT_MESSAGES: &str = "DELETE FROM channel_messages WHERE id IN (SELECT channel_messages.id FROM channels \
    JOIN channel_messages ON channel_messages.channel_id = channels.id WHERE channels.kind <> 'open' \
    AND channels.last_at < $1 AND NOT EXISTS (SELECT 1 FROM channel_members \
    WHERE channel_members.channel_id = channels.id) LIMIT $2)";
const LEFT_CHANNELS: &str = "DELETE FROM channels WHERE id IN (SELECT id FROM channels WHERE kind <> 'open' AND last_at < $1 \
    AND NOT EXISTS (SELECT 1 FROM channel_members WHERE channel_members.channel_id = channels.id) LIMIT $2)";
/// Pages in one transaction: each can have files.
const PAGES: u64 = 20;
const OLD_KEYS: &str = "DELETE FROM request_keys WHERE (person_id, request_key) IN \
    (SELECT person_id, request_key FROM request_keys WHERE created_at < $1 LIMIT $2)";
const OLD_REQUESTS: &str = "DELETE FROM request_effects WHERE (profile_id, key) IN \
    (SELECT profile_id, key FROM request_effects WHERE created_at < $1 LIMIT $2)";

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
    // The reasons of handoffs are removed with the conversation; the records that they took place stay.
    transitions::Entity::update_many()
        .col_expr(transitions::Column::Reason, Expr::value(None::<String>))
        .filter(transitions::Column::ConversationId.eq(id))
        .exec(&**write)
        .await
        .db()?;
    let sql = "UPDATE tasks SET status = 'cancelled', ended_at = $2 \
               WHERE conversation_id = $1 AND status IN ('pending', 'running', 'waiting')";
    execute(write, sql, [id.into(), at.into()]).await.map(drop)
}

impl SqlStore {
    /// Removes what was deleted a while ago, once nothing can be writing to it, and goes on with workspaces and accounts
    /// that were not removed to their end. What can't be removed keeps nothing else: its error comes last, and the next purge
    /// tries it again.
    pub async fn purge(&self, now: DateTime<Utc>) -> Result<()> {
        let store = self.patient();
        let (day, month) = (now - KEPT, now - Duration::days(KEPT_DAYS));
        let mut removed = vec![
            store.remove_old_conversations(now).await,
            store.remove_deleted_owners(now).await,
            store.expire_imports(now).await,
            store.remove_expired_exports(now).await,
            store.remove_left_pieces(now).await,
            store.remove_unnamed_result_files(day).await,
        ];
        for (sql, before, limit) in [
            (OLD_KEYS, day, ROWS),
            (OLD_REQUESTS, day, ROWS),
            (OLD_EFFECTS, day, ROWS),
            (LEFT_MESSAGES, month, ROWS),
            (LEFT_CHANNELS, month, ROWS),
            (OLD_VERSIONS, month, ROWS),
            (OLD_PAGES, month, PAGES),
        ] {
            removed.push(store.in_pieces(sql, before.into(), limit).await);
        }
        removed.into_iter().collect()
    }

    async fn remove_old_conversations(&self, now: DateTime<Utc>) -> Result<()> {
        let old = agent_conversations::Entity::find()
            .select_only()
            .column(agent_conversations::Column::Id)
            .filter(agent_conversations::Column::DeletedAt.lt(now - MAY_BE_WRITTEN))
            .into_tuple::<Uuid>();
        self.remove_conversations(old.all(&self.db).await.db()?).await
    }

    async fn remove_deleted_owners(&self, now: DateTime<Utc>) -> Result<()> {
        self.remove_owners(self.deleted_owners().await?, now).await;
        Ok(())
    }

    /// Repeats a statement that takes a value and a limit, until there is nothing left for it to do: one piece may be what
    /// the next was waiting for.
    pub(crate) async fn in_pieces(&self, sql: &str, value: Value, limit: u64) -> Result<()> {
        loop {
            let write = self.write().await?;
            let done = execute(&write, sql, [value.clone(), limit.cast_signed().into()]).await?;
            write.commit_unkept().await?;
            if done == 0 {
                return Ok(());
            }
        }
    }
}

pub(crate) async fn execute(
    write: &Write,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64> {
    let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
    Ok(write.execute_raw(statement).await.db()?.rows_affected())
}
