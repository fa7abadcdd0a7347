//! What a tool's result says: done, found, nothing there, failed, or refused by a person.

use baton_core::models::CallResult;
use serde_json::{Map, Value};

use super::words::shorten;

#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A person said no; their reason, if they gave one.
    Rejected(String),
    Failed(String),
    Nothing,
    Items {
        items: Vec<Value>,
        total: usize,
    },
    Object(Map<String, Value>),
    Text(String),
}

pub fn outcome(result: &CallResult) -> Outcome {
    let value = unwrapped(&result.content);
    if result.is_error || failed(&value) {
        let reason = shorten(&reason(&value), 300);
        return if was_rejected(&reason) { Outcome::Rejected(reason) } else { Outcome::Failed(reason) };
    }
    match value {
        Value::Null => Outcome::Nothing,
        Value::Array(items) if items.is_empty() => Outcome::Nothing,
        Value::Array(items) => Outcome::Items { total: items.len(), items },
        Value::Object(map) => of_object(map),
        Value::String(text) if says_nothing(&text) => Outcome::Nothing,
        Value::String(text) => Outcome::Text(text),
        other => Outcome::Text(other.to_string()),
    }
}

/// The JSON of a result, out of the envelope that MCP puts around text.
fn unwrapped(content: &str) -> Value {
    let value: Value =
        serde_json::from_str(content).unwrap_or_else(|_| Value::String(content.trim().to_owned()));
    let blocks = value.get("content").unwrap_or(&value).as_array();
    let texts: Option<Vec<&str>> = blocks.filter(|blocks| !blocks.is_empty()).and_then(|blocks| {
        let text = |block: &'_ Value| block.get("type").is_some_and(|kind| kind == "text");
        blocks.iter().map(|block| block.get("text")?.as_str().filter(|_| text(block))).collect()
    });
    match texts {
        Some(texts) => {
            let text = texts.join("\n");
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        }
        None => value,
    }
}

fn of_object(map: Map<String, Value>) -> Outcome {
    let listed =
        map.iter().find_map(|(key, value)| value.as_array().map(|items| (key.clone(), items.clone())));
    let total =
        ["total", "count", "total_count", "totalCount"].iter().find_map(|key| map.get(*key)?.as_u64());
    match listed {
        // A thing with a list in it is still a thing.
        Some((_, items)) if map.len() <= 4 => match items.len() {
            0 => Outcome::Nothing,
            length => {
                Outcome::Items { total: total.map_or(length, |total| (total as usize).max(length)), items }
            }
        },
        _ if map.is_empty() => Outcome::Nothing,
        _ => Outcome::Object(map),
    }
}

fn failed(value: &Value) -> bool {
    let Value::Object(map) = value else { return false };
    let refuses = |key: &str| map.get(key).is_some_and(|value| value == &Value::Bool(false));
    let status =
        map.get("status").or_else(|| map.get("decision")).and_then(Value::as_str).unwrap_or_default();
    let bad = ["rejected", "denied", "declined", "failed", "error", "refused", "ignored"];
    map.get("error").is_some_and(|error| !error.is_null() && error != &Value::Bool(false))
        || refuses("ok")
        || refuses("success")
        || refuses("approved")
        || bad.contains(&status.to_lowercase().as_str())
}

fn reason(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(map) => {
            let said = ["message", "error", "reason", "detail", "details"].iter().find_map(|key| {
                match map.get(*key)? {
                    Value::String(text) => Some(text.clone()),
                    inner @ Value::Object(_) => Some(reason(inner)),
                    _ => None,
                }
            });
            let status = map.get("status").and_then(Value::as_str).unwrap_or_default();
            match said {
                Some(said) if status.is_empty() || said.contains(status) => said,
                Some(said) => format!("{status}: {said}"),
                None if !status.is_empty() => status.to_owned(),
                None => value.to_string(),
            }
        }
        other => other.to_string(),
    }
}

fn was_rejected(reason: &str) -> bool {
    let lower = reason.to_lowercase();
    if ["did not allow", "nobody allowed", "anyone allowed"].iter().any(|said| lower.contains(said)) {
        return true;
    }
    let by_person = ["person", "user", "approval", "human", "they"].iter().any(|word| lower.contains(word));
    let refusal = ["rejected", "declined", "denied", "not approved", "disapproved", "said no"];
    let refused = refusal.iter().any(|word| lower.contains(word));
    let rights = lower.contains("permission denied") || lower.contains("access denied");
    refused && !rights && (by_person || lower.starts_with("rejected") || lower.starts_with("declined"))
}

fn says_nothing(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let empty = ["no ", "nothing", "none", "not found", "0 results", "(empty)"];
    lower.is_empty() || (lower.len() < 100 && empty.iter().any(|start| lower.starts_with(start)))
}
