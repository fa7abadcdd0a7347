//! Stops that a person asked for while the database could not be reached. If the driver is on this node, it is told at
//! once. The database is told as soon as it answers. A driver that goes on with the turn on this node begins with the
//! stop.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use baton_core::ids::{ConversationId, TaskId};

use crate::lock::lock;
use crate::node::engine::Inner;

/// How long a turn that left this node is remembered. By then another node has the turn, or the database says whose
/// it is.
const KNOWN: Duration = Duration::from_secs(60);
/// The most turns that are remembered: an outage is short, and few turns leave in it.
const MOST: usize = 10_000;

#[derive(Default)]
pub struct OwedStops {
    /// Turns whose driver left because this node could not hold them any longer.
    left: Mutex<HashMap<ConversationId, (TaskId, Instant)>>,
    pub owed: Mutex<HashMap<TaskId, ConversationId>>,
}

impl OwedStops {
    pub fn has_left(&self, conversation: ConversationId, task: TaskId) {
        let mut left = lock(&self.left);
        if left.len() >= MOST {
            left.clear();
        }
        left.insert(conversation, (task, Instant::now()));
    }

    /// A turn is driven here again.
    pub fn is_back(&self, conversation: ConversationId) {
        lock(&self.left).remove(&conversation);
    }

    pub fn is_owed(&self, task: TaskId) -> bool {
        lock(&self.owed).contains_key(&task)
    }
}

impl Inner {
    /// Stops the turn of a conversation that is driven here, or was until now; whether there is one.
    pub fn owe_stop(&self, id: ConversationId) -> bool {
        let mut tasks = self.running_in(id);
        let left = lock(&self.owed_stops.left).get(&id).copied();
        tasks.extend(left.filter(|(_, at)| at.elapsed() < KNOWN).map(|(task, _)| task));
        for task in &tasks {
            self.stop_running(*task);
            lock(&self.owed_stops.owed).insert(*task, id);
        }
        !tasks.is_empty()
    }
}
