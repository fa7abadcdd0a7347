//! Waits for a database that doesn't answer or whose disk is full. Nothing that was said is dropped, and readers are
//! told within seconds. If the database refuses the same commit again and again, the turn is left to whoever claims it
//! next.

use std::time::Duration;

use baton_core::store::{Error, Result as StoreResult};
use tokio::time::{Instant, sleep_until};

use super::{Gone, STORE_TRIES, Work};
use crate::clock::backoff;
use crate::stream::hub::Live;

/// Readers are not told of a shorter outage.
const UNSEEN: Duration = Duration::from_secs(2);
/// How often readers hear that it goes on.
const AGAIN: Duration = Duration::from_secs(10);

/// What the database is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    NoAnswer,
    Full,
}

impl Trouble {
    fn of(error: &Error) -> Self {
        match error {
            Error::Full => Self::Full,
            _ => Self::NoAnswer,
        }
    }
}

/// One outage, from its first failed try on.
pub(super) struct Outage {
    tries: u32,
    /// How often the database answered, and refused.
    failed: u32,
    since: Instant,
    told: Option<Instant>,
    /// As the last answer said.
    trouble: Trouble,
}

impl Outage {
    pub fn new() -> Self {
        Self { tries: 0, failed: 0, since: Instant::now(), told: None, trouble: Trouble::NoAnswer }
    }

    /// Whether anything was tried before.
    pub fn has_tried(&self) -> bool {
        self.tries > 0
    }

    /// When readers are to hear of it, for the first time or again.
    fn next_told(&self) -> Instant {
        self.told.map_or(self.since + UNSEEN, |told| told + AGAIN)
    }

    /// Whether the database answers but refuses this statement.
    pub fn is_refusal(&self) -> bool {
        self.failed >= STORE_TRIES
    }
}

impl Work {
    /// Waits for an answer of the database. Whoever reads is told when it takes long.
    pub(super) async fn told_while<T>(
        &self,
        outage: &mut Outage,
        asking: impl Future<Output = T>,
    ) -> Result<T, Gone> {
        let driver = &self.driver;
        tokio::pin!(asking);
        loop {
            tokio::select! {
                biased;
                answer = &mut asking => return Ok(answer),
                () = driver.engine.loses(driver.node) => return Err(Gone),
                () = sleep_until(outage.next_told()) => self.tell_outage(outage),
            }
        }
    }

    /// Waits a little longer each time.
    pub(super) async fn wait_out(&self, outage: &mut Outage, error: &Error) -> Result<(), Gone> {
        let engine = &self.driver.engine;
        outage.failed += u32::from(!matches!(error, Error::Unavailable | Error::Full));
        outage.trouble = Trouble::of(error);
        self.still_ours().await?;
        if outage.next_told() <= Instant::now() {
            self.tell_outage(outage);
        }
        let tries = outage.tries;
        outage.tries += 1;
        self.told_while(outage, backoff(engine.pace.backoff, tries)).await?;
        self.still_ours().await
    }

    fn tell_outage(&self, outage: &mut Outage) {
        outage.told = Some(Instant::now());
        tell(&self.driver.live, outage.trouble);
    }

    /// Asks until the database answers; `None`: there is no such thing.
    pub(super) async fn answered<T, F>(&self, ask: impl Fn() -> F) -> Result<Option<T>, Gone>
    where
        F: Future<Output = StoreResult<T>>,
    {
        let mut outage = Outage::new();
        loop {
            match self.told_while(&mut outage, ask()).await? {
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

/// Tells readers that the turn waits for the database.
pub(super) fn tell(live: &Live, trouble: Trouble) {
    let (code, words) = match trouble {
        Trouble::Full => (
            "storage_full",
            "The server's disk is full, so the answer can't be stored. It goes on as soon as there is room.",
        ),
        Trouble::NoAnswer => (
            "storage_unavailable",
            "The server's database does not answer. The answer goes on as soon as it is back.",
        ),
    };
    live.tell_trouble(code, words);
}
