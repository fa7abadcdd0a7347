//! A strict check of requests to the Messages API: roles alternate, calls are answered at once and in order, and
//! thinking is sent only in the current tool loop and only after exactly the messages it followed.

use std::collections::HashSet;

use serde_json::Value;

use super::strict::{Checked, bound_to, ensure, is_name, list, no_nul, text, tool_names};

/// Places that may be marked for the cache.
const MAX_MARKS: usize = 4;

pub fn check(body: &Value) -> Checked {
    no_nul(body)?;
    ensure(marks(body) <= MAX_MARKS, || "too many marks for the cache".into())?;
    if let Some(system) = body.get("system") {
        for block in list(system, "system")? {
            ensure(!text(&block["text"], "system")?.trim().is_empty(), || "an empty system block".into())?;
        }
    }
    let no_tools = Value::Array(Vec::new());
    let tools = list(body.get("tools").unwrap_or(&no_tools), "tools")?;
    let names = tool_names(tools.iter().map(|tool| &tool["name"]))?;
    ensure(tools.iter().all(|tool| tool["input_schema"]["type"] == "object"), || "a schema".into())?;
    let messages = list(&body["messages"], "messages")?;
    ensure(messages.last().is_some_and(|last| last["role"] == "user"), || "the user is not last".into())?;
    let mut ids = HashSet::new();
    let mut called: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = if index % 2 == 0 { "user" } else { "assistant" };
        ensure(message["role"] == role, || format!("message {index} is not the {role}'s"))?;
        let blocks = list(&message["content"], "content")?;
        ensure(!blocks.is_empty(), || format!("message {index} is empty"))?;
        if role == "user" {
            user(blocks, &called).map_err(|wrong| format!("message {index}: {wrong}"))?;
            called.clear();
        } else {
            called =
                assistant(blocks, &names, &mut ids).map_err(|wrong| format!("message {index}: {wrong}"))?;
        }
    }
    thoughts(body, messages)
}

fn user(blocks: &[Value], called: &[&str]) -> Checked {
    let answers = blocks.iter().filter(|block| block["type"] == "tool_result");
    let answered: Vec<&str> =
        answers.map(|block| text(&block["tool_use_id"], "an answer's id")).collect::<Result<_, _>>()?;
    ensure(answered == called, || format!("{called:?} were called, {answered:?} answered"))?;
    for block in blocks {
        match text(&block["type"], "a block's type")? {
            "tool_result" => {
                let content = block.get("content").map_or(Ok("-"), |content| text(content, "an answer"))?;
                ensure(!content.trim().is_empty(), || "an empty answer".into())?;
            }
            "text" => words(block)?,
            "image" => {
                ensure(block["source"]["data"].as_str().is_some_and(|data| !data.is_empty()), || {
                    "an empty image".into()
                })?;
            }
            other => return Err(format!("a person gave {other}")),
        }
        let alone = called.is_empty() || block["type"] == "tool_result";
        ensure(alone, || "the person speaks directly after an answer".into())?;
    }
    Ok(())
}

fn assistant<'a>(
    blocks: &'a [Value],
    names: &HashSet<&str>,
    ids: &mut HashSet<&'a str>,
) -> Result<Vec<&'a str>, String> {
    let mut called = Vec::new();
    let mut spoke = false;
    for block in blocks {
        match text(&block["type"], "a block's type")? {
            "thinking" => ensure(!spoke, || "a thought after words".into())?,
            "text" => {
                ensure(called.is_empty(), || "words after a call".into())?;
                words(block)?;
                spoke = true;
            }
            "tool_use" => {
                let (id, name) = (text(&block["id"], "a call's id")?, text(&block["name"], "a name")?);
                ensure(is_name(id, 64), || format!("{id:?} is no id"))?;
                ensure(ids.insert(id), || format!("the id {id} is there twice"))?;
                ensure(names.contains(name), || format!("no tool {name:?} is offered"))?;
                ensure(block["input"].is_object(), || "arguments that are no object".into())?;
                called.push(id);
                spoke = true;
            }
            other => return Err(format!("the model gave {other}")),
        }
    }
    ensure(spoke, || "nothing but thoughts".into())?;
    Ok(called)
}

fn words(block: &Value) -> Checked {
    ensure(!text(&block["text"], "words")?.trim().is_empty(), || "blank words".into())
}

/// Thinking is allowed since the person last spoke, and binds to all before it.
fn thoughts(body: &Value, messages: &[Value]) -> Checked {
    let is_answer = |block: &Value| block["type"] == "tool_result";
    let spoken = |message: &Value| {
        message["role"] == "user"
            && message["content"].as_array().is_some_and(|blocks| !blocks.iter().all(is_answer))
    };
    let last_words = messages.iter().rposition(spoken).unwrap_or(0);
    for (index, message) in messages.iter().enumerate() {
        let blocks = list(&message["content"], "content")?;
        for block in blocks.iter().filter(|block| block["type"] == "thinking") {
            ensure(index > last_words, || format!("message {index}: a thought of an earlier loop"))?;
            let signature = text(&block["signature"], "a signature")?;
            ensure(signature == bound_to(body, &messages[..index]), || {
                format!("message {index}: a thought after something else")
            })?;
        }
    }
    Ok(())
}

fn marks(value: &Value) -> usize {
    match value {
        Value::Object(map) => {
            usize::from(map.contains_key("cache_control")) + map.values().map(marks).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(marks).sum(),
        _ => 0,
    }
}
