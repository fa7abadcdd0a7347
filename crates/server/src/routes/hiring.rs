//! Hiring an agent from the catalog, and letting it go.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::access::{Gate, Use, may_use};
use baton_core::ids::WorkspaceId;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::agent_view::LocalAgent;
use super::agents::{InWorkspace, find_to_let_go, local_agent};
use super::{Success, done};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, Params};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HireBody {
    #[serde(rename = "workspaceId")]
    pub workspace_id: Uuid,
}

/// Hire an agent of the catalog, or bring back one of the workspace's own; what an admin let go, an admin brings back
#[utoipa::path(post, path = "/api/agents/{id}/hire", tag = "agents", params(("id" = Uuid, Path)), request_body = HireBody, responses((status = 201, body = LocalAgent), Errors))]
pub async fn hire(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<HireBody>,
) -> Result<(StatusCode, Json<LocalAgent>), ApiError> {
    let workspace = WorkspaceId(body.workspace_id);
    let role = app.role(&caller, workspace).await?;
    let listing = app.store.agent_listing(id, Some(workspace)).await?;
    let own = listing.hired.filter(|agent| agent.id.0 == id && agent.ai_agent_id.is_none());
    let agent = match (listing.catalog, own) {
        (Some(entry), _) if entry.id.0 == id => {
            may_use(caller.viewer(), Gate::from(&entry.definition), Use::Select)?;
            app.store.hire(entry.id, workspace, caller.author(role)).await?
        }
        (None, Some(own)) if own.workspace_id == workspace => {
            may_use(caller.viewer(), Gate::from(&own.definition), Use::Select)?;
            app.store.hire_back(own.id, caller.author(role)).await?
        }
        _ => return Err(ApiError::not_found("agent")),
    };
    app.workspace_changed(workspace);
    Ok((StatusCode::CREATED, Json(local_agent(&app, agent).await?)))
}

/// Let an agent go; hiring it again brings it back as it was (admins and owners, and who brought it unless visitors reach it)
#[utoipa::path(delete, path = "/api/agents/{id}/unhire", tag = "agents", params(("id" = Uuid, Path), InWorkspace), responses((status = 200, body = Success), Errors))]
pub async fn unhire(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
) -> Result<Json<Success>, ApiError> {
    let (agent, role) = find_to_let_go(&app, &caller, id, query).await?;
    app.store.unhire(agent.id, caller.author(role)).await?;
    app.workspace_changed(agent.workspace_id);
    Ok(done())
}
