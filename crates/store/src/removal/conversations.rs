//! Removes conversations row by row: however long a log is, nobody waits until all of it is removed.

use baton_core::store::Result;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::owners::FILES;
use super::{ROWS, execute};
use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::entities::agent_conversations;
use crate::write::Write;

/// Files of results, which are large: few at once.
const ITS_FILES: &str =
    "DELETE FROM result_files WHERE id IN (SELECT id FROM result_files WHERE conversation_id = $1 LIMIT $2)";

/// Everything else that refers to a conversation, and what was said about handoffs: that they took place stays.
const ITS_ROWS: [&str; 10] = [
    "DELETE FROM task_messages WHERE conversation_id = $1 AND seq IN \
     (SELECT seq FROM task_messages WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM agent_messages WHERE id IN (SELECT id FROM agent_messages WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM activations WHERE id IN (SELECT id FROM activations WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM approvals WHERE id IN (SELECT id FROM approvals WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM snapshots WHERE id IN (SELECT id FROM snapshots WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM request_keys WHERE (person_id, request_key) IN \
     (SELECT person_id, request_key FROM request_keys WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM tool_effects WHERE conversation_id = $1 AND seq IN \
     (SELECT seq FROM tool_effects WHERE conversation_id = $1 LIMIT $2)",
    "DELETE FROM tapes WHERE conversation_id IN (SELECT conversation_id FROM tapes WHERE conversation_id = $1 LIMIT $2)",
    "UPDATE transitions SET reason = NULL WHERE id IN \
     (SELECT id FROM transitions WHERE conversation_id = $1 AND reason IS NOT NULL LIMIT $2)",
];

impl SqlStore {
    /// Removes conversations that were marked before, with their subtasks' conversations.
    pub(super) async fn remove_conversations(&self, mut going: Vec<Uuid>) -> Result<()> {
        // Ids grow: the last, which may have been asked for in an earlier one, goes first.
        going.sort();
        while !going.is_empty() {
            let write = self.write().await?;
            let mut left = ROWS;
            while left > 0
                && let Some(id) = going.last().copied()
            {
                let mut asked = lock_with_asked(&write, id).await?;
                if !asked.is_empty() {
                    going.append(&mut asked);
                } else if remove_some(&write, id, &mut left).await? {
                    going.pop();
                }
            }
            write.commit_unkept().await?;
        }
        Ok(())
    }
}

/// Locks the conversation, so that only one remover works on it, and finds its subtasks' conversations.
async fn lock_with_asked(write: &Write, id: Uuid) -> Result<Vec<Uuid>> {
    let ids = || agent_conversations::Entity::find().select_only().column(agent_conversations::Column::Id);
    let locked = ids().filter(agent_conversations::Column::Id.eq(id)).lock_exclusive();
    locked.into_tuple::<Uuid>().one(&**write).await.db()?;
    let asked = ids()
        .filter(agent_conversations::Column::ParentId.eq(id))
        .order_by_asc(agent_conversations::Column::Id)
        .limit(ROWS);
    asked.into_tuple().all(&**write).await.db()
}

/// Removes as many rows as are left to do, and the conversation's own last. True: it is gone.
async fn remove_some(write: &Write, id: Uuid, left: &mut u64) -> Result<bool> {
    if execute(write, ITS_FILES, [id.into(), FILES.cast_signed().into()]).await? > 0 {
        // The next transaction goes on.
        *left = 0;
        return Ok(false);
    }
    for sql in ITS_ROWS {
        let removed = execute(write, sql, [id.into(), left.cast_signed().into()]).await?;
        *left = left.saturating_sub(removed);
        if *left == 0 {
            return Ok(false);
        }
    }
    execute(write, "DELETE FROM agent_conversations WHERE id = $1", [id.into()]).await?;
    *left -= 1;
    Ok(true)
}
