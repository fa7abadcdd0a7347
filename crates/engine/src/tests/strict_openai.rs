//! A strict check of requests for chat completions, as the strictest servers and chat templates read them.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::strict::{Checked, ensure, is_name, list, no_nul, text, tool_names};

/// The longest id OpenAI takes back.
const MAX_ID: usize = 40;

pub fn check(body: &Value) -> Checked {
    no_nul(body)?;
    let no_tools = Value::Array(Vec::new());
    let tools = list(body.get("tools").unwrap_or(&no_tools), "tools")?;
    let names = tool_names(tools.iter().map(|tool| &tool["function"]["name"]))?;
    let messages = list(&body["messages"], "messages")?;
    let Some((system, messages)) = messages.split_first() else { return Err("no messages".into()) };
    ensure(system["role"] == "system", || "the system is not first".into())?;
    ensure(!text(&system["content"], "system")?.trim().is_empty(), || "an empty system".into())?;
    ensure(messages.first().is_some_and(|first| first["role"] == "user"), || "the user is not first".into())?;
    let mut ids = HashSet::new();
    let mut called: Vec<&str> = Vec::new();
    let mut before = "system";
    let last_words = messages.iter().rposition(|message| message["role"] == "user").unwrap_or(0);
    for (index, message) in messages.iter().enumerate() {
        let role = text(&message["role"], "a role")?;
        let allowed = match role {
            "user" => matches!(before, "system" | "assistant") && called.is_empty(),
            "assistant" => matches!(before, "user" | "tool") && called.is_empty(),
            "tool" => !called.is_empty(),
            _ => false,
        };
        ensure(allowed, || format!("message {index}: {role} after {before}, with {called:?} unanswered"))?;
        match role {
            "user" => user(&message["content"]).map_err(|wrong| format!("message {index}: {wrong}"))?,
            "tool" => {
                let id = text(&message["tool_call_id"], "an answer's id")?;
                let next = called.remove(0);
                ensure(id == next, || format!("message {index}: {id} answered where {next} was called"))?;
                ensure(!text(&message["content"], "an answer")?.trim().is_empty(), || {
                    "an empty answer".into()
                })?;
            }
            _ => {
                called = assistant(message, &names, &mut ids)
                    .map_err(|wrong| format!("message {index}: {wrong}"))?;
                let thought = message["reasoning_content"].as_str().unwrap_or_default();
                ensure(thought.is_empty() || index > last_words, || {
                    format!("message {index}: a thought of an earlier loop")
                })?;
            }
        }
        before = role;
    }
    ensure(called.is_empty(), || format!("{called:?} are unanswered at the end"))?;
    ensure(matches!(before, "user" | "tool"), || "the user's side is not last".into())
}

fn user(content: &Value) -> Checked {
    if let Some(words) = content.as_str() {
        return ensure(!words.trim().is_empty(), || "blank words".into());
    }
    let parts = list(content, "content")?;
    ensure(!parts.is_empty(), || "no parts".into())?;
    for part in parts {
        match text(&part["type"], "a part's type")? {
            "text" => {
                ensure(!text(&part["text"], "words")?.trim().is_empty(), || "blank words".into())?;
            }
            "image_url" => {
                let url = text(&part["image_url"]["url"], "an image")?;
                ensure(url.starts_with("data:image/"), || format!("an image at {url}"))?;
            }
            other => return Err(format!("a person gave {other}")),
        }
    }
    Ok(())
}

fn assistant<'a>(
    message: &'a Value,
    names: &HashSet<&str>,
    ids: &mut HashSet<&'a str>,
) -> Result<Vec<&'a str>, String> {
    let Some(calls) = message.get("tool_calls") else {
        ensure(!text(&message["content"], "words")?.trim().is_empty(), || "blank words".into())?;
        ensure(message.get("reasoning_content").is_none(), || "a thought without a call".into())?;
        return Ok(Vec::new());
    };
    ensure(message["content"].as_str().is_none_or(|words| !words.trim().is_empty()), || {
        "blank words".into()
    })?;
    let mut called = Vec::new();
    for call in list(calls, "calls")? {
        let id = text(&call["id"], "a call's id")?;
        ensure(is_name(id, MAX_ID), || format!("{id:?} is no id"))?;
        ensure(ids.insert(id), || format!("the id {id} is there twice"))?;
        let name = text(&call["function"]["name"], "a name")?;
        ensure(names.contains(name), || format!("no tool {name:?} is offered"))?;
        let arguments = text(&call["function"]["arguments"], "arguments")?;
        let read: Result<Map<String, Value>, _> = serde_json::from_str(arguments);
        ensure(read.is_ok(), || format!("arguments that are no object: {arguments}"))?;
        called.push(id);
    }
    ensure(!called.is_empty(), || "no calls".into())?;
    Ok(called)
}
