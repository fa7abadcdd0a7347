//! Tools that hand the conversation to one agent, with typed variables.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::handoffs::{Refusal, fits};
use crate::ids::AgentId;
use crate::text::{self, Invalid};
use crate::tools::ToolSpec;
use crate::{schema, words};

words! {
    VariableType {
        String => "string",
        Number => "number",
        Integer => "integer",
        Boolean => "boolean",
        Array => "array",
        Object => "object",
    }
}

pub const MAX_INSTRUCTIONS: usize = 8_000;
pub const MAX_VARIABLES: usize = 20;
const MAX_CHOICES_BYTES: usize = 4 * 1024;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandoffConfig {
    pub target_agent_id: AgentId,
    #[serde(default)]
    pub context_variables: Vec<Variable>,
    /// For the target, which gets them with the handoff; whoever calls the tool reads them in its definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff_instructions: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: VariableType,
    #[serde(default)]
    pub required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, rename = "enum", skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Value>>,
}

impl HandoffConfig {
    /// What the calling model sees: the description, what the target will be told, and the variables.
    pub fn spec(&self, name: &str, description: &str) -> ToolSpec {
        let description = match &self.handoff_instructions {
            Some(instructions) => format!("{description}\n\nThe next agent is told: {instructions}"),
            None => description.to_owned(),
        };
        ToolSpec { name: name.to_owned(), description, parameters: self.parameters() }
    }

    pub(crate) fn check(&mut self) -> Result<(), Invalid> {
        let instructions = self.handoff_instructions.as_deref();
        self.handoff_instructions =
            text::optional("config.handoff_instructions", instructions, MAX_INSTRUCTIONS, text::prose)?;
        if self.context_variables.len() > MAX_VARIABLES {
            let message = format!("must be at most {MAX_VARIABLES}");
            return Err(Invalid::new("config.context_variables", message));
        }
        for at in 0..self.context_variables.len() {
            let (before, rest) = self.context_variables.split_at_mut(at);
            let place = format!("config.context_variables[{at}]");
            if before.iter().any(|other| other.name == rest[0].name) {
                return Err(Invalid::new(format!("{place}.name"), "is there twice"));
            }
            rest[0].check(&place)?;
        }
        Ok(())
    }

    /// What the calling model must pass along, as a JSON Schema.
    pub fn parameters(&self) -> Value {
        let properties: Map<String, Value> = self
            .context_variables
            .iter()
            .map(|variable| (variable.name.clone(), variable.schema()))
            .collect();
        let required: Vec<&str> = self
            .context_variables
            .iter()
            .filter(|variable| variable.required)
            .map(|variable| variable.name.as_str())
            .collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }

    /// The variables of a call, if they are what they must be.
    pub fn variables(&self, args: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
        // A model that has nothing to say for an optional variable often says null.
        let is_optional = |name: &str| self.context_variables.iter().any(|v| v.name == name && !v.required);
        let given = args.iter().filter(|(name, value)| !(value.is_null() && is_optional(name)));
        let given: Map<String, Value> = given.map(|(name, value)| (name.clone(), value.clone())).collect();
        schema::check(&self.parameters(), &Value::Object(given.clone())).map_err(|wrong| {
            Refusal::new("wrong_variables", format!("What you pass along doesn't fit: {wrong}."))
        })?;
        fits(&given)?;
        Ok(given)
    }
}

impl Variable {
    fn check(&mut self, place: &str) -> Result<(), Invalid> {
        let field = |name: &str| format!("{place}.{name}");
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins_well = self.name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !begins_well || self.name.len() > 64 || !self.name.chars().all(word) {
            let rule = "must begin with a letter and be at most 64 letters, digits and _ (names that begin with _ are Baton's)";
            return Err(Invalid::new(field("name"), rule));
        }
        self.description =
            text::optional(&field("description"), self.description.as_deref(), 500, text::prose)?;
        if let Some(choices) = &self.choices {
            let fits = |choice| schema::check(&json!({"type": self.kind.as_str()}), choice).is_ok();
            if choices.is_empty() || choices.len() > 50 || !choices.iter().all(fits) {
                let message = format!("must be 1 to 50 values of type {}", self.kind);
                return Err(Invalid::new(field("enum"), message));
            }
            let choices = Value::Array(choices.clone());
            if choices.to_string().len() > MAX_CHOICES_BYTES || text::has_nul(&choices) {
                return Err(Invalid::new(field("enum"), "must be at most 4 KiB, without NUL characters"));
            }
        }
        Ok(())
    }

    fn schema(&self) -> Value {
        let mut schema = json!({"type": self.kind.as_str()});
        if let Some(description) = &self.description {
            schema["description"] = json!(description);
        }
        if let Some(choices) = &self.choices {
            schema["enum"] = json!(choices);
        }
        schema
    }
}

#[cfg(test)]
mod tests;
