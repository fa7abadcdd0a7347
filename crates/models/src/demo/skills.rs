//! Skills: loading the one that fits before answering, and following what it says.

use std::collections::HashMap;

use serde_json::Value;

use super::about::once;
use super::agents::{Agent, listed, named_in};
use super::choose::fit;
use super::clauses::{Clause, Mood};
use super::offer::{Kind, Offered};
use super::outcome::{Outcome, outcome};
use super::params::Param;
use super::reply::{Planned, Reply};
use super::scene::Scene;
use super::words::{Word, name_words, shorten, words};

/// The tool that loads skills, the parameter for their name, and the skills there are.
fn offered<'s, 'a>(scene: &'s Scene<'a>) -> Option<(&'s Offered<'a>, &'s Param, Vec<Agent>)> {
    let (tool, param) = scene.tools.iter().find_map(|tool| match tool.kind {
        Kind::Skill { param } => Some((tool, &tool.params[param])),
        _ => None,
    })?;
    Some((tool, param, skills(scene, param, &tool.spec.description)))
}

/// The call that loads a fitting skill, unless it is loaded already.
pub fn load(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<Reply> {
    let (tool, param, skills) = offered(scene)?;
    if scene.calls().any(|(call, _)| call.name == tool.spec.name) {
        return None;
    }
    let (why, skill) = match skills.iter().find(|skill| calls_for(&scene.asked, skill)) {
        Some(skill) => ("is what the person asks for", skill),
        None => ("fits this, so I read it first", fitting(clauses, &skills)?),
    };
    let arguments = [(param.name.clone(), skill.value.clone()?)].into_iter().collect();
    let why = format!("The skill “{}” {why}.", skill.name.to_lowercase());
    Some(Reply::call(why, Planned { name: tool.spec.name.clone(), arguments }))
}

/// "Load the skill weekly-report".
fn calls_for(asked: &str, skill: &Agent) -> bool {
    let all = words(asked.get(..300).unwrap_or(asked));
    let name = skill.value.as_ref().and_then(Value::as_str).map(name_words).unwrap_or_default();
    speaks_of_skills(&all)
        && !name.is_empty()
        && name.iter().all(|part| all.iter().any(|word| word.text.to_lowercase() == *part))
}

fn speaks_of_skills(all: &[Word<'_>]) -> bool {
    all.iter().any(|word| ["skill", "skills"].contains(&word.text.to_lowercase().as_str()))
}

fn fitting<'s>(clauses: &[Clause<'_>], skills: &'s [Agent]) -> Option<&'s Agent> {
    let nothing = HashMap::new();
    let mut fits: Vec<(f32, &Agent)> = Vec::new();
    for clause in clauses.iter().filter(|clause| !matches!(clause.mood, Mood::SmallTalk | Mood::Statement)) {
        for skill in skills {
            let Some(fit) = fit(clause, &skill.bag, &nothing) else { continue };
            let strong = clause.topics.iter().filter(|topic| !topic.weak).count().max(1);
            let named = name_words(&skill.name).len() <= fit.hits.len();
            if fit.hits.len() >= 2 || (named && fit.hits.len() * 2 >= strong) {
                fits.push((fit.score, skill));
            }
        }
    }
    fits.into_iter().max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, skill)| skill)
}

