//! Text as vendors take it: without NUL.

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
