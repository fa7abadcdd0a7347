//! Estimates how many bytes and tokens something takes in a request or in memory, without building the request.

use baton_core::tools::ToolSpec;
use serde_json::{Map, Value};

/// About how many tokens so many bytes are.
pub fn tokens_in(bytes: usize) -> u64 {
    (bytes / 4) as u64
}

pub fn tools_size<'a>(tools: impl IntoIterator<Item = &'a ToolSpec>) -> usize {
    tools.into_iter().map(|tool| tool.description.len() + json_size(&tool.parameters)).sum()
}

/// About how long a value is as text.
pub fn json_size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 5,
        Value::String(text) => text.len() + 2,
        Value::Array(values) => 2 + values.iter().map(|value| json_size(value) + 1).sum::<usize>(),
        Value::Object(map) => map_size(map),
    }
}

pub fn map_size(map: &Map<String, Value>) -> usize {
    2 + map.iter().map(|(key, value)| key.len() + json_size(value) + 4).sum::<usize>()
}
