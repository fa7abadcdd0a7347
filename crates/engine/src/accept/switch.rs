//! A person gives the conversation to another agent. The switch never waits: a running turn finishes its current
//! message and ends; a turn that waits for an approval is ended here.

use std::sync::Arc;

use baton_core::access::{AccessRefusal, Gate, Use, may_use};
use baton_core::approvals::Decision;
use baton_core::conversations::Conversation;
use baton_core::fold::Spoken;
use baton_core::handoffs::{Activation, Held, NewHandoff, NewTransition, Trigger};
use baton_core::ids::{AgentId, ConversationId, MessageId};
use baton_core::log::{LoggedStep, MessageStatus, NewStep, Step, Switched};
use baton_core::parts::Part;
use baton_core::store::Error;
use baton_core::teams::TeamKind;
use baton_core::turns::{
    Commit, Guard, Loaded, MessageWrite, Pin, Refused, ResolvedApproval, Switch, TurnRow,
};
use chrono::{DateTime, Utc};

use crate::agent::ready::{Assignment, ReadyAgent};
use crate::clock::{backoff, now};
use crate::node::engine::{Engine, Seat, whole};
use crate::node::kept_logs::KeptLog;
use crate::turn::ending::{Cause, close_waiting};
use crate::turn::state::{Consent, Turn};

/// What a person asks for.
pub struct Switching {
    pub conversation_id: ConversationId,
    pub to: SwitchTo,
    /// What they have seen, if they say.
    pub epoch: Option<i64>,
    /// For whom the agents work; which one is filled in here.
    pub assignment: Assignment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchTo {
    Agent(AgentId),
    /// Leave it to the team's router again.
    Auto,
}

/// Who holds the conversation now.
pub struct Active {
    pub activation: Activation,
    pub ready: Arc<ReadyAgent>,
    pub epoch: i64,
}

pub struct HasSwitched {
    pub active: Active,
    /// The agent's first words, if it had not said them before.
    pub greeting: Option<(MessageId, String)>,
}

#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    #[error("the conversation has another holder by now")]
    StaleEpoch,
    #[error("the agent is not for this person")]
    NotAllowed(AccessRefusal),
    #[error("no router decides in this conversation")]
    NoRouter,
    #[error(transparent)]
    Store(#[from] Error),
}

const TRIES: u32 = 20;

impl Engine {
    pub async fn switch(&self, switching: Switching) -> Result<HasSwitched, SwitchError> {
        let engine = self.clone();
        whole(async move { engine.switch_now(&switching).await }).await
    }

    async fn switch_now(&self, switching: &Switching) -> Result<HasSwitched, SwitchError> {
        for tries in 0..TRIES {
            match self.try_switch(switching).await {
                Ok(Some(switched)) => return Ok(switched),
                // Whatever came in between may be at it still.
                Ok(None) if tries > 1 => backoff(self.0.pace.backoff / 20, tries.min(3)).await,
                Ok(None) => {}
                Err(error) => {
                    self.record(switching, &error).await;
                    return Err(error);
                }
            }
        }
        Err(SwitchError::StaleEpoch)
    }

    /// An attempt that was refused is recorded like one that came through. If that fails, the refusal still stands.
    async fn record(&self, switching: &Switching, error: &SwitchError) {
        let code = match error {
            SwitchError::StaleEpoch => "stale_epoch",
            SwitchError::NotAllowed(AccessRefusal::SignIn) => "sign_in_required",
            SwitchError::NotAllowed(AccessRefusal::Premium) => "premium_required",
            SwitchError::Store(Error::NotFound("agent")) => "target_gone",
            SwitchError::NoRouter | SwitchError::Store(_) => return,
        };
        let SwitchTo::Agent(to) = switching.to else { return };
        // An agent that isn't there may belong to somebody else: the record doesn't name it.
        let to = (code != "target_gone").then_some(to);
        let Ok(Some((holds, _))) = self.0.store.active(switching.conversation_id).await else { return };
        let attempt = NewTransition::refused(Trigger::User, holds.agent_id, to, code);
        if let Err(error) = self.0.store.record_attempt(switching.conversation_id, attempt).await {
            tracing::warn!(%error, "could not record a refused switch");
        }
    }

    /// `None`: something came in between.
    async fn try_switch(&self, switching: &Switching) -> Result<Option<HasSwitched>, SwitchError> {
        let (loaded, known) = self.load(switching.conversation_id).await?;
        let switched = self.switch_in(switching, &loaded).await;
        self.0.kept.give_back(loaded.conversation.id, KeptLog::of(loaded, known));
        switched
    }

