//! Workspaces.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use baton_core::access::Viewer;
use baton_core::ids::{AgentId, WorkspaceId};
use baton_core::listing::{AgentQuery, MAX_LIMIT, Window};
use baton_core::models::Models;
use baton_core::people::Tier;
use baton_core::text;
use baton_core::workspaces::{AuditEvent, Role, Workspace, WorkspaceChanges};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, json_file, some, window};

const MAX_NAME: usize = 100;
const MAX_CAP_USD: f64 = 1_000_000.0;

#[derive(Serialize, ToSchema)]
pub struct WorkspaceView {
    id: Uuid,
    name: String,
    slug: String,
    time_zone: String,
    /// The most a day's model calls may cost; null for no cap.
    #[schema(required)]
    spend_cap_usd: Option<f64>,
    /// The most a day's model calls for guests and visitors may cost.
    public_spend_cap_usd: f64,
    /// What an admin should know: which models the cap doesn't count, as they have no price.
    warnings: Vec<String>,
    public_chat: bool,
    /// Whether guests and visitors may use a model whose price is not known, so that no limit counts it.
    public_unpriced: bool,
    #[schema(required)]
    default_agent_id: Option<Uuid>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl WorkspaceView {
    async fn of(app: &App, workspace: Workspace) -> Result<Self, ApiError> {
        let servers = app.settings.limits.spending.caps;
        let is_capped = workspace.spend_cap_micros.is_some()
            || workspace.public_chat
            || [servers.server, servers.workspace, servers.person].iter().any(Option::is_some);
        let warnings = if is_capped { uncounted(app, workspace.id).await? } else { Vec::new() };
        let public_spend_cap_usd = workspace.public_cap_micros() as f64 / 1e6;
        Ok(Self {
            id: workspace.id.0,
            name: workspace.name,
            slug: workspace.slug,
            time_zone: workspace.time_zone,
            spend_cap_usd: workspace.spend_cap_micros.map(|micros| micros as f64 / 1e6),
            public_spend_cap_usd,
            public_chat: workspace.public_chat,
            public_unpriced: workspace.public_unpriced,
            default_agent_id: workspace.default_agent_id.map(|id| id.0),
            created_at: workspace.created_at,
            updated_at: workspace.updated_at,
            warnings,
        })
    }
}

/// The models of the workspace's agents that a cap on spending can't count, in words.
async fn uncounted(app: &App, workspace_id: WorkspaceId) -> Result<Vec<String>, ApiError> {
    let window = Window { limit: MAX_LIMIT, offset: 0 };
    let all = AgentQuery {
        workspace_id,
        search: None,
        category: None,
        department_id: None,
        hired_only: true,
        window,
    };
    // Every agent of theirs spends, also those that not everyone may talk to.
    let agents = app.store.agents(all, Viewer::Profile(Tier::Premium)).await?.rows;
    let known = app.models.set_of(Some(workspace_id)).await?;
    let models: BTreeSet<String> = agents
        .iter()
        .filter_map(|listing| known.resolve(&listing.definition()?.model).ok())
        .filter(|model| model.price.is_none())
        .map(|model| format!("{}/{}", model.provider, model.model))
        .collect();
    let words = |model| {
        format!(
            "The price of {model} is not known, so no spending limit counts it. Set it with its provider in Settings, or under `prices` in baton.toml."
        )
    };
    Ok(models.into_iter().map(words).collect())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWorkspace {
    #[schema(min_length = 1, max_length = 100)]
    name: String,
}

/// Make a workspace; it hires the default agents by itself
#[utoipa::path(post, path = "/api/workspaces", tag = "workspaces", request_body = NewWorkspace, responses((status = 201, body = WorkspaceView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewWorkspace>,
) -> Result<(StatusCode, Json<WorkspaceView>), ApiError> {
    caller.session()?;
    if !app.settings.workspace_makers.include(caller.profile.is_admin) {
        let why = "Only admins of this server make workspaces. Ask one for a workspace, or for an invitation to one.";
        return Err(ApiError::forbidden("workspaces_by_admins", why));
    }
    let name = text::line("name", &body.name, MAX_NAME)?;
    let workspace = app.store.create_workspace(&name, caller.profile.id).await?;
    Ok((StatusCode::CREATED, Json(WorkspaceView::of(&app, workspace).await?)))
}

/// One workspace
#[utoipa::path(get, path = "/api/workspaces/{id}", tag = "workspaces", params(("id" = Uuid, Path)), responses((status = 200, body = WorkspaceView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<WorkspaceView>, ApiError> {
    app.role(&caller, WorkspaceId(id)).await?;
    let workspace = app.store.workspace(WorkspaceId(id)).await?;
    Ok(Json(WorkspaceView::of(&app, workspace).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceChangesBody {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    name: Option<String>,
    /// An IANA name such as Europe/Zurich.
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    time_zone: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 1_000_000)]
    spend_cap_usd: Option<Option<f64>>,
    /// For guests and visitors; null for the usual 5.
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 1_000_000)]
    public_spend_cap_usd: Option<Option<f64>>,
    /// Whether the workspace has a public address, `/w/{slug}`.
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    public_chat: Option<bool>,
    /// Lets guests and visitors use a model whose price is not known: no limit counts what it costs.
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    public_unpriced: Option<bool>,
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<Uuid>)]
    default_agent_id: Option<Option<Uuid>>,
}

