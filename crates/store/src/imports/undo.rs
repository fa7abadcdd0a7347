//! Takes an import's transactions back, some at a time. A row that somebody changed since stays: it is theirs now, and no longer
//! the import's. What was pending before the import is pending again.

use baton_core::data::duplicates::Status;
use baton_core::data::imports::{ImportClaim, Undone};
use baton_core::data::money::{SumChanges, SumKey};
use baton_core::ids::WorkspaceId;
use baton_core::store::Result;
use chrono::NaiveDate;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, ExprTrait, QueryFilter, QueryResult, Statement, Value};
use uuid::Uuid;

use super::find;
use super::progress::fenced;
use super::stored::{flow, month};
use crate::connect::SqlStore;
use crate::data::{self, sums};
use crate::db::{OrStoreError, now};
use crate::entities::imports::Column;
use crate::write::Write;

/// Rows in one transaction.
const ROWS: i64 = 500;

impl SqlStore {
    pub(super) async fn transactions_undone(&self, claim: ImportClaim) -> Result<Option<Undone>> {
        let write = self.write().await?;
        let guard = fenced(claim).filter(Column::Status.eq("undoing"));
        if guard.exec(&*write).await.db()?.rows_affected == 0 {
            return Ok(None);
        }
        let workspace = find(&*write, claim.import_id).await?.workspace_id;
        data::lock(&write, workspace).await?;
        let mut piece =
            Piece { write: &write, workspace, import: claim.import_id.0, sums: SumChanges::default() };
        let mut undone = piece.unsettle().await?;
        // Rows that somebody deleted count for nothing, and others may come after them.
        while undone == Undone::default()
            && let Some(removed) = piece.remove().await?
        {
            undone = removed;
        }
        sums::apply(&write, super::scoped(workspace)?, &piece.sums).await?;
        let counted = fenced(claim)
            .col_expr(Column::RowsUndone, Expr::col(Column::RowsUndone).add(undone.removed.cast_signed()))
            .col_expr(Column::RowsKept, Expr::col(Column::RowsKept).add(undone.kept.cast_signed()));
        counted.exec(&*write).await.db()?;
        write.commit_unkept().await?;
        Ok(Some(undone))
    }
}

struct Piece<'a> {
    write: &'a Write,
    workspace: WorkspaceId,
    import: Uuid,
    sums: SumChanges,
}

const COUNTED: &str = "transactions.account_id AS account_id, transactions.booked_on AS booked_on, transactions.amount AS amount, \
    transactions.category_id AS category_id, transactions.is_split AS is_split, transactions.status AS status, \
    transactions.activity AS activity, transactions.transfer_id AS transfer_id, transactions.deleted_at IS NOT NULL AS is_deleted";

