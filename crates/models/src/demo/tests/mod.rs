//! The demo model asked as the engine asks it. Every tool and agent here is made up for the test: the model under test
//! has never seen any of them.

mod everyday;
mod handoffs;
mod keeping;
mod memory;
mod newcomers;
mod packs;
mod robust;
mod shapes;
mod stages;
mod talking;
mod tools;

use std::time::Duration;

use baton_core::models::{
    AssistantMessage, CallResult, ChatMessage, ChatModel, ModelEvent, ModelRequest, StopReason, SystemPrompt,
    ToolCall, Usage, UserPart,
};
use baton_core::tools::ToolSpec;
use futures::{FutureExt, StreamExt};
use serde_json::{Map, Value, json};

use super::DemoModel;

pub fn tool(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    let parameters = json!({"type": "object", "properties": properties, "required": required});
    ToolSpec { name: name.into(), description: description.into(), parameters }
}

pub fn request(standing: &str, tools: Vec<ToolSpec>, asked: &str) -> ModelRequest {
    ModelRequest {
        model: "demo".into(),
        system: SystemPrompt { standing: standing.into(), context: None },
        messages: vec![user(asked)],
        tools,
        max_output_tokens: 4_096,
    }
}

pub fn user(text: &str) -> ChatMessage {
    ChatMessage::User(vec![UserPart::Text(text.into())])
}

pub fn said(text: &str) -> ChatMessage {
    ChatMessage::Assistant(AssistantMessage { text: text.into(), ..Default::default() })
}

pub struct Said {
    pub reasoning: String,
    pub text: String,
    pub calls: Vec<(String, Map<String, Value>)>,
    pub stop: StopReason,
    pub usage: Usage,
    pub events: Vec<ModelEvent>,
}

pub fn ask(request: &ModelRequest) -> Said {
    let model = DemoModel::new(Duration::ZERO);
    let events = async {
        let stream = model.call(request.clone()).await.expect("the demo model never fails");
        stream.map(|event| event.expect("nor does its stream")).collect::<Vec<ModelEvent>>().await
    };
    let events = events.now_or_never().expect("without a pace nothing waits");
    let mut reply = Said {
        reasoning: String::new(),
        text: String::new(),
        calls: vec![],
        stop: StopReason::Refusal,
        usage: Usage::default(),
        events: events.clone(),
    };
    for event in events {
        match event {
            ModelEvent::Text(text) => reply.text += &text,
            ModelEvent::Reasoning(text) => reply.reasoning += &text,
            ModelEvent::Call(call) => reply.calls.push((call.name, call.arguments.expect("an object"))),
            ModelEvent::End { stop, usage } => (reply.stop, reply.usage) = (stop, usage),
            ModelEvent::Thinking(_) => panic!("the demo model has no thinking blocks"),
        }
    }
    assert!(!reply.text.trim().is_empty() || !reply.calls.is_empty(), "an empty answer");
    reply
}

/// Adds the reply's calls to the request, each answered with one of the results.
pub fn answered(mut request: ModelRequest, results: &[(&str, bool)]) -> ModelRequest {
    let reply = ask(&request);
    assert_eq!(reply.calls.len(), results.len(), "{:?} {}", reply.calls, reply.text);
    let round = request.messages.len();
    let id = |at: usize| format!("c{round}-{at}");
    let calls = reply.calls.into_iter().enumerate();
    let calls = calls.map(|(at, (name, arguments))| ToolCall { id: id(at), name, arguments }).collect();
    request.messages.push(ChatMessage::Assistant(AssistantMessage {
        text: reply.text,
        calls,
        ..Default::default()
    }));
    let results = results.iter().enumerate().map(|(at, (content, is_error))| CallResult {
        call_id: id(at),
        content: (*content).into(),
        is_error: *is_error,
    });
    request.messages.push(ChatMessage::Results(results.collect()));
    request
}

pub enum Expect {
    /// These calls, with exactly these arguments.
    Calls(Vec<(&'static str, Value)>),
    /// No call, and a text with all of these in it.
    Says(&'static [&'static str]),
}

#[track_caller]
pub fn check(request: &ModelRequest, expect: Expect) -> Said {
    let reply = ask(request);
    let got: Vec<(String, Value)> = reply
        .calls
        .iter()
        .map(|(name, arguments)| (name.clone(), Value::Object(arguments.clone())))
        .collect();
    let context = format!("\n  reasoning: {}\n  text: {}\n  calls: {got:?}", reply.reasoning, reply.text);
    match expect {
        Expect::Calls(calls) => {
            let calls: Vec<_> = calls.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            assert_eq!(got, calls, "{context}");
            assert_eq!(reply.stop, StopReason::ToolUse);
        }
        Expect::Says(parts) => {
            assert!(got.is_empty(), "{context}");
            for part in parts {
                assert!(reply.text.contains(part), "no “{part}”{context}");
            }
            assert_eq!(reply.stop, StopReason::End);
        }
    }
    reply
}

pub const COACH: &str =
    "You are the Budget Coach. You help people see where their money goes and keep to their limits.";

pub fn memory() -> ToolSpec {
    tool(
        "manageMemory",
        "Remember things between conversations. Search before you answer questions about what the person told you.",
        json!({
            "action": {"type": "string", "enum": ["search", "list", "read", "save", "delete"]},
            "query": {"type": "string", "description": "What to search for"},
            "path": {"type": "string", "description": "Where the memory is kept, such as reviews/budget"},
            "content": {"type": "string", "description": "What to remember"},
            "scope": {"type": "string", "enum": ["person", "agent"]},
        }),
        &["action"],
    )
}

pub fn budgets() -> ToolSpec {
    tool(
        "manageBudgets",
        "Shows each budget with what is spent and what is left, and creates new ones.",
        json!({
            "action": {"type": "string", "enum": ["list", "get", "create", "delete"]},
            "id": {"type": "string"},
            "name": {"type": "string", "description": "What the budget is for"},
            "limit": {"type": "number", "description": "The most that may be spent"},
        }),
        &["action"],
    )
}

pub fn clock() -> ToolSpec {
    tool("get_current_time", "Returns the current time.", json!({"timezone": {"type": "string"}}), &[])
}
