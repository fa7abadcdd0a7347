//! Waits for a database that is away for a short time, within the tool's own time limit: the model is not told of an
//! outage that passes by itself.

use std::time::Duration;

use baton_core::effects::EffectRefused;
use baton_core::store::{Error, Result, Written};
use baton_core::tools::ToolFailure;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::arguments::store_failure;

/// Well within what a call may take.
const PATIENCE: Duration = Duration::from_secs(60);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Carries out the write of a call. It may be asked for again, as it is done once.
pub async fn once<F>(write: impl Fn() -> F) -> std::result::Result<Value, ToolFailure>
where
    F: Future<Output = Written>,
{
    let patient = async || match write().await {
        Err(EffectRefused::Store(error)) => Err(error),
        told => Ok(told),
    };
    match patiently(patient).await.map_err(store_failure)? {
        Ok(outcome) => Ok(outcome),
        Err(refused) => Err(told(refused)),
    }
}

/// What the model is told of a write that did not take place.
fn told(refused: EffectRefused) -> ToolFailure {
    match refused {
        EffectRefused::Fenced => {
            ToolFailure("It was not done: the turn was stopped, or goes on elsewhere.".to_owned())
        }
        EffectRefused::OtherArguments => {
            ToolFailure("It was not done: this call was carried out before, with other arguments.".to_owned())
        }
        EffectRefused::NotNow(words) => ToolFailure(words),
        EffectRefused::Store(error) => store_failure(error),
    }
}

/// Asks until the database answers, or until it has been away for too long.
pub async fn patiently<T, F>(ask: impl Fn() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    let (begun, mut pause) = (Instant::now(), FIRST_PAUSE);
    loop {
        match ask().await {
            Err(Error::Unavailable) if begun.elapsed() < PATIENCE => sleep(pause).await,
            answer => return answer,
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// What comes of asking, and how often it was asked; the first `away` times nobody answers.
    async fn asked(away: u32, then: fn() -> Result<&'static str>) -> (Result<&'static str>, u32) {
        let times = AtomicU32::new(0);
        let ask = || async {
            let before = times.fetch_add(1, Ordering::Relaxed);
            if before < away { Err(Error::Unavailable) } else { then() }
        };
        (patiently(ask).await, times.into_inner())
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_outage_is_waited_out_and_a_long_one_is_told() {
        assert!(matches!(asked(0, || Ok("there")).await, (Ok("there"), 1)));
        assert!(matches!(asked(5, || Ok("there")).await, (Ok("there"), 6)));
        assert!(matches!(asked(2, || Err(Error::NotFound("note"))).await, (Err(Error::NotFound(_)), 3)));
        let (told, times) = asked(u32::MAX, || Ok("never")).await;
        assert!(matches!(told, Err(Error::Unavailable)) && (20..60).contains(&times), "{times}");
    }
}
