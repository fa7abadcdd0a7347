//! Days as people say them. They become ISO dates where the request says which day today is, and stay as said where
//! it doesn't: guessing the date would be worse than repeating the word.

use chrono::{Datelike, Days, Months, NaiveDate, TimeDelta, Weekday};

use super::clauses::plain;
use super::lexicon::{HOLIDAYS, MONTHS, NUMBER_WORDS, WEEKDAYS};
use super::words::{Word, words};

#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    /// ISO where today is known or the date was said in full.
    pub text: String,
    pub start: usize,
    pub end: usize,
}

/// The first day that is said at word `at`, and how many words it took.
fn day_at(all: &[Word<'_>], at: usize, today: Option<NaiveDate>) -> Option<(usize, Option<NaiveDate>)> {
    let lower = |offset: usize| all.get(at + offset).map_or("", |word| plain(&word.lower));
    let number = |offset: usize| -> Option<u32> {
        lower(offset).trim_end_matches(char::is_alphabetic).parse().ok().filter(|n| (1..=31).contains(n))
    };
    let month = |offset: usize| month_of(lower(offset));
    let year = |offset: usize| lower(offset).parse::<i32>().ok().filter(|year| (1900..2200).contains(year));
    let date = |year: Option<i32>, month: u32, day: u32| {
        let date = |year| NaiveDate::from_ymd_opt(year, month, day);
        match (year, today) {
            (Some(year), _) => date(year),
            // Without a year the next such day is meant.
            (None, Some(today)) => {
                date(today.year()).filter(|day| *day >= today).or_else(|| date(today.year() + 1))
            }
            (None, None) => None,
        }
    };
    let later = |days: i64| today.and_then(|today| today.checked_add_signed(TimeDelta::try_days(days)?));
    let count = |offset: usize| counted(lower(offset));
    // "three days", "a week": how many words, and how far that is.
    let span =
        |offset: usize| count(offset).and_then(|count| Unit::of(lower(offset + 1)).map(|unit| (count, unit)));
    match lower(0) {
        "today" | "heute" => Some((1, today)),
        "tomorrow" | "morgen" => Some((1, later(1))),
        "yesterday" | "gestern" => Some((1, later(-1))),
        "übermorgen" => Some((1, later(2))),
        "vorgestern" => Some((1, later(-2))),
        "day" if lower(1) == "after" && lower(2) == "tomorrow" => Some((3, later(2))),
        "day" if lower(1) == "before" && lower(2) == "yesterday" => Some((3, later(-2))),
        "in" if span(1).is_some() => span(1).map(|(count, unit)| (3, unit.from(today, count))),
        "vor" if span(1).is_some() => span(1).map(|(count, unit)| (3, unit.from(today, -count))),
        _ if lower(2) == "ago" && span(0).is_some() => {
            span(0).map(|(count, unit)| (3, unit.from(today, -count)))
        }
        _ if lower(2) == "from" && ["now", "today"].contains(&lower(3)) && span(0).is_some() => {
            span(0).map(|(count, unit)| (4, unit.from(today, count)))
        }
        "next" if ["week", "month", "year", "quarter"].contains(&lower(1)) => {
            Some((2, later(7).filter(|_| lower(1) == "week")))
        }
        "next" | "this" => weekday_of(lower(1)).map(|day| (2, today.and_then(|today| next(today, day)))),
        word => {
            if let Some(day) = weekday_of(word) {
                return Some((1, today.and_then(|today| next(today, day))));
            }
            if let Some((_, month, day)) = HOLIDAYS.iter().find(|(name, ..)| *name == word) {
                return Some((1, date(None, *month, *day)));
            }
            if let (Some(day), Some(month)) = (number(0), month(1)) {
                return Some(year(2).map_or((2, date(None, month, day)), |y| (3, date(Some(y), month, day))));
            }
            if let (Some(month), Some(day)) = (month(0), number(1)) {
                return Some(year(2).map_or((2, date(None, month, day)), |y| (3, date(Some(y), month, day))));
            }
            None
        }
    }
}

fn next(today: NaiveDate, day: Weekday) -> Option<NaiveDate> {
    (1..=7).filter_map(|ahead| today.checked_add_days(Days::new(ahead))).find(|date| date.weekday() == day)
}

/// "Friday", "Fridays", "Freitag".
pub fn weekday_of(word: &str) -> Option<Weekday> {
    let word = word.trim_end_matches("'s").trim_end_matches('s');
    let at = WEEKDAYS.iter().position(|day| day.trim_end_matches('s') == word)?;
    Weekday::try_from((at % 7) as u8).ok()
}

#[derive(Debug, Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    fn of(word: &str) -> Option<Self> {
        match word {
            "day" | "days" | "tag" | "tage" | "tagen" => Some(Self::Day),
            "week" | "weeks" | "woche" | "wochen" => Some(Self::Week),
            "month" | "months" | "monat" | "monate" | "monaten" => Some(Self::Month),
            "year" | "years" | "jahr" | "jahre" | "jahren" => Some(Self::Year),
            _ => None,
        }
    }

    fn from(self, today: Option<NaiveDate>, count: i64) -> Option<NaiveDate> {
        let today = today?;
        let months = |each: u32| {
            let months = Months::new(u32::try_from(count.unsigned_abs()).ok()?.checked_mul(each)?);
            if count < 0 { today.checked_sub_months(months) } else { today.checked_add_months(months) }
        };
        match self {
            Self::Day => today.checked_add_signed(TimeDelta::try_days(count)?),
            Self::Week => today.checked_add_signed(TimeDelta::try_weeks(count)?),
            Self::Month => months(1),
            Self::Year => months(12),
        }
    }
}

