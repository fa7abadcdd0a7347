//! How agents look in the API.

use baton_core::agents::{Agent, AgentDefinition, Category, Department, PermissionMode};
use baton_core::catalog::{AgentListing, CatalogAgent};
use baton_core::defined_tools::{DefinedTool, ToolType};
use baton_core::ids::{ToolId, WorkspaceId};
use baton_core::server_tools::Trouble;
use baton_core::subtasks;
use baton_tools::{WhyNot, directory, search};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::agent_body::StarterBody;
use super::departments::DepartmentView;
use crate::app::App;
use crate::http::{ApiError, category_schema, permission_mode_schema};

/// A tool as people see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolDetail {
    /// The id in `tools`.
    id: String,
    /// The name models call it by.
    #[schema(required)]
    tool_name: Option<String>,
    name: String,
    #[schema(required)]
    description: Option<String>,
    /// A lucide icon name.
    #[schema(required)]
    icon: Option<&'static str>,
    #[schema(required)]
    server: Option<&'static str>,
    /// Whether it can be used in this workspace.
    available: bool,
    /// Why not, if it can't.
    #[schema(required, value_type = Option<WhyNotAvailable>)]
    unavailable_because: Option<WhyNotAvailable>,
    /// Of an MCP server that is down: why its tools can't be used now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    trouble: Option<String>,
}

/// Why a tool can't be used.
#[derive(Serialize, ToSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub enum WhyNotAvailable {
    /// This version of Baton doesn't have it.
    NotYet,
    /// Neither the workspace nor the server has a web search engine.
    NoSearchEngine,
    /// There is no such tool, or it is gone.
    Unknown,
}

/// Every tool of Baton's own, whether it can run yet or not.
pub fn built_in_tools(here: &ToolsHere) -> Vec<ToolDetail> {
    let all = tool_details(&directory::ids().map(str::to_owned).collect::<Vec<_>>());
    all.into_iter().map(|tool| tool.or_here(here)).collect()
}

fn tool_details(tools: &[String]) -> Vec<ToolDetail> {
    let detail = |id: &String| {
        let known = directory::lookup(id);
        // What a workspace has more of is not known here.
        let why_not = match known {
            None => Some(WhyNotAvailable::Unknown),
            Some(tool) if !directory::is_available(tool) => Some(WhyNotAvailable::NotYet),
            Some(tool) if tool.tool_name == search::NAME => Some(WhyNotAvailable::NoSearchEngine),
            Some(_) => None,
        };
        ToolDetail {
            id: id.clone(),
            tool_name: known.map(|tool| tool.tool_name.to_owned()),
            name: known.map_or_else(|| id.clone(), |tool| tool.name.to_owned()),
            description: known.map(|tool| tool.description.to_owned()),
            icon: known.map(|tool| tool.icon),
            server: known.map(|tool| tool.server),
            available: why_not.is_none(),
            unavailable_because: why_not,
            trouble: None,
        }
    };
    tools.iter().map(detail).collect()
}

