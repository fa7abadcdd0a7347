//! The events that readers of a conversation's stream see, their cursors, and the one function that renders a step as
//! an event.
//!
//! A step is at most one event. While a model speaks, readers get pieces of the call's tape; these pieces have no step
//! of their own until the call closes.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::approvals::{Decision, arguments_hash};
use crate::attachments::AttachmentRef;
use crate::handoffs::Trigger;
use crate::ids::{AgentId, ApprovalId, ConversationId, MessageId, TaskId, TransitionId};
use crate::log::{LoggedStep, MessageStatus, Spent, StageRef, Step, TurnStatus};
use crate::parts::{Part, SubtaskRef};
use crate::tape::{Piece, Voice};
use crate::tools::Preview;

/// Where a reader is: the last stored step seen, and how much of the tape of the call that step opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cursor {
    pub seq: i64,
    pub off: u64,
}

impl Cursor {
    pub fn at(seq: i64) -> Self {
        Self { seq, off: 0 }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.seq, self.off)
    }
}

impl FromStr for Cursor {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let (seq, off) = text.split_once('.').ok_or(())?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(seq) || !digits(off) {
            return Err(());
        }
        Ok(Self { seq: seq.parse().map_err(drop)?, off: off.parse().map_err(drop)? })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    Session {
        session_id: TaskId,
        conversation_id: ConversationId,
        is_resumed: bool,
        /// Something the person should know about this request.
        #[serde(skip_serializing_if = "Option::is_none")]
        notice: Option<String>,
    },
    UserMessage {
        message_id: MessageId,
        content: String,
        attachments: Vec<AttachmentRef>,
        /// Said by Baton, so that a stage begins: not for people to see.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        synthetic: bool,
    },
    MessageStart {
        message_id: MessageId,
        agent_id: AgentId,
        agent_name: String,
        avatar_url: Option<String>,
        attempt: i32,
        parts: Vec<Part>,
        timestamp: DateTime<Utc>,
    },
    Text {
        message_id: MessageId,
        agent_id: AgentId,
        content: String,
        is_complete: bool,
    },
    Reasoning {
        message_id: MessageId,
        agent_id: AgentId,
        content: String,
        is_complete: bool,
    },
    ToolStart {
        message_id: MessageId,
        agent_id: AgentId,
        tool_call_id: String,
        tool_name: String,
        display_name: String,
        args: Map<String, Value>,
    },
    /// How far a call is. Told to those who read now, without a cursor: nothing of it is stored.
    ToolProgress {
        message_id: MessageId,
        agent_id: AgentId,
        tool_call_id: String,
        progress: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    ToolResult {
        message_id: MessageId,
        agent_id: AgentId,
        tool_call_id: String,
        tool_name: String,
        result: Value,
        success: bool,
        duration_ms: u64,
        /// Files of the result that the person can open.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        kept: Vec<AttachmentRef>,
    },
    /// A call asked another agent: where that one works on the answer.
    SubtaskCreated {
        message_id: MessageId,
        agent_id: AgentId,
        tool_call_id: String,
        subtask: SubtaskRef,
    },
    MessageComplete {
        message_id: MessageId,
        agent_id: AgentId,
        status: MessageStatus,
        timestamp: DateTime<Utc>,
    },
    ApprovalRequired {
        message_id: MessageId,
        agent_id: AgentId,
        approval_id: ApprovalId,
        tool_call_id: String,
        tool_name: String,
        args: Map<String, Value>,
        /// Names the arguments: a decision gives it back.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        args_hash: String,
        expires_at: DateTime<Utc>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preview: Option<Preview>,
    },
    ApprovalResolved {
        message_id: MessageId,
        agent_id: AgentId,
        approval_id: ApprovalId,
        tool_call_id: String,
        decision: Decision,
        by: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// When a person decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decided_at: Option<DateTime<Utc>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        args: Option<Map<String, Value>>,
    },
    Handoff {
        /// The message of the agent that hands off, if it said one.
        #[serde(skip_serializing_if = "Option::is_none")]
        message_id: Option<MessageId>,
        handoff_id: TransitionId,
        /// The call that asked for it, if a model did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
        from: AgentId,
        to: AgentId,
        to_name: String,
        trigger: Trigger,
        reason: Option<String>,
        context: Map<String, Value>,
        epoch: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        stage: Option<StageRef>,
    },
    Switched {
        from: AgentId,
        to: AgentId,
        to_name: String,
        by: Trigger,
        epoch: i64,
        /// A router leaves it with this agent.
        #[serde(default)]
        pinned: bool,
    },
    HandoffSuggested {
        to: AgentId,
        to_name: String,
    },
    Error {
        /// The message it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message_id: Option<MessageId>,
        message: String,
        code: String,
        recoverable: bool,
    },
    Lagged {
        resume_from: String,
    },
    Reset {},
    Done {
        status: TurnStatus,
        usage: EventUsage,
        turn_count: i32,
    },
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventUsage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cache_read_tokens: u64,
    pub cache_write_tokens: u64,
    pub reasoning_tokens: u64,
    /// Null: a model without a price took part.
    pub cost_usd: Option<f64>,
}

impl From<&Spent> for EventUsage {
    fn from(Spent { usage, cost_micros }: &Spent) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: usage.cache_read_tokens,
            cache_write_tokens: usage.cache_write_tokens,
            reasoning_tokens: usage.reasoning_tokens,
            cost_usd: cost_micros.map(dollars),
        }
    }
}

