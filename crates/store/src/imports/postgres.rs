//! A batch on Postgres: the workspace's data are locked, what is there is read in a few queries, and all new rows go in with one
//! statement. The statements that both engines use are here too.

use baton_core::data::imports::{Counts, ImportBatch, ImportClaim, MAX_REMARKS};
use baton_core::ids::WorkspaceId;
use baton_core::store::Result;
use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, DbBackend, ExprTrait, Statement, Value};
use serde_json::json;
use uuid::Uuid;

use super::progress::{fenced, keep_remarks};
use super::stored::{New, Settled, decide, flow};
use super::{find, known};
use crate::connect::SqlStore;
use crate::data::{self, sums};
use crate::db::{OrStoreError, now};
use crate::entities::imports::Column;
use crate::write::Write;

impl SqlStore {
    pub(super) async fn import_on_postgres(
        &self,
        claim: ImportClaim,
        mut batch: ImportBatch,
    ) -> Result<Option<Counts>> {
        let write = self.patient().write().await?;
        let guard = fenced(claim)
            .col_expr(Column::ItemsDone, Expr::value(batch.items_done.cast_signed()))
            .col_expr(Column::ClaimedUntil, Expr::cust("now() + interval '20 seconds'"));
        let guard =
            sea_orm::QueryFilter::filter(guard, sea_orm::ColumnTrait::eq(&Column::Status, "importing"));
        if guard.exec(&*write).await.db()?.rows_affected == 0 {
            return Ok(None);
        }
        let import = find(&*write, claim.import_id).await?;
        let scoped = super::scoped(import.workspace_id)?;
        data::lock(&write, import.workspace_id).await?;
        let gone = gone_categories(&write, import.workspace_id, &batch).await?;
        batch.forget_categories(&gone);
        let mut there = known::of(&*write, import.workspace_id, &batch.transactions).await?;
        let mut outcome = decide(&batch, |at| std::mem::take(&mut there[at]));
        insert(&write, import.workspace_id, claim.import_id.0, &outcome.new).await?;
        for settled in std::mem::take(&mut outcome.settled) {
            let (category, is_transfer, activity) =
                settle_on_postgres(&write, import.workspace_id.0, claim.import_id.0, &settled).await?;
            outcome.count_settled(settled.row, category, flow(is_transfer, &activity));
        }
        sums::apply(&write, scoped, &outcome.sums).await?;
        let mut totals = sums::Totals::default();
        totals.count("transactions", outcome.counts.new.cast_signed(), outcome.bytes);
        totals.apply(&write, scoped).await?;
        count(&write, claim, &outcome.counts).await?;
        let from = sea_orm::PaginatorTrait::count(
            sea_orm::QueryFilter::filter(
                <crate::entities::import_remarks::Entity as sea_orm::EntityTrait>::find(),
                sea_orm::ColumnTrait::eq(
                    &crate::entities::import_remarks::Column::ImportId,
                    claim.import_id.0,
                ),
            ),
            &*write,
        );
        let from = from.await.db()?;
        let left = MAX_REMARKS.saturating_sub(from) as usize;
        let remarks: Vec<_> = outcome.remarks.into_iter().take(left).collect();
        keep_remarks(&write, claim.import_id, from, &remarks).await?;
        write.commit_unkept().await?;
        Ok(Some(outcome.counts))
    }
}

/// Somebody may have deleted a category while the file was read.
async fn gone_categories(write: &Write, workspace: WorkspaceId, batch: &ImportBatch) -> Result<Vec<Uuid>> {
    let named = batch.categories();
    let sql = "SELECT id FROM categories WHERE workspace_id = $1 AND id = ANY(ARRAY(SELECT CAST(value AS uuid) \
               FROM jsonb_array_elements_text(CAST($2 AS jsonb)) AS named(value)))";
    let values: [Value; 2] = [workspace.0.into(), json!(named).to_string().into()];
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
    let there: Vec<Uuid> = write
        .query_all_raw(statement)
        .await
        .db()?
        .iter()
        .map(|row| row.try_get("", "id").db())
        .collect::<Result<_>>()?;
    Ok(named.into_iter().filter(|id| !there.contains(id)).collect())
}

