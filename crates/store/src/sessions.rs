//! What lets people in: sessions, API tokens, one-time links. Only hashes are kept.

use async_trait::async_trait;
use baton_core::ids::{ProfileId, TokenId, VisitorId, WorkspaceId};
use baton_core::people::{
    Link, LinkFor, LinkKind, MAX_TOKENS, NewLink, NewProfile, NewSession, NewToken, Profile, SessionOwner,
    Token, TokenOwner,
};
use baton_core::store::{Error, Result, Sessions};
use chrono::{DateTime, Duration, Utc};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder};

use crate::audit::Happening;
use crate::connect::SqlStore;
use crate::db::{OrStoreError, at_most, now, stored};
use crate::entities::{
    agent_conversations, api_tokens, sessions, sign_in_links, workspace_invitations, workspace_members,
};
use crate::write::Write;
use crate::{attachments, people, workspaces};

#[async_trait]
impl Sessions for SqlStore {
    async fn open_session(&self, id: ProfileId, new: NewSession) -> Result<()> {
        let write = self.write().await?;
        open(&write, id, new).await?;
        write.commit().await
    }

    async fn session(&self, token_hash: &[u8]) -> Result<Option<SessionOwner>> {
        let Some(row) = sessions::Entity::find_by_id(token_hash.to_vec()).one(&self.db).await.db()? else {
            return Ok(None);
        };
        if row.expires_at <= now() {
            return Ok(None);
        }
        let owner = people::by_id(&self.db, row.profile_id).await?;
        owner
            .map(|owner| {
                Ok(SessionOwner {
                    profile: people::profile(owner)?,
                    signed_in_by: stored("signed_in_by", &row.signed_in_by)?,
                    created_at: row.created_at,
                    expires_at: row.expires_at,
                })
            })
            .transpose()
    }

    async fn extend_session(&self, token_hash: &[u8], expires_at: DateTime<Utc>) -> Result<()> {
        let write = self.write().await?;
        sessions::Entity::update_many()
            .col_expr(sessions::Column::ExpiresAt, Expr::value(expires_at))
            .filter(sessions::Column::TokenHash.eq(token_hash))
            .exec(&*write)
            .await
            .db()?;
        write.commit().await
    }

    async fn close_session(&self, token_hash: &[u8]) -> Result<()> {
        let write = self.write().await?;
        sessions::Entity::delete_by_id(token_hash.to_vec()).exec(&*write).await.db()?;
        write.commit().await
    }

    async fn delete_expired(&self) -> Result<()> {
        let write = self.write().await?;
        let at = now();
        let expired = sessions::Column::ExpiresAt.lt(at);
        sessions::Entity::delete_many().filter(expired).exec(&*write).await.db()?;
        let expired = sign_in_links::Column::ExpiresAt.lt(at);
        sign_in_links::Entity::delete_many().filter(expired).exec(&*write).await.db()?;
        let expired = workspace_invitations::Column::ExpiresAt.lt(at);
        workspace_invitations::Entity::delete_many().filter(expired).exec(&*write).await.db()?;
        write.commit().await?;
        self.purge(at).await
    }

    async fn create_token(&self, new: NewToken) -> Result<Token> {
        let write = self.write().await?;
        let theirs = api_tokens::Entity::find().filter(api_tokens::Column::ProfileId.eq(new.profile_id.0));
        at_most("tokens", MAX_TOKENS, theirs.count(&*write).await.db()?)?;
        let row = api_tokens::ActiveModel {
            id: Set(TokenId::new().0),
            profile_id: Set(new.profile_id.0),
            workspace_id: Set(new.workspace_id.0),
            name: Set(new.name),
            token_hash: Set(new.token_hash),
            hint: Set(new.hint),
            created_at: Set(now()),
            last_used_at: Set(None),
        };
        let row = api_tokens::Entity::insert(row).exec_with_returning(&*write).await.db()?;
        Happening::new("token.created", row.id)
            .of(&row.name)
            .within(new.workspace_id)
            .by(new.profile_id)
            .record(&write)
            .await?;
        write.commit().await?;
        Ok(token(row))
    }

