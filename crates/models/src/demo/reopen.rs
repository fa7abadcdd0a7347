//! Stages that were completed before: one begins anew when the stage before it was done again, or when the person goes
//! back to it and corrects what it found. What isn't corrected stays as it was.

use serde_json::{Map, Value, json};

use super::clauses::{Clause, Mood, Verbs, clauses};
use super::collect::{self, Since, collect};
use super::context::Context;
use super::judge::asks_nobody;
use super::moods::is_small_talk;
use super::offer::{Kind, Offered};
use super::params::{Param, Shape};
use super::render;
use super::resume::resumes;
use super::sayings::core;
use super::scene::Scene;
use super::told::is_note;
use super::values::number;
use super::words::words;

/// How the question ends that a stage asks when somebody comes back to it.
const CHANGES: &str = "What should change?";

/// "Completes the stage report: …": the stage's own name.
fn own_name(description: &str) -> Option<&str> {
    description.split_once("Completes the stage ").map(|(_, rest)| name(rest))
}

/// "The stage report then begins by itself."
fn next_name(description: &str) -> Option<&str> {
    let (_, rest) = description.split_once("The stage ")?;
    Some(name(rest.split_once(" then begins")?.0))
}

fn name(rest: &str) -> &str {
    rest.split([':', '.']).next().unwrap_or_default().trim()
}

/// Whether the context has this stage's own result already.
pub fn is_completed(scene: &Scene<'_>, tool: &Offered<'_>) -> bool {
    own_name(&tool.spec.description)
        .is_some_and(|name| scene.context.data.iter().any(|(key, value)| key == name && value.is_object()))
}

/// After the last stage the conversation stays there; to any other that is done, somebody went back.
pub fn is_last(tool: &Offered<'_>) -> bool {
    next_name(&tool.spec.description).is_none()
}

/// Where a stage begins anew, its own result and the next one's are those of another time.
pub fn forget_results(context: &mut Context, tools: &[Offered<'_>], standing: &str, asked: &str) {
    let Some(tool) = tools.iter().find(|tool| tool.kind == Kind::Complete) else { return };
    let says = |clause: &Clause<'_>| match clause.mood {
        Mood::Statement => true,
        Mood::Fragment => words(clause.text).len() > 2 && resumes(asked).is_none(),
        _ => false,
    };
    let tells = || clauses(asked, &Verbs::new()).iter().any(says);
    // What judges alone judges again, once it is told something.
    let judges_again = asks_nobody(standing) && !is_last(tool) && tells();
    if !is_note(asked) && !judges_again {
        return;
    }
    let description = &tool.spec.description;
    for name in [own_name(description), next_name(description)].into_iter().flatten() {
        context.forget(name);
    }
}

/// What a stage that is done makes of the person's message.
pub enum Again {
    /// The values to complete it with.
    With(Map<String, Value>),
    Ask(String),
}

pub fn again(scene: &Scene<'_>, fields: &[Param]) -> Again {
    let before = collect::passed(scene, fields);
    let asked = scene.asked.as_str();
    let mut known = collect(scene, fields, Since::Ever);
    let heard = collect::heard_alone(scene, fields, asked);
    let counts = |name: &String| {
        fields
            .iter()
            .any(|field| field.name == *name && matches!(field.shape, Shape::Number | Shape::Integer))
    };
    // One value alone must be a number to be sure; who says several tells it all again.
    if heard.len() > 1 || heard.keys().all(counts) {
        known.extend(heard.clone());
    }
    known.extend(replaced(fields, &before, asked));
    for field in fields.iter().filter(|field| field.words == ["situation"]) {
        if let Some(told) = collect::beside(scene, &known).filter(|told| is_about_them(told)) {
            let old = before.get(&field.name).and_then(Value::as_str).unwrap_or_default();
            let both = if old.contains(&told) { old.to_owned() } else { format!("{old} {told}") };
            known.insert(field.name.clone(), json!(both.trim()));
        }
    }
    let was_asked = scene.said.is_some_and(|said| said.contains(CHANGES));
    let agrees = was_asked && is_small_talk(&words(asked));
    let repeats = words(asked).iter().any(|word| ["again", "redo", "repeat"].contains(&word.lower.as_str()));
    if known != before || heard.len() > 1 || agrees || repeats || resumes(asked).is_some() {
        return Again::With(known);
    }
    let lines: Vec<String> = super::stage::in_order(fields, &before)
        .into_iter()
        .map(|(name, value)| format!("- {}: {}", render::human_key(name), render::plain(value)))
        .collect();
    Again::Ask(format!("This is what I have:\n\n{}\n\n{CHANGES} If nothing, say “go on”.", lines.join("\n")))
}

/// "80, not 45", "Nordwind AG instead of Nordwind", "not 45 but 80": what is named as wrong says which value is meant.
fn replaced(fields: &[Param], before: &Map<String, Value>, asked: &str) -> Map<String, Value> {
    let asked = format!(" {}", asked.trim().trim_end_matches(['.', '!']));
    let lower = asked.to_ascii_lowercase();
    let trim = |text: &str| text.trim().trim_end_matches([',', '.', '!']).trim().to_owned();
    let pairs = [" not ", " instead of ", " rather than ", " statt "].iter().filter_map(|mark| {
        let at = lower.find(mark)?;
        let (new, old) = (&asked[..at], &asked[at + mark.len()..]);
        Some(match old.split_once(" but ") {
            Some((old, new)) => (trim(old), trim(new)),
            None => (trim(old), trim(new)),
        })
    });
    let mut found = Map::new();
    for (old, new) in pairs {
        let is_old = |field: &&Param| {
            before.get(&field.name).is_some_and(|value| render::plain(value).eq_ignore_ascii_case(&old))
        };
        let Some(field) = fields.iter().find(is_old) else { continue };
        let value = match field.shape {
            Shape::Number | Shape::Integer => {
                let mut numbers =
                    words(&new).into_iter().filter_map(|word| number(&word.text.to_lowercase()));
                numbers.next_back().map(|(value, _)| super::look::as_number(value, field.shape))
            }
            Shape::Text => Some(json!(core(without_opener(&new)))),
            _ => None,
        };
        found.extend(value.map(|value| (field.name.clone(), value)));
    }
    found
}

fn without_opener(text: &str) -> &str {
    let all = words(text);
    let openers = ["actually", "no", "sorry", "wait", "oh", "well"];
    let first = all.iter().find(|word| !openers.contains(&word.text.to_lowercase().as_str()));
    first.map_or(text, |word| &text[word.start..])
}

/// "That was wrong", "I made a mistake": about this conversation, not about what is assessed.
fn is_about_them(told: &str) -> bool {
    let here = ["i", "i'm", "that", "that's", "this", "it", "it's", "you", "sorry", "wait", "there", "no"];
    words(told)
        .first()
        .is_some_and(|word| !here.contains(&word.text.to_lowercase().replace('’', "'").as_str()))
}
