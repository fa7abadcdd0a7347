//! What others put on the user's side of a conversation: notes in round brackets, words of other agents and results of
//! tools under a line in square brackets.

use baton_core::models::{CallResult, ToolCall};
use serde_json::{Map, Value};

use super::scene::Done;

const RESULT: &str = "[Result of ";
pub const FILE: &str = "[Attached file ";

/// `(Go on.)`: said by the engine to keep the sides in turn.
pub fn is_note(text: &str) -> bool {
    let text = text.trim();
    text.len() < 200 && text.starts_with('(') && text.ends_with(')') && text.contains(' ')
}

/// `(… Begin yours now.)`: with it something new begins, whatever the person said before.
pub fn begins(text: &str) -> bool {
    is_note(text) && text.to_ascii_lowercase().contains("begin")
}

/// Not the person's own words.
pub fn by_others(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with(FILE) {
        return false;
    }
    let bracketed = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .is_some_and(|(name, rest)| name.len() <= 160 && !rest.starts_with('(') && !rest.trim().is_empty());
    let tagged = ["<agent", "<said", "<message from", "<baton"].iter().any(|tag| text.starts_with(tag));
    bracketed || tagged || text.starts_with(RESULT) || is_note(text)
}

/// Results that are told in words because their tools are no longer on offer.
pub fn results(text: &str) -> Vec<Done> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(RESULT) {
        rest = &rest[at + RESULT.len()..];
        let Some((name, after)) = rest.split_once(" with ") else { break };
        let mut values = serde_json::Deserializer::from_str(after).into_iter::<Map<String, Value>>();
        let Some(Ok(arguments)) = values.next() else { continue };
        let Some(content) = after.get(values.byte_offset()..).and_then(|end| end.strip_prefix(":]\n")) else {
            continue;
        };
        let end = content.find(&format!("\n\n{RESULT}")).unwrap_or(content.len());
        let id = found.len().to_string();
        let result = CallResult { call_id: id.clone(), content: content[..end].to_owned(), is_error: false };
        found.push((ToolCall { id, name: name.to_owned(), arguments }, result));
        rest = &content[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_results_are_read_back() {
        let text =
            "[Result of find with {\"q\":\"a ] b\"}:]\n[1]\n\n[Result of x with {}:]\nno [Result of y with {";
        let found = results(text);
        let seen: Vec<_> =
            found.iter().map(|(call, result)| (call.name.as_str(), result.content.as_str())).collect();
        assert_eq!(seen, [("find", "[1]"), ("x", "no [Result of y with {")]);
        assert_eq!(found[0].0.arguments["q"], "a ] b");
    }

    #[test]
    fn who_speaks() {
        for others in ["[Coach, another agent, said:]\nHello", "(Go on.)", "[Result of a with {}:]\nx"] {
            assert!(by_others(others), "{others}");
        }
        for own in ["Hello", "[Attached file a:]\nx", "[link](http://x)", "[x]", "(see above) please"] {
            assert!(!by_others(own), "{own}");
        }
    }
}
