//! Someone who may have no account: a person by session or token, else a visitor by cookie. Only routes that are open
//! at a workspace's public address take a [`Someone`]. Every other route takes a [`Caller`] and so never lets a
//! visitor in.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum_extra::extract::CookieJar;
use baton_core::access::Viewer;
use baton_core::ids::TokenId;
use baton_core::visitors::Person;
use baton_core::workspaces::Role;
use chrono::{DateTime, Utc};

use super::body::MaxBody;
use super::{ApiError, Caller, Via, client_ip};
use crate::app::{App, SharedApp};
use crate::visitor::{self, Visitor};

/// The longest message of a visitor fits, also where each character comes as the twelve of its escapes.
const MAX_VISITORS_BODY: usize = 64 * 1024;

#[derive(Clone)]
pub struct Someone {
    pub who: Who,
    /// Where they come from.
    pub from: Option<IpAddr>,
}

#[derive(Clone)]
pub enum Who {
    Profile(Arc<Caller>),
    Visitor(Visitor),
}

impl Someone {
    pub fn person(&self) -> Person {
        match &self.who {
            Who::Profile(caller) => Person::Profile(caller.profile.id),
            Who::Visitor(visitor) => Person::Visitor(visitor.id),
        }
    }

    pub fn viewer(&self) -> Viewer {
        match &self.who {
            Who::Profile(caller) => caller.viewer(),
            Who::Visitor(_) => Viewer::Visitor,
        }
    }

    /// What people and agents call them.
    pub fn name(&self) -> &str {
        match &self.who {
            Who::Profile(caller) => &caller.profile.name,
            Who::Visitor(_) => "Visitor",
        }
    }

    /// When their session runs out, if they have one.
    pub fn expires_at(&self) -> Option<DateTime<Utc>> {
        match &self.who {
            Who::Profile(caller) => match &caller.via {
                Via::Session { expires_at, .. } => Some(*expires_at),
                Via::Token { .. } => None,
            },
            Who::Visitor(_) => None,
        }
    }

    pub fn token_id(&self) -> Option<TokenId> {
        match &self.who {
            Who::Profile(caller) => caller.token_id(),
            Who::Visitor(_) => None,
        }
    }
}

impl From<Caller> for Someone {
    fn from(caller: Caller) -> Self {
        Self { who: Who::Profile(Arc::new(caller)), from: None }
    }
}

/// Someone whom a workspace has let in, and as what.
#[derive(Clone)]
pub struct Present {
    pub someone: Someone,
    pub present_as: PresentAs,
}

/// As what a workspace has let someone in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresentAs {
    Member(Role),
    /// A guest or a visitor, at the workspace's public address.
    Public,
}

impl Present {
    pub fn is_public(&self) -> bool {
        self.present_as == PresentAs::Public
    }
}

impl FromRequestParts<SharedApp> for Someone {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &SharedApp) -> Result<Self, ApiError> {
        let MaybeSomeone { who, from } = MaybeSomeone::from_request_parts(parts, app).await?;
        who.map(|who| Self { who, from }).ok_or_else(ApiError::unauthorized)
    }
}

/// The same for routes that also serve people without a session or a cookie.
pub struct MaybeSomeone {
    pub who: Option<Who>,
    pub from: Option<IpAddr>,
}

impl FromRequestParts<SharedApp> for MaybeSomeone {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &SharedApp) -> Result<Self, ApiError> {
        let (who, from) = (find(app, &parts.headers, app.store.generation()).await?, address(parts, app));
        limit_visitor(app, parts, who.as_ref(), from)?;
        Ok(Self { who, from })
    }
}

/// Limits how often a visitor may ask and how much they may send.
fn limit_visitor(
    app: &App,
    parts: &mut Parts,
    who: Option<&Who>,
    from: Option<IpAddr>,
) -> Result<(), ApiError> {
    if let Some(Who::Visitor(visitor)) = who {
        app.public_limits.request(visitor.id.0, from)?;
        parts.extensions.insert(MaxBody(MAX_VISITORS_BODY));
    }
    Ok(())
}

/// Someone who begins a turn: looked up in what is kept, as the turn's first commit confirms that nothing has changed.
pub struct Sender {
    pub someone: Someone,
    pub known: Option<u64>,
    headers: HeaderMap,
}

impl FromRequestParts<SharedApp> for Sender {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &SharedApp) -> Result<Self, ApiError> {
        let (headers, from) = (parts.headers.clone(), address(parts, app));
        let sender = Self::at(app, headers, from, app.store.last_generation()).await?;
        limit_visitor(app, parts, Some(&sender.someone.who), from)?;
        Ok(sender)
    }
}

impl Sender {
    async fn at(
        app: &App,
        headers: HeaderMap,
        from: Option<IpAddr>,
        known: Option<u64>,
    ) -> Result<Self, ApiError> {
        let who = find(app, &headers, known).await?.ok_or_else(ApiError::unauthorized)?;
        Ok(Self { someone: Someone { who, from }, known, headers })
    }

    /// Looks the sender up again, as they are now.
    pub async fn again(self, app: &App) -> Result<Self, ApiError> {
        Self::at(app, self.headers, self.someone.from, None).await
    }
}

fn address(parts: &Parts, app: &App) -> Option<IpAddr> {
    let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    client_ip(&app.settings, connection, &parts.headers)
}

async fn find(app: &App, headers: &HeaderMap, known: Option<u64>) -> Result<Option<Who>, ApiError> {
    match Caller::find(app, headers, known).await {
        Ok(caller) => Ok(Some(Who::Profile(Arc::new(caller)))),
        // A person whose session has ended is a visitor again. A request with an invalid token is refused.
        Err(error) if error.status() == StatusCode::UNAUTHORIZED => {
            let jar = CookieJar::from_headers(headers);
            let has_token = super::bearer(headers).is_some();
            Ok(visitor_in(app, &jar).filter(|_| !has_token).map(Who::Visitor))
        }
        Err(error) => Err(error),
    }
}

/// The visitor that a browser's cookie names.
pub fn visitor_in(app: &App, jar: &CookieJar) -> Option<Visitor> {
    jar.get(visitor::COOKIE).and_then(|cookie| app.visitors.verify(cookie.value()))
}
