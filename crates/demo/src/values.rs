//! Finds values in a sentence: the text after a name, quoted text, a number, an amount, a date, an id.

use chrono::{Datelike, Days, NaiveDate, Weekday};

use crate::words::{spoken, words};

/// What is said of a name: `name: value`, `name = value` or `name is value`. It ends with its sentence, or where one of
/// the other names begins.
pub fn labelled(text: &str, name: &str, names: &[&str]) -> Option<String> {
    let (_, begin) = label_at(text, name)?;
    let rest = &text[begin..];
    let others = names.iter().filter(|other| **other != name);
    let next = others.filter_map(|other| label_at(rest, other)).map(|(at, _)| at).min();
    let rest = &rest[..next.unwrap_or(rest.len())];
    let sentence = rest.find(['\n', ';']).into_iter().chain(rest.find(". ")).chain(rest.find("! ")).min();
    tidy(&rest[..sentence.unwrap_or(rest.len())])
}

/// Where a name stands before a colon, an equals sign or `is`, and where its value begins.
fn label_at(text: &str, name: &str) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    let plain = name.to_ascii_lowercase();
    let mut found = None;
    for label in [plain.clone(), spoken(name)] {
        for (at, _) in lower.match_indices(&label) {
            let starts_word = !lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let behind = &lower[at + label.len()..];
            let link = [": ", ":\n", " = ", "=", " is ", " are ", " will be "]
                .iter()
                .find(|link| behind.starts_with(**link));
            if let (true, Some(link)) = (starts_word, link) {
                found = found.or(Some((at, at + label.len() + link.len())));
            }
        }
    }
    found
}

/// A value without what only leads to it or follows it. A second thing after a comma is another value, if it alone has a
/// number in it.
pub fn tidy(text: &str) -> Option<String> {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let mut value = text.trim();
    if let Some((first, second)) = value.split_once(", ")
        && has_digit(second)
        && !has_digit(first)
    {
        value = first;
    }
    let ends = |c: char| c.is_whitespace() || ".,;:!".contains(c);
    while let Some(shorter) = LEADING.iter().find_map(|word| strip_word(value, word)) {
        value = shorter;
    }
    value = value.trim_matches(ends);
    while let Some(shorter) = TRAILING.iter().find_map(|word| value.strip_suffix(word)) {
        value = shorter.trim_end_matches(ends);
    }
    let value = value.trim_matches(['"', '“', '”']);
    (!value.is_empty()).then(|| value.to_owned())
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word))?;
    text[head.len()..].strip_prefix(' ').map(str::trim_start)
}

const LEADING: &[&str] = &[
    "it's",
    "it’s",
    "it is",
    "its",
    "that's",
    "a",
    "an",
    "the",
    "to",
    "my",
    "our",
    "we are in",
    "we are",
    "i am",
    "called",
];
const TRAILING: &[&str] = &[" and", " our", " my", " the", " with", ","];

/// The first text in quotes.
pub fn quoted(text: &str) -> Option<String> {
    let open = text.find(['"', '“', '«'])?;
    let rest = text[open..].trim_start_matches(['"', '“', '«']);
    let close = rest.find(['"', '”', '»'])?;
    (close > 0).then(|| rest[..close].trim().to_owned())
}

/// Words with what surrounds them taken off.
fn tokens(text: &str) -> Vec<&str> {
    let bare = text.split_whitespace().map(|token| token.trim_matches(|c: char| ",;:!?()\"'“”".contains(c)));
    bare.map(|token| token.trim_end_matches('.')).filter(|token| !token.is_empty()).collect()
}

/// Letters and digits with a mark between them, or both in capitals: `L-42`, `#118`, `AB12345`.
pub fn ids(text: &str) -> Vec<(String, Option<String>)> {
    let tokens = tokens(text);
    let is_id = |token: &str| {
        let has = |test: fn(char) -> bool| token.contains(test);
        has(|c| c.is_ascii_digit())
            && (token.starts_with('#') || has(char::is_alphabetic))
            && !has(char::is_lowercase)
            && number(token).is_none()
    };
    let with_before = tokens.iter().enumerate().filter(|(_, token)| is_id(token));
    with_before
        .map(|(at, token)| ((*token).to_owned(), at.checked_sub(1).map(|at| tokens[at].to_lowercase())))
        .collect()
}

/// Numbers, each with the words next to it.
pub fn numbers(text: &str) -> Vec<(f64, String)> {
    let tokens = tokens(text);
    let near = |at: usize| tokens[at.saturating_sub(2)..tokens.len().min(at + 3)].join(" ");
    tokens.iter().enumerate().filter_map(|(at, token)| Some((number(token)?, near(at)))).collect()
}

fn number(token: &str) -> Option<f64> {
    let bare = token.trim_matches(['€', '$', '£', '%']);
    let (bare, times) = match bare.strip_suffix(['k', 'K']) {
        Some(thousands) => (thousands, 1_000.0),
        None => (bare, 1.0),
    };
    let starts = bare.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let plain = bare.replace(',', "");
    starts.then(|| plain.parse::<f64>().ok()).flatten().map(|value| value * times)
}

