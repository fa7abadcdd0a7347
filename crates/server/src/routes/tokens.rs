//! API tokens: a token acts as one person within one workspace, for programs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::ids::{TokenId, WorkspaceId};
use baton_core::people::{NewToken, Token};
use baton_core::text;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Success, done};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id};
use crate::secret::Secret;

#[derive(Serialize, ToSchema)]
pub struct TokenView {
    id: Uuid,
    workspace_id: Uuid,
    name: String,
    /// The token's last characters.
    hint: String,
    created_at: DateTime<Utc>,
    #[schema(required)]
    last_used_at: Option<DateTime<Utc>>,
}

impl From<Token> for TokenView {
    fn from(token: Token) -> Self {
        Self {
            id: token.id.0,
            workspace_id: token.workspace_id.0,
            name: token.name,
            hint: token.hint,
            created_at: token.created_at,
            last_used_at: token.last_used_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct TokenList {
    tokens: Vec<TokenView>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTokenBody {
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    #[serde(rename = "workspaceId")]
    workspace_id: Uuid,
}

/// A token, with its secret for the only time.
#[derive(Serialize, ToSchema)]
pub struct CreatedToken {
    token: String,
    #[serde(flatten)]
    about: TokenView,
}

/// Make an API token; it is shown once
#[utoipa::path(post, path = "/api/auth/tokens", tag = "people", request_body = NewTokenBody, responses((status = 201, body = CreatedToken), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Body(body): Body<NewTokenBody>,
) -> Result<(StatusCode, Json<CreatedToken>), ApiError> {
    caller.session()?;
    let workspace_id = WorkspaceId(body.workspace_id);
    app.role(&caller, workspace_id).await?;
    let name = text::line("name", &body.name, 100)?;
    let secret = Secret::new("bat_")?;
    let hint = secret.text.chars().skip(secret.text.len() - 4).collect();
    let new = NewToken { profile_id: caller.profile.id, workspace_id, name, token_hash: secret.hash, hint };
    let about = app.store.create_token(new).await?.into();
    Ok((StatusCode::CREATED, Json(CreatedToken { token: secret.text, about })))
}

/// One's API tokens
#[utoipa::path(get, path = "/api/auth/tokens", tag = "people", responses((status = 200, body = TokenList), Errors))]
pub async fn list(State(app): State<SharedApp>, caller: Caller) -> Result<Json<TokenList>, ApiError> {
    caller.session()?;
    let tokens = app.store.tokens(caller.profile.id).await?;
    Ok(Json(TokenList { tokens: tokens.into_iter().map(Into::into).collect() }))
}

/// Delete an API token; it stops working at once
#[utoipa::path(delete, path = "/api/auth/tokens/{id}", tag = "people", params(("id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<Success>, ApiError> {
    caller.session()?;
    app.store.delete_token(caller.profile.id, TokenId(id)).await?;
    app.streams.look_again(caller.profile.id.0);
    Ok(done())
}
