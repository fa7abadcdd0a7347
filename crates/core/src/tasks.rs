//! Which task of a turn made which of its steps. Steps name only the turn's root task; the handoffs in the log tell
//! which task worked when.

use std::collections::HashMap;

use crate::ids::{MessageId, TaskId};
use crate::log::{LoggedStep, Step};

/// The steps of one turn, oldest first, each with the task that made it. A handoff is the last step of the earlier
/// task, except for the end of its message: a message belongs to the task that began it.
pub fn attributed(root: TaskId, steps: Vec<LoggedStep>) -> Vec<(TaskId, LoggedStep)> {
    let mut works = root;
    let mut messages: HashMap<MessageId, TaskId> = HashMap::new();
    let mut all = Vec::with_capacity(steps.len());
    for logged in steps {
        let task = match logged.message_id {
            Some(id) => *messages.entry(id).or_insert(works),
            None => works,
        };
        if let Step::Handoff(handoff) = &logged.step {
            works = handoff.task_id;
        }
        all.push((task, logged));
    }
    all
}

#[cfg(test)]
mod tests;
