//! Reading the request: what is asked, what was said before, what was called in this turn, who I am, what is on offer.

use baton_core::models::{AssistantMessage, CallResult, ChatMessage, ModelRequest, ToolCall, UserPart};

use super::context::{self, Context};
use super::files::{self, File};
use super::offer::{Kind, Offered};

pub struct Scene<'a> {
    /// What the person wrote last, without files and without what other agents said.
    pub asked: String,
    pub files: Vec<File>,
    /// Media types.
    pub images: Vec<String>,
    /// What the person wrote before, newest first.
    pub earlier: Vec<String>,
    /// What I said last before the question.
    pub said: Option<&'a str>,
    /// Every call since the question with its result, by round.
    pub rounds: Vec<Vec<(&'a ToolCall, &'a CallResult)>>,
    pub tools: Vec<Offered<'a>>,
    pub standing: &'a str,
    pub context: Context,
}

/// Of a message, what is read. More than that is a document, not a request.
const READ: usize = 20_000;
const EARLIER: usize = 12;

impl<'a> Scene<'a> {
    pub fn read(request: &'a ModelRequest) -> Self {
        let at = question_at(&request.messages);
        let parts = at.map(|at| parts_of(&request.messages[at])).unwrap_or_default();
        let (asked, files) = written(parts);
        let images = parts
            .iter()
            .filter_map(|part| match part {
                UserPart::Image { media_type, .. } => Some(media_type.clone()),
                UserPart::Text(_) => None,
            })
            .collect();
        let before = at.map(|at| &request.messages[..at]).unwrap_or_default();
        let earlier = before
            .iter()
            .rev()
            .map(|message| written(parts_of(message)).0)
            .filter(|text| !text.is_empty())
            .take(EARLIER)
            .collect();
        let said = before.iter().rev().find_map(|message| match message {
            ChatMessage::Assistant(message) if !message.text.trim().is_empty() => Some(message.text.as_str()),
            _ => None,
        });
        Self {
            asked,
            files,
            images,
            earlier,
            said,
            rounds: at.map(|at| rounds(&request.messages[at..])).unwrap_or_default(),
            tools: request.tools.iter().map(Offered::read).collect(),
            standing: &request.system.standing,
            context: context::read(
                &request.system.standing,
                request.system.context.as_deref().unwrap_or_default(),
            ),
        }
    }

    pub fn calls(&self) -> impl Iterator<Item = &(&'a ToolCall, &'a CallResult)> {
        self.rounds.iter().flatten()
    }

    pub fn plain_tools(&self) -> impl Iterator<Item = &Offered<'a>> {
        self.tools.iter().filter(|tool| tool.kind == Kind::Plain)
    }

    pub fn tool(&self, name: &str) -> Option<&Offered<'a>> {
        self.tools.iter().find(|tool| tool.spec.name == name)
    }
}

fn parts_of(message: &ChatMessage) -> &[UserPart] {
    match message {
        ChatMessage::User(parts) => parts,
        _ => &[],
    }
}

/// The last message in which the person themself says something.
fn question_at(messages: &[ChatMessage]) -> Option<usize> {
    let is_user = |message: &ChatMessage| matches!(message, ChatMessage::User(_));
    let speaks = |message: &ChatMessage| {
        parts_of(message).iter().any(|part| match part {
            UserPart::Text(text) => !is_attributed(text),
            UserPart::Image { .. } => true,
        })
    };
    messages
        .iter()
        .rposition(|message| is_user(message) && speaks(message))
        .or_else(|| messages.iter().rposition(is_user))
}

/// Several texts can share a message: files, and what other agents said. The last plain one is the person's.
fn written(parts: &[UserPart]) -> (String, Vec<File>) {
    let mut asked = String::new();
    let mut attributed = String::new();
    let mut files = Vec::new();
    for part in parts {
        let UserPart::Text(text) = part else { continue };
        let (text, mut found) = files::split(text);
        files.append(&mut found);
        if is_attributed(&text) {
            attributed = text;
        } else if !text.is_empty() {
            asked = text;
        }
    }
    let asked = if asked.is_empty() { attributed } else { asked };
    let end = asked.char_indices().nth(READ).map_or(asked.len(), |(at, _)| at);
    (asked[..end].replace('\0', " ").trim().to_owned(), files)
}

/// `[Budget Coach]: …` and `<agent name="…">…`: said by another agent, or by Baton.
fn is_attributed(text: &str) -> bool {
    let text = text.trim_start();
    let bracketed = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .is_some_and(|(name, rest)| name.len() <= 120 && !rest.starts_with('(') && !rest.trim().is_empty());
    let tagged = ["<agent", "<said", "<message from", "<baton"].iter().any(|tag| text.starts_with(tag));
    bracketed || tagged
}

fn rounds(messages: &[ChatMessage]) -> Vec<Vec<(&ToolCall, &CallResult)>> {
    let mut found = Vec::new();
    let mut last: Option<&AssistantMessage> = None;
    for message in messages {
        match message {
            ChatMessage::Assistant(message) => last = Some(message),
            ChatMessage::Results(results) => {
                let calls = last.map(|message| message.calls.as_slice()).unwrap_or_default();
                let pairs = results.iter().filter_map(|result| {
                    calls.iter().find(|call| call.id == result.call_id).map(|call| (call, result))
                });
                found.push(pairs.collect());
            }
            ChatMessage::User(_) => {}
        }
    }
    found
}
