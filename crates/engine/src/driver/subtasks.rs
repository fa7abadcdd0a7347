//! Calls that ask another agent. The subtask's conversation, its turn and the step `subtask_created` are one commit.
//! If the log already holds the subtask of a call, nobody is asked again.

use std::sync::Arc;

use baton_core::handoffs::Refusal;
use baton_core::ids::{ActivationId, ConversationId, MessageId, TaskId};
use baton_core::log::Step;
use baton_core::subtasks::{NewSubtask, check};
use baton_core::tools::Tool;
use baton_core::turns::{After, Claimed};

use super::{CommitOutcome, Gone, Work};
use crate::driver::subtask_wait::{SubtaskTool, SubtaskWait, begin};
use crate::turn::state::Call;

impl Work {
    /// Opens the subtasks of these calls, one commit each; false when something came in between, and it has to be
    /// decided again. Nothing else of the reply has begun by then.
    pub(super) async fn open_subtasks(&mut self, calls: &[Call]) -> Result<bool, Gone> {
        for call in calls.iter().filter(|call| call.subtask.is_none()) {
            if self.refused.contains_key(&call.step.call_id) {
                continue;
            }
            let subtask = match self.subtask(call) {
                Some(Ok(subtask)) => subtask,
                Some(Err(refusal)) => {
                    self.refused.insert(call.step.call_id.clone(), refusal);
                    continue;
                }
                None => continue,
            };
            if !self.open_subtask(call, subtask).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn open_subtask(&mut self, call: &Call, subtask: NewSubtask) -> Result<bool, Gone> {
        self.still_ours().await?;
        let claimed = Claimed { conversation_id: subtask.id, task_id: subtask.task_id };
        self.add(Step::SubtaskCreated(subtask.created(&call.step.call_id)));
        self.draft.subtask = Some(subtask);
        self.draft.progressed = true;
        match self.commit(None, After::Running { progressed: true }).await? {
            CommitOutcome::Stored => {
                begin(&self.driver.engine, claimed);
                Ok(!self.is_stopped())
            }
            CommitOutcome::Moved => {
                self.take_back(super::Draft::default());
                Ok(false)
            }
            CommitOutcome::Refused(refusal) => {
                self.take_back(super::Draft::default());
                self.refused.insert(call.step.call_id.clone(), refusal);
                Ok(true)
            }
        }
    }

    /// What a call would begin, or why it can't; `None` if it asks nobody.
    fn subtask(&self, call: &Call) -> Option<Result<NewSubtask, Refusal>> {
        let driver = &self.driver;
        let target = driver.ready.subtask_tools.get(&call.step.tool_name)?;
        let depth = driver.subtask.map_or(0, |subtask| subtask.depth);
        Some(check(&call.step.args, depth).map(|(message, depth)| NewSubtask {
            id: ConversationId::new(),
            activation_id: ActivationId::new(),
            task_id: TaskId::new(),
            parent_task_id: self.working_task(),
            agent_id: target.id,
            agent_name: target.name.clone(),
            node: driver.node,
            depth,
            mode: self.mode(),
            message_id: MessageId::new(),
            message,
            asked_by: driver.ready.agent.definition.name.clone(),
        }))
    }

    /// What answers a call that asks; `None` if it is another tool's.
    pub(super) fn subtask_tool(&self, call: &Call) -> Option<Arc<dyn Tool>> {
        if let Some(subtask) = &call.subtask {
            let waits = SubtaskWait { engine: self.driver.engine.clone(), subtask: subtask.clone() };
            return Some(Arc::new(SubtaskTool::Waits(waits)));
        }
        let refusal = self.refused.get(&call.step.call_id).filter(|_| !call.step.hands_off)?;
        Some(Arc::new(SubtaskTool::Refused(refusal.clone())))
    }

    /// The subtasks that calls of this turn still wait for.
    pub(super) fn open_subtask_ids(&self) -> Vec<(ConversationId, TaskId)> {
        let open = self.turn.calls.iter().filter(|call| !call.is_answered);
        open.filter_map(|call| call.subtask.as_ref().map(|sub| (sub.conversation_id, sub.task_id))).collect()
    }

    /// Tells the drivers of subtasks on this node to stop; others see it in the database.
    pub(super) fn stop_subtasks(&self, subtasks: &[(ConversationId, TaskId)]) {
        subtasks.iter().for_each(|(_, task)| self.driver.engine.stop_running(*task));
    }
}