/// Change a workspace (admins and owners)
#[utoipa::path(patch, path = "/api/workspaces/{id}", tag = "workspaces", params(("id" = Uuid, Path)), request_body = WorkspaceChangesBody, responses((status = 200, body = WorkspaceView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<WorkspaceChangesBody>,
) -> Result<Json<WorkspaceView>, ApiError> {
    let id = WorkspaceId(id);
    app.require(&caller, id, Role::Admin).await?;
    let workspace_closes = body.public_chat == Some(false);
    let changes = WorkspaceChanges {
        name: body.name.map(|name| text::line("name", &name, MAX_NAME)).transpose()?,
        time_zone: body.time_zone.map(|zone| text::time_zone("time_zone", &zone)).transpose()?,
        spend_cap_micros: cap("spend_cap_usd", body.spend_cap_usd)?,
        public_spend_cap_micros: cap("public_spend_cap_usd", body.public_spend_cap_usd)?,
        public_chat: body.public_chat,
        public_unpriced: body.public_unpriced,
        default_agent_id: body.default_agent_id.map(|agent| agent.map(AgentId)),
    };
    let changed = app.store.change_workspace(id, caller.profile.id, changes).await;
    let workspace = changed.map_err(|error| match error {
        baton_core::store::Error::NotFound("agent") => {
            ApiError::invalid("default_agent_id", "must be a hired agent of this workspace")
        }
        error => error.into(),
    })?;
    app.workspace_changed(id);
    if workspace_closes {
        app.streams.all_look_again();
    }
    let view = WorkspaceView::of(&app, workspace).await?;
    for warning in &view.warnings {
        tracing::warn!(workspace = %id, "{warning}");
    }
    Ok(Json(view))
}

/// A cap in millionths, if it is given at all.
fn cap(field: &str, given: Option<Option<f64>>) -> Result<Option<Option<i64>>, ApiError> {
    let micros = |usd: f64| match (0.0..=MAX_CAP_USD).contains(&usd) {
        true => Ok((usd * 1e6).round() as i64),
        false => Err(ApiError::invalid(field, "must be from 0 to 1000000")),
    };
    given.map(|cap| cap.map(micros).transpose()).transpose()
}

/// Everything in a workspace but other people's conversations (owners)
#[utoipa::path(get, path = "/api/workspaces/{id}/export", tag = "workspaces", params(("id" = Uuid, Path)), responses((status = 200, body = Object), Errors))]
pub async fn export(State(app): State<SharedApp>, caller: Caller, Id(id): Id) -> Result<Response, ApiError> {
    caller.session()?;
    app.require(&caller, WorkspaceId(id), Role::Owner).await?;
    let export = app.store.export_workspace(WorkspaceId(id), caller.profile.id).await?;
    Ok(json_file("baton-workspace.json", export))
}

/// Delete a workspace and all that is in it (owners)
#[utoipa::path(delete, path = "/api/workspaces/{id}", tag = "workspaces", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    caller.session()?;
    app.require(&caller, WorkspaceId(id), Role::Owner).await?;
    app.store.delete_workspace(WorkspaceId(id), caller.profile.id).await?;
    app.engine.forget_logs();
    app.streams.all_look_again();
    Ok(done())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct AuditEventView {
    id: Uuid,
    #[schema(required)]
    profile_id: Option<Uuid>,
    /// What happened, as noun.verb.
    action: String,
    #[schema(required)]
    subject: Option<String>,
    #[schema(value_type = Object)]
    details: Value,
    created_at: DateTime<Utc>,
}

impl From<AuditEvent> for AuditEventView {
    fn from(event: AuditEvent) -> Self {
        Self {
            id: event.id,
            profile_id: event.profile_id.map(|id| id.0),
            action: event.action,
            subject: event.subject,
            details: event.details,
            created_at: event.created_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct AuditPage {
    events: Vec<AuditEventView>,
    total: u64,
}

/// What happened in a workspace, newest first (admins and owners)
#[utoipa::path(get, path = "/api/workspaces/{id}/audit", tag = "workspaces", params(("id" = Uuid, Path), AuditQuery), responses((status = 200, body = AuditPage), Errors))]
pub async fn audit(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<AuditQuery>,
) -> Result<Json<AuditPage>, ApiError> {
    app.require(&caller, WorkspaceId(id), Role::Admin).await?;
    let page = app.store.audit(WorkspaceId(id), window(query.limit, query.offset)?).await?;
    Ok(Json(AuditPage { events: page.rows.into_iter().map(Into::into).collect(), total: page.total }))
}
