//! Opening the store: SQLite in a locked data directory, or Postgres by URL.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use baton_core::bus::{Alone, Bus};
use baton_core::store::{Error, Result, Store};
use sea_orm::sqlx::Connection;
use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbErr};
use tokio::sync::Semaphore;

use crate::bus::PgBus;
use crate::connection::Db;
use crate::db::{OrStoreError, database_error, refuses_tls};
use crate::life::Life;
use crate::lock::DataDir;
use crate::migrate;
use crate::pool::{Allowance, Pool};
use crate::turns::Writer;

/// What a commit on SQLite survives besides the end of the process, which it always survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A power cut may take the last moment.
    Normal,
    /// Every commit reaches the disk first.
    Full,
}

pub enum Database {
    Sqlite { dir: DataDir, durability: Durability },
    Postgres { url: String, connections: u32 },
}

/// How long a statement of a request or of a turn may take on Postgres, and waiting for anybody else's write on SQLite.
pub(crate) const REQUEST: Duration = Duration::from_secs(5);
/// What a node asks beside its turns: claims, stops, how far logs are.
const WATCH: Duration = Duration::from_secs(3);
/// A lease is renewed each second: whoever doesn't answer within one is asked over another connection.
const LEASE: Duration = Duration::from_secs(1);
/// Exports, imports and removals: what they do is cut into pieces, and this is far more than any piece takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// A migration may build an index of a large table.
const MIGRATION: Duration = Duration::from_secs(30 * 60);
/// Between two tries to reach a database that is not there yet.
const PAUSE: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub struct SqlStore {
    pub(crate) db: Db,
    /// What a node asks to keep its turns. On Postgres these are connections of its own: however busy the others are, it
    /// hears of stops.
    pub(crate) watch_db: Db,
    /// Renews the lease, and nothing else: a node that works is not taken for dead.
    pub(crate) lease_db: Db,
    /// For work that may take long.
    pub(crate) patient_db: Db,
    /// One permit on SQLite; none needed on Postgres.
    pub(crate) write_permit: Option<Arc<Semaphore>>,
    /// Writes turns, on SQLite.
    pub(crate) writer: Option<Writer>,
    /// Grows with every other write: of this process on SQLite; on Postgres of anyone, as far as this one has heard.
    pub(crate) generation: Arc<AtomicU64>,
    /// To other nodes, on Postgres.
    bus: Option<Arc<PgBus>>,
    /// Of the writer and of what checkpoints, on SQLite.
    lives: Vec<Life>,
    _dir: Option<Arc<DataDir>>,
}

impl Store for SqlStore {
    fn generation(&self) -> Option<u64> {
        self.last_generation().filter(|_| self.writer.is_some())
    }

    fn last_generation(&self) -> Option<u64> {
        Some(self.generation.load(Ordering::Acquire))
    }
}

const SQLITE_CONNECTIONS: u32 = 8;
const WATCH_CONNECTIONS: u32 = 2;
const PATIENT_CONNECTIONS: u32 = 2;

impl SqlStore {
    /// Opens the database and brings its schema up to date. One that is not there yet is waited for; a mistake (a wrong
    /// password or name, a certificate that isn't trusted) is an error at once.
    pub async fn open(database: Database) -> Result<Self> {
        Self::open_until(database, None).await
    }

    /// The same, but a database that hasn't answered by then is an error. What it does once it answers, such as a migration,
    /// takes as long as it takes.
    pub async fn open_within(database: Database, limit: Duration) -> Result<Self> {
        Self::open_until(database, Some(Instant::now() + limit)).await
    }

    async fn open_until(database: Database, end: Option<Instant>) -> Result<Self> {
        match database {
            Database::Sqlite { dir, durability } => Self::open_sqlite(dir, durability).await,
            Database::Postgres { url, connections } => loop {
                let opened = Self::open_postgres(&url, connections).await;
                let may_wait = end.is_none_or(|end| Instant::now() + PAUSE <= end);
                match opened {
                    Err(Error::Unavailable) if may_wait => {
                        tracing::warn!("waiting for the database");
                        tokio::time::sleep(PAUSE).await;
                    }
                    opened => return opened,
                }
            },
        }
    }

    async fn open_sqlite(dir: DataDir, durability: Durability) -> Result<Self> {
        let file = dir.private_file("baton.db").map_err(|error| Error::Database(Box::new(error)))?;
        // Migrations run alone: other connections must not hold statements prepared for the old schema.
        let first = Db::Sqlite(connect(sqlite(&file, durability, 1)).await?);
        migrate::run(&first).await?;
        first.close().await.db()?;

        let db = Db::Sqlite(connect(sqlite(&file, durability, SQLITE_CONNECTIONS)).await?);
        let checkpoints = checkpoint_in_background(connect(sqlite(&file, durability, 1)).await?);
        let permit = Arc::new(Semaphore::new(1));
        let generation = Arc::<AtomicU64>::default();
        let (writer, writes) = Writer::open(&file, durability, permit.clone(), generation.clone())?;
        Ok(Self {
            watch_db: db.clone(),
            lease_db: db.clone(),
            patient_db: db.clone(),
            db,
            write_permit: Some(permit),
            writer: Some(writer),
            generation,
            bus: None,
            lives: vec![writes, checkpoints],
            _dir: Some(Arc::new(dir)),
        })
    }

