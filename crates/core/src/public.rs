//! What people at a workspace's public address are sent: no prompts, costs or context of handoffs, and of tools no more
//! than that one is at work.
//!
//! Folding the events made here gives the parts made here: who follows a stream and who reads the conversation see the
//! same.

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

/// The event as such a person sees it; `None` if it is nothing for them.
pub fn event(event: Event) -> Option<Event> {
    Some(match event {
        // What Baton says so that a stage begins is made of the stage before.
        Event::UserMessage { synthetic: true, .. } => return None,
        // Thinking quotes the prompt.
        Event::Reasoning { .. } => return None,
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
                status,
                by,
                reason,
                decided_at,
            }
        }
        Part::Text { .. } | Part::Stage { .. } => part,
    })
}

/// Nothing of a result but that signing in would help.
fn told(result: &Value) -> Value {
    if result["code"] == SIGN_IN { json!({"code": SIGN_IN}) } else { Value::Null }
}

/// What every tool is called there: which ones an agent has is the workspace's own affair.
fn tool() -> String {
    "tool".to_owned()
}

fn working() -> String {
    "Working…".to_owned()
}

/// The message as such a person sees it; `None` if it is nothing for them.
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

/// Why a turn failed, in words for such a person.
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
