//! `internal`: one of Baton's own tools under another name and description, with some arguments given beforehand. The
//! model neither sees nor sets these.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::schema;
use crate::text::{self, Invalid};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetConfig {
    /// The built-in tool, by its name.
    pub tool: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

const MAX_BYTES: usize = 16 * 1024;

impl PresetConfig {
    pub(super) fn check(&mut self) -> Result<(), Invalid> {
        let arguments = Value::Object(self.arguments.clone());
        text::json("config.arguments", &arguments)?;
        if arguments.to_string().len() > MAX_BYTES {
            return Err(Invalid::new("config.arguments", "must be at most 16 KiB"));
        }
        Ok(())
    }

    /// Whether the given arguments are some of the tool's, and what it takes.
    pub fn check_against(&self, parameters: &Value) -> Result<(), Invalid> {
        for (name, value) in &self.arguments {
            let field = format!("config.arguments.{name}");
            let property = parameters.get("properties").and_then(|known| known.get(name));
            let property = property.ok_or_else(|| Invalid::new(&field, "is no argument of this tool"))?;
            schema::check(property, value)
                .map_err(|wrong| Invalid::new(&field, wrong.trim_start_matches("it ").to_owned()))?;
        }
        Ok(())
    }

    /// What is left for the model to say.
    pub fn parameters(&self, of_tool: &Value) -> Value {
        let mut left = of_tool.clone();
        if let Some(properties) = left.get_mut("properties").and_then(Value::as_object_mut) {
            properties.retain(|name, _| !self.arguments.contains_key(name));
        }
        if let Some(required) = left.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| !name.as_str().is_some_and(|name| self.arguments.contains_key(name)));
        }
        left
    }

    /// A call's arguments with those that are given: what a model says of these doesn't count.
    pub fn completed(&self, mut arguments: Map<String, Value>) -> Map<String, Value> {
        arguments.extend(self.arguments.clone());
        arguments
    }
}
