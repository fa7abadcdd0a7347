//! Time: the current moment as it is stored, the wall clock beside a process's own, and how long to wait before the next try.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, SubsecRound, Utc};

/// To the microsecond: what every engine keeps.
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

/// The wall clock. It goes on while the machine sleeps, and a process's own clock doesn't; but it can be set, also back.
pub type WallClock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

pub async fn backoff(first: Duration, tries: u32) {
    tokio::time::sleep(pause_after(first, tries)).await;
}

/// Twice as long each time, up to five seconds.
pub fn pause_after(first: Duration, tries: u32) -> Duration {
    (first * 2u32.pow(tries.min(6))).min(Duration::from_secs(5))
}
