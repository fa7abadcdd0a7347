//! Agents: the definition of an agent, and which changes of it are valid.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::access::SUPPORT;
use crate::ids::{AgentId, CatalogAgentId, DepartmentId, ProfileId, WorkspaceId};
use crate::starters::{self, Starter};
use crate::text::{self, Invalid};
use crate::words;
use crate::workspaces::Role;

words! {
    /// When a tool call of this agent waits for a person.
    PermissionMode {
        Default => "default",
        AcceptEdits => "acceptEdits",
        BypassPermissions => "bypassPermissions",
    }
}

words! {
    Category {
        Finance => "finance",
        Crm => "crm",
        Team => "team",
        Projects => "projects",
        Knowledge => "knowledge",
        Communications => "communications",
        Goals => "goals",
        Agents => "agents",
        General => "general",
    }
}

/// The most agents in one workspace, and the most counting those that were let go, because they can come back.
pub const MAX_AGENTS: u64 = 500;
pub const MAX_AGENTS_EVER: u64 = 2_000;
pub const MAX_NAME: usize = 100;
pub const MAX_DESCRIPTION: usize = 2_000;
pub const MAX_AVATAR: usize = 2_000;
pub const MAX_SYSTEM_PROMPT: usize = 100_000;
pub const MAX_TOOLS: usize = 100;
pub const MAX_CONFIG_BYTES: usize = 64 * 1024;
pub const DEFAULT_MODEL: &str = "sonnet";
/// In an agent's `config`: what the demo model says for it.
pub const DEMO_ANSWER: &str = "demo_answer";
const DEFAULT_MAX_TURNS: i32 = 20;
/// A provider's name, a slash, and the longest name of a model.
const MAX_MODEL: usize = 250;

/// Everything that makes an agent what it is: shared by catalog agents (per version) and a workspace's agents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentDefinition {
    pub name: String,
    pub description: Option<String>,
    pub department_id: Option<DepartmentId>,
    /// An emoji, or the path of a file kept here. Never an address elsewhere.
    pub avatar_url: Option<String>,
    pub model: String,
    pub system_prompt: String,
    pub permission_mode: PermissionMode,
    pub max_turns: i32,
    pub role: Option<String>,
    pub is_default: bool,
    pub is_free: bool,
    pub is_restricted: bool,
    pub is_head: bool,
    pub initial_prompt: Option<String>,
    pub category: Category,
    pub tools: Vec<String>,
    pub config: Map<String, Value>,
    /// First messages that it offers.
    #[serde(default)]
    pub starters: Vec<Starter>,
}

impl PermissionMode {
    /// The mode in which an agent works at a public address: never without asking.
    pub fn in_public(self) -> Self {
        self.min(Self::AcceptEdits)
    }
}

impl AgentDefinition {
    pub fn new(name: &str, system_prompt: &str) -> Result<Self, Invalid> {
        Ok(Self {
            name: text::line("name", name, MAX_NAME)?,
            description: None,
            department_id: None,
            avatar_url: None,
            model: DEFAULT_MODEL.to_owned(),
            system_prompt: text::prose("system_prompt", system_prompt, MAX_SYSTEM_PROMPT)?,
            permission_mode: PermissionMode::Default,
            max_turns: DEFAULT_MAX_TURNS,
            role: None,
            is_default: false,
            is_free: false,
            is_restricted: false,
            is_head: false,
            initial_prompt: None,
            category: Category::General,
            tools: Vec::new(),
            config: Map::new(),
            starters: Vec::new(),
        })
    }

    /// The published version as a workspace updates to it. Which agent is the default stays the workspace's choice.
    /// What only admins and owners set stays as it is, unless an admin or owner makes the update.
    pub fn updated_to(&self, published: Self, by: Role) -> Self {
        let published = Self { is_default: self.is_default, ..published };
        if by >= Role::Admin {
            return published;
        }
        let role = if published.is_support() { self.role.clone() } else { published.role.clone() };
        let (is_restricted, permission_mode) = (self.is_restricted, self.permission_mode);
        Self { is_restricted, permission_mode, role, ..published }
    }

    /// The published version as it is hired: a member gets none of what only admins and owners set.
    pub fn hired_by(self, by: Role) -> Self {
        if by >= Role::Admin {
            return self;
        }
        let permission_mode = match self.permission_mode {
            PermissionMode::BypassPermissions => PermissionMode::Default,
            mode => mode,
        };
        let role = if self.is_support() { None } else { self.role };
        Self { permission_mode, is_default: false, role, ..self }
    }

