//! What a tool of each type is made of, as it is sent and read. Values of secrets are no part of it.

use std::collections::BTreeMap;

use baton_core::agents::Agent;
use baton_core::defined_tools::{
    HttpApiConfig, HttpMethod, McpServerConfig, PresetConfig, SupabaseRpcConfig, ToolConfig, ToolType,
    TrustedAs,
};
use baton_core::handoff_tools::HandoffConfig;
use baton_core::ids::AgentId;
use baton_core::server_tools::Trust;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::tool_body::VariableBody;
use crate::http::{ApiError, http_method_schema, read_part, trust_schema, trusted_as_schema};

/// By the tool's `type`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ToolConfig)]
pub enum ToolConfigView {
    Handoff(HandoffConfigView),
    McpServer(McpServerConfigBody),
    HttpApi(HttpApiConfigBody),
    SupabaseRpc(SupabaseRpcConfigBody),
    Internal(PresetConfigBody),
}

/// The same as it is given: the target of a handoff may be named by its slug.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = NewToolConfig)]
pub enum NewToolConfig {
    Handoff(HandoffConfigBody),
    McpServer(McpServerConfigBody),
    HttpApi(HttpApiConfigBody),
    SupabaseRpc(SupabaseRpcConfigBody),
    Internal(PresetConfigBody),
}

#[derive(Serialize, ToSchema)]
#[schema(as = HandoffConfig)]
pub struct HandoffConfigView {
    target_agent_id: Uuid,
    /// Null if the target was let go.
    #[schema(required)]
    target_agent_slug: Option<String>,
    context_variables: Vec<VariableBody>,
    #[schema(required)]
    handoff_instructions: Option<String>,
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

/// A request to somebody's API. Arguments fill the places of the URL; what is left is the body (a JSON object), or the
/// query of a method without one.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = HttpApiConfig)]
#[serde(deny_unknown_fields)]
pub struct HttpApiConfigBody {
    #[schema(schema_with = http_method_schema)]
    method: HttpMethod,
    /// With places for arguments in its path and query, as in `https://api.example.org/users/{id}`.
    #[schema(max_length = 2_000)]
    url: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// Headers whose values are secrets, given as `secrets` beside the configuration.
    #[serde(default)]
    #[schema(max_items = 20)]
    secret_headers: Vec<String>,
    /// A JSON Schema of an object.
    #[serde(default = "nothing")]
    #[schema(value_type = Object)]
    parameters: Value,
    /// The parameter that is the whole body.
    #[serde(default)]
    body_from: Option<String>,
    /// What of the answer the model is given, as a JSON pointer; left out, all of it.
    #[serde(default)]
    #[schema(max_length = 500)]
    pick: Option<String>,
    /// What an admin says its calls do. Unless they read, a person is asked before each; unless they may be repeated, no call
    /// is ever sent again.
    #[serde(default = "unknown")]
    #[schema(schema_with = trusted_as_schema)]
    trusted_as: TrustedAs,
}

/// A function of a database at Supabase. Its secret is the project's `apikey`.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = SupabaseRpcConfig)]
#[serde(deny_unknown_fields)]
pub struct SupabaseRpcConfigBody {
    #[schema(max_length = 500)]
    base_url: String,
    #[schema(max_length = 63)]
    function: String,
    /// The schema of the database; left out, the first that the project offers.
    #[serde(default)]
    database_schema: Option<String>,
    /// A JSON Schema of an object.
    #[serde(default = "nothing")]
    #[schema(value_type = Object)]
    parameters: Value,
    #[serde(default)]
    pick: Option<String>,
    #[serde(default = "unknown")]
    #[schema(schema_with = trusted_as_schema)]
    trusted_as: TrustedAs,
}

/// One of Baton's own tools, with some arguments given beforehand.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = PresetConfig)]
#[serde(deny_unknown_fields)]
pub struct PresetConfigBody {
    /// Its name, such as `manageTransactions`.
    tool: String,
    /// The model neither sees nor sets these.
    #[serde(default)]
    #[schema(value_type = Object)]
    arguments: Map<String, Value>,
}

/// Somebody's MCP server.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = McpServerConfig)]
#[serde(tag = "transport", rename_all = "snake_case", deny_unknown_fields)]
pub enum McpServerConfigBody {
    /// Streamable HTTP.
    Http {
        url: String,
        #[serde(default)]
        headers: BTreeMap<String, String>,
        #[serde(default)]
        secret_headers: Vec<String>,
        /// Whether an admin believes what it says its tools do.
        #[serde(default = "untrusted")]
        #[schema(schema_with = trust_schema)]
        trust: Trust,
    },
    /// A program on the server's machine: only for admins of the server.
    Stdio {
        program: String,
        #[serde(default)]
        arguments: Vec<String>,
        /// Names in its environment whose values are secrets.
        #[serde(default)]
        secret_environment: Vec<String>,
        #[serde(default = "untrusted")]
        #[schema(schema_with = trust_schema)]
        trust: Trust,
    },
    /// A server of Baton's configuration file, by its name there.
    Configured {
        #[schema(max_length = 64)]
        server: String,
        #[serde(default = "untrusted")]
        #[schema(schema_with = trust_schema)]
        trust: Trust,
    },
}

fn nothing() -> Value {
    json!({"type": "object", "properties": {}})
}

fn unknown() -> TrustedAs {
    TrustedAs::Unknown
}

fn untrusted() -> Trust {
    Trust::Untrusted
}

impl NewToolConfig {
    /// A configuration of this type.
    pub fn read(kind: ToolType, config: Value) -> Result<Self, ApiError> {
        const PLACE: &str = "config";
        Ok(match kind {
            ToolType::Handoff => Self::Handoff(read_part(PLACE, config)?),
            ToolType::McpServer => Self::McpServer(read_part(PLACE, config)?),
            ToolType::HttpApi => Self::HttpApi(read_part(PLACE, config)?),
            ToolType::SupabaseRpc => Self::SupabaseRpc(read_part(PLACE, config)?),
            ToolType::Internal => Self::Internal(read_part(PLACE, config)?),
        })
    }

