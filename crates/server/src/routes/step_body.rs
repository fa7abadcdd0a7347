//! A step of the log in the form that people may read: without the fields that are only for vendors and the server.

use baton_core::events::EventUsage;
use baton_core::log::{Routed, Said, Spent, Step};
use baton_core::tape::{Block, Voice};
use serde_json::{Value, json};

/// An object whose `step` says what the other fields are.
pub fn body(step: &Step) -> Value {
    match step {
        Step::Call { attempt, start, lost } => {
            let lost = lost.as_ref().map(usage);
            json!({"step": "call", "attempt": attempt, "begins_message": start.is_some(), "lost_usage": lost})
        }
        Step::Said(said) => spoken(said),
        Step::Routed(routed) => decided(routed),
        Step::Done { status, spent, calls } => {
            json!({"step": "done", "status": status, "calls": calls, "usage": usage(spent)})
        }
        // A step of a newer version may hold what people must not see.
        Step::Unknown(body) => json!({"step": body.get("step")}),
        other => serde_json::to_value(other).unwrap_or_default(),
    }
}

fn usage(spent: &Spent) -> EventUsage {
    EventUsage::from(spent)
}

/// What was thought before a reply, from the step that closes it.
pub fn thought(step: &Step) -> Option<Value> {
    let Step::Said(said) = step else { return None };
    let text = of(&said.blocks, Voice::Reasoning);
    (!text.is_empty()).then(|| json!({"step": "thinking", "text": text}))
}

/// Thinking in the vendor's form and the hash of the prompt stay here.
fn spoken(said: &Said) -> Value {
    json!({
        "step": "said",
        "text": of(&said.blocks, Voice::Text),
        "model": said.model,
        "usage": usage(&said.spent),
        "stop": said.stop,
        "status": said.ends,
    })
}

fn of(blocks: &[Block], voice: Voice) -> String {
    let texts = blocks.iter().filter(|block| block.voice == voice).map(|block| block.text.as_str());
    texts.collect::<Vec<_>>().join("\n\n")
}

fn decided(routed: &Routed) -> Value {
    json!({
        "step": "routed",
        "decision": routed.decision,
        "to": routed.to,
        "summary": routed.summary,
        "problem": routed.problem,
        "model": routed.model,
        "usage": usage(&routed.spent),
        "duration_ms": routed.duration_ms,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use baton_core::log::MessageStatus;
    use baton_core::models::Thinking;

    #[test]
    fn what_was_said_is_told_without_the_vendors_own() {
        let block = |voice, text: &str| Block { voice, text: text.to_owned() };
        let said = Step::Said(Said {
            blocks: vec![
                block(Voice::Reasoning, "Hm."),
                block(Voice::Text, "One."),
                block(Voice::Text, "Two."),
            ],
            thinking: vec![Thinking { text: "Hm.".into(), opaque: None }],
            model: "a/b".into(),
            prompt_hash: "hash".into(),
            spent: Spent::NOTHING,
            stop: None,
            unsent: false,
            ends: Some(MessageStatus::Complete),
        });
        let told = body(&said);
        assert_eq!(told["text"], "One.\n\nTwo.");
        assert_eq!(thought(&said), Some(json!({"step": "thinking", "text": "Hm."})));
        assert_eq!((&told["status"], &told["usage"]["costUsd"]), (&json!("complete"), &json!(0.0)));
        assert!(["thinking", "reasoning", "prompt"].iter().all(|own| told.get(own).is_none()), "told once");
        let other = body(&Step::MessageEnd { status: MessageStatus::Stopped });
        assert_eq!(other, json!({"step": "message_end", "status": "stopped"}));
    }
}
