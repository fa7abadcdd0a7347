//! Puts tool calls together from their pieces.
//!
//! What is hard: pieces belong together by `index`, but servers leave it out, send 0 for all, leave the id out or
//! repeat it. A piece that names a tool and does not fit the call it would be added to begins a new call.

use baton_core::models::SaidCall;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::calls::{CallIds, arguments};
use crate::wire::Text;

#[derive(Deserialize)]
pub struct Piece<'a> {
    index: Option<u64>,
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    function: Option<Function<'a>>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    arguments: Option<Text<'a>>,
}

#[derive(Debug, Default)]
pub struct CallPieces(Vec<Call>);

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl CallPieces {
    pub fn push(&mut self, piece: Piece<'_>) {
        let id = piece.id.as_ref().map_or("", Text::as_str);
        let function = piece.function.as_ref();
        let name = function.and_then(|function| function.name.as_ref()).map_or("", Text::as_str);
        let more = function.and_then(|function| function.arguments.as_ref()).map_or("", Text::as_str);
        let found = match (piece.index, id) {
            (Some(index), _) => self.0.iter().rposition(|call| call.index == Some(index)),
            (None, "") => self.0.len().checked_sub(1),
            (None, id) => match self.0.iter().rposition(|call| call.id == id) {
                None if name.is_empty() => self.0.len().checked_sub(1),
                found => found,
            },
        };
        let call = match found.filter(|&at| self.0[at].takes(id, name, more)) {
            Some(at) => &mut self.0[at],
            None => {
                self.0.push(Call { index: piece.index, ..Call::default() });
                let last = self.0.len() - 1;
                &mut self.0[last]
            }
        };
        if call.id.is_empty() {
            call.id.push_str(id);
        }
        if call.name.is_empty() {
            call.name.push_str(name);
        }
        call.arguments.push_str(more);
    }

    /// The calls in the order in which they began.
    pub fn finish(&mut self, ids: &mut CallIds) -> Vec<SaidCall> {
        let calls = std::mem::take(&mut self.0).into_iter().map(|call| SaidCall {
            id: ids.unique(call.id),
            name: call.name,
            arguments: arguments(call.arguments),
        });
        calls.collect()
    }
}

impl Call {
    /// Whether a piece continues this call. One without a name always does.
    fn takes(&self, id: &str, name: &str, more: &str) -> bool {
        if name.is_empty() || self.name.is_empty() {
            return true;
        }
        let other_id = !id.is_empty() && !self.id.is_empty() && id != self.id;
        let is_whole = || serde_json::from_str::<Map<String, Value>>(&self.arguments).is_ok();
        !(other_id || name != self.name || (!more.is_empty() && is_whole()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// (id, name, arguments) of calls put together from these pieces.
    fn put_together(pieces: &[Value]) -> Vec<(String, String, String)> {
        let mut calls = CallPieces::default();
        for piece in pieces {
            calls.push(serde_json::from_str(&piece.to_string()).unwrap());
        }
        let said = calls.finish(&mut CallIds::default());
        let text = |arguments: Result<Map<String, Value>, String>| match arguments {
            Ok(map) => Value::from(map).to_string(),
            Err(raw) => raw,
        };
        said.into_iter().map(|call| (call.id, call.name, text(call.arguments))).collect()
    }

    fn check(what: &str, pieces: &[Value], expected: &[(&str, &str, &str)]) {
        let said = put_together(pieces);
        let said: Vec<_> =
            said.iter().map(|(id, name, args)| (id.as_str(), name.as_str(), args.as_str())).collect();
        assert_eq!(said, expected, "{what}");
    }

    #[test]
    fn put_together_whatever_the_server_leaves_out() {
        let function = |name: &str, arguments: &str| json!({ "name": name, "arguments": arguments });
        let more = |arguments: &str| json!({ "arguments": arguments });
        check(
            "as documented, interleaved",
            &[
                json!({ "index": 0, "id": "a", "type": "function", "function": function("f", "") }),
                json!({ "index": 1, "id": "b", "type": "function", "function": function("g", "") }),
                json!({ "index": 0, "function": more("{\"x\":") }),
                json!({ "index": 1, "function": more("{}") }),
                json!({ "index": 0, "function": more("1}") }),
            ],
            &[("a", "f", "{\"x\":1}"), ("b", "g", "{}")],
        );
        check(
            "id and name on every piece",
            &[
                json!({ "index": 0, "id": "a", "function": function("f", "{\"x\"") }),
                json!({ "index": 0, "id": "a", "function": function("f", ":1}") }),
                json!({ "index": 0, "id": "a", "function": function("f", "") }),
            ],
            &[("a", "f", "{\"x\":1}")],
        );
        check(
            "no index",
            &[
                json!({ "id": "a", "function": function("f", "{\"x\":") }),
                json!({ "function": more("1}") }),
                json!({ "id": "b", "function": function("g", "") }),
                json!({ "id": "a", "function": more("") }),
            ],
            &[("a", "f", "{\"x\":1}"), ("b", "g", "{}")],
        );
        check(
            "index 0 for all, whole calls",
            &[
                json!({ "index": 0, "id": "a", "function": function("f", "{}") }),
                json!({ "index": 0, "id": "b", "function": function("f", "{}") }),
            ],
            &[("a", "f", "{}"), ("b", "f", "{}")],
        );
        check(
            "no ids, no index, whole calls",
            &[
                json!({ "function": function("f", "{\"x\":1}") }),
                json!({ "function": function("f", "{\"x\":2}") }),
                json!({ "id": "", "function": function("g", "") }),
            ],
            &[("call_0", "f", "{\"x\":1}"), ("call_1", "f", "{\"x\":2}"), ("call_2", "g", "{}")],
        );
        check(
            "the same id twice",
            &[
                json!({ "index": 0, "id": "a", "function": function("f", "{}") }),
                json!({ "index": 1, "id": "a", "function": function("g", "{}") }),
            ],
            &[("a", "f", "{}"), ("call_0", "g", "{}")],
        );
        check(
            "a new id on every piece, the name on the first",
            &[
                json!({ "index": 0, "id": "a", "function": function("f", "{") }),
                json!({ "index": 0, "id": "b", "function": more("}") }),
            ],
            &[("a", "f", "{}")],
        );
        check(
            "cut off",
            &[json!({ "index": 0, "id": "a", "function": function("f", "{\"x\":") })],
            &[("a", "f", "{\"x\":")],
        );
        check(
            "nulls",
            &[json!({ "index": null, "id": null, "function": { "name": "f", "arguments": null } })],
            &[("call_0", "f", "{}")],
        );
    }
}
