//! The tools of an MCP server: what it has, what of it an admin allowed, and what changed since. Agents are offered what is
//! allowed, as it was allowed.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use baton_core::defined_tools::DefinedTool;
use baton_core::server_tools::{Definition, Difference, Listing, Pin, PinState, Trouble, model_name};
use baton_core::tools::ToolFailure;
use baton_core::visitors::Person;
use baton_core::workspaces::Role;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::tools::find;
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, pin_state_schema};

const MAX_NAMES: usize = 1_000;

#[derive(Serialize, ToSchema)]
pub struct ServerToolList {
    /// Why the server can't be used now; its tools are then as last heard.
    #[schema(required)]
    trouble: Option<String>,
    /// The person has to sign in there first.
    needs_sign_in: bool,
    tools: Vec<ServerToolView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ServerTool)]
pub struct ServerToolView {
    /// As the server calls it.
    raw_name: String,
    /// As models call it.
    name: String,
    #[schema(required)]
    title: Option<String>,
    description: String,
    #[schema(schema_with = pin_state_schema)]
    state: PinState,
    /// A JSON Schema: what it takes as it is now, or, if it is gone, as it was allowed.
    #[schema(value_type = Object)]
    parameters: Value,
    /// Names the definition that is shown here; who allows it says so.
    hash: String,
    /// Only of a tool that has changed.
    differences: Vec<DifferenceView>,
}

/// A value of a definition that is another one now.
#[derive(Serialize, ToSchema)]
#[schema(as = ToolDifference)]
pub struct DifferenceView {
    /// A JSON pointer, such as `/input_schema/properties/path/type`.
    at: String,
    /// Left out: it wasn't there.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<Value>,
    /// Left out: it isn't there any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    is: Option<Value>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ServerToolQuery {
    /// Ask the server anew.
    #[serde(default)]
    refresh: bool,
}

