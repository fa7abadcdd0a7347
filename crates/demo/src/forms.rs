//! What a stage or a specialist collects before it is done: for a stage the fields of its schema, for a task the list
//! `- name: what it is` in the agent's prompt.

use serde_json::{Map, Value, json};

use crate::Reply;
use crate::answer::{as_line, with_introduction};
use crate::fill::{Filled, Sources, fill, question};
use crate::scene::Scene;
use crate::score::properties;
use crate::words::is_question;

pub const COMPLETE_STAGE: &str = "complete_stage";
pub const COMPLETE_TASK: &str = "complete_task";
pub const UPDATE_CONTEXT: &str = "update_context";
pub const READ_CONTEXT: &str = "read_context";
const SUMMARY: &str = "summary";
/// How a value is marked that a stage must have, that nobody said, and that nobody is there to be asked for.
const NOT_SAID: &str = "not said";

/// The next step of the stage or the task; none if the person is asking for something else.
pub fn work(scene: &Scene<'_>) -> Option<Reply> {
    if scene.tool(COMPLETE_STAGE).is_some() {
        return stage(scene);
    }
    scene.tool(COMPLETE_TASK).and_then(|_| task(scene))
}

fn sources<'a>(scene: &'a Scene<'_>) -> Sources<'a> {
    Sources { heard: scene.heard.iter().collect(), facts: &scene.facts, today: scene.today }
}

fn stage(scene: &Scene<'_>) -> Option<Reply> {
    let schema = &scene.tool(COMPLETE_STAGE)?.parameters;
    let is_completed = scene.called.iter().any(|call| call.name == COMPLETE_STAGE);
    if is_completed && !says_more(schema, scene) {
        return None;
    }
    let mut filled = fill(schema, Map::new(), &sources(scene));
    sum_up(&mut filled, scene);
    if !filled.missing.is_empty() && !scene.is_begun {
        return ask(schema, &filled, scene);
    }
    for name in std::mem::take(&mut filled.missing) {
        let value = nothing_said(&schema["properties"][&name]);
        filled.values.insert(name, value);
    }
    Some(Reply::call(COMPLETE_STAGE, filled.values))
}

/// Whether the last message has something for a stage that was completed before.
fn says_more(schema: &Value, scene: &Scene<'_>) -> bool {
    let heard = scene.heard.last().into_iter().collect();
    !fill(schema, Map::new(), &Sources { heard, facts: &[], today: scene.today }).values.is_empty()
}

/// The schema's own default, or a mark: nothing is made up.
fn nothing_said(field: &Value) -> Value {
    let default = field.get("default").cloned();
    default.unwrap_or_else(|| match field.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => field.get("minimum").cloned().unwrap_or(0.into()),
        Some("boolean") => false.into(),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => NOT_SAID.into(),
    })
}

fn sum_up(filled: &mut Filled, scene: &Scene<'_>) {
    let Some(at) = filled.missing.iter().position(|name| name == SUMMARY) else { return };
    if !scene.facts.is_empty() {
        filled.missing.remove(at);
        let facts = scene.facts.iter().map(|(name, value)| (name.as_str(), value));
        filled.values.insert(SUMMARY.to_owned(), as_line(facts).into());
    }
}

fn task(scene: &Scene<'_>) -> Option<Reply> {
    let has_done = |name: &str| scene.done.iter().any(|(call, _)| call.name == name);
    let schema = listed_facts(scene.fixed);
    if properties(&schema).next().is_none() {
        // It works from its teammates' notes.
        let reads =
            scene.tool(READ_CONTEXT).is_some() && !has_done(READ_CONTEXT) && is_question(&scene.asked);
        return reads.then(|| Reply::call(READ_CONTEXT, Map::new()));
    }
    if is_given_up(&scene.asked) {
        return Some(completed("The person no longer wants this.".into()));
    }
    let filled = fill(&schema, Map::new(), &sources(scene));
    let is_new = |(name, value): &(&String, &Value)| scene.fact(name) != Some(*value);
    let new: Map<String, Value> =
        filled.values.iter().filter(is_new).map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut reply = Reply::default();
    if !new.is_empty() && scene.tool(UPDATE_CONTEXT).is_some() && !has_done(UPDATE_CONTEXT) {
        reply
            .calls
            .push((UPDATE_CONTEXT.to_owned(), Map::from_iter([("data".to_owned(), Value::Object(new))])));
    }
    if filled.missing.is_empty() {
        let facts = filled.values.iter().map(|(name, value)| (name.as_str(), value));
        reply.calls.extend(completed(as_line(facts).into()).calls);
        return Some(reply);
    }
    if !reply.calls.is_empty() {
        return Some(reply);
    }
    ask(&schema, &filled, scene)
}

fn completed(summary: Value) -> Reply {
    Reply::call(COMPLETE_TASK, Map::from_iter([(SUMMARY.to_owned(), summary)]))
}

fn ask(schema: &Value, filled: &Filled, scene: &Scene<'_>) -> Option<Reply> {
    let asks_something_else = is_question(&scene.asked) && scene.done.is_empty();
    let name = filled.missing.first().filter(|_| !asks_something_else)?;
    Some(Reply::text(with_introduction(scene, question(None, name, &schema["properties"][name]))))
}

/// Whether the message leaves the form and asks for something else.
pub fn is_given_up(text: &str) -> bool {
    let said = text.to_lowercase();
    ["cancel", "never mind", "forget it"].iter().any(|words| said.starts_with(words))
}

/// The list `- name: what it is` of a prompt, as a schema.
fn listed_facts(fixed: &str) -> Value {
    let mut fields = Map::new();
    let mut required = Vec::new();
    for line in fixed.lines() {
        let Some((name, about)) = line.strip_prefix("- ").and_then(|line| line.split_once(": ")) else {
            continue;
        };
        let (name, is_optional) = match name.strip_suffix(" (optional)") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        if is_name {
            fields.insert(name.to_owned(), json!({"type": "string", "description": about}));
            required.extend((!is_optional).then_some(name));
        }
    }
    json!({"type": "object", "properties": fields, "required": required})
}
