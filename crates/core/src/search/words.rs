//! Splits a text into words and folds them.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A longer word is cut: nobody types it, and a `tsvector` would not take it.
const MAX_WORD: usize = 60;

/// A word, and where it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub folded: String,
    pub start: usize,
    pub end: usize,
    /// The last character of a run that is cut into pairs.
    pub(super) is_end_of_run: bool,
    /// A pair of the same run stands before it.
    pub(super) follows: bool,
}

/// The words of a text, in order.
pub fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        if !is_word(first) || is_mark(first) {
            continue;
        }
        let in_pairs = has_no_spaces(first);
        let mut starts = vec![start];
        let mut end = start + first.len_utf8();
        while let Some((at, c)) = rest.peek().copied() {
            let belongs = is_word(c) && (is_mark(c) || has_no_spaces(c) == in_pairs);
            if !belongs {
                break;
            }
            // A mark belongs to the character before it.
            if in_pairs && !is_mark(c) {
                starts.push(at);
            }
            end = at + c.len_utf8();
            rest.next();
        }
        match in_pairs {
            true => add_pairs(text, &starts, end, &mut words),
            false => words.extend(word(text, start, end)),
        }
    }
    words
}

fn add_pairs(text: &str, starts: &[usize], end: usize, words: &mut Vec<Word>) {
    for (at, start) in starts.iter().copied().enumerate() {
        let is_end_of_run = at + 1 == starts.len();
        let pair_end = starts.get(at + 2).copied().unwrap_or(end);
        let found = word(text, start, pair_end);
        words.extend(found.map(|word| Word { is_end_of_run, follows: at > 0, ..word }));
    }
}

fn word(text: &str, start: usize, end: usize) -> Option<Word> {
    let folded = fold(&text[start..end]);
    let word = Word { folded, start, end, is_end_of_run: false, follows: false };
    (!word.folded.is_empty()).then_some(word)
}

/// Without case, accents and compatibility forms. Lower, upper, then lower case folds ß, ẞ and SS alike.
fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.chars().take(MAX_WORD).map(|c| c.to_ascii_lowercase()).collect();
    }
    let cased = word
        .nfkc()
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect::<String>();
    let folded = cased.nfkd().filter(|c| !is_accent(*c)).collect::<String>();
    folded.nfc().filter(|c| is_word(*c) && !is_joiner(*c)).take(MAX_WORD).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

/// What belongs to the character before it.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && (is_combining_mark(c) || is_joiner(c) || matches!(c, '\u{ff9e}' | '\u{ff9f}'))
}

/// Joins letters in some scripts; words are the same with and without.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{ad}')
}

/// Marks that people leave out when they search. Vowel signs of Indic scripts are none: they make another word.
fn is_accent(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
        | '\u{670}' | '\u{640}')
}

/// Scripts that are written without spaces between words, and Korean, where what follows a word is written with it.
fn has_no_spaces(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1100}'..='\u{11ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{30ff}' | '\u{3105}'..='\u{318f}'
        | '\u{31a0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}' | '\u{20000}'..='\u{3ffff}')
}
