//! Tools that people define, of five types. An agent has such a tool if its `tools` name it.

mod http_api;
mod json_schema;
mod mcp_server;
mod preset;
mod supabase_rpc;
mod url_template;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use http_api::{HttpApiConfig, HttpMethod, PlannedRequest, check_header};
pub use mcp_server::McpServerConfig;
pub use preset::PresetConfig;
pub use supabase_rpc::{API_KEY, SupabaseRpcConfig};
pub use url_template::origin_of;

use crate::handoff_tools::HandoffConfig;
use crate::ids::{ProfileId, ToolId, WorkspaceId};
use crate::secrets::{SecretPlace, SecretText, SecretUse};
use crate::text::{self, Invalid};
use crate::tools::Nature;
use crate::words;

words! {
    /// The types of tools that people define.
    ToolType {
        Handoff => "handoff",
        /// All allowed tools of somebody's MCP server.
        McpServer => "mcp_server",
        /// A request to somebody's API.
        HttpApi => "http_api",
        /// A function of a database at Supabase.
        SupabaseRpc => "supabase_rpc",
        /// One of Baton's own, under another name and with some arguments given.
        Internal => "internal",
    }
}

words! {
    /// What an admin says calls of a tool do, whose makers Baton does not know.
    TrustedAs {
        /// Nothing: they may write, and are never sent again.
        Unknown => "unknown",
        Reads => "reads",
        /// They write, and may be sent again when nobody knows whether they were carried out.
        Repeatable => "repeatable",
    }
}

impl TrustedAs {
    /// Whatever it says, the call reaches outside.
    pub fn nature(self) -> Nature {
        match self {
            Self::Unknown => Nature::UNKNOWN,
            Self::Reads => Nature { outside: true, ..Nature::READS },
            Self::Repeatable => Nature { repeatable: true, ..Nature::UNKNOWN },
        }
    }
}

pub const MAX_TOOLS: u64 = 200;
pub const MAX_DESCRIPTION: usize = 2_000;
pub const MAX_SECRETS: usize = 20;

/// Names that Baton's own tools have in some conversation or other.
pub const RESERVED: &[&str] = &[
    "switch_agent",
    "complete_task",
    "complete_stage",
    "update_context",
    "read_context",
    "load_skill",
    "route",
    "search_tools",
    "call_tool",
];
/// How Baton's own tools begin.
pub const RESERVED_STARTS: &[&str] = &["ask_", "_"];

#[derive(Debug, Clone, PartialEq)]
pub struct DefinedTool {
    pub id: ToolId,
    pub workspace_id: WorkspaceId,
    pub definition: ToolDefinition,
    pub created_by: Option<ProfileId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// What models call it by; an agent has it by this name in its `tools`. Of an MCP server, what its tools' names begin with.
    pub name: String,
    pub description: String,
    pub config: ToolConfig,
}

/// What a tool of each type is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolConfig {
    Handoff(HandoffConfig),
    McpServer(McpServerConfig),
    HttpApi(HttpApiConfig),
    SupabaseRpc(SupabaseRpcConfig),
    Internal(PresetConfig),
}

impl ToolConfig {
    pub fn kind(&self) -> ToolType {
        match self {
            Self::Handoff(_) => ToolType::Handoff,
            Self::McpServer(_) => ToolType::McpServer,
            Self::HttpApi(_) => ToolType::HttpApi,
            Self::SupabaseRpc(_) => ToolType::SupabaseRpc,
            Self::Internal(_) => ToolType::Internal,
        }
    }

    /// As it is stored, beside its type.
    pub fn read(kind: ToolType, stored: Value) -> Result<Self, serde_json::Error> {
        fn of<T: DeserializeOwned>(stored: Value) -> Result<T, serde_json::Error> {
            serde_json::from_value(stored)
        }
        Ok(match kind {
            ToolType::Handoff => Self::Handoff(of(stored)?),
            ToolType::McpServer => Self::McpServer(of(stored)?),
            ToolType::HttpApi => Self::HttpApi(of(stored)?),
            ToolType::SupabaseRpc => Self::SupabaseRpc(of(stored)?),
            ToolType::Internal => Self::Internal(of(stored)?),
        })
    }

