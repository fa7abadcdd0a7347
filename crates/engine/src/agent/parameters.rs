//! The parameters of a tool, as a JSON Schema that the strictest vendor accepts.

use serde_json::{Map, Value, json};

/// Some refuse an object that doesn't say its properties, or a list that doesn't say what it is of.
pub fn spelled_out(mut schema: Value) -> Value {
    spell_out(&mut schema);
    schema
}

fn spell_out(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if is(map, "object") {
        map.entry("properties").or_insert_with(|| json!({}));
    }
    if is(map, "array") {
        map.entry("items").or_insert_with(|| json!({}));
    }
    for key in ["properties", "$defs", "definitions"] {
        if let Some(Value::Object(inner)) = map.get_mut(key) {
            inner.values_mut().for_each(spell_out);
        }
    }
    for key in ["items", "additionalProperties", "not"] {
        map.get_mut(key).into_iter().for_each(spell_out);
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(inner)) = map.get_mut(key) {
            inner.iter_mut().for_each(spell_out);
        }
    }
}

fn is(map: &Map<String, Value>, kind: &str) -> bool {
    match map.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
