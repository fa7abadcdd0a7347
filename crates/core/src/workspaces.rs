//! Workspaces, their members, and who may change whose role.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::ids::{AgentId, InvitationId, ProfileId, WorkspaceId};
use crate::words;

words! {
    /// A member's role; later ones may do everything earlier ones may.
    Role { Member => "member", Admin => "admin", Owner => "owner" }
}

impl Role {
    /// Whether someone with this role may give or take `other`: admins handle admins and members, owners everyone.
    pub fn may_assign(self, other: Role) -> bool {
        match self {
            Self::Owner => true,
            Self::Admin => other < Self::Owner,
            Self::Member => false,
        }
    }
}

/// How many a person may make.
pub const MAX_WORKSPACES: u64 = 100;
/// Open at a time, per workspace.
pub const MAX_INVITATIONS: u64 = 200;

#[derive(Debug, Clone, PartialEq)]
pub struct Workspace {
    pub id: WorkspaceId,
    pub name: String,
    pub slug: String,
    pub time_zone: String,
    /// The most a day's model calls may cost, in millionths of a dollar.
    pub spend_cap_micros: Option<i64>,
    /// The same for guests and visitors, where it was set; see [`Workspace::public_cap_micros`].
    pub public_spend_cap_micros: Option<i64>,
    pub public_chat: bool,
    /// Whether guests and visitors may use a model whose price is not known, so that no limit counts it.
    pub public_unpriced: bool,
    pub default_agent_id: Option<AgentId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// What guests and visitors may cost a day where nobody said: anyone can come there.
pub const PUBLIC_SPEND_CAP_MICROS: i64 = 5_000_000;

impl Workspace {
    /// The most a day's model calls for guests and visitors may cost.
    pub fn public_cap_micros(&self) -> i64 {
        self.public_spend_cap_micros.unwrap_or(PUBLIC_SPEND_CAP_MICROS)
    }
}

#[derive(Debug, Clone, Default)]
pub struct WorkspaceChanges {
    pub name: Option<String>,
    pub time_zone: Option<String>,
    pub spend_cap_micros: Option<Option<i64>>,
    pub public_spend_cap_micros: Option<Option<i64>>,
    pub public_chat: Option<bool>,
    pub public_unpriced: Option<bool>,
    pub default_agent_id: Option<Option<AgentId>>,
}

impl WorkspaceChanges {
    /// What is to change, as the API names it.
    pub fn fields(&self) -> Vec<&'static str> {
        let named = [
            ("name", self.name.is_some()),
            ("time_zone", self.time_zone.is_some()),
            ("spend_cap_usd", self.spend_cap_micros.is_some()),
            ("public_spend_cap_usd", self.public_spend_cap_micros.is_some()),
            ("public_chat", self.public_chat.is_some()),
            ("public_unpriced", self.public_unpriced.is_some()),
            ("default_agent_id", self.default_agent_id.is_some()),
        ];
        named.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
    }
}

#[derive(Debug, Clone)]
pub struct Membership {
    pub workspace_id: WorkspaceId,
    pub name: String,
    pub slug: String,
    pub role: Role,
}

#[derive(Debug, Clone)]
pub struct Member {
    pub profile_id: ProfileId,
    pub name: String,
    pub email: String,
    pub role: Role,
    pub joined_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct NewInvitation {
    pub workspace_id: WorkspaceId,
    pub token_hash: Vec<u8>,
    /// When given, only the person with this address can accept.
    pub email: Option<String>,
    pub role: Role,
    pub invited_by: ProfileId,
    pub expires_at: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct Invitation {
    pub id: InvitationId,
    pub workspace_id: WorkspaceId,
    pub workspace_name: String,
    pub email: Option<String>,
    pub role: Role,
    pub invited_by: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// One line of what happened in a workspace. It refers to nothing, so it outlives what it tells of.
#[derive(Debug, Clone)]
pub struct AuditEvent {
    pub id: uuid::Uuid,
    pub profile_id: Option<ProfileId>,
    pub action: String,
    pub subject: Option<String>,
    pub details: Value,
    pub created_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests;
