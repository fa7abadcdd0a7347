//! Waits at the start for a database that is away or whose disk is full: a server that begins while its database begins too, or goes away for a
//! moment, needs nobody to start it again.

use std::time::Duration;

use baton_core::store::Error;

use crate::http::ApiError;

/// Between two tries.
const PAUSE: Duration = Duration::from_secs(2);

/// Does this again until the database answers. It may have been done before, if only the answer was lost.
pub async fn until_there<T>(work: impl AsyncFn() -> anyhow::Result<T>) -> anyhow::Result<T> {
    loop {
        match work().await {
            Err(error) if is_away(&error) => {
                tracing::warn!(%error, "waiting for the database");
                tokio::time::sleep(PAUSE).await;
            }
            done => return done,
        }
    }
}

fn is_away(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(cause.downcast_ref(), Some(Error::Unavailable | Error::Full))
            || cause.downcast_ref::<ApiError>().is_some_and(ApiError::is_outage)
    })
}
