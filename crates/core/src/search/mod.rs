//! Full-text search without a database: the words of a text, the same for both engines. The store gives these words to FTS5
//! and to Postgres, so neither splits or folds a text by its own rules.
//!
//! A word is a run of letters and digits without case and accents. Scripts that are written without spaces (Chinese,
//! Japanese, Thai …) are cut into pairs of characters that overlap, and the last character alone: so a search finds any part
//! of a run.

mod snippet;
mod words;

use std::collections::HashMap;

pub use snippet::{Snippet, snippet};
pub use words::{Word, words};

/// How many words of a query count.
const MAX_ASKED: usize = 16;
/// Different words of one text that can be found, and their bytes: what a `tsvector` holds.
const MAX_DIFFERENT: usize = 20_000;
const MAX_BYTES: usize = 300_000;
/// How often a word counts within one part of a text.
const MAX_COUNT: u16 = 50;

/// Which part of a text a word stands in. Hits in an earlier part count for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Title,
    Heading,
    Body,
}

pub const PARTS: [Part; 3] = [Part::Title, Part::Heading, Part::Body];

/// What of one row can be found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Searchable {
    /// How often each word occurs, by [`Part`].
    counts: HashMap<String, [u16; 3]>,
    bytes: usize,
}

impl Searchable {
    /// Adds the words of a text. What is added first is kept if there is too much.
    pub fn add(&mut self, part: Part, text: &str) {
        for word in words(text) {
            if !self.counts.contains_key(&word.folded) {
                if self.counts.len() >= MAX_DIFFERENT || self.bytes + word.folded.len() > MAX_BYTES {
                    continue;
                }
                self.bytes += word.folded.len();
            }
            let count = &mut self.counts.entry(word.folded).or_default()[part as usize];
            *count = (*count + 1).min(MAX_COUNT);
        }
    }

    /// Each word with how often it occurs in each part.
    pub fn counts(&self) -> impl Iterator<Item = (&str, [u16; 3])> {
        self.counts.iter().map(|(word, counts)| (word.as_str(), *counts))
    }

    /// The words of one part, each as often as it occurs there.
    pub fn text_of(&self, part: Part) -> String {
        let mut text = String::new();
        for (word, counts) in self.counts() {
            for _ in 0..counts[part as usize] {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
        text
    }
}

/// What is looked for: all of these words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    words: Vec<Asked>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub folded: String,
    /// Words that begin with it count too.
    pub is_prefix: bool,
}

impl Asked {
    pub fn matches(&self, word: &str) -> bool {
        if self.is_prefix { word.starts_with(&self.folded) } else { word == self.folded }
    }
}

impl Query {
    /// The words of what someone typed; none if there are none. The last may not be typed to its end yet, unless something
    /// follows it.
    pub fn new(typed: &str) -> Option<Self> {
        let found = words(typed);
        let last = found.len().checked_sub(1)?;
        let mut asked: Vec<Asked> = Vec::new();
        for (at, word) in found.into_iter().enumerate() {
            // The last character of a run alone is there only for who looks for one character: the pair before has it.
            if word.is_end_of_run && at > 0 && word.follows {
                continue;
            }
            let is_open = at == last && word.end == typed.len() && word.folded.chars().count() >= 2;
            let is_prefix = is_open || word.is_end_of_run;
            let word = Asked { folded: word.folded, is_prefix };
            if asked.len() < MAX_ASKED && !asked.contains(&word) {
                asked.push(word);
            }
        }
        (!asked.is_empty()).then_some(Self { words: asked })
    }

    /// All words whole, for who doesn't type: a model.
    pub fn whole(text: &str) -> Option<Self> {
        Self::new(&format!("{text} "))
    }

    pub fn words(&self) -> &[Asked] {
        &self.words
    }
}

#[cfg(test)]
mod tests;