/// The tools a workspace has besides those that come with the server.
#[derive(Default)]
pub struct ToolsHere {
    /// Those that people defined.
    pub defined: Vec<DefinedTool>,
    /// Its agents, each of whom can be asked.
    pub hired: Vec<Agent>,
    /// Those of Baton's own that can be used here.
    built_in: Vec<(&'static str, Option<WhyNot>)>,
    /// What is wrong with servers among the defined, as far as is known.
    troubles: Vec<(ToolId, String)>,
}

impl ToolsHere {
    pub async fn of(app: &App, workspace: WorkspaceId) -> Result<Self, ApiError> {
        let mut built_in = Vec::new();
        for tool in directory::all() {
            built_in.push((tool.tool_name, app.tools.why_not(workspace, tool).await?));
        }
        let (defined, hired) = (app.store.tools(workspace).await?, app.store.hired(workspace).await?);
        let servers = &app.servers.tools;
        let down = |tool: &DefinedTool| match servers.trouble(tool.id, None) {
            Some(Trouble::Down(why)) => Some((tool.id, why)),
            Some(Trouble::NeedsSignIn) | None => None,
        };
        let troubles = defined.iter().filter_map(down).collect();
        Ok(Self { defined, hired, built_in, troubles })
    }
}

impl ToolDetail {
    /// Says what a tool of the workspace is, where that is what the id means.
    fn or_here(self, here: &ToolsHere) -> Self {
        if let Some(name) = &self.tool_name {
            let why_not = here.built_in.iter().find(|(known, _)| known == name).map(|(_, why_not)| *why_not);
            let Some(why_not) = why_not else { return self };
            let unavailable_because = why_not.map(|why_not| match why_not {
                WhyNot::NotYet => WhyNotAvailable::NotYet,
                WhyNot::NoSearchEngine => WhyNotAvailable::NoSearchEngine,
            });
            return Self { available: why_not.is_none(), unavailable_because, ..self };
        }
        if let Some(slug) = subtasks::asks(&self.id) {
            let asked = here.hired.iter().find(|agent| agent.slug == slug);
            let about = asked.filter(|agent| !agent.definition.is_restricted);
            return Self {
                tool_name: Some(self.id.clone()),
                name: asked.map_or(self.name, |agent| format!("Ask {}", agent.definition.name)),
                description: about.and_then(|agent| agent.definition.description.clone()),
                icon: Some("MessageCircleQuestion"),
                server: Some("ask-tools"),
                available: asked.is_some(),
                unavailable_because: asked.is_none().then_some(WhyNotAvailable::Unknown),
                ..self
            };
        }
        let known = here.defined.iter().find(|tool| tool.definition.name == self.id);
        let Some(known) = known else { return self };
        let definition = &known.definition;
        let (icon, server) = match definition.kind() {
            ToolType::Handoff => ("ArrowRightLeft", "handoff-tools"),
            ToolType::McpServer => ("Plug", "mcp-servers"),
            ToolType::HttpApi => ("Globe", "http-tools"),
            ToolType::SupabaseRpc => ("Database", "supabase-tools"),
            ToolType::Internal => ("Wrench", "preset-tools"),
        };
        Self {
            tool_name: Some(definition.name.clone()),
            description: Some(definition.description.clone()),
            icon: Some(icon),
            server: Some(server),
            available: true,
            unavailable_because: None,
            trouble: here.troubles.iter().find(|(tool, _)| *tool == known.id).map(|(_, why)| why.clone()),
            ..self
        }
    }
}

/// What an agent is made of.
#[derive(Serialize, ToSchema)]
pub struct DefinitionView {
    name: String,
    #[schema(required)]
    description: Option<String>,
    #[schema(required)]
    department_id: Option<Uuid>,
    /// An emoji, or the path of an image on this server.
    #[schema(required)]
    avatar_url: Option<String>,
    model: String,
    /// Left out of a list that is asked for without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    system_prompt: Option<String>,
    #[schema(schema_with = permission_mode_schema)]
    permission_mode: PermissionMode,
    max_turns: i32,
    #[schema(required)]
    role: Option<String>,
    is_default: bool,
    is_free: bool,
    is_restricted: bool,
    is_head: bool,
    #[schema(required)]
    initial_prompt: Option<String>,
    #[schema(schema_with = category_schema)]
    category: Category,
    tools: Vec<String>,
    #[serde(rename = "toolDetails")]
    tool_details: Vec<ToolDetail>,
    #[schema(value_type = Object)]
    config: Map<String, Value>,
    /// First messages that it offers.
    starters: Vec<StarterBody>,
}

impl DefinitionView {
    fn with_tools(mut self, here: &ToolsHere) -> Self {
        self.tool_details = self.tool_details.into_iter().map(|tool| tool.or_here(here)).collect();
        self
    }
}

impl From<AgentDefinition> for DefinitionView {
    fn from(definition: AgentDefinition) -> Self {
        Self {
            tool_details: tool_details(&definition.tools),
            name: definition.name,
            description: definition.description,
            department_id: definition.department_id.map(|id| id.0),
            avatar_url: definition.avatar_url,
            model: definition.model,
            system_prompt: Some(definition.system_prompt),
            permission_mode: definition.permission_mode,
            max_turns: definition.max_turns,
            role: definition.role,
            is_default: definition.is_default,
            is_free: definition.is_free,
            is_restricted: definition.is_restricted,
            is_head: definition.is_head,
            initial_prompt: definition.initial_prompt,
            category: definition.category,
            tools: definition.tools,
            config: definition.config,
            starters: definition.starters.into_iter().map(Into::into).collect(),
        }
    }
}

/// An agent of the catalog; for a workspace's own agent, the same fields from its own record.
#[derive(Serialize, ToSchema)]
#[schema(as = AIAgent)]
pub struct CatalogAgentView {
    id: Uuid,
    slug: String,
    is_enabled: bool,
    current_version: i32,
    #[schema(required)]
    published_version: Option<i32>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[serde(flatten)]
    definition: DefinitionView,
    #[schema(required)]
    department: Option<DepartmentView>,
}

impl CatalogAgentView {
    pub fn new(agent: CatalogAgent, department: Option<DepartmentView>) -> Self {
        Self {
            id: agent.id.0,
            slug: agent.slug,
            is_enabled: agent.is_enabled,
            current_version: agent.current_version,
            published_version: agent.published_version,
            created_at: agent.created_at,
            updated_at: agent.updated_at,
            definition: agent.definition.into(),
            department,
        }
    }

