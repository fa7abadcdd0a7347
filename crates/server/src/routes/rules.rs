//! Rules of a workspace and, for server admins, of the catalog.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::ids::{AgentId, CatalogAgentId, RuleId, WorkspaceId};
use baton_core::rules::{Rule, RuleChanges};
use baton_core::workspaces::Role;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agent_names::{hidden, keep_seen};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, some};

#[derive(Serialize, ToSchema)]
pub struct RuleView {
    id: Uuid,
    /// Null for a rule of the catalog.
    #[schema(required)]
    workspace_id: Option<Uuid>,
    name: String,
    content: String,
    active: bool,
    position: i32,
    /// The workspace's agents that follow it.
    agent_ids: Vec<Uuid>,
    /// The catalog's agents that follow it, with every hired copy.
    ai_agent_ids: Vec<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Rule> for RuleView {
    fn from(rule: Rule) -> Self {
        Self {
            id: rule.id.0,
            workspace_id: rule.workspace_id.map(|id| id.0),
            name: rule.name,
            content: rule.content,
            active: rule.active,
            position: rule.position,
            agent_ids: rule.agent_ids.into_iter().map(|id| id.0).collect(),
            ai_agent_ids: rule.ai_agent_ids.into_iter().map(|id| id.0).collect(),
            created_at: rule.created_at,
            updated_at: rule.updated_at,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RuleQuery {
    /// Left out for the catalog's rules (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
pub struct RuleList {
    rules: Vec<RuleView>,
}

/// Rules, in order
#[utoipa::path(get, path = "/api/rules", tag = "agents", params(RuleQuery), responses((status = 200, body = RuleList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<RuleQuery>,
) -> Result<Json<RuleList>, ApiError> {
    let workspace = query.workspace_id.map(WorkspaceId);
    let role = match workspace {
        Some(workspace) => Some((workspace, app.role(&caller, workspace).await?)),
        None => {
            caller.admin()?;
            None
        }
    };
    let mut rules = app.store.rules(workspace).await?;
    if let Some(place) = role {
        let agents = rules.iter().flat_map(|rule| rule.agent_ids.iter().copied()).collect();
        let hidden = hidden(&app, &caller, place, agents).await?;
        rules.retain_mut(|rule| keep_seen(&mut rule.agent_ids, &hidden));
    }
    Ok(Json(RuleList { rules: rules.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRule {
    /// Left out for a rule of the catalog (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    #[schema(min_length = 1, max_length = 8_000)]
    content: String,
    active: Option<bool>,
    #[schema(minimum = 0, maximum = 10_000)]
    position: Option<i32>,
    #[schema(max_items = 200)]
    agent_ids: Option<Vec<Uuid>>,
    #[schema(max_items = 200)]
    ai_agent_ids: Option<Vec<Uuid>>,
}

/// Make a rule (admins and owners)
#[utoipa::path(post, path = "/api/rules", tag = "agents", request_body = NewRule, responses((status = 201, body = RuleView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewRule>,
) -> Result<(StatusCode, Json<RuleView>), ApiError> {
    let workspace = body.workspace_id.map(WorkspaceId);
    may_rule(&app, &caller, workspace).await?;
    let rule = RuleChanges {
        name: Some(body.name),
        content: Some(body.content),
        active: body.active,
        position: body.position,
        agent_ids: agents(body.agent_ids),
        ai_agent_ids: catalog_agents(body.ai_agent_ids),
    };
    let rule = app.store.create_rule(workspace, rule.checked()?, caller.profile.id).await?;
    rule.workspace_id.inspect(|id| app.workspace_changed(*id));
    Ok((StatusCode::CREATED, Json(rule.into())))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleChangesBody {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 8_000, nullable = false)]
    content: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    active: Option<bool>,
    #[serde(default, deserialize_with = "some")]
    #[schema(minimum = 0, maximum = 10_000, nullable = false)]
    position: Option<i32>,
    /// All agents that follow it from now on.
    #[serde(default, deserialize_with = "some")]
    #[schema(max_items = 200, nullable = false)]
    agent_ids: Option<Vec<Uuid>>,
    #[serde(default, deserialize_with = "some")]
    #[schema(max_items = 200, nullable = false)]
    ai_agent_ids: Option<Vec<Uuid>>,
}

/// Change a rule (admins and owners)
#[utoipa::path(patch, path = "/api/rules/{id}", tag = "agents", params(("id" = Uuid, Path)), request_body = RuleChangesBody, responses((status = 200, body = RuleView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<RuleChangesBody>,
) -> Result<Json<RuleView>, ApiError> {
    let rule = find(&app, &caller, id).await?;
    let changes = RuleChanges {
        name: body.name,
        content: body.content,
        active: body.active,
        position: body.position,
        agent_ids: agents(body.agent_ids),
        ai_agent_ids: catalog_agents(body.ai_agent_ids),
    };
    let rule = app.store.change_rule(rule.id, changes.checked()?, caller.profile.id).await?;
    rule.workspace_id.inspect(|id| app.workspace_changed(*id));
    Ok(Json(rule.into()))
}

/// Delete a rule (admins and owners)
#[utoipa::path(delete, path = "/api/rules/{id}", tag = "agents", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let rule = find(&app, &caller, id).await?;
    app.store.delete_rule(rule.id, caller.profile.id).await?;
    rule.workspace_id.inspect(|id| app.workspace_changed(*id));
    Ok(done())
}

async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<Rule, ApiError> {
    let rule = app.store.rule(RuleId(id)).await?;
    match rule.workspace_id {
        Some(workspace) => {
            let role = app.role_inside(caller, workspace, "rule").await?;
            if role < Role::Admin {
                return Err(ApiError::role_too_low());
            }
        }
        None => caller.admin().map_err(|error| error.hidden_as("rule"))?,
    }
    Ok(rule)
}

async fn may_rule(app: &App, caller: &Caller, workspace: Option<WorkspaceId>) -> Result<(), ApiError> {
    match workspace {
        Some(workspace) => app.require(caller, workspace, Role::Admin).await.map(drop),
        None => caller.admin(),
    }
}

fn agents(ids: Option<Vec<Uuid>>) -> Option<Vec<AgentId>> {
    ids.map(|ids| ids.into_iter().map(AgentId).collect())
}

fn catalog_agents(ids: Option<Vec<Uuid>>) -> Option<Vec<CatalogAgentId>> {
    ids.map(|ids| ids.into_iter().map(CatalogAgentId).collect())
}
