//! Skills, and which agents have them.

use async_trait::async_trait;
use baton_core::ids::{AgentId, ProfileId, SkillId, WorkspaceId};
use baton_core::skills::{
    ImportedSkill, MAX_SKILLS, Skill, SkillChanges, SkillImport, SkillSummary, display_name,
};
use baton_core::store::{Error, Result, Skills};
use baton_core::text::Invalid;
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select,
};
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, database_error, is_taken, now};
use crate::entities::{agent_skill_assignments, agent_skills, agents};
use crate::workspaces;
use crate::write::Write;

const ICON: &str = "📋";

#[async_trait]
impl Skills for SqlStore {
    async fn skills(&self, workspace: WorkspaceId) -> Result<Vec<Skill>> {
        load(&self.db, of(workspace)).await
    }

    async fn skill(&self, id: SkillId) -> Result<Skill> {
        one(&self.db, id).await
    }

    async fn skills_of(&self, agent: AgentId) -> Result<Vec<SkillSummary>> {
        let rows: Vec<(String, String)> = loadable(agent)
            .select_only()
            .column(agent_skills::Column::Name)
            .column(agent_skills::Column::Description)
            .into_tuple()
            .all(&self.db)
            .await
            .db()?;
        let mut skills: Vec<SkillSummary> =
            rows.into_iter().map(|(name, description)| SkillSummary { name, description }).collect();
        // Here and not in SQL: the engines sort hyphens differently, and prompts must not.
        skills.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(skills)
    }

    async fn skill_of(&self, agent: AgentId, name: &str) -> Result<Option<Skill>> {
        let named = loadable(agent).filter(agent_skills::Column::Name.eq(name));
        Ok(load(&self.db, named).await?.into_iter().next())
    }

    async fn create_skill(
        &self,
        workspace: WorkspaceId,
        skill: SkillChanges,
        by: ProfileId,
    ) -> Result<Skill> {
        let missing = |field| Error::Invalid(Invalid::new(field, "must be given"));
        let name = skill.name.ok_or_else(|| missing("name"))?;
        let new = New {
            display_name: skill.display_name.unwrap_or_else(|| display_name(&name)),
            name,
            description: skill.description.ok_or_else(|| missing("description"))?,
            icon: skill.icon.unwrap_or_else(|| ICON.to_owned()),
            content: skill.content.ok_or_else(|| missing("content"))?,
            is_active: skill.is_active.unwrap_or(true),
        };
        let write = self.write().await?;
        workspaces::lock(&write, workspace).await?;
        at_most("skills", MAX_SKILLS, of(workspace).count(&*write).await.db()?)?;
        let id = insert(&write, workspace, new, by, now()).await?;
        assign(&write, id, workspace, skill.agent_ids).await?;
        recorded(write, "skill.created", id, workspace, by).await
    }

    async fn change_skill(&self, id: SkillId, changes: SkillChanges, by: ProfileId) -> Result<Skill> {
        let write = self.write().await?;
        agent_skills::Entity::find_by_id(id.0).lock_exclusive().one(&*write).await.db()?;
        let old = one(&*write, id).await?;
        let change = agent_skills::ActiveModel {
            id: Unchanged(id.0),
            name: Set(changes.name.unwrap_or(old.name)),
            display_name: Set(changes.display_name.unwrap_or(old.display_name)),
            description: Set(changes.description.unwrap_or(old.description)),
            icon: Set(changes.icon.unwrap_or(old.icon)),
            content: Set(changes.content.unwrap_or(old.content)),
            is_active: Set(changes.is_active.unwrap_or(old.is_active)),
            updated_at: Set(now()),
            ..Default::default()
        };
        change.update(&*write).await.map_err(name_taken)?;
        assign(&write, id, old.workspace_id, changes.agent_ids).await?;
        recorded(write, "skill.changed", id, old.workspace_id, by).await
    }

    async fn delete_skill(&self, id: SkillId, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let skill = one(&*write, id).await?;
        agent_skills::Entity::delete_by_id(id.0).exec(&*write).await.db()?;
        Happening::new("skill.deleted", id)
            .of(&skill.name)
            .within(skill.workspace_id)
            .by(by)
            .record(&write)
            .await?;
        write.commit().await
    }

    async fn import_skills(
        &self,
        workspace: WorkspaceId,
        skills: Vec<ImportedSkill>,
        by: ProfileId,
    ) -> Result<SkillImport> {
        let write = self.patient().write().await?;
        workspaces::lock(&write, workspace).await?;
        let mut there_are = of(workspace).count(&*write).await.db()?;
        let at = now();
        let (mut created, mut updated) = (Vec::new(), Vec::new());
        for skill in skills {
            let named = of(workspace).filter(agent_skills::Column::Name.eq(&skill.name));
            if let Some(row) = named.lock_exclusive().one(&*write).await.db()? {
                updated.push(replace_text(&write, row, skill, by, at).await?);
                continue;
            }
            at_most("skills", MAX_SKILLS, there_are)?;
            there_are += 1;
            let new = New {
                display_name: display_name(&skill.name),
                name: skill.name,
                description: skill.description,
                icon: ICON.to_owned(),
                content: skill.content,
                is_active: true,
            };
            let id = insert(&write, workspace, new, by, at).await?;
            Happening::new("skill.created", id).within(workspace).by(by).record(&write).await?;
            created.push(one(&*write, id).await?);
        }
        write.commit().await?;
        Ok(SkillImport { created, updated })
    }
}

struct New {
    name: String,
    display_name: String,
    description: String,
    icon: String,
    content: String,
    is_active: bool,
}

