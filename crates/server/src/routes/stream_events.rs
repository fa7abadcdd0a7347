//! The events of streams, as the OpenAPI document describes them. Core makes the events; a test checks that both
//! agree.

use baton_core::approvals::Decision;
use baton_core::data::imports::ImportStatus;
use baton_core::handoffs::Trigger;
use baton_core::log::{MessageStatus, TurnStatus};
use baton_core::notices::MessageChange;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::approvals::PreviewView;
use crate::http::{
    decision_schema, import_status_schema, message_change_schema, message_status_schema, trigger_schema,
    turn_status_schema,
};

/// An event of a conversation's stream. Each carries its cursor as the event's id, save `session`, `lagged` and `reset`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code)]
pub enum StreamEvent {
    /// Opens the answer to a message.
    #[serde(rename_all = "camelCase")]
    Session {
        /// The turn's root task.
        session_id: Uuid,
        conversation_id: Uuid,
        /// Whether the conversation existed.
        is_resumed: bool,
        /// Something the person should know about this request.
        notice: Option<String>,
    },
    #[serde(rename_all = "camelCase")]
    UserMessage {
        message_id: Uuid,
        content: String,
        attachments: Vec<super::attachments::AttachmentView>,
        /// Baton wrote this message to begin a stage: don't show it to people.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[schema(required = false)]
        synthetic: bool,
    },
    /// Begins a message, or begins it again: its parts become these.
    #[serde(rename_all = "camelCase")]
    MessageStart {
        message_id: Uuid,
        agent_id: Uuid,
        agent_name: String,
        #[schema(required)]
        avatar_url: Option<String>,
        attempt: i32,
        #[schema(value_type = Vec<Object>)]
        parts: Value,
        timestamp: DateTime<Utc>,
    },
    /// More of what is said.
    #[serde(rename_all = "camelCase")]
    Text {
        message_id: Uuid,
        agent_id: Uuid,
        content: String,
        /// The block is finished.
        is_complete: bool,
    },
    /// More of what is thought.
    #[serde(rename_all = "camelCase")]
    Reasoning { message_id: Uuid, agent_id: Uuid, content: String, is_complete: bool },
    #[serde(rename_all = "camelCase")]
    ToolStart {
        message_id: Uuid,
        agent_id: Uuid,
        tool_call_id: String,
        tool_name: String,
        display_name: String,
        #[schema(value_type = Object)]
        args: Value,
    },
    /// How far a call is. It has no id and is not stored: who reads later is not told.
    #[serde(rename_all = "camelCase")]
    ToolProgress {
        message_id: Uuid,
        agent_id: Uuid,
        tool_call_id: String,
        /// It grows.
        progress: f64,
        /// What it grows to, if that is known.
        total: Option<f64>,
        /// What the tool says of it.
        message: Option<String>,
    },
    #[serde(rename_all = "camelCase")]
    ToolResult {
        message_id: Uuid,
        agent_id: Uuid,
        tool_call_id: String,
        tool_name: String,
        /// Any JSON.
        result: Value,
        success: bool,
        duration_ms: u64,
    },
    /// The call asked another agent, which works in a conversation of its own.
    #[serde(rename_all = "camelCase")]
    SubtaskCreated { message_id: Uuid, agent_id: Uuid, tool_call_id: String, subtask: SubtaskView },
    #[serde(rename_all = "camelCase")]
    MessageComplete {
        message_id: Uuid,
        agent_id: Uuid,
        #[schema(schema_with = message_status_schema)]
        status: MessageStatus,
        timestamp: DateTime<Utc>,
    },
    /// The turn waits for a decision on this call.
    #[serde(rename_all = "camelCase")]
    ApprovalRequired {
        message_id: Uuid,
        agent_id: Uuid,
        approval_id: Uuid,
        tool_call_id: String,
        tool_name: String,
        #[schema(value_type = Object)]
        args: Value,
        /// Names the arguments: a decision gives it back. Only where there is something to decide.
        args_hash: Option<String>,
        expires_at: DateTime<Utc>,
        /// What the call would change, where its tool can tell.
        preview: Option<PreviewView>,
    },
    #[serde(rename_all = "camelCase")]
    ApprovalResolved {
        message_id: Uuid,
        agent_id: Uuid,
        approval_id: Uuid,
        tool_call_id: String,
        #[schema(schema_with = decision_schema)]
        decision: Decision,
        /// A name.
        by: String,
        reason: Option<String>,
        /// When a person decided.
        decided_at: Option<DateTime<Utc>>,
        /// The arguments, where the person changed them.
        #[schema(value_type = Option<Object>)]
        args: Option<Value>,
    },
    /// Another agent goes on with the turn.
    #[serde(rename_all = "camelCase")]
    Handoff {
        /// The message of the agent that hands off, if it said one.
        message_id: Option<Uuid>,
        handoff_id: Uuid,
        /// The tool call that asked for it, if a model did.
        tool_call_id: Option<String>,
        from: Uuid,
        to: Uuid,
        to_name: String,
        #[schema(schema_with = trigger_schema)]
        trigger: Trigger,
        #[schema(required)]
        reason: Option<String>,
        /// What was passed along.
        #[schema(value_type = Object)]
        context: Value,
        epoch: i64,
        stage: Option<StageView>,
    },
    /// Another agent holds the conversation.
    #[serde(rename_all = "camelCase")]
    Switched {
        from: Uuid,
        to: Uuid,
        to_name: String,
        #[schema(schema_with = trigger_schema)]
        by: Trigger,
        epoch: i64,
        /// A router leaves it with this agent.
        pinned: bool,
    },
    /// The agent said that another takes over, but did not hand off: offer the switch.
    #[serde(rename_all = "camelCase")]
    HandoffSuggested { to: Uuid, to_name: String },
    #[serde(rename_all = "camelCase")]
    Error {
        /// The message it is about.
        message_id: Option<Uuid>,
        message: String,
        code: String,
        recoverable: bool,
    },
    /// This reader could not keep up. Go on from there.
    #[serde(rename_all = "camelCase")]
    Lagged { resume_from: String },
    /// The cursor names no step of this conversation: read the conversation again.
    Reset {},
    /// The turn is over; nothing of it follows.
    #[serde(rename_all = "camelCase")]
    Done {
        #[schema(schema_with = turn_status_schema)]
        status: TurnStatus,
        usage: UsageView,
        /// How often a model was called.
        turn_count: i32,
    },
}

