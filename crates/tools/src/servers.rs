//! Tools of other people's MCP servers, as agents have them: those that an admin allowed, as they were allowed. What the
//! server says now is looked at again for every call, so a tool that became another is held back at once.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_core::defined_tools::{DefinedTool, McpServerConfig, ToolConfig};
use baton_core::ids::{AgentId, ToolId, WorkspaceId};
use baton_core::server_tools::{
    CallFailure, Definition, Endpoint, Level, Listing, Outcome, OutcomeFile, Permission, Pin, Progress, Said,
    Server, ServerCall, ServerTools, Trouble, model_name,
};
use baton_core::shortened::shortened;
use baton_core::store::{Error, ToolPermissions};
use baton_core::tools::{Ended, Kept, Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use baton_core::visitors::Person;
use serde_json::{Map, Value, json};

use crate::arguments::store_failure;
use crate::outage::patiently;
use crate::requests::OpenSecrets;

/// How long one call may take; whoever speaks to the server ends it before.
const TIME: Duration = Duration::from_secs(15 * 60);

/// What connects servers, and what was allowed of them.
#[derive(Clone)]
pub struct Servers {
    pub tools: Arc<dyn ServerTools>,
    pub permissions: Arc<dyn ToolPermissions>,
    pub secrets: Arc<dyn OpenSecrets>,
    pub configured: Arc<Vec<ConfiguredServer>>,
}

/// A server of the configuration file.
#[derive(Debug, Clone)]
pub struct ConfiguredServer {
    pub name: String,
    pub description: String,
    pub endpoint: Endpoint,
    /// `None`: every one.
    pub workspaces: Option<Vec<WorkspaceId>>,
}

impl ConfiguredServer {
    pub fn is_for(&self, workspace: WorkspaceId) -> bool {
        self.workspaces.as_ref().is_none_or(|named| named.contains(&workspace))
    }
}

impl Servers {
    /// A server as it is to be connected to. `None`: the tool is none.
    pub async fn server(&self, tool: &DefinedTool) -> Result<Option<Server>, ToolFailure> {
        let ToolConfig::McpServer(config) = &tool.definition.config else { return Ok(None) };
        let secrets = self.secrets.secrets_of(tool).await?;
        let endpoint = match config.endpoint(secrets) {
            Some(endpoint) => endpoint,
            None => self.configured(tool, config)?,
        };
        Ok(Some(Server {
            id: tool.id,
            workspace_id: tool.workspace_id,
            slug: tool.definition.name.clone(),
            endpoint,
            trust: config.trust(),
        }))
    }

    /// The servers of the configuration file that a workspace may use.
    pub fn configured_for(&self, workspace: WorkspaceId) -> impl Iterator<Item = &ConfiguredServer> {
        self.configured.iter().filter(move |server| server.is_for(workspace))
    }

    fn configured(&self, tool: &DefinedTool, config: &McpServerConfig) -> Result<Endpoint, ToolFailure> {
        let McpServerConfig::Configured { server: name, .. } = config else {
            return Err(ToolFailure("This server can't be reached.".to_owned()));
        };
        let found = self.configured_for(tool.workspace_id).find(|server| server.name == *name);
        let gone = || {
            format!("The server {name} is not in Baton's configuration any more, or not for this workspace.")
        };
        found.map(|server| server.endpoint.clone()).ok_or_else(|| ToolFailure(gone()))
    }

    /// One tool of a server as it is now, allowed or not: for who looks whether to allow it. `None`: it has no such tool.
    pub async fn newest(
        &self,
        tool: &DefinedTool,
        raw_name: &str,
        person: Person,
    ) -> Result<Option<ServedTool>, ToolFailure> {
        let ToolConfig::McpServer(config) = &tool.definition.config else { return Ok(None) };
        let Some(server) = self.server(tool).await? else { return Ok(None) };
        let listing = self.tools.list(&server, Some(person)).await;
        let Some(newest) = listing.tools.iter().find(|one| one.name == raw_name) else {
            return match listing.trouble {
                Some(Trouble::Down(why)) => Err(ToolFailure(why)),
                Some(Trouble::NeedsSignIn) => Err(ToolFailure(format!("Sign in to {} first.", server.slug))),
                None => Ok(None),
            };
        };
        Ok(Some(self.served(&Arc::new(tool.clone()), config, newest.clone())))
    }

    /// All tools of a server that were allowed or that it has now, by name.
    pub async fn pins(&self, server: ToolId, listing: &Listing) -> Result<Vec<Pin>, Error> {
        let mut pins: Vec<Pin> = Vec::new();
        for pinned in self.permissions.pinned_tools(server).await? {
            let newest = listing.tools.iter().find(|one| one.name == pinned.name).cloned();
            pins.push(Pin { pinned: Some(pinned), newest });
        }
        for newest in listing.tools.iter() {
            let is_known = |pin: &Pin| pin.pinned.as_ref().is_some_and(|pinned| pinned.name == newest.name);
            if !pins.iter().any(is_known) {
                pins.push(Pin { pinned: None, newest: Some(newest.clone()) });
            }
        }
        let name = |pin: &Pin| pin.pinned.as_ref().or(pin.newest.as_ref()).map(|one| one.name.clone());
        pins.sort_by_key(name);
        Ok(pins)
    }

    /// What agents have of a server, of what was allowed in its workspace: a server that is down keeps its tools, and says so
    /// when one is called.
    pub fn offered(&self, tool: &DefinedTool, allowed: &[(ToolId, Definition)]) -> Vec<ServedTool> {
        let ToolConfig::McpServer(config) = &tool.definition.config else { return Vec::new() };
        let row = Arc::new(tool.clone());
        let its = allowed.iter().filter(|(server, _)| *server == tool.id);
        its.map(|(_, definition)| self.served(&row, config, definition.clone())).collect()
    }

    fn served(&self, row: &Arc<DefinedTool>, config: &McpServerConfig, definition: Definition) -> ServedTool {
        let name = model_name(row.id, &row.definition.name, &definition.name);
        let nature = definition.annotations.nature(config.trust());
        ServedTool { name, nature, row: row.clone(), definition, servers: self.clone() }
    }
}

/// One allowed tool of a server.
pub struct ServedTool {
    name: String,
    nature: Nature,
    row: Arc<DefinedTool>,
    definition: Definition,
    servers: Servers,
}

impl ServedTool {
    pub fn raw_name(&self) -> &str {
        &self.definition.name
    }

    pub fn definition_hash(&self) -> String {
        self.definition.hash()
    }

    /// A turn has its tools from its beginning; what an admin decided meanwhile holds all the same.
    async fn check_allowed(&self, agent: AgentId) -> Result<(), ToolFailure> {
        let permissions = &self.servers.permissions;
        let pinned = patiently(|| permissions.pinned_tools(self.row.id)).await.map_err(store_failure)?;
        let own = (&self.definition.name, self.definition.hash());
        if !pinned.iter().any(|one| (&one.name, one.hash()) == own) {
            return Err(ToolFailure(format!(
                "An admin has held back this tool of {}, or changed its server. Go on without it, and say so.",
                self.row.definition.name
            )));
        }
        let decided = patiently(|| permissions.tool_permissions(agent)).await.map_err(store_failure)?;
        let is_own = |one: &&Permission| {
            one.tool_id == self.row.id && one.raw_name.as_ref() == Some(&self.definition.name)
        };
        match decided.iter().find(is_own) {
            Some(Permission { level: Level::Never, .. }) => Err(ToolFailure(
                "An admin has taken this tool from you. Go on without it, and say so.".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// Why it can't be called as it was allowed.
    fn held_back(&self, listing: &Listing) -> Option<String> {
        let slug = &self.row.definition.name;
        match &listing.trouble {
            Some(Trouble::Down(why)) => {
                return Some(format!("{why} Go on without it, and say so."));
            }
            Some(Trouble::NeedsSignIn) => {
                return Some(format!("The person has to sign in to {slug} first, under Tools. Tell them."));
            }
            None => {}
        }
        let newest = listing.tools.iter().find(|one| one.name == self.definition.name);
        match newest {
            None => Some(format!("The server {slug} doesn't have this tool any more. Go on without it.")),
            Some(newest) if newest.hash() != self.definition.hash() => Some(format!(
                "The server {slug} describes this tool otherwise than when it was allowed, so it is held back until an admin \
                 allows it again, under Tools. Go on without it, and say so."
            )),
            Some(_) => None,
        }
    }
}

#[async_trait]
impl Tool for ServedTool {
    fn spec(&self) -> ToolSpec {
        let mut parameters = self.definition.input_schema.clone();
        if !parameters.is_object() {
            parameters = json!({"type": "object"});
        }
        ToolSpec { name: self.name.clone(), description: self.definition.description.clone(), parameters }
    }

    fn display_name(&self) -> String {
        format!("{}: {}", self.row.definition.name, self.definition.display_name())
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        self.nature
    }

    fn is_served(&self) -> bool {
        true
    }

    fn is_brought(&self) -> bool {
        true
    }

    fn time(&self) -> Duration {
        TIME
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        if let Some(agent) = &context.agent {
            self.check_allowed(agent.agent_id).await?;
        }
        let gone = || ToolFailure("This is no server any more.".to_owned());
        let server = self.servers.server(&self.row).await?.ok_or_else(gone)?;
        if let Some(Trouble::Down(why)) = self.servers.tools.trouble(server.id, Some(context.person)) {
            // If it is time to try it again, the call waits for that, and whoever watches knows why.
            context.progress.tell(Progress { done: 0.0, total: None, message: Some(why) });
        }
        let listing = self.servers.tools.list(&server, Some(context.person)).await;
        if let Some(why) = self.held_back(&listing) {
            return Err(ToolFailure(why));
        }
        let call = ServerCall { server: &server, raw_name: &self.definition.name, arguments, context };
        match self.servers.tools.call(call).await {
            Ok(outcome) => Ok(told(outcome)),
            Err(CallFailure::Unknown(why)) if self.nature.writes => {
                let error =
                    format!("{why} Nobody knows whether it was carried out. Look before you do it again.");
                Ok(ToolAnswer { ended: Ended::Unknown, ..json!({"error": error}).into() })
            }
            Err(failure) => Err(ToolFailure(failure.to_string())),
        }
    }
}

/// What the model is given of an outcome, and no more of it than fits; the rest is kept for the person.
fn told(outcome: Outcome) -> ToolAnswer {
    let mut kept = Vec::new();
    let mut value = match outcome.said {
        Said::Text(text) => {
            let short = shortened(&text);
            let data = data_beside(&outcome.whole, &text);
            if short.is_some() {
                kept.push(Kept {
                    name: "result.txt".into(),
                    media_type: "text/plain".into(),
                    bytes: text.clone().into(),
                });
            }
            kept.extend(data.map(|data| whole_json("data.json", data)));
            Value::String(short.unwrap_or(text))
        }
        Said::Structured(value) => match shortened(&value.to_string()) {
            Some(short) => {
                kept.push(whole_json("result.json", &value));
                Value::String(short)
            }
            None => value,
        },
    };
    if !outcome.files.is_empty() {
        let files: Vec<Value> = outcome
            .files
            .iter()
            .map(|file| json!({"name": file.name, "media_type": file.media_type, "bytes": file.bytes.len()}))
            .collect();
        value = json!({"result": value, "files": files});
    }
    let files = outcome.files.into_iter();
    kept.extend(files.map(|OutcomeFile { name, media_type, bytes }| Kept { name, media_type, bytes }));
    let ended = if outcome.is_error { Ended::Badly } else { Ended::Well };
    ToolAnswer { ended, kept, ..value.into() }
}

/// What a server sent as data beside its words, if the words are something else.
fn data_beside<'a>(whole: &'a Value, text: &str) -> Option<&'a Value> {
    let data = whole.get("structuredContent").filter(|data| !data.is_null())?;
    let is_told = serde_json::from_str::<Value>(text).is_ok_and(|told| told == *data);
    (!is_told).then_some(data)
}

fn whole_json(name: &str, value: &Value) -> Kept {
    let bytes = format!("{value:#}").into_bytes();
    Kept { name: name.to_owned(), media_type: "application/json".to_owned(), bytes }
}

#[cfg(test)]
mod tests;
