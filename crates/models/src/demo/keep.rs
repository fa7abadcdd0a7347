//! What a person wants kept: their own words, to the letter. Only the request around them is cut off, so that a note
//! says neither less nor more than they did.

use super::clauses::{Clause, OWN, is_weak, plain};
use super::offer::Offered;
use super::quote::{has_verb, is_german};
use super::sentences::ends_in_abbreviation;
use super::words::{concept, stem, words};

/// Words that belong to the order wherever they follow its verb.
const WITH_VERB: &[&str] = &["please", "kindly", "bitte", "dir", "mir", "down", "also", "always", "just"];
/// What ends the order: all that follows is what was said.
const INTRODUCES: &[&str] = &["that", "dass", "daß", "to", "of", "about", "saying"];
const FOR_WHOM: &[&[&str]] =
    &[&["for", "me"], &["for", "us"], &["for", "later"], &["to", "self"], &["to", "yourself"]];
/// Stands for what is announced: "remember this: …".
const ANNOUNCES: &[&str] =
    &["this", "it", "these", "that", "the", "a", "an", "new", "following", "another", "das", "es"];
const HEAD: usize = 200;
const AROUND: &[&str] = &["please", "bitte", "thanks", "thank you", "danke", "ok"];

/// What an order to keep something says should be kept.
pub fn content(clause: &Clause<'_>, tool: &Offered<'_>) -> Option<String> {
    let (said, introduced) = after_order(clause, tool);
    let said = without_courtesy(said, clause.body.len() < clause.text.len());
    let inner = unquoted(said);
    let all = words(head(inner));
    let says =
        all.iter().any(|word| !word.stop) || inner.contains(|c: char| !c.is_ascii() && !c.is_whitespace());
    (says || (introduced && all.len() > 1)).then(|| inner.to_owned())
}

/// What follows the order, and whether the order said that it follows ("that", a colon).
fn after_order<'c>(clause: &Clause<'c>, tool: &Offered<'_>) -> (&'c str, bool) {
    let all = words(head(clause.body));
    let verb = all.iter().skip(1).take_while(|word| word.lower.is_empty()).last().or(all.first());
    let mut rest = verb.map_or(clause.body, |verb| &clause.body[verb.end()..]);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if let Some(said) = [":", "- ", "– "].iter().find_map(|mark| rest.strip_prefix(mark)) {
            return (said.trim_start(), true);
        }
        // "remember (privately) that …"
        if let Some((_, after)) = rest.strip_prefix('(').and_then(|aside| aside.split_once(')'))
            && first_word(after).is_some_and(|word| INTRODUCES.contains(&word.as_str()))
        {
            rest = after;
            continue;
        }
        if let Some(after) = announced(rest, tool) {
            rest = after;
            continue;
        }
        let next = words(head(rest));
        let said = |at: usize| next.get(at).map(|word| word.text.to_lowercase()).unwrap_or_default();
        let begins = next.first().is_some_and(|word| word.start == 0);
        if let Some(phrase) =
            FOR_WHOM.iter().find(|phrase| begins && said(0) == phrase[0] && said(1) == phrase[1])
        {
            rest = &rest[next[phrase.len() - 1].end()..];
            continue;
        }
        match next.first().filter(|_| begins) {
            Some(word) if WITH_VERB.contains(&said(0).as_str()) => rest = &rest[word.end()..],
            Some(word) if INTRODUCES.contains(&said(0).as_str()) => {
                let after = rest[word.end()..].trim_start();
                return (after.strip_prefix(':').unwrap_or(after).trim_start(), true);
            }
            _ => return (rest, false),
        }
    }
}

