//! From text to meanings: words with their places, a small stemmer, and one name for words that mean alike.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::lexicon::{self, Act};

#[derive(Debug, Clone, PartialEq)]
pub struct Word<'a> {
    pub text: &'a str,
    pub start: usize,
    pub lower: String,
    /// What it means, as far as we compare meanings.
    pub concept: String,
    /// Carries no topic.
    pub stop: bool,
}

impl Word<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
    pub fn act(&self) -> Option<Act> {
        act_of(&self.lower)
    }
    /// Names a thing rather than something general to do.
    pub fn is_topic(&self) -> bool {
        !self.stop && !is_general(&self.lower)
    }
}

static ALIKE: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let groups = lexicon::ALIKE.iter().rev();
    groups.flat_map(|group| group.iter().map(|word| (stem(word), group[0]))).collect()
});
static ACTS: LazyLock<HashMap<String, Act>> = LazyLock::new(|| {
    lexicon::ACTS.iter().flat_map(|(act, words)| words.iter().map(|word| (stem(word), *act))).collect()
});
static GENERAL: LazyLock<HashSet<String>> =
    LazyLock::new(|| lexicon::GENERAL.iter().map(|word| stem(word)).collect());
static BLAND: LazyLock<HashSet<String>> =
    LazyLock::new(|| lexicon::BLAND.iter().map(|word| stem(word)).collect());
static STOP: LazyLock<HashSet<&'static str>> = LazyLock::new(|| lexicon::STOP.iter().copied().collect());

/// The words of a text, in order, with phrases such as "look up" read as one.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut start = None;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        // An apostrophe belongs to a word only inside it.
        let inside =
            c.is_alphanumeric() || (is_apostrophe(c) && start.is_some() && previous.is_alphanumeric());
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(word(&text[from..at], from));
                start = None;
            }
            _ => {}
        }
        previous = c;
    }
    if let Some(from) = start {
        found.push(word(&text[from..], from));
    }
    join_phrases(&mut found);
    found
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

fn word(text: &str, start: usize) -> Word<'_> {
    let text = text.trim_end_matches(is_apostrophe);
    let lower = text.to_lowercase().replace('’', "'");
    let plain = lower.split('\'').next().unwrap_or_default();
    let stop = STOP.contains(plain) || lower.ends_with("n't");
    Word { text, start, concept: concept(plain), stop, lower }
}

fn join_phrases(words: &mut [Word<'_>]) {
    for at in 0..words.len() {
        for (phrase, meaning) in lexicon::PHRASES {
            let fits = words.len() >= at + phrase.len()
                && phrase.iter().zip(&words[at..]).all(|(part, word)| *part == word.lower);
            if fits {
                for word in &mut words[at..at + phrase.len()] {
                    word.stop = true;
                    word.lower = String::new();
                }
                words[at] = Word {
                    stop: false,
                    lower: (*meaning).to_owned(),
                    concept: concept(meaning),
                    ..words[at].clone()
                };
                break;
            }
        }
    }
}

/// The meaning of a lower-case word.
pub fn concept(lower: &str) -> String {
    let stem = stem(lower);
    ALIKE.get(&stem).map_or(stem, |meaning| (*meaning).to_owned())
}

pub fn act_of(lower: &str) -> Option<Act> {
    ACTS.get(&stem(lower)).copied()
}

/// Something one can do to anything.
pub fn is_general(lower: &str) -> bool {
    GENERAL.contains(&stem(lower))
}

/// A word of tool texts that fits everything.
pub fn is_bland(lower: &str) -> bool {
    BLAND.contains(&stem(lower))
}

/// The words of a name such as `manageMemory`, `book_room` or `HTTPStatus`, in lower case.
pub fn name_words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = vec![String::new()];
    for (at, c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let after_small = at > 0 && chars[at - 1].is_lowercase();
        let before_small = at > 0
            && chars[at - 1].is_uppercase()
            && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_small || before_small) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A light stemmer: it need not be right, only the same on both sides of a comparison.
pub fn stem(lower: &str) -> String {
    let mut word = lower.to_owned();
    if word.chars().count() <= 3 || word.chars().any(|c| c.is_ascii_digit()) {
        return word;
    }
    if let Some(short) = word.strip_suffix("ies") {
        word = format!("{short}y");
    } else if ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end)) {
        word.truncate(word.len() - 2);
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        word.truncate(word.len() - 1);
    }
    let long = word.chars().count() >= 7;
    for (end, only_long) in
        [("ing", false), ("ed", false), ("ment", true), ("ion", true), ("er", true), ("or", true)]
    {
        let Some(short) = word.strip_suffix(end) else { continue };
        let has_vowel = short.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        if short.chars().count() >= 3 && has_vowel && (long || !only_long) {
            word.truncate(word.len() - end.len());
            break;
        }
    }
    if word.ends_with('e') && word.len() > 3 {
        word.truncate(word.len() - 1);
    }
    let mut ends = word.chars().rev();
    if let (Some(last), Some(before)) = (ends.next(), ends.next())
        && last == before
        && last.is_ascii_alphabetic()
    {
        word.truncate(word.len() - 1);
    }
    word
}

/// The first `max` characters, cut at a word and marked where something is missing.
pub fn shorten(text: &str, max: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let head = &text[..cut];
    let at_word = head.rfind(char::is_whitespace).filter(|at| *at > cut / 2).unwrap_or(cut);
    format!("{}…", head[..at_word].trim_end())
}

/// A number that is the same for the same text on every run and machine (FNV-1a).
pub fn hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // The low bits are the ones used to pick, and the poorest.
    hash ^ (hash >> 29) ^ (hash >> 47)
}

pub fn join(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., end] => format!("{} {last} {end}", rest.join(", ")),
    }
}

pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_mean_alike_have_one_name() {
        for (left, right) in [
            ("remember", "saved"),
            ("memories", "note"),
            ("booking", "reservation"),
            ("translations", "translator"),
            ("budgets", "budget"),
            ("selling", "sell"),
            ("converting", "converter"),
            ("removing", "deletes"),
        ] {
            assert_eq!(concept(left), concept(right), "{left} {right}");
        }
        assert_ne!(concept("budget"), concept("review"));
    }

    #[test]
    fn names_split_where_people_see_words() {
        for (name, expected) in [
            ("manageMemory", "manage memory"),
            ("book_room", "book room"),
            ("manageCRM", "manage crm"),
            ("getHTTPStatus", "get http status"),
            ("handoff-to-x2", "handoff to x2"),
            ("", ""),
        ] {
            assert_eq!(name_words(name).join(" "), expected);
        }
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let text = "Ünïcode – don’t look up “İstanbul”'s";
        for word in words(text) {
            assert_eq!(&text[word.start..word.end()], word.text);
        }
        assert!(words(text).iter().any(|word| word.lower == "search"));
    }
}
