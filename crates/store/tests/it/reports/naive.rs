//! Every report over again, from all rows one by one. It shares the words with the real ones, and the rules that are told
//! of single goals, budgets and charges; how sums come about is its own.

use std::collections::{BTreeMap, BTreeSet};

use baton_core::money::{Currency, Money};
use baton_core::reports::{
    Account, Balance, Balances, Biggest, By, CashFlow, CashFlowMonth, CashFlowSum, Charge, Compared, Flow,
    Flows, GoalHistory, Group, GroupKey, Listed, MoneyBook, NetWorth, NetWorthPoint, Period, Report,
    ReportAnswer, ReportQuery, Side, Sum, budget_status, goal_progress, judge, month_end, month_start,
    needed_sums,
};
use baton_core::text::fold;
use chrono::{Days, Months, NaiveDate};
use uuid::Uuid;

use super::book::{Book, Flavour, Transaction};

/// An amount that counts: a transaction, or a part of one.
struct Entry<'a> {
    of: &'a Transaction,
    account: &'a Account,
    category: Uuid,
    amount: i64,
}

impl Book {
    fn is_asked(&self, query: &ReportQuery, account: Uuid) -> bool {
        query.accounts.is_empty() || query.accounts.contains(&account)
    }

    /// Everything that is booked and there.
    fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries = Vec::new();
        for of in &self.transactions {
            if matches!(of.flavour, Flavour::Pending | Flavour::Deleted) {
                continue;
            }
            let account = self.accounts.iter().find(|account| account.id == of.account).unwrap();
            if of.parts.is_empty() {
                let category = of.category.unwrap_or_default();
                entries.push(Entry { of, account, category, amount: of.amount });
            }
            for part in &of.parts {
                let category = part.category_id.unwrap_or_default();
                entries.push(Entry { of, account, category, amount: part.amount });
            }
        }
        entries
    }

    /// Income and spending.
    fn payments(&self, query: &ReportQuery, period: Period) -> Vec<Entry<'_>> {
        let mut entries = self.entries();
        entries.retain(|entry| {
            matches!(entry.of.flavour, Flavour::Payment | Flavour::Split)
                && period.from <= entry.of.on
                && entry.of.on <= period.to
                && self.is_asked(query, entry.of.account)
                && (query.categories.is_empty() || query.categories.contains(&entry.category))
        });
        entries
    }

    fn side(&self, entry: &Entry<'_>) -> Side {
        let category = self.categories.iter().find(|category| category.id == entry.category);
        category
            .map_or(if entry.amount < 0 { Side::Spending } else { Side::Income }, |category| category.side)
    }

    /// What an entry counts on its side.
    fn counted(&self, entry: &Entry<'_>) -> i64 {
        if self.side(entry) == Side::Spending { -entry.amount } else { entry.amount }
    }

    fn money_book(&self, query: &ReportQuery) -> MoneyBook {
        let mut accounts = self.accounts.clone();
        accounts.retain(|account| self.is_asked(query, account.id));
        accounts.sort_by(|a, b| a.name.cmp(&b.name));
        MoneyBook { accounts, categories: self.categories.clone() }
    }

    fn balance(&self, account: &Account, on: NaiveDate) -> i64 {
        let gained = self
            .entries()
            .iter()
            .filter(|entry| entry.of.account == account.id && entry.of.on <= on)
            .map(|entry| entry.amount)
            .sum::<i64>();
        account.opening_balance + gained
    }

    fn totals(&self, book: &MoneyBook, on: NaiveDate) -> Vec<Money> {
        let mut totals: BTreeMap<Currency, i64> = BTreeMap::new();
        for account in &book.accounts {
            *totals.entry(account.currency).or_default() += self.balance(account, on);
        }
        totals.into_iter().map(|(currency, total)| Money::new(total, currency)).collect()
    }

    pub fn naive(&self, query: &ReportQuery) -> ReportAnswer {
        let book = self.money_book(query);
        let period = query.period;
        match query.report {
            Report::Balances => ReportAnswer::Balances(Balances {
                on: period.to,
                accounts: book
                    .accounts
                    .iter()
                    .map(|account| Balance {
                        account: account.clone(),
                        balance: self.balance(account, period.to),
                    })
                    .collect(),
                totals: self.totals(&book, period.to),
                converted: None,
            }),
            Report::NetWorth => {
                let mut days: Vec<NaiveDate> = Vec::new();
                let mut day = month_end(period.from);
                while day < period.to {
                    days.push(day);
                    day = month_end(day + Days::new(1));
                }
                days.push(period.to);
                let point = |on| NetWorthPoint { on, totals: self.totals(&book, on), converted: None };
                ReportAnswer::NetWorth(NetWorth { period, points: days.into_iter().map(point).collect() })
            }
            Report::Spending => ReportAnswer::Flows(self.naive_flows(query, Side::Spending)),
            Report::Income => ReportAnswer::Flows(self.naive_flows(query, Side::Income)),
            Report::CashFlow => ReportAnswer::CashFlow(self.naive_cash_flow(query)),
            Report::Budgets => ReportAnswer::Budgets(
                self.budgets
                    .iter()
                    .map(|budget| {
                        let (now, earlier) = needed_sums(budget, period.to);
                        let sums = |period| self.sums(query, period);
                        let earlier = earlier.map(sums).unwrap_or_default();
                        budget_status(&book, budget, period.to, &sums(now), &earlier).unwrap()
                    })
                    .collect(),
            ),
            Report::Goals => ReportAnswer::Goals(self.naive_goals(&book, query.today)),
            Report::Biggest => ReportAnswer::Biggest(self.naive_biggest(query)),
            Report::OddCharges => ReportAnswer::OddCharges(self.naive_odd(query)),
        }
    }

    /// One sum per entry.
    fn sums(&self, query: &ReportQuery, period: Period) -> Vec<Sum> {
        let payments = self.payments(query, period);
        let sum = |entry: &Entry<'_>| Sum {
            account_id: entry.of.account,
            month: month_start(entry.of.on),
            category_id: entry.category,
            flow: Flow::Payment,
            money_in: entry.amount.max(0).into(),
            money_out: entry.amount.min(0).into(),
            entries: 1,
        };
        payments.iter().map(sum).collect()
    }

    fn naive_flows(&self, query: &ReportQuery, side: Side) -> Flows {
        let (period, before) = (query.period, query.period.before());
        let now = self.payments(query, period);
        let then = self.payments(query, before);
        let key = |entry: &Entry<'_>| match query.by {
            By::Category => GroupKey::Category(entry.category),
            By::Month => GroupKey::Month(month_start(entry.of.on)),
            By::Payee => GroupKey::Payee(fold(entry.of.payee.as_deref().unwrap_or_default().trim())),
        };
        let of_side = |entry: &&Entry<'_>| self.side(entry) == side;
        let mut keys: BTreeSet<(GroupKey, Currency)> =
            now.iter().filter(of_side).map(|entry| (key(entry), entry.account.currency)).collect();
        if query.by != By::Month {
            keys.extend(then.iter().filter(of_side).map(|entry| (key(entry), entry.account.currency)));
        }
        let fits = |entry: &&Entry<'_>, group: &(GroupKey, Currency)| {
            self.side(entry) == side && (key(entry), entry.account.currency) == *group
        };
        let mut groups: Vec<Group> = keys
            .iter()
            .map(|group| {
                let names =
                    now.iter().chain(&then).filter(|entry| fits(entry, group)).map(|entry| match &group.0 {
                        GroupKey::Category(id) => {
                            let known = self.categories.iter().find(|one| one.id == *id);
                            known.map_or("Without category".to_owned(), |one| one.name.clone())
                        }
                        GroupKey::Month(month) => month.to_string()[..7].to_owned(),
                        GroupKey::Payee(_) => entry.of.payee.clone().unwrap_or("Without payee".to_owned()),
                    });
                let name = names.min().unwrap();
                let sum = |entries: &[Entry<'_>]| {
                    entries
                        .iter()
                        .filter(|entry| fits(entry, group))
                        .map(|entry| self.counted(entry))
                        .sum::<i64>()
                };
                let entries = Some(now.iter().filter(|entry| fits(entry, group)).count() as i64);
                let before = (query.by != By::Month).then(|| sum(&then));
                let sum = Compared { currency: group.1, amount: sum(&now), entries, before };
                Group { key: group.0.clone(), name, sum }
            })
            .collect();
        if query.by != By::Month {
            groups.sort_by_key(|group| {
                (
                    std::cmp::Reverse((group.sum.amount, group.sum.before)),
                    group.sum.currency,
                    group.key.clone(),
                )
            });
        }
        let currencies: BTreeSet<Currency> =
            now.iter().chain(&then).filter(of_side).map(|entry| entry.account.currency).collect();
        let totals = currencies.into_iter().map(|currency| {
            let its = |entry: &&Entry<'_>| self.side(entry) == side && entry.account.currency == currency;
            let sum = |entries: &[Entry<'_>]| {
                entries.iter().filter(its).map(|entry| self.counted(entry)).sum::<i64>()
            };
            let entries = Some(now.iter().filter(its).count() as i64);
            Compared { currency, amount: sum(&now), entries, before: Some(sum(&then)) }
        });
        Flows {
            side,
            by: query.by,
            period,
            before,
            totals: totals.collect(),
            groups,
            left_off: 0,
            converted: None,
        }
    }

    fn naive_cash_flow(&self, query: &ReportQuery) -> CashFlow {
        let (period, before) = (query.period, query.period.before());
        let (now, then) = (self.payments(query, period), self.payments(query, before));
        let sum = |entries: &[&Entry<'_>], currency: Currency| {
            let side = |side: Side| {
                let its = entries
                    .iter()
                    .filter(|entry| self.side(entry) == side && entry.account.currency == currency);
                its.map(|entry| self.counted(entry)).sum::<i64>()
            };
            let (income, spending) = (side(Side::Income), side(Side::Spending));
            CashFlowSum { currency, income, spending, net: income - spending }
        };
        let months: BTreeSet<(NaiveDate, Currency)> =
            now.iter().map(|entry| (month_start(entry.of.on), entry.account.currency)).collect();
        let months = months.into_iter().map(|(month, currency)| {
            let its: Vec<&Entry<'_>> = now.iter().filter(|entry| month_start(entry.of.on) == month).collect();
            CashFlowMonth { month, sum: sum(&its, currency) }
        });
        let currencies: BTreeSet<Currency> =
            now.iter().chain(&then).map(|entry| entry.account.currency).collect();
        let (all_now, all_then): (Vec<_>, Vec<_>) = (now.iter().collect(), then.iter().collect());
        let totals =
            currencies.into_iter().map(|currency| (sum(&all_now, currency), sum(&all_then, currency)));
        CashFlow { period, before, months: months.collect(), totals: totals.collect() }
    }

    fn naive_goals(&self, book: &MoneyBook, today: NaiveDate) -> Vec<baton_core::reports::GoalProgress> {
        let this_month = month_start(today);
        let history = |account: &Account| {
            let own: Vec<(NaiveDate, i64)> = self
                .entries()
                .iter()
                .filter(|entry| entry.of.account == account.id)
                .map(|entry| (month_start(entry.of.on), entry.amount))
                .collect();
            let first = own.iter().map(|(month, _)| *month).min();
            let months = (1..=6).rev().map(|back| this_month - Months::new(back));
            let months = months.filter(|month| first.is_some_and(|first| *month > first));
            let gained =
                |month: NaiveDate| own.iter().filter(|one| one.0 == month).map(|one| i128::from(one.1)).sum();
            GoalHistory {
                account: account.name.clone(),
                currency: account.currency,
                balance: self.balance(account, today),
                gained: months.map(gained).collect(),
            }
        };
        let progress = |goal: &baton_core::reports::Goal| {
            let account = goal.account_id.and_then(|id| book.accounts.iter().find(|one| one.id == id));
            goal_progress(goal, account.map(history).as_ref(), today).unwrap()
        };
        self.goals.iter().map(progress).collect()
    }

    fn naive_biggest(&self, query: &ReportQuery) -> Biggest {
        let (side, period) = (query.side, query.period);
        let mut rows: Vec<&Transaction> = self
            .transactions
            .iter()
            .filter(|one| {
                let category = self.categories.iter().find(|category| Some(category.id) == one.category);
                let parts: Vec<Uuid> = match one.parts.is_empty() {
                    true => vec![one.category.unwrap_or_default()],
                    false => one.parts.iter().map(|part| part.category_id.unwrap_or_default()).collect(),
                };
                matches!(one.flavour, Flavour::Payment | Flavour::Split)
                    && period.contains(one.on)
                    && self.is_asked(query, one.account)
                    && (if side == Side::Spending { one.amount < 0 } else { one.amount > 0 })
                    && category.is_none_or(|category| category.side == side)
                    && (query.categories.is_empty()
                        || parts.iter().any(|part| query.categories.contains(part)))
            })
            .collect();
        rows.sort_by_key(|one| (one.amount, one.id));
        if side == Side::Income {
            rows.reverse();
        }
        let listed = |one: &&Transaction| {
            let account = self.accounts.iter().find(|account| account.id == one.account).unwrap();
            let category = self.categories.iter().find(|category| Some(category.id) == one.category);
            let category = match one.parts.is_empty() {
                false => "Split".to_owned(),
                true => category.map_or("Without category".to_owned(), |category| category.name.clone()),
            };
            Listed {
                id: one.id,
                account_id: one.account,
                account: account.name.clone(),
                booked_on: one.on,
                amount: one.amount,
                currency: account.currency,
                payee: one.payee.clone(),
                memo: one.memo.clone(),
                category_id: one.category,
                category,
            }
        };
        Biggest { side, period, rows: rows.iter().map(listed).collect() }
    }

    fn naive_odd(&self, query: &ReportQuery) -> baton_core::reports::OddCharges {
        let from = query.period.from - Days::new(100);
        let mut charges: Vec<Charge> = Vec::new();
        // Money that left counts as a charge whatever its category is.
        for one in &self.transactions {
            let parts: Vec<Uuid> = match one.parts.is_empty() {
                true => vec![one.category.unwrap_or_default()],
                false => one.parts.iter().map(|part| part.category_id.unwrap_or_default()).collect(),
            };
            let account = self.accounts.iter().find(|account| account.id == one.account).unwrap();
            let fits = matches!(one.flavour, Flavour::Payment | Flavour::Split)
                && (from..=query.period.to).contains(&one.on)
                && one.amount < 0
                && self.is_asked(query, one.account)
                && (query.categories.is_empty() || parts.iter().any(|part| query.categories.contains(part)));
            if let (true, Some(payee)) = (fits, &one.payee) {
                charges.push(Charge {
                    id: one.id,
                    account_id: one.account,
                    booked_on: one.on,
                    payee: payee.clone(),
                    amount: -one.amount,
                    currency: account.currency,
                });
            }
        }
        judge(charges, query.period, query.limit)
    }
}

/// Without a category, what came in and went out of an account is counted together: then it isn't told how many there were.
pub fn without_unknown_counts(mut naive: ReportAnswer, told: &ReportAnswer) -> ReportAnswer {
    if let (ReportAnswer::Flows(naive), ReportAnswer::Flows(told)) = (&mut naive, told) {
        let sums = |flows: &Flows| {
            flows
                .groups
                .iter()
                .map(|group| &group.sum)
                .chain(&flows.totals)
                .map(|sum| sum.entries)
                .collect::<Vec<_>>()
        };
        let known = sums(told);
        let all = naive.groups.iter_mut().map(|group| &mut group.sum).chain(&mut naive.totals);
        for (sum, known) in all.zip(known) {
            sum.entries = sum.entries.filter(|_| known.is_some());
        }
    }
    naive
}
