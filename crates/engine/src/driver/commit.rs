//! Stores the steps of a turn, and then publishes them. What is hard: a commit may be refused because others wrote
//! first, or it may fail without saying whether it was stored.

use baton_core::handoffs::{Activation, ActivationStatus, note};
use baton_core::log::{LoggedStep, NewStep, Step, Switched};
use baton_core::spending::UsageRow;
use baton_core::tape::Tape;
use baton_core::turns::{After, Checkpoint, Claimed, Commit, Fence, Guard, MessageWrite, Refused};
use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::outage::Outage;
use super::{CommitOutcome, Draft, Driver, Gone, STORE_TRIES, Work};
use crate::agent::ready::ReadyAgent;
use crate::clock::{backoff, now};
use crate::handoff::plan::{gone, not_allowed};
use crate::handoff::targets::Target;
use crate::node::running::Begins;
use crate::node::unanswered::UnansweredCommit;

/// A call that opens with a commit, after all else.
pub(super) struct NextCall<'a> {
    pub step: NewStep,
    pub ready: &'a ReadyAgent,
    /// About how much it will read.
    pub input_tokens: u64,
}

impl Work {
    pub(super) fn step(&self, step: Step) -> NewStep {
        NewStep {
            task_id: Some(self.driver.task_id),
            agent_id: self.driver.ready.agent.id,
            message_id: self.turn.message.as_ref().map(|message| message.id),
            step,
        }
    }

    pub(super) fn add(&mut self, step: Step) {
        let new = self.step(step);
        self.push(new);
    }

    pub(super) fn push(&mut self, new: NewStep) {
        let seq = self.driver.last_seq + self.draft.steps.len() as i64 + 1;
        self.turn.push(&new.clone().at(seq, now()));
        self.draft.steps.push(new);
    }

    pub(super) fn fence(&self) -> Fence {
        Fence { task_id: self.driver.task_id, attempt: self.driver.attempt }
    }

    /// Stores the draft, if there is one.
    pub(super) async fn flush(&mut self) -> Result<CommitOutcome, Gone> {
        if self.draft.steps.is_empty() {
            return Ok(CommitOutcome::Stored);
        }
        let progressed = self.draft.progressed;
        self.commit(None, After::Running { progressed }).await
    }

