//! Folding events into messages. The stored messages are made by this fold, and a client that folds the stream the same
//! way, from any cursor, ends with what is stored.

use crate::approvals::{ApprovalStatus, Decision};
use crate::events::Event;
use crate::ids::{AgentId, MessageId};
use crate::log::MessageStatus;
use crate::models::ModelError;
use crate::parts::{self, CallState, Part};
use crate::tape::Voice;
use serde::{Deserialize, Serialize};

/// An agent's message as events make it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spoken {
    pub id: MessageId,
    pub agent_id: AgentId,
    pub attempt: i32,
    pub status: MessageStatus,
    pub parts: Vec<Part>,
    /// The error that ended the turn.
    pub error: Option<Fault>,
    /// Whether the last part may still grow.
    open: bool,
}

/// Why a turn failed, as it is kept with its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub code: String,
    pub message: String,
    /// Whether trying again can help.
    #[serde(default = "yes")]
    pub recoverable: bool,
}

impl From<&ModelError> for Fault {
    fn from(error: &ModelError) -> Self {
        let recoverable = !matches!(error, ModelError::ContextTooLong);
        Self { code: error.code().to_owned(), message: error.to_string(), recoverable }
    }
}

/// Messages of before this was kept.
fn yes() -> bool {
    true
}

impl Spoken {
    pub fn new(id: MessageId, agent_id: AgentId) -> Self {
        Self {
            id,
            agent_id,
            attempt: 1,
            status: MessageStatus::Streaming,
            parts: Vec::new(),
            error: None,
            open: false,
        }
    }

    /// As it is stored.
    pub fn stored(
        id: MessageId,
        agent_id: AgentId,
        attempt: i32,
        status: MessageStatus,
        parts: Vec<Part>,
    ) -> Self {
        Self { attempt, status, parts, ..Self::new(id, agent_id) }
    }

    pub fn say(&mut self, voice: Voice, text: &str, is_complete: bool) {
        parts::say(&mut self.parts, &mut self.open, voice, text);
        if is_complete {
            self.open = false;
        }
    }

    /// Takes in an event of this message.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::MessageStart { attempt, parts, .. } => {
                self.attempt = *attempt;
                self.status = MessageStatus::Streaming;
                self.parts = parts.clone();
                self.error = None;
                self.open = false;
            }
            Event::Text { content, is_complete, .. } => self.say(Voice::Text, content, *is_complete),
            Event::Reasoning { content, is_complete, .. } => {
                self.say(Voice::Reasoning, content, *is_complete)
            }
            Event::ToolStart { tool_call_id, tool_name, display_name, args, .. } => {
                self.open = false;
                self.parts.push(Part::ToolCall {
                    tool_call_id: tool_call_id.clone(),
                    tool_name: tool_name.clone(),
                    display_name: display_name.clone(),
                    args: args.clone(),
                    result: None,
                    state: CallState::Running,
                    duration_ms: None,
                });
            }
            Event::ToolResult { tool_call_id, result, success, duration_ms, .. } => {
                self.change_call(tool_call_id, |_, state, answer, took| {
                    *state = if *success { CallState::Completed } else { CallState::Error };
                    *answer = Some(result.clone());
                    *took = Some(*duration_ms);
                });
            }
            Event::ApprovalRequired {
                approval_id,
                tool_call_id,
                tool_name,
                args,
                args_hash,
                expires_at,
                ..
            } => {
                self.change_call(tool_call_id, |_, state, _, _| *state = CallState::Pending);
                self.parts.push(Part::Approval {
                    approval_id: *approval_id,
                    tool_call_id: tool_call_id.clone(),
                    tool_name: tool_name.clone(),
                    args: args.clone(),
                    args_hash: args_hash.clone(),
                    expires_at: *expires_at,
                    status: ApprovalStatus::Pending,
                    by: None,
                    reason: None,
                    decided_at: None,
                });
            }
            Event::ApprovalResolved {
                approval_id,
                tool_call_id,
                decision,
                by,
                reason,
                decided_at,
                args,
                ..
            } => {
                self.change_call(tool_call_id, |given, state, _, _| {
                    if *decision == Decision::Approved {
                        *state = CallState::Running;
                    }
                    if let Some(args) = args {
                        *given = args.clone();
                    }
                });
                for part in &mut self.parts {
                    if let Part::Approval {
                        approval_id: id,
                        status,
                        by: who,
                        reason: why,
                        decided_at: when,
                        ..
                    } = part
                        && id == approval_id
                    {
                        *status = (*decision).into();
                        *who = Some(by.clone());
                        why.clone_from(reason);
                        *when = *decided_at;
                    }
                }
            }
            Event::MessageComplete { status, .. } => {
                self.status = *status;
                self.open = false;
            }
            Event::Handoff {
                handoff_id, from, to, to_name, trigger, reason, context, epoch, stage, ..
            } => {
                self.open = false;
                self.parts.push(match stage.clone() {
                    None => Part::Handoff {
                        handoff_id: *handoff_id,
                        from: *from,
                        to: *to,
                        to_name: to_name.clone(),
                        trigger: *trigger,
                        reason: reason.clone(),
                        context: context.clone(),
                        epoch: *epoch,
                    },
                    Some(stage) => Part::Stage {
                        handoff_id: *handoff_id,
                        from: *from,
                        to: *to,
                        to_name: to_name.clone(),
                        epoch: *epoch,
                        name: stage.name,
                        number: stage.number,
                        of: stage.of,
                        completed: stage.completed,
                    },
                });
            }
            Event::Error { code, message, recoverable, .. } => {
                let (code, message) = (code.clone(), message.clone());
                self.error = Some(Fault { code, message, recoverable: *recoverable });
            }
            Event::Session { .. }
            | Event::UserMessage { .. }
            | Event::Switched { .. }
            | Event::HandoffSuggested { .. }
            | Event::Lagged { .. }
            | Event::Reset {}
            | Event::Done { .. } => {}
        }
    }

    fn change_call(
        &mut self,
        call_id: &str,
        change: impl FnOnce(
            &mut serde_json::Map<String, serde_json::Value>,
            &mut CallState,
            &mut Option<serde_json::Value>,
            &mut Option<u64>,
        ),
    ) {
        let call = self.parts.iter_mut().rev().find_map(|part| match part {
            Part::ToolCall { tool_call_id, args, state, result, duration_ms, .. }
                if tool_call_id == call_id =>
            {
                Some((args, state, result, duration_ms))
            }
            _ => None,
        });
        if let Some((args, state, result, duration_ms)) = call {
            change(args, state, result, duration_ms);
        }
    }

    pub fn content(&self) -> String {
        parts::content(&self.parts)
    }
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
