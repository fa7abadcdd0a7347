//! Where a day begins and ends in a workspace's time zone.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

/// The day of `at` in a time zone.
pub fn today(at: DateTime<Utc>, time_zone: &str) -> NaiveDate {
    at.with_timezone(&zone(time_zone)).date_naive()
}

/// When the day of `at` began in a time zone.
pub fn day_start(at: DateTime<Utc>, time_zone: &str) -> DateTime<Utc> {
    let zone = zone(time_zone);
    start(today(at, time_zone), zone).unwrap_or(at)
}

/// When a day begins in a time zone.
pub fn begin_of(date: NaiveDate, time_zone: &str) -> DateTime<Utc> {
    start(date, zone(time_zone)).unwrap_or_else(|| date.and_time(NaiveTime::MIN).and_utc())
}

/// The last `count` days up to that of `at`, the oldest first, each with the moments it begins and ends at.
pub fn last_days(
    at: DateTime<Utc>,
    time_zone: &str,
    count: u32,
) -> Vec<(NaiveDate, DateTime<Utc>, DateTime<Utc>)> {
    let zone = zone(time_zone);
    let today = today(at, time_zone);
    let day = |back: u32| {
        let date = today.checked_sub_days(Days::new(back.into()))?;
        Some((date, start(date, zone)?, start(date.succ_opt()?, zone)?))
    };
    (0..count).rev().filter_map(day).collect()
}

/// From when to when days last in a time zone: from the first moment of the first up to the first moment after the last.
pub fn moments(first: NaiveDate, last: NaiveDate, time_zone: &str) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let zone = zone(time_zone);
    Some((start(first, zone)?, start(last.succ_opt()?, zone)?))
}

fn zone(name: &str) -> Tz {
    name.parse().unwrap_or(Tz::UTC)
}

fn start(date: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    let midnight = date.and_time(NaiveTime::MIN);
    // If the clock skips midnight, the day begins with its first existing hour.
    let begun =
        (0..4).find_map(|hours| zone.from_local_datetime(&(midnight + TimeDelta::hours(hours))).earliest());
    begun.map(|begun| begun.with_timezone(&Utc))
}

#[cfg(test)]
mod tests;