async fn insert(write: &Write, workspace: WorkspaceId, import: Uuid, new: &[New<'_>]) -> Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    let row = |new: &New<'_>| {
        let row = new.row;
        json!({
            "id": new.id, "account_id": row.account_id, "booked_on": row.booked_on, "value_on": row.value_on,
            "amount": row.amount, "currency": row.currency.code(), "payee": row.payee, "memo": row.memo,
            "reference": row.reference, "counterparty_iban": row.counterparty_iban, "category_id": row.category_id,
            "is_split": !row.splits.is_empty(), "status": row.status, "activity": row.activity,
            "transfer_id": row.transfer_id, "foreign_amount": row.foreign_amount,
            "foreign_currency": row.foreign_currency.as_ref().map(|currency| currency.code()), "foreign_rate": row.foreign_rate,
            "notes": row.notes, "source_id": row.identity.source_id, "source_key": row.identity.key,
            "search_text": new.search_text,
        })
    };
    let rows = serde_json::Value::Array(new.iter().map(row).collect());
    let sql = "INSERT INTO transactions (id, workspace_id, account_id, booked_on, value_on, amount, currency, payee, memo, \
        reference, counterparty_iban, category_id, is_split, status, activity, transfer_id, foreign_amount, foreign_currency, \
        foreign_rate, notes, source_id, source_key, import_id, search_text, version, created_at, updated_at) \
        SELECT id, $2, account_id, booked_on, value_on, amount, currency, payee, memo, reference, counterparty_iban, \
        category_id, is_split, status, activity, transfer_id, foreign_amount, foreign_currency, foreign_rate, notes, source_id, \
        source_key, $3, search_text, 1, $4, $4 FROM jsonb_to_recordset(CAST($1 AS jsonb)) AS row(id uuid, account_id uuid, \
        booked_on date, value_on date, amount bigint, currency text, payee text, memo text, reference text, \
        counterparty_iban text, category_id uuid, is_split boolean, status text, activity text, transfer_id uuid, \
        foreign_amount bigint, foreign_currency text, foreign_rate text, notes text, source_id text, source_key text, \
        search_text text)";
    let values: [Value; 4] = [rows.to_string().into(), workspace.0.into(), import.into(), now().into()];
    write.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.db()?;
    let splits = new.iter().flat_map(|new| {
        (0..).zip(&new.row.splits).map(|(position, split)| {
            json!({
                "transaction_id": new.id, "position": position, "category_id": split.category_id,
                "amount": split.amount, "memo": split.memo,
            })
        })
    });
    let splits: Vec<_> = splits.collect();
    if splits.is_empty() {
        return Ok(());
    }
    let sql = "INSERT INTO transaction_splits (transaction_id, position, workspace_id, category_id, amount, memo) \
        SELECT transaction_id, position, $2, category_id, amount, memo FROM jsonb_to_recordset(CAST($1 AS jsonb)) \
        AS row(transaction_id uuid, position bigint, category_id uuid, amount bigint, memo text)";
    let values: [Value; 2] = [serde_json::Value::Array(splits).to_string().into(), workspace.0.into()];
    write.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await.db()?;
    Ok(())
}

async fn settle_on_postgres(
    write: &Write,
    workspace: Uuid,
    import: Uuid,
    settled: &Settled<'_>,
) -> Result<(Option<Uuid>, bool, String)> {
    let (id, row) = (settled.row_id, settled.row);
    let before: [Value; 3] = [import.into(), id.into(), workspace.into()];
    let sql = keep_before("jsonb_build_object", "$");
    write.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, before)).await.db()?;
    let sql = "DELETE FROM transaction_splits WHERE transaction_id = $1 AND workspace_id = $2";
    let parts: [Value; 2] = [id.into(), workspace.into()];
    write.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, parts)).await.db()?;
    let values: [Value; 17] = [
        id.into(),
        import.into(),
        row.booked_on.into(),
        row.value_on.into(),
        row.amount.into(),
        row.payee.clone().into(),
        row.memo.clone().into(),
        row.reference.clone().into(),
        row.counterparty_iban.clone().into(),
        row.foreign_amount.into(),
        row.foreign_currency.map(|currency| currency.code().to_owned()).into(),
        row.foreign_rate.clone().into(),
        row.identity.source_id.clone().into(),
        row.identity.key.clone().into(),
        settled.search_text.clone().into(),
        now().into(),
        workspace.into(),
    ];
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, settle("$"), values);
    let found = write.query_one_raw(statement).await.db()?;
    let found = found.ok_or(baton_core::store::Error::NotFound("transaction any more"))?;
    let transfer: Option<Uuid> = found.try_get("", "transfer_id").db()?;
    Ok((found.try_get("", "category_id").db()?, transfer.is_some(), found.try_get("", "activity").db()?))
}

/// Keeps a pending transaction as it is, for the undo of the import that books it. One of the import itself goes with it.
pub fn keep_before(json_object: &str, place: &str) -> String {
    let fields = [
        "booked_on",
        "value_on",
        "amount",
        "payee",
        "memo",
        "reference",
        "counterparty_iban",
        "foreign_amount",
        "foreign_currency",
        "foreign_rate",
        "source_id",
        "source_key",
        "search_text",
    ];
    let fields: Vec<String> = fields.iter().map(|name| format!("'{name}', {name}")).collect();
    format!(
        "INSERT INTO import_changes (import_id, row_id, kind, change_id, before, version) \
         SELECT {place}1, id, 'transactions', NULL, {json_object}({}), version + 1 FROM transactions WHERE id = {place}2 \
         AND workspace_id = {place}3 AND (import_id IS NULL OR import_id <> {place}1) ON CONFLICT DO NOTHING",
        fields.join(", ")
    )
}

pub fn settle(place: &str) -> String {
    let sql = "UPDATE transactions SET booked_on = $3, value_on = $4, amount = $5, payee = $6, memo = $7, reference = $8, \
        counterparty_iban = $9, foreign_amount = $10, foreign_currency = $11, foreign_rate = $12, source_id = $13, \
        source_key = $14, search_text = $15, updated_at = $16, status = 'booked', is_split = FALSE, \
        version = version + CASE WHEN import_id = $2 THEN 0 ELSE 1 END WHERE id = $1 \
        AND workspace_id = $17 RETURNING category_id, transfer_id, activity";
    sql.replace('$', place)
}

async fn count(write: &Write, claim: ImportClaim, counts: &Counts) -> Result<()> {
    let add = |column: Column, count: u64| (column, Expr::col(column).add(count.cast_signed()));
    let mut update = fenced(claim);
    for (column, sum) in [
        add(Column::RowsRead, counts.read),
        add(Column::RowsNew, counts.new),
        add(Column::RowsChanged, counts.changed),
        add(Column::RowsDuplicate, counts.duplicates),
        add(Column::RowsDeleted, counts.deleted),
        add(Column::RowsReused, counts.reused),
        add(Column::RowsRefused, counts.refused),
    ] {
        update = update.col_expr(column, sum);
    }
    update.exec(&**write).await.db().map(drop)
}
