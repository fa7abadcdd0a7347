//! Answering from a clock: the moment as it is, or the day that was asked for, reckoned from it.

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta, Weekday};
use serde_json::{Map, Value};

use super::clauses::plain;
use super::dates::{counted, days, weekday_of};
use super::words::{capitalised, words};

/// A result that says which moment it is, in words that fit the question.
pub fn told(map: &Map<String, Value>, asked: &str) -> Option<String> {
    let get = |names: &[&str]| names.iter().find_map(|name| map.get(*name)?.as_str());
    let (date, time) = (get(&["date"])?, get(&["time"])?);
    let today: Option<NaiveDate> = date.parse().ok();
    let reckoned = today.and_then(|today| reckoned(asked, today).or_else(|| later(asked, today, time)));
    if let Some(answer) = reckoned {
        return Some(answer);
    }
    let week = |text: &str| words(text).iter().any(|word| ["week", "woche"].contains(&word.lower.as_str()));
    if let Some(number) = get(&["week"]).filter(|_| week(asked)) {
        return Some(format!("It is week {number} ({date}).", number = number.trim_start_matches("week ")));
    }
    let day = get(&["weekday", "day"]).map(|day| format!("{day}, ")).unwrap_or_default();
    let zone = get(&["timeZone", "timezone", "time_zone", "zone"])
        .map(|zone| format!(" ({zone})"))
        .unwrap_or_default();
    Some(format!("It is {day}{date}, {time}{zone}."))
}

/// How far two clocks are apart, where that was asked.
pub fn apart(asked: &str, clocks: &[Map<String, Value>]) -> Option<String> {
    let asks = ["difference", "ahead", "behind", "apart", "zeitunterschied", "zeitverschiebung"];
    let all = words(asked.get(..400).unwrap_or(asked));
    if !all.iter().any(|word| asks.contains(&word.text.to_lowercase().as_str())) {
        return None;
    }
    let read = |map: &Map<String, Value>| {
        let get = |names: &[&str]| names.iter().find_map(|name| map.get(*name)?.as_str().map(str::to_owned));
        let offset = get(&["utcOffset", "utc_offset", "offset"])?;
        let (hours, minutes) = offset.get(1..)?.split_once(':')?;
        let minutes = hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?;
        let signed = if offset.starts_with('-') { -minutes } else { minutes };
        Some((get(&["timeZone", "timezone", "time_zone", "zone"])?, signed))
    };
    let [one, other] = clocks else { return None };
    let ((one, first), (other, second)) = (read(one)?, read(other)?);
    let length = |minutes: i32| {
        let hours = if minutes / 60 == 1 { "1 hour".to_owned() } else { format!("{} hours", minutes / 60) };
        if minutes % 60 == 0 { hours } else { format!("{hours} and {} minutes", minutes % 60) }
    };
    Some(match first - second {
        0 => format!("{one} and {other} have the same time."),
        minutes if minutes > 0 => format!("{one} is {} ahead of {other}.", length(minutes)),
        minutes => format!("{one} is {} behind {other}.", length(-minutes)),
    })
}

/// "In three hours", "20 minutes ago".
fn later(asked: &str, today: NaiveDate, time: &str) -> Option<String> {
    let now = today.and_time(time.parse::<NaiveTime>().ok()?);
    let all: Vec<String> =
        words(asked.get(..400).unwrap_or(asked)).iter().map(|word| word.text.to_lowercase()).collect();
    let at = all.iter().position(|word| {
        ["hour", "hours", "minute", "minutes", "stunden", "minuten"].contains(&word.as_str())
    })?;
    let count = counted(all.get(at.checked_sub(1)?)?)?;
    let span = if all[at].starts_with(['h', 's']) {
        TimeDelta::try_hours(count)?
    } else {
        TimeDelta::try_minutes(count)?
    };
    let ago = all.get(at + 1).is_some_and(|word| word == "ago");
    let ahead = at >= 2 && all[at - 2] == "in";
    let then =
        if ago { now.checked_sub_signed(span)? } else { now.checked_add_signed(span).filter(|_| ahead)? };
    let verb = if ago { "was" } else { "will be" };
    Some(format!("It {verb} {}.", then.format("%A, %Y-%m-%d, %H:%M")))
}

