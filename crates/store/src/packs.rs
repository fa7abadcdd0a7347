//! Applies a pack to the catalog, and hires the agents that new workspaces or a pack's team need.
//!
//! What is hard: a pack is applied at every start, so it must not undo what an admin published meanwhile. Each entry
//! remembers what its pack last said and as which version. Only a pack that says something new adds a version. Unless
//! it is told to publish always, it replaces only a published version that came from the pack itself.

use baton_core::agents::Author;
use baton_core::catalog::{Applied, Publish};
use baton_core::ids::{AgentId, CatalogAgentId, DepartmentId, ProfileId, RuleId, WorkspaceId};
use baton_core::packs::{Pack, PackAgent, PackError, PackRule, PackTeam};
use baton_core::store::{Error, Result};
use baton_core::teams::TeamDefinition;
use baton_core::workspaces::Role;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use crate::catalog::{self, NewEntry};
use crate::db::{OrStoreError, now};
use crate::defined_tools;
use crate::entities::{agent_rule_assignments, agent_rules, ai_agents, departments};
use crate::hiring;
use crate::write::Write;

pub async fn apply(write: &Write, pack: &Pack, publish: Publish) -> Result<Applied> {
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
        match apply_agent(write, pack, agent, publish).await? {
            Outcome::Created => applied.created += 1,
            Outcome::Updated => applied.updated += 1,
            Outcome::KeptEdit => applied.kept_edits += 1,
            Outcome::Unchanged => applied.unchanged += 1,
        }
    }
    Ok(applied)
}

enum Outcome {
    Created,
    Updated,
    KeptEdit,
    Unchanged,
}

async fn apply_agent(write: &Write, pack: &Pack, agent: &PackAgent, publish: Publish) -> Result<Outcome> {
    let mut definition = agent.definition().map_err(unsound)?;
    definition.department_id = department_id(write, agent.department.as_deref()).await?;
    let existing = ai_agents::Entity::find()
        .filter(ai_agents::Column::Slug.eq(&agent.slug))
        .lock_exclusive()
        .one(&**write)
        .await
        .db()?;
    let Some(row) = existing else {
        let new = NewEntry { slug: agent.slug.clone(), definition, auto_hire: pack.auto_hire, by: None };
        let row = catalog::add(write, new).await?;
        put_in_force(write, pack, agent, row, 1).await?;
        return Ok(Outcome::Created);
    };
    let ours_in_force = row.pack_version.is_some() && row.published_version == row.pack_version;
    let says_nothing_new = row.pack_digest == Some(agent.digest());
    if says_nothing_new && (ours_in_force || publish == Publish::OverItsOwn) {
        return Ok(Outcome::Unchanged);
    }
    let row =
        if says_nothing_new { row } else { catalog::add_version(write, row, &definition, None).await? };
    let version = row.pack_version.filter(|_| says_nothing_new).unwrap_or(row.current_version);
    if ours_in_force || publish == Publish::Always {
        put_in_force(write, pack, agent, row, version).await?;
        return Ok(Outcome::Updated);
    }
    remember(write, agent, row.id, version).await?;
    Ok(Outcome::KeptEdit)
}

async fn put_in_force(
    write: &Write,
    pack: &Pack,
    agent: &PackAgent,
    row: ai_agents::Model,
    version: i32,
) -> Result<()> {
    let row = catalog::publish(write, row, version).await?;
    let change = ai_agents::ActiveModel {
        id: Unchanged(row.id),
        auto_hire: Set(pack.auto_hire),
        ..Default::default()
    };
    change.update(&**write).await.db()?;
    remember(write, agent, row.id, version).await?;
    apply_rules(write, CatalogAgentId(row.id), &agent.rules).await
}

/// What the pack said, and as which version.
async fn remember(write: &Write, agent: &PackAgent, id: Uuid, version: i32) -> Result<()> {
    let change = ai_agents::ActiveModel {
        id: Unchanged(id),
        pack_digest: Set(Some(agent.digest())),
        pack_version: Set(Some(version)),
        ..Default::default()
    };
    change.update(&**write).await.db().map(drop)
}

