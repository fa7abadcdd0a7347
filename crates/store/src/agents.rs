//! A workspace's agents: hired from the catalog or its own.

use async_trait::async_trait;
use baton_core::access::Viewer;
use baton_core::agents::{Agent, AgentChanges, AgentDefinition, Author, PermissionMode};
use baton_core::catalog::AgentListing;
use baton_core::ids::{AgentId, CatalogAgentId, ProfileId, WorkspaceId};
use baton_core::listing::{AgentQuery, Page};
use baton_core::store::{AgentStats, Agents, Error, Result, WorkspaceStats};
use baton_core::workspaces::Role;
use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
use sea_orm::{ActiveModelTrait, ConnectionTrait, EntityTrait, QueryResult, Statement};
use serde_json::json;
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::entities::agents;
use crate::hiring;
use crate::write::Write;
use crate::{allow_rules, catalog, defined_tools, workspaces};

#[async_trait]
impl Agents for SqlStore {
    async fn agents(&self, query: AgentQuery, viewer: Viewer) -> Result<Page<AgentListing>> {
        self.list_agents(query, viewer).await
    }

    async fn agent_listing(&self, id: Uuid, workspace: Option<WorkspaceId>) -> Result<AgentListing> {
        self.find_listing(id, workspace).await
    }

    async fn agent(&self, id: AgentId) -> Result<Agent> {
        agent(find(&self.db, id).await?)
    }

    async fn hire(&self, id: CatalogAgentId, workspace: WorkspaceId, by: Author) -> Result<Agent> {
        let write = self.write().await?;
        workspaces::lock(&write, workspace).await?;
        let entry = catalog::hold(&write, id).await?;
        let row = match hiring::copy_of(&write, id, workspace).await? {
            Some(row) if row.is_active => return Err(Error::AlreadyHired),
            before => hiring::hire(&write, entry, before, workspace, by).await?,
        };
        write.commit().await?;
        agent(row)
    }

    async fn hire_back(&self, id: AgentId, by: Author) -> Result<Agent> {
        let write = self.write().await?;
        let (workspace, row) = lock_with_workspace(&write, id).await?;
        if row.is_active {
            return Err(Error::AlreadyHired);
        }
        if row.is_withdrawn {
            return Err(Error::NotFound("agent"));
        }
        let row = hiring::bring_back(&write, row, by, now()).await?;
        Happening::new("agent.hired", id).within(workspace).by(by.profile).record(&write).await?;
        write.commit().await?;
        agent(row)
    }

    async fn unhire(&self, id: AgentId, by: Author) -> Result<()> {
        let write = self.write().await?;
        let (workspace, row) = lock_with_workspace(&write, id).await?;
        if !row.is_active {
            return Err(Error::NotFound("agent"));
        }
        let change = agents::ActiveModel {
            id: Unchanged(id.0),
            is_active: Set(false),
            let_go_by_admin: Set(by.role >= Role::Admin),
            updated_at: Set(now()),
            ..Default::default()
        };
        change.update(&*write).await.db()?;
        Happening::new("agent.unhired", id)
            .of(&row.name)
            .within(workspace)
            .by(by.profile)
            .record(&write)
            .await?;
        write.commit().await
    }

    async fn create_agent(
        &self,
        workspace: WorkspaceId,
        definition: AgentDefinition,
        by: Author,
    ) -> Result<Agent> {
        hiring::check_author(by, Some(PermissionMode::Default), &definition)?;
        let write = self.write().await?;
        workspaces::lock(&write, workspace).await?;
        catalog::check_department(&*write, &definition).await?;
        defined_tools::check_asks(&write, workspace, None, &definition.tools, &[]).await?;
        if definition.is_default {
            workspaces::set_default_agent(&write, workspace, None).await?;
        }
        let at = now();
        let row = agents::ActiveModel {
            ai_agent_id: Set(None),
            hired_version: Set(None),
            ..hiring::fresh(&write, workspace, &definition.name, by.profile, at).await?
        };
        let row = agents::Entity::insert(row.define(&definition)).exec_with_returning(&*write).await.db()?;
        Happening::new("agent.created", row.id).within(workspace).by(by.profile).record(&write).await?;
        write.commit().await?;
        agent(row)
    }

    async fn change_agent(&self, id: AgentId, changes: AgentChanges, by: Author) -> Result<Agent> {
        let write = self.write().await?;
        let (workspace, row) = lock_with_workspace(&write, id).await?;
        let mut definition = row.definition();
        let before = definition.tools.clone();
        let mode = definition.permission_mode;
        changes.apply(&mut definition)?;
        hiring::check_author(by, Some(mode), &definition)?;
        catalog::check_department(&*write, &definition).await?;
        let named = changes.public_tools.clone().unwrap_or_else(|| public_tools(&row));
        defined_tools::check_tools(&write, workspace, id, &definition, &named).await?;
        defined_tools::check_asks(&write, workspace, Some(id), &definition.tools, &before).await?;
        if definition.is_default && !row.is_default {
            workspaces::set_default_agent(&write, workspace, None).await?;
        }
        let public_tools = match changes.public_tools {
            Some(names) => Set(Some(json!(names))),
            None => NotSet,
        };
        let change = agents::ActiveModel {
            id: Unchanged(id.0),
            public_tools,
            updated_at: Set(now()),
            ..Default::default()
        };
        let row = change.define(&definition).update(&*write).await.db()?;
        if by.role < Role::Admin {
            allow_rules::withdraw_outside(&write, id).await?;
        }
        Happening::new("agent.changed", id).within(workspace).by(by.profile).record(&write).await?;
        write.commit().await?;
        agent(row)
    }

