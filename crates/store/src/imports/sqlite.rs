//! A batch on SQLite: cached statements on the writer's connection, inside its transaction, in one short commit.

use baton_core::data::duplicates::{Identity, Known};
use baton_core::data::imports::{Counts, ImportBatch, ImportClaim, MAX_REMARKS};
use baton_core::store::KnownTransaction;
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use uuid::Uuid;

use super::known::state;
use super::stored::{New, Settled, decide, flow};
use crate::data::sums;
use crate::db::now;

pub fn import(db: &Connection, claim: ImportClaim, mut batch: ImportBatch) -> Result<Option<Counts>> {
    let guard = "UPDATE imports SET items_done = ?3, updated_at = ?4 WHERE id = ?1 AND attempt = ?2 AND ended_at IS NULL \
                 AND status = 'importing' RETURNING workspace_id";
    let (id, at) = (claim.import_id.0, time(now()));
    let values = params![blob(id), claim.attempt, batch.items_done.cast_signed(), at];
    let workspace = db.prepare_cached(guard)?.query_row(values, |row| uuid(row, 0)).optional()?;
    let Some(workspace) = workspace else { return Ok(None) };
    // Somebody may have deleted a category while the file was read.
    let mut gone = Vec::new();
    for category in batch.categories() {
        let sql = "SELECT 1 FROM categories WHERE id = ?1 AND workspace_id = ?2";
        if !db.prepare_cached(sql)?.exists(params![blob(category), blob(workspace)])? {
            gone.push(category);
        }
    }
    batch.forget_categories(&gone);
    let batch = &batch;
    let mut wrong = None;
    let mut outcome = decide(batch, |at| {
        known(db, workspace, batch, at).unwrap_or_else(|error| {
            wrong.get_or_insert(error);
            Vec::new()
        })
    });
    if let Some(error) = wrong {
        return Err(error);
    }
    for new in &outcome.new {
        insert(db, workspace, id, new, &at)?;
    }
    for settled in std::mem::take(&mut outcome.settled) {
        let (category, is_transfer, activity) = settle(db, workspace, id, &settled, &at)?;
        outcome.count_settled(settled.row, category, flow(is_transfer, &activity));
    }
    sums::apply_on_sqlite(db, workspace, &outcome.sums)?;
    sums::count_on_sqlite(db, workspace, "transactions", outcome.counts.new.cast_signed(), outcome.bytes)?;
    count(db, id, &outcome.counts)?;
    let from = "SELECT COUNT(*) FROM import_remarks WHERE import_id = ?1";
    let from: i64 = db.prepare_cached(from)?.query_row([blob(id)], |row| row.get(0))?;
    let left = MAX_REMARKS.saturating_sub(from.cast_unsigned()) as usize;
    let remark = "INSERT INTO import_remarks (import_id, position, line, type, text) VALUES (?, ?, ?, ?, ?)";
    for (position, remark_of) in (from..).zip(outcome.remarks.iter().take(left)) {
        let values =
            params![blob(id), position, remark_of.line.cast_signed(), remark_of.of.as_str(), remark_of.text];
        db.prepare_cached(remark)?.execute(values)?;
    }
    Ok(Some(outcome.counts))
}

