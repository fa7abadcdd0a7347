//! How an agent of the catalog becomes a workspace's: a copy of the published version, or the earlier copy again.
//! Everything here happens behind the lock on the workspace's row.

use baton_core::ids::{AgentId, CatalogAgentId, ProfileId, WorkspaceId};
use baton_core::store::{Error, Result};
use baton_core::workspaces::Role;
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
};

use crate::audit::Happening;
use crate::db::{OrStoreError, free_slug, now};
use crate::entities::{agents, ai_agents};
use crate::write::Write;

#[derive(Clone, Copy)]
pub struct Hirer {
    pub profile: ProfileId,
    pub role: Role,
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
    by: Hirer,
) -> Result<agents::Model> {
    if !entry.is_enabled || entry.published_version.is_none() {
        return Err(Error::NotFound("agent"));
    }
    let at = now();
    let row = match before {
        Some(row) => bring_back(write, row, by.role, at).await?,
        None => copy(write, entry, workspace, by, at).await?,
    };
    Happening::new("agent.hired", row.id).within(workspace).by(by.profile).record(write).await?;
    Ok(row)
}

/// The same record with its edits, as far as who hires may set them. It is the default again only where nobody took
/// its place.
pub async fn bring_back(
    write: &Write,
    row: agents::Model,
    role: Role,
    at: DateTime<Utc>,
) -> Result<agents::Model> {
    let mut definition = row.definition().hired_by(role);
    definition.is_default &= !has_default(&**write, WorkspaceId(row.workspace_id)).await?;
    let back = agents::ActiveModel {
        id: Unchanged(row.id),
        is_active: Set(true),
        hired_at: Set(Some(at)),
        updated_at: Set(at),
        ..Default::default()
    };
    back.define(&definition).update(&**write).await.db()
}

/// A workspace's copy of the published version.
pub async fn copy(
    write: &Write,
    entry: ai_agents::Model,
    workspace: WorkspaceId,
    by: Hirer,
    at: DateTime<Utc>,
) -> Result<agents::Model> {
    let mut definition = entry.definition().hired_by(by.role);
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
