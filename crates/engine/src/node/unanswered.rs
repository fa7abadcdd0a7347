//! Commits without an answer: the commit may be stored although its answer was lost or never came. Before a refusal of
//! the next try is believed, the log is asked whether the earlier try is already there.

use std::mem::{Discriminant, discriminant};
use std::time::Duration;

use baton_core::ids::{ConversationId, MessageId, TaskId};
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::store::Error;
use baton_core::turns::{Commit, Committed, Guard, Refused};
use chrono::{DateTime, Utc};
use tokio::time::Instant;

use crate::clock::{backoff, pause_after};
use crate::node::engine::Engine;

/// How long a person is kept waiting for a database that doesn't answer.
const LONGEST: Duration = Duration::from_secs(8);
/// After this many refusals by the database itself, the commit is given up.
const DATABASE_TRIES: u32 = 3;

/// A commit whose answer did not come. Its steps are recognised in the log by their numbers, their identities and the
/// moment they carry. Their bodies are not compared: a database may give JSON back in another spelling.
#[derive(Debug, Clone)]
pub struct UnansweredCommit {
    conversation_id: ConversationId,
    last_seq: i64,
    steps: Vec<StepIdentity>,
    /// The last step opens a call. If a stop was asked for, the store leaves this step out.
    opens_call: bool,
    at: DateTime<Utc>,
}

/// What a step keeps of itself when it is stored: its task, its message and its kind.
type StepIdentity = (Option<TaskId>, Option<MessageId>, Discriminant<Step>);

fn identity(new: &NewStep) -> StepIdentity {
    (new.task_id, new.message_id, discriminant(&new.step))
}

impl UnansweredCommit {
    pub fn of(commit: &Commit) -> Self {
        Self {
            conversation_id: commit.conversation_id,
            last_seq: commit.last_seq,
            steps: commit.steps.iter().chain(&commit.next_call).map(identity).collect(),
            opens_call: commit.next_call.is_some(),
            at: commit.at,
        }
    }

    /// The answer that the commit would have got, if its steps are in the log.
    pub fn answer_in(&self, log: &[LoggedStep]) -> Option<Committed> {
        let found = self.found_in(log);
        let least = if self.opens_call { self.steps.len() - 1 } else { self.steps.len() };
        let last_seq = self.last_seq + found as i64;
        let stop_requested = found < self.steps.len();
        (found >= least.max(1)).then_some(Committed { last_seq, stop_requested })
    }

    /// How many of the commit's steps the log holds, counted from the first.
    fn found_in(&self, log: &[LoggedStep]) -> usize {
        let is_own = |(logged, (number, wanted)): &(&LoggedStep, (usize, &StepIdentity))| {
            let stored = (logged.task_id, logged.message_id, discriminant(&logged.step));
            logged.seq == self.last_seq + 1 + *number as i64 && logged.at == self.at && stored == **wanted
        };
        log.iter().zip(self.steps.iter().enumerate()).take_while(is_own).count()
    }
}

/// How long one person waits, whatever is asked of the database for them meanwhile.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    until: Instant,
    first_pause: Duration,
}

impl Patience {
    /// Waits before the next try. `false`: the person has waited long enough.
    pub async fn pause(self, tries: u32) -> bool {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        tokio::time::sleep(pause_after(self.first_pause, tries).min(left)).await;
        true
    }
}

impl Engine {
    /// How long to wait for a person whose request begins now.
    pub(crate) fn patience(&self) -> Patience {
        Patience { until: Instant::now() + LONGEST, first_pause: self.0.pace.backoff }
    }

    /// Tries a commit until it is answered, as long as a person may be kept waiting.
    pub(crate) async fn commit_until_answered(
        &self,
        commit: &Commit,
        patience: Patience,
    ) -> Result<Committed, Refused> {
        for tries in 0.. {
            let refused = match self.0.store.commit(commit).await {
                Ok(committed) => return Ok(committed),
                Err(refused) => refused,
            };
            let may_be_stored = tries > 0 || matches!(refused, Refused::Store(_));
            if may_be_stored && let Some(committed) = self.found(commit, patience).await? {
                return Ok(committed);
            }
            match &refused {
                Refused::Store(Error::Unavailable) if patience.pause(tries).await => {}
                Refused::Store(Error::Database(_)) if tries + 1 < DATABASE_TRIES => {
                    backoff(self.0.pace.backoff, tries).await;
                }
                _ => return Err(refused),
            }
        }
        Err(Refused::Store(Error::Unavailable))
    }

    async fn found(&self, commit: &Commit, patience: Patience) -> Result<Option<Committed>, Error> {
        let unanswered = UnansweredCommit::of(commit);
        let UnansweredCommit { conversation_id: id, last_seq, ref steps, .. } = unanswered;
        if let (Guard::Accept(accept), true) = (&commit.guard, steps.is_empty()) {
            // A stage that is tried again begins without a step: the row tells whose turn it is.
            let turn = self.until_answered(patience, || self.0.store.turn(id)).await?;
            let own = turn.filter(|turn| turn.task_id == accept.task_id);
            return Ok(own.map(|turn| Committed { last_seq, stop_requested: turn.stop_requested }));
        }
        let wanted = steps.len() as u64;
        let log = self.until_answered(patience, || self.0.store.steps_after(id, last_seq, wanted)).await?;
        Ok(unanswered.answer_in(&log))
    }

    /// Asks until there is an answer, as long as a person may be kept waiting. "Unavailable" does not count as an answer: a
    /// person who is told that their message was not taken sends it again.
    pub(crate) async fn until_answered<T, F>(
        &self,
        patience: Patience,
        ask: impl Fn() -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        for tries in 0.. {
            match ask().await {
                Err(Error::Unavailable) if patience.pause(tries).await => {}
                answer => return answer,
            }
        }
        Err(Error::Unavailable)
    }
}

#[cfg(test)]
mod tests;
