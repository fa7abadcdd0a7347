//! Ends a turn, whatever state it is in, and rolls a handoff back if the next agent failed before any of its text was
//! kept.

use baton_core::access::{Use, may_use};
use baton_core::handoffs::{Held, NewHandoff};
use baton_core::log::{NewStep, Said, Spent, Step};
use baton_core::turns::After;

use super::{CommitOutcome, Gone, Work};
use crate::handoff::suggest::suggested;
use crate::turn::ending::{Cause, ending_steps};
use crate::turn::run::Offered;

impl Work {
    /// Ends the turn; false when something came in between.
    pub(super) async fn finish(&mut self, cause: &Cause) -> Result<bool, Gone> {
        let before = self.draft.clone();
        self.find_effects().await?;
        if self.turn.open_call.is_some() {
            self.close_unspoken(cause).await?;
        }
        let subtasks = self.open_subtask_ids();
        self.draft.stops = subtasks.iter().map(|(id, _)| *id).collect();
        let ending = ending_steps(&self.turn, cause);
        for (message_id, step) in ending.steps {
            // Just before the person is told how it ended.
            if matches!(step, Step::Error { .. }) {
                self.roll_back().await?;
            } else if matches!(step, Step::Done { .. }) && *cause == Cause::Completed {
                self.suggest();
            }
            let new = NewStep { message_id, ..self.step(step) };
            self.push(new);
        }
        self.draft.resolved.extend(ending.resolved);
        match self.commit(None, After::Ended(cause.turn_status())).await? {
            CommitOutcome::Stored => {
                self.stop_subtasks(&subtasks);
                Ok(true)
            }
            CommitOutcome::Moved | CommitOutcome::Refused(_) => {
                self.take_back(before);
                Ok(false)
            }
        }
    }

    /// Closes a call in which nothing was said by us: one of ours, or one whose speaker is gone. For the latter the
    /// message first starts again from what is stored, and then says what was kept of it.
    async fn close_unspoken(&mut self, cause: &Cause) -> Result<(), Gone> {
        let kept = self.checkpointed().cloned().unwrap_or_default();
        if !self.has_opened {
            let lost = Some(self.lost_call(Offered::Tools).await?);
            let (attempt, start) = (self.driver.attempt, Some(self.start()));
            self.add(Step::Call { attempt, start, lost });
        } else {
            self.settle_unsent();
        }
        let said = Said {
            blocks: kept.into_blocks(),
            thinking: Vec::new(),
            model: self.driver.ready.model_name(),
            prompt_hash: self.driver.ready.prompt_hash.clone(),
            spent: Spent::NOTHING,
            stop: None,
            unsent: self.has_opened,
            ends: Some(cause.message_status()),
        };
        self.add(Step::Said(said));
        Ok(())
    }

    /// The next agent failed before any of its text was kept: the agent that handed off holds the conversation again.
    async fn roll_back(&mut self) -> Result<(), Gone> {
        let epoch = self.driver.epoch;
        let taken_back = self.turn.handoff.clone().filter(|last| !last.has_spoken && last.epoch == epoch);
        // After a stop, nothing is handed back.
        let Some(handoff) = taken_back.filter(|_| !self.is_stopped()) else { return Ok(()) };
        let Some(active) = self.driver.active().cloned() else { return Ok(()) };
        let before = self.driver.activations.iter().rfind(|one| one.id != active.id).cloned();
        let Some(before) = before.filter(|before| before.agent_id == handoff.from) else { return Ok(()) };
        let Some(ready) = self.ready_agent(before.agent_id).await? else { return Ok(()) };
        let slug = self.driver.ready.agent.slug.clone();
        let held = Held { by: &active, slug: &slug, activations: &self.driver.activations, epoch };
        let mut new_handoff = NewHandoff::rolled_back(held, &before);
        new_handoff.begins.step = self.draft.steps.len();
        let switched = new_handoff.switch_step(active.agent_id, &ready.agent.definition.name);
        let new = NewStep { message_id: None, ..self.step(Step::Switched(switched)) };
        self.push(new);
        self.draft.rolled_back = Some(handoff.id);
        self.draft.handoff = Some(new_handoff);
        Ok(())
    }

    /// The agent said that another one takes over, but did not hand off: the person is offered the switch.
    fn suggest(&mut self) {
        let Some(message) = self.turn.message.as_ref().filter(|_| !self.turn.has_tried) else { return };
        let reachable = self.driver.ready.reachable();
        let Some(target) = suggested(&message.content(), &reachable) else { return };
        // An agent that the person may not use is not offered.
        if may_use(self.driver.assignment.viewer, target.gate, Use::Select).is_err() {
            return;
        }
        let (to, to_name) = (target.id, target.name.clone());
        self.add(Step::Suggested { to, to_name });
    }
}
