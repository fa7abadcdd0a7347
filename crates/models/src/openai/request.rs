//! A request in the format of chat completions, limited to what the simplest compatible server understands.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use baton_core::models::{AssistantMessage, ChatMessage, ModelRequest, SystemPrompt, UserPart};
use serde_json::{Map, Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI itself, which renamed the limit on output.
    OpenAi,
    Lookalike,
}

pub fn body(request: &ModelRequest, dialect: Dialect) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("messages".into(), messages(request).into());
    if !request.tools.is_empty() {
        body.insert("tools".into(), tools(request).into());
        if reasons_only_without_tools(&request.model) {
            body.insert("reasoning_effort".into(), json!("none"));
        }
    }
    let limit = match dialect {
        Dialect::OpenAi => "max_completion_tokens",
        Dialect::Lookalike => "max_tokens",
    };
    body.insert(limit.into(), json!(request.max_output_tokens));
    body.insert("stream".into(), json!(true));
    body.insert("stream_options".into(), json!({ "include_usage": true }));
    body.into()
}

/// These models refuse tools in chat completions unless reasoning is switched off, even where it was never asked for.
fn reasons_only_without_tools(model: &str) -> bool {
    model.starts_with("gpt-5.6") || model.starts_with("gpt-6")
}

fn tools(request: &ModelRequest) -> Vec<Value> {
    let tools = request.tools.iter().map(|tool| {
        json!({ "type": "function", "function": {
            "name": tool.name, "description": tool.description, "parameters": tool.parameters,
        } })
    });
    tools.collect()
}

fn messages(request: &ModelRequest) -> Vec<Value> {
    let reasons = request.messages.iter().any(|message| match message {
        ChatMessage::Assistant(said) => reasoning(said).is_some(),
        _ => false,
    });
    let mut messages: Vec<Value> = system(&request.system).into_iter().collect();
    for message in &request.messages {
        match message {
            ChatMessage::User(parts) => messages.push(json!({ "role": "user", "content": content(parts) })),
            ChatMessage::Assistant(said) => messages.push(assistant(said, reasons)),
            ChatMessage::Results(results) => messages.extend(results.iter().map(
                |result| json!({ "role": "tool", "tool_call_id": result.call_id, "content": result.content }),
            )),
        }
    }
    messages
}

/// One message: some chat templates refuse a second one.
fn system(prompt: &SystemPrompt) -> Option<Value> {
    let parts = [Some(prompt.fixed.as_str()), prompt.context.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| json!({ "role": "system", "content": parts.join("\n\n") }))
}

/// Plain text where there is nothing else: some servers know no parts.
fn content(parts: &[UserPart]) -> Value {
    let texts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            UserPart::Text(text) => Some(text.as_str()),
            UserPart::Image { .. } => None,
        })
        .collect();
    if let Some(texts) = texts {
        return texts.join("\n\n").into();
    }
    let parts = parts.iter().map(|part| match part {
        UserPart::Text(text) => json!({ "type": "text", "text": text }),
        UserPart::Image { media_type, bytes } => {
            let url = format!("data:{media_type};base64,{}", STANDARD.encode(bytes));
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
    });
    parts.collect()
}

/// In a conversation that `reasons`, every message with calls says what it was reasoned, if only nothing: DeepSeek
/// refuses the request otherwise.
fn assistant(said: &AssistantMessage, reasons: bool) -> Value {
    if said.calls.is_empty() {
        return json!({ "role": "assistant", "content": said.text });
    }
    let calls: Vec<Value> = said
        .calls
        .iter()
        .map(|call| {
            let arguments = Value::Object(call.arguments.clone()).to_string();
            json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
        })
        .collect();
    let text = if said.text.is_empty() { Value::Null } else { json!(said.text) };
    let mut message = json!({ "role": "assistant", "content": text, "tool_calls": calls });
    if reasons {
        message["reasoning_content"] = reasoning(said).unwrap_or_default().into();
    }
    message
}