    pub(super) async fn commit(
        &mut self,
        next_call: Option<NextCall<'_>>,
        after: After,
    ) -> Result<CommitOutcome, Gone> {
        let at = now();
        let usage = self.usage(next_call.as_ref());
        let next_call = next_call.map(|call| call.step);
        let agent_id = self.driver.ready.agent.id;
        let guard = Guard::Turn {
            fence: self.fence(),
            // A handoff completes the task that asked for it; its own begins with it.
            working: self.stored.task_id.unwrap_or(self.driver.task_id),
            after,
        };
        let seat = &self.driver.seat;
        let commit = Commit {
            steps: self.draft.steps.clone(),
            next_call: next_call.clone(),
            messages: self.messages(after),
            notes: self.noted().map(|noted| (agent_id, noted)),
            approvals: self.draft.approvals.clone(),
            resolved: self.draft.resolved.clone(),
            usage,
            snapshot: self.draft.snapshot.clone(),
            handoff: self.draft.handoff.clone(),
            transitions: self.draft.transitions.clone(),
            rolled_back: self.draft.rolled_back,
            subtask: self.draft.subtask.clone(),
            stops: self.draft.stops.clone(),
            known: self.draft.known,
            ..Commit::new((seat.id, seat.workspace_id), self.driver.last_seq, guard, at)
        };
        let mut outage = Outage::new();
        let mut was_fenced = false;
        let committed = loop {
            let storing = self.driver.engine.store.commit(&commit);
            let answer = self.told_while(&mut outage, storing).await?;
            let refused = match answer {
                Ok(committed) => break committed,
                Err(refused) => refused,
            };
            // An earlier try may have come through without an answer, whatever this one was told.
            if outage.has_tried()
                && let Some(committed) = UnansweredCommit::of(&commit).answer_in(&self.steps_since().await?)
            {
                was_fenced = matches!(refused, Refused::Fenced);
                break committed;
            }
            match refused {
                // The holder changes only with a step.
                Refused::Moved | Refused::StaleEpoch => {
                    return match self.read_on().await? {
                        0 => self.refused_for_nothing().await,
                        _ => Ok(CommitOutcome::Moved),
                    };
                }
                Refused::Stale => {
                    self.reads_agents = true;
                    return Ok(CommitOutcome::Moved);
                }
                Refused::Stopped => {
                    self.driver.stop_seen = true;
                    return Ok(CommitOutcome::Moved);
                }
                Refused::TargetGone => return Ok(CommitOutcome::Refused(gone())),
                Refused::NotAllowed(refusal) => {
                    let asked = self.draft.subtask.as_ref().map(|subtask| subtask.agent_id);
                    let target = match asked.or(self.turn.chain.last().copied()) {
                        Some(id) => self.ready_agent(id).await?.map(|ready| Target::of(&ready.agent)),
                        None => None,
                    };
                    return Ok(CommitOutcome::Refused(
                        target.map_or_else(gone, |to| not_allowed(refusal, &to)),
                    ));
                }
                Refused::Store(error) => {
                    // Nothing is published that is not stored, and nothing is dropped that was said: it has to wait.
                    tracing::error!(%error, conversation = %self.driver.seat.id, "could not commit a turn's step");
                    if outage.is_refusal() {
                        // Not even its end is taken: whoever takes the turn up next reads the log anew.
                        if self.unstorable {
                            return Err(Gone);
                        }
                        if self.takes_other_writes().await {
                            return Ok(self.give_draft_up());
                        }
                    }
                    self.wait_out(&mut outage, &error).await?;
                }
                _ => return Err(Gone),
            }
        };
        let mut stored: Vec<LoggedStep> = (self.driver.last_seq + 1..)
            .zip(self.draft.steps.drain(..))
            .map(|(seq, new)| new.at(seq, at))
            .collect();
        let called = next_call.filter(|_| committed.last_seq > self.driver.last_seq + stored.len() as i64);
        if let Some(call) = called {
            let call = call.at(committed.last_seq, at);
            self.turn.push(&call);
            stored.push(call);
        }
        self.has_counted(&commit.usage, committed.last_seq, at);
        self.take_effect(at);
        self.driver.last_seq = committed.last_seq;
        self.driver.stop_seen |= committed.stop_requested;
        self.driver.tries = if self.draft.progressed { 0 } else { self.driver.tries };
        self.draft = Draft::default();
        self.stored = self.turn.clone();
        self.driver.log.extend(stored.iter().cloned());
        self.driver.engine.tell(&self.driver.seat, &stored);
        self.driver.live.publish_steps(stored);
        self.vain = 0;
        // It is stored and told of. Where the turn has not ended with it, someone else goes on.
        if was_fenced && matches!(after, After::Running { .. }) {
            Err(Gone)
        } else {
            Ok(CommitOutcome::Stored)
        }
    }

    /// The rows of calls that a commit settles and opens.
    fn usage(&self, next_call: Option<&NextCall<'_>>) -> Vec<UsageRow> {
        let seq = self.driver.last_seq + self.draft.steps.len() as i64 + 1;
        let opened = next_call.and_then(|call| self.reserve(call.ready, seq, call.input_tokens));
        // A commit without steps only reserves.
        let goes_on = next_call.is_some() || !self.draft.steps.is_empty();
        let unrouted = if goes_on { self.unrouted() } else { Vec::new() };
        self.draft.usage.iter().cloned().chain(unrouted).chain(opened).collect()
    }

    /// A commit that was refused although the log holds nothing new is tried again after a pause, and only a few
    /// times.
    async fn refused_for_nothing(&mut self) -> Result<CommitOutcome, Gone> {
        self.vain += 1;
        tracing::warn!(conversation = %self.driver.seat.id, times = self.vain, "a commit was refused for no reason in the log");
        if self.vain >= STORE_TRIES && !self.unstorable {
            return Ok(self.give_draft_up());
        }
        // Not even its end can be stored: whoever takes the turn up next reads the log anew.
        if self.vain >= 2 * STORE_TRIES {
            return Err(Gone);
        }
        backoff(self.driver.engine.pace.backoff, self.vain).await;
        self.still_ours().await?;
        Ok(CommitOutcome::Moved)
    }

    /// The draft can't be stored: the turn ends without it.
    fn give_draft_up(&mut self) -> CommitOutcome {
        self.unstorable = true;
        self.take_back(Draft::default());
        CommitOutcome::Moved
    }

    /// Applies the draft's changes of activations and notes, now that they are stored.
    fn take_effect(&mut self, at: DateTime<Utc>) {
        let noted = self.noted();
        let driver = &mut self.driver;
        let active = driver.activations.iter_mut().rfind(|one| one.status == ActivationStatus::Active);
        if let (Some(active), Some(data)) = (active, noted) {
            active.context_data = data;
        }
        if let Some(snapshot) = &self.draft.snapshot {
            driver.snapshots.retain(|(stage, _)| *stage != snapshot.stage);
            driver.snapshots.push((snapshot.stage.clone(), snapshot.data.clone()));
        }
        if let Some(handoff) = self.draft.handoff.take() {
            handoff.take_effect(&mut driver.activations, driver.last_seq, at);
            driver.epoch += 1;
        }
    }

