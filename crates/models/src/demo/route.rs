//! Routing: a decision tool is always called. The agent whose description the message fits takes it; unclear means stay.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::agents::{Agent, named_in};
use super::choose::{VERB, does_it, fit};
use super::clauses::{Clause, Mood};
use super::fill::from_context;
use super::offer::{Bag, Kind, Offered, speak};
use super::params::{Param, Wants};
use super::reply::{Planned, Reply};
use super::resume::resumes;
use super::scene::Scene;
use super::words::shorten;

pub fn decide(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<Reply> {
    let (at, tool, decision) = scene.tools.iter().enumerate().find_map(|(at, tool)| match tool.kind {
        Kind::Route { decision } => Some((at, tool, decision)),
        _ => None,
    })?;
    if scene.calls().any(|(call, _)| call.name == tool.spec.name) {
        return None;
    }
    let texts = [tool.spec.description.as_str(), scene.standing, &scene.context.text];
    let agent_param =
        tool.params.iter().enumerate().find(|(at, param)| *at != decision && names_agent(param));
    let agents = agent_param.map(|(_, param)| named_in(param, &texts, at)).unwrap_or_default();
    let current = current(&texts, &agents);
    let rules = rules(scene.standing, &agents);
    let best = best(clauses, &agents, &rules);
    let is_general = |at: usize| lines_about(&texts, &agents[at]).any(|line| line.contains("(general)"));
    let replies = replies(scene, clauses) && !current.is_some_and(is_general);
    let best = best.filter(|_| !replies);
    // "Where were we?" after a side question: at the one thing that lies unfinished.
    let waits = asks(scene) && !current.is_some_and(is_general);
    let goes_on = resumes(&scene.asked).is_some_and(|resumes| resumes.with.is_none());
    let mut paused = (0..agents.len()).filter(|at| is_paused(&agents[*at], &texts) && !is_general(*at));
    let unfinished = paused.next().filter(|_| paused.next().is_none() && goes_on && !waits);
    let best = unfinished.or(best);
    let turn = match best {
        Some(best) if Some(best) == current => Turn::Stay,
        Some(best) if is_paused(&agents[best], &texts) => Turn::Resume(best),
        Some(best) => Turn::Switch(best),
        None => Turn::Stay,
    };
    let (words, target): (&[&str], _) = match turn {
        Turn::Stay => (&["stay", "keep", "continue", "none"], current),
        Turn::Switch(agent) => (&["switch", "change", "handoff", "route", "activate"], Some(agent)),
        Turn::Resume(agent) => (&["resume", "return", "reactivate", "switch", "change"], Some(agent)),
    };
    let choices = &tool.params[decision].choices;
    let said =
        words.iter().find_map(|word| choices.iter().find(|choice| choice.words.iter().any(|w| w == word)));
    let mut arguments = Map::new();
    arguments.insert(tool.params[decision].name.clone(), said.or(choices.first())?.value.clone());
    if let (Some((_, param)), Some(agent)) = (agent_param, target.map(|at| &agents[at]))
        && (turn != Turn::Stay || param.required)
        && let Some(value) = &agent.value
    {
        arguments.insert(param.name.clone(), value.clone());
    }
    let summary = format!("The person says: {}", shorten(&scene.asked.replace('\n', " "), 200));
    fill_rest(tool, scene, &summary, &mut arguments);
    let why = match (turn, target) {
        (Turn::Stay, _) => "Nothing in the message clearly belongs to another agent, so it stays.".to_owned(),
        (Turn::Resume(_), Some(at)) => format!("This goes on with what {} had paused.", agents[at].name),
        (_, Some(at)) => format!("The message fits what {} is for.", agents[at].name),
        (_, None) => "I decide by the descriptions of the agents.".to_owned(),
    };
    Some(Reply::call(why, Planned { name: tool.spec.name.clone(), arguments }))
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Turn {
    Stay,
    Switch(usize),
    Resume(usize),
}

fn names_agent(param: &Param) -> bool {
    let names = ["agent", "target", "specialist", "member", "to", "activation", "context", "slug"];
    matches!(param.wants, Wants::Choice | Wants::Other | Wants::Title | Wants::Id | Wants::Person)
        && param.words.iter().any(|word| names.contains(&word.as_str()))
}

/// "A question about what expires goes to Compliance": what the instructions say of one agent.
struct Rule {
    agent: usize,
    bag: Bag,
    /// Only for what is asked.
    questions: bool,
}

const RULE: f32 = 1.5;

fn rules(standing: &str, agents: &[Agent]) -> Vec<Rule> {
    let pieces = standing.lines().filter(|line| !line.trim_start().starts_with('-'));
    let pieces = pieces.flat_map(|line| line.split_inclusive(". ")).flat_map(|sentence| sentence.split(';'));
    let rule = |piece: &str| {
        let mut named =
            agents.iter().enumerate().filter_map(|(at, agent)| Some((at, piece.find(&agent.name)?)));
        let ((agent, end), None) = (named.next()?, named.next()) else { return None };
        let mut bag = Bag::new();
        speak(&mut bag, &piece[..end], RULE);
        Some(Rule { agent, bag, questions: piece[..end].contains("question") })
    };
    pieces.filter_map(rule).collect()
}

/// Whether the last that was said is a question.
fn asks(scene: &Scene<'_>) -> bool {
    scene.context.text.trim_end().ends_with('?')
}

/// A few words after a question of the agent that is active are its answer.
fn replies(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> bool {
    let told = clauses
        .iter()
        .all(|clause| matches!(clause.mood, Mood::Fragment | Mood::Statement | Mood::SmallTalk));
    let back = scene.asked.to_lowercase().contains("back to");
    asks(scene) && told && !back && scene.asked.split_whitespace().count() <= 5
}

fn best(clauses: &[Clause<'_>], agents: &[Agent], rules: &[Rule]) -> Option<usize> {
    let mut common: HashMap<&str, f32> = HashMap::new();
    for meaning in agents.iter().flat_map(|agent| agent.bag.keys()) {
        *common.entry(meaning).or_default() += 1.0;
    }
    let nothing = HashMap::new();
    let ruled = |at: usize, clause: &Clause<'_>| -> f32 {
        let mine = rules.iter().filter(|rule| rule.agent == at && (!rule.questions || clause.asks()));
        let worth = |rule: &Rule| {
            let fits = fit(clause, &rule.bag, &nothing).map_or(0.0, |fit| fit.score);
            fits * if rule.questions { 2.0 } else { 1.0 }
        };
        mine.map(worth).sum()
    };
    let scores = agents.iter().enumerate().map(|(at, agent)| {
        let talk = |clause: &&Clause<'_>| clause.mood != Mood::SmallTalk;
        let score = |clause: &Clause<'_>| {
            let fits = fit(clause, &agent.bag, &common).map_or(0.0, |fit| fit.score);
            let verb = if does_it(clause, &agent.bag) { VERB } else { 0.0 };
            fits + verb + ruled(at, clause)
        };
        (at, clauses.iter().filter(talk).map(score).sum::<f32>())
    });
    let mut scores: Vec<(usize, f32)> = scores.collect();
    scores.sort_by(|left, right| right.1.total_cmp(&left.1));
    let second = scores.get(1).map_or(0.0, |(_, score)| *score);
    scores.first().filter(|(_, score)| *score >= 1.0 && *score >= second * 1.1).map(|(at, _)| *at)
}

fn lines_about<'t>(texts: &'t [&str], agent: &'t Agent) -> impl Iterator<Item = String> + 't {
    let name = agent.name.to_lowercase();
    let slug = agent.value.as_ref().and_then(Value::as_str).unwrap_or_default().to_lowercase();
    texts
        .iter()
        .flat_map(|text| text.lines())
        .map(str::to_lowercase)
        .filter(move |line| line.contains(&name) || (!slug.is_empty() && line.contains(&slug)))
}

fn current(texts: &[&str], agents: &[Agent]) -> Option<usize> {
    let holds = |line: &String| {
        [
            "active agent",
            "current agent",
            "currently",
            "holds",
            "is active",
            "(active)",
            "active:",
            "current:",
        ]
        .iter()
        .any(|mark| line.contains(mark))
    };
    agents.iter().position(|agent| lines_about(texts, agent).any(|line| holds(&line)))
}

fn is_paused(agent: &Agent, texts: &[&str]) -> bool {
    lines_about(texts, agent).any(|line| line.contains("paused"))
}

/// The other parameters: a summary where one is wanted, else what the context has.
fn fill_rest(tool: &Offered<'_>, scene: &Scene<'_>, summary: &str, arguments: &mut Map<String, Value>) {
    for param in &tool.params {
        if arguments.contains_key(&param.name) {
            continue;
        }
        let told = ["summary", "reason", "why", "context", "message", "rationale"];
        let is_told =
            param.words.iter().any(|word| told.contains(&word.as_str())) && param.choices.is_empty();
        let value = match is_told {
            true => Some(json!(summary)),
            false if param.required => from_context(param, &scene.context).or_else(|| param.default.clone()),
            false => None,
        };
        if let Some(value) = value {
            arguments.insert(param.name.clone(), value);
        }
    }
}
