//! The state of a turn, folded from its steps. From stored steps it is what recovery needs; from steps about to be
//! stored it is what the next decision needs.

use baton_core::agents::PermissionMode;
use baton_core::approvals::{Decision, arguments_hash};
use baton_core::effects::SeenRow;
use baton_core::events::EventUsage;
use baton_core::fold::Spoken;
use baton_core::handoffs::Trigger;
use baton_core::ids::{AgentId, ApprovalId, MessageId, TaskId, TransitionId};
use baton_core::log::{CallStep, Handoff, LoggedStep, MessageStatus, Spent, Step, SubtaskCreated};
use baton_core::models::StopReason;
use baton_core::tape::Voice;
use serde_json::{Map, Value, json};

use crate::handoff::plan::Stuck;

#[derive(Debug, Clone)]
pub struct Turn {
    /// The message being written, as its events fold.
    pub message: Option<Spoken>,
    /// The number of the step that opened the call nobody has closed yet.
    pub open_call: Option<i64>,
    /// The calls of the last reply.
    pub calls: Vec<Call>,
    pub last_stop: Option<StopReason>,
    pub model_calls: i32,
    /// Those of them that were sent, as far as they are closed.
    pub sent_calls: i32,
    /// The open call was sent before, by a process that is gone.
    pub was_sent: bool,
    pub spent: Spent,
    pub is_over: bool,
    /// Tools whose outcome is unknown in this turn: another call asks a person first.
    pub doubtful: Vec<String>,
    /// Whether a tool that writes came through.
    pub has_written: bool,
    /// `provider/model` of the last reply.
    pub model: Option<String>,
    /// What the message being written has used.
    pub message_spent: Spent,
    /// The agents it went through, the last one speaking.
    pub chain: Vec<AgentId>,
    /// How many of these went from one stage to the next: those are bounded by the number of stages.
    pub stages: usize,
    /// The last handoff within it.
    pub handoff: Option<LastHandoff>,
    /// The task of the whole turn.
    pub root: Option<TaskId>,
    /// The task under it that works; the root if nothing was handed off.
    pub task_id: Option<TaskId>,
    /// The stricter of the modes of the agents it went through.
    pub mode: Option<PermissionMode>,
    /// A router has decided who answers.
    pub is_routed: bool,
    /// The person gave the conversation to this agent while it ran.
    pub switched_to: Option<String>,
    /// A stage was completed, and the next can't begin.
    pub stuck_stage: Option<Stuck>,
    /// It called a handoff tool, whatever came of it.
    pub has_tried: bool,
    /// A newer version of Baton added a step that this one can't read.
    pub holds_unknown: bool,
    /// The person's message, or the one said by Baton that began the stage at hand.
    pub asked: Option<MessageId>,
}

/// A handoff, as long as it may have to be taken back.
#[derive(Debug, Clone, PartialEq)]
pub struct LastHandoff {
    pub id: TransitionId,
    pub from: AgentId,
    pub epoch: i64,
    /// The next agent's text was kept, so the handoff is not rolled back.
    pub has_spoken: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The number of its step.
    pub seq: i64,
    pub step: CallStep,
    pub agent_id: AgentId,
    pub consent: Consent,
    pub is_answered: bool,
    /// The rows that the person who was asked was shown.
    pub seen: Vec<SeenRow>,
    /// The subtask that it opened.
    pub subtask: Option<SubtaskCreated>,
    /// It may have been sent. The log doesn't tell: whoever drives the turn knows, or must assume it.
    pub is_begun: bool,
}

/// Whether a person was asked about a call, and what they said.
#[derive(Debug, Clone, PartialEq)]
pub enum Consent {
    NotAsked,
    Asked(ApprovalId),
    /// For the arguments with this hash.
    Given(String),
    /// The reason, as the model is told it.
    Refused(Denial),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denial {
    Rejected { reason: Option<String> },
    Expired,
    Cancelled,
}

impl Default for Turn {
    fn default() -> Self {
        Self {
            message: None,
            open_call: None,
            calls: Vec::new(),
            last_stop: None,
            model_calls: 0,
            sent_calls: 0,
            was_sent: false,
            spent: Spent::NOTHING,
            is_over: false,
            doubtful: Vec::new(),
            has_written: false,
            model: None,
            message_spent: Spent::NOTHING,
            chain: Vec::new(),
            stages: 0,
            handoff: None,
            root: None,
            task_id: None,
            mode: None,
            is_routed: false,
            switched_to: None,
            stuck_stage: None,
            has_tried: false,
            holds_unknown: false,
            asked: None,
        }
    }
}

impl Turn {
    /// The turn of `task_id` within a log.
    pub fn of(task_id: TaskId, log: &[LoggedStep]) -> Self {
        let mut turn = Self::default();
        for step in log.iter().filter(|step| step.task_id == Some(task_id)) {
            turn.push(step);
        }
        turn
    }

