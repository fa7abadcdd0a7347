//! Model providers that are set in the app: the server's, by its admins, and a workspace's own, by its admins and owners.
//! A key can be set and removed, never read. It belongs to the address it was given for: who changes the address gives it
//! again, so nobody can have it sent to themselves.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::Invalid;
use baton_core::ids::{ProviderId, WorkspaceId};
use baton_core::models::Price;
use baton_core::providers::{ModelProvider, NewProvider, ProviderDefinition, ProviderModel, WireFormat};
use baton_core::secrets::{SecretChange, SecretText};
use baton_core::store;
use baton_core::workspaces::Role;
use baton_models::{Provider, ProviderKey};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::base_url;
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, some, wire_format_schema};

/// A provider of models. Its key is never shown.
#[derive(Serialize, ToSchema)]
#[schema(as = Provider)]
pub struct ProviderView {
    /// Null if it is set in the server's file or environment, and so can't be changed here.
    #[schema(required)]
    id: Option<Uuid>,
    /// Null for the server's.
    #[schema(required)]
    workspace_id: Option<Uuid>,
    /// What stands before the slash in `provider/model`.
    name: String,
    #[schema(schema_with = wire_format_schema)]
    wire: WireFormat,
    /// Null for the vendor's own.
    #[schema(required)]
    base_url: Option<String>,
    has_key: bool,
    /// False if the key can't be decrypted on this server.
    key_is_readable: bool,
    /// The first one also answers to aliases that none of them lists, unless the address is the vendor's own.
    models: Vec<ProviderModelBody>,
    /// Aliases try the lowest first.
    position: i32,
    #[schema(required)]
    updated_at: Option<DateTime<Utc>>,
}

/// A model, as far as something is said about it. Others of the provider can be used by `provider/model`.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = ProviderModel)]
#[serde(deny_unknown_fields)]
pub struct ProviderModelBody {
    /// The provider's name of it.
    #[schema(min_length = 1, max_length = 200)]
    model: String,
    /// What else it answers to, such as `sonnet`.
    #[serde(default)]
    #[schema(max_items = 20)]
    aliases: Vec<String>,
    /// Dollars per million tokens. Null where no price is known: then no spending limit counts it.
    #[serde(default)]
    input_price: Option<f64>,
    #[serde(default)]
    output_price: Option<f64>,
    /// The same as `input_price` unless set.
    #[serde(default)]
    cache_read_price: Option<f64>,
    #[serde(default)]
    cache_write_price: Option<f64>,
    /// How many tokens it reads at once. Left out: as the vendor's model of that name, else 128,000.
    #[serde(default)]
    #[schema(minimum = 1000, maximum = 100_000_000)]
    context_window: Option<u64>,
}

impl From<ProviderModel> for ProviderModelBody {
    fn from(ProviderModel { model, aliases, price, context_window }: ProviderModel) -> Self {
        Self {
            model,
            aliases,
            input_price: price.map(|price| price.input),
            output_price: price.map(|price| price.output),
            cache_read_price: price.and_then(|price| price.cache_read),
            cache_write_price: price.and_then(|price| price.cache_write),
            context_window,
        }
    }
}

impl ProviderModelBody {
    fn read(self, i: usize) -> Result<ProviderModel, Invalid> {
        let Self {
            model,
            aliases,
            input_price,
            output_price,
            cache_read_price,
            cache_write_price,
            context_window,
        } = self;
        let price = match (input_price, output_price) {
            (Some(input), Some(output)) => {
                Some(Price { input, output, cache_read: cache_read_price, cache_write: cache_write_price })
            }
            (None, None) if cache_read_price.is_none() && cache_write_price.is_none() => None,
            _ => {
                let message = "must be given for input and for output, or not at all";
                return Err(Invalid::new(format!("models.{i}.price"), message));
            }
        };
        Ok(ProviderModel { model, aliases, price, context_window })
    }
}

