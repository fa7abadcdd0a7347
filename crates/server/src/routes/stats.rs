//! The numbers on the dashboard and on the cards of agents.

use axum::Json;
use axum::extract::State;
use baton_core::ids::WorkspaceId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Params};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StatsQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatsView {
    hired_agents: u64,
    /// Decisions that wait for this person.
    pending_approvals: u64,
    /// This person's, of all agents.
    completed_tasks: u64,
    /// 0 until schedules exist.
    active_schedules: u64,
    agents: Vec<AgentStatsView>,
}

/// This person's numbers with one agent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentStatsView {
    agent_id: Uuid,
    conversations: u64,
    completed_tasks: u64,
    /// 0 until schedules exist.
    schedules: u64,
}

/// Numbers of a workspace and of this person with its agents
#[utoipa::path(get, path = "/api/agents/stats", tag = "agents", params(StatsQuery), responses((status = 200, body = StatsView), Errors))]
pub async fn stats(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<StatsQuery>,
) -> Result<Json<StatsView>, ApiError> {
    let workspace = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace).await?;
    let stats = app.store.stats(workspace, caller.profile.id, caller.viewer()).await?;
    let completed_tasks = stats.agents.iter().map(|agent| agent.completed_tasks).sum();
    let agents = stats.agents.into_iter().map(|agent| AgentStatsView {
        agent_id: agent.agent_id.0,
        conversations: agent.conversations,
        completed_tasks: agent.completed_tasks,
        schedules: 0,
    });
    Ok(Json(StatsView {
        hired_agents: stats.hired_agents,
        pending_approvals: stats.pending_approvals,
        completed_tasks,
        active_schedules: 0,
        agents: agents.collect(),
    }))
}
