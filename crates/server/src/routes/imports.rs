//! Imports: bring a file in, see what comes of it, answer its questions, take it back.

use std::time::Duration;

use axum::Json;
use axum::body::BodyDataStream;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use baton_core::data::areas::AreaAccess;
use baton_core::data::imports::{Import, ImportAnswers, ImportStatus, NewImport, PIECE};
use baton_core::data::kind::Kind;
use baton_core::data::kinds::{self, ACCOUNTS};
use baton_core::data::rows::DataScope;
use baton_core::ids::{ImportId, WorkspaceId};
use baton_core::store;
use baton_core::text;
use futures::StreamExt;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::attachments::FileBytes;
use super::data_request;
use super::import_view::{ImportAnswer, ImportDetails, ImportList, ImportView};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, PathText, window};
use crate::imports::look;

/// Files that one person may bring in an hour.
const IMPORTS_AN_HOUR: u32 = 200;
/// How long a file may stand still on its way.
const IDLE: Duration = Duration::from_secs(60);
const MAX_FILENAME: usize = 200;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ImportQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    /// The file's name; its ending helps to know its format.
    #[param(min_length = 1, max_length = 200)]
    filename: String,
    /// The account of rows that don't name one: its id, name or number.
    #[param(max_length = 200)]
    account: Option<String>,
    /// Only counts what would come of it; then it can be started.
    #[serde(rename = "dryRun")]
    dry_run: Option<bool>,
}

/// What a caller may do in a workspace, if they may do this.
pub async fn scope(
    app: &App,
    caller: &Caller,
    workspace: WorkspaceId,
    kind: &Kind,
    least: AreaAccess,
) -> Result<DataScope, ApiError> {
    let scope = data_request::scope(app, caller, workspace.0).await?;
    scope.check(kind, least).map_err(store::Error::from)?;
    Ok(scope)
}

/// Bring a file in: CSV of any kind; OFX, QFX, CAMT.053 or QIF of transactions, as the body
///
/// It is read in the background: follow it by its id, or on `/api/events`. With `needs_mapping` it waits for answers.
#[utoipa::path(post, path = "/api/data/{kind}/import", tag = "data", params(("kind" = String, Path), ImportQuery), request_body(content = FileBytes, content_type = "application/octet-stream"), responses((status = 202, body = ImportAnswer), Errors))]
pub async fn begin(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(kind): PathText,
    Params(query): Params<ImportQuery>,
    request: Request,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let kind = data_request::kind(&kind)?;
    let workspace_id = WorkspaceId(query.workspace_id);
    let scope = scope(&app, &caller, workspace_id, kind, AreaAccess::Write).await?;
    let filename = text::line("filename", &query.filename, MAX_FILENAME)?;
    let account_id = match &query.account {
        Some(named) => Some(find_account(&app, scope, named).await?),
        None => None,
    };
    let told = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|size| size.to_str().ok()?.parse::<u64>().ok());
    if told.is_some_and(|size| size > app.settings.import_bytes()) {
        return Err(too_large(&app));
    }
    app.copies
        .take(&format!("imports of {}", caller.profile.id), IMPORTS_AN_HOUR)
        .map_err(ApiError::too_many)?;
    app.space.check(workspace_id).await?;
    let new = NewImport {
        workspace_id,
        profile_id: caller.profile.id,
        kind: kind.name,
        filename,
        is_dry_run: query.dry_run.unwrap_or(false),
        account_id,
    };
    let upload = Upload { app: app.clone(), id: app.store.begin_import(new).await?, is_settled: false };
    let import = upload.take(request.into_body().into_data_stream(), workspace_id).await?;
    app.imports.wake();
    Ok((StatusCode::ACCEPTED, Json(ImportAnswer { import: import.into() })))
}

/// A file on its way. What did not arrive whole is removed, however it ended: before the answer, or, if nobody waits for an
/// answer any more, afterwards.
struct Upload {
    app: SharedApp,
    id: ImportId,
    /// It is stored whole, or removed.
    is_settled: bool,
}

impl Upload {
    async fn take(mut self, body: BodyDataStream, workspace: WorkspaceId) -> Result<Import, ApiError> {
        let taken = self.read(body, workspace).await;
        if taken.is_err() {
            remove(&self.app, self.id).await;
        }
        self.is_settled = true;
        taken
    }

