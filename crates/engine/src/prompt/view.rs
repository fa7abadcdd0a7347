//! What a model is shown: a view of the log for one agent. The strictest vendor accepts it, whatever happened in the
//! conversation.
//!
//! First each turn becomes entries (a person's message, the agent's reply with its tool calls and their results). Then
//! the entries become messages that begin with the user, alternate, and end on the user's side.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use baton_core::conversations::MessageRole;
use baton_core::handoffs::Trigger;
use baton_core::ids::{AgentId, FileId, MessageId, TaskId};
use baton_core::log::{CallStep, LoggedStep, MessageStatus, ResultStep, Said, Step};
use baton_core::models::{AssistantMessage, CallResult, ChatMessage, ToolCall, UserPart};
use baton_core::tape::Voice;
use serde_json::Value;

use crate::agent::many_tools::as_said;
use crate::nul::{clean, clean_map};

/// About a hundred thousand tokens.
pub const MAX_BYTES: usize = 400_000;
/// How much of a result is still shown in a turn that is too long.
const KEPT_OF_RESULT: usize = 1_000;
pub const LEFT_OUT_HERE: &str = "\n[The rest of this result is left out: the turn has become too long.]";

pub struct Sight<'a> {
    /// What the reader may see of the log.
    pub log: &'a [&'a LoggedStep],
    pub reader: AgentId,
    pub task_id: TaskId,
    /// The `provider/model` that will read this view. Thinking is sent back only to the model that made it.
    pub model: &'a str,
    /// The hash of the prompt and tools that come before this view. Thinking is sent back only after the same prompt
    /// and tools.
    pub prompt_hash: &'a str,
    /// The tools offered with the request.
    pub offered: &'a HashSet<String>,
    pub files: &'a HashMap<FileId, FileContent>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FileContent {
    Text(String),
    Image {
        media_type: String,
        bytes: Arc<[u8]>,
    },
    /// The file is left out, because newer files fill the request.
    LeftOut,
}

#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub messages: Vec<ChatMessage>,
    /// Whether the oldest turns were left out.
    pub is_cut: bool,
}

pub fn view(sight: &Sight<'_>) -> View {
    let mut turns = turns(sight, sight.log);
    let dropped = too_many(&turns);
    turns.drain(..dropped);
    let is_shortened = turns.len() == 1 && shorten(&mut turns[0]);
    let mut messages = in_order(turns.into_iter().flatten());
    forget_old_thoughts(&mut messages);
    if is_shortened || (dropped > 0 && dropped != dropped_at_first(sight)) {
        // This turn has pushed out older ones: what was thought after them is bound to a past that is not shown.
        messages.iter_mut().for_each(forget);
    }
    View { messages, is_cut: dropped > 0 }
}

/// How many of the oldest turns are left out; never the newest.
fn too_many(turns: &[Vec<Entry>]) -> usize {
    let mut size: usize = turns.iter().flatten().map(Entry::size).sum();
    let mut dropped = 0;
    while size > MAX_BYTES && dropped + 1 < turns.len() {
        size -= turns[dropped].iter().map(Entry::size).sum::<usize>();
        dropped += 1;
    }
    dropped
}

/// Cuts the oldest results of a turn that is too long by itself to their beginning; returns whether that was needed.
fn shorten(turn: &mut [Entry]) -> bool {
    let mut size: usize = turn.iter().map(Entry::size).sum();
    let was_too_long = size > MAX_BYTES;
    let results = turn.iter_mut().flat_map(|entry| match entry {
        Entry::Reply { results, .. } => results.as_mut_slice(),
        Entry::User(_) => &mut [],
    });
    for result in results.filter(|result| result.content.len() > 2 * KEPT_OF_RESULT) {
        if size <= MAX_BYTES {
            break;
        }
        size -= result.content.len();
        result.content.truncate(result.content.floor_char_boundary(KEPT_OF_RESULT));
        result.content.push_str(LEFT_OUT_HERE);
        size += result.content.len();
    }
    was_too_long
}

/// How many were left out when this turn made its first call.
fn dropped_at_first(sight: &Sight<'_>) -> usize {
    let first = sight
        .log
        .iter()
        .position(|logged| logged.task_id == Some(sight.task_id) && matches!(logged.step, Step::Call { .. }));
    too_many(&turns(sight, &sight.log[..first.unwrap_or(0)]))
}

/// Thinking is sent back only within the tool loop in which it was made; a message from the user's side ends the
/// loop.
fn forget_old_thoughts(messages: &mut [ChatMessage]) {
    let spoken = messages.iter().rposition(|message| matches!(message, ChatMessage::User(_)));
    messages[..spoken.unwrap_or(0)].iter_mut().for_each(forget);
}

