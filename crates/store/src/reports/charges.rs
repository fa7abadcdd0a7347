//! Single transactions that reports look at: charges to compare with each other, and the biggest ones.

use baton_core::reports::{Charge, Listed, MoneyBook, Period, ReportQuery, Side};
use baton_core::store::Result;
use sea_orm::QueryResult;
use uuid::Uuid;

use super::sums::{Only, Values};
use super::{MAX_READ, Reading, currency_of};
use crate::db::OrStoreError;

/// How far back earlier charges are looked for, to compare with.
pub const LOOK_BACK_DAYS: u64 = 100;

/// Booked, and neither a transfer nor a trade.
const IS_PAYMENT: &str =
    "t.deleted_at IS NULL AND t.status = 'booked' AND t.transfer_id IS NULL AND t.activity = 'payment'";

impl Reading {
    /// Payments that left, of payees that have a name.
    pub async fn charges(&self, period: Period, query: &ReportQuery) -> Result<Vec<Charge>> {
        let mut values = Values::default();
        let workspace = values.add(self.workspace);
        let (from, to) = (values.add(period.from), values.add(period.to));
        let only = self.only(query, &mut values);
        let sql = format!(
            "SELECT t.id, t.account_id, t.booked_on, t.payee, t.amount, t.currency FROM transactions t \
             WHERE t.workspace_id = {workspace} AND t.booked_on >= {from} AND t.booked_on <= {to} AND {IS_PAYMENT} \
             AND t.amount < 0 AND t.payee IS NOT NULL{only}"
        );
        let charge = |row: &QueryResult| {
            Ok(Charge {
                id: row.try_get_by_index(0).db()?,
                account_id: row.try_get_by_index(1).db()?,
                booked_on: row.try_get_by_index(2).db()?,
                payee: row.try_get_by_index(3).db()?,
                amount: row.try_get_by_index::<i64>(4).db()?.saturating_neg(),
                currency: currency_of(&row.try_get_by_index::<String>(5).db()?)?,
            })
        };
        self.rows(&sql, values.0).await?.iter().map(charge).collect()
    }

    /// Among few rows they are looked for by day; among many, from the biggest of all on.
    pub async fn biggest(&self, book: &MoneyBook, query: &ReportQuery) -> Result<Vec<Listed>> {
        let is_small = self.entries(query.period, &Only::of(query)).await? <= MAX_READ;
        let mut values = Values::default();
        let workspace = values.add(self.workspace);
        let (from, to) = (values.add(query.period.from), values.add(query.period.to));
        let (sign, order, other) = match query.side {
            Side::Spending => ("<", "ASC", Side::Income),
            Side::Income => (">", "DESC", Side::Spending),
        };
        let other = values.add(other.as_str());
        let only = self.only(query, &mut values);
        let limit = values.add(query.limit as i64);
        // The same value in a way that no index knows.
        let unindexed = |column: &str| format!("COALESCE(t.{column}, t.{column})");
        let (day, amount) = match is_small {
            true => ("t.booked_on".to_owned(), unindexed("amount")),
            false => (unindexed("booked_on"), "t.amount".to_owned()),
        };
        let sql = format!(
            "SELECT t.id, t.account_id, t.booked_on, t.amount, t.currency, t.payee, t.memo, t.category_id, t.is_split \
             FROM transactions t WHERE t.workspace_id = {workspace} AND {day} >= {from} AND {day} <= {to} \
             AND {IS_PAYMENT} AND {amount} {sign} 0{only} \
             AND COALESCE((SELECT c.type FROM categories c WHERE c.id = t.category_id), '') <> {other} \
             ORDER BY {amount} {order}, t.id {order} LIMIT {limit}"
        );
        self.rows(&sql, values.0).await?.iter().map(|row| listed(book, row)).collect()
    }

    /// A split transaction is of a category if a part is.
    fn only(&self, query: &ReportQuery, values: &mut Values) -> String {
        let accounts = values.one_of("t.account_id", &query.accounts);
        if query.categories.is_empty() {
            return accounts;
        }
        let nil = values.add(Uuid::nil());
        let whole = values.one_of(&format!("COALESCE(t.category_id, {nil})"), &query.categories);
        let part = values.one_of(&format!("COALESCE(s.category_id, {nil})"), &query.categories);
        format!(
            "{accounts} AND ((NOT t.is_split{whole}) OR (t.is_split AND EXISTS (\
             SELECT 1 FROM transaction_splits s WHERE s.transaction_id = t.id{part})))"
        )
    }
}

fn listed(book: &MoneyBook, row: &QueryResult) -> Result<Listed> {
    let (account_id, category_id) =
        (row.try_get("", "account_id").db()?, row.try_get::<Option<Uuid>>("", "category_id").db()?);
    let category = match row.try_get("", "is_split").db()? {
        true => "Split",
        false => book.category_name(category_id.unwrap_or_default()),
    };
    Ok(Listed {
        id: row.try_get("", "id").db()?,
        account_id,
        account: book.account(account_id).map(|account| account.name.clone()).unwrap_or_default(),
        booked_on: row.try_get("", "booked_on").db()?,
        amount: row.try_get("", "amount").db()?,
        currency: currency_of(&row.try_get::<String>("", "currency").db()?)?,
        payee: row.try_get("", "payee").db()?,
        memo: row.try_get("", "memo").db()?,
        category_id,
        category: category.to_owned(),
    })
}
