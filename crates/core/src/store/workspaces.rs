//! Workspaces, their members and their invitations.

use async_trait::async_trait;

use super::{Pieces, Result};
use crate::data::areas::{AreaRule, AreaRules, Areas};
use crate::ids::{InvitationId, ProfileId, WorkspaceId};
use crate::listing::{Page, Window};
use crate::workspaces::{AuditEvent, Invitation, Member, NewInvitation, Role, Workspace, WorkspaceChanges};

#[async_trait]
pub trait Workspaces {
    /// Makes a workspace with its owner and the agents that new workspaces hire.
    async fn create_workspace(&self, name: &str, owner: ProfileId) -> Result<Workspace>;
    async fn workspace(&self, id: WorkspaceId) -> Result<Workspace>;
    async fn workspace_by_slug(&self, slug: &str) -> Result<Workspace>;
    async fn role(&self, id: WorkspaceId, profile: ProfileId) -> Result<Option<Role>>;
    /// What someone may do with the workspace's data now; nothing if they are no member.
    async fn areas(&self, id: WorkspaceId, profile: ProfileId) -> Result<Areas>;
    async fn area_rules(&self, id: WorkspaceId) -> Result<AreaRules>;
    async fn set_area_rules(&self, id: WorkspaceId, by: ProfileId, rules: Vec<AreaRule>)
    -> Result<AreaRules>;
    async fn change_workspace(
        &self,
        id: WorkspaceId,
        by: ProfileId,
        changes: WorkspaceChanges,
    ) -> Result<Workspace>;
    /// Everything in the workspace but other people's conversations.
    async fn export_workspace(&self, id: WorkspaceId, by: ProfileId) -> Result<Pieces>;
    async fn delete_workspace(&self, id: WorkspaceId, by: ProfileId) -> Result<()>;
    async fn audit(&self, id: WorkspaceId, window: Window) -> Result<Page<AuditEvent>>;

    async fn members(&self, id: WorkspaceId) -> Result<Vec<Member>>;
    async fn set_role(&self, id: WorkspaceId, by: ProfileId, member: ProfileId, role: Role)
    -> Result<Member>;
    async fn remove_member(&self, id: WorkspaceId, by: ProfileId, member: ProfileId) -> Result<()>;

    async fn invite(&self, new: NewInvitation) -> Result<Invitation>;
    async fn invitations(&self, id: WorkspaceId) -> Result<Vec<Invitation>>;
    async fn revoke_invitation(&self, id: WorkspaceId, by: ProfileId, invitation: InvitationId)
    -> Result<()>;
    /// An invitation that can still be accepted.
    async fn invitation(&self, token_hash: &[u8]) -> Result<Invitation>;
    async fn accept_invitation(&self, token_hash: &[u8], profile: ProfileId) -> Result<WorkspaceId>;
}