/// The rules a pack gives an agent replace the ones it gave before; whether a rule is active, and rules of admins, stay.
async fn apply_rules(write: &Write, agent: CatalogAgentId, rules: &[PackRule]) -> Result<()> {
    let mut before = given_rules(write, agent).await?;
    for (position, rule) in (0i32..).zip(rules) {
        let known = before.iter().position(|row| row.name == rule.name);
        match known.map(|index| before.swap_remove(index)) {
            Some(row) => {
                let change = agent_rules::ActiveModel {
                    id: Unchanged(row.id),
                    content: Set(rule.content.trim().to_owned()),
                    position: Set(position),
                    updated_at: Set(now()),
                    ..Default::default()
                };
                change.update(&**write).await.db()?;
            }
            None => add_rule(write, agent, rule, position).await?,
        }
    }
    let taken_back = agent_rules::Column::Id.is_in(before.into_iter().map(|row| row.id));
    agent_rules::Entity::delete_many().filter(taken_back).exec(&**write).await.db().map(drop)
}

async fn add_rule(write: &Write, agent: CatalogAgentId, rule: &PackRule, position: i32) -> Result<()> {
    let at = now();
    let id = RuleId::new().0;
    let row = agent_rules::ActiveModel {
        id: Set(id),
        workspace_id: Set(None),
        name: Set(rule.name.clone()),
        content: Set(rule.content.trim().to_owned()),
        is_active: Set(true),
        position: Set(position),
        from_pack: Set(true),
        created_by: Set(None),
        created_at: Set(at),
        updated_at: Set(at),
    };
    agent_rules::Entity::insert(row).exec_without_returning(&**write).await.db()?;
    let assignment = agent_rule_assignments::ActiveModel {
        id: Set(Uuid::now_v7()),
        rule_id: Set(id),
        agent_id: Set(None),
        ai_agent_id: Set(Some(agent.0)),
    };
    agent_rule_assignments::Entity::insert(assignment).exec_without_returning(&**write).await.db().map(drop)
}

/// The rules that came to an agent from its pack.
async fn given_rules(write: &Write, agent: CatalogAgentId) -> Result<Vec<agent_rules::Model>> {
    let assigned = agent_rule_assignments::Entity::find()
        .filter(agent_rule_assignments::Column::AiAgentId.eq(agent.0))
        .all(&**write)
        .await
        .db()?;
    agent_rules::Entity::find()
        .filter(agent_rules::Column::Id.is_in(assigned.iter().map(|row| row.rule_id)))
        .filter(agent_rules::Column::FromPack.eq(true))
        .all(&**write)
        .await
        .db()
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
        .lock_shared()
        .all(&**write)
        .await
        .db()?;
    let at = now();
    for row in rows {
        hiring::copy(write, row, workspace, Author::in_person(by, Role::Owner), at).await?;
    }
    Ok(())
}

/// Hires the agents of a pack's team that the workspace doesn't have, and makes the tools that lead to them. What the
/// workspace has already stays as it is.
pub async fn hire_members(
    write: &Write,
    pack: &Pack,
    team: &PackTeam,
    workspace: WorkspaceId,
    by: Author,
) -> Result<TeamDefinition> {
    let mut hired: Vec<(&str, AgentId)> = Vec::with_capacity(team.members.len());
    for member in &team.members {
        let entry = ai_agents::Entity::find()
            .filter(ai_agents::Column::Slug.eq(&member.agent))
            .lock_shared()
            .one(&**write)
            .await
            .db()?
            .ok_or(Error::NotFound("agent"))?;
        let row = match hiring::copy_of(write, CatalogAgentId(entry.id), workspace).await? {
            Some(row) if row.is_active => row,
            before => hiring::hire(write, entry, before, workspace, by).await?,
        };
        hired.push((&member.agent, AgentId(row.id)));
    }
    let agent_of = |slug: &str| hired.iter().find(|(known, _)| *known == slug).map(|(_, id)| *id);
    for tool in pack.tools_of(team) {
        let Some(target) = agent_of(&tool.target) else { continue };
        let definition = tool.definition(target).map_err(unsound)?;
        defined_tools::ensure(write, workspace, definition, by.profile).await?;
    }
    team.definition(agent_of).map_err(unsound)
}

/// Packs are checked when they are read: one that is wrong now is a mistake of ours.
fn unsound(error: PackError) -> Error {
    Error::Database(Box::new(error))
}
