//! The second half of a lookup: what was found is changed or removed, each thing by its own key.

use baton_core::models::{CallResult, ToolCall};
use serde_json::{Map, Value};

use super::clauses::{Clause, plain};
use super::dates::weekday_of;
use super::offer::Offered;
use super::outcome::{Outcome, outcome};
use super::params::Wants;
use super::plan::{Step, Then};
use super::reply::Planned;
use super::results::text_of;
use super::scene::Scene;
use super::values::{Kind, values};
use super::words::{concept, words};

/// More at once than a person wants to approve.
const MOST_AT_ONCE: usize = 20;

/// The calls that a lookup leads to, once its first half has come back.
pub fn calls(scene: &Scene<'_>, clauses: &[Clause<'_>], steps: &[Step]) -> Vec<Planned> {
    let mut calls: Vec<Planned> = steps.iter().flat_map(|step| completions(scene, clauses, step)).collect();
    calls.retain(|next| !scene.calls().any(|(call, _)| made(call, next)));
    calls
}

fn completions(scene: &Scene<'_>, clauses: &[Clause<'_>], step: &Step) -> Vec<Planned> {
    let Step::Lookup { first, then, key, .. } = step else { return Vec::new() };
    let result = scene.calls().find(|(call, _)| made(call, first)).map(|(_, result)| result);
    let (Some(result), Some(tool)) = (result, scene.tool(&first.name)) else { return Vec::new() };
    let topics = clauses.iter().flat_map(|clause| &clause.topics);
    let concepts: Vec<&str> = topics.map(|topic| topic.concept.as_str()).collect();
    completed(tool, then, key, result, &concepts, clauses)
}

/// Whether a lookup came back and led to nothing.
pub fn led_nowhere(scene: &Scene<'_>, clauses: &[Clause<'_>], step: &Step) -> bool {
    let Step::Lookup { first, .. } = step else { return false };
    scene.calls().any(|(call, _)| made(call, first)) && completions(scene, clauses, step).is_empty()
}

pub fn made(call: &ToolCall, planned: &Planned) -> bool {
    call.name == planned.name && call.arguments == planned.arguments
}

fn completed(
    tool: &Offered<'_>,
    then: &Then,
    key: &str,
    result: &CallResult,
    concepts: &[&str],
    clauses: &[Clause<'_>],
) -> Vec<Planned> {
    let items = match outcome(result) {
        Outcome::Items { items, .. } => items,
        Outcome::Object(map) => vec![Value::Object(map)],
        _ => return Vec::new(),
    };
    let with_key = |call: &Planned, item: &Value| {
        let mut call = call.clone();
        call.arguments.insert(key.to_owned(), item.get(key)?.clone());
        carry(tool, item, &mut call.arguments);
        Some(call)
    };
    match then {
        Then::Best(call) => {
            best(&items, concepts).and_then(|item| with_key(call, item)).into_iter().collect()
        }
        Then::Each(call) => {
            let mine = items.iter().filter(|item| is_meant(tool, item, clauses));
            mine.filter_map(|item| with_key(call, item)).take(MOST_AT_ONCE).collect()
        }
        Then::Amend { call, text, old, value } => best(&items, concepts)
            .and_then(|item| {
                let mut call = with_key(call, item)?;
                call.arguments
                    .insert(text.clone(), Value::String(amended(text_of(item)?, old.as_deref(), value)));
                Some(call)
            })
            .into_iter()
            .collect(),
    }
}

/// What tells one thing from another of the same key, such as its scope, goes along.
fn carry(tool: &Offered<'_>, item: &Value, arguments: &mut Map<String, Value>) {
    for param in tool.params.iter().filter(|param| param.wants == Wants::Choice) {
        let value = item.get(&param.name).filter(|value| param.choices.iter().any(|c| c.value == **value));
        if let Some(value) = value
            && !arguments.contains_key(&param.name)
        {
            arguments.insert(param.name.clone(), value.clone());
        }
    }
}

/// "About me": of things that are a person's or everyone's, only the person's.
fn is_meant(tool: &Offered<'_>, item: &Value, clauses: &[Clause<'_>]) -> bool {
    let personal = clauses.iter().any(|clause| {
        words(clause.text)
            .iter()
            .any(|word| ["me", "my", "mich", "mir", "meine"].contains(&word.lower.as_str()))
    });
    let of_people = |text: &str| concept(text) == concept("person");
    !personal
        || tool
            .params
            .iter()
            .filter(|param| param.choices.iter().any(|one| of_people(&one.label)))
            .all(|param| item.get(&param.name).and_then(Value::as_str).is_none_or(of_people))
}

/// The item that speaks most of what was asked.
fn best<'i>(items: &'i [Value], concepts: &[&str]) -> Option<&'i Value> {
    let rank = |item: &Value| {
        let text = item.to_string();
        let all = words(&text);
        concepts.iter().filter(|meaning| all.iter().any(|word| word.concept == **meaning)).count()
    };
    let ranked = items.iter().map(|item| (rank(item), item));
    let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    // What nothing speaks of is not what was meant: better to say so than to remove it.
    (best.0 > 0).then_some(best.1)
}

/// A note with a new value in the place of the old one of its kind, else after its verb.
fn amended(note: &str, old: Option<&str>, value: &str) -> String {
    let verbs = ["is", "are", "ist", "sind"];
    let verb = words(note).into_iter().find(|word| verbs.contains(&plain(&word.lower)));
    let place = old.and_then(|old| note.find(old).map(|start| (start, start + old.len())));
    // "The password is x": what stands before the verb is the thing, not its value.
    let is_value = |place: &(usize, usize)| verb.as_ref().is_none_or(|verb| place.0 > verb.start);
    if let Some((start, end)) = place.filter(is_value) {
        return format!("{}{value}{}", &note[..start], &note[end..]);
    }
    let day = |text: &str| {
        words(text)
            .into_iter()
            .find(|word| weekday_of(&word.lower).is_some())
            .map(|word| (word.start, word.end()))
    };
    if let (Some((start, end)), Some(_)) = (day(note), day(value)) {
        return format!("{}{}{}", &note[..start], value.trim_start_matches("on ").trim(), &note[end..]);
    }
    let kind = |one: &super::values::Found| std::mem::discriminant(&one.kind);
    let whole = |one: &super::values::Found| one.start == 0 && one.end == value.len();
    let new = values(value, None).into_iter().find(|one| one.kind != Kind::Quoted && whole(one));
    let old = new.and_then(|new| values(note, None).into_iter().find(|one| kind(one) == kind(&new)));
    if let Some(old) = old {
        return format!("{}{value}{}", &note[..old.start], &note[old.end..]);
    }
    match verb {
        Some(verb) => format!("{} {value}", &note[..verb.end()]),
        None => format!("{}: {value}", note.split(": ").next().unwrap_or(note).trim_end_matches('.')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_value_takes_the_place_of_the_old() {
        for (note, value, expected) in [
            ("my budget review is on Fridays", "Mondays", "my budget review is on Mondays"),
            ("my address is 1 Elm Street", "2 Oak Road", "my address is 2 Oak Road"),
            ("I am at ana@x.io", "ana@y.io", "I am at ana@y.io"),
            ("standup at 9:30 in Aurora", "10:00", "standup at 10:00 in Aurora"),
            ("favourite colour: blue", "green", "favourite colour: green"),
        ] {
            assert_eq!(amended(note, None, value), expected);
        }
        assert_eq!(amended("I live in Berlin", Some("Berlin"), "Munich"), "I live in Munich");
        assert_eq!(amended("the code is 5", Some("code"), "abc"), "the code is abc");
    }
}