fn known(db: &Connection, workspace: Uuid, batch: &ImportBatch, at: usize) -> Result<Vec<KnownTransaction>> {
    let row = &batch.transactions[at];
    let mut found = Vec::new();
    if let Some(id) = row.row_id {
        let sql = "SELECT id, source_key, source_id, status, deleted_at IS NOT NULL FROM transactions \
                   WHERE id = ?1 AND workspace_id = ?2";
        let own = db.prepare_cached(sql)?.query_row(params![blob(id), blob(workspace)], read).optional()?;
        found.extend(own);
    }
    let sql = "SELECT id, source_key, source_id, status, deleted_at IS NOT NULL FROM transactions \
               WHERE account_id = ?1 AND source_key = ?2";
    let same = params![blob(row.account_id), row.identity.key];
    found.extend(db.prepare_cached(sql)?.query_row(same, read).optional()?);
    if let Some(source_id) = &row.identity.source_id {
        let sql = "SELECT id, source_key, source_id, status, deleted_at IS NOT NULL FROM transactions \
                   WHERE account_id = ?1 AND source_id = ?2";
        let mut statement = db.prepare_cached(sql)?;
        for other in statement.query_map(params![blob(row.account_id), source_id], read)? {
            found.push(other?);
        }
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<KnownTransaction> {
    let status: String = row.get(3)?;
    let identity = Identity { key: row.get(1)?, source_id: row.get(2)? };
    let known = Known { identity, state: state(row.get(4)?, &status) };
    Ok(KnownTransaction { row_id: uuid(row, 0)?, known })
}

fn insert(db: &Connection, workspace: Uuid, import: Uuid, new: &New<'_>, at: &str) -> Result<()> {
    let sql = "INSERT INTO transactions (id, workspace_id, account_id, booked_on, value_on, amount, currency, payee, memo, \
               reference, counterparty_iban, category_id, is_split, status, activity, transfer_id, foreign_amount, \
               foreign_currency, foreign_rate, notes, source_id, source_key, import_id, deleted_at, search_text, version, \
               created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, \
               ?18, ?19, ?20, ?21, ?22, ?23, NULL, ?24, 1, ?25, ?25)";
    let row = new.row;
    db.prepare_cached(sql)?.execute(params![
        blob(new.id),
        blob(workspace),
        blob(row.account_id),
        day(row.booked_on),
        row.value_on.map(day),
        row.amount,
        row.currency.code(),
        row.payee,
        row.memo,
        row.reference,
        row.counterparty_iban,
        row.category_id.map(blob),
        !row.splits.is_empty(),
        row.status.as_str(),
        row.activity.as_str(),
        row.transfer_id.map(blob),
        row.foreign_amount,
        row.foreign_currency.as_ref().map(|currency| currency.code()),
        row.foreign_rate,
        row.notes,
        row.identity.source_id,
        row.identity.key,
        blob(import),
        new.search_text,
        at,
    ])?;
    for (position, split) in (0i64..).zip(&row.splits) {
        let sql = "INSERT INTO transaction_splits (transaction_id, position, workspace_id, category_id, amount, memo) \
                   VALUES (?, ?, ?, ?, ?, ?)";
        let values = params![
            blob(new.id),
            position,
            blob(workspace),
            split.category_id.map(blob),
            split.amount,
            split.memo
        ];
        db.prepare_cached(sql)?.execute(values)?;
    }
    Ok(())
}

/// What the row has that people gave it: its category, whether it is a transfer, its activity.
fn settle(
    db: &Connection,
    workspace: Uuid,
    import: Uuid,
    settled: &Settled<'_>,
    at: &str,
) -> Result<(Option<Uuid>, bool, String)> {
    let (id, row) = (settled.row_id, settled.row);
    db.prepare_cached(&super::postgres::keep_before("json_object", "?"))?.execute(params![
        blob(import),
        blob(id),
        blob(workspace)
    ])?;
    db.prepare_cached("DELETE FROM transaction_splits WHERE transaction_id = ?1")?.execute([blob(id)])?;
    let values = params![
        blob(id),
        blob(import),
        day(row.booked_on),
        row.value_on.map(day),
        row.amount,
        row.payee,
        row.memo,
        row.reference,
        row.counterparty_iban,
        row.foreign_amount,
        row.foreign_currency.as_ref().map(|currency| currency.code()),
        row.foreign_rate,
        row.identity.source_id,
        row.identity.key,
        settled.search_text,
        at,
        blob(workspace),
    ];
    db.prepare_cached(&super::postgres::settle("?"))?.query_row(values, |row| {
        let category = row.get::<_, Option<[u8; 16]>>(0)?.map(Uuid::from_bytes);
        Ok((category, row.get::<_, Option<Vec<u8>>>(1)?.is_some(), row.get(2)?))
    })
}

fn count(db: &Connection, import: Uuid, counts: &Counts) -> Result<()> {
    let sql = "UPDATE imports SET rows_read = rows_read + ?2, rows_new = rows_new + ?3, rows_changed = rows_changed + ?4, \
               rows_duplicate = rows_duplicate + ?5, rows_deleted = rows_deleted + ?6, rows_reused = rows_reused + ?7, \
               rows_refused = rows_refused + ?8 WHERE id = ?1";
    let number = u64::cast_signed;
    db.prepare_cached(sql)?.execute(params![
        blob(import),
        number(counts.read),
        number(counts.new),
        number(counts.changed),
        number(counts.duplicates),
        number(counts.deleted),
        number(counts.reused),
        number(counts.refused),
    ])?;
    Ok(())
}

fn blob(id: Uuid) -> [u8; 16] {
    id.into_bytes()
}

fn uuid(row: &Row<'_>, column: usize) -> Result<Uuid> {
    row.get::<_, [u8; 16]>(column).map(Uuid::from_bytes)
}

/// As the rest of the store keeps days and times.
fn day(day: NaiveDate) -> String {
    day.to_string()
}

fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, false)
}