/// "Which skills do you have?", and a skill by a name that none has: the skills there are.
pub fn told(scene: &Scene<'_>, clauses: &[Clause<'_>]) -> Option<String> {
    let all = words(scene.asked.get(..300).unwrap_or(&scene.asked));
    let says = |names: &[&str]| all.iter().any(|word| names.contains(&word.text.to_lowercase().as_str()));
    let asks = clauses.iter().any(|clause| clause.asks()) && says(&["you", "your", "list", "show", "there"]);
    let loads = says(&["load", "use", "read", "open", "follow", "apply", "run"]);
    if !speaks_of_skills(&all) || all.len() > 10 || says(&["my", "i"]) || !(asks || loads) {
        return None;
    }
    let (.., skills) = offered(scene)?;
    if skills.iter().any(|skill| calls_for(&scene.asked, skill)) {
        return None;
    }
    let section = section(scene.standing);
    let about = listed(&section);
    let lines = skills.iter().take(20).map(|skill| {
        let name = skill.value.as_ref().and_then(Value::as_str).unwrap_or(&skill.name);
        match about.iter().find(|(listed, _)| listed == name) {
            Some((_, about)) => format!("- **{name}**: {}", shorten(about, 160)),
            None => format!("- **{name}**"),
        }
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    let unknown = if asks { "" } else { "I have no skill of that name. " };
    Some(match lines.is_empty() {
        true => "I have no skills here.".to_owned(),
        false => format!("{unknown}My skills here:\n\n{lines}"),
    })
}

/// A skill is known by the tool's choices, by its description, or by the prompt's section about skills.
fn skills(scene: &Scene<'_>, param: &Param, description: &str) -> Vec<Agent> {
    let section = section(scene.standing);
    let texts = [description, param.description.as_str(), section.as_str()];
    if !param.choices.is_empty() || texts.iter().any(|text| !listed(text).is_empty()) {
        return named_in(param, &texts, 0);
    }
    Vec::new()
}

fn section(standing: &str) -> String {
    let mut lines = standing.lines().skip_while(|line| !line.to_lowercase().contains("skill"));
    let first = lines.next().unwrap_or_default();
    let rest = lines.take_while(|line| !line.starts_with("# ") || line.to_lowercase().contains("skill"));
    [first].into_iter().chain(rest).collect::<Vec<_>>().join("\n")
}

/// The skill that was loaded in this turn, and its first instructions.
pub fn loaded(scene: &Scene<'_>) -> Option<(String, Vec<String>)> {
    let is_skill = |name: &str| {
        let words = name_words(name);
        words.iter().any(|word| word.starts_with("skill"))
    };
    let (call, result) = scene.calls().find(|(call, _)| is_skill(&call.name))?;
    let body = match outcome(result) {
        Outcome::Text(text) => text,
        Outcome::Object(map) => ["content", "instructions", "body", "text"]
            .iter()
            .find_map(|key| map.get(*key)?.as_str().map(str::to_owned))?,
        _ => return None,
    };
    let name = call.arguments.values().find_map(|value| value.as_str()).unwrap_or_default();
    let mut past_front_matter = body.trim_start();
    if let Some(rest) = past_front_matter.strip_prefix("---") {
        past_front_matter = rest.split_once("\n---").map_or(rest, |(_, body)| body);
    }
    let lines =
        past_front_matter.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (items, prose): (Vec<&str>, Vec<&str>) = lines.partition(|line| {
        line.starts_with(['-', '*', '•'])
            || line.split_once(['.', ')']).is_some_and(|(n, _)| n.parse::<u8>().is_ok())
    });
    let chosen = if items.is_empty() { prose } else { items };
    let bare = |line: &str| {
        let line = line.trim_start_matches(|c: char| {
            c.is_ascii_digit() || matches!(c, '-' | '*' | '•' | '.' | ')' | ' ')
        });
        shorten(line, 200)
    };
    Some((name_words(name).join(" "), chosen.into_iter().take(3).map(bare).collect()))
}

/// The instructions applied to what was asked, without claiming work that nobody did.
pub fn follow(scene: &Scene<'_>, clauses: &[Clause<'_>], name: &str, steps: &[String]) -> String {
    let topics: Vec<&str> = clauses
        .iter()
        .flat_map(|clause| &clause.topics)
        .filter(|topic| !topic.weak)
        .take(4)
        .map(|topic| topic.text.as_str())
        .collect();
    let about = if topics.is_empty() { shorten(&scene.asked, 60) } else { topics.join(" ") };
    if steps.is_empty() {
        return format!(
            "I loaded the skill **{name}**, but it holds no instructions I could follow for “{about}”."
        );
    }
    let asks = |step: &str| step.to_lowercase().contains("ask");
    let lines = steps.iter().enumerate().map(|(at, step)| {
        let apply = match (at, asks(step)) {
            (_, true) => "please tell me, so that I can go on",
            (0, _) => "this is where I begin",
            _ => "this comes next",
        };
        format!("{}. {} — for “{about}”, {apply}.", at + 1, step.trim_end_matches('.'))
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    format!(
        "I'm following the skill **{name}**:\n\n{lines}\n\nI can lay out these steps, not write them out.{}",
        once(scene)
    )
}
