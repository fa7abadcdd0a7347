//! What models are sent of a handoff tool, before it is saved and after, and of Baton's own. A draft is checked as if it
//! were saved, and nothing is written.

use axum::Json;
use axum::extract::State;
use baton_core::defined_tools::ToolDefinition;
use baton_core::tools::ToolSpec;
use baton_engine::{HandoffPreview, handoff_preview};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::tool_body::{NewTool, ToolChanges};
use super::tools::{ChangedDraft, NewDraft, find};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, PathText};

#[derive(Serialize, ToSchema)]
#[schema(as = ToolPreview)]
pub struct ToolPreviewView {
    tool: SentToolView,
    /// What the target's prompt ends in after the handoff, with `…` in place of values and of the calling agent.
    target_context: String,
}

/// A tool as the model of an agent that has it is sent it.
#[derive(Serialize, ToSchema)]
#[schema(as = SentTool)]
pub struct SentToolView {
    name: String,
    description: String,
    /// A JSON Schema.
    #[schema(value_type = Object)]
    parameters: Value,
}

/// What models would be sent of a new tool
#[utoipa::path(post, path = "/api/tools/preview", tag = "teams", request_body = NewTool, responses((status = 200, body = ToolPreviewView), Errors))]
pub async fn of_new(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewTool>,
) -> Result<Json<ToolPreviewView>, ApiError> {
    let draft = NewDraft::checked(&app, &caller, body).await?;
    app.store.check_new_tool(draft.workspace, &draft.definition).await?;
    ToolPreviewView::of(&draft.definition).map(Json)
}

/// What models are sent of a tool
#[utoipa::path(get, path = "/api/tools/{id}/preview", tag = "teams", params(("id" = Uuid, Path)), responses((status = 200, body = ToolPreviewView), Errors))]
pub async fn of_saved(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<ToolPreviewView>, ApiError> {
    let (tool, _) = find(&app, &caller, id).await?;
    ToolPreviewView::of(&tool.definition).map(Json)
}

/// What models would be sent of a tool with these changes (who defined it, admins and owners)
#[utoipa::path(post, path = "/api/tools/{id}/preview", tag = "teams", params(("id" = Uuid, Path)), request_body = ToolChanges, responses((status = 200, body = ToolPreviewView), Errors))]
pub async fn of_changes(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ToolChanges>,
) -> Result<Json<ToolPreviewView>, ApiError> {
    let draft = ChangedDraft::checked(&app, &caller, id, body).await?;
    app.store.check_tool_change(draft.tool.id, &draft.definition).await?;
    ToolPreviewView::of(&draft.definition).map(Json)
}

/// What models are sent of one of Baton's own tools, which is what a tool of the type `internal` begins from
#[utoipa::path(get, path = "/api/tools/built-in/{name}", tag = "teams", params(("name" = String, Path, description = "As models call it, or as agents list it")), responses((status = 200, body = SentToolView), Errors))]
pub async fn of_built_in(
    State(app): State<SharedApp>,
    _caller: Caller,
    PathText(name): PathText,
) -> Result<Json<SentToolView>, ApiError> {
    let tool = app.tools.built_in(&name).ok_or_else(|| ApiError::not_found("tool"))?;
    Ok(Json(SentToolView::new(tool.spec())))
}

impl SentToolView {
    fn new(ToolSpec { name, description, parameters }: ToolSpec) -> Self {
        Self { name, description, parameters }
    }
}

impl ToolPreviewView {
    fn of(definition: &ToolDefinition) -> Result<Self, ApiError> {
        let Some(config) = definition.config.handoff() else {
            return Err(ApiError::invalid("type", "must be handoff: only such tools have a preview"));
        };
        let HandoffPreview { tool, target_context } =
            handoff_preview(&definition.name, &definition.description, config);
        Ok(Self { tool: SentToolView::new(tool), target_context })
    }
}
