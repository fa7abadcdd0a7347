//! Finds turns that nobody drives: turns of nodes that are gone, and turns of this node whose driver broke down or
//! whose commit was never answered.

use std::time::Duration;

use baton_core::ids::TaskId;
use baton_core::turns::{Claimed, LEASE};
use futures::{StreamExt, stream};
use tokio::time::timeout;

use crate::lock::lock;
use crate::node::engine::Engine;
use crate::node::pace::WatchPace;
use crate::node::running::Begins;

/// How many turns are taken up at the same time.
const AT_ONCE: usize = 8;
/// The loop waits this long for a batch. A batch that takes longer is finished while the loop goes on: other nodes may be
/// gone too.
const BATCH_TIME: Duration = Duration::from_millis(500);

/// The turns of a node that was killed speak again within six seconds: its lease runs out, a batch that was being taken up ends,
/// and the loop looks.
const _: () = {
    let found = LEASE.as_millis() + BATCH_TIME.as_millis() + WatchPace::STEADY.claim.as_millis();
    assert!(found <= 6_000);
};

impl Engine {
    /// Takes over the turns of nodes that are gone.
    pub(crate) async fn claim(&self) {
        self.end_left_leases().await;
        // If this process is the only one, there is nothing to claim but what an earlier process left: all of it, once.
        let is_alone = !self.0.shares();
        while self.0.may_claim() && !(is_alone && self.0.has_claimed()) {
            let claimed = match self.0.bounded(self.0.store.claim_turns(self.0.node())).await {
                Ok(claimed) => claimed,
                Err(error) => return tracing::warn!(%error, "could not look for turns to take over"),
            };
            if claimed.is_empty() {
                return self.0.set_claimed();
            }
            tracing::info!(turns = claimed.len(), "taking over turns");
            self.resume_turns(claimed.into_iter().map(|claimed| (claimed, Begins::TakenOver)).collect())
                .await;
            if !is_alone {
                return;
            }
        }
    }

    /// Looks again at turns that could not be continued.
    pub(crate) async fn take_up_left(&self) {
        let left = self.0.take_left();
        if !left.is_empty() {
            self.resume_turns(left).await;
        }
    }

    /// Goes on with turns in a task of its own: one that takes long does not hold up the loop.
    async fn resume_turns(&self, turns: Vec<(Claimed, Begins)>) {
        let engine = self.clone();
        let batch = tokio::spawn(async move {
            let _those = TakingUp::begin(&engine, turns.iter().map(|(claimed, _)| claimed.task_id).collect());
            let going = turns.into_iter().map(|(claimed, begins)| engine.resume(claimed, begins));
            stream::iter(going).buffer_unordered(AT_ONCE).collect::<()>().await;
        });
        if let Ok(Err(error)) = timeout(BATCH_TIME, batch).await
            && error.is_panic()
        {
            std::panic::resume_unwind(error.into_panic());
        }
    }

    /// Takes up turns given to this node by a commit whose answer was lost. A driver may only be on its way, so they are
    /// taken up when they are found a second time.
    pub(crate) async fn find_stranded(&self) {
        if !self.0.may_claim() {
            return;
        }
        let ours = match self.0.bounded(self.0.store.turns_of(self.0.node())).await {
            Ok(ours) => ours,
            Err(error) => return tracing::warn!(%error, "could not look for turns that nobody drives"),
        };
        let mut again = Vec::new();
        for claimed in self.0.stranded_again(ours) {
            tracing::warn!(conversation = %claimed.conversation_id, "going on with a turn that nobody drove");
            match self.0.bounded(self.0.store.claim_again(self.0.node(), claimed)).await {
                Ok(true) => again.push((claimed, Begins::TakenOver)),
                Ok(false) => {}
                // The database is slow or away: the rest can wait for the next look.
                Err(error) => {
                    tracing::warn!(%error, "could not take up a turn that nobody drove");
                    break;
                }
            }
        }
        self.resume_turns(again).await;
    }
}

/// Turns of a batch: until it is their time, nobody else takes them for stranded.
struct TakingUp {
    engine: Engine,
    turns: Vec<TaskId>,
}

impl TakingUp {
    fn begin(engine: &Engine, turns: Vec<TaskId>) -> Self {
        lock(&engine.0.taking_up).extend(turns.iter().copied());
        Self { engine: engine.clone(), turns }
    }
}

impl Drop for TakingUp {
    fn drop(&mut self) {
        let mut taking_up = lock(&self.engine.0.taking_up);
        self.turns.iter().for_each(|task| {
            taking_up.remove(task);
        });
    }
}
