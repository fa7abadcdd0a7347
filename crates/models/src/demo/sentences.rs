//! Taking a message apart: sentences, and the parts of one that begin something new. What follows a colon or stands in
//! quotes is content and is never taken apart.

use super::clauses::{Mood, Verbs, clause, is_verb};
use super::lexicon::{Act, OPENERS, WH};
use super::words::words;

pub fn sentences<'a>(text: &'a str, verbs: &Verbs) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    let (mut takes_all, mut keeps) = (false, false);
    let mut colons = 0;
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
        if joins && begins && word.start < content_at {
            parts.push(&sentence[start..word.start]);
            start = word.start;
        }
    }
    parts.push(&sentence[start..]);
    parts
}
