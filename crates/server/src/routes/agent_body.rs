//! The fields that can be set on an agent: the bodies of creating and changing one.

use baton_core::Invalid;
use baton_core::agents::{AgentChanges, AgentDefinition, Category, PermissionMode, suggested_role};
use baton_core::ids::DepartmentId;
use baton_core::starters::Starter;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::{category_schema, permission_mode_schema, some};

/// Declares a request body that has, besides its own fields, everything that can be set on an agent. (A flattened
/// struct would do the same, but loses which field an error is in.)
macro_rules! agent_body {
    ($(#[$meta:meta])* pub struct $name:ident { $($own:tt)* }) => {
        #[derive(Deserialize, ToSchema)]
        #[serde(deny_unknown_fields)]
        $(#[$meta])*
        pub struct $name {
            $($own)*
            #[serde(default, deserialize_with = "some")]
            #[schema(value_type = Option<String>, max_length = 2_000)]
            pub description: Option<Option<String>>,
            #[serde(default, deserialize_with = "some")]
            #[schema(value_type = Option<Uuid>)]
            pub department_id: Option<Option<Uuid>>,
            /// An emoji, the path of an uploaded file, or the http(s) address of an image, which is fetched and kept.
            #[serde(default, deserialize_with = "some")]
            #[schema(value_type = Option<String>, max_length = 2_000)]
            pub avatar_url: Option<Option<String>>,
            /// An alias such as sonnet, or a provider and its model such as openai/gpt-4o.
            #[serde(default, deserialize_with = "some")]
            #[schema(max_length = 250, nullable = false)]
            pub model: Option<String>,
            #[serde(default, deserialize_with = "some")]
            #[schema(schema_with = permission_mode_schema)]
            pub permission_mode: Option<PermissionMode>,
            #[serde(default, deserialize_with = "some")]
            #[schema(minimum = 1, maximum = 200, nullable = false)]
            pub max_turns: Option<i32>,
            #[serde(default, deserialize_with = "some")]
            #[schema(value_type = Option<String>, max_length = 60)]
            pub role: Option<Option<String>>,
            #[serde(default, deserialize_with = "some")]
            #[schema(nullable = false)]
            pub is_default: Option<bool>,
            #[serde(default, deserialize_with = "some")]
            #[schema(nullable = false)]
            pub is_free: Option<bool>,
            #[serde(default, deserialize_with = "some")]
            #[schema(nullable = false)]
            pub is_restricted: Option<bool>,
            #[serde(default, deserialize_with = "some")]
            #[schema(nullable = false)]
            pub is_head: Option<bool>,
            #[serde(default, deserialize_with = "some")]
            #[schema(value_type = Option<String>, max_length = 4_000)]
            pub initial_prompt: Option<Option<String>>,
            #[serde(default, deserialize_with = "some")]
            #[schema(schema_with = category_schema)]
            pub category: Option<Category>,
            #[serde(default, deserialize_with = "some")]
            #[schema(max_items = 100, nullable = false)]
            pub tools: Option<Vec<String>>,
            #[serde(default, deserialize_with = "some")]
            #[schema(value_type = Option<Object>, nullable = false)]
            pub config: Option<Map<String, Value>>,
            /// First messages that it offers.
            #[serde(default, deserialize_with = "some")]
            #[schema(max_items = 4, nullable = false)]
            pub starters: Option<Vec<StarterBody>>,
        }

        impl $name {
            /// Everything but name and system prompt.
            fn common(self) -> AgentChanges {
                AgentChanges {
                    name: None,
                    system_prompt: None,
                    description: self.description,
                    department_id: self.department_id.map(|id| id.map(DepartmentId)),
                    avatar_url: self.avatar_url,
                    model: self.model,
                    permission_mode: self.permission_mode,
                    max_turns: self.max_turns,
                    role: self.role,
                    is_default: self.is_default,
                    is_free: self.is_free,
                    is_restricted: self.is_restricted,
                    is_head: self.is_head,
                    initial_prompt: self.initial_prompt,
                    category: self.category,
                    tools: self.tools,
                    config: self.config,
                    starters: self.starters.map(|starters| starters.into_iter().map(Into::into).collect()),
                    public_tools: None,
                }
            }
        }
    };
}

/// A first message that an agent or a team offers.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = Starter)]
#[serde(deny_unknown_fields)]
pub struct StarterBody {
    #[schema(min_length = 1, max_length = 300)]
    text: String,
    /// The call that the demo model makes for exactly this text; a real model decides for itself.
    #[serde(default)]
    #[schema(max_length = 100)]
    tool: Option<String>,
    /// Of that call; a date can be `today` or `today+3`.
    #[serde(default)]
    #[schema(value_type = Object)]
    args: Map<String, Value>,
}

impl From<StarterBody> for Starter {
    fn from(StarterBody { text, tool, args }: StarterBody) -> Self {
        Self { text, tool, args }
    }
}

impl From<Starter> for StarterBody {
    fn from(Starter { text, tool, args }: Starter) -> Self {
        Self { text, tool, args }
    }
}

agent_body! {
    /// A change: a field that is left out stays as it is, null empties one that can be empty.
    pub struct AgentFields {
        #[serde(default, deserialize_with = "some")]
        #[schema(min_length = 1, max_length = 100, nullable = false)]
        pub name: Option<String>,
        #[serde(default, deserialize_with = "some")]
        #[schema(min_length = 1, max_length = 100_000, nullable = false)]
        pub system_prompt: Option<String>,
        /// The tools it has at the workspace's public address (admins and owners). Not for catalog agents.
        #[serde(default, deserialize_with = "some")]
        #[schema(max_items = 100, nullable = false)]
        pub public_tools: Option<Vec<String>>,
    }
}

agent_body! {
    /// An agent of a workspace's own.
    pub struct NewAgent {
        #[serde(rename = "workspaceId")]
        pub workspace_id: Uuid,
        #[schema(min_length = 1, max_length = 100)]
        pub name: String,
        #[schema(min_length = 1, max_length = 100_000)]
        pub system_prompt: String,
    }
}

agent_body! {
    /// An agent for the catalog.
    pub struct NewCatalogAgent {
        #[schema(min_length = 1, max_length = 100)]
        pub name: String,
        #[schema(min_length = 1, max_length = 100_000)]
        pub system_prompt: String,
    }
}

impl From<AgentFields> for AgentChanges {
    fn from(mut fields: AgentFields) -> Self {
        let (name, system_prompt) = (fields.name.take(), fields.system_prompt.take());
        let public_tools = fields.public_tools.take();
        Self { name, system_prompt, public_tools, ..fields.common() }
    }
}

/// A new agent's name and prompt, and what else was said about it. Without a word on its role, the name suggests one.
fn split(
    name: &str,
    system_prompt: &str,
    more: AgentChanges,
) -> Result<(AgentDefinition, AgentChanges), Invalid> {
    let mut definition = AgentDefinition::new(name, system_prompt)?;
    if more.role.is_none() {
        definition.role = suggested_role(&definition.name).map(str::to_owned);
    }
    Ok((definition, more))
}

impl NewAgent {
    pub fn split(mut self) -> Result<(AgentDefinition, AgentChanges), Invalid> {
        let (name, prompt) = (std::mem::take(&mut self.name), std::mem::take(&mut self.system_prompt));
        split(&name, &prompt, self.common())
    }
}

impl NewCatalogAgent {
    pub fn split(mut self) -> Result<(AgentDefinition, AgentChanges), Invalid> {
        let (name, prompt) = (std::mem::take(&mut self.name), std::mem::take(&mut self.system_prompt));
        split(&name, &prompt, self.common())
    }
}
