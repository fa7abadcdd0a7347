//! Stages and tasks: what the completing tool's schema or the agent's prompt wants is collected, kept as the agent's own
//! context where a tool does that, asked for one thing at a time, and handed in when it is whole.

use serde_json::{Map, Value};

use super::clauses::{Clause, Mood};
use super::collect::{Since, collect, mark};
use super::crafts;
use super::habits;
use super::judge::{asks_nobody, is_judgement, judged};
use super::keeping::Notes;
use super::offer::{Kind, Offered};
use super::params::{Param, Wants};
use super::quote::turned;
use super::render;
use super::reopen::{Again, again, is_completed, is_last};
use super::reply::{Planned, Reply};
use super::resume::resumes;
use super::scene::Scene;
use super::wanted::Under;
use super::words::{join, shorten};

pub enum Progress {
    /// Something to call: what is new is kept, what is whole is handed in.
    Done(Reply),
    Ask(String),
}

pub fn progress(scene: &Scene<'_>, said: &[Clause<'_>]) -> Option<Progress> {
    let completes = scene.tools.iter().find(|tool| tool.kind == Kind::Complete);
    let notes = Notes::of(scene);
    let called = |tool: &Offered<'_>| scene.calls().any(|(call, _)| call.name == tool.spec.name);
    let is_done = completes.is_some_and(|tool| is_completed(scene, tool));
    let went_back = is_done && completes.is_some_and(|tool| !is_last(tool));
    let is_over = completes.is_some_and(called) || (is_done && !went_back && !asks_again(scene));
    if is_over || (completes.is_none() && notes.is_none()) {
        return None;
    }
    let (wrapper, own) = completes.map(fields).unwrap_or((None, &[]));
    let alone = asks_nobody(scene.standing);
    let asked_for = |param: &Param| is_asked_for(param) && !alone;
    let mut all = own.to_vec();
    if !own.iter().any(is_asked_for) {
        all.extend(notes.as_ref().map(|notes| notes.fields.clone()).unwrap_or_default());
    }
    let nothing_to_ask = !all.iter().any(asked_for);
    if nothing_to_ask && !completes.is_some_and(|tool| may_end(scene, tool, said)) {
        return None;
    }
    let listed = notes.as_ref().is_some_and(|notes| matches!(notes.under, Under::List(_)));
    let known = match went_back {
        true => match again(scene, &all) {
            Again::With(known) => known,
            Again::Ask(question) => return Some(Progress::Ask(question)),
        },
        false => collect(scene, &all, if listed { Since::LastThing } else { Since::Ever }),
    };
    if let Some(call) = habits::which_day(scene, &all, &known) {
        return Some(Progress::Done(Reply::call("Which date that is depends on today's.", call)));
    }
    let kept = notes.as_ref().and_then(|notes| notes.keep(scene, &known));
    let closes = listed && known.is_empty() && completes.is_some_and(|tool| may_end(scene, tool, said));
    let missing: Vec<&Param> = if closes {
        Vec::new()
    } else {
        all.iter().filter(|param| asked_for(param) && !known.contains_key(&param.name)).collect()
    };
    if let Some(next) = missing.first() {
        return Some(match kept {
            Some(call) => Progress::Done(Reply::call("I keep what I was told.", call)),
            None => Progress::Ask(question(scene, &all, next, &known)),
        });
    }
    // A list may go on: it is handed in when the person says that was all.
    let completes = completes.filter(|tool| !listed || may_end(scene, tool, said));
    let Some(tool) = completes else {
        return match kept {
            Some(call) => Some(Progress::Done(Reply::call("I keep what I was told.", call))),
            None => whole(scene, &all, &known, listed).map(Progress::Ask),
        };
    };
    let values = judged(scene, &all, own, known.clone());
    let values = values.into_iter().filter(|(name, _)| own.iter().any(|param| param.name == *name)).collect();
    let arguments = match wrapper {
        Some(name) => [(name.to_owned(), Value::Object(values))].into_iter().collect(),
        None => values,
    };
    let text = match known.is_empty() {
        true => String::new(),
        false => format!("Thank you, that is all I need:\n\n{}", lines(&all, &known)),
    };
    let reasoning = format!("Everything that {} requires is there.", tool.human());
    let calls = kept.into_iter().chain([Planned { name: tool.spec.name.clone(), arguments }]).collect();
    Some(Progress::Done(Reply { reasoning, text, calls }))
}

