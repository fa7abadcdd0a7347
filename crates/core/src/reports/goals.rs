//! Goals: how far they are, and when they are reached if it goes on as until now. The method is told in words, and with
//! too little history there is no date.

use chrono::{Months, NaiveDate};
use uuid::Uuid;

use super::fits;
use super::rates::rounded;
use crate::money::Currency;
use crate::text::Invalid;

/// Fewer whole months say nothing.
pub const LEAST_MONTHS: usize = 3;
/// More are not looked at.
pub const MOST_MONTHS: usize = 6;
/// For a goal whose savings a person enters.
const LEAST_DAYS: i64 = 90;
/// A month has 30.4375 days.
const MONTH: (i128, i128) = (487, 16);
/// A date further away than this is none.
const FURTHEST_MONTHS: i128 = 1_200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    pub id: Uuid,
    pub name: String,
    pub target_amount: i64,
    pub currency: Currency,
    pub target_on: Option<NaiveDate>,
    pub account_id: Option<Uuid>,
    pub saved_amount: i64,
    pub starts_on: NaiveDate,
    pub status: String,
}

/// What is known of the account that a goal is saved in.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalHistory {
    pub account: String,
    pub currency: Currency,
    pub balance: i64,
    /// What the balance gained in each of the last whole months since the account's first, at most [`MOST_MONTHS`].
    pub gained: Vec<i128>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GoalProgress {
    pub goal: Goal,
    pub account: Option<String>,
    pub saved: i64,
    pub missing: i64,
    /// In hundredths of the target, rounded down.
    pub percent: Option<i64>,
    /// To reach it by its date.
    pub needed_per_month: Option<i64>,
    pub projection: Projection,
    /// None without a date to compare with.
    pub is_on_schedule: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Projection {
    Reached,
    On {
        day: NaiveDate,
        per_month: i64,
        method: String,
    },
    /// It is not growing, or so slowly that no date makes sense.
    Never {
        per_month: i64,
        method: String,
    },
    /// What is missing to say more.
    Unknown {
        why: String,
    },
}

pub fn goal_progress(
    goal: &Goal,
    history: Option<&GoalHistory>,
    today: NaiveDate,
) -> Result<GoalProgress, Invalid> {
    let differs = history.filter(|history| history.currency != goal.currency);
    let history = history.filter(|history| history.currency == goal.currency);
    let saved = match history {
        Some(history) => history.balance,
        None => goal.saved_amount,
    };
    let missing = (i128::from(goal.target_amount) - i128::from(saved)).max(0);
    let projection = match (history, differs) {
        _ if missing == 0 => Projection::Reached,
        (_, Some(other)) => Projection::Unknown {
            why: format!(
                "The account {} is in {}, the goal in {}: choose an account of the goal's currency.",
                other.account, other.currency, goal.currency
            ),
        },
        (Some(history), _) => of_account(history, missing, today)?,
        (None, _) => of_entered(goal, missing, today)?,
    };
    let needed_per_month = match goal.target_on {
        Some(by) if missing > 0 && by > today => {
            let days = i128::from((by - today).num_days());
            let months = (days * MONTH.1 + MONTH.0 - 1) / MONTH.0;
            Some(fits((missing + months - 1) / months)?)
        }
        _ => None,
    };
    let is_on_schedule = goal.target_on.and_then(|by| match &projection {
        Projection::Reached => Some(true),
        Projection::On { day, .. } => Some(*day <= by),
        Projection::Never { .. } => Some(false),
        Projection::Unknown { .. } => None,
    });
    let percent = (goal.target_amount > 0)
        .then(|| fits(i128::from(saved.max(0)) * 100 / i128::from(goal.target_amount)))
        .transpose()?;
    Ok(GoalProgress {
        goal: goal.clone(),
        account: history.map(|history| history.account.clone()),
        saved,
        missing: fits(missing)?,
        percent,
        needed_per_month,
        projection,
        is_on_schedule,
    })
}

fn of_account(history: &GoalHistory, missing: i128, today: NaiveDate) -> Result<Projection, Invalid> {
    let months = history.gained.len();
    if months < LEAST_MONTHS {
        return Ok(Projection::Unknown {
            why: format!(
                "A date needs {LEAST_MONTHS} whole months of history after the account's first; there are {months}."
            ),
        });
    }
    let gained: i128 = history.gained.iter().sum();
    let method = format!("the average change of the balance in the last {months} whole months");
    // The fraction is kept: the average of 100 in three months is more than 33.
    ahead(missing, gained, months as i128, today, method)
}

fn of_entered(goal: &Goal, missing: i128, today: NaiveDate) -> Result<Projection, Invalid> {
    let days = (today - goal.starts_on).num_days();
    if days < LEAST_DAYS {
        return Ok(Projection::Unknown {
            why: format!(
                "A date needs {LEAST_DAYS} days since the goal's first, {}; there are {}.",
                goal.starts_on,
                days.max(0)
            ),
        });
    }
    let method = format!("what is saved, spread evenly over the {days} days since {}", goal.starts_on);
    ahead(missing, i128::from(goal.saved_amount) * MONTH.0, i128::from(days) * MONTH.1, today, method)
}

/// `gained` in `months` is what comes in the next months too.
fn ahead(
    missing: i128,
    gained: i128,
    months: i128,
    today: NaiveDate,
    method: String,
) -> Result<Projection, Invalid> {
    let per_month = fits(rounded(gained, months))?;
    let needed = match gained > 0 {
        true => missing.checked_mul(months).map_or(i128::MAX, |missing| (missing - 1) / gained + 1),
        false => i128::MAX,
    };
    let in_months = u32::try_from(needed).ok().filter(|_| needed <= FURTHEST_MONTHS);
    Ok(match in_months.and_then(|months| today.checked_add_months(Months::new(months))) {
        Some(day) => Projection::On { day, per_month, method },
        None => Projection::Never { per_month, method },
    })
}

#[cfg(test)]
mod tests;
