//! What both checkers of wire bodies share. A checker says in words what it refuses, as a vendor's 400 would.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use baton_core::models::ModelRequest;
use baton_models::openai::request::Dialect;
use baton_models::{anthropic, openai};
use serde_json::Value;

use super::{strict_anthropic, strict_openai};

pub type Checked = Result<(), String>;

/// `Err` unless `so`.
pub fn ensure(so: bool, otherwise: impl FnOnce() -> String) -> Checked {
    if so { Ok(()) } else { Err(otherwise()) }
}

/// The request in both wire formats, as the strictest vendor of each reads it.
pub fn check(request: &ModelRequest) -> Checked {
    let body = anthropic::request::body(request);
    strict_anthropic::check(&body).map_err(|wrong| format!("anthropic: {wrong}\n{body:#}"))?;
    let body = openai::request::body(request, Dialect::Lookalike);
    strict_openai::check(&body).map_err(|wrong| format!("openai: {wrong}\n{body:#}"))
}

pub fn is_name(text: &str, longest: usize) -> bool {
    (1..=longest).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

pub fn no_nul(value: &Value) -> Checked {
    ensure(!baton_core::text::has_nul(value), || "there is a NUL".into())
}

pub fn text<'a>(value: &'a Value, what: &str) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| format!("{what} is no text: {value}"))
}

pub fn list<'a>(value: &'a Value, what: &str) -> Result<&'a [Value], String> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| format!("{what} is no list: {value}"))
}

/// Names of tools, each allowed and each once.
pub fn tool_names<'a>(names: impl Iterator<Item = &'a Value>) -> Result<HashSet<&'a str>, String> {
    let mut known = HashSet::new();
    for name in names {
        let name = text(name, "a tool's name")?;
        ensure(is_name(name, 64), || format!("{name:?} is no name of a tool"))?;
        ensure(known.insert(name), || format!("there are two tools {name}"))?;
    }
    Ok(known)
}

/// What a signed thought is bound to: everything before it. Marks for the cache are no part of it.
pub fn bound_to(body: &Value, messages: &[Value]) -> String {
    let mut hasher = DefaultHasher::new();
    for value in [&body["system"], &body["tools"]].into_iter().chain(messages) {
        unmarked(value).to_string().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

fn unmarked(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| *key != "cache_control");
            Value::Object(kept.map(|(key, value)| (key.clone(), unmarked(value))).collect())
        }
        Value::Array(items) => items.iter().map(unmarked).collect(),
        other => other.clone(),
    }
}

/// What a vendor would sign a thought with that follows this request.
pub fn signature(request: &ModelRequest) -> String {
    let body = anthropic::request::body(request);
    bound_to(&body, body["messages"].as_array().map_or(&[], Vec::as_slice))
}
