//! The web search engine of the server, set by its admins, or of a workspace, set by its admins and owners. Agents have
//! web search where there is one.

use axum::Json;
use axum::extract::State;
use baton_core::ids::WorkspaceId;
use baton_core::search_engines::{NewSearchEngine, SearchEngine, SearchEngineKind};
use baton_core::secrets::{SecretChange, SecretText};
use baton_tools::search::{EngineKey, Query};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::provider_test::TestOutcome;
use super::providers::{changed, may_set};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::base_url;
use crate::http::{ApiError, Body, Caller, Errors, Params, search_engine_kind_schema};
use crate::search::LiveEngines;

const TESTS_AN_HOUR: u32 = 60;

/// A web search engine. Its key is never shown.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchEngine)]
pub struct SearchEngineView {
    #[schema(schema_with = search_engine_kind_schema)]
    kind: SearchEngineKind,
    /// Null for the vendor's own.
    #[schema(required)]
    base_url: Option<String>,
    has_key: bool,
    /// False if the key can't be decrypted on this server.
    key_is_readable: bool,
    updated_at: DateTime<Utc>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchEngineQuery {
    /// Left out for the server's (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
pub struct SearchEngineSetting {
    #[schema(required)]
    engine: Option<SearchEngineView>,
    /// Whether the server has one, which workspaces without their own use.
    server_has_one: bool,
}

/// The web search engine of the server, or of a workspace (its admins and owners)
#[utoipa::path(get, path = "/api/search-engine", tag = "models", params(SearchEngineQuery), responses((status = 200, body = SearchEngineSetting), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<SearchEngineQuery>,
) -> Result<Json<SearchEngineSetting>, ApiError> {
    let workspace = query.workspace_id.map(WorkspaceId);
    may_set(&app, &caller, workspace).await?;
    let engine = app.store.search_engine(workspace).await?;
    let server_has_one = app.store.search_engine(None).await?.is_some();
    let engine = engine.map(|engine| SearchEngineView::new(&app, engine)).transpose()?;
    Ok(Json(SearchEngineSetting { engine, server_has_one }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchEngineBody {
    /// Left out for the server's (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
    #[schema(schema_with = search_engine_kind_schema)]
    kind: SearchEngineKind,
    /// Needed for SearXNG; left out for the vendor's own.
    #[schema(max_length = 500)]
    base_url: Option<String>,
    /// Left out, the key stays as long as the address is the same.
    #[schema(value_type = Option<String>, max_length = 4_000, write_only)]
    key: Option<SecretText>,
}

/// Set the web search engine (admins of the server; for a workspace its admins and owners)
#[utoipa::path(put, path = "/api/search-engine", tag = "models", request_body = SearchEngineBody, responses((status = 200, body = SearchEngineView), Errors))]
pub async fn set(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<SearchEngineBody>,
) -> Result<Json<SearchEngineView>, ApiError> {
    let Draft { engine, key } = Draft::read(&app, &caller, body).await?;
    let SearchEngine { id, workspace_id, kind, base_url, .. } = engine;
    let secret = match key {
        DraftKey::Given(key) => {
            let place = base_url::engine_key_place(workspace_id, id, kind, base_url.as_deref())?;
            SecretChange::Set(app.vault.seal(place, &key).await?)
        }
        DraftKey::Kept(_) => SecretChange::Keep,
        DraftKey::None => SecretChange::Remove,
    };
    let new = NewSearchEngine { id, workspace_id, kind, base_url, secret };
    let engine = app.store.set_search_engine(new, caller.profile.id).await?;
    changed(&app, workspace_id);
    Ok(Json(SearchEngineView::new(&app, engine)?))
}

/// Try a web search engine with a real search (admins of the server; for a workspace its admins and owners)
#[utoipa::path(post, path = "/api/search-engine/test", tag = "models", request_body = SearchEngineBody, responses((status = 200, body = TestOutcome), Errors))]
pub async fn test(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<SearchEngineBody>,
) -> Result<Json<TestOutcome>, ApiError> {
    let Draft { engine, key } = Draft::read(&app, &caller, body).await?;
    app.copies.take(&format!("tests by {}", caller.profile.id), TESTS_AN_HOUR).map_err(ApiError::too_many)?;
    let key = match key {
        DraftKey::Given(key) => LiveEngines::given(Some(key)),
        DraftKey::Kept(saved) => app.engines.key(&saved)?,
        DraftKey::None => EngineKey::None,
    };
    let engine = app.engines.callable(&engine, key)?;
    let query = Query { text: "weather".to_owned(), limit: 3, freshness: None };
    Ok(match engine.search(&query).await {
        Ok(found) if found.is_empty() => {
            TestOutcome::good(format!("{} answered, and found nothing.", engine.display_name()))
        }
        Ok(found) => {
            let first = &found[0].title;
            TestOutcome::good(format!("{} answered. The first result is “{first}”.", engine.display_name()))
        }
        Err(error) => TestOutcome::bad(error.to_string()),
    })
}

/// Remove the web search engine (admins of the server; for a workspace its admins and owners)
#[utoipa::path(delete, path = "/api/search-engine", tag = "models", params(SearchEngineQuery), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<SearchEngineQuery>,
) -> Result<Json<Success>, ApiError> {
    let workspace = query.workspace_id.map(WorkspaceId);
    caller.session()?;
    may_set(&app, &caller, workspace).await?;
    app.store.delete_search_engine(workspace, caller.profile.id).await?;
    changed(&app, workspace);
    Ok(done())
}

/// An engine as someone wants it, checked.
struct Draft {
    engine: SearchEngine,
    key: DraftKey,
}

enum DraftKey {
    Given(SecretText),
    /// The one of the saved engine, which answers at the same address.
    Kept(SearchEngine),
    None,
}

impl Draft {
    async fn read(app: &App, caller: &Caller, body: SearchEngineBody) -> Result<Self, ApiError> {
        caller.session()?;
        let workspace_id = body.workspace_id.map(WorkspaceId);
        may_set(app, caller, workspace_id).await?;
        let kind = body.kind;
        let base_url = body.base_url.as_deref().map(base_url::checked).transpose()?;
        if base_url.is_none() && kind.own_base_url().is_none() {
            return Err(ApiError::invalid("base_url", "must be given: it says where your SearXNG is"));
        }
        if let (Some(_), Some(base_url)) = (workspace_id, &base_url) {
            base_url::check_reach(&app.outbound, base_url).await?;
        }
        let saved = app.store.search_engine(workspace_id).await?;
        let id = saved.as_ref().map_or_else(Uuid::now_v7, |saved| saved.id);
        let place = base_url::engine_key_place(workspace_id, id, kind, base_url.as_deref())?;
        let is_kept = |saved: &SearchEngine| {
            let is_same =
                saved.kind == kind && base_url::engine_place(saved).is_ok_and(|before| before == place);
            saved.sealed.is_some() && is_same
        };
        let key = match body.key {
            Some(key) => DraftKey::Given(key.checked("key")?),
            None => saved.filter(is_kept).map_or(DraftKey::None, DraftKey::Kept),
        };
        if kind.needs_key() && matches!(key, DraftKey::None) {
            return Err(ApiError::invalid("key", "must be given"));
        }
        let engine = SearchEngine { id, workspace_id, kind, base_url, sealed: None, updated_at: Utc::now() };
        Ok(Self { engine, key })
    }
}

impl SearchEngineView {
    fn new(app: &App, engine: SearchEngine) -> Result<Self, ApiError> {
        Ok(Self {
            has_key: engine.sealed.is_some(),
            key_is_readable: !matches!(app.engines.key(&engine)?, EngineKey::Unreadable),
            kind: engine.kind,
            base_url: engine.base_url,
            updated_at: engine.updated_at,
        })
    }
}
