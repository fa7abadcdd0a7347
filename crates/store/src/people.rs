//! Profiles: signing up, changing, deleting, and what only a server admin does.

use async_trait::async_trait;
use baton_core::ids::ProfileId;
use baton_core::listing::{Page, ProfileQuery};
use baton_core::people::{Credentials, FirstWorkspace, NewProfile, Profile, ProfileChanges, ProfileRights};
use baton_core::store::{Error, People, Pieces, Result};
use baton_core::text;
use baton_core::workspaces::Membership;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use serde_json::json;
use uuid::Uuid;

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, contains, database_error, is_taken, now, stored};
use crate::entities::{
    api_tokens, instance_notes, instance_secrets, profiles, sessions, sign_in_links, workspace_members,
    workspaces,
};
use crate::removal::Owner;
use crate::write::Write;
use crate::{members, sessions as session_rows, workspaces as workspace_rows};

#[async_trait]
impl People for SqlStore {
    async fn sign_up(&self, new: NewProfile, first: FirstWorkspace) -> Result<Profile> {
        let write = self.write().await?;
        let profile = insert(&write, new).await?;
        match first {
            FirstWorkspace::Own { name } => {
                workspace_rows::insert(&write, &name, &profile).await?;
            }
            FirstWorkspace::Invited { token_hash } => {
                members::accept(&write, &token_hash, &profile).await?;
            }
            FirstWorkspace::None => {}
        }
        write.commit().await?;
        Ok(profile)
    }

    async fn credentials(&self, email: &str) -> Result<Option<Credentials>> {
        let row = by_email(&self.db, email).await?;
        Ok(row.map(|row| Credentials { profile_id: ProfileId(row.id), password_hash: row.password_hash }))
    }

    async fn password_hash(&self, id: ProfileId) -> Result<Option<String>> {
        Ok(find(&self.db, id).await?.password_hash)
    }

    async fn profile(&self, id: ProfileId) -> Result<Profile> {
        find_profile(&self.db, id).await
    }

    async fn profile_by_email(&self, email: &str) -> Result<Profile> {
        by_email(&self.db, email).await?.ok_or(Error::NotFound("profile")).and_then(profile)
    }

    async fn memberships(&self, id: ProfileId) -> Result<Vec<Membership>> {
        memberships(&self.db, id).await
    }

    async fn change_profile(
        &self,
        id: ProfileId,
        changes: ProfileChanges,
        session: &[u8],
    ) -> Result<Profile> {
        let write = self.write().await?;
        let row = lock(&write, id).await?;
        if changes.password_hash.is_some() {
            session_rows::close_all_but(&write, id, session).await?;
        }
        let name = changes.name.unwrap_or(row.name);
        let email = changes.email.unwrap_or(row.email);
        let change = profiles::ActiveModel {
            id: Unchanged(id.0),
            search_text: Set(search_text(&name, &email)),
            name: Set(name),
            email_key: Set(text::email_key(&email)),
            email: Set(email),
            time_zone: Set(changes.time_zone.unwrap_or(row.time_zone)),
            password_hash: Set(changes.password_hash.or(row.password_hash)),
            updated_at: Set(now()),
            ..Default::default()
        };
        let row = change.update(&*write).await.map_err(email_taken)?;
        write.commit().await?;
        profile(row)
    }

    async fn export_profile(&self, id: ProfileId) -> Result<Pieces> {
        self.patient().profile_export(id).await
    }

    async fn delete_profile(&self, id: ProfileId) -> Result<()> {
        let write = self.write().await?;
        write.lock_name("admins").await?;
        let row = lock(&write, id).await?;
        if row.is_admin && count_admins(&*write).await? == 1 {
            return Err(Error::LastAdmin);
        }
        let mut owners = vec![Owner::Profile(id.0)];
        for membership in memberships(&*write, id).await? {
            workspace_rows::lock(&write, membership.workspace_id).await?;
            let members = members::count(&*write, membership.workspace_id).await?;
            if members.total == 1 {
                workspace_rows::mark_deleted(&write, membership.workspace_id, id).await?;
                owners.push(Owner::Workspace(membership.workspace_id.0));
            } else if members.only_owner == Some(id) {
                return Err(Error::LastOwner);
            }
        }
        mark_deleted(&write, id).await?;
        Happening::new("profile.deleted", id).record(&write).await?;
        self.commit_removal(write, owners).await
    }

