//! Waits for a subtask: the turn of another agent that was asked. That turn is driven like any other. The waiting side
//! only reads what is stored, so it can wait again after a crash.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_core::handoffs::Refusal;
use baton_core::ids::{ConversationId, TaskId};
use baton_core::log::{Step, SubtaskCreated};
use baton_core::store::Error;
use baton_core::subtasks::{self, Came};
use baton_core::tools::{Nature, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use baton_core::turns::Claimed;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::clock::{backoff, now};
use crate::node::engine::{Engine, Inner};
use crate::node::running::Begins;
use crate::stream::hub::Signal;

/// Each of its model calls and tools has a limit of its own, so a turn ends by itself; one that doesn't is stopped.
const SUBTASK_TIME: Duration = Duration::from_secs(30 * 60);
/// How often the database is looked at while nobody says anything.
const LOOK: Duration = Duration::from_secs(2);

/// Goes on with a subtask that was stored a moment ago. Not async: a driver's future would hold itself.
pub fn begin(engine: &Arc<Inner>, claimed: Claimed) {
    let engine = Engine(engine.clone());
    tokio::spawn(async move { engine.resume(claimed, Begins::Unopened).await });
}

/// What runs for a call that asks another agent.
pub enum SubtaskTool {
    /// It is answered without anything being done.
    Refused(Refusal),
    /// Its subtask is there: it waits for the answer.
    Waits(SubtaskWait),
}

pub struct SubtaskWait {
    pub engine: Arc<Inner>,
    pub subtask: SubtaskCreated,
}

#[async_trait]
impl Tool for SubtaskTool {
    /// Models were offered the tool by `tools` already.
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: String::new(), description: String::new(), parameters: json!({"type": "object"}) }
    }

    fn display_name(&self) -> String {
        String::new()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::READS
    }

    /// It has its own, and stops what takes longer.
    fn time(&self) -> Duration {
        2 * SUBTASK_TIME
    }

    async fn call(&self, _: &ToolContext, _: Map<String, Value>) -> Result<ToolAnswer, ToolFailure> {
        match self {
            Self::Refused(refusal) => Err(ToolFailure(refusal.words.clone())),
            Self::Waits(waits) => waits.answer().await,
        }
    }
}

impl SubtaskWait {
    async fn answer(&self) -> Result<ToolAnswer, ToolFailure> {
        let name = &self.subtask.agent_name;
        let came = match tokio::time::timeout(SUBTASK_TIME, self.came()).await {
            Ok(came) => came,
            Err(_) => {
                self.stop().await;
                return Err(ToolFailure(format!("{name} took too long and was stopped.")));
            }
        };
        let Came { answer, wrote } = came;
        let value = Value::String(answer.map_err(ToolFailure)?);
        Ok(ToolAnswer { wrote, ..value.into() })
    }

    async fn came(&self) -> Came {
        let SubtaskCreated { conversation_id, task_id, agent_name, .. } = &self.subtask;
        // Subscribing before reading the database misses nothing.
        let live = self.engine.hub.join(*conversation_id);
        let mut signals = live.subscribe();
        let mut tries = 0;
        loop {
            match self.look(*conversation_id, *task_id).await {
                Ok(Some(came)) => return came,
                Ok(None) => {
                    tries = 0;
                    tokio::select! {
                        () = ended(&mut signals, *task_id) => {}
                        () = tokio::time::sleep(LOOK) => {}
                    }
                }
                Err(Error::NotFound(_)) => {
                    let answer = Err(format!("{agent_name} can't answer: its conversation was deleted."));
                    return Came { answer, wrote: false };
                }
                Err(_) => {
                    backoff(self.engine.pace.backoff, tries).await;
                    tries += 1;
                }
            }
        }
    }

    /// `None` while it goes on.
    async fn look(&self, id: ConversationId, task: TaskId) -> Result<Option<Came>, Error> {
        if self.engine.store.turn(id).await?.is_some_and(|turn| turn.task_id == task) {
            return Ok(None);
        }
        let loaded = self.engine.store.load(id).await?;
        let came = subtasks::came(&self.subtask.agent_name, task, &loaded.steps);
        let lost =
            || Came { answer: Err(format!("{} gave no answer.", self.subtask.agent_name)), wrote: false };
        Ok(Some(came.unwrap_or_else(lost)))
    }

    /// Asks the subtask to stop. Its driver sees the request, on whichever node it is.
    async fn stop(&self) {
        let SubtaskCreated { conversation_id, task_id, .. } = &self.subtask;
        if let Err(error) = self.engine.store.request_stop(*conversation_id, None, now()).await {
            tracing::warn!(%error, conversation = %conversation_id, "could not stop a subtask that took too long");
        }
        self.engine.stop_running(*task_id);
    }
}

/// Is done when the turn may be over.
async fn ended(signals: &mut broadcast::Receiver<Signal>, task: TaskId) {
    loop {
        match signals.recv().await {
            Ok(Signal::Steps(steps)) => {
                let is_over = |step: &Step| matches!(step, Step::Done { .. });
                if steps.iter().any(|one| one.step.task_id == Some(task) && is_over(&one.step.step)) {
                    return;
                }
            }
            Ok(Signal::Piece(_) | Signal::Waiting(_) | Signal::Told(_)) => {}
            Ok(Signal::ReadOn | Signal::Close) | Err(RecvError::Lagged(_) | RecvError::Closed) => return,
        }
    }
}
