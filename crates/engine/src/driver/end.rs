//! Ending a turn, from wherever it is.

use baton_core::log::{NewStep, Said, Spent, Step};
use baton_core::turns::After;

use super::{Gone, Outcome, Work};
use crate::ending::{Cause, ending_steps};
use crate::run::Offered;

impl Work {
    /// Ends the turn; false when something came in between.
    pub(super) async fn finish(&mut self, cause: &Cause) -> Result<bool, Gone> {
        let before = self.draft.clone();
        if self.turn.open_call.is_some() {
            self.close_unspoken(cause).await;
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
                self.take_back(before);
                Ok(false)
            }
        }
    }

    /// Closes a call in which nothing was said by us: one of ours, or one whose speaker is gone. For the latter the
    /// message first starts again from what is stored, and then says what was kept of it.
    async fn close_unspoken(&mut self, cause: &Cause) {
        let kept = self.checkpointed().cloned().unwrap_or_default();
        if !self.has_opened {
            let lost = Some(self.lost_call(Offered::Tools).await);
            let (attempt, start) = (self.driver.attempt, Some(self.start()));
            self.add(Step::Call { attempt, start, lost });
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
