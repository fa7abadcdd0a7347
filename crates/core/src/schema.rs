//! Checking a value against a JSON Schema, as far as schemas of tools go: types, required and known properties, enums,
//! bounds. What it doesn't know it lets pass: the tool itself looks again.

use serde_json::{Map, Value};

/// The first thing that doesn't fit, in words with the place of it.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    check_at("", schema, value)
}

/// Whether it is a schema of an object that this can check: known types, and properties that are schemas themselves.
pub fn check_schema(schema: &Value) -> Result<(), String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err("must be a JSON Schema whose type is object".to_owned());
    }
    check_schema_at("it", schema, 0)
}

const TYPES: &[&str] = &["string", "number", "integer", "boolean", "array", "object", "null"];
const DEEPEST: usize = 16;

fn check_schema_at(place: &str, schema: &Value, depth: usize) -> Result<(), String> {
    let Value::Object(schema) = schema else { return Err(format!("{place} must be a JSON Schema")) };
    if depth > DEEPEST {
        return Err(format!("{place} is nested too deeply"));
    }
    if let Some(kinds) = schema.get("type") {
        let is_known = kind_names(kinds).all(|kind| TYPES.contains(&kind));
        if kind_names(kinds).next().is_none() || !is_known {
            return Err(format!("{place} has a type that is none of {}", TYPES.join(", ")));
        }
    }
    let properties = match schema.get("properties") {
        None => &Map::new(),
        Some(Value::Object(properties)) => properties,
        Some(_) => return Err(format!("{place}: properties must be an object")),
    };
    for (name, property) in properties {
        check_schema_at(&format!("{place}.{name}"), property, depth + 1)?;
    }
    if let Some(required) = schema.get("required") {
        let names =
            required.as_array().map(|names| names.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let Some(Some(names)) = names else {
            return Err(format!("{place}: required must be a list of names"));
        };
        if let Some(unknown) = names.iter().find(|name| !properties.contains_key(**name)) {
            return Err(format!("{place} requires {unknown}, which is none of its properties"));
        }
    }
    if let Some(choices) = schema.get("enum")
        && choices.as_array().is_none_or(Vec::is_empty)
    {
        return Err(format!("{place}: enum must be a list that isn't empty"));
    }
    schema.get("items").map_or(Ok(()), |items| check_schema_at(&format!("{place}[]"), items, depth + 1))
}

fn check_at(place: &str, schema: &Value, value: &Value) -> Result<(), String> {
    let Value::Object(schema) = schema else { return Ok(()) };
    let named =
        |text: String| if place.is_empty() { format!("it {text}") } else { format!("{place} {text}") };
    if let Some(kinds) = schema.get("type")
        && !kind_names(kinds).any(|kind| is_kind(kind, value))
    {
        let kinds: Vec<&str> = kind_names(kinds).collect();
        return Err(named(format!("must be of type {}", kinds.join(" or "))));
    }
    if let Some(Value::Array(words)) = schema.get("enum")
        && !words.contains(value)
    {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        return Err(named(format!("must be one of {}", words.join(", "))));
    }
    if let Some(only) = schema.get("const")
        && only != value
    {
        return Err(named(format!("must be {only}")));
    }
    match value {
        Value::Object(map) => check_object(place, schema, map),
        Value::Array(items) => check_array(place, schema, items, &named),
        Value::String(text) => {
            let length = text.chars().count() as u64;
            within(schema, "minLength", "maxLength", length, "characters").map_err(named)
        }
        Value::Number(number) => check_number(schema, number.as_f64().unwrap_or(0.0)).map_err(named),
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

fn check_object(place: &str, schema: &Map<String, Value>, map: &Map<String, Value>) -> Result<(), String> {
    let at = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for key in required.filter_map(Value::as_str) {
        if !map.contains_key(key) {
            return Err(format!("{} is missing", at(key)));
        }
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (key, value) in map {
        match (properties.and_then(|known| known.get(key)), schema.get("additionalProperties")) {
            (Some(property), _) => check_at(&at(key), property, value)?,
            (None, Some(Value::Bool(false))) => return Err(format!("{} is not known", at(key))),
            (None, Some(rest @ Value::Object(_))) => check_at(&at(key), rest, value)?,
            (None, _) => {}
        }
    }
    Ok(())
}

fn check_array(
    place: &str,
    schema: &Map<String, Value>,
    items: &[Value],
    named: &impl Fn(String) -> String,
) -> Result<(), String> {
    within(schema, "minItems", "maxItems", items.len() as u64, "items").map_err(named)?;
    if let Some(item_schema) = schema.get("items") {
        for (index, item) in items.iter().enumerate() {
            check_at(&format!("{place}[{index}]"), item_schema, item)?;
        }
    }
    Ok(())
}

fn check_number(schema: &Map<String, Value>, number: f64) -> Result<(), String> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    match (bound("minimum"), bound("maximum")) {
        (Some(least), _) if number < least => Err(format!("must be at least {least}")),
        (_, Some(most)) if number > most => Err(format!("must be at most {most}")),
        _ => Ok(()),
    }
}

fn within(
    schema: &Map<String, Value>,
    least: &str,
    most: &str,
    count: u64,
    what: &str,
) -> Result<(), String> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    match (bound(least), bound(most)) {
        (Some(least), _) if count < least => Err(format!("must have at least {least} {what}")),
        (_, Some(most)) if count > most => Err(format!("must have at most {most} {what}")),
        _ => Ok(()),
    }
}

fn kind_names(kinds: &Value) -> impl Iterator<Item = &str> {
    let many = kinds.as_array().into_iter().flatten().filter_map(Value::as_str);
    kinds.as_str().into_iter().chain(many)
}

fn is_kind(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_fits_and_what_does_not() {
        let schema = json!({
            "type": "object",
            "required": ["to"],
            "additionalProperties": false,
            "properties": {
                "to": {"type": "string", "minLength": 1},
                "sum": {"type": ["integer", "null"], "minimum": 0},
                "how": {"enum": ["cash", "card"]},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
            },
        });
        let table = [
            (json!({"to": "Ana", "sum": 3, "how": "cash", "tags": ["a"]}), None),
            (json!({"to": "Ana", "sum": null}), None),
            (json!({}), Some("to is missing")),
            (json!({"to": ""}), Some("to must have at least 1 characters")),
            (json!({"to": "Ana", "sum": 1.5}), Some("sum must be of type integer or null")),
            (json!({"to": "Ana", "sum": -1}), Some("sum must be at least 0")),
            (json!({"to": "Ana", "how": "gold"}), Some("how must be one of \"cash\", \"card\"")),
            (json!({"to": "Ana", "tags": [1]}), Some("tags[0] must be of type string")),
            (json!({"to": "Ana", "who": 1}), Some("who is not known")),
            (json!([]), Some("it must be of type object")),
        ];
        for (value, wrong) in table {
            assert_eq!(check(&schema, &value).err().as_deref(), wrong, "{value}");
        }
    }

    #[test]
    fn what_is_a_schema_and_what_is_not() {
        let good = json!({
            "type": "object", "required": ["size"],
            "properties": {"size": {"type": "integer"}, "who": {"type": "array", "items": {"type": "string"}}},
        });
        assert_eq!(check_schema(&good), Ok(()));
        for wrong in [
            json!(null),
            json!({}),
            json!({"type": "string"}),
            json!({"type": "object", "properties": []}),
            json!({"type": "object", "properties": {"a": {"type": "text"}}}),
            json!({"type": "object", "required": ["a"]}),
            json!({"type": "object", "required": "a", "properties": {"a": {}}}),
            json!({"type": "object", "properties": {"a": {"enum": []}}}),
            json!({"type": "object", "properties": {"a": {"type": "array", "items": 5}}}),
        ] {
            assert!(check_schema(&wrong).is_err(), "{wrong}");
        }
    }
}
