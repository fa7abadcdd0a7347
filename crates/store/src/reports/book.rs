//! The small tables of money: accounts, categories, budgets, goals, exchange rates.

use baton_core::money::Currency;
use baton_core::reports::{Account, Budget, Category, Goal, MoneyBook, Rate};
use baton_core::store::Result;
use chrono::NaiveDate;
use sea_orm::QueryResult;

use super::sums::Values;
use super::{Reading, currency_of};
use crate::db::{OrStoreError, stored};

/// How many days are asked for at once.
const DAYS_AT_ONCE: usize = 200;

fn text(row: &QueryResult, column: &str) -> Result<String> {
    row.try_get("", column).db()
}

impl Reading {
    pub async fn book(&self) -> Result<MoneyBook> {
        let sql = "SELECT id, name, type, currency, opening_balance, is_closed FROM accounts WHERE workspace_id = $1 \
                   ORDER BY name, id";
        let account = |row: &QueryResult| {
            Ok(Account {
                id: row.try_get("", "id").db()?,
                name: text(row, "name")?,
                account_type: text(row, "type")?,
                currency: currency_of(&text(row, "currency")?)?,
                opening_balance: row.try_get("", "opening_balance").db()?,
                is_closed: row.try_get("", "is_closed").db()?,
            })
        };
        let accounts = self.rows(sql, vec![self.workspace.into()]).await?;
        let sql = "SELECT id, name, type FROM categories WHERE workspace_id = $1 ORDER BY name, id";
        let category = |row: &QueryResult| {
            Ok(Category {
                id: row.try_get("", "id").db()?,
                name: text(row, "name")?,
                side: stored("type", &text(row, "type")?)?,
            })
        };
        let categories = self.rows(sql, vec![self.workspace.into()]).await?;
        Ok(MoneyBook {
            accounts: accounts.iter().map(account).collect::<Result<_>>()?,
            categories: categories.iter().map(category).collect::<Result<_>>()?,
        })
    }

    pub async fn budget_rows(&self) -> Result<Vec<Budget>> {
        let sql = "SELECT id, name, category_id, period, amount, currency, rolls_over, starts_on, ends_on FROM budgets \
                   WHERE workspace_id = $1 ORDER BY name, id";
        let budget = |row: &QueryResult| {
            Ok(Budget {
                id: row.try_get("", "id").db()?,
                name: text(row, "name")?,
                category_id: row.try_get("", "category_id").db()?,
                period: stored("period", &text(row, "period")?)?,
                amount: row.try_get("", "amount").db()?,
                currency: currency_of(&text(row, "currency")?)?,
                rolls_over: row.try_get("", "rolls_over").db()?,
                starts_on: row.try_get("", "starts_on").db()?,
                ends_on: row.try_get("", "ends_on").db()?,
            })
        };
        self.rows(sql, vec![self.workspace.into()]).await?.iter().map(budget).collect()
    }

    pub async fn goal_rows(&self) -> Result<Vec<Goal>> {
        let sql = "SELECT id, name, target_amount, currency, target_on, account_id, saved_amount, starts_on, status \
                   FROM goals WHERE workspace_id = $1 ORDER BY name, id";
        let goal = |row: &QueryResult| {
            Ok(Goal {
                id: row.try_get("", "id").db()?,
                name: text(row, "name")?,
                target_amount: row.try_get("", "target_amount").db()?,
                currency: currency_of(&text(row, "currency")?)?,
                target_on: row.try_get("", "target_on").db()?,
                account_id: row.try_get("", "account_id").db()?,
                saved_amount: row.try_get("", "saved_amount").db()?,
                starts_on: row.try_get("", "starts_on").db()?,
                status: text(row, "status")?,
            })
        };
        self.rows(sql, vec![self.workspace.into()]).await?.iter().map(goal).collect()
    }

    /// The rates between one currency and each of the others that held on these days, in both directions.
    pub async fn rates_between(
        &self,
        to: Currency,
        others: &[Currency],
        days: &[NaiveDate],
    ) -> Result<Vec<Rate>> {
        let mut rates = Vec::new();
        for other in others {
            for (of, in_currency) in [(*other, to), (to, *other)] {
                for days in days.chunks(DAYS_AT_ONCE) {
                    rates.extend(self.rates_on(of, in_currency, days).await?);
                }
            }
        }
        Ok(rates)
    }

    async fn rates_on(&self, of: Currency, in_currency: Currency, days: &[NaiveDate]) -> Result<Vec<Rate>> {
        let mut values = Values::default();
        let workspace = values.add(self.workspace);
        let (code, in_code) = (values.add(of.code()), values.add(in_currency.code()));
        let newest = days.iter().map(|day| {
            let day = values.add(*day);
            format!(
                "(SELECT MAX(valid_from) FROM exchange_rates WHERE workspace_id = {workspace} AND currency = {code} \
                 AND in_currency = {in_code} AND valid_from <= {day})"
            )
        });
        let newest: Vec<String> = newest.collect();
        let sql = format!(
            "SELECT rate, valid_from FROM exchange_rates WHERE workspace_id = {workspace} AND currency = {code} \
             AND in_currency = {in_code} AND valid_from IN ({})",
            newest.join(", ")
        );
        let rate = |row: &QueryResult| {
            let valid_from = row.try_get("", "valid_from").db()?;
            Ok(Rate { currency: of, in_currency, rate: text(row, "rate")?, valid_from })
        };
        self.rows(&sql, values.0).await?.iter().map(rate).collect()
    }
}