fn models(bodies: Vec<ProviderModelBody>) -> Result<Vec<ProviderModel>, Invalid> {
    bodies.into_iter().enumerate().map(|(i, body)| body.read(i)).collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProviderQuery {
    /// Left out for the server's (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
pub struct ProviderList {
    /// In the order in which aliases try them.
    providers: Vec<ProviderView>,
}

/// Model providers of the server, or of a workspace (its admins and owners)
#[utoipa::path(get, path = "/api/providers", tag = "models", params(ProviderQuery), responses((status = 200, body = ProviderList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ProviderQuery>,
) -> Result<Json<ProviderList>, ApiError> {
    let workspace = query.workspace_id.map(WorkspaceId);
    may_set(&app, &caller, workspace).await?;
    let rows = app.store.model_providers(workspace).await?;
    let mut providers: Vec<ProviderView> = match workspace {
        Some(_) => Vec::new(),
        None => app.models.settings().map(|provider| ProviderView::of_settings(provider)).collect(),
    };
    for row in rows {
        providers.push(ProviderView::new(&app, row)?);
    }
    Ok(Json(ProviderList { providers }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProviderBody {
    /// Left out for a provider of the server (admins of the server).
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
    #[schema(min_length = 1, max_length = 40)]
    name: String,
    #[schema(schema_with = wire_format_schema)]
    wire: WireFormat,
    /// Left out for the vendor's own.
    #[schema(max_length = 500)]
    base_url: Option<String>,
    #[schema(value_type = Option<String>, max_length = 4_000, write_only)]
    key: Option<SecretText>,
    #[serde(default)]
    #[schema(max_items = 100)]
    models: Vec<ProviderModelBody>,
    #[schema(minimum = 0, maximum = 10_000)]
    position: Option<i32>,
}

/// Add a model provider (admins of the server; for a workspace its admins and owners)
#[utoipa::path(post, path = "/api/providers", tag = "models", request_body = NewProviderBody, responses((status = 201, body = ProviderView), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewProviderBody>,
) -> Result<(StatusCode, Json<ProviderView>), ApiError> {
    let workspace_id = body.workspace_id.map(WorkspaceId);
    caller.session()?;
    may_set(&app, &caller, workspace_id).await?;
    let definition = ProviderDefinition {
        name: body.name,
        wire: body.wire,
        base_url: body.base_url.as_deref().map(base_url::checked).transpose()?,
        models: models(body.models)?,
        position: body.position.unwrap_or(100),
    };
    let definition = checked(&app, workspace_id, definition).await?;
    let id = ProviderId::new();
    let key = body.key.map(|key| key.checked("key")).transpose()?;
    check_reachable(&definition, key.is_some())?;
    let secret = match &key {
        Some(key) => set(&app, workspace_id, id, &definition, key).await?,
        None => SecretChange::Keep,
    };
    let new = NewProvider { id, workspace_id, definition, secret };
    let provider = app.store.add_model_provider(new, caller.profile.id).await?;
    changed(&app, workspace_id);
    Ok((StatusCode::CREATED, Json(ProviderView::new(&app, provider)?)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProviderChangesBody {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 40, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(schema_with = wire_format_schema)]
    wire: Option<WireFormat>,
    /// Null for the vendor's own. With another address the key has to be given again.
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<String>, max_length = 500)]
    base_url: Option<Option<String>>,
    /// Null removes it; left out, it stays.
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<String>, max_length = 4_000, write_only)]
    key: Option<Option<SecretText>>,
    #[serde(default, deserialize_with = "some")]
    #[schema(max_items = 100, nullable = false)]
    models: Option<Vec<ProviderModelBody>>,
    #[serde(default, deserialize_with = "some")]
    #[schema(minimum = 0, maximum = 10_000, nullable = false)]
    position: Option<i32>,
}

/// Change a model provider (admins of the server; for a workspace its admins and owners)
#[utoipa::path(patch, path = "/api/providers/{id}", tag = "models", params(("id" = Uuid, Path)), request_body = ProviderChangesBody, responses((status = 200, body = ProviderView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<ProviderChangesBody>,
) -> Result<Json<ProviderView>, ApiError> {
    let before = find_to_change(&app, &caller, id).await?;
    let mut definition = before.definition.clone();
    definition.name = body.name.unwrap_or(definition.name);
    definition.wire = body.wire.unwrap_or(definition.wire);
    definition.position = body.position.unwrap_or(definition.position);
    if let Some(given) = body.base_url {
        definition.base_url = given.as_deref().map(base_url::checked).transpose()?;
    }
    if let Some(given) = body.models {
        definition.models = models(given)?;
    }
    let definition = checked(&app, before.workspace_id, definition).await?;
    let secret = match body.key {
        Some(Some(key)) => {
            set(&app, before.workspace_id, before.id, &definition, &key.checked("key")?).await?
        }
        Some(None) => SecretChange::Remove,
        None if before.sealed.is_some() && !keeps_address(&before, &definition)? => {
            return Err(ApiError::invalid("key", "must be given again for another address"));
        }
        None => SecretChange::Keep,
    };
    let keeps_key = matches!(secret, SecretChange::Keep) && before.sealed.is_some();
    check_reachable(&definition, keeps_key || matches!(secret, SecretChange::Set(_)))?;
    let provider = app.store.change_model_provider(before.id, definition, secret, caller.profile.id).await?;
    changed(&app, before.workspace_id);
    Ok(Json(ProviderView::new(&app, provider)?))
}

