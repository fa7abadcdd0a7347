//! What came and what went: spending and income by category, month or payee, and cash flow. Only payments count.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use uuid::Uuid;

use super::period::Period;
use super::rates::{Converted, Rate, convert};
use super::{Flow, MoneyBook, Side, Sum, fits};
use crate::money::{Currency, Money};
use crate::text::{Invalid, fold};
use crate::words;

words! {
    /// What sums are told by.
    By { Category => "category", Month => "month", Payee => "payee" }
}

impl By {
    pub const ALL: [Self; 3] = [Self::Category, Self::Month, Self::Payee];
}

#[derive(Debug, Clone, PartialEq)]
pub struct Flows {
    pub side: Side,
    pub by: By,
    pub period: Period,
    pub before: Period,
    /// The largest first; months in their order.
    pub groups: Vec<Group>,
    /// How many groups the limit left off.
    pub left_off: usize,
    pub totals: Vec<Compared>,
    pub converted: Option<Converted>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub key: GroupKey,
    /// For people.
    pub name: String,
    /// In one currency; a group of several currencies is there once for each.
    pub sum: Compared,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKey {
    /// The nil id for none.
    Category(Uuid),
    Month(NaiveDate),
    /// Folded; empty for none.
    Payee(String),
}

/// A sum of the period and of the one before.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    pub currency: Currency,
    pub amount: i64,
    /// How many transactions and parts of split ones; not known where income and spending without category mix.
    pub entries: Option<i64>,
    /// Not told for single months.
    pub before: Option<i64>,
}

impl Compared {
    pub fn money(&self) -> Money {
        Money::new(self.amount, self.currency)
    }
}

/// What a payee's payments count on one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayeeSum {
    /// As its transactions name it.
    pub payee: Option<String>,
    pub currency: Currency,
    pub amount: i128,
    pub entries: i64,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    amount: i128,
    entries: i64,
    is_mixed: bool,
    before: i128,
}

impl Tally {
    fn add(&mut self, counted: Counted, is_before: bool) {
        if is_before {
            self.before += counted.amount;
            return;
        }
        self.amount += counted.amount;
        self.entries += counted.entries;
        self.is_mixed |= counted.is_mixed;
    }

    fn compared(self, currency: Currency, is_compared: bool) -> Result<Compared, Invalid> {
        let before = is_compared.then(|| fits(self.before)).transpose()?;
        let entries = (!self.is_mixed).then_some(self.entries);
        Ok(Compared { currency, amount: fits(self.amount)?, entries, before })
    }
}

/// What a sum counts on a side.
#[derive(Clone, Copy)]
struct Counted {
    amount: i128,
    entries: i64,
    is_mixed: bool,
}

impl MoneyBook {
    /// None if it is of the other side.
    fn on_side(
        &self,
        side: Side,
        category: Uuid,
        (money_in, money_out): (i128, i128),
        entries: i64,
    ) -> Option<Counted> {
        let amount = self.counted(side, category, money_in, money_out);
        let told = |is_mixed| Some(Counted { amount, entries, is_mixed });
        match self.category(category) {
            Some(known) => (known.side == side).then(|| told(false)).flatten(),
            None if amount == 0 => None,
            None => told(money_in != 0 && money_out != 0),
        }
    }

    fn payments<'a>(&'a self, sums: &'a [Sum]) -> impl Iterator<Item = (&'a Sum, Currency)> {
        let payments = sums.iter().filter(|sum| sum.flow == Flow::Payment);
        payments.filter_map(|sum| Some((sum, self.account(sum.account_id)?.currency)))
    }
}

/// What is asked of flows.
pub struct Asked<'a> {
    pub side: Side,
    pub by: By,
    pub period: Period,
    pub limit: usize,
    pub convert: (Option<Currency>, &'a [Rate]),
}

/// By category or month; `now` and `before` are the sums of the period and of the one before.
pub fn flows(book: &MoneyBook, asked: &Asked<'_>, now: &[Sum], before: &[Sum]) -> Result<Flows, Invalid> {
    let mut table = Table::default();
    for (sums, is_before) in [(now, false), (before, true)] {
        for (sum, currency) in book.payments(sums) {
            let amounts = (sum.money_in, sum.money_out);
            let Some(counted) = book.on_side(asked.side, sum.category_id, amounts, sum.entries) else {
                continue;
            };
            let key = match asked.by {
                By::Month => GroupKey::Month(sum.month),
                By::Category | By::Payee => GroupKey::Category(sum.category_id),
            };
            let name = match asked.by {
                By::Month => sum.month.format("%Y-%m").to_string(),
                By::Category | By::Payee => book.category_name(sum.category_id).to_owned(),
            };
            table.add(key, &name, currency, counted, is_before);
        }
    }
    table.told(asked)
}

