//! Reports over money: what they are asked, what they answer, and how the answer follows from sums and rows. The rules
//! are pure; the store reads what they need (`store/reports/`).
//!
//! One rule holds in every report: a transfer between own accounts and a trade are neither income nor spending, a refund
//! is negative spending, a split transaction counts by its parts, and what is pending or deleted counts in none.

mod balances;
mod budgets;
mod charges;
mod flows;
mod goals;
mod listing;
mod period;
mod pieces;
mod rates;

pub use balances::{Balance, Balances, NetWorth, NetWorthPoint, balances, net_worth};
pub use budgets::{Budget, BudgetPace, BudgetPeriod, BudgetStatus, budget_status, needed_sums};
pub use charges::{CLOSE_DAYS, Charge, Finding, FindingKind, OddCharges, judge};
pub use flows::{
    Asked, By, CashFlow, CashFlowMonth, CashFlowSum, Compared, Flows, Group, GroupKey, PayeeSum, cash_flow,
    flows, flows_by_payee,
};
pub use goals::{Goal, GoalHistory, GoalProgress, MOST_MONTHS, Projection, goal_progress};
pub use listing::{Biggest, InAndOut, Listed, Matching};
pub use period::{MAX_MONTHS, NamedPeriod, Period, month_end, month_start, months_between};
pub use pieces::{Days, Pieces, pieces};
pub use rates::{Converted, Rate, RateUsed, convert, rounded};

use chrono::NaiveDate;
use uuid::Uuid;

pub use crate::data::money::Flow;
use crate::money::Currency;
use crate::text::Invalid;
use crate::words;

words! {
    /// Every report there is.
    Report {
        Balances => "balances",
        NetWorth => "net-worth",
        Spending => "spending",
        Income => "income",
        CashFlow => "cash-flow",
        Budgets => "budgets",
        Goals => "goals",
        Biggest => "biggest",
        OddCharges => "odd-charges",
    }
}

impl Report {
    pub const ALL: [Self; 9] = [
        Self::Balances,
        Self::NetWorth,
        Self::Spending,
        Self::Income,
        Self::CashFlow,
        Self::Budgets,
        Self::Goals,
        Self::Biggest,
        Self::OddCharges,
    ];
}

/// What a report is asked. Each takes from it what it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportQuery {
    pub report: Report,
    /// In the person's time zone.
    pub today: NaiveDate,
    pub period: Period,
    pub by: By,
    /// Only these accounts; all if there are none here.
    pub accounts: Vec<Uuid>,
    /// Only these categories, the nil id for none; all if there are none here.
    pub categories: Vec<Uuid>,
    /// Of biggest transactions.
    pub side: Side,
    /// Also a total in this currency, by the workspace's own exchange rates.
    pub convert_to: Option<Currency>,
    /// The most groups or rows to tell.
    pub limit: usize,
}

impl ReportQuery {
    pub fn new(report: Report, today: NaiveDate, period: Period) -> Self {
        Self {
            report,
            today,
            period,
            by: By::Category,
            accounts: Vec::new(),
            categories: Vec::new(),
            side: Side::Spending,
            convert_to: None,
            limit: 50,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum ReportAnswer {
    Balances(Balances),
    NetWorth(NetWorth),
    Flows(Flows),
    CashFlow(CashFlow),
    Budgets(Vec<BudgetStatus>),
    Goals(Vec<GoalProgress>),
    Biggest(Biggest),
    OddCharges(OddCharges),
}

words! {
    /// Which way money went.
    Side { Spending => "spending", Income => "income" }
}

/// Sums of booked transactions: of one account, month, category and flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    pub account_id: Uuid,
    /// Its first day.
    pub month: NaiveDate,
    /// The nil id for none.
    pub category_id: Uuid,
    pub flow: Flow,
    pub money_in: i128,
    /// Not positive.
    pub money_out: i128,
    pub entries: i64,
}

/// What names and rules the sums need: a workspace's accounts and categories.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MoneyBook {
    pub accounts: Vec<Account>,
    pub categories: Vec<Category>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: Uuid,
    pub name: String,
    pub account_type: String,
    pub currency: Currency,
    pub opening_balance: i64,
    pub is_closed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    pub id: Uuid,
    pub name: String,
    pub side: Side,
}

impl MoneyBook {
    pub fn account(&self, id: Uuid) -> Option<&Account> {
        self.accounts.iter().find(|account| account.id == id)
    }

    pub fn category(&self, id: Uuid) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == id)
    }

    pub fn category_name(&self, id: Uuid) -> &str {
        self.category(id).map_or("Without category", |category| &category.name)
    }

    /// What sums of payments of a category count on a side: the category's side decides, and without one the sign does.
    pub fn counted(&self, side: Side, category: Uuid, money_in: i128, money_out: i128) -> i128 {
        match (side, self.category(category).map(|category| category.side)) {
            (Side::Spending, Some(Side::Spending)) => -(money_in + money_out),
            (Side::Income, Some(Side::Income)) => money_in + money_out,
            (Side::Spending, None) => -money_out,
            (Side::Income, None) => money_in,
            _ => 0,
        }
    }
}

/// Sums that no longer fit: nobody has that much, so something was entered wrongly.
pub fn fits(sum: i128) -> Result<i64, Invalid> {
    i64::try_from(sum).map_err(|_| too_large())
}

fn too_large() -> Invalid {
    Invalid::new("amounts", "are too large to be added up: look for one that was entered wrongly")
}

#[cfg(test)]
mod tests;
