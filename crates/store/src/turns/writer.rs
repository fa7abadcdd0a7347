//! The writer of turns on SQLite: one thread, one connection. All commits that wait go into one transaction, with a
//! savepoint each; answers follow COMMIT, in order. Other writes of the process take the same permit, so two writers
//! never meet.
//!
//! Nobody waits for ever: a commit that was not begun in time is withdrawn and will never be made. A commit that was
//! begun is always waited for, because it may be stored.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use baton_core::store::{Error, Result};
use baton_core::turns::{Checkpoint, Committed, Refused};
use rusqlite::{Connection, OpenFlags};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use super::rows::CommitRows;
use super::sqlite::{self, TapeRow};
use crate::connect::{Durability, REQUEST};
use crate::life::{Alive, Life};

/// In one transaction; what comes later waits for the next.
const MAX_GROUP: usize = 256;

/// How long a job may wait to be begun.
const LIMIT: Duration = REQUEST;

type Answer<T> = oneshot::Sender<std::result::Result<T, Refused>>;

enum Job {
    Commit(Box<CommitRows>, Answer<Committed>),
    Checkpoint(TapeRow, Answer<()>),
    /// Rows of an import.
    Work(Work, Answer<()>),
}

/// Statements that somebody else knows. They have to be few, or quick: turns wait for them.
pub type Work = Box<dyn FnOnce(&Connection) -> std::result::Result<(), Refused> + Send>;

/// A job, and a flag that is taken once: by the writer, to do the job, or by its sender, to withdraw it.
struct Queued {
    job: Job,
    is_taken: Arc<AtomicBool>,
}

impl Queued {
    fn take(self) -> Option<Job> {
        (!self.is_taken.swap(true, Ordering::AcqRel)).then_some(self.job)
    }
}

#[derive(Clone)]
pub struct Writer {
    jobs: Sender<Queued>,
}

impl Writer {
    /// `generation` grows with every write of others, while its permit is held (`Write::commit`).
    pub fn open(
        file: &Path,
        durability: Durability,
        permit: Arc<Semaphore>,
        generation: Arc<AtomicU64>,
    ) -> Result<(Self, Life)> {
        let connection = connect(file, durability).map_err(sqlite::store_error)?;
        let (jobs, waiting) = channel();
        let runtime = Handle::current();
        let (alive, life) = Life::begin();
        std::thread::Builder::new()
            .name("baton-writer".to_owned())
            .spawn(move || write(connection, waiting, (permit, generation), runtime, alive))
            .map_err(|error| Error::Database(Box::new(error)))?;
        Ok((Self { jobs }, life))
    }

    pub async fn commit(&self, rows: CommitRows) -> std::result::Result<Committed, Refused> {
        self.ask(|answer| Job::Commit(Box::new(rows), answer)).await
    }

    pub async fn checkpoint(&self, checkpoint: Checkpoint) -> std::result::Result<(), Refused> {
        let kept = TapeRow::new(&checkpoint)?;
        self.ask(|answer| Job::Checkpoint(kept, answer)).await
    }

    /// Does `work` in a transaction, on the writer's connection.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (found, finds) = std::sync::mpsc::sync_channel(1);
        let work: Work = Box::new(move |connection| {
            let outcome = work(connection).map_err(sqlite::refused)?;
            // It holds one, and nobody else sends.
            let _ = found.try_send(outcome);
            Ok(())
        });
        match self.ask(|answer| Job::Work(work, answer)).await {
            Ok(()) => finds.try_recv().map_err(|lost| Error::Database(Box::new(lost))),
            Err(Refused::Store(error)) => Err(error),
            Err(other) => Err(Error::Database(Box::new(other))),
        }
    }

    async fn ask<T>(&self, job: impl FnOnce(Answer<T>) -> Job) -> std::result::Result<T, Refused> {
        let (answer, mut answered) = oneshot::channel();
        let is_taken = Arc::<AtomicBool>::default();
        let gone = || Refused::Store(Error::Unavailable);
        self.jobs.send(Queued { job: job(answer), is_taken: is_taken.clone() }).map_err(|_| gone())?;
        let answer = match timeout(LIMIT, &mut answered).await {
            Ok(answer) => answer,
            Err(_) if !is_taken.swap(true, Ordering::AcqRel) => return Err(gone()),
            Err(_) => answered.await,
        };
        answer.unwrap_or_else(|_| Err(gone()))
    }
}

fn connect(file: &Path, durability: Durability) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(
        None,
        "synchronous",
        match durability {
            Durability::Normal => "NORMAL",
            Durability::Full => "FULL",
        },
    )?;
    // Another connection checkpoints in the background.
    connection.pragma_update(None, "wal_autocheckpoint", 20_000)?;
    Ok(connection)
}