    pub fn push(&mut self, logged: &LoggedStep) {
        self.root = self.root.or(logged.task_id);
        match &logged.step {
            Step::Call { start, lost, .. } => {
                if self.chain.last() != Some(&logged.agent_id) {
                    self.chain.push(logged.agent_id);
                }
                if let (Some(_), Some(id)) = (start, logged.message_id)
                    && self.message.as_ref().is_none_or(|message| message.id != id)
                {
                    self.message = Some(Spoken::new(id, logged.agent_id));
                    self.message_spent = Spent::NOTHING;
                }
                if let Some(lost) = lost {
                    self.spends(*lost);
                    self.was_sent = true;
                }
                // A call made again after a crash is the same call.
                if self.open_call.is_none() {
                    self.model_calls += 1;
                }
                self.open_call = Some(logged.seq);
                self.calls.clear();
            }
            Step::Said(said) => {
                self.open_call = None;
                self.sent_calls += i32::from(!said.unsent || self.was_sent);
                self.was_sent = false;
                self.spends(said.spent);
                self.last_stop = said.stop;
                self.model = Some(said.model.clone());
                let has_text = said
                    .blocks
                    .iter()
                    .any(|block| block.voice == Voice::Text && !block.text.trim().is_empty());
                // Also what a stream said before it was cut: it stays, and so does who said it.
                self.handoff.iter_mut().for_each(|handoff| handoff.has_spoken |= has_text);
            }
            Step::ToolCall(call) => {
                self.has_tried |= call.hands_off;
                self.calls.push(Call {
                    seq: logged.seq,
                    step: call.clone(),
                    agent_id: logged.agent_id,
                    consent: Consent::NotAsked,
                    is_answered: false,
                    seen: Vec::new(),
                    subtask: None,
                    is_begun: false,
                });
            }
            Step::ToolResult(result) => {
                if result.unknown {
                    self.doubtful.push(result.tool_name.clone());
                }
                if let Some(call) = self.call(&result.call_id) {
                    call.is_answered = true;
                    let wrote = result.success && call.step.nature.is_some_and(|nature| nature.writes);
                    self.has_written |= wrote || result.wrote || result.unknown;
                }
            }
            Step::ApprovalAsked { approval_id, call_id, preview, .. } => {
                let approval_id = *approval_id;
                if let Some(call) = self.call(call_id) {
                    call.consent = Consent::Asked(approval_id);
                    call.seen = preview.as_ref().map(|preview| preview.seen.clone()).unwrap_or_default();
                }
            }
            Step::ApprovalResolved { call_id, decision, reason, args, args_hash, .. } => {
                let (reason, args, args_hash) = (reason.clone(), args.clone(), args_hash.clone());
                if let Some(call) = self.call(call_id) {
                    call.decide(*decision, reason, args, args_hash);
                }
            }
            Step::SubtaskCreated(created) => {
                if let Some(call) = self.call(&created.call_id) {
                    call.subtask = Some(created.clone());
                }
            }
            Step::Done { .. } => self.is_over = true,
            Step::User { .. } => self.asked = logged.message_id,
            Step::Routed(routed) => {
                self.is_routed = true;
                self.spends(routed.spent);
                if self.chain.is_empty() {
                    self.chain.push(logged.agent_id);
                }
            }
            Step::Handoff(handoff) => self.hand_off(handoff),
            // A rollback ends the turn by itself, and who only pins the holder switches nothing.
            Step::Switched(switched) if switched.by == Trigger::User && !switched.is_pin() => {
                self.switched_to = Some(switched.to_name.clone());
            }
            // The log no longer tells who holds the conversation, so nothing is handed back.
            Step::Unknown(_) => {
                self.holds_unknown = true;
                self.handoff = None;
            }
            Step::Switched(_)
            | Step::Imported { .. }
            | Step::Greeting { .. }
            | Step::Suggested { .. }
            | Step::MessageEnd { .. }
            | Step::Error { .. } => {}
            Step::Snapshot { stuck, refused, .. } => {
                self.stuck_stage = stuck.clone().map(|why| Stuck { why, refusal: *refused });
                // With a result it has come through, whatever becomes of the next stage.
                self.handoff.iter_mut().for_each(|handoff| handoff.has_spoken = true);
            }
        }
        if let Some(message) = &mut self.message
            && logged.message_id == Some(message.id)
        {
            message.take(logged);
        }
    }

