//! Time: now as it is stored, and how long to wait before trying again.

use std::time::Duration;

use chrono::{DateTime, SubsecRound, Utc};

/// To the microsecond: what every engine keeps.
pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

pub async fn backoff(first: Duration, tries: u32) {
    let wait = first * 2u32.pow(tries.min(6));
    tokio::time::sleep(wait.min(Duration::from_secs(5))).await;
}
