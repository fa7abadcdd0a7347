//! What the demo model says: what it is, the results of its tool calls, and the text that the agent's pack asks for.

use baton_core::models::CallResult;
use serde_json::Value;

use crate::scene::Scene;
use crate::score::Candidate;

/// What it is, in one line, for the first answer of a conversation.
const ONE_LINE: &str =
    "_This is the demo model: it matches your words with tools and adds nothing of its own._";

pub fn with_introduction(scene: &Scene<'_>, text: String) -> String {
    if scene.is_introduced { text } else { format!("{text}\n\n{ONE_LINE}") }
}

/// Who I am, what I see, and what to try.
pub fn talk(scene: &Scene<'_>, candidates: &[Candidate]) -> String {
    let mut said = Vec::new();
    if scene.is_introduced {
        said.push("I found nothing of mine in that.".to_owned());
    } else {
        let name = &scene.card.name;
        let who = if name.is_empty() { "I am".to_owned() } else { format!("I am {name}, played by") };
        said.push(format!(
            "{who} Baton’s demo model: I match your words with tools and know nothing by myself."
        ));
    }
    let tools: Vec<String> = scene
        .tools
        .iter()
        .filter(|tool| is_shown(&tool.name))
        .map(|tool| format!("`{}`", tool.name))
        .collect();
    if !tools.is_empty() {
        said.push(format!("I can use {}.", joined(&tools, "and")));
    }
    let colleagues: Vec<String> =
        candidates.iter().filter(|one| one.tool == SWITCH_AGENT).filter_map(|one| one.name.clone()).collect();
    if !colleagues.is_empty() {
        said.push(format!("I can hand off to {}.", joined(&colleagues, "or")));
    }
    let missing = &scene.card.missing_tools;
    if !missing.is_empty() {
        let them = if missing.len() == 1 { "which isn’t" } else { "which aren’t" };
        said.push(format!("I would also need {}, {them} on this server yet.", joined(missing, "and")));
    }
    let starters: Vec<String> =
        scene.card.starters.iter().take(2).map(|starter| format!("“{}”", starter.text)).collect();
    if !starters.is_empty() {
        said.push(format!("Try {}.", joined(&starters, "or")));
    }
    if !scene.is_introduced && !scene.card.is_public {
        said.push("For real answers, set up a provider of models: docs/models.md tells how.".to_owned());
    }
    said.join(" ")
}

pub const SWITCH_AGENT: &str = "switch_agent";

/// Tools for notes and for completing stages are the team's own and are not listed.
fn is_shown(tool: &str) -> bool {
    !matches!(tool, SWITCH_AGENT | "complete_task" | "complete_stage" | "update_context" | "read_context")
}

pub fn joined(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// The result of a call, shown as it came.
pub fn came_back(tool: &str, result: &CallResult) -> String {
    if result.is_error {
        return failed(tool, &result.content);
    }
    match serde_json::from_str::<Value>(&result.content) {
        Ok(Value::Object(map)) if map.is_empty() => format!("`{tool}` found nothing."),
        Ok(value @ (Value::Object(_) | Value::Array(_))) => format!("`{tool}` says:\n\n{}", lines(&value)),
        _ => result.content.clone(),
    }
}

const REJECTED: &str = "The person did not allow this";

fn failed(tool: &str, content: &str) -> String {
    // Some errors are words, some an object that has them.
    let told = serde_json::from_str::<Value>(content).ok();
    let error = told.as_ref().and_then(|told| told["error"].as_str()).unwrap_or(content);
    let Some(why) = error.strip_prefix(REJECTED) else { return error.to_owned() };
    let reason =
        why.split_once("said: ").map(|(_, reason)| format!(" ({})", reason.trim())).unwrap_or_default();
    format!("All right, I did not use `{tool}`{reason}.")
}

/// JSON as plain lines.
pub fn lines(value: &Value) -> String {
    let fields = value.as_object().into_iter().flatten();
    let of_object = fields.map(|(name, value)| match value {
        Value::Array(items) if items.iter().any(Value::is_object) => {
            format!(
                "- **{name}**:\n{}",
                items.iter().map(|item| format!("  - {}", plain(item))).collect::<Vec<_>>().join("\n")
            )
        }
        other => format!("- **{name}**: {}", plain(other)),
    });
    let of_list = value.as_array().into_iter().flatten().map(|item| format!("- {}", plain(item)));
    of_object.chain(of_list).collect::<Vec<_>>().join("\n")
}

pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "nothing".to_owned(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(map) => as_line(map.iter().map(|(name, value)| (name.as_str(), value))),
        other => other.to_string(),
    }
}

/// `brand: Toyota; budget: 200000 DKK`
pub fn as_line<'a>(facts: impl Iterator<Item = (&'a str, &'a Value)>) -> String {
    facts.map(|(name, value)| format!("{name}: {}", plain(value))).collect::<Vec<_>>().join("; ")
}

/// What the agent's pack wants said, with the names in braces filled in; lines that name something unknown are left
/// out. None if nothing in it is known.
pub fn template(scene: &Scene<'_>) -> Option<String> {
    let template = scene.card.answer.as_deref()?;
    let mut knows_any = false;
    let kept: Vec<String> = template
        .lines()
        .filter_map(|line| {
            let (filled, known) = filled_in(line, scene)?;
            knows_any |= known;
            Some(filled)
        })
        .collect();
    knows_any.then(|| kept.join("\n").trim().to_owned())
}

/// A line with its names filled in, and whether there was one.
fn filled_in(line: &str, scene: &Scene<'_>) -> Option<(String, bool)> {
    let (mut filled, mut rest, mut known) = (String::new(), line, false);
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind.split_once('}')?;
        filled.push_str(before);
        filled.push_str(&plain(scene.fact(name)?));
        (known, rest) = (true, after);
    }
    filled.push_str(rest);
    Some((filled, known))
}
