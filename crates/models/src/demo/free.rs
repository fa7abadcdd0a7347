//! Free text from a clause: what is to be kept, searched or said, without the words that only ask for it.

use super::clauses::{Clause, plain};
use super::lexicon::{Act, LIGHT};
use super::offer::Offered;
use super::values::{Found, Kind};
use super::words::{concept, hash, is_general, words};

/// A stretch of the clause that another argument has used.
pub type Used = Vec<(usize, usize)>;

#[rustfmt::skip]
const LEADING: &[&str] = &[
    "me", "us", "a", "an", "the", "of", "to", "for", "about", "that", "this", "saying", "new", "please", "on", "in",
    "following", "it", "down", "up", "mind", "note", "with", "into", "from", "dir", "mir", "dass", "daß", "bitte", "nicht",
];

/// What the clause is about, in the person's own words.
pub fn content(clause: &Clause<'_>, tool: &Offered<'_>, found: &[Found], used: &Used) -> Option<String> {
    let text = clause.text;
    let quoted = found.iter().filter(|one| one.kind == Kind::Quoted && !overlaps(used, one.start, one.end));
    if let Some(quoted) = quoted.max_by_key(|one| one.text.len()) {
        return Some(quoted.text.clone());
    }
    let all = words(text);
    let keeps = clause.act == Some(Act::Save);
    if let Some(said) = after_colon(text) {
        let start = text.len() - said.len();
        // "Remember my wife's birthday: May 3rd" is one fact; "Note: …" only announces it.
        let before = all.iter().skip(1).filter(|word| word.start < start);
        let announces = before
            .filter(|word| !tool.is_own_word(&word.concept))
            .all(|word| word.stop || ["self", "later", "following"].contains(&word.lower.as_str()));
        if !keeps || announces {
            let said = cut(text, start, used);
            return clean(&said).map(|_| said.trim().trim_matches(['"', '“', '”', ',', ';', ' ']).to_owned());
        }
    }
    for mark in ["titled", "called", "named", "saying", "about", "regarding"] {
        if let Some(word) = all.iter().take(12).find(|word| word.lower == mark && !keeps)
            && let Some(said) = clean(&cut(text, word.end(), used))
        {
            return Some(said);
        }
    }
    let from = text.len() - clause.body.len();
    let body: Vec<_> = all.iter().filter(|word| word.start >= from).collect();
    let is_lead = |at: usize| {
        let word = body[at];
        let verb = at == 0 && (clause.verb.is_some() || is_general(&word.lower));
        let tool_word = tool.is_own_word(&word.concept);
        let taken = overlaps(used, word.start, word.end());
        // "Remember my mind is made up": only what follows the verb directly belongs to it.
        verb || taken
            || word.lower.is_empty()
            || LEADING.contains(&word.lower.as_str())
            || (at < 4 && tool_word)
    };
    let kept = (0..body.len()).find(|at| {
        let said = *at > 0 && ["that", "saying", "dass"].contains(&body[*at - 1].lower.as_str());
        said || !is_lead(*at)
    });
    // The article belongs to what it introduces.
    let article = |at: &usize| *at > 0 && ["the", "a", "an"].contains(&body[*at - 1].lower.as_str());
    let kept = kept.map(|at| if article(&at) { at - 1 } else { at })?;
    clean(&cut(text, body[kept].start, used)).filter(|said| !only_names(said, tool))
}

/// "a priority ticket": nothing but the words of the tool and its parameters.
fn only_names(text: &str, tool: &Offered<'_>) -> bool {
    let names = tool.params.iter().flat_map(|param| &param.words).chain(&tool.words);
    let names: Vec<String> = names.map(|name| concept(name)).collect();
    words(text).iter().filter(|word| !word.stop).all(|word| names.contains(&word.concept))
}

/// What follows a colon that isn't part of a time or an address.
fn after_colon(text: &str) -> Option<&str> {
    let (before, said) = text.split_once(": ").or_else(|| text.split_once(":\n"))?;
    (before.split_whitespace().count() <= 14 && !said.trim().is_empty()).then_some(said)
}

