//! Skills of a workspace: instructions that agents load when they need them.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use baton_core::ids::{AgentId, SkillId, WorkspaceId};
use baton_core::skills::{Skill, SkillChanges};
use baton_core::workspaces::Role;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_names::{hidden, keep_seen};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, read_body, some};
use crate::skill_archive;

#[derive(Serialize, ToSchema)]
#[schema(as = AgentSkill)]
pub struct SkillView {
    id: Uuid,
    workspace_id: Uuid,
    /// What an agent loads it by.
    name: String,
    display_name: String,
    /// What it is for; every agent that has it always sees this.
    description: String,
    icon: String,
    /// Markdown; an agent sees it once it loads the skill.
    content: String,
    is_active: bool,
    /// Given by a pack.
    is_system: bool,
    /// The agents that have it.
    agent_ids: Vec<Uuid>,
    #[schema(required)]
    created_by: Option<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Skill> for SkillView {
    fn from(skill: Skill) -> Self {
        Self {
            id: skill.id.0,
            workspace_id: skill.workspace_id.0,
            name: skill.name,
            display_name: skill.display_name,
            description: skill.description,
            icon: skill.icon,
            content: skill.content,
            is_active: skill.is_active,
            is_system: skill.is_system,
            agent_ids: skill.agent_ids.into_iter().map(|id| id.0).collect(),
            created_by: skill.created_by.map(|id| id.0),
            created_at: skill.created_at,
            updated_at: skill.updated_at,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SkillQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct SkillList {
    skills: Vec<SkillView>,
}

/// A workspace's skills, by name
#[utoipa::path(get, path = "/api/skills", tag = "agents", params(SkillQuery), responses((status = 200, body = SkillList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<SkillQuery>,
) -> Result<Json<SkillList>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    let role = app.role(&caller, workspace).await?;
    let mut skills = app.store.skills(workspace).await?;
    let agents = skills.iter().flat_map(|skill| skill.agent_ids.iter().copied()).collect();
    let hidden = hidden(&app, &caller, (workspace, role), agents).await?;
    skills.retain_mut(|skill| keep_seen(&mut skill.agent_ids, &hidden));
    Ok(Json(SkillList { skills: views(skills) }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSkill {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// Small letters, digits and single hyphens; one of its kind in the workspace.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// Left out: made from the name.
    #[schema(min_length = 1, max_length = 100)]
    display_name: Option<String>,
    #[schema(min_length = 1, max_length = 1_024)]
    description: String,
    #[schema(min_length = 1, max_length = 40)]
    icon: Option<String>,
    #[schema(min_length = 1, max_length = 100_000)]
    content: String,
    is_active: Option<bool>,
    #[schema(max_items = 200)]
    agent_ids: Option<Vec<Uuid>>,
}

/// Make a skill (admins and owners)
#[utoipa::path(post, path = "/api/skills", tag = "agents", request_body = NewSkill, responses((status = 201, body = SkillView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewSkill>,
) -> Result<(StatusCode, Json<SkillView>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    app.require(&caller, workspace, Role::Admin).await?;
    let skill = SkillChanges {
        name: Some(body.name),
        display_name: body.display_name,
        description: Some(body.description),
        icon: body.icon,
        content: Some(body.content),
        is_active: body.is_active,
        agent_ids: agents(body.agent_ids),
    };
    let skill = app.store.create_skill(workspace, skill.checked()?, caller.profile.id).await?;
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(skill.into())))
}

/// The bytes of a `SKILL.md`, or of a zip file with a folder per skill.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code)]
pub struct SkillFile(Vec<u8>);

#[derive(Serialize, ToSchema)]
pub struct SkillsImported {
    created: Vec<SkillView>,
    /// Skills that were there by name: they have the new description and content.
    updated: Vec<SkillView>,
    /// Files in the zip that were not taken, such as scripts.
    left_out: Vec<String>,
}

/// Import skills from a SKILL.md or a zip with a folder per skill, as the body (admins and owners)
#[utoipa::path(post, path = "/api/skills/import", tag = "agents", params(SkillQuery),
    request_body(content((SkillFile = "application/zip"), (SkillFile = "text/markdown"))),
    responses((status = 200, body = SkillsImported), Errors))]
pub async fn import(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<SkillQuery>,
    request: Request,
) -> Result<Json<SkillsImported>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    app.require(&caller, workspace, Role::Admin).await?;
    let bytes = read_body(request, &app).await?;
    let unpacked = tokio::task::spawn_blocking(move || skill_archive::unpack(&bytes)).await;
    let unpacked = unpacked.map_err(ApiError::internal)??;
    let done = app.store.import_skills(workspace, unpacked.skills, caller.profile.id).await?;
    app.workspace_changed(workspace);
    Ok(Json(SkillsImported {
        created: views(done.created),
        updated: views(done.updated),
        left_out: unpacked.left_out,
    }))
}

/// One skill
#[utoipa::path(get, path = "/api/skills/{id}", tag = "agents", params(("id" = Uuid, Path)), responses((status = 200, body = SkillView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<SkillView>, ApiError> {
    Ok(Json(find(&app, &caller, id, Role::Member).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillChangesBody {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 64, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    display_name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 1_024, nullable = false)]
    description: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 40, nullable = false)]
    icon: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 100_000, nullable = false)]
    content: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    is_active: Option<bool>,
    /// All agents that have it from now on.
    #[serde(default, deserialize_with = "some")]
    #[schema(max_items = 200, nullable = false)]
    agent_ids: Option<Vec<Uuid>>,
}

/// Change a skill, or which agents have it (admins and owners)
#[utoipa::path(patch, path = "/api/skills/{id}", tag = "agents", params(("id" = Uuid, Path)), request_body = SkillChangesBody, responses((status = 200, body = SkillView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<SkillChangesBody>,
) -> Result<Json<SkillView>, ApiError> {
    let skill = find(&app, &caller, id, Role::Admin).await?;
    let changes = SkillChanges {
        name: body.name,
        display_name: body.display_name,
        description: body.description,
        icon: body.icon,
        content: body.content,
        is_active: body.is_active,
        agent_ids: agents(body.agent_ids),
    };
    let skill = app.store.change_skill(skill.id, changes.checked()?, caller.profile.id).await?;
    app.workspace_changed(skill.workspace_id);
    Ok(Json(skill.into()))
}

/// Delete a skill (admins and owners)
#[utoipa::path(delete, path = "/api/skills/{id}", tag = "agents", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let skill = find(&app, &caller, id, Role::Admin).await?;
    app.store.delete_skill(skill.id, caller.profile.id).await?;
    app.workspace_changed(skill.workspace_id);
    Ok(done())
}

async fn find(app: &App, caller: &Caller, id: Uuid, least: Role) -> Result<Skill, ApiError> {
    let mut skill = app.store.skill(SkillId(id)).await?;
    let role = app.role_inside(caller, skill.workspace_id, "skill").await?;
    let agents = skill.agent_ids.iter().copied().collect();
    let hidden = hidden(app, caller, (skill.workspace_id, role), agents).await?;
    if !keep_seen(&mut skill.agent_ids, &hidden) {
        return Err(ApiError::not_found("skill"));
    }
    if role >= least { Ok(skill) } else { Err(ApiError::role_too_low()) }
}

fn views(skills: Vec<Skill>) -> Vec<SkillView> {
    skills.into_iter().map(Into::into).collect()
}

fn agents(ids: Option<Vec<Uuid>>) -> Option<Vec<AgentId>> {
    ids.map(|ids| ids.into_iter().map(AgentId).collect())
}
