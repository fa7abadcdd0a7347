//! Rules that let an agent use a tool without asking.

use async_trait::async_trait;
use baton_core::allow_rules::{AllowRule, NewAllowRule};
use baton_core::ids::{AgentId, ProfileId, WorkspaceId};
use baton_core::store::{AllowRules, Error, Result};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use serde_json::json;
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now};
use crate::entities::{self, allow_rules, profiles};
use crate::write::Write;
use crate::{agents, workspaces};

/// Of one agent: as many as it can have tools.
const MAX_RULES: u64 = baton_core::agents::MAX_TOOLS as u64;

#[async_trait]
impl AllowRules for SqlStore {
    async fn allow_rules(&self, agent: AgentId) -> Result<Vec<AllowRule>> {
        of(&self.db, agent).await
    }

    async fn make_allow_rule(&self, new: NewAllowRule, by: ProfileId) -> Result<AllowRule> {
        let write = self.write().await?;
        let workspace = lock_workspace(&write, new.agent_id).await?;
        let before = of(&*write, new.agent_id).await?;
        let there = before.iter().find(|rule| rule.tool_name == new.tool_name);
        match there {
            Some(rule) if rule.covers_outside || !new.covers_outside => return Ok(rule.clone()),
            Some(rule) => remove(&write, rule.agent_id, &rule.tool_name).await?,
            None => at_most("rules of one agent", MAX_RULES, before.len() as u64)?,
        }
        let row = allow_rules::ActiveModel {
            agent_id: Set(new.agent_id.0),
            tool_name: Set(new.tool_name.clone()),
            covers_outside: Set(new.covers_outside),
            made_by: Set(Some(by.0)),
            created_at: Set(now()),
        };
        allow_rules::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        let details = json!({"tool": new.tool_name, "covers_outside": new.covers_outside});
        let made = Happening::new("agent.allow_rule_made", new.agent_id).within(workspace).by(by);
        made.with(details).record(&write).await?;
        let rules = of(&*write, new.agent_id).await?;
        write.commit().await?;
        let made = rules.into_iter().find(|rule| rule.tool_name == new.tool_name);
        made.ok_or(Error::NotFound("rule"))
    }

    async fn take_back_allow_rule(&self, agent: AgentId, tool_name: &str, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let workspace = lock_workspace(&write, agent).await?;
        if !of(&*write, agent).await?.iter().any(|rule| rule.tool_name == tool_name) {
            return Err(Error::NotFound("rule"));
        }
        remove(&write, agent, tool_name).await?;
        let taken_back = Happening::new("agent.allow_rule_taken_back", agent).within(workspace).by(by);
        taken_back.with(json!({"tool": tool_name})).record(&write).await?;
        write.commit().await
    }
}

async fn lock_workspace(write: &Write, agent: AgentId) -> Result<WorkspaceId> {
    let workspace = WorkspaceId(agents::find(&**write, agent).await?.workspace_id);
    workspaces::lock(write, workspace).await?;
    Ok(workspace)
}

async fn of(db: &impl ConnectionTrait, agent: AgentId) -> Result<Vec<AllowRule>> {
    let rows = allow_rules::Entity::find()
        .filter(allow_rules::Column::AgentId.eq(agent.0))
        .order_by_asc(allow_rules::Column::ToolName)
        .all(db)
        .await
        .db()?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<(Uuid, String)> = profiles::Entity::find()
        .select_only()
        .column(profiles::Column::Id)
        .column(profiles::Column::Name)
        .filter(profiles::Column::Id.is_in(rows.iter().filter_map(|row| row.made_by)))
        .into_tuple()
        .all(db)
        .await
        .db()?;
    let rule = |row: allow_rules::Model| AllowRule {
        agent_id: AgentId(row.agent_id),
        tool_name: row.tool_name,
        covers_outside: row.covers_outside,
        made_by_name: names.iter().find(|(id, _)| Some(*id) == row.made_by).map(|(_, name)| name.clone()),
        made_by: row.made_by.map(ProfileId),
        created_at: row.created_at,
    };
    Ok(rows.into_iter().map(rule).collect())
}

/// Someone who is no admin changed what the agent is told, or brought it back: what an admin allowed was for the agent as
/// it was.
pub async fn withdraw_outside(write: &Write, agent: AgentId) -> Result<()> {
    let outside = allow_rules::Entity::delete_many()
        .filter(allow_rules::Column::AgentId.eq(agent.0))
        .filter(allow_rules::Column::CoversOutside.eq(true));
    outside.exec(&**write).await.db().map(drop)
}

/// A tool that people defined is another one now, or gone: what was allowed was for the tool as it was.
pub async fn withdraw_tool(write: &Write, workspace: WorkspaceId, tool_name: &str) -> Result<()> {
    let its_agents = entities::agents::Entity::find()
        .select_only()
        .column(entities::agents::Column::Id)
        .filter(entities::agents::Column::WorkspaceId.eq(workspace.0));
    let rules = allow_rules::Entity::delete_many()
        .filter(allow_rules::Column::ToolName.eq(tool_name))
        .filter(allow_rules::Column::AgentId.in_subquery(its_agents.into_query()));
    rules.exec(&**write).await.db().map(drop)
}

async fn remove(write: &Write, agent: AgentId, tool_name: &str) -> Result<()> {
    allow_rules::Entity::delete_by_id((agent.0, tool_name.to_owned())).exec(&**write).await.db().map(drop)
}
