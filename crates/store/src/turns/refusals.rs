//! What a guard that found no row means, by the rows as they are; the same for both engines.

use baton_core::access::{Gate, Use, Viewer, may_use};
use baton_core::handoffs::Handover;
use baton_core::store::Error;
use baton_core::turns::{Guard, Refused};
use uuid::Uuid;

/// A conversation's row, as far as guards look at it.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub turn_task_id: Option<Uuid>,
    pub turn_owner: Option<Uuid>,
    pub attempt: i32,
    pub last_seq: i64,
    pub epoch: i64,
    pub stop_requested: bool,
}

impl Standing {
    /// Who runs a turn with this guard has lost it.
    fn is_fenced(&self, guard: &Guard) -> bool {
        self.turn_task_id != Some(guard.task_id.0) || self.attempt != guard.attempt
    }
}

pub fn not_there() -> Refused {
    Refused::Store(Error::NotFound("conversation"))
}

/// Without a handover; `Moved` also where nothing is wrong any more: it is worth another try.
pub fn of_turn(row: Option<Standing>, guard: &Guard) -> Refused {
    match row {
        Some(row) if !row.is_fenced(guard) => Refused::Moved,
        _ => Refused::Fenced,
    }
}

/// `None`: it can only be the target.
pub fn of_handoff(row: Option<Standing>, guard: &Guard, handover: &Handover) -> Option<Refused> {
    let Some(row) = row.filter(|row| !row.is_fenced(guard)) else { return Some(Refused::Fenced) };
    moved(&row, guard.last_seq, handover.epoch).or_else(|| row.stop_requested.then_some(Refused::Stopped))
}

/// A call that asks another agent; `None`: it can only be the target.
pub fn of_subtask(row: Option<Standing>, guard: &Guard) -> Option<Refused> {
    let Some(row) = row.filter(|row| !row.is_fenced(guard)) else { return Some(Refused::Fenced) };
    let moved = (row.last_seq != guard.last_seq).then_some(Refused::Moved);
    moved.or_else(|| row.stop_requested.then_some(Refused::Stopped))
}

pub fn of_switch(row: Option<Standing>, last_seq: i64, epoch: i64) -> Option<Refused> {
    let Some(row) = row else { return Some(not_there()) };
    moved(&row, last_seq, epoch)
}

pub fn of_accept(row: Option<Standing>, last_seq: i64, handover: Option<&Handover>) -> Option<Refused> {
    let Some(row) = row else { return Some(not_there()) };
    if row.turn_task_id.is_some() && row.turn_owner.is_some() {
        return Some(Refused::TurnInProgress);
    }
    match handover {
        Some(handover) => moved(&row, last_seq, handover.epoch),
        None => Some(Refused::Moved),
    }
}

/// That someone else holds the conversation is said rather than that something was.
fn moved(row: &Standing, last_seq: i64, epoch: i64) -> Option<Refused> {
    if row.epoch != epoch {
        return Some(Refused::StaleEpoch);
    }
    (row.last_seq != last_seq).then_some(Refused::Moved)
}

/// An active agent of the conversation's workspace, and the conversation's person.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub viewer: Viewer,
    pub gate: Gate,
}

pub fn check_target(target: Option<Target>, how: Use) -> Result<(), Refused> {
    let target = target.ok_or(Refused::TargetGone)?;
    may_use(target.viewer, target.gate, how).map_err(Refused::NotAllowed)
}
