//! The values a text holds: numbers with their units, days, times, addresses, ids, quotations, names.

use chrono::NaiveDate;

use super::dates::days;
use super::lexicon::{CURRENCIES, LANGUAGES, NUMBER_WORDS};
use super::words::{concept, words};

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Number {
        value: f64,
        currency: Option<&'static str>,
    },
    Day,
    Time,
    Email,
    Url,
    /// `ABC-123`, `#42`
    Id,
    Quoted,
    Language,
    Currency(&'static str),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub kind: Kind,
    pub text: String,
    pub start: usize,
    pub end: usize,
    /// The meanings of the words beside it: "6 people", "lead 42".
    pub before: Vec<String>,
    pub after: Option<String>,
}

/// Reads only the beginning of a very long text; values that matter stand near the request.
const READ: usize = 3_000;

pub fn values(text: &str, today: Option<NaiveDate>) -> Vec<Found> {
    let text = text.char_indices().nth(READ).map_or(text, |(cut, _)| &text[..cut]);
    let mut found: Vec<Found> = Vec::new();
    for (start, end) in quotations(text) {
        found.push(plain(Kind::Quoted, &text[start..end], start));
    }
    for day in days(text, today) {
        found.push(Found { end: day.end, text: day.text, ..plain(Kind::Day, "", day.start) });
    }
    for (start, token) in tokens(text) {
        let taken = |one: &Found| one.kind == Kind::Day && one.start < start + token.len() && start < one.end;
        if !token.is_empty()
            && !found.iter().any(taken)
            && let Some(kind) = kind_of(token)
        {
            let text = token.trim_start_matches(if kind == Kind::Id { '#' } else { '\0' });
            found.push(Found { end: start + token.len(), ..plain(kind, text, start) });
        }
    }
    neighbours(text, &mut found);
    found.sort_by_key(|one| one.start);
    found
}

fn plain(kind: Kind, text: &str, start: usize) -> Found {
    let end = start + text.len();
    Found { kind, text: text.to_owned(), start, end, before: Vec::new(), after: None }
}

/// Runs without spaces, without the punctuation around them.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let around =
        |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '"' | '“' | '”' | '\'' | '*');
    text.split_whitespace().map(move |token| {
        let from = token.as_ptr() as usize - text.as_ptr() as usize;
        let begun = token.trim_start_matches(around);
        (from + token.len() - begun.len(), begun.trim_end_matches(around))
    })
}

fn kind_of(token: &str) -> Option<Kind> {
    let lower = token.to_lowercase();
    if let Some((local, domain)) = token.split_once('@')
        && !local.is_empty()
        && domain.contains('.')
    {
        return Some(Kind::Email);
    }
    if lower.starts_with("http://") || lower.starts_with("https://") || lower.starts_with("www.") {
        return Some(Kind::Url);
    }
    if is_time(&lower) {
        return Some(Kind::Time);
    }
    if LANGUAGES.contains(&lower.as_str()) {
        return Some(Kind::Language);
    }
    if let Some((value, currency)) = number(&lower) {
        return Some(Kind::Number { value, currency });
    }
    if let Some(currency) = currency_of(&lower) {
        return Some(Kind::Currency(currency));
    }
    let (digits, letters) =
        (token.chars().any(|c| c.is_ascii_digit()), token.chars().any(|c| c.is_ascii_alphabetic()));
    let fine = token.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '#' | '/'));
    let marked = token.starts_with('#') || token.contains(['-', '_']) || token.contains(char::is_uppercase);
    (digits && fine && token.len() <= 64 && ((letters && marked) || token.starts_with('#')))
        .then_some(Kind::Id)
}

fn is_time(lower: &str) -> bool {
    let clock = lower.trim_end_matches("am").trim_end_matches("pm");
    let suffixed = clock.len() < lower.len();
    let fits = |text: &str, most: u32| text.parse::<u32>().is_ok_and(|n| n < most) && text.len() <= 2;
    match clock.split_once(':') {
        Some((hours, minutes)) => fits(hours, 25) && fits(minutes, 60),
        None => suffixed && fits(clock, 13),
    }
}

pub fn currency_of(lower: &str) -> Option<&'static str> {
    CURRENCIES.iter().find(|(_, names)| names.contains(&lower)).map(|(code, _)| *code)
}

/// `€1,200`, `20k`, `1.5m`, `12%`, `six`; 1.200,50 as on the continent.
pub fn number(lower: &str) -> Option<(f64, Option<&'static str>)> {
    if let Some((_, value)) = NUMBER_WORDS.iter().find(|(word, _)| *word == lower) {
        return Some((*value, None));
    }
    let digits_at = lower.find(|c: char| c.is_ascii_digit() || c == '-')?;
    let (prefix, rest) = lower.split_at(digits_at);
    let digits_end = rest.rfind(|c: char| c.is_ascii_digit())? + 1;
    let (digits, suffix) = rest.split_at(digits_end);
    let currency = match (currency_of(prefix), currency_of(suffix)) {
        (None, _) if !prefix.is_empty() => return None,
        (before, after) => before.or(after),
    };
    let scale = match suffix.trim_start_matches(['€', '$', '£']) {
        "" | "%" => 1.0,
        "k" => 1e3,
        "m" | "mio" => 1e6,
        _ if currency_of(suffix).is_some() => 1.0,
        _ => return None,
    };
    Some((plain_number(digits)? * scale, currency))
}