    async fn read(&self, mut body: BodyDataStream, workspace: WorkspaceId) -> Result<Import, ApiError> {
        let (mut piece, mut position, mut size) = (Vec::with_capacity(PIECE), 0, 0u64);
        loop {
            let next = tokio::time::timeout(IDLE, body.next()).await;
            let next = next.map_err(|_| {
                ApiError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The file took too long to arrive.")
            })?;
            let Some(bytes) = next else { break };
            let bytes = bytes.map_err(|_| {
                ApiError::new(
                    StatusCode::BAD_REQUEST,
                    "unreadable_body",
                    "The file could not be read to its end.",
                )
            })?;
            size += bytes.len() as u64;
            if size > self.app.settings.import_bytes() {
                return Err(too_large(&self.app));
            }
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (now, later) = rest.split_at(rest.len().min(PIECE - piece.len()));
                piece.extend_from_slice(now);
                rest = later;
                if piece.len() == PIECE {
                    let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE));
                    self.keep(workspace, &mut position, full).await?;
                }
            }
        }
        if size == 0 {
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "empty_file", "The file is empty."));
        }
        if !piece.is_empty() {
            self.keep(workspace, &mut position, piece).await?;
        }
        Ok(self.app.store.end_upload(self.id, size).await?)
    }

    async fn keep(&self, workspace: WorkspaceId, position: &mut u64, bytes: Vec<u8>) -> Result<(), ApiError> {
        self.app.space.take(workspace, bytes.len()).await?;
        self.app.store.keep_piece(workspace, self.id.0, *position, bytes).await?;
        *position += 1;
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.is_settled {
            let (app, id) = (self.app.clone(), self.id);
            tokio::spawn(async move { remove(&app, id).await });
        }
    }
}

async fn remove(app: &App, id: ImportId) {
    if let Err(error) = app.store.drop_upload(id).await {
        tracing::warn!(%error, "could not remove a file that did not arrive whole");
    }
}

fn too_large(app: &App) -> ApiError {
    let most = app.settings.import_megabytes;
    let error = format!("A file to import may have at most {most} megabytes.");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", error)
        .with_message("Whoever runs this server can raise import_megabytes.")
}

/// By its id, its name or its number.
async fn find_account(app: &App, scope: DataScope, named: &str) -> Result<Uuid, ApiError> {
    let accounts = crate::imports::all_rows(&*app.store, scope, &ACCOUNTS).await?;
    let id = named.parse::<Uuid>().ok();
    let field = |row: &baton_core::data::rows::Row, name: &str| {
        row.fields.get(name).and_then(|value| value.as_str()).map(text::fold)
    };
    let wanted = Some(text::fold(named.trim()));
    let by_id = accounts.iter().find(|row| Some(row.id) == id);
    let found = by_id
        .or_else(|| accounts.iter().find(|row| field(row, "number") == wanted))
        .or_else(|| accounts.iter().find(|row| field(row, "name") == wanted));
    found.map(|row| row.id).ok_or_else(|| ApiError::invalid("account", "names no account of this workspace"))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(minimum = 0, maximum = 1_000_000_000)]
    offset: Option<u64>,
}

/// The files that were brought into a workspace, the latest first
#[utoipa::path(get, path = "/api/data/imports", tag = "data", params(ListQuery), responses((status = 200, body = ImportList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ListQuery>,
) -> Result<Json<ImportList>, ApiError> {
    let workspace_id = WorkspaceId(query.workspace_id);
    app.role(&caller, workspace_id).await?;
    let areas = app.store.areas(workspace_id, caller.profile.id).await?;
    let page = app.store.imports(workspace_id, window(query.limit, query.offset)?).await?;
    let may_see = |import: &Import| {
        kinds::find(&import.kind).is_some_and(|kind| areas.access(kind.area) >= AreaAccess::Read)
    };
    let imports = page.rows.into_iter().filter(may_see).map(ImportView::from).collect();
    Ok(Json(ImportList { imports, total: page.total }))
}

