//! One's own account: change it, export it, delete it.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use baton_core::people::{ProfileChanges, SignedInBy};
use baton_core::text;
use chrono::{Duration, Utc};
use serde::Deserialize;
use utoipa::ToSchema;

use super::auth::{Attempt, Me, me_of};
use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, Caller, Errors, MaybeBody, Via, json_file, session_cookie, some};

const TRIES: u32 = 10;
const TRIES_FROM_EVERYWHERE: u32 = 50;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountChanges {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(format = "email", max_length = 254, nullable = false)]
    email: Option<String>,
    /// An IANA name such as Europe/Zurich.
    #[serde(default, deserialize_with = "some")]
    #[schema(nullable = false)]
    time_zone: Option<String>,
    /// A new password. Signs out every other session.
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 8, max_length = 256, nullable = false)]
    password: Option<String>,
    /// Needed with a new password or email address, unless this session began with a one-time link.
    current_password: Option<String>,
}

/// Change one's own account
#[utoipa::path(patch, path = "/api/auth/me", tag = "people", request_body = AccountChanges, responses((status = 200, body = Me), Errors))]
pub async fn change(
    State(app): State<SharedApp>,
    caller: Caller,
    attempt: Attempt,
    Body(body): Body<AccountChanges>,
) -> Result<Json<Me>, ApiError> {
    let session = caller.session()?.to_vec();
    let mut changes = ProfileChanges {
        name: body.name.map(|name| text::line("name", &name, 100)).transpose()?,
        email: body.email.map(|email| text::email("email", &email)).transpose()?,
        time_zone: body.time_zone.map(|zone| text::time_zone("time_zone", &zone)).transpose()?,
        password_hash: None,
    };
    if let Some(password) = &body.password {
        text::password("password", password)?;
    }
    if body.password.is_some() || changes.email.is_some() {
        prove(&app, &caller, &attempt, body.current_password.as_deref()).await?;
    }
    if let Some(password) = &body.password {
        changes.password_hash = Some(app.passwords.hash(password).await?);
    }
    let profile = app.store.change_profile(caller.profile.id, changes, &session).await?;
    app.streams.look_again(profile.id.0);
    Ok(Json(me_of(&app, profile).await?))
}

/// Whoever holds an open session must still know the password before taking the account over. Someone who came by a
/// one-time link has an hour to set one.
async fn prove(
    app: &App,
    caller: &Caller,
    attempt: &Attempt,
    password: Option<&str>,
) -> Result<(), ApiError> {
    let came_by_link = matches!(&caller.via, Via::Session { signed_in_by: SignedInBy::Link, signed_in_at, .. }
        if Utc::now() - *signed_in_at < Duration::hours(1));
    let hash = app.store.password_hash(caller.profile.id).await?;
    if came_by_link || hash.is_none() {
        return Ok(());
    }
    let person = format!("password of {}", caller.profile.id);
    attempt.take(app, &person, TRIES)?;
    app.sign_ins.take(&person, TRIES_FROM_EVERYWHERE).map_err(ApiError::too_many)?;
    if app.passwords.verify(password.unwrap_or_default(), hash).await? {
        attempt.succeeded(app, &person, &person);
        app.sign_ins.clear(&person);
        Ok(())
    } else {
        Err(ApiError::forbidden("wrong_password", "The current password is not right.")
            .at("current_password"))
    }
}

/// Everything Baton keeps about the caller
#[utoipa::path(get, path = "/api/auth/me/export", tag = "people", responses((status = 200, body = Object), Errors))]
pub async fn export(State(app): State<SharedApp>, caller: Caller) -> Result<Response, ApiError> {
    caller.session()?;
    Ok(json_file("baton-account.json", app.store.export_profile(caller.profile.id).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountDeletion {
    /// Needed where the account has a password, unless this session began with a one-time link.
    current_password: Option<String>,
}

/// Delete one's own account, its conversations, and the workspaces nobody else is in
#[utoipa::path(delete, path = "/api/auth/me", tag = "people", request_body = Option<AccountDeletion>, responses((status = 200, body = Success), Errors))]
pub async fn delete(
    State(app): State<SharedApp>,
    caller: Caller,
    jar: CookieJar,
    attempt: Attempt,
    MaybeBody(body): MaybeBody<AccountDeletion>,
) -> Result<(CookieJar, Json<Success>), ApiError> {
    caller.session()?;
    let password = body.and_then(|body| body.current_password);
    prove(&app, &caller, &attempt, password.as_deref()).await?;
    app.store.delete_profile(caller.profile.id).await?;
    app.engine.forget_logs();
    // Their workspaces may have gone with them, and others may be reading there.
    app.streams.all_look_again();
    Ok((jar.remove(session_cookie(&app, String::new())), done()))
}
