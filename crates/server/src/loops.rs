//! Loops that run for as long as the server does. One that breaks down is begun again: it keeps nothing between two rounds.

use std::time::Duration;

/// A loop that breaks down is begun again after this.
const BREATH: Duration = Duration::from_secs(1);

/// Runs this until it ends by itself.
pub async fn keep_going<F>(name: &'static str, work: impl Fn() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    while let Err(error) = tokio::spawn(work()).await {
        tracing::error!(%error, name, "a loop broke down, and is begun again");
        tokio::time::sleep(BREATH).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_loop_that_breaks_down_is_begun_again_until_it_ends_by_itself() {
        let begun = Arc::new(AtomicU32::new(0));
        let work = || {
            let begun = begun.clone();
            async move { assert!(begun.fetch_add(1, Ordering::Relaxed) >= 2, "it breaks down") }
        };
        keep_going("test", work).await;
        assert_eq!(begun.load(Ordering::Relaxed), 3);
    }
}