/// Where an agent that was asked works on the answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubtaskView {
    conversation_id: Uuid,
    task_id: Uuid,
}

/// Where a pipeline is: the stage that begins.
#[derive(Serialize, ToSchema)]
pub struct StageView {
    name: String,
    /// From 1.
    number: usize,
    of: usize,
    /// The stage before it, which is completed.
    completed: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageView {
    /// Everything read, cached or not.
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
    reasoning_tokens: u64,
    /// Null when a model without a known price took part.
    #[schema(required)]
    cost_usd: Option<f64>,
}

/// What happened in a workspace.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code)]
pub enum NoticeEvent {
    #[serde(rename_all = "camelCase")]
    TurnStarted { conversation_id: Uuid, session_id: Uuid, agent_id: Uuid },
    #[serde(rename_all = "camelCase")]
    TurnEnded {
        conversation_id: Uuid,
        session_id: Uuid,
        #[schema(schema_with = turn_status_schema)]
        status: TurnStatus,
    },
    #[serde(rename_all = "camelCase")]
    ApprovalRequired { conversation_id: Uuid, approval_id: Uuid, agent_id: Uuid, tool_name: String },
    #[serde(rename_all = "camelCase")]
    ApprovalResolved {
        conversation_id: Uuid,
        approval_id: Uuid,
        #[schema(schema_with = decision_schema)]
        decision: Decision,
    },
    /// Another agent holds it.
    #[serde(rename_all = "camelCase")]
    Switched {
        conversation_id: Uuid,
        from: Uuid,
        to: Uuid,
        to_name: String,
        #[schema(schema_with = trigger_schema)]
        trigger: Trigger,
        epoch: i64,
    },
    /// It was begun, renamed, forked, imported into or deleted.
    #[serde(rename_all = "camelCase")]
    ConversationChanged { conversation_id: Uuid },
    /// A file that comes in got further.
    #[serde(rename_all = "camelCase")]
    ImportChanged {
        import_id: Uuid,
        #[schema(schema_with = import_status_schema)]
        status: ImportStatus,
        read: u64,
        stored: u64,
        duplicates: u64,
        refused: u64,
    },
    /// Its agents, people, rules, skills or settings changed.
    WorkspaceChanged {},
    /// Rows of a kind of data changed; only for who may see them.
    DataChanged { kind: String },
    /// A channel was made or changed, or who is in it, or what the caller has read of it; only for who may read it.
    #[serde(rename_all = "camelCase")]
    ChannelChanged { channel_id: Uuid },
    /// A message of a channel was written, edited or deleted; only for who may read it.
    #[serde(rename_all = "camelCase")]
    ChannelMessage {
        channel_id: Uuid,
        message_id: Uuid,
        /// The message that it replies to.
        thread_id: Option<Uuid>,
        #[schema(schema_with = message_change_schema)]
        change: MessageChange,
    },
    /// A message names the caller, or adds to a thread that they wrote in.
    #[serde(rename_all = "camelCase")]
    Mentioned { channel_id: Uuid, message_id: Uuid },
    /// Some events were missed: read again.
    Reset {},
}