/// Remove a model provider (admins of the server; for a workspace its admins and owners)
#[utoipa::path(delete, path = "/api/providers/{id}", tag = "models", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    let provider = find_to_change(&app, &caller, id).await?;
    app.store.delete_model_provider(provider.id, caller.profile.id).await?;
    changed(&app, provider.workspace_id);
    Ok(done())
}

/// Who may see and set the providers and the engine of a place.
pub async fn may_set(app: &App, caller: &Caller, workspace: Option<WorkspaceId>) -> Result<(), ApiError> {
    match workspace {
        Some(workspace) => app.require(caller, workspace, Role::Admin).await.map(drop),
        None => caller.admin(),
    }
}

pub async fn find(app: &App, caller: &Caller, id: Uuid) -> Result<ModelProvider, ApiError> {
    let provider = app.store.model_provider(ProviderId(id)).await?;
    match provider.workspace_id {
        Some(workspace) => {
            if app.role_inside(caller, workspace, "provider").await? < Role::Admin {
                return Err(ApiError::role_too_low());
            }
        }
        None => caller.admin().map_err(|error| error.hidden_as("provider"))?,
    }
    Ok(provider)
}

async fn find_to_change(app: &App, caller: &Caller, id: Uuid) -> Result<ModelProvider, ApiError> {
    let provider = find(app, caller, id).await?;
    caller.session()?;
    Ok(provider)
}

/// The rules of core, and those that need the server: its settings and its network.
async fn checked(
    app: &App,
    workspace: Option<WorkspaceId>,
    definition: ProviderDefinition,
) -> Result<ProviderDefinition, ApiError> {
    let definition = definition.checked()?;
    if workspace.is_none() && app.models.of_settings(&definition.name).is_some() {
        let taken = ApiError::from(store::Error::NameTaken { what: "provider", field: "name" });
        return Err(taken.with_message("It is set in the server's file or environment, which counts first."));
    }
    if let (Some(_), Some(base_url)) = (workspace, &definition.base_url) {
        base_url::check_reach(&app.outbound, base_url).await?;
    }
    Ok(definition)
}

fn check_reachable(definition: &ProviderDefinition, has_key: bool) -> Result<(), ApiError> {
    if has_key || definition.base_url.is_some() {
        return Ok(());
    }
    Err(ApiError::invalid("key", "must be given for the vendor's own address"))
}

/// Whether the key still goes to who had it.
pub fn keeps_address(before: &ModelProvider, after: &ProviderDefinition) -> Result<bool, ApiError> {
    let place = |definition: &ProviderDefinition| {
        base_url::key_place(before.workspace_id, before.id.0, definition.wire, definition.base_url.as_deref())
    };
    Ok(place(&before.definition)? == place(after)?)
}

async fn set(
    app: &App,
    workspace: Option<WorkspaceId>,
    id: ProviderId,
    definition: &ProviderDefinition,
    key: &SecretText,
) -> Result<SecretChange, ApiError> {
    let place = base_url::key_place(workspace, id.0, definition.wire, definition.base_url.as_deref())?;
    Ok(SecretChange::Set(app.vault.seal(place, key).await?))
}

/// Tells who looks at the workspace. What the server has concerns everyone; they see it when they ask next.
pub fn changed(app: &App, workspace: Option<WorkspaceId>) {
    workspace.inspect(|id| app.workspace_changed(*id));
}

impl ProviderView {
    fn new(app: &App, row: ModelProvider) -> Result<Self, ApiError> {
        let place = base_url::provider_place(&row)?;
        let key_is_readable =
            row.sealed.as_ref().is_none_or(|sealed| app.vault.open(&place, sealed).is_some());
        let definition = row.definition;
        Ok(Self {
            id: Some(row.id.0),
            workspace_id: row.workspace_id.map(|id| id.0),
            name: definition.name,
            wire: definition.wire,
            base_url: definition.base_url,
            has_key: row.sealed.is_some(),
            key_is_readable,
            models: definition.models.into_iter().map(Into::into).collect(),
            position: definition.position,
            updated_at: Some(row.updated_at),
        })
    }

    fn of_settings(provider: &Provider) -> Self {
        let options = provider.options();
        let base_url = options.base_url.clone().map(|mut url| {
            // Fails only for addresses that have no place for a password.
            let _ = (url.set_password(None), url.set_username(""));
            url.set_query(None);
            url.to_string()
        });
        let only = options.only_model.iter();
        let only = only.map(|model| ProviderModel {
            model: model.clone(),
            aliases: vec![],
            price: None,
            context_window: None,
        });
        Self {
            id: None,
            workspace_id: None,
            name: options.name.to_string(),
            wire: options.wire,
            base_url,
            has_key: matches!(options.key, ProviderKey::Known(_)),
            key_is_readable: true,
            models: only.map(Into::into).collect(),
            position: 0,
            updated_at: None,
        }
    }
}
