//! Why a commit is refused, judged by the rows as they are. Every store asks these functions, so a commit that is
//! wrong in several ways is refused for the same reason everywhere. What is hard: the order of the checks is part of
//! the answer, because a driver that repeats a stored commit meets the first refusal.

use crate::access::{Gate, Use, Viewer, may_use};
use crate::approvals::{Approval, ApprovalStatus, Decision};
use crate::ids::{NodeId, TaskId};
use crate::store::Error;
use crate::turns::{Decide, Fence, Refused, Terms, Whose};
use crate::visitors::Person;

/// A conversation's row, as far as guards look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuardedRow {
    pub person: Person,
    pub turn_task_id: Option<TaskId>,
    /// `None`: the turn waits for a person.
    pub turn_owner: Option<NodeId>,
    pub attempt: i32,
    pub last_seq: i64,
    pub epoch: i64,
    pub stop_requested: bool,
}

impl GuardedRow {
    fn is_fenced(&self, fence: Fence) -> bool {
        self.turn_task_id != Some(fence.task_id) || self.attempt != fence.attempt
    }

    fn is_running(&self) -> bool {
        self.turn_task_id.is_some() && self.turn_owner.is_some()
    }

    fn waits_in(&self, turn: TaskId) -> bool {
        self.turn_task_id == Some(turn) && self.turn_owner.is_none()
    }
}

/// Why a commit is refused, judged by the conversation's row (`None` if the conversation is gone). The order: the
/// turn's owner, the holder, the end of the log, then what prevents the turn from beginning or ending.
pub fn check_commit(row: Option<GuardedRow>, terms: &Terms) -> Result<(), Refused> {
    let row = check_whose(row, terms.whose)?;
    if terms.epoch.is_some_and(|epoch| epoch != row.epoch) {
        return Err(Refused::StaleEpoch);
    }
    if terms.last_seq != row.last_seq {
        return Err(Refused::Moved);
    }
    let is_free = match terms.whose {
        Whose::Turn(_) => {
            return if terms.begins && row.stop_requested { Err(Refused::Stopped) } else { Ok(()) };
        }
        Whose::Accept { ends, .. } => {
            row.turn_task_id.is_none() || ends.is_some_and(|turn| row.waits_in(turn))
        }
        Whose::Switch { ends } => ends.is_none_or(|turn| row.waits_in(turn)),
    };
    if is_free { Ok(()) } else { Err(Refused::Moved) }
}

fn check_whose(row: Option<GuardedRow>, whose: Whose) -> Result<GuardedRow, Refused> {
    let not_found = || Refused::Store(Error::NotFound("conversation"));
    match whose {
        Whose::Turn(fence) => row.filter(|row| !row.is_fenced(fence)).ok_or(Refused::Fenced),
        Whose::Switch { .. } => row.ok_or_else(not_found),
        Whose::Accept { person, .. } => {
            let row = row.filter(|row| row.person == person).ok_or_else(not_found)?;
            if row.is_running() { Err(Refused::TurnInProgress) } else { Ok(row) }
        }
    }
}

/// Why a checkpoint is refused. If the log has grown, the turn still belongs to its owner.
pub fn check_checkpoint(row: Option<GuardedRow>, fence: Fence) -> Result<(), Refused> {
    check_whose(row, Whose::Turn(fence)).map(drop)
}

/// An active agent of the conversation's workspace, and the conversation's person.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub viewer: Viewer,
    pub gate: Gate,
}

/// Checks the target of a commit's handoff or subtask, after the row.
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

#[cfg(test)]
mod tests;
