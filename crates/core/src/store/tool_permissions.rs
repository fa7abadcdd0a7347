//! What admins allowed of the tools of other people's servers, and which tools an agent may call without asking.

use async_trait::async_trait;

use super::Result;
use crate::ids::{AgentId, ProfileId, ToolId, WorkspaceId};
use crate::server_tools::{Definition, Permission};

#[async_trait]
pub trait ToolPermissions: Send + Sync {
    /// A server's tools as they were allowed, by raw name.
    async fn pinned_tools(&self, server: ToolId) -> Result<Vec<Definition>>;
    /// The same of all servers of a workspace, by server and raw name.
    async fn pinned_tools_of(&self, workspace: WorkspaceId) -> Result<Vec<(ToolId, Definition)>>;
    /// From now on these are allowed as they are here, in place of what was allowed before.
    async fn pin_tools(&self, server: ToolId, definitions: Vec<Definition>, by: ProfileId) -> Result<()>;
    /// From now on these are held back.
    async fn unpin_tools(&self, server: ToolId, raw_names: Vec<String>, by: ProfileId) -> Result<()>;
    /// What was decided for an agent, in a stable order.
    async fn tool_permissions(&self, agent: AgentId) -> Result<Vec<Permission>>;
    /// In place of what was decided before for this agent and tool, which must be of one workspace.
    async fn set_tool_permission(&self, permission: Permission, by: ProfileId) -> Result<()>;
    async fn remove_tool_permission(
        &self,
        agent: AgentId,
        tool: ToolId,
        raw_name: Option<&str>,
        by: ProfileId,
    ) -> Result<()>;
}
