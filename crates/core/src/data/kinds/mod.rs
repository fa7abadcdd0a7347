//! Every kind of data, one file per area.

mod money;
mod projects;
mod sales;
pub mod sales_headers;
pub mod task_headers;
mod transaction_headers;

pub use money::{ACCOUNTS, BUDGETS, CATEGORIES, CATEGORY_RULES, EXCHANGE_RATES, GOALS, TRANSACTIONS};
pub use projects::{PROJECT_TASKS, PROJECTS};
pub use sales::{ACTIVITIES, COMPANIES, CONTACTS, DEALS};

use super::kind::Kind;

/// All of them, in the order in which rows refer to each other.
pub static KINDS: &[&Kind] = &[
    &ACCOUNTS,
    &CATEGORIES,
    &CATEGORY_RULES,
    &TRANSACTIONS,
    &BUDGETS,
    &GOALS,
    &EXCHANGE_RATES,
    &COMPANIES,
    &CONTACTS,
    &DEALS,
    &ACTIVITIES,
    &PROJECTS,
    &PROJECT_TASKS,
];

pub fn find(name: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.name == name)
}

#[cfg(test)]
mod tests;
