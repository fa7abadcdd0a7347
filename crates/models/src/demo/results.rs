//! Answering from results: a note is told, a list is shown, a failure is named with what could be done about it.

use baton_core::models::ToolCall;
use serde_json::{Map, Value};

use super::about::lower_start;
use super::clauses::{OWN, Topic, is_weak, plain};
use super::deeds::{Deed, deed, is_action};
use super::failures;
use super::lexicon::Act;
use super::meant::thing;
use super::moments;
use super::outcome::Outcome;
use super::quote::{has_verb, is_german, quoted, sentence, told, turned};
use super::render;
use super::words::{shorten, stem, words};

const TEXTS: &[&str] = &["content", "text", "note", "memory", "body", "snippet", "fact", "excerpt"];
const MOST_NAMED: usize = 20;
const TITLES: &[&str] = &["title", "name", "subject", "path", "key"];

/// What an answer is for: the person's words, what they are about, and whether the tool keeps notes for people.
pub struct Asked<'q> {
    pub text: &'q str,
    pub topics: &'q [Topic],
    pub remembers: bool,
    /// The text of what was changed or removed, where it was found before.
    pub before: Option<&'q str>,
}

/// One call's result in words.
pub fn answer(call: &ToolCall, outcome: &Outcome, asked: &Asked<'_>) -> String {
    let deed = deed(&call.name, &call.arguments);
    match outcome {
        Outcome::Rejected(reason) => failures::rejected(&deed, reason),
        Outcome::Failed(reason) => failures::failed(&deed, reason),
        _ if deed.writes() => done(call, &deed, outcome, asked),
        Outcome::Nothing => nothing(call, &deed, asked),
        Outcome::Items { items, total } => match named(items, *total).filter(|_| asked.remembers) {
            Some(names) => format!("I keep notes about:\n\n{names}\n\nAsk me about any of them."),
            None => found(call, items, *total, asked, &deed),
        },
        Outcome::Object(map) => match map.iter().next() {
            Some((key, value)) if map.len() == 1 => one_value(key, value),
            _ => {
                moments::told(map, asked.text).unwrap_or_else(|| match text_of(&Value::Object(map.clone())) {
                    Some(_) => found(call, &[Value::Object(map.clone())], 1, asked, &deed),
                    None => format!("Here is what I found:\n\n{}", render::object(map)),
                })
            }
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

/// Notes of which only the names came.
fn named(items: &[Value], total: usize) -> Option<String> {
    let names: Option<Vec<&str>> =
        items.iter().map(|item| title_of(item).filter(|_| text_of(item).is_none())).collect();
    let lines = names?.into_iter().take(MOST_NAMED).map(|name| format!("- {}", thing(name)));
    let mut lines: Vec<String> = lines.collect();
    if total > lines.len() {
        lines.push(format!("\n… and {} more.", total - lines.len()));
    }
    Some(lines.join("\n"))
}

fn done(call: &ToolCall, deed: &Deed, outcome: &Outcome, asked: &Asked<'_>) -> String {
    let remembers = asked.remembers;
    let text = call
        .arguments
        .iter()
        .filter(|(key, _)| !is_action(key) && !is_key(key))
        .filter_map(|(_, value)| value.as_str());
    let longest = text.max_by_key(|text| text.len()).unwrap_or_default();
    if deed.act == Some(Act::Save) && remembers && !longest.is_empty() {
        let said = shorten(longest, 240);
        let said = said.trim_end_matches(['.', '!']);
        let replaced = replaced(call, outcome, longest, asked.before);
        return match () {
            () if is_german(said) => format!("Done, I'll remember: {}.{replaced}", quoted(said)),
            () if has_verb(longest) => {
                format!("Done, I'll remember that {}{replaced}", ended(&within(&turned(said))))
            }
            () => format!("Done, I'll remember: {}{replaced}", ended(&within(&turned(said)))),
        };
    }
    if deed.act == Some(Act::Remove) {
        let text = asked.before.map(|text| format!(" {}", quoted(&shorten(text, 240))));
        let what = text.or_else(|| thing_of(call).map(|what| format!(" about {what}")));
        return format!("Done, I {}{}.", deed.done(), what.filter(|_| remembers).unwrap_or_default());
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
            let status = ["done", "status", "result", "success", "message"].contains(&key.as_str());
            !flag && !status && !call.arguments.contains_key(*key) && !is_action(key)
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

/// What a note took the place of: a person must know what is gone.
fn replaced(call: &ToolCall, outcome: &Outcome, text: &str, before: Option<&str>) -> String {
    if let Some(before) = before.filter(|before| *before != text) {
        return format!(" It replaces {}.", quoted(&shorten(before, 240)));
    }
    let says =
        |map: &Map<String, Value>| map.values().any(|value| value == "replaced" || value == "overwritten");
    match outcome {
        Outcome::Object(map) if says(map) && call.arguments.keys().any(|key| is_key(key)) => {
            " It replaces the note that was there.".to_owned()
        }
        Outcome::Object(map) if says(map) => " I had that note already.".to_owned(),
        _ => String::new(),
    }
}

/// "My dog is Rex" within a sentence: "that your dog is Rex".
fn within(text: &str) -> String {
    if words(text).first().is_some_and(|word| word.stop) { lower_start(text) } else { text.to_owned() }
}

fn ended(text: &str) -> String {
    if text.ends_with(['?', '…', '!']) { text.to_owned() } else { format!("{text}.") }
}

fn is_key(key: &str) -> bool {
    ["path", "key", "slug", "id"].contains(&key)
}

/// What was searched for in vain, as the person said it.
pub fn looked_for(call: &ToolCall, text: &str) -> Option<String> {
    let query =
        call.arguments.iter().filter(|(key, _)| !is_action(key)).find_map(|(_, value)| value.as_str())?;
    Some(own_thing(text, query).map_or_else(|| as_said(text, query), |about| format!("your {about}")))
}

/// What a call is about by its key: "people/7/budget-review" names the budget review.
pub fn thing_of(call: &ToolCall) -> Option<String> {
    let key =
        ["path", "key", "name", "title", "id"].iter().find_map(|key| call.arguments.get(*key)?.as_str())?;
    Some(thing(key))
}

fn nothing(call: &ToolCall, deed: &Deed, asked: &Asked<'_>) -> String {
    let query =
        call.arguments.iter().filter(|(key, _)| !is_action(key)).find_map(|(_, value)| value.as_str());
    match (asked.remembers, query) {
        (true, Some(query)) => no_note(asked, query),
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

fn no_note(asked: &Asked<'_>, query: &str) -> String {
    match own_thing(asked.text, query) {
        Some(about) => format!(
            "I have no note about your {about} yet. Tell me, for example “Remember that my {about} …”, and I'll keep it."
        ),
        None => format!(
            "I have no note that answers “{}”, and I know nothing by myself. Tell me and I can remember it.",
            shorten(asked.text.trim(), 80)
        ),
    }
}

/// What was searched for, where the person called it their own.
pub fn own_thing(text: &str, query: &str) -> Option<String> {
    let about = as_said(text, query);
    let before = words(&text[..text.find(&about)?]).pop()?.lower;
    OWN.contains(&before.as_str()).then_some(about)
}

/// The words of a query with what stood between them: "capital of France".
pub fn as_said(text: &str, query: &str) -> String {
    let all = words(text);
    let wanted: Vec<String> = words(query).into_iter().map(|word| stem(&word.text.to_lowercase())).collect();
    let is_wanted = |word: &super::words::Word<'_>| wanted.contains(&stem(&plain(word.text).to_lowercase()));
    let (first, last) = (all.iter().position(is_wanted), all.iter().rposition(is_wanted));
    match (first, last) {
        (Some(first), Some(last)) if last - first < wanted.len() + 2 => {
            // "My shopping list": what it is a kind of is no topic, but part of its name.
            let goes_on = all.get(last + 1).is_some_and(|word| !word.stop && !is_weak(&word.lower));
            let last = last + usize::from(goes_on);
            let end = all[last].start + plain(all[last].text).len();
            text[all[first].start..end].to_owned()
        }
        _ => query.to_owned(),
    }
}

pub fn text_of(item: &Value) -> Option<&str> {
    let map = item.as_object()?;
    TEXTS.iter().find_map(|key| map.get(*key)?.as_str()).filter(|text| !text.trim().is_empty())
}

pub fn title_of(item: &Value) -> Option<&str> {
    let map = item.as_object()?;
    TITLES.iter().find_map(|key| map.get(*key)?.as_str())
}

fn overlap(text: &str, topics: &[Topic]) -> usize {
    let all = words(text.get(..4_000).unwrap_or(text));
    topics.iter().filter(|topic| all.iter().any(|word| word.concept == topic.concept)).count()
}

fn found(call: &ToolCall, items: &[Value], total: usize, asked: &Asked<'_>, deed: &Deed) -> String {
    let topics = asked.topics;
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
    let strong = topics.iter().filter(|topic| !topic.weak).count();
    // A search by words finds what shares a syllable; a note that speaks of nothing asked for is no answer.
    if asked.remembers && best == 0 && strong > 0 && deed.act == Some(Act::Find) {
        return nothing(call, deed, asked);
    }
    let chosen: Vec<&(&str, &Value)> = texts.iter().filter(|one| ranked(one) == best).collect();
    let in_part = |(text, item): &(&str, &Value)| {
        let all = format!("{text} {}", title_of(item).unwrap_or_default());
        asked.remembers && overlap(&all, topics) * 2 <= strong && strong > 1
    };
    match chosen.as_slice() {
        [one] if in_part(one) => {
            format!("I have no note on exactly that. The closest is: {}", note(one.0, one.1, topics))
        }
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
