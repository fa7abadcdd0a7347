//! Members of a workspace and their roles.

use axum::Json;
use axum::extract::State;
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::workspaces::{Member, Role};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Success, done};
use crate::app::SharedApp;
use crate::http::{ApiError, Body, Caller, Errors, Id, Ids, role_schema};

#[derive(Serialize, ToSchema)]
pub struct MemberView {
    profile_id: Uuid,
    name: String,
    email: String,
    #[schema(schema_with = role_schema)]
    role: Role,
    joined_at: DateTime<Utc>,
}

impl From<Member> for MemberView {
    fn from(member: Member) -> Self {
        Self {
            profile_id: member.profile_id.0,
            name: member.name,
            email: member.email,
            role: member.role,
            joined_at: member.joined_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct MemberList {
    members: Vec<MemberView>,
}

/// Who is in a workspace
#[utoipa::path(get, path = "/api/workspaces/{id}/members", tag = "workspaces", params(("id" = Uuid, Path)), responses((status = 200, body = MemberList), Errors))]
pub async fn list(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<MemberList>, ApiError> {
    app.role(&caller, WorkspaceId(id)).await?;
    let members = app.store.members(WorkspaceId(id)).await?;
    Ok(Json(MemberList { members: members.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleBody {
    #[schema(schema_with = role_schema)]
    role: Role,
}

/// Give a member another role (admins up to admin, owners any)
#[utoipa::path(patch, path = "/api/workspaces/{id}/members/{profile_id}", tag = "workspaces", params(("id" = Uuid, Path), ("profile_id" = Uuid, Path)), request_body = RoleBody, responses((status = 200, body = MemberView), Errors))]
pub async fn set_role(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, member): Ids,
    Body(body): Body<RoleBody>,
) -> Result<Json<MemberView>, ApiError> {
    caller.session()?;
    let id = WorkspaceId(id);
    app.require(&caller, id, Role::Admin).await?;
    let member = app.store.set_role(id, caller.profile.id, ProfileId(member), body.role).await?;
    app.workspace_changed(id);
    Ok(Json(member.into()))
}

/// Remove a member, or leave
#[utoipa::path(delete, path = "/api/workspaces/{id}/members/{profile_id}", tag = "workspaces", params(("id" = Uuid, Path), ("profile_id" = Uuid, Path)), responses((status = 200, body = Success), Errors))]
pub async fn remove(
    State(app): State<SharedApp>,
    caller: Caller,
    Ids(id, member): Ids,
) -> Result<Json<Success>, ApiError> {
    let id = WorkspaceId(id);
    caller.session()?;
    app.role(&caller, id).await?;
    app.store.remove_member(id, caller.profile.id, ProfileId(member)).await?;
    app.streams.look_again(member);
    app.workspace_changed(id);
    Ok(done())
}
