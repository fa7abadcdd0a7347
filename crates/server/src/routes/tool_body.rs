//! The fields that can be set on a tool: the bodies of creating and changing one, and the definition they lead to.

use baton_core::agents::Agent;
use baton_core::handoff_tools::{
    DefinedTool, HandoffConfig, ToolDefinition, ToolType, Variable, VariableType,
};
use baton_core::ids::AgentId;
use baton_tools::directory;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

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
    config: HandoffConfigBody,
}

/// Where a handoff tool leads. The target is named by its id, by its slug, or by both.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewHandoffConfig)]
#[serde(deny_unknown_fields)]
pub struct HandoffConfigBody {
    target_agent_id: Option<Uuid>,
    #[schema(max_length = 100)]
    target_agent_slug: Option<String>,
    #[serde(default)]
    #[schema(max_items = 20)]
    context_variables: Vec<VariableBody>,
    /// For the target, in its system prompt. Whoever calls the tool reads them in its definition.
    #[schema(max_length = 8_000)]
    handoff_instructions: Option<String>,
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
    #[schema(nullable = false)]
    config: Option<HandoffConfigBody>,
    /// This field and the following ones may be sent back as they were read, but can't be changed.
    id: Option<Uuid>,
    workspace_id: Option<Uuid>,
    #[serde(rename = "type")]
    #[schema(schema_with = tool_type_schema)]
    kind: Option<ToolType>,
    created_by: Option<Uuid>,
    created_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
}

impl ToolChanges {
    /// What the tool would be with these changes.
    pub fn definition(self, tool: &DefinedTool, agents: &[Agent]) -> Result<ToolDefinition, ApiError> {
        self.check_kept(tool)?;
        let before = &tool.definition;
        let definition = ToolDefinition {
            name: self.name.unwrap_or_else(|| before.name.clone()),
            kind: before.kind,
            description: self.description.unwrap_or_else(|| before.description.clone()),
            config: match self.config {
                Some(config) => config.resolved(agents)?,
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
            ("type", kept(self.kind, tool.definition.kind)),
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
            kind: self.kind,
            description: self.description,
            config: self.config.resolved(agents)?,
        };
        Ok(definition.checked(directory::is_built_in)?)
    }
}

impl HandoffConfigBody {
    fn resolved(self, agents: &[Agent]) -> Result<HandoffConfig, ApiError> {
        const SLUG: &str = "config.target_agent_slug";
        let slug = self.target_agent_slug.as_deref();
        let named = slug.map(|slug| {
            let named = agents.iter().find(|agent| agent.slug == slug).map(|agent| agent.id);
            named.ok_or_else(|| ApiError::invalid(SLUG, "must be an agent of this workspace"))
        });
        let target_agent_id = match (self.target_agent_id.map(AgentId), named.transpose()?) {
            (Some(id), Some(named)) if id != named => {
                return Err(ApiError::invalid(SLUG, "must name the same agent as target_agent_id"));
            }
            (Some(id), _) | (None, Some(id)) => id,
            (None, None) => {
                let message = "or target_agent_slug is required";
                return Err(ApiError::invalid("config.target_agent_id", message));
            }
        };
        Ok(HandoffConfig {
            target_agent_id,
            context_variables: self.context_variables.into_iter().map(Variable::from).collect(),
            handoff_instructions: self.handoff_instructions,
        })
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
