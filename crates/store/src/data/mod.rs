//! Rows of the workspace's data, read and changed by the descriptions of their kinds (`core/data/kinds`).
//!
//! `scoped.rs` makes every statement; `list.rs`, `search.rs` and `titles.rs` read; `ledger.rs` changes rows and keeps what goes
//! with a change (sums, numbers, the record of the change); `hooks.rs` has what a kind asks for beyond its fields; `as_shown.rs` refuses what a person
//! allowed of rows that have changed since; `money.rs` (and `fitting.rs`) has what is done with transactions, `sales.rs` what with contacts and deals, `stages.rs` the stages that deals were in, `history.rs`
//! what happened with a contact, `projects.rs` what tasks ask for, `open_tasks.rs` what is still to be done; `changes.rs` and
//! `undo.rs` read the record and take changes back.

mod as_shown;
mod changes;
mod export;
mod fitting;
mod history;
mod hooks;
mod ledger;
pub mod list;
mod money;
mod open_tasks;
mod projects;
mod sales;
pub mod scoped;
pub mod search;
mod stages;
pub mod sums;
mod titles;
mod undo;
mod values;

pub(crate) use changes::approver;

use async_trait::async_trait;
use baton_core::data::check::{self, Fields};
use baton_core::data::kind::Kind;
use baton_core::data::money::{PARTS, Part};
use baton_core::data::rows::{
    Author, Change, DataScope, MAX_CHANGES, Once, RecordedChange, Row, RowChange, RowPage, RowQuery,
};
use baton_core::effects::EffectRefused;
use baton_core::ids::WorkspaceId;
use baton_core::store::{ChangesOf, Error, Result, Rows, Written};
use baton_core::text::Invalid;
use baton_core::workspaces::Member;
use chrono::{DateTime, Utc};
use futures::FutureExt;
use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, ExprTrait, QueryResult};
use serde_json::Value;
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::write::Write;
use ledger::Ledger;
use scoped::Scoped;

/// Taken first by every write of a workspace's data, imports too: writers of one workspace take turns. So sums and numbers can't
/// be lost, what is unique is found by looking, and no two of them wait for each other's rows. (SQLite has one writer anyway.)
pub async fn lock(write: &Write, workspace: WorkspaceId) -> Result<()> {
    write.lock_name(&format!("data of {workspace}")).await
}

/// A row as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub id: Uuid,
    pub version: i64,
    /// Also those that nobody sees, and the parts of a split transaction.
    pub fields: Fields,
    pub is_deleted: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Record {
    fn read(row: &QueryResult, kind: &'static Kind) -> Result<Self> {
        Ok(Self {
            id: row.try_get("", "id").db()?,
            version: row.try_get("", "version").db()?,
            fields: values::fields(row, kind)?,
            is_deleted: list::is_deleted(row)?,
            created_at: row.try_get("", "created_at").db()?,
            updated_at: row.try_get("", "updated_at").db()?,
        })
    }
}

/// Those of these rows that are there, deleted ones too, in the order of their ids.
async fn records(
    db: &impl ConnectionTrait,
    scoped: Scoped,
    kind: &'static Kind,
    ids: &[Uuid],
) -> Result<Vec<Record>> {
    let mut select = scoped.select(kind.name);
    list::select_row(&mut select, kind);
    select.and_where(Expr::col((kind.name, "id")).is_in(ids.iter().copied()));
    select.order_by((kind.name, "id"), sea_orm::Order::Asc);
    let rows = db.query_all(&select).await.db()?;
    let mut records = rows.iter().map(|row| Record::read(row, kind)).collect::<Result<Vec<_>>>()?;
    read_parts(db, scoped, kind, &mut records).await?;
    Ok(records)
}