    async fn update_agent(&self, id: AgentId, by: Author) -> Result<Agent> {
        let write = self.write().await?;
        let (workspace, row) = lock_with_workspace(&write, id).await?;
        let entry = match row.ai_agent_id {
            Some(entry) => catalog::find(&*write, CatalogAgentId(entry)).await?,
            None => return Err(Error::NotFound("catalog agent")),
        };
        let version = entry.published_version.filter(|_| entry.is_enabled);
        let version = version.ok_or(Error::NotFound("published version"))?;
        let before = row.definition();
        let definition = before.updated_to(entry.definition(), by.role);
        hiring::check_author(by, Some(before.permission_mode), &definition)?;
        defined_tools::check_tools(&write, workspace, id, &definition, &public_tools(&row)).await?;
        let change = agents::ActiveModel {
            id: Unchanged(id.0),
            hired_version: Set(Some(version)),
            updated_at: Set(now()),
            ..Default::default()
        };
        let row = change.define(&definition).update(&*write).await.db()?;
        if by.role < Role::Admin {
            allow_rules::withdraw_outside(&write, id).await?;
        }
        let details = json!({"version": version});
        Happening::new("agent.updated", id)
            .within(workspace)
            .by(by.profile)
            .with(details)
            .record(&write)
            .await?;
        write.commit().await?;
        agent(row)
    }

    async fn stats(
        &self,
        workspace: WorkspaceId,
        person: ProfileId,
        viewer: Viewer,
    ) -> Result<WorkspaceStats> {
        let ids = self.visible_hired(workspace, viewer).await?;
        let held = "SELECT activations.agent_id, COUNT(DISTINCT activations.conversation_id) AS number FROM activations \
            JOIN agent_conversations ON agent_conversations.id = activations.conversation_id \
            WHERE agent_conversations.deleted_at IS NULL AND agent_conversations.parent_id IS NULL \
            AND agent_conversations.workspace_id = $1 AND agent_conversations.user_id = $2 GROUP BY activations.agent_id";
        let counts: Vec<(Uuid, i64)> = self.counted(held, workspace, person).await?;
        let tasks = "SELECT tasks.agent_id, COUNT(*) AS number FROM tasks \
            JOIN agent_conversations ON agent_conversations.id = tasks.conversation_id \
            WHERE tasks.status = 'completed' AND agent_conversations.workspace_id = $1 \
            AND agent_conversations.user_id = $2 GROUP BY tasks.agent_id";
        let tasks: Vec<(Uuid, i64)> = self.counted(tasks, workspace, person).await?;
        let pending = "SELECT approvals.workspace_id AS agent_id, COUNT(*) AS number FROM approvals \
            JOIN agent_conversations ON agent_conversations.id = approvals.conversation_id \
            WHERE approvals.status = 'pending' AND approvals.workspace_id = $1 \
            AND agent_conversations.user_id = $2 GROUP BY approvals.workspace_id";
        let pending: Vec<(Uuid, i64)> = self.counted(pending, workspace, person).await?;
        let of = |counts: &[(Uuid, i64)], id: Uuid| {
            counts.iter().find(|(agent, _)| *agent == id).map_or(0, |(_, number)| number.unsigned_abs())
        };
        let stats = |id: Uuid| AgentStats {
            agent_id: AgentId(id),
            conversations: of(&counts, id),
            completed_tasks: of(&tasks, id),
        };
        Ok(WorkspaceStats {
            hired_agents: ids.len() as u64,
            pending_approvals: of(&pending, workspace.0),
            agents: ids.into_iter().map(stats).collect(),
        })
    }
}

impl SqlStore {
    /// Numbers by id, for a person in a workspace.
    async fn counted(
        &self,
        sql: &str,
        workspace: WorkspaceId,
        person: ProfileId,
    ) -> Result<Vec<(Uuid, i64)>> {
        let backend = self.db.get_database_backend();
        let values = [workspace.0.into(), person.0.into()];
        let rows = self.db.query_all_raw(Statement::from_sql_and_values(backend, sql, values)).await.db()?;
        let read =
            |row: &QueryResult| Ok((row.try_get("", "agent_id").db()?, row.try_get("", "number").db()?));
        rows.iter().map(read).collect()
    }
}

/// An agent as it is once its workspace is locked: what was read before may have changed while waiting.
async fn lock_with_workspace(write: &Write, id: AgentId) -> Result<(WorkspaceId, agents::Model)> {
    let workspace = WorkspaceId(find(&**write, id).await?.workspace_id);
    workspaces::lock(write, workspace).await?;
    Ok((workspace, find(&**write, id).await?))
}

pub async fn find(db: &impl ConnectionTrait, id: AgentId) -> Result<agents::Model> {
    agents::Entity::find_by_id(id.0).one(db).await.db()?.ok_or(Error::NotFound("agent"))
}

fn public_tools(row: &agents::Model) -> Vec<String> {
    let names = row.public_tools.clone();
    names.and_then(|names| serde_json::from_value(names).ok()).unwrap_or_default()
}

pub fn agent(row: agents::Model) -> Result<Agent> {
    let public_tools = public_tools(&row);
    Ok(Agent {
        definition: row.definition(),
        id: AgentId(row.id),
        workspace_id: WorkspaceId(row.workspace_id),
        ai_agent_id: row.ai_agent_id.map(CatalogAgentId),
        slug: row.slug,
        is_active: row.is_active,
        public_tools,
        hired_version: row.hired_version,
        created_by: row.created_by.map(ProfileId),
        hired_at: row.hired_at,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}