pub fn dollars(micros: i64) -> f64 {
    micros as f64 / 1_000_000.0
}

impl Event {
    /// The word in SSE's `event:` line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Session { .. } => "session",
            Self::UserMessage { .. } => "user_message",
            Self::MessageStart { .. } => "message_start",
            Self::Text { .. } => "text",
            Self::Reasoning { .. } => "reasoning",
            Self::ToolStart { .. } => "tool_start",
            Self::ToolProgress { .. } => "tool_progress",
            Self::ToolResult { .. } => "tool_result",
            Self::SubtaskCreated { .. } => "subtask_created",
            Self::MessageComplete { .. } => "message_complete",
            Self::ApprovalRequired { .. } => "approval_required",
            Self::ApprovalResolved { .. } => "approval_resolved",
            Self::Handoff { .. } => "handoff",
            Self::Switched { .. } => "switched",
            Self::HandoffSuggested { .. } => "handoff_suggested",
            Self::Error { .. } => "error",
            Self::Lagged { .. } => "lagged",
            Self::Reset {} => "reset",
            Self::Done { .. } => "done",
        }
    }

    pub fn piece(message_id: MessageId, agent_id: AgentId, piece: &Piece<'_>) -> Self {
        let (content, is_complete) = (piece.text.to_owned(), piece.is_complete);
        match piece.voice {
            Voice::Text => Self::Text { message_id, agent_id, content, is_complete },
            Voice::Reasoning => Self::Reasoning { message_id, agent_id, content, is_complete },
        }
    }
}

