//! A person decides on a tool call that a turn is waiting for.

use baton_core::approvals::{Approval, Decision};
use baton_core::ids::{ApprovalId, NodeId};
use baton_core::log::{LoggedStep, Step};
use baton_core::store::Error;
use baton_core::turns::{Decide, Decided, Refused};
use serde_json::{Map, Value};

use crate::clock::now;
use crate::node::engine::{Engine, Seat, whole};
use crate::node::running::Begins;
use crate::node::state::Phase;

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
            self.resume(claimed, Begins::Resumed).await;
        }
        Ok(decided)
    }

    /// Decides until there is an answer: an earlier try may have been stored without one.
    async fn decided(&self, mut decide: Decide) -> Result<Decided, Refused> {
        let patience = self.patience();
        for tries in 0.. {
            // Otherwise the turn would be given to a node that is gone, or that can't drive it yet.
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
                Err(Refused::Store(Error::Unavailable)) if patience.pause(tries).await => {}
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
