//! Removes workspaces and accounts that were marked: their turns end, then everything that belongs to them is removed.
//!
//! On Postgres nothing here can deadlock with a turn or a new conversation: marking locks the workspace or the profile
//! and no conversation, removing locks conversations and no workspace.

use baton_core::store::Result;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select};
use uuid::Uuid;

use super::{MAY_BE_WRITTEN, ROWS, execute, mark_deleted};
use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::{agent_conversations, profiles, workspaces};
use crate::write::{Write, whole};

/// Conversations whose turns end in one transaction.
const TURNS: u64 = 20;
/// Files and attachments in one transaction: they are large.
pub(super) const FILES: u64 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Workspace(Uuid),
    Profile(Uuid),
}

/// What a workspace holds besides conversations, in the order in which it goes, and how much of it at once.
const ITS_ROWS: [(&str, u64); 51] = [
    (
        "DELETE FROM file_pieces WHERE (file_id, position) IN (SELECT file_id, position FROM file_pieces \
         WHERE workspace_id = $1 LIMIT $2)",
        FILES * 4,
    ),
    // They have no workspace of their own, and an import can have as many as its file has lines.
    (
        "DELETE FROM import_changes WHERE (import_id, row_id) IN (SELECT import_changes.import_id, import_changes.row_id \
         FROM imports JOIN import_changes ON import_changes.import_id = imports.id WHERE imports.workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM import_remarks WHERE (import_id, position) IN (SELECT import_remarks.import_id, import_remarks.position \
         FROM imports JOIN import_remarks ON import_remarks.import_id = imports.id WHERE imports.workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM imports WHERE id IN (SELECT id FROM imports WHERE workspace_id = $1 LIMIT $2)", FILES),
    ("DELETE FROM exports WHERE id IN (SELECT id FROM exports WHERE workspace_id = $1 LIMIT $2)", ROWS),
    (
        "DELETE FROM import_mappings WHERE (workspace_id, kind, account_id, headers_hash) IN (SELECT workspace_id, kind, \
         account_id, headers_hash FROM import_mappings WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM figure_pins WHERE (workspace_id, figure) IN \
         (SELECT workspace_id, figure FROM figure_pins WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM data_changes WHERE id IN (SELECT id FROM data_changes WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM deal_stages WHERE id IN (SELECT id FROM deal_stages WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM activities WHERE id IN (SELECT id FROM activities WHERE workspace_id = $1 LIMIT $2)", ROWS),
    (
        "DELETE FROM deals WHERE id IN (SELECT id FROM deals WHERE workspace_id = $1 AND deleted_at IS NULL LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM deals WHERE id IN (SELECT id FROM deals WHERE workspace_id = $1 AND deleted_at IS NOT NULL LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM contacts WHERE id IN (SELECT id FROM contacts WHERE workspace_id = $1 AND deleted_at IS NULL LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM contacts WHERE id IN (SELECT id FROM contacts WHERE workspace_id = $1 AND deleted_at IS NOT NULL LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM companies WHERE id IN (SELECT id FROM companies WHERE workspace_id = $1 LIMIT $2)", ROWS),
    // With their parts. An index has those that were deleted, others the rest.
    (
        "DELETE FROM transactions WHERE id IN \
         (SELECT id FROM transactions WHERE workspace_id = $1 AND deleted_at IS NULL LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM transactions WHERE id IN \
         (SELECT id FROM transactions WHERE workspace_id = $1 AND deleted_at IS NOT NULL LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM transaction_splits WHERE transaction_id IN \
         (SELECT transaction_id FROM transaction_splits WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM month_sums WHERE (account_id, month, category_id, flow) IN \
         (SELECT account_id, month, category_id, flow FROM month_sums WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM category_rules WHERE id IN (SELECT id FROM category_rules WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM budgets WHERE id IN (SELECT id FROM budgets WHERE workspace_id = $1 LIMIT $2)", ROWS),
    ("DELETE FROM goals WHERE id IN (SELECT id FROM goals WHERE workspace_id = $1 LIMIT $2)", ROWS),
    (
        "DELETE FROM exchange_rates WHERE id IN (SELECT id FROM exchange_rates WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM categories WHERE id IN (SELECT id FROM categories WHERE workspace_id = $1 LIMIT $2)", ROWS),
    ("DELETE FROM accounts WHERE id IN (SELECT id FROM accounts WHERE workspace_id = $1 LIMIT $2)", ROWS),
    (
        "DELETE FROM project_tasks WHERE id IN \
         (SELECT id FROM project_tasks WHERE workspace_id = $1 AND deleted_at IS NULL LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM project_tasks WHERE id IN \
         (SELECT id FROM project_tasks WHERE workspace_id = $1 AND deleted_at IS NOT NULL LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM projects WHERE id IN (SELECT id FROM projects WHERE workspace_id = $1 LIMIT $2)", ROWS),
    (
        "DELETE FROM calendar_feeds WHERE (workspace_id, profile_id) IN \
         (SELECT workspace_id, profile_id FROM calendar_feeds WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM data_totals WHERE (workspace_id, kind) IN \
         (SELECT workspace_id, kind FROM data_totals WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM area_access WHERE (workspace_id, role, area) IN \
         (SELECT workspace_id, role, area FROM area_access WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM secrets WHERE owner_id IN (SELECT owner_id FROM secrets WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM model_providers WHERE id IN (SELECT id FROM model_providers WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM search_engines WHERE id IN (SELECT id FROM search_engines WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM attachments WHERE id IN (SELECT id FROM attachments WHERE workspace_id = $1 LIMIT $2)",
        FILES,
    ),
    ("DELETE FROM files WHERE id IN (SELECT id FROM files WHERE workspace_id = $1 LIMIT $2)", FILES),
    (
        "DELETE FROM page_files WHERE id IN (SELECT id FROM page_files WHERE workspace_id = $1 LIMIT $2)",
        FILES,
    ),
    // Out of their tree first: a page that goes takes those below it along, however many there are.
    (
        "UPDATE pages SET parent_id = NULL, deleted_at = created_at WHERE id IN \
         (SELECT id FROM pages WHERE workspace_id = $1 AND parent_id IS NOT NULL LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM page_versions WHERE (page_id, version) IN (SELECT page_versions.page_id, page_versions.version \
         FROM pages JOIN page_versions ON page_versions.page_id = pages.id WHERE pages.workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE workspace_id = $1 LIMIT $2)", 50),
    (
        "DELETE FROM page_imports WHERE id IN (SELECT id FROM page_imports WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM channel_mentions WHERE (message_id, profile_id) IN (SELECT message_id, profile_id FROM channel_mentions \
         WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM channel_messages WHERE id IN (SELECT id FROM channel_messages WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    (
        "DELETE FROM channel_members WHERE (channel_id, profile_id) IN (SELECT channel_id, profile_id FROM channel_members \
         WHERE workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM channels WHERE id IN (SELECT id FROM channels WHERE workspace_id = $1 LIMIT $2)", ROWS),
    (
        "DELETE FROM agent_memories WHERE id IN (SELECT agent_memories.id FROM agent_memories JOIN agents \
         ON agents.id = agent_memories.agent_id WHERE agents.workspace_id = $1 LIMIT $2)",
        ROWS,
    ),
    ("DELETE FROM agent_rules WHERE id IN (SELECT id FROM agent_rules WHERE workspace_id = $1 LIMIT $2)", 50),
    (
        "DELETE FROM agent_skills WHERE id IN (SELECT id FROM agent_skills WHERE workspace_id = $1 LIMIT $2)",
        50,
    ),
    ("DELETE FROM teams WHERE id IN (SELECT id FROM teams WHERE workspace_id = $1 LIMIT $2)", 50),
    ("DELETE FROM tools WHERE id IN (SELECT id FROM tools WHERE workspace_id = $1 LIMIT $2)", ROWS),
    ("DELETE FROM agents WHERE id IN (SELECT id FROM agents WHERE workspace_id = $1 LIMIT $2)", 50),
];

