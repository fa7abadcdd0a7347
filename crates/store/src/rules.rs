//! Rules, and which agents follow them.

use async_trait::async_trait;
use baton_core::ids::{AgentId, CatalogAgentId, ProfileId, RuleId, WorkspaceId};
use baton_core::rules::{MAX_RULES, Rule, RuleChanges};
use baton_core::store::{Error, Result, Rules};
use baton_core::text::Invalid;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::SimpleExpr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now};
use crate::entities::{agent_rule_assignments, agent_rules, agents, ai_agents};
use crate::write::Write;

#[async_trait]
impl Rules for SqlStore {
    async fn rules(&self, workspace: Option<WorkspaceId>) -> Result<Vec<Rule>> {
        load(&self.db, Condition::all().add(within(workspace))).await
    }

    async fn rule(&self, id: RuleId) -> Result<Rule> {
        one(&self.db, id).await
    }

    async fn rules_of(&self, agent: Option<AgentId>, catalog: Option<CatalogAgentId>) -> Result<Vec<Rule>> {
        let mut follows = Condition::any();
        if let Some(id) = agent {
            follows = follows.add(agent_rule_assignments::Column::AgentId.eq(id.0));
        }
        if let Some(id) = catalog {
            follows = follows.add(agent_rule_assignments::Column::AiAgentId.eq(id.0));
        }
        if follows.is_empty() {
            return Ok(Vec::new());
        }
        let assigned = agent_rule_assignments::Entity::find().filter(follows).all(&self.db).await.db()?;
        let ids = assigned.iter().map(|row| row.rule_id);
        load(&self.db, Condition::all().add(agent_rules::Column::Id.is_in(ids))).await
    }

    async fn create_rule(
        &self,
        workspace: Option<WorkspaceId>,
        rule: RuleChanges,
        by: ProfileId,
    ) -> Result<Rule> {
        let missing = |field| Error::Invalid(Invalid::new(field, "must be given"));
        let write = self.write().await?;
        let there_are = agent_rules::Entity::find().filter(within(workspace)).count(&*write).await.db()?;
        at_most("rules", MAX_RULES, there_are)?;
        let at = now();
        let id = RuleId::new();
        let row = agent_rules::ActiveModel {
            id: Set(id.0),
            workspace_id: Set(workspace.map(|id| id.0)),
            name: Set(rule.name.ok_or_else(|| missing("name"))?),
            content: Set(rule.content.ok_or_else(|| missing("content"))?),
            is_active: Set(rule.active.unwrap_or(true)),
            position: Set(rule.position.unwrap_or(0)),
            from_pack: Set(false),
            created_by: Set(Some(by.0)),
            created_at: Set(at),
            updated_at: Set(at),
        };
        agent_rules::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        assign(&write, id, workspace, rule.agent_ids, rule.ai_agent_ids).await?;
        self.recorded(write, "rule.created", id, workspace, by).await
    }

    async fn change_rule(&self, id: RuleId, changes: RuleChanges, by: ProfileId) -> Result<Rule> {
        let write = self.write().await?;
        agent_rules::Entity::find_by_id(id.0).lock_exclusive().one(&*write).await.db()?;
        let old = one(&*write, id).await?;
        let change = agent_rules::ActiveModel {
            id: Unchanged(id.0),
            name: Set(changes.name.unwrap_or(old.name)),
            content: Set(changes.content.unwrap_or(old.content)),
            is_active: Set(changes.active.unwrap_or(old.active)),
            position: Set(changes.position.unwrap_or(old.position)),
            updated_at: Set(now()),
            ..Default::default()
        };
        change.update(&*write).await.db()?;
        assign(&write, id, old.workspace_id, changes.agent_ids, changes.ai_agent_ids).await?;
        self.recorded(write, "rule.changed", id, old.workspace_id, by).await
    }

    async fn delete_rule(&self, id: RuleId, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let rule = one(&*write, id).await?;
        agent_rules::Entity::delete_by_id(id.0).exec(&*write).await.db()?;
        let happening = Happening::new("rule.deleted", id).of(&rule.name).by(by);
        Happening { workspace: rule.workspace_id, ..happening }.record(&write).await?;
        write.commit().await
    }
}

impl SqlStore {
    async fn recorded(
        &self,
        write: Write,
        action: &str,
        id: RuleId,
        workspace: Option<WorkspaceId>,
        by: ProfileId,
    ) -> Result<Rule> {
        let happening = Happening { workspace, ..Happening::new(action, id).by(by) };
        happening.record(&write).await?;
        let rule = one(&*write, id).await?;
        write.commit().await?;
        Ok(rule)
    }
}

