//! How a turn ends from any state: nothing open stays open, and the person sees why it ended. Pure.

use std::time::Duration;

use baton_core::approvals::Decision;
use baton_core::fold::Fault;
use baton_core::ids::{MessageId, TaskId};
use baton_core::log::{MessageStatus, NewStep, Step, TurnStatus};
use baton_core::turns::{Loaded, MessageWrite, ResolvedApproval};
use chrono::{DateTime, Utc};
use serde_json::json;

use crate::turn::results::{refused, result};
use crate::turn::run::{Ending, Failure};
use crate::turn::state::{Consent, Denial, Turn};

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        let (code, message, recoverable) = failure.told();
        Self { code: code.to_owned(), message: message.to_owned(), recoverable }
    }
}

/// Who ends it, and what that means for what is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    Completed,
    Stopped {
        by: String,
    },
    /// The person gave the conversation to another agent.
    Switched {
        to: String,
    },
    Failed(Fault),
    /// The person wrote on instead of deciding; their words are the reason.
    WroteOn {
        by: String,
        words: String,
    },
}

impl Cause {
    pub fn of(ending: &Ending) -> Self {
        match ending {
            Ending::Completed => Self::Completed,
            Ending::Stopped => Self::Stopped { by: "the person".to_owned() },
            Ending::Switched(to) => Self::Switched { to: to.clone() },
            Ending::Failed(failure) => Self::Failed((*failure).into()),
        }
    }

    pub fn turn_status(&self) -> TurnStatus {
        match self {
            Self::Completed => TurnStatus::Completed,
            Self::Stopped { .. } | Self::Switched { .. } | Self::WroteOn { .. } => TurnStatus::Stopped,
            Self::Failed(_) => TurnStatus::Failed,
        }
    }

    pub fn message_status(&self) -> MessageStatus {
        match self {
            Self::Completed => MessageStatus::Complete,
            Self::Stopped { .. } | Self::Switched { .. } | Self::WroteOn { .. } => MessageStatus::Stopped,
            Self::Failed(_) => MessageStatus::Failed,
        }
    }
}

pub struct EndingSteps {
    /// With the message they belong to.
    pub steps: Vec<(Option<MessageId>, Step)>,
    pub resolved: Vec<ResolvedApproval>,
}

pub fn ending_steps(turn: &Turn, cause: &Cause) -> EndingSteps {
    let message_id = turn.message.as_ref().map(|message| message.id);
    let mut steps = Vec::new();
    let mut resolved = Vec::new();
    let open = || turn.calls.iter().filter(|call| !call.is_answered);
    let (decision, by, reason) = match cause {
        Cause::WroteOn { by, words } => (Decision::Rejected, by.clone(), Some(words.clone())),
        Cause::Stopped { by } => (Decision::Cancelled, by.clone(), None),
        Cause::Switched { to } => (Decision::Cancelled, "the person".to_owned(), Some(switched_to(to))),
        Cause::Completed | Cause::Failed(_) => (Decision::Cancelled, "Baton".to_owned(), None),
    };
    for call in open() {
        if let Consent::Asked(approval_id) = call.consent {
            steps.push((
                message_id,
                Step::ApprovalResolved {
                    approval_id,
                    call_id: call.step.call_id.clone(),
                    decision,
                    by: by.clone(),
                    reason: reason.clone(),
                    remember: false,
                    args: None,
                    args_hash: None,
                },
            ));
            let (by, reason) = (by.clone(), reason.clone());
            resolved.push(ResolvedApproval { id: approval_id, decision, by, reason });
        }
    }
    for call in open() {
        let was_asked = matches!(call.consent, Consent::Asked(_));
        let why = match &cause {
            Cause::WroteOn { words, .. } if was_asked => {
                refused(&Denial::Rejected { reason: Some(words.clone()) })
            }
            Cause::Switched { to } if !call.is_begun => format!("{}, so it was not run.", switched_to(to)),
            _ if was_asked => refused(&Denial::Cancelled),
            _ => "It was interrupted.".to_owned(),
        };
        let mut answer = result(call, json!({"error": why}), false, Duration::ZERO);
        answer.unknown = call.is_begun && call.step.nature.is_some_and(|nature| !nature.repeatable);
        steps.push((message_id, Step::ToolResult(answer)));
    }
    if turn.is_speaking() {
        steps.push((message_id, Step::MessageEnd { status: cause.message_status() }));
    }
    if let Cause::Failed(told) = cause {
        steps.push((
            message_id,
            Step::Error {
                code: told.code.clone(),
                message: told.message.clone(),
                recoverable: told.recoverable,
            },
        ));
    }
    steps.push((
        message_id,
        Step::Done { status: cause.turn_status(), spent: turn.spent, calls: turn.sent_calls },
    ));
    EndingSteps { steps, resolved }
}

fn switched_to(name: &str) -> String {
    format!("The person switched to {name}")
}

/// The end of a turn that nobody drives, as it is stored.
pub struct Closed {
    pub steps: Vec<NewStep>,
    pub message: Option<MessageWrite>,
    pub resolved: Vec<ResolvedApproval>,
    /// The task under the turn that waited.
    pub working: TaskId,
}

pub fn close_waiting(loaded: &Loaded, task_id: TaskId, cause: &Cause, at: DateTime<Utc>) -> Closed {
    let mut turn = Turn::of(task_id, &loaded.steps);
    let ending = ending_steps(&turn, cause);
    let agent_id = turn.message.as_ref().map_or(loaded.holder(), |message| message.agent_id);
    let new = |(message_id, step)| NewStep { task_id: Some(task_id), agent_id, message_id, step };
    let steps: Vec<NewStep> = ending.steps.into_iter().map(new).collect();
    for (seq, step) in (loaded.conversation.last_seq + 1..).zip(&steps) {
        turn.push(&step.clone().at(seq, at));
    }
    let metadata = turn.metadata();
    let working = turn.task_id.unwrap_or(task_id);
    let message = turn.message.map(|spoken| MessageWrite::Update { spoken, metadata });
    Closed { steps, message, resolved: ending.resolved, working }
}

#[cfg(test)]
mod tests;
