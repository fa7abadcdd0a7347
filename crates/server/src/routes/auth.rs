//! Signing up, in and out, and the signed-in profile.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::{ConnectInfo, FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use baton_core::ids::{ProfileId, VisitorId};
use baton_core::people::{
    FirstWorkspace, NewProfile, NewSession, Profile, SignUp, SignedInBy, Tier, WorkspaceMakers,
};
use baton_core::text;
use baton_core::workspaces::{Membership, Role};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Success, done};
use crate::app::{App, SharedApp};
use crate::device::{Device, device_in, remember_device};
use crate::http::{
    ApiError, Body, Caller, Errors, Via, client_ip, cookie, role_schema, session_cookie, session_end,
    sign_up_schema, tier_schema, visitor_in,
};
use crate::public_limits::origin_of;
use crate::secret::{self, Secret};
use crate::version::{self, ServerView};
use crate::visitor;

/// In a quarter of an hour: for one account from one address or one known browser; for one account from everywhere, and from
/// one address, where the browser is not known.
const FAILURES_PER_PERSON: u32 = 10;
const FAILURES_PER_ACCOUNT: u32 = 50;
const FAILURES_PER_ADDRESS: u32 = 100;

#[derive(Serialize, ToSchema)]
pub struct ProfileView {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub time_zone: String,
    #[schema(schema_with = tier_schema)]
    pub tier: Tier,
    pub is_admin: bool,
    pub created_at: DateTime<Utc>,
}

