//! Definitions of servers' tools that were allowed, and what agents may call without asking. Both hang on the row of the
//! tool, and go with it.

use async_trait::async_trait;
use baton_core::ids::{AgentId, ProfileId, ToolId, WorkspaceId};
use baton_core::server_tools::{Definition, Permission};
use baton_core::store::{Error, Result, ToolPermissions};
use baton_core::text;
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait};
use serde_json::{Value, json};

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now, stored};
use crate::entities::{pinned_tools, tool_permissions, tools};
use crate::write::Write;
use crate::{agents, workspaces};

/// Of one server.
const MAX_PINNED: u64 = 1_000;
/// Of one agent.
const MAX_PERMISSIONS: u64 = 5_000;

#[async_trait]
impl ToolPermissions for SqlStore {
    async fn pinned_tools(&self, server: ToolId) -> Result<Vec<Definition>> {
        let rows = pinned_tools::Entity::find().filter(pinned_tools::Column::ToolId.eq(server.0));
        let pinned = in_order(rows.all(&self.db).await.db()?)?;
        Ok(pinned.into_iter().map(|(_, definition)| definition).collect())
    }

    async fn pinned_tools_of(&self, workspace: WorkspaceId) -> Result<Vec<(ToolId, Definition)>> {
        let servers = tools::Entity::find().filter(tools::Column::WorkspaceId.eq(workspace.0));
        let servers = servers.select_only().column(tools::Column::Id).into_query();
        let rows = pinned_tools::Entity::find().filter(pinned_tools::Column::ToolId.in_subquery(servers));
        in_order(rows.all(&self.db).await.db()?)
    }

    async fn pin_tools(&self, server: ToolId, definitions: Vec<Definition>, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let workspace = lock_workspace(&write, server).await?;
        let names: Vec<String> = definitions.iter().map(|definition| definition.name.clone()).collect();
        unpin(&write, server, &names).await?;
        for definition in definitions {
            let row = pinned_tools::ActiveModel {
                tool_id: Set(server.0),
                raw_name: Set(definition.name.clone()),
                definition: Set(kept(&definition)?),
                allowed_by: Set(Some(by.0)),
                allowed_at: Set(now()),
            };
            pinned_tools::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        }
        let pinned = pinned_tools::Entity::find().filter(pinned_tools::Column::ToolId.eq(server.0));
        at_most("allowed tools of one server", MAX_PINNED + 1, pinned.count(&*write).await.db()?)?;
        let allowed = Happening::new("tool.allowed", server).within(workspace).by(by);
        allowed.with(json!({"tools": names})).record(&write).await?;
        write.commit().await
    }

    async fn unpin_tools(&self, server: ToolId, raw_names: Vec<String>, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let workspace = lock_workspace(&write, server).await?;
        unpin(&write, server, &raw_names).await?;
        let held_back = Happening::new("tool.held_back", server).within(workspace).by(by);
        held_back.with(json!({"tools": raw_names})).record(&write).await?;
        write.commit().await
    }

    async fn tool_permissions(&self, agent: AgentId) -> Result<Vec<Permission>> {
        let rows = of(agent).all(&self.db).await.db()?;
        let mut permissions = rows.into_iter().map(permission).collect::<Result<Vec<_>>>()?;
        permissions.sort_by(|one, other| (one.tool_id, &one.raw_name).cmp(&(other.tool_id, &other.raw_name)));
        Ok(permissions)
    }

    async fn set_tool_permission(&self, permission: Permission, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let workspace = lock_workspace(&write, permission.tool_id).await?;
        let agent = agents::find(&*write, permission.agent_id).await?;
        if WorkspaceId(agent.workspace_id) != workspace {
            return Err(Error::NotFound("tool"));
        }
        let raw_name = permission.raw_name.unwrap_or_default();
        remove(&write, permission.agent_id, permission.tool_id, &raw_name).await?;
        let there_are = of(permission.agent_id).count(&*write).await.db()?;
        at_most("permissions of one agent", MAX_PERMISSIONS, there_are)?;
        let details = json!({"tool": permission.tool_id, "raw_name": raw_name, "level": permission.level});
        let row = tool_permissions::ActiveModel {
            agent_id: Set(permission.agent_id.0),
            tool_id: Set(permission.tool_id.0),
            raw_name: Set(raw_name),
            level: Set(permission.level.to_string()),
            definition_hash: Set(permission.definition_hash),
            decided_by: Set(Some(by.0)),
            decided_at: Set(now()),
        };
        tool_permissions::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        let decided =
            Happening::new("agent.tool_permission_set", permission.agent_id).within(workspace).by(by);
        decided.with(details).record(&write).await?;
        write.commit().await
    }

