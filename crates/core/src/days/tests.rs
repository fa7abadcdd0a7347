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
