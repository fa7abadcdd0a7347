//! What people at a workspace's public address are sent: no prompts, no costs and no context of handoffs. Of a tool
//! call they see only that a tool is at work.
//!
//! Folding the events made here gives the parts made here, so a person who follows the stream and a person who reads
//! the conversation see the same.

use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use crate::conversations::Message;
use crate::events::{Event, EventUsage};
use crate::fold::Fault;
use crate::parts::{CallPart, Part};

/// Errors whose words say nothing about how the workspace is set up.
const TOLD: &[&str] = &[
    "gave_up",
    "newer_version",
    "empty_answer",
    "model_refused",
    "answer_cut_short",
    "stage_unavailable",
    "not_stored",
    "max_turns",
    "model_overloaded",
    "model_truncated",
    "context_too_long",
    "storage_full",
    "storage_unavailable",
];
const SIGN_IN: &str = "sign_in_required";
const UNAVAILABLE: &str = "unavailable";
const UNAVAILABLE_WORDS: &str = "The agent can't answer at the moment. Please try again later.";

/// The event as a visitor or guest sees it; `None` if they don't see it at all.
pub fn event(event: Event) -> Option<Event> {
    Some(match event {
        // Baton's message that begins a stage holds the result of the stage before.
        Event::UserMessage { synthetic: true, .. } => return None,
        // Thinking quotes the prompt.
        Event::Reasoning { .. } => return None,
        // Nobody at the public address is told whom an agent asks.
        Event::SubtaskCreated { .. } => return None,
        // In the tool's words.
        Event::ToolProgress { .. } => return None,
        Event::MessageStart {
            message_id,
            agent_id,
            agent_name,
            avatar_url,
            attempt,
            parts: said,
            timestamp,
        } => {
            let parts = parts(said);
            Event::MessageStart { message_id, agent_id, agent_name, avatar_url, attempt, parts, timestamp }
        }
        Event::ToolStart { message_id, agent_id, tool_call_id, .. } => {
            let (tool_name, display_name, args) = (tool(), working(), Map::new());
            Event::ToolStart { message_id, agent_id, tool_call_id, tool_name, display_name, args }
        }
        Event::ToolResult {
            message_id,
            agent_id,
            tool_call_id,
            tool_name: _,
            result,
            success,
            duration_ms,
        } => {
            let (tool_name, result) = (tool(), told(&result));
            Event::ToolResult { message_id, agent_id, tool_call_id, tool_name, result, success, duration_ms }
        }
        // They decide on nothing; who was a member may have been asked.
        Event::ApprovalRequired { message_id, agent_id, approval_id, tool_call_id, expires_at, .. } => {
            let (tool_name, args, args_hash) = (tool(), Map::new(), String::new());
            Event::ApprovalRequired {
                message_id,
                agent_id,
                approval_id,
                tool_call_id,
                tool_name,
                args,
                args_hash,
                expires_at,
                preview: None,
            }
        }
        Event::ApprovalResolved {
            message_id,
            agent_id,
            approval_id,
            tool_call_id,
            decision,
            by,
            reason: _,
            decided_at,
            args: _,
        } => {
            let (reason, args) = (None, None);
            Event::ApprovalResolved {
                message_id,
                agent_id,
                approval_id,
                tool_call_id,
                decision,
                by,
                reason,
                decided_at,
                args,
            }
        }
        Event::Handoff {
            message_id,
            handoff_id,
            tool_call_id,
            from,
            to,
            to_name,
            trigger,
            reason: _,
            context: _,
            epoch,
            stage,
        } => {
            let (reason, context) = (None, Map::new());
            Event::Handoff {
                message_id,
                handoff_id,
                tool_call_id,
                from,
                to,
                to_name,
                trigger,
                reason,
                context,
                epoch,
                stage,
            }
        }
        Event::Error { message_id, message, code, recoverable } => {
            let (code, message) = error(code, message);
            Event::Error { message_id, message, code, recoverable }
        }
        Event::Done { status, usage: _, turn_count: _ } => {
            Event::Done { status, usage: EventUsage::default(), turn_count: 0 }
        }
        Event::Session { .. }
        | Event::UserMessage { .. }
        | Event::Text { .. }
        | Event::MessageComplete { .. }
        | Event::Switched { .. }
        | Event::HandoffSuggested { .. }
        | Event::Lagged { .. }
        | Event::Reset {} => event,
    })
}

