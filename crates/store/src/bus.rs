//! Hints between nodes on one Postgres, by LISTEN and NOTIFY over one connection of their own.
//!
//! Nobody waits for this connection: hints go into a queue, and a task sends the whole queue in one statement. If a
//! full queue or a broken connection loses hints, the nodes that may lack one are told a single `missed`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use baton_core::bus::{Bus, Heard, Hint};
use baton_core::store::Result;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use sea_orm::sqlx::postgres::PgListener;
use sea_orm::{DbErr, RuntimeErr, sqlx};
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::db::database_error;

const CHANNEL: &str = "baton";
/// Postgres takes payloads shorter than 8000 bytes.
const MOST_BYTES: usize = 7_900;
const QUEUE: usize = 4_096;
const BATCH: usize = 256;
const PATIENCE: Duration = Duration::from_secs(5);
/// A connection that is silent this long is asked whether it is still there.
const SILENCE: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(500);

pub struct PgBus {
    queue: mpsc::Sender<Hint>,
    heard: broadcast::Sender<Heard>,
    /// Whether others lack something that this node could not send.
    owes: Arc<AtomicBool>,
    task: AbortHandle,
}

impl PgBus {
    pub async fn open(url: &str) -> Result<Self> {
        let listener = connect(url)
            .await
            .map_err(|error| database_error(DbErr::Conn(RuntimeErr::SqlxError(error.into()))))?;
        let (queue, queued) = mpsc::channel(QUEUE);
        let heard = broadcast::channel(QUEUE).0;
        let owes = Arc::<AtomicBool>::default();
        let line = Line {
            url: url.to_owned(),
            from: Uuid::new_v4(),
            queued,
            heard: heard.clone(),
            owes: owes.clone(),
        };
        let task = tokio::spawn(line.keep(listener)).abort_handle();
        Ok(Self { queue, heard, owes, task })
    }

    pub fn close(&self) {
        self.task.abort();
    }
}

impl Bus for PgBus {
    fn tell(&self, hint: Hint) {
        if self.queue.try_send(hint).is_err() {
            self.owes.store(true, Ordering::Release);
        }
    }

    fn listen(&self) -> BoxStream<'static, Heard> {
        let heard = self.heard.subscribe();
        stream::unfold(heard, |mut heard| async move {
            match heard.recv().await {
                Ok(next) => Some((next, heard)),
                Err(RecvError::Lagged(_)) => Some((Heard::Missed, heard)),
                Err(RecvError::Closed) => None,
            }
        })
        .boxed()
    }
}

/// This node's end of the line.
struct Line {
    url: String,
    /// The id by which this node recognises its own hints.
    from: Uuid,
    queued: mpsc::Receiver<Hint>,
    heard: broadcast::Sender<Heard>,
    owes: Arc<AtomicBool>,
}

impl Line {
    async fn keep(mut self, mut listener: PgListener) {
        while let Err(error) = self.follow(&mut listener).await {
            tracing::warn!(%error, "lost the line to other nodes");
            // Dropped before the next is there: it may hang.
            drop(listener);
            listener = self.connect_again().await;
            tracing::info!("the line to other nodes is back");
            // Hints of the meantime may be lost, on both sides.
            while self.queued.try_recv().is_ok() {}
            self.owes.store(true, Ordering::Release);
            self.hear(Heard::Missed);
        }
    }

    async fn connect_again(&self) -> PgListener {
        loop {
            match connect(&self.url).await {
                Ok(listener) => return listener,
                Err(error) => tracing::debug!(%error, "no line to other nodes yet"),
            }
            sleep(PAUSE).await;
        }
    }

    /// Sends and hears until the connection breaks, or until nobody is left to tell anything.
    async fn follow(&mut self, listener: &mut PgListener) -> sqlx::Result<()> {
        loop {
            if self.owes.swap(false, Ordering::AcqRel) {
                self.send(listener, vec![Heard::Missed]).await?;
            }
            tokio::select! {
                received = listener.try_recv() => match received? {
                    Some(notification) => self.take(notification.payload()),
                    None => return Err(sqlx::Error::WorkerCrashed),
                },
                first = self.queued.recv() => {
                    let Some(first) = first else { return Ok(()) };
                    let more = std::iter::from_fn(|| self.queued.try_recv().ok()).take(BATCH);
                    let batch = [first].into_iter().chain(more).map(Heard::Hint).collect();
                    self.send(listener, batch).await?;
                }
                () = sleep(SILENCE) => self.send(listener, Vec::new()).await?,
            }
        }
    }

    /// With nothing to say it only asks whether the connection is there.
    async fn send(&self, listener: &mut PgListener, said: Vec<Heard>) -> sqlx::Result<()> {
        let notify = sqlx::query("SELECT pg_notify($1, said) FROM unnest($2::text[]) AS said")
            .bind(CHANNEL)
            .bind(pack(self.from, &said))
            .execute(listener);
        timeout(PATIENCE, notify).await.map_err(|_| sqlx::Error::PoolTimedOut)?.map(drop)
    }

    fn take(&self, payload: &str) {
        match unpack(self.from, payload) {
            Some(said) => said.into_iter().for_each(|heard| self.hear(heard)),
            // Another version's words.
            None => self.hear(Heard::Missed),
        }
    }

    fn hear(&self, heard: Heard) {
        // Nobody may be listening.
        let _ = self.heard.send(heard);
    }
}

async fn connect(url: &str) -> sqlx::Result<PgListener> {
    let connecting = async {
        let mut listener = PgListener::connect(url).await?;
        listener.eager_reconnect(false);
        // A hint need not survive a power cut, and should not wait for the disk.
        sqlx::query("SET synchronous_commit = off").execute(&mut listener).await?;
        listener.listen(CHANNEL).await?;
        Ok(listener)
    };
    timeout(PATIENCE, connecting).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// Puts what is said into as few payloads as hold it: who says it, a space, and a JSON array.
fn pack(from: Uuid, said: &[Heard]) -> Vec<String> {
    let mut payloads: Vec<String> = Vec::new();
    for heard in said {
        let text = serde_json::to_string(heard).unwrap_or_default();
        let fits = (1..MOST_BYTES - 64).contains(&text.len());
        let text = if fits { text } else { "\"missed\"".to_owned() };
        match payloads.last_mut().filter(|payload| payload.len() + text.len() + 2 <= MOST_BYTES) {
            Some(payload) => payload.push(','),
            None => payloads.push(format!("{} [", from.simple())),
        }
        if let Some(payload) = payloads.last_mut() {
            payload.push_str(&text);
        }
    }
    payloads.iter_mut().for_each(|payload| payload.push(']'));
    payloads
}

/// The hints in a payload, unless they are this node's own.
fn unpack(own: Uuid, payload: &str) -> Option<Vec<Heard>> {
    let (from, said) = payload.split_once(' ')?;
    if from.parse::<Uuid>().ok()? == own {
        return Some(Vec::new());
    }
    let said: Vec<Value> = serde_json::from_str(said).ok()?;
    Some(said.into_iter().filter_map(Heard::read).collect())
}

#[cfg(test)]
mod tests;
