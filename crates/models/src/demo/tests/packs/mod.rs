//! Teams played from beginning to end, each agent with the tools and prompts that packs give: what is collected is kept
//! as the agent's context, asked for one thing at a time, and handed on when it is whole.

use baton_core::models::{AssistantMessage, CallResult, ChatMessage, ModelRequest, ToolCall, UserPart};
use baton_core::tools::ToolSpec;
use serde_json::{Map, Value, json};

use super::{ask, request, said, tool};

mod assessment;
mod fleet;
mod outreach;
mod procurement;
mod went_back;

fn update_context() -> ToolSpec {
    tool(
        "update_context",
        "Keeps your working state for this conversation. What you give replaces what was there.",
        json!({"context_data": {"type": "object", "description": "The whole state"}}),
        &["context_data"],
    )
}

fn complete_task() -> ToolSpec {
    tool(
        "complete_task",
        "Ends your task and hands the conversation back. Call it when the person has what they came for.",
        json!({"summary": {"type": "string", "description": "What was achieved"}}),
        &["summary"],
    )
}

/// A specialist at work: the context it keeps is shown to it with the next message.
struct Desk {
    request: ModelRequest,
    kept: Map<String, Value>,
    done: Option<String>,
}

impl Desk {
    fn new(standing: &str, tools: Vec<ToolSpec>) -> Self {
        let mut request = request(standing, tools, "");
        request.messages.clear();
        Self { request, kept: Map::new(), done: None }
    }

    fn say(&mut self, text: &str) -> String {
        self.send(vec![UserPart::Text(text.into())])
    }

    fn send(&mut self, parts: Vec<UserPart>) -> String {
        self.request.messages.push(ChatMessage::User(parts));
        for round in 0..5 {
            let reply = ask(&self.request);
            if reply.calls.is_empty() || self.done.is_some() {
                self.request.messages.push(said(&reply.text));
                return reply.text;
            }
            let mut calls = Vec::new();
            let mut results = Vec::new();
            for (at, (name, arguments)) in reply.calls.into_iter().enumerate() {
                match name.as_str() {
                    "update_context" => self.kept = arguments["context_data"].as_object().unwrap().clone(),
                    "complete_task" => self.done = arguments["summary"].as_str().map(str::to_owned),
                    other => panic!("{other} {arguments:?}"),
                }
                let id = format!("{}-{round}-{at}", self.request.messages.len());
                results.push(CallResult {
                    call_id: id.clone(),
                    content: r#"{"ok": true}"#.into(),
                    is_error: false,
                });
                calls.push(ToolCall { id, name, arguments });
            }
            let message = AssistantMessage { text: reply.text, calls, ..Default::default() };
            self.request.messages.extend([ChatMessage::Assistant(message), ChatMessage::Results(results)]);
            self.request.system.context =
                Some(format!("Your context:\n{}", Value::Object(self.kept.clone())));
        }
        panic!("goes round in circles: {:?}", self.kept);
    }
}
