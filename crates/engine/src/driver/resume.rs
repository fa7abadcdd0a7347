//! Goes on with a turn that belongs to this node by the database: a turn taken over from another node, one that waited
//! for a person, or one that was accepted without an answer.
//!
//! What is hard: several callers may come for the same turn. Each first enters the turn in the list of running turns
//! and then reads the log, so the one that drives it has seen everything that was stored before.

use baton_core::access::Viewer;
use baton_core::ids::{AgentId, NodeId, TaskId, TeamId};
use baton_core::log::{LoggedStep, Step};
use baton_core::store::Error;
use baton_core::turns::{Claimed, Loaded, TurnRow};
use baton_core::visitors::Person;
use serde_json::Value;
use tokio::sync::watch;

use crate::agent::ready::Assignment;
use crate::clock::now;
use crate::driver::Driver;
use crate::node::engine::{Engine, Seat};
use crate::node::running::Begins;
use crate::node::running::FIRST;
use crate::node::turn_permits::Origin;

const SUBTASK_CONTEXT: &str = "Another agent asks you this as a part of its work for the person. Your answer goes to that \
    agent: give all it needs in one message. Neither it nor the person can be asked back.";

impl Engine {
    /// Now, or later if the database does not answer.
    pub(crate) async fn resume(&self, claimed: Claimed, begins: Begins) {
        match self.try_resume(claimed, begins).await {
            Ok(()) => {}
            Err(error) => {
                tracing::error!(%error, conversation = %claimed.conversation_id, "could not go on with a turn yet");
                // By then others may have had it: the attempt tells, where it was the first.
                let is_fresh = matches!(begins, Begins::Accepted | Begins::Unopened);
                let begins = if is_fresh { begins } else { Begins::TakenOver };
                self.0.leave(claimed, begins);
            }
        }
    }

    async fn try_resume(&self, claimed: Claimed, begins: Begins) -> Result<(), Error> {
        let node = self.0.node();
        let is_ours = |turn: &TurnRow| turn.task_id == claimed.task_id && turn.owner == Some(node);
        let turn = match self.0.bounded(self.0.store.turn(claimed.conversation_id)).await {
            // It was deleted.
            Err(Error::NotFound(_)) => return Ok(()),
            turn => turn?,
        };
        let Some(turn) = turn.filter(is_ours) else { return Ok(()) };
        let Some(stop) = self.0.enters(claimed.conversation_id, turn.task_id, turn.attempt) else {
            return Ok(());
        };
        let loaded = self.0.bounded(self.load(claimed.conversation_id)).await;
        let driver = match loaded {
            Ok((loaded, known))
                if loaded.turn.filter(is_ours).is_some_and(|now| now.attempt == turn.attempt) =>
            {
                self.0.bounded(self.driver((loaded, known), turn, node, begins, stop)).await.map(Some)
            }
            other => other.map(|_| None),
        };
        match driver {
            Ok(Some(driver)) => {
                let permit =
                    self.0.turn_permits.take_anyway(&driver.seat, Origin::of(driver.assignment.is_public));
                tokio::spawn(driver.drive(permit));
                Ok(())
            }
            other => {
                self.0.has_left(turn.task_id, turn.attempt);
                other.map(drop)
            }
        }
    }

    async fn driver(
        &self,
        (loaded, known): (Loaded, Option<Vec<(String, Value)>>),
        turn: TurnRow,
        node: NodeId,
        begins: Begins,
        stop: watch::Receiver<bool>,
    ) -> Result<Driver, Error> {
        let seat = Seat::of(&loaded.conversation);
        let assignment =
            self.assignment_of(&seat, speaking(&loaded, turn.task_id), loaded.conversation.team_id).await?;
        let subtask = loaded.conversation.subtask;
        let assignment = Assignment { is_subtask: subtask.is_some(), ..assignment };
        let ready = self.0.agents.load(assignment).await?;
        let snapshots = self.snapshots(&ready, seat.id, known).await?;
        let own = |logged: &&LoggedStep| logged.task_id == Some(turn.task_id);
        let reserved = match loaded.steps.iter().find(own) {
            Some(first) => self.0.store.open_usage((seat.id, seat.workspace_id), first.at).await?,
            None => Vec::new(),
        };
        self.0.spending.count((seat.id, seat.workspace_id), reserved.iter(), now());
        let Loaded { conversation, steps, is_cut, checkpoint, activations, turn: now } = loaded;
        Ok(Driver {
            engine: self.0.clone(),
            live: self.live(seat.id),
            seat,
            node,
            task_id: turn.task_id,
            attempt: turn.attempt,
            tries: turn.tries,
            last_seq: conversation.last_seq,
            context: match subtask {
                Some(_) => Some(SUBTASK_CONTEXT.to_owned()),
                None => crate::prompt::context::turn_context(&steps, turn.task_id),
            },
            subtask,
            log: steps,
            log_is_cut: is_cut,
            holder_changed: false,
            epoch: conversation.epoch,
            activations,
            snapshots,
            assignment,
            checkpoint,
            reserved,
            // Someone had it in between.
            begins: if turn.attempt > FIRST && matches!(begins, Begins::Accepted | Begins::Unopened) {
                Begins::TakenOver
            } else {
                begins
            },
            stop,
            stop_seen: now.is_some_and(|now| now.stop_requested),
            ready,
        })
    }
}

impl Engine {
    /// How an agent works for the person of a conversation, as they are now.
    pub(crate) async fn assignment_of(
        &self,
        seat: &Seat,
        agent: AgentId,
        team: Option<TeamId>,
    ) -> Result<Assignment, Error> {
        let (viewer, is_public) = match seat.person {
            Person::Visitor(_) => (Viewer::Visitor, true),
            Person::Profile(id) => {
                let (profile, member) =
                    tokio::try_join!(self.0.store.profile(id), self.0.store.role(seat.workspace_id, id))?;
                (Viewer::Profile(profile.tier), member.is_none())
            }
        };
        Ok(Assignment { agent, team, viewer, is_public, is_subtask: false })
    }
}

/// The agent that speaks in a turn: whoever called a model last, else whoever it was written to.
fn speaking(loaded: &Loaded, task_id: TaskId) -> AgentId {
    let own = || loaded.steps.iter().filter(|logged| logged.task_id == Some(task_id));
    let called = own().rfind(|logged| matches!(logged.step, Step::Call { .. }));
    let asked = || own().rfind(|logged| matches!(logged.step, Step::User { .. }));
    called.or_else(asked).map_or_else(|| loaded.holder(), |logged| logged.agent_id)
}
