//! What is owned: balances of accounts, and net worth at the end of each month. All flows count here.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use uuid::Uuid;

use super::period::{Period, month_end};
use super::rates::{Converted, Rate, convert};
use super::{Account, MoneyBook, fits};
use crate::money::{Currency, Money};
use crate::text::Invalid;

#[derive(Debug, Clone, PartialEq)]
pub struct Balances {
    /// At its end.
    pub on: NaiveDate,
    pub accounts: Vec<Balance>,
    /// Per currency.
    pub totals: Vec<Money>,
    pub converted: Option<Converted>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Balance {
    pub account: Account,
    pub balance: i64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NetWorth {
    pub period: Period,
    /// At the end of each month of the period, and of its last day. The oldest first.
    pub points: Vec<NetWorthPoint>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NetWorthPoint {
    pub on: NaiveDate,
    pub totals: Vec<Money>,
    pub converted: Option<Converted>,
}

/// `changes` are what each account gained up to that day.
pub fn balances(
    book: &MoneyBook,
    on: NaiveDate,
    changes: &BTreeMap<Uuid, i128>,
    (to, rates): (Option<Currency>, &[Rate]),
) -> Result<Balances, Invalid> {
    let mut totals = BTreeMap::new();
    let mut accounts = Vec::new();
    for account in &book.accounts {
        let change = changes.get(&account.id).copied().unwrap_or(0);
        let balance = i128::from(account.opening_balance) + change;
        *totals.entry(account.currency).or_insert(0i128) += balance;
        accounts.push(Balance { account: account.clone(), balance: fits(balance)? });
    }
    let converted = to.map(|to| convert(totals.clone(), to, on, rates)).transpose()?;
    Ok(Balances { on, accounts, totals: monies(totals)?, converted })
}

/// `changes` are what each account gained before the period, and then by month.
pub fn net_worth(
    book: &MoneyBook,
    period: Period,
    before: &BTreeMap<Uuid, i128>,
    by_month: &BTreeMap<(NaiveDate, Uuid), i128>,
    (to, rates): (Option<Currency>, &[Rate]),
) -> Result<NetWorth, Invalid> {
    let mut totals: BTreeMap<Currency, i128> = BTreeMap::new();
    for account in &book.accounts {
        let begun = i128::from(account.opening_balance) + before.get(&account.id).copied().unwrap_or(0);
        *totals.entry(account.currency).or_default() += begun;
    }
    let mut points = Vec::new();
    for month in period.month_starts() {
        for account in &book.accounts {
            let gained = by_month.get(&(month, account.id)).copied().unwrap_or(0);
            *totals.entry(account.currency).or_default() += gained;
        }
        let on = month_end(month).min(period.to);
        let converted = to.map(|to| convert(totals.clone(), to, on, rates)).transpose()?;
        points.push(NetWorthPoint { on, totals: monies(totals.clone())?, converted });
    }
    Ok(NetWorth { period, points })
}

pub(super) fn monies(totals: BTreeMap<Currency, i128>) -> Result<Vec<Money>, Invalid> {
    totals.into_iter().map(|(currency, total)| Ok(Money::new(fits(total)?, currency))).collect()
}