    fn own(agent: Agent, department: Option<DepartmentView>) -> Self {
        Self {
            id: agent.id.0,
            slug: agent.slug,
            is_enabled: true,
            current_version: 1,
            published_version: None,
            created_at: agent.created_at,
            updated_at: agent.updated_at,
            definition: agent.definition.into(),
            department,
        }
    }

    /// With the tools that the workspace has.
    pub fn with_tools(self, here: &ToolsHere) -> Self {
        Self { definition: self.definition.with_tools(here), ..self }
    }

    /// The catalog's own words where there are any.
    pub fn of_listing(listing: AgentListing) -> Result<Self, ApiError> {
        let department = listing.department.map(Into::into);
        match (listing.catalog, listing.hired) {
            (Some(catalog), _) => Ok(Self::new(catalog, department)),
            (None, Some(agent)) => Ok(Self::own(agent, department)),
            (None, None) => Err(ApiError::not_found("agent")),
        }
    }
}

/// An agent in the list: as the workspace has it where it is hired, as the catalog offers it otherwise.
#[derive(Serialize, ToSchema)]
pub struct AgentWithHireStatus {
    #[serde(flatten)]
    agent: CatalogAgentView,
    #[serde(rename = "isHired")]
    is_hired: bool,
    #[serde(rename = "localAgentId")]
    #[schema(required)]
    local_agent_id: Option<Uuid>,
    #[serde(rename = "hiredAt")]
    #[schema(required)]
    hired_at: Option<DateTime<Utc>>,
    /// The catalog version the workspace's copy was made from.
    #[schema(required)]
    hired_version: Option<i32>,
    /// Whether the caller may change it. (Who brought it may let it go in any case.)
    #[serde(rename = "canChange")]
    can_change: bool,
}

impl AgentWithHireStatus {
    pub fn without_prompt(mut self) -> Self {
        self.agent.definition.system_prompt = None;
        self
    }

    pub fn with_tools(self, here: &ToolsHere) -> Self {
        Self { agent: self.agent.with_tools(here), ..self }
    }

    pub fn of_listing(
        mut listing: AgentListing,
        may_change: impl Fn(&Agent) -> bool,
    ) -> Result<Self, ApiError> {
        let hired = listing.hired.clone().filter(|agent| agent.is_active);
        if let (Some(catalog), Some(agent)) = (&mut listing.catalog, &hired) {
            catalog.definition = agent.definition.clone();
            catalog.slug = agent.slug.clone();
        }
        Ok(Self {
            is_hired: hired.is_some(),
            can_change: hired.as_ref().is_some_and(may_change),
            local_agent_id: hired.as_ref().map(|agent| agent.id.0),
            hired_at: hired.as_ref().and_then(|agent| agent.hired_at),
            hired_version: hired.as_ref().and_then(|agent| agent.hired_version),
            agent: CatalogAgentView::of_listing(listing)?,
        })
    }
}

/// A workspace's agent: hired, or its own.
#[derive(Serialize, ToSchema)]
pub struct LocalAgent {
    id: Uuid,
    workspace_id: Uuid,
    #[schema(required)]
    ai_agent_id: Option<Uuid>,
    slug: String,
    #[serde(flatten)]
    definition: DefinitionView,
    #[schema(required)]
    department: Option<DepartmentView>,
    is_active: bool,
    /// The tools it has at the workspace's public address.
    public_tools: Vec<String>,
    #[schema(required)]
    hired_version: Option<i32>,
    #[schema(required)]
    created_by: Option<Uuid>,
    #[schema(required)]
    hired_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl LocalAgent {
    pub fn new(agent: Agent, department: Option<Department>, here: &ToolsHere) -> Self {
        Self {
            id: agent.id.0,
            workspace_id: agent.workspace_id.0,
            ai_agent_id: agent.ai_agent_id.map(|id| id.0),
            slug: agent.slug,
            definition: DefinitionView::from(agent.definition).with_tools(here),
            department: department.map(Into::into),
            is_active: agent.is_active,
            public_tools: agent.public_tools,
            hired_version: agent.hired_version,
            created_by: agent.created_by.map(|id| id.0),
            hired_at: agent.hired_at,
            created_at: agent.created_at,
            updated_at: agent.updated_at,
        }
    }
}