pub fn counted(word: &str) -> Option<i64> {
    let german = [("ein", 1), ("einem", 1), ("einer", 1), ("zwei", 2), ("drei", 3), ("vier", 4), ("fünf", 5)];
    let said = || NUMBER_WORDS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value as i64);
    let in_german = || german.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    let article = || ["a", "an"].contains(&word).then_some(1);
    word.parse()
        .ok()
        .filter(|count| (0..10_000).contains(count))
        .or_else(said)
        .or_else(in_german)
        .or_else(article)
}

fn month_of(word: &str) -> Option<u32> {
    let fits = |name: &&str| *name == word || (word.len() == 3 && name.starts_with(word));
    MONTHS.iter().position(fits).map(|at| at as u32 + 1)
}

/// Every day in a text.
pub fn days(text: &str, today: Option<NaiveDate>) -> Vec<Day> {
    let all = words(text);
    let mut found = iso_days(text);
    let mut at = 0;
    while at < all.len() {
        let Some((count, date)) = day_at(&all, at, today) else {
            at += 1;
            continue;
        };
        let last = (at + count - 1).min(all.len() - 1);
        let (start, end) = (all[at].start, all[last].end());
        if !found.iter().any(|day| day.start < end && start < day.end) {
            let said = date.map_or_else(|| text[start..end].to_owned(), |date| date.to_string());
            found.push(Day { text: said, start, end });
        }
        at += count;
    }
    found.sort_by_key(|day| day.start);
    found
}

/// Days written as 2026-07-17.
pub fn iso_days(text: &str) -> Vec<Day> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split(|c: char| !(c.is_ascii_digit() || c == '-')) {
        if let Some(date) = piece.get(..10).and_then(|date| date.parse::<NaiveDate>().ok()) {
            found.push(Day { text: date.to_string(), start, end: start + 10 });
        }
        start += piece.len();
        start += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// The current day, if some line says so.
pub fn today(text: &str) -> Option<NaiveDate> {
    let says_now = |line: &str| {
        let lower = line.to_lowercase();
        ["today", "now", "current", "date", "time"].iter().any(|word| lower.contains(word))
    };
    let lines = text.lines().filter(|line| line.len() < 400 && says_now(line));
    lines.flat_map(iso_days).next().and_then(|day| day.text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_iso_only_where_today_is_known() {
        let friday = NaiveDate::from_ymd_opt(2026, 7, 17);
        for (text, known, unknown) in [
            ("book it tomorrow", "2026-07-18", "tomorrow"),
            ("on Friday please", "2026-07-24", "Friday"),
            ("next Monday", "2026-07-20", "next Monday"),
            ("in 3 days", "2026-07-20", "in 3 days"),
            ("in three weeks", "2026-08-07", "in three weeks"),
            ("two days ago", "2026-07-15", "two days ago"),
            ("a month from now", "2026-08-17", "a month from now"),
            ("vor zwei Tagen", "2026-07-15", "vor zwei Tagen"),
            ("am Montag", "2026-07-20", "Montag"),
            ("5 March", "2027-03-05", "5 March"),
            ("August 2nd", "2026-08-02", "August 2nd"),
            ("2 Aug 2026", "2026-08-02", "2026-08-02"),
            ("by 2026-09-01!", "2026-09-01", "2026-09-01"),
        ] {
            assert_eq!(days(text, friday)[0].text, known, "{text}");
            assert_eq!(days(text, None)[0].text, unknown, "{text}");
        }
        assert_eq!(days("nothing may happen", friday), []);
        assert_eq!(today("Current time: 2026-07-17T09:00:00Z"), friday);
        assert_eq!(today("created 2026-01-01"), None);
    }
}