    async fn profiles(&self, query: ProfileQuery) -> Result<Page<Profile>> {
        let mut select = there();
        if let Some(search) = &query.search {
            select = select.filter(profiles::Column::SearchText.like(contains(search)));
        }
        let total = select.clone().count(&self.db).await.db()?;
        let rows = select
            .order_by_asc(profiles::Column::CreatedAt)
            .order_by_asc(profiles::Column::Id)
            .limit(query.window.limit)
            .offset(query.window.offset)
            .all(&self.db)
            .await
            .db()?;
        Ok(Page { rows: rows.into_iter().map(profile).collect::<Result<_>>()?, total })
    }

    async fn set_rights(
        &self,
        id: ProfileId,
        rights: ProfileRights,
        by: Option<ProfileId>,
    ) -> Result<Profile> {
        let write = self.write().await?;
        write.lock_name("admins").await?;
        let row = lock(&write, id).await?;
        if row.is_admin && rights.is_admin == Some(false) && count_admins(&*write).await? == 1 {
            return Err(Error::LastAdmin);
        }
        let change = profiles::ActiveModel {
            id: Unchanged(id.0),
            tier: Set(rights.tier.map_or(row.tier, |tier| tier.to_string())),
            is_admin: Set(rights.is_admin.unwrap_or(row.is_admin)),
            updated_at: Set(now()),
            ..Default::default()
        };
        let row = change.update(&*write).await.db()?;
        let details = json!({"tier": row.tier, "is_admin": row.is_admin});
        let happening = Happening::new("profile.standing_set", id).with(details);
        Happening { by, ..happening }.record(&write).await?;
        write.commit().await?;
        profile(row)
    }

    async fn has_admin(&self) -> Result<bool> {
        Ok(count_admins(&self.db).await? > 0)
    }

    async fn instance_secret(&self, name: &str) -> Result<Vec<u8>> {
        let write = self.write().await?;
        let secret = [*Uuid::new_v4().as_bytes(), *Uuid::new_v4().as_bytes()].concat();
        let row = instance_secrets::ActiveModel { name: Set(name.to_owned()), secret: Set(secret) };
        instance_secrets::Entity::insert(row)
            .on_conflict(OnConflict::column(instance_secrets::Column::Name).do_nothing().to_owned())
            .try_insert()
            .exec_without_returning(&*write)
            .await
            .db()?;
        let row = instance_secrets::Entity::find_by_id(name.to_owned()).one(&*write).await.db()?;
        write.commit().await?;
        row.map(|row| row.secret).ok_or(Error::NotFound("secret"))
    }

    async fn note(&self, name: &str) -> Result<Option<String>> {
        let row = instance_notes::Entity::find_by_id(name.to_owned()).one(&self.db).await.db()?;
        Ok(row.map(|row| row.value))
    }

    async fn set_note(&self, name: &str, value: &str) -> Result<()> {
        let write = self.write().await?;
        let row = instance_notes::ActiveModel { name: Set(name.to_owned()), value: Set(value.to_owned()) };
        instance_notes::Entity::insert(row)
            .on_conflict(
                OnConflict::column(instance_notes::Column::Name)
                    .update_column(instance_notes::Column::Value)
                    .to_owned(),
            )
            .exec_without_returning(&*write)
            .await
            .db()?;
        write.commit().await
    }
}

pub async fn insert(write: &Write, new: NewProfile) -> Result<Profile> {
    let at = now();
    let row = profiles::ActiveModel {
        id: Set(ProfileId::new().0),
        email_key: Set(text::email_key(&new.email)),
        search_text: Set(search_text(&new.name, &new.email)),
        email: Set(new.email),
        name: Set(new.name),
        password_hash: Set(new.password_hash),
        time_zone: Set("UTC".to_owned()),
        tier: Set(new.tier.to_string()),
        is_admin: Set(new.is_admin),
        created_at: Set(at),
        updated_at: Set(at),
        deleted_at: Set(None),
    };
    let row = profiles::Entity::insert(row).exec_with_returning(&**write).await.map_err(email_taken)?;
    profile(row)
}