fn overlaps(used: &Used, start: usize, end: usize) -> bool {
    used.iter().any(|(from, to)| *from < end && start < *to)
}

/// The text from `start` without what is used up, nor the small words that led to it: ", with priority high".
fn cut(text: &str, start: usize, used: &Used) -> String {
    let mut used: Used = used.iter().copied().filter(|(from, _)| *from >= start).collect();
    used.sort_unstable();
    let mut kept = String::new();
    let mut at = start;
    for (from, to) in used {
        if from < at {
            continue;
        }
        kept.push_str(without_lead(&text[at..from]));
        kept.push(' ');
        at = to;
    }
    kept.push_str(&text[at.min(text.len())..]);
    kept
}

fn without_lead(text: &str) -> &str {
    let mut text = text.trim_end();
    let small = ["with", "for", "on", "at", "to", "by", "in", "and", "the", "a", "of", "from", "is", "into"];
    while let Some((rest, last)) = text.rsplit_once(char::is_whitespace) {
        if !small.contains(&last.to_lowercase().as_str()) {
            break;
        }
        text = rest.trim_end();
    }
    if small.contains(&text.to_lowercase().as_str()) { "" } else { text }
}

fn clean(text: &str) -> Option<String> {
    let around = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '"' | '“' | '”');
    let text = text.trim_matches(around).trim_end_matches(['.', '!', '?']).trim_matches(around);
    let text = text.strip_suffix(" please").unwrap_or(text).trim_matches(around);
    let says = words(text).iter().take(200).any(|word| !word.stop);
    (says || text.contains(|c: char| !c.is_ascii() && !c.is_whitespace())).then(|| text.to_owned())
}

/// The words to search for: the topics that aren't the tool's own name.
pub fn query(clause: &Clause<'_>, tool: &Offered<'_>, found: &[Found]) -> Option<String> {
    if let Some(quoted) = found.iter().find(|one| one.kind == Kind::Quoted) {
        return Some(quoted.text.clone());
    }
    let all = words(clause.text);
    let about = all.iter().position(|word| ["about", "regarding"].contains(&word.lower.as_str()));
    let own = |meaning: &str| tool.is_own_word(meaning);
    let told = |at: usize| {
        let topics = all[at + 1..].iter().filter(|word| word.is_topic() && !own(&word.concept)).take(8);
        topics.map(|word| plain(word.text).to_owned()).collect::<Vec<_>>()
    };
    let mut said = about.map(told).unwrap_or_default();
    if said.is_empty() && tool.recalls() && !clause.own_words.is_empty() {
        return Some(clause.own_words.clone());
    }
    if said.is_empty() {
        let topics =
            clause.topics.iter().filter(|topic| !own(&topic.concept) && !clause.is_verb_of(topic)).take(8);
        said = topics.map(|topic| plain(&topic.text).to_owned()).collect();
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// Words too light to be a topic, where there is nothing else to search for.
pub fn light(clause: &Clause<'_>) -> Option<String> {
    let all = words(clause.text);
    let said: Vec<&str> = all
        .iter()
        .map(|word| word.text)
        .filter(|text| LIGHT.contains(&text.to_lowercase().as_str()))
        .collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// A path for a fact, in small letters: all of its words, so that no other fact comes to the same one.
pub fn slug(text: &str) -> String {
    let head = text.char_indices().nth(200).map_or(text, |(cut, _)| &text[..cut]);
    let all = words(head);
    let said: Vec<String> =
        all.iter().map(|word| plain_ascii(word.text)).filter(|word| !word.is_empty()).collect();
    let named = said.join("-");
    let short: String = named.chars().take(60).collect();
    let lost = short.len() < named.len() || head.len() < text.len() || !text.is_ascii() || short.is_empty();
    match (lost, short.trim_matches('-')) {
        (false, short) => short.to_owned(),
        (true, "") => format!("note-{:08x}", hash(text) as u32),
        (true, short) => format!("{short}-{:08x}", hash(text) as u32),
    }
}

fn plain_ascii(word: &str) -> String {
    word.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}
