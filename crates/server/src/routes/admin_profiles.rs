//! Profiles, for server admins.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::ids::ProfileId;
use baton_core::listing::ProfileQuery;
use baton_core::people::{LinkFor, ProfileRights, Tier};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::auth::ProfileView;
use super::links;
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, Params, SearchQuery, some, tier_schema};

#[derive(Serialize, ToSchema)]
pub struct ProfileList {
    profiles: Vec<ProfileView>,
    total: u64,
}

/// Everyone with an account (admins of the server)
#[utoipa::path(get, path = "/api/admin/profiles", tag = "admin", params(SearchQuery), responses((status = 200, body = ProfileList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Params(query): Params<SearchQuery>,
) -> Result<Json<ProfileList>, ApiError> {
    caller.admin()?;
    let query = ProfileQuery { search: query.search()?, window: query.window()? };
    let page = app.store.profiles(query).await?;
    Ok(Json(ProfileList { profiles: page.rows.into_iter().map(Into::into).collect(), total: page.total }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RightsBody {
    #[serde(default, deserialize_with = "some")]
    #[schema(schema_with = tier_schema)]
    tier: Option<Tier>,
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    is_admin: Option<bool>,
}

/// Set someone's tier, or make them an admin (admins of the server)
#[utoipa::path(patch, path = "/api/admin/profiles/{id}", tag = "admin", params(("id" = Uuid, Path)), request_body = RightsBody, responses((status = 200, body = ProfileView), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<RightsBody>,
) -> Result<Json<ProfileView>, ApiError> {
    caller.admin()?;
    let rights = ProfileRights { tier: body.tier, is_admin: body.is_admin };
    Ok(Json(app.store.set_rights(ProfileId(id), rights, Some(caller.profile.id)).await?.into()))
}

#[derive(Serialize, ToSchema)]
pub struct SignInLink {
    /// Where to open it, below this server's address.
    path: String,
    expires_at: DateTime<Utc>,
}

/// A one-time link that signs someone in, for who forgot a password (admins of the server)
#[utoipa::path(post, path = "/api/admin/profiles/{id}/sign-in-link", tag = "admin", params(("id" = Uuid, Path)), responses((status = 201, body = SignInLink), Errors))]
pub async fn sign_in_link(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<(StatusCode, Json<SignInLink>), ApiError> {
    caller.admin()?;
    let profile = app.store.profile(ProfileId(id)).await?;
    let opens_for = LinkFor::Person(profile.id);
    let (path, expires_at) = links::new_link(&app, opens_for, Some(caller.profile.id)).await?;
    Ok((StatusCode::CREATED, Json(SignInLink { path, expires_at })))
}
