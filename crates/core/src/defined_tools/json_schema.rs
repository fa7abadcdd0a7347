//! JSON Schemas of tools that Baton didn't write. Whatever they hold, the tool stays usable: what can't be checked here is
//! passed over, and whoever is called checks it.

use serde_json::{Value, json};

use crate::text::{self, Invalid};

const MAX_BYTES: usize = 64 * 1024;

/// The parameters of a tool: a schema of an object that is small enough to be sent with every request.
pub fn checked(field: &str, schema: &Value) -> Result<Value, Invalid> {
    let Value::Object(keywords) = schema else {
        return Err(Invalid::new(field, "must be a JSON Schema of an object"));
    };
    let mut keywords = keywords.clone();
    if *keywords.entry("type").or_insert(json!("object")) != json!("object") {
        return Err(Invalid::new(field, "must be a JSON Schema whose type is object"));
    }
    if keywords.get("properties").is_some_and(|properties| !properties.is_object()) {
        return Err(Invalid::new(format!("{field}.properties"), "must be an object"));
    }
    let schema = Value::Object(keywords);
    text::json(field, &schema)?;
    if schema.to_string().len() > MAX_BYTES {
        return Err(Invalid::new(field, "must be at most 64 KiB"));
    }
    Ok(schema)
}

pub fn nothing() -> Value {
    json!({"type": "object", "properties": {}})
}

pub fn has_property(schema: &Value, name: &str) -> bool {
    schema.get("properties").and_then(Value::as_object).is_some_and(|known| known.contains_key(name))
}

pub fn requires(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|one| one == name))
}
