//! This node's lease. It is valid for five seconds by the database's clock and renewed every second, by a loop that does
//! nothing else. What is hard: an answer may be late or never come. A node that does not know its lease to be good stops by
//! its own clock after four seconds, before the database gives its turns to others. The machine may have slept: a renewal that
//! finds the lease run out does not bring back what ran under it.

use baton_core::store::Error;
use baton_core::turns::LeaseBefore;
use tokio::time::{sleep, sleep_until, timeout};

use crate::node::engine::Engine;
use crate::node::state::{LastTry, LostBy};

/// One in so many failed tries for the first lease is logged.
const SAY_AGAIN: u32 = 5;

impl Engine {
    /// Waits for the first lease. Until then nothing begins here (`Inner::holds_lease`).
    pub(crate) async fn take_lease(&self) {
        for tries in 0.. {
            match self.renew().await {
                Ok(()) => return,
                Err(error) if tries % SAY_AGAIN == 0 => {
                    tracing::warn!(%error, "no lease yet: waiting for the database");
                }
                Err(_) => {}
            }
            sleep(self.0.pace.watch.renew).await;
        }
    }

    /// One renewal. It ends within its limit, with or without an answer.
    pub(crate) async fn renew(&self) -> Result<(), Error> {
        let mut last_try = self.0.renewing.lock().await;
        let renewal = self.0.renewal();
        // If the machine slept, a try without an answer may have been the one that found the lease run out.
        let is_doubtful = *last_try == LastTry::Unanswered && self.0.may_have_slept();
        let renewed = timeout(self.0.pace.watch.renew_limit, self.0.store.renew_lease(renewal.node)).await;
        let renewed = renewed.unwrap_or(Err(Error::Unavailable));
        *last_try = if renewed.is_ok() { LastTry::CameThrough } else { LastTry::Unanswered };
        match renewed {
            Ok(before)
                if (is_doubtful || before == LeaseBefore::RunOut) && self.0.left_for_run_out(renewal) =>
            {
                tracing::error!("the lease had run out unnoticed, or may have: this node leaves its turns");
                Ok(())
            }
            Ok(_) => {
                self.0.has_renewed(renewal);
                Ok(())
            }
            Err(error) => {
                self.0.has_not_renewed(renewal.at);
                Err(error)
            }
        }
    }

    pub(crate) async fn keep_lease(&self) {
        if let Err(error) = self.renew().await {
            tracing::warn!(%error, "could not renew the lease");
        }
    }

    /// Waits until the lease may have run out. Then drivers stop, and this node goes on under another name, under which it
    /// may claim the same turns.
    pub(crate) async fn mind_lease(&self) {
        let mut renewals = self.0.renewed.subscribe();
        loop {
            let renewed = *renewals.borrow_and_update();
            let Some(renewed) = renewed else {
                if renewals.changed().await.is_err() {
                    return;
                }
                continue;
            };
            tokio::select! {
                biased;
                changed = renewals.changed() => match changed {
                    Ok(()) => continue,
                    Err(_) => return,
                },
                () = sleep_until(renewed.at + self.0.pace.watch.hold) => {}
            }
            tracing::error!("the lease could not be renewed in time: this node leaves its turns");
            self.0.renew_node();
            if renewals.changed().await.is_err() {
                return;
            }
        }
    }

    /// Ends the leases of names that this process had before, so that other nodes need not wait until they run out. It is
    /// done before every claim, and repeated until it succeeds.
    ///
    /// A lease that has already run out is ended too: `end_lease` marks its turns, so that taking them over costs no try
    /// after an outage. If another node takes them over first, it costs one: to the database, a node that is cut off
    /// looks like one that crashed.
    pub(crate) async fn end_left_leases(&self) {
        for left in self.0.take_left_names() {
            let ended = match left.lost_by {
                LostBy::Outage => self.0.bounded(self.0.store.end_lease(left.name)).await,
                LostBy::Stall => self.0.bounded(self.0.store.drop_lease(left.name)).await,
            };
            if let Err(error) = ended {
                tracing::warn!(%error, "could not end a lease that was left yet");
                self.0.put_back_name(left);
            }
        }
    }

    /// Ends the lease in order. Other nodes take over the turns that still ran, and that costs no try.
    pub(crate) async fn end_lease(&self) {
        // A renewal that is under way would bring the lease back, so it is waited for.
        let _renewing = self.0.renewing.lock().await;
        if let Err(error) = self.0.bounded(self.0.store.end_lease(self.0.node())).await {
            tracing::warn!(%error, "could not end the lease; others wait until it runs out");
        }
    }
}
