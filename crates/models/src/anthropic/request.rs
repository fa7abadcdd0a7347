//! A request in the format of the Messages API.
//!
//! What is hard: the cache. It is a prefix (tools, then system, then messages), so what changes comes last, and the
//! cache marks sit at the end of what stays: the tools, the unchanging prompt, and the conversation so far.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use baton_core::models::{AssistantMessage, CallResult, ChatMessage, ModelRequest, UserPart};
use serde_json::{Map, Value, json};

pub fn body(request: &ModelRequest) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("max_tokens".into(), json!(request.max_output_tokens));
    body.insert("stream".into(), json!(true));
    if let Some(thinking) = thinking(&request.model) {
        body.insert("thinking".into(), thinking);
    }
    let tools = tools(request);
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    let system = system(request);
    if !system.is_empty() {
        body.insert("system".into(), system.into());
    }
    body.insert("messages".into(), messages(&request.messages).into());
    body.into()
}

/// Claude 5 thinks by itself and keeps its thoughts, and what it says between two calls, to itself unless asked.
/// Older models refuse this field or begin to think because of it; for them it is left out.
fn thinking(model: &str) -> Option<Value> {
    let families = ["claude-opus-5", "claude-sonnet-5", "claude-haiku-5", "claude-fable-5"];
    let thinks = families.iter().any(|family| model.starts_with(family));
    thinks.then(|| json!({ "type": "adaptive", "display": "summarized" }))
}

fn tools(request: &ModelRequest) -> Vec<Value> {
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters })
        })
        .collect();
    mark(tools.last_mut());
    tools
}

fn system(request: &ModelRequest) -> Vec<Value> {
    let mut system: Vec<Value> = text(&request.system.fixed).into_iter().collect();
    mark(system.last_mut());
    system.extend(request.system.context.as_deref().and_then(text));
    system
}

fn messages(messages: &[ChatMessage]) -> Vec<Value> {
    let mut sides: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, content): (_, Vec<Value>) = match message {
            ChatMessage::User(parts) => ("user", parts.iter().filter_map(user_part).collect()),
            ChatMessage::Assistant(said) => ("assistant", assistant(said)),
            ChatMessage::Results(results) => ("user", results.iter().map(result).collect()),
        };
        match sides.last_mut() {
            // Results and what the person says next are one message here.
            Some((last, blocks)) if *last == role => blocks.extend(content),
            _ => sides.push((role, content)),
        }
    }
    mark(sides.last_mut().and_then(|(_, blocks)| blocks.last_mut()));
    sides.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn user_part(part: &UserPart) -> Option<Value> {
    match part {
        UserPart::Text(words) => text(words),
        UserPart::Image { media_type, bytes } => {
            let data = STANDARD.encode(bytes);
            let source = json!({ "type": "base64", "media_type": media_type, "data": data });
            Some(json!({ "type": "image", "source": source }))
        }
    }
}

fn assistant(said: &AssistantMessage) -> Vec<Value> {
    // Thinking that another vendor's model did has no block to give back.
    let thinking = said.thinking.iter().filter_map(|thinking| thinking.opaque.clone());
    let calls = said
        .calls
        .iter()
        .map(|call| json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments }));
    thinking.chain(text(&said.text)).chain(calls).collect()
}

fn result(result: &CallResult) -> Value {
    let mut block = json!({ "type": "tool_result", "tool_use_id": result.call_id });
    if !result.content.is_empty() {
        block["content"] = json!(result.content);
    }
    if result.is_error {
        block["is_error"] = json!(true);
    }
    block
}

/// Blocks of nothing but white space are refused.
fn text(words: &str) -> Option<Value> {
    (!words.trim().is_empty()).then(|| json!({ "type": "text", "text": words }))
}

