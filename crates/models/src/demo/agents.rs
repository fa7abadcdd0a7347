//! The agents that can be reached from here, and whether a message belongs to one of them.

use std::collections::HashMap;

use serde_json::Value;

use super::choose::{Fit, VERB, does_it, fit};
use super::clauses::{Clause, Mood};
use super::offer::{Bag, Kind, speak};
use super::params::Param;
use super::scene::Scene;
use super::words::{Word, capitalised, concept, name_words, words};

#[derive(Debug, Clone)]
pub struct Agent {
    pub name: String,
    /// The tool that leads there, and what its agent parameter is to say.
    pub tool: usize,
    pub value: Option<Value>,
    pub bag: Bag,
}

pub fn reachable(scene: &Scene<'_>) -> Vec<Agent> {
    let mut agents = Vec::new();
    for (tool, offered) in scene.tools.iter().enumerate() {
        match offered.kind {
            Kind::Handoff => {
                let name = offered.target();
                agents.push(Agent { name, tool, value: None, bag: offered.bag.clone() });
            }
            Kind::Switch { param } => {
                let param = &offered.params[param];
                let texts = [
                    offered.spec.description.as_str(),
                    &param.description,
                    scene.standing,
                    &scene.context.text,
                ];
                agents.extend(named_in(param, &texts, tool));
            }
            _ => {}
        }
    }
    let names: Vec<String> = agents.iter().map(|agent| agent.name.to_lowercase()).collect();
    for (agent, name) in agents.iter_mut().zip(&names) {
        for line in scene.standing.lines().filter(|line| line.to_lowercase().contains(name)).take(8) {
            // "Budget Coach: spending" speaks of one; a line that names several tells them apart no more.
            if names.iter().filter(|other| line.to_lowercase().contains(*other)).count() == 1 {
                speak(&mut agent.bag, line, 1.0);
            }
        }
    }
    agents
}

/// The agents a parameter can name, by its choices or by a list in one of the texts.
pub fn named_in(param: &Param, texts: &[&str], tool: usize) -> Vec<Agent> {
    let choices: Vec<(String, Value)> = if param.choices.is_empty() {
        let listed =
            texts.iter().flat_map(|text| listed(text)).map(|(name, _)| (name.clone(), Value::String(name)));
        listed.collect()
    } else {
        param.choices.iter().map(|choice| (choice.label.clone(), choice.value.clone())).collect()
    };
    let labels: Vec<String> = choices.iter().map(|(label, _)| label.clone()).collect();
    let mut seen = Vec::new();
    let mut agents = Vec::new();
    for (label, value) in choices {
        if seen.contains(&label) {
            continue;
        }
        seen.push(label.clone());
        let about: Vec<&str> = texts.iter().flat_map(|text| passages(text, &label, &labels)).collect();
        let mut bag = Bag::new();
        about.iter().for_each(|passage| speak(&mut bag, passage, 1.5));
        speak(&mut bag, &name_words(&label).join(" "), 3.0);
        let name = display(&label, &about);
        agents.push(Agent { name, tool, value: Some(value), bag });
    }
    agents
}

fn display(label: &str, about: &[&str]) -> String {
    let is_id = label.len() >= 32 && label.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let titled = |text: &&str| {
        let all = words(text);
        let start = all.iter().position(|word| word.text.starts_with(char::is_uppercase))?;
        let name = all[start..].iter().take_while(|word| word.text.starts_with(char::is_uppercase));
        Some(name.map(|word| word.text).collect::<Vec<_>>().join(" "))
    };
    let named = about.iter().find_map(|text| name_after(label, text));
    named.or_else(|| about.iter().filter(|_| is_id).find_map(titled)).unwrap_or_else(|| {
        name_words(label).iter().map(|word| capitalised(word)).collect::<Vec<_>>().join(" ")
    })
}

