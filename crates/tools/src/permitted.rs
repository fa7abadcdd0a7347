//! A tool for which an admin decided whether an agent may call it without asking.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_core::server_tools::Level;
use baton_core::tools::{Nature, Preview, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value};

pub struct PermittedTool {
    pub tool: Arc<dyn Tool>,
    pub level: Level,
}

#[async_trait]
impl Tool for PermittedTool {
    fn spec(&self) -> ToolSpec {
        self.tool.spec()
    }

    fn display_name(&self) -> String {
        self.tool.display_name()
    }

    fn nature(&self, arguments: &Map<String, Value>) -> Nature {
        self.tool.nature(arguments)
    }

    fn level(&self) -> Option<Level> {
        Some(self.level)
    }

    fn is_served(&self) -> bool {
        self.tool.is_served()
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        self.tool.check(arguments)
    }

    fn has_preview(&self) -> bool {
        self.tool.has_preview()
    }

    async fn preview(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Option<Preview> {
        self.tool.preview(context, arguments).await
    }

    fn time(&self) -> Duration {
        self.tool.time()
    }

    fn loads_skill(&self) -> bool {
        self.tool.loads_skill()
    }

    fn searches_web(&self) -> bool {
        self.tool.searches_web()
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        self.tool.call(context, arguments).await
    }
}
