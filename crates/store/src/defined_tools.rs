//! Tools that people define.

use async_trait::async_trait;
use baton_core::handoff_tools::{DefinedTool, ToolDefinition};
use baton_core::ids::{ProfileId, ToolId, WorkspaceId};
use baton_core::store::{DefinedTools, Error, Result};

use crate::connect::SqlStore;

#[async_trait]
impl DefinedTools for SqlStore {
    async fn tools(&self, _: WorkspaceId) -> Result<Vec<DefinedTool>> {
        Err(Error::NotFound("unfinished"))
    }

    async fn tool(&self, _: ToolId) -> Result<DefinedTool> {
        Err(Error::NotFound("unfinished"))
    }

    async fn create_tool(&self, _: WorkspaceId, _: ToolDefinition, _: ProfileId) -> Result<DefinedTool> {
        Err(Error::NotFound("unfinished"))
    }

    async fn change_tool(&self, _: ToolId, _: ToolDefinition, _: ProfileId) -> Result<DefinedTool> {
        Err(Error::NotFound("unfinished"))
    }

    async fn delete_tool(&self, _: ToolId, _: ProfileId) -> Result<()> {
        Err(Error::NotFound("unfinished"))
    }
}
