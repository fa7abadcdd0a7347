//! The answer after a tool loop: what each call came to, what was looked for in vain, and what is still to be asked.

use baton_core::models::ToolCall;
use serde_json::Value;

use super::clauses::{Clause, Topic};
use super::deeds::deed;
use super::follow;
use super::lexicon::Act;
use super::offer::Kind;
use super::outcome::{Outcome, outcome};
use super::plan::{Request, Step, Then};
use super::quote::sentence;
use super::render;
use super::results::{self, Asked};
use super::scene::{Done, Scene};
use super::words::{concept, join, name_words, shorten};
use super::{agents, conversation, moments, report, skills, vain};

/// From here on, what a search found is likely not all there is.
const FULL_SEARCH: usize = 10;

pub fn from_results(scene: &Scene<'_>, request: &Request<'_>, steps: &[Step]) -> String {
    let clauses = request.clauses.as_slice();
    let topics: Vec<Topic> = clauses.iter().flat_map(|clause| clause.topics.clone()).collect();
    let all: Vec<&Done> = scene.calls().collect();
    let removed = removed_together(&all).map(|said| format!("{said}{}", left(scene, request, steps)));
    let in_vain: Vec<String> = steps
        .iter()
        .filter(|step| follow::led_nowhere(scene, request, step))
        .filter_map(|step| vain::in_vain(scene, request, step))
        .collect();
    let looked = |call: &ToolCall| {
        let first = |step: &Step| matches!(step, Step::Lookup { first, .. } if follow::made(call, first));
        !in_vain.is_empty() && steps.iter().any(first)
    };
    let mut parts: Vec<String> = removed.iter().chain(&in_vain).cloned().collect();
    for (at, (call, result)) in all.iter().enumerate() {
        let outcome = outcome(result);
        let failed = matches!(outcome, Outcome::Failed(_) | Outcome::Rejected(_));
        let is_skill = name_words(&call.name).iter().any(|word| word.starts_with("skill"));
        let later = &all[at + 1..];
        let looked_up = later.iter().any(|(next, _)| next.name == call.name && scene.rounds.len() > 1);
        let told = removed.is_some() && removes(call);
        if !failed && (is_skill || looked_up || told || looked(call)) {
            continue;
        }
        parts.push(one(scene, clauses, &topics, call, &outcome));
    }
    let clocks: Vec<_> = all
        .iter()
        .filter_map(|(_, result)| match outcome(result) {
            Outcome::Object(map) => Some(map),
            _ => None,
        })
        .collect();
    parts.extend(moments::apart(request.message, &clocks));
    if let Some((name, steps)) = skills::loaded(scene) {
        let followed = if parts.is_empty() {
            skills::follow(scene, clauses, &name, &steps)
        } else {
            let first = steps.first().map(|step| format!(": {}", sentence(step))).unwrap_or_default();
            format!("(I followed the skill **{name}**{first})")
        };
        parts.push(followed);
    }
    parts.extend(steps.iter().filter_map(|step| match step {
        Step::Ask(question) => Some(question.clone()),
        _ => None,
    }));
    parts.join("\n\n")
}