    async fn tokens(&self, id: ProfileId) -> Result<Vec<Token>> {
        let rows = api_tokens::Entity::find()
            .filter(api_tokens::Column::ProfileId.eq(id.0))
            .order_by_asc(api_tokens::Column::Id)
            .all(&self.db)
            .await
            .db()?;
        Ok(rows.into_iter().map(token).collect())
    }

    async fn delete_token(&self, owner: ProfileId, id: TokenId) -> Result<()> {
        let write = self.write().await?;
        let theirs = api_tokens::Entity::find_by_id(id.0).filter(api_tokens::Column::ProfileId.eq(owner.0));
        let token = theirs.one(&*write).await.db()?.ok_or(Error::NotFound("token"))?;
        let done = api_tokens::Entity::delete_by_id(id.0).exec(&*write).await.db()?;
        if done.rows_affected == 0 {
            return Err(Error::NotFound("token"));
        }
        let workspace = WorkspaceId(token.workspace_id);
        Happening::new("token.deleted", id)
            .of(&token.name)
            .within(workspace)
            .by(owner)
            .record(&write)
            .await?;
        write.commit().await
    }

    async fn token(&self, token_hash: &[u8]) -> Result<Option<TokenOwner>> {
        let row = api_tokens::Entity::find().filter(api_tokens::Column::TokenHash.eq(token_hash));
        let Some(row) = row.one(&self.db).await.db()? else { return Ok(None) };
        // A token is worth what its owner is: nothing once they left the workspace.
        let member = workspace_members::Entity::find_by_id((row.workspace_id, row.profile_id));
        if member.one(&self.db).await.db()?.is_none() {
            return Ok(None);
        }
        let used_lately = row.last_used_at.is_some_and(|at| now() - at < Duration::minutes(5));
        if !used_lately && let Err(error) = self.mark_token_used(row.id).await {
            tracing::warn!(%error, "could not note that a token was used");
        }
        let owner = people::by_id(&self.db, row.profile_id).await?;
        owner
            .map(|owner| {
                Ok(TokenOwner {
                    token_id: TokenId(row.id),
                    workspace_id: row.workspace_id.into(),
                    profile: people::profile(owner)?,
                })
            })
            .transpose()
    }

    async fn create_link(&self, new: NewLink) -> Result<()> {
        let write = self.write().await?;
        let row = sign_in_links::ActiveModel {
            token_hash: Set(new.token_hash),
            profile_id: Set(match new.opens_for {
                LinkFor::Person(id) => Some(id.0),
                LinkFor::FirstAdmin => None,
            }),
            created_at: Set(now()),
            expires_at: Set(new.expires_at),
            used_at: Set(None),
        };
        sign_in_links::Entity::insert(row).exec_without_returning(&*write).await.db()?;
        if let LinkFor::Person(id) = new.opens_for {
            let happening = Happening::new("link.created", id);
            Happening { by: new.by, ..happening }.record(&write).await?;
        }
        write.commit().await
    }

    async fn link(&self, token_hash: &[u8]) -> Result<Link> {
        let row = sign_in_links::Entity::find_by_id(token_hash.to_vec()).one(&self.db).await.db()?;
        let row =
            row.filter(|row| row.used_at.is_none() && row.expires_at > now()).ok_or(Error::LinkSpent)?;
        let profile = match row.profile_id {
            Some(id) => people::by_id(&self.db, id).await?,
            None => None,
        };
        Ok(Link {
            kind: if row.profile_id.is_some() { LinkKind::SignIn } else { LinkKind::FirstAdmin },
            profile: profile.map(people::profile).transpose()?,
            expires_at: row.expires_at,
        })
    }

