//! A report from results that are there already: areas with scores and reasons. What is scored high is a strength, what
//! is scored low a gap, and the lowest is what to do first.

use serde_json::{Value, json};

use super::params::{Param, Shape};
use super::render;
use super::scene::Scene;
use super::told;
use super::words::{capitalised, concept, join, name_words, words};

/// Something that was scored, and what the score rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    name: String,
    score: f64,
    reason: Option<String>,
}

const REASONS: &[&str] = &["answer", "reason", "rationale", "evidence", "notes", "comment"];

pub fn is_score(name: &str) -> bool {
    name_words(name).last().is_some_and(|last| ["score", "rating"].contains(&last.as_str()))
}

pub fn is_reason(name: &str) -> bool {
    let words = name_words(name);
    words.len() > 1 && words.last().is_some_and(|last| REASONS.contains(&last.as_str()))
}

/// `data_score` and `data_answer` are about data.
fn area_of(name: &str) -> String {
    let mut words = name_words(name);
    words.pop();
    words.join(" ")
}

pub fn areas(data: &[(String, Value)]) -> Vec<Area> {
    let mut found: Vec<Area> = Vec::new();
    for (name, value) in data.iter().filter(|(name, _)| is_score(name)) {
        let (area, Some(score)) = (area_of(name), value.as_f64()) else { continue };
        if area.is_empty() || found.iter().any(|other| other.name == area) {
            continue;
        }
        let reason = reason_for(data, &area);
        found.push(Area { name: area, score, reason });
    }
    found
}

/// What was said to be the reason for an area's score.
pub fn reason_for(data: &[(String, Value)], area: &str) -> Option<String> {
    let (_, reason) = data.iter().find(|(other, _)| is_reason(other) && area_of(other) == area)?;
    reason.as_str().map(|text| text.trim_end_matches('.').to_owned())
}

/// The top of the scale that the scores seem to have.
fn top(areas: &[Area]) -> f64 {
    let most = areas.iter().map(|area| area.score).fold(0.0, f64::max);
    [5.0, 10.0].into_iter().find(|top| most <= *top).unwrap_or(100.0)
}

/// A part of the report by its name; with fewer than two areas there is nothing to weigh.
pub fn part(field: &Param, areas: &[Area], facts: &str) -> Option<Value> {
    if areas.len() < 2 {
        return None;
    }
    let top = top(areas);
    let mut sorted: Vec<&Area> = areas.iter().collect();
    sorted.sort_by(|left, right| left.score.total_cmp(&right.score));
    let (lowest, highest) = (*sorted.first()?, *sorted.last()?);
    let is_high = |area: &&&Area| area.score >= top * 0.7;
    let told = |area: &Area| {
        let reason = area.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        format!("{} ({} of {top}){reason}", capitalised(&area.name), area.score)
    };
    let mut strengths: Vec<String> = sorted.iter().rev().filter(is_high).map(|area| told(area)).collect();
    if strengths.is_empty() {
        strengths.push(match highest.score > lowest.score {
            true => format!("The best so far is {}", super::about::lower_start(&told(highest))),
            false => "None stands out yet: all areas have the same score".to_owned(),
        });
    }
    let gaps: Vec<String> = sorted.iter().filter(|area| !is_high(area)).map(|area| told(area)).collect();
    let list = |lines: Vec<String>| match field.shape {
        Shape::List => json!(lines),
        _ => json!(format!("{}.", lines.join("; "))),
    };
    match field.words.last().map_or("", String::as_str) {
        "strengths" => Some(list(strengths)),
        "gaps" | "weaknesses" | "risks" => Some(list(gaps)),
        "recommendation" | "recommendations" | "actions" | "steps" => {
            Some(list(vec![first_step(&sorted, top)]))
        }
        "summary" | "overview" => {
            let scores: Vec<String> =
                areas.iter().map(|area| format!("{} {}", area.name, area.score)).collect();
            Some(json!(format!("{facts} Scores of {top}: {}.", join(&scores, "and")).trim()))
        }
        _ => None,
    }
}

/// The lowest comes first, if there is one.
fn first_step(sorted: &[&Area], top: f64) -> String {
    let score = sorted.first().map_or(0.0, |area| area.score);
    let lowest: Vec<String> =
        sorted.iter().filter(|area| area.score == score).map(|area| area.name.clone()).collect();
    match lowest.as_slice() {
        [one] => format!("Begin with {one}: it has the lowest score, {score} of {top}"),
        all if all.len() == sorted.len() => format!(
            "No area is behind the others, all have {score} of {top}: begin where a small step shows soonest"
        ),
        some => format!("Begin with {}: they share the lowest score, {score} of {top}", join(some, "and")),
    }
}

/// What speaks of an area without its name: "nobody owns the topic" is about people.
const SIGNS: &[(&str, &[&str])] = &[
    ("people", &["nobody", "somebody", "someone", "everyone", "owner", "owns", "staff", "colleagues"]),
    ("data", &["spreadsheet", "spreadsheets", "excel", "database", "paper"]),
    ("processes", &["workflow", "workflows", "procedure", "procedures"]),
];

