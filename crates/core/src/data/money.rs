//! Rules of money that are more than the fields of a row: what a transaction counts for, its parts, transfers between own
//! accounts, and rules that give categories. Pure; the store applies them to fresh rows.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{Datelike, NaiveDate};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::check::{self, Fields, MAX_AMOUNT};
use super::rows::Filter;
use crate::text::{self, Invalid};
use crate::words;

words! {
    /// What an amount counts as. Only payments are income or spending.
    Flow { Payment => "payment", Trade => "trade", Transfer => "transfer" }
}

/// The most parts of a split transaction.
pub const MAX_PARTS: usize = 50;
/// How many days apart the two sides of a transfer may be booked to be proposed as one.
pub const TRANSFER_DAYS: i64 = 5;
/// Pairs that are weighed. Of very many equal amounts every one fits every other: then only the first are.
const MOST_PAIRS: usize = 20_000;
/// The most transactions that one call gives categories to.
pub const MAX_CATEGORISED: u64 = 1_000;

/// A part of a split transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub category_id: Option<Uuid>,
    pub amount: i64,
    pub memo: Option<String>,
}

impl Part {
    pub fn to_json(&self) -> Value {
        json!({ "category_id": self.category_id, "amount": self.amount, "memo": self.memo })
    }

    /// As [`to_json`](Self::to_json) wrote it.
    fn from_json(value: &Value) -> Self {
        Self {
            category_id: check::id(&value["category_id"]),
            amount: value["amount"].as_i64().unwrap_or_default(),
            memo: value["memo"].as_str().map(str::to_owned),
        }
    }
}

/// The parts of a transaction that is split.
pub fn parts(transaction: &Fields) -> Vec<Part> {
    let parts = transaction.get(PARTS).and_then(Value::as_array);
    parts.into_iter().flatten().map(Part::from_json).collect()
}

/// Beside the described fields of a transaction: its parts, if it is split.
pub const PARTS: &str = "splits";

/// The transaction in these parts, or with none of them undivided again.
pub fn split(transaction: &Fields, parts: Vec<Part>) -> Result<Fields, Invalid> {
    let mut split = transaction.clone();
    split.insert("is_split".to_owned(), (!parts.is_empty()).into());
    if parts.is_empty() {
        split.remove(PARTS);
        return Ok(split);
    }
    if !(2..=MAX_PARTS).contains(&parts.len()) {
        return Err(Invalid::new(
            "parts",
            format!("must be 2 to {MAX_PARTS}; without any it is undivided again"),
        ));
    }
    let mut sum: i64 = 0;
    let mut checked = Vec::new();
    for part in parts {
        if part.amount.unsigned_abs() > MAX_AMOUNT.unsigned_abs() {
            return Err(Invalid::new("amount", "is too large"));
        }
        sum += part.amount;
        let memo = text::optional("memo", part.memo.as_deref(), 1_000, text::line)?;
        checked.push(Part { memo, ..part }.to_json());
    }
    let whole = amount(transaction);
    if sum != whole {
        let message =
            format!("must add up to the transaction's amount: {sum} is not {whole} (in minor units)");
        return Err(Invalid::new("parts", message));
    }
    split.insert("category_id".to_owned(), Value::Null);
    split.insert(PARTS.to_owned(), checked.into());
    Ok(split)
}

pub fn amount(transaction: &Fields) -> i64 {
    transaction.get("amount").and_then(Value::as_i64).unwrap_or_default()
}

pub fn flow(transaction: &Fields) -> Flow {
    let is = |name: &str, value: &str| transaction.get(name).and_then(Value::as_str) == Some(value);
    if transaction.get("transfer_id").is_some_and(|id| !id.is_null()) {
        Flow::Transfer
    } else if is("activity", "trade") {
        Flow::Trade
    } else {
        Flow::Payment
    }
}

/// What the sums of months are kept by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SumKey {
    pub account_id: Uuid,
    /// The first day of the month.
    pub month: NaiveDate,
    /// The nil id for none.
    pub category_id: Uuid,
    pub flow: Flow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    /// Of the positive amounts. Wide, because parts of split transactions may be far larger than what they add up to.
    pub money_in: i128,
    /// Of the negative amounts: it is not above 0.
    pub money_out: i128,
    /// How many amounts; each part of a split transaction is one.
    pub entries: i64,
}

/// How sums of months change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SumChanges(BTreeMap<SumKey, Sum>);

impl SumChanges {
    /// Adds an amount, or takes it away again.
    pub fn count(&mut self, key: SumKey, amount: i64, times: i64) {
        let sum = self.0.entry(key).or_default();
        sum.money_in += i128::from(amount.max(0)) * i128::from(times);
        sum.money_out += i128::from(amount.min(0)) * i128::from(times);
        sum.entries += times;
    }