pub fn flows_by_payee(asked: &Asked<'_>, now: &[PayeeSum], before: &[PayeeSum]) -> Result<Flows, Invalid> {
    let mut table = Table::default();
    for (sums, is_before) in [(now, false), (before, true)] {
        for sum in sums {
            let name = sum.payee.as_deref().map(str::trim).unwrap_or_default();
            let key = GroupKey::Payee(fold(name));
            let name = if name.is_empty() { "Without payee" } else { name };
            let counted = Counted { amount: sum.amount, entries: sum.entries, is_mixed: false };
            table.add(key, name, sum.currency, counted, is_before);
        }
    }
    table.told(asked)
}

#[derive(Default)]
struct Table {
    groups: BTreeMap<(GroupKey, Currency), (String, Tally)>,
    totals: BTreeMap<Currency, Tally>,
}

impl Table {
    fn add(&mut self, key: GroupKey, name: &str, currency: Currency, counted: Counted, is_before: bool) {
        // Months of the period before are no groups of this one.
        if !(is_before && matches!(key, GroupKey::Month(_))) {
            let group =
                self.groups.entry((key, currency)).or_insert_with(|| (name.to_owned(), Tally::default()));
            // Spellings of a payee differ; which of them is shown must not depend on the order of rows.
            if name < group.0.as_str() {
                name.clone_into(&mut group.0);
            }
            group.1.add(counted, is_before);
        }
        self.totals.entry(currency).or_default().add(counted, is_before);
    }

    fn told(self, asked: &Asked<'_>) -> Result<Flows, Invalid> {
        let by_month = asked.by == By::Month;
        let mut groups = Vec::new();
        for ((key, currency), (name, tally)) in self.groups {
            groups.push(Group { key, name, sum: tally.compared(currency, !by_month)? });
        }
        if !by_month {
            groups.sort_by_key(|group| {
                let before = group.sum.before.unwrap_or(0);
                (std::cmp::Reverse((group.sum.amount, before)), group.sum.currency, group.key.clone())
            });
        }
        let left_off = groups.len().saturating_sub(asked.limit);
        groups.truncate(asked.limit);
        let amounts = self.totals.iter().map(|(currency, tally)| (*currency, tally.amount));
        let (to, rates) = asked.convert;
        let converted = to.map(|to| convert(amounts, to, asked.period.to, rates)).transpose()?;
        let totals = self.totals.into_iter().map(|(currency, tally)| tally.compared(currency, true));
        Ok(Flows {
            side: asked.side,
            by: asked.by,
            period: asked.period,
            before: asked.period.before(),
            groups,
            left_off,
            totals: totals.collect::<Result<_, _>>()?,
            converted,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct CashFlow {
    pub period: Period,
    pub before: Period,
    /// Each month of the period that has any, per currency, in order.
    pub months: Vec<CashFlowMonth>,
    /// Per currency, of the period and of the one before.
    pub totals: Vec<(CashFlowSum, CashFlowSum)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CashFlowMonth {
    pub month: NaiveDate,
    pub sum: CashFlowSum,
}

/// What is left is the income without the spending.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CashFlowSum {
    pub currency: Currency,
    pub income: i64,
    pub spending: i64,
    pub net: i64,
}

pub fn cash_flow(book: &MoneyBook, period: Period, now: &[Sum], before: &[Sum]) -> Result<CashFlow, Invalid> {
    type Sides = (i128, i128);
    let mut months: BTreeMap<(NaiveDate, Currency), Sides> = BTreeMap::new();
    let mut totals: BTreeMap<Currency, (Sides, Sides)> = BTreeMap::new();
    for (sums, is_before) in [(now, false), (before, true)] {
        for (sum, currency) in book.payments(sums) {
            let side = |side| book.counted(side, sum.category_id, sum.money_in, sum.money_out);
            let add = |to: &mut Sides| {
                to.0 += side(Side::Income);
                to.1 += side(Side::Spending);
            };
            let total = totals.entry(currency).or_default();
            if is_before {
                add(&mut total.1);
            } else {
                add(&mut total.0);
                add(months.entry((sum.month, currency)).or_default());
            }
        }
    }
    let told = |currency, (income, spending): Sides| -> Result<CashFlowSum, Invalid> {
        let net = fits(income - spending)?;
        Ok(CashFlowSum { currency, income: fits(income)?, spending: fits(spending)?, net })
    };
    let months = months
        .into_iter()
        .map(|((month, currency), sides)| Ok(CashFlowMonth { month, sum: told(currency, sides)? }))
        .collect::<Result<_, Invalid>>()?;
    let totals = totals
        .into_iter()
        .map(|(currency, (now, before))| Ok((told(currency, now)?, told(currency, before)?)))
        .collect::<Result<_, Invalid>>()?;
    Ok(CashFlow { period, before: period.before(), months, totals })
}
