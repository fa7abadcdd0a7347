//! Handing the conversation on: the calls of a reply that do so, and the one transaction in which it happens.

use std::sync::Arc;

use baton_core::access::Use;
use baton_core::events::render;
use baton_core::fold::Spoken;
use baton_core::handoffs::{
    ActivationStatus, Handover, Marks, NewActivation, NewSnapshot, NewTask, NewTransition, Outcome as Became,
    Refusal, Trigger, merged,
};
use baton_core::ids::{ActivationId, MessageId, SnapshotId, TaskId, TransitionId};
use baton_core::log::{Handoff, MessageStatus, NewStep, ResultStep, StageRef, Step};
use baton_core::store::Error;
use baton_core::turns::{After, MessageWrite};
use serde_json::{Map, Value, json};

use super::{Gone, Outcome, Work};
use crate::answers::result;
use crate::cast::Cast;
use crate::plan::{Asking, Plan, Planned, Stuck, gone, plan};
use crate::request::{estimated_tokens, request};
use crate::router::resumable_by;
use crate::run::Offered;
use crate::scope::{Scope, scope};
use crate::time::{backoff, now};
use crate::turn::Call;

/// What wins among the handoffs of a reply.
enum Chosen {
    Agent { planned: Box<Planned>, cast: Arc<Cast>, call: Call },
    Stage { stage: String, data: Value, stuck: Option<Stuck> },
}

/// A handoff, with what the store and the next agent have to know of it.
pub(super) struct Carried<'a> {
    pub planned: Planned,
    pub cast: Arc<Cast>,
    pub call: Option<&'a Call>,
    /// The activation it goes on with.
    pub resumes: Option<ActivationId>,
}

impl Work {
    /// Answers the calls of a reply that hand the conversation on; the first that can be wins.
    pub(super) async fn hand_off(&mut self, calls: Vec<usize>) -> Result<(), Gone> {
        let before = self.draft.clone();
        let mut chosen = None;
        for index in calls {
            let Some(call) = self.turn.calls.get(index).cloned() else { continue };
            let answer = match &chosen {
                Some(_) => self.ignored(&call),
                None => match self.planned(&call).await? {
                    Ok(wins) => {
                        let answer = accepted(&call, &wins);
                        chosen = Some(wins);
                        answer
                    }
                    Err(refusal) => self.refused(&call, &refusal),
                },
            };
            self.add(Step::ToolResult(answer));
        }
        self.draft.progressed = true;
        match chosen {
            None => Ok(()),
            Some(Chosen::Stage { stage, data, stuck }) => {
                self.complete(stage, data, stuck);
                Ok(())
            }
            Some(Chosen::Agent { planned, cast, call }) => {
                let resumes = resumable_by(&self.driver.activations, planned.to.id).map(|paused| paused.id);
                let carried = Carried { planned: *planned, cast, call: Some(&call), resumes };
                match self.carry_out(carried).await? {
                    Outcome::Stored => {}
                    Outcome::Moved => self.take_back(before),
                    Outcome::Refused(refusal) => {
                        self.take_back(before);
                        self.refused.insert(call.step.call_id.clone(), refusal);
                    }
                }
                Ok(())
            }
        }
    }

    async fn planned(&self, call: &Call) -> Result<Result<Chosen, Refusal>, Gone> {
        if let Some(refusal) = self.refused.get(&call.step.call_id) {
            return Ok(Err(refusal.clone()));
        }
        let Some(means) = self.driver.cast.handoffs.get(&call.step.tool_name) else {
            return Ok(Err(Refusal::new("no_tool", "You don't have this tool any more.")));
        };
        let nothing = Map::new();
        let context = self.driver.active().map_or(&nothing, |active| &active.context);
        let asking = Asking { viewer: self.driver.role.viewer, chain: &self.turn.chain, context };
        Ok(match plan(means, &call.step.args, &asking) {
            Err(refusal) => Err(refusal),
            Ok(Plan::Stage { stage, data, stuck }) => Ok(Chosen::Stage { stage, data, stuck }),
            Ok(Plan::Handoff(planned)) => match self.cast_of(planned.to.id).await? {
                Some(cast) if cast.agent.is_active => Ok(Chosen::Agent { planned, cast, call: call.clone() }),
                _ => Err(gone()),
            },
        })
    }

    /// Another agent of this conversation, if it is there.
    pub(super) async fn cast_of(&self, agent: baton_core::ids::AgentId) -> Result<Option<Arc<Cast>>, Gone> {
        let mut tries = 0;
        loop {
            match self.driver.engine.casting.cast(self.driver.role.of(agent)).await {
                Ok(cast) => return Ok(Some(cast)),
                Err(Error::NotFound(_)) => return Ok(None),
                Err(_) if !self.driver.engine.may_act(self.driver.node) => return Err(Gone),
                Err(_) => backoff(self.driver.engine.pace.backoff, tries).await,
            }
            tries += 1;
        }
    }