    /// Adds what a transaction counts for, or takes it away again. Pending ones count for nothing.
    pub fn count_transaction(&mut self, transaction: &Fields, times: i64) {
        let text = |name: &str| transaction.get(name).and_then(Value::as_str);
        let account = transaction.get("account_id").and_then(check::id);
        let booked = text("booked_on").and_then(check::day).and_then(|day| day.with_day(1));
        let (Some(account_id), Some(month)) = (account, booked) else { return };
        if text("status") == Some("pending") {
            return;
        }
        let flow = flow(transaction);
        let key = |category: Option<Uuid>| SumKey {
            account_id,
            month,
            category_id: category.unwrap_or_default(),
            flow,
        };
        let parts = parts(transaction);
        for part in &parts {
            self.count(key(part.category_id), part.amount, times);
        }
        if parts.is_empty() {
            let category = transaction.get("category_id").and_then(check::id);
            self.count(key(category), amount(transaction), times);
        }
    }

    /// Those that change anything, in one order for everybody.
    pub fn changes(&self) -> impl Iterator<Item = (&SumKey, &Sum)> {
        self.0.iter().filter(|(_, sum)| **sum != Sum::default())
    }
}

/// A transfer between own accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// Opposite amounts in two accounts.
    Pair(Uuid, Uuid),
    /// The other account is not here.
    OneSide(Uuid),
}

/// Why two transactions are no transfer, in words.
pub fn check_pair(one: &Fields, other: &Fields) -> Result<(), String> {
    if one.get("account_id") == other.get("account_id") {
        return Err("Both are in the same account: a transfer is between two accounts.".to_owned());
    }
    let (first, second) = (amount(one), amount(other));
    if first.signum() * second.signum() != -1 {
        return Err("One side of a transfer must be negative and the other positive.".to_owned());
    }
    if one.get("currency") == other.get("currency") && first != -second {
        return Err(format!(
            "The amounts of a transfer must be opposite: {first} and {second} (in minor units) are not."
        ));
    }
    Ok(())
}

/// Two transactions that look like one transfer. Nothing is marked before someone says so.
#[derive(Debug, Clone, PartialEq)]
pub struct TransferProposal {
    pub from: Uuid,
    pub to: Uuid,
    /// Whether the other side's number is that of an own account, and not only the amounts are opposite.
    pub is_certain: bool,
}

/// A transaction that may be one side of a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub id: Uuid,
    pub account_id: Uuid,
    pub booked_on: NaiveDate,
    pub amount: i64,
    pub currency: String,
    /// The other side's IBAN.
    pub counterparty: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnAccount {
    pub id: Uuid,
    pub number: Option<String>,
}

/// Pairs of opposite amounts in two own accounts, at most [`TRANSFER_DAYS`] apart; those that name each other's account first,
/// then those nearest in time. A transaction is in one pair at most.
pub fn propose(candidates: &[Candidate], own: &[OwnAccount]) -> Vec<TransferProposal> {
    let bare = |number: &str| -> String {
        number.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase()
    };
    let numbers: HashMap<Uuid, String> =
        own.iter().filter_map(|account| Some((account.id, bare(account.number.as_deref()?)))).collect();
    let names = |one: &Candidate, other: &Candidate| {
        let named = one.counterparty.as_deref().map(bare).filter(|number| !number.is_empty());
        named.is_some() && named.as_ref() == numbers.get(&other.account_id)
    };
    let mut incoming: HashMap<(&str, i64), Vec<&Candidate>> = HashMap::new();
    for candidate in candidates.iter().filter(|candidate| candidate.amount > 0) {
        incoming.entry((candidate.currency.as_str(), candidate.amount)).or_default().push(candidate);
    }
    let mut pairs = Vec::new();
    for from in candidates.iter().filter(|candidate| candidate.amount < 0) {
        if pairs.len() >= MOST_PAIRS {
            break;
        }
        let Some(there) = incoming.get(&(from.currency.as_str(), -from.amount)) else { continue };
        for to in there.iter().filter(|to| to.account_id != from.account_id) {
            let days = (to.booked_on - from.booked_on).num_days().abs();
            if days <= TRANSFER_DAYS {
                let is_certain = names(from, to) || names(to, from);
                pairs.push((!is_certain, days, std::cmp::Reverse(from.booked_on), from.id, to.id));
            }
        }
    }
    pairs.sort();
    let mut used = HashSet::new();
    let mut proposed = Vec::new();
    for (is_uncertain, _, _, from, to) in pairs {
        if !used.contains(&from) && !used.contains(&to) {
            used.extend([from, to]);
            proposed.push(TransferProposal { from, to, is_certain: !is_uncertain });
        }
    }
    proposed
}

/// Which transactions are meant.
#[derive(Debug, Clone)]
pub enum Which {
    These(Vec<Uuid>),
    /// All that fit; split ones are left out.
    Fitting {
        filters: Vec<Filter>,
        search: Option<String>,
        /// How many there must be. None: whoever asks has not counted.
        count: Option<u64>,
    },
}

/// A rule that gives a category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryRule {
    /// Folded.
    pub text: String,
    pub category_id: Uuid,
}

/// The category that the first fitting rule gives.
pub fn by_rule(rules: &[CategoryRule], transaction: &Map<String, Value>) -> Option<Uuid> {
    let text = |name: &str| transaction.get(name).and_then(Value::as_str).map(text::fold).unwrap_or_default();
    let (payee, memo) = (text("payee"), text("memo"));
    let fits = |rule: &&CategoryRule| payee.contains(&rule.text) || memo.contains(&rule.text);
    rules.iter().find(fits).map(|rule| rule.category_id)
}

#[cfg(test)]
mod tests;