    async fn switch_in(
        &self,
        switching: &Switching,
        loaded: &Loaded,
    ) -> Result<Option<HasSwitched>, SwitchError> {
        let begun = std::time::Instant::now();
        if switching.epoch.is_some_and(|epoch| epoch != loaded.conversation.epoch) {
            return Err(SwitchError::StaleEpoch);
        }
        if loaded.conversation.subtask.is_some() {
            return Err(Error::IsSubtask.into());
        }
        let assignment = Assignment { team: loaded.conversation.team_id, ..switching.assignment };
        let Some(holds) = loaded.active().cloned() else { return Err(Error::NotFound("activation").into()) };
        let (target, is_pinned) = self.target(switching.to, assignment, &holds).await?;
        let ready = self.0.agents.load(assignment.of(target)).await?;
        if !ready.agent.is_active || ready.agent.workspace_id != loaded.conversation.workspace_id {
            return Err(Error::NotFound("agent").into());
        }
        may_use(assignment.viewer, Gate::from(&ready.agent.definition), Use::Select)
            .map_err(SwitchError::NotAllowed)?;
        let epoch = loaded.conversation.epoch;
        if holds.agent_id == target && holds.is_pinned == is_pinned {
            let active = Active { activation: holds, ready, epoch };
            return Ok(Some(HasSwitched { active, greeting: None }));
        }
        let made = if holds.agent_id == target {
            SwitchCommit::pin(loaded, &holds, &ready, is_pinned)
        } else {
            let holder = self.0.store.agent(holds.agent_id).await.ok();
            let slug = holder.as_ref().map_or("(gone)", |agent| agent.slug.as_str());
            SwitchCommit::switch(
                loaded,
                Held { by: &holds, slug, activations: &loaded.activations, epoch },
                &ready,
                is_pinned,
                begun,
            )
        };
        let SwitchCommit { commit, active, greeting } = made;
        let epoch = epoch + i64::from(commit.handoff.is_some());
        match self.commit_until_answered(&commit, self.patience()).await {
            Ok(_) => {}
            Err(Refused::Moved | Refused::Fenced | Refused::TurnInProgress | Refused::Stopped) => {
                return Ok(None);
            }
            Err(Refused::StaleEpoch) if switching.epoch.is_none() => return Ok(None),
            Err(Refused::StaleEpoch) => return Err(SwitchError::StaleEpoch),
            Err(Refused::TargetGone) => return Err(Error::NotFound("agent").into()),
            Err(Refused::NotAllowed(refusal)) => return Err(SwitchError::NotAllowed(refusal)),
            Err(Refused::Store(error)) => return Err(error.into()),
            Err(_) => return Ok(None),
        }
        let seat = Seat::of(&loaded.conversation);
        let steps: Vec<LoggedStep> =
            (commit.last_seq + 1..).zip(commit.steps).map(|(seq, new)| new.at(seq, commit.at)).collect();
        self.0.tell(&seat, &steps);
        self.live(seat.id).publish_steps(steps);
        Ok(Some(HasSwitched { active: Active { activation: active, ready, epoch }, greeting }))
    }

    /// Who is to have it, and whether that is the person's own choice that a router leaves alone.
    async fn target(
        &self,
        to: SwitchTo,
        assignment: Assignment,
        holds: &Activation,
    ) -> Result<(AgentId, bool), SwitchError> {
        let team = match assignment.team {
            Some(id) => self.0.store.team(id).await.ok(),
            None => None,
        };
        let routed = team.filter(|team| team.definition.kind == TeamKind::Router);
        match (to, routed) {
            (SwitchTo::Agent(id), routed) => Ok((id, routed.is_some())),
            (SwitchTo::Auto, None) => Err(SwitchError::NoRouter),
            (SwitchTo::Auto, Some(team)) => {
                let is_member = team.definition.member(holds.agent_id).is_some();
                let entry = team.definition.entry().map(|entry| entry.agent_id);
                let id = if is_member { Some(holds.agent_id) } else { entry };
                Ok((id.ok_or(SwitchError::NoRouter)?, false))
            }
        }
    }
}

struct SwitchCommit {
    commit: Commit,
    /// Who holds the conversation once it is stored.
    active: Activation,
    greeting: Option<(MessageId, String)>,
}

impl SwitchCommit {
    /// The holder stays. A turn that runs goes on, and so does one that waits.
    fn pin(loaded: &Loaded, holds: &Activation, ready: &ReadyAgent, is_pinned: bool) -> Self {
        let epoch = loaded.conversation.epoch;
        let step = Step::Switched(Switched {
            from: holds.agent_id,
            to: holds.agent_id,
            to_name: ready.agent.definition.name.clone(),
            by: Trigger::User,
            epoch,
            activation_id: holds.id,
            pinned: is_pinned,
        });
        let task_id = loaded.turn.filter(|turn| turn.owner.is_some()).map(|turn| turn.task_id);
        let pin = Pin { epoch, activation_id: holds.id, is_pinned };
        let commit = Commit {
            steps: vec![NewStep { task_id, agent_id: holds.agent_id, message_id: None, step }],
            ..choice(loaded, Switch { ends: None, pin: Some(pin) }, now())
        };
        Self { commit, active: Activation { is_pinned, ..holds.clone() }, greeting: None }
    }

