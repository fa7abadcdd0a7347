//! A write transaction. On SQLite it holds the one write permit of the process from before BEGIN until after COMMIT,
//! so two writers never meet; on Postgres named locks order what must not run side by side.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use baton_core::store::{Error, Result};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::connect::{REQUEST, SqlStore};
use crate::connection::{For, Txn};
use crate::db::OrStoreError;

pub struct Write {
    // Dropped in this order: the transaction ends before the permit is free.
    txn: Txn,
    generation: Arc<AtomicU64>,
    permit: Option<OwnedSemaphorePermit>,
}

tokio::task_local! {
    /// Set while a write that is done once is under way: whether the database ended it because of a deadlock.
    static WITHIN_EFFECT: Cell<bool>;
}

/// Does what changes with a write that is done once, and lets it open no other. Also whether it met a deadlock.
pub async fn within_effect<T>(work: impl Future<Output = T>) -> (T, bool) {
    let noted = async {
        let done = work.await;
        (done, WITHIN_EFFECT.with(Cell::get))
    };
    WITHIN_EFFECT.scope(Cell::new(false), noted).await
}

/// To be called when the database has ended a transaction so that others can go on.
pub fn note_deadlock() {
    // Outside of such a write nobody asks.
    let _ = WITHIN_EFFECT.try_with(|noted| noted.set(true));
}

impl SqlStore {
    pub(crate) async fn write(&self) -> Result<Write> {
        if WITHIN_EFFECT.try_with(|_| ()).is_ok() {
            // On SQLite it would wait for itself; on Postgres a crash between the two would leave half a change.
            return Err(Error::Database("a write was opened within the write of a tool".into()));
        }
        let permit = match &self.write_permit {
            Some(permits) => {
                let permit = timeout(REQUEST, permits.clone().acquire_owned()).await;
                let permit = permit.map_err(|_| Error::Unavailable)?;
                Some(permit.map_err(|closed| Error::Database(Box::new(closed)))?)
            }
            None => None,
        };
        let txn = self.db.begin(For::Writing).await.db()?;
        Ok(Write { txn, generation: self.generation.clone(), permit })
    }
}

impl Write {
    pub async fn commit(self) -> Result<()> {
        let Self { txn, generation, permit } = self;
        whole(async move {
            let raised = raised(&txn).await?;
            let committed = txn.commit().await.db();
            match raised {
                Some(number) => generation.fetch_max(number, Ordering::Release),
                None => generation.fetch_add(1, Ordering::Release),
            };
            drop(permit);
            committed
        })
        .await
    }

    /// For conversations and what hangs on them, which nobody keeps between requests: see `SqlStore::generation`.
    pub async fn commit_unkept(self) -> Result<()> {
        let Self { txn, permit, .. } = self;
        whole(async move {
            let committed = txn.commit().await.db();
            drop(permit);
            committed
        })
        .await
    }

    /// Waits until no other transaction holds `name`. SQLite has one writer and needs no more.
    pub async fn lock_name(&self, name: &str) -> Result<()> {
        if self.txn.get_database_backend() == DbBackend::Postgres {
            let statement = Statement::from_sql_and_values(
                DbBackend::Postgres,
                "SELECT pg_advisory_xact_lock(hashtext($1))",
                [name.into()],
            );
            self.txn.execute_raw(statement).await.db()?;
        }
        Ok(())
    }
}

/// Where others write too, the number of changes is the database's, and the last thing that a change locks.
async fn raised(txn: &Txn) -> Result<Option<u64>> {
    if txn.get_database_backend() != DbBackend::Postgres {
        return Ok(None);
    }
    let sql = "UPDATE generation SET number = number + 1 RETURNING number";
    let row = txn.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.db()?;
    row.as_ref().map(number).transpose()
}

/// A number of changes that was read.
pub fn number(row: &QueryResult) -> Result<u64> {
    Ok(row.try_get::<i64>("", "number").db()?.cast_unsigned())
}

/// Runs to its end even if nobody waits for it any more. A COMMIT once sent takes place, also when the client that asked
/// for it has hung up: until it has, the permit is not free, and after it the generation must grow.
pub async fn whole(work: impl Future<Output = Result<()>> + Send + 'static) -> Result<()> {
    tokio::spawn(work).await.unwrap_or_else(|lost| Err(Error::Database(Box::new(lost))))
}

impl Deref for Write {
    type Target = Txn;
    fn deref(&self) -> &Txn {
        &self.txn
    }
}
