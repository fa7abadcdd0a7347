//! Cursors as text, and the event of every step, as the stream spells it.

use chrono::DateTime;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::conversations::MessageRole;
use crate::log::{
    CallStep, Handoff, NewStep, ResultStep, Route, Routed, Said, Start, SubtaskCreated, Switched,
};
use crate::models::Usage;
use crate::tools::Nature;

#[test]
fn cursors_are_text_that_grows_pair_wise() {
    let cursor = Cursor { seq: 12, off: 345 };
    assert_eq!("12.345".parse(), Ok(cursor));
    assert_eq!(cursor.to_string(), "12.345");
    assert!(Cursor::at(13) > cursor);
    for wrong in ["", "12", "12.", ".3", "-1.0", "1.-2", "1.2.3", "+1.0", "99999999999999999999.0"] {
        assert!(wrong.parse::<Cursor>().is_err(), "{wrong:?}");
    }
}

fn id<T: From<Uuid>>(number: u128) -> T {
    Uuid::from_u128(number).into()
}

/// Said by agent 1, in message 2 if it is in one.
fn logged(message: Option<u128>, step: Step) -> LoggedStep {
    let new = NewStep { task_id: None, agent_id: id(1), message_id: message.map(id), step };
    new.at(7, DateTime::UNIX_EPOCH)
}

fn spent() -> Spent {
    let usage = Usage {
        input_tokens: 1,
        cache_read_tokens: 2,
        cache_write_tokens: 3,
        output_tokens: 4,
        reasoning_tokens: 5,
    };
    Spent { usage, cost_micros: Some(1_500_000) }
}

fn said(ends: Option<MessageStatus>) -> Step {
    Step::Said(Said {
        blocks: vec![],
        thinking: vec![],
        model: "demo/demo".into(),
        prompt_hash: String::new(),
        spent: spent(),
        stop: None,
        unsent: false,
        ends,
    })
}

fn args() -> Map<String, Value> {
    json!({"to": "Bo"}).as_object().cloned().expect("an object")
}

fn decided(decision: Decision) -> Step {
    Step::ApprovalResolved {
        approval_id: id(5),
        call_id: "call".into(),
        decision,
        by: "Eva".into(),
        reason: Some("Later.".into()),
        remember: true,
        args: Some(args()),
        args_hash: Some("hash".into()),
    }
}

