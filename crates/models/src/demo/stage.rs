//! Stages: collecting what the completing tool's schema requires, from the context and the conversation, and asking
//! for the rest. What only the agent itself can judge is judged last, and simply.

use serde_json::{Map, Value, json};

use super::clauses::{Clause, Mood, Verbs, clauses};
use super::fill::{bare_answers, from_context};
use super::free::Used;
use super::look::{Need, Reading, as_number, look};
use super::offer::{Kind, Offered};
use super::params::{Param, Shape, Wants};
use super::render;
use super::reply::{Planned, Reply};
use super::scene::Scene;
use super::values::names_after;
use super::words::{shorten, words};

pub enum Progress {
    Done(Reply),
    Ask(String),
}

const MOST_QUESTIONS: usize = 3;

pub fn progress(scene: &Scene<'_>, said: &[Clause<'_>]) -> Option<Progress> {
    let tool = scene.tools.iter().find(|tool| tool.kind == Kind::Complete)?;
    if scene.calls().any(|(call, _)| call.name == tool.spec.name) {
        return None;
    }
    let (wrapper, fields) = fields(tool);
    let asked_for: Vec<&Param> =
        fields.iter().filter(|param| param.required && !is_judgement(param)).collect();
    if asked_for.is_empty() && !may_end(scene, tool, said) {
        return None;
    }
    let known = collect(scene, fields);
    let missing: Vec<&Param> =
        asked_for.into_iter().filter(|param| !known.contains_key(&param.name)).take(MOST_QUESTIONS).collect();
    if !missing.is_empty() {
        return Some(Progress::Ask(question(scene, &missing, &known)));
    }
    let shown = known
        .iter()
        .take(8)
        .map(|(key, value)| format!("- {}: {}", render::human_key(key), render::plain(value)));
    let shown = shown.collect::<Vec<_>>().join("\n");
    let values = judged(scene, fields, known);
    let arguments = match wrapper {
        Some(name) => [(name.to_owned(), Value::Object(values))].into_iter().collect(),
        None => values,
    };
    let text = match shown.is_empty() {
        true => String::new(),
        false => format!("Thank you, I have what this step needs:\n\n{shown}"),
    };
    let why = format!("Everything that {} requires is there.", tool.human());
    let calls = vec![Planned { name: tool.spec.name.clone(), arguments }];
    Some(Progress::Done(Reply { reasoning: why, text, calls }))
}

/// The schema's fields, which may lie inside one object such as `result`.
fn fields<'t>(tool: &'t Offered<'_>) -> (Option<&'t str>, &'t [Param]) {
    match tool.params.as_slice() {
        [only] if only.wants == Wants::Object && !only.fields.is_empty() => (Some(&only.name), &only.fields),
        all => (None, all),
    }
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

/// Walks through the conversation as it happened, so that a bare reply meets the question it answered.
fn collect(scene: &Scene<'_>, fields: &[Param]) -> Map<String, Value> {
    let mut known = Map::new();
    for field in fields.iter().filter(|field| !is_judgement(field)) {
        if let Some(value) = from_context(field, &scene.context) {
            known.insert(field.name.clone(), value);
        }
    }
    let messages = scene.earlier.iter().rev().chain([&scene.asked]);
    for (at, message) in messages.enumerate() {
        let asked: Vec<Param> = fields
            .iter()
            .filter(|field| field.required && !is_judgement(field) && !known.contains_key(&field.name))
            .take(MOST_QUESTIONS)
            .cloned()
            .collect();
        let reading = Reading::of(message, scene.context.today);
        let mut used = Used::new();
        for field in fields.iter().filter(|field| !is_judgement(field)) {
            // What is known changes only where the field is clearly meant.
            let open = field.required && !known.contains_key(&field.name);
            let need = if open { Need::Required } else { Need::Optional };
            if let Some((value, span)) = look(field, &reading, &used, need).or_else(|| told(field, message)) {
                used.extend(span);
                known.insert(field.name.clone(), value);
            }
        }
        let open: Vec<Param> = asked.into_iter().filter(|field| !known.contains_key(&field.name)).collect();
        let parts = clauses(message, &Verbs::new());
        let replies = parts.iter().all(|clause| !matches!(clause.mood, Mood::SmallTalk | Mood::Question));
        if at > 0 && replies {
            for (name, value) in bare_answers(&open, &unused(message, &used)) {
                known.insert(name, value);
            }
        }
    }
    known
}

/// The pieces of a reply that no value was taken from.
fn unused(message: &str, used: &Used) -> String {
    let mut start = 0;
    let mut kept = Vec::new();
    for piece in message.split([',', ';', '\n']) {
        let end = start + piece.len();
        if !used.iter().any(|(from, to)| *from < end && start < *to) {
            kept.push(piece.trim());
        }
        start = end + 1;
    }
    kept.join(", ")
}

