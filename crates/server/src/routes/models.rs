//! Which models answer and what they cost, so that people can see whether the demo model answers.

use axum::Json;
use axum::extract::State;
use baton_core::ids::WorkspaceId;
use baton_models::{AliasInUse, ProviderInUse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Params};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelsView {
    /// No provider is configured, so the built-in demo model answers.
    demo: bool,
    /// Those configured, the preferred one first.
    providers: Vec<ProviderView>,
    aliases: Vec<AliasView>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderView {
    provider: String,
    /// Null for those who are no admins of the server.
    #[schema(required)]
    base_url: Option<String>,
    has_key: bool,
}

/// What an alias such as `sonnet` stands for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AliasView {
    alias: String,
    /// `provider/model`; null where no configured provider has a model for it.
    #[schema(required)]
    model: Option<String>,
    /// Dollars per million tokens; null where no price is known.
    #[schema(required)]
    input_price: Option<f64>,
    #[schema(required)]
    output_price: Option<f64>,
}

impl From<AliasInUse> for AliasView {
    fn from(alias: AliasInUse) -> Self {
        let stands_for = alias.stands_for;
        let price = stands_for.as_ref().and_then(|it| it.price);
        Self {
            alias: alias.alias,
            model: stands_for.map(|it| format!("{}/{}", it.provider, it.model)),
            input_price: price.map(|price| price.input),
            output_price: price.map(|price| price.output),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ModelsQuery {
    /// Left out, what a workspace without providers of its own has.
    #[serde(rename = "workspaceId")]
    workspace_id: Option<Uuid>,
}

/// The models in use
#[utoipa::path(get, path = "/api/models", tag = "agents", params(ModelsQuery), responses((status = 200, body = ModelsView), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<ModelsQuery>,
) -> Result<Json<ModelsView>, ApiError> {
    let workspace = query.workspace_id.map(WorkspaceId);
    if let Some(workspace) = workspace {
        app.role(&caller, workspace).await?;
    }
    let in_use = app.models.set_of(workspace).await?.in_use();
    let is_admin = caller.admin().is_ok();
    let provider = |it: ProviderInUse| ProviderView {
        provider: it.provider,
        base_url: is_admin.then_some(it.base_url),
        has_key: it.has_key,
    };
    Ok(Json(ModelsView {
        demo: in_use.demo_answers,
        providers: in_use.providers.into_iter().map(provider).collect(),
        aliases: in_use.aliases.into_iter().map(Into::into).collect(),
    }))
}
