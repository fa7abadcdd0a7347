//! Tools that people define. An agent has such a tool if its `tools` name it, so no name may lead an agent to itself.
//! This is checked here, and wherever an agent's tools change.

use async_trait::async_trait;
use baton_core::agents::AgentDefinition;
use baton_core::defined_tools::{DefinedTool, MAX_TOOLS, ToolConfig, ToolDefinition};
use baton_core::ids::{AgentId, ProfileId, ToolId, WorkspaceId};
use baton_core::secrets::{Sealed, SecretChange};
use baton_core::store::{DefinedTools, Error, NewTool, Result};
use baton_core::subtasks;
use baton_core::text::Invalid;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, Select,
};
use serde_json::Value;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, database_error, is_taken, now, stored};
use crate::entities::{agents, tools};
use crate::write::Write;
use crate::{allow_rules, secrets, tool_permissions, workspaces};

const TAKEN: Error = Error::NameTaken { what: "tool", field: "name" };

#[async_trait]
impl DefinedTools for SqlStore {
    async fn tools(&self, workspace: WorkspaceId) -> Result<Vec<DefinedTool>> {
        let rows = of(workspace).all(&self.db).await.db()?;
        let mut tools = rows.into_iter().map(tool).collect::<Result<Vec<_>>>()?;
        // Here and not in SQL: the engines sort _ and - differently, and what models are offered must not.
        tools.sort_by(|a, b| a.definition.name.cmp(&b.definition.name));
        Ok(tools)
    }

    async fn tool(&self, id: ToolId) -> Result<DefinedTool> {
        tool(find(&self.db, id).await?)
    }

    async fn tool_secrets(&self, id: ToolId) -> Result<Option<Sealed>> {
        Ok(secrets::of(&self.db, vec![id.0]).await?.pop().map(|(_, sealed)| sealed))
    }

    async fn create_tool(&self, new: NewTool, by: ProfileId) -> Result<DefinedTool> {
        let write = self.write().await?;
        workspaces::lock(&write, new.workspace_id).await?;
        let row = insert(&write, new, by).await?;
        write.commit().await?;
        tool(row)
    }

    async fn change_tool(
        &self,
        id: ToolId,
        definition: ToolDefinition,
        secrets: SecretChange,
        by: ProfileId,
    ) -> Result<DefinedTool> {
        let write = self.write().await?;
        let (workspace, before) = lock_with_workspace(&write, id).await?;
        check_target(&*write, workspace, &definition).await?;
        let config = config(&definition)?;
        if before.config != config || before.name != definition.name {
            allow_rules::withdraw_tool(&write, workspace, &before.name).await?;
            allow_rules::withdraw_tool(&write, workspace, &definition.name).await?;
        }
        if before.config != config {
            tool_permissions::of_changed_tool(&write, id, &before.config, &config).await?;
        }
        let change = tools::ActiveModel {
            id: Unchanged(id.0),
            config: Set(config),
            kind: Set(definition.kind().to_string()),
            name: Set(definition.name),
            description: Set(definition.description),
            updated_at: Set(now()),
            ..Default::default()
        };
        let row = change.update(&*write).await.map_err(name_taken)?;
        secrets::change(&write, id.0, secrets).await?;
        Happening::new("tool.changed", id).within(workspace).by(by).record(&write).await?;
        write.commit().await?;
        tool(row)
    }

    async fn check_new_tool(&self, workspace: WorkspaceId, definition: &ToolDefinition) -> Result<()> {
        check_new(&self.db, workspace, definition).await?;
        let named = of(workspace).filter(tools::Column::Name.eq(&definition.name));
        if named.one(&self.db).await.db()?.is_none() { Ok(()) } else { Err(TAKEN) }
    }

    async fn check_tool_change(&self, id: ToolId, definition: &ToolDefinition) -> Result<()> {
        let workspace = WorkspaceId(find(&self.db, id).await?.workspace_id);
        check_target(&self.db, workspace, definition).await?;
        let named = of(workspace).filter(tools::Column::Name.eq(&definition.name));
        let others = named.filter(tools::Column::Id.ne(id.0));
        if others.one(&self.db).await.db()?.is_none() { Ok(()) } else { Err(TAKEN) }
    }

    async fn delete_tool(&self, id: ToolId, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let (workspace, row) = lock_with_workspace(&write, id).await?;
        tools::Entity::delete_by_id(id.0).exec(&*write).await.db()?;
        secrets::remove(&write, id.0).await?;
        allow_rules::withdraw_tool(&write, workspace, &row.name).await?;
        Happening::new("tool.deleted", id).of(&row.name).within(workspace).by(by).record(&write).await?;
        write.commit().await
    }
}

/// A new tool of a workspace that is locked.
pub async fn insert(write: &Write, new: NewTool, by: ProfileId) -> Result<tools::Model> {
    let NewTool { id, workspace_id: workspace, definition, secrets } = new;
    check_new(&**write, workspace, &definition).await?;
    // What was allowed was meant for another tool of this name.
    allow_rules::withdraw_tool(write, workspace, &definition.name).await?;
    let at = now();
    let row = tools::ActiveModel {
        id: Set(id.0),
        workspace_id: Set(workspace.0),
        config: Set(config(&definition)?),
        kind: Set(definition.kind().to_string()),
        name: Set(definition.name),
        description: Set(definition.description),
        created_by: Set(Some(by.0)),
        created_at: Set(at),
        updated_at: Set(at),
    };
    let row = tools::Entity::insert(row).exec_with_returning(&**write).await.map_err(name_taken)?;
    secrets::change(write, id.0, secrets).await?;
    Happening::new("tool.created", row.id).within(workspace).by(by).record(write).await?;
    Ok(row)
}

