use serde_json::{Value, json};

use super::*;
use crate::conversations::MessageRole;
use crate::fold::Spoken;
use crate::ids::{AgentId, ConversationId, MessageId};
use crate::log::MessageStatus;

const ID: &str = "018f3c1e-0000-7000-8000-000000000001";
const AT: &str = "2026-01-02T03:04:05Z";

/// An event of message and agent `ID`, with more fields.
fn of(kind: &str, more: Value) -> Value {
    let mut event = json!({"type": kind, "messageId": ID, "agentId": ID});
    if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
        event.extend(more);
    }
    event
}

fn read(event: Value) -> Event {
    serde_json::from_value(event).expect("an event")
}

fn shown(given: Value) -> Option<Value> {
    event(read(given)).map(|event| serde_json::to_value(event).expect("JSON"))
}

fn handoff(reason: Value, context: Value) -> Value {
    json!({
        "type": "handoff", "messageId": ID, "handoffId": ID, "from": ID, "to": ID, "toName": "Support",
        "trigger": "model", "reason": reason, "context": context, "epoch": 2,
    })
}

/// A tool's names: its own, and what is sent of them.
const OWN: (&str, &str) = ("manageInvoices", "Invoices");
const SENT: (&str, &str) = ("tool", "Working…");

fn call(names: (&str, &str), args: Value, result: Option<Value>) -> Value {
    let mut call = json!({
        "type": "tool-call", "toolCallId": "c", "toolName": names.0, "displayName": names.1, "args": args,
        "state": "completed", "durationMs": 5,
    });
    if let Some(result) = result {
        call["result"] = result;
    }
    call
}

fn error_event(code: &str, message: &str) -> Value {
    json!({"type": "error", "message": message, "code": code, "recoverable": true})
}

#[test]
fn what_is_sent_of_each_event() {
    let start = |parts: Value| {
        let more =
            json!({"agentName": "A", "avatarUrl": null, "attempt": 1, "parts": parts, "timestamp": AT});
        of("message_start", more)
    };
    let tool = |names: (&str, &str), args: Value| {
        let more = json!({"toolCallId": "c", "toolName": names.0, "displayName": names.1, "args": args});
        of("tool_start", more)
    };
    let result = |name: &str, result: Value| {
        let more =
            json!({"toolCallId": "c", "toolName": name, "result": result, "success": true, "durationMs": 5});
        of("tool_result", more)
    };
    let user = json!({"type": "user_message", "messageId": ID, "content": "Hi", "attachments": []});
    let synthetic = json!({"type": "user_message", "messageId": ID, "content": "Snapshot", "attachments": [], "synthetic": true});
    let asked = |name: &str, args: Value| {
        let more =
            json!({"approvalId": ID, "toolCallId": "c", "toolName": name, "args": args, "expiresAt": AT});
        of("approval_required", more)
    };
    let usage = |tokens: u64, cost: Value| {
        json!({
            "inputTokens": tokens, "outputTokens": tokens, "cacheReadTokens": tokens, "cacheWriteTokens": tokens,
            "reasoningTokens": tokens, "costUsd": cost,
        })
    };
    let done = |usage: Value, calls: i32| json!({"type": "done", "status": "completed", "usage": usage, "turnCount": calls});
    let cap = error_event("spend_cap_reached", "This workspace has reached its spending limit.");
    let text = of("text", json!({"content": "Hello", "isComplete": false}));
    let table = [
        (user.clone(), Some(user)),
        (synthetic, None),
        (text.clone(), Some(text)),
        (of("reasoning", json!({"content": "My prompt says", "isComplete": true})), None),
        (
            start(json!([{"type": "reasoning", "reasoning": "Hm"}, call(OWN, json!({"a": 1}), None)])),
            Some(start(json!([call(SENT, json!({}), None)]))),
        ),
        (tool(OWN, json!({"secret": 1})), Some(tool(SENT, json!({})))),
        (result(OWN.0, json!({"secret": 1})), Some(result(SENT.0, Value::Null))),
        (
            result(OWN.0, json!({"error": "Authentication required.", "code": "sign_in_required"})),
            Some(result(SENT.0, json!({"code": "sign_in_required"}))),
        ),
        (asked(OWN.0, json!({"to": "me"})), Some(asked(SENT.0, json!({})))),
        (handoff(json!("A hot lead"), json!({"lead": 7})), Some(handoff(Value::Null, json!({})))),
        (cap, Some(error_event(UNAVAILABLE, UNAVAILABLE_WORDS))),
        (
            error_event("model_key_rejected", "Check the key."),
            Some(error_event(UNAVAILABLE, UNAVAILABLE_WORDS)),
        ),
        (error_event("gave_up", "Try again."), Some(error_event("gave_up", "Try again."))),
        (done(usage(9, json!(0.5)), 3), Some(done(usage(0, Value::Null), 0))),
        (json!({"type": "reset"}), Some(json!({"type": "reset"}))),
    ];
    for (given, expected) in table {
        let kind = given["type"].clone();
        assert_eq!(shown(given), expected, "{kind}");
    }
}

