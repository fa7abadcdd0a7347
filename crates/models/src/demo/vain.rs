//! Lookups that led to nothing, or to too much: nothing was done, and that is said.

use serde_json::Value;

use super::deeds::deed;
use super::follow;
use super::lexicon::Act;
use super::meant::{label, which};
use super::outcome::{Outcome, outcome};
use super::plan::{Request, Step, Then};
use super::quote::{told, turned};
use super::reply::Planned;
use super::results;
use super::scene::Scene;

/// The end of the question about a thing that was only named, by which its reply is known.
pub const WHAT: &str = "What should I remember about it?";

pub fn in_vain(scene: &Scene<'_>, request: &Request<'_>, step: &Step) -> Option<String> {
    let Step::Lookup { first, then, named, .. } = step else { return None };
    let (call, result) = scene.calls().find(|(call, _)| follow::made(call, first))?;
    let outcome = outcome(result);
    if matches!(outcome, Outcome::Failed(_) | Outcome::Rejected(_)) {
        return None;
    }
    let items = follow::found(scene, step).unwrap_or_default();
    let fit = follow::candidates(scene, request, step, &items);
    let remembers = scene.tool(&call.name).is_some_and(|tool| tool.recalls());
    let what = if remembers { "notes".to_owned() } else { deed(&call.name, &call.arguments).plural() };
    if matches!(then, Then::Tell) {
        return Some(known(&fit, request.message, named));
    }
    if let (Then::Leave(verb), Some(note)) = (then, fit.first()) {
        let note = label(note);
        return Some(format!(
            "I only keep notes, so I can't {verb} that itself. To have me forget the note {note}, say “Forget …”. Nothing was changed."
        ));
    }
    let done = match then {
        Then::One(call) | Then::Each(call) if removes(call) => "deleted",
        Then::Leave(_) => "deleted",
        _ => "changed",
    };
    match (fit.as_slice(), results::looked_for(call, request.message)) {
        ([_, _, ..], _) => Some(which(&fit, &what)),
        ([one], _) if is_cut(one) => Some(format!(
            "I see only the beginning of that note, so I can't change it without losing the rest: {}",
            label(one)
        )),
        (_, Some(about)) if remembers => {
            Some(format!("I have no note about {about}, so nothing was {done}."))
        }
        (_, Some(about)) if outcome == Outcome::Nothing => {
            Some(format!("I found nothing about {about}, so nothing was {done}."))
        }
        (_, None) if outcome == Outcome::Nothing => Some(format!(
            "There are no {}, so nothing was {done}.",
            deed(&call.name, &call.arguments).plural()
        )),
        (_, None) if remembers => {
            Some(format!("Tell me what the note is about, and I look for it. Nothing was {done}."))
        }
        _ => Some(format!("None of the {what} I found is about that, so nothing was {done}.")),
    }
}

/// Asked to keep what was only named: what I have of it, else the question what to keep.
fn known(fit: &[&Value], message: &str, named: &[String]) -> String {
    let texts: Vec<&str> = fit.iter().filter_map(|item| results::text_of(item)).collect();
    match texts.as_slice() {
        [] => {
            let about = turned(&results::as_said(message, &named.join(" ")));
            let about = results::own_thing(message, &about).map_or(about, |about| format!("your {about}"));
            format!("I have no note about {about} yet, and that alone says nothing to keep. {WHAT}")
        }
        [one] => format!("I have a note of that already: {}", told(one)),
        several => {
            let lines: Vec<String> = several.iter().take(5).map(|text| format!("- {}", told(text))).collect();
            format!("I have notes of that already:\n\n{}", lines.join("\n"))
        }
    }
}

/// Whether only a part of it came.
pub fn is_cut(item: &Value) -> bool {
    let says =
        |key: &str| ["cut", "truncated", "shortened"].iter().any(|word| key.to_lowercase().ends_with(word));
    item.as_object()
        .is_some_and(|map| map.iter().any(|(key, value)| says(key) && *value == Value::Bool(true)))
}

fn removes(call: &Planned) -> bool {
    deed(&call.name, &call.arguments).act == Some(Act::Remove)
}