    async fn spend_link(&self, token_hash: &[u8], session: NewSession) -> Result<Profile> {
        let write = self.write().await?;
        let row = spend(&write, token_hash).await?;
        let id = row.profile_id.ok_or(Error::LinkSpent)?;
        let owner = people::by_id(&*write, id).await?.ok_or(Error::LinkSpent)?;
        open(&write, ProfileId(id), session).await?;
        write.commit().await?;
        people::profile(owner)
    }

    async fn spend_first_admin_link(
        &self,
        token_hash: &[u8],
        new: NewProfile,
        workspace: &str,
        session: NewSession,
    ) -> Result<Profile> {
        let write = self.write().await?;
        write.lock_name("admins").await?;
        let row = spend(&write, token_hash).await?;
        if row.profile_id.is_some() || people::count_admins(&*write).await? > 0 {
            return Err(Error::LinkSpent);
        }
        let profile = people::insert(&write, new).await?;
        workspaces::insert(&write, workspace, &profile).await?;
        open(&write, profile.id, session).await?;
        write.commit().await?;
        Ok(profile)
    }
}

impl SqlStore {
    async fn mark_token_used(&self, id: uuid::Uuid) -> Result<()> {
        let write = self.write().await?;
        api_tokens::Entity::update_many()
            .col_expr(api_tokens::Column::LastUsedAt, Expr::value(now()))
            .filter(api_tokens::Column::Id.eq(id))
            .exec(&*write)
            .await
            .db()?;
        write.commit().await
    }
}

async fn open(write: &Write, id: ProfileId, new: NewSession) -> Result<()> {
    if let Some(visitor) = new.visitor {
        claim_conversations(write, visitor, id).await?;
        attachments::claim(write, visitor, id).await?;
    }
    let row = sessions::ActiveModel {
        token_hash: Set(new.token_hash),
        profile_id: Set(id.0),
        signed_in_by: Set(new.signed_in_by.to_string()),
        created_at: Set(now()),
        expires_at: Set(new.expires_at),
    };
    sessions::Entity::insert(row).exec_without_returning(&**write).await.db().map(drop)
}

/// Ends every way in that a person had open, but one session.
pub async fn close_all_but(write: &Write, id: ProfileId, session: &[u8]) -> Result<()> {
    sessions::Entity::delete_many()
        .filter(sessions::Column::ProfileId.eq(id.0))
        .filter(sessions::Column::TokenHash.ne(session))
        .exec(&**write)
        .await
        .db()?;
    let links = sign_in_links::Entity::delete_many().filter(sign_in_links::Column::ProfileId.eq(id.0));
    links.exec(&**write).await.db().map(drop)
}

async fn spend(write: &Write, token_hash: &[u8]) -> Result<sign_in_links::Model> {
    let at = now();
    let done = sign_in_links::Entity::update_many()
        .col_expr(sign_in_links::Column::UsedAt, Expr::value(at))
        .filter(sign_in_links::Column::TokenHash.eq(token_hash))
        .filter(sign_in_links::Column::UsedAt.is_null())
        .filter(sign_in_links::Column::ExpiresAt.gt(at))
        .exec(&**write)
        .await
        .db()?;
    if done.rows_affected == 0 {
        return Err(Error::LinkSpent);
    }
    sign_in_links::Entity::find_by_id(token_hash.to_vec()).one(&**write).await.db()?.ok_or(Error::LinkSpent)
}

async fn claim_conversations(write: &Write, visitor: VisitorId, profile: ProfileId) -> Result<()> {
    agent_conversations::Entity::update_many()
        .col_expr(agent_conversations::Column::UserId, Expr::value(profile.0))
        .col_expr(agent_conversations::Column::VisitorId, Expr::value(None::<uuid::Uuid>))
        .filter(agent_conversations::Column::VisitorId.eq(visitor.0))
        .exec(&**write)
        .await
        .db()
        .map(drop)
}

fn token(row: api_tokens::Model) -> Token {
    Token {
        id: TokenId(row.id),
        workspace_id: row.workspace_id.into(),
        name: row.name,
        hint: row.hint,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
    }
}
