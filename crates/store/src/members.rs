//! Members of a workspace, and how people join and leave. A workspace always keeps an owner.

use baton_core::ids::{InvitationId, ProfileId, WorkspaceId};
use baton_core::people::Profile;
use baton_core::store::{Error, Result};
use baton_core::text;
use baton_core::workspaces::{Invitation, MAX_INVITATIONS, Member, NewInvitation, Role};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    Select,
};
use serde_json::json;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now, stored};
use crate::entities::{
    api_tokens, calendar_feeds, profiles, workspace_invitations, workspace_members, workspaces,
};
use crate::write::Write;
use crate::{people, workspaces as workspace_rows};

pub struct Count {
    pub total: usize,
    pub only_owner: Option<ProfileId>,
}

pub async fn count(db: &impl ConnectionTrait, id: WorkspaceId) -> Result<Count> {
    let rows = workspace_members::Entity::find()
        .filter(workspace_members::Column::WorkspaceId.eq(id.0))
        .all(db)
        .await
        .db()?;
    let mut owners = rows.iter().filter(|row| row.role == Role::Owner.as_str());
    let only_owner = match (owners.next(), owners.next()) {
        (Some(owner), None) => Some(ProfileId(owner.profile_id)),
        _ => None,
    };
    Ok(Count { total: rows.len(), only_owner })
}

pub async fn all(db: &impl ConnectionTrait, id: WorkspaceId) -> Result<Vec<Member>> {
    let rows = workspace_members::Entity::find()
        .filter(workspace_members::Column::WorkspaceId.eq(id.0))
        .order_by_asc(workspace_members::Column::JoinedAt)
        .order_by_asc(workspace_members::Column::ProfileId)
        .all(db)
        .await
        .db()?;
    let ids = rows.iter().map(|row| row.profile_id);
    let people = profiles::Entity::find().filter(profiles::Column::Id.is_in(ids)).all(db).await.db()?;
    let mut members = Vec::with_capacity(rows.len());
    for row in rows {
        if let Some(person) = people.iter().find(|person| person.id == row.profile_id) {
            members.push(Member {
                profile_id: ProfileId(row.profile_id),
                name: person.name.clone(),
                email: person.email.clone(),
                role: stored("role", &row.role)?,
                joined_at: row.joined_at,
            });
        }
    }
    Ok(members)
}

pub async fn add(write: &Write, id: WorkspaceId, profile: ProfileId, role: Role) -> Result<()> {
    let row = workspace_members::ActiveModel {
        workspace_id: Set(id.0),
        profile_id: Set(profile.0),
        role: Set(role.to_string()),
        joined_at: Set(now()),
    };
    workspace_members::Entity::insert(row).exec_without_returning(&**write).await.db().map(drop)
}

/// Spends an invitation. Someone who is in already stays as they are, and the invitation stays open. It is worth what
/// its inviter still is: nothing once they left or may no longer give that role.
pub async fn accept(write: &Write, token_hash: &[u8], profile: &Profile) -> Result<WorkspaceId> {
    let at = now();
    let row = workspace_invitations::Entity::find()
        .filter(workspace_invitations::Column::TokenHash.eq(token_hash))
        .one(&**write)
        .await
        .db()?
        .ok_or(Error::LinkSpent)?;
    let for_them =
        row.email.as_ref().is_none_or(|email| text::email_key(email) == text::email_key(&profile.email));
    if !for_them {
        return Err(Error::InvitedSomeoneElse);
    }
    let workspace = WorkspaceId(row.workspace_id);
    workspace_rows::lock(write, workspace).await?;
    let member = workspace_members::Entity::find_by_id((workspace.0, profile.id.0));
    if member.one(&**write).await.db()?.is_some() {
        return Ok(workspace);
    }
    if !is_worth_something(&**write, &row).await? {
        return Err(Error::LinkSpent);
    }
    let role: Role = stored("role", &row.role)?;
    let spent = workspace_invitations::Entity::update_many()
        .col_expr(workspace_invitations::Column::AcceptedAt, Expr::value(at))
        .filter(workspace_invitations::Column::Id.eq(row.id))
        .filter(workspace_invitations::Column::AcceptedAt.is_null())
        .filter(workspace_invitations::Column::ExpiresAt.gt(at))
        .exec(&**write)
        .await
        .db()?;
    if spent.rows_affected == 0 {
        return Err(Error::LinkSpent);
    }
    add(write, workspace, profile.id, role).await?;
    Happening::new("member.joined", profile.id)
        .within(workspace)
        .by(profile.id)
        .with(json!({"role": role}))
        .record(write)
        .await?;
    Ok(workspace)
}

