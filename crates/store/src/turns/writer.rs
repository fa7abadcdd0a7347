//! The writer of turns on SQLite: one thread, one connection. All commits that wait go into one transaction, a savepoint
//! each; answers follow COMMIT, in order. Other writes of the process take the same permit, so two writers never meet.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use baton_core::store::{Error, Result};
use baton_core::turns::{Accept, Checkpoint, Commit, Committed, Refused, Switch};
use rusqlite::{Connection, OpenFlags};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};

use super::sqlite;
use crate::connect::Durability;

/// In one transaction; what comes later waits for the next.
const MAX_GROUP: usize = 256;

type Answer<T> = oneshot::Sender<std::result::Result<T, Refused>>;

enum Job {
    Accept(Box<Accept>, Answer<Committed>),
    Commit(Box<Commit>, Answer<Committed>),
    Switch(Box<Switch>, Answer<Committed>),
    Checkpoint(Box<Checkpoint>, Answer<()>),
}

#[derive(Clone)]
pub struct Writer {
    jobs: Sender<Job>,
}

impl Writer {
    pub fn open(file: &Path, durability: Durability, permit: Arc<Semaphore>) -> Result<Self> {
        let connection = connect(file, durability).map_err(sqlite::store_error)?;
        let (jobs, waiting) = channel();
        let runtime = Handle::current();
        std::thread::Builder::new()
            .name("baton-writer".to_owned())
            .spawn(move || write(connection, waiting, permit, runtime))
            .map_err(|error| Error::Database(Box::new(error)))?;
        Ok(Self { jobs })
    }

    pub async fn accept(&self, accept: Accept) -> std::result::Result<Committed, Refused> {
        self.ask(|answer| Job::Accept(Box::new(accept), answer)).await
    }

    pub async fn commit(&self, commit: Commit) -> std::result::Result<Committed, Refused> {
        self.ask(|answer| Job::Commit(Box::new(commit), answer)).await
    }

    pub async fn switch(&self, switch: Switch) -> std::result::Result<Committed, Refused> {
        self.ask(|answer| Job::Switch(Box::new(switch), answer)).await
    }

    pub async fn checkpoint(&self, checkpoint: Checkpoint) -> std::result::Result<(), Refused> {
        self.ask(|answer| Job::Checkpoint(Box::new(checkpoint), answer)).await
    }

    async fn ask<T>(&self, job: impl FnOnce(Answer<T>) -> Job) -> std::result::Result<T, Refused> {
        let (answer, answered) = oneshot::channel();
        let gone = || Refused::Store(Error::Unavailable);
        self.jobs.send(job(answer)).map_err(|_| gone())?;
        answered.await.unwrap_or_else(|_| Err(gone()))
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

fn write(connection: Connection, waiting: Receiver<Job>, permit: Arc<Semaphore>, runtime: Handle) {
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        let Ok(_permit) = runtime.block_on(permit.acquire()) else { return };
        while group.len() < MAX_GROUP
            && let Ok(next) = waiting.try_recv()
        {
            group.push(next);
        }
        commit_group(&connection, group);
    }
}

/// What a job came to, to be told once the transaction is committed.
enum Told {
    Committed(Answer<Committed>, std::result::Result<Committed, Refused>),
    Kept(Answer<()>, std::result::Result<(), Refused>),
}

fn commit_group(connection: &Connection, group: Vec<Job>) {
    if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
        let lost = lost(error);
        return group.into_iter().for_each(|job| job.refuse(&lost));
    }
    let told: Vec<Told> = group.into_iter().map(|job| job.run(connection)).collect();
    match connection.execute_batch("COMMIT") {
        Ok(()) => told.into_iter().for_each(|told| told.send(None)),
        Err(error) => {
            let _ = connection.execute_batch("ROLLBACK");
            let lost = lost(error);
            told.into_iter().for_each(|told| told.send(Some(&lost)));
        }
    }
}

/// Whether the disk was full, which people are told, or something else.
struct Lost {
    is_full: bool,
    text: String,
}

fn lost(error: rusqlite::Error) -> Lost {
    tracing::error!(%error, "a group of commits failed");
    Lost { is_full: sqlite::is_full(&error), text: error.to_string() }
}

impl Lost {
    fn refused(&self) -> Refused {
        Refused::Store(if self.is_full { Error::Full } else { Error::Database(self.text.clone().into()) })
    }
}

impl Job {
    fn run(self, connection: &Connection) -> Told {
        match self {
            Self::Accept(accept, answer) => {
                Told::Committed(answer, apart(connection, || sqlite::accept(connection, &accept)))
            }
            Self::Commit(commit, answer) => {
                Told::Committed(answer, apart(connection, || sqlite::commit(connection, &commit)))
            }
            Self::Switch(switch, answer) => {
                Told::Committed(answer, apart(connection, || sqlite::switch(connection, &switch)))
            }
            Self::Checkpoint(kept, answer) => {
                Told::Kept(answer, apart(connection, || sqlite::checkpoint(connection, &kept)))
            }
        }
    }

    fn refuse(self, lost: &Lost) {
        match self {
            Self::Accept(_, answer) | Self::Commit(_, answer) | Self::Switch(_, answer) => {
                drop(answer.send(Err(lost.refused())))
            }
            Self::Checkpoint(_, answer) => drop(answer.send(Err(lost.refused()))),
        }
    }
}

impl Told {
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

/// Runs one commit so that its failure takes nothing of the others with it.
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
    if outcome.is_err() {
        step("ROLLBACK TO one").map_err(sqlite::refused)?;
    }
    step("RELEASE one").map_err(sqlite::refused)?;
    outcome
}
