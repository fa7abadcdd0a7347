//! The rounds of the loops that run beside the turns: when each loop last finished a round, and how long one of its
//! statements may take.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use baton_core::store::Error;
use tokio::time::{Instant, timeout};

use crate::lock::lock;
use crate::node::engine::Inner;

/// A loop that has not come round for this long does not come back by itself: all its limits together are shorter.
const LATE: Duration = Duration::from_secs(60);

/// When each loop last came round.
#[derive(Default)]
pub struct Rounds(Mutex<HashMap<&'static str, Instant>>);

impl Rounds {
    pub fn came_round(&self, name: &'static str) {
        lock(&self.0).insert(name, Instant::now());
    }

    /// A loop that doesn't come back.
    pub fn late(&self) -> Option<&'static str> {
        let rounds = lock(&self.0);
        rounds.iter().find(|(_, last)| last.elapsed() > LATE).map(|(name, _)| *name)
    }
}

impl Inner {
    /// A statement of a loop: without an answer it is given up.
    pub async fn bounded<T>(&self, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        timeout(self.pace.watch.limit, call).await.unwrap_or(Err(Error::Unavailable))
    }
}
