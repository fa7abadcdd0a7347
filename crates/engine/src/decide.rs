//! People's say in a running turn: stop it, or decide on a call it waits with.

use baton_core::approvals::{Approval, Decision};
use baton_core::bus::Hint;
use baton_core::ids::{ApprovalId, ConversationId, NodeId, TaskId};
use baton_core::log::{LoggedStep, Step, TurnStatus};
use baton_core::store::Error;
use baton_core::turns::{After, Commit, Decide, Decided, Fence, Guard, Refused, TurnRow};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::driver::Begins;
use crate::ending::{Cause, close_waiting};
use crate::node::Phase;
use crate::service::{Engine, Seat, whole};
use crate::time::{backoff, now};
use crate::unheard::PATIENCE;

/// A person's decision, checked by the caller.
pub struct Deciding {
    pub approval_id: ApprovalId,
    pub decision: Decision,
    pub by: String,
    pub reason: Option<String>,
    pub args: Option<Map<String, Value>>,
    /// The hash of the arguments that they were shown; none if it is no person's.
    pub args_hash: Option<String>,
    pub remember: bool,
}

impl Engine {
    /// Asks the turn of a conversation to stop; whether there was one.
    pub async fn stop(&self, id: ConversationId, by: &str) -> Result<bool, Error> {
        let (engine, by) = (self.clone(), by.to_owned());
        whole(async move { engine.stop_now(id, &by).await }).await
    }

    /// Stops a turn that is driven here, or was until the database went away; it is told later. Whether there is one.
    pub fn stop_here(&self, id: ConversationId) -> bool {
        self.0.owe_stop(id)
    }

    async fn stop_now(&self, id: ConversationId, by: &str) -> Result<bool, Error> {
        match self.stop_turn(id, None, by).await {
            // The database can't be told now. Whoever drives the turn can, if it is driven here.
            Err(error) if self.0.owe_stop(id) => {
                tracing::warn!(%error, conversation = %id, "a stop is stored later");
                Ok(true)
            }
            stopped => stopped,
        }
    }

    /// Stops the turn of a conversation, or none but this one; whether it was there.
    pub(crate) async fn stop_turn(
        &self,
        id: ConversationId,
        only: Option<TaskId>,
        by: &str,
    ) -> Result<bool, Error> {
        let Some(turn) = self.0.store.request_stop(id, only, now()).await? else { return Ok(false) };
        match turn.owner {
            // Nobody runs it: it ends here and now.
            None => self.end_waiting(id, turn, by).await?,
            Some(node) if node == self.0.node() => self.0.stop_running(turn.task_id),
            // Its node also looks for stops every other second, and every commit sees one.
            Some(_) => self.0.bus.tell(Hint::Stopped(turn.task_id)),
        }
        Ok(true)
    }

    async fn end_waiting(&self, id: ConversationId, waiting: TurnRow, by: &str) -> Result<(), Error> {
        for _ in 0..5 {
            let loaded = self.0.store.load(id).await?;
            let same = loaded.turn.filter(|turn| turn.task_id == waiting.task_id);
            let Some(row) = same else { return Ok(()) };
            if row.owner.is_some() {
                self.0.stop_running(row.task_id);
                return Ok(());
            }
            let (last_seq, at) = (loaded.conversation.last_seq, now());
            let closed = close_waiting(&loaded, row.task_id, &Cause::Stopped { by: by.to_owned() }, at);
            let seat = Seat::of(&loaded.conversation);
            let guard = Guard::Turn {
                fence: Fence { task_id: row.task_id, attempt: row.attempt },
                working: closed.working,
                after: After::Ended(TurnStatus::Stopped),
            };
            let commit = Commit {
                steps: closed.steps,
                messages: closed.message.into_iter().collect(),
                resolved: closed.resolved,
                ..Commit::new((id, seat.workspace_id), last_seq, guard, at)
            };
            match self.until_heard(&commit).await {
                Ok(_) => {
                    let steps = (last_seq + 1..).zip(commit.steps);
                    let logged: Vec<LoggedStep> = steps.map(|(seq, new)| new.at(seq, at)).collect();
                    self.0.tell(&seat, &logged);
                    self.live(id).publish_steps(logged);
                    return Ok(());
                }
                Err(Refused::Moved) => {}
                Err(Refused::Store(error)) => return Err(error),
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// Takes a decision, and goes on with the turn if it waited.
    pub async fn decide(&self, deciding: Deciding) -> Result<Decided, Refused> {
        let engine = self.clone();
        whole(async move { engine.decide_now(deciding).await }).await
    }

    async fn decide_now(&self, deciding: Deciding) -> Result<Decided, Refused> {
        let Deciding { approval_id, decision, by, reason, args, args_hash, remember } = deciding;
        let node = self.0.node();
        let decide = Decide { approval_id, decision, by, reason, args, args_hash, remember, node, at: now() };
        let decided = self.decided(decide).await?;
        let seat = Seat::of(&decided.conversation);
        let id = seat.id;
        self.0.tell(&seat, std::slice::from_ref(&decided.step));
        self.live(id).publish_steps(vec![decided.step.clone()]);
        if let (true, Some(task_id)) = (decided.resumes, decided.step.task_id) {
            let claimed = baton_core::turns::Claimed { conversation_id: id, task_id };
            self.go_on(claimed, Begins::Resumed).await;
        }
        Ok(decided)
    }

    /// Decides until there is an answer: an earlier try may have been stored without one.
    async fn decided(&self, mut decide: Decide) -> Result<Decided, Refused> {
        let begun = Instant::now();
        for tries in 0.. {
            // What it resumes would be given to a node that is gone, or that cannot drive it yet.
            if self.0.phase() == Phase::Ended || !self.0.holds_lease() {
                return Err(Refused::Store(Error::Unavailable));
            }
            decide.node = self.0.node();
            match self.0.store.decide(decide.clone()).await {
                Err(Refused::AlreadyDecided(approval))
                    if tries > 0 && approval.decided_at == Some(decide.at) =>
                {
                    return self.found_decision(&approval, decide.node).await;
                }
                Err(Refused::Store(Error::Unavailable)) if begun.elapsed() < PATIENCE => {
                    backoff(self.0.pace.backoff, tries).await;
                }
                answer => return answer,
            }
        }
        Err(Refused::Store(Error::Unavailable))
    }

    /// A decision that is stored, as it would have been answered.
    async fn found_decision(&self, approval: &Approval, node: NodeId) -> Result<Decided, Refused> {
        let loaded = self.0.store.load(approval.conversation_id).await?;
        let is_it = |logged: &&LoggedStep| matches!(&logged.step, Step::ApprovalResolved { approval_id, .. } if *approval_id == approval.id);
        let step = loaded.steps.iter().rfind(is_it).cloned().ok_or(Refused::TooLate)?;
        let resumes = loaded.turn.is_some_and(|turn| turn.owner == Some(node));
        Ok(Decided { conversation: loaded.conversation, step, resumes })
    }
}
