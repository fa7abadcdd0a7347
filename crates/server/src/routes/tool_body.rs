//! The fields that can be set on a tool: the bodies of creating and changing one, and the definition they lead to.

use std::collections::BTreeMap;

use baton_core::agents::Agent;
use baton_core::defined_tools::{DefinedTool, ToolDefinition, ToolType};
use baton_core::handoff_tools::{Variable, VariableType};
use baton_core::secrets::SecretText;
use baton_tools::directory;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::tool_config::NewToolConfig;
use crate::http::{ApiError, some, tool_type_schema, variable_type_schema};

/// What the calling model must or may pass along.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = ContextVariable)]
#[serde(deny_unknown_fields)]
pub struct VariableBody {
    /// Begins with a letter; letters, digits and _.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    #[serde(rename = "type")]
    #[schema(schema_with = variable_type_schema)]
    kind: VariableType,
    #[serde(default)]
    required: bool,
    #[schema(max_length = 500)]
    description: Option<String>,
    /// The only values it can have.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 50)]
    choices: Option<Vec<Value>>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTool {
    #[serde(rename = "workspaceId")]
    pub workspace_id: Uuid,
    /// One of its kind in the workspace, and no name of a tool that Baton brings along.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    name: String,
    #[serde(rename = "type")]
    #[schema(schema_with = tool_type_schema)]
    kind: ToolType,
    /// When to use it: this is what the calling model reads.
    #[schema(min_length = 1, max_length = 2_000)]
    description: String,
    #[schema(value_type = NewToolConfig)]
    config: Value,
    /// The values of the tool's secrets by name. They are never shown.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>, write_only)]
    pub secrets: BTreeMap<String, SecretText>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolChanges {
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 64, nullable = false)]
    name: Option<String>,
    #[serde(default, deserialize_with = "some")]
    #[schema(min_length = 1, max_length = 2_000, nullable = false)]
    description: Option<String>,
    /// The whole configuration from now on.
    #[serde(default, deserialize_with = "some")]
    #[schema(value_type = Option<NewToolConfig>, nullable = false)]
    config: Option<Value>,
    /// New values of secrets by name; null takes one away. The others stay as long as they are sent to the same address.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, Option<String>>, write_only)]
    pub secrets: BTreeMap<String, Option<SecretText>>,
    /// This field and the following ones may be sent back as they were read, but can't be changed.
    id: Option<Uuid>,
    workspace_id: Option<Uuid>,
    #[serde(rename = "type")]
    #[schema(schema_with = tool_type_schema)]
    kind: Option<ToolType>,
    created_by: Option<Uuid>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
    /// What is missing is told anew with every answer.
    #[serde(rename = "missing_secrets")]
    _missing_secrets: Option<Vec<String>>,
    #[serde(rename = "trouble")]
    _trouble: Option<String>,
    #[serde(rename = "needs_sign_in")]
    _needs_sign_in: Option<bool>,
}

impl ToolChanges {
    /// What the tool would be with these changes.
    pub fn definition(self, tool: &DefinedTool, agents: &[Agent]) -> Result<ToolDefinition, ApiError> {
        self.check_kept(tool)?;
        let before = &tool.definition;
        let definition = ToolDefinition {
            name: self.name.unwrap_or_else(|| before.name.clone()),
            description: self.description.unwrap_or_else(|| before.description.clone()),
            config: match self.config {
                Some(config) => NewToolConfig::read(before.kind(), config)?.resolved(agents)?,
                None => before.config.clone(),
            },
        };
        Ok(definition.checked(directory::is_built_in)?)
    }

    /// A tool can be sent back as it was read, with what can't be changed as it is.
    fn check_kept(&self, tool: &DefinedTool) -> Result<(), ApiError> {
        fn kept<T: PartialEq>(given: Option<T>, is: T) -> bool {
            given.is_none_or(|given| given == is)
        }
        let changed = [
            ("id", kept(self.id, tool.id.0)),
            ("workspace_id", kept(self.workspace_id, tool.workspace_id.0)),
            ("type", kept(self.kind, tool.definition.kind())),
            ("created_by", kept(self.created_by.map(Some), tool.created_by.map(|id| id.0))),
            ("created_at", kept(self.created_at, tool.created_at)),
        ];
        if let Some((field, _)) = changed.into_iter().find(|(_, is_kept)| !is_kept) {
            return Err(ApiError::invalid(field, "can't be changed"));
        }
        if !kept(self.updated_at, tool.updated_at) {
            let message =
                "must be when the tool was last changed: someone else may have changed it since you read it";
            return Err(ApiError::invalid("updated_at", message));
        }
        Ok(())
    }
}

impl NewTool {
    pub fn definition(self, agents: &[Agent]) -> Result<ToolDefinition, ApiError> {
        let definition = ToolDefinition {
            name: self.name,
            description: self.description,
            config: NewToolConfig::read(self.kind, self.config)?.resolved(agents)?,
        };
        Ok(definition.checked(directory::is_built_in)?)
    }
}

impl From<VariableBody> for Variable {
    fn from(body: VariableBody) -> Self {
        let VariableBody { name, kind, required, description, choices } = body;
        Self { name, kind, required, description, choices }
    }
}

impl From<Variable> for VariableBody {
    fn from(variable: Variable) -> Self {
        let Variable { name, kind, required, description, choices } = variable;
        Self { name, kind, required, description, choices }
    }
}