pub fn parts(parts: Vec<Part>) -> Vec<Part> {
    parts.into_iter().filter_map(part).collect()
}

fn part(part: Part) -> Option<Part> {
    Some(match part {
        Part::Reasoning { .. } | Part::Unknown(_) => return None,
        Part::ToolCall(CallPart { tool_call_id, result, state, duration_ms, .. }) => {
            let (tool_name, display_name, args) = (tool(), working(), Map::new());
            let (result, result_seq) = (result.map(|result| told(&result)), None);
            Part::ToolCall(CallPart {
                tool_call_id,
                tool_name,
                display_name,
                args,
                result,
                result_seq,
                state,
                duration_ms,
                subtask: None,
            })
        }
        Part::Handoff {
            handoff_id,
            tool_call_id,
            from,
            to,
            to_name,
            trigger,
            reason: _,
            context: _,
            epoch,
        } => {
            let (reason, context) = (None, Map::new());
            Part::Handoff { handoff_id, tool_call_id, from, to, to_name, trigger, reason, context, epoch }
        }
        Part::Approval {
            approval_id,
            tool_call_id,
            tool_name: _,
            args: _,
            args_hash: _,
            expires_at,
            preview: _,
            status,
            by,
            reason: _,
            decided_at,
        } => {
            let (tool_name, args, args_hash, reason) = (tool(), Map::new(), String::new(), None);
            Part::Approval {
                approval_id,
                tool_call_id,
                tool_name,
                args,
                args_hash,
                expires_at,
                preview: None,
                status,
                by,
                reason,
                decided_at,
            }
        }
        Part::Text { .. } | Part::Stage { .. } => part,
    })
}

/// The only thing that is shown of a result: that signing in would help.
fn told(result: &Value) -> Value {
    if result["code"] == SIGN_IN { json!({"code": SIGN_IN}) } else { Value::Null }
}

/// The name of every tool for visitors and guests: they are not told which tools an agent has.
fn tool() -> String {
    "tool".to_owned()
}

fn working() -> String {
    "Working…".to_owned()
}

/// The message as a visitor or guest sees it; `None` if they don't see it at all.
pub fn message(message: Message) -> Option<Message> {
    if message.is_synthetic() {
        return None;
    }
    let kept = message.parts.and_then(|value| serde_json::from_value::<Vec<Part>>(value).ok());
    let parts = kept.map(|kept| json!(parts(kept)));
    Some(Message { parts, metadata: metadata(&message.metadata), ..message })
}

/// What the person said themselves stays, and why an answer failed, in words for them.
fn metadata(metadata: &Value) -> Value {
    let mut shown = Map::new();
    for name in ["attachments", "imported", "webSearch"] {
        if let Some(value) = metadata.get(name) {
            shown.insert(name.to_owned(), value.clone());
        }
    }
    if let Ok(told) = Fault::deserialize(&metadata["error"]) {
        shown.insert("error".to_owned(), json!(fault(told)));
    }
    Value::Object(shown)
}

/// Why a turn failed, in words for visitors and guests.
pub fn fault(fault: Fault) -> Fault {
    let (code, message) = error(fault.code, fault.message);
    Fault { code, message, ..fault }
}

fn error(code: String, message: String) -> (String, String) {
    if TOLD.contains(&code.as_str()) {
        return (code, message);
    }
    (UNAVAILABLE.to_owned(), UNAVAILABLE_WORDS.to_owned())
}

#[cfg(test)]
mod tests;