/// Adds the parts of split transactions.
async fn read_parts(
    db: &impl ConnectionTrait,
    scoped: Scoped,
    kind: &Kind,
    records: &mut [Record],
) -> Result<()> {
    let is_split = |record: &&Record| record.fields.get("is_split") == Some(&Value::Bool(true));
    let split: Vec<Uuid> = records.iter().filter(is_split).map(|record| record.id).collect();
    if kind.name != "transactions" || split.is_empty() {
        return Ok(());
    }
    let mut select = scoped.select("transaction_splits");
    select
        .columns(["transaction_id", "category_id", "amount", "memo"])
        .and_where(Expr::col("transaction_id").is_in(split))
        .order_by("transaction_id", sea_orm::Order::Asc)
        .order_by("position", sea_orm::Order::Asc);
    for row in db.query_all(&select).await.db()? {
        let of: Uuid = row.try_get("", "transaction_id").db()?;
        let part = Part {
            category_id: row.try_get("", "category_id").db()?,
            amount: row.try_get("", "amount").db()?,
            memo: row.try_get("", "memo").db()?,
        };
        let Some(record) = records.iter_mut().find(|record| record.id == of) else { continue };
        let parts = record.fields.entry(PARTS).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(parts) = parts {
            parts.push(part.to_json());
        }
    }
    Ok(())
}

#[async_trait]
impl Rows for SqlStore {
    async fn rows(&self, scope: DataScope, kind: &'static Kind, query: RowQuery) -> Result<RowPage> {
        list::page(&self.db, Scoped::reading(scope, kind)?, kind, query).await
    }

    async fn row(&self, scope: DataScope, kind: &'static Kind, id: Uuid) -> Result<Row> {
        let scoped = Scoped::reading(scope, kind)?;
        let mut found = records(&self.db, scoped, kind, &[id]).await?;
        found.retain(|record| !record.is_deleted);
        titles::with_titles(&self.db, scoped, kind, found).await?.pop().ok_or(Error::NotFound(kind.one))
    }

    async fn people(&self, scope: DataScope) -> Result<Vec<Member>> {
        crate::members::all(&self.db, scope.workspace_id).await
    }

    async fn change_rows(
        &self,
        once: &Once,
        scope: DataScope,
        author: Author,
        changes: Vec<RowChange>,
    ) -> Written {
        if changes.is_empty() || changes.len() > MAX_CHANGES {
            let message = format!("must be 1 to {MAX_CHANGES}");
            return Err(Error::Invalid(Invalid::new("changes", message)).into());
        }
        let done = once.clone();
        self.once(once, move |write| change(write, done.clone(), scope, author, changes.clone()).boxed())
            .await
    }

    async fn changes(&self, scope: DataScope, of: ChangesOf, limit: u64) -> Result<Vec<RecordedChange>> {
        changes::read(&self.db, scope, of, limit).await
    }

    async fn undo(&self, once: &Once, scope: DataScope, author: Author, changes: Vec<Uuid>) -> Written {
        if changes.is_empty() || changes.len() > MAX_CHANGES {
            let message = format!("must be 1 to {MAX_CHANGES}");
            return Err(Error::Invalid(Invalid::new("changes", message)).into());
        }
        let done = once.clone();
        self.once(once, move |write| undo::undo(write, done.clone(), scope, author, changes.clone()).boxed())
            .await
    }
}

async fn change(
    write: &Write,
    once: Once,
    scope: DataScope,
    author: Author,
    changes: Vec<RowChange>,
) -> Written {
    let mut ledger = Ledger::open(write, &once, scope, author).await?;
    for RowChange { kind, change } in changes {
        match change {
            Change::Create { id, fields } => {
                let fields = check::created(kind, &fields).map_err(Error::Invalid)?;
                if ledger.find(kind, id).await?.is_some() {
                    return Err(Error::Invalid(Invalid::new("id", "is taken")).into());
                }
                ledger.create(kind, id, fields, None).await?;
            }
            Change::Set { id, seen, fields } => {
                let before = ledger.there(kind, id, seen).await?;
                let after = check::changed(kind, &before.fields, &fields).map_err(Error::Invalid)?;
                ledger.set(kind, before, after, None).await?;
            }
            Change::Delete { id, seen } => {
                let before = ledger.there(kind, id, seen).await?;
                ledger.delete_whole(kind, before).await?;
            }
            Change::Restore { id } => {
                let before = ledger.find(kind, id).await?.ok_or(Error::NotFound(kind.one))?;
                if !before.is_deleted {
                    return Err(EffectRefused::NotNow(format!("This {} is not deleted.", kind.one)));
                }
                ledger.restore_whole(kind, before).await?;
            }
        }
    }
    ledger.close(&once).await
}
