//! From clauses to steps: which tool each part of a message calls, with which arguments, and what is still missing.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::agents::{self, Agent};
use super::choose::{Choice, Fit, choose};
use super::clauses::{Clause, Mood, Verbs, merged};
use super::dates::days;
use super::fill::{Filled, Sources, fill};
use super::lexicon::MONTHS;
use super::offer::{Bag, Offered};
use super::params::{Param, Wants};
use super::recall::{lookup, of_clause};
use super::reply::Planned;
use super::scene::Scene;
use super::values::names_after;
use super::words::{capitalised, join, shorten, words};
use super::zones::zones_in;

#[derive(Debug, Clone)]
pub enum Step {
    Call {
        call: Planned,
        why: String,
    },
    /// Find the thing first, then act on it: `key` of what is found completes the second call.
    Lookup {
        first: Planned,
        then: Then,
        key: String,
        /// What the person called it.
        named: Vec<String>,
        why: String,
    },
    Handoff {
        call: Planned,
        to: String,
        why: String,
    },
    Ask(String),
}

/// What is done with what was found.
#[derive(Debug, Clone)]
pub enum Then {
    /// The one that is meant completes the call.
    One(Planned),
    /// Every one does.
    Each(Planned),
    /// The text takes the place of the note on the same subject, else it is a new one.
    Correct { call: Planned, statement: String },
    /// Nothing is done to a note by a verb that means the thing itself: "cancel my appointment".
    Leave(String),
    /// Nothing is done: what there is, is told.
    Tell,
    /// Its text is written back with the new value in it.
    Amend {
        call: Planned,
        /// The parameter that takes the text.
        text: String,
        /// What the new value replaces, where the person said it.
        old: Option<String>,
        value: String,
    },
}

/// A message with the replies our questions got since.
pub struct Request<'m> {
    pub message: &'m str,
    pub clauses: Vec<Clause<'m>>,
    pub answers: &'m [String],
}

/// What the tools and agents on offer can do about a message; nothing, if nothing clearly fits.
pub fn plan(
    scene: &Scene<'_>,
    request: &Request<'_>,
    agents: &[Agent],
    own: &Bag,
    verbs: &Verbs,
) -> Vec<Step> {
    if let agents::Wish::Agent(at) = agents::wished(request.message, agents) {
        let clause = request.clauses.first();
        let why = "The person asks for this agent by name.";
        return clause.map(|clause| handoff(scene, request, clause, &agents[at], why)).into_iter().collect();
    }
    let mut clauses: Vec<Clause<'_>> = Vec::new();
    for clause in &request.clauses {
        // "… and read" only begins something new if a tool fits it; else it belongs to what went before.
        let stands_alone = || step(scene, request, clause, agents, own).is_some();
        match clauses.last_mut() {
            Some(last) if clause.joined && !stands_alone() => {
                *last = merged(request.message, last, clause, verbs)
            }
            _ => clauses.push(clause.clone()),
        }
    }
    let found: Vec<Option<Step>> =
        clauses.iter().map(|clause| step(scene, request, clause, agents, own)).collect();
    let acts = found.iter().any(Option::is_some);
    let mut steps: Vec<Step> = Vec::new();
    for (clause, step) in clauses.iter().zip(found) {
        // Beside something that is done, a question about oneself is looked up too.
        let asks = acts && clause.mood == Mood::Question && !clause.own_words.is_empty();
        let looked_up = || if asks { of_clause(scene, request, clause) } else { None };
        let Some(step) = step.or_else(looked_up) else { continue };
        let hands = |step: &Step| matches!(step, Step::Handoff { .. });
        if !(hands(&step) && steps.iter().any(hands)) {
            let others = other_zones(scene, &step, clause);
            steps.push(step);
            steps.extend(others);
        }
    }
    steps
}

fn step(
    scene: &Scene<'_>,
    request: &Request<'_>,
    clause: &Clause<'_>,
    agents: &[Agent],
    own: &Bag,
) -> Option<Step> {
    let choice = settled(scene, request, choose(clause, &scene.tools));
    let better = agents::better_placed(scene, clause, agents, own);
    let tool_score = match &choice {
        Choice::Tool { fit, .. } => fit.score,
        _ => 0.0,
    };
    if let Some((agent, fit)) = better.filter(|(_, fit)| fit.score > tool_score) {
        let why = format!("“{}” is what {} is for, more than me.", fit.hits.join(", "), agent.name);
        return Some(handoff(scene, request, clause, agent, &why));
    }
    match choice {
        Choice::Nothing => None,
        Choice::Unsure(one, other) => {
            let names = [one, other].map(|at| format!("**{}**", scene.tools[at].human()));
            Some(Step::Ask(format!("I could use {} for that. Which do you mean?", join(&names, "or"))))
        }
        Choice::Tool { at, fit } => {
            let tool = &scene.tools[at];
            let why = match fit.hits.is_empty() {
                true => format!("The person chose {}.", tool.human()),
                false => format!("“{}” fits the tool {}.", fit.hits.join(", "), tool.human()),
            };
            Some(call(scene, request, clause, tool, why))
        }
    }
}

