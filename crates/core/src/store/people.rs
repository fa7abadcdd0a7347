//! Profiles, and what lets them in: sessions, API tokens and one-time links.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{Pieces, Result};
use crate::ids::{ProfileId, TokenId};
use crate::listing::{Page, ProfileQuery};
use crate::people::{
    Credentials, FirstWorkspace, Link, NewLink, NewProfile, NewSession, NewToken, Profile, ProfileChanges,
    ProfileRights, SessionOwner, Token, TokenOwner,
};
use crate::workspaces::Membership;

#[async_trait]
pub trait People {
    /// Makes the profile and its first workspace (or membership by invitation) in one transaction.
    async fn sign_up(&self, new: NewProfile, first: FirstWorkspace) -> Result<Profile>;
    async fn credentials(&self, email: &str) -> Result<Option<Credentials>>;
    async fn password_hash(&self, id: ProfileId) -> Result<Option<String>>;
    async fn profile(&self, id: ProfileId) -> Result<Profile>;
    async fn profile_by_email(&self, email: &str) -> Result<Profile>;
    async fn memberships(&self, id: ProfileId) -> Result<Vec<Membership>>;
    /// A new password ends every session but `session`, and every open link, in the same transaction.
    async fn change_profile(&self, id: ProfileId, changes: ProfileChanges, session: &[u8])
    -> Result<Profile>;
    async fn export_profile(&self, id: ProfileId) -> Result<Pieces>;
    /// Deletes the person, their conversations, and the workspaces nobody else is in.
    async fn delete_profile(&self, id: ProfileId) -> Result<()>;
    async fn profiles(&self, query: ProfileQuery) -> Result<Page<Profile>>;
    async fn set_rights(
        &self,
        id: ProfileId,
        rights: ProfileRights,
        by: Option<ProfileId>,
    ) -> Result<Profile>;
    async fn has_admin(&self) -> Result<bool>;
    /// A secret that is made once per server and shared by its nodes.
    async fn instance_secret(&self, name: &str) -> Result<Vec<u8>>;
    /// A value that the server remembers about itself.
    async fn note(&self, name: &str) -> Result<Option<String>>;
    async fn set_note(&self, name: &str, value: &str) -> Result<()>;
}

#[async_trait]
pub trait Sessions {
    /// Opens a session, and moves a visitor's conversations to the profile in the same transaction.
    async fn open_session(&self, id: ProfileId, new: NewSession) -> Result<()>;
    /// Whose session this is, if it is still good.
    async fn session(&self, token_hash: &[u8]) -> Result<Option<SessionOwner>>;
    async fn extend_session(&self, token_hash: &[u8], expires_at: DateTime<Utc>) -> Result<()>;
    async fn close_session(&self, token_hash: &[u8]) -> Result<()>;
    async fn delete_expired(&self) -> Result<()>;

    async fn create_token(&self, new: NewToken) -> Result<Token>;
    async fn tokens(&self, id: ProfileId) -> Result<Vec<Token>>;
    async fn delete_token(&self, owner: ProfileId, id: TokenId) -> Result<()>;
    async fn token(&self, token_hash: &[u8]) -> Result<Option<TokenOwner>>;

    async fn create_link(&self, new: NewLink) -> Result<()>;
    async fn link(&self, token_hash: &[u8]) -> Result<Link>;
    /// Spends a sign-in link and opens a session: exactly one caller gets in.
    async fn spend_link(&self, token_hash: &[u8], session: NewSession) -> Result<Profile>;
    /// Spends a first-admin link, makes the admin with their workspace, and opens a session.
    async fn spend_first_admin_link(
        &self,
        token_hash: &[u8],
        new: NewProfile,
        workspace: &str,
        session: NewSession,
    ) -> Result<Profile>;
}
