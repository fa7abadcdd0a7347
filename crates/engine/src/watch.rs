//! What runs beside the turns: this node's lease, turns of nodes that are gone, stops asked for elsewhere, approvals
//! nobody decided in time, and conversations that other nodes write to.

use std::time::Duration;

use baton_core::approvals::Decision;
use baton_core::turns::{Claimed, Refused};
use futures::{StreamExt, stream};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval};

use crate::decide::Deciding;
use crate::driver::Begins;
use crate::hub::Signal;
use crate::service::{Engine, HOLD};
use crate::time::now;

const RENEW: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_secs(2);

/// Turns that are taken up side by side.
const AT_ONCE: usize = 8;

fn every(pace: Duration) -> Interval {
    let mut tick = interval(pace);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tick
}

struct Lease {
    renewed: Instant,
    /// Whether this gap was dealt with.
    has_lapsed: bool,
}

impl Engine {
    /// Takes over what an earlier process left, then watches for as long as the server runs.
    pub async fn watch(&self) {
        let mut lease = Lease { renewed: Instant::now(), has_lapsed: false };
        // Nothing else is done between two renewals: whoever takes turns over must not lose its own meanwhile.
        let renewing = async {
            let mut tick = every(RENEW);
            loop {
                tick.tick().await;
                self.renew(&mut lease).await;
            }
        };
        let claiming = async {
            let mut tick = every(RENEW);
            loop {
                tick.tick().await;
                self.claim().await;
            }
        };
        let looking = async {
            let mut tick = every(LOOK);
            loop {
                tick.tick().await;
                self.look().await;
            }
        };
        tokio::join!(renewing, claiming, looking, self.hear());
    }

    /// Stops acting: turns go on where someone claims them.
    pub async fn end(&self) {
        self.0.set_ending();
        if let Err(error) = self.0.store.end_lease(self.0.node()).await {
            tracing::warn!(%error, "could not end the lease; others wait until it runs out");
        }
    }

    async fn renew(&self, lease: &mut Lease) {
        if self.0.is_ending() {
            return;
        }
        let shares = self.0.store.generation().is_none();
        if shares && lease.renewed.elapsed() > HOLD && !lease.has_lapsed {
            self.lapse().await;
            lease.has_lapsed = true;
        }
        let begun = Instant::now();
        match tokio::time::timeout(RENEW, self.0.store.renew_lease(self.0.node())).await {
            Ok(Ok(())) => {
                *lease = Lease { renewed: begun, has_lapsed: false };
                self.0.has_renewed(begun);
            }
            Ok(Err(error)) => tracing::warn!(%error, "could not renew the lease"),
            Err(_) => tracing::warn!("renewing the lease took too long"),
        }
    }

    /// The lease may have run out: drivers leave, and this node goes on as another, which may claim their turns too.
    async fn lapse(&self) {
        tracing::error!("the lease could not be renewed in time: this node leaves its turns");
        let before = self.0.node();
        self.0.renew_node();
        let _ = tokio::time::timeout(RENEW, self.0.store.end_lease(before)).await;
    }

    pub(crate) async fn claim(&self) {
        self.go_on_with(self.0.take_left()).await;
        // Where this process is the only one, only what an earlier one left can be claimed, and all of it at once.
        let is_alone = self.0.store.generation().is_some();
        while self.0.may_claim() && !(is_alone && self.0.has_claimed()) {
            let claimed = match self.0.store.claim_turns(self.0.node()).await {
                Ok(claimed) => claimed,
                Err(error) => return tracing::warn!(%error, "could not look for turns to take over"),
            };
            if claimed.is_empty() {
                return self.0.set_claimed();
            }
            tracing::info!(turns = claimed.len(), "taking over turns");
            self.go_on_with(claimed.into_iter().map(|claimed| (claimed, Begins::TakenOver)).collect()).await;
            if !is_alone {
                return;
            }
        }
    }

    async fn go_on_with(&self, turns: Vec<(Claimed, Begins)>) {
        let going = turns.into_iter().map(|(claimed, begins)| self.go_on(claimed, begins));
        stream::iter(going).buffer_unordered(AT_ONCE).collect::<()>().await;
    }

    pub(crate) async fn look(&self) {
        let store = &self.0.store;
        self.find_stranded().await;
        if store.generation().is_none() {
            // Other processes write too.
            if let Ok(tasks) = store.stops_requested(self.0.node()).await {
                tasks.into_iter().for_each(|task| self.0.stop_running(task));
            }
            let read = self.0.hub.read_here();
            let ids: Vec<_> = read.iter().map(|live| live.id).collect();
            if !ids.is_empty()
                && let Ok(seqs) = store.last_seqs(ids).await
            {
                for (id, seq) in seqs {
                    if let Some(live) = read.iter().find(|live| live.id == id && live.told() < seq) {
                        live.has_read(seq);
                        live.signal(Signal::ReadOn);
                    }
                }
            }
        }
        match store.overdue_approvals(now()).await {
            Ok(overdue) => {
                for approval_id in overdue {
                    self.expire(approval_id).await;
                }
            }
            Err(error) => tracing::warn!(%error, "could not look for overdue approvals"),
        }
    }

    /// Turns given to this node by a commit whose answer was lost. A driver may only be on its way, so they are taken
    /// up when they are found a second time.
    async fn find_stranded(&self) {
        let ours = match self.0.store.turns_of(self.0.node()).await {
            Ok(ours) => ours,
            Err(error) => return tracing::warn!(%error, "could not look for turns that nobody drives"),
        };
        for claimed in self.0.stranded_again(ours) {
            tracing::warn!(conversation = %claimed.conversation_id, "going on with a turn that nobody drove");
            match self.0.store.claim_again(self.0.node(), claimed).await {
                Ok(true) => self.go_on(claimed, Begins::TakenOver).await,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "could not take up a turn that nobody drove"),
            }
        }
    }

    async fn expire(&self, approval_id: baton_core::ids::ApprovalId) {
        let deciding = Deciding {
            approval_id,
            decision: Decision::Expired,
            by: "Baton".to_owned(),
            reason: None,
            args: None,
            remember: false,
        };
        match self.decide(deciding).await {
            Ok(_) | Err(Refused::TooLate | Refused::AlreadyDecided(_)) => {}
            Err(error) => tracing::warn!(%error, "could not expire an approval"),
        }
    }
}
