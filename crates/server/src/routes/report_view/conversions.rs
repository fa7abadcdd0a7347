//! What core answers, as the API's shapes.

use baton_core::money::{Currency, Money};
use baton_core::reports::{CashFlowSum, Compared, Converted, GroupKey, Period, Projection, ReportAnswer};

use super::*;

fn code(currency: Currency) -> String {
    currency.code().to_owned()
}

impl From<Period> for PeriodView {
    fn from(period: Period) -> Self {
        Self { from: period.from, to: period.to }
    }
}

impl From<Money> for MoneyView {
    fn from(money: Money) -> Self {
        Self { amount: money.amount, currency: code(money.currency) }
    }
}

impl From<Converted> for ConvertedView {
    fn from(converted: Converted) -> Self {
        let rate = |used: baton_core::reports::RateUsed| RateView {
            currency: code(used.rate.currency),
            in_currency: code(used.rate.in_currency),
            rate: used.rate.rate,
            valid_from: used.rate.valid_from,
        };
        Self {
            currency: code(converted.currency),
            total: converted.total,
            rates: converted.used.into_iter().map(rate).collect(),
            missing: converted.missing.into_iter().map(code).collect(),
        }
    }
}

impl From<Compared> for SumView {
    fn from(sum: Compared) -> Self {
        Self { amount: sum.amount, currency: code(sum.currency), entries: sum.entries, before: sum.before }
    }
}

impl From<CashFlowSum> for CashFlowSumView {
    fn from(sum: CashFlowSum) -> Self {
        Self { currency: code(sum.currency), income: sum.income, spending: sum.spending, net: sum.net }
    }
}

fn all<T, V: From<T>>(of: Vec<T>) -> Vec<V> {
    of.into_iter().map(V::from).collect()
}

impl From<ReportAnswer> for ReportView {
    fn from(answer: ReportAnswer) -> Self {
        match answer {
            ReportAnswer::Balances(told) => Self::Balances(BalancesView {
                on: told.on,
                accounts: all(told.accounts),
                totals: all(told.totals),
                converted: told.converted.map(Into::into),
            }),
            ReportAnswer::NetWorth(told) => {
                Self::NetWorth(NetWorthView { period: told.period.into(), points: all(told.points) })
            }
            ReportAnswer::Flows(told) => Self::Flows(FlowsView {
                side: told.side,
                by: told.by,
                period: told.period.into(),
                before: told.before.into(),
                groups: all(told.groups),
                left_off: told.left_off,
                totals: all(told.totals),
                converted: told.converted.map(Into::into),
            }),
            ReportAnswer::CashFlow(told) => Self::CashFlow(CashFlowView {
                period: told.period.into(),
                before: told.before.into(),
                months: all(told.months),
                totals: all(told.totals),
            }),
            ReportAnswer::Budgets(told) => Self::Budgets(BudgetsView { budgets: all(told) }),
            ReportAnswer::Goals(told) => Self::Goals(GoalsView { goals: all(told) }),
            ReportAnswer::Biggest(told) => Self::Biggest(BiggestView {
                side: told.side,
                period: told.period.into(),
                transactions: all(told.rows),
            }),
            ReportAnswer::OddCharges(told) => Self::OddCharges(OddChargesView {
                period: told.period.into(),
                findings: all(told.findings),
                left_off: told.left_off,
            }),
        }
    }
}

impl From<baton_core::reports::Balance> for BalanceView {
    fn from(one: baton_core::reports::Balance) -> Self {
        let account = one.account;
        Self {
            account_id: account.id,
            name: account.name,
            account_type: account.account_type,
            is_closed: account.is_closed,
            balance: one.balance,
            currency: code(account.currency),
        }
    }
}

impl From<baton_core::reports::NetWorthPoint> for PointView {
    fn from(point: baton_core::reports::NetWorthPoint) -> Self {
        Self { on: point.on, totals: all(point.totals), converted: point.converted.map(Into::into) }
    }
}

impl From<baton_core::reports::Group> for GroupView {
    fn from(group: baton_core::reports::Group) -> Self {
        let (category_id, month) = match group.key {
            GroupKey::Category(id) => (Some(id), None),
            GroupKey::Month(month) => (None, Some(month)),
            GroupKey::Payee(_) => (None, None),
        };
        Self { name: group.name, category_id, month, sum: group.sum.into() }
    }
}

impl From<baton_core::reports::CashFlowMonth> for CashFlowMonthView {
    fn from(month: baton_core::reports::CashFlowMonth) -> Self {
        Self { month: month.month, sum: month.sum.into() }
    }
}

impl From<(CashFlowSum, CashFlowSum)> for CashFlowTotalView {
    fn from((now, before): (CashFlowSum, CashFlowSum)) -> Self {
        Self { now: now.into(), before: before.into() }
    }
}

impl From<baton_core::reports::BudgetStatus> for BudgetView {
    fn from(status: baton_core::reports::BudgetStatus) -> Self {
        let budget = status.budget;
        Self {
            id: budget.id,
            name: budget.name,
            category_id: budget.category_id,
            category: status.category,
            amount: budget.amount,
            currency: code(budget.currency),
            rolls_over: budget.rolls_over,
            period: status.period.into(),
            on: status.on,
            carried: status.carried,
            available: status.available,
            spent: status.spent,
            left: status.left,
            percent: status.percent,
            days_left: status.days_left,
            left_per_day: status.left_per_day,
            projected: status.projected,
            pace: status.pace,
            uncounted: all(status.uncounted),
        }
    }
}

impl From<baton_core::reports::GoalProgress> for GoalView {
    fn from(progress: baton_core::reports::GoalProgress) -> Self {
        let goal = progress.goal;
        let (projected_on, per_month, method) = match progress.projection.clone() {
            Projection::Reached => (None, None, None),
            Projection::On { day, per_month, method } => (Some(day), Some(per_month), Some(method)),
            Projection::Never { per_month, method } => (None, Some(per_month), Some(method)),
            Projection::Unknown { why } => (None, None, Some(why)),
        };
        Self {
            id: goal.id,
            name: goal.name,
            status: goal.status,
            target_amount: goal.target_amount,
            currency: code(goal.currency),
            target_on: goal.target_on,
            account: progress.account,
            saved: progress.saved,
            missing: progress.missing,
            percent: progress.percent,
            needed_per_month: progress.needed_per_month,
            is_on_schedule: progress.is_on_schedule,
            is_reached: progress.projection == Projection::Reached,
            projected_on,
            per_month,
            method,
        }
    }
}

impl From<baton_core::reports::Listed> for ListedView {
    fn from(row: baton_core::reports::Listed) -> Self {
        Self {
            id: row.id,
            account_id: row.account_id,
            account: row.account,
            booked_on: row.booked_on,
            amount: row.amount,
            currency: code(row.currency),
            payee: row.payee,
            memo: row.memo,
            category_id: row.category_id,
            category: row.category,
        }
    }
}

impl From<baton_core::reports::Finding> for FindingView {
    fn from(finding: baton_core::reports::Finding) -> Self {
        let charge = finding.charge;
        Self {
            kind: finding.kind,
            id: charge.id,
            account_id: charge.account_id,
            booked_on: charge.booked_on,
            payee: charge.payee,
            amount: charge.amount,
            currency: code(charge.currency),
            other_id: finding.other.map(|other| other.id),
            why: finding.why,
        }
    }
}