/// A number or a range with its currency: `150-200k DKK`, `€ 500`.
pub fn amount(text: &str) -> Option<String> {
    let tokens = tokens(text);
    let is_figure = |token: &str| {
        let bare = token.trim_matches(['€', '$', '£']);
        bare.starts_with(|c: char| c.is_ascii_digit())
            && !bare.contains(|c: char| c.is_alphabetic() && c != 'k')
    };
    let is_currency = |token: &&&str| {
        let lower = token.to_lowercase();
        (token.len() == 3 && token.chars().all(|c| c.is_ascii_uppercase()))
            || ["€", "$", "£"].contains(*token)
            || ["euro", "dollar", "pound"].iter().any(|name| lower.starts_with(name))
    };
    let at = tokens.iter().position(|token| is_figure(token) && iso_date(token).is_none())?;
    let after = tokens.get(at + 1).filter(is_currency);
    let before =
        at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|token| after.is_none() && is_currency(token));
    Some([before, Some(&tokens[at]), after].into_iter().flatten().copied().collect::<Vec<_>>().join(" "))
}

/// The first day that is named: an ISO date, `today`, `today+3`, `tomorrow`, `in 3 days`, `next Tuesday`.
pub fn date(text: &str, today: NaiveDate) -> Option<NaiveDate> {
    if let Some(date) = tokens(text).into_iter().find_map(iso_date) {
        return Some(date);
    }
    let words = words(text);
    for (at, word) in words.iter().enumerate() {
        let next = |by: usize| words.get(at + by).map(String::as_str).unwrap_or_default();
        let days = match word.as_str() {
            "today" if text.to_lowercase().contains("today+") => next(1).parse().ok(),
            "today" => Some(0),
            "tomorrow" => Some(1),
            "in" => {
                let count = next(1).parse::<u64>().ok().filter(|count| *count < 10_000);
                let unit = next(2).trim_end_matches('s');
                count
                    .filter(|_| matches!(unit, "day" | "week"))
                    .map(|count| if unit == "week" { count * 7 } else { count })
            }
            day => day.parse::<Weekday>().ok().filter(|_| day.len() > 4).map(|day| {
                let ahead = (7 + day.num_days_from_monday() - today.weekday().num_days_from_monday()) % 7;
                u64::from(if ahead == 0 { 7 } else { ahead })
            }),
        };
        if let Some(days) = days {
            return today.checked_add_days(Days::new(days));
        }
    }
    None
}

fn iso_date(token: &str) -> Option<NaiveDate> {
    (token.len() == 10).then(|| token.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &[&str] = &["company", "industry", "team_size", "goal"];

    #[test]
    fn what_stands_behind_a_name() {
        let all = "Our company is Acme GmbH, our industry is logistics, we are 40 people and our goal is to answer within a day. Thanks.";
        for (text, name, value) in [
            (all, "company", Some("Acme GmbH")),
            (all, "industry", Some("logistics")),
            (all, "goal", Some("answer within a day")),
            ("Company: Acme\nTeam size: 40", "company", Some("Acme")),
            ("Company: Acme\nTeam size: 40", "team_size", Some("40")),
            ("accompany is nice", "company", None),
            ("our company grows", "company", None),
        ] {
            assert_eq!(labelled(text, name, NAMES).as_deref(), value, "{name} in {text}");
        }
    }

    #[test]
    fn answers_lose_what_only_leads_to_them() {
        for (text, value) in [
            ("A Toyota", Some("Toyota")),
            ("It's L-42.", Some("L-42")),
            ("BMW, 40000 euros", Some("BMW")),
            ("red, green and blue", Some("red, green and blue")),
            (" . ", None),
        ] {
            assert_eq!(tidy(text).as_deref(), value, "{text}");
        }
    }

    #[test]
    fn figures_and_ids() {
        assert_eq!(
            ids("lead L-42 or #118, not 40 or mp3").iter().map(|id| id.0.as_str()).collect::<Vec<_>>(),
            ["L-42", "#118"]
        );
        assert_eq!(
            numbers("40 people, 1,200 desks, 3k").iter().map(|one| one.0).collect::<Vec<_>>(),
            [40.0, 1200.0, 3000.0]
        );
        for (text, value) in [
            ("budget 150-200k DKK, soon", Some("150-200k DKK")),
            ("BMW, 40000 euros", Some("40000 euros")),
            ("€ 500", Some("€ 500")),
            ("on 2026-11-20", None),
            ("cheap", None),
        ] {
            assert_eq!(amount(text).as_deref(), value, "{text}");
        }
        assert_eq!(quoted("Say “good day” to them").as_deref(), Some("good day"));
    }

    #[test]
    fn days_are_found() {
        let today: NaiveDate = "2026-11-18".parse().expect("a Wednesday");
        for (text, day) in [
            ("until 2027-05-01.", Some("2027-05-01")),
            ("tomorrow at 10", Some("2026-11-19")),
            ("today+3", Some("2026-11-21")),
            ("in 2 weeks", Some("2026-12-02")),
            ("next Tuesday", Some("2026-11-24")),
            ("next Wednesday", Some("2026-11-25")),
            ("soon", None),
        ] {
            assert_eq!(date(text, today).map(|day| day.to_string()).as_deref(), day, "{text}");
        }
    }
}