    /// All that the agent has noted, with the draft's; none if the draft notes nothing.
    pub(super) fn noted(&self) -> Option<Map<String, Value>> {
        let (first, rest) = self.draft.notes.split_first()?;
        let before = self.driver.active().map(|active| active.context_data.clone());
        let mut noted = before.unwrap_or_default();
        note(&mut noted, first);
        rest.iter().for_each(|data| note(&mut noted, data));
        Some(noted)
    }

    /// The draft's messages, the one being written last: its row is brought up to date where people may search it for
    /// long, while the turn waits for one of them.
    fn messages(&self, after: After) -> Vec<MessageWrite> {
        let mut messages = self.draft.messages.clone();
        let own = self.turn.message.as_ref().map(|message| message.id);
        let is_there = messages
            .iter()
            .any(|write| matches!(write, MessageWrite::Update { spoken, .. } if Some(spoken.id) == own));
        if !is_there {
            messages.extend(match after {
                After::Waiting => self.as_it_is(),
                After::Running { .. } | After::Ended(_) => self.message_write(),
            });
        }
        messages
    }

    /// Whether the database refuses only this draft: then it still takes a checkpoint of the open call.
    async fn takes_other_writes(&self) -> bool {
        let tape = self.checkpointed().cloned().unwrap_or_default();
        self.driver.engine.store.checkpoint(self.checkpoint(tape)).await.is_ok()
    }

    pub(super) fn checkpoint(&self, tape: Tape) -> Checkpoint {
        let Driver { seat, last_seq, .. } = &self.driver;
        Checkpoint { conversation_id: seat.id, fence: self.fence(), last_seq: *last_seq, tape }
    }

    /// The message, if it has ended with the draft. Until then its steps are what holds it: a turn of many calls does
    /// not write all of it again with each.
    pub(super) fn message_write(&self) -> Option<MessageWrite> {
        (!self.turn.is_speaking()).then(|| self.as_it_is()).flatten()
    }

    fn as_it_is(&self) -> Option<MessageWrite> {
        let message = self.turn.message.as_ref().filter(|_| !self.draft.steps.is_empty())?;
        Some(MessageWrite::Update { spoken: message.clone(), metadata: self.turn.metadata() })
    }

    pub(super) async fn steps_since(&self) -> Result<Vec<LoggedStep>, Gone> {
        let driver = &self.driver;
        let steps = self.answered(|| driver.engine.store.steps_after(driver.seat.id, driver.last_seq, 1_000));
        Ok(steps.await?.unwrap_or_default())
    }

    /// Reads the steps that others added to the log, applies them before the draft, and returns how many there were.
    async fn read_on(&mut self) -> Result<usize, Gone> {
        let steps = self.steps_since().await?;
        let count = steps.len();
        for step in steps {
            self.driver.last_seq = step.seq;
            match &step.step {
                Step::Switched(switched) => self.has_switched(switched),
                // Only whoever drives this turn hands it off: this driver did, and doesn't know. The log does.
                Step::Handoff(_) if step.task_id == Some(self.driver.task_id) => {
                    tracing::error!(conversation = %self.driver.seat.id, "a turn is begun anew from its log");
                    let (conversation_id, task_id) = (self.driver.seat.id, self.driver.task_id);
                    self.driver.engine.leave(Claimed { conversation_id, task_id }, Begins::TakenOver);
                    return Err(Gone);
                }
                _ => {}
            }
            if step.task_id == Some(self.driver.task_id) {
                self.stored.push(&step);
            }
            self.driver.log.push(step);
        }
        self.apply_draft();
        Ok(count)
    }

    /// A person switched to another agent, or only changed the pin.
    fn has_switched(&mut self, switched: &Switched) {
        self.driver.epoch = switched.epoch;
        self.driver.holder_changed |= !switched.is_pin();
        let own = |one: &&mut Activation| one.id == switched.activation_id;
        self.driver.activations.iter_mut().filter(own).for_each(|one| one.is_pinned = switched.pinned);
    }

    /// Goes back to a draft whose commit was refused; to none if it can't be stored at all.
    pub(super) fn take_back(&mut self, draft: Draft) {
        self.draft = if self.unstorable { Draft::default() } else { draft };
        self.apply_draft();
    }

    pub(super) fn apply_draft(&mut self) {
        self.turn = self.stored.clone();
        for (seq, new) in (self.driver.last_seq + 1..).zip(&self.draft.steps) {
            self.turn.push(&new.clone().at(seq, now()));
        }
    }
}