/// "rfp-design: RFP Design. Writes requests …": the first sentence is a name if it has a word of the short one.
fn name_after(label: &str, text: &str) -> Option<String> {
    let (name, _) = text.strip_prefix(label)?.strip_prefix(": ")?.split_once(". ")?;
    let all = words(name);
    let short: Vec<String> = name_words(label).iter().map(|word| concept(word)).collect();
    let fits = (1..=5).contains(&all.len())
        && name.starts_with(char::is_uppercase)
        && all.iter().any(|word| short.contains(&word.concept));
    fits.then(|| name.to_owned())
}

/// What a text says after naming an agent, up to the next agent or the end of the line.
fn passages<'t>(text: &'t str, label: &str, labels: &[String]) -> Vec<&'t str> {
    let forms = |label: &str| [label.to_owned(), name_words(label).join(" ")];
    let place = |line: &str, label: &str| {
        forms(label)
            .iter()
            .filter(|form| !form.is_empty())
            .filter_map(|form| find_ignoring_case(line, form))
            .min()
    };
    let mut found = Vec::new();
    for line in text.lines().filter(|line| line.len() < 4_000) {
        let Some(start) = place(line, label) else { continue };
        // "- compliance: when documents expire" tells of compliance, not of `document`.
        let entry = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let of = |other: &String| forms(other).iter().any(|form| find_ignoring_case(entry, form) == Some(0));
        if labels.iter().any(|other| other != label && other.len() > 2 && of(other)) && !of(&label.to_owned())
        {
            continue;
        }
        let next = labels
            .iter()
            .filter(|other| *other != label)
            .filter_map(|other| place(line, other).filter(|at| *at > start));
        let end = next.min().unwrap_or(line.len());
        found.extend(line.get(start..end));
        if found.len() >= 6 {
            break;
        }
    }
    found
}

/// ASCII case only, so that places in the text stay true.
fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(&wanted.to_ascii_lowercase())
}

/// Lists such as `- budget-coach: shows where the money goes`.
pub fn listed(text: &str) -> Vec<(String, String)> {
    let entry = |line: &str| {
        let line = line.trim();
        let item = line.strip_prefix(['-', '*', '•'])?.trim();
        let (name, about) =
            item.split_once(": ").or_else(|| item.split_once(" — ")).or_else(|| item.split_once(" - "))?;
        let name = name.split(" (").next().unwrap_or(name).trim_matches(['*', '`', '"', ' ']);
        let fits = !name.is_empty() && name.len() <= 64 && name.split_whitespace().count() <= 4;
        fits.then(|| (name.to_owned(), about.trim().to_owned()))
    };
    text.lines().take(500).filter_map(entry).collect()
}

/// "Switch me to sales": the agent the person asked for by name, or the name that nobody here has.
pub enum Wish {
    None,
    Agent(usize),
    Unknown(String),
}

pub fn wished(asked: &str, agents: &[Agent]) -> Wish {
    let all = words(asked.get(..600).unwrap_or(asked));
    let moves = ["switch", "transfer", "hand", "connect", "pass", "forward"];
    let meets = ["talk", "speak", "chat", "put", "bring", "escalate", "get", "take"];
    let is = |word: &Word<'_>, list: &[&str]| list.contains(&word.text.to_lowercase().as_str());
    let Some(verb) = all.iter().position(|word| is(word, &moves) || is(word, &meets)) else {
        return Wish::None;
    };
    let Some(lead) = all[verb..].iter().rposition(|word| is(word, &["to", "with", "through"])) else {
        return Wish::None;
    };
    let after: Vec<&Word<'_>> = all[verb + lead + 1..].iter().take(8).collect();
    let named = |agent: &Agent| {
        let bland = ["agent", "team", "the", "assistant"];
        let name: Vec<String> = name_words(&agent.name)
            .into_iter()
            .chain(agent.value.as_ref().and_then(Value::as_str).map(name_words).unwrap_or_default())
            .filter(|word| !bland.contains(&word.as_str()))
            .collect();
        let said = name.iter().filter(|part| after.iter().any(|word| word.lower == **part)).count();
        said as f32 / name.len().max(1) as f32
    };
    let best = agents.iter().enumerate().map(|(at, agent)| (at, named(agent)));
    match best.reduce(|best, next| if next.1 > best.1 { next } else { best }) {
        Some((at, share)) if share >= 0.5 => Wish::Agent(at),
        _ if after.iter().take(4).any(|word| word.lower == "agent")
            || is(&all[verb], &moves)
                && all.get(verb + 1).is_some_and(|word| is(word, &["me", "us", "over", "to"])) =>
        {
            let name: Vec<&str> = after.iter().take(4).map(|word| word.text).collect();
            if name.is_empty() { Wish::None } else { Wish::Unknown(name.join(" ")) }
        }
        _ => Wish::None,
    }
}

