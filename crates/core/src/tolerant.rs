//! Reading what a newer Baton wrote. While a cluster is upgraded, nodes of two versions share one database, so an older
//! one meets words it doesn't know. It reads each as the word that does the least harm, and never fails over it.

use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Deserializer};

use crate::agents::{Category, PermissionMode};
use crate::approvals::{ApprovalStatus, Decision};
use crate::handoffs::{ActivationStatus, Outcome, Trigger};
use crate::log::{MessageStatus, Route, TurnStatus};
use crate::tape::Voice;

/// What a word is read as that this Baton doesn't know.
pub trait LeastHarm: Sized {
    const UNKNOWN: Self;
}

macro_rules! least_harm {
    ($($(#[$meta:meta])* $word:ty => $unknown:expr;)+) => {$(
        $(#[$meta])*
        impl LeastHarm for $word {
            const UNKNOWN: Self = $unknown;
        }
    )+};
}

least_harm! {
    /// Nothing was allowed.
    Decision => Decision::Cancelled;
    /// Nobody is asked any more.
    ApprovalStatus => ApprovalStatus::Cancelled;
    /// The strictest.
    PermissionMode => PermissionMode::Default;
    /// Made by Baton itself: no person's choice, which would end a turn.
    Trigger => Trigger::Fallback;
    /// Only an activation that says so holds the conversation.
    ActivationStatus => ActivationStatus::Completed;
    Outcome => Outcome::Refused;
    Route => Route::Stay;
    /// It ended, and nobody here can say that it was whole.
    MessageStatus => MessageStatus::Stopped;
    TurnStatus => TurnStatus::Stopped;
    /// Kept, and never taken for the answer.
    Voice => Voice::Reasoning;
    Category => Category::General;
}

/// The word, or what does the least harm.
pub fn read<T: DeserializeOwned + LeastHarm>(text: &str) -> T {
    let text: StrDeserializer<'_, serde::de::value::Error> = StrDeserializer::new(text);
    T::deserialize(text).unwrap_or(T::UNKNOWN)
}

/// For a field of a step.
pub fn word<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + LeastHarm,
{
    String::deserialize(from).map(|text| read(&text))
}

/// For a field that may be left out.
pub fn maybe_word<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + LeastHarm,
{
    Ok(Option::<String>::deserialize(from)?.map(|text| read(&text)))
}

/// For a field whose absence does the least harm.
pub fn known<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    serde_json::Value::deserialize(from).map(|value| serde_json::from_value(value).ok())
}

#[cfg(test)]
mod tests {
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
}