/// A tool that a pack brings along: one that is there under its name must lead to the same agent.
pub async fn ensure(
    write: &Write,
    workspace: WorkspaceId,
    definition: ToolDefinition,
    by: ProfileId,
) -> Result<()> {
    let named = of(workspace).filter(tools::Column::Name.eq(&definition.name));
    let Some(row) = named.one(&**write).await.db()? else {
        let new =
            NewTool { id: ToolId::new(), workspace_id: workspace, definition, secrets: SecretChange::Keep };
        return insert(write, new, by).await.map(drop);
    };
    let target = |config: &ToolConfig| config.handoff().map(|handoff| handoff.target_agent_id);
    let there = target(&tool(row)?.definition.config);
    if there.is_some() && there == target(&definition.config) { Ok(()) } else { Err(TAKEN) }
}

async fn check_new(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    definition: &ToolDefinition,
) -> Result<()> {
    at_most("tools", MAX_TOOLS, of(workspace).count(db).await.db()?)?;
    check_target(db, workspace, definition).await
}

/// The target of a handoff must be of this workspace, and must not have the tool itself.
async fn check_target(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    definition: &ToolDefinition,
) -> Result<()> {
    let Some(handoff) = definition.config.handoff() else { return Ok(()) };
    let wrong = |message: &str| Error::Invalid(Invalid::new("config.target_agent_id", message));
    let target = agents::Entity::find_by_id(handoff.target_agent_id.0)
        .filter(agents::Column::WorkspaceId.eq(workspace.0))
        .one(db)
        .await
        .db()?
        .ok_or_else(|| wrong("must be an agent of this workspace"))?;
    let target = crate::agents::agent(target)?;
    if target.names_tool(&definition.name) {
        return Err(wrong("has this tool: an agent can't hand off to itself"));
    }
    Ok(())
}

/// The same rule from the other side: none of an agent's tools may lead to the agent.
pub async fn check_tools(
    write: &Write,
    workspace: WorkspaceId,
    agent: AgentId,
    definition: &AgentDefinition,
    public_tools: &[String],
) -> Result<()> {
    for (field, names) in [("tools", definition.tools.as_slice()), ("public_tools", public_tools)] {
        let listed = of(workspace).filter(tools::Column::Name.is_in(names));
        for row in listed.all(&**write).await.db()? {
            let tool = tool(row)?.definition;
            if tool.config.handoff().is_some_and(|handoff| handoff.target_agent_id == agent) {
                let message = format!("can't have {}: it hands off to this very agent", tool.name);
                return Err(Invalid::new(field, message).into());
            }
        }
    }
    Ok(())
}

/// Whom an agent is told to ask must be another one of its workspace. What it listed before stays: agents come and go.
pub async fn check_asks(
    write: &Write,
    workspace: WorkspaceId,
    agent: Option<AgentId>,
    tools: &[String],
    before: &[String],
) -> Result<()> {
    for tool in tools.iter().filter(|tool| !before.contains(tool)) {
        let Some(slug) = subtasks::asks(tool) else { continue };
        let asked = agents::Entity::find()
            .filter(agents::Column::WorkspaceId.eq(workspace.0))
            .filter(agents::Column::Slug.eq(slug))
            .filter(agents::Column::IsActive.eq(true));
        let asked = asked.one(&**write).await.db()?.map(|row| AgentId(row.id));
        let wrong = match asked {
            None => format!("can't have {tool}: there is no agent {slug} in this workspace"),
            Some(asked) if Some(asked) == agent => format!("can't have {tool}: an agent can't ask itself"),
            Some(_) => continue,
        };
        return Err(Invalid::new("tools", wrong).into());
    }
    Ok(())
}

fn config(definition: &ToolDefinition) -> Result<Value> {
    definition.config.stored().map_err(|error| Error::Database(Box::new(error)))
}

fn tool(row: tools::Model) -> Result<DefinedTool> {
    let config = ToolConfig::read(stored("type", &row.kind)?, row.config)
        .map_err(|error| Error::Database(Box::new(error)))?;
    Ok(DefinedTool {
        id: ToolId(row.id),
        workspace_id: WorkspaceId(row.workspace_id),
        definition: ToolDefinition { name: row.name, description: row.description, config },
        created_by: row.created_by.map(ProfileId),
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

fn of(workspace: WorkspaceId) -> Select<tools::Entity> {
    tools::Entity::find().filter(tools::Column::WorkspaceId.eq(workspace.0))
}

async fn find(db: &impl ConnectionTrait, id: ToolId) -> Result<tools::Model> {
    tools::Entity::find_by_id(id.0).one(db).await.db()?.ok_or(Error::NotFound("tool"))
}

/// Looks again once the workspace is locked: the tool may be gone by then.
async fn lock_with_workspace(write: &Write, id: ToolId) -> Result<(WorkspaceId, tools::Model)> {
    let workspace = WorkspaceId(find(&**write, id).await?.workspace_id);
    workspaces::lock(write, workspace).await?;
    Ok((workspace, find(&**write, id).await?))
}

fn name_taken(error: DbErr) -> Error {
    if is_taken(&error, "name") { TAKEN } else { database_error(error) }
}
