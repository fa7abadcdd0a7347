//! Tools that send one request: to somebody's API, or to a function of a database at Supabase. Secrets are read anew for
//! every call and sent to their own address only.

mod answer;
mod send;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_core::defined_tools::{API_KEY, DefinedTool, PlannedRequest, ToolConfig, ToolSecrets, TrustedAs};
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value};

use crate::outbound::Outbound;

/// Opens the secrets of tools that people defined.
#[async_trait]
pub trait OpenSecrets: Send + Sync {
    /// As far as there are any. An error in words that the model can act on.
    async fn secrets_of(&self, tool: &DefinedTool) -> Result<ToolSecrets, ToolFailure>;
}

/// How requests are sent: with whose secrets, and through the guarded way out.
#[derive(Clone)]
pub struct Sender {
    pub secrets: Arc<dyn OpenSecrets>,
    pub outbound: Outbound,
}

/// A tool of the type `http_api` or `supabase_rpc`.
pub struct RequestTool {
    tool: DefinedTool,
    parameters: Value,
    pick: Option<String>,
    trusted_as: TrustedAs,
    sender: Sender,
}

impl RequestTool {
    /// `None`: the tool is of another type.
    pub fn new(tool: &DefinedTool, sender: &Sender) -> Option<Self> {
        let (parameters, pick, trusted_as) = match &tool.definition.config {
            ToolConfig::HttpApi(config) => (&config.parameters, &config.pick, config.trusted_as),
            ToolConfig::SupabaseRpc(config) => (&config.parameters, &config.pick, config.trusted_as),
            ToolConfig::Handoff(_) | ToolConfig::McpServer(_) | ToolConfig::Internal(_) => return None,
        };
        Some(Self {
            parameters: parameters.clone(),
            pick: pick.clone(),
            trusted_as,
            tool: tool.clone(),
            sender: sender.clone(),
        })
    }

    fn plan(&self, arguments: &Map<String, Value>) -> Result<PlannedRequest, ToolFailure> {
        let planned = match &self.tool.definition.config {
            ToolConfig::HttpApi(config) => config.plan(arguments),
            ToolConfig::SupabaseRpc(config) => config.plan(arguments),
            ToolConfig::Handoff(_) | ToolConfig::McpServer(_) | ToolConfig::Internal(_) => {
                Err("this is no request".to_owned())
            }
        };
        planned.map_err(|wrong| ToolFailure(format!("{wrong}.")))
    }

    /// The secrets as headers. Without one of them nothing is sent: the answer would only be a riddle.
    async fn secret_headers(&self) -> Result<ToolSecrets, ToolFailure> {
        let secrets = self.sender.secrets.secrets_of(&self.tool).await?;
        for name in self.tool.definition.config.secret_names() {
            if !secrets.contains_key(&name) {
                let why =
                    format!("This tool lacks the value of {name}. An admin has to enter it under Tools.");
                return Err(ToolFailure(why));
            }
        }
        let ToolConfig::SupabaseRpc(_) = &self.tool.definition.config else { return Ok(secrets) };
        // It tells projects by the one and people by the other; a function is called as the key's role.
        let key = secrets.get(API_KEY).map(|key| key.reveal().to_owned()).unwrap_or_default();
        let bearer = baton_core::secrets::SecretText::new(format!("Bearer {key}"));
        Ok(secrets.into_iter().chain([("Authorization".to_owned(), bearer)]).collect())
    }

    /// Sends the request of a call: once.
    pub async fn run(&self, arguments: &Map<String, Value>) -> Result<ToolAnswer, ToolFailure> {
        let planned = self.plan(arguments)?;
        let secrets = self.secret_headers().await?;
        let came = send::send(&self.sender.outbound, &planned, &secrets).await;
        Ok(answer::told(came, self.pick.as_deref(), self.trusted_as.nature()))
    }
}

#[async_trait]
impl Tool for RequestTool {
    fn spec(&self) -> ToolSpec {
        let definition = &self.tool.definition;
        ToolSpec {
            name: definition.name.clone(),
            description: definition.description.clone(),
            parameters: self.parameters.clone(),
        }
    }

    fn display_name(&self) -> String {
        self.tool.definition.name.clone()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        self.trusted_as.nature()
    }

    fn check(&self, arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
        self.plan(arguments).map(drop)
    }

    fn is_brought(&self) -> bool {
        true
    }

    fn time(&self) -> Duration {
        // The request ends before, so that it can say how.
        send::TOTAL + Duration::from_secs(15)
    }

    async fn call(
        &self,
        _context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        self.run(&arguments).await
    }
}

#[cfg(test)]
mod tests;