    /// Visitors reach such an agent, and models may hand them to it.
    pub fn is_support(&self) -> bool {
        self.role.as_deref() == Some(SUPPORT)
    }

    /// What searches look in.
    pub fn search_text(&self) -> String {
        text::fold(&format!("{}\n{}", self.name, self.description.as_deref().unwrap_or_default()))
    }
}

/// A change to a definition: `None` leaves a field alone, `Some(None)` empties it.
#[derive(Debug, Clone, Default)]
pub struct AgentChanges {
    pub name: Option<String>,
    pub description: Option<Option<String>>,
    pub department_id: Option<Option<DepartmentId>>,
    pub avatar_url: Option<Option<String>>,
    pub model: Option<String>,
    pub system_prompt: Option<String>,
    pub permission_mode: Option<PermissionMode>,
    pub max_turns: Option<i32>,
    pub role: Option<Option<String>>,
    pub is_default: Option<bool>,
    pub is_free: Option<bool>,
    pub is_restricted: Option<bool>,
    pub is_head: Option<bool>,
    pub initial_prompt: Option<Option<String>>,
    pub category: Option<Category>,
    pub tools: Option<Vec<String>>,
    pub config: Option<Map<String, Value>>,
    pub starters: Option<Vec<Starter>>,
    /// No part of a definition: only a workspace's agent has a public address.
    pub public_tools: Option<Vec<String>>,
}

impl AgentChanges {
    /// Whether it touches what only admins and owners of a workspace may set.
    pub fn needs_admin(&self) -> Option<&'static str> {
        if self.permission_mode == Some(PermissionMode::BypassPermissions) {
            return Some("permission_mode");
        }
        if self.public_tools.is_some() {
            return Some("public_tools");
        }
        if self.role.as_ref().and_then(Option::as_deref).is_some_and(|role| role.trim() == SUPPORT) {
            return Some("role");
        }
        self.is_restricted.and(Some("is_restricted")).or(self.is_default.and(Some("is_default")))
    }

    /// Checks every given field, then applies them all or none.
    pub fn apply(&self, to: &mut AgentDefinition) -> Result<(), Invalid> {
        let mut next = to.clone();
        if let Some(name) = &self.name {
            next.name = text::line("name", name, MAX_NAME)?;
        }
        if let Some(description) = &self.description {
            next.description =
                text::optional("description", description.as_deref(), MAX_DESCRIPTION, text::prose)?;
        }
        if let Some(avatar) = &self.avatar_url {
            next.avatar_url = text::optional("avatar_url", avatar.as_deref(), MAX_AVATAR, |_, avatar, _| {
                kept_avatar(avatar)
            })?;
        }
        if let Some(model) = &self.model {
            next.model = model_name(model)?;
        }
        if let Some(prompt) = &self.system_prompt {
            next.system_prompt = text::prose("system_prompt", prompt, MAX_SYSTEM_PROMPT)?;
        }
        if let Some(turns) = self.max_turns {
            if !(1..=200).contains(&turns) {
                return Err(Invalid::new("max_turns", "must be from 1 to 200"));
            }
            next.max_turns = turns;
        }
        if let Some(role) = &self.role {
            next.role = text::optional("role", role.as_deref(), 60, text::line)?;
        }
        if let Some(prompt) = &self.initial_prompt {
            next.initial_prompt = text::optional("initial_prompt", prompt.as_deref(), 4_000, text::prose)?;
        }
        if let Some(tools) = &self.tools {
            next.tools = tool_names("tools", tools)?;
        }
        if let Some(config) = &self.config {
            next.config = checked_config(config)?;
        }
        if let Some(given) = &self.starters {
            next.starters = starters::checked(given)?;
        }
        next.department_id = self.department_id.unwrap_or(next.department_id);
        next.permission_mode = self.permission_mode.unwrap_or(next.permission_mode);
        next.is_default = self.is_default.unwrap_or(next.is_default);
        next.is_free = self.is_free.unwrap_or(next.is_free);
        next.is_restricted = self.is_restricted.unwrap_or(next.is_restricted);
        next.is_head = self.is_head.unwrap_or(next.is_head);
        next.category = self.category.unwrap_or(next.category);
        *to = next;
        Ok(())
    }
}

/// An alias, `demo`, or `provider/model`.
pub fn model_name(value: &str) -> Result<String, Invalid> {
    let model = text::line("model", value, MAX_MODEL)?;
    let word = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._:/@-".contains(c))
    };
    let known = match model.split_once('/') {
        // Whether there is such a provider is for whoever knows them.
        Some((provider, name)) => word(provider) && word(name),
        None => word(&model),
    };
    if known {
        Ok(model)
    } else {
        Err(Invalid::new(
            "model",
            "must be an alias such as sonnet, or a provider and its model such as openai/gpt-4o",
        ))
    }
}

