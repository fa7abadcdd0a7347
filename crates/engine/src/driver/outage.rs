//! A database that doesn't answer, or whose disk is full, is waited for: nothing is dropped that was said, and whoever
//! reads is told within seconds. What it refuses again and again is left to whoever takes the turn up next.

use std::time::Duration;

use baton_core::store::{Error, Result as StoreResult};
use tokio::time::Instant;

use super::{Gone, STORE_TRIES, Work};
use crate::time::backoff;

/// A shorter one goes by unseen.
const UNSEEN: Duration = Duration::from_secs(2);
/// How often readers hear that it goes on.
const AGAIN: Duration = Duration::from_secs(10);

/// One time of waiting.
pub(super) struct Outage {
    tries: u32,
    /// How often the database answered, and refused.
    failed: u32,
    since: Instant,
    told: Option<Instant>,
}

impl Outage {
    pub fn new() -> Self {
        Self { tries: 0, failed: 0, since: Instant::now(), told: None }
    }

    /// Whether anything was tried before.
    pub fn has_tried(&self) -> bool {
        self.tries > 0
    }

    /// Whether it is what is asked that the database doesn't take.
    pub fn is_refusal(&self) -> bool {
        self.failed >= STORE_TRIES
    }
}

fn told(error: &Error) -> (&'static str, &'static str) {
    match error {
        Error::Full => (
            "storage_full",
            "The server's disk is full, so the answer can't be stored. It goes on as soon as there is room.",
        ),
        _ => (
            "storage_unavailable",
            "The server's database does not answer. The answer goes on as soon as it is back.",
        ),
    }
}

impl Work {
    /// Waits a little longer each time.
    pub(super) async fn wait_out(&self, outage: &mut Outage, error: &Error) -> Result<(), Gone> {
        let driver = &self.driver;
        outage.failed += u32::from(!matches!(error, Error::Unavailable | Error::Full));
        self.still_ours()?;
        let is_due = outage.told.map_or(outage.since.elapsed() >= UNSEEN, |told| told.elapsed() >= AGAIN);
        if is_due {
            let (code, words) = told(error);
            driver.live.tell_trouble(code, words);
            outage.told = Some(Instant::now());
        }
        let is_lost = tokio::select! {
            biased;
            () = driver.engine.loses(driver.node) => true,
            () = backoff(driver.engine.pace.backoff, outage.tries) => false,
        };
        outage.tries += 1;
        if is_lost { Err(Gone) } else { self.still_ours() }
    }

    /// Asks until the database answers; `None`: there is no such thing.
    pub(super) async fn answered<T, F>(&self, ask: impl Fn() -> F) -> Result<Option<T>, Gone>
    where
        F: Future<Output = StoreResult<T>>,
    {
        let mut outage = Outage::new();
        loop {
            match ask().await {
                Ok(answer) => return Ok(Some(answer)),
                Err(Error::NotFound(_)) => return Ok(None),
                Err(error) => {
                    let conversation = self.driver.seat.id;
                    tracing::warn!(%error, %conversation, "a turn waits for the database");
                    self.wait_out(&mut outage, &error).await?;
                }
            }
            if outage.is_refusal() {
                return Err(Gone);
            }
        }
    }
}
