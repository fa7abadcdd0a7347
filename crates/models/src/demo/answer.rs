//! The answer after a tool loop: what each call came to, what was looked for in vain, and what is still to be asked.

use baton_core::models::ToolCall;
use serde_json::Value;

use super::clauses::{Clause, Topic};
use super::deeds::deed;
use super::follow;
use super::lexicon::Act;
use super::offer::Kind;
use super::outcome::{Outcome, outcome};
use super::plan::{Step, Then};
use super::quote::sentence;
use super::render;
use super::results::{self, Asked};
use super::scene::{Done, Scene};
use super::words::{concept, join, name_words, shorten};
use super::{agents, conversation, report, skills};

pub fn from_results(scene: &Scene<'_>, clauses: &[Clause<'_>], steps: &[Step]) -> String {
    let topics: Vec<Topic> = clauses.iter().flat_map(|clause| clause.topics.clone()).collect();
    let all: Vec<&Done> = scene.calls().collect();
    let removed = removed_together(&all);
    let in_vain: Vec<String> = steps
        .iter()
        .filter(|step| follow::led_nowhere(scene, clauses, step))
        .filter_map(|step| in_vain(scene, step))
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
                results::answer(call, outcome, &Asked { text: &scene.asked, topics, remembers })
            })
        }
    }
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
    let more = removals.len() - names.len();
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

/// A lookup without a second half: nothing was done, and that is said.
fn in_vain(scene: &Scene<'_>, step: &Step) -> Option<String> {
    let Step::Lookup { first, then, .. } = step else { return None };
    let (call, result) = scene.calls().find(|(call, _)| follow::made(call, first))?;
    let done = match then {
        Then::Best(call) | Then::Each(call) if removal(call) => "deleted",
        _ => "changed",
    };
    let what = deed(&call.name, &call.arguments).plural();
    match (outcome(result), results::looked_for(call, &scene.asked)) {
        (Outcome::Failed(_) | Outcome::Rejected(_), _) => None,
        (Outcome::Nothing, Some(about)) => {
            Some(format!("I have no note about {about}, so nothing was {done}."))
                .filter(|_| scene.tool(&call.name).is_some_and(|tool| tool.recalls()))
                .or_else(|| Some(format!("I found nothing about {about}, so nothing was {done}.")))
        }
        (Outcome::Nothing, None) => Some(format!("There are no {what}, so nothing was {done}.")),
        _ => Some(format!("None of the {what} I found is about that, so nothing was {done}.")),
    }
}

fn removal(call: &super::reply::Planned) -> bool {
    deed(&call.name, &call.arguments).act == Some(Act::Remove)
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
