//! People: profiles, how they signed in, and the sessions, tokens and links that let them in.

use chrono::{DateTime, Utc};

use crate::ids::{ProfileId, TokenId, VisitorId, WorkspaceId};
use crate::words;

words! {
    /// What a profile has access to; see [`crate::access`].
    Tier { Free => "free", Premium => "premium" }
}

words! {
    /// How a session began. One that began with a link may set a new password without the old one.
    SignedInBy { Password => "password", Link => "link" }
}

words! {
    LinkKind {
        /// Signs in one existing person.
        SignIn => "sign_in",
        /// Creates the first admin of a server that has none.
        FirstAdmin => "first_admin",
    }
}

words! {
    /// Who may make an account.
    SignUp { Invited => "invited", Open => "open", Closed => "closed" }
}

words! {
    /// Who may make workspaces.
    WorkspaceMakers { Everyone => "everyone", Admins => "admins" }
}

impl WorkspaceMakers {
    pub fn include(self, is_admin: bool) -> bool {
        self == Self::Everyone || is_admin
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub id: ProfileId,
    pub email: String,
    pub name: String,
    pub time_zone: String,
    pub tier: Tier,
    pub is_admin: bool,
    pub created_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct NewProfile {
    pub email: String,
    pub name: String,
    /// `None` for people who sign in by link only.
    pub password_hash: Option<String>,
    pub tier: Tier,
    pub is_admin: bool,
}

/// Where a new person begins.
#[derive(Debug, Clone)]
pub enum FirstWorkspace {
    /// A workspace of their own, with the agents that new workspaces hire.
    Own { name: String },
    /// The workspace of an invitation, by the hash of its token.
    Invited { token_hash: Vec<u8> },
    /// In no workspace: they wait for an invitation.
    None,
}

#[derive(Debug, Clone, Default)]
pub struct ProfileChanges {
    pub name: Option<String>,
    pub email: Option<String>,
    pub time_zone: Option<String>,
    pub password_hash: Option<String>,
}

/// What only a server admin changes.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProfileRights {
    pub tier: Option<Tier>,
    pub is_admin: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct Credentials {
    pub profile_id: ProfileId,
    pub password_hash: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewSession {
    pub token_hash: Vec<u8>,
    pub signed_in_by: SignedInBy,
    pub expires_at: DateTime<Utc>,
    /// A visitor whose conversations now belong to the profile.
    pub visitor: Option<VisitorId>,
}

#[derive(Debug, Clone)]
pub struct SessionOwner {
    pub profile: Profile,
    pub signed_in_by: SignedInBy,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct TokenOwner {
    pub token_id: TokenId,
    pub workspace_id: WorkspaceId,
    pub profile: Profile,
}

/// Per person.
pub const MAX_TOKENS: u64 = 100;

#[derive(Debug, Clone)]
pub struct NewToken {
    pub profile_id: ProfileId,
    pub workspace_id: WorkspaceId,
    pub name: String,
    pub token_hash: Vec<u8>,
    /// The token's last characters, to tell tokens apart in a list.
    pub hint: String,
}

#[derive(Debug, Clone)]
pub struct Token {
    pub id: TokenId,
    pub workspace_id: WorkspaceId,
    pub name: String,
    pub hint: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone)]
pub struct NewLink {
    pub token_hash: Vec<u8>,
    pub opens_for: LinkFor,
    /// The admin who made it for someone else.
    pub by: Option<ProfileId>,
    pub expires_at: DateTime<Utc>,
}

/// Whom a one-time link lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkFor {
    Person(ProfileId),
    /// The person who sets up a server that has no admin.
    FirstAdmin,
}

#[derive(Debug, Clone)]
pub struct Link {
    pub kind: LinkKind,
    pub profile: Option<Profile>,
    pub expires_at: DateTime<Utc>,
}