async fn own(app: &App, caller: &Caller, id: Uuid, least: AreaAccess) -> Result<Import, ApiError> {
    let import = app.store.import(ImportId(id)).await?;
    app.role_inside(caller, import.workspace_id, "import").await?;
    scope(app, caller, import.workspace_id, data_request::kind(&import.kind)?, least).await?;
    Ok(import)
}

/// What comes of a file: counts, questions, a preview, balances, and what is to be known about its lines
#[utoipa::path(get, path = "/api/data/imports/{id}", tag = "data", params(("id" = Uuid, Path)), responses((status = 200, body = ImportDetails), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<ImportDetails>, ApiError> {
    let import = own(&app, &caller, id, AreaAccess::Read).await?;
    let remarks = app.store.remarks(import.id).await?;
    Ok(Json(ImportDetails::new(import, remarks)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportChanges {
    /// What to change about how the file is read: `columns` by field, `date_order`, `decimal_sign`, `currency`, `sign`,
    /// `has_header`, `delimiter`, `encoding`. What is not named stays as it was guessed.
    #[schema(value_type = Option<Object>)]
    mapping: Option<serde_json::Value>,
    /// The account of rows that don't name one: its id, name or number.
    #[schema(max_length = 200)]
    account: Option<String>,
    /// Start it: after a dry run, or with these answers.
    start: Option<bool>,
}

/// Answer an import's questions, read its file in another way, or start it after a dry run
#[utoipa::path(patch, path = "/api/data/imports/{id}", tag = "data", params(("id" = Uuid, Path)), request_body = ImportChanges, responses((status = 200, body = ImportDetails), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ImportChanges>,
) -> Result<Json<ImportDetails>, ApiError> {
    let import = own(&app, &caller, id, AreaAccess::Write).await?;
    let scope =
        scope(&app, &caller, import.workspace_id, data_request::kind(&import.kind)?, AreaAccess::Write)
            .await?;
    let mapping = match body.mapping {
        Some(said) => {
            let guess = import.report.get("mapping").filter(|guess| guess.is_object());
            let merged = look::merged(guess, said).map_err(|wrong| ApiError::invalid("mapping", &wrong))?;
            let columns: Vec<String> = import
                .report
                .get("columns")
                .cloned()
                .and_then(|it| serde_json::from_value(it).ok())
                .unwrap_or_default();
            if let Some(unknown) = look::unknown_columns(&merged, &columns).first() {
                let wrong = format!("names the column {unknown}, which the file does not have");
                return Err(ApiError::invalid("mapping", &wrong));
            }
            Some(serde_json::to_value(merged).map_err(ApiError::internal)?)
        }
        // Started as it was shown: what was guessed counts.
        None if import.mapping.is_none() && import.status == ImportStatus::Ready => {
            import.report.get("mapping").cloned()
        }
        None => None,
    };
    let account_id = match &body.account {
        Some(named) => Some(find_account(&app, scope, named).await?),
        None => None,
    };
    let answers = ImportAnswers { mapping, account_id, starts: body.start.unwrap_or(false) };
    let Some(import) = app.store.answer_import(import.id, answers).await? else {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "not_waiting",
            "This import does not wait for anything.",
        ));
    };
    app.imports.wake();
    Ok(Json(ImportDetails::new(import, Vec::new())))
}

/// Take an import back
///
/// Rows that nobody has changed since are removed, and what was pending before is pending again; rows that somebody has
/// changed stay, and are counted. An import that is under way stops.
#[utoipa::path(delete, path = "/api/data/imports/{id}", tag = "data", params(("id" = Uuid, Path)), responses((status = 202, body = ImportAnswer), Errors))]
pub async fn undo(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<(StatusCode, Json<ImportAnswer>), ApiError> {
    let import = own(&app, &caller, id, AreaAccess::Write).await?;
    let Some(import) = app.store.begin_undo(import.id, caller.profile.id).await? else {
        let error = "This import is taken back already, or its file is still on its way.";
        return Err(ApiError::new(StatusCode::CONFLICT, "not_undoable", error));
    };
    app.imports.wake();
    app.space.forget(import.workspace_id);
    Ok((StatusCode::ACCEPTED, Json(ImportAnswer { import: import.into() })))
}
