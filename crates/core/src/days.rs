//! Where days begin and end, in a workspace's time zone.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

/// When the day of `at` began in a time zone.
pub fn day_start(at: DateTime<Utc>, time_zone: &str) -> DateTime<Utc> {
    let zone = zone(time_zone);
    start(at.with_timezone(&zone).date_naive(), zone).unwrap_or(at)
}

/// The last `count` days up to that of `at`, the oldest first, each with the moments it begins and ends at.
pub fn last_days(
    at: DateTime<Utc>,
    time_zone: &str,
    count: u32,
) -> Vec<(NaiveDate, DateTime<Utc>, DateTime<Utc>)> {
    let zone = zone(time_zone);
    let today = at.with_timezone(&zone).date_naive();
    let day = |back: u32| {
        let date = today.checked_sub_days(Days::new(back.into()))?;
        Some((date, start(date, zone)?, start(date.succ_opt()?, zone)?))
    };
    (0..count).rev().filter_map(day).collect()
}

fn zone(name: &str) -> Tz {
    name.parse().unwrap_or(Tz::UTC)
}

fn start(date: NaiveDate, zone: Tz) -> Option<DateTime<Utc>> {
    let midnight = date.and_time(NaiveTime::MIN);
    // Where the clock skips midnight the day begins with the first hour there is.
    let begun =
        (0..4).find_map(|hours| zone.from_local_datetime(&(midnight + TimeDelta::hours(hours))).earliest());
    begun.map(|begun| begun.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).expect("a time").with_timezone(&Utc)
    }

    #[test]
    fn a_day_begins_where_the_workspace_is() {
        for (now, zone, begun) in [
            ("2026-11-15T01:00:00Z", "UTC", "2026-11-15T00:00:00Z"),
            ("2026-11-15T01:00:00Z", "America/New_York", "2026-11-14T05:00:00Z"),
            ("2026-07-01T23:30:00Z", "Europe/Berlin", "2026-07-01T22:00:00Z"),
            // There is no midnight on this day in Beirut.
            ("2026-03-29T10:00:00Z", "Asia/Beirut", "2026-03-28T22:00:00Z"),
            ("2026-11-15T01:00:00Z", "Nowhere/At_All", "2026-11-15T00:00:00Z"),
        ] {
            assert_eq!(day_start(at(now), zone), at(begun), "{now} in {zone}");
        }
    }

    #[test]
    fn days_follow_each_other_without_a_gap_even_where_the_clock_changes() {
        let days = last_days(at("2026-03-30T12:00:00Z"), "Europe/Berlin", 3);
        let dates: Vec<String> = days.iter().map(|(date, ..)| date.to_string()).collect();
        assert_eq!(dates, ["2026-03-28", "2026-03-29", "2026-03-30"]);
        assert!(days.windows(2).all(|pair| pair[0].2 == pair[1].1), "{days:?}");
        assert_eq!(days[1].2 - days[1].1, TimeDelta::hours(23));
    }
}
