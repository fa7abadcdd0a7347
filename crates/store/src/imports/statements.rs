//! The balances that imported statements name, compared with those that our transactions add up to.

use baton_core::data::imports::ImportClaim;
use baton_core::ids::WorkspaceId;
use baton_core::store::{Error, Result};
use chrono::NaiveDate;
use sea_orm::{ConnectionTrait, Statement, Value};
use uuid::Uuid;

use super::find;
use super::progress::fenced;
use super::stored::month;
use crate::connect::SqlStore;
use crate::data;
use crate::db::{OrStoreError, now};

/// Whole months by their sums, and the month of the day by its transactions.
pub async fn balance(
    db: &impl ConnectionTrait,
    workspace: WorkspaceId,
    account: Uuid,
    day: Option<NaiveDate>,
) -> Result<i64> {
    let (sql, values): (_, Vec<Value>) = match day {
        None => (
            "SELECT CAST(accounts.opening_balance + COALESCE((SELECT SUM(money_in + money_out) FROM month_sums \
             WHERE month_sums.account_id = accounts.id), 0) AS BIGINT) AS balance FROM accounts WHERE id = $1 \
             AND accounts.workspace_id = $2",
            vec![account.into(), workspace.0.into()],
        ),
        Some(day) => (
            "SELECT CAST(accounts.opening_balance + COALESCE((SELECT SUM(money_in + money_out) FROM month_sums \
             WHERE month_sums.account_id = accounts.id AND month < $2), 0) \
             + COALESCE((SELECT SUM(amount) FROM transactions WHERE transactions.account_id = accounts.id \
             AND transactions.workspace_id = accounts.workspace_id AND booked_on >= $2 AND booked_on <= $3 \
             AND status = 'booked' AND deleted_at IS NULL), 0) AS BIGINT) AS balance FROM accounts WHERE id = $1 \
             AND accounts.workspace_id = $4",
            vec![account.into(), month(day).into(), day.into(), workspace.0.into()],
        ),
    };
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let row = db.query_one_raw(statement).await.db()?.ok_or(Error::NotFound("account"))?;
    row.try_get("", "balance").db()
}

impl SqlStore {
    pub(super) async fn statement_noted(
        &self,
        claim: ImportClaim,
        account: Uuid,
        stated: Option<(i64, NaiveDate)>,
        opening: Option<i64>,
    ) -> Result<bool> {
        let write = self.write().await?;
        if fenced(claim).exec(&*write).await.db()?.rows_affected == 0 {
            return Ok(false);
        }
        let workspace = find(&*write, claim.import_id).await?.workspace_id;
        data::lock(&write, workspace).await?;
        if let Some((amount, day)) = stated {
            let sql = "UPDATE accounts SET stated_balance = $3, stated_on = $4, updated_at = $5 WHERE id = $1 \
                       AND workspace_id = $2 AND (stated_on IS NULL OR stated_on <= $4)";
            let values: [Value; 5] =
                [account.into(), workspace.0.into(), amount.into(), day.into(), now().into()];
            write
                .execute_raw(Statement::from_sql_and_values(write.get_database_backend(), sql, values))
                .await
                .db()?;
        }
        if let Some(opening) = opening {
            // Of an account that nobody has changed since it was made.
            let sql = "UPDATE accounts SET opening_balance = $3, updated_at = $4 WHERE id = $1 AND workspace_id = $2 \
                       AND version = 1";
            let values: [Value; 4] = [account.into(), workspace.0.into(), opening.into(), now().into()];
            write
                .execute_raw(Statement::from_sql_and_values(write.get_database_backend(), sql, values))
                .await
                .db()?;
        }
        write.commit_unkept().await?;
        Ok(true)
    }
}
