//! Answering from results: a note is told, a list is shown, a failure is named with what could be done about it.

use baton_core::models::ToolCall;
use serde_json::{Map, Value};

use super::clauses::Topic;
use super::deeds::{Deed, deed, is_action};
use super::lexicon::Act;
use super::outcome::Outcome;
use super::quote::{has_verb, sentence, told, turned};
use super::render;
use super::words::{name_words, shorten, words};

const TEXTS: &[&str] = &["content", "text", "note", "memory", "body", "snippet", "fact", "excerpt"];
const TITLES: &[&str] = &["title", "name", "subject", "path", "key"];

/// One call's result in words. `remembers`: the tool keeps notes for people.
pub fn answer(call: &ToolCall, outcome: &Outcome, topics: &[Topic], remembers: bool) -> String {
    let deed = deed(&call.name, &call.arguments);
    match outcome {
        Outcome::Rejected(reason) => {
            let why = spoken_reason(reason);
            format!(
                "All right, I did not {}{why}. Nothing was changed; tell me if you want it done differently.",
                deed.to_do()
            )
        }
        Outcome::Failed(reason) => {
            let advice = advice(reason);
            format!("I couldn't {}: {} {advice}", deed.to_do(), sentence(&shorten(reason, 240)))
        }
        _ if deed.writes() => done(call, &deed, outcome, remembers),
        Outcome::Nothing => nothing(call, &deed, remembers),
        Outcome::Items { items, total } => match named(items).filter(|_| remembers) {
            Some(names) => format!("I keep notes about:\n\n{names}\n\nAsk me about any of them."),
            None => found(items, *total, topics, &deed),
        },
        Outcome::Object(map) => match map.iter().next() {
            Some((key, value)) if map.len() == 1 => one_value(key, value),
            _ if moment(map).is_some() => moment(map).unwrap_or_default(),
            _ => match text_of(&Value::Object(map.clone())) {
                Some(_) => found(&[Value::Object(map.clone())], 1, topics, &deed),
                None => format!("Here is what I found:\n\n{}", render::object(map)),
            },
        },
        Outcome::Text(text) => match text.chars().count() {
            0..=200 if !text.contains('\n') => told_or_plain(text),
            0..=1200 => text.clone(),
            long => format!("{}\n\n(That is the beginning of {long} characters.)", shorten(text, 900)),
        },
    }
}

fn told_or_plain(text: &str) -> String {
    if has_verb(text) { told(text) } else { text.to_owned() }
}

fn one_value(key: &str, value: &Value) -> String {
    match value {
        Value::String(text) if text.contains('\n') => text.clone(),
        _ => format!("The {} is {}.", render::human_key(key), render::plain(value)),
    }
}

/// A date with its time, as one says it.
fn moment(map: &Map<String, Value>) -> Option<String> {
    let get = |names: &[&str]| names.iter().find_map(|name| map.get(*name)?.as_str());
    let (date, time) = (get(&["date"])?, get(&["time"])?);
    let day = get(&["weekday", "day"]).map(|day| format!("{day}, ")).unwrap_or_default();
    let zone = get(&["timeZone", "timezone", "time_zone", "zone"])
        .map(|zone| format!(" ({zone})"))
        .unwrap_or_default();
    Some(format!("It is {day}{date}, {time}{zone}."))
}

/// Notes of which only the names came.
fn named(items: &[Value]) -> Option<String> {
    let names: Option<Vec<&str>> =
        items.iter().map(|item| title_of(item).filter(|_| text_of(item).is_none())).collect();
    let lines = names?.into_iter().take(20).map(|name| format!("- {}", name_words(name).join(" ")));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

fn spoken_reason(reason: &str) -> String {
    // "The person rejected this call: too expensive" → the part that says why.
    let why = reason.split_once(": ").map(|(_, why)| why.trim()).filter(|why| !why.is_empty());
    why.map(|why| format!(" ({})", why.trim_end_matches('.'))).unwrap_or_default()
}

fn advice(reason: &str) -> &'static str {
    let lower = reason.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match () {
        () if has(&["permission", "not allowed", "forbidden", "denied", "unauthorized", "access"]) => {
            "Someone with more rights would have to do this, or allow it."
        }
        () if has(&["not found", "unknown", "no such", "doesn't exist", "gone"]) => {
            "Check the name or ID and ask me again."
        }
        () if has(&["timeout", "timed out", "unreachable", "connect", "overloaded", "unavailable"]) => {
            "Trying again in a moment may help."
        }
        () if has(&["invalid", "required", "missing", "must be", "expected"]) => {
            "Tell me the right value and I'll try again."
        }
        () => "Tell me if I should try it another way.",
    }
}