fn mark(block: Option<&mut Value>) {
    if let Some(block) = block {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use baton_core::models::{SystemPrompt, Thinking, ToolCall};
    use baton_core::tools::ToolSpec;

    use super::*;

    fn request(messages: Vec<ChatMessage>) -> ModelRequest {
        ModelRequest {
            model: "claude-x".into(),
            system: SystemPrompt::default(),
            messages,
            tools: Vec::new(),
            max_output_tokens: 1_000,
            demo: None,
        }
    }

    fn user(text: &str) -> ChatMessage {
        ChatMessage::User(vec![UserPart::Text(text.into())])
    }

    #[test]
    fn a_plain_question() {
        let expected = json!({
            "model": "claude-x", "max_tokens": 1_000, "stream": true,
            "messages": [{ "role": "user", "content": [
                { "type": "text", "text": "Hi", "cache_control": { "type": "ephemeral" } },
            ] }],
        });
        assert_eq!(body(&request(vec![user("Hi")])), expected);
    }

    #[test]
    fn everything_at_once() {
        let thought = json!({ "type": "thinking", "thinking": "hm", "signature": "s" });
        let call = |id: &str| ToolCall {
            id: id.into(),
            name: "find".into(),
            arguments: Map::from_iter([("q".into(), json!("x"))]),
        };
        let found = |id: &str, content: &str, is_error| CallResult {
            call_id: id.into(),
            content: content.into(),
            is_error,
        };
        let request = ModelRequest {
            system: SystemPrompt { fixed: "You help.".into(), context: Some("It is Monday.".into()) },
            tools: ["find", "put"]
                .map(|name| ToolSpec {
                    name: name.into(),
                    description: "d".into(),
                    parameters: json!({ "type": "object" }),
                })
                .into(),
            ..request(vec![
                ChatMessage::User(vec![
                    UserPart::Text("See".into()),
                    UserPart::Image {
                        media_type: "image/png".into(),
                        bytes: Arc::from([1, 2, 3].as_slice()),
                    },
                    UserPart::Text(" ".into()),
                ]),
                ChatMessage::Assistant(AssistantMessage {
                    thinking: vec![
                        Thinking { text: "hm".into(), opaque: Some(thought.clone()) },
                        Thinking { text: "of another vendor".into(), opaque: None },
                    ],
                    text: "Looking.".into(),
                    calls: vec![call("a"), call("b")],
                }),
                ChatMessage::Results(vec![found("a", "1", false), found("b", "", true)]),
                user("And now?"),
            ])
        };
        let mark = json!({ "type": "ephemeral" });
        let expected = json!({
            "model": "claude-x", "max_tokens": 1_000, "stream": true,
            "tools": [
                { "name": "find", "description": "d", "input_schema": { "type": "object" } },
                { "name": "put", "description": "d", "input_schema": { "type": "object" }, "cache_control": mark },
            ],
            "system": [
                { "type": "text", "text": "You help.", "cache_control": mark },
                { "type": "text", "text": "It is Monday." },
            ],
            "messages": [
                { "role": "user", "content": [
                    { "type": "text", "text": "See" },
                    { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AQID" } },
                ] },
                { "role": "assistant", "content": [
                    thought,
                    { "type": "text", "text": "Looking." },
                    { "type": "tool_use", "id": "a", "name": "find", "input": { "q": "x" } },
                    { "type": "tool_use", "id": "b", "name": "find", "input": { "q": "x" } },
                ] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "a", "content": "1" },
                    { "type": "tool_result", "tool_use_id": "b", "is_error": true },
                    { "type": "text", "text": "And now?", "cache_control": mark },
                ] },
            ],
        });
        assert_eq!(body(&request), expected);
    }

    #[test]
    fn only_models_that_think_by_themselves_are_asked_to_show_it() {
        for (model, asked) in [
            ("claude-sonnet-5-5", true),
            ("claude-opus-5", true),
            ("claude-haiku-4-5", false),
            ("llama", false),
        ] {
            let body = body(&ModelRequest { model: model.into(), ..request(vec![user("Hi")]) });
            assert_eq!(body.get("thinking").is_some(), asked, "{model}");
        }
    }
}