    fn hand_off(&mut self, handoff: &Handoff) {
        self.stages += usize::from(handoff.stage.is_some());
        self.chain.push(handoff.to);
        self.calls.clear();
        self.task_id = Some(handoff.task_id);
        self.mode = Some(handoff.mode);
        let (id, from, epoch) = (handoff.id, handoff.from, handoff.epoch);
        self.handoff = Some(LastHandoff { id, from, epoch, has_spoken: false });
    }

    fn spends(&mut self, spent: Spent) {
        self.spent += spent;
        self.message_spent += spent;
    }

    fn call(&mut self, id: &str) -> Option<&mut Call> {
        self.calls.iter_mut().find(|call| call.step.call_id == id)
    }

    /// The parts of a message that are stored besides its text.
    pub fn metadata(&self) -> Value {
        let mut metadata = json!({});
        if let Some(task) = self.root {
            metadata["taskId"] = json!(task);
        }
        if let Some(model) = &self.model {
            metadata["model"] = json!(model);
        }
        let is_whole =
            self.message.as_ref().is_some_and(|message| message.status != MessageStatus::Streaming);
        if self.is_over || is_whole {
            metadata["usage"] = json!(EventUsage::from(&self.message_spent));
        }
        if self.has_written {
            metadata["wrote"] = json!(true);
        }
        if let Some(fault) = self.message.as_ref().and_then(|message| message.error.as_ref()) {
            metadata["error"] = json!(fault);
        }
        metadata
    }

    /// Another process drove this turn: every call that needed no approval, or was approved, may have been sent.
    pub fn assume_begun(&mut self) {
        let may_run = |call: &&mut Call| matches!(call.consent, Consent::NotAsked | Consent::Given(_));
        self.calls.iter_mut().filter(may_run).for_each(|call| call.is_begun = true);
    }

    /// Whether a call is left that a person would have to allow, unless they did so beforehand.
    pub fn would_ask(&self, mode: PermissionMode) -> bool {
        let would_ask = |call: &Call| call.step.nature.is_some_and(|nature| nature.needs_approval(mode));
        let open = self.calls.iter().filter(|call| !call.is_answered && call.consent == Consent::NotAsked);
        { open }.any(would_ask)
    }

    /// Whether nothing is left to do but ask the model.
    pub fn wants_model(&self) -> bool {
        self.open_call.is_some() || self.calls.iter().all(|call| call.is_answered)
    }

    pub fn is_speaking(&self) -> bool {
        self.message.as_ref().is_some_and(|message| message.status == MessageStatus::Streaming)
    }

    pub fn has_text(&self) -> bool {
        self.message.as_ref().is_some_and(|message| !message.content().is_empty())
    }
}

impl Call {
    /// What an approval of it is bound to: the tool and its arguments.
    pub fn args_hash(&self) -> String {
        arguments_hash(&self.step.tool_name, &self.step.args)
    }

    fn decide(
        &mut self,
        decision: Decision,
        reason: Option<String>,
        args: Option<Map<String, Value>>,
        args_hash: Option<String>,
    ) {
        if let Some(args) = args {
            self.step.args = args;
        }
        // Decisions from before it was logged are about the call as it is.
        let approved = args_hash.unwrap_or_else(|| self.args_hash());
        self.consent = match decision {
            Decision::Approved => Consent::Given(approved),
            Decision::Rejected => Consent::Refused(Denial::Rejected { reason }),
            Decision::Expired => Consent::Refused(Denial::Expired),
            Decision::Cancelled => Consent::Refused(Denial::Cancelled),
        };
    }
}

#[cfg(test)]
mod tests;
