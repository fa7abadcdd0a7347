//! Teams and their members.

use async_trait::async_trait;
use baton_core::agents::Author;
use baton_core::ids::{AgentId, ProfileId, TeamId, WorkspaceId};
use baton_core::packs::Pack;
use baton_core::store::{Error, Result, Teams};
use baton_core::teams::{MAX_TEAMS, Member, Origin, Stage, Team, TeamDefinition};
use baton_core::text::Invalid;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, free_slug, now, stored};
use crate::definition::starters;
use crate::entities::{agents, team_members, teams};
use crate::write::Write;
use crate::{packs, workspaces};

#[async_trait]
impl Teams for SqlStore {
    async fn teams(&self, workspace: WorkspaceId) -> Result<Vec<Team>> {
        let mut teams = load(&self.db, of(workspace)).await?;
        teams.sort_by(|a, b| (&a.definition.name, a.id).cmp(&(&b.definition.name, b.id)));
        Ok(teams)
    }

    async fn team(&self, id: TeamId) -> Result<Team> {
        one(&self.db, id).await
    }

    async fn create_team(
        &self,
        workspace: WorkspaceId,
        definition: TeamDefinition,
        by: ProfileId,
    ) -> Result<Team> {
        let write = self.write().await?;
        workspaces::lock(&write, workspace).await?;
        check_members(&write, workspace, &definition, &[]).await?;
        let id = insert(&write, workspace, definition, None, by).await?;
        recorded(write, Happening::new("team.created", id).within(workspace).by(by), id).await
    }

    async fn change_team(&self, id: TeamId, definition: TeamDefinition, by: ProfileId) -> Result<Team> {
        let write = self.write().await?;
        let old = lock_with_workspace(&write, id).await?;
        let workspace = old.workspace_id;
        let before: Vec<AgentId> = old.definition.members.iter().map(|member| member.agent_id).collect();
        check_members(&write, workspace, &definition, &before).await?;
        if definition.name != old.definition.name {
            check_name(&write, workspace, &definition.name).await?;
        }
        let change = teams::ActiveModel {
            id: Unchanged(id.0),
            name: Set(definition.name),
            description: Set(definition.description),
            kind: Set(definition.kind.to_string()),
            router_model: Set(definition.router_model),
            router_instructions: Set(definition.router_instructions),
            is_public: Set(definition.is_public),
            starters: Set(json!(definition.starters)),
            updated_at: Set(now()),
            ..Default::default()
        };
        change.update(&*write).await.db()?;
        let gone = team_members::Column::TeamId.eq(id.0);
        team_members::Entity::delete_many().filter(gone).exec(&*write).await.db()?;
        insert_members(&write, id, definition.members).await?;
        recorded(write, Happening::new("team.changed", id).within(workspace).by(by), id).await
    }

    async fn delete_team(&self, id: TeamId, by: ProfileId) -> Result<()> {
        let write = self.write().await?;
        let team = lock_with_workspace(&write, id).await?;
        teams::Entity::delete_by_id(id.0).exec(&*write).await.db()?;
        Happening::new("team.deleted", id)
            .of(&team.definition.name)
            .within(team.workspace_id)
            .by(by)
            .record(&write)
            .await?;
        write.commit().await
    }

    async fn hire_team(&self, pack: &Pack, team: &str, workspace: WorkspaceId, by: Author) -> Result<Team> {
        let team = pack.team(team).ok_or(Error::NotFound("team"))?;
        let write = self.write().await?;
        workspaces::lock(&write, workspace).await?;
        let before = of(workspace)
            .filter(teams::Column::Pack.eq(&pack.name))
            .filter(teams::Column::PackTeam.eq(&team.slug));
        if before.count(&*write).await.db()? > 0 {
            return Err(Error::TeamHired);
        }
        let definition = packs::hire_members(&write, pack, team, workspace, by).await?;
        let origin = Origin { pack: pack.name.clone(), team: team.slug.clone() };
        let details = json!({"pack": pack.name, "team": team.slug});
        let id = insert(&write, workspace, definition, Some(origin), by.profile).await?;
        let hired = Happening::new("team.hired", id).within(workspace).by(by.profile).with(details);
        recorded(write, hired, id).await
    }
}

async fn insert(
    write: &Write,
    workspace: WorkspaceId,
    definition: TeamDefinition,
    origin: Option<Origin>,
    by: ProfileId,
) -> Result<TeamId> {
    at_most("teams", MAX_TEAMS, of(workspace).count(&**write).await.db()?)?;
    check_name(write, workspace, &definition.name).await?;
    let ours = teams::Column::WorkspaceId.eq(workspace.0);
    let slug = free_slug!(write, teams, ours, &definition.name, "team");
    let (pack, pack_team) = origin.map(|origin| (origin.pack, origin.team)).unzip();
    let (id, at) = (TeamId::new(), now());
    let row = teams::ActiveModel {
        id: Set(id.0),
        workspace_id: Set(workspace.0),
        slug: Set(slug),
        name: Set(definition.name),
        description: Set(definition.description),
        kind: Set(definition.kind.to_string()),
        router_model: Set(definition.router_model),
        router_instructions: Set(definition.router_instructions),
        is_public: Set(definition.is_public),
        starters: Set(json!(definition.starters)),
        pack: Set(pack),
        pack_team: Set(pack_team),
        created_by: Set(Some(by.0)),
        created_at: Set(at),
        updated_at: Set(at),
    };
    teams::Entity::insert(row).exec_without_returning(&**write).await.db()?;
    insert_members(write, id, definition.members).await?;
    Ok(id)
}

