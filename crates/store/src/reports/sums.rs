//! Sums of booked transactions over a period: whole months as they are kept, the days at its edges from rows.

use baton_core::reports::{Days, PayeeSum, Period, ReportQuery, Side, Sum, pieces};
use baton_core::store::Result;
use chrono::NaiveDate;
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Value};
use uuid::Uuid;

use super::{Reading, currency_of, flow_of};
use crate::db::OrStoreError;

/// What sums are told apart by. Each says the account too, for its currency.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    Account,
    AccountMonth,
    Category,
    CategoryMonth,
}

/// What counts; all if there is none.
#[derive(Clone, Default)]
pub struct Only {
    pub accounts: Vec<Uuid>,
    pub categories: Vec<Uuid>,
}

impl Only {
    pub fn of(query: &ReportQuery) -> Self {
        Self { accounts: query.accounts.clone(), categories: query.categories.clone() }
    }

    /// Balances have no categories.
    pub fn accounts(query: &ReportQuery) -> Self {
        Self { accounts: query.accounts.clone(), categories: Vec::new() }
    }
}

/// Values of a statement, numbered as they are added.
#[derive(Default)]
pub struct Values(pub Vec<Value>);

impl Values {
    pub fn add(&mut self, value: impl Into<Value>) -> String {
        self.0.push(value.into());
        format!("${}", self.0.len())
    }

    /// `column IN (…)`, or nothing that limits.
    pub fn one_of(&mut self, column: &str, ids: &[Uuid]) -> String {
        if ids.is_empty() {
            return String::new();
        }
        let listed: Vec<String> = ids.iter().map(|id| self.add(*id)).collect();
        format!(" AND {column} IN ({})", listed.join(", "))
    }
}

/// Parts of a split transaction, and any other as its only part. Others have no row in the join.
pub const PARTS: &str = "transactions t LEFT JOIN transaction_splits s \
    ON s.transaction_id = CASE WHEN t.is_split THEN t.id END";
pub const PART_AMOUNT: &str = "COALESCE(s.amount, t.amount)";
pub const PART_CATEGORY: &str = "CASE WHEN t.is_split THEN s.category_id ELSE t.category_id END";
pub const FLOW: &str = "CASE WHEN t.transfer_id IS NOT NULL THEN 'transfer' ELSE t.activity END";

/// A sum that can't overflow: of the upper and of the lower half of each number. [`wide`] puts them together.
pub fn halves(number: &str, name: &str) -> String {
    format!(
        "CAST(SUM(({number}) >> 32) AS BIGINT) AS {name}_high, \
         CAST(SUM(({number}) & 4294967295) AS BIGINT) AS {name}_low"
    )
}

pub fn wide(row: &QueryResult, name: &str) -> Result<i128> {
    let half = |half: &str| row.try_get::<i64>("", &format!("{name}_{half}")).db();
    Ok((i128::from(half("high")?) << 32) + i128::from(half("low")?))
}

impl Reading {
    pub async fn sums(&self, period: Period, grain: Grain, only: &Only) -> Result<Vec<Sum>> {
        let mut values = Values::default();
        let pieces = pieces(period);
        let mut parts = Vec::new();
        if let Some((first, last)) = pieces.months {
            let workspace = values.add(self.workspace);
            let (first, last) = (values.add(first), values.add(last));
            parts.push(format!(
                "SELECT account_id, month, category_id, flow, money_in, money_out, entries FROM month_sums \
                 WHERE workspace_id = {workspace} AND month >= {first} AND month <= {last}{}{}",
                values.one_of("account_id", &only.accounts),
                values.one_of("category_id", &only.categories),
            ));
        }
        for days in &pieces.days {
            parts.push(self.of_days(*days, only, &mut values));
        }
        let (columns, by) = match grain {
            Grain::Account => ("account_id, MIN(month) AS month", "account_id"),
            Grain::AccountMonth => ("account_id, month", "account_id, month"),
            Grain::Category => {
                ("account_id, MIN(month) AS month, category_id, flow", "account_id, category_id, flow")
            }
            Grain::CategoryMonth => {
                ("account_id, month, category_id, flow", "account_id, month, category_id, flow")
            }
        };
        let sql = format!(
            "SELECT {columns}, {}, {}, CAST(SUM(entries) AS BIGINT) AS entries FROM ({}) AS piece GROUP BY {by}",
            halves("money_in", "money_in"),
            halves("money_out", "money_out"),
            parts.join(" UNION ALL ")
        );
        let has_category = matches!(grain, Grain::Category | Grain::CategoryMonth);
        let rows = self.rows(&sql, values.0).await?;
        let mut sums = rows.iter().map(|row| sum(row, has_category)).collect::<Result<Vec<_>>>()?;
        // What was counted with its month and taken away again.
        sums.retain(|sum| (sum.entries, sum.money_in, sum.money_out) != (0, 0, 0));
        Ok(sums)
    }

