//! What each event makes of a message.

use super::*;
use chrono::Utc;
use serde_json::{Map, Value, json};

const ID: &str = "018f3c1e-0000-7000-8000-000000000001";
const OTHER: &str = "018f3c1e-0000-7000-8000-000000000002";
const AT: &str = "2026-01-02T03:04:05Z";

fn read(kind: &str, more: Value) -> Event {
    let mut event = json!({"type": kind, "messageId": ID, "agentId": ID});
    if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
        event.extend(more);
    }
    serde_json::from_value(event).expect("an event")
}

fn fresh() -> Spoken {
    Spoken::new(MessageId::new(), AgentId::new())
}

fn after(events: &[(&str, Value)]) -> Spoken {
    let mut spoken = fresh();
    events.iter().for_each(|(kind, more)| spoken.apply(&read(kind, more.clone())));
    spoken
}

/// Takes in a stored step, with the number 9.
fn take(spoken: &mut Spoken, step: Value) {
    spoken.take(&LoggedStep {
        seq: 9,
        task_id: None,
        agent_id: spoken.agent_id,
        message_id: Some(spoken.id),
        step: serde_json::from_value(step).expect("a step"),
        at: Utc::now(),
    });
}

fn call(id: &str) -> (&'static str, Value) {
    ("tool_start", json!({"toolCallId": id, "toolName": "send", "displayName": "Send", "args": {"to": id}}))
}

fn asked(approval: &str, id: &str) -> (&'static str, Value) {
    let more =
        json!({"approvalId": approval, "toolCallId": id, "toolName": "send", "args": {}, "expiresAt": AT});
    ("approval_required", more)
}

fn decided(decision: &str) -> (&'static str, Value) {
    let more = json!({
        "approvalId": OTHER, "toolCallId": "two", "decision": decision, "by": "Eva", "reason": "Why not",
        "decidedAt": AT, "args": {"to": "me"},
    });
    ("approval_resolved", more)
}

/// State, arguments and answer of each call.
type Calls = Vec<(CallState, Value, Option<Value>)>;
/// Status and decider of each question.
type Questions = Vec<(ApprovalStatus, Option<String>)>;

fn seen(spoken: &Spoken) -> (Calls, Questions) {
    let calls = spoken.parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) => Some((call.state, json!(call.args), call.result.clone())),
        _ => None,
    });
    let questions = spoken.parts.iter().filter_map(|part| match part {
        Part::Approval { status, by, .. } => Some((*status, by.clone())),
        _ => None,
    });
    (calls.collect(), questions.collect())
}

#[test]
fn a_result_belongs_to_its_call() {
    let answer = |id: &str, success: bool| {
        let more =
            json!({"toolCallId": id, "toolName": "send", "result": id, "success": success, "durationMs": 1});
        ("tool_result", more)
    };
    let spoken = after(&[call("one"), call("two"), call("three"), answer("one", true), answer("two", false)]);
    let (calls, _) = seen(&spoken);
    let wanted = [
        (CallState::Completed, json!({"to": "one"}), Some(json!("one"))),
        (CallState::Error, json!({"to": "two"}), Some(json!("two"))),
        (CallState::Running, json!({"to": "three"}), None),
    ];
    assert_eq!(calls, wanted);
    let (calls, _) = seen(&after(&[call("one"), answer("else", true)]));
    assert_eq!(calls, [(CallState::Running, json!({"to": "one"}), None)], "that was no answer to it");
}

#[test]
fn a_message_that_begins_again_keeps_the_results_that_were_heard() {
    let answer = |id: &str| {
        (
            "tool_result",
            json!({"toolCallId": id, "toolName": "send", "result": id, "success": true, "durationMs": 1}),
        )
    };
    let part = |id: &str, more: Value| {
        let mut part = json!({"type": "tool-call", "toolCallId": id, "toolName": "send", "displayName": "Send", "args": {}});
        part.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        part
    };
    let done = json!({"state": "completed", "resultSeq": 4});
    let again = |parts: Value| {
        let more =
            json!({"agentName": "Ana", "avatarUrl": null, "attempt": 2, "parts": parts, "timestamp": AT});
        ("message_start", more)
    };
    let heard = [call("one"), call("one"), answer("one"), call("two"), answer("two")];
    let begun = again(json!([
        part("one", json!({"state": "running"})),
        part("one", done.clone()),
        part("two", done.clone())
    ]));
    let results =
        |spoken: &Spoken| seen(spoken).0.into_iter().map(|(_, _, result)| result).collect::<Vec<_>>();
    assert_eq!(
        results(&after(&[&heard[..], &[begun]].concat())),
        [None, Some(json!("one")), Some(json!("two"))]
    );
    let told = again(json!([part("one", json!({"state": "completed", "result": 5})), part("other", done)]));
    assert_eq!(
        results(&after(&[&heard[..], &[told]].concat())),
        [Some(json!(5)), None],
        "of another call nothing is kept"
    );
}

#[test]
fn of_a_result_a_step_leaves_only_where_it_stands() {
    let mut spoken = after(&[call("one")]);
    let step = json!({"step": "tool_result", "call_id": "one", "tool_name": "send", "result": {"n": 1}, "success": false, "duration_ms": 3});
    take(&mut spoken, step);
    let Some(Part::ToolCall(call)) = spoken.parts.last() else { panic!("{spoken:?}") };
    assert_eq!((call.state, call.result_seq, call.duration_ms), (CallState::Error, Some(9), Some(3)));
    assert_eq!(call.result, None);
}