impl SqlStore {
    /// Commits the mark of these, with which they are gone, and ends their turns before it returns; the rest is removed in
    /// the background. What fails after the mark is left to the next purge. All of it is one task: if the caller hangs up
    /// right after the mark, no driver goes on with turns that nobody sees. What the caller waits for has a request's limits.
    pub(crate) async fn commit_removal(&self, marked: Write, owners: Vec<Owner>) -> Result<()> {
        let store = self.clone();
        whole(async move {
            marked.commit().await?;
            for owner in &owners {
                if let Err(error) = store.end_turns(*owner).await {
                    tracing::warn!(%error, ?owner, "could not end the turns of what was deleted yet");
                }
            }
            tokio::spawn(async move { store.patient().remove_owners(owners, now()).await });
            Ok(())
        })
        .await
    }

    /// Removes each owner on its own: a failure is logged and left to the next purge.
    pub(super) async fn remove_owners(&self, owners: Vec<Owner>, now: DateTime<Utc>) {
        for owner in owners {
            if let Err(error) = self.remove_owner(owner, now).await {
                tracing::warn!(%error, ?owner, "could not remove what was deleted yet");
            }
        }
    }

    /// Owners that were marked and are not removed yet.
    pub(super) async fn deleted_owners(&self) -> Result<Vec<Owner>> {
        let workspaces = workspaces::Entity::find()
            .select_only()
            .column(workspaces::Column::Id)
            .filter(workspaces::Column::DeletedAt.is_not_null())
            .filter(workspaces::Column::RemovedAt.is_null())
            .into_tuple::<Uuid>();
        let profiles = profiles::Entity::find()
            .select_only()
            .column(profiles::Column::Id)
            .filter(profiles::Column::DeletedAt.is_not_null())
            .into_tuple::<Uuid>();
        let workspaces = workspaces.all(&self.db).await.db()?.into_iter().map(Owner::Workspace);
        Ok(workspaces.chain(profiles.all(&self.db).await.db()?.into_iter().map(Owner::Profile)).collect())
    }

