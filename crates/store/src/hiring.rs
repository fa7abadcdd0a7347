//! How a catalog agent becomes a workspace's agent: a copy of the published version, or the earlier copy brought back.
//! Everything here happens behind the lock on the workspace's row.

use baton_core::agents::{AgentDefinition, Author, MAX_AGENTS, MAX_AGENTS_EVER, PermissionMode};
use baton_core::ids::{AgentId, CatalogAgentId, ProfileId, WorkspaceId};
use baton_core::store::{Error, Result};
use baton_core::workspaces::Role;
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait, Select, Statement,
};

use crate::allow_rules;
use crate::audit::Happening;
use crate::db::{OrStoreError, at_most, free_slug, now};
use crate::entities::{agents, ai_agents, workspaces};
use crate::write::Write;

/// Where an agent's definition is written: whoever does it must be allowed to. `before` is what it was so far, none where
/// the agent comes.
pub fn check_author(by: Author, before: Option<PermissionMode>, definition: &AgentDefinition) -> Result<()> {
    if by.may_write(before, definition.permission_mode) { Ok(()) } else { Err(Error::LoosenedByToken) }
}

/// A workspace's copy of a catalog agent, active or let go.
pub async fn copy_of(
    write: &Write,
    id: CatalogAgentId,
    workspace: WorkspaceId,
) -> Result<Option<agents::Model>> {
    agents::Entity::find()
        .filter(agents::Column::WorkspaceId.eq(workspace.0))
        .filter(agents::Column::AiAgentId.eq(id.0))
        .one(&**write)
        .await
        .db()
}

/// Hires what is published and enabled, or brings back the copy that was let go.
pub async fn hire(
    write: &Write,
    entry: ai_agents::Model,
    before: Option<agents::Model>,
    workspace: WorkspaceId,
    by: Author,
) -> Result<agents::Model> {
    if !entry.is_enabled || entry.published_version.is_none() {
        return Err(Error::NotFound("agent"));
    }
    let at = now();
    let row = match before {
        Some(row) => bring_back(write, row, by, at).await?,
        None => copy(write, entry, workspace, by, at).await?,
    };
    Happening::new("agent.hired", row.id).within(workspace).by(by.profile).record(write).await?;
    Ok(row)
}

/// The catalog entry is disabled: its copies are gone everywhere, until it is enabled again. In which workspaces.
pub async fn withdraw(write: &Write, id: CatalogAgentId) -> Result<Vec<WorkspaceId>> {
    let sql = "UPDATE agents SET is_active = FALSE, is_withdrawn = TRUE WHERE ai_agent_id = $1 AND is_active \
        RETURNING workspace_id";
    changed(write, sql, id).await
}

/// Locks the workspaces that have a copy which was withdrawn, in the order of their ids.
pub async fn lock_withdrawn(write: &Write, id: CatalogAgentId) -> Result<()> {
    let theirs = withdrawn(id).select_only().column(agents::Column::WorkspaceId).into_query();
    workspaces::Entity::find()
        .filter(workspaces::Column::Id.in_subquery(theirs))
        .order_by_asc(workspaces::Column::Id)
        .lock_exclusive()
        .all(&**write)
        .await
        .db()
        .map(drop)
}

/// It is enabled again: its copies are back, each as the default only where nobody took its place. In which workspaces.
pub async fn restore(write: &Write, id: CatalogAgentId) -> Result<Vec<WorkspaceId>> {
    let sql = "UPDATE agents SET is_active = TRUE, is_withdrawn = FALSE, is_default = is_default AND NOT EXISTS \
        (SELECT 1 FROM agents AS other WHERE other.workspace_id = agents.workspace_id AND other.is_default \
        AND other.is_active) WHERE ai_agent_id = $1 AND is_withdrawn RETURNING workspace_id";
    changed(write, sql, id).await
}

async fn changed(write: &Write, sql: &str, id: CatalogAgentId) -> Result<Vec<WorkspaceId>> {
    let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, [id.0.into()]);
    let rows = write.query_all_raw(statement).await.db()?;
    rows.iter().map(|row| row.try_get("", "workspace_id").db().map(WorkspaceId)).collect()
}

