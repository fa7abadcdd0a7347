//! The sums of months, and how many rows of each kind a workspace has. Both are written in the transaction that changes the
//! rows, by everyone who changes any: [`apply`] for the sums, [`Totals::apply`] for the numbers.

use std::collections::BTreeMap;

use baton_core::data::money::SumChanges;
use baton_core::store::Result;
use sea_orm::sea_query::Expr;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, ExprTrait, Value};

use uuid::Uuid;

use super::scoped::Scoped;
use crate::db::OrStoreError;
use crate::write::Write;

/// Sums in one statement.
const AT_ONCE: usize = 100;

/// Adds these changes to the sums. Whoever calls it holds the workspace's lock ([`super::lock`]).
pub async fn apply(write: &Write, scoped: Scoped, changes: &SumChanges) -> Result<()> {
    let changes: Vec<_> = changes.changes().collect();
    for some in changes.chunks(AT_ONCE) {
        let columns = ["account_id", "month", "category_id", "flow", "money_in", "money_out", "entries"];
        let mut insert = scoped.insert("month_sums", columns);
        for (key, sum) in some {
            let values: [Value; 7] = [
                key.account_id.into(),
                key.month.into(),
                key.category_id.into(),
                key.flow.as_str().into(),
                bounded(sum.money_in).into(),
                bounded(sum.money_out).into(),
                sum.entries.into(),
            ];
            insert.values_panic(scoped.row(values));
        }
        let mut over = OnConflict::columns(["account_id", "month", "category_id", "flow"]);
        over.values(["money_in", "money_out", "entries"].map(|name| {
            let there = Expr::col(("month_sums", name));
            (name, there.add(Expr::col(("excluded", name))))
        }));
        write.execute(insert.on_conflict(over)).await.db()?;
    }
    // Sums of nothing are not kept.
    for (key, _) in changes.iter().filter(|(_, sum)| sum.entries < 0) {
        let mut delete = scoped.delete("month_sums");
        delete
            .and_where(Expr::col("account_id").eq(key.account_id))
            .and_where(Expr::col("month").eq(key.month))
            .and_where(Expr::col("category_id").eq(key.category_id))
            .and_where(Expr::col("flow").eq(key.flow.as_str()))
            .and_where(Expr::col("entries").eq(0));
        write.execute(&delete).await.db()?;
    }
    Ok(())
}

/// The same on the writer's connection, for imports on SQLite.
pub fn apply_on_sqlite(
    db: &rusqlite::Connection,
    workspace: Uuid,
    changes: &SumChanges,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO month_sums (account_id, month, category_id, flow, workspace_id, money_in, money_out, entries) \
               VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, month, category_id, flow) DO UPDATE SET \
               money_in = money_in + excluded.money_in, money_out = money_out + excluded.money_out, \
               entries = entries + excluded.entries";
    for (key, sum) in changes.changes() {
        db.prepare_cached(sql)?.execute(rusqlite::params![
            key.account_id.into_bytes(),
            key.month.to_string(),
            key.category_id.into_bytes(),
            key.flow.as_str(),
            workspace.into_bytes(),
            bounded(sum.money_in),
            bounded(sum.money_out),
            sum.entries,
        ])?;
    }
    Ok(())
}

/// The same for the numbers of rows.
pub fn count_on_sqlite(
    db: &rusqlite::Connection,
    workspace: Uuid,
    kind: &'static str,
    entries: i64,
    bytes: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO data_totals (workspace_id, kind, entries, bytes) VALUES (?, ?, ?, ?) \
               ON CONFLICT (workspace_id, kind) DO UPDATE SET entries = entries + excluded.entries, \
               bytes = bytes + excluded.bytes";
    db.prepare_cached(sql)?.execute(rusqlite::params![workspace.into_bytes(), kind, entries, bytes])?;
    Ok(())
}

/// The sum as a 64-bit integer. One that doesn't fit becomes the largest or the smallest, which the table's bounds
/// refuse.
fn bounded(sum: i128) -> i64 {
    i64::try_from(sum).unwrap_or(if sum > 0 { i64::MAX } else { i64::MIN })
}

/// How the numbers of rows and their bytes change, by kind.
#[derive(Debug, Clone, Default)]
pub struct Totals(BTreeMap<&'static str, (i64, i64)>);

impl Totals {
    pub fn count(&mut self, kind: &'static str, entries: i64, bytes: i64) {
        let total = self.0.entry(kind).or_default();
        *total = (total.0 + entries, total.1 + bytes);
    }

    pub async fn apply(&self, write: &Write, scoped: Scoped) -> Result<()> {
        for (kind, (entries, bytes)) in self.0.iter().filter(|(_, total)| **total != (0, 0)) {
            let mut insert = scoped.insert("data_totals", ["kind", "entries", "bytes"]);
            insert.values_panic(scoped.row([(*kind).into(), (*entries).into(), (*bytes).into()]));
            let mut over = OnConflict::columns(["workspace_id", "kind"]);
            over.values(["entries", "bytes"].map(|name| {
                let there = Expr::col(("data_totals", name));
                (name, there.add(Expr::col(("excluded", name))))
            }));
            write.execute(insert.on_conflict(over)).await.db()?;
        }
        Ok(())
    }
}

/// How many rows of a kind there are that are not deleted.
pub async fn total(db: &impl ConnectionTrait, scoped: Scoped, kind: &str) -> Result<u64> {
    let mut select = scoped.select("data_totals");
    select.column("entries").and_where(Expr::col("kind").eq(kind));
    let row = db.query_one(&select).await.db()?;
    let entries = row.map(|row| row.try_get::<i64>("", "entries").db()).transpose()?;
    Ok(u64::try_from(entries.unwrap_or_default()).unwrap_or_default())
}
