//! What only the agent itself can judge: filled last, simply, and from nothing but what is known.

use serde_json::{Map, Value, json};

use super::look::as_number;
use super::params::{Param, Shape};
use super::render;
use super::scene::Scene;
use super::words::shorten;

/// A report is built from all that came before, not from its first lines.
const MOST_FACTS: usize = 24;

/// A field the agent fills from its own view of what it heard.
pub fn is_judgement(field: &Param) -> bool {
    let last = field.words.last().map_or("", String::as_str);
    match field.shape {
        Shape::Flag => {
            field.words.first().is_some_and(|word| word == "is")
                || ["qualified", "approved", "complete", "ready", "eligible"].contains(&last)
        }
        Shape::Number | Shape::Integer => ["score", "rating", "confidence", "probability"].contains(&last),
        Shape::Text if !field.choices.is_empty() => [
            "fit",
            "risk",
            "level",
            "grade",
            "verdict",
            "recommendation",
            "tier",
            "segment",
            "rating",
            "outcome",
            "assessment",
        ]
        .contains(&last),
        Shape::Text => [
            "summary",
            "analysis",
            "assessment",
            "recommendation",
            "recommendations",
            "conclusion",
            "report",
            "notes",
            "reason",
            "rationale",
            "verdict",
            "findings",
            "result",
            "steps",
            "insights",
            "overview",
            "headline",
        ]
        .contains(&last),
        Shape::List => [
            "recommendations",
            "findings",
            "steps",
            "risks",
            "strengths",
            "weaknesses",
            "gaps",
            "opportunities",
            "actions",
            "insights",
        ]
        .contains(&last),
        Shape::Object => false,
    }
}

pub fn judged(scene: &Scene<'_>, fields: &[Param], mut values: Map<String, Value>) -> Map<String, Value> {
    let source = if values.is_empty() {
        scene.context.data.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
    } else {
        values.clone()
    };
    let facts: Vec<String> = source
        .iter()
        .filter(|(_, value)| !value.is_object())
        .take(MOST_FACTS)
        .map(|(key, value)| format!("{}: {}", render::human_key(key), render::plain(value)))
        .collect();
    let summary = match facts.is_empty() {
        true => format!("The person said: {}", shorten(&scene.asked.replace('\n', " "), 200)),
        false => format!("{}.", facts.join("; ")),
    };
    let opinion = match facts.is_empty() {
        true => summary.clone(),
        false => format!("As far as the demo model can tell: {summary}"),
    };
    for field in fields.iter().filter(|field| field.required && is_judgement(field)) {
        let value = match field.shape {
            Shape::Flag => json!(true),
            Shape::Number | Shape::Integer => {
                let (least, most) = (field.range.0.unwrap_or(0.0), field.range.1.unwrap_or(100.0));
                as_number(((least + most) / 2.0).round(), field.shape)
            }
            Shape::List => json!([opinion]),
            _ => match field.choices.get(field.choices.len() / 2) {
                Some(choice) => choice.value.clone(),
                None if field.words.iter().any(|word| word == "summary") => json!(summary),
                None => json!(opinion),
            },
        };
        values.insert(field.name.clone(), value);
    }
    values
}
