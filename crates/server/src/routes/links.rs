//! One-time links: reading one does not use it up, redeeming it does.

use axum::Json;
use axum::extract::State;
use axum_extra::extract::CookieJar;
use baton_core::ids::ProfileId;
use baton_core::people::{LinkFor, LinkKind, NewLink, NewProfile, NewSession, Profile, SignedInBy, Tier};
use baton_core::text;
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::auth::{Attempt, Me, me_of, moved, new_session, workspace_name};
use crate::app::{App, SharedApp};
use crate::device::remember_device;
use crate::http::{ApiError, Body, Errors, link_kind_schema};
use crate::secret::{self, Secret};

const TRIES_PER_ADDRESS: u32 = 300;
const LIVES: Duration = Duration::hours(24);

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkToken {
    token: String,
}

#[derive(Serialize, ToSchema)]
pub struct LinkPreview {
    /// `sign_in` signs in one person; `first_admin` sets the server up.
    #[schema(schema_with = link_kind_schema)]
    kind: LinkKind,
    #[schema(required)]
    name: Option<String>,
    #[schema(required)]
    email: Option<String>,
    expires_at: DateTime<Utc>,
}

/// Look at a one-time link without spending it
#[utoipa::path(post, path = "/api/auth/links/preview", tag = "people", security(()), request_body = LinkToken, responses((status = 200, body = LinkPreview), Errors))]
pub async fn preview(
    State(app): State<SharedApp>,
    attempt: Attempt,
    Body(body): Body<LinkToken>,
) -> Result<Json<LinkPreview>, ApiError> {
    attempt.take(&app, "link", TRIES_PER_ADDRESS)?;
    let link = app.store.link(&secret::hash(&body.token)).await?;
    let (name, email) = link.profile.map(|profile| (profile.name, profile.email)).unzip();
    Ok(Json(LinkPreview { kind: link.kind, name, email, expires_at: link.expires_at }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedeemLink {
    token: String,
    /// Who the first admin is; only for links of that kind.
    email: Option<String>,
    password: Option<String>,
    name: Option<String>,
}

/// Spend a one-time link and sign in
#[utoipa::path(post, path = "/api/auth/links/redeem", tag = "people", security(()), request_body = RedeemLink, responses((status = 200, body = Me), Errors))]
pub async fn redeem(
    State(app): State<SharedApp>,
    attempt: Attempt,
    jar: CookieJar,
    Body(body): Body<RedeemLink>,
) -> Result<(CookieJar, Json<Me>), ApiError> {
    attempt.take(&app, "link", TRIES_PER_ADDRESS)?;
    let token_hash = secret::hash(&body.token);
    let (session, jar) = new_session(&app, jar, SignedInBy::Link)?;
    let visitor = session.visitor;
    let profile = match app.store.link(&token_hash).await?.kind {
        LinkKind::SignIn => app.store.spend_link(&token_hash, session).await?,
        LinkKind::FirstAdmin => first_admin(&app, &token_hash, body, session).await?,
    };
    moved(&app, visitor);
    let jar = remember_device(&app, jar, profile.id);
    Ok((jar, Json(me_of(&app, profile).await?)))
}

async fn first_admin(
    app: &App,
    token_hash: &[u8],
    body: RedeemLink,
    session: NewSession,
) -> Result<Profile, ApiError> {
    let name = text::line("name", &body.name.unwrap_or_default(), 100)?;
    let email = text::email("email", &body.email.unwrap_or_default())?;
    let password = body.password.unwrap_or_default();
    text::password("password", &password)?;
    let password_hash = Some(app.passwords.hash(&password).await?);
    let workspace = workspace_name(&name);
    let new = NewProfile { email, name, password_hash, tier: Tier::Premium, is_admin: true };
    Ok(app.store.spend_first_admin_link(token_hash, new, &workspace, session).await?)
}

/// A new link: the part that goes behind the server's address, and until when it works.
pub async fn new_link(
    app: &App,
    opens_for: LinkFor,
    by: Option<ProfileId>,
) -> Result<(String, DateTime<Utc>), ApiError> {
    let secret = Secret::new("bli_")?;
    let expires_at = Utc::now() + LIVES;
    app.store.create_link(NewLink { token_hash: secret.hash, opens_for, by, expires_at }).await?;
    Ok((format!("/sign-in/link#{}", secret.text), expires_at))
}
