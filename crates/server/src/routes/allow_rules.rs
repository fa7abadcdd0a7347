//! Allow rules: tools that an agent may use without asking. People make such rules on purpose and take them back; a
//! token can only list them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::allow_rules::{AllowRule, NewAllowRule};
use baton_core::text;
use baton_core::tools::Tool;
use baton_engine::Assignment;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::agents::{InWorkspace, find_to_change};
use super::{Success, done};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, Params};

const MAX_TOOL_NAME: usize = 100;

#[derive(Serialize, ToSchema)]
#[schema(as = AllowRule)]
pub struct AllowRuleView {
    agent_id: Uuid,
    tool_name: String,
    /// Also for calls that reach outside the workspace: an admin made it.
    covers_outside: bool,
    /// A name; null if they are gone.
    #[schema(required)]
    made_by: Option<String>,
    created_at: DateTime<Utc>,
}

impl From<AllowRule> for AllowRuleView {
    fn from(rule: AllowRule) -> Self {
        Self {
            agent_id: rule.agent_id.0,
            tool_name: rule.tool_name,
            covers_outside: rule.covers_outside,
            made_by: rule.made_by_name,
            created_at: rule.created_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct AllowRuleList {
    rules: Vec<AllowRuleView>,
    /// The tools that the agent has now, by name: those that a rule can be made for.
    tools: Vec<AllowableTool>,
}

#[derive(Serialize, ToSchema)]
pub struct AllowableTool {
    /// As models call it.
    tool_name: String,
    /// For people.
    display_name: String,
}

/// The tools that an agent may use without asking (its creator, admins and owners)
#[utoipa::path(get, path = "/api/agents/{id}/allow-rules", tag = "agents", params(("id" = Uuid, Path), InWorkspace), responses((status = 200, body = AllowRuleList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
) -> Result<Json<AllowRuleList>, ApiError> {
    let (agent, _) = find_to_change(&app, &caller, id, query).await?;
    let rules = app.store.allow_rules(agent.id).await?;
    let ready = app.engine.ready_agent(Assignment::of_member(agent.id)).await?;
    let tool = |(name, tool): (&String, &Arc<dyn Tool>)| AllowableTool {
        tool_name: name.clone(),
        display_name: tool.display_name(),
    };
    let allowable = ready.tools.iter().filter(|(_, tool)| !tool.is_served());
    let mut tools: Vec<AllowableTool> = allowable.map(tool).collect();
    tools.sort_by(|one, other| one.tool_name.cmp(&other.tool_name));
    Ok(Json(AllowRuleList { rules: rules.into_iter().map(Into::into).collect(), tools }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewAllowRule)]
pub struct NewAllowRuleBody {
    /// As models call it.
    #[schema(min_length = 1, max_length = 100)]
    tool_name: String,
}

/// Let an agent use a tool without asking (its creator, admins and owners; where it reaches outside, admins and owners)
///
/// It holds for everyone in the workspace, whatever the arguments. It does not hold for guests and visitors. For tools of
/// servers there are tool permissions instead.
#[utoipa::path(post, path = "/api/agents/{id}/allow-rules", tag = "agents", params(("id" = Uuid, Path), InWorkspace), request_body = NewAllowRuleBody, responses((status = 201, body = AllowRuleView), Errors))]
pub async fn make(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<InWorkspace>,
    Body(body): Body<NewAllowRuleBody>,
) -> Result<(StatusCode, Json<AllowRuleView>), ApiError> {
    caller.session()?;
    let (agent, role) = find_to_change(&app, &caller, id, query).await?;
    let tool_name = text::line("tool_name", &body.tool_name, MAX_TOOL_NAME)?;
    let ready = app.engine.ready_agent(Assignment::of_member(agent.id)).await?;
    let tool = ready.tools.get(&tool_name);
    let tool = tool.ok_or_else(|| ApiError::invalid("tool_name", "must be a tool that the agent has"))?;
    if tool.is_served() {
        let message = "is a tool of a server: an admin says in the agent's tool permissions whether it may be used without asking";
        return Err(ApiError::invalid("tool_name", message));
    }
    let new = NewAllowRule::by(role, agent.id, tool_name, tool.nature(&Map::new()));
    let new = new.ok_or_else(|| ApiError::role_too_low().at("tool_name"))?;
    let rule = app.store.make_allow_rule(new, caller.profile.id).await?;
    app.workspace_changed(agent.workspace_id);
    Ok((StatusCode::CREATED, Json(rule.into())))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TakeBackQuery {
    #[serde(rename = "toolName")]
    tool_name: String,
    /// The workspace from which a catalog id is meant.
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
}

/// Take such a rule back: the agent asks again from its next call on (its creator, admins and owners)
#[utoipa::path(delete, path = "/api/agents/{id}/allow-rules", tag = "agents", params(("id" = Uuid, Path), TakeBackQuery), responses((status = 200, body = Success), Errors))]
pub async fn take_back(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<TakeBackQuery>,
) -> Result<Json<Success>, ApiError> {
    caller.session()?;
    let within = InWorkspace { workspace_id: query.workspace_id };
    let (agent, _) = find_to_change(&app, &caller, id, within).await?;
    app.store.take_back_allow_rule(agent.id, &query.tool_name, caller.profile.id).await?;
    app.workspace_changed(agent.workspace_id);
    Ok(done())
}