    async fn open_postgres(url: &str, connections: u32) -> Result<Self> {
        let pool = |connections, limit| {
            let pool = Pool::new(url, Allowance { connections, limit });
            pool.map(Db::Postgres).map_err(|error| Error::Database(Box::new(error)))
        };
        // Whether it is there is asked with the usual limit.
        let db = pool(connections, REQUEST)?;
        db.execute_unprepared("SELECT 1").await.map_err(|error| match refuses_tls(&error) {
            true => Error::Database(Box::new(error)),
            false => database_error(error),
        })?;
        let migrates = pool(1, MIGRATION)?;
        migrate::run(&migrates).await?;
        migrates.close().await.db()?;
        Ok(Self {
            db,
            watch_db: pool(WATCH_CONNECTIONS, WATCH)?,
            lease_db: pool(1, LEASE)?,
            patient_db: pool(PATIENT_CONNECTIONS, PATIENCE)?,
            write_permit: None,
            writer: None,
            generation: Arc::default(),
            bus: Some(Arc::new(PgBus::open(url).await?)),
            lives: Vec::new(),
            _dir: None,
        })
    }

    /// The same store for work that may take long: its statements have more time, and connections of their own. No request,
    /// turn or loop of a node waits for it.
    pub(crate) fn patient(&self) -> Self {
        Self { db: self.patient_db.clone(), ..self.clone() }
    }

    /// The same store for a write of the loops beside the turns: whatever requests and turns wait for, it gets a connection.
    pub(crate) fn watching(&self) -> Self {
        Self { db: self.watch_db.clone(), ..self.clone() }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.db.execute_unprepared("SELECT 1").await.db().map(drop)
    }

    /// Whether everything that writes is still there. If not, what is sent to it is lost, and the process should end.
    pub fn is_alive(&self) -> bool {
        self.lives.iter().all(Life::is_alive)
    }

    /// Resolves when something that writes has ended, which it does only by a panic, or when the store is gone. On
    /// Postgres there is no such thing, and it never does.
    pub async fn died(&self) {
        let deaths = self.lives.iter().map(|life| Box::pin(life.ended()));
        match self.lives.is_empty() {
            true => std::future::pending().await,
            false => drop(futures::future::select_all(deaths).await),
        }
    }

    /// How nodes on this database reach each other.
    pub fn bus(&self) -> Arc<dyn Bus> {
        match &self.bus {
            Some(bus) => bus.clone(),
            None => Arc::new(Alone),
        }
    }

    pub async fn close(&self) -> Result<()> {
        if let Some(bus) = &self.bus {
            bus.close();
        }
        for db in [&self.lease_db, &self.watch_db, &self.patient_db, &self.db] {
            db.close().await.db()?;
        }
        Ok(())
    }
}

async fn connect(options: ConnectOptions) -> Result<DatabaseConnection> {
    sea_orm::Database::connect(options).await.map_err(database_error)
}

fn sqlite(file: &Path, durability: Durability, connections: u32) -> ConnectOptions {
    let file = file.to_owned();
    let mut options = ConnectOptions::new("sqlite::memory:");
    // A connection to a file needs no asking whether it is still there.
    options
        .max_connections(connections)
        .acquire_timeout(REQUEST)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(move |sqlite| {
            sqlite
                .filename(&file)
                .in_memory(false)
                .shared_cache(false)
                .create_if_missing(true)
                .foreign_keys(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(match durability {
                    Durability::Normal => SqliteSynchronous::Normal,
                    Durability::Full => SqliteSynchronous::Full,
                })
                .busy_timeout(Duration::from_secs(5))
                // The background task checkpoints; a commit does so only if that one falls far behind.
                .pragma("wal_autocheckpoint", "20000")
                .optimize_on_close(true, None)
        });
    // SQLite itself takes back a transaction that finds the disk full; the driver then believes for ever that it is in one,
    // and leaves the next open with what it saw. Such a connection is not lent again.
    options.map_sqlx_sqlite_pool_opts(|pool| {
        pool.after_release(|connection, _| {
            Box::pin(async move {
                // Behind a rollback that is on its way.
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
    });
    options
}

/// Moves the write-ahead log into the database on a connection (and so a thread) of its own, for as long as the
/// process runs. Passive: it never waits for readers or writers, nor do they for it.
fn checkpoint_in_background(db: DatabaseConnection) -> Life {
    let (alive, life) = Life::begin();
    tokio::spawn(async move {
        let _alive = alive;
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        loop {
            tick.tick().await;
            let done: std::result::Result<_, DbErr> =
                db.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await;
            if let Err(error) = done {
                tracing::warn!(%error, "could not checkpoint the write-ahead log");
            }
        }
    });
    life
}
