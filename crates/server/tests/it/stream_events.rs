//! The events in the OpenAPI document and the events that are sent are the same.

use baton_core::approvals::Decision;
use baton_core::attachments::AttachmentRef;
use baton_core::events::{Event, EventUsage};
use baton_core::handoffs::Trigger;
use baton_core::ids::{
    AgentId, ApprovalId, ChannelId, ChannelMessageId, ConversationId, FileId, MessageId, TaskId, TransitionId,
};
use baton_core::log::{MessageStatus, Spent, StageRef, TurnStatus};
use baton_core::notices::Happened;
use baton_core::parts::SubtaskRef;
use chrono::DateTime;
use serde_json::{Map, Value};

fn schemas(name: &str) -> Vec<Value> {
    let document: Value =
        serde_json::from_str(&baton_server::router::openapi().to_json().expect("json")).expect("json");
    document["components"]["schemas"][name]["oneOf"].as_array().expect("one of several").clone()
}

/// Every field is described, and everything said to be there is there.
fn check(schemas: &[Value], event: &Value) {
    let kind = &event["type"];
    let schema = schemas.iter().find(|schema| schema["properties"]["type"]["enum"][0] == *kind);
    let schema = schema.unwrap_or_else(|| panic!("{kind} is not described"));
    let known = schema["properties"].as_object().expect("properties");
    for field in event.as_object().expect("an object").keys() {
        assert!(known.contains_key(field), "{kind}: {field} is not described");
    }
    for field in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        assert!(event.get(field).is_some(), "{kind}: {field} is missing");
    }
}

#[test]
fn the_document_describes_every_event() {
    let (message_id, agent_id) = (MessageId::new(), AgentId::new());
    let (approval_id, tool_call_id) = (ApprovalId::new(), "c1".to_owned());
    let (tool_name, args) = ("pay".to_owned(), Map::new());
    let timestamp = DateTime::UNIX_EPOCH;
    let about =
        AttachmentRef { id: FileId::new(), name: "x".into(), media_type: "text/plain".into(), size: 1 };
    let text = |content: &str| content.to_owned();
    let events = [
        Event::Session {
            session_id: TaskId::new(),
            conversation_id: ConversationId::new(),
            is_resumed: false,
            notice: Some(text("x")),
        },
        Event::UserMessage { message_id, content: text("x"), attachments: vec![about], synthetic: true },
        Event::MessageStart {
            message_id,
            agent_id,
            agent_name: text("x"),
            avatar_url: None,
            attempt: 1,
            parts: vec![],
            timestamp,
        },
        Event::Text { message_id, agent_id, content: text("x"), is_complete: false },
        Event::Reasoning { message_id, agent_id, content: text("x"), is_complete: true },
        Event::ToolStart {
            message_id,
            agent_id,
            tool_call_id: tool_call_id.clone(),
            tool_name: tool_name.clone(),
            display_name: text("x"),
            args: args.clone(),
        },
        Event::ToolProgress {
            message_id,
            agent_id,
            tool_call_id: tool_call_id.clone(),
            progress: 1.0,
            total: Some(2.0),
            message: Some(text("x")),
        },
        Event::ToolResult {
            message_id,
            agent_id,
            tool_call_id: tool_call_id.clone(),
            tool_name: tool_name.clone(),
            result: Value::Null,
            success: true,
            duration_ms: 1,
        },
        Event::SubtaskCreated {
            message_id,
            agent_id,
            tool_call_id: tool_call_id.clone(),
            subtask: SubtaskRef { conversation_id: ConversationId::new(), task_id: TaskId::new() },
        },
        Event::MessageComplete { message_id, agent_id, status: MessageStatus::Complete, timestamp },
        Event::ApprovalRequired {
            message_id,
            agent_id,
            approval_id,
            tool_call_id: tool_call_id.clone(),
            tool_name,
            args: args.clone(),
            args_hash: text("x"),
            expires_at: timestamp,
            preview: None,
        },
        Event::ApprovalResolved {
            message_id,
            agent_id,
            approval_id,
            tool_call_id,
            decision: Decision::Approved,
            by: text("x"),
            reason: Some(text("x")),
            decided_at: Some(timestamp),
            args: Some(args),
        },
        Event::Handoff {
            message_id: Some(message_id),
            handoff_id: TransitionId::new(),
            tool_call_id: Some(text("x")),
            from: agent_id,
            to: agent_id,
            to_name: text("x"),
            trigger: Trigger::Completion,
            reason: None,
            context: Map::new(),
            epoch: 2,
            stage: Some(StageRef { name: text("b"), number: 2, of: 3, completed: text("a") }),
        },
        Event::Switched {
            from: agent_id,
            to: agent_id,
            to_name: text("x"),
            by: Trigger::User,
            epoch: 2,
            pinned: true,
        },
        Event::HandoffSuggested { to: agent_id, to_name: text("x") },
        Event::Error { message_id: Some(message_id), message: text("x"), code: text("x"), recoverable: true },
        Event::Lagged { resume_from: text("1.0") },
        Event::Reset {},
        Event::Done {
            status: TurnStatus::Completed,
            usage: EventUsage::from(&Spent::NOTHING),
            turn_count: 1,
        },
    ];
    let schemas = schemas("StreamEvent");
    assert_eq!(schemas.len(), events.len());
    for event in events {
        check(&schemas, &serde_json::to_value(event).expect("json"));
    }
}

#[test]
fn the_document_describes_every_notice() {
    let (conversation_id, session_id) = (ConversationId::new(), TaskId::new());
    let (agent_id, approval_id) = (AgentId::new(), ApprovalId::new());
    let (channel_id, posted) = (ChannelId::new(), ChannelMessageId::new());
    let notices = [
        Happened::TurnStarted { conversation_id, session_id, agent_id },
        Happened::TurnEnded { conversation_id, session_id, status: TurnStatus::Failed },
        Happened::ApprovalRequired { conversation_id, approval_id, agent_id, tool_name: "pay".into() },
        Happened::ApprovalResolved { conversation_id, approval_id, decision: Decision::Rejected },
        Happened::Switched {
            conversation_id,
            from: agent_id,
            to: agent_id,
            to_name: "x".into(),
            trigger: Trigger::Router,
            epoch: 3,
        },
        Happened::ConversationChanged { conversation_id },
        Happened::ImportChanged {
            import_id: baton_core::ids::ImportId::new(),
            status: baton_core::data::imports::ImportStatus::Importing,
            read: 3,
            stored: 1,
            duplicates: 1,
            refused: 1,
        },
        Happened::WorkspaceChanged {},
        Happened::DataChanged { kind: "transactions".into() },
        Happened::ChannelChanged { channel_id },
        Happened::ChannelMessage {
            channel_id,
            message_id: posted,
            thread_id: Some(posted),
            change: baton_core::notices::MessageChange::Edited,
        },
        Happened::Mentioned { channel_id, message_id: posted },
    ];
    let schemas = schemas("NoticeEvent");
    assert_eq!(schemas.len(), notices.len() + 1, "and reset");
    for notice in notices {
        check(&schemas, &serde_json::to_value(notice).expect("json"));
    }
}