fn withdrawn(id: CatalogAgentId) -> Select<agents::Entity> {
    agents::Entity::find()
        .filter(agents::Column::AiAgentId.eq(id.0))
        .filter(agents::Column::IsWithdrawn.eq(true))
}

/// The same record with its edits, as far as who hires may set them. It is the default again only where nobody took
/// its place. What an admin let go, or gave tools for visitors, is for admins.
pub async fn bring_back(
    write: &Write,
    row: agents::Model,
    by: Author,
    at: DateTime<Utc>,
) -> Result<agents::Model> {
    let is_admin = by.role >= Role::Admin;
    check_active(write, WorkspaceId(row.workspace_id)).await?;
    if row.let_go_by_admin && !is_admin {
        return Err(Error::RoleTooLow);
    }
    let mut definition = row.definition().hired_by(by.role);
    check_author(by, None, &definition)?;
    definition.is_default &= !has_default(&**write, WorkspaceId(row.workspace_id)).await?;
    let back = agents::ActiveModel {
        id: Unchanged(row.id),
        is_active: Set(true),
        public_tools: if is_admin { NotSet } else { Set(None) },
        hired_at: Set(Some(at)),
        updated_at: Set(at),
        ..Default::default()
    };
    if !is_admin {
        allow_rules::withdraw_outside(write, AgentId(row.id)).await?;
    }
    back.define(&definition).update(&**write).await.db()
}

/// A workspace's copy of the published version.
pub async fn copy(
    write: &Write,
    entry: ai_agents::Model,
    workspace: WorkspaceId,
    by: Author,
    at: DateTime<Utc>,
) -> Result<agents::Model> {
    let mut definition = entry.definition().hired_by(by.role);
    check_author(by, None, &definition)?;
    definition.is_default &= !has_default(&**write, workspace).await?;
    let row = agents::ActiveModel {
        ai_agent_id: Set(Some(entry.id)),
        hired_version: Set(entry.published_version),
        ..fresh(write, workspace, &definition.name, by.profile, at).await?
    };
    agents::Entity::insert(row.define(&definition)).exec_with_returning(&**write).await.db()
}

pub async fn fresh(
    write: &Write,
    workspace: WorkspaceId,
    name: &str,
    by: ProfileId,
    at: DateTime<Utc>,
) -> Result<agents::ActiveModel> {
    let ours = agents::Column::WorkspaceId.eq(workspace.0);
    check_active(write, workspace).await?;
    let ever = agents::Entity::find().filter(ours.clone()).count(&**write).await.db()?;
    at_most("agents, with those that were let go", MAX_AGENTS_EVER, ever)?;
    let slug = free_slug!(write, agents, ours, name, "agent");
    Ok(agents::ActiveModel {
        id: Set(AgentId::new().0),
        workspace_id: Set(workspace.0),
        slug: Set(slug),
        is_active: Set(true),
        hired_at: Set(Some(at)),
        created_by: Set(Some(by.0)),
        created_at: Set(at),
        updated_at: Set(at),
        ..Default::default()
    })
}

/// Every agent is offered to people, and to the others.
async fn check_active(write: &Write, workspace: WorkspaceId) -> Result<()> {
    let active = agents::Entity::find()
        .filter(agents::Column::WorkspaceId.eq(workspace.0))
        .filter(agents::Column::IsActive.eq(true));
    at_most("agents", MAX_AGENTS, active.count(&**write).await.db()?)
}

async fn has_default(db: &impl ConnectionTrait, workspace: WorkspaceId) -> Result<bool> {
    let defaults = agents::Entity::find()
        .filter(agents::Column::WorkspaceId.eq(workspace.0))
        .filter(agents::Column::IsDefault.eq(true))
        .filter(agents::Column::IsActive.eq(true))
        .count(db)
        .await
        .db()?;
    Ok(defaults > 0)
}
