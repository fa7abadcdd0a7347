//! Reads a file on a thread that may wait, and says what a file that can't be read means for its import.

use baton_core::data::imports::ImportBatch;
use baton_core::store::{self, Error};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};

use super::file::PieceFile;
use super::look::Look;
use super::report::Question;
use super::run::Halt;
use super::transactions::{Reader, Stopped};

/// Batches that wait to be stored.
const WAITING: usize = 2;

/// A file that is being read.
pub struct Reading {
    thread: JoinHandle<Result<Reader, Stopped>>,
    pub batches: mpsc::Receiver<ImportBatch>,
}

impl Reading {
    /// Gives out what comes after the first `done` items.
    pub fn begin(mut reader: Reader, look: Look, file: PieceFile, done: u64) -> Self {
        let (send, batches) = mpsc::channel(WAITING);
        let thread = spawn_blocking(move || {
            let items = look.items(file).map_err(Stopped::File)?;
            reader.read(items, done, |batch| send.blocking_send(batch).map_err(|_| Stopped::Unwanted))?;
            Ok(reader)
        });
        Self { thread, batches }
    }

    /// Once all batches are taken.
    pub async fn end(self) -> Result<Reader, Halt> {
        match self.thread.await {
            Ok(Ok(reader)) => Ok(reader),
            Ok(Err(Stopped::File(error))) => Err(unreadable(error)),
            Ok(Err(Stopped::Store(error))) => Err(error.into()),
            Ok(Err(Stopped::Unwanted)) => Err(Halt::Lost),
            Err(panicked) => Err(Halt::Store(Error::Database(Box::new(panicked)))),
        }
    }
}

fn unreadable(error: baton_formats::Error) -> Halt {
    match error {
        baton_formats::Error::Io(error) => match error.downcast::<store::Error>() {
            Ok(error) => error.into(),
            Err(error) => Halt::Failed(format!("The file can't be read: {error}.")),
        },
        baton_formats::Error::NeedsMapping(questions) => {
            Halt::Asks(questions.iter().map(Question::from).collect())
        }
        baton_formats::Error::Refused(problem) => Halt::Failed(problem),
    }
}

/// On a thread that may wait.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> baton_formats::Result<T> + Send + 'static,
) -> Result<T, Halt> {
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(unreadable),
        Err(panicked) => Err(Halt::Store(Error::Database(Box::new(panicked)))),
    }
}