    fn refused(&mut self, call: &Call, refusal: &Refusal) -> ResultStep {
        self.attempted(call, Became::Refused, Some(refusal.code));
        result(call, json!({"error": refusal.words}), false, std::time::Duration::ZERO)
    }

    fn ignored(&mut self, call: &Call) -> ResultStep {
        self.attempted(call, Became::Ignored, None);
        let why = "Ignored: another call of the same reply has handed the conversation on already.";
        result(call, json!({"error": why}), false, std::time::Duration::ZERO)
    }

    /// The record of an attempt that came to nothing.
    fn attempted(&mut self, call: &Call, outcome: Became, code: Option<&str>) {
        let means = self.driver.cast.handoffs.get(&call.step.tool_name);
        let transition = NewTransition {
            id: TransitionId::new(),
            trigger: means.map_or(Trigger::Model, |means| means.trigger()),
            from: self.driver.cast.agent.id,
            to: means.and_then(|means| means.named(&call.step.args)),
            reason: call.step.args.get("reason").and_then(Value::as_str).map(str::to_owned),
            outcome,
            code: code.map(str::to_owned),
            latency_ms: self.since_reply(),
            tokens_full: 0,
            tokens_sent: 0,
        };
        self.draft.transitions.push(transition);
    }

    fn since_reply(&self) -> i64 {
        i64::try_from(self.replied_at.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// Keeps the result of a stage after which no other begins here.
    fn complete(&mut self, stage: String, data: Value, stuck: Option<Stuck>) {
        self.keep_snapshot(&stage, &data);
        let refused = stuck.as_ref().and_then(|stuck| stuck.refusal);
        self.add(Step::Snapshot { stage, data, stuck: stuck.map(|stuck| stuck.why), refused });
    }

    fn keep_snapshot(&mut self, stage: &str, data: &Value) {
        self.draft.snapshot = Some(NewSnapshot {
            id: SnapshotId::new(),
            agent_id: self.driver.cast.agent.id,
            task_id: self.working_task(),
            stage: stage.to_owned(),
            data: data.clone(),
        });
    }

    /// The one transaction: what was said, the handoff, both activations, the task that goes on, the record, and the
    /// next agent's call.
    pub(super) async fn carry_out(&mut self, carried: Carried<'_>) -> Result<Outcome, Gone> {
        let Carried { planned, cast, call, resumes } = carried;
        let Some(active) = self.driver.active().cloned() else { return Err(Gone) };
        let own_slug = self.driver.cast.agent.slug.clone();
        let tool = call.map(|call| call.step.tool_name.as_str());
        let instructions = planned.instructions.as_deref();
        let context =
            merged(&active.context, &planned.variables, &Marks { from: &own_slug, tool, instructions });
        let task = NewTask {
            id: TaskId::new(),
            parent_id: self.working_task(),
            agent_id: planned.to.id,
            input: json!({"message": self.asked_words()}),
            context: context.clone(),
        };
        let id = TransitionId::new();
        let own_mode = self.mode();
        if let Some(stage) = &planned.stage {
            self.keep_snapshot(&stage.completed, &stage.data);
            let (stage, data) = (stage.completed.clone(), stage.data.clone());
            self.add(Step::Snapshot { stage, data, stuck: None, refused: None });
        }
        let handoff = Handoff {
            id,
            from: self.driver.cast.agent.id,
            to: planned.to.id,
            to_name: cast.agent.definition.name.clone(),
            trigger: planned.trigger,
            reason: planned.reason.clone(),
            context: planned.variables.clone(),
            epoch: self.driver.epoch + 1,
            activation_id: ActivationId::new(),
            task_id: task.id,
            mode: own_mode.min(cast.agent.definition.permission_mode),
            stage: planned.stage.as_ref().map(|stage| StageRef {
                name: stage.next.clone(),
                number: stage.number,
                of: stage.of,
                completed: stage.completed.clone(),
            }),
        };
        let begins_at = self.draft.steps.len();
        let activation_id = handoff.activation_id;
        let shown = self.step(Step::Handoff(handoff));
        self.push(shown.clone());
        if self.turn.is_speaking() {
            self.add(Step::MessageEnd { status: MessageStatus::Complete });
        }
        let said = self.message_write();
        self.draft.messages.extend(said);
        let message_id = match planned.stage {
            Some(_) => Some(self.prompt_stage(planned.to.id)),
            None => self.turn.asked,
        };
        let resumed = resumes.and_then(|id| self.driver.activations.iter().find(|one| one.id == id));
        let begins = NewActivation {
            id: activation_id,
            agent_id: planned.to.id,
            trigger: planned.trigger,
            reason: planned.reason.clone(),
            summary: planned.summary.clone(),
            message_id,
            context,
            context_data: resumed.map(|one| one.context_data.clone()).unwrap_or_default(),
            resumes,
            is_pinned: false,
            step: begins_at,
        };
        let (tokens_full, tokens_sent) = self.tokens(&cast, &begins).await;
        self.draft.transitions.push(NewTransition {
            id,
            trigger: planned.trigger,
            from: self.driver.cast.agent.id,
            to: Some(planned.to.id),
            reason: planned.reason,
            outcome: Became::Completed,
            code: None,
            latency_ms: self.since_reply(),
            tokens_full,
            tokens_sent,
        });
        self.draft.handover = Some(Handover {
            epoch: self.driver.epoch,
            ends: active.id,
            ends_as: planned.ends_as,
            begins,
            access: Some(Use::ModelSwitch),
            task: Some(task),
        });
        let next_call = self.first_call(&cast, call.is_none().then_some(&shown));
        let outcome = self.commit(Some(next_call), After::Running { progressed: true }).await?;
        if let Outcome::Stored = outcome {
            self.driver.cast = cast;
            self.has_opened = self.turn.open_call == Some(self.driver.last_seq);
        }
        Ok(outcome)
    }

    /// What Baton says so that a stage begins; people don't see it.
    fn prompt_stage(&mut self, agent_id: baton_core::ids::AgentId) -> MessageId {
        let id = MessageId::new();
        let content = "(The stage before yours is completed. Begin yours now.)".to_owned();
        self.draft.messages.push(MessageWrite::User {
            id,
            agent_id,
            content: content.clone(),
            metadata: json!({"synthetic": true}),
            step: self.draft.steps.len(),
        });
        self.push(NewStep {
            task_id: Some(self.driver.task_id),
            agent_id,
            message_id: Some(id),
            step: Step::User { content, attachments: Vec::new(), web_search: false, synthetic: true },
        });
        id
    }

    /// The call that begins an agent's message; where nobody spoke before, the message shows how it came to be theirs.
    pub(super) fn first_call(&mut self, cast: &Cast, handed: Option<&NewStep>) -> NewStep {
        let (agent_id, message_id) = (cast.agent.id, MessageId::new());
        let mut spoken = Spoken::new(message_id, agent_id);
        spoken.attempt = self.driver.attempt;
        if let Some(event) = handed.and_then(|new| render(&new.clone().at(0, now()))) {
            spoken.apply(&event);
        }
        let start = cast.start(spoken.parts.clone());
        self.draft.messages.push(MessageWrite::Begin { spoken, step: self.draft.steps.len() });
        NewStep {
            task_id: Some(self.driver.task_id),
            agent_id,
            message_id: Some(message_id),
            step: Step::Call { attempt: self.driver.attempt, start: Some(start), lost: None },
        }
    }

    fn asked_words(&self) -> String {
        let own = self.driver.log.iter().rev().filter(|step| step.task_id == Some(self.driver.task_id));
        let said = own.filter_map(|logged| match &logged.step {
            Step::User { content, synthetic: false, .. } => Some(content.clone()),
            _ => None,
        });
        said.last().unwrap_or_default()
    }

    /// About how long the next agent's request would be with the whole history, and how long it is.
    async fn tokens(&self, cast: &Cast, begins: &NewActivation) -> (i64, i64) {
        let driver = &self.driver;
        let begun = begins.clone().begun(driver.last_seq, now());
        let mut activations = driver.activations.clone();
        activations.iter_mut().for_each(|one| one.status = ActivationStatus::Paused);
        activations.push(begun.clone());
        let sent = scope(cast.team_kind(), &activations);
        let files = self.files().await;
        let count = |scope: &Scope| {
            let asking = crate::request::Asking {
                cast,
                model: "",
                log: &driver.log,
                log_is_cut: driver.log_is_cut,
                scope,
                activation: Some(&begun),
                snapshots: &driver.snapshots,
                task_id: driver.task_id,
                offered: Offered::Tools,
                note: None,
                files,
            };
            i64::try_from(estimated_tokens(&request(&asking))).unwrap_or(i64::MAX)
        };
        let is_same = sent == Scope::Full;
        let sent = count(&sent);
        (if is_same { sent } else { count(&Scope::Full) }, sent)
    }
}

fn accepted(call: &Call, wins: &Chosen) -> ResultStep {
    let said = match wins {
        Chosen::Agent { planned, .. } => json!({"handed_to": planned.to.name}),
        Chosen::Stage { stage, stuck: None, .. } => {
            json!({"completed": stage, "next": "It was the last stage: tell the person the result."})
        }
        Chosen::Stage { stage, stuck: Some(stuck), .. } => json!({"completed": stage, "problem": stuck.why}),
    };
    result(call, said, true, std::time::Duration::ZERO)
}
