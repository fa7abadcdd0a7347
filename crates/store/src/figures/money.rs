//! Figures over money: counted from kept sums, listed from rows.

use std::collections::BTreeMap;

use baton_core::figures::{Cell, FigureRow, FigureRows, Grain, RowsQuery, Told};
use baton_core::money::Currency;
use baton_core::reports::{Period, Side, balances, fits};
use baton_core::store::Result;

use super::sources::{Amount, At, Source};
use super::{Asked, together};
use crate::reports::bucket_sums::counted;
use crate::reports::sums::Only;

macro_rules! payments {
    ($also:literal) => {
        concat!(
            "r.deleted_at IS NULL AND r.status = 'booked' AND r.transfer_id IS NULL AND r.activity = 'payment'",
            $also
        )
    };
}

/// A part of a split transaction is a row, and so is any other transaction.
const NET: Source = Source {
    table: "transactions",
    joins: "LEFT JOIN transaction_splits s ON s.transaction_id = CASE WHEN r.is_split THEN r.id END \
            LEFT JOIN categories c ON c.workspace_id = r.workspace_id \
            AND c.id = CASE WHEN r.is_split THEN s.category_id ELSE r.category_id END",
    filter: payments!(""),
    begins: At::Day("r.booked_on"),
    currency: Some("r.currency"),
    amount: Amount::Of("COALESCE(s.amount, r.amount)"),
    title: "COALESCE(r.payee, r.memo, '')",
    ..super::sources::BASE
};
const INCOME: Source = Source {
    filter: payments!(" AND (c.type = 'income' OR (c.id IS NULL AND COALESCE(s.amount, r.amount) > 0))"),
    ..NET
};
const SPENDING: Source = Source {
    filter: payments!(" AND (c.type = 'spending' OR (c.id IS NULL AND COALESCE(s.amount, r.amount) < 0))"),
    amount: Amount::Of("-COALESCE(s.amount, r.amount)"),
    ..NET
};

impl Asked<'_> {
    /// Which sides it adds up, and how often.
    fn sides(&self) -> &'static [(Side, i128)] {
        match self.figure.name {
            "income" => &[(Side::Income, 1)],
            "spending" => &[(Side::Spending, 1)],
            _ => &[(Side::Income, 1), (Side::Spending, -1)],
        }
    }

    pub async fn count_money(&self, all: &[Period], by: Grain, unknown: &mut [bool]) -> Result<Vec<Cell>> {
        if let (Some(first), Some(last), true) = (all.first(), all.last(), by != Grain::Month) {
            // Days and parts of months are read from rows.
            let span = Period { from: first.from.min(last.from), to: last.to };
            self.reading.check_size(&[span], &Only::default()).await?;
        }
        if self.figure.told == Told::AtEnd {
            self.mark_future(all, unknown);
            return self.count_net_worth(all, unknown).await;
        }
        let book = self.reading.book().await?;
        let mut cells = Vec::new();
        for (bucket, sum) in self.reading.bucket_sums(all).await? {
            let Some(account) = book.account(sum.account_id) else { continue };
            cells.push(cell(bucket, account.currency, counted(&book, self.sides(), &sum)));
        }
        let mut cells = together(cells);
        cells.retain(|cell| cell.sum != 0);
        Ok(cells)
    }

    async fn count_net_worth(&self, all: &[Period], unknown: &[bool]) -> Result<Vec<Cell>> {
        let book = self.reading.book().await?;
        let known = all.iter().zip(unknown).filter(|(_, unknown)| !**unknown);
        let mut ends: Vec<_> = known.map(|(bucket, _)| self.end_of(*bucket)).collect();
        ends.sort_unstable();
        ends.dedup();
        let Some(first) = ends.first() else { return Ok(Vec::new()) };
        let changes = self.reading.changes_until(*first, &Only::default()).await?;
        let mut totals: BTreeMap<Currency, i128> = BTreeMap::new();
        for account in &book.accounts {
            let change = changes.get(&account.id).copied().unwrap_or_default();
            *totals.entry(account.currency).or_default() += i128::from(account.opening_balance) + change;
        }
        let between = ends.windows(2);
        let between: Vec<Period> =
            between.filter_map(|two| Some(Period { from: two[0].succ_opt()?, to: two[1] })).collect();
        let mut gained: BTreeMap<(usize, Currency), i128> = BTreeMap::new();
        for (number, sum) in self.reading.bucket_sums(&between).await? {
            let Some(account) = book.account(sum.account_id) else { continue };
            *gained.entry((number + 1, account.currency)).or_default() += sum.money_in + sum.money_out;
        }
        let mut cells = Vec::new();
        for (place, end) in ends.iter().enumerate() {
            for (currency, total) in &mut totals {
                *total += gained.get(&(place, *currency)).copied().unwrap_or_default();
                let here = all
                    .iter()
                    .enumerate()
                    .filter(|(number, bucket)| !unknown[*number] && self.end_of(**bucket) == *end);
                cells.extend(here.map(|(number, _)| cell(number, *currency, *total)));
            }
        }
        Ok(cells)
    }

    pub async fn list_money(&self, query: &RowsQuery) -> Result<FigureRows> {
        if self.figure.told == Told::AtEnd {
            return self.list_balances(query).await;
        }
        let source = match self.figure.name {
            "income" => &INCOME,
            "spending" => &SPENDING,
            _ => &NET,
        };
        self.list_rows(source, query).await
    }

    /// Balances at the end of a bucket: few enough for one page.
    async fn list_balances(&self, query: &RowsQuery) -> Result<FigureRows> {
        let on = self.end_of(query.bucket);
        let changes = self.reading.changes_until(on, &Only::default()).await?;
        let told = balances(&self.reading.book().await?, on, &changes, (None, &[]))?;
        let is_asked = |currency: Currency| query.currency.is_none_or(|asked| asked == currency);
        let mut rows = Vec::new();
        for one in told.accounts.into_iter().filter(|one| is_asked(one.account.currency)) {
            rows.push(FigureRow {
                id: one.account.id,
                on,
                at: None,
                title: one.account.name,
                key: String::new(),
                currency: Some(one.account.currency),
                amount: fits(one.balance.into())?,
                agent_id: None,
                conversation_id: None,
            });
        }
        let after = usize::try_from(query.offset).unwrap_or(usize::MAX).min(rows.len());
        let mut rows = rows.split_off(after);
        let most = usize::try_from(query.limit).unwrap_or(usize::MAX);
        let next_offset = (rows.len() > most).then_some(query.offset + query.limit);
        rows.truncate(most);
        Ok(FigureRows { rows, next_offset, others: Vec::new() })
    }
}

fn cell(bucket: usize, currency: Currency, sum: i128) -> Cell {
    Cell { bucket, key: String::new(), label: String::new(), currency: Some(currency), count: 0, sum }
}
