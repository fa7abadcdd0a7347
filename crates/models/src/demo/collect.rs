//! Collecting values over a conversation: from the context, from each message, and from bare replies to the question
//! that asked for them.

use serde_json::{Map, Value, json};

use super::clauses::{Mood, Verbs, clauses};
use super::dates::counted;
use super::fill::{bare_answers, from_context};
use super::free::Used;
use super::judge::is_judgement;
use super::look::{Hit, Need, Reading, look};
use super::params::{Param, Shape};
use super::scene::Scene;
use super::values::{Kind, names_after};
use super::words::{concept, words};

/// Walks through the conversation as it happened, so that a bare reply meets the question it answered.
pub fn collect(scene: &Scene<'_>, fields: &[Param]) -> Map<String, Value> {
    let mut known = Map::new();
    let fields: Vec<&Param> = fields.iter().filter(|field| !is_judgement(field)).collect();
    for field in &fields {
        if let Some(value) = from_context(field, &scene.context) {
            known.insert(field.name.clone(), value);
        }
    }
    for (asked, message) in &scene.history {
        hear(scene, &fields, asked, message, &mut known);
    }
    for file in &scene.files {
        let start: String = file.body.chars().take(2_000).collect();
        hear(scene, &fields, "", &start, &mut known);
    }
    known
}

/// Takes what one message says. `asked`: what I said before it.
fn hear(scene: &Scene<'_>, fields: &[&Param], asked: &str, message: &str, known: &mut Map<String, Value>) {
    let before: Vec<Param> = fields
        .iter()
        .filter(|field| field.required && !known.contains_key(&field.name))
        .map(|f| (*f).clone())
        .collect();
    let reading = Reading::of(message, scene.context.today);
    let mut used = Used::new();
    for field in fields {
        // What is known changes only where the field is clearly meant.
        let open = field.required && !known.contains_key(&field.name);
        let need = if open { Need::Required } else { Need::Optional };
        let asked_for = asked.contains(&mark(field));
        let hit = look(field, &reading, &used, need).or_else(|| told(field, &reading).filter(|_| open));
        // A lone number belongs to the question before it.
        let lone = |hit: &Hit| hit.1.is_some_and(|(start, end)| end - start == message.trim().len());
        if let Some((value, span)) = hit.filter(|hit| asked_for || !lone(hit) || asked.is_empty()) {
            used.extend(span);
            known.insert(field.name.clone(), value);
        }
    }
    let open: Vec<Param> = before.into_iter().filter(|field| !known.contains_key(&field.name)).collect();
    let parts = clauses(message, &Verbs::new());
    let replies = parts.iter().all(|clause| clause.mood != Mood::Question)
        && (parts.len() != 1
            || parts[0].mood != Mood::SmallTalk
            || open.first().is_some_and(|f| f.shape == Shape::Flag));
    let Some(first) = open.iter().find(|field| asked.contains(&mark(field))).filter(|_| replies) else {
        return;
    };
    let rest = unused(message, &used);
    let mut answers = bare_answers(&open, &rest);
    if answers.is_empty() && used.is_empty() {
        answers = bare_answers(std::slice::from_ref(first), message);
    }
    known.extend(answers);
}

/// How a question names its field, by which the reply to it is known.
pub fn mark(field: &Param) -> String {
    format!("**{}**", field.human())
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

/// Ways to say common things without naming the field.
fn told(field: &Param, reading: &Reading) -> Option<Hit> {
    let message = reading.text.as_str();
    let says = |names: &[&str]| field.words.iter().any(|word| names.contains(&word.as_str()));
    let named = |leads: &[&str]| {
        names_after(message, leads).map(|(name, start, end)| (json!(name), Some((start, end))))
    };
    if field.shape != Shape::Text || !field.choices.is_empty() {
        return None;
    }
    match () {
        () if says(&["company", "organization", "organisation", "employer"]) => {
            named(&["at", "from", "for", "we're", "we", "are"])
        }
        () if says(&["name"]) => named(&["i'm", "im", "am", "is"]),
        () if says(&["brand", "make", "manufacturer", "product"]) => {
            named(&["a", "an", "new", "used", "the"])
        }
        () if says(&["goal", "need", "needs", "problem", "interest", "objective", "purpose"]) => after(
            message,
            &[
                &["want", "to"],
                &["need", "to"],
                &["would", "like", "to"],
                &["we", "want"],
                &["i", "want"],
                &["we", "need"],
                &["i", "need"],
            ],
        ),
        () if says(&["budget", "price", "amount"]) => sum_of_money(reading),
        () if says(&["expiry", "expires", "expiration"]) => day_beside(reading, "expiry"),
        () if says(&["timeline", "timeframe", "start", "deadline", "when", "time", "date"]) => {
            day(reading).or_else(|| after(message, &[&["start", "in"], &["begin", "in"], &["within"]]))
        }
        () if says(&["type", "kind", "document"]) => own_thing(message),
        () => None,
    }
}

fn after(message: &str, phrases: &[&[&str]]) -> Option<Hit> {
    let all = words(message);
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
}

/// "150-200k DKK", as it was said.
fn sum_of_money(reading: &Reading) -> Option<Hit> {
    let all = words(&reading.text);
    let unit = |end: usize| {
        let next = all.iter().find(|word| word.start > end && word.start <= end + 1);
        next.filter(|word| super::values::currency_of(&word.lower).is_some()).map_or(end, |word| word.end())
    };
    let money = reading.found.iter().find(|one| match one.kind {
        Kind::Number { value, currency } => currency.is_some() || value >= 1_000.0,
        Kind::Id => one.text.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    })?;
    let end = unit(money.end);
    Some((json!(reading.text[money.start..end].trim()), Some((money.start, end))))
}

fn day(reading: &Reading) -> Option<Hit> {
    let day = reading.found.iter().find(|one| one.kind == Kind::Day);
    day.map(|one| (json!(one.text), Some((one.start, one.end))))
}

/// The day after the word that says what it is: "valid until 2027-05-01".
fn day_beside(reading: &Reading, meaning: &str) -> Option<Hit> {
    let at = words(&reading.text).into_iter().find(|word| word.concept == concept(meaning))?.end();
    let day = reading.found.iter().find(|one| one.kind == Kind::Day && one.start >= at)?;
    Some((json!(day.text), Some((day.start, day.end))))
}

/// "Here is my driver's license": what kind of thing it is.
fn own_thing(message: &str) -> Option<Hit> {
    let all = words(message);
    let at = all.iter().position(|word| ["my", "our", "mein", "meine"].contains(&word.lower.as_str()))? + 1;
    let named = all[at..].iter().take(4).take_while(|word| !word.stop && counted(&word.lower).is_none());
    let last = named.last()?;
    Some((json!(&message[all[at].start..last.end()]), Some((all[at].start, last.end()))))
}
