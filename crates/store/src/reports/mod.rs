//! Reads what reports need; what follows from it is said in `core/reports`. Every report is read in one moment.
//!
//! Sums come from `month_sums` for whole months and from rows by an index for the days at a period's edges, so they cost
//! the same however many transactions there are. Where rows themselves are needed, their number is bounded.

mod book;
pub(crate) mod bucket_sums;
mod charges;
mod matching;
pub(crate) mod sums;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use async_trait::async_trait;
use baton_core::data::areas::{Area, AreaAccess};
use baton_core::data::rows::{DataScope, Filter};
use baton_core::money::Currency;
use baton_core::reports::{
    Asked, Biggest, By, Flow, GoalHistory, MOST_MONTHS, Matching, MoneyBook, OddCharges, Period, Rate,
    Report, ReportAnswer, ReportQuery, Side, Sum, balances, budget_status, cash_flow, flows, flows_by_payee,
    goal_progress, judge, month_start, needed_sums, net_worth,
};
use baton_core::store::{Error, Reports, Result};
use baton_core::text::Invalid;
use chrono::{Months, NaiveDate};
use sea_orm::{ConnectionTrait, QueryResult, Statement, Value};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::connection::{For, Txn};
use crate::db::OrStoreError;
use sums::{Grain, Only};

/// The most rows that are read one by one for a report.
pub const MAX_READ: i64 = 20_000;

#[async_trait]
impl Reports for SqlStore {
    async fn report(&self, scope: DataScope, query: ReportQuery) -> Result<ReportAnswer> {
        let reading = self.reading(scope).await?;
        let answer = reading.answer(&query).await?;
        reading.end().await?;
        Ok(answer)
    }

    async fn money_book(&self, scope: DataScope) -> Result<MoneyBook> {
        let reading = self.reading(scope).await?;
        let book = reading.book().await?;
        reading.end().await?;
        Ok(book)
    }

    async fn matching(
        &self,
        scope: DataScope,
        filters: Vec<Filter>,
        search: Option<String>,
    ) -> Result<Matching> {
        self.add_up(scope, &filters, search.as_deref()).await
    }
}

impl SqlStore {
    async fn reading(&self, scope: DataScope) -> Result<Reading> {
        scope.areas.check(Area::Money, AreaAccess::Read)?;
        Reading::begin(self, scope.workspace_id.0).await
    }
}

/// One moment of one workspace. Whoever begins it has looked at what the person may see.
pub(crate) struct Reading {
    pub txn: Txn,
    pub workspace: Uuid,
}

impl Reading {
    pub async fn begin(store: &SqlStore, workspace: Uuid) -> Result<Self> {
        Ok(Self { txn: store.db.begin(For::Reading).await.db()?, workspace })
    }

    pub async fn end(self) -> Result<()> {
        self.txn.commit().await.db()
    }

    pub async fn rows(&self, sql: &str, values: Vec<Value>) -> Result<Vec<QueryResult>> {
        let statement = Statement::from_sql_and_values(self.txn.get_database_backend(), sql, values);
        self.txn.query_all_raw(statement).await.db()
    }

    async fn answer(&self, query: &ReportQuery) -> Result<ReportAnswer> {
        let mut book = self.book().await?;
        if !query.accounts.is_empty() {
            book.accounts.retain(|account| query.accounts.contains(&account.id));
        }
        match query.report {
            Report::Balances => self.balances(&book, query).await,
            Report::NetWorth => self.net_worth(&book, query).await,
            Report::Spending => self.flows(&book, query, Side::Spending).await,
            Report::Income => self.flows(&book, query, Side::Income).await,
            Report::CashFlow => {
                let only = Only::of(query);
                let now = self.sums(query.period, Grain::CategoryMonth, &only).await?;
                let before = self.sums(query.period.before(), Grain::Category, &only).await?;
                Ok(ReportAnswer::CashFlow(cash_flow(&book, query.period, &now, &before)?))
            }
            Report::Budgets => self.budgets(&book, query).await,
            Report::Goals => self.goals(&book, query).await,
            Report::Biggest => {
                let rows = self.biggest(&book, query).await?;
                Ok(ReportAnswer::Biggest(Biggest { side: query.side, period: query.period, rows }))
            }
            Report::OddCharges => self.odd_charges(query).await.map(ReportAnswer::OddCharges),
        }
    }

