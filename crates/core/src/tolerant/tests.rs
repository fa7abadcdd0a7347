use super::*;
use crate::log::Step;
use serde_json::{Value, json};

const ID: &str = "018f3c1e-0000-7000-8000-000000000000";
const SPENT: &str = r#"{"usage": {"input_tokens": 1, "output_tokens": 1}, "cost_micros": 0}"#;

fn spent() -> Value {
    serde_json::from_str(SPENT).expect("JSON")
}

#[test]
fn unknown_words_are_read_as_what_does_the_least_harm() {
    let usual = [("step", json!("done")), ("calls", json!(1)), ("spent", spent())];
    let done = |status: &str| {
        let mut body: serde_json::Map<_, _> =
            usual.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        body.insert("status".into(), json!(status));
        body.insert("a_new_field".into(), json!([1]));
        Step::read(Value::Object(body))
    };
    assert!(matches!(done("completed"), Step::Done { status: TurnStatus::Completed, calls: 1, .. }));
    assert!(matches!(done("postponed"), Step::Done { status: TurnStatus::Stopped, .. }));

    let resolved = Step::read(json!({
        "step": "approval_resolved", "approval_id": ID, "call_id": "c", "decision": "delegated", "by": "Ana",
    }));
    assert!(matches!(resolved, Step::ApprovalResolved { decision: Decision::Cancelled, .. }));

    let said = Step::read(json!({
        "step": "said", "model": "a/b", "spent": spent(), "stop": "paused", "ends": "parked",
        "blocks": [{"voice": "whisper", "text": "psst"}, {"voice": "text", "text": "Hello."}],
    }));
    let Step::Said(said) = said else { panic!("{said:?}") };
    assert_eq!((said.stop, said.ends), (None, Some(MessageStatus::Stopped)));
    let voices: Vec<Voice> = said.blocks.iter().map(|block| block.voice).collect();
    assert_eq!(voices, [Voice::Reasoning, Voice::Text]);

    let switched = Step::read(json!({
        "step": "switched", "from": ID, "to": ID, "to_name": "B", "by": "calendar", "epoch": 2, "activation_id": ID,
    }));
    assert!(matches!(&switched, Step::Switched(switched) if switched.by == Trigger::Fallback));

    let call = Step::read(json!({
        "step": "tool_call", "call_id": "c", "tool_name": "t", "display_name": "T", "args": {}, "nature": "magic",
    }));
    assert!(matches!(&call, Step::ToolCall(call) if call.nature.is_none()), "it is never run");
}

#[test]
fn a_step_that_is_not_known_is_kept_as_it_is() {
    for body in [
        json!({"step": "levitated", "height": 3}),
        json!({"step": "user", "content": {"now": "an object"}}),
        json!({}),
        json!("not even an object"),
    ] {
        let step = Step::read(body.clone());
        assert_eq!(step, Step::Unknown(body.clone()));
        assert_eq!(step.body().expect("JSON"), body);
    }
}

#[test]
fn a_part_that_is_not_known_is_kept_beside_the_others() {
    let parts = json!([{"type": "text", "text": "Hi."}, {"type": "hologram", "of": ["a", 1]}]);
    let read: Vec<crate::parts::Part> = serde_json::from_value(parts.clone()).expect("parts");
    assert_eq!(crate::parts::content(&read), "Hi.");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), parts);
}