fn forget(message: &mut ChatMessage) {
    if let ChatMessage::Assistant(said) = message {
        said.thinking.clear();
    }
}

enum Entry {
    User(Vec<UserPart>),
    /// A reply; its calls are all answered, in order, or there are none.
    Reply {
        /// `None` for imported messages.
        task_id: Option<TaskId>,
        message: AssistantMessage,
        results: Vec<CallResult>,
    },
}

impl Entry {
    fn size(&self) -> usize {
        match self {
            Self::User(parts) => parts
                .iter()
                .map(|part| match part {
                    UserPart::Text(text) => text.len(),
                    // Vendors count an image by its size in pixels; this is about the largest it can cost.
                    UserPart::Image { .. } => 8_000,
                })
                .sum(),
            Self::Reply { message, results, .. } => {
                let printed =
                    |call: &ToolCall| serde_json::to_string(&call.arguments).map_or(0, |text| text.len());
                let calls = message.calls.iter().map(printed);
                message.text.len()
                    + calls.sum::<usize>()
                    + results.iter().map(|result| result.content.len()).sum::<usize>()
            }
        }
    }
}

/// The log cut where people speak; each piece is dropped or kept whole.
fn turns(sight: &Sight<'_>, log: &[&LoggedStep]) -> Vec<Vec<Entry>> {
    // If another agent held the conversation in between, earlier thinking is bound to another prompt.
    let changed_hands = log.iter().rfind(|logged| match &logged.step {
        Step::Handoff(_) => true,
        Step::Switched(switched) => !switched.is_pin(),
        _ => false,
    });
    let loop_began = changed_hands.map_or(0, |logged| logged.seq);
    let mut turns: Vec<Vec<Entry>> = vec![Vec::new()];
    let mut index = 0;
    while let Some(logged) = log.get(index) {
        index += 1;
        match &logged.step {
            Step::User { content, attachments, .. } => {
                let mut parts = vec![UserPart::Text(clean(content))];
                parts.extend(attachments.iter().map(|about| attached(about, sight.files)));
                turns.push(vec![Entry::User(parts)]);
            }
            Step::Imported { role: MessageRole::User, content } => {
                turns.push(vec![Entry::User(vec![UserPart::Text(clean(content))])]);
            }
            Step::Imported { role: MessageRole::Assistant, content } => {
                let (message, results) = (spoken(content), vec![]);
                last(&mut turns).push(Entry::Reply { task_id: None, message, results });
            }
            Step::Said(said) => {
                let answers = Answers::after(&log[index..], logged);
                let is_old = logged.seq < loop_began;
                let entries = reply(sight, logged, said, answers, &log[..index], is_old);
                last(&mut turns).extend(entries);
                if was_cut(said) && logged.agent_id == sight.reader && is_tried_again(&log[index..]) {
                    last(&mut turns).push(Entry::User(vec![UserPart::Text(CUT.to_owned())]));
                }
            }
            Step::Switched(switched) if switched.by == Trigger::Rollback && switched.to == sight.reader => {
                last(&mut turns).push(Entry::User(vec![UserPart::Text(ROLLED_BACK.to_owned())]));
            }
            Step::Greeting { text, .. } if logged.agent_id == sight.reader => {
                let (message, results) = (spoken(text), vec![]);
                last(&mut turns).push(Entry::Reply { task_id: None, message, results });
            }
            Step::Greeting { agent_name, text, .. } => {
                last(&mut turns)
                    .push(Entry::User(vec![UserPart::Text(attributed(agent_name, &clean(text)))]));
            }
            // Calls and answers are taken with their reply.
            Step::Call { .. }
            | Step::ToolCall(_)
            | Step::ToolResult(_)
            | Step::Routed(_)
            | Step::Handoff(_)
            | Step::Switched(_)
            | Step::Snapshot { .. }
            | Step::Suggested { .. }
            | Step::ApprovalAsked { .. }
            | Step::ApprovalResolved { .. }
            | Step::MessageEnd { .. }
            | Step::Error { .. }
            | Step::SubtaskCreated(_)
            | Step::Done { .. }
            | Step::Unknown(_) => {}
        }
    }
    turns.retain(|turn| !turn.is_empty());
    turns
}

fn last(turns: &mut [Vec<Entry>]) -> &mut Vec<Entry> {
    turns.last_mut().unwrap_or_else(|| unreachable!("there is a turn from the start"))
}