    fn of_days(&self, days: Days, only: &Only, values: &mut Values) -> String {
        let nil = values.add(Uuid::nil());
        let workspace = values.add(self.workspace);
        let (from, to) = (values.add(days.from), values.add(days.to));
        let month = match self.txn.get_database_backend() {
            DbBackend::Postgres => "CAST(date_trunc('month', t.booked_on) AS DATE)",
            _ => "substr(t.booked_on, 1, 7) || '-01'",
        };
        let sign = if days.is_added { "" } else { "-" };
        let category = format!("COALESCE({PART_CATEGORY}, {nil})");
        format!(
            "SELECT t.account_id, {month} AS month, {category} AS category_id, {FLOW} AS flow, \
             {sign}CASE WHEN {PART_AMOUNT} > 0 THEN {PART_AMOUNT} ELSE 0 END AS money_in, \
             {sign}CASE WHEN {PART_AMOUNT} < 0 THEN {PART_AMOUNT} ELSE 0 END AS money_out, \
             {sign}1 AS entries FROM {PARTS} WHERE t.workspace_id = {workspace} AND t.booked_on >= {from} \
             AND t.booked_on <= {to} AND t.deleted_at IS NULL AND t.status = 'booked'{}{}",
            values.one_of("t.account_id", &only.accounts),
            values.one_of(&category, &only.categories),
        )
    }

    /// Of payments on one side: the category's, or without one that of the sign.
    pub async fn payee_sums(&self, period: Period, side: Side, only: &Only) -> Result<Vec<PayeeSum>> {
        let mut values = Values::default();
        let nil = values.add(Uuid::nil());
        let workspace = values.add(self.workspace);
        let (from, to) = (values.add(period.from), values.add(period.to));
        let (sign, goes) = if side == Side::Spending { ("-", "<") } else { ("", ">") };
        let side = values.add(side.as_str());
        let category = format!("COALESCE({PART_CATEGORY}, {nil})");
        let sql = format!(
            "SELECT t.payee, t.currency, {}, COUNT(*) AS entries FROM {PARTS} LEFT JOIN categories c \
             ON c.id = {PART_CATEGORY} AND c.workspace_id = t.workspace_id \
             WHERE t.workspace_id = {workspace} AND t.booked_on >= {from} AND t.booked_on <= {to} \
             AND t.deleted_at IS NULL AND t.status = 'booked' AND t.transfer_id IS NULL AND t.activity = 'payment' \
             AND (c.type = {side} OR (c.id IS NULL AND {PART_AMOUNT} {goes} 0)){}{} GROUP BY t.payee, t.currency",
            halves(&format!("{sign}{PART_AMOUNT}"), "amount"),
            values.one_of("t.account_id", &only.accounts),
            values.one_of(&category, &only.categories),
        );
        let sum = |row: &QueryResult| {
            Ok(PayeeSum {
                payee: row.try_get("", "payee").db()?,
                currency: currency_of(&row.try_get::<String>("", "currency").db()?)?,
                amount: wide(row, "amount")?,
                entries: row.try_get("", "entries").db()?,
            })
        };
        self.rows(&sql, values.0).await?.iter().map(sum).collect()
    }

    /// The month of each account's first booked transaction.
    pub async fn first_months(
        &self,
        accounts: &[Uuid],
    ) -> Result<std::collections::BTreeMap<Uuid, NaiveDate>> {
        let mut values = Values::default();
        let workspace = values.add(self.workspace);
        let sql = format!(
            "SELECT account_id, MIN(month) AS month FROM month_sums WHERE workspace_id = {workspace} AND entries > 0{} \
             GROUP BY account_id",
            values.one_of("account_id", accounts)
        );
        let month =
            |row: &QueryResult| Ok((row.try_get("", "account_id").db()?, row.try_get("", "month").db()?));
        self.rows(&sql, values.0).await?.iter().map(month).collect()
    }
}

fn sum(row: &QueryResult, has_category: bool) -> Result<Sum> {
    let (category_id, flow) = match has_category {
        true => {
            let flow: String = row.try_get("", "flow").db()?;
            (row.try_get("", "category_id").db()?, flow_of(&flow)?)
        }
        // All flows together: only balances are told by account.
        false => (Uuid::nil(), baton_core::reports::Flow::Payment),
    };
    Ok(Sum {
        account_id: row.try_get("", "account_id").db()?,
        month: row.try_get("", "month").db()?,
        category_id,
        flow,
        money_in: wide(row, "money_in")?,
        money_out: wide(row, "money_out")?,
        entries: row.try_get("", "entries").db()?,
    })
}