impl From<Profile> for ProfileView {
    fn from(profile: Profile) -> Self {
        Self {
            id: profile.id.0,
            email: profile.email,
            name: profile.name,
            time_zone: profile.time_zone,
            tier: profile.tier,
            is_admin: profile.is_admin,
            created_at: profile.created_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct MembershipView {
    pub id: Uuid,
    pub name: String,
    pub slug: String,
    #[schema(schema_with = role_schema)]
    pub role: Role,
}

impl From<Membership> for MembershipView {
    fn from(m: Membership) -> Self {
        Self { id: m.workspace_id.0, name: m.name, slug: m.slug, role: m.role }
    }
}

/// A person and the workspaces they are in.
#[derive(Serialize, ToSchema)]
pub struct Me {
    pub profile: ProfileView,
    pub workspaces: Vec<MembershipView>,
    /// Whether they may make workspaces of their own.
    pub may_make_workspaces: bool,
    pub server: ServerView,
}

pub async fn me_of(app: &App, profile: Profile) -> Result<Me, ApiError> {
    let workspaces = app.store.memberships(profile.id).await?;
    let may_make_workspaces = app.settings.workspace_makers.include(profile.is_admin);
    let workspaces = workspaces.into_iter().map(Into::into).collect();
    Ok(Me { profile: profile.into(), workspaces, may_make_workspaces, server: version::view() })
}

/// What the sign-in page needs to know.
#[derive(Serialize, ToSchema)]
pub struct AuthOptions {
    #[schema(schema_with = sign_up_schema)]
    pub sign_up: SignUp,
    /// The server runs with sample data.
    pub demo: bool,
}

/// How one can get in
#[utoipa::path(get, path = "/api/auth/options", tag = "people", security(()), responses((status = 200, body = AuthOptions), Errors))]
pub async fn options(State(app): State<SharedApp>) -> Json<AuthOptions> {
    Json(AuthOptions { sign_up: app.settings.sign_up, demo: app.settings.demo })
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignUpBody {
    #[schema(format = "email", max_length = 254)]
    email: String,
    #[schema(min_length = 8, max_length = 256)]
    password: String,
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// The token of an invitation: the person joins its workspace in place of getting one of their own.
    invitation: Option<String>,
}

/// Make an account and sign in
#[utoipa::path(post, path = "/api/auth/sign-up", tag = "people", security(()), request_body = SignUpBody, responses((status = 201, body = Me), Errors))]
pub async fn sign_up(
    State(app): State<SharedApp>,
    attempt: Attempt,
    jar: CookieJar,
    Body(body): Body<SignUpBody>,
) -> Result<(StatusCode, CookieJar, Json<Me>), ApiError> {
    let name = text::line("name", &body.name, 100)?;
    let email = text::email("email", &body.email)?;
    text::password("password", &body.password)?;
    match (app.settings.sign_up, &body.invitation) {
        (SignUp::Open, _) | (SignUp::Invited, Some(_)) => {}
        (SignUp::Invited, None) => {
            return Err(ApiError::forbidden(
                "invitation_required",
                "You need an invitation to sign up here.",
            ));
        }
        (SignUp::Closed, _) => {
            return Err(ApiError::forbidden("sign_up_closed", "Nobody can sign up here at the moment."));
        }
    }
    attempt.take(&app, "sign-up", FAILURES_PER_ADDRESS)?;
    let first = match &body.invitation {
        Some(token) => {
            let token_hash = secret::hash(token);
            app.store.invitation(&token_hash).await?;
            FirstWorkspace::Invited { token_hash }
        }
        None if app.settings.workspace_makers == WorkspaceMakers::Admins => FirstWorkspace::None,
        None => FirstWorkspace::Own { name: workspace_name(&name) },
    };
    let password_hash = Some(app.passwords.hash(&body.password).await?);
    let new = NewProfile { email, name, password_hash, tier: Tier::Free, is_admin: false };
    let profile = app.store.sign_up(new, first).await?;
    let jar = open_session(&app, jar, profile.id, SignedInBy::Password).await?;
    Ok((StatusCode::CREATED, jar, Json(me_of(&app, profile).await?)))
}

/// The name of a person's first workspace.
pub fn workspace_name(person: &str) -> String {
    let short: String = person.chars().take(80).collect();
    format!("{}'s workspace", short.trim_end())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInBody {
    email: String,
    password: String,
}

/// Sign in with a password
#[utoipa::path(post, path = "/api/auth/sign-in", tag = "people", security(()), request_body = SignInBody, responses((status = 200, body = Me), Errors))]
pub async fn sign_in(
    State(app): State<SharedApp>,
    attempt: Attempt,
    jar: CookieJar,
    Body(body): Body<SignInBody>,
) -> Result<(CookieJar, Json<Me>), ApiError> {
    let email = text::line("email", &body.email, 254)?;
    if body.password.len() > 1024 {
        return Err(ApiError::invalid("password", "must be at most 256 characters"));
    }
    let known = app.store.credentials(&email).await?;
    let account = known.as_ref().map(|known| known.profile_id);
    let device = device_in(&app, &jar).filter(|device| account.is_some_and(|account| device.knows(account)));
    let guess = Guess { app: &app, attempt, person: format!("sign-in {}", text::email_key(&email)), device };
    // Counted before the slow check, so that many at once are many.
    guess.count()?;
    let hash = known.as_ref().and_then(|known| known.password_hash.clone());
    let fits = app.passwords.verify(&body.password, hash).await?;
    let Some(known) = known.filter(|_| fits) else {
        let error = "The email address or the password is not right.";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "invalid_credentials", error));
    };
    guess.was_right();
    let profile = app.store.profile(known.profile_id).await?;
    let jar = open_session(&app, jar, profile.id, SignedInBy::Password).await?;
    Ok((jar, Json(me_of(&app, profile).await?)))
}

/// One try at the password of an account.
struct Guess<'a> {
    app: &'a App,
    attempt: Attempt,
    person: String,
    /// Set if its owner has signed in with it before. Then nobody else's failures keep it out: it has tries of its own.
    device: Option<Device>,
}

impl Guess<'_> {
    fn count(&self) -> Result<(), ApiError> {
        let Self { app, attempt, person, .. } = self;
        if let Some(own) = self.own_key() {
            return app.sign_ins.take(&own, FAILURES_PER_PERSON).map_err(ApiError::too_many);
        }
        attempt.take(app, "sign-in", FAILURES_PER_ADDRESS)?;
        attempt.take(app, person, FAILURES_PER_PERSON)?;
        app.sign_ins.take(person, FAILURES_PER_ACCOUNT).map_err(ApiError::too_many)
    }

    /// Failures of others at this account still count.
    fn was_right(&self) {
        let Self { app, attempt, person, .. } = self;
        match self.own_key() {
            Some(own) => app.sign_ins.clear(&own),
            None => {
                attempt.succeeded(app, "sign-in", person);
                app.sign_ins.give_back(person);
            }
        }
    }

    fn own_key(&self) -> Option<String> {
        self.device.as_ref().map(|device| format!("{} on {}", self.person, device.id))
    }
}

/// Sign out of this session
#[utoipa::path(post, path = "/api/auth/sign-out", tag = "people", responses((status = 200, body = Success), Errors))]
pub async fn sign_out(
    State(app): State<SharedApp>,
    caller: Caller,
    jar: CookieJar,
) -> Result<(CookieJar, Json<Success>), ApiError> {
    app.store.close_session(caller.session()?).await?;
    app.streams.look_again(caller.profile.id.0);
    Ok((jar.remove(session_cookie(&app, String::new())), done()))
}

/// Who is signed in
#[utoipa::path(get, path = "/api/auth/me", tag = "people", responses((status = 200, body = Me), Errors))]
pub async fn me(State(app): State<SharedApp>, caller: Caller) -> Result<Json<Me>, ApiError> {
    Ok(Json(as_seen_by(&app, caller).await?))
}

async fn as_seen_by(app: &App, caller: Caller) -> Result<Me, ApiError> {
    let mut me = me_of(app, caller.profile).await?;
    if let Via::Token { workspace_id, .. } = caller.via {
        me.workspaces.retain(|workspace| workspace.id == workspace_id.0);
    }
    Ok(me)
}

/// Null if nobody is signed in.
#[derive(Serialize, ToSchema)]
pub struct SessionView {
    #[schema(required)]
    session: Option<Me>,
}

/// Who is signed in, if anybody is: what a page asks before it knows
#[utoipa::path(get, path = "/api/auth/session", tag = "people", security(()), responses((status = 200, body = SessionView), Errors))]
pub async fn session(
    State(app): State<SharedApp>,
    caller: Result<Caller, ApiError>,
) -> Result<Json<SessionView>, ApiError> {
    let session = match caller {
        Ok(caller) => Some(as_seen_by(&app, caller).await?),
        Err(error) if error.status() == StatusCode::UNAUTHORIZED => None,
        Err(error) => return Err(error),
    };
    Ok(Json(SessionView { session }))
}

/// Opens a session; what someone did as a visitor becomes theirs.
async fn open_session(
    app: &App,
    jar: CookieJar,
    profile_id: ProfileId,
    signed_in_by: SignedInBy,
) -> Result<CookieJar, ApiError> {
    let (session, jar) = new_session(app, jar, signed_in_by)?;
    let visitor = session.visitor;
    app.store.open_session(profile_id, session).await?;
    moved(app, visitor);
    Ok(remember_device(app, jar, profile_id))
}

/// A visitor's conversations are a profile's now: the streams the visitor has open end.
pub fn moved(app: &App, visitor: Option<VisitorId>) {
    if let Some(visitor) = visitor {
        app.streams.look_again(visitor.0);
    }
}

/// A session to be opened, and the cookies that go with it.
pub fn new_session(
    app: &App,
    jar: CookieJar,
    signed_in_by: SignedInBy,
) -> Result<(NewSession, CookieJar), ApiError> {
    let secret = Secret::new("bse_")?;
    let visitor = visitor_in(app, &jar).map(|visitor| visitor.id);
    let jar = match visitor {
        Some(_) => jar.remove(cookie(app, visitor::COOKIE, String::new())),
        None => jar,
    };
    let session = NewSession { token_hash: secret.hash, signed_in_by, expires_at: session_end(), visitor };
    Ok((session, jar.add(session_cookie(app, secret.text))))
}

/// Someone trying to get in, from somewhere.
pub struct Attempt {
    from: String,
}

impl Attempt {
    /// Takes one of the tries that are allowed from there.
    pub fn take(&self, app: &App, what: &str, limit: u32) -> Result<(), ApiError> {
        app.sign_ins.take(&self.key(what), limit).map_err(ApiError::too_many)
    }

    /// Gives the try back, and forgets the failures before it.
    pub fn succeeded(&self, app: &App, what: &str, person: &str) {
        app.sign_ins.give_back(&self.key(what));
        app.sign_ins.clear(&self.key(person));
    }

    fn key(&self, what: &str) -> String {
        format!("{what} from {}", self.from)
    }
}

impl FromRequestParts<SharedApp> for Attempt {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &SharedApp) -> Result<Self, ApiError> {
        let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let ip = client_ip(&app.settings, connection, &parts.headers);
        Ok(Self { from: ip.map_or_else(|| "somewhere".to_owned(), origin_of) })
    }
}
