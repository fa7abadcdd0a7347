//! Taking a message apart: sentences, and the parts of one that begin something new. What follows a colon or stands in
//! quotes is content and is never taken apart.

use super::clauses::{Mood, Verbs, clause, is_verb};
use super::lexicon::{ABBREVIATIONS, Act, OPENERS, SMALL_TALK, WH};
use super::words::words;

pub fn sentences<'a>(text: &'a str, verbs: &Verbs) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    let (mut takes_all, mut keeps) = (false, false);
    let (mut colons, mut goes_on) = (0, 0);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match c {
            '"' | '“' | '”' | '„' => quoted = !quoted && c != '”',
            // A pasted log has thousands of colons; a request has a few.
            ':' if !takes_all && colons < 20 && next.is_none_or(char::is_whitespace) => {
                colons += 1;
                (takes_all, keeps) = orders(&text[start..at], verbs);
            }
            '.' | '?' | '!' | ';' | '\n' if !quoted && next.is_none_or(char::is_whitespace) => {
                let end = at + c.len_utf8();
                let before = &text[start..at];
                if c == '.' && next.is_some() && ends_in_abbreviation(before) {
                    continue;
                }
                // "Remember that Yahoo! is a company"
                if matches!(c, '.' | '!') && goes_on < 20 && goes_on_small(before, &text[end..], verbs) {
                    goes_on += 1;
                    continue;
                }
                if takes_all && !begins_anew(&text[end..]) && !(keeps && asks_next(&text[end..])) {
                    continue;
                }
                found.push(&text[start..end]);
                (start, takes_all) = (end, false);
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

/// "Dr.", "J.": a full stop that ends a word, not a sentence.
pub fn ends_in_abbreviation(before: &str) -> bool {
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let lower = last.to_lowercase();
    let initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase) && last != "I";
    initial
        || lower.contains('.') && lower.chars().all(|c| c == '.' || c.is_alphabetic()) && lower.len() <= 5
        || ABBREVIATIONS.contains(&lower.as_str())
}

/// Within what is to be kept, a small letter goes on with the sentence, unless it begins another request.
fn goes_on_small(before: &str, rest: &str, verbs: &Verbs) -> bool {
    let next = rest.trim_start();
    let capital = before.trim_start().starts_with(char::is_uppercase);
    if !capital || !next.starts_with(char::is_lowercase) || !orders(before, verbs).1 {
        return false;
    }
    let all = words(next.get(..200).unwrap_or(next));
    let lower = all.first().map_or("", |word| word.lower.as_str());
    let begins = all.first().is_some_and(|word| is_verb(word, verbs)) || WH[..9].contains(&lower);
    !begins && !OPENERS.contains(&lower) && !SMALL_TALK.contains(&lower)
}

/// Whether it is an order, and whether to keep something: a note ends where a question begins.
fn orders(before: &str, verbs: &Verbs) -> (bool, bool) {
    let clause = clause(before, verbs);
    (matches!(clause.mood, Mood::Command | Mood::Wish), clause.act == Some(Act::Save))
}

fn asks_next(rest: &str) -> bool {
    let next = rest.trim_start();
    let first = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let sentence = next.split_inclusive(['.', '?', '!']).next().unwrap_or_default();
    sentence.ends_with('?') && WH.contains(&first.to_lowercase().as_str())
}

/// Whether content after a colon is over: the person turns to something else.
fn begins_anew(rest: &str) -> bool {
    let mut start = rest.trim_start().split(|c: char| !c.is_alphanumeric());
    let first = start.next().unwrap_or_default();
    first.len() < 12
        && ["also", "then", "please", "finally", "thanks", "thank"].contains(&first.to_lowercase().as_str())
}

pub fn joined_parts<'a>(sentence: &'a str, verbs: &Verbs) -> Vec<&'a str> {
    let all = words(sentence.get(..2_000).unwrap_or(sentence));
    let content_at = sentence.find(": ").or_else(|| sentence.find(['"', '“'])).unwrap_or(sentence.len());
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, word) in all.iter().enumerate().skip(1) {
        let joins = ["and", "then", "plus", "und"].contains(&word.lower.as_str());
        let mut next = all[at + 1..].iter().filter(|word| !OPENERS.contains(&word.lower.as_str()));
        let begins =
            next.next().is_some_and(|next| is_verb(next, verbs) || WH[..9].contains(&next.lower.as_str()));
        // "Remember that Ana will call and cancel the room": what is kept may speak of any deed.
        let destroys = || {
            let deed = all[at + 1..]
                .iter()
                .find(|word| !OPENERS.contains(&word.lower.as_str()))
                .and_then(|next| next.act());
            matches!(deed, Some(Act::Remove | Act::Change)) && orders(&sentence[start..word.start], verbs).1
        };
        if joins && begins && word.start < content_at && !destroys() {
            parts.push(&sentence[start..word.start]);
            start = word.start;
        }
    }
    parts.push(&sentence[start..]);
    parts
}