    pub fn resolved(self, agents: &[Agent]) -> Result<ToolConfig, ApiError> {
        Ok(match self {
            Self::Handoff(body) => ToolConfig::Handoff(body.resolved(agents)?),
            Self::McpServer(body) => ToolConfig::McpServer(body.into()),
            Self::HttpApi(body) => ToolConfig::HttpApi(body.into()),
            Self::SupabaseRpc(body) => ToolConfig::SupabaseRpc(body.into()),
            Self::Internal(PresetConfigBody { tool, arguments }) => {
                ToolConfig::Internal(PresetConfig { tool, arguments })
            }
        })
    }
}

impl ToolConfigView {
    pub fn new(config: ToolConfig, agents: &[Agent]) -> Self {
        match config {
            ToolConfig::Handoff(config) => {
                let target = agents.iter().find(|agent| agent.id == config.target_agent_id);
                Self::Handoff(HandoffConfigView {
                    target_agent_id: config.target_agent_id.0,
                    target_agent_slug: target.map(|agent| agent.slug.clone()),
                    context_variables: config.context_variables.into_iter().map(VariableBody::from).collect(),
                    handoff_instructions: config.handoff_instructions,
                })
            }
            ToolConfig::McpServer(config) => Self::McpServer(config.into()),
            ToolConfig::HttpApi(config) => Self::HttpApi(config.into()),
            ToolConfig::SupabaseRpc(config) => Self::SupabaseRpc(config.into()),
            ToolConfig::Internal(PresetConfig { tool, arguments }) => {
                Self::Internal(PresetConfigBody { tool, arguments })
            }
        }
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
            context_variables: self.context_variables.into_iter().map(Into::into).collect(),
            handoff_instructions: self.handoff_instructions,
        })
    }
}

/// The same fields on both sides.
macro_rules! same_fields {
    ($body:ident, $config:ident { $($field:ident),+ }) => {
        impl From<$body> for $config {
            fn from(body: $body) -> Self {
                let $body { $($field),+ } = body;
                Self { $($field),+ }
            }
        }

        impl From<$config> for $body {
            fn from(config: $config) -> Self {
                let $config { $($field),+ } = config;
                Self { $($field),+ }
            }
        }
    };
}

same_fields!(
    HttpApiConfigBody,
    HttpApiConfig { method, url, headers, secret_headers, parameters, body_from, pick, trusted_as }
);
same_fields!(
    SupabaseRpcConfigBody,
    SupabaseRpcConfig { base_url, function, database_schema, parameters, pick, trusted_as }
);

impl From<McpServerConfigBody> for McpServerConfig {
    fn from(body: McpServerConfigBody) -> Self {
        match body {
            McpServerConfigBody::Http { url, headers, secret_headers, trust } => {
                Self::Http { url, headers, secret_headers, trust }
            }
            McpServerConfigBody::Stdio { program, arguments, secret_environment, trust } => {
                Self::Stdio { program, arguments, secret_environment, trust }
            }
            McpServerConfigBody::Configured { server, trust } => Self::Configured { server, trust },
        }
    }
}

impl From<McpServerConfig> for McpServerConfigBody {
    fn from(config: McpServerConfig) -> Self {
        match config {
            McpServerConfig::Http { url, headers, secret_headers, trust } => {
                Self::Http { url, headers, secret_headers, trust }
            }
            McpServerConfig::Stdio { program, arguments, secret_environment, trust } => {
                Self::Stdio { program, arguments, secret_environment, trust }
            }
            McpServerConfig::Configured { server, trust } => Self::Configured { server, trust },
        }
    }
}
