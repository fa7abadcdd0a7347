//! How a clause begins and what that makes of it: politeness, wishes, refusals, small talk.

use super::clauses::{Verbs, is_verb, plain};
use super::lexicon::{OPENERS, POLITE, SMALL_FILLER, SMALL_TALK, WISHES};
use super::words::Word;

#[derive(PartialEq)]
pub enum Opening {
    Plain,
    Polite,
    Wish,
}

pub fn opening(all: &[Word<'_>]) -> (usize, Opening) {
    let starts = |at: usize, phrase: &[&str]| {
        all.len() > at + phrase.len() && phrase.iter().zip(&all[at..]).all(|(part, word)| *part == word.lower)
    };
    let mut at = 0;
    let mut opening = Opening::Plain;
    while at < all.len() {
        if let Some(phrase) = POLITE.iter().find(|phrase| starts(at, phrase)) {
            at += phrase.len();
            opening = Opening::Polite;
        } else if at + 1 < all.len()
            && (OPENERS.contains(&all[at].lower.as_str()) || takes_back(&all[at], &all[at + 1]))
        {
            at += 1;
        } else {
            break;
        }
    }
    if let Some(phrase) = WISHES.iter().find(|phrase| starts(at, phrase)) {
        return (at + phrase.len(), Opening::Wish);
    }
    (at, opening)
}

/// "No, remember …": a word by itself, set off by more than a space.
fn takes_back(word: &Word<'_>, next: &Word<'_>) -> bool {
    ["no", "nein", "doch"].contains(&word.lower.as_str()) && next.start > word.end() + 1
}

/// "Don't remember it", "never save that", "merke dir das nicht": an order not to do something.
pub fn refuses(rest: &[Word<'_>], verbs: &Verbs) -> bool {
    let said = |at: usize| rest.get(at).map_or("", |word| word.lower.as_str());
    let skip = match (said(0), said(1)) {
        ("don't" | "dont" | "never", _) => 1,
        ("stop", next) if next.ends_with("ing") => 1,
        ("do", "not") => 2,
        _ => 0,
    };
    let does = |at: usize| rest.get(at).is_some_and(|word| is_verb(word, verbs));
    let german = does(0) && rest.iter().take(8).skip(1).any(|word| word.lower == "nicht");
    (skip > 0 && does(skip)) || german
}

/// "Book reviews are dull", "notes are here": what could be a verb is the subject.
pub fn is_plain_noun(rest: &[Word<'_>]) -> bool {
    let finite = ["is", "are", "was", "were", "has", "have", "will"];
    // Never the name of a thing.
    let verbs = [
        "remember", "memorize", "memorise", "forget", "delete", "erase", "merke", "merk", "lösche", "vergiss",
    ];
    if rest.first().is_some_and(|word| verbs.contains(&word.lower.as_str())) {
        return false;
    }
    rest.iter().take(3).skip(1).any(|word| finite.contains(&word.lower.as_str()))
        && !rest
            .get(1)
            .is_some_and(|word| ["my", "our", "that", "the", "me", "a", "i"].contains(&word.lower.as_str()))
}

pub fn is_small_talk(all: &[Word<'_>]) -> bool {
    let core = |word: &Word<'_>| SMALL_TALK.contains(&plain(&word.lower));
    let filler = |word: &Word<'_>| SMALL_FILLER.contains(&plain(&word.lower));
    if all.is_empty() {
        return true;
    }
    let greeting =
        all.first().is_some_and(|word| core(word) && !["no", "yes"].contains(&word.lower.as_str()));
    let how_are_you = ["how", "are", "you"].iter().zip(all).all(|(part, word)| plain(&word.lower) == *part);
    let others =
        all.iter().filter(|word| !core(word) && !filler(word) && !word.lower.is_empty()).collect::<Vec<_>>();
    // "Hello Budget Coach": a name after the greeting.
    let names = others.len() <= 3 && others.iter().all(|word| word.text.starts_with(char::is_uppercase));
    (all.iter().any(core) || how_are_you && all.len() <= 6)
        && (others.is_empty() || (greeting && names && others.len() < all.len()))
}
