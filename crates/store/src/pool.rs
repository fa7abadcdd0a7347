//! Connections to Postgres, lent to one statement or one transaction at a time.
//!
//! What is hard: a connection may stay open and silent, for example behind a hung pooler or a lost host. So everything
//! that waits for the database has a limit here. A connection that did not answer in time, broke, or was left in the
//! middle of a statement is closed and never lent again. (sqlx's own pool asks such a connection whether it is alive,
//! without a limit, and keeps its place in the pool until it answers.)

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection, PgDatabaseError, PgSeverity};
use sea_orm::sqlx::{self, ConnectOptions, Connection, Executor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A connection that was used this recently is not asked whether it is still there.
const FRESH: Duration = Duration::from_secs(1);
/// How long an idle connection may take to say that it is still there.
const PING: Duration = Duration::from_millis(400);
const MAX_IDLE: Duration = Duration::from_secs(10 * 60);
/// On the server, between two statements of a transaction: what a node that is gone held locked is free after this.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// Every statement of ours finds its rows by an index (the store's tests read the plans). The planner is told so: it counts 100
/// rows for the one that a commit passes as JSON, would read a whole table to find it while that table is not yet large, and
/// keeps that plan while the table grows. What is switched off counts as dear, and what is dear would be compiled first.
const BY_INDEX: &str =
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off";

/// What a pool is for: how many connections, and how long each statement may take, waiting for a connection included.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    pub connections: u32,
    pub limit: Duration,
}

#[derive(Clone)]
pub struct Pool(Arc<Inner>);

struct Inner {
    options: PgConnectOptions,
    limit: Duration,
    places: Arc<Semaphore>,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    connection: PgConnection,
    since: Instant,
}

impl Pool {
    /// Opens nothing yet.
    pub fn new(url: &str, allowance: Allowance) -> sqlx::Result<Self> {
        let options = url.parse::<PgConnectOptions>()?.disable_statement_logging();
        Ok(Self(Arc::new(Inner {
            options,
            limit: allowance.limit,
            places: Arc::new(Semaphore::new(allowance.connections as usize)),
            idle: Mutex::default(),
        })))
    }

    /// Does `work` within the pool's limit.
    pub async fn within<T>(&self, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        timeout(self.0.limit, work).await.unwrap_or_else(|_| {
            // Those that wait idle are likely no better.
            self.idle().clear();
            Err(no_answer(self.0.limit))
        })
    }

    /// One statement, on any connection.
    pub async fn run<T>(
        &self,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        self.within(async { self.lend().await?.run(work).await }).await
    }

    /// Waits for a place and a connection; to be called within the limit.
    pub async fn lend(&self) -> sqlx::Result<Lent> {
        let place = self.0.places.clone().acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        while let Some(Idle { mut connection, since }) = self.pop() {
            let is_there =
                since.elapsed() < FRESH || matches!(timeout(PING, connection.ping()).await, Ok(Ok(())));
            if is_there {
                return Ok(self.lent(connection, place));
            }
            self.idle().clear();
        }
        let connection = self.connect().await?;
        Ok(self.lent(connection, place))
    }

    /// No connection is lent or kept any more.
    pub fn close(&self) {
        self.0.places.close();
        self.idle().clear();
    }

    async fn connect(&self) -> sqlx::Result<PgConnection> {
        let mut connection = self.0.options.connect().await?;
        // The server's own limits are the second line. Its first is a little shorter than ours: a statement that only
        // waits for a lock is refused, and its connection stays good.
        let (statement, pause) = (self.0.limit.as_millis() * 9 / 10, MAX_PAUSE.as_millis());
        let limits =
            format!("SET statement_timeout = {statement}; SET idle_in_transaction_session_timeout = {pause}");
        connection.execute(sqlx::AssertSqlSafe(format!("{limits}; {BY_INDEX}"))).await?;
        Ok(connection)
    }

    fn lent(&self, connection: PgConnection, place: OwnedSemaphorePermit) -> Lent {
        Lent { connection: Some(connection), pool: self.clone(), is_busy: false, _place: place }
    }

    fn pop(&self) -> Option<Idle> {
        self.idle().pop()
    }

    fn keep(&self, connection: PgConnection) {
        let mut idle = self.idle();
        idle.retain(|idle| idle.since.elapsed() < MAX_IDLE);
        if !self.0.places.is_closed() {
            idle.push(Idle { connection, since: Instant::now() });
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection and its place in the pool. Dropped between statements it goes back; in the middle of one, or after it
/// broke, it is closed.
pub struct Lent {
    connection: Option<PgConnection>,
    pool: Pool,
    is_busy: bool,
    // Dropped last: the place is free once the connection is back or closed.
    _place: OwnedSemaphorePermit,
}

impl Lent {
    /// One statement.
    pub async fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut PgConnection) -> sqlx::Result<T>,
    ) -> sqlx::Result<T> {
        let Some(connection) = self.connection.as_mut().filter(|_| !self.is_busy) else {
            return Err(gone());
        };
        self.is_busy = true;
        let outcome = work(connection).await;
        match &outcome {
            Ok(_) => self.is_busy = false,
            Err(error) if leaves_it_usable(error) => self.is_busy = false,
            Err(_) => self.connection = None,
        }
        outcome
    }

    /// Closes the connection, with what it holds.
    pub fn close(&mut self) {
        self.connection = None;
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take().filter(|_| !self.is_busy) {
            self.pool.keep(connection);
        }
    }
}

/// Whether the server said no and goes on, as opposed to a connection that broke.
fn leaves_it_usable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::RowNotFound => true,
        sqlx::Error::Database(error) => error
            .try_downcast_ref::<PgDatabaseError>()
            .is_some_and(|error| !matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic)),
        _ => false,
    }
}

fn no_answer(limit: Duration) -> sqlx::Error {
    let text = format!("no answer within {limit:?}");
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, text))
}

fn gone() -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::BrokenPipe, "the connection broke before"))
}
