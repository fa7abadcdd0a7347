//! Reports as the API tells them: amounts are integers in minor units beside their currency. How an
//! answer of core becomes one is in `conversions.rs`.

mod conversions;

use baton_core::reports::{BudgetPace, By, FindingKind, Side};
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::{budget_pace_schema, by_schema, finding_schema, side_schema};

/// An answer; `report` says which of them it is.
#[derive(Serialize, ToSchema)]
#[serde(tag = "report", rename_all = "kebab-case")]
#[schema(as = Report)]
pub enum ReportView {
    Balances(BalancesView),
    NetWorth(NetWorthView),
    /// Spending and income.
    Flows(FlowsView),
    CashFlow(CashFlowView),
    Budgets(BudgetsView),
    Goals(GoalsView),
    Biggest(BiggestView),
    OddCharges(OddChargesView),
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportPeriod)]
pub struct PeriodView {
    from: NaiveDate,
    /// Included.
    to: NaiveDate,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Money)]
pub struct MoneyView {
    /// In minor units.
    amount: i64,
    currency: String,
}

/// A total in one currency, by rates that the workspace entered.
#[derive(Serialize, ToSchema)]
#[schema(as = ConvertedTotal)]
pub struct ConvertedView {
    currency: String,
    /// Null if a rate is missing.
    #[schema(required)]
    total: Option<i64>,
    rates: Vec<RateView>,
    /// Currencies without a rate.
    missing: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = RateUsed)]
pub struct RateView {
    currency: String,
    in_currency: String,
    rate: String,
    valid_from: NaiveDate,
}

#[derive(Serialize, ToSchema)]
#[schema(as = BalancesReport)]
pub struct BalancesView {
    on: NaiveDate,
    accounts: Vec<BalanceView>,
    totals: Vec<MoneyView>,
    #[schema(required)]
    converted: Option<ConvertedView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = AccountBalance)]
pub struct BalanceView {
    account_id: Uuid,
    name: String,
    #[serde(rename = "type")]
    account_type: String,
    is_closed: bool,
    balance: i64,
    currency: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = NetWorthReport)]
pub struct NetWorthView {
    period: PeriodView,
    /// The oldest first.
    points: Vec<PointView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = NetWorthPoint)]
pub struct PointView {
    on: NaiveDate,
    totals: Vec<MoneyView>,
    #[schema(required)]
    converted: Option<ConvertedView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FlowsReport)]
pub struct FlowsView {
    #[schema(schema_with = side_schema)]
    side: Side,
    #[schema(schema_with = by_schema)]
    by: By,
    period: PeriodView,
    /// The period that it is compared with.
    before: PeriodView,
    /// The largest first; months in their order.
    groups: Vec<GroupView>,
    /// How many groups the limit left off.
    left_off: usize,
    totals: Vec<SumView>,
    #[schema(required)]
    converted: Option<ConvertedView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FlowGroup)]
pub struct GroupView {
    name: String,
    /// Of a group by category; the nil id for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    category_id: Option<Uuid>,
    /// Of a group by month: its first day.
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<NaiveDate>,
    #[serde(flatten)]
    sum: SumView,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FlowSum)]
pub struct SumView {
    amount: i64,
    currency: String,
    /// How many transactions and parts of split ones; null where they can't be told apart.
    #[schema(required)]
    entries: Option<i64>,
    /// In the period before; null for single months.
    #[schema(required)]
    before: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CashFlowReport)]
pub struct CashFlowView {
    period: PeriodView,
    before: PeriodView,
    months: Vec<CashFlowMonthView>,
    totals: Vec<CashFlowTotalView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CashFlowMonth)]
pub struct CashFlowMonthView {
    month: NaiveDate,
    #[serde(flatten)]
    sum: CashFlowSumView,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CashFlowTotal)]
pub struct CashFlowTotalView {
    now: CashFlowSumView,
    before: CashFlowSumView,
}

#[derive(Serialize, ToSchema)]
#[schema(as = CashFlowSum)]
pub struct CashFlowSumView {
    currency: String,
    income: i64,
    spending: i64,
    net: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = BudgetsReport)]
pub struct BudgetsView {
    budgets: Vec<BudgetView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = BudgetStatus)]
pub struct BudgetView {
    id: Uuid,
    name: String,
    #[schema(required)]
    category_id: Option<Uuid>,
    category: String,
    amount: i64,
    currency: String,
    rolls_over: bool,
    /// The one that the day lies in.
    period: PeriodView,
    on: NaiveDate,
    /// What earlier periods left, or took too much.
    carried: i64,
    available: i64,
    spent: i64,
    left: i64,
    #[schema(required)]
    percent: Option<i64>,
    days_left: i64,
    #[schema(required)]
    left_per_day: Option<i64>,
    /// The daily average so far, times all days of the period.
    projected: i64,
    #[schema(schema_with = budget_pace_schema)]
    pace: BudgetPace,
    /// Spent in other currencies, and not counted.
    uncounted: Vec<MoneyView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = GoalsReport)]
pub struct GoalsView {
    goals: Vec<GoalView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = GoalProgress)]
pub struct GoalView {
    id: Uuid,
    name: String,
    status: String,
    target_amount: i64,
    currency: String,
    #[schema(required)]
    target_on: Option<NaiveDate>,
    #[schema(required)]
    account: Option<String>,
    saved: i64,
    missing: i64,
    #[schema(required)]
    percent: Option<i64>,
    #[schema(required)]
    needed_per_month: Option<i64>,
    #[schema(required)]
    is_on_schedule: Option<bool>,
    is_reached: bool,
    /// When it is reached if it goes on as until now; null if that can't be said, or never.
    #[schema(required)]
    projected_on: Option<NaiveDate>,
    /// What came a month until now.
    #[schema(required)]
    per_month: Option<i64>,
    /// How that was found, or why it can't be said.
    #[schema(required)]
    method: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = BiggestReport)]
pub struct BiggestView {
    #[schema(schema_with = side_schema)]
    side: Side,
    period: PeriodView,
    transactions: Vec<ListedView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ListedTransaction)]
pub struct ListedView {
    id: Uuid,
    account_id: Uuid,
    account: String,
    booked_on: NaiveDate,
    amount: i64,
    currency: String,
    #[schema(required)]
    payee: Option<String>,
    #[schema(required)]
    memo: Option<String>,
    #[schema(required)]
    category_id: Option<Uuid>,
    category: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = OddChargesReport)]
pub struct OddChargesView {
    period: PeriodView,
    findings: Vec<FindingView>,
    left_off: usize,
}

/// A charge that deserves a second look.
#[derive(Serialize, ToSchema)]
#[schema(as = OddCharge)]
pub struct FindingView {
    #[schema(schema_with = finding_schema)]
    kind: FindingKind,
    id: Uuid,
    account_id: Uuid,
    booked_on: NaiveDate,
    payee: String,
    /// Positive.
    amount: i64,
    currency: String,
    /// The transaction it is compared with.
    #[schema(required)]
    other_id: Option<Uuid>,
    why: String,
}