    /// Removes everything that belongs to an owner. It can be interrupted anywhere and begun again.
    async fn remove_owner(&self, owner: Owner, now: DateTime<Utc>) -> Result<()> {
        self.end_turns(owner).await?;
        let conversations: Vec<Uuid> = conversations(owner).into_tuple().all(&self.db).await.db()?;
        self.mark_in_pieces(&conversations).await?;
        self.remove_conversations(conversations).await?;
        match owner {
            Owner::Workspace(id) => self.remove_rest_of_workspace(id, now).await,
            Owner::Profile(id) => self.remove_rest_of_profile(id).await,
        }
    }

    async fn end_turns(&self, owner: Owner) -> Result<()> {
        loop {
            let write = self.write().await?;
            let running = conversations(owner)
                .filter(agent_conversations::Column::TurnTaskId.is_not_null())
                .filter(agent_conversations::Column::DeletedAt.is_null())
                .order_by_asc(agent_conversations::Column::Id)
                .limit(TURNS)
                .lock_exclusive();
            let running: Vec<Uuid> = running.into_tuple().all(&*write).await.db()?;
            let is_last = (running.len() as u64) < TURNS;
            mark_deleted(&write, running).await?;
            write.commit_unkept().await?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// Marks all conversations of an owner before the first row of any is removed.
    async fn mark_in_pieces(&self, ids: &[Uuid]) -> Result<()> {
        for piece in ids.chunks(ROWS as usize) {
            let write = self.write().await?;
            let unmarked = agent_conversations::Entity::find()
                .select_only()
                .column(agent_conversations::Column::Id)
                .filter(agent_conversations::Column::Id.is_in(piece.iter().copied()))
                .filter(agent_conversations::Column::DeletedAt.is_null())
                .order_by_asc(agent_conversations::Column::Id)
                .lock_exclusive();
            let unmarked: Vec<Uuid> = unmarked.into_tuple().all(&*write).await.db()?;
            agent_conversations::Entity::update_many()
                .col_expr(agent_conversations::Column::DeletedAt, Expr::value(now()))
                .col_expr(agent_conversations::Column::TurnTaskId, Expr::value(None::<Uuid>))
                .col_expr(agent_conversations::Column::TurnOwner, Expr::value(None::<Uuid>))
                .filter(agent_conversations::Column::Id.is_in(unmarked))
                .exec(&*write)
                .await
                .db()?;
            write.commit_unkept().await?;
        }
        Ok(())
    }

    async fn remove_rest_of_workspace(&self, id: Uuid, now: DateTime<Utc>) -> Result<()> {
        for (sql, limit) in ITS_ROWS {
            self.in_pieces(sql, id.into(), limit).await?;
        }
        // A request that had not heard of it may have added something: then it is looked at once more.
        let sql = "UPDATE workspaces SET removed_at = $2 WHERE id = $1 AND deleted_at < $3";
        let write = self.write().await?;
        execute(&write, sql, [id.into(), now.into(), (now - MAY_BE_WRITTEN).into()]).await?;
        write.commit_unkept().await
    }
}

/// The ids of an owner's conversations.
fn conversations(owner: Owner) -> Select<agent_conversations::Entity> {
    let theirs = match owner {
        Owner::Workspace(id) => agent_conversations::Column::WorkspaceId.eq(id),
        Owner::Profile(id) => agent_conversations::Column::UserId.eq(id),
    };
    agent_conversations::Entity::find().select_only().column(agent_conversations::Column::Id).filter(theirs)
}
