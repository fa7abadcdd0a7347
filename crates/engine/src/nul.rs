//! Removes NUL characters from text, because vendors refuse them.

use baton_core::models::Thinking;
use baton_core::text::has_nul;
use serde_json::{Map, Value};

pub fn clean(text: &str) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text.to_owned() }
}

pub fn clean_map(map: &Map<String, Value>) -> Map<String, Value> {
    map.iter().map(|(key, value)| (clean(key), clean_value(value))).collect()
}

pub fn clean_value(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(text)),
        Value::Array(items) => items.iter().map(clean_value).collect(),
        Value::Object(map) => Value::Object(clean_map(map)),
        other => other.clone(),
    }
}

/// A block that a vendor signed can't be changed; where one can't be kept, none of the reply is.
pub fn clean_thinking(thinking: Vec<Thinking>) -> Vec<Thinking> {
    if thinking.iter().any(|thought| thought.opaque.as_ref().is_some_and(has_nul)) {
        return Vec::new();
    }
    thinking.into_iter().map(|thought| Thinking { text: clean(&thought.text), ..thought }).collect()
}