/// What was thought here; a block that another vendor signed is not for this one.
fn reasoning(said: &AssistantMessage) -> Option<String> {
    let own: Vec<&str> = said
        .thinking
        .iter()
        .filter(|thinking| thinking.opaque.is_none())
        .map(|thinking| thinking.text.as_str())
        .collect();
    (!own.is_empty()).then(|| own.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use baton_core::models::{CallResult, Thinking, ToolCall};
    use baton_core::tools::ToolSpec;

    use super::*;

    fn request(messages: Vec<ChatMessage>) -> ModelRequest {
        ModelRequest {
            model: "m".into(),
            system: SystemPrompt::default(),
            messages,
            tools: Vec::new(),
            max_output_tokens: 500,
            demo: None,
        }
    }

    fn user(text: &str) -> ChatMessage {
        ChatMessage::User(vec![UserPart::Text(text.into())])
    }

    fn calls(id: &str, thinking: Vec<Thinking>) -> ChatMessage {
        let arguments = Map::from_iter([("q".into(), json!("ü"))]);
        let calls = vec![ToolCall { id: id.into(), name: "find".into(), arguments }];
        ChatMessage::Assistant(AssistantMessage { thinking, text: String::new(), calls })
    }

    fn answers(id: &str) -> ChatMessage {
        ChatMessage::Results(vec![CallResult { call_id: id.into(), content: "1".into(), is_error: false }])
    }

    #[test]
    fn a_plain_question() {
        let expected = json!({
            "model": "m", "max_completion_tokens": 500, "stream": true,
            "stream_options": { "include_usage": true },
            "messages": [{ "role": "user", "content": "Hi" }],
        });
        assert_eq!(body(&request(vec![user("Hi")]), Dialect::OpenAi), expected);
    }

    #[test]
    fn everything_at_once() {
        let request = ModelRequest {
            system: SystemPrompt { fixed: "You help.".into(), context: Some("It is Monday.".into()) },
            tools: vec![ToolSpec {
                name: "find".into(),
                description: "d".into(),
                parameters: json!({ "type": "object" }),
            }],
            ..request(vec![
                ChatMessage::User(vec![
                    UserPart::Text("See".into()),
                    UserPart::Image {
                        media_type: "image/png".into(),
                        bytes: Arc::from([1, 2, 3].as_slice()),
                    },
                ]),
                calls("a", Vec::new()),
                answers("a"),
                ChatMessage::Assistant(AssistantMessage { text: "Done.".into(), ..Default::default() }),
                ChatMessage::User(vec![UserPart::Text("One".into()), UserPart::Text("two".into())]),
            ])
        };
        let expected = json!({
            "model": "m", "max_tokens": 500, "stream": true, "stream_options": { "include_usage": true },
            "tools": [{ "type": "function", "function": {
                "name": "find", "description": "d", "parameters": { "type": "object" },
            } }],
            "messages": [
                { "role": "system", "content": "You help.\n\nIt is Monday." },
                { "role": "user", "content": [
                    { "type": "text", "text": "See" },
                    { "type": "image_url", "image_url": { "url": "data:image/png;base64,AQID" } },
                ] },
                { "role": "assistant", "content": null, "tool_calls": [
                    { "id": "a", "type": "function", "function": { "name": "find", "arguments": "{\"q\":\"ü\"}" } },
                ] },
                { "role": "tool", "tool_call_id": "a", "content": "1" },
                { "role": "assistant", "content": "Done." },
                { "role": "user", "content": "One\n\ntwo" },
            ],
        });
        assert_eq!(body(&request, Dialect::Lookalike), expected);
    }

    #[test]
    fn reasoning_goes_back_only_if_there_was_some() {
        let thought = |text: &str, opaque| Thinking { text: text.into(), opaque };
        let said = |thinking| {
            let messages =
                vec![user("1"), calls("a", Vec::new()), answers("a"), calls("b", thinking), answers("b")];
            let body = body(&request(messages), Dialect::Lookalike);
            [1, 3].map(|at| body["messages"][at]["reasoning_content"].as_str().map(str::to_owned))
        };
        assert_eq!(said(Vec::new()), [None, None]);
        assert_eq!(said(vec![thought("signed", Some(json!({})))]), [None, None]);
        assert_eq!(said(vec![thought("hm", None)]), [Some(String::new()), Some("hm".to_owned())]);
    }

    #[test]
    fn models_that_cannot_reason_with_tools() {
        let tool = ToolSpec { name: "t".into(), description: String::new(), parameters: json!({}) };
        for (model, tools, effort) in [
            ("gpt-6-luna", vec![tool.clone()], json!("none")),
            ("gpt-6-luna", Vec::new(), Value::Null),
            ("gpt-4o", vec![tool], Value::Null),
        ] {
            let request = ModelRequest { model: model.into(), tools, ..request(vec![user("Hi")]) };
            assert_eq!(body(&request, Dialect::OpenAi)["reasoning_effort"], effort, "{model}");
        }
    }
}
