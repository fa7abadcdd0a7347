//! Time: now as it is stored, where a day begins, how long to wait before trying again.

use std::time::Duration;

use chrono::{DateTime, NaiveTime, SubsecRound, TimeZone, Utc};
use chrono_tz::Tz;

/// To the microsecond: what every engine keeps.
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

/// When the day of `at` began in a time zone.
pub fn day_start(at: DateTime<Utc>, time_zone: &str) -> DateTime<Utc> {
    let zone: Tz = time_zone.parse().unwrap_or(Tz::UTC);
    let midnight = at.with_timezone(&zone).date_naive().and_time(NaiveTime::MIN);
    // Where the clock skips midnight the day begins with the first hour there is.
    let begun = (0..4).find_map(|hours| {
        let local = midnight + chrono::Duration::hours(hours);
        zone.from_local_datetime(&local).earliest()
    });
    begun.map_or(at, |begun| begun.with_timezone(&Utc))
}

pub async fn backoff(first: Duration, tries: u32) {
    let wait = first * 2u32.pow(tries.min(6));
    tokio::time::sleep(wait.min(Duration::from_secs(5))).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_where_the_workspace_is() {
        let at = |text: &str| DateTime::parse_from_rfc3339(text).expect("a time").with_timezone(&Utc);
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
}
