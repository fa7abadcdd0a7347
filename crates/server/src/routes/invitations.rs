//! Invitations by link.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use baton_core::ids::{InvitationId, WorkspaceId};
use baton_core::text;
use baton_core::workspaces::{Invitation, NewInvitation, Role};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::auth::{Me, me_of};
use super::{Success, done};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, Ids, PathText, role_schema};
use crate::secret::{self, Secret};

const LIVES: Duration = Duration::days(7);

#[derive(Serialize, ToSchema)]
pub struct InvitationView {
    id: Uuid,
    /// Only this address can accept, where it is given.
    #[schema(required)]
    email: Option<String>,
    #[schema(schema_with = role_schema)]
    role: Role,
    #[schema(required)]
    invited_by: Option<String>,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

impl From<Invitation> for InvitationView {
    fn from(invitation: Invitation) -> Self {
        Self {
            id: invitation.id.0,
            email: invitation.email,
            role: invitation.role,
            invited_by: invitation.invited_by,
            created_at: invitation.created_at,
            expires_at: invitation.expires_at,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewInvitationBody {
    #[schema(format = "email", max_length = 254)]
    email: Option<String>,
    #[schema(schema_with = role_schema)]
    #[serde(default = "member")]
    role: Role,
}

fn member() -> Role {
    Role::Member
}

/// An invitation, with its link for the only time.
#[derive(Serialize, ToSchema)]
pub struct CreatedInvitation {
    token: String,
    /// Where to open it, below this server's address.
    path: String,
    #[serde(flatten)]
    about: InvitationView,
}

/// Invite someone by link; it works once, for a week (admins and owners)
#[utoipa::path(post, path = "/api/workspaces/{id}/invitations", tag = "workspaces", params(("id" = Uuid, Path)), request_body = NewInvitationBody, responses((status = 201, body = CreatedInvitation), Errors))]
pub async fn create(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
    Body(body): Body<NewInvitationBody>,
) -> Result<(StatusCode, Json<CreatedInvitation>), ApiError> {
    caller.session()?;
    let workspace_id = WorkspaceId(id);
    let role = app.require(&caller, workspace_id, Role::Admin).await?;
    if !role.may_assign(body.role) {
        return Err(ApiError::role_too_low());
    }
    let secret = Secret::new("bin_")?;
    let new = NewInvitation {
        workspace_id,
        token_hash: secret.hash,
        email: body.email.map(|email| text::email("email", &email)).transpose()?,
        role: body.role,
        invited_by: caller.profile.id,
        expires_at: Utc::now() + LIVES,
    };
    let about = app.store.invite(new).await?.into();
    let path = format!("/invitations/{}", secret.text);
    Ok((StatusCode::CREATED, Json(CreatedInvitation { token: secret.text, path, about })))
}

#[derive(Serialize, ToSchema)]
pub struct InvitationList {
    invitations: Vec<InvitationView>,
}

/// Invitations that can still be accepted (admins and owners)
#[utoipa::path(get, path = "/api/workspaces/{id}/invitations", tag = "workspaces", params(("id" = Uuid, Path)), responses((status = 200, body = InvitationList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<InvitationList>, ApiError> {
    app.require(&caller, WorkspaceId(id), Role::Admin).await?;
    let invitations = app.store.invitations(WorkspaceId(id)).await?;
    Ok(Json(InvitationList { invitations: invitations.into_iter().map(Into::into).collect() }))
}

/// Take an invitation back (admins and owners)
#[utoipa::path(delete, path = "/api/workspaces/{id}/invitations/{invitation_id}", tag = "workspaces", params(("id" = Uuid, Path), ("invitation_id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn revoke(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, invitation): Ids,
) -> Result<Json<Success>, ApiError> {
    app.require(&caller, WorkspaceId(id), Role::Admin).await?;
    app.store.revoke_invitation(WorkspaceId(id), caller.profile.id, InvitationId(invitation)).await?;
    Ok(done())
}

/// What someone with the link is shown.
#[derive(Serialize, ToSchema)]
pub struct InvitationPreview {
    workspace_name: String,
    #[schema(schema_with = role_schema)]
    role: Role,
    #[schema(required)]
    invited_by: Option<String>,
    #[schema(required)]
    email: Option<String>,
    expires_at: DateTime<Utc>,
}

/// Look at an invitation
#[utoipa::path(get, path = "/api/invitations/{token}", tag = "workspaces", security(()), params(("token" = String, Path)), responses((status = 200, body = InvitationPreview), Errors))]
pub async fn preview(
    State(app): State<SharedApp>,
    PathText(token): PathText,
) -> Result<Json<InvitationPreview>, ApiError> {
    let invitation = app.store.invitation(&secret::hash(&token)).await?;
    Ok(Json(InvitationPreview {
        workspace_name: invitation.workspace_name,
        role: invitation.role,
        invited_by: invitation.invited_by,
        email: invitation.email,
        expires_at: invitation.expires_at,
    }))
}

/// Accept an invitation
#[utoipa::path(post, path = "/api/invitations/{token}/accept", tag = "workspaces", params(("token" = String, Path)), responses((status = 200, body = Me), Errors))]
pub async fn accept(
    State(app): State<SharedApp>,
    caller: Caller,
    PathText(token): PathText,
) -> Result<Json<Me>, ApiError> {
    caller.session()?;
    app.store.accept_invitation(&secret::hash(&token), caller.profile.id).await?;
    Ok(Json(me_of(&app, caller.profile).await?))
}