/// The name that an agent had when it began a message.
fn name_in<'a>(before: &[&'a LoggedStep], message: Option<MessageId>) -> Option<&'a str> {
    let own = before.iter().rev().filter(|logged| logged.message_id == message && message.is_some());
    own.filter_map(|logged| match &logged.step {
        Step::Call { start: Some(start), .. } => Some(start.agent_name.as_str()),
        _ => None,
    })
    .next()
}

/// The calls of a reply with what came back, up to the next call of a model in the same turn.
struct Answers<'a> {
    calls: Vec<Answered<'a>>,
}

/// A call, the arguments a person changed it to, and its result.
type Answered<'a> = (&'a CallStep, Option<&'a serde_json::Map<String, Value>>, Option<&'a ResultStep>);

impl<'a> Answers<'a> {
    fn after(rest: &[&'a LoggedStep], reply: &LoggedStep) -> Self {
        let mut calls: Vec<Answered<'_>> = Vec::new();
        for logged in rest.iter().copied().filter(|logged| logged.task_id == reply.task_id) {
            match &logged.step {
                Step::ToolCall(call) => calls.push((call, None, None)),
                Step::ApprovalResolved { call_id, args: Some(args), .. } => {
                    if let Some(entry) = calls.iter_mut().find(|(call, ..)| call.call_id == *call_id) {
                        entry.1 = Some(args);
                    }
                }
                Step::ToolResult(result) => {
                    if let Some(entry) = calls.iter_mut().find(|(call, ..)| call.call_id == result.call_id) {
                        entry.2.get_or_insert(result);
                    }
                }
                Step::Said(_) | Step::Done { .. } => break,
                _ => {}
            }
        }
        Self { calls }
    }
}

fn reply(
    sight: &Sight<'_>,
    logged: &LoggedStep,
    said: &Said,
    answers: Answers<'_>,
    before: &[&LoggedStep],
    is_old: bool,
) -> Vec<Entry> {
    let texts = said.blocks.iter().filter(|block| block.voice == Voice::Text);
    let text = texts.fold(String::new(), |text, block| joined(&text, clean(&block.text).trim()));
    if logged.agent_id != sight.reader {
        let name = name_in(before, logged.message_id).unwrap_or("Another agent");
        let words = if text.is_empty() { None } else { Some(attributed(name, &text)) };
        return words.map(|words| Entry::User(vec![UserPart::Text(words)])).into_iter().collect();
    }
    let is_known = |call: &CallStep| sight.offered.contains(call.through.as_ref().unwrap_or(&call.tool_name));
    if !answers.calls.iter().all(|(call, ..)| is_known(call)) {
        return told(logged.task_id, text, &answers);
    }
    // Vendors bind thinking to all that was read before it.
    let same_loop = !is_old
        && logged.task_id == Some(sight.task_id)
        && said.model == sight.model
        && said.prompt_hash == sight.prompt_hash
        && !answers.calls.is_empty();
    let message = AssistantMessage {
        thinking: if same_loop { said.thinking.clone() } else { vec![] },
        text,
        calls: answers
            .calls
            .iter()
            .map(|(call, args, _)| tool_call(call, args.unwrap_or(&call.args)))
            .collect(),
    };
    let results = answers.calls.iter().map(|(call, _, result)| call_result(call, *result)).collect();
    vec![Entry::Reply { task_id: logged.task_id, message, results }]
}

/// Said in part, and then nothing more.
fn was_cut(said: &Said) -> bool {
    let has_text =
        said.blocks.iter().any(|block| block.voice == Voice::Text && !block.text.trim().is_empty());
    said.ends == Some(MessageStatus::Failed) && has_text
}

/// Whether the agent was asked again with nothing new from the person: then it goes on with what it was saying.
fn is_tried_again(rest: &[&LoggedStep]) -> bool {
    let next = rest
        .iter()
        .find(|logged| matches!(logged.step, Step::User { .. } | Step::Imported { .. } | Step::Call { .. }));
    next.is_some_and(|logged| matches!(logged.step, Step::Call { .. }))
}

fn attributed(name: &str, text: &str) -> String {
    format!("[{}, another agent, said:]\n{text}", clean(name))
}

const ROLLED_BACK: &str =
    "(The agent you handed this to could not answer, so you have the conversation again.)";
const CUT: &str = "(Your answer above was cut off. Go on from where it stopped, without repeating it.)";
const BEGIN: &str = "(The conversation begins with you.)";
const GO_ON: &str = "(Go on.)";
const ENDED: &str = "(The turn ended here.)";
const INTERRUPTED: &str = "It was interrupted before it gave a result.";

/// Calls of tools that the agent doesn't have now, told in words.
fn told(task_id: Option<TaskId>, text: String, answers: &Answers<'_>) -> Vec<Entry> {
    let results = answers.calls.iter().map(|(call, args, result)| {
        let args = Value::Object(clean_map(args.unwrap_or(&call.args)));
        let content = call_result(call, *result).content;
        format!("[Result of {} with {args}:]\n{content}", clean(&call.tool_name))
    });
    let results = results.collect::<Vec<_>>().join("\n\n");
    let text = if text.is_empty() { "(I used a tool.)".to_owned() } else { text };
    let message = AssistantMessage { text, ..AssistantMessage::default() };
    let reply = Entry::Reply { task_id, message, results: vec![] };
    vec![reply, Entry::User(vec![UserPart::Text(results)])]
}

fn tool_call(call: &CallStep, args: &serde_json::Map<String, Value>) -> ToolCall {
    let (name, arguments) = as_said(call, clean_map(args));
    ToolCall { id: call.call_id.clone(), name, arguments }
}

fn call_result(call: &CallStep, result: Option<&ResultStep>) -> CallResult {
    let (content, is_error) = match result {
        Some(result) => (result_text(&result.result), !result.success),
        None => (INTERRUPTED.to_owned(), true),
    };
    let content = if content.trim().is_empty() { "(nothing)".to_owned() } else { clean(&content) };
    CallResult { call_id: call.call_id.clone(), content, is_error }
}

fn result_text(result: &Value) -> String {
    match result {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn spoken(content: &str) -> AssistantMessage {
    AssistantMessage { text: clean(content).trim().to_owned(), ..AssistantMessage::default() }
}

fn attached(
    about: &baton_core::attachments::AttachmentRef,
    files: &HashMap<FileId, FileContent>,
) -> UserPart {
    let name = clean(&about.name);
    match files.get(&about.id) {
        Some(FileContent::Image { media_type, bytes }) => {
            UserPart::Image { media_type: media_type.clone(), bytes: bytes.clone() }
        }
        Some(FileContent::Text(text)) => UserPart::Text(format!("[Attached file {name}:]\n{}", clean(text))),
        Some(FileContent::LeftOut) => {
            UserPart::Text(format!("[Attached image {name}, too far back to be shown again.]"))
        }
        None => UserPart::Text(format!("[Attached file {name}, which is no longer kept.]")),
    }
}

/// The messages, in an order every vendor takes.
fn in_order(entries: impl Iterator<Item = Entry>) -> Vec<ChatMessage> {
    let user = |text: &str| ChatMessage::User(vec![UserPart::Text(text.to_owned())]);
    let mut messages: Vec<ChatMessage> = Vec::new();
    let mut spoke_in = None;
    for entry in entries {
        match entry {
            Entry::User(mut parts) => {
                parts.retain(|part| !matches!(part, UserPart::Text(text) if text.trim().is_empty()));
                if parts.is_empty() {
                    continue;
                }
                if matches!(messages.last(), Some(ChatMessage::Results(_))) {
                    messages.push(assistant(ENDED));
                }
                match messages.last_mut() {
                    Some(ChatMessage::User(before)) => before.extend(parts),
                    _ => messages.push(ChatMessage::User(parts)),
                }
            }
            Entry::Reply { task_id, message, results } => {
                if message.text.is_empty() && message.calls.is_empty() {
                    continue;
                }
                if messages.is_empty() {
                    messages.push(user(BEGIN));
                }
                let follows = matches!(messages.last(), Some(ChatMessage::Assistant(_)));
                if follows && task_id.is_some() && task_id != spoke_in {
                    // As it was asked: a turn that nobody began with words.
                    messages.push(user(GO_ON));
                }
                spoke_in = task_id;
                match messages.last_mut() {
                    Some(ChatMessage::Assistant(before)) => {
                        before.text = joined(&before.text, &message.text);
                        before.thinking.extend(message.thinking);
                        before.calls = message.calls;
                    }
                    _ => messages.push(ChatMessage::Assistant(message)),
                }
                if !results.is_empty() {
                    messages.push(ChatMessage::Results(results));
                }
            }
        }
    }
    if !matches!(messages.last(), Some(ChatMessage::User(_) | ChatMessage::Results(_))) {
        messages.push(user(if messages.is_empty() { BEGIN } else { GO_ON }));
    }
    messages
}

fn assistant(text: &str) -> ChatMessage {
    ChatMessage::Assistant(AssistantMessage { text: text.to_owned(), ..AssistantMessage::default() })
}

fn joined(before: &str, after: &str) -> String {
    [before, after].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests;