/// What a question about days comes to, where it asks for more than which day it is.
pub fn reckoned(asked: &str, today: NaiveDate) -> Option<String> {
    let asked = asked.get(..400).unwrap_or(asked);
    let said = days(asked, Some(today));
    let all = words(asked);
    let has = |names: &[&str]| all.iter().any(|word| names.contains(&plain(&word.text.to_lowercase())));
    let weekday = all.iter().find_map(|word| weekday_of(&word.text.to_lowercase()));
    // The day that is spoken of, apart from the weekday it may be.
    let is_weekday = |text: &str| words(text).iter().any(|word| weekday_of(&word.lower).is_some());
    let named = said.iter().find(|day| !is_weekday(&asked[day.start..day.end]));
    let date = |day: &super::dates::Day| day.text.parse::<NaiveDate>().ok();
    if has(&["until", "till", "bis"])
        && let Some(day) = said.last().and_then(date)
    {
        return Some(distance(today, day));
    }
    let whether = all
        .first()
        .is_some_and(|word| ["is", "isn", "was", "will", "ist", "war"].contains(&plain(&word.lower)));
    let weekend = has(&["weekend", "wochenende"]);
    let day = named.and_then(date).unwrap_or(today);
    let subject = named.map_or("today".to_owned(), |day| in_english(&asked[day.start..day.end]));
    if whether && (weekday.is_some() || weekend) {
        let is_so = match weekday {
            Some(weekday) => day.weekday() == weekday,
            None => matches!(day.weekday(), Weekday::Sat | Weekday::Sun),
        };
        let answer = if is_so { "Yes" } else { "No" };
        return Some(format!("{answer}, {subject} {} {}.", verb(day, today), written(day)));
    }
    let asked_for = named.or(said.first().filter(|_| weekday.is_some()));
    let day = asked_for.and_then(date).filter(|day| *day != today)?;
    let subject = asked_for.map(|day| in_english(&asked[day.start..day.end]))?;
    let counted = subject.starts_with("in ") || subject.ends_with(" ago") || subject.contains(" from ");
    let verb = verb(day, today);
    Some(match () {
        () if counted => format!("{} it {verb} {}.", capitalised(&subject), written(day)),
        () if named.is_none() => format!("The next {} {verb} {day}.", day.format("%A")),
        () => format!("{} {verb} {}.", capitalised(&subject), written(day)),
    })
}

fn in_english(day: &str) -> String {
    let lower = day.to_lowercase().trim_end_matches("'s").to_owned();
    let german = [
        ("heute", "today"),
        ("morgen", "tomorrow"),
        ("gestern", "yesterday"),
        ("übermorgen", "the day after tomorrow"),
    ];
    german.iter().find(|(german, _)| *german == lower).map_or(lower, |(_, english)| (*english).to_owned())
}

fn verb(day: NaiveDate, today: NaiveDate) -> &'static str {
    if day < today { "was" } else { "is" }
}

fn written(day: NaiveDate) -> String {
    day.format("%A, %Y-%m-%d").to_string()
}

fn distance(today: NaiveDate, day: NaiveDate) -> String {
    let days = match (day - today).num_days() {
        1 => "1 day".to_owned(),
        days => format!("{days} days"),
    };
    format!("It is {days} until {}.", written(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_apart() {
        let clock = |zone: &str, offset: &str| {
            let map = serde_json::json!({"timeZone": zone, "utcOffset": offset});
            map.as_object().cloned().unwrap()
        };
        let asked = "What is the time difference between these?";
        for (one, other, answer) in [
            ("+09:00", "+01:00", "A is 8 hours ahead of B."),
            ("-05:00", "+05:30", "A is 10 hours and 30 minutes behind B."),
            ("+01:00", "+01:00", "A and B have the same time."),
        ] {
            assert_eq!(apart(asked, &[clock("A", one), clock("B", other)]).as_deref(), Some(answer));
        }
        assert_eq!(apart("What time is it there?", &[clock("A", "+01:00"), clock("B", "+02:00")]), None);
        assert_eq!(apart(asked, &[clock("A", "soon"), clock("B", "")]), None);
    }

    #[test]
    fn days_are_reckoned_from_today() {
        let friday = "2026-07-17".parse().unwrap();
        for (asked, answer) in [
            ("What day is tomorrow?", "Tomorrow is Saturday, 2026-07-18."),
            ("what was yesterday's date", "Yesterday was Thursday, 2026-07-16."),
            ("What's the date in three days?", "In three days it is Monday, 2026-07-20."),
            ("Which day was two weeks ago?", "Two weeks ago it was Friday, 2026-07-03."),
            ("Is it Monday?", "No, today is Friday, 2026-07-17."),
            ("is today friday", "Yes, today is Friday, 2026-07-17."),
            ("Is tomorrow Saturday?", "Yes, tomorrow is Saturday, 2026-07-18."),
            ("Is it the weekend?", "No, today is Friday, 2026-07-17."),
            ("What date is Monday?", "The next Monday is 2026-07-20."),
            ("What's the date of next friday?", "The next Friday is 2026-07-24."),
            ("How many days until 24 December?", "It is 160 days until Thursday, 2026-12-24."),
            ("Ist heute Freitag?", "Yes, today is Friday, 2026-07-17."),
        ] {
            assert_eq!(reckoned(asked, friday).as_deref(), Some(answer), "{asked}");
        }
        for asked in ["What time is it?", "What's the date today?", "which day is it"] {
            assert_eq!(reckoned(asked, friday), None, "{asked}");
        }
    }
}
