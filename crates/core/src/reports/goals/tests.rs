use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn goal(target: i64, saved: i64, by: Option<&str>) -> Goal {
    Goal {
        id: Uuid::nil(),
        name: "Bicycle".into(),
        target_amount: target,
        currency: Currency::EUR,
        target_on: by.map(day),
        account_id: None,
        saved_amount: saved,
        starts_on: day("2026-01-01"),
        status: "active".into(),
    }
}

fn history(balance: i64, gained: &[i128]) -> GoalHistory {
    GoalHistory { account: "Savings".into(), currency: Currency::EUR, balance, gained: gained.to_vec() }
}

#[test]
fn a_date_follows_from_what_came_each_month() {
    let today = day("2026-11-18");
    for (balance, gained, on, per_month) in [
        (70_000, &[10_000, 10_000, 10_000][..], Some("2027-02-18"), 10_000),
        (70_000, &[10_000, 20_000, 0], Some("2027-02-18"), 10_000),
        (70_000, &[0, 0, 10_001], Some("2027-08-18"), 3_334),
        (99_999, &[1, 1, 1], Some("2026-12-18"), 1),
        (70_000, &[10_000, -10_000, 0], None, 0),
        (70_000, &[1, 0, 0], None, 0),
        (70_000, &[-5, -5, -5], None, -5),
    ] {
        let told = goal_progress(&goal(100_000, 5, None), Some(&history(balance, gained)), today).unwrap();
        assert_eq!(told.saved, balance, "the account's balance, not what was entered");
        match (told.projection, on) {
            (Projection::On { day: told, per_month: told_per_month, method }, Some(on)) => {
                assert_eq!((told, told_per_month), (day(on), per_month), "{balance} {gained:?}");
                assert!(method.contains("3 whole months"), "{method}");
            }
            (Projection::Never { per_month: told, .. }, None) => assert_eq!(told, per_month),
            other => panic!("{balance} {gained:?}: {other:?}"),
        }
    }
}

#[test]
fn with_too_little_history_there_is_no_date() {
    let today = day("2026-11-18");
    let told = goal_progress(&goal(100_000, 0, None), Some(&history(50_000, &[9, 9])), today).unwrap();
    assert!(
        matches!(&told.projection, Projection::Unknown { why } if why.contains("there are 2")),
        "{told:?}"
    );
    let early = goal_progress(&goal(100_000, 50_000, None), None, day("2026-03-31")).unwrap();
    assert!(matches!(&early.projection, Projection::Unknown { why } if why.contains("90 days")), "{early:?}");
    let later = goal_progress(&goal(100_000, 50_000, None), None, day("2026-06-30")).unwrap();
    let Projection::On { day: on, per_month, .. } = later.projection else { panic!("{later:?}") };
    assert_eq!((on, per_month), (day("2026-12-30"), 8_455));
    let mut dollars = history(50_000, &[9, 9, 9]);
    dollars.currency = Currency::USD;
    let told = goal_progress(&goal(100_000, 0, None), Some(&dollars), today).unwrap();
    assert!(matches!(&told.projection, Projection::Unknown { why } if why.contains("USD")), "{told:?}");
    assert_eq!(told.saved, 0);
}

#[test]
fn what_a_month_must_bring() {
    let today = day("2026-11-18");
    let savings = history(70_000, &[10_000, 10_000, 10_000]);
    for (target, by, needed, is_on_schedule) in [
        (100_000, Some("2027-02-18"), Some(7_500), Some(true)),
        (100_000, Some("2027-02-17"), Some(10_000), Some(false)),
        (100_000, Some("2026-11-19"), Some(30_000), Some(false)),
        (100_000, Some("2026-11-18"), None, Some(false)),
        (70_000, Some("2026-01-01"), None, Some(true)),
        (100_000, None, None, None),
    ] {
        let told = goal_progress(&goal(target, 0, by), Some(&savings), today).unwrap();
        assert_eq!((told.needed_per_month, told.is_on_schedule), (needed, is_on_schedule), "{target} {by:?}");
    }
    let told = goal_progress(&goal(300_000, 0, None), Some(&savings), today).unwrap();
    assert_eq!((told.percent, told.missing), (Some(23), 230_000));
}