pub fn profile(row: profiles::Model) -> Result<Profile> {
    Ok(Profile {
        id: ProfileId(row.id),
        tier: stored("tier", &row.tier)?,
        email: row.email,
        name: row.name,
        time_zone: row.time_zone,
        is_admin: row.is_admin,
        created_at: row.created_at,
    })
}

async fn find(db: &impl ConnectionTrait, id: ProfileId) -> Result<profiles::Model> {
    by_id(db, id.0).await?.ok_or(Error::NotFound("profile"))
}

/// Profiles that are not marked as deleted.
fn there() -> Select<profiles::Entity> {
    profiles::Entity::find().filter(profiles::Column::DeletedAt.is_null())
}

pub async fn by_id(db: &impl ConnectionTrait, id: Uuid) -> Result<Option<profiles::Model>> {
    there().filter(profiles::Column::Id.eq(id)).one(db).await.db()
}

/// Marks a profile as deleted: it is gone for everybody, its personal data is removed and its email address is free.
/// Its other rows are removed later.
async fn mark_deleted(write: &Write, id: ProfileId) -> Result<()> {
    let mark = profiles::ActiveModel {
        id: Unchanged(id.0),
        email: Set(String::new()),
        email_key: Set(format!("deleted {id}")),
        name: Set(String::new()),
        search_text: Set(String::new()),
        password_hash: Set(None),
        is_admin: Set(false),
        deleted_at: Set(Some(now())),
        ..Default::default()
    };
    mark.update(&**write).await.db()?;
    let theirs = sessions::Column::ProfileId.eq(id.0);
    sessions::Entity::delete_many().filter(theirs).exec(&**write).await.db()?;
    let theirs = sign_in_links::Column::ProfileId.eq(id.0);
    sign_in_links::Entity::delete_many().filter(theirs).exec(&**write).await.db()?;
    let theirs = api_tokens::Column::ProfileId.eq(id.0);
    api_tokens::Entity::delete_many().filter(theirs).exec(&**write).await.db()?;
    let theirs = workspace_members::Column::ProfileId.eq(id.0);
    workspace_members::Entity::delete_many().filter(theirs).exec(&**write).await.db().map(drop)
}

/// The row, held until the transaction ends: nobody joins a workspace or changes the profile meanwhile.
async fn lock(write: &Write, id: ProfileId) -> Result<profiles::Model> {
    let row = there().filter(profiles::Column::Id.eq(id.0)).lock_exclusive().one(&**write).await.db()?;
    row.ok_or(Error::NotFound("profile"))
}

async fn by_email(db: &impl ConnectionTrait, email: &str) -> Result<Option<profiles::Model>> {
    let key = text::email_key(email);
    there().filter(profiles::Column::EmailKey.eq(key)).one(db).await.db()
}

pub async fn find_profile(db: &impl ConnectionTrait, id: ProfileId) -> Result<Profile> {
    profile(find(db, id).await?)
}

pub async fn memberships(db: &impl ConnectionTrait, id: ProfileId) -> Result<Vec<Membership>> {
    let members = workspace_members::Entity::find()
        .filter(workspace_members::Column::ProfileId.eq(id.0))
        .order_by_asc(workspace_members::Column::JoinedAt)
        .order_by_asc(workspace_members::Column::WorkspaceId)
        .all(db)
        .await
        .db()?;
    let ids = members.iter().map(|member| member.workspace_id);
    let rows = workspaces::Entity::find().filter(workspaces::Column::Id.is_in(ids)).all(db).await.db()?;
    let mut memberships = Vec::with_capacity(members.len());
    for member in members {
        if let Some(row) = rows.iter().find(|row| row.id == member.workspace_id) {
            memberships.push(Membership {
                workspace_id: row.id.into(),
                name: row.name.clone(),
                slug: row.slug.clone(),
                role: stored("role", &member.role)?,
            });
        }
    }
    Ok(memberships)
}

pub async fn count_admins(db: &impl ConnectionTrait) -> Result<u64> {
    profiles::Entity::find().filter(profiles::Column::IsAdmin.eq(true)).count(db).await.db()
}

fn search_text(name: &str, email: &str) -> String {
    text::fold(&format!("{name}\n{email}"))
}

fn email_taken(error: sea_orm::DbErr) -> Error {
    if is_taken(&error, "email_key") { Error::EmailTaken } else { database_error(error) }
}
