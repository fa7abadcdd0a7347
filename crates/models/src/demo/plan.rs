//! From clauses to steps: which tool each part of a message calls, with which arguments, and what is still missing.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::agents::{self, Agent};
use super::choose::{Choice, Fit, choose};
use super::clauses::{Clause, Mood, Verbs, merged};
use super::fill::{Filled, Sources, fill};
use super::lexicon::Act;
use super::offer::{Bag, Offered};
use super::params::{Param, Wants};
use super::reply::Planned;
use super::scene::Scene;
use super::words::{act_of, capitalised, join, shorten, words};

#[derive(Debug, Clone)]
pub enum Step {
    Call {
        call: Planned,
        why: String,
    },
    /// Find the thing first, then act on it: `key` of what is found completes the second call.
    Lookup {
        first: Planned,
        then: Planned,
        key: String,
        why: String,
    },
    Handoff {
        call: Planned,
        to: String,
        why: String,
    },
    Ask(String),
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
    let mut steps: Vec<Step> = Vec::new();
    for clause in &clauses {
        let Some(step) = step(scene, request, clause, agents, own) else { continue };
        let hands = |step: &Step| matches!(step, Step::Handoff { .. });
        if !(hands(&step) && steps.iter().any(hands)) {
            steps.push(step);
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

/// For questions that no tool's own subject fits: what remembers, knows or searches the web.
pub fn look_it_up(scene: &Scene<'_>, request: &Request<'_>) -> Option<Step> {
    let clause = request.clauses.iter().find(|clause| clause.asks() && clause.mood != Mood::Fragment)?;
    let says = |words: &[&str]| {
        let lower = format!(" {} ", clause.text.to_lowercase().replace(['?', '!', '.', ','], " "));
        words.iter().any(|word| lower.contains(&format!(" {word} ")))
    };
    let recall = || scene.plain_tools().find(|tool| tool.recalls());
    let pages = || scene.plain_tools().find(|tool| tool.searches("document"));
    let web = || scene.plain_tools().find(|tool| tool.searches("web"));
    let own = says(&["my", "mine", "did i", "about me", "do i", "am i"]);
    let ours = says(&["our", "ours", "we", "us"]);
    let named = clause.topics.iter().any(|topic| !topic.weak);
    let tool = match () {
        () if own => recall(),
        () if ours => pages().or_else(recall),
        () if says(&["you", "your"]) || !named || clause.mood != Mood::Question => None,
        () => web().or_else(pages),
    }?;
    let why = format!("No tool is about this itself, so I look whether {} has it.", tool.human());
    let asked = Clause { act: Some(Act::Find), ..clause.clone() };
    Some(call(scene, request, &asked, tool, why))
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

fn call(
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
    let call = Planned { name: tool.spec.name.clone(), arguments };
    lookup(tool, clause, &call).map_or(Step::Call { call: call.clone(), why: why.clone() }, |(first, key)| {
        let why = format!("{why} I have to find it before I can change it.");
        Step::Lookup { first, then: call, key, why }
    })
}

/// The call that finds what a change or removal is about, where the tool can search and the key isn't known.
fn lookup(tool: &Offered<'_>, clause: &Clause<'_>, call: &Planned) -> Option<(Planned, String)> {
    let (_, action) = tool.action()?;
    let chosen = call.arguments.get(&action.name)?;
    let act_for = |value: &Value| {
        let choice = action.choices.iter().find(|choice| choice.value == *value)?;
        act_of(choice.words.first()?)
    };
    if !matches!(act_for(chosen), Some(Act::Remove | Act::Change)) {
        return None;
    }
    let is_key = |param: &&Param| {
        let keys = ["path", "key", "slug", "id"];
        param.words.last().is_some_and(|last| keys.contains(&last.as_str()))
            && !call.arguments.contains_key(&param.name)
    };
    let key = tool.params.iter().find(is_key)?;
    let finds = |act: Act| action.choices.iter().find(|choice| act_for(&choice.value) == Some(act));
    let find = finds(Act::Find).or_else(|| finds(Act::List))?;
    let mut arguments = Map::new();
    arguments.insert(action.name.clone(), find.value.clone());
    if let Some(query) = tool.params.iter().find(|param| param.wants == Wants::Query)
        && let Some(text) = super::free::query(clause, tool, &[])
    {
        arguments.insert(query.name.clone(), Value::String(text));
    }
    Some((Planned { name: call.name.clone(), arguments }, key.name.clone()))
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
