//! A session for `baton chat` on the server's own machine. Whoever can read the data folder could make a sign-in link,
//! and so may talk as anyone here. The session is short, and `baton chat` closes it when it ends.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::ids::ProfileId;
use baton_core::listing::{ProfileQuery, Window};
use baton_core::people::{NewSession, Profile, SignedInBy};
use baton_core::store::Error;
use chrono::{Duration, Utc};
use serde::{Deserialize, Serialize};

use super::operator::Operator;
use crate::app::{App, SharedApp};
use crate::demo;
use crate::http::{ApiError, Body};
use crate::secret::Secret;

const SESSION_HOURS: i64 = 12;
const PAGE: u64 = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionBody {
    /// Whose session; left out, the demo's owner, or the only admin.
    email: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct OpenedSession {
    /// The value of the session's cookie.
    pub session: String,
}

pub async fn open(
    _operator: Operator,
    State(app): State<SharedApp>,
    Body(body): Body<SessionBody>,
) -> Result<Json<OpenedSession>, ApiError> {
    let profile = match &body.email {
        Some(email) => by_email(&app, email).await?,
        None => likely_person(&app).await?,
    };
    let secret = Secret::new("bse_")?;
    let session = NewSession {
        token_hash: secret.hash,
        // The lesser of the two: it can't set a new password without the old one.
        signed_in_by: SignedInBy::Password,
        expires_at: Utc::now() + Duration::hours(SESSION_HOURS),
        visitor: None,
    };
    app.store.open_session(profile.id, session).await?;
    tracing::info!(profile = %profile.id, "the operator opened a session");
    Ok(Json(OpenedSession { session: secret.text }))
}

async fn by_email(app: &App, email: &str) -> Result<Profile, ApiError> {
    match app.store.profile_by_email(email).await {
        Err(Error::NotFound(_)) => {
            let error = format!("Nobody here has the email address {email}.");
            Err(ApiError::new(StatusCode::NOT_FOUND, "not_found", error))
        }
        found => Ok(found?),
    }
}

/// Whom the operator most likely is.
async fn likely_person(app: &App) -> Result<Profile, ApiError> {
    if let Some(owner) = demo_owner(app).await? {
        return Ok(owner);
    }
    let conflict = |code, error| Err(ApiError::new(StatusCode::CONFLICT, code, error));
    let mut admins = admins(app).await?;
    match (admins.pop(), admins.is_empty()) {
        (Some(admin), true) => Ok(admin),
        (Some(_), false) => {
            conflict("several_admins", "There are several admins here. Say who with --as EMAIL.")
        }
        (None, _) => {
            conflict("no_admin", "Nobody has set this server up yet. Open the link that it printed.")
        }
    }
}

async fn demo_owner(app: &App) -> Result<Option<Profile>, ApiError> {
    let noted = app.store.note(demo::OWNER_NOTE).await?.and_then(|id| id.parse().ok());
    let Some(id) = noted else { return Ok(None) };
    match app.store.profile(ProfileId(id)).await {
        Err(Error::NotFound(_)) => Ok(None),
        found => Ok(Some(found?)),
    }
}

/// The admins of the server; no more than two of them, as two are already too many to choose from.
async fn admins(app: &App) -> Result<Vec<Profile>, ApiError> {
    let mut admins = Vec::new();
    for offset in (0..).step_by(PAGE as usize) {
        let query = ProfileQuery { search: None, window: Window { limit: PAGE, offset } };
        let page = app.store.profiles(query).await?;
        admins.extend(page.rows.into_iter().filter(|profile| profile.is_admin));
        if admins.len() > 1 || offset + PAGE >= page.total {
            break;
        }
    }
    admins.truncate(2);
    Ok(admins)
}