    pub fn stored(&self) -> Result<Value, serde_json::Error> {
        fn of(config: &impl Serialize) -> Result<Value, serde_json::Error> {
            serde_json::to_value(config)
        }
        match self {
            Self::Handoff(config) => of(config),
            Self::McpServer(config) => of(config),
            Self::HttpApi(config) => of(config),
            Self::SupabaseRpc(config) => of(config),
            Self::Internal(config) => of(config),
        }
    }

    pub fn handoff(&self) -> Option<&HandoffConfig> {
        match self {
            Self::Handoff(config) => Some(config),
            _ => None,
        }
    }

    fn check(&mut self) -> Result<(), Invalid> {
        match self {
            Self::Handoff(config) => config.check(),
            Self::McpServer(config) => config.check(),
            Self::HttpApi(config) => config.check(),
            Self::SupabaseRpc(config) => config.check(),
            Self::Internal(config) => config.check(),
        }
    }

    /// What its secrets are called: headers and the like, whose values are stored sealed and never shown.
    pub fn secret_names(&self) -> Vec<String> {
        match self {
            Self::Handoff(_) | Self::Internal(_) => Vec::new(),
            Self::McpServer(config) => config.secret_names().to_vec(),
            Self::HttpApi(config) => config.secret_headers.clone(),
            Self::SupabaseRpc(_) => vec![API_KEY.to_owned()],
        }
    }

    /// The only place that its secrets are sent to: scheme, host and port, or the program that is started.
    pub fn secrets_go_to(&self) -> Option<String> {
        match self {
            Self::Handoff(_) | Self::Internal(_) => None,
            Self::McpServer(config) => config.goes_to(),
            Self::HttpApi(config) => origin_of(&config.url).ok(),
            Self::SupabaseRpc(config) => origin_of(&config.base_url).ok(),
        }
    }

    /// Whether it reaches what Baton doesn't know, so that only admins and owners may define it.
    pub fn reaches_outside(&self) -> bool {
        matches!(self, Self::McpServer(_) | Self::HttpApi(_) | Self::SupabaseRpc(_))
    }
}

impl ToolDefinition {
    pub fn kind(&self) -> ToolType {
        self.config.kind()
    }

    /// `is_built_in`: whether a name is one of the tools this build brings along.
    pub fn checked(mut self, is_built_in: impl Fn(&str) -> bool) -> Result<Self, Invalid> {
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if !(1..=64).contains(&self.name.len()) || !self.name.chars().all(safe) {
            return Err(Invalid::new("name", "must be 1 to 64 of a-z, A-Z, 0-9, _ and -"));
        }
        let is_reserved = RESERVED.contains(&self.name.as_str())
            || RESERVED_STARTS.iter().any(|start| self.name.starts_with(start))
            || is_built_in(&self.name);
        if is_reserved {
            return Err(Invalid::new("name", "is the name of a tool that Baton brings along"));
        }
        if self.kind() == ToolType::McpServer {
            mcp_server::check_slug(&self.name)?;
        } else if self.name.contains("__") && self.kind() != ToolType::Handoff {
            // Else it could be taken for a tool of a server.
            return Err(Invalid::new("name", "must not contain __: so begin the names of servers' tools"));
        }
        self.description = text::prose("description", &self.description, MAX_DESCRIPTION)?;
        self.config.check()?;
        Ok(self)
    }

    /// The place of its secrets, if it can have any.
    pub fn secret_place(&self, workspace: WorkspaceId, id: ToolId) -> Option<SecretPlace> {
        let sent_to = self.config.secrets_go_to()?;
        let (workspace_id, used_for) = (Some(workspace), SecretUse::Tool);
        Some(SecretPlace { workspace_id, used_for, owner_id: id.0, sent_to })
    }
}

/// The secrets of a tool by name. They are stored together as one text.
pub type ToolSecrets = BTreeMap<String, SecretText>;

/// Secrets as one text that can be sealed.
pub fn join_secrets(secrets: &ToolSecrets) -> SecretText {
    let plain: BTreeMap<&str, &str> =
        secrets.iter().map(|(name, secret)| (name.as_str(), secret.reveal())).collect();
    SecretText::new(serde_json::json!(plain).to_string())
}

/// The text of [`join_secrets`] taken apart; `None`: it is none.
pub fn split_secrets(joined: &SecretText) -> Option<ToolSecrets> {
    serde_json::from_str(joined.reveal()).ok()
}

#[cfg(test)]
mod tests;