/// Ways to say common things about oneself without naming the field.
fn told(field: &Param, message: &str) -> Option<super::look::Hit> {
    let says = |names: &[&str]| field.words.iter().any(|word| names.contains(&word.as_str()));
    let named = |leads: &[&str]| {
        names_after(message, leads).map(|(name, start, end)| (json!(name), Some((start, end))))
    };
    if field.shape != Shape::Text || !field.choices.is_empty() {
        return None;
    }
    let all = words(message);
    let after = |phrases: &[&[&str]]| {
        let lower = |at: usize| all.get(at).map(|word| word.text.to_lowercase().replace('’', "'"));
        let start = (0..all.len()).find_map(|at| {
            let fits = |phrase: &&&[&str]| {
                phrase.iter().enumerate().all(|(i, part)| lower(at + i).as_deref() == Some(part))
            };
            phrases.iter().find(fits).map(|phrase| at + phrase.len())
        })?;
        let from = all.get(start)?.start;
        let end = message[from..].find([',', '.', ';', '\n']).map_or(message.len(), |end| from + end);
        Some((json!(message[from..end].trim()), Some((from, end))))
    };
    match () {
        () if says(&["company", "organization", "organisation", "employer"]) => {
            named(&["at", "from", "for", "we're", "we", "are"])
        }
        () if says(&["name"]) => named(&["i'm", "im", "am", "is"]),
        () if says(&["goal", "need", "needs", "problem", "interest", "objective", "purpose"]) => after(&[
            &["want", "to"],
            &["need", "to"],
            &["would", "like", "to"],
            &["we", "want"],
            &["i", "want"],
            &["we", "need"],
            &["i", "need"],
        ]),
        () if says(&["timeline", "timeframe", "start", "deadline"]) => {
            let reading = Reading::of(message, None);
            let day = reading.found.iter().find(|one| one.kind == super::values::Kind::Day);
            let day = day.map(|one| (json!(one.text), Some((one.start, one.end))));
            day.or_else(|| after(&[&["start", "in"], &["begin", "in"], &["within"], &["by"]]))
        }
        () => None,
    }
}

/// A field the agent fills from its own view of what it heard.
fn is_judgement(field: &Param) -> bool {
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
        ]
        .contains(&last),
        Shape::List => ["recommendations", "findings", "steps", "risks", "strengths"].contains(&last),
        Shape::Object => false,
    }
}

fn judged(scene: &Scene<'_>, fields: &[Param], mut values: Map<String, Value>) -> Map<String, Value> {
    let source = if values.is_empty() {
        scene.context.data.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
    } else {
        values.clone()
    };
    let facts: Vec<String> = source
        .iter()
        .filter(|(_, value)| !value.is_object())
        .take(8)
        .map(|(key, value)| format!("{}: {}", render::human_key(key), render::plain(value)))
        .collect();
    let summary = match facts.is_empty() {
        true => format!("The person said: {}", shorten(&scene.asked.replace('\n', " "), 200)),
        false => format!("As far as the demo model can tell: {}.", facts.join("; ")),
    };
    for field in fields.iter().filter(|field| field.required && is_judgement(field)) {
        let value = match field.shape {
            Shape::Flag => json!(true),
            Shape::Number | Shape::Integer => {
                let (least, most) = (field.range.0.unwrap_or(0.0), field.range.1.unwrap_or(100.0));
                as_number(((least + most) / 2.0).round(), field.shape)
            }
            Shape::List => json!([summary]),
            _ => match field.choices.get(field.choices.len() / 2) {
                Some(choice) => choice.value.clone(),
                None => json!(summary),
            },
        };
        values.insert(field.name.clone(), value);
    }
    values
}

fn question(scene: &Scene<'_>, missing: &[&Param], known: &Map<String, Value>) -> String {
    let lines = missing.iter().map(|param| {
        let choices: Vec<&str> = param.choices.iter().map(|choice| choice.label.as_str()).collect();
        match (choices.is_empty(), param.description.is_empty()) {
            (false, _) => format!("- **{}**: {}", param.human(), choices.join(", ")),
            (true, false) => format!("- **{}**: {}", param.human(), shorten(&param.description, 120)),
            (true, true) => format!("- **{}**", param.human()),
        }
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    let opening = match (known.is_empty(), scene.said) {
        (true, None) => "Let's begin. To get this step done I need to know:",
        (true, Some(_)) => "To get this step done I still need to know:",
        (false, _) => "Thank you, that helps. I still need to know:",
    };
    format!("{opening}\n\n{lines}")
}