#[test]
fn following_and_reading_show_the_same() {
    let call =
        |id: &str| json!({"toolCallId": id, "toolName": OWN.0, "displayName": OWN.1, "args": {"a": id}});
    let asked = json!({"approvalId": ID, "toolCallId": "two", "toolName": OWN.0, "args": {"a": "two"}, "expiresAt": AT});
    let decided =
        json!({"approvalId": ID, "toolCallId": "two", "decision": "approved", "by": "Ana", "args": {"a": 3}});
    let events = [
        of("text", json!({"content": "Let me", "isComplete": true})),
        of("reasoning", json!({"content": "which tool", "isComplete": true})),
        of("text", json!({"content": "look.", "isComplete": true})),
        of("tool_start", call("one")),
        of(
            "tool_result",
            json!({"toolCallId": "one", "toolName": OWN.0, "result": {"b": 1}, "success": true, "durationMs": 1}),
        ),
        of("tool_start", call("two")),
        of("approval_required", asked),
        of("approval_resolved", decided),
        of(
            "tool_result",
            json!({"toolCallId": "two", "toolName": OWN.0, "result": {"error": "no"}, "success": false, "durationMs": 1}),
        ),
        handoff(json!("why"), json!({"a": 1})),
        of("message_complete", json!({"status": "complete", "timestamp": AT})),
    ];
    let (mut whole, mut less) = (spoken(), spoken());
    for given in events.map(read) {
        whole.apply(&given);
        event(given).iter().for_each(|event| less.apply(event));
        assert_eq!(parts(whole.parts.clone()), less.parts);
    }
    assert_eq!(less.parts.len(), 6);
    let sent = json!(less.parts).to_string();
    assert!(!["\"b\"", OWN.0, OWN.1].iter().any(|secret| sent.contains(secret)), "{sent}");
}

fn spoken() -> Spoken {
    let id = |text: &str| text.parse().expect("an id");
    Spoken::new(MessageId(id(ID)), AgentId(id(ID)))
}

fn stored(metadata: Value, parts: Value) -> Message {
    Message {
        id: MessageId::new(),
        conversation_id: ConversationId::new(),
        seq: 1,
        agent_id: AgentId::new(),
        role: MessageRole::Assistant,
        content: "Hello".into(),
        parts: Some(parts),
        metadata,
        status: MessageStatus::Complete,
        attempt: 1,
        created_at: chrono::DateTime::UNIX_EPOCH,
    }
}

#[test]
fn messages_come_without_models_costs_and_arguments() {
    let told = json!({
        "model": "openai/x", "usage": {"costUsd": 1}, "wrote": true, "webSearch": true, "taskId": "t",
        "error": {"code": "model_rejected", "message": "The model refused the request: key 7", "recoverable": false},
    });
    let given = stored(
        told,
        json!([{"type": "text", "text": "Hello"}, call(OWN, json!({"a": 1}), Some(json!({"b": 2})))]),
    );
    let shown = message(given).expect("a message");
    assert_eq!(
        shown.metadata,
        json!({"webSearch": true, "error": {"code": UNAVAILABLE, "message": UNAVAILABLE_WORDS, "recoverable": false}})
    );
    assert_eq!(
        shown.parts,
        Some(json!([{"type": "text", "text": "Hello"}, call(SENT, json!({}), Some(Value::Null))]))
    );
    assert_eq!(message(stored(json!({"synthetic": true}), json!([]))), None);
    let odd = message(stored(json!({}), json!([{"type": "whatever", "secret": 1}]))).expect("a message");
    assert_eq!(odd.parts, Some(json!([])), "what can't be read is not shown");
}