async fn insert_members(write: &Write, id: TeamId, members: Vec<Member>) -> Result<()> {
    let rows = (0i32..).zip(members).map(|(position, member)| {
        let (stage_name, output_schema, instructions) = match member.stage {
            Some(stage) => (Some(stage.name), Some(stage.output_schema), stage.instructions),
            None => (None, None, None),
        };
        team_members::ActiveModel {
            team_id: Set(id.0),
            position: Set(position),
            agent_id: Set(member.agent_id.0),
            is_entry: Set(member.is_entry),
            priority: Set(member.priority),
            stage_name: Set(stage_name),
            output_schema: Set(output_schema),
            instructions: Set(instructions),
        }
    });
    team_members::Entity::insert_many(rows).exec_without_returning(&**write).await.db().map(drop)
}

/// Members must be active agents of the workspace. Who was in the team before may stay, let go or not.
async fn check_members(
    write: &Write,
    workspace: WorkspaceId,
    definition: &TeamDefinition,
    before: &[AgentId],
) -> Result<()> {
    let active: Vec<Uuid> = agents::Entity::find()
        .select_only()
        .column(agents::Column::Id)
        .filter(agents::Column::WorkspaceId.eq(workspace.0))
        .filter(agents::Column::IsActive.eq(true))
        .filter(agents::Column::Id.is_in(definition.members.iter().map(|member| member.agent_id.0)))
        .into_tuple()
        .all(&**write)
        .await
        .db()?;
    let is_there = |member: &Member| active.contains(&member.agent_id.0) || before.contains(&member.agent_id);
    match definition.members.iter().position(|member| !is_there(member)) {
        Some(at) => {
            let field = format!("members[{at}].agentId");
            Err(Invalid::new(field, "must be an agent that this workspace has hired").into())
        }
        None => Ok(()),
    }
}

async fn check_name(write: &Write, workspace: WorkspaceId, name: &str) -> Result<()> {
    let named = of(workspace).filter(teams::Column::Name.eq(name)).count(&**write).await.db()?;
    if named == 0 { Ok(()) } else { Err(Error::NameTaken { what: "team", field: "name" }) }
}

async fn recorded(write: Write, happening: Happening<'_>, id: TeamId) -> Result<Team> {
    happening.record(&write).await?;
    let team = one(&*write, id).await?;
    write.commit().await?;
    Ok(team)
}

/// A team as it is once its workspace is locked.
async fn lock_with_workspace(write: &Write, id: TeamId) -> Result<Team> {
    let workspace = one(&**write, id).await?.workspace_id;
    workspaces::lock(write, workspace).await?;
    one(&**write, id).await
}

fn of(workspace: WorkspaceId) -> Select<teams::Entity> {
    teams::Entity::find().filter(teams::Column::WorkspaceId.eq(workspace.0))
}

async fn one(db: &impl ConnectionTrait, id: TeamId) -> Result<Team> {
    let teams = load(db, teams::Entity::find_by_id(id.0)).await?;
    teams.into_iter().next().ok_or(Error::NotFound("team"))
}

async fn load(db: &impl ConnectionTrait, which: Select<teams::Entity>) -> Result<Vec<Team>> {
    let rows = which.all(db).await.db()?;
    let members = team_members::Entity::find()
        .filter(team_members::Column::TeamId.is_in(rows.iter().map(|row| row.id)))
        .order_by_asc(team_members::Column::Position)
        .all(db)
        .await
        .db()?;
    let team = |row: teams::Model| {
        let members = members.iter().filter(|member| member.team_id == row.id).cloned().map(member).collect();
        Ok(Team {
            id: TeamId(row.id),
            workspace_id: WorkspaceId(row.workspace_id),
            slug: row.slug,
            definition: TeamDefinition {
                name: row.name,
                description: row.description,
                kind: stored("kind", &row.kind)?,
                members,
                router_model: row.router_model,
                router_instructions: row.router_instructions,
                is_public: row.is_public,
                starters: starters(&row.starters),
            },
            pack: row.pack.zip(row.pack_team).map(|(pack, team)| Origin { pack, team }),
            created_by: row.created_by.map(ProfileId),
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    };
    rows.into_iter().map(team).collect()
}

fn member(row: team_members::Model) -> Member {
    let (schema, instructions) = (row.output_schema, row.instructions);
    Member {
        agent_id: AgentId(row.agent_id),
        is_entry: row.is_entry,
        priority: row.priority,
        stage: row.stage_name.map(|name| Stage {
            name,
            output_schema: schema.unwrap_or(Value::Null),
            instructions,
        }),
    }
}
