//! Reads that a node makes every two seconds: for stops that were asked for at other nodes, for conversations that
//! other nodes write to, and for approvals that nobody decided in time. Hints from other nodes only make this faster.

use std::collections::HashMap;

use baton_core::approvals::Decision;
use baton_core::ids::ApprovalId;
use baton_core::turns::Refused;
use futures::{StreamExt, stream};
use tokio::time::timeout;

use crate::accept::decide::Deciding;
use crate::clock::now;
use crate::node::engine::Engine;
use crate::stream::hub::Signal;

/// How many conversations one statement asks for.
const CHUNK: usize = 500;
/// How many approvals expire at the same time.
const AT_ONCE: usize = 8;

impl Engine {
    /// Stops the turns of this node that someone asked to stop at another.
    pub(crate) async fn find_stops(&self) {
        match self.0.bounded(self.0.store.stops_requested(self.0.node())).await {
            Ok(tasks) => tasks.into_iter().for_each(|task| self.0.stop_running(task)),
            Err(error) => tracing::warn!(%error, "could not look for turns that are to stop"),
        }
    }

    /// Tells readers to read on if their conversation has grown and this node was not told.
    pub(crate) async fn repair_readers(&self) {
        let read: HashMap<_, _> = self.0.hub.read_here().into_iter().map(|live| (live.id, live)).collect();
        let ids: Vec<_> = read.keys().copied().collect();
        for chunk in ids.chunks(CHUNK) {
            let seqs = match self.0.bounded(self.0.store.last_seqs(chunk.to_vec())).await {
                Ok(seqs) => seqs,
                Err(error) => {
                    return tracing::warn!(%error, "could not look whether conversations have grown");
                }
            };
            for (id, seq) in seqs {
                if let Some(live) = read.get(&id).filter(|live| live.told() < seq) {
                    live.has_read(seq);
                    live.signal(Signal::ReadOn);
                }
            }
        }
    }

    pub(crate) async fn expire_overdue(&self) {
        if !self.0.may_claim() {
            return;
        }
        match self.0.bounded(self.0.store.overdue_approvals(now())).await {
            Ok(overdue) => {
                stream::iter(overdue).for_each_concurrent(AT_ONCE, |id| self.expire(id)).await;
            }
            Err(error) => tracing::warn!(%error, "could not look for overdue approvals"),
        }
    }

    async fn expire(&self, approval_id: ApprovalId) {
        let deciding = Deciding {
            approval_id,
            decision: Decision::Expired,
            by: "Baton".to_owned(),
            reason: None,
            args: None,
            args_hash: None,
            remember: false,
        };
        // The decision is finished even if nobody waits for it any longer (`whole`).
        match timeout(self.0.pace.watch.limit, self.decide(deciding)).await {
            Ok(Ok(_) | Err(Refused::TooLate | Refused::AlreadyDecided(_))) => {}
            Ok(Err(error)) => tracing::warn!(%error, "could not expire an approval"),
            Err(_) => tracing::warn!(approval = %approval_id, "expiring an approval takes long"),
        }
    }
}