#[test]
fn a_step_that_closes_a_call_leaves_its_blocks_and_ends_the_message_if_it_says_so() {
    let blocks = json!([{"voice": "text", "text": "Hello."}, {"voice": "reasoning", "text": "Hm."}]);
    let spent = serde_json::to_value(crate::log::Spent::NOTHING).expect("JSON");
    let parts = vec![Part::Text { text: "Hello.".into() }, Part::Reasoning { reasoning: "Hm.".into() }];
    for (ends, status) in [(Value::Null, MessageStatus::Streaming), (json!("failed"), MessageStatus::Failed)]
    {
        let mut spoken = fresh();
        let mut step = json!({"step": "said", "blocks": blocks, "model": "a/b", "spent": spent});
        step["ends"] = ends;
        take(&mut spoken, step);
        assert_eq!((&spoken.parts, spoken.status), (&parts, status));
    }
}

#[test]
fn a_decision_belongs_to_its_question() {
    let before = [call("one"), call("two"), asked(ID, "one"), asked(OTHER, "two")];
    let with = |decision: &str| seen(&after(&[&before[..], &[decided(decision)]].concat()));
    let one = (CallState::Pending, json!({"to": "one"}), None);
    let waits = (ApprovalStatus::Pending, None);
    let eva = Some("Eva".to_owned());
    let table = [
        ("approved", CallState::Running, ApprovalStatus::Approved),
        ("rejected", CallState::Pending, ApprovalStatus::Rejected),
        ("expired", CallState::Pending, ApprovalStatus::Expired),
        ("cancelled", CallState::Pending, ApprovalStatus::Cancelled),
    ];
    for (decision, state, status) in table {
        let two = (state, json!({"to": "me"}), None);
        let wanted = (vec![one.clone(), two], vec![waits.clone(), (status, eva.clone())]);
        assert_eq!(with(decision), wanted, "{decision}");
    }
    let spoken = after(&[&before[..], &[decided("rejected")]].concat());
    let Some(Part::Approval { reason, decided_at, .. }) = spoken.parts.last() else { panic!("{spoken:?}") };
    assert_eq!((reason.as_deref(), decided_at.is_some()), (Some("Why not"), true));
}

#[test]
fn what_is_said_is_cut_where_a_block_ends_or_a_tool_is_called() {
    let text =
        |content: &str, is_complete: bool| ("text", json!({"content": content, "isComplete": is_complete}));
    let said = |events: &[(&str, Value)]| after(events).content();
    assert_eq!(said(&[text("Hel", false), text("lo", true), text("again", false)]), "Hello\n\nagain");
    assert_eq!(said(&[text("Hel", false), call("one"), text("lo", false)]), "Hel\n\nlo");
    let thought = ("reasoning", json!({"content": "Hm", "isComplete": false}));
    assert_eq!(said(&[text("Hel", false), thought, text("lo", false)]), "Hel\n\nlo", "thinking is no text");
}

#[test]
fn a_message_begins_anew_with_the_parts_that_are_stored() {
    let mut spoken = after(&[("text", json!({"content": "Half an ans", "isComplete": false}))]);
    spoken.apply(&read("error", json!({"code": "gave_up", "message": "No.", "recoverable": false})));
    let fault = Fault { code: "gave_up".into(), message: "No.".into(), recoverable: false };
    assert_eq!(spoken.error, Some(fault));
    spoken.apply(&read("message_complete", json!({"status": "failed", "timestamp": AT})));
    assert_eq!(spoken.status, MessageStatus::Failed);
    let kept = json!([{"type": "text", "text": "Kept."}]);
    let more = json!({"agentName": "A", "avatarUrl": null, "attempt": 2, "parts": kept, "timestamp": AT});
    spoken.apply(&read("message_start", more));
    let parts = vec![Part::Text { text: "Kept.".into() }];
    let stored = Spoken::stored(spoken.id, spoken.agent_id, 2, MessageStatus::Streaming, parts);
    assert_eq!(spoken, stored);
    spoken.apply(&read("text", json!({"content": "More.", "isComplete": false})));
    assert_eq!(spoken.content(), "Kept.\n\nMore.", "what is kept is whole");
    let complete = Spoken::stored(spoken.id, spoken.agent_id, 1, MessageStatus::Complete, vec![]);
    assert_eq!((complete.attempt, complete.status, complete.parts), (1, MessageStatus::Complete, vec![]));
}

#[test]
fn trying_again_helps_unless_the_conversation_is_too_long() {
    assert!(!Fault::from(&ModelError::ContextTooLong).recoverable);
    for error in [ModelError::Overloaded, ModelError::Truncated, ModelError::KeyRejected] {
        let fault = Fault::from(&error);
        assert_eq!((fault.code.as_str(), fault.recoverable), (error.code(), true));
    }
    let old: Map<String, Value> = [("code", "gave_up"), ("message", "No.")]
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .into_iter()
        .collect();
    let fault: Fault = serde_json::from_value(Value::Object(old)).expect("a fault");
    assert!(fault.recoverable, "of before it was kept");
}
