//! Folding events into messages. The stored messages are made by this fold. A client that folds the stream in the same
//! way, from any cursor, ends with what is stored.

use crate::approvals::{ApprovalStatus, Decision};
use crate::events::{Event, render};
use crate::ids::{AgentId, MessageId};
use crate::log::{LoggedStep, MessageStatus, Step};
use crate::models::ModelError;
use crate::parts::{self, CallPart, CallState, Part};
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

/// For messages stored before this field existed.
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

    /// Takes in a step of this message. Of a result it keeps only where it is stored.
    pub fn take(&mut self, logged: &LoggedStep) {
        match &logged.step {
            Step::ToolResult(result) => {
                self.answer(&result.call_id, result.success, result.duration_ms, |call| {
                    call.result_seq = Some(logged.seq);
                });
            }
            Step::Said(said) => {
                said.blocks.iter().for_each(|block| self.say(block.voice, &block.text, true));
                said.ends.into_iter().for_each(|status| self.end(status));
            }
            _ => render(logged).iter().for_each(|event| self.apply(event)),
        }
    }

    /// Takes in an event of this message.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::MessageStart { attempt, parts, .. } => {
                self.attempt = *attempt;
                self.status = MessageStatus::Streaming;
                let before = std::mem::replace(&mut self.parts, parts.clone());
                self.keep_results(before);
                self.error = None;
                self.open = false;
            }
            Event::Text { content, is_complete, .. } => self.say(Voice::Text, content, *is_complete),
            Event::Reasoning { content, is_complete, .. } => {
                self.say(Voice::Reasoning, content, *is_complete)
            }
            Event::ToolStart { tool_call_id, tool_name, display_name, args, .. } => {
                self.open = false;
                self.parts.push(Part::ToolCall(CallPart {
                    tool_call_id: tool_call_id.clone(),
                    tool_name: tool_name.clone(),
                    display_name: display_name.clone(),
                    args: args.clone(),
                    result: None,
                    result_seq: None,
                    state: CallState::Running,
                    duration_ms: None,
                    subtask: None,
                }));
            }
            Event::SubtaskCreated { tool_call_id, subtask, .. } => {
                self.call(tool_call_id).into_iter().for_each(|call| call.subtask = Some(*subtask));
            }
            Event::ToolResult { tool_call_id, result, success, duration_ms, .. } => {
                self.answer(tool_call_id, *success, *duration_ms, |call| {
                    call.result = Some(result.clone());
                });
            }
            Event::ApprovalRequired {
                approval_id,
                tool_call_id,
                tool_name,
                args,
                args_hash,
                expires_at,
                preview,
                ..
            } => {
                self.call(tool_call_id).into_iter().for_each(|call| call.state = CallState::Pending);
                self.parts.push(Part::Approval {
                    approval_id: *approval_id,
                    tool_call_id: tool_call_id.clone(),
                    tool_name: tool_name.clone(),
                    args: args.clone(),
                    args_hash: args_hash.clone(),
                    expires_at: *expires_at,
                    preview: preview.clone(),
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
                if let Some(call) = self.call(tool_call_id) {
                    if *decision == Decision::Approved {
                        call.state = CallState::Running;
                    }
                    args.iter().for_each(|args| call.args.clone_from(args));
                }
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
            Event::MessageComplete { status, .. } => self.end(*status),
            Event::Handoff {
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
                ..
            } => {
                self.open = false;
                self.parts.push(match stage.clone() {
                    None => Part::Handoff {
                        handoff_id: *handoff_id,
                        tool_call_id: tool_call_id.clone(),
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
                        tool_call_id: tool_call_id.clone(),
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
            | Event::ToolProgress { .. }
            | Event::Switched { .. }
            | Event::HandoffSuggested { .. }
            | Event::Lagged { .. }
            | Event::Reset {}
            | Event::Done { .. } => {}
        }
    }

    fn answer(&mut self, call_id: &str, success: bool, duration_ms: u64, keep: impl FnOnce(&mut CallPart)) {
        if let Some(call) = self.call(call_id) {
            call.state = if success { CallState::Completed } else { CallState::Error };
            call.duration_ms = Some(duration_ms);
            keep(call);
        }
    }

    fn end(&mut self, status: MessageStatus) {
        self.status = status;
        self.open = false;
    }

    /// A message that begins again only names the steps that hold its results. Its readers have received these
    /// results already and keep them.
    fn keep_results(&mut self, before: Vec<Part>) {
        let mut heard = before.into_iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        });
        for part in &mut self.parts {
            if let Part::ToolCall(call) = part
                && let Some(heard) = heard.next()
                && heard.tool_call_id == call.tool_call_id
                && let Some(result) = heard.result
            {
                call.result.get_or_insert(result);
                call.result_seq = None;
            }
        }
    }

    fn call(&mut self, call_id: &str) -> Option<&mut CallPart> {
        self.parts.iter_mut().rev().find_map(|part| match part {
            Part::ToolCall(call) if call.tool_call_id == call_id => Some(call),
            _ => None,
        })
    }

    pub fn content(&self) -> String {
        parts::content(&self.parts)
    }
}

#[cfg(test)]
mod tests;
