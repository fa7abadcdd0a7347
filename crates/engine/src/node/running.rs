//! The turns of this node: those that it drives, and those that belong to it by the database but that nobody drives
//! yet.

use std::sync::atomic::Ordering;

use baton_core::ids::{ConversationId, TaskId};
use baton_core::turns::Claimed;
use tokio::sync::watch;

use crate::lock::lock;
use crate::node::engine::Inner;

/// How many turns one round looks at again.
const LEFT_AT_ONCE: usize = 100;
/// If there are more than this, the oldest are forgotten: `find_stranded` finds them again.
const MOST_LEFT: usize = 1_000;

/// The attempt a turn begins with.
pub const FIRST: i32 = 1;

/// How a driver comes to a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    /// It was accepted a moment ago, with its first call opened.
    Accepted,
    /// It was accepted a moment ago, and no call is open: a router decides who answers, or another agent asked.
    Unopened,
    /// A person decided.
    Resumed,
    /// Another process ran it and is gone.
    TakenOver,
}

/// A turn that is driven here.
pub struct Running {
    pub conversation_id: ConversationId,
    attempt: i32,
    stop: watch::Sender<bool>,
}

impl Inner {
    pub fn stop_running(&self, task_id: TaskId) {
        if let Some(running) = lock(&self.running).get(&task_id) {
            running.stop.send_replace(true);
        }
    }

    /// The turns of a conversation that are driven here: one, or none.
    pub fn running_in(&self, id: ConversationId) -> Vec<TaskId> {
        let running = lock(&self.running);
        let own = running.iter().filter(|(_, running)| running.conversation_id == id);
        own.map(|(task, _)| *task).collect()
    }

    /// A driver leaves. A later driver of the same turn stays.
    pub fn has_left(&self, task_id: TaskId, attempt: i32) {
        let mut running = lock(&self.running);
        if running.get(&task_id).is_some_and(|running| running.attempt == attempt) {
            running.remove(&task_id);
        }
    }

    /// Notes that a turn runs here, unless it does already. What comes back tells the driver to stop, and ends when
    /// another takes its place.
    pub fn enters(
        &self,
        conversation_id: ConversationId,
        task_id: TaskId,
        attempt: i32,
    ) -> Option<watch::Receiver<bool>> {
        let mut running = lock(&self.running);
        if running.get(&task_id).is_some_and(|running| running.attempt >= attempt) {
            return None;
        }
        let (stop, stopped) = watch::channel(self.owed_stops.is_owed(task_id));
        self.owed_stops.is_back(conversation_id);
        running.insert(task_id, Running { conversation_id, attempt, stop });
        Some(stopped)
    }

    /// Remembers that nobody drives this turn yet, so that it is resumed later.
    pub fn leave(&self, claimed: Claimed, begins: Begins) {
        let mut left = lock(&self.left);
        if left.iter().all(|(other, _)| *other != claimed) {
            left.push_back((claimed, begins));
        }
        if left.len() > MOST_LEFT {
            left.pop_front();
        }
    }

    pub fn take_left(&self) -> Vec<(Claimed, Begins)> {
        let mut left = lock(&self.left);
        let some = left.len().min(LEFT_AT_ONCE);
        left.drain(..some).collect()
    }

    /// This node's turns that nobody drives, and that nobody drove at the last look either.
    pub fn stranded_again(&self, ours: Vec<Claimed>) -> Vec<Claimed> {
        let undriven: Vec<Claimed> = {
            let (running, taking_up) = (lock(&self.running), lock(&self.taking_up));
            let is_known = |task: &TaskId| running.contains_key(task) || taking_up.contains(task);
            ours.into_iter().filter(|turn| !is_known(&turn.task_id)).collect()
        };
        let before = std::mem::replace(&mut *lock(&self.stranded), undriven.clone());
        undriven.into_iter().filter(|turn| before.contains(turn)).collect()
    }

    pub fn has_claimed(&self) -> bool {
        self.has_claimed.load(Ordering::Acquire)
    }

    pub fn set_claimed(&self) {
        self.has_claimed.store(true, Ordering::Release);
    }
}
