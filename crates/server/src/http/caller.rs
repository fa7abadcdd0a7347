//! Who calls: a person by session cookie, or by API token within one workspace.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use baton_core::access::Viewer;
use baton_core::agents::Author;
use baton_core::ids::{TokenId, WorkspaceId};
use baton_core::people::{Profile, SignedInBy};
use baton_core::workspaces::Role;
use chrono::{DateTime, Duration, Utc};

use super::ApiError;
use crate::app::{App, SharedApp};
use crate::secret;

pub const SESSION_COOKIE: &str = "baton_session";
const SESSION_DAYS: i64 = 30;

#[derive(Clone)]
pub struct Caller {
    pub profile: Profile,
    pub via: Via,
}

#[derive(Clone)]
pub enum Via {
    Session {
        token_hash: Vec<u8>,
        signed_in_by: SignedInBy,
        signed_in_at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
    },
    Token {
        token_id: TokenId,
        token_hash: Vec<u8>,
        workspace_id: WorkspaceId,
    },
}

impl Caller {
    pub fn viewer(&self) -> Viewer {
        Viewer::Profile(self.profile.tier)
    }

    /// What concerns the account or the server needs the person, not a token that stands in for them.
    pub fn session(&self) -> Result<&[u8], ApiError> {
        match &self.via {
            Via::Session { token_hash, .. } => Ok(token_hash),
            Via::Token { .. } => {
                Err(ApiError::forbidden("session_required", "An API token can't do this. Please sign in."))
            }
        }
    }

    /// The same, as one who writes an agent's definition.
    pub fn author(&self, role: Role) -> Author {
        let is_program = matches!(self.via, Via::Token { .. });
        Author { profile: self.profile.id, role, is_program }
    }

    pub fn admin(&self) -> Result<(), ApiError> {
        self.session()?;
        if self.profile.is_admin {
            Ok(())
        } else {
            Err(ApiError::forbidden("admin_required", "Only an admin of this server may do this."))
        }
    }
}

impl FromRequestParts<SharedApp> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &SharedApp) -> Result<Self, ApiError> {
        Self::find(app, &parts.headers, app.store.generation()).await
    }
}

impl Caller {
    /// As they were at this number of changes or later; without one, as they are now.
    pub async fn find(app: &App, headers: &HeaderMap, known: Option<u64>) -> Result<Self, ApiError> {
        if let Some(token) = bearer(headers) {
            return by_token(app, token, known).await;
        }
        match CookieJar::from_headers(headers).get(SESSION_COOKIE) {
            Some(cookie) => by_session(app, cookie.value(), known).await,
            None => Err(ApiError::unauthorized()),
        }
    }
}

/// The token of an `Authorization: Bearer …` header.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

async fn by_token(app: &App, token: &str, known: Option<u64>) -> Result<Caller, ApiError> {
    let token_hash = secret::hash(token);
    let find = async {
        let owner = app.store.token(&token_hash).await?;
        Ok::<_, ApiError>(owner.map(|owner| {
            let (token_id, workspace_id) = (owner.token_id, owner.workspace_id);
            let via = Via::Token { token_id, token_hash: token_hash.clone(), workspace_id };
            Caller { profile: owner.profile, via }
        }))
    };
    let found = app.callers.find(known, &token_hash, find).await?;
    found.ok_or_else(ApiError::unauthorized)
}

async fn by_session(app: &App, token: &str, known: Option<u64>) -> Result<Caller, ApiError> {
    let token_hash = secret::hash(token);
    let find = async {
        let Some(owner) = app.store.session(&token_hash).await? else { return Ok::<_, ApiError>(None) };
        // A session that is used stays; written at most once a day. One opened for less than a day ends when it was to.
        let is_short = owner.expires_at - owner.created_at < Duration::days(1);
        let used_today = owner.expires_at > session_end() - Duration::days(1);
        if !used_today
            && !is_short
            && let Err(error) = app.store.extend_session(&token_hash, session_end()).await
        {
            tracing::warn!(%error, "could not extend a session");
        }
        let (signed_in_by, signed_in_at, expires_at) =
            (owner.signed_in_by, owner.created_at, owner.expires_at);
        let via = Via::Session { token_hash: token_hash.clone(), signed_in_by, signed_in_at, expires_at };
        Ok(Some(Caller { profile: owner.profile, via }))
    };
    let found = app.callers.find(known, &token_hash, find).await?;
    found.ok_or_else(ApiError::unauthorized)
}

pub fn session_end() -> DateTime<Utc> {
    Utc::now() + Duration::days(SESSION_DAYS)
}

/// The cookie outlives the session, which the server ends.
pub fn session_cookie(app: &App, token: String) -> Cookie<'static> {
    cookie(app, SESSION_COOKIE, token)
}

pub fn cookie(app: &App, name: &'static str, value: String) -> Cookie<'static> {
    Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.settings.secure_cookies())
        .permanent()
        .build()
}
