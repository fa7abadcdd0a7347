//! What the two stream machines have in common.

use std::borrow::Cow;
use std::fmt;

use baton_core::models::{ModelError, StopReason};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::errors::Failure;
use crate::events::Events;

/// A vendor's stream as a state machine without I/O. After [`baton_core::models::ModelEvent::End`] it is not asked
/// again.
pub trait Wire: Send + 'static {
    /// Takes the data of one server-sent event.
    fn data(&mut self, data: &str, out: &mut Events) -> Result<(), Failure>;

    /// Whether the vendor said how the answer ended; only usage may still come.
    fn is_complete(&self) -> bool;

    /// The connection ended. [`ModelError::Truncated`] unless the answer was complete.
    fn end(&mut self, out: &mut Events) -> Result<(), ModelError>;
}

/// Text lent from the event wherever it has no escapes. (`Option<Cow<str>>` itself would always be copied.)
///
/// Lookalikes put other things where text belongs: a list of parts counts as their text, an object as its JSON.
pub struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor).map(Text)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Cow::Owned(number.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let mut text = String::new();
        while let Some(part) = parts.next_element::<Value>()? {
            text.push_str(part.as_str().or(part["text"].as_str()).unwrap_or_default());
        }
        Ok(Cow::Owned(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        let object = Map::deserialize(MapAccessDeserializer::new(fields))?;
        Ok(Cow::Owned(Value::Object(object).to_string()))
    }
}

impl Text<'_> {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0.into_owned()
    }
}

/// Servers disagree on what to say when there are calls; having them is what counts.
pub fn settled(stop: StopReason, calls: usize) -> StopReason {
    match (stop, calls) {
        (StopReason::End, 1..) => StopReason::ToolUse,
        (StopReason::ToolUse, 0) => StopReason::End,
        (stop, _) => stop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_lent_where_it_can_be() {
        let table = [
            (r#""plain ü""#, "plain ü"),
            (r#""a\nb""#, "a\nb"),
            ("17", "17"),
            (r#"[{"type":"text","text":"a"},{"type":"thinking","thinking":[]},"b"]"#, "ab"),
            (r#"{"q":1}"#, r#"{"q":1}"#),
        ];
        for (json, expected) in table {
            let text: Text<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(text.as_str(), expected);
            assert_eq!(matches!(text.0, Cow::Borrowed(_)), json == r#""plain ü""#, "{json}");
        }
        assert!(serde_json::from_str::<Option<Text<'_>>>("null").unwrap().is_none());
    }
}