fn done(call: &ToolCall, deed: &Deed, outcome: &Outcome, remembers: bool) -> String {
    let text =
        call.arguments.iter().filter(|(key, _)| !is_action(key)).filter_map(|(_, value)| value.as_str());
    let longest = text.max_by_key(|text| text.len()).unwrap_or_default();
    if deed.act == Some(Act::Save) && remembers && !longest.is_empty() {
        let said = turned(&shorten(longest, 240));
        let said = said.trim_end_matches(['.', '!']);
        return if has_verb(longest) {
            format!("Done, I'll remember that {said}.")
        } else {
            format!("Done, I'll remember: {said}.")
        };
    }
    let mut lines: Vec<String> = call
        .arguments
        .iter()
        .filter(|(key, value)| !is_action(key) && !value.is_object())
        .take(8)
        .map(|(key, value)| format!("- {}: {}", render::human_key(key), render::plain(value)))
        .collect();
    if let Outcome::Object(map) = outcome {
        let news = map.iter().filter(|(key, value)| {
            let flag = value.is_boolean() || value.is_object() || value.is_null();
            !flag && !call.arguments.contains_key(*key) && !is_action(key)
        });
        lines.extend(
            news.take(4)
                .map(|(key, value)| format!("- {}: {}", render::human_key(key), render::plain(value))),
        );
    }
    let said = match outcome {
        Outcome::Text(text) if text.chars().count() <= 200 && text.contains(' ') => {
            format!("\n\n{}", sentence(text))
        }
        _ => String::new(),
    };
    match lines.is_empty() {
        true => format!("Done, I {}.{said}", deed.done()),
        false => format!("Done, I {}:\n\n{}{said}", deed.done(), lines.join("\n")),
    }
}

fn nothing(call: &ToolCall, deed: &Deed, remembers: bool) -> String {
    let query =
        call.arguments.iter().filter(|(key, _)| !is_action(key)).find_map(|(_, value)| value.as_str());
    match (remembers, query) {
        (true, Some(query)) => format!(
            "I have no note about {query} yet. Tell me, for example “Remember that {query} …”, and I'll keep it."
        ),
        (true, None) => "I have no notes yet. Tell me what to remember and I'll keep it.".to_owned(),
        (false, Some(query)) if deed.reads() => {
            let place =
                if deed.object().is_empty() { String::new() } else { format!(" in {}", deed.object()) };
            format!("I looked for “{}”{place} and found nothing.", shorten(query, 100))
        }
        (false, _) if deed.reads() => {
            format!("There is nothing to show: the list of {} is empty.", deed.object())
        }
        (false, _) => format!("I could {}, but it gave nothing back.", deed.to_do()),
    }
}

fn text_of(item: &Value) -> Option<&str> {
    let map = item.as_object()?;
    TEXTS.iter().find_map(|key| map.get(*key)?.as_str()).filter(|text| !text.trim().is_empty())
}

fn title_of(item: &Value) -> Option<&str> {
    let map = item.as_object()?;
    TITLES.iter().find_map(|key| map.get(*key)?.as_str())
}

fn overlap(text: &str, topics: &[Topic]) -> usize {
    let all = words(text.get(..4_000).unwrap_or(text));
    topics.iter().filter(|topic| all.iter().any(|word| word.concept == topic.concept)).count()
}

fn found(items: &[Value], total: usize, topics: &[Topic], deed: &Deed) -> String {
    let texts: Vec<(&str, &Value)> = items.iter().filter_map(|item| Some((text_of(item)?, item))).collect();
    if texts.len() < items.len() || texts.is_empty() {
        let what = if deed.object().is_empty() { "results".to_owned() } else { deed.object().to_owned() };
        let head = match total {
            1 => "I found this:".to_owned(),
            _ => format!("I found {total} ({what}):"),
        };
        return format!("{head}\n\n{}", render::items(items, total));
    }
    let ranked = |(text, item): &(&str, &Value)| {
        overlap(text, topics) * 2 + overlap(title_of(item).unwrap_or_default(), topics)
    };
    let best = texts.iter().map(ranked).max().unwrap_or_default();
    let chosen: Vec<&(&str, &Value)> = texts.iter().filter(|one| ranked(one) == best).collect();
    match chosen.as_slice() {
        [(text, item)] if deed.act != Some(Act::List) || items.len() == 1 => note(text, item, topics),
        _ => {
            let shown = chosen.iter().take(5).map(|(text, item)| format!("- {}", note(text, item, topics)));
            let lines = shown.collect::<Vec<_>>().join("\n");
            let more = chosen.len().saturating_sub(5);
            let tail = if more > 0 { format!("\n\n… and {more} more.") } else { String::new() };
            format!("This is what I have:\n\n{lines}{tail}")
        }
    }
}

/// A short note as a sentence; of a long text the part that was asked about, with where it comes from.
fn note(text: &str, item: &Value, topics: &[Topic]) -> String {
    if text.chars().count() <= 240 && !text.trim().contains('\n') {
        return told(text);
    }
    let pieces = text.split(['\n']).flat_map(|line| line.split_inclusive(". ")).map(str::trim);
    let pieces = pieces.filter(|piece| piece.len() > 3 && !piece.starts_with('#')).take(400);
    let best =
        pieces.reduce(|best, next| if overlap(next, topics) > overlap(best, topics) { next } else { best });
    let said = sentence(&shorten(best.unwrap_or(text).trim_start_matches(['-', '*', ' ']), 300));
    match title_of(item) {
        Some(title) => format!("From **{title}**: {said}"),
        None => said,
    }
}