/// Steps that belong to a message, with their events.
fn of_messages() -> Vec<(Step, Value)> {
    let (agent, message, time) = (id::<AgentId>(1), id::<MessageId>(2), DateTime::UNIX_EPOCH);
    let start = Start { agent_name: "Ana".into(), avatar_url: Some("a.png".into()), parts: vec![] };
    let called = CallStep {
        call_id: "call".into(),
        tool_name: "send".into(),
        display_name: "Send".into(),
        args: args(),
        nature: Some(Nature::UNKNOWN),
        loads_skill: false,
        hands_off: false,
        through: None,
    };
    let answered = ResultStep {
        call_id: "call".into(),
        tool_name: "send".into(),
        result: json!({"sent": 1}),
        success: true,
        duration_ms: 12,
        unknown: false,
        wrote: true,
        kept: Vec::new(),
    };
    let subtask = SubtaskCreated {
        call_id: "call".into(),
        conversation_id: id(4),
        task_id: id(9),
        agent_id: id(3),
        agent_name: "Bo".into(),
        depth: 1,
    };
    let asked = Step::ApprovalAsked {
        approval_id: id(5),
        call_id: "call".into(),
        tool_name: "send".into(),
        args: args(),
        expires_at: time,
        preview: None,
    };
    let resolved = |decision: &str| {
        json!({
            "type": "approval_resolved", "messageId": message, "agentId": agent, "approvalId": id::<ApprovalId>(5),
            "toolCallId": "call", "decision": decision, "by": "Eva", "reason": "Later.", "args": args(),
        })
    };
    let mut by_a_person = resolved("approved");
    by_a_person["decidedAt"] = json!(time);
    let ended = |status: &str| json!({"type": "message_complete", "messageId": message, "agentId": agent, "status": status, "timestamp": time});
    let user =
        |synthetic| Step::User { content: "Go".into(), attachments: vec![], web_search: true, synthetic };
    let asks = json!({"type": "user_message", "messageId": message, "content": "Go", "attachments": []});
    let mut by_baton = asks.clone();
    by_baton["synthetic"] = json!(true);
    vec![
        (user(false), asks),
        (user(true), by_baton),
        (
            Step::Call { attempt: 3, start: Some(start), lost: None },
            json!({
                "type": "message_start", "messageId": message, "agentId": agent, "agentName": "Ana",
                "avatarUrl": "a.png", "attempt": 3, "parts": [], "timestamp": time,
            }),
        ),
        (said(Some(MessageStatus::Complete)), ended("complete")),
        (Step::MessageEnd { status: MessageStatus::Stopped }, ended("stopped")),
        (
            Step::ToolCall(called),
            json!({
                "type": "tool_start", "messageId": message, "agentId": agent, "toolCallId": "call",
                "toolName": "send", "displayName": "Send", "args": args(),
            }),
        ),
        (
            Step::ToolResult(answered),
            json!({
                "type": "tool_result", "messageId": message, "agentId": agent, "toolCallId": "call",
                "toolName": "send", "result": {"sent": 1}, "success": true, "durationMs": 12,
            }),
        ),
        (
            Step::SubtaskCreated(subtask),
            json!({
                "type": "subtask_created", "messageId": message, "agentId": agent, "toolCallId": "call",
                "subtask": {"conversationId": id::<ConversationId>(4), "taskId": id::<TaskId>(9)},
            }),
        ),
        (
            asked,
            json!({
                "type": "approval_required", "messageId": message, "agentId": agent,
                "approvalId": id::<ApprovalId>(5), "toolCallId": "call", "toolName": "send", "args": args(),
                "argsHash": arguments_hash("send", &args()), "expiresAt": time,
            }),
        ),
        (decided(Decision::Approved), by_a_person),
        // Nobody looked at the clock.
        (decided(Decision::Expired), resolved("expired")),
        (
            Step::Greeting { agent_name: "Ana".into(), avatar_url: None, text: "Hello.".into() },
            json!({
                "type": "message_start", "messageId": message, "agentId": agent, "agentName": "Ana",
                "avatarUrl": null, "attempt": 1, "parts": [{"type": "text", "text": "Hello."}], "timestamp": time,
            }),
        ),
    ]
}

/// Steps that need no message, with their events.
fn of_conversations() -> Vec<(Step, Value)> {
    let handoff = Handoff {
        id: id(6),
        from: id(1),
        to: id(3),
        to_name: "Bo".into(),
        trigger: Trigger::Model,
        reason: Some("It is theirs.".into()),
        context: args(),
        epoch: 4,
        activation_id: id(8),
        task_id: id(9),
        mode: crate::agents::PermissionMode::Default,
        stage: Some(StageRef { name: "assess".into(), number: 2, of: 3, completed: "qualify".into() }),
        call_id: Some("call".into()),
    };
    let switched = Switched {
        from: id(1),
        to: id(3),
        to_name: "Bo".into(),
        by: Trigger::User,
        epoch: 4,
        activation_id: id(8),
        pinned: true,
    };
    vec![
        (Step::Imported { role: MessageRole::User, content: "Before".into() }, json!({"type": "reset"})),
        (
            Step::Handoff(handoff),
            json!({
                "type": "handoff", "handoffId": id::<TransitionId>(6), "toolCallId": "call",
                "from": id::<AgentId>(1), "to": id::<AgentId>(3), "toName": "Bo", "trigger": "model",
                "reason": "It is theirs.", "context": args(), "epoch": 4,
                "stage": {"name": "assess", "number": 2, "of": 3, "completed": "qualify"},
            }),
        ),
        (
            Step::Switched(switched),
            json!({
                "type": "switched", "from": id::<AgentId>(1), "to": id::<AgentId>(3), "toName": "Bo",
                "by": "user", "epoch": 4, "pinned": true,
            }),
        ),
        (
            Step::Suggested { to: id(3), to_name: "Bo".into() },
            json!({"type": "handoff_suggested", "to": id::<AgentId>(3), "toName": "Bo"}),
        ),
        (
            Step::Error { code: "broken".into(), message: "It broke.".into(), recoverable: true },
            json!({"type": "error", "message": "It broke.", "code": "broken", "recoverable": true}),
        ),
        (
            Step::Done { status: TurnStatus::Completed, spent: spent(), calls: 2 },
            json!({
                "type": "done", "status": "completed", "turnCount": 2,
                "usage": {
                    "inputTokens": 1, "cacheReadTokens": 2, "cacheWriteTokens": 3, "outputTokens": 4,
                    "reasoningTokens": 5, "costUsd": 1.5,
                },
            }),
        ),
    ]
}

