//! Commits that may be stored although nobody heard so: the answer was lost, or never came. Whatever a later try of the
//! same commit is told, the log is asked first whether an earlier one is there.

use std::mem::{Discriminant, discriminant};
use std::time::Duration;

use baton_core::ids::{ConversationId, MessageId, TaskId};
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::store::Error;
use baton_core::turns::{Commit, Committed, Guard, Refused};
use chrono::{DateTime, Utc};
use tokio::time::Instant;

use crate::clock::backoff;
use crate::node::engine::Engine;

/// How long a person is kept waiting for a database that doesn't answer.
pub const PATIENCE: Duration = Duration::from_secs(8);
/// What a database refuses this often it will not take.
const DATABASE_TRIES: u32 = 3;

/// What tells a commit's steps from everyone else's: their place in the log, what they are, and the moment they carry.
/// What they hold may come back in another spelling.
#[derive(Debug, Clone)]
pub struct Unheard {
    conversation_id: ConversationId,
    last_seq: i64,
    steps: Vec<Print>,
    /// The last of them is a call: whoever asked to stop keeps it from being opened.
    opens_call: bool,
    at: DateTime<Utc>,
}

type Print = (Option<TaskId>, Option<MessageId>, Discriminant<Step>);

fn print(new: &NewStep) -> Print {
    (new.task_id, new.message_id, discriminant(&new.step))
}

impl Unheard {
    pub fn of(commit: &Commit) -> Self {
        Self {
            conversation_id: commit.conversation_id,
            last_seq: commit.last_seq,
            steps: commit.steps.iter().chain(&commit.next_call).map(print).collect(),
            opens_call: commit.next_call.is_some(),
            at: commit.at,
        }
    }

    /// What the commit would have been answered, if the log goes on with it.
    pub fn answer_in(&self, log: &[LoggedStep]) -> Option<Committed> {
        let found = self.found_in(log);
        let least = if self.opens_call { self.steps.len() - 1 } else { self.steps.len() };
        let last_seq = self.last_seq + found as i64;
        let stop_requested = found < self.steps.len();
        (found >= least.max(1)).then_some(Committed { last_seq, stop_requested })
    }

    /// How many of its steps the log goes on with.
    fn found_in(&self, log: &[LoggedStep]) -> usize {
        let is_own = |(logged, (number, wanted)): &(&LoggedStep, (usize, &Print))| {
            let stored = (logged.task_id, logged.message_id, discriminant(&logged.step));
            logged.seq == self.last_seq + 1 + *number as i64 && logged.at == self.at && stored == **wanted
        };
        log.iter().zip(self.steps.iter().enumerate()).take_while(is_own).count()
    }
}

impl Engine {
    /// Tries a commit until it is answered, as long as a person may be kept waiting.
    pub(crate) async fn until_heard(&self, commit: &Commit) -> Result<Committed, Refused> {
        let begun = Instant::now();
        for tries in 0.. {
            let refused = match self.0.store.commit(commit).await {
                Ok(committed) => return Ok(committed),
                Err(refused) => refused,
            };
            let may_be_stored = tries > 0 || matches!(refused, Refused::Store(_));
            if may_be_stored && let Some(committed) = self.found(commit).await? {
                return Ok(committed);
            }
            let is_worth_a_try = match &refused {
                Refused::Store(Error::Unavailable) => begun.elapsed() < PATIENCE,
                Refused::Store(Error::Database(_)) => tries + 1 < DATABASE_TRIES,
                _ => false,
            };
            if !is_worth_a_try {
                return Err(refused);
            }
            backoff(self.0.pace.backoff, tries).await;
        }
        Err(Refused::Store(Error::Unavailable))
    }

    async fn found(&self, commit: &Commit) -> Result<Option<Committed>, Error> {
        let unheard = Unheard::of(commit);
        let Unheard { conversation_id: id, last_seq, ref steps, .. } = unheard;
        if let (Guard::Accept(accept), true) = (&commit.guard, steps.is_empty()) {
            // A stage that is tried again begins without a step: the row tells whose turn it is.
            let turn = self.until_answered(|| self.0.store.turn(id)).await?;
            let own = turn.filter(|turn| turn.task_id == accept.task_id);
            return Ok(own.map(|turn| Committed { last_seq, stop_requested: turn.stop_requested }));
        }
        let wanted = steps.len() as u64;
        let log = self.until_answered(|| self.0.store.steps_after(id, last_seq, wanted)).await?;
        Ok(unheard.answer_in(&log))
    }