fn within(workspace: Option<WorkspaceId>) -> SimpleExpr {
    match workspace {
        Some(id) => agent_rules::Column::WorkspaceId.eq(id.0),
        None => agent_rules::Column::WorkspaceId.is_null(),
    }
}

/// Replaces who follows a rule, where the change says so.
async fn assign(
    write: &Write,
    rule: RuleId,
    workspace: Option<WorkspaceId>,
    agent_ids: Option<Vec<AgentId>>,
    ai_agent_ids: Option<Vec<CatalogAgentId>>,
) -> Result<()> {
    if let Some(ids) = agent_ids {
        let ids = unique(ids.into_iter().map(|id| id.0));
        let workspace = workspace.map(|id| id.0);
        let known = agents::Entity::find()
            .filter(agents::Column::Id.is_in(ids.clone()))
            .filter(agents::Column::WorkspaceId.eq(workspace))
            .count(&**write)
            .await
            .db()?;
        if known != ids.len() as u64 {
            return Err(Invalid::new("agent_ids", "must be agents of this workspace").into());
        }
        let old = agent_rule_assignments::Column::AgentId.is_not_null();
        replace(write, rule, old, ids.into_iter().map(|id| (Some(id), None))).await?;
    }
    if let Some(ids) = ai_agent_ids {
        let ids = unique(ids.into_iter().map(|id| id.0));
        if workspace.is_some() && !ids.is_empty() {
            return Err(Invalid::new("ai_agent_ids", "is only for rules of the catalog").into());
        }
        let known = ai_agents::Entity::find()
            .filter(ai_agents::Column::Id.is_in(ids.clone()))
            .count(&**write)
            .await
            .db()?;
        if known != ids.len() as u64 {
            return Err(Invalid::new("ai_agent_ids", "must be agents of the catalog").into());
        }
        let old = agent_rule_assignments::Column::AiAgentId.is_not_null();
        replace(write, rule, old, ids.into_iter().map(|id| (None, Some(id)))).await?;
    }
    Ok(())
}

async fn replace(
    write: &Write,
    rule: RuleId,
    old: SimpleExpr,
    new: impl Iterator<Item = (Option<Uuid>, Option<Uuid>)>,
) -> Result<()> {
    agent_rule_assignments::Entity::delete_many()
        .filter(agent_rule_assignments::Column::RuleId.eq(rule.0))
        .filter(old)
        .exec(&**write)
        .await
        .db()?;
    let rows: Vec<_> = new
        .map(|(agent_id, ai_agent_id)| agent_rule_assignments::ActiveModel {
            id: Set(Uuid::now_v7()),
            rule_id: Set(rule.0),
            agent_id: Set(agent_id),
            ai_agent_id: Set(ai_agent_id),
        })
        .collect();
    if !rows.is_empty() {
        agent_rule_assignments::Entity::insert_many(rows).exec_without_returning(&**write).await.db()?;
    }
    Ok(())
}

fn unique(ids: impl Iterator<Item = Uuid>) -> Vec<Uuid> {
    let mut ids: Vec<Uuid> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

async fn one(db: &impl ConnectionTrait, id: RuleId) -> Result<Rule> {
    let rules = load(db, Condition::all().add(agent_rules::Column::Id.eq(id.0))).await?;
    rules.into_iter().next().ok_or(Error::NotFound("rule"))
}

async fn load(db: &impl ConnectionTrait, which: Condition) -> Result<Vec<Rule>> {
    let rows = agent_rules::Entity::find()
        .filter(which)
        .order_by_asc(agent_rules::Column::Position)
        .order_by_asc(agent_rules::Column::Id)
        .all(db)
        .await
        .db()?;
    let ids = rows.iter().map(|row| row.id);
    let assigned = agent_rule_assignments::Entity::find()
        .filter(agent_rule_assignments::Column::RuleId.is_in(ids))
        .order_by_asc(agent_rule_assignments::Column::Id)
        .all(db)
        .await
        .db()?;
    let rule = |row: agent_rules::Model| {
        let mine = || assigned.iter().filter(|assignment| assignment.rule_id == row.id);
        Rule {
            agent_ids: mine().filter_map(|a| a.agent_id).map(AgentId).collect(),
            ai_agent_ids: mine().filter_map(|a| a.ai_agent_id).map(CatalogAgentId).collect(),
            id: RuleId(row.id),
            workspace_id: row.workspace_id.map(WorkspaceId),
            name: row.name,
            content: row.content,
            active: row.is_active,
            position: row.position,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    };
    Ok(rows.into_iter().map(rule).collect())
}