/// What the person said about an area, and the score that it makes: said with a number, else well or badly.
pub fn heard(scene: &Scene<'_>, field: &Param) -> Option<(String, f64)> {
    let meanings: Vec<String> =
        field.words.iter().take(field.words.len().saturating_sub(1)).map(|word| concept(word)).collect();
    let own = scene.history.iter().map(|(_, text)| text.as_str()).filter(|text| !told::is_note(text));
    let passed = scene.context.data.iter().filter_map(|(_, value)| value.as_str());
    let texts: Vec<&str> = own.chain(passed).collect();
    let sentences = || texts.iter().flat_map(|text| text.split(['.', ';', '\n', '!', ','])).map(str::trim);
    let names = |sentence: &&str| {
        let all = words(sentence);
        all.len() > 1 && all.iter().any(|word| meanings.contains(&word.concept))
    };
    let signs =
        SIGNS.iter().filter(|(area, _)| meanings.contains(&concept(area))).flat_map(|(_, signs)| *signs);
    let signs: Vec<&str> = signs.copied().collect();
    let hints = |sentence: &&str| {
        let all = words(sentence);
        all.len() > 2 && all.iter().any(|word| signs.contains(&word.lower.as_str()))
    };
    let sentence = sentences().find(names).or_else(|| sentences().find(hints))?;
    let number = words(sentence).iter().find_map(|word| word.text.parse::<f64>().ok());
    let heard = number.unwrap_or_else(|| if is_bad(sentence) { 0.25 } else { 0.75 });
    Some((sentence.to_owned(), heard))
}

fn is_bad(sentence: &str) -> bool {
    let signs = [
        "no",
        "not",
        "nobody",
        "nothing",
        "none",
        "never",
        "lack",
        "lacks",
        "missing",
        "without",
        "only",
        "little",
        "few",
        "manual",
        "manually",
        "paper",
        "scattered",
        "chaos",
        "unclear",
    ];
    words(sentence).iter().any(|word| signs.contains(&word.lower.as_str()) || word.lower.ends_with("n't"))
}

/// All parts of a result, with a heading for each that is more than a value.
pub fn shown(fields: &[Param], result: &serde_json::Map<String, Value>) -> String {
    let parts = super::stage::in_order(fields, result).into_iter().map(|(name, value)| {
        let heading = capitalised(&render::human_key(name));
        match value {
            Value::Array(items) if items.is_empty() => format!("**{heading}**\n\n- none"),
            Value::Array(items) => {
                let lines: Vec<String> =
                    items.iter().map(|item| format!("- {}", render::plain(item))).collect();
                format!("**{heading}**\n\n{}", lines.join("\n"))
            }
            Value::String(text) => format!("**{heading}**\n\n{text}"),
            other => format!("**{heading}**: {}", render::plain(other)),
        }
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::super::params::read;
    use super::*;

    #[test]
    fn what_to_do_first_where_scores_are_alike() {
        for (scores, expected) in [
            (
                [2.0, 2.0, 2.0],
                "No area is behind the others, all have 2 of 5: begin where a small step shows soonest",
            ),
            ([4.0, 2.0, 2.0], "Begin with b and c: they share the lowest score, 2 of 5"),
            ([4.0, 3.0, 2.0], "Begin with c: it has the lowest score, 2 of 5"),
        ] {
            let named = ["a", "b", "c"].into_iter().zip(scores);
            let areas: Vec<Area> =
                named.map(|(name, score)| Area { name: name.into(), score, reason: None }).collect();
            let mut sorted: Vec<&Area> = areas.iter().collect();
            sorted.sort_by(|left, right| left.score.total_cmp(&right.score));
            assert_eq!(first_step(&sorted, 5.0), expected);
        }
    }

    #[test]
    fn scores_become_strengths_gaps_and_a_first_step() {
        let data: Vec<(String, Value)> = [
            ("processes_score", json!(4)),
            ("processes_answer", json!("They are written down.")),
            ("data_score", json!(2)),
            ("people_score", json!(3)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let areas = areas(&data);
        let list = json!({"type": "array", "items": {"type": "string"}});
        let fields = read(&json!({"properties": {
            "strengths": list, "gaps": list, "recommendation": {"type": "string"}, "summary": {"type": "string"},
        }, "required": ["strengths", "gaps", "recommendation", "summary"]}));
        let parts: Vec<Value> =
            fields.iter().filter_map(|field| part(field, &areas, "Company: A.")).collect();
        assert_eq!(
            parts,
            [
                json!(["Processes (4 of 5): They are written down"]),
                json!(["Data (2 of 5)", "People (3 of 5)"]),
                json!("Begin with data: it has the lowest score, 2 of 5."),
                json!("Company: A. Scores of 5: processes 4, data 2 and people 3."),
            ]
        );
    }
}
