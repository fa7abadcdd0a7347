//! Runs a tool once, for who sets it up: with its secrets, outside of any conversation. The request is really sent.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use baton_core::data::rows::Once;
use baton_core::defined_tools::{DefinedTool, ToolType};
use baton_core::schema;
use baton_core::tools::{Cancelled, Ended, TellProgress, Tool, ToolContext, ToolFailure};
use baton_core::visitors::Person;
use baton_core::workspaces::Role;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::tools::find;
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id};

const TESTS_AN_HOUR: u32 = 60;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolTestBody {
    #[serde(default)]
    #[schema(value_type = Object)]
    arguments: Map<String, Value>,
    /// Of a server: which of its tools, by the server's name for it. It is run as the server describes it now, allowed or not.
    #[serde(rename = "rawName")]
    raw_name: Option<String>,
}

/// What came of a run.
#[derive(Serialize, ToSchema)]
#[schema(as = ToolTestOutcome)]
pub struct ToolTestOutcome {
    ok: bool,
    /// It was sent, and nobody knows whether it was carried out.
    unknown: bool,
    /// What a model would be given.
    result: Value,
    #[serde(rename = "tookMs")]
    took_ms: u64,
}

/// Run a tool once, with real consequences (admins and owners)
#[utoipa::path(post, path = "/api/tools/{id}/test", tag = "teams", params(("id" = Uuid, Path)), request_body = ToolTestBody, responses((status = 200, body = ToolTestOutcome), Errors))]
pub async fn test(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ToolTestBody>,
) -> Result<Json<ToolTestOutcome>, ApiError> {
    caller.session()?;
    let (tool, role) = find(&app, &caller, id).await?;
    if role < Role::Admin {
        return Err(ApiError::role_too_low());
    }
    let runnable = runnable(&app, &caller, &tool, body.raw_name.as_deref()).await?;
    let args = body.arguments;
    let misfit = |wrong: &str| ApiError::invalid("arguments", &format!("don't fit: {wrong}"));
    schema::check(&runnable.spec().parameters, &Value::Object(args.clone()))
        .map_err(|wrong| misfit(&wrong))?;
    runnable.check(&args).map_err(|ToolFailure(wrong)| misfit(wrong.trim_end_matches('.')))?;
    if tool.definition.kind() == ToolType::Internal && runnable.nature(&args).writes {
        let message =
            "would change the workspace's data: try that in a conversation, where it can be approved";
        return Err(ApiError::invalid("arguments", message));
    }
    app.copies.take(&format!("tests by {}", caller.profile.id), TESTS_AN_HOUR).map_err(ApiError::too_many)?;
    let (begun, time) = (Instant::now(), runnable.time());
    let (_waiting, context) = context(&app, &caller, &tool).await?;
    let came = tokio::time::timeout(time, runnable.call(&context, args)).await;
    let (ended, result) = match came {
        Ok(Ok(answer)) => (answer.ended, answer.value),
        Ok(Err(ToolFailure(why))) => (Ended::Badly, json!({"error": why})),
        Err(_) => (Ended::Unknown, json!({"error": "There was no answer in time."})),
    };
    Ok(Json(ToolTestOutcome {
        ok: ended == Ended::Well,
        unknown: ended == Ended::Unknown,
        result,
        took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
    }))
}

async fn runnable(
    app: &App,
    caller: &Caller,
    tool: &DefinedTool,
    raw_name: Option<&str>,
) -> Result<Arc<dyn Tool>, ApiError> {
    if let Some(raw_name) = raw_name {
        let person = Person::Profile(caller.profile.id);
        let wrong = |why: &str| ApiError::invalid("rawName", why.trim_end_matches('.'));
        let newest = app.servers.newest(tool, raw_name, person).await;
        let newest = newest.map_err(|ToolFailure(why)| wrong(&format!("can't be tried: {why}")))?;
        let newest = newest.ok_or_else(|| wrong("must be a tool that the server has now"))?;
        return Ok(Arc::new(newest));
    }
    let message = match tool.definition.kind() {
        ToolType::Handoff => "hands a conversation off: it can only be tried in one",
        ToolType::McpServer => "is a server: name the tool to be tried in rawName",
        ToolType::Internal => "is made of a tool that this server doesn't have",
        ToolType::HttpApi | ToolType::SupabaseRpc => "can't be run",
    };
    app.tools.of_definition(tool).ok_or_else(|| ApiError::invalid("id", message))
}

/// A call outside of any conversation: nothing is recorded of it, so only what changes nothing here is run.
async fn context(
    app: &App,
    caller: &Caller,
    tool: &DefinedTool,
) -> Result<(baton_core::tools::CancelOnDrop, ToolContext), ApiError> {
    let areas = app.store.areas(tool.workspace_id, caller.profile.id).await?;
    let (waiting, cancelled) = Cancelled::new();
    let context = ToolContext {
        once: Once::Unkeyed,
        cancelled,
        workspace_id: tool.workspace_id,
        agent: None,
        person: Person::Profile(caller.profile.id),
        may_change_agent: false,
        areas,
        time_zone: caller.profile.time_zone.clone(),
        context_data: Map::new(),
        teammates: Vec::new(),
        progress: TellProgress::default(),
    };
    Ok((waiting, context))
}