/// Whether its inviter is still there and may still give that role.
async fn is_worth_something(db: &impl ConnectionTrait, row: &workspace_invitations::Model) -> Result<bool> {
    let Some(inviter) = row.invited_by else { return Ok(false) };
    match member_role(db, WorkspaceId(row.workspace_id), ProfileId(inviter)).await {
        Ok(theirs) => Ok(theirs.may_assign(stored("role", &row.role)?)),
        Err(Error::NotFound(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

impl SqlStore {
    pub(crate) async fn change_role(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        member: ProfileId,
        role: Role,
    ) -> Result<Member> {
        let write = self.write().await?;
        workspace_rows::lock(&write, id).await?;
        let old = member_role(&*write, id, member).await?;
        let actor = member_role(&*write, id, by).await?;
        if !actor.may_assign(old) || !actor.may_assign(role) {
            return Err(Error::RoleTooLow);
        }
        if role != Role::Owner && count(&*write, id).await?.only_owner == Some(member) {
            return Err(Error::LastOwner);
        }
        let change = workspace_members::ActiveModel {
            workspace_id: Unchanged(id.0),
            profile_id: Unchanged(member.0),
            role: Set(role.to_string()),
            ..Default::default()
        };
        change.update(&*write).await.db()?;
        Happening::new("member.role_set", member)
            .within(id)
            .by(by)
            .with(json!({"from": old, "to": role}))
            .record(&write)
            .await?;
        let members = all(&*write, id).await?;
        write.commit().await?;
        members.into_iter().find(|row| row.profile_id == member).ok_or(Error::NotFound("member"))
    }

    pub(crate) async fn end_membership(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        member: ProfileId,
    ) -> Result<()> {
        let write = self.write().await?;
        workspace_rows::lock(&write, id).await?;
        let role = member_role(&*write, id, member).await?;
        if by != member && !member_role(&*write, id, by).await?.may_assign(role) {
            return Err(Error::RoleTooLow);
        }
        if count(&*write, id).await?.only_owner == Some(member) {
            return Err(Error::LastOwner);
        }
        workspace_members::Entity::delete_by_id((id.0, member.0)).exec(&*write).await.db()?;
        api_tokens::Entity::delete_many()
            .filter(api_tokens::Column::WorkspaceId.eq(id.0))
            .filter(api_tokens::Column::ProfileId.eq(member.0))
            .exec(&*write)
            .await
            .db()?;
        calendar_feeds::Entity::delete_by_id((id.0, member.0)).exec(&*write).await.db()?;
        Happening::new("member.removed", member).within(id).by(by).record(&write).await?;
        write.commit().await
    }

    pub(crate) async fn add_invitation(&self, new: NewInvitation) -> Result<Invitation> {
        let write = self.write().await?;
        workspace_rows::lock(&write, new.workspace_id).await?;
        let open = open(new.workspace_id).count(&*write).await.db()?;
        at_most("open invitations", MAX_INVITATIONS, open)?;
        let id = InvitationId::new();
        let row = workspace_invitations::ActiveModel {
            id: Set(id.0),
            workspace_id: Set(new.workspace_id.0),
            token_hash: Set(new.token_hash),
            email: Set(new.email),
            role: Set(new.role.to_string()),
            invited_by: Set(Some(new.invited_by.0)),
            created_at: Set(now()),
            expires_at: Set(new.expires_at),
            accepted_at: Set(None),
        };
        let row = workspace_invitations::Entity::insert(row).exec_with_returning(&*write).await.db()?;
        Happening::new("invitation.created", id)
            .within(new.workspace_id)
            .by(new.invited_by)
            .with(json!({"role": new.role}))
            .record(&write)
            .await?;
        let invitation = invitation(&*write, row).await?;
        write.commit().await?;
        Ok(invitation)
    }

    pub(crate) async fn open_invitations(&self, id: WorkspaceId) -> Result<Vec<Invitation>> {
        let rows = open(id).order_by_asc(workspace_invitations::Column::Id).all(&self.db).await.db()?;
        let mut invitations = Vec::with_capacity(rows.len());
        for row in rows {
            if is_worth_something(&self.db, &row).await? {
                invitations.push(invitation(&self.db, row).await?);
            }
        }
        Ok(invitations)
    }

    pub(crate) async fn open_invitation(&self, token_hash: &[u8]) -> Result<Invitation> {
        let row = workspace_invitations::Entity::find()
            .filter(workspace_invitations::Column::TokenHash.eq(token_hash))
            .filter(workspace_invitations::Column::AcceptedAt.is_null())
            .filter(workspace_invitations::Column::ExpiresAt.gt(now()))
            .one(&self.db)
            .await
            .db()?
            .ok_or(Error::LinkSpent)?;
        if !is_worth_something(&self.db, &row).await? {
            return Err(Error::LinkSpent);
        }
        invitation(&self.db, row).await
    }

    pub(crate) async fn delete_invitation(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        invitation: InvitationId,
    ) -> Result<()> {
        let write = self.write().await?;
        let done = workspace_invitations::Entity::delete_many()
            .filter(workspace_invitations::Column::Id.eq(invitation.0))
            .filter(workspace_invitations::Column::WorkspaceId.eq(id.0))
            .filter(workspace_invitations::Column::AcceptedAt.is_null())
            .exec(&*write)
            .await
            .db()?;
        if done.rows_affected == 0 {
            return Err(Error::NotFound("invitation"));
        }
        Happening::new("invitation.revoked", invitation).within(id).by(by).record(&write).await?;
        write.commit().await
    }
}

/// Invitations of a workspace that can still be accepted.
fn open(id: WorkspaceId) -> Select<workspace_invitations::Entity> {
    workspace_invitations::Entity::find()
        .filter(workspace_invitations::Column::WorkspaceId.eq(id.0))
        .filter(workspace_invitations::Column::AcceptedAt.is_null())
        .filter(workspace_invitations::Column::ExpiresAt.gt(now()))
}

async fn member_role(db: &impl ConnectionTrait, id: WorkspaceId, member: ProfileId) -> Result<Role> {
    let row = workspace_members::Entity::find_by_id((id.0, member.0)).one(db).await.db()?;
    stored("role", &row.ok_or(Error::NotFound("member"))?.role)
}

async fn invitation(db: &impl ConnectionTrait, row: workspace_invitations::Model) -> Result<Invitation> {
    let workspace = workspaces::Entity::find_by_id(row.workspace_id).one(db).await.db()?;
    let inviter = match row.invited_by {
        Some(id) => people::by_id(db, id).await?,
        None => None,
    };
    Ok(Invitation {
        id: InvitationId(row.id),
        workspace_id: row.workspace_id.into(),
        workspace_name: workspace.ok_or(Error::LinkSpent)?.name,
        email: row.email,
        role: stored("role", &row.role)?,
        invited_by: inviter.map(|person| person.name),
        created_at: row.created_at,
        expires_at: row.expires_at,
    })
}