/// "Which do you mean?" may have been answered.
fn settled(scene: &Scene<'_>, request: &Request<'_>, choice: Choice) -> Choice {
    let (Choice::Unsure(one, other), Some(answer)) = (&choice, request.answers.last()) else { return choice };
    let said = words(answer);
    let named = |at: usize| {
        said.iter().filter(|word| !word.stop && scene.tools[at].is_own_word(&word.concept)).count()
    };
    match named(*one).cmp(&named(*other)) {
        Ordering::Greater => Choice::Tool { at: *one, fit: Fit::default() },
        Ordering::Less => Choice::Tool { at: *other, fit: Fit::default() },
        Ordering::Equal => choice,
    }
}

fn sources<'s>(scene: &'s Scene<'_>, request: &'s Request<'_>, clause: &'s Clause<'s>) -> Sources<'s> {
    Sources {
        clause,
        message: request.message,
        answers: request.answers,
        earlier: &scene.earlier,
        context: &scene.context,
        files: &scene.files,
    }
}

pub fn call(
    scene: &Scene<'_>,
    request: &Request<'_>,
    clause: &Clause<'_>,
    tool: &Offered<'_>,
    why: String,
) -> Step {
    let Filled { arguments, missing } = fill(tool, &sources(scene, request, clause));
    if !missing.is_empty() {
        return Step::Ask(ask(&tool.human(), &missing));
    }
    if let Some(question) = unknown_place(tool, clause, &arguments) {
        return Step::Ask(question);
    }
    let call = Planned { name: tool.spec.name.clone(), arguments };
    match lookup(tool, clause, &call) {
        Some(found) => {
            let why = format!("{why} I have to find it before I can change it.");
            Step::Lookup { first: found.first, then: found.then, key: found.key, named: found.named, why }
        }
        None => Step::Call { call, why },
    }
}

/// "In Tokyo and London": the same question once more for each further place.
fn other_zones(scene: &Scene<'_>, step: &Step, clause: &Clause<'_>) -> Vec<Step> {
    let Step::Call { call, why } = step else { return Vec::new() };
    let zone =
        scene.tool(&call.name).and_then(|tool| tool.params.iter().find(|param| param.wants == Wants::Zone));
    let Some(zone) = zone.filter(|zone| call.arguments.contains_key(&zone.name)) else { return Vec::new() };
    let others = zones_in(clause.text).into_iter().skip(1).take(4).map(|(other, ..)| {
        let mut call = call.clone();
        call.arguments.insert(zone.name.clone(), Value::String(other.to_owned()));
        Step::Call { call, why: why.clone() }
    });
    others.collect()
}

/// A place whose zone I don't know: the time here would be a wrong answer to a question about there.
fn unknown_place(tool: &Offered<'_>, clause: &Clause<'_>, arguments: &Map<String, Value>) -> Option<String> {
    let zone = tool.params.iter().find(|param| param.wants == Wants::Zone)?;
    if arguments.contains_key(&zone.name) || !days(clause.text, None).is_empty() {
        return None;
    }
    let all = words(clause.text);
    let last = all.windows(2).last().filter(|pair| pair[0].lower == "in" && pair[1].is_topic());
    let named = names_after(clause.text, &["in"]).map(|(place, ..)| place);
    let place = named.or_else(|| last.map(|pair| pair[1].text.to_owned()))?;
    let is_month = |word: &str| MONTHS.contains(&word.to_lowercase().as_str());
    (!is_month(&place)).then(|| {
        format!("I don't know which time zone {place} is in. Can you name one, such as Europe/Zurich or Asia/Tokyo?")
    })
}

fn handoff(scene: &Scene<'_>, request: &Request<'_>, clause: &Clause<'_>, agent: &Agent, why: &str) -> Step {
    let tool = &scene.tools[agent.tool];
    let Filled { mut arguments, mut missing } = fill(tool, &sources(scene, request, clause));
    if let (super::offer::Kind::Switch { param }, Some(value)) = (&tool.kind, &agent.value) {
        arguments.insert(tool.params[*param].name.clone(), value.clone());
    }
    let told =
        ["reason", "summary", "context", "instructions", "note", "notes", "message", "request", "task"];
    for param in &tool.params {
        let is_told = param.words.last().is_some_and(|last| told.contains(&last.as_str()));
        if is_told && param.wants == Wants::Body {
            arguments.insert(param.name.clone(), Value::String(shorten(request.message, 400)));
        }
    }
    missing.retain(|param| !arguments.contains_key(&param.name));
    if !missing.is_empty() {
        return Step::Ask(ask(&format!("hand this to {}", agent.name), &missing));
    }
    let call = Planned { name: tool.spec.name.clone(), arguments };
    Step::Handoff { call, to: agent.name.clone(), why: why.to_owned() }
}

/// One question for all that is missing.
pub fn ask(to_do: &str, missing: &[Param]) -> String {
    let named = |param: &Param| {
        let choices: Vec<String> = param.choices.iter().take(6).map(|choice| choice.label.clone()).collect();
        let hint = match (choices.is_empty(), param.description.is_empty()) {
            (false, _) => format!(" ({})", join(&choices, "or")),
            (true, false) => format!(" ({})", shorten(param.description.trim_end_matches('.'), 80)),
            (true, true) => String::new(),
        };
        format!("the **{}**{hint}", param.human())
    };
    match missing {
        [one] => format!("To {to_do} I need {}. What should it be?", named(one)),
        _ => {
            let all: Vec<String> = missing.iter().take(4).map(named).collect();
            capitalised(&format!("to {to_do} I still need {}. Can you tell me?", join(&all, "and")))
        }
    }
}
