//! What only the agent itself can judge: filled last, simply, and from nothing but what is known.

use serde_json::{Map, Value, json};

use super::look::as_number;
use super::params::{Param, Shape};
use super::scene::Scene;
use super::stage::in_order;
use super::words::{capitalised, shorten, words};
use super::{render, report};

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

/// "Don't ask the person anything": then all that is missing is judged.
pub fn asks_nobody(standing: &str) -> bool {
    let lower = standing.to_lowercase().replace('’', "'");
    ["don't ask the person", "ask the person nothing", "without asking", "ask nobody"]
        .iter()
        .any(|phrase| lower.contains(phrase))
}

/// `all` is what was collected, `fields` what the result is made of.
pub fn judged(
    scene: &Scene<'_>,
    all: &[Param],
    fields: &[Param],
    mut values: Map<String, Value>,
) -> Map<String, Value> {
    let own = |name: &str| fields.iter().any(|field| field.name == name);
    let source: Vec<(String, Value)> = if values.is_empty() {
        scene.context.data.iter().filter(|(name, value)| !own(name) && !value.is_object()).cloned().collect()
    } else {
        in_order(all, &values).into_iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    let areas = report::areas(&source);
    let told = |with_scores: bool| -> Vec<String> {
        let wanted = |name: &str| with_scores || !(report::is_score(name) || report::is_reason(name));
        // What is told at length is what the scores rest on; it is said there.
        let short = |value: &Value| with_scores || render::plain(value).len() <= 80;
        let facts = source.iter().filter(|(name, value)| wanted(name) && short(value)).take(MOST_FACTS);
        facts.map(|(key, value)| format!("{}: {}", render::human_key(key), render::plain(value))).collect()
    };
    let sentence = |facts: Vec<String>| match facts.is_empty() {
        true => String::new(),
        false => capitalised(&format!("{}.", facts.join("; "))),
    };
    let facts = sentence(told(true));
    let summary = match facts.is_empty() {
        true => format!("The person said: {}", shorten(&scene.asked.replace('\n', " "), 200)),
        false => facts.clone(),
    };
    let opinion = match facts.is_empty() {
        true => summary.clone(),
        false => format!("As far as the demo model can tell: {summary}"),
    };
    let alone = asks_nobody(scene.standing);
    for field in fields.iter().filter(|field| field.required) {
        if values.contains_key(&field.name) || (!is_judgement(field) && !alone) {
            continue;
        }
        let value =
            report::part(field, &areas, &sentence(told(false))).unwrap_or_else(|| match field.shape {
                Shape::Flag => json!(true),
                Shape::Number | Shape::Integer => scored(scene, field),
                Shape::List => json!([opinion]),
                _ if report::is_reason(&field.name) => json!(reason(scene, field)),
                _ => match field.choices.get(field.choices.len() / 2) {
                    Some(choice) => choice.value.clone(),
                    None if field.words.iter().any(|word| word == "summary") => json!(summary),
                    None => json!(opinion),
                },
            });
        values.insert(field.name.clone(), value);
    }
    values
}

/// What was said decides; where nothing was, the prompt's "score 2", else the middle.
fn scored(scene: &Scene<'_>, field: &Param) -> Value {
    let (least, most) = (field.range.0.unwrap_or(0.0), field.range.1.unwrap_or(100.0));
    let within = |number: &f64| (least..=most).contains(number);
    let heard = report::heard(scene, field).map(|(_, heard)| match heard {
        share @ (0.25 | 0.75) => (least + (most - least) * share).round(),
        number => number.clamp(least, most),
    });
    let assumed = || {
        let all = words(scene.standing);
        let numbers = all.windows(3).filter(|three| three[0].lower == "score");
        numbers
            .flat_map(|three| [three[1].text, three[2].text])
            .find_map(|text| text.parse().ok())
            .filter(within)
    };
    as_number(heard.or_else(assumed).unwrap_or(((least + most) / 2.0).round()), field.shape)
}

fn reason(scene: &Scene<'_>, field: &Param) -> String {
    let about = field.words[..field.words.len().saturating_sub(1)].join(" ");
    match report::heard(scene, field) {
        Some((said, _)) => format!("The person said: “{said}”."),
        None => format!("An assumption: nothing was said about {about}."),
    }
}