impl Piece<'_> {
    async fn run(&self, sql: &str, values: Vec<Value>) -> Result<u64> {
        let statement = Statement::from_sql_and_values(self.write.get_database_backend(), sql, values);
        Ok(self.write.execute_raw(statement).await.db()?.rows_affected())
    }

    async fn rows(&self, sql: &str, values: Vec<Value>) -> Result<Vec<QueryResult>> {
        let statement = Statement::from_sql_and_values(self.write.get_database_backend(), sql, values);
        self.write.query_all_raw(statement).await.db()
    }

    /// Removes some of the rows that the import brought; none if there are none left.
    async fn remove(&mut self) -> Result<Option<Undone>> {
        let sql = format!(
            "SELECT id, version, {COUNTED}, COALESCE(octet_length(payee), 0) + COALESCE(octet_length(memo), 0) \
             + COALESCE(octet_length(reference), 0) + COALESCE(octet_length(counterparty_iban), 0) \
             + COALESCE(octet_length(notes), 0) + octet_length(source_key) AS bytes \
             FROM transactions WHERE import_id = $1 AND workspace_id = $2 ORDER BY id LIMIT $3"
        );
        let values = vec![self.import.into(), self.workspace.0.into(), ROWS.into()];
        let (mut going, mut staying) = (Vec::new(), Vec::new());
        let (mut kept, mut bytes) = (0, 0);
        let rows = self.rows(&sql, values).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        for row in rows {
            let id: Uuid = row.try_get("", "id").db()?;
            let is_deleted: bool = row.try_get("", "is_deleted").db()?;
            if row.try_get::<i64>("", "version").db()? > 1 || is_deleted {
                kept += u64::from(!is_deleted);
                staying.push(id);
                continue;
            }
            self.uncount(id, &row).await?;
            bytes += 100
                + 36 * 8
                + i64::from(
                    row.try_get::<i32>("", "bytes")
                        .or_else(|_| row.try_get::<i64>("", "bytes").map(|n| n as i32))
                        .db()?,
                );
            going.push(id);
        }
        if !staying.is_empty() {
            let sql = format!(
                "UPDATE transactions SET import_id = NULL WHERE workspace_id = $1 AND id IN ({})",
                places(staying.len())
            );
            self.run(&sql, self.with(&staying)).await?;
        }
        if !going.is_empty() {
            let sql = format!(
                "DELETE FROM transactions WHERE workspace_id = $1 AND id IN ({})",
                places(going.len())
            );
            self.run(&sql, self.with(&going)).await?;
            let mut totals = sums::Totals::default();
            totals.count("transactions", -(going.len().cast_signed() as i64), -bytes);
            totals.apply(self.write, super::scoped(self.workspace)?).await?;
        }
        Ok(Some(Undone { removed: going.len() as u64, kept }))
    }

    fn with(&self, ids: &[Uuid]) -> Vec<Value> {
        std::iter::once(self.workspace.0.into()).chain(ids.iter().map(|&id| id.into())).collect()
    }

    /// Takes a row out of the sums.
    async fn uncount(&mut self, id: Uuid, row: &QueryResult) -> Result<()> {
        let status: String = row.try_get("", "status").db()?;
        if status == Status::Pending.as_str() || row.try_get("", "is_deleted").db()? {
            return Ok(());
        }
        let transfer: Option<Uuid> = row.try_get("", "transfer_id").db()?;
        let booked_on: NaiveDate = row.try_get("", "booked_on").db()?;
        let activity: String = row.try_get("", "activity").db()?;
        let account_id = row.try_get("", "account_id").db()?;
        let key = |category: Option<Uuid>| SumKey {
            account_id,
            month: month(booked_on),
            category_id: category.unwrap_or_default(),
            flow: flow(transfer.is_some(), &activity),
        };
        if !row.try_get::<bool>("", "is_split").db()? {
            let category = row.try_get("", "category_id").db()?;
            self.sums.count(key(category), row.try_get("", "amount").db()?, -1);
            return Ok(());
        }
        let sql = "SELECT category_id, amount FROM transaction_splits WHERE transaction_id = $1 AND workspace_id = $2";
        for part in self.rows(sql, vec![id.into(), self.workspace.0.into()]).await? {
            let category = part.try_get("", "category_id").db()?;
            self.sums.count(key(category), part.try_get("", "amount").db()?, -1);
        }
        Ok(())
    }

    /// What was pending is pending again, unless somebody changed it since.
    async fn unsettle(&mut self) -> Result<Undone> {
        let sql = format!(
            "SELECT import_changes.row_id AS row_id, import_changes.before AS before, \
             import_changes.version AS left_at, transactions.version AS version, {COUNTED} \
             FROM import_changes JOIN transactions ON transactions.id = import_changes.row_id \
             WHERE import_changes.import_id = $1 AND import_changes.before IS NOT NULL AND transactions.workspace_id = $2 \
             LIMIT $3"
        );
        let mut undone = Undone::default();
        let values = vec![self.import.into(), self.workspace.0.into(), ROWS.into()];
        for row in self.rows(&sql, values).await? {
            let id: Uuid = row.try_get("", "row_id").db()?;
            let is_as_left =
                row.try_get::<i64>("", "left_at").db()? == row.try_get::<i64>("", "version").db()?;
            if is_as_left && !row.try_get::<bool>("", "is_deleted").db()? {
                self.uncount(id, &row).await?;
                let before: serde_json::Value = row.try_get("", "before").db()?;
                self.restore(id, &before).await?;
                undone.removed += 1;
            } else {
                undone.kept += 1;
            }
            let sql = "DELETE FROM import_changes WHERE import_id = $1 AND row_id = $2";
            self.run(sql, vec![self.import.into(), id.into()]).await?;
        }
        Ok(undone)
    }

    async fn restore(&self, id: Uuid, before: &serde_json::Value) -> Result<()> {
        let text = |name: &str| before[name].as_str().map(str::to_owned);
        let day = |name: &str| before[name].as_str().and_then(|day| day.parse::<NaiveDate>().ok());
        let sql = "UPDATE transactions SET booked_on = $3, value_on = $4, amount = $5, payee = $6, memo = $7, \
            reference = $8, counterparty_iban = $9, foreign_amount = $10, foreign_currency = $11, foreign_rate = $12, \
            source_id = $13, source_key = $14, search_text = $15, updated_at = $16, status = 'pending', \
            version = version + 1 WHERE id = $1 AND workspace_id = $2";
        let values: Vec<Value> = vec![
            id.into(),
            self.workspace.0.into(),
            day("booked_on").into(),
            day("value_on").into(),
            before["amount"].as_i64().into(),
            text("payee").into(),
            text("memo").into(),
            text("reference").into(),
            text("counterparty_iban").into(),
            before["foreign_amount"].as_i64().into(),
            text("foreign_currency").into(),
            text("foreign_rate").into(),
            text("source_id").into(),
            text("source_key").into(),
            text("search_text").into(),
            now().into(),
        ];
        self.run(sql, values).await.map(drop)
    }
}

/// `$2, $3, …`
fn places(count: usize) -> String {
    (2..count + 2).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ")
}
