//! Why a commit is refused, by the rows as they are. Every store asks these functions, so that a commit which is wrong in
//! more than one way is refused for the same reason everywhere. What is hard: the order is part of the answer. A driver
//! whose commit was stored without an answer meets the refusal that comes first.

use crate::access::{Gate, Use, Viewer, may_use};
use crate::approvals::{Approval, ApprovalStatus, Decision};
use crate::handoffs::Handover;
use crate::ids::{AgentId, NodeId, TaskId};
use crate::store::Error;
use crate::turns::{Accept, Decide, Guard, Place, Refused, Switch};

/// A conversation's row, as far as guards look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuardedRow {
    pub turn_task_id: Option<TaskId>,
    /// `None`: the turn waits for a person.
    pub turn_owner: Option<NodeId>,
    pub attempt: i32,
    pub last_seq: i64,
    pub epoch: i64,
    pub stop_requested: bool,
}

impl GuardedRow {
    /// Whoever runs a turn with this guard has lost it.
    fn is_fenced(&self, guard: &Guard) -> bool {
        self.turn_task_id != Some(guard.task_id) || self.attempt != guard.attempt
    }

    /// Whether no turn is in the way of one that ends `ends`: none is there, or that one waits for a person.
    fn is_free(&self, ends: Option<TaskId>) -> bool {
        self.turn_task_id.is_none() || (self.turn_task_id == ends && self.turn_owner.is_none())
    }

    /// That someone else holds the conversation is said before that its log has grown.
    fn is_as_seen(&self, last_seq: i64, epoch: Option<i64>) -> Result<(), Refused> {
        if epoch.is_some_and(|epoch| epoch != self.epoch) {
            return Err(Refused::StaleEpoch);
        }
        if self.last_seq != last_seq { Err(Refused::Moved) } else { Ok(()) }
    }
}

/// What a running turn commits. A stop hands nothing off and asks no other agent.
pub fn check_commit(
    row: Option<GuardedRow>,
    guard: &Guard,
    handover: Option<&Handover>,
    asks: Option<AgentId>,
) -> Result<(), Refused> {
    let row = row.filter(|row| !row.is_fenced(guard)).ok_or(Refused::Fenced)?;
    row.is_as_seen(guard.last_seq, handover.map(|handover| handover.epoch))?;
    let begins = handover.is_some() || asks.is_some();
    if begins && row.stop_requested { Err(Refused::Stopped) } else { Ok(()) }
}

/// Keeping a tape. Where the log has moved on, the turn is still its owner's.
pub fn check_checkpoint(row: Option<GuardedRow>, guard: &Guard) -> Result<(), Refused> {
    match check_commit(row, guard, None, None) {
        Err(Refused::Moved) => Ok(()),
        checked => checked,
    }
}

/// `row` is none if the conversation is gone.
pub fn check_switch(row: Option<GuardedRow>, switch: &Switch) -> Result<(), Refused> {
    let row = row.ok_or(Error::NotFound("conversation"))?;
    row.is_as_seen(switch.last_seq, Some(switch.epoch))?;
    match switch.ends {
        Some(turn) if row.turn_task_id.is_none() || !row.is_free(Some(turn.task_id)) => Err(Refused::Moved),
        _ => Ok(()),
    }
}

/// A message into a conversation that is there. `row` is none if it is gone or another person's.
pub fn check_accept(row: Option<GuardedRow>, accept: &Accept) -> Result<(), Refused> {
    let row = row.ok_or(Error::NotFound("conversation"))?;
    if row.turn_task_id.is_some() && row.turn_owner.is_some() {
        return Err(Refused::TurnInProgress);
    }
    row.is_as_seen(accept.place.last_seq(), accept.handover.as_ref().map(|handover| handover.epoch))?;
    let ends = match accept.place {
        Place::New { .. } => None,
        Place::Existing { ends, .. } => ends.map(|turn| turn.task_id),
    };
    if row.is_free(ends) { Ok(()) } else { Err(Refused::Moved) }
}

/// An active agent of the conversation's workspace, and the conversation's person.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub viewer: Viewer,
    pub gate: Gate,
}

/// Whom a commit hands to or asks, looked at after the row.
pub fn check_target(target: Option<Target>, how: Use) -> Result<(), Refused> {
    let target = target.ok_or(Refused::TargetGone)?;
    may_use(target.viewer, target.gate, how).map_err(Refused::NotAllowed)
}

/// Whether a decision can still be taken; `turn` is the conversation's.
pub fn check_decision(approval: &Approval, turn: Option<TaskId>, decide: &Decide) -> Result<(), Refused> {
    let too_late = match approval.status {
        ApprovalStatus::Pending => {
            let is_over = decide.decision != Decision::Expired && approval.expires_at <= decide.at;
            is_over || turn != Some(approval.task_id)
        }
        ApprovalStatus::Expired | ApprovalStatus::Cancelled => true,
        ApprovalStatus::Approved | ApprovalStatus::Rejected => {
            return Err(Refused::AlreadyDecided(Box::new(approval.clone())));
        }
    };
    if too_late {
        return Err(Refused::TooLate);
    }
    let is_as_shown = match decide.decision {
        Decision::Approved | Decision::Rejected => decide.args_hash.as_ref() == Some(&approval.args_hash),
        Decision::Expired | Decision::Cancelled => true,
    };
    if is_as_shown { Ok(()) } else { Err(Refused::OtherArguments) }
}