fn write(
    connection: Connection,
    waiting: Receiver<Queued>,
    (permit, generation): (Arc<Semaphore>, Arc<AtomicU64>),
    runtime: Handle,
    _alive: Alive,
) {
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        let Ok(_permit) = runtime.block_on(permit.acquire()) else { return };
        while group.len() < MAX_GROUP
            && let Ok(next) = waiting.try_recv()
        {
            group.push(next);
        }
        // It stays as it is for as long as the permit is held here.
        commit_group(&connection, group, generation.load(Ordering::Acquire));
    }
}

/// The result of a job, sent to its sender once the transaction is committed.
enum Told {
    Committed(Answer<Committed>, std::result::Result<Committed, Refused>),
    Kept(Answer<()>, std::result::Result<(), Refused>),
}

fn commit_group(connection: &Connection, group: Vec<Queued>, generation: u64) {
    let mut waiting = group.into_iter();
    while !waiting.as_slice().is_empty() {
        if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
            let lost = Lost::by(error);
            return waiting.filter_map(Queued::take).for_each(|job| job.refuse(&lost));
        }
        let mut told = Vec::new();
        // A full or failing disk may take back the whole transaction with one of its jobs: whoever was in it is told so,
        // and those after it have a transaction of their own.
        while !connection.is_autocommit()
            && let Some(queued) = waiting.next()
        {
            told.extend(queued.take().map(|job| job.run(connection, generation)));
        }
        let lost = match connection.is_autocommit() {
            true => told.last().map(Told::took_back),
            false => connection.execute_batch("COMMIT").err().map(|error| {
                let _ = connection.execute_batch("ROLLBACK");
                Lost::by(error)
            }),
        };
        told.into_iter().for_each(|told| told.send(lost.as_ref()));
    }
}

/// Why nothing of a group was stored.
enum Lost {
    Full,
    /// Someone else has the file.
    Busy,
    Other(String),
}

impl Lost {
    fn by(error: rusqlite::Error) -> Self {
        tracing::error!(%error, "a group of commits failed");
        match sqlite::store_error(error) {
            Error::Full => Self::Full,
            Error::Unavailable => Self::Busy,
            Error::Database(cause) => Self::Other(cause.to_string()),
            other => Self::Other(other.to_string()),
        }
    }

    fn refused(&self) -> Refused {
        Refused::Store(match self {
            Self::Full => Error::Full,
            Self::Busy => Error::Unavailable,
            Self::Other(text) => Error::Database(text.clone().into()),
        })
    }
}

impl Job {
    fn run(self, connection: &Connection, generation: u64) -> Told {
        match self {
            Self::Commit(rows, answer) => {
                Told::Committed(answer, apart(connection, || sqlite::commit(connection, &rows, generation)))
            }
            Self::Checkpoint(kept, answer) => {
                Told::Kept(answer, apart(connection, || sqlite::checkpoint(connection, &kept)))
            }
            Self::Work(work, answer) => Told::Kept(answer, apart(connection, || work(connection))),
        }
    }

    fn refuse(self, lost: &Lost) {
        match self {
            Self::Commit(_, answer) => drop(answer.send(Err(lost.refused()))),
            Self::Checkpoint(_, answer) => drop(answer.send(Err(lost.refused()))),
            Self::Work(_, answer) => drop(answer.send(Err(lost.refused()))),
        }
    }
}

impl Told {
    /// What the failure of one job means for the others in its transaction, which were rolled back too.
    fn took_back(&self) -> Lost {
        tracing::error!("a commit that failed took back the whole group");
        match self {
            Self::Committed(_, Err(Refused::Store(Error::Full)))
            | Self::Kept(_, Err(Refused::Store(Error::Full))) => Lost::Full,
            _ => Lost::Other("the transaction was taken back".to_owned()),
        }
    }

    fn send(self, lost: Option<&Lost>) {
        match self {
            Self::Committed(answer, outcome) => {
                drop(answer.send(lost.map_or(outcome, |lost| Err(lost.refused()))))
            }
            Self::Kept(answer, outcome) => {
                drop(answer.send(lost.map_or(outcome, |lost| Err(lost.refused()))))
            }
        }
    }
}

/// Runs one commit in a savepoint, so that its failure does not affect the others.
fn apart<T>(
    connection: &Connection,
    work: impl FnOnce() -> std::result::Result<T, Refused>,
) -> std::result::Result<T, Refused> {
    let step = |sql: &str| {
        let mut statement = connection.prepare_cached(sql)?;
        statement.execute([])
    };
    step("SAVEPOINT one").map_err(sqlite::refused)?;
    let outcome = work();
    if connection.is_autocommit() {
        // It took the whole transaction with it, and the savepoint.
        return outcome;
    }
    let taken_back = if outcome.is_err() { step("ROLLBACK TO one").map(drop) } else { Ok(()) };
    if let Err(error) = taken_back.and_then(|()| step("RELEASE one")) {
        // If a commit can't be rolled back alone, the whole group is rolled back, and all its senders are told.
        let _ = connection.execute_batch("ROLLBACK");
        return Err(sqlite::refused(error));
    }
    outcome
}

#[cfg(test)]
mod tests;