    fn switch(
        loaded: &Loaded,
        held: Held<'_>,
        ready: &ReadyAgent,
        is_pinned: bool,
        begun: std::time::Instant,
    ) -> Self {
        let at = now();
        let mut steps = Vec::new();
        let mut messages = Vec::new();
        let mut resolved = Vec::new();
        let name = &ready.agent.definition.name;
        let waiting = loaded.turn.filter(|turn| turn.owner.is_none());
        if let Some(turn) = waiting {
            let closed = close_waiting(loaded, turn.task_id, &Cause::Switched { to: name.clone() }, at);
            steps.extend(closed.steps);
            messages.extend(closed.message);
            resolved.extend(closed.resolved);
        } else if let Some(turn) = loaded.turn {
            cancel_asked(loaded, turn, &mut steps, &mut resolved);
        }
        let (from, target) = (held.by.agent_id, ready.agent.id);
        let mut handoff = NewHandoff::switched(held, target, is_pinned);
        handoff.begins.step = steps.len();
        let of_turn = loaded.turn.filter(|turn| turn.owner.is_some()).map(|turn| turn.task_id);
        let step = |message_id, step| NewStep { task_id: of_turn, agent_id: target, message_id, step };
        steps.push(step(None, Step::Switched(handoff.switch_step(from, name))));
        let greeting = greeting(loaded, ready);
        if let Some((id, text)) = &greeting {
            let definition = &ready.agent.definition;
            let parts = vec![Part::Text { text: text.clone() }];
            let spoken = Spoken::stored(*id, target, 1, MessageStatus::Complete, parts);
            messages.push(MessageWrite::Begin { spoken, step: steps.len() });
            let (agent_name, avatar_url) = (definition.name.clone(), definition.avatar_url.clone());
            let said = Step::Greeting { agent_name, avatar_url, text: text.clone() };
            steps.push(NewStep { task_id: None, ..step(Some(*id), said) });
            let ends = Step::MessageEnd { status: MessageStatus::Complete };
            steps.push(NewStep { task_id: None, ..step(Some(*id), ends) });
        }
        let transition = NewTransition {
            latency_ms: i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX),
            ..handoff.transition(from)
        };
        let active = handoff.begins.clone().begun(loaded.conversation.last_seq, at);
        let ends = waiting.map(|turn| turn.task_id);
        let commit = Commit {
            steps,
            messages,
            resolved,
            handoff: Some(handoff),
            transitions: vec![transition],
            ..choice(loaded, Switch { ends, pin: None }, at)
        };
        Self { commit, active, greeting }
    }
}

fn choice(loaded: &Loaded, switch: Switch, at: DateTime<Utc>) -> Commit {
    let Conversation { id, workspace_id, last_seq, .. } = loaded.conversation;
    Commit::new((id, workspace_id), last_seq, Guard::Switch(switch), at)
}

/// Cancels what a running turn waits to be allowed.
fn cancel_asked(
    loaded: &Loaded,
    turn: TurnRow,
    steps: &mut Vec<NewStep>,
    resolved: &mut Vec<ResolvedApproval>,
) {
    let told = Turn::of(turn.task_id, &loaded.steps);
    let Some(message_id) = told.message.as_ref().map(|message| message.id) else { return };
    let by = "the person".to_owned();
    let asked = told.calls.iter().filter(|call| !call.is_answered);
    for call in asked {
        let Consent::Asked(id) = call.consent else { continue };
        let step = Step::ApprovalResolved {
            approval_id: id,
            call_id: call.step.call_id.clone(),
            decision: Decision::Cancelled,
            by: by.clone(),
            reason: None,
            remember: false,
            args: None,
            args_hash: None,
        };
        let (task_id, agent_id) = (Some(turn.task_id), call.agent_id);
        steps.push(NewStep { task_id, agent_id, message_id: Some(message_id), step });
        resolved.push(ResolvedApproval { id, decision: Decision::Cancelled, by: by.clone(), reason: None });
    }
}

/// The agent's first words, once per conversation and agent.
fn greeting(loaded: &Loaded, ready: &ReadyAgent) -> Option<(MessageId, String)> {
    let text = ready.agent.definition.initial_prompt.clone()?;
    let has_spoken = loaded.steps.iter().any(|logged| {
        logged.agent_id == ready.agent.id && matches!(logged.step, Step::Said(_) | Step::Greeting { .. })
    });
    // Of a long conversation only the end is loaded.
    let has_spoken =
        has_spoken || (loaded.is_cut && loaded.activations.iter().any(|one| one.agent_id == ready.agent.id));
    (!has_spoken).then(|| (MessageId::new(), text))
}
