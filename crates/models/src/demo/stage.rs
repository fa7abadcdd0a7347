//! Stages and tasks: what the completing tool's schema or the agent's prompt wants is collected, kept as the agent's own
//! context where a tool does that, asked for one thing at a time, and handed in when it is whole.

use serde_json::{Map, Value};

use super::clauses::{Clause, Mood};
use super::collect::{collect, mark};
use super::judge::{is_judgement, judged};
use super::offer::{Kind, Offered};
use super::params::{Param, Wants};
use super::render;
use super::reply::{Planned, Reply};
use super::scene::Scene;
use super::wanted::wanted;
use super::words::{join, shorten};

pub enum Progress {
    /// Something to call: what is new is kept, what is whole is handed in.
    Done(Reply),
    Ask(String),
}

pub fn progress(scene: &Scene<'_>, said: &[Clause<'_>]) -> Option<Progress> {
    let completes = scene.tools.iter().find(|tool| tool.kind == Kind::Complete);
    let keeps = scene.tools.iter().find(|tool| matches!(tool.kind, Kind::Keep { .. }));
    let called = |tool: &Offered<'_>| scene.calls().any(|(call, _)| call.name == tool.spec.name);
    if completes.is_some_and(called) || (completes.is_none() && keeps.is_none()) {
        return None;
    }
    let (wrapper, own) = completes.map(fields).unwrap_or((None, &[]));
    let mut all = own.to_vec();
    if !own.iter().any(is_asked_for) {
        all.extend(keeps.map(|tool| to_keep(scene, tool)).unwrap_or_default());
    }
    let nothing_to_ask = !all.iter().any(is_asked_for);
    if nothing_to_ask && !completes.is_some_and(|tool| may_end(scene, tool, said)) {
        return None;
    }
    let known = collect(scene, &all);
    let kept = keeps.and_then(|tool| keep(scene, tool, &known));
    let missing: Vec<&Param> =
        all.iter().filter(|param| is_asked_for(param) && !known.contains_key(&param.name)).collect();
    if let Some(next) = missing.first() {
        return Some(match kept {
            Some(call) => Progress::Done(Reply::call("I keep what I was told.", call)),
            None => Progress::Ask(question(scene, next, &known)),
        });
    }
    let Some(tool) = completes else {
        return kept.map(|call| Progress::Done(Reply::call("I keep what I was told.", call)));
    };
    let values = judged(scene, own, known.clone());
    let values = values.into_iter().filter(|(name, _)| own.iter().any(|param| param.name == *name)).collect();
    let arguments = match wrapper {
        Some(name) => [(name.to_owned(), Value::Object(values))].into_iter().collect(),
        None => values,
    };
    let text = match known.is_empty() {
        true => String::new(),
        false => format!("Thank you, I have what this step needs:\n\n{}", lines(&known)),
    };
    let reasoning = format!("Everything that {} requires is there.", tool.human());
    let calls = kept.into_iter().chain([Planned { name: tool.spec.name.clone(), arguments }]).collect();
    Some(Progress::Done(Reply { reasoning, text, calls }))
}

fn is_asked_for(param: &Param) -> bool {
    param.required && !is_judgement(param)
}

fn lines(known: &Map<String, Value>) -> String {
    let shown = known.iter().take(12);
    let shown = shown.map(|(key, value)| format!("- {}: {}", render::human_key(key), render::plain(value)));
    shown.collect::<Vec<_>>().join("\n")
}

/// The schema's fields, which may lie inside one object such as `result`.
fn fields<'t>(tool: &'t Offered<'_>) -> (Option<&'t str>, &'t [Param]) {
    match tool.params.as_slice() {
        [only] if only.wants == Wants::Object && !only.fields.is_empty() => (Some(&only.name), &only.fields),
        all => (None, all),
    }
}

/// What the agent keeps for itself: the fields of the keeping tool, else those that its prompt names.
fn to_keep(scene: &Scene<'_>, tool: &Offered<'_>) -> Vec<Param> {
    let Kind::Keep { param } = tool.kind else { return Vec::new() };
    let fields = &tool.params[param].fields;
    if fields.is_empty() { wanted(scene.standing) } else { fields.clone() }
}

/// The call that keeps what is known, unless it was kept before.
fn keep(scene: &Scene<'_>, tool: &Offered<'_>, known: &Map<String, Value>) -> Option<Planned> {
    let Kind::Keep { param } = tool.kind else { return None };
    let is_kept =
        |(name, value): (&String, &Value)| scene.context.data.iter().any(|(n, v)| n == name && v == value);
    if known.iter().all(is_kept) {
        return None;
    }
    let name = tool.params[param].name.clone();
    let call = Planned {
        name: tool.spec.name.clone(),
        arguments: [(name, Value::Object(known.clone()))].into_iter().collect(),
    };
    let made = scene.calls().any(|(done, _)| done.name == call.name && done.arguments == call.arguments);
    (!made).then_some(call)
}

/// With nothing to collect, a stage ends once there is something to work from, a task once the person is done.
fn may_end(scene: &Scene<'_>, tool: &Offered<'_>, said: &[Clause<'_>]) -> bool {
    let lower = scene.asked.to_lowercase();
    let closing = [
        "that's all",
        "that is all",
        "that's it",
        "we're done",
        "i'm done",
        "all done",
        "nothing else",
        "das war's",
    ];
    if tool.words.iter().any(|word| word == "task") {
        return lower.len() < 200 && closing.iter().any(|phrase| lower.contains(phrase));
    }
    !scene.context.data.is_empty() || said.iter().any(|clause| clause.mood != Mood::SmallTalk)
}

fn question(scene: &Scene<'_>, next: &Param, known: &Map<String, Value>) -> String {
    let choices: Vec<String> = next.choices.iter().map(|choice| choice.label.clone()).collect();
    let about = match (choices.is_empty(), next.description.is_empty()) {
        (false, _) => format!(" ({})", join(&choices, "or")),
        (true, false) => format!(" ({})", shorten(next.description.trim_end_matches('.'), 120)),
        (true, true) => String::new(),
    };
    let asked_again = scene.said.is_some_and(|said| said.contains(&mark(next)));
    let opening = match (known.is_empty(), scene.said) {
        _ if asked_again => "I couldn't read that as an answer. ",
        (true, None) => "Let's begin. ",
        (true, Some(_)) => "",
        (false, _) => "Thank you. ",
    };
    format!("{opening}What is the {}{about}?", mark(next))
}
