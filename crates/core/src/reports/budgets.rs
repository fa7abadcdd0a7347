//! Budgets: what is spent, what is left, and where the pace leads. Periods are calendar weeks (from Monday), months and
//! years; the first begins with the budget's first day and has the whole amount.

use chrono::{Datelike, Days, NaiveDate};
use uuid::Uuid;

use super::period::{Period, month_end, month_start, year_start};
use super::rates::rounded;
use super::{Flow, MoneyBook, Side, Sum, fits};
use crate::money::{Currency, Money};
use crate::text::Invalid;
use crate::words;

words! {
    BudgetPeriod { Week => "week", Month => "month", Year => "year" }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    pub id: Uuid,
    pub name: String,
    /// None: all spending.
    pub category_id: Option<Uuid>,
    pub period: BudgetPeriod,
    pub amount: i64,
    pub currency: Currency,
    pub rolls_over: bool,
    pub starts_on: NaiveDate,
    pub ends_on: Option<NaiveDate>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BudgetStatus {
    pub budget: Budget,
    pub category: String,
    /// The one that the day lies in.
    pub period: Period,
    pub on: NaiveDate,
    /// What earlier periods left, or took too much; nothing unless the budget rolls over.
    pub carried: i64,
    /// The amount and what was carried.
    pub available: i64,
    pub spent: i64,
    pub left: i64,
    /// In hundredths of what is available, rounded; none if nothing is.
    pub percent: Option<i64>,
    /// Of the period, the day itself included.
    pub days_left: i64,
    /// None if nothing is left, or no day.
    pub left_per_day: Option<i64>,
    /// What will be spent at the period's end if it goes on as until now: the daily average so far, times all its days.
    pub projected: i64,
    pub pace: BudgetPace,
    /// Spent in the same category and period in other currencies: not counted.
    pub uncounted: Vec<Money>,
}

words! {
    BudgetPace {
        /// More is spent than is there.
        Over => "over",
        /// At this pace it will be.
        TooFast => "too fast",
        OnTrack => "on track",
        NotBegun => "not begun",
        Ended => "ended",
    }
}

/// The periods whose sums a budget's status needs: the current one up to the day, and all before it if it rolls over.
pub fn needed_sums(budget: &Budget, day: NaiveDate) -> (Period, Option<Period>) {
    let on = day_within(budget, day);
    let current = current_period(budget, on);
    let earlier = current.from.pred_opt().filter(|last| budget.rolls_over && *last >= budget.starts_on);
    (Period { from: current.from, to: on }, earlier.map(|to| Period { from: budget.starts_on, to }))
}

fn day_within(budget: &Budget, day: NaiveDate) -> NaiveDate {
    day.min(budget.ends_on.unwrap_or(NaiveDate::MAX)).max(budget.starts_on)
}

/// The period of a budget that holds a day, within the budget's own first and last day.
pub fn current_period(budget: &Budget, on: NaiveDate) -> Period {
    let (from, to) = match budget.period {
        BudgetPeriod::Week => {
            let back = Days::new(u64::from(on.weekday().num_days_from_monday()));
            let monday = on.checked_sub_days(back).unwrap_or(on);
            (monday, monday.checked_add_days(Days::new(6)).unwrap_or(on))
        }
        BudgetPeriod::Month => (month_start(on), month_end(on)),
        BudgetPeriod::Year => {
            let first = year_start(on);
            (first, month_end(first.with_month(12).unwrap_or(on)))
        }
    };
    Period { from: from.max(budget.starts_on), to: to.min(budget.ends_on.unwrap_or(to)).max(on) }
}

/// How many periods lie before the current one.
fn earlier_periods(budget: &Budget, current: Period) -> i64 {
    let mut first = budget.clone();
    first.starts_on = NaiveDate::MIN;
    first.ends_on = None;
    let (begun, now) =
        (current_period(&first, budget.starts_on).from, current_period(&first, current.from).from);
    match budget.period {
        BudgetPeriod::Week => (now - begun).num_days() / 7,
        BudgetPeriod::Month => i64::from(super::period::months_between(begun, now)),
        BudgetPeriod::Year => i64::from(now.year() - begun.year()),
    }
}

/// What was spent of a budget, and in other currencies.
fn spent(book: &MoneyBook, budget: &Budget, sums: &[Sum]) -> Result<(i128, Vec<Money>), Invalid> {
    let mut by_currency = std::collections::BTreeMap::new();
    for sum in sums.iter().filter(|sum| sum.flow == Flow::Payment) {
        let is_its = budget.category_id.is_none_or(|id| id == sum.category_id);
        let (true, Some(account)) = (is_its, book.account(sum.account_id)) else { continue };
        let counted = book.counted(Side::Spending, sum.category_id, sum.money_in, sum.money_out);
        *by_currency.entry(account.currency).or_insert(0i128) += counted;
    }
    let spent = by_currency.remove(&budget.currency).unwrap_or(0);
    by_currency.retain(|_, amount| *amount != 0);
    Ok((spent, super::balances::monies(by_currency)?))
}

/// `now` and `earlier` are the sums of the periods that [`needed_sums`] names.
pub fn budget_status(
    book: &MoneyBook,
    budget: &Budget,
    day: NaiveDate,
    now: &[Sum],
    earlier: &[Sum],
) -> Result<BudgetStatus, Invalid> {
    let on = day_within(budget, day);
    let period = current_period(budget, on);
    let (spent_now, uncounted) = spent(book, budget, now)?;
    let carried = match budget.rolls_over {
        true => {
            let given = i128::from(budget.amount) * i128::from(earlier_periods(budget, period));
            given - spent(book, budget, earlier)?.0
        }
        false => 0,
    };
    let available = i128::from(budget.amount) + carried;
    let left = available - spent_now;
    let is_over = budget.ends_on.is_some_and(|end| day > end);
    let days_left = if is_over { 0 } else { (period.to - on).num_days() + 1 };
    let elapsed = i128::from((on - period.from).num_days() + 1);
    // The day itself is part of what has gone, and still to come.
    let projected = match days_left > 1 {
        true => rounded(spent_now * i128::from(period.days()), elapsed).max(spent_now),
        false => spent_now,
    };
    let pace = match () {
        () if day < budget.starts_on => BudgetPace::NotBegun,
        () if is_over => BudgetPace::Ended,
        () if spent_now > available => BudgetPace::Over,
        () if projected > available => BudgetPace::TooFast,
        () => BudgetPace::OnTrack,
    };
    let category = match budget.category_id {
        Some(id) => book.category_name(id).to_owned(),
        None => "All spending".to_owned(),
    };
    Ok(BudgetStatus {
        budget: budget.clone(),
        category,
        period,
        on,
        carried: fits(carried)?,
        available: fits(available)?,
        spent: fits(spent_now)?,
        left: fits(left)?,
        percent: (available > 0).then(|| fits(rounded(spent_now * 100, available))).transpose()?,
        days_left,
        left_per_day: (left > 0 && days_left > 0).then(|| fits(left / i128::from(days_left))).transpose()?,
        projected: fits(projected)?,
        pace,
        uncounted,
    })
}

#[cfg(test)]
mod tests;