fn is_asked_for(param: &Param) -> bool {
    param.required && !is_judgement(param)
}

/// What is known, in the order it was asked for.
pub fn in_order<'k>(fields: &[Param], known: &'k Map<String, Value>) -> Vec<(&'k String, &'k Value)> {
    let place = |name: &String| fields.iter().position(|field| field.name == *name).unwrap_or(usize::MAX);
    let mut shown: Vec<_> = known.iter().collect();
    shown.sort_by_key(|(name, _)| place(name));
    shown
}

fn lines(fields: &[Param], known: &Map<String, Value>) -> String {
    let shown = in_order(fields, known).into_iter().take(12);
    let shown = shown.map(|(key, value)| format!("- {}: {}", render::human_key(key), render::plain(value)));
    shown.collect::<Vec<_>>().join("\n")
}

/// Nobody to hand it to yet: once everything is noted, it is summed up.
fn whole(scene: &Scene<'_>, fields: &[Param], known: &Map<String, Value>, listed: bool) -> Option<String> {
    let keeps = |name: &str| scene.tool(name).is_some_and(|tool| matches!(tool.kind, Kind::Keep { .. }));
    let known: Map<String, Value> = known
        .iter()
        .filter(|(name, _)| fields.iter().any(|field| field.name == **name))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let lines = lines(fields, &known);
    let drafted = || crafts::draft(scene, fields, &known).filter(|_| !listed);
    let noted = scene.calls().any(|(call, _)| keeps(&call.name));
    noted.then(|| drafted().unwrap_or_else(|| match listed {
        true => format!("Thank you, I have filed this:\n\n{lines}\n\nIs there another one?"),
        false => format!("Thank you, that is all I need. This is what I have:\n\n{lines}\n\nTell me if something in it should change."),
    }))
}

/// The schema's fields, which may lie inside one object such as `result`.
fn fields<'t>(tool: &'t Offered<'_>) -> (Option<&'t str>, &'t [Param]) {
    match tool.params.as_slice() {
        [only] if only.wants == Wants::Object && !only.fields.is_empty() => (Some(&only.name), &only.fields),
        all => (None, all),
    }
}

fn asks_again(scene: &Scene<'_>) -> bool {
    let again = ["again", "redo", "revise", "rewrite", "update", "correct", "wrong", "repeat", "change"];
    super::words::words(&scene.asked).iter().any(|word| again.contains(&word.lower.as_str()))
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

/// What was left lying is taken up where it was.
fn taken_up(scene: &Scene<'_>, fields: &[Param], known: &Map<String, Value>) -> String {
    let with = resumes(&scene.asked).and_then(|resumes| resumes.with);
    let back = with.map_or_else(|| "Let's go on.".to_owned(), |with| format!("Back to {}.", turned(&with)));
    match known.is_empty() {
        true => format!("{back} Nothing is noted yet. "),
        false => format!("{back} So far I have:\n\n{}\n\n", lines(fields, known)),
    }
}

fn question(scene: &Scene<'_>, fields: &[Param], next: &Param, known: &Map<String, Value>) -> String {
    let choices: Vec<String> = next.choices.iter().map(|choice| choice.label.clone()).collect();
    let about = match (choices.is_empty(), next.description.is_empty()) {
        (false, _) => format!(" ({})", join(&choices, "or")),
        (true, false) => format!(" ({})", shorten(next.description.trim_end_matches('.'), 120)),
        (true, true) => String::new(),
    };
    let asked_again = scene.said.is_some_and(|said| said.contains(&mark(next)));
    let opening = match (known.is_empty(), scene.said) {
        _ if resumes(&scene.asked).is_some() => taken_up(scene, fields, known),
        _ if asked_again => "I couldn't read that as an answer. ".to_owned(),
        (true, None) => "Let's begin. ".to_owned(),
        (true, Some(_)) => String::new(),
        (false, _) => "Thank you. ".to_owned(),
    };
    let name = next.human();
    let many = name.ends_with("criteria")
        || (name.ends_with('s') && !["ss", "us", "is"].iter().any(|end| name.ends_with(end)));
    let verb = if many { "are" } else { "is" };
    format!("{opening}What {verb} the {}{about}?", mark(next))
}
