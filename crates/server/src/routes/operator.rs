//! What the operator's commands ask of the running server. Not part of the public API: each request needs the key in
//! the data folder.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use baton_core::catalog::Publish;
use baton_core::packs::Pack;
use baton_core::people::LinkFor;
use serde::{Deserialize, Serialize};

use super::links;
use crate::app::{App, SharedApp};
use crate::http::{ApiError, Body, bearer};
use crate::secrets::{Rotated, Unreadable};

/// Proof that the caller can read the data folder.
pub struct Operator;

impl FromRequestParts<SharedApp> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &SharedApp) -> Result<Self, ApiError> {
        match bearer(&parts.headers) {
            Some(token) if app.operator.fits(token) => Ok(Self),
            _ => Err(ApiError::unauthorized()),
        }
    }
}

#[derive(Deserialize)]
pub struct Whom {
    email: String,
}

#[derive(Serialize, Deserialize)]
pub struct LinkMade {
    pub path: String,
}

pub async fn sign_in_link(
    _operator: Operator,
    State(app): State<SharedApp>,
    Body(body): Body<Whom>,
) -> Result<Json<LinkMade>, ApiError> {
    Ok(Json(make_link(&app, &body.email).await?))
}

pub async fn make_link(app: &App, email: &str) -> Result<LinkMade, ApiError> {
    let profile = app.store.profile_by_email(email).await?;
    let (path, _) = links::new_link(app, LinkFor::Person(profile.id), None).await?;
    Ok(LinkMade { path })
}

#[derive(Deserialize)]
pub struct RotateKey {
    forget_unreadable: bool,
}

pub async fn rotate_key(
    _operator: Operator,
    State(app): State<SharedApp>,
    Body(body): Body<RotateKey>,
) -> Result<Json<Rotated>, ApiError> {
    let unreadable = if body.forget_unreadable { Unreadable::Forget } else { Unreadable::Keep };
    Ok(Json(app.vault.rotate(unreadable).await?))
}

#[derive(Deserialize)]
pub struct PackText {
    toml: String,
}

#[derive(Serialize, Deserialize)]
pub struct PackApplied {
    pub created: u32,
    pub updated: u32,
    pub unchanged: u32,
}

pub async fn apply_pack(
    _operator: Operator,
    State(app): State<SharedApp>,
    Body(body): Body<PackText>,
) -> Result<Json<PackApplied>, ApiError> {
    Ok(Json(apply(&app, &body.toml).await?))
}

pub async fn apply(app: &App, toml: &str) -> Result<PackApplied, ApiError> {
    let pack = Pack::parse(toml).map_err(|error| ApiError::invalid("pack", &error.to_string()))?;
    let applied = app.store.apply_pack(&pack, Publish::Always).await?;
    Ok(PackApplied { created: applied.created, updated: applied.updated, unchanged: applied.unchanged })
}
