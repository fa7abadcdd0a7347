//! The handoff of a commit, as rows; the same for both engines.

use baton_core::access::Use;
use baton_core::handoffs::{NewHandoff, NewSnapshot, NewTransition};
use baton_core::ids::TaskId;
use baton_core::store::{Error, Result};
use baton_core::turns::{After, Commit, Guard};
use serde::Serialize;
use uuid::Uuid;

use super::json::Json;
use super::rows::task_status;

/// All of it, or what of it there is.
#[derive(Debug)]
pub struct HandoffRows {
    pub change: Option<ActivationChange>,
    /// The holder stays, and is pinned or not any more.
    pub pin: Option<(Uuid, bool)>,
    pub notes: Option<NotesRow>,
    pub snapshot: Option<SnapshotRow>,
    pub transitions: Vec<TransitionRow>,
    pub rolled_back: Option<Uuid>,
}

/// One activation ends, another begins.
#[derive(Debug)]
pub struct ActivationChange {
    pub ends: Uuid,
    pub ends_as: &'static str,
    pub begins: ActivationRow,
    pub access: Option<Use>,
    pub task: Option<TaskRow>,
}

#[derive(Debug, Serialize)]
pub struct ActivationRow {
    pub id: Uuid,
    pub agent_id: Uuid,
    pub trigger: &'static str,
    pub reason: Option<String>,
    pub activation_summary: Option<String>,
    pub message_id: Option<Uuid>,
    pub context: Json,
    pub context_data: Json,
    pub resumes: Option<Uuid>,
    pub is_pinned: bool,
    pub began_seq: i64,
}

/// The task that goes on, as it stands once all is committed.
#[derive(Debug, Serialize)]
pub struct TaskRow {
    pub id: Uuid,
    pub parent_id: Uuid,
    pub master_task_id: Uuid,
    pub agent_id: Uuid,
    pub status: &'static str,
    pub is_over: bool,
    pub input: Json,
    pub context: Json,
}

#[derive(Debug, Serialize)]
pub struct NotesRow {
    pub agent_id: Uuid,
    pub data: Json,
}

#[derive(Debug, Serialize)]
pub struct SnapshotRow {
    pub id: Uuid,
    pub agent_id: Uuid,
    pub task_id: Uuid,
    pub stage: String,
    pub data: Json,
}

#[derive(Debug, Serialize)]
pub struct TransitionRow {
    pub id: Uuid,
    pub task_id: Option<Uuid>,
    pub trigger: &'static str,
    pub from_agent_id: Uuid,
    pub to_agent_id: Option<Uuid>,
    pub reason: Option<String>,
    pub outcome: &'static str,
    pub code: Option<String>,
    pub latency_ms: i64,
    pub tokens_full: i64,
    pub tokens_sent: i64,
}

impl HandoffRows {
    pub fn of(commit: &Commit) -> Result<Self> {
        const RUNNING: After = After::Running { progressed: true };
        // A switch goes on with no turn, so it has no task under one.
        let (turn, working, after, pin) = match &commit.guard {
            Guard::Accept(accept) => (accept.task_id, Some(accept.task_id), RUNNING, None),
            Guard::Turn { fence, working, after } => (fence.task_id, Some(*working), *after, None),
            Guard::Switch(switch) => (TaskId(Uuid::nil()), None, RUNNING, switch.pin),
        };
        let change = commit.handoff.as_ref();
        let change = change.map(|handoff| ActivationChange::new(handoff, commit.last_seq, turn, after));
        let notes = commit
            .notes
            .as_ref()
            .map(|(agent, data)| Ok::<_, Error>(NotesRow { agent_id: agent.0, data: Json::of(data)? }));
        Ok(Self {
            change: change.transpose()?,
            pin: pin.map(|pin| (pin.activation_id.0, pin.is_pinned)),
            notes: notes.transpose()?,
            snapshot: commit.snapshot.as_ref().map(snapshot_row).transpose()?,
            transitions: commit.transitions.iter().map(|new| transition_row(new, working)).collect(),
            rolled_back: commit.rolled_back.map(|id| id.0),
        })
    }

    /// The task that is completed because another goes on.
    pub fn completes(&self) -> Option<Uuid> {
        Some(self.change.as_ref()?.task.as_ref()?.parent_id)
    }
}

impl ActivationChange {
    fn new(handoff: &NewHandoff, last_seq: i64, master: TaskId, after: After) -> Result<Self> {
        let begins = handoff.begins.clone();
        let (status, is_over) = task_status(after);
        let task = handoff.task.as_ref().map(|task| {
            Ok::<_, Error>(TaskRow {
                id: task.id.0,
                parent_id: task.parent_id.0,
                master_task_id: master.0,
                agent_id: task.agent_id.0,
                status,
                is_over,
                input: Json::of(&task.input)?,
                context: Json::of(&task.context)?,
            })
        });
        Ok(Self {
            ends: handoff.ends.0,
            ends_as: handoff.ends_as.as_str(),
            access: handoff.access,
            task: task.transpose()?,
            begins: ActivationRow {
                id: begins.id.0,
                agent_id: begins.agent_id.0,
                trigger: begins.trigger.as_str(),
                reason: begins.reason,
                activation_summary: begins.summary,
                message_id: begins.message_id.map(|id| id.0),
                context: Json::of(&begins.context)?,
                context_data: Json::of(&begins.context_data)?,
                resumes: begins.resumes.map(|id| id.0),
                is_pinned: begins.is_pinned,
                began_seq: last_seq + 1 + begins.step as i64,
            },
        })
    }
}

fn snapshot_row(new: &NewSnapshot) -> Result<SnapshotRow> {
    Ok(SnapshotRow {
        id: new.id.0,
        agent_id: new.agent_id.0,
        task_id: new.task_id.0,
        stage: new.stage.clone(),
        data: Json::of(&new.data)?,
    })
}

fn transition_row(new: &NewTransition, task: Option<TaskId>) -> TransitionRow {
    TransitionRow {
        id: new.id.0,
        task_id: task.map(|id| id.0),
        trigger: new.trigger.as_str(),
        from_agent_id: new.from.0,
        to_agent_id: new.to.map(|id| id.0),
        reason: new.reason.clone(),
        outcome: new.outcome.as_str(),
        code: new.code.clone(),
        latency_ms: new.latency_ms,
        tokens_full: new.tokens_full,
        tokens_sent: new.tokens_sent,
    }
}
