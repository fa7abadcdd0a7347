//! Sums of booked transactions over many periods at once: whole months as they are kept, other days from rows.

use baton_core::reports::{MoneyBook, Period, Side, Sum, pieces};
use baton_core::store::Result;
use sea_orm::QueryResult;
use uuid::Uuid;

use super::sums::{FLOW, PART_AMOUNT, PART_CATEGORY, Values, halves, wide};
use super::{Flow, Reading, flow_of};
use crate::db::OrStoreError;

impl Reading {
    /// The sums of each of these periods, with its number. What months of a sum are is not told.
    pub async fn bucket_sums(&self, periods: &[Period]) -> Result<Vec<(usize, Sum)>> {
        let mut values = Values::default();
        let workspace = values.add(self.workspace);
        let nil = values.add(Uuid::nil());
        let (mut months, mut days) = (Vec::new(), Vec::new());
        for (number, period) in periods.iter().enumerate() {
            let cut = pieces(*period);
            if let Some((first, last)) = cut.months {
                months.push(format!("({number}, {}, {})", values.add(first), values.add(last)));
            }
            for piece in cut.days {
                let sign = if piece.is_added { 1 } else { -1 };
                days.push(format!(
                    "({number}, {}, {}, {sign})",
                    values.add(piece.from),
                    values.add(piece.to)
                ));
            }
        }
        let (mut with, mut parts) = (Vec::new(), Vec::new());
        if !months.is_empty() {
            with.push(format!("months(n, begins, ends) AS (VALUES {})", months.join(", ")));
            parts.push(format!(
                "SELECT months.n, s.account_id, s.month, s.category_id, s.flow, s.money_in, s.money_out, s.entries FROM months \
                 JOIN month_sums s ON s.workspace_id = {workspace} AND s.month >= months.begins AND s.month <= months.ends"
            ));
        }
        if !days.is_empty() {
            with.push(format!("days(n, begins, ends, times) AS (VALUES {})", days.join(", ")));
            parts.push(format!(
                "SELECT days.n, t.account_id, t.booked_on AS month, COALESCE({PART_CATEGORY}, {nil}) AS category_id, \
                 {FLOW} AS flow, days.times * CASE WHEN {PART_AMOUNT} > 0 THEN {PART_AMOUNT} ELSE 0 END AS money_in, \
                 days.times * CASE WHEN {PART_AMOUNT} < 0 THEN {PART_AMOUNT} ELSE 0 END AS money_out, \
                 CAST(days.times AS BIGINT) AS entries FROM days JOIN transactions t ON t.workspace_id = {workspace} \
                 AND t.booked_on >= days.begins AND t.booked_on <= days.ends AND t.deleted_at IS NULL \
                 LEFT JOIN transaction_splits s ON s.transaction_id = CASE WHEN t.is_split THEN t.id END \
                 WHERE t.status = 'booked'"
            ));
        }
        if parts.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "WITH {} SELECT CAST(n AS BIGINT) AS n, account_id, MIN(month) AS month, category_id, flow, {}, {}, \
             CAST(SUM(entries) AS BIGINT) AS entries FROM ({}) AS piece GROUP BY n, account_id, category_id, flow",
            with.join(", "),
            halves("money_in", "money_in"),
            halves("money_out", "money_out"),
            parts.join(" UNION ALL ")
        );
        self.rows(&sql, values.0).await?.iter().map(numbered).collect()
    }
}

fn numbered(row: &QueryResult) -> Result<(usize, Sum)> {
    let number = usize::try_from(row.try_get::<i64>("", "n").db()?).unwrap_or_default();
    let sum = Sum {
        account_id: row.try_get("", "account_id").db()?,
        month: row.try_get("", "month").db()?,
        category_id: row.try_get("", "category_id").db()?,
        flow: flow_of(&row.try_get::<String>("", "flow").db()?)?,
        money_in: wide(row, "money_in")?,
        money_out: wide(row, "money_out")?,
        entries: row.try_get("", "entries").db()?,
    };
    Ok((number, sum))
}

/// What a sum adds to income, to spending, or to what is left of both.
pub(crate) fn counted(book: &MoneyBook, sides: &[(Side, i128)], sum: &Sum) -> i128 {
    if sum.flow != Flow::Payment {
        return 0;
    }
    let side = |side| book.counted(side, sum.category_id, sum.money_in, sum.money_out);
    sides.iter().map(|(one, times)| times * side(*one)).sum()
}
