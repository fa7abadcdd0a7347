//! Takes an amount apart into its sign, its digits with the points and commas between them, and its currency, without
//! deciding yet which of the points and commas is the decimal sign.

use super::{Currency, DecimalSign};

/// Longer than any amount; keeps work per cell small.
const MAX_LEN: usize = 64;

/// Currency signs that are words or letters and no ISO codes.
const WORDS: &[&str] = &[
    "kr", "kč", "zł", "ft", "lei", "rs", "r", "us", "ca", "au", "nz", "hk", "a", "s", "fr", "sfr", "tl",
    "лв", "руб", "р", "грн", "din", "rm", "rp",
];

#[derive(Debug)]
pub(crate) struct Written {
    pub negative: bool,
    /// Digits, `.` and `,` as written; `_` stands for a space or an apostrophe between thousands.
    pub body: String,
    /// Named in the cell, by its code or by a sign that belongs to one currency only.
    pub currency: Option<Currency>,
}

/// What one cell shows about the decimal sign.
pub(crate) enum Shows {
    Point,
    Comma,
    /// Could be either, such as `1,234`.
    Unclear,
    /// No sign at all.
    Nothing,
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' | '\t')
}

fn is_minus(c: char) -> bool {
    matches!(c, '-' | '\u{2212}' | '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{fe63}' | '\u{ff0d}')
}

pub(crate) fn scan(text: &str) -> Option<Written> {
    let text = text.trim_matches(|c| is_space(c) || c == '\u{feff}');
    if text.is_empty() || text.len() > MAX_LEN || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut found = Written { negative: false, body: String::new(), currency: None };
    let (mut signs, mut opened, mut closed) = (0, 0, 0);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '0'..='9' | '.' | ',' => found.body.push(c),
            '\'' | '\u{2019}' | '\u{2bc}' if found.ends_in_digit() => found.body.push('_'),
            c if is_space(c) => {
                let before_digit = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
                if found.ends_in_digit() && before_digit {
                    found.body.push('_');
                }
            }
            // `12,-`: no cents. Otherwise a minus may stand before or after the number.
            c if is_minus(c) && found.body.ends_with(['.', ',']) => {
                while chars.next_if(|(_, next)| is_minus(*next)).is_some() {}
                found.body.push_str("00");
                found.currency_only(&text[chars.peek().map_or(text.len(), |(at, _)| *at)..])?;
                break;
            }
            c if is_minus(c) => {
                signs += 1;
                found.negative = true;
            }
            '+' => signs += 1,
            '(' => opened += 1,
            ')' => closed += 1,
            '€' => found.set_currency("EUR")?,
            '$' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴' | '₫' | '₪' | '₦' | '₱' | '฿' | '₡' | '₸' =>
                {}
            c if c.is_alphabetic() => {
                let mut end = at + c.len_utf8();
                while let Some((at, next)) = chars.next_if(|(_, next)| next.is_alphabetic()) {
                    end = at + next.len_utf8();
                }
                found.word(&text[at..end], &mut signs)?;
                // The point of an abbreviation, such as `Fr.`.
                let abbreviated = chars.peek().is_some_and(|(_, next)| *next == '.');
                if abbreviated && !text[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
                    chars.next();
                }
            }
            _ => return None,
        }
    }
    if opened == 1 && closed == 1 && signs == 0 {
        found.negative = true;
    } else if opened + closed > 0 || signs > 1 {
        return None;
    }
    found.body.bytes().any(|b| b.is_ascii_digit()).then_some(found)
}

impl Written {
    fn ends_in_digit(&self) -> bool {
        self.body.ends_with(|c: char| c.is_ascii_digit())
    }

    fn set_currency(&mut self, code: &str) -> Option<()> {
        let currency = Currency::parse(code)?;
        match self.currency.replace(currency) {
            Some(other) if other != currency => None,
            _ => Some(()),
        }
    }

    fn word(&mut self, word: &str, signs: &mut u32) -> Option<()> {
        let lower = word.to_lowercase();
        match lower.as_str() {
            "cr" | "c" | "h" if !self.body.is_empty() => *signs += 1,
            "dr" | "d" | "s" if !self.body.is_empty() => {
                *signs += 1;
                self.negative = true;
            }
            word if WORDS.contains(&word) => {}
            _ => return self.set_currency(word),
        }
        Some(())
    }

    fn currency_only(&mut self, rest: &str) -> Option<()> {
        match rest.trim_matches(is_space) {
            "" => Some(()),
            "€" => self.set_currency("EUR"),
            code => self.set_currency(code),
        }
    }

    pub(crate) fn shows(&self) -> Shows {
        let points = self.body.matches('.').count();
        let commas = self.body.matches(',').count();
        let by = |sign| if sign == '.' { Shows::Point } else { Shows::Comma };
        let other = |sign| if sign == '.' { Shows::Comma } else { Shows::Point };
        let sign = match (points, commas) {
            (0, 0) => return Shows::Nothing,
            (1.., 1..) => {
                return self.body.rfind(['.', ',']).map_or(Shows::Nothing, |at| by_char(&self.body[at..]));
            }
            (_, 0) => '.',
            (0, _) => ',',
        };
        if points + commas > 1 {
            return other(sign);
        }
        let Some((before, after)) = self.body.split_once(sign) else { return Shows::Nothing };
        let may_be_thousands = after.len() == 3
            && (1..=3).contains(&before.len())
            && !before.starts_with('0')
            && !before.contains('_');
        if may_be_thousands { Shows::Unclear } else { by(sign) }
    }

    /// The digits before and after the decimal sign; none if they don't stand as they would with it.
    pub(crate) fn split(&self, decimal: DecimalSign) -> Option<(String, String)> {
        let mut halves = self.body.splitn(2, decimal.char());
        let whole = halves.next().unwrap_or_default();
        let part = halves.next().unwrap_or_default();
        if !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let groups: Vec<&str> = whole.split(['.', ',', '_']).collect();
        if let [first, between @ .., last] = groups.as_slice() {
            // Three digits each; India writes pairs before the last three.
            let pairs = between.iter().all(|group| group.len() == 2);
            let triples = between.iter().all(|group| group.len() == 3);
            if last.len() != 3 || !(1..=3).contains(&first.len()) || !(pairs || triples) {
                return None;
            }
            let mut marks = whole.chars().filter(|c| !c.is_ascii_digit());
            let mark = marks.next();
            if marks.any(|c| Some(c) != mark) {
                return None;
            }
        }
        if groups.concat().is_empty() && part.is_empty() {
            return None;
        }
        Some((groups.concat(), part.to_owned()))
    }
}

fn by_char(rest: &str) -> Shows {
    if rest.starts_with(',') { Shows::Comma } else { Shows::Point }
}
