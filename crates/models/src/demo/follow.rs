//! The second half of a lookup: what was found is changed or removed, each thing by its own key.

use baton_core::models::ToolCall;
use serde_json::{Map, Value};

use super::clauses::{Clause, plain};
use super::dates::weekday_of;
use super::deeds::deed;
use super::lexicon::Act;
use super::offer::Offered;
use super::outcome::{Outcome, outcome};
use super::params::Wants;
use super::plan::{Request, Step, Then};
use super::reply::Planned;
use super::results::text_of;
use super::scene::{Done, Scene};
use super::values::{Kind, values};
use super::words::{concept, words};
use super::{keep, meant, vain};

/// More at once than a person wants to approve.
const MOST_AT_ONCE: usize = 20;

/// The calls that a lookup leads to, once its first half has come back.
pub fn calls(scene: &Scene<'_>, request: &Request<'_>, steps: &[Step]) -> Vec<Planned> {
    // Where one of them went wrong or wasn't allowed, the rest waits for a word of the person's.
    let went_wrong = |done: &Done| matches!(outcome(&done.1), Outcome::Failed(_) | Outcome::Rejected(_));
    if scene.rounds.len() > 1 && scene.rounds.iter().skip(1).flatten().any(went_wrong) {
        return Vec::new();
    }
    let mut calls: Vec<Planned> = steps.iter().flat_map(|step| completions(scene, request, step)).collect();
    calls.retain(|next| !scene.calls().any(|(call, _)| made(call, next)));
    calls.truncate(MOST_AT_ONCE);
    calls
}

/// Whether the last round removed as many as may go at once, so that there may be more.
pub fn clears(scene: &Scene<'_>) -> bool {
    let removal = |done: &Done| deed(&done.0.name, &done.0.arguments).act == Some(Act::Remove);
    scene.rounds.last().is_some_and(|round| round.len() == MOST_AT_ONCE && round.iter().all(removal))
}

fn completions(scene: &Scene<'_>, request: &Request<'_>, step: &Step) -> Vec<Planned> {
    let Step::Lookup { first, then, key, .. } = step else { return Vec::new() };
    let (Some(items), Some(tool)) = (found(scene, step), scene.tool(&first.name)) else { return Vec::new() };
    let with_key = |call: &Planned, item: &Value| {
        let mut call = call.clone();
        call.arguments.insert(key.to_owned(), item.get(key)?.clone());
        carry(tool, item, &mut call.arguments);
        Some(call)
    };
    let meant = candidates(scene, request, step, &items);
    match (then, meant.as_slice()) {
        (Then::Each(call), all) => all.iter().filter_map(|item| with_key(call, item)).collect(),
        (Then::One(call), all) if meant::answers_all(request.answers) => {
            all.iter().filter_map(|item| with_key(call, item)).collect()
        }
        (Then::One(call), [one]) => with_key(call, one).into_iter().collect(),
        (Then::Amend { call, text, old, value }, [one]) if !vain::is_cut(one) => {
            let amended = text_of(one).map(|note| amended(note, old.as_deref(), value));
            let call = with_key(call, one).zip(amended).map(|(mut call, note)| {
                call.arguments.insert(text.clone(), Value::String(note));
                call
            });
            call.into_iter().collect()
        }
        // Once it is kept, what was found then is no longer what there is.
        (Then::Correct { .. }, _) if scene.rounds.len() > 1 => Vec::new(),
        (Then::Correct { call, .. }, []) => vec![call.clone()],
        (Then::Correct { call, .. }, [one]) => with_key(call, one).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// What the first half of a lookup brought, if it has come back.
pub fn found(scene: &Scene<'_>, step: &Step) -> Option<Vec<Value>> {
    let Step::Lookup { first, .. } = step else { return None };
    let (_, result) = scene.calls().find(|(call, _)| made(call, first))?;
    match outcome(result) {
        Outcome::Items { items, .. } => Some(items),
        Outcome::Object(map) => Some(vec![Value::Object(map)]),
        Outcome::Failed(_) | Outcome::Rejected(_) => None,
        Outcome::Nothing | Outcome::Text(_) => Some(Vec::new()),
    }
}

/// Of what was found, all that may be meant.
pub fn candidates<'i>(
    scene: &Scene<'_>,
    request: &Request<'_>,
    step: &Step,
    items: &'i [Value],
) -> Vec<&'i Value> {
    let Step::Lookup { first, then, named, .. } = step else { return Vec::new() };
    let Some(tool) = scene.tool(&first.name) else { return Vec::new() };
    let excepts = request.clauses.iter().any(meant::excepts);
    let fit = match then {
        Then::Each(_) if named.is_empty() => items.iter().collect(),
        Then::Correct { statement, .. } => {
            let about = keep::subject(statement);
            let same = |item: &&Value| {
                let other = text_of(item).and_then(keep::subject);
                about.as_ref().zip(other).is_some_and(|(about, other)| about.is_same(&other))
            };
            items.iter().filter(same).collect()
        }
        // "Cancel the booking": there is only one.
        _ if named.is_empty() && items.len() == 1 && !tool.recalls() && !excepts => items.iter().collect(),
        _ => meant::fitting(items, named),
    };
    let fit = fit.into_iter().filter(|item| is_meant(tool, item, &request.clauses)).collect();
    meant::narrowed(fit, request.answers)
}

/// Whether a lookup came back and led to nothing.
pub fn led_nowhere(scene: &Scene<'_>, request: &Request<'_>, step: &Step) -> bool {
    let Step::Lookup { first, then, .. } = step else { return false };
    let done = matches!(then, Then::Correct { .. }) && scene.rounds.len() > 1;
    !done && scene.calls().any(|(call, _)| made(call, first)) && completions(scene, request, step).is_empty()
}

pub fn made(call: &ToolCall, planned: &Planned) -> bool {
    call.name == planned.name && call.arguments == planned.arguments
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
