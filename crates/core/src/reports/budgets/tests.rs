use super::*;
use crate::reports::{Account, Category};

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

const FOOD: Uuid = Uuid::from_u128(1);
const PAY: Uuid = Uuid::from_u128(2);

fn book() -> MoneyBook {
    let account = |id, code| Account {
        id: Uuid::from_u128(id),
        name: "Account".into(),
        account_type: "checking".into(),
        currency: Currency::parse(code).unwrap(),
        opening_balance: 0,
        is_closed: false,
    };
    let category = |id, name: &str, side| Category { id, name: name.into(), side };
    MoneyBook {
        accounts: vec![account(10, "EUR"), account(11, "USD")],
        categories: vec![category(FOOD, "Food", Side::Spending), category(PAY, "Pay", Side::Income)],
    }
}

fn sum(account: u128, category: Uuid, flow: Flow, money_in: i128, money_out: i128) -> Sum {
    let account_id = Uuid::from_u128(account);
    Sum { account_id, month: day("2026-11-01"), category_id: category, flow, money_in, money_out, entries: 1 }
}

fn budget(period: BudgetPeriod, amount: i64, starts_on: &str) -> Budget {
    Budget {
        id: Uuid::nil(),
        name: "Food".into(),
        category_id: Some(FOOD),
        period,
        amount,
        currency: Currency::EUR,
        rolls_over: false,
        starts_on: day(starts_on),
        ends_on: None,
    }
}

#[test]
fn what_is_left_and_where_the_pace_leads() {
    let monthly = budget(BudgetPeriod::Month, 30_000, "2026-01-01");
    for (on, spent, left, days_left, per_day, projected, pace) in [
        ("2026-11-10", 10_000, 20_000, 21, Some(952), 30_000, BudgetPace::OnTrack),
        ("2026-11-10", 10_002, 19_998, 21, Some(952), 30_006, BudgetPace::TooFast),
        ("2026-11-10", 30_001, -1, 21, None, 90_003, BudgetPace::Over),
        ("2026-11-30", 29_000, 1_000, 1, Some(1_000), 29_000, BudgetPace::OnTrack),
        ("2026-11-01", 0, 30_000, 30, Some(1_000), 0, BudgetPace::OnTrack),
    ] {
        let sums = [
            sum(10, FOOD, Flow::Payment, 500, -spent - 500),
            sum(10, FOOD, Flow::Transfer, 0, -70_000),
            sum(10, FOOD, Flow::Trade, 0, -70_000),
            sum(10, PAY, Flow::Payment, 90_000, 0),
            sum(11, FOOD, Flow::Payment, 0, -7),
        ];
        let told = budget_status(&book(), &monthly, day(on), &sums, &[]).unwrap();
        assert_eq!(i128::from(told.spent), spent, "{on}");
        assert_eq!(
            (told.left, told.days_left, told.left_per_day),
            (left, days_left, per_day),
            "{on} {spent}"
        );
        assert_eq!((told.projected, told.pace), (projected, pace), "{on} {spent}");
        assert_eq!(told.uncounted, [Money::new(7, Currency::USD)]);
    }
}

#[test]
fn what_is_left_rolls_over_and_what_is_too_much_too() {
    for (period, starts_on, on, times) in [
        (BudgetPeriod::Month, "2026-08-20", "2026-11-18", 3),
        (BudgetPeriod::Week, "2026-11-04", "2026-11-18", 2),
        (BudgetPeriod::Year, "2024-12-31", "2026-01-01", 2),
        (BudgetPeriod::Month, "2026-11-18", "2026-11-18", 0),
    ] {
        let rolls = Budget { rolls_over: true, ..budget(period, 1_000, starts_on) };
        let (now, earlier) = needed_sums(&rolls, day(on));
        assert_eq!(now.to, day(on));
        assert_eq!(earlier.map(|earlier| earlier.from), (times > 0).then(|| day(starts_on)));
        assert_eq!(earlier.map(|e| e.to.succ_opt().unwrap()), (times > 0).then_some(now.from));
        let before = [sum(10, FOOD, Flow::Payment, 0, -2_500)];
        let told = budget_status(&book(), &rolls, day(on), &[], &before[..usize::from(times > 0)]).unwrap();
        let carried = if times > 0 { times * 1_000 - 2_500 } else { 0 };
        assert_eq!((told.carried, told.available), (carried, carried + 1_000), "{period} {starts_on}");
    }
}

#[test]
fn a_budget_has_a_first_and_a_last_day() {
    let mut some = budget(BudgetPeriod::Month, 1_000, "2026-11-10");
    some.ends_on = Some(day("2026-12-05"));
    for (on, from, to, days_left, pace) in [
        ("2026-11-01", "2026-11-10", "2026-11-30", 21, BudgetPace::NotBegun),
        ("2026-11-20", "2026-11-10", "2026-11-30", 11, BudgetPace::OnTrack),
        ("2026-12-01", "2026-12-01", "2026-12-05", 5, BudgetPace::OnTrack),
        ("2027-01-01", "2026-12-01", "2026-12-05", 0, BudgetPace::Ended),
    ] {
        let told = budget_status(&book(), &some, day(on), &[], &[]).unwrap();
        assert_eq!(told.period, Period { from: day(from), to: day(to) }, "{on}");
        assert_eq!((told.days_left, told.pace), (days_left, pace), "{on}");
    }
}
