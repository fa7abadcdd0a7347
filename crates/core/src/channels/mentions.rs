//! People that a message names. A text names them by their ids, as `[@Ana](person:ID)`, so a mention holds whoever changes
//! their name. People and models write `@Ana`; sending makes an id of it if exactly one member is called so.

use std::ops::Range;

use uuid::Uuid;

use super::ChannelPerson;
use crate::ids::ProfileId;

/// Mentions of one message that count.
const MAX_MENTIONS: usize = 50;

/// A mention in a text, and where all of it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mentioned {
    pub at: Range<usize>,
    pub name: String,
    pub profile_id: ProfileId,
}

pub fn person_link(name: &str, id: ProfileId) -> String {
    // A name can't end the words of a link.
    let name: String = name.chars().filter(|c| !matches!(c, '[' | ']' | '\\')).collect();
    format!("[@{name}](person:{id})")
}

/// All mentions of a text, in order.
pub fn mentions(text: &str) -> Vec<Mentioned> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("[@").map(|at| from + at) {
        from = start + 2;
        let Some(middle) = text[from..].find("](person:").map(|at| from + at) else { break };
        let name = &text[from..middle];
        if name.contains(['[', ']', '\n']) {
            continue;
        }
        let id = middle + "](person:".len();
        let Some(end) = text[id..].find(')').map(|at| id + at) else { break };
        if let Ok(profile) = Uuid::parse_str(&text[id..end]) {
            found.push(Mentioned {
                at: start..end + 1,
                name: name.to_owned(),
                profile_id: ProfileId(profile),
            });
            from = end + 1;
        }
    }
    found
}

/// Whom a text names, each once.
pub fn mentioned(text: &str) -> Vec<ProfileId> {
    let mut people = Vec::new();
    for mention in mentions(text) {
        if !people.contains(&mention.profile_id) && people.len() < MAX_MENTIONS {
            people.push(mention.profile_id);
        }
    }
    people
}

/// The text with `@name` for each mention: for searches, snippets and models.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut from = 0;
    for Mentioned { at, name, .. } in mentions(text) {
        plain.push_str(&text[from..at.start]);
        plain.push('@');
        plain.push_str(&name);
        from = at.end;
    }
    plain.push_str(&text[from..]);
    plain
}

/// The text with ids for each `@name` that means exactly one of these people: the longest name that fits. What can't be
/// told stays as it was written.
pub fn with_ids(text: &str, people: &[ChannelPerson]) -> String {
    let done = mentions(text);
    let mut written = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices('@') {
        let within = done.iter().any(|mention| mention.at.contains(&at));
        // In an address such as ana@example.org it names nobody.
        let follows_word = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        if at < from || within || follows_word {
            continue;
        }
        let rest = &text[at + 1..];
        if let Some((person, length)) = called(rest, people) {
            written.push_str(&text[from..at]);
            written.push_str(&person_link(&person.name, person.profile_id));
            from = at + 1 + length;
        }
    }
    written.push_str(&text[from..]);
    written
}

/// Who is meant by the name that a text begins with, and how long that is.
fn called<'a>(text: &str, people: &'a [ChannelPerson]) -> Option<(&'a ChannelPerson, usize)> {
    let fits = people.iter().filter_map(|person| Some((person, length_of(&person.name, text)?)));
    let longest = fits.clone().map(|(_, length)| length).max()?;
    let mut best = fits.filter(|(_, length)| *length == longest);
    match (best.next(), best.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
}

/// How much of a text is this name, whatever its case, if a word ends there.
fn length_of(name: &str, text: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let mut rest = text.char_indices();
    for wanted in name.chars() {
        let (_, given) = rest.next()?;
        if !given.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    match rest.next() {
        None => Some(text.len()),
        Some((at, next)) => (!next.is_alphanumeric()).then_some(at),
    }
}