    async fn remove_tool_permission(
        &self,
        agent: AgentId,
        tool: ToolId,
        raw_name: Option<&str>,
        by: ProfileId,
    ) -> Result<()> {
        let raw_name = raw_name.unwrap_or_default();
        let write = self.write().await?;
        let workspace = lock_workspace(&write, tool).await?;
        if remove(&write, agent, tool, raw_name).await? == 0 {
            return Err(Error::NotFound("permission"));
        }
        let removed = Happening::new("agent.tool_permission_removed", agent).within(workspace).by(by);
        removed.with(json!({"tool": tool, "raw_name": raw_name})).record(&write).await?;
        write.commit().await
    }
}

async fn lock_workspace(write: &Write, tool: ToolId) -> Result<WorkspaceId> {
    let find = || tools::Entity::find_by_id(tool.0);
    let row = find().one(&**write).await.db()?.ok_or(Error::NotFound("tool"))?;
    workspaces::lock(write, WorkspaceId(row.workspace_id)).await?;
    // It may be gone by then.
    let row = find().one(&**write).await.db()?.ok_or(Error::NotFound("tool"))?;
    Ok(WorkspaceId(row.workspace_id))
}

/// By server and raw name. Here and not in SQL: the engines sort signs differently.
fn in_order(rows: Vec<pinned_tools::Model>) -> Result<Vec<(ToolId, Definition)>> {
    let read = |row: pinned_tools::Model| {
        let definition: Definition = serde_json::from_value(row.definition).map_err(unreadable)?;
        Ok((ToolId(row.tool_id), definition))
    };
    let mut pinned = rows.into_iter().map(read).collect::<Result<Vec<_>>>()?;
    pinned.sort_by(|(one, its), (other, their)| (one, &its.name).cmp(&(other, &their.name)));
    Ok(pinned)
}

/// A definition as it can be kept by both databases. Whoever wrote it is not here to be told: the tool can't be allowed.
fn kept(definition: &Definition) -> Result<Value> {
    let value = serde_json::to_value(definition).map_err(unreadable)?;
    text::json(&format!("tools.{}", definition.name), &value)?;
    Ok(value)
}

fn unreadable(error: serde_json::Error) -> Error {
    Error::Database(Box::new(error))
}

async fn unpin(write: &Write, server: ToolId, raw_names: &[String]) -> Result<()> {
    let these = pinned_tools::Entity::delete_many()
        .filter(pinned_tools::Column::ToolId.eq(server.0))
        .filter(pinned_tools::Column::RawName.is_in(raw_names));
    these.exec(&**write).await.db().map(drop)
}

async fn remove(write: &Write, agent: AgentId, tool: ToolId, raw_name: &str) -> Result<u64> {
    let key = (agent.0, tool.0, raw_name.to_owned());
    Ok(tool_permissions::Entity::delete_by_id(key).exec(&**write).await.db()?.rows_affected)
}

fn of(agent: AgentId) -> sea_orm::Select<tool_permissions::Entity> {
    tool_permissions::Entity::find().filter(tool_permissions::Column::AgentId.eq(agent.0))
}

/// A tool is another one now: "always" ends with it. A server that is elsewhere has no allowed tools any more, and "always"
/// ends for each of them; what an admin wanted to be asked about, or never to happen, stays.
pub async fn of_changed_tool(write: &Write, tool: ToolId, before: &Value, after: &Value) -> Result<()> {
    let is_elsewhere =
        ["url", "program", "arguments", "server"].iter().any(|part| before.get(part) != after.get(part));
    if is_elsewhere {
        let pinned = pinned_tools::Entity::delete_many().filter(pinned_tools::Column::ToolId.eq(tool.0));
        pinned.exec(&**write).await.db()?;
    }
    let mut these = tool_permissions::Entity::delete_many()
        .filter(tool_permissions::Column::ToolId.eq(tool.0))
        .filter(tool_permissions::Column::Level.eq("always"));
    if !is_elsewhere {
        these = these.filter(tool_permissions::Column::RawName.eq(""));
    }
    these.exec(&**write).await.db().map(drop)
}

fn permission(row: tool_permissions::Model) -> Result<Permission> {
    Ok(Permission {
        agent_id: AgentId(row.agent_id),
        tool_id: ToolId(row.tool_id),
        raw_name: Some(row.raw_name).filter(|name| !name.is_empty()),
        level: stored("level", &row.level)?,
        definition_hash: row.definition_hash,
    })
}
