//! A built-in tool under another name and description, with some arguments given beforehand. In all else it is that tool:
//! what it may see, what it changes and when a person is asked.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_core::defined_tools::{PresetConfig, ToolDefinition};
use baton_core::tools::{Nature, Preview, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value};

pub struct PresetTool {
    name: String,
    description: String,
    config: PresetConfig,
    tool: Arc<dyn Tool>,
}

impl PresetTool {
    pub fn new(definition: &ToolDefinition, config: &PresetConfig, tool: Arc<dyn Tool>) -> Self {
        Self {
            name: definition.name.clone(),
            description: definition.description.clone(),
            config: config.clone(),
            tool,
        }
    }
}

#[async_trait]
impl Tool for PresetTool {
    fn spec(&self) -> ToolSpec {
        let parameters = self.config.parameters(&self.tool.spec().parameters);
        ToolSpec { name: self.name.clone(), description: self.description.clone(), parameters }
    }

    fn display_name(&self) -> String {
        format!("{} ({})", self.tool.display_name(), self.name)
    }

    fn nature(&self, arguments: &Map<String, Value>) -> Nature {
        self.tool.nature(&self.config.completed(arguments.clone()))
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        self.tool.check(&self.config.completed(arguments.clone()))
    }

    fn has_preview(&self) -> bool {
        self.tool.has_preview()
    }

    async fn preview(&self, context: &ToolContext, arguments: &Map<String, Value>) -> Option<Preview> {
        self.tool.preview(context, &self.config.completed(arguments.clone())).await
    }

    fn is_brought(&self) -> bool {
        true
    }

    fn time(&self) -> Duration {
        self.tool.time()
    }

    fn searches_web(&self) -> bool {
        self.tool.searches_web()
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        self.tool.call(context, self.config.completed(arguments)).await
    }
}