    /// Asks until there is an answer, as long as a person may be kept waiting. That nobody knows is no answer: whoever is
    /// told that their message was not taken sends it again.
    pub(crate) async fn until_answered<T, F>(&self, ask: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let begun = Instant::now();
        for tries in 0.. {
            match ask().await {
                Err(Error::Unavailable) if begun.elapsed() < PATIENCE => {
                    backoff(self.0.pace.backoff, tries).await;
                }
                answer => return answer,
            }
        }
        Err(Error::Unavailable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use baton_core::ids::{AgentId, WorkspaceId};
    use baton_core::log::MessageStatus;
    use baton_core::turns::{After, Fence, Guard};

    #[test]
    fn a_commit_knows_its_own_steps_from_others() {
        let (task, message, agent_id) = (TaskId::new(), MessageId::new(), AgentId::new());
        let at = DateTime::UNIX_EPOCH;
        let new = |step| NewStep { task_id: Some(task), agent_id, message_id: Some(message), step };
        let ends = Step::MessageEnd { status: MessageStatus::Complete };
        let call = Step::Call { attempt: 1, start: None, lost: None };
        let own = [new(ends.clone()), new(call.clone())];
        let fence = Fence { task_id: task, attempt: 1 };
        let guard = Guard::Turn { fence, working: task, after: After::Running { progressed: true } };
        let nowhere = (ConversationId::new(), WorkspaceId::new());
        let unheard = Unheard::of(&Commit {
            steps: own[..1].to_vec(),
            next_call: Some(own[1].clone()),
            ..Commit::new(nowhere, 4, guard, at)
        });
        let log = |steps: &[NewStep], first: i64, at| -> Vec<LoggedStep> {
            (first..).zip(steps.to_vec()).map(|(seq, new)| new.at(seq, at)).collect()
        };
        let later = at + Duration::from_micros(1);
        let of =
            |task_id, message_id| [NewStep { task_id, message_id, ..new(ends.clone()) }, new(call.clone())];
        let table = [
            ("nothing came", vec![], 0),
            ("all of it, and more", log(&[own[0].clone(), own[1].clone(), new(ends.clone())], 5, at), 2),
            ("another moment", log(&own, 5, later), 0),
            ("another place", log(&own, 6, at), 0),
            ("another turn's", log(&of(None, Some(message)), 5, at), 0),
            ("another message's", log(&of(Some(task), None), 5, at), 0),
            ("something else", log(&[new(call.clone()), new(ends)], 5, at), 0),
            ("without the call: someone asked to stop", log(&own[..1], 5, at), 1),
        ];
        for (what, stored, found) in table {
            assert_eq!(unheard.found_in(&stored), found, "{what}");
        }
    }

    #[test]
    fn a_commit_that_is_found_is_answered_as_it_would_have_been() {
        let at = DateTime::UNIX_EPOCH;
        let (task, agent_id) = (TaskId::new(), AgentId::new());
        let new = |step| NewStep { task_id: Some(task), agent_id, message_id: None, step };
        let step = new(Step::MessageEnd { status: MessageStatus::Complete });
        let call = new(Step::Call { attempt: 1, start: None, lost: None });
        let answer = |steps: usize, next_call: bool, stored: usize| {
            let all: Vec<NewStep> = vec![step.clone(); steps];
            let next_call = next_call.then(|| call.clone());
            let log = all.iter().chain(&next_call).take(stored).cloned();
            let log: Vec<LoggedStep> = (5..).zip(log).map(|(seq, new)| new.at(seq, at)).collect();
            let fence = Fence { task_id: task, attempt: 1 };
            let guard = Guard::Turn { fence, working: task, after: After::Running { progressed: true } };
            let nowhere = (ConversationId::new(), WorkspaceId::new());
            let commit = Commit { steps: all, next_call, ..Commit::new(nowhere, 4, guard, at) };
            let answered = Unheard::of(&commit).answer_in(&log);
            answered.map(|committed| (committed.last_seq, committed.stop_requested))
        };
        let table = [
            ("two steps", answer(2, false, 2), Some((6, false))),
            ("half of it is another's", answer(2, false, 1), None),
            ("two steps and a call", answer(2, true, 3), Some((7, false))),
            ("without the call: someone asked to stop", answer(2, true, 2), Some((6, true))),
            ("half of it, without the call", answer(2, true, 1), None),
            ("only a call", answer(0, true, 1), Some((5, false))),
            ("not even the call: nothing shows that it was stored", answer(0, true, 0), None),
            ("nothing at all", answer(0, false, 0), None),
        ];
        for (what, met, wanted) in table {
            assert_eq!(met, wanted, "{what}");
        }
    }
}
