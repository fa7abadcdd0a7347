//! Reads an OpenAPI document and tells which tools its operations could be. Nothing is stored: those that a person chooses
//! are created like any others.

use axum::Json;
use axum::extract::State;
use baton_core::defined_tools::{HttpMethod, ToolConfig};
use baton_core::ids::WorkspaceId;
use baton_core::openapi_import::{self, ImportedOperation, MAX_DOCUMENT, NotImported};
use baton_core::workspaces::Role;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::tool_config::ToolConfigView;
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, http_method_schema};

const READS_AN_HOUR: u32 = 60;
/// A document within JSON, where each of its signs may take two bytes.
pub const MAX_BODY: usize = 2 * MAX_DOCUMENT + 4_096;

/// The document itself, or where it is.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenApiBody {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// JSON or YAML, of version 3.
    document: Option<String>,
    #[schema(max_length = 2_000)]
    url: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct OpenApiTools {
    title: String,
    operations: Vec<OperationView>,
    not_imported: Vec<NotImportedView>,
}

/// An operation, as the tool that it could be. Whatever it does, nobody vouches for it yet.
#[derive(Serialize, ToSchema)]
#[schema(as = OpenApiOperation)]
pub struct OperationView {
    #[schema(schema_with = http_method_schema)]
    method: HttpMethod,
    path: String,
    name: String,
    description: String,
    config: ToolConfigView,
    /// Parts of the operation that calls can't use.
    left_out: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = OpenApiNotImported)]
pub struct NotImportedView {
    #[schema(schema_with = http_method_schema)]
    method: HttpMethod,
    path: String,
    why: String,
}

/// What tools an OpenAPI document offers (admins and owners)
#[utoipa::path(post, path = "/api/tools/openapi", tag = "teams", request_body = OpenApiBody, responses((status = 200, body = OpenApiTools), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<OpenApiBody>,
) -> Result<Json<OpenApiTools>, ApiError> {
    app.require(&caller, WorkspaceId(body.workspace_id), Role::Admin).await?;
    let counted = format!("documents by {}", caller.profile.id);
    app.copies.take(&counted, READS_AN_HOUR).map_err(ApiError::too_many)?;
    let (document, url) = match (body.document, body.url) {
        (Some(document), url) => (document, url),
        (None, Some(url)) => {
            let fetched = app.outbound.get(&url, MAX_DOCUMENT).await;
            let fetched = fetched.map_err(|error| ApiError::invalid("url", &error.to_string()))?;
            let text = String::from_utf8(fetched.bytes);
            (text.map_err(|_| ApiError::invalid("url", "leads to what is no text"))?, Some(url))
        }
        (None, None) => return Err(ApiError::invalid("document", "or url is required")),
    };
    // Long documents take a while to read.
    let read = tokio::task::spawn_blocking(move || openapi_import::read(&document, url.as_deref()));
    let api = read.await.map_err(ApiError::internal)??;
    let (mut operations, mut not_imported) = (Vec::new(), Vec::new());
    for operation in api.operations {
        match operation {
            Ok(operation) => operations.push(OperationView::new(operation)),
            Err(NotImported { method, path, why }) => {
                not_imported.push(NotImportedView { method, path, why })
            }
        }
    }
    Ok(Json(OpenApiTools { title: api.title, operations, not_imported }))
}

impl OperationView {
    fn new(operation: ImportedOperation) -> Self {
        let ImportedOperation { method, path, definition, left_out } = operation;
        let config: ToolConfig = definition.config;
        Self {
            method,
            path,
            name: definition.name,
            description: definition.description,
            config: ToolConfigView::new(config, &[]),
            left_out,
        }
    }
}
