//! Storing what a turn has come to, and then telling of it. What is hard: a commit may be refused because others wrote
//! first, or fail without saying whether it came through.

use std::mem::discriminant;

use baton_core::handoffs::{ActivationStatus, note};
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::store::Error;
use baton_core::tools::Change;
use baton_core::turns::{After, Checkpoint, Commit, Committed, Guard, MessageWrite, Refused};
use chrono::{DateTime, Utc};

use super::{Draft, Gone, Outcome, Work};
use crate::plan::{gone, not_allowed};
use crate::reach::Target;
use crate::time::{backoff, now};

/// What a database refuses this often it will not take. One that is only away is waited for.
const STORE_TRIES: u32 = 8;

impl Work {
    pub(super) fn step(&self, step: Step) -> NewStep {
        NewStep {
            task_id: Some(self.driver.task_id),
            agent_id: self.driver.cast.agent.id,
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

    pub(super) fn guard(&self) -> Guard {
        Guard {
            conversation_id: self.driver.seat.id,
            task_id: self.driver.task_id,
            attempt: self.driver.attempt,
            last_seq: self.driver.last_seq,
        }
    }

    /// Stores the draft, if there is one.
    pub(super) async fn flush(&mut self) -> Result<Outcome, Gone> {
        if self.draft.steps.is_empty() {
            return Ok(Outcome::Stored);
        }
        let progressed = self.draft.progressed;
        self.commit(None, After::Running { progressed }).await
    }

    pub(super) async fn commit(&mut self, next_call: Option<NewStep>, after: After) -> Result<Outcome, Gone> {
        let at = now();
        let agent_id = self.driver.cast.agent.id;
        let commit = Commit {
            guard: self.guard(),
            workspace_id: self.driver.seat.workspace_id,
            profile_id: self.driver.seat.person.profile_id(),
            steps: self.draft.steps.clone(),
            next_call: next_call.clone(),
            messages: self.messages(),
            changes: self.changes().into_iter().map(|change| (agent_id, change)).collect(),
            approvals: self.draft.approvals.clone(),
            resolved: self.draft.resolved.clone(),
            usage: self.draft.usage.clone(),
            // A handoff completes the task that asked for it; its own begins with it.
            task_id: self.stored.task_id.unwrap_or(self.driver.task_id),
            snapshot: self.draft.snapshot.clone(),
            handover: self.draft.handover.clone(),
            transitions: self.draft.transitions.clone(),
            rolled_back: self.draft.rolled_back,
            subtask: self.draft.subtask.clone(),
            stops: self.draft.stops.clone(),
            after,
            at,
        };
        let (mut tries, mut failed) = (0, 0);
        let committed = loop {
            let refused = match self.driver.engine.store.commit(commit.clone()).await {
                Ok(committed) => break committed,
                Err(refused) => refused,
            };
            // An earlier try may have come through without an answer.
            let may_be_stored = tries > 0 && matches!(refused, Refused::Moved | Refused::StaleEpoch);
            if may_be_stored && let Some(committed) = self.found(next_call.is_some()).await? {
                break committed;
            }
            match refused {
                // It is over: by this commit, or by whoever took the turn over meanwhile. Only the log knows.
                Refused::Fenced if tries > 0 && matches!(after, After::Ended(_)) => {
                    let steps = self.steps_since().await?;
                    self.driver.engine.tell(&self.driver.seat, &steps);
                    self.driver.live.publish_steps(steps);
                    return Err(Gone);
                }
                // Who holds the conversation only changes with a step.
                Refused::Moved | Refused::StaleEpoch => {
                    self.read_on().await?;
                    return Ok(Outcome::Moved);
                }
                Refused::Stopped => {
                    self.driver.stop_seen = true;
                    return Ok(Outcome::Moved);
                }
                Refused::TargetGone => return Ok(Outcome::Refused(gone())),
                Refused::NotAllowed(refusal) => {
                    let asked = self.draft.subtask.as_ref().map(|subtask| subtask.agent_id);
                    let target = match asked.or(self.turn.chain.last().copied()) {
                        Some(id) => self.cast_of(id).await?.map(|cast| Target::of(&cast.agent)),
                        None => None,
                    };
                    return Ok(Outcome::Refused(target.map_or_else(gone, |to| not_allowed(refusal, &to))));
                }
                Refused::Store(error) => {
                    // Nothing is published that is not stored, and nothing is dropped that was said: it has to wait.
                    tracing::error!(%error, conversation = %self.driver.seat.id, "could not commit a turn's step");
                    if !self.driver.engine.may_act(self.driver.node) {
                        return Err(Gone);
                    }
                    failed += u32::from(matches!(error, Error::Database(_)));
                    if failed >= STORE_TRIES && !self.unstorable && self.takes_other_writes().await {
                        self.unstorable = true;
                        self.take_back(Draft::default());
                        return Ok(Outcome::Moved);
                    }
                    backoff(self.driver.engine.pace.backoff, tries).await;
                    tries += 1;
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
        self.take_effect(at);
        self.driver.last_seq = committed.last_seq;
        self.driver.stop_seen |= committed.stop_requested;
        self.driver.tries = if self.draft.progressed { 0 } else { self.driver.tries };
        self.draft = Draft::default();
        self.stored = self.turn.clone();
        self.driver.log.extend(stored.iter().cloned());
        self.driver.engine.tell(&self.driver.seat, &stored);
        self.driver.live.publish_steps(stored);
        Ok(Outcome::Stored)
    }

    /// What the draft changes of who holds the conversation and what they noted, now that it is stored.
    fn take_effect(&mut self, at: DateTime<Utc>) {
        let noted = self.changes().into_iter().find_map(|change| match change {
            Change::PutContext { data } => Some(data),
            _ => None,
        });
        let driver = &mut self.driver;
        let active = driver.activations.iter_mut().rfind(|one| one.status == ActivationStatus::Active);
        if let (Some(active), Some(data)) = (active, noted) {
            active.context_data = data;
        }
        if let Some(snapshot) = &self.draft.snapshot {
            driver.snapshots.retain(|(stage, _)| *stage != snapshot.stage);
            driver.snapshots.push((snapshot.stage.clone(), snapshot.data.clone()));
        }
        if let Some(handover) = self.draft.handover.take() {
            handover.take_effect(&mut driver.activations, driver.last_seq, at);
            driver.epoch += 1;
        }
    }

    /// The draft's changes, with all that was noted as one.
    pub(super) fn changes(&self) -> Vec<Change> {
        let mut noted = None;
        let mut changes = Vec::new();
        for change in &self.draft.changes {
            let Change::PutContext { data } = change else {
                changes.push(change.clone());
                continue;
            };
            let before =
                || self.driver.active().map(|active| active.context_data.clone()).unwrap_or_default();
            note(noted.get_or_insert_with(before), data);
        }
        changes.extend(noted.map(|data| Change::PutContext { data }));
        changes
    }

    /// The draft's messages, the one being written last.
    fn messages(&self) -> Vec<MessageWrite> {
        let mut messages = self.draft.messages.clone();
        let own = self.turn.message.as_ref().map(|message| message.id);
        let is_there = messages
            .iter()
            .any(|write| matches!(write, MessageWrite::Update { spoken, .. } if Some(spoken.id) == own));
        if !is_there {
            messages.extend(self.message_write());
        }
        messages
    }

    /// Whether it is the draft the database can't take: it keeps the open call's tape all the same.
    async fn takes_other_writes(&self) -> bool {
        let tape = self.checkpointed().cloned().unwrap_or_default();
        self.driver.engine.store.checkpoint(Checkpoint { guard: self.guard(), tape }).await.is_ok()
    }

    /// The message as the draft leaves it.
    pub(super) fn message_write(&self) -> Option<MessageWrite> {
        let message = self.turn.message.as_ref()?;
        if self.draft.steps.is_empty() {
            return None;
        }
        Some(MessageWrite::Update { spoken: message.clone(), metadata: self.turn.metadata() })
    }

    /// The draft, if the log goes on with it: what it would have been answered. Under this attempt nobody else stores
    /// steps of these kinds, and what they hold may come back in another spelling.
    pub(super) async fn found(&self, wants_call: bool) -> Result<Option<Committed>, Gone> {
        let steps = self.steps_since().await?;
        let drafted = self.draft.steps.len();
        let same = |(stored, new): (&LoggedStep, &NewStep)| {
            (stored.task_id, stored.message_id) == (new.task_id, new.message_id)
                && discriminant(&stored.step) == discriminant(&new.step)
        };
        if steps.len() < drafted || !steps.iter().zip(&self.draft.steps).all(same) {
            return Ok(None);
        }
        let has_call =
            wants_call && matches!(steps.get(drafted).map(|step| &step.step), Some(Step::Call { .. }));
        let stored = drafted + usize::from(has_call);
        let last_seq = self.driver.last_seq + stored as i64;
        Ok((stored > 0).then_some(Committed { last_seq, stop_requested: wants_call && !has_call }))
    }

    pub(super) async fn steps_since(&self) -> Result<Vec<LoggedStep>, Gone> {
        let driver = &self.driver;
        let mut tries = 0;
        loop {
            match driver.engine.store.steps_after(driver.seat.id, driver.last_seq, 1_000).await {
                Ok(steps) => return Ok(steps),
                Err(_) if !driver.engine.may_act(driver.node) => return Err(Gone),
                Err(_) => backoff(driver.engine.pace.backoff, tries).await,
            }
            tries += 1;
        }
    }

    /// Takes in what others added to the log, under the draft.
    pub(super) async fn read_on(&mut self) -> Result<(), Gone> {
        for step in self.steps_since().await? {
            self.driver.last_seq = step.seq;
            if let Step::Switched(switched) = &step.step {
                self.driver.epoch = switched.epoch;
            }
            if step.task_id == Some(self.driver.task_id) {
                self.stored.push(&step);
            }
            if let Step::ApprovalResolved { call_id, remember: true, .. } = &step.step
                && let Some(call) = self.stored.calls.iter().find(|call| call.step.call_id == *call_id)
            {
                self.driver.allowed.push((call.agent_id, call.step.tool_name.clone()));
            }
            self.driver.log.push(step);
        }
        self.apply_draft();
        Ok(())
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
