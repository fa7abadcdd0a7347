//! Opening the store: SQLite in a locked data directory, or Postgres by URL.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use baton_core::bus::{Alone, Bus};
use baton_core::store::{Error, Result, Store};
use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection, DbErr};
use tokio::sync::Semaphore;

use crate::bus::PgBus;
use crate::db::{OrStoreError, database_error};
use crate::lock::DataDir;
use crate::migrate;
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

#[derive(Clone)]
pub struct SqlStore {
    pub(crate) db: DatabaseConnection,
    /// What a node asks to keep its lease and its turns. On Postgres these are connections of its own: however busy the
    /// others are, a node that works is not taken for dead.
    pub(crate) watch_db: DatabaseConnection,
    /// One permit on SQLite; none needed on Postgres.
    pub(crate) write_permit: Option<Arc<Semaphore>>,
    /// Writes turns, on SQLite.
    pub(crate) writer: Option<Writer>,
    /// Grows with every other write of this process.
    pub(crate) generation: Arc<AtomicU64>,
    /// To other nodes, on Postgres.
    bus: Option<Arc<PgBus>>,
    _dir: Option<Arc<DataDir>>,
}

impl Store for SqlStore {
    fn generation(&self) -> Option<u64> {
        self.writer.is_some().then(|| self.generation.load(Ordering::Acquire))
    }
}

const SQLITE_CONNECTIONS: u32 = 8;
const WATCH_CONNECTIONS: u32 = 2;

impl SqlStore {
    /// Opens the database and brings its schema up to date.
    pub async fn open(database: Database) -> Result<Self> {
        match database {
            Database::Sqlite { dir, durability } => Self::open_sqlite(dir, durability).await,
            Database::Postgres { url, connections } => Self::open_postgres(&url, connections).await,
        }
    }

    async fn open_sqlite(dir: DataDir, durability: Durability) -> Result<Self> {
        let file = dir.private_file("baton.db").map_err(|error| Error::Database(Box::new(error)))?;
        // Migrations run alone: other connections must not hold statements prepared for the old schema.
        let first = connect(sqlite(&file, durability, 1)).await?;
        migrate::run(&first).await?;
        first.close().await.db()?;

        let db = connect(sqlite(&file, durability, SQLITE_CONNECTIONS)).await?;
        checkpoint_in_background(connect(sqlite(&file, durability, 1)).await?);
        let permit = Arc::new(Semaphore::new(1));
        let writer = Writer::open(&file, durability, permit.clone())?;
        Ok(Self {
            watch_db: db.clone(),
            db,
            write_permit: Some(permit),
            writer: Some(writer),
            generation: Arc::default(),
            bus: None,
            _dir: Some(Arc::new(dir)),
        })
    }

    async fn open_postgres(url: &str, connections: u32) -> Result<Self> {
        let db = connect(postgres(url, connections)).await?;
        migrate::run(&db).await?;
        let watch_db = connect(postgres(url, WATCH_CONNECTIONS)).await?;
        let bus = Some(Arc::new(PgBus::open(url).await?));
        Ok(Self {
            db,
            watch_db,
            write_permit: None,
            writer: None,
            generation: Arc::default(),
            bus,
            _dir: None,
        })
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.db.execute_unprepared("SELECT 1").await.db().map(drop)
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
        self.watch_db.clone().close().await.db()?;
        self.db.clone().close().await.db()
    }
}

async fn connect(options: ConnectOptions) -> Result<DatabaseConnection> {
    sea_orm::Database::connect(options).await.map_err(database_error)
}

fn postgres(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .connect_timeout(Duration::from_secs(5))
        .acquire_timeout(Duration::from_secs(5))
        .sqlx_logging(false);
    options
}

fn sqlite(file: &Path, durability: Durability, connections: u32) -> ConnectOptions {
    let file = file.to_owned();
    let mut options = ConnectOptions::new("sqlite::memory:");
    // A connection to a file needs no asking whether it is still there.
    options.max_connections(connections).test_before_acquire(false).sqlx_logging(false).map_sqlx_sqlite_opts(
        move |sqlite| {
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
        },
    );
    options
}

/// Moves the write-ahead log into the database on a connection (and so a thread) of its own, for as long as the
/// process runs. Passive: it never waits for readers or writers, nor do they for it.
fn checkpoint_in_background(db: DatabaseConnection) {
    tokio::spawn(async move {
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
}
