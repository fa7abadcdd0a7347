//! A handoff that was said but not done: a reply names another agent as taking over, but its author, which could have
//! handed off, called no tool. The person is then offered the switch.

use crate::handoff::targets::Target;

/// The agent that the text says is taking over, if it is sure enough to offer the switch.
pub fn suggested<'a>(text: &str, reachable: &[&'a Target]) -> Option<&'a Target> {
    sentences(text).filter(|sentence| claims(sentence)).find_map(|sentence| {
        let mut named = reachable.iter().copied().filter(|target| names(&sentence, target));
        // A sentence that names two says nothing sure.
        named.next().filter(|_| named.next().is_none())
    })
}

/// In small letters, with where each ended.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    let text = text.replace('\n', ". ").to_lowercase().replace('’', "'");
    let pieces: Vec<String> =
        text.split_inclusive(['.', '!', '?', ';']).map(|piece| piece.trim().to_owned()).collect();
    pieces.into_iter()
}

/// What hands off, said of oneself and now.
const DOES: &[&str] = &[
    "transfer",
    "transferring",
    "hand this",
    "hand you",
    "hand it",
    "handing",
    "connect you",
    "connecting you",
    "pass you",
    "pass this",
    "passing you",
    "passing this",
    "route you",
    "routing you",
    "switch you",
    "switching you",
    "forward you",
    "forwarding",
    "put you through",
    "putting you through",
    "bring in",
    "bringing in",
    "refer you",
    "redirect you",
    "redirecting you",
    "get you over to",
    "verbinde",
    "leite",
    "übergebe",
    "gebe dich",
    "gebe sie",
    "reiche",
];
const SELF: &[&str] = &["i'll", "i will", "i'm", "i am", "let me", "i have", "i've", "i shall", "ich"];
/// What the other does, now.
const TAKES: &[&str] = &[
    "will take over",
    "takes over",
    "is taking over",
    "will take it from here",
    "takes it from here",
    "will assist you",
    "will help you from here",
    "is now with you",
    "will continue with you",
    "übernimmt",
];
/// What makes it an offer, a condition, a story or a refusal.
const NOT: &[&str] = &[
    "?",
    "would you like",
    "do you want",
    "shall i",
    "should i",
    "if you",
    "if i",
    "when you",
    "can't",
    "cannot",
    "can not",
    "could",
    "unable",
    "won't",
    "not able",
    "don't",
    "didn't",
    "wasn't",
    "would",
    "might",
    "earlier",
    "yesterday",
    "last time",
    "already",
    "before",
    "falls du",
    "wenn du",
    "kann nicht",
    "möchtest",
];

fn claims(sentence: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| contains_word(sentence, word));
    let does = has(SELF) && has(DOES);
    (does || has(TAKES)) && !has(NOT)
}

fn names(sentence: &str, target: &Target) -> bool {
    let name = target.name.to_lowercase();
    let slug = target.slug.replace('-', " ");
    contains_word(sentence, &name) || contains_word(sentence, &slug) || contains_word(sentence, &target.slug)
}

fn contains_word(sentence: &str, word: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let edges_matter = word.starts_with(char::is_alphanumeric);
    sentence.match_indices(word).any(|(at, found)| {
        !edges_matter
            || (!is_letter(sentence[..at].chars().next_back())
                && !is_letter(sentence[at + found.len()..].chars().next()))
    })
}

#[cfg(test)]
mod tests;
