//! Reads a request: what the person said, what was done since, and what the context block holds. The user's side of a
//! request also holds the engine's notes, other agents' words and files; each of these is marked.

use baton_core::models::{CallResult, ChatMessage, DemoCard, ModelRequest, ToolCall, UserPart};
use baton_core::tools::ToolSpec;
use chrono::NaiveDate;
use serde_json::Value;

use crate::forms::COMPLETE_STAGE;

pub struct Scene<'a> {
    pub card: DemoCard,
    pub tools: &'a [ToolSpec],
    pub fixed: &'a str,
    /// What the person wrote last.
    pub asked: String,
    /// Everything the person wrote or attached, oldest first, each with what I had said before it.
    pub heard: Vec<Heard>,
    /// The calls since the question, with what came back.
    pub done: Vec<(&'a ToolCall, &'a CallResult)>,
    /// All calls I ever made here.
    pub called: Vec<&'a ToolCall>,
    /// Names and values of the context block, innermost too.
    pub facts: Vec<(String, Value)>,
    /// Why this agent has the conversation, in the words of whoever handed it off.
    pub why: Option<String>,
    /// Another agent gave this to me, and I have said nothing since.
    pub is_handed: bool,
    /// A stage began by itself: nobody is there to be asked.
    pub is_begun: bool,
    /// The demo model has introduced itself in this conversation.
    pub is_introduced: bool,
    pub today: NaiveDate,
}

pub struct Heard {
    pub text: String,
    /// What I had said before.
    pub after: String,
}

/// Of a message, what is read. More than that is a document, not a request.
const READ: usize = 20_000;

impl<'a> Scene<'a> {
    pub fn read(request: &'a ModelRequest, today: NaiveDate) -> Self {
        let mut scene = Self {
            card: request.demo.as_deref().cloned().unwrap_or_default(),
            tools: &request.tools,
            fixed: &request.system.fixed,
            asked: String::new(),
            heard: Vec::new(),
            done: Vec::new(),
            called: Vec::new(),
            facts: Vec::new(),
            why: None,
            is_handed: false,
            is_begun: false,
            is_introduced: false,
            today,
        };
        scene.read_context(request.system.context.as_deref().unwrap_or_default());
        let was_handed = scene.is_handed;
        let mut said = String::new();
        let mut calls: &[ToolCall] = &[];
        for message in &request.messages {
            match message {
                ChatMessage::User(parts) => {
                    for part in parts {
                        let UserPart::Text(text) = part else { continue };
                        scene.hear(text.trim(), &said, was_handed);
                    }
                }
                ChatMessage::Assistant(message) => {
                    scene.is_introduced |= message.text.contains(WHAT_I_AM);
                    if !message.text.trim().is_empty() {
                        said.clone_from(&message.text);
                        scene.is_handed = false;
                        scene.is_begun = false;
                    }
                    calls = &message.calls;
                    for call in calls.iter().filter(|call| call.name == COMPLETE_STAGE) {
                        flatten(&Value::Object(call.arguments.clone()), &mut scene.facts);
                    }
                    scene.called.extend(calls);
                }
                ChatMessage::Results(results) => {
                    let of = |result: &CallResult| calls.iter().find(|call| call.id == result.call_id);
                    scene.done.extend(results.iter().filter_map(|result| Some((of(result)?, result))));
                }
            }
        }
        scene
    }

    fn hear(&mut self, text: &str, said: &str, was_handed: bool) {
        match Speaker::of(text) {
            Speaker::Engine => {
                self.is_begun = text.contains("Begin yours now");
                self.done.clear();
            }
            Speaker::Agent => {
                self.is_handed = was_handed;
                self.is_introduced |= text.contains(WHAT_I_AM);
            }
            Speaker::File(content) => self.heard.push(Heard { text: cut(content), after: String::new() }),
            Speaker::Person => {
                self.asked = cut(text);
                self.is_begun = false;
                self.done.clear();
                // The message that called this agent in is no answer to its earlier question.
                let is_call = self.why.as_deref() == Some(text);
                let after = if is_call { String::new() } else { said.to_owned() };
                self.heard.push(Heard { text: cut(text), after });
            }
        }
    }

    fn read_context(&mut self, context: &str) {
        let mut title = "";
        for line in context.lines() {
            if line.starts_with("# ") {
                title = line;
            } else if let Ok(value) = serde_json::from_str::<Value>(line) {
                self.is_handed |=
                    value.get("_handoff_tool").is_some() || value.get("_handoff_from").is_some();
                match value {
                    Value::String(words) if title.starts_with("# Why") => self.why = Some(words),
                    other => flatten(&other, &mut self.facts),
                }
            }
        }
    }

    pub fn tool(&self, name: &str) -> Option<&'a ToolSpec> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    pub fn fact(&self, name: &str) -> Option<&Value> {
        self.facts.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// The text by which an earlier introduction is recognised.
pub const WHAT_I_AM: &str = "demo model";

enum Speaker<'a> {
    Person,
    Agent,
    Engine,
    File(&'a str),
}

impl<'a> Speaker<'a> {
    fn of(text: &'a str) -> Self {
        if let Some((head, content)) = text.split_once(":]\n") {
            match head {
                _ if head.starts_with("[Attached file ") => return Self::File(content),
                _ if head.ends_with(", another agent, said") => return Self::Agent,
                _ if head.starts_with("[Result of ") => return Self::Agent,
                _ => {}
            }
        }
        if text.starts_with("[Attached ") && text.ends_with(".]") {
            return Self::File("");
        }
        let is_note = text.starts_with('(') && text.ends_with(".)") && text.len() < 200;
        if is_note { Self::Engine } else { Self::Person }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(READ).collect()
}

/// The values of an object and of those in it; what begins with `_` is Baton's own.
fn flatten(value: &Value, into: &mut Vec<(String, Value)>) {
    for (name, value) in value.as_object().into_iter().flatten().filter(|(name, _)| !name.starts_with('_')) {
        match value {
            Value::Object(_) => flatten(value, into),
            Value::Null => {}
            plain => into.push((name.clone(), plain.clone())),
        }
    }
}