/// The tools of an MCP server, with what is allowed of them (admins and owners)
#[utoipa::path(get, path = "/api/tools/{id}/server-tools", tag = "teams", params(("id" = Uuid, Path), ServerToolQuery), responses((status = 200, body = ServerToolList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Params(query): Params<ServerToolQuery>,
) -> Result<Json<ServerToolList>, ApiError> {
    let (tool, role) = find(&app, &caller, id).await?;
    if role < Role::Admin {
        return Err(ApiError::role_too_low());
    }
    let seen = Seen::look(&app, &caller, tool, query.refresh).await?;
    Ok(Json(seen.view(&app).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AllowedTools)]
pub struct AllowBody {
    #[schema(min_items = 1, max_items = 1_000)]
    tools: Vec<AllowedTool>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowedTool {
    raw_name: String,
    /// Of the definition that was shown.
    hash: String,
}

/// Allow tools of an MCP server as they were shown (admins and owners)
#[utoipa::path(post, path = "/api/tools/{id}/server-tools/allow", tag = "teams", params(("id" = Uuid, Path)), request_body = AllowBody, responses((status = 200, body = ServerToolList), Errors))]
pub async fn allow(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<AllowBody>,
) -> Result<Json<ServerToolList>, ApiError> {
    let tool = to_decide(&app, &caller, id).await?;
    check_count(body.tools.len())?;
    let seen = Seen::look(&app, &caller, tool, false).await?;
    let mut definitions = Vec::with_capacity(body.tools.len());
    for allowed in body.tools {
        let now = seen.listing.tools.iter().find(|one| one.name == allowed.raw_name);
        let now = now.ok_or_else(|| ApiError::invalid("tools", "must be tools that the server has now"))?;
        if now.hash() != allowed.hash {
            let message = format!("has {}, which is another one by now: look at it again", allowed.raw_name);
            return Err(ApiError::invalid("tools", &message));
        }
        if definitions.iter().any(|one: &Definition| one.name == now.name) {
            return Err(ApiError::invalid("tools", &format!("has {} twice", now.name)));
        }
        definitions.push(now.clone());
    }
    app.store.pin_tools(seen.tool.id, definitions, caller.profile.id).await?;
    app.workspace_changed(seen.tool.workspace_id);
    Ok(Json(seen.view(&app).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HeldBackTools {
    #[schema(min_items = 1, max_items = 1_000)]
    raw_names: Vec<String>,
}

/// Hold tools of an MCP server back: agents have them no more (admins and owners)
#[utoipa::path(post, path = "/api/tools/{id}/server-tools/hold-back", tag = "teams", params(("id" = Uuid, Path)), request_body = HeldBackTools, responses((status = 200, body = ServerToolList), Errors))]
pub async fn hold_back(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<HeldBackTools>,
) -> Result<Json<ServerToolList>, ApiError> {
    let tool = to_decide(&app, &caller, id).await?;
    check_count(body.raw_names.len())?;
    // Before anything is asked of the server, which may not answer.
    app.store.unpin_tools(tool.id, body.raw_names, caller.profile.id).await?;
    app.workspace_changed(tool.workspace_id);
    Ok(Json(Seen::look(&app, &caller, tool, false).await?.view(&app).await?))
}

/// What agents may have is for admins in person.
async fn to_decide(app: &App, caller: &Caller, id: Uuid) -> Result<DefinedTool, ApiError> {
    caller.session()?;
    let (tool, role) = find(app, caller, id).await?;
    if role >= Role::Admin { Ok(tool) } else { Err(ApiError::role_too_low()) }
}

fn check_count(count: usize) -> Result<(), ApiError> {
    if count <= MAX_NAMES { Ok(()) } else { Err(ApiError::invalid("tools", "must be at most 1000")) }
}

/// A server, and what it said when someone looked.
struct Seen {
    tool: DefinedTool,
    listing: Listing,
}

impl Seen {
    async fn look(app: &App, caller: &Caller, tool: DefinedTool, refresh: bool) -> Result<Self, ApiError> {
        let person = Some(Person::Profile(caller.profile.id));
        let listing = match app.servers.server(&tool).await {
            Ok(Some(server)) if refresh => app.servers.tools.refresh(&server, person).await,
            Ok(Some(server)) => app.servers.tools.list(&server, person).await,
            Ok(None) => return Err(ApiError::invalid("id", "must be a tool of the type mcp_server")),
            Err(ToolFailure(why)) => Listing { tools: Arc::default(), trouble: Some(Trouble::Down(why)) },
        };
        Ok(Self { tool, listing })
    }

    async fn view(&self, app: &App) -> Result<ServerToolList, ApiError> {
        let pins = app.servers.pins(self.tool.id, &self.listing).await?;
        let trouble = match &self.listing.trouble {
            Some(Trouble::Down(why)) => Some(why.clone()),
            Some(Trouble::NeedsSignIn) | None => None,
        };
        Ok(ServerToolList {
            trouble,
            needs_sign_in: self.listing.trouble == Some(Trouble::NeedsSignIn),
            tools: pins.iter().filter_map(|pin| self.tool_view(pin)).collect(),
        })
    }

    fn tool_view(&self, pin: &Pin) -> Option<ServerToolView> {
        let shown: &Definition = pin.newest.as_ref().or(pin.pinned.as_ref())?;
        Some(ServerToolView {
            raw_name: shown.name.clone(),
            name: model_name(self.tool.id, &self.tool.definition.name, &shown.name),
            title: shown.title.clone(),
            description: shown.description.clone(),
            state: pin.state()?,
            parameters: shown.input_schema.clone(),
            hash: shown.hash(),
            differences: pin.differences().into_iter().map(DifferenceView::from).collect(),
        })
    }
}

impl From<Difference> for DifferenceView {
    fn from(Difference { at, was, is }: Difference) -> Self {
        Self { at, was, is }
    }
}
