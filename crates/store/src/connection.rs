//! What queries run on: a database, or a transaction in it, on either engine. SeaORM sees a connection of its own
//! kind; on Postgres every statement goes through the pool and its limits.

use async_trait::async_trait;
use sea_orm::sea_query::Values;
use sea_orm::sqlx::postgres::PgConnection;
use sea_orm::sqlx::{self, Executor, Postgres};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult,
    RuntimeErr, SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use sea_query_sqlx::SqlxValues;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::connect::REQUEST;
use crate::pool::{Lent, Pool};

#[derive(Clone)]
pub enum Db {
    Sqlite(DatabaseConnection),
    Postgres(Pool),
}

/// A transaction. It is taken back when it is dropped before it was committed.
pub enum Txn {
    Sqlite(DatabaseTransaction),
    Postgres(PgTxn),
}

/// What a transaction is begun for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// On SQLite it is the only one from its beginning.
    Writing,
    /// Every read in it sees the same moment.
    Reading,
}

pub struct PgTxn {
    lent: Mutex<Option<Lent>>,
}

impl Db {
    pub async fn begin(&self, what: For) -> Result<Txn, DbErr> {
        match self {
            Self::Sqlite(db) => {
                let mode = match what {
                    For::Writing => Some(SqliteTransactionMode::Immediate),
                    For::Reading => None,
                };
                let options = TransactionOptions { sqlite_transaction_mode: mode, ..Default::default() };
                db.begin_with_options(options).await.map(Txn::Sqlite)
            }
            Self::Postgres(pool) => {
                let begin = match what {
                    For::Writing => "BEGIN",
                    For::Reading => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                };
                let begun = pool.within(async {
                    let mut lent = pool.lend().await?;
                    lent.run(async |connection| connection.execute(begin).await).await?;
                    Ok(lent)
                });
                let lent = Mutex::new(Some(begun.await.map_err(failed)?));
                Ok(Txn::Postgres(PgTxn { lent }))
            }
        }
    }

    pub async fn close(&self) -> Result<(), DbErr> {
        match self {
            Self::Sqlite(db) => db.clone().close().await,
            Self::Postgres(pool) => {
                pool.close();
                Ok(())
            }
        }
    }
}

impl Txn {
    pub async fn commit(self) -> Result<(), DbErr> {
        match self {
            Self::Sqlite(txn) => txn.commit().await,
            Self::Postgres(txn) => {
                txn.run(async |connection| connection.execute("COMMIT").await).await.map_err(failed)?;
                // Nothing is left to be taken back.
                txn.lent.lock().await.take();
                Ok(())
            }
        }
    }
}

impl PgTxn {
    async fn run<T>(&self, work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T>) -> sqlx::Result<T> {
        let mut lent = self.lent.lock().await;
        let Some(lent) = lent.as_mut() else { return Err(sqlx::Error::PoolClosed) };
        let pool = lent.pool().clone();
        pool.within(lent.run(work)).await
    }
}

impl Drop for PgTxn {
    fn drop(&mut self) {
        let Some(mut lent) = self.lent.get_mut().take() else { return };
        // A connection that is lost, or left within a statement, is closed with what it held.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return lent.close() };
        runtime.spawn(async move {
            let pool = lent.pool().clone();
            let rollback = lent.run(async |connection| connection.execute("ROLLBACK").await);
            // It does no work, so it has no more time than a request, also where statements have minutes: meanwhile it
            // keeps a place in the pool.
            if !matches!(timeout(REQUEST, pool.within(rollback)).await, Ok(Ok(_))) {
                lent.close();
            }
        });
    }
}

/// Tells whoever listens which statements are run: a test reads their plans.
fn tell(statement: &Statement) {
    tracing::trace!(target: "baton_store::sql", sql = statement.sql);
}

/// A value per `$n`, as SeaORM binds them.
fn query(statement: &Statement) -> sqlx::query::Query<'_, Postgres, SqlxValues> {
    let values = statement.values.clone().unwrap_or(Values(Vec::new()));
    sqlx::query_with(sqlx::AssertSqlSafe(statement.sql.as_str()), SqlxValues(values))
}

/// What callers tell apart (a broken rule, a lost connection) is in the cause.
fn failed(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}

macro_rules! connection {
    ($what:ident) => {
        #[async_trait]
        impl ConnectionTrait for $what {
            fn get_database_backend(&self) -> DbBackend {
                match self {
                    Self::Sqlite(_) => DbBackend::Sqlite,
                    Self::Postgres(_) => DbBackend::Postgres,
                }
            }

            async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
                tell(&statement);
                let done = match self {
                    Self::Sqlite(db) => return db.execute_raw(statement).await,
                    Self::Postgres(db) => db.run(async |on| query(&statement).execute(on).await).await,
                };
                done.map(ExecResult::from).map_err(failed)
            }

            async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
                let text = || sqlx::AssertSqlSafe(sql.to_owned());
                let done = match self {
                    Self::Sqlite(db) => return db.execute_unprepared(sql).await,
                    Self::Postgres(db) => db.run(async |on| on.execute(text()).await).await,
                };
                done.map(ExecResult::from).map_err(failed)
            }

            async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
                tell(&statement);
                let row = match self {
                    Self::Sqlite(db) => return db.query_one_raw(statement).await,
                    Self::Postgres(db) => db.run(async |on| query(&statement).fetch_optional(on).await).await,
                };
                Ok(row.map_err(failed)?.map(QueryResult::from))
            }

            async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
                tell(&statement);
                let rows = match self {
                    Self::Sqlite(db) => return db.query_all_raw(statement).await,
                    Self::Postgres(db) => db.run(async |on| query(&statement).fetch_all(on).await).await,
                };
                Ok(rows.map_err(failed)?.into_iter().map(QueryResult::from).collect())
            }
        }
    };
}

connection!(Db);
connection!(Txn);
