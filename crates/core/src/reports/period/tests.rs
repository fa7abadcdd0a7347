use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn period(text: &str) -> Period {
    let (from, to) = text.split_once(' ').unwrap();
    Period::new(day(from), day(to)).unwrap()
}

#[test]
fn a_period_is_compared_with_the_one_before() {
    for (one, before) in [
        ("2026-10-01 2026-10-31", "2026-09-01 2026-09-30"),
        ("2026-03-01 2026-03-31", "2026-02-01 2026-02-28"),
        ("2026-02-01 2026-02-28", "2026-01-01 2026-01-31"),
        ("2026-11-01 2026-11-18", "2026-10-01 2026-10-18"),
        ("2026-03-01 2026-03-30", "2026-02-01 2026-02-28"),
        ("2026-01-01 2026-03-31", "2025-10-01 2025-12-31"),
        ("2026-01-01 2026-11-18", "2025-01-01 2025-11-18"),
        ("2025-01-01 2025-12-31", "2024-01-01 2024-12-31"),
        ("2024-01-01 2024-02-29", "2023-11-01 2023-12-31"),
        ("2025-11-01 2026-10-31", "2024-11-01 2025-10-31"),
        ("2026-11-16 2026-11-18", "2026-11-13 2026-11-15"),
        ("2026-11-18 2026-11-18", "2026-11-17 2026-11-17"),
    ] {
        assert_eq!(period(one).before(), period(before), "{one}");
    }
}

#[test]
fn named_periods_move_with_the_day() {
    for (name, today, is) in [
        (NamedPeriod::ThisWeek, "2026-11-18", "2026-11-16 2026-11-18"),
        (NamedPeriod::LastWeek, "2026-11-16", "2026-11-09 2026-11-15"),
        (NamedPeriod::ThisMonth, "2026-11-01", "2026-11-01 2026-11-01"),
        (NamedPeriod::LastMonth, "2026-03-31", "2026-02-01 2026-02-28"),
        (NamedPeriod::Last3Months, "2026-01-15", "2025-10-01 2025-12-31"),
        (NamedPeriod::Last12Months, "2026-11-18", "2025-11-01 2026-10-31"),
        (NamedPeriod::Last30Days, "2026-03-01", "2026-01-31 2026-03-01"),
        (NamedPeriod::Last90Days, "2026-11-18", "2026-08-21 2026-11-18"),
        (NamedPeriod::ThisYear, "2026-11-18", "2026-01-01 2026-11-18"),
        (NamedPeriod::LastYear, "2026-11-18", "2025-01-01 2025-12-31"),
    ] {
        assert_eq!(name.on(day(today)), period(is), "{name} on {today}");
    }
}

#[test]
fn a_period_is_checked() {
    for (from, to, says) in [
        ("2026-11-18", "2026-11-17", "must not end"),
        ("1899-12-31", "2026-01-01", "between"),
        ("2026-01-01", "2201-01-01", "between"),
        ("1950-01-01", "2050-01-31", "100 years"),
    ] {
        let said = Period::new(day(from), day(to)).unwrap_err().to_string();
        assert!(said.contains(says), "{said}");
    }
    assert_eq!(period("2026-01-31 2026-02-01").month_starts().count(), 2);
    assert_eq!(period("2026-02-01 2026-02-28").days(), 28);
}
