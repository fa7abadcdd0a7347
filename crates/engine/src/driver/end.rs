//! Ending a turn, from wherever it is.

use baton_core::log::{NewStep, Said, Spent, Step};
use baton_core::turns::After;

use super::{Gone, Outcome, Work};
use crate::ending::{Cause, ending_steps};

impl Work {
    /// Ends the turn; false when something came in between.
    pub(super) async fn finish(&mut self, cause: &Cause) -> Result<bool, Gone> {
        let before = (self.draft.clone(), self.turn.clone());
        if self.turn.open_call.is_some() {
            self.close_unspoken(cause);
        }
        let ending = ending_steps(&self.turn, cause);
        for (message_id, step) in ending.steps {
            let new = NewStep { message_id, ..self.step(step) };
            self.push(new);
        }
        self.draft.resolved.extend(ending.resolved);
        match self.commit(None, After::Ended(cause.turn_status())).await? {
            Outcome::Stored => Ok(true),
            Outcome::Moved => {
                self.draft = before.0;
                self.apply_draft();
                Ok(false)
            }
        }
    }

    /// Closes a call in which nothing was said by us: one of ours, or one whose speaker is gone. For the latter the
    /// message first starts again from what is stored, and then says what was kept of it.
    pub(super) fn close_unspoken(&mut self, cause: &Cause) {
        let kept = self.checkpointed().cloned().unwrap_or_default();
        if !self.has_opened {
            let (attempt, start) = (self.driver.attempt, Some(self.start()));
            self.add(Step::Call { attempt, start, lost: None });
        }
        let said = Said {
            blocks: kept.into_blocks(),
            thinking: Vec::new(),
            model: self.driver.cast.model_name(),
            prompt: self.driver.cast.print.clone(),
            spent: Spent::NOTHING,
            stop: None,
            ends: Some(cause.message_status()),
        };
        self.add(Step::Said(said));
    }
}
