//! Collecting values over a conversation: from the context, from each message, and from bare replies to the question
//! that asked for them.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::answers::bare_answers;
use super::clauses::{Mood, Verbs, clauses};
use super::files::heading;
use super::fill::from_context;
use super::free::Used;
use super::judge::is_judgement;
use super::look::{Hit, Need, Reading, look};
use super::params::{Param, Shape};
use super::resume;
use super::sayings::told;
use super::scene::Scene;

/// Of what was said before, what counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    Ever,
    /// The thing that is spoken of now: this message, and before it only replies to my questions.
    LastThing,
}

/// Walks through the conversation as it happened, so that a bare reply meets the question it answered.
pub fn collect(scene: &Scene<'_>, fields: &[Param], since: Since) -> Map<String, Value> {
    let mut known = passed(scene, fields);
    let fields: Vec<&Param> = fields.iter().filter(|field| !is_judgement(field)).collect();
    let is_noted = |field: &&&Param| known.contains_key(&field.name);
    let noted: HashSet<&str> = fields.iter().filter(is_noted).map(|field| field.name.as_str()).collect();
    let asks = |said: &str| fields.iter().any(|field| said.contains(&mark(field)));
    let begun = match since {
        Since::Ever => 0,
        Since::LastThing => scene.history.iter().rposition(|(said, _)| !asks(said)).unwrap_or(0),
    };
    let last = scene.history.len().saturating_sub(1);
    for (at, (asked, message)) in scene.history.iter().enumerate().skip(begun) {
        // What I never replied to was somebody else's: a router gave it to them.
        if at < last && scene.is_specialist() && scene.history[at + 1].0.is_empty() {
            continue;
        }
        // What is noted was understood then; only what is new changes it.
        let fixed = if at == last { HashSet::new() } else { noted.clone() };
        hear(scene, &fields, (asked, message), &fixed, &mut known);
    }
    for file in &scene.files {
        let start: String = file.body.chars().take(2_000).collect();
        hear(scene, &fields, ("", &start), &HashSet::new(), &mut known);
        for field in &fields {
            let names_kind = ["type", "kind", "document"].iter().any(|word| field.words == [*word]);
            if field.words == ["file"] {
                known.insert(field.name.clone(), json!(file.name));
            } else if names_kind
                && !known.contains_key(&field.name)
                && let Some(heading) = heading(&file.body)
            {
                known.insert(field.name.clone(), json!(heading));
            }
        }
    }
    for field in
        fields.iter().filter(|field| field.words == ["situation"] && !noted.contains(field.name.as_str()))
    {
        if let Some(rest) = beside(scene, &known) {
            known.insert(field.name.clone(), json!(rest));
        }
    }
    known
}

/// What the context has.
pub fn passed(scene: &Scene<'_>, fields: &[Param]) -> Map<String, Value> {
    let fields = fields.iter().filter(|field| !is_judgement(field));
    fields.filter_map(|field| Some((field.name.clone(), from_context(field, &scene.context)?))).collect()
}

/// What one message says to somebody who knows nothing yet.
pub fn heard_alone(scene: &Scene<'_>, fields: &[Param], message: &str) -> Map<String, Value> {
    let fields: Vec<&Param> = fields.iter().filter(|field| !is_judgement(field)).collect();
    let mut heard = Map::new();
    hear(scene, &fields, ("", message), &HashSet::new(), &mut heard);
    heard
}

/// What was told besides all that has a name of its own.
pub fn beside(scene: &Scene<'_>, known: &Map<String, Value>) -> Option<String> {
    let values: Vec<String> =
        known.values().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
    let messages = scene.history.iter().filter(|(asked, _)| !asked.contains("**"));
    let sentences = messages.flat_map(|(_, text)| text.split_inclusive(['.', '!', '?', '\n'])).map(str::trim);
    let rest: Vec<&str> = sentences
        .filter(|sentence| {
            let parts = clauses(sentence, &Verbs::new());
            sentence.split_whitespace().count() >= 3
                && resume::resumes(sentence).is_none()
                && parts.iter().all(|clause| clause.mood == Mood::Statement)
                && !values.iter().any(|value| sentence.contains(value.as_str()))
        })
        .collect();
    (!rest.is_empty()).then(|| rest.join(" "))
}

/// Takes what one message says, which comes with what I had said before it. `fixed` fields are heard but not changed.
fn hear(
    scene: &Scene<'_>,
    fields: &[&Param],
    (asked, message): (&str, &str),
    fixed: &HashSet<&str>,
    known: &mut Map<String, Value>,
) {
    let message = &resume::without(message);
    if message.is_empty() {
        return;
    }
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
        let need = match known.contains_key(&field.name) {
            true => Need::Known,
            false if field.required => Need::Required,
            false => Need::Optional,
        };
        let asked_for = asked.contains(&mark(field));
        let hit = look(field, &reading, &used, need).or_else(|| told(field, &reading).filter(|_| open));
        // A lone number belongs to the question before it.
        let lone = |hit: &Hit| hit.1.is_some_and(|(start, end)| end - start == message.trim().len());
        if let Some((value, span)) = hit.filter(|hit| asked_for || !lone(hit) || asked.is_empty()) {
            used.extend(span);
            if !fixed.contains(field.name.as_str()) {
                known.insert(field.name.clone(), value);
            }
        }
    }
    let open: Vec<Param> = before.into_iter().filter(|field| !known.contains_key(&field.name)).collect();
    let parts = clauses(message, &Verbs::new());
    // "Any" answers; "why" asks.
    let asks = ["what", "why", "how", "when", "where", "who", "which", "was", "wie", "wer", "wo", "wann"];
    let alone = message.trim().to_lowercase();
    let is_word = !alone.contains(|c: char| !c.is_alphanumeric()) && !asks.contains(&alone.as_str());
    let replies = (is_word || parts.iter().all(|clause| clause.mood != Mood::Question))
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
