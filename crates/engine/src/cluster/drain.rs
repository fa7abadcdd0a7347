//! Ends a node in order: no new turn begins, running turns get some time to finish, readers are told to reconnect, and
//! turns that still run are left to other nodes. Also says whether turns can be driven on this node at all.

use std::sync::Arc;
use std::time::Duration;

use baton_core::ids::ConversationId;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::node::engine::Engine;
use crate::node::state::{NodeState, Phase};
use crate::stream::hub::Live;

/// How often it is looked whether anything still runs.
const GLANCE: Duration = Duration::from_millis(20);
/// Drivers that are told to stop have gone by then.
const LEAVING_TIME: Duration = Duration::from_secs(1);

/// Why no turn can be driven here at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotReady {
    #[error("the server is ending")]
    Ending,
    #[error("this node's lease is not good: it could not be renewed in time")]
    NoLease,
    #[error("a loop of the engine does not come back: {0}")]
    LoopLost(&'static str),
}

impl Engine {
    /// From now on no turn begins here and none is taken over; those that run go on.
    pub fn drain(&self) {
        self.0.enter_phase(Phase::Draining);
    }

    /// Is done when no turn runs here, and none is about to begin.
    pub async fn idle(&self) {
        while self.running() > 0 || self.0.turn_permits.taken() > 0 {
            sleep(GLANCE).await;
        }
    }

    /// Stops acting: what still runs goes on where someone claims it.
    pub async fn end(&self) {
        self.0.enter_phase(Phase::Ended);
        // A driver that has not gone yet is fenced by whoever claims its turn.
        let _still_there = timeout(LEAVING_TIME, self.idle()).await;
        self.end_lease().await;
    }

    pub fn is_ending(&self) -> bool {
        self.0.phase() != Phase::Serving
    }

    /// Whether turns can begin, be driven and be taken over here.
    pub fn readiness(&self) -> Result<(), NotReady> {
        if self.is_ending() {
            return Err(NotReady::Ending);
        }
        if !self.0.holds_lease() {
            return Err(NotReady::NoLease);
        }
        self.0.rounds.late().map_or(Ok(()), |name| Err(NotReady::LoopLost(name)))
    }

    /// Tells when readers of a conversation are to go on at another node.
    pub fn departure(&self, id: ConversationId) -> Departure {
        let live = self.live(id);
        Departure { states: self.0.states(), drivers: live.drivers(), _live: live }
    }
}

pub struct Departure {
    states: watch::Receiver<NodeState>,
    drivers: watch::Receiver<usize>,
    _live: Arc<Live>,
}

impl Departure {
    /// Whether the conversation's turn runs here.
    pub fn is_driven(&self) -> bool {
        *self.drivers.borrow() > 0
    }

    /// Is done when the node drains and drives no turn of the conversation, or has ended. Safe to drop.
    pub async fn due(&mut self) {
        let Self { states, drivers, .. } = self;
        let leaves = async {
            let _gone = drivers.wait_for(|drivers| *drivers == 0).await;
        };
        if states.wait_for(|now| now.phase != Phase::Serving).await.is_ok() {
            tokio::select! {
                () = leaves => {}
                _ = states.wait_for(|now| now.phase == Phase::Ended) => {}
            }
        }
    }
}
