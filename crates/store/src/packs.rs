//! Applying a pack to the catalog, and hiring what new workspaces hire.
//!
//! What is hard: a pack is applied at every start, so it must not undo what an admin published meanwhile. Each entry
//! remembers what its pack last said and as which version; only a pack that says something new adds a version, and
//! without being told to publish it replaces only a published version that came from the pack itself.

use baton_core::catalog::Applied;
use baton_core::ids::{CatalogAgentId, DepartmentId, ProfileId, RuleId, WorkspaceId};
use baton_core::packs::{Pack, PackAgent, PackRule};
use baton_core::store::{Error, Result};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use crate::agents;
use crate::catalog::{self, NewEntry};
use crate::db::{OrStoreError, now};
use crate::entities::{agent_rule_assignments, agent_rules, ai_agents, departments};
use crate::write::Write;

pub async fn apply(write: &Write, pack: &Pack, force: bool) -> Result<Applied> {
    for department in &pack.departments {
        let row = departments::ActiveModel {
            id: Set(DepartmentId::new().0),
            slug: Set(department.slug.clone()),
            name: Set(department.name.clone()),
            icon: Set(department.icon.clone()),
        };
        departments::Entity::insert(row)
            .on_conflict(
                OnConflict::column(departments::Column::Slug)
                    .update_columns([departments::Column::Name, departments::Column::Icon])
                    .to_owned(),
            )
            .exec_without_returning(&**write)
            .await
            .db()?;
    }
    let mut applied = Applied::default();
    for agent in &pack.agents {
        apply_agent(write, pack, agent, force, &mut applied).await?;
    }
    Ok(applied)
}

async fn apply_agent(
    write: &Write,
    pack: &Pack,
    agent: &PackAgent,
    force: bool,
    applied: &mut Applied,
) -> Result<()> {
    let digest = agent.digest();
    let mut definition = agent.definition().map_err(|error| Error::Database(Box::new(error)))?;
    definition.department_id = department_id(write, agent.department.as_deref()).await?;
    let existing =
        ai_agents::Entity::find().filter(ai_agents::Column::Slug.eq(&agent.slug)).one(&**write).await.db()?;
    let (row, in_force) = match existing {
        Some(row) if row.pack_digest.as_ref() == Some(&digest) => {
            applied.unchanged += 1;
            return Ok(());
        }
        Some(row) => {
            let untouched = row.published_version == row.pack_version;
            if force || untouched {
                applied.updated += 1;
            } else {
                applied.kept_edits += 1;
            }
            (catalog::add_version(write, row, &definition, None).await?, force || untouched)
        }
        None => {
            applied.created += 1;
            let slug = agent.slug.clone();
            (
                catalog::add(write, NewEntry { slug, definition, auto_hire: pack.auto_hire, by: None })
                    .await?,
                true,
            )
        }
    };
    let version = row.current_version;
    let row = if in_force { catalog::publish(write, row, version).await? } else { row };
    let change = ai_agents::ActiveModel {
        id: Unchanged(row.id),
        auto_hire: Set(pack.auto_hire),
        pack_digest: Set(Some(digest)),
        pack_version: Set(Some(version)),
        ..Default::default()
    };
    change.update(&**write).await.db()?;
    if in_force {
        apply_rules(write, CatalogAgentId(row.id), &agent.rules).await?;
    }
    Ok(())
}

/// The rules a pack gives an agent replace the ones it gave before, by name; an admin's own rules stay.
async fn apply_rules(write: &Write, agent: CatalogAgentId, rules: &[PackRule]) -> Result<()> {
    let at = now();
    for (position, rule) in (0i32..).zip(rules) {
        let existing = existing_rule(write, agent, &rule.name).await?;
        let id = existing.unwrap_or_else(|| RuleId::new().0);
        let row = agent_rules::ActiveModel {
            id: Set(id),
            workspace_id: Set(None),
            name: Set(rule.name.clone()),
            content: Set(rule.content.trim().to_owned()),
            is_active: Set(true),
            position: Set(position),
            created_by: Set(None),
            created_at: Set(at),
            updated_at: Set(at),
        };
        if existing.is_some() {
            let change = agent_rules::ActiveModel {
                id: Unchanged(id),
                created_at: sea_orm::ActiveValue::NotSet,
                is_active: sea_orm::ActiveValue::NotSet,
                ..row
            };
            change.update(&**write).await.db()?;
            continue;
        }
        agent_rules::Entity::insert(row).exec_without_returning(&**write).await.db()?;
        let assignment = agent_rule_assignments::ActiveModel {
            id: Set(Uuid::now_v7()),
            rule_id: Set(id),
            agent_id: Set(None),
            ai_agent_id: Set(Some(agent.0)),
        };
        agent_rule_assignments::Entity::insert(assignment).exec_without_returning(&**write).await.db()?;
    }
    Ok(())
}

async fn existing_rule(write: &Write, agent: CatalogAgentId, name: &str) -> Result<Option<Uuid>> {
    let assigned = agent_rule_assignments::Entity::find()
        .filter(agent_rule_assignments::Column::AiAgentId.eq(agent.0))
        .all(&**write)
        .await
        .db()?;
    let ids = assigned.iter().map(|row| row.rule_id);
    let rule = agent_rules::Entity::find()
        .filter(agent_rules::Column::Id.is_in(ids))
        .filter(agent_rules::Column::Name.eq(name))
        .one(&**write)
        .await
        .db()?;
    Ok(rule.map(|rule| rule.id))
}

async fn department_id(write: &Write, slug: Option<&str>) -> Result<Option<DepartmentId>> {
    let Some(slug) = slug else { return Ok(None) };
    let row =
        departments::Entity::find().filter(departments::Column::Slug.eq(slug)).one(&**write).await.db()?;
    Ok(row.map(|row| DepartmentId(row.id)))
}

/// Hires everything that new workspaces hire, in the order of the packs.
pub async fn hire_defaults(write: &Write, workspace: WorkspaceId, by: ProfileId) -> Result<()> {
    let rows = ai_agents::Entity::find()
        .filter(ai_agents::Column::AutoHire.eq(true))
        .filter(ai_agents::Column::IsEnabled.eq(true))
        .filter(ai_agents::Column::PublishedVersion.is_not_null())
        .order_by_asc(ai_agents::Column::Id)
        .all(&**write)
        .await
        .db()?;
    let at = now();
    for row in rows {
        agents::copy(write, row, workspace, by, at).await?;
    }
    Ok(())
}
