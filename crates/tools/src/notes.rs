//! An agent's working state in a conversation (`context_data`): what it writes, and what its teammates have written.

use async_trait::async_trait;
use baton_core::handoffs::{UPDATE_CONTEXT, may_note, note};
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value, json};

pub const UPDATE: &str = UPDATE_CONTEXT;
pub const READ: &str = "read_context";

pub struct UpdateContext;

#[async_trait]
impl Tool for UpdateContext {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: UPDATE.to_owned(),
            description: "Notes what you have learned in this conversation, so that you and your teammates have it later. \
                          Names you don't give stay as they are; null takes one away."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"data": {"type": "object", "description": "Names and values to note"}},
                "required": ["data"],
                "additionalProperties": false,
            }),
        }
    }

    fn display_name(&self) -> String {
        "Note".to_owned()
    }

    /// It is the agent's own scratch paper: nobody is asked.
    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    async fn call(
        &self,
        context: &ToolContext,
        mut arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let Some(Value::Object(data)) = arguments.remove("data") else {
            return Err(ToolFailure("Give the names and values to note as `data`.".to_owned()));
        };
        let mut noted = context.context_data.clone();
        note(&mut noted, &data);
        may_note(&noted).map_err(ToolFailure)?;
        let names: Vec<&String> = noted.keys().collect();
        Ok(ToolAnswer { notes: Some(data), ..json!({"noted": names}).into() })
    }
}

pub struct ReadContext;

#[async_trait]
impl Tool for ReadContext {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: READ.to_owned(),
            description:
                "Reads what your teammates have noted in this conversation: of one agent, or of all."
                    .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"agent": {"type": "string", "description": "The agent, by its short name; left out, all"}},
                "additionalProperties": false,
            }),
        }
    }

    fn display_name(&self) -> String {
        "Read teammates' notes".to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let named = arguments.get("agent").and_then(Value::as_str);
        let wanted = |slug: &str| named.is_none_or(|named| named.eq_ignore_ascii_case(slug));
        let notes: Map<String, Value> = context
            .teammates
            .iter()
            .filter(|(slug, _)| wanted(slug))
            .map(|(slug, noted)| (slug.clone(), Value::Object(noted.clone())))
            .collect();
        if notes.is_empty() {
            return Ok(
                json!({"notes": {}, "message": "There are no such notes in this conversation yet."}).into()
            );
        }
        Ok(json!({"notes": notes}).into())
    }
}
