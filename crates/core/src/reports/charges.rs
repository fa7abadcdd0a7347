//! What deserves a second look: charges that are there twice, that have become dearer, or that are far larger than usual.
//! These are proposals for a person; nothing is changed by them.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use uuid::Uuid;

use super::period::Period;
use crate::money::Currency;
use crate::text::fold;
use crate::words;

/// Two equal charges of one payee within so many days are told.
pub const CLOSE_DAYS: i64 = 3;
/// How often a payee must have charged before a charge can be unusual.
const USUAL: usize = 4;
/// How many times the usual an unusual charge is.
const TIMES: i64 = 3;
/// Equal charges, one a month, that make a subscription.
const MONTHLY: usize = 2;

/// Money that went to a payee: a booked payment, its amount positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    pub id: Uuid,
    pub account_id: Uuid,
    pub booked_on: NaiveDate,
    pub payee: String,
    pub amount: i64,
    pub currency: Currency,
}

words! {
    FindingKind { Doubled => "doubled", Dearer => "dearer", Unusual => "unusual" }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// The charge that stands out.
    pub charge: Charge,
    /// What it is compared with, for a doubled one the other.
    pub other: Option<Charge>,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OddCharges {
    pub period: Period,
    /// The newest first.
    pub findings: Vec<Finding>,
    pub left_off: usize,
}

/// Looks through the charges of some payees, those of the period and earlier ones to compare with. Only charges of the
/// period are findings.
pub fn judge(charges: Vec<Charge>, period: Period, limit: usize) -> OddCharges {
    let mut by_payee: BTreeMap<(String, Currency), Vec<Charge>> = BTreeMap::new();
    for charge in charges {
        by_payee.entry((fold(charge.payee.trim()), charge.currency)).or_default().push(charge);
    }
    let mut findings = Vec::new();
    for charges in by_payee.values_mut() {
        charges.sort_by_key(|charge| (charge.booked_on, charge.id));
        // The amounts so far, in their order: a payee may have very many charges.
        let mut amounts: Vec<i64> = Vec::with_capacity(charges.len());
        for (at, charge) in charges.iter().enumerate() {
            if period.contains(charge.booked_on) {
                findings.extend(finding(charge, &charges[..at], median(&amounts)));
            }
            amounts.insert(amounts.partition_point(|amount| *amount < charge.amount), charge.amount);
        }
    }
    findings.sort_by_key(|finding| std::cmp::Reverse((finding.charge.booked_on, finding.charge.id)));
    let left_off = findings.len().saturating_sub(limit);
    findings.truncate(limit);
    OddCharges { period, findings, left_off }
}

/// What stands out of a charge, compared with the payee's earlier ones and their median.
fn finding(charge: &Charge, earlier: &[Charge], usual: Option<i64>) -> Option<Finding> {
    let told = |kind, other: Option<&Charge>, why| Finding {
        kind,
        charge: charge.clone(),
        other: other.cloned(),
        why,
    };
    let days = |other: &Charge| (charge.booked_on - other.booked_on).num_days();
    let mut close = earlier.iter().rev().take_while(|other| days(other) <= CLOSE_DAYS);
    if let Some(other) = close.find(|other| other.amount == charge.amount) {
        let when = match days(other) {
            0 => "on the same day".to_owned(),
            1 => "one day before".to_owned(),
            days => format!("{days} days before"),
        };
        let where_to = if other.account_id == charge.account_id { "" } else { ", from another account" };
        return Some(told(
            FindingKind::Doubled,
            Some(other),
            format!("The same payee charged the same amount {when}{where_to}."),
        ));
    }
    if let Some(last) = dearer(charge, earlier) {
        let why = format!(
            "It was {} each of the times before.",
            crate::money::Money::new(last.amount, last.currency)
        );
        return Some(told(FindingKind::Dearer, Some(last), why));
    }
    let usual = usual.filter(|usual| charge.amount / TIMES >= *usual && *usual > 0)?;
    let why = format!(
        "It is {TIMES} times what this payee usually charges ({}, the median of {} charges), or more.",
        crate::money::Money::new(usual, charge.currency),
        earlier.len()
    );
    Some(told(FindingKind::Unusual, None, why))
}

/// The charge of the time before, if this one is larger and those before it came monthly and were all equal.
fn dearer<'a>(charge: &Charge, earlier: &'a [Charge]) -> Option<&'a Charge> {
    let from = earlier.len().checked_sub(MONTHLY)?;
    let last = earlier.last()?;
    let run: Vec<&Charge> = earlier[from..].iter().chain([charge]).collect();
    let is_monthly =
        run.windows(2).all(|two| (25..=36).contains(&(two[1].booked_on - two[0].booked_on).num_days()));
    let is_equal = earlier[from..].iter().all(|other| other.amount == last.amount);
    (is_monthly && is_equal && charge.amount > last.amount).then_some(last)
}

/// Of amounts in their order; none if there are too few.
fn median(amounts: &[i64]) -> Option<i64> {
    if amounts.len() < USUAL {
        return None;
    }
    amounts.get(amounts.len() / 2).copied()
}

#[cfg(test)]
mod tests;