/// The beginning of a text: an order is over soon, what it keeps may be a book.
fn head(text: &str) -> &str {
    let end = (0..=HEAD.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    &text[..end]
}

fn first_word(text: &str) -> Option<String> {
    words(head(text)).first().map(|word| word.text.to_lowercase())
}

/// Past "this", "a new note" or "the following", where what they announce comes next.
fn announced<'c>(rest: &'c str, tool: &Offered<'_>) -> Option<&'c str> {
    let all = words(head(rest));
    let close =
        |at: usize| rest[all[..at].last().map_or(0, |word| word.end())..all[at].start].trim().is_empty();
    let announces = |at: &usize| {
        let word = &all[*at];
        let named = ANNOUNCES.contains(&word.text.to_lowercase().as_str()) || is_note_word(tool, &word.lower);
        named && close(*at)
    };
    let last = &all[(0..all.len().min(4)).take_while(announces).last()?];
    let after = rest[last.end()..].trim_start();
    let goes_on =
        first_word(after).is_some_and(|word| ["that", "dass", "about", "saying"].contains(&word.as_str()));
    (after.is_empty() || after.starts_with([':', ',']) || after.starts_with("- ") || goes_on).then_some(after)
}

/// Whether a word names a note as such: what a tool that remembers is full of.
pub fn is_note_word(tool: &Offered<'_>, lower: &str) -> bool {
    let same = |name: &str| stem(name) == stem(plain(lower));
    tool.words.iter().any(|name| same(name)) || ["note", "memory", "memo", "notiz"].into_iter().any(same)
}

/// Without "please" at the end, the full stop, and the question mark of an order put as a question.
fn without_courtesy(said: &str, asked_nicely: bool) -> &str {
    let mut said = said.trim();
    if asked_nicely {
        said = said.trim_end_matches('?').trim_end();
    }
    loop {
        let stop = said.strip_suffix('.').filter(|rest| !rest.ends_with('.') && !ends_in_abbreviation(rest));
        let bare = stop.unwrap_or(said).trim_end_matches([',', ';']).trim_end();
        let courtesy = AROUND.iter().find_map(|word| {
            let at = bare.len().checked_sub(word.len()).filter(|at| bare.is_char_boundary(*at))?;
            let (before, end) = bare.split_at(at);
            (end.eq_ignore_ascii_case(word) && before.ends_with([' ', ','])).then_some(before)
        });
        match courtesy {
            Some(before) => said = before.trim_end().trim_end_matches(',').trim_end(),
            None => return bare,
        }
    }
}

/// Quotation marks around the whole only say where it begins and ends.
fn unquoted(said: &str) -> &str {
    let pairs = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')];
    let inside = pairs.iter().find_map(|(open, close)| {
        said.strip_prefix(*open)?.strip_suffix(*close).filter(|inside| !inside.contains([*open, *close]))
    });
    inside.unwrap_or(said)
}

/// Whether a text only names a thing ("the door code") and tells nothing of it: nothing to keep, least of all over the
/// note that does tell.
pub fn only_names(content: &str) -> bool {
    if content.len() > HEAD {
        return false;
    }
    let all = words(content);
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return false };
    let own = OWN.contains(&first.lower.as_str());
    let named = own || first.lower == "the" || first.text.ends_with("'s") || first.text.ends_with("’s");
    let tells = |word: &super::words::Word<'_>| {
        is_weak(&word.lower) || ["not", "to", "at", "nicht"].contains(&word.lower.as_str())
    };
    // "My dog Rex" tells its name; in German every noun has a capital.
    let ends_in_name =
        last.text.starts_with(char::is_uppercase) && !first.lower.starts_with("mein") && !is_german(content);
    let plain_words = content.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '\'' || c == '’');
    named
        && (2..=5).contains(&all.len())
        && plain_words
        && !has_verb(content)
        && !all.iter().any(tells)
        && !ends_in_name
}

/// What a statement is about, and the verb that says something of it.
#[derive(Debug, PartialEq)]
pub struct Subject {
    pub words: Vec<String>,
    /// Their meanings, sorted.
    concepts: Vec<String>,
    verb: String,
}

impl Subject {
    /// Of the same thing the same kind of thing is said, so that one may take the place of the other.
    pub fn is_same(&self, other: &Self) -> bool {
        self.concepts == other.concepts && self.verb == other.verb
    }
}

pub fn subject(statement: &str) -> Option<Subject> {
    let all = words(head(statement));
    let at = all.iter().position(|word| has_verb(word.text) && word.start > 0)?;
    let content: Vec<&super::words::Word<'_>> = all[..at].iter().filter(|word| !word.stop).collect();
    let people = ["i", "we", "he", "she", "they", "ich", "wir"];
    let (words, mut concepts): (Vec<String>, Vec<String>) = match content.is_empty() {
        false => content.iter().map(|word| (plain(word.text).to_owned(), word.concept.clone())).unzip(),
        true => {
            let person = all[..at].iter().find(|word| people.contains(&word.lower.as_str()))?;
            let told = all[at..].iter().enumerate().filter(|(at, word)| *at == 0 || !word.stop);
            let told = told.map(|(_, word)| plain(word.text).to_owned());
            (told.collect(), vec![person.lower.clone()])
        }
    };
    concepts.sort_unstable();
    concepts.dedup();
    let verb = match all[at].lower.as_str() {
        "is" | "are" | "was" | "were" | "am" | "ist" | "sind" => "be".to_owned(),
        other => concept(other),
    };
    Some(Subject { words, concepts, verb })
}

/// Openings by which a person takes back what was said before.
const CORRECTS: &[&str] =
    &["no", "nein", "actually", "correction", "sorry", "wait", "oops", "doch", "eigentlich"];

pub fn corrects(clause: &Clause<'_>) -> bool {
    let opening = &clause.text[..clause.text.len() - clause.body.len()];
    words(opening).iter().any(|word| CORRECTS.contains(&word.text.to_lowercase().as_str()))
}

/// What an order to change something says in whole: "Update: my review is on Tuesdays".
pub fn restated(clause: &Clause<'_>, tool: &Offered<'_>) -> Option<String> {
    let (said, introduced) = after_order(clause, tool);
    let statement = without_courtesy(said, clause.body.len() < clause.text.len());
    (introduced && subject(statement).is_some()).then(|| unquoted(statement).to_owned())
}
