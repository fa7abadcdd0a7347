//! The state of this process: the node id it drives turns under, whether its lease is good, and whether it is about to
//! end. A driver keeps the node id it began under, and stops when that id is no longer valid.
//!
//! What is hard: a machine that sleeps. The clock of a process stands still meanwhile, so the wall clock is asked too. That one
//! may have been set, so by it alone nothing is lost: the next renewal tells whether the lease was good all the time.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use baton_core::ids::NodeId;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::lock::lock;
use crate::node::engine::Inner;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Serving,
    /// No turn begins any more; those that run go on.
    Draining,
    /// Nothing is driven any more.
    Ended,
}

#[derive(Debug, Clone, Copy)]
pub struct NodeState {
    pub node: NodeId,
    pub phase: Phase,
}

/// Why a lease could not be renewed in time.
///
/// It decides whether the takeover of its turns is a try. A turn that makes its node stand still, again and again at the
/// same step, must end like one that makes it crash. A turn that only ran while the database was away must not: an outage
/// says nothing about it, however many there are within one long step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostBy {
    /// Renewals failed, or were not answered: the database was away.
    Outage,
    /// No renewal failed; they came too late, because this process stood still.
    Stall,
}

/// When a renewal that came through was begun, by the process's own clock and by the wall clock, and for which name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renewal {
    pub at: Instant,
    pub wall: SystemTime,
    pub node: NodeId,
}

/// What came of the last try to renew the lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LastTry {
    #[default]
    CameThrough,
    /// It may have been stored, and what it found of the lease is not known.
    Unanswered,
}

/// A node id that this process had before.
#[derive(Debug, Clone, Copy)]
pub struct LeftName {
    pub name: NodeId,
    pub lost_by: LostBy,
}

impl Inner {
    pub fn node(&self) -> NodeId {
        self.state.borrow().node
    }

    pub fn phase(&self) -> Phase {
        self.state.borrow().phase
    }

    pub fn states(&self) -> watch::Receiver<NodeState> {
        self.state.subscribe()
    }

    /// A phase only ever follows an earlier one.
    pub fn enter_phase(&self, phase: Phase) {
        self.state.send_modify(|state| {
            if state.phase != Phase::Ended {
                state.phase = phase;
            }
        });
    }

    /// A node that lost its lease goes on under another node id: any node may claim its earlier turns, this one too.
    pub fn renew_node(&self) {
        let lost_by = match self.renewal_failed.load(Ordering::Acquire) {
            true => LostBy::Outage,
            false => LostBy::Stall,
        };
        self.kept.forget_all();
        let mut before = None;
        self.state.send_modify(|state| before = Some(std::mem::replace(&mut state.node, NodeId::new())));
        lock(&self.left_names).extend(before.map(|name| LeftName { name, lost_by }));
    }

    /// The node ids that this process had before, whose leases are still to be ended.
    pub fn take_left_names(&self) -> Vec<LeftName> {
        std::mem::take(&mut lock(&self.left_names))
    }

    pub fn put_back_name(&self, name: LeftName) {
        lock(&self.left_names).push(name);
    }

    /// A renewal failed. One that is told of late says nothing about the database: it was this process that stood still.
    pub fn has_not_renewed(&self, begun: Instant) {
        self.kept.forget_all();
        if begun.elapsed() < 2 * self.pace.watch.renew_limit {
            self.renewal_failed.store(true, Ordering::Release);
        }
    }

    /// Whether other processes use the same database, so that a lease must prove this one alive.
    pub fn shares(&self) -> bool {
        self.store.generation().is_none()
    }

    /// Whether what began under this name may go on. Asked just before each effect: another node may have taken over
    /// while this one slept.
    pub fn may_act(&self, node: NodeId) -> bool {
        let state = *self.state.borrow();
        state.phase != Phase::Ended && state.node == node && self.holds_lease()
    }

    /// The same for what can wait until it is known: where the machine may have slept, the next renewal tells.
    pub async fn may_still_act(&self, node: NodeId) -> bool {
        let mut renewals = self.renewed.subscribe();
        while self.may_have_slept() {
            tokio::select! {
                biased;
                () = self.loses(node) => return false,
                changed = renewals.changed() => if changed.is_err() { return false },
            }
        }
        self.may_act(node)
    }

    /// Whether the lease is known to be good. Before the first renewal it is not: a turn that began would be taken for a
    /// dead node's.
    pub fn holds_lease(&self) -> bool {
        let is_good = |renewal: Renewal| renewal.at.elapsed() <= self.pace.watch.hold;
        !self.shares() || (self.renewed.borrow().is_some_and(is_good) && !self.may_have_slept())
    }

    /// Whether the lease has run out by the wall clock. Where that was set back, it says nothing.
    pub fn may_have_slept(&self) -> bool {
        let since =
            |renewal: Renewal| (self.wall_clock)().duration_since(renewal.wall).unwrap_or(Duration::ZERO);
        self.shares() && self.renewed.borrow().is_some_and(|renewal| since(renewal) > self.pace.watch.hold)
    }

    /// Whether claimed turns can be driven here.
    pub fn may_claim(&self) -> bool {
        self.phase() == Phase::Serving && self.may_act(self.node())
    }

    /// A renewal that begins now.
    pub fn renewal(&self) -> Renewal {
        Renewal { at: Instant::now(), wall: (self.wall_clock)(), node: self.node() }
    }

    pub fn has_renewed(&self, renewal: Renewal) {
        // The name may have been left meanwhile.
        if self.node() == renewal.node {
            self.renewal_failed.store(false, Ordering::Release);
            self.renewed.send_replace(Some(renewal));
        }
    }

    /// A renewal found that the lease had run out. If it had been this name's before, others may have taken over what runs under
    /// it: being good again changes nothing, and the name is left. Whether it was.
    pub fn left_for_run_out(&self, renewal: Renewal) -> bool {
        let had_one = self.renewed.borrow().is_some_and(|last| last.node == renewal.node);
        let leaves = had_one && self.node() == renewal.node;
        if leaves {
            self.renew_node();
            // The next name has no lease yet.
            self.renewed.send_replace(None);
        }
        leaves
    }

    /// Waits until work that began under this node id must stop.
    pub async fn loses(&self, node: NodeId) {
        let mut states = self.states();
        let _gone = states.wait_for(|now| now.phase == Phase::Ended || now.node != node).await;
    }

    pub async fn ended(&self) {
        let mut states = self.states();
        let _gone = states.wait_for(|now| now.phase == Phase::Ended).await;
    }
}
