//! Tool calls as models write them: ids are made unique, arguments are parsed.

use std::collections::HashSet;

use baton_core::models::{ChatMessage, ModelRequest};
use serde_json::{Map, Value};

/// The ids in use: those of the request's history and those of this answer. A vendor that sees the same id twice in
/// one request refuses it.
#[derive(Debug, Default)]
pub struct CallIds {
    taken: HashSet<String>,
    made_up: usize,
}

impl CallIds {
    pub fn of(request: &ModelRequest) -> Self {
        let calls = request.messages.iter().flat_map(|message| match message {
            ChatMessage::Assistant(said) => said.calls.as_slice(),
            _ => &[],
        });
        Self { taken: calls.map(|call| call.id.clone()).collect(), made_up: 0 }
    }

    /// The vendor's id, or a new one where it gave none or one that is taken.
    pub fn unique(&mut self, said: String) -> String {
        let mut id = said;
        while id.is_empty() || !self.taken.insert(id.clone()) {
            id = format!("call_{}", self.made_up);
            self.made_up += 1;
        }
        id
    }
}

/// Nothing at all stands for no arguments.
pub fn arguments(text: String) -> Result<Map<String, Value>, String> {
    if matches!(text.trim(), "" | "null") {
        return Ok(Map::new());
    }
    serde_json::from_str(&text).map_err(|_| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_never_used_twice() {
        let mut ids = CallIds { taken: HashSet::from(["call_0".to_owned(), "a".to_owned()]), made_up: 0 };
        let given = ["", "b", "b", "a", "call_3", ""];
        let made = given.map(|id| ids.unique(id.to_owned()));
        assert_eq!(made, ["call_1", "b", "call_2", "call_3", "call_4", "call_5"]);
    }

    #[test]
    fn arguments_are_an_object_or_stay_text() {
        for nothing in ["", " \n", "null", "{}"] {
            assert_eq!(arguments(nothing.to_owned()), Ok(Map::new()), "{nothing:?}");
        }
        assert_eq!(arguments(r#"{"a":1}"#.into()).unwrap()["a"], 1);
        for raw in [r#"{"a":"#, "[1]", "\"text\""] {
            assert_eq!(arguments(raw.to_owned()), Err(raw.to_owned()));
        }
    }
}