/// The event of a step, if it has one.
pub fn render(logged: &LoggedStep) -> Option<Event> {
    let agent_id = logged.agent_id;
    let message_id = logged.message_id;
    Some(match &logged.step {
        Step::User { content, attachments, synthetic, .. } => Event::UserMessage {
            message_id: message_id?,
            content: content.clone(),
            attachments: attachments.clone(),
            synthetic: *synthetic,
        },
        // Imports are there when a conversation is read; a stream that meets one tells its reader to read again.
        Step::Imported { .. } => Event::Reset {},
        Step::Call { start: None, .. } => return None,
        Step::Call { attempt, start: Some(start), .. } => Event::MessageStart {
            message_id: message_id?,
            agent_id,
            agent_name: start.agent_name.clone(),
            avatar_url: start.avatar_url.clone(),
            attempt: *attempt,
            parts: start.parts.clone(),
            timestamp: logged.at,
        },
        Step::Said(said) => Event::MessageComplete {
            message_id: message_id?,
            agent_id,
            status: said.ends?,
            timestamp: logged.at,
        },
        Step::MessageEnd { status } => Event::MessageComplete {
            message_id: message_id?,
            agent_id,
            status: *status,
            timestamp: logged.at,
        },
        Step::ToolCall(call) => Event::ToolStart {
            message_id: message_id?,
            agent_id,
            tool_call_id: call.call_id.clone(),
            tool_name: call.tool_name.clone(),
            display_name: call.display_name.clone(),
            args: call.args.clone(),
        },
        Step::ToolResult(result) => Event::ToolResult {
            message_id: message_id?,
            agent_id,
            tool_call_id: result.call_id.clone(),
            tool_name: result.tool_name.clone(),
            result: result.result.clone(),
            success: result.success,
            duration_ms: result.duration_ms,
            kept: result.kept.clone(),
        },
        Step::ApprovalAsked { approval_id, call_id, tool_name, args, expires_at, preview } => {
            Event::ApprovalRequired {
                message_id: message_id?,
                agent_id,
                approval_id: *approval_id,
                tool_call_id: call_id.clone(),
                tool_name: tool_name.clone(),
                args: args.clone(),
                args_hash: arguments_hash(tool_name, args),
                expires_at: *expires_at,
                preview: preview.as_ref().map(Preview::told),
            }
        }
        Step::ApprovalResolved { approval_id, call_id, decision, by, reason, args, .. } => {
            Event::ApprovalResolved {
                message_id: message_id?,
                agent_id,
                approval_id: *approval_id,
                tool_call_id: call_id.clone(),
                decision: *decision,
                by: by.clone(),
                reason: reason.clone(),
                decided_at: decision.is_a_persons().then_some(logged.at),
                args: args.clone(),
            }
        }
        Step::SubtaskCreated(created) => Event::SubtaskCreated {
            message_id: message_id?,
            agent_id,
            tool_call_id: created.call_id.clone(),
            subtask: SubtaskRef { conversation_id: created.conversation_id, task_id: created.task_id },
        },
        Step::Routed(_) | Step::Snapshot { .. } | Step::Unknown(_) => return None,
        Step::Handoff(handoff) => Event::Handoff {
            message_id,
            handoff_id: handoff.id,
            tool_call_id: handoff.call_id.clone(),
            from: handoff.from,
            to: handoff.to,
            to_name: handoff.to_name.clone(),
            trigger: handoff.trigger,
            reason: handoff.reason.clone(),
            context: handoff.context.clone(),
            epoch: handoff.epoch,
            stage: handoff.stage.clone(),
        },
        Step::Switched(switched) => Event::Switched {
            from: switched.from,
            to: switched.to,
            to_name: switched.to_name.clone(),
            by: switched.by,
            epoch: switched.epoch,
            pinned: switched.pinned,
        },
        Step::Greeting { agent_name, avatar_url, text } => Event::MessageStart {
            message_id: message_id?,
            agent_id,
            agent_name: agent_name.clone(),
            avatar_url: avatar_url.clone(),
            attempt: 1,
            parts: vec![Part::Text { text: text.clone() }],
            timestamp: logged.at,
        },
        Step::Suggested { to, to_name } => Event::HandoffSuggested { to: *to, to_name: to_name.clone() },
        Step::Error { code, message, recoverable } => Event::Error {
            message_id,
            message: message.clone(),
            code: code.clone(),
            recoverable: *recoverable,
        },
        Step::Done { status, spent, calls } => {
            Event::Done { status: *status, usage: EventUsage::from(spent), turn_count: *calls }
        }
    })
}

#[cfg(test)]
mod tests;