/// Where files kept here are served from; an avatar is one of them, or an emoji.
pub const FILES_PATH: &str = "/api/files/";

fn kept_avatar(value: &str) -> Result<String, Invalid> {
    let value = text::line("avatar_url", value, 80)?;
    let is_file = value.strip_prefix(FILES_PATH).is_some_and(|id| uuid::Uuid::parse_str(id).is_ok());
    let is_emoji = !value.is_ascii() && value.chars().count() <= 16;
    if is_file || is_emoji {
        Ok(value)
    } else {
        Err(Invalid::new(
            "avatar_url",
            "must be an emoji, an uploaded file or an http(s) address of an image",
        ))
    }
}

pub fn tool_names(field: &str, tools: &[String]) -> Result<Vec<String>, Invalid> {
    if tools.len() > MAX_TOOLS {
        return Err(Invalid::new(field, format!("must be at most {MAX_TOOLS}")));
    }
    let mut names: Vec<String> = Vec::with_capacity(tools.len());
    for (index, tool) in tools.iter().enumerate() {
        let name = text::line(&format!("{field}[{index}]"), tool, 100)?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

fn checked_config(config: &Map<String, Value>) -> Result<Map<String, Value>, Invalid> {
    let value = Value::Object(config.clone());
    if value.to_string().len() > MAX_CONFIG_BYTES {
        return Err(Invalid::new("config", "must be at most 64 KiB"));
    }
    text::json("config", &value)?;
    Ok(config.clone())
}

/// The role a new agent is given when nobody said one. Visitors reach support agents, so this is decided once, when
/// the agent is made, and never again from its name.
pub fn suggested_role(name: &str) -> Option<&'static str> {
    let name = text::fold(name);
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "support" | "help" | "helpdesk")).then_some(SUPPORT)
}

/// Who writes an agent's definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Author {
    pub profile: ProfileId,
    pub role: Role,
    /// The request came with an API token.
    pub is_program: bool,
}

impl Author {
    /// Someone who is signed in.
    pub fn in_person(profile: ProfileId, role: Role) -> Self {
        Self { profile, role, is_program: false }
    }

    /// Whether the author may write a definition with this mode, over one with the mode `before`. A token can't
    /// approve its own requests, so it can't set a mode that asks for fewer approvals either. An agent that a token
    /// hires has the catalog's mode, but never one that asks for nothing.
    pub fn may_write(&self, before: Option<PermissionMode>, mode: PermissionMode) -> bool {
        let loosens = match before {
            Some(before) => mode > before,
            None => mode == PermissionMode::BypassPermissions,
        };
        !(self.is_program && loosens)
    }
}

impl Agent {
    /// Who may change an agent: admins and owners. Its maker too, as long as the agent asks before it acts and
    /// visitors don't reach it.
    pub fn may_be_changed_by(&self, profile: ProfileId, role: Role) -> bool {
        let asks_first = self.definition.permission_mode != PermissionMode::BypassPermissions;
        role >= Role::Admin || (self.may_be_let_go_by(profile, role) && asks_first)
    }

    /// Who may let an agent go: admins and owners. The person who brought it too, as long as visitors don't reach it.
    pub fn may_be_let_go_by(&self, profile: ProfileId, role: Role) -> bool {
        let brought_it = self.created_by == Some(profile);
        let is_for_visitors = self.definition.is_default || self.definition.is_support();
        role >= Role::Admin || (brought_it && !is_for_visitors)
    }

    /// Whether it has a tool of this name, for members or at the public address.
    pub fn names_tool(&self, name: &str) -> bool {
        self.definition.tools.iter().chain(&self.public_tools).any(|listed| listed == name)
    }
}

/// An agent of one workspace: hired from the catalog, or its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    pub id: AgentId,
    pub workspace_id: WorkspaceId,
    pub ai_agent_id: Option<CatalogAgentId>,
    pub slug: String,
    pub definition: AgentDefinition,
    pub is_active: bool,
    /// The tools it has at the workspace's public address.
    pub public_tools: Vec<String>,
    /// The catalog version it was copied from.
    pub hired_version: Option<i32>,
    pub created_by: Option<ProfileId>,
    pub hired_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Department {
    pub id: DepartmentId,
    pub slug: String,
    pub name: String,
    pub icon: Option<String>,
}

#[cfg(test)]
mod tests;