    /// What each account gained until a day, that day included.
    pub async fn changes_until(&self, day: NaiveDate, only: &Only) -> Result<BTreeMap<Uuid, i128>> {
        let ever = Period { from: FIRST_DAY, to: day };
        let sums = self.sums(ever, Grain::Account, only).await?;
        Ok(sums.into_iter().map(|sum| (sum.account_id, sum.money_in + sum.money_out)).collect())
    }

    async fn balances(&self, book: &MoneyBook, query: &ReportQuery) -> Result<ReportAnswer> {
        let on = query.period.to;
        let changes = self.changes_until(on, &Only::accounts(query)).await?;
        let rates = self.rates(book, query.convert_to, &[on]).await?;
        Ok(ReportAnswer::Balances(balances(book, on, &changes, (query.convert_to, &rates))?))
    }

    async fn net_worth(&self, book: &MoneyBook, query: &ReportQuery) -> Result<ReportAnswer> {
        let (period, only) = (query.period, Only::accounts(query));
        let before = match period.from.pred_opt() {
            Some(day) => self.changes_until(day, &only).await?,
            None => BTreeMap::new(),
        };
        let sums = self.sums(period, Grain::AccountMonth, &only).await?;
        let by_month =
            sums.iter().map(|sum| ((sum.month, sum.account_id), sum.money_in + sum.money_out)).collect();
        let days: Vec<NaiveDate> =
            period.month_starts().map(|month| baton_core::reports::month_end(month).min(period.to)).collect();
        let rates = self.rates(book, query.convert_to, &days).await?;
        Ok(ReportAnswer::NetWorth(net_worth(book, period, &before, &by_month, (query.convert_to, &rates))?))
    }

    async fn flows(&self, book: &MoneyBook, query: &ReportQuery, side: Side) -> Result<ReportAnswer> {
        let (period, only) = (query.period, Only::of(query));
        let rates = self.rates(book, query.convert_to, &[period.to]).await?;
        let convert = (query.convert_to, rates.as_slice());
        let asked = Asked { side, by: query.by, period, limit: query.limit, convert };
        if query.by == By::Payee {
            self.check_size(&[period, period.before()], &only).await?;
            let now = self.payee_sums(period, side, &only).await?;
            let before = self.payee_sums(period.before(), side, &only).await?;
            return Ok(ReportAnswer::Flows(flows_by_payee(&asked, &now, &before)?));
        }
        let grain = if query.by == By::Month { Grain::CategoryMonth } else { Grain::Category };
        let now = self.sums(period, grain, &only).await?;
        let before = self.sums(period.before(), Grain::Category, &only).await?;
        Ok(ReportAnswer::Flows(flows(book, &asked, &now, &before)?))
    }

    async fn budgets(&self, book: &MoneyBook, query: &ReportQuery) -> Result<ReportAnswer> {
        let on = query.period.to;
        // Budgets of one kind share their period.
        let mut read: BTreeMap<(NaiveDate, NaiveDate), Vec<Sum>> = BTreeMap::new();
        let mut told = Vec::new();
        for budget in self.budget_rows().await? {
            let (now, earlier) = needed_sums(&budget, on);
            for period in [Some(now), earlier].into_iter().flatten() {
                let key = (period.from, period.to);
                if let Entry::Vacant(unread) = read.entry(key) {
                    unread.insert(self.sums(period, Grain::Category, &Only::accounts(query)).await?);
                }
            }
            let sums = |period: Period| read.get(&(period.from, period.to)).map_or(&[][..], Vec::as_slice);
            let earlier = earlier.map_or(&[][..], sums);
            told.push(budget_status(book, &budget, on, sums(now), earlier)?);
        }
        Ok(ReportAnswer::Budgets(told))
    }

    async fn goals(&self, book: &MoneyBook, query: &ReportQuery) -> Result<ReportAnswer> {
        let goals = self.goal_rows().await?;
        let accounts: Vec<Uuid> = goals.iter().filter_map(|goal| goal.account_id).collect();
        let mut told = Vec::new();
        let histories = match accounts.is_empty() {
            true => BTreeMap::new(),
            false => self.histories(book, &accounts, query.today).await?,
        };
        for goal in goals {
            let history = goal.account_id.and_then(|id| histories.get(&id));
            told.push(goal_progress(&goal, history, query.today)?);
        }
        Ok(ReportAnswer::Goals(told))
    }