/// Whether this agent had the conversation before in this turn: going back would go round in circles.
pub fn had_it(scene: &Scene<'_>, agent: &Agent) -> bool {
    let same = |from: &String| {
        let from = name_words(from);
        let value = agent.value.as_ref().and_then(Value::as_str).map(name_words).unwrap_or_default();
        let target = name_words(&agent.name);
        from == target || from == value || scene.tools[agent.tool].words.ends_with(&from)
    };
    // That holds for the turn it was handed over in: whoever has answered since may hand on.
    if scene.said.is_some() {
        return false;
    }
    let told = || {
        let lower = scene.context.text.to_lowercase();
        lower.find("handed").is_some_and(|at| lower[at..].contains(&agent.name.to_lowercase()))
    };
    scene.context.handed_from.iter().any(same) || (scene.context.handed && told())
}

/// The agent a clause belongs to more than to me.
pub fn better_placed<'g>(
    scene: &Scene<'_>,
    clause: &Clause<'_>,
    agents: &'g [Agent],
    own: &Bag,
) -> Option<(&'g Agent, Fit)> {
    if matches!(clause.mood, Mood::SmallTalk | Mood::Refusal) {
        return None;
    }
    let nothing = HashMap::new();
    let strong = clause.topics.iter().filter(|topic| !topic.weak).count().max(1);
    let mine = fit(clause, own, &nothing).map_or(0.0, |fit| fit.score);
    let mut fits: Vec<(&Agent, Fit)> = agents
        .iter()
        .filter(|agent| !had_it(scene, agent))
        .filter_map(|agent| {
            let mut fit = fit(clause, &agent.bag, &nothing)?;
            fit.score += if does_it(clause, &agent.bag) { VERB } else { 0.0 };
            Some((agent, fit))
        })
        .filter(|(_, fit)| {
            let share = fit.hits.len() as f32 / strong as f32;
            let enough = if clause.mood == Mood::Statement { fit.hits.len() >= 2 } else { fit.score >= 1.0 };
            enough && (fit.hits.len() >= 2 || share >= 0.34) && fit.score > mine
        })
        .collect();
    fits.sort_by(|left, right| right.1.score.total_cmp(&left.1.score));
    let second = fits.get(1).map_or(0.0, |(_, fit)| fit.score);
    fits.into_iter().next().filter(|(_, fit)| fit.score >= second * 1.1)
}

/// What I am for, as my own prompt says it, without the lines about colleagues.
pub fn own_bag(scene: &Scene<'_>, agents: &[Agent]) -> Bag {
    let mut bag = Bag::new();
    let about_others = |line: &str| {
        let lower = line.to_lowercase();
        agents.iter().any(|agent| lower.contains(&agent.name.to_lowercase()))
    };
    for (at, line) in scene.standing.lines().take(60).filter(|line| !about_others(line)).enumerate() {
        speak(&mut bag, line, if at == 0 { 1.5 } else { 1.0 });
    }
    if let Some(name) = super::about::agent_name(scene.standing) {
        for word in name_words(&name) {
            bag.insert(concept(&word), 3.0);
        }
    }
    bag
}