fn one(
    scene: &Scene<'_>,
    clauses: &[Clause<'_>],
    topics: &[Topic],
    call: &ToolCall,
    outcome: &Outcome,
) -> String {
    let failed = matches!(outcome, Outcome::Failed(_) | Outcome::Rejected(_));
    let tool = scene.tool(&call.name);
    match tool.map(|tool| &tool.kind) {
        Some(Kind::Handoff | Kind::Switch { .. }) => handed(scene, call, outcome),
        Some(Kind::Complete) if !failed => match tool {
            Some(tool) if call.arguments.len() > 1 => report::shown(&tool.params, &call.arguments),
            _ => "This step is done.".to_owned(),
        },
        Some(Kind::Keep { param }) if !failed => {
            let kept = tool.and_then(|tool| call.arguments.get(&tool.params[*param].name)?.as_object());
            format!("I've noted this:\n\n{}", kept.map(render::object).unwrap_or_default())
        }
        _ => {
            let by_name = name_words(&call.name).iter().any(|word| concept(word) == "remember");
            let remembers = by_name || tool.is_some_and(|tool| tool.recalls());
            // What isn't in the notes may have been said a moment ago.
            let here = || conversation::told_before(scene, clauses);
            match outcome {
                Outcome::Nothing if remembers => here(),
                _ => None,
            }
            .unwrap_or_else(|| {
                let before = before(scene, call);
                let asked = Asked { text: &scene.asked, topics, remembers, before: before.as_deref() };
                results::answer(call, outcome, &asked)
            })
        }
    }
}

/// The text of what a call changed or removed, as it was found before.
fn before(scene: &Scene<'_>, call: &ToolCall) -> Option<String> {
    let key = ["path", "key", "slug", "id"].iter().find_map(|key| Some((*key, call.arguments.get(*key)?)))?;
    let items = scene.calls().filter_map(|(_, result)| match outcome(result) {
        Outcome::Items { items, .. } => Some(items),
        _ => None,
    });
    let same = |item: &Value| item.get(key.0) == Some(key.1);
    items.flatten().find(same).as_ref().and_then(results::text_of).map(str::to_owned)
}

fn removes(call: &ToolCall) -> bool {
    deed(&call.name, &call.arguments).act == Some(Act::Remove)
}

/// Several removals that all worked, in one sentence.
fn removed_together(all: &[&Done]) -> Option<String> {
    let removals: Vec<&&Done> = all.iter().filter(|(call, _)| removes(call)).collect();
    let worked = |done: &&&Done| !matches!(outcome(&done.1), Outcome::Failed(_) | Outcome::Rejected(_));
    if removals.len() < 2 || !removals.iter().all(worked) {
        return None;
    }
    let names: Vec<String> =
        removals.iter().filter_map(|(call, _)| results::thing_of(call)).take(8).collect();
    let more = removals.len().saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let deed = deed(&removals[0].0.name, &removals[0].0.arguments);
    Some(format!(
        "Done, I {} {} {}: {}{more}.",
        deed.past(),
        removals.len(),
        deed.plural(),
        join(&names, "and")
    ))
}

/// What of a long list is still there: a person who wanted all of it gone must know.
fn left(scene: &Scene<'_>, request: &Request<'_>, steps: &[Step]) -> String {
    let each = steps.iter().find(|step| matches!(step, Step::Lookup { then: Then::Each(_), .. }));
    let Some((step, items)) = each.and_then(|step| Some((step, follow::found(scene, step)?))) else {
        return String::new();
    };
    let Step::Lookup { first, named, .. } = step else { return String::new() };
    let all = scene.calls().find(|(call, _)| follow::made(call, first)).map(|(_, result)| outcome(result));
    let unseen = match all {
        Some(Outcome::Items { items, total }) => total.saturating_sub(items.len()),
        _ => 0,
    };
    let gone = scene.calls().filter(|(call, _)| removes(call)).count();
    let meant = follow::candidates(scene, request, step, &items).len();
    match (meant + unseen).saturating_sub(gone) {
        // A search brings the first few; where all of them fit, others may too.
        0 if !named.is_empty() && meant == items.len() && meant >= FULL_SEARCH => {
            "\n\nThere may be more of them. Say it again and I look once more.".to_owned()
        }
        0 => String::new(),
        left => format!("\n\n{left} more are left. Say it again and I go on."),
    }
}

fn handed(scene: &Scene<'_>, call: &ToolCall, outcome: &Outcome) -> String {
    let value = |param: &str| call.arguments.get(param);
    let named = scene.tool(&call.name).map(|tool| match tool.kind {
        Kind::Switch { param } => {
            let value = value(&tool.params[param].name);
            let known = agents::reachable(scene).into_iter().find(|agent| agent.value.as_ref() == value);
            let said = value.and_then(Value::as_str).unwrap_or_default().to_owned();
            known.map_or(said, |agent| agent.name)
        }
        _ => tool.target(),
    });
    let to = named.unwrap_or_else(|| "the other agent".to_owned());
    match outcome {
        Outcome::Failed(reason) | Outcome::Rejected(reason) => format!(
            "I couldn't hand this to {to}: {} You're still with me; tell me how you'd like to go on.",
            sentence(&shorten(reason, 240))
        ),
        _ => format!("{to} has been told about this."),
    }
}
