//! The columns that catalog agents and a workspace's agents share, converted to and from an [`AgentDefinition`].

use baton_core::agents::AgentDefinition;
use baton_core::ids::DepartmentId;
use baton_core::starters::Starter;
use baton_core::tolerant;
use sea_orm::ActiveValue::Set;
use serde_json::{Value, json};

use crate::entities::{agents, ai_agents};

macro_rules! definition_columns {
    ($table:ident) => {
        impl $table::Model {
            pub fn definition(&self) -> AgentDefinition {
                AgentDefinition {
                    name: self.name.clone(),
                    description: self.description.clone(),
                    department_id: self.department_id.map(DepartmentId),
                    avatar_url: self.avatar_url.clone(),
                    model: self.model.clone(),
                    system_prompt: self.system_prompt.clone(),
                    permission_mode: tolerant::read(&self.permission_mode),
                    max_turns: self.max_turns,
                    role: self.role.clone(),
                    is_default: self.is_default,
                    is_free: self.is_free,
                    is_restricted: self.is_restricted,
                    is_head: self.is_head,
                    initial_prompt: self.initial_prompt.clone(),
                    category: tolerant::read(&self.category),
                    tools: texts(&self.tools),
                    config: self.config.as_object().cloned().unwrap_or_default(),
                    starters: starters(&self.starters),
                }
            }
        }

        impl $table::ActiveModel {
            pub fn define(self, definition: &AgentDefinition) -> Self {
                let d = definition.clone();
                Self {
                    search_text: Set(definition.search_text()),
                    name: Set(d.name),
                    description: Set(d.description),
                    department_id: Set(d.department_id.map(|id| id.0)),
                    avatar_url: Set(d.avatar_url),
                    model: Set(d.model),
                    system_prompt: Set(d.system_prompt),
                    permission_mode: Set(d.permission_mode.to_string()),
                    max_turns: Set(d.max_turns),
                    role: Set(d.role),
                    is_default: Set(d.is_default),
                    is_free: Set(d.is_free),
                    is_restricted: Set(d.is_restricted),
                    is_head: Set(d.is_head),
                    initial_prompt: Set(d.initial_prompt),
                    category: Set(d.category.to_string()),
                    tools: Set(json!(d.tools)),
                    config: Set(Value::Object(d.config)),
                    starters: Set(json!(d.starters)),
                    ..self
                }
            }
        }
    };
}

definition_columns!(agents);
definition_columns!(ai_agents);

/// Those that can be read: a newer Baton may have kept others.
pub fn starters(value: &Value) -> Vec<Starter> {
    let kept = value.as_array().into_iter().flatten();
    kept.filter_map(|starter| serde_json::from_value(starter.clone()).ok()).collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