async fn insert(
    write: &Write,
    workspace: WorkspaceId,
    new: New,
    by: ProfileId,
    at: DateTime<Utc>,
) -> Result<SkillId> {
    let id = SkillId::new();
    let row = agent_skills::ActiveModel {
        id: Set(id.0),
        workspace_id: Set(workspace.0),
        name: Set(new.name),
        display_name: Set(new.display_name),
        description: Set(new.description),
        icon: Set(new.icon),
        content: Set(new.content),
        is_active: Set(new.is_active),
        is_system: Set(false),
        created_by: Set(Some(by.0)),
        created_at: Set(at),
        updated_at: Set(at),
    };
    agent_skills::Entity::insert(row).exec_without_returning(&**write).await.map_err(name_taken)?;
    Ok(id)
}

/// An import changes what the file says, and nothing of what the workspace decided: who has it, whether it is on.
async fn replace_text(
    write: &Write,
    row: agent_skills::Model,
    skill: ImportedSkill,
    by: ProfileId,
    at: DateTime<Utc>,
) -> Result<Skill> {
    let change = agent_skills::ActiveModel {
        id: Unchanged(row.id),
        description: Set(skill.description),
        content: Set(skill.content),
        updated_at: Set(at),
        ..Default::default()
    };
    change.update(&**write).await.db()?;
    let workspace = WorkspaceId(row.workspace_id);
    Happening::new("skill.changed", row.id).within(workspace).by(by).record(write).await?;
    one(&**write, SkillId(row.id)).await
}

/// Replaces who has a skill, where the change says so.
async fn assign(
    write: &Write,
    skill: SkillId,
    workspace: WorkspaceId,
    agent_ids: Option<Vec<AgentId>>,
) -> Result<()> {
    let Some(ids) = agent_ids else { return Ok(()) };
    let mut ids: Vec<Uuid> = ids.into_iter().map(|id| id.0).collect();
    ids.sort_unstable();
    ids.dedup();
    let known = agents::Entity::find()
        .filter(agents::Column::Id.is_in(ids.clone()))
        .filter(agents::Column::WorkspaceId.eq(workspace.0))
        .count(&**write)
        .await
        .db()?;
    if known != ids.len() as u64 {
        return Err(Error::NotFound("agent"));
    }
    agent_skill_assignments::Entity::delete_many()
        .filter(agent_skill_assignments::Column::SkillId.eq(skill.0))
        .exec(&**write)
        .await
        .db()?;
    let at = now();
    let rows: Vec<_> = ids
        .into_iter()
        .map(|agent_id| agent_skill_assignments::ActiveModel {
            id: Set(Uuid::now_v7()),
            agent_id: Set(agent_id),
            skill_id: Set(skill.0),
            created_at: Set(at),
        })
        .collect();
    if !rows.is_empty() {
        agent_skill_assignments::Entity::insert_many(rows).exec_without_returning(&**write).await.db()?;
    }
    Ok(())
}

async fn recorded(
    write: Write,
    action: &str,
    id: SkillId,
    workspace: WorkspaceId,
    by: ProfileId,
) -> Result<Skill> {
    Happening::new(action, id).within(workspace).by(by).record(&write).await?;
    let skill = one(&*write, id).await?;
    write.commit().await?;
    Ok(skill)
}

fn of(workspace: WorkspaceId) -> Select<agent_skills::Entity> {
    agent_skills::Entity::find().filter(agent_skills::Column::WorkspaceId.eq(workspace.0))
}

/// Active and assigned to the agent.
fn loadable(agent: AgentId) -> Select<agent_skills::Entity> {
    let assigned = agent_skill_assignments::Entity::find()
        .select_only()
        .column(agent_skill_assignments::Column::SkillId)
        .filter(agent_skill_assignments::Column::AgentId.eq(agent.0))
        .into_query();
    agent_skills::Entity::find()
        .filter(agent_skills::Column::IsActive.eq(true))
        .filter(agent_skills::Column::Id.in_subquery(assigned))
}

async fn one(db: &impl ConnectionTrait, id: SkillId) -> Result<Skill> {
    let skills = load(db, agent_skills::Entity::find_by_id(id.0)).await?;
    skills.into_iter().next().ok_or(Error::NotFound("skill"))
}

async fn load(db: &impl ConnectionTrait, which: Select<agent_skills::Entity>) -> Result<Vec<Skill>> {
    let rows = which.all(db).await.db()?;
    let assigned = agent_skill_assignments::Entity::find()
        .filter(agent_skill_assignments::Column::SkillId.is_in(rows.iter().map(|row| row.id)))
        .order_by_asc(agent_skill_assignments::Column::AgentId)
        .all(db)
        .await
        .db()?;
    let skill = |row: agent_skills::Model| Skill {
        agent_ids: assigned
            .iter()
            .filter(|assignment| assignment.skill_id == row.id)
            .map(|assignment| AgentId(assignment.agent_id))
            .collect(),
        id: SkillId(row.id),
        workspace_id: WorkspaceId(row.workspace_id),
        name: row.name,
        display_name: row.display_name,
        description: row.description,
        icon: row.icon,
        content: row.content,
        is_active: row.is_active,
        is_system: row.is_system,
        created_by: row.created_by.map(ProfileId),
        created_at: row.created_at,
        updated_at: row.updated_at,
    };
    let mut skills: Vec<Skill> = rows.into_iter().map(skill).collect();
    skills.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(skills)
}

fn name_taken(error: DbErr) -> Error {
    if is_taken(&error, "name") {
        Error::NameTaken { what: "skill", field: "name" }
    } else {
        database_error(error)
    }
}