#[test]
fn a_step_is_at_most_one_event() {
    for (step, expected) in of_messages() {
        assert_eq!(json!(render(&logged(Some(2), step.clone()))), expected);
        assert_eq!(render(&logged(None, step.clone())), None, "without its message: {step:?}");
    }
    for (step, mut expected) in of_conversations() {
        assert_eq!(json!(render(&logged(None, step.clone()))), expected);
        if matches!(step, Step::Handoff(_) | Step::Error { .. }) {
            expected["messageId"] = json!(id::<MessageId>(2));
        }
        assert_eq!(json!(render(&logged(Some(2), step))), expected, "with a message");
    }
    let routed = Routed {
        decision: Route::Stay,
        to: None,
        summary: None,
        problem: None,
        model: "demo/demo".into(),
        spent: spent(),
        duration_ms: 1,
    };
    let silent = [
        Step::Call { attempt: 1, start: None, lost: None },
        said(None),
        Step::Routed(routed),
        Step::Snapshot { stage: "assess".into(), data: json!({}), stuck: None, refused: None },
        Step::Unknown(json!({"step": "levitated"})),
    ];
    for step in silent {
        assert_eq!(render(&logged(Some(2), step.clone())), None, "{step:?}");
    }
}

#[test]
fn an_event_is_named_by_its_type() {
    let steps = of_messages().into_iter().chain(of_conversations());
    let mut events: Vec<Event> = steps.filter_map(|(step, _)| render(&logged(Some(2), step))).collect();
    let piece = |voice| Piece { voice, text: "Hel", is_complete: true, end: 4 };
    events.extend([
        Event::Session { session_id: id(9), conversation_id: id(4), is_resumed: true, notice: None },
        Event::piece(id(2), id(1), &piece(Voice::Text)),
        Event::piece(id(2), id(1), &piece(Voice::Reasoning)),
        Event::ToolProgress {
            message_id: id(2),
            agent_id: id(1),
            tool_call_id: "call".into(),
            progress: 0.5,
            total: None,
            message: None,
        },
        Event::Lagged { resume_from: "7.0".into() },
    ]);
    for event in &events {
        assert_eq!(json!(event)["type"], event.name());
    }
    let spoken = json!({
        "type": "text", "messageId": id::<MessageId>(2), "agentId": id::<AgentId>(1), "content": "Hel", "isComplete": true,
    });
    assert_eq!(events.iter().filter(|event| json!(event) == spoken).count(), 1);
    let kinds: std::collections::BTreeSet<&str> = events.iter().map(Event::name).collect();
    assert_eq!(kinds.len(), 19, "every type: {kinds:?}");
}

#[test]
fn what_has_no_price_costs_nobody_knows_what() {
    let usage = EventUsage::from(&Spent { cost_micros: None, ..spent() });
    assert_eq!((usage.cost_usd, usage.output_tokens), (None, 4));
    assert_eq!(dollars(2_500_000), 2.5);
}