fn plain_number(digits: &str) -> Option<f64> {
    let bare = digits.trim_start_matches('-');
    if bare.is_empty() || !bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'')) {
        return None;
    }
    let groups_of_three = |separator: char| {
        let mut groups = bare.split(separator);
        groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && first != "0")
            && groups.all(|group| group.len() == 3)
    };
    let text = match (digits.rfind(','), digits.rfind('.')) {
        (Some(comma), Some(dot)) if comma > dot => digits.replace('.', "").replace(',', "."),
        (Some(_), None) if !groups_of_three(',') => digits.replace(',', "."),
        (None, Some(_)) if digits.matches('.').count() > 1 => digits.replace('.', ""),
        _ => digits.replace([',', '\''], ""),
    };
    text.parse().ok()
}

fn quotations(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(char, usize)> = None;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match open {
            None => {
                let closing = match c {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    // An apostrophe opens a quotation only at the start of a word.
                    '\'' if previous.is_whitespace() => Some('\''),
                    _ => None,
                };
                open = closing.map(|closing| (closing, at + c.len_utf8()));
            }
            Some((closing, start)) if c == closing || (closing == '”' && c == '“') => {
                if text[start..at].trim().len() > 1 {
                    found.push((start, at));
                }
                open = None;
            }
            Some(_) => {}
        }
        previous = c;
    }
    found
}

fn neighbours(text: &str, found: &mut [Found]) {
    let all = words(text);
    for one in found.iter_mut() {
        let before = all.iter().rev().filter(|word| word.end() <= one.start).take(2);
        // "lead number 42", "lead id 42": the word before the word before counts too.
        one.before = before.map(|word| word.concept.clone()).collect();
        one.after = all.iter().find(|word| word.start >= one.end).map(|word| word.concept.clone());
        if let Kind::Number { currency, .. } = &mut one.kind {
            let beside =
                |word: Option<&super::words::Word<'_>>| word.and_then(|word| currency_of(&word.lower));
            let next = all.iter().find(|word| word.start >= one.end && word.start <= one.end + 2);
            let last = all.iter().rev().find(|word| word.end() <= one.start && word.end() + 2 >= one.start);
            *currency = currency.or_else(|| beside(next)).or_else(|| beside(last));
        }
    }
}

/// The first name after one of these words: "to Ana Weber", "for Acme".
pub fn names_after(text: &str, after: &[&str]) -> Option<(String, usize, usize)> {
    all_names_after(text, after).into_iter().next()
}

pub fn all_names_after(text: &str, after: &[&str]) -> Vec<(String, usize, usize)> {
    let all = words(text);
    let mut found = Vec::new();
    for (at, word) in all.iter().enumerate() {
        if !after.contains(&word.lower.as_str()) {
            continue;
        }
        let name: Vec<_> = all[at + 1..]
            .iter()
            .enumerate()
            .take_while(|(offset, next)| {
                let close = *offset == 0 || text[all[at + offset].end()..next.start].trim().is_empty();
                close && next.text.starts_with(char::is_uppercase) && next.lower != "i"
            })
            .map(|(_, next)| next)
            .collect();
        if let (Some(first), Some(last)) = (name.first(), name.last())
            && !LANGUAGES.contains(&first.lower.as_str())
            && !super::lexicon::WEEKDAYS.contains(&first.lower.as_str())
        {
            found.push((text[first.start..last.end()].to_owned(), first.start, last.end()));
        }
    }
    found
}

/// Whether a value stands beside a word with one of these meanings.
pub fn beside(found: &Found, concepts: &[String]) -> bool {
    let numbering = ["number", "id", "no", "nr", "is", "of"].map(concept);
    let before = match found.before.as_slice() {
        [near, far, ..] if numbering.contains(near) => concepts.contains(near) || concepts.contains(far),
        [near, ..] => concepts.contains(near),
        [] => false,
    };
    before || found.after.as_ref().is_some_and(|after| concepts.contains(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (text, value, currency) in [
            ("€1,200", 1_200.0, Some("EUR")),
            ("1.200,50", 1_200.5, None),
            ("20k", 20_000.0, None),
            ("$1.5m", 1_500_000.0, Some("USD")),
            ("400€", 400.0, Some("EUR")),
            ("7.5", 7.5, None),
            ("3,5", 3.5, None),
            ("12%", 12.0, None),
            ("six", 6.0, None),
        ] {
            assert_eq!(number(text), Some((value, currency)), "{text}");
        }
        for text in ["abc", "v2", "", "€", "1:2", "--"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn values_know_their_kind_and_neighbours() {
        let found = values("Give lead 42 to ana@x.io by ABC-123 at 10:30, 250 EUR, \"two words\"", None);
        let kinds: Vec<String> = found.iter().map(|one| format!("{:?}", one.kind)).collect();
        assert!(beside(&found[0], &["lead".into()]), "{found:?}");
        assert_eq!(kinds[1..4], ["Email", "Id", "Time"]);
        assert!(matches!(found[4].kind, Kind::Number { currency: Some("EUR"), .. }));
        assert_eq!(names_after("send it to Ana Weber now", &["to"]).unwrap().0, "Ana Weber");
    }
}