    async fn histories(
        &self,
        book: &MoneyBook,
        accounts: &[Uuid],
        today: NaiveDate,
    ) -> Result<BTreeMap<Uuid, GoalHistory>> {
        let only = Only { accounts: accounts.to_vec(), categories: Vec::new() };
        let balances = self.changes_until(today, &only).await?;
        let first_months = self.first_months(accounts).await?;
        let (this_month, back) = (month_start(today), Months::new(MOST_MONTHS as u32));
        let begin = this_month.checked_sub_months(back).unwrap_or(this_month);
        let recent = match this_month.pred_opt() {
            Some(to) => self.sums(Period { from: begin, to }, Grain::AccountMonth, &only).await?,
            None => Vec::new(),
        };
        let known = book.accounts.iter().filter(|account| accounts.contains(&account.id));
        let histories = known.map(|account| {
            let gained_in = |month: NaiveDate| {
                let sums = recent.iter().filter(|sum| sum.account_id == account.id && sum.month == month);
                sums.map(|sum| sum.money_in + sum.money_out).sum::<i128>()
            };
            let first = first_months.get(&account.id);
            let months = Period { from: begin, to: this_month }.month_starts();
            let whole =
                months.filter(|month| *month < this_month && first.is_some_and(|first| month > first));
            let balance = i128::from(account.opening_balance) + balances.get(&account.id).unwrap_or(&0);
            let history = GoalHistory {
                account: account.name.clone(),
                currency: account.currency,
                balance: baton_core::reports::fits(balance)?,
                gained: whole.map(gained_in).collect(),
            };
            Ok((account.id, history))
        });
        histories.collect()
    }

    async fn odd_charges(&self, query: &ReportQuery) -> Result<OddCharges> {
        let earlier = query.period.from.checked_sub_days(chrono::Days::new(charges::LOOK_BACK_DAYS));
        let read = Period { from: earlier.unwrap_or(query.period.from), to: query.period.to };
        self.check_size(&[read], &Only::of(query)).await?;
        Ok(judge(self.charges(read, query).await?, query.period, query.limit))
    }

    /// Refuses what would read too many rows one by one.
    pub async fn check_size(&self, periods: &[Period], only: &Only) -> Result<()> {
        let mut entries = 0;
        for period in periods {
            entries += self.entries(*period, only).await?;
        }
        if entries <= MAX_READ {
            return Ok(());
        }
        let words = format!(
            "has about {entries} transactions with what it is compared with, and this report reads at most {MAX_READ}: name a \
             shorter period, an account or a category"
        );
        Err(Invalid::new("period", words).into())
    }

    /// How many amounts were booked, from the kept sums: that of whole months around the period.
    async fn entries(&self, period: Period, only: &Only) -> Result<i64> {
        let months = Period { from: month_start(period.from), to: baton_core::reports::month_end(period.to) };
        let sums = self.sums(months, Grain::Account, only).await?;
        let days = |period: Period| period.days().max(1);
        let entries: i64 = sums.iter().map(|sum| sum.entries).sum();
        Ok(entries.saturating_mul(days(period)) / days(months))
    }

    /// The rates that are needed to tell a total of these accounts on these days.
    async fn rates(&self, book: &MoneyBook, to: Option<Currency>, days: &[NaiveDate]) -> Result<Vec<Rate>> {
        let Some(to) = to else { return Ok(Vec::new()) };
        let mut others: Vec<Currency> = book.accounts.iter().map(|account| account.currency).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|currency| *currency != to);
        self.rates_between(to, &others, days).await
    }
}

/// Before anything was booked.
pub(crate) const FIRST_DAY: NaiveDate = match NaiveDate::from_ymd_opt(1900, 1, 1) {
    Some(day) => day,
    None => NaiveDate::MIN,
};

fn flow_of(text: &str) -> Result<Flow> {
    crate::db::stored("flow", text)
}

pub(crate) fn currency_of(text: &str) -> Result<Currency> {
    Currency::parse(text).ok_or_else(|| Error::Database(format!("currency holds {text:?}").into()))
}
