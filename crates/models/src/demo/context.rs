//! Reading the context block: the data it holds, which day it is, and from whom the conversation was handed here.

use chrono::NaiveDate;
use serde_json::Value;

use super::dates;
use super::words::name_words;

#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Names and values, outermost first. Baton's own, which begin with `_`, are kept apart.
    pub data: Vec<(String, Value)>,
    /// Agents that had this turn before, as slugs or names.
    pub handed_from: Vec<String>,
    pub handed: bool,
    pub today: Option<NaiveDate>,
    /// Why the conversation is mine, in the words of who gave it to me.
    pub why: Option<String>,
    /// The tool by which I was given it.
    pub by_tool: Option<String>,
    pub text: String,
}

const MOST: usize = 200;

impl Context {
    /// Takes away an object and all that lies in it, but not what lies elsewhere by the same name.
    pub fn forget(&mut self, name: &str) {
        let Some(at) = self.data.iter().position(|(key, value)| key == name && value.is_object()) else {
            return;
        };
        let (_, object) = self.data.remove(at);
        let mut inside = Vec::new();
        flatten(&object, &mut inside);
        for one in inside {
            if let Some(at) = self.data.iter().position(|other| *other == one) {
                self.data.remove(at);
            }
        }
    }
}

pub fn read(standing: &str, context: &str) -> Context {
    let mut all = Vec::new();
    let mut rest = String::new();
    let (why, facts) = without_why(context);
    for piece in pieces(&facts) {
        match piece {
            Piece::Json(value) => flatten(&value, &mut all),
            Piece::Text(text) => {
                labelled(text, &mut all);
                rest.push_str(text);
            }
        }
    }
    all.truncate(MOST);
    let handed_from = all
        .iter()
        .filter(|(name, _)| name == "_handoff_from" || name == "_handoff_chain")
        .flat_map(|(_, value)| strings(value))
        .collect::<Vec<_>>();
    let by_tool = all.iter().find(|(name, _)| name == "_handoff_tool");
    let by_tool = by_tool.and_then(|(_, value)| value.as_str().map(str::to_owned));
    let lower = rest.to_lowercase();
    let handed = !handed_from.is_empty() || lower.contains("handed") || lower.contains("handoff");
    all.retain(|(name, value)| !name.starts_with('_') && !value.is_null());
    // A date among the data is some other day.
    let today = dates::today(&rest).or_else(|| dates::today(standing));
    Context { data: all, handed_from, handed, today, why, by_tool, text: context.to_owned() }
}

/// The words under "# Why you have this conversation", which stand in quotes, and all the rest: they are prose, not
/// names and values.
fn without_why(context: &str) -> (Option<String>, String) {
    let mut why = String::new();
    let mut rest = String::new();
    let mut inside = false;
    for line in context.lines() {
        if line.starts_with("# ") {
            inside = line.starts_with("# Why you have");
        }
        let into = if inside && !line.starts_with('#') { &mut why } else { &mut rest };
        into.push_str(line);
        into.push('\n');
    }
    let why = why.trim();
    let why = serde_json::from_str(why).unwrap_or_else(|_| why.to_owned());
    ((!why.is_empty()).then_some(why), rest)
}

enum Piece<'a> {
    Json(Value),
    Text(&'a str),
}

/// The JSON values that stand in a text, and what stands around them.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut tried = 0;
    while let Some(at) = rest.find('{') {
        tried += 1;
        let mut values = serde_json::Deserializer::from_str(&rest[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value @ Value::Object(_))) => {
                let end = at + values.byte_offset();
                found.push(Piece::Text(&rest[..at]));
                found.push(Piece::Json(value));
                rest = rest.get(end..).unwrap_or_default();
            }
            _ if tried < 50 => {
                found.push(Piece::Text(&rest[..=at]));
                rest = &rest[at + 1..];
            }
            _ => break,
        }
    }
    found.push(Piece::Text(rest));
    found
}

fn flatten(value: &Value, into: &mut Vec<(String, Value)>) {
    let Value::Object(map) = value else { return };
    for (name, value) in map {
        into.push((name.clone(), value.clone()));
    }
    for value in map.values() {
        flatten(value, into);
    }
}

/// Lines such as `lead_id: 42` or `- budget = 20k`.
fn labelled(text: &str, into: &mut Vec<(String, Value)>) {
    for line in text.lines().take(MOST) {
        let line = line.trim().trim_start_matches(['-', '*', '•']).trim();
        let Some((name, value)) = line.split_once(": ").or_else(|| line.split_once(" = ")) else { continue };
        let name = name.trim().trim_matches(['`', '*', '"']);
        let value = value.trim().trim_matches(['`', '"']);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.');
        if name.is_empty() || !name.chars().all(is_name) || name_words(name).len() > 4 || value.is_empty() {
            continue;
        }
        let value = match serde_json::from_str(value) {
            Ok(value) => value,
            Err(_) if value.starts_with(['[', '{']) => continue,
            Err(_) => Value::String(value.to_owned()),
        };
        flatten(&value, into);
        into.push((name.to_owned(), value));
    }
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_read_from_json_and_from_lines() {
        let text = "Handed here.\n{\"lead_id\": \"42\", \"_handoff_from\": \"coach\", \"stage\": {\"budget\": 5}}\n\
                    - company: Acme\nCurrent date: 2026-07-17";
        let context = read("", text);
        let get =
            |name: &str| context.data.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        assert_eq!(get("lead_id"), Some("42".into()));
        assert_eq!(get("budget"), Some(5.into()));
        assert_eq!(get("company"), Some("Acme".into()));
        assert_eq!(get("_handoff_from"), None);
        assert_eq!(context.handed_from, ["coach"]);
        assert_eq!(context.today.unwrap().to_string(), "2026-07-17");
    }

    #[test]
    fn broken_json_is_only_text() {
        let context = read("", &"{ {\"a\": [1, ".repeat(400));
        assert!(context.data.is_empty() && !context.handed);
    }
}
