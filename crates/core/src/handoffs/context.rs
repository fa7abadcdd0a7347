//! The context that is passed along with a handoff. Keys that begin with `_` are written by Baton itself.

use serde_json::{Map, Value};

use super::Refusal;

/// What may be passed along with a handoff, and what a model is shown of it.
pub const MAX_CONTEXT: usize = 16 * 1024;
/// Of a longer path the newest handoffs are kept.
pub const MAX_CHAIN: usize = 100;

/// What a handoff marks in the context it passes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks<'a> {
    /// The slug of the agent that passes it.
    pub from: &'a str,
    pub tool: Option<&'a str>,
    pub instructions: Option<&'a str>,
}

/// What was passed before, then what is passed now, then who passed it and the whole path it took.
pub fn merged(
    before: &Map<String, Value>,
    variables: &Map<String, Value>,
    marks: &Marks<'_>,
) -> Map<String, Value> {
    let earlier = before.get("_handoff_chain").and_then(Value::as_array);
    let mut chain = earlier.cloned().unwrap_or_default();
    chain.push(marks.from.into());
    chain.drain(..chain.len().saturating_sub(MAX_CHAIN));
    let mut context: Map<String, Value> = own_keys(before).chain(own_keys(variables)).collect();
    context.insert("_handoff_from".to_owned(), marks.from.into());
    if let Some(tool) = marks.tool {
        context.insert("_handoff_tool".to_owned(), tool.into());
    }
    if let Some(instructions) = marks.instructions {
        context.insert("_handoff_instructions".to_owned(), instructions.into());
    }
    context.insert("_handoff_chain".to_owned(), chain.into());
    context
}

/// What people and models gave, without Baton's marks.
pub fn own_keys(context: &Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    let own = context.iter().filter(|(key, _)| !key.starts_with('_'));
    own.map(|(key, value)| (key.clone(), value.clone()))
}

/// Whether it is little enough to be passed along.
pub fn fits(context: &Map<String, Value>) -> Result<(), Refusal> {
    let size = Value::Object(own_keys(context).collect()).to_string().len();
    if size <= MAX_CONTEXT {
        return Ok(());
    }
    let words = format!("What you pass along has {size} bytes; at most {MAX_CONTEXT} fit. Pass less.");
    Err(Refusal::new("context_too_large", words))
}

#[cfg(test)]
mod tests;
