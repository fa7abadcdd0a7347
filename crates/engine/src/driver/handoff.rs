//! Hands the conversation off: finds the handoff calls of a reply, and writes the one commit in which the handoff
//! happens.

use std::sync::Arc;

use baton_core::access::may_use;
use baton_core::events::render;
use baton_core::fold::Spoken;
use baton_core::handoffs::{
    Given, Held, MAX_REASON, NewActivation, NewHandoff, NewSnapshot, NewTransition, Path, Refusal,
    TransitionOutcome, Trigger, resumable_by,
};
use baton_core::ids::{ActivationId, AgentId, MessageId, SnapshotId, TransitionId};
use baton_core::log::{Handoff, LoggedStep, MessageStatus, NewStep, ResultStep, StageRef, Step};
use baton_core::teams::TeamKind;
use baton_core::turns::{After, MessageWrite};
use serde_json::{Map, Value, json};

use super::commit::NextCall;
use super::{CommitOutcome, Gone, Work};
use crate::agent::ready::ReadyAgent;
use crate::clock::now;
use crate::driver::snapshots::newest_snapshots;
use crate::handoff::plan::stuck_stage;
use crate::handoff::plan::{Plan, PlanInput, Planned, StageStep, Stuck, gone, next_stage, not_allowed, plan};
use crate::handoff::targets::{COMPLETE_STAGE, HandoffTool};
use crate::prompt::scope::{Scope, scope_of_next};
use crate::sizes::{map_size, tokens_in};
use crate::turn::results::result;
use crate::turn::state::Call;

/// What wins among the handoffs of a reply.
enum Chosen {
    Agent { planned: Box<Planned>, ready: Arc<ReadyAgent>, call: Box<Call> },
    Stage { stage: String, data: Value, stuck: Option<Stuck> },
}

/// A handoff, with what the store and the next agent have to know of it.
#[derive(Clone)]
pub(super) struct AgreedHandoff<'a> {
    pub planned: Planned,
    pub ready: Arc<ReadyAgent>,
    pub call: Option<&'a Call>,
    /// The activation it goes on with.
    pub resumes: Option<ActivationId>,
}

impl Work {
    /// Answers the handoff calls of a reply; the first valid one wins.
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
                if stuck.is_some() {
                    self.stage_is_stuck();
                }
                self.complete(stage, data, stuck);
                Ok(())
            }
            Some(Chosen::Agent { planned, ready, call }) => {
                let resumes = self.resumable(planned.to.id);
                let agreed = AgreedHandoff { planned: *planned, ready, call: Some(&call), resumes };
                match self.make_handoff(agreed).await? {
                    CommitOutcome::Stored => {}
                    CommitOutcome::Moved => self.take_back(before),
                    CommitOutcome::Refused(refusal) => {
                        self.take_back(before);
                        self.refused.insert(call.step.call_id.clone(), refusal);
                    }
                }
                Ok(())
            }
        }
    }

    /// Begins the stage after one that was completed when the next could not begin.
    pub(super) async fn advance(&mut self) -> Result<(), Gone> {
        let before = self.draft.clone();
        let driver = &self.driver;
        let stuck = stuck_stage(driver.ready.team_kind(), &driver.log, driver.active());
        let kept = stuck.map(|(_, data)| data.clone());
        let next = match (driver.ready.handoffs.get(COMPLETE_STAGE), kept) {
            (Some(HandoffTool::CompleteStage(place)), Some(data)) => next_stage(place, data),
            _ => None,
        };
        let stuck = match next {
            None => gone().into(),
            Some(planned) => {
                let allowed =
                    may_use(self.driver.assignment.viewer, planned.to.gate, planned.trigger.needs());
                let target = planned.to.clone();
                match (allowed, self.ready_agent(planned.to.id).await?.filter(|ready| ready.agent.is_active))
                {
                    (Err(refusal), _) => not_allowed(refusal, &target).into(),
                    (Ok(()), None) => gone().into(),
                    (Ok(()), Some(ready)) => {
                        let resumes = self.resumable(target.id);
                        match self.make_handoff(AgreedHandoff { planned, ready, call: None, resumes }).await?
                        {
                            CommitOutcome::Stored => return Ok(()),
                            CommitOutcome::Moved => {
                                self.take_back(before);
                                return Ok(());
                            }
                            CommitOutcome::Refused(refusal) => {
                                self.take_back(before);
                                refusal.into()
                            }
                        }
                    }
                }
            }
        };
        self.stage_is_stuck();
        self.turn.stuck_stage = Some(stuck);
        Ok(())
    }

    /// The earlier, paused activation of an agent that it goes on with.
    fn resumable(&self, agent: AgentId) -> Option<ActivationId> {
        resumable_by(&self.driver.activations, agent).map(|paused| paused.id)
    }

    async fn planned(&self, call: &Call) -> Result<Result<Chosen, Refusal>, Gone> {
        let Some(tool) = self.driver.ready.handoffs.get(&call.step.tool_name) else {
            return Ok(Err(Refusal::new("no_tool", "You don't have this tool any more.")));
        };
        let nothing = Map::new();
        let context = self.driver.active().map_or(&nothing, |active| &active.context);
        let path = Path { agents: &self.turn.chain, stages: self.turn.stages };
        let input = PlanInput { viewer: self.driver.assignment.viewer, path, context };
        let planned = match plan(tool, &call.step.args, &input) {
            Err(refusal) => return Ok(Err(refusal)),
            Ok(Plan::Stage { stage, data, stuck }) => return Ok(Ok(Chosen::Stage { stage, data, stuck })),
            Ok(Plan::Handoff(planned)) => planned,
        };
        let refusal = match self.refused.get(&call.step.call_id) {
            Some(refusal) => refusal.clone(),
            None => match self.ready_agent(planned.to.id).await? {
                Some(ready) if ready.agent.is_active => {
                    return Ok(Ok(Chosen::Agent { planned, ready, call: Box::new(call.clone()) }));
                }
                _ => gone(),
            },
        };
        // A stage is completed whether or not the next can begin.
        Ok(match planned.stage {
            Some(StageStep { completed: stage, data, .. }) => {
                Ok(Chosen::Stage { stage, data, stuck: Some(refusal.into()) })
            }
            None => Err(refusal),
        })
    }

    /// Another agent of this conversation, if it is there.
    pub(super) async fn ready_agent(&self, agent: AgentId) -> Result<Option<Arc<ReadyAgent>>, Gone> {
        let driver = &self.driver;
        let (store, agents) = (&driver.engine.store, &driver.engine.agents);
        let known = || if self.reads_agents { store.generation() } else { store.last_generation() };
        self.answered(|| agents.load_at(known(), driver.assignment.of(agent))).await
    }

    fn refused(&mut self, call: &Call, refusal: &Refusal) -> ResultStep {
        self.attempted(call, TransitionOutcome::Refused, Some(refusal.code));
        let told = json!({"error": refusal.words, "code": refusal.code});
        result(call, told, false, std::time::Duration::ZERO)
    }

    fn ignored(&mut self, call: &Call) -> ResultStep {
        self.attempted(call, TransitionOutcome::Ignored, None);
        let why = "Ignored: another call of the same reply has handed the conversation on already.";
        result(call, json!({"error": why}), false, std::time::Duration::ZERO)
    }

    /// The record of an attempt that came to nothing.
    fn attempted(&mut self, call: &Call, outcome: TransitionOutcome, code: Option<&str>) {
        let tool = self.driver.ready.handoffs.get(&call.step.tool_name);
        let transition = NewTransition {
            id: TransitionId::new(),
            trigger: tool.map_or(Trigger::Model, |tool| tool.trigger()),
            from: self.driver.ready.agent.id,
            to: tool.and_then(|tool| tool.named(&call.step.args)),
            reason: call
                .step
                .args
                .get("reason")
                .and_then(Value::as_str)
                .map(|reason| reason.chars().take(MAX_REASON).collect()),
            outcome,
            code: code.map(str::to_owned),
            latency_ms: self.since_reply(),
            tokens_full: 0,
            tokens_sent: 0,
        };
        self.draft.transitions.push(transition);
    }

    /// The record of a stage after which the next can't begin.
    pub(super) fn stage_is_stuck(&mut self) {
        let tool = self.driver.ready.handoffs.get(COMPLETE_STAGE);
        let to = tool.and_then(|tool| tool.named(&Map::new()));
        self.refused_to(Trigger::Completion, to, "stage_unavailable");
    }

    /// The record of a handoff that Baton was about to make, and could not.
    pub(super) fn refused_to(&mut self, trigger: Trigger, to: Option<AgentId>, code: &str) {
        let refused = NewTransition::refused(trigger, self.driver.ready.agent.id, to, code);
        self.draft.transitions.push(NewTransition { latency_ms: self.since_reply(), ..refused });
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
            agent_id: self.driver.ready.agent.id,
            task_id: self.working_task(),
            stage: stage.to_owned(),
            data: data.clone(),
        });
    }

    pub(super) async fn make_handoff(&mut self, agreed: AgreedHandoff<'_>) -> Result<CommitOutcome, Gone> {
        let (before, read_agents) = (self.draft.clone(), self.reads_agents);
        let outcome = self.commit_handoff(agreed.clone()).await?;
        if self.reads_agents == read_agents {
            return Ok(outcome);
        }
        // The agent was kept, and has changed since.
        self.take_back(before);
        match self.ready_agent(agreed.planned.to.id).await?.filter(|ready| ready.agent.is_active) {
            Some(ready) => self.commit_handoff(AgreedHandoff { ready, ..agreed }).await,
            None => Ok(CommitOutcome::Refused(gone())),
        }
    }

    /// The one transaction: what was said, the handoff, both activations, the task that goes on, the record, and the
    /// next agent's call.
    async fn commit_handoff(&mut self, agreed: AgreedHandoff<'_>) -> Result<CommitOutcome, Gone> {
        let AgreedHandoff { planned, ready, call, resumes } = agreed;
        let Some(holder) = self.driver.active().cloned() else { return Err(Gone) };
        let (from, epoch) = (self.driver.ready.agent.id, self.driver.epoch);
        let own_mode = self.mode();
        if let Some(stage) = planned.stage.as_ref().filter(|stage| !stage.is_kept) {
            self.keep_snapshot(&stage.completed, &stage.data);
            let (stage, data) = (stage.completed.clone(), stage.data.clone());
            self.add(Step::Snapshot { stage, data, stuck: None, refused: None });
        }
        let message_id = match planned.stage {
            Some(_) => Some(MessageId::new()),
            None => self.asked(),
        };
        let slug = self.driver.ready.agent.slug.clone();
        let held = Held { by: &holder, slug: &slug, activations: &self.driver.activations, epoch };
        let given = Given {
            to: planned.to.id,
            trigger: planned.trigger,
            reason: planned.reason.clone(),
            summary: planned.summary.clone(),
            variables: &planned.variables,
            tool: call.map(|call| call.step.tool_name.as_str()),
            instructions: planned.instructions.as_deref(),
            message_id,
            resumes,
            task: self.working_task(),
            input: json!({"message": self.asked_words()}),
        };
        let mut handoff = NewHandoff::handed_off(held, given);
        handoff.begins.step = self.draft.steps.len();
        let Some(task_id) = handoff.task.as_ref().map(|task| task.id) else { return Err(Gone) };
        let mut transition = handoff.transition(from);
        let shown = self.step(Step::Handoff(Handoff {
            id: transition.id,
            from,
            to: planned.to.id,
            to_name: ready.agent.definition.name.clone(),
            trigger: planned.trigger,
            reason: planned.reason,
            context: planned.variables,
            epoch: epoch + 1,
            activation_id: handoff.begins.id,
            task_id,
            mode: own_mode.min(ready.agent.definition.permission_mode),
            stage: planned.stage.as_ref().map(|stage| StageRef {
                name: stage.next.clone(),
                number: stage.number,
                of: stage.of,
                completed: stage.completed.clone(),
            }),
            call_id: call.map(|call| call.step.call_id.clone()),
        }));
        self.push(shown.clone());
        if self.turn.is_speaking() {
            self.add(Step::MessageEnd { status: MessageStatus::Complete });
        }
        let said = self.message_write();
        self.draft.messages.extend(said);
        if let (Some(_), Some(id)) = (&planned.stage, message_id) {
            self.prompt_stage(id, planned.to.id);
        }
        let (tokens_full, tokens_sent) = self.tokens(&ready, &handoff.begins);
        (transition.latency_ms, transition.tokens_full, transition.tokens_sent) =
            (self.since_reply(), tokens_full, tokens_sent);
        self.draft.transitions.push(transition);
        self.draft.handoff = Some(handoff);
        self.draft.known = ready.known.filter(|_| !self.reads_agents);
        if ready.team_kind() == Some(TeamKind::Pipeline) && self.driver.ready.team_kind() != ready.team_kind()
        {
            self.read_snapshots().await?;
        }
        let step = self.first_call(&ready, call.is_none().then_some(&shown));
        let next_call = NextCall { step, ready: &ready, input_tokens: tokens_sent.unsigned_abs() };
        let outcome = self.commit(Some(next_call), After::Running { progressed: true }).await?;
        if let CommitOutcome::Stored = outcome {
            self.driver.ready = ready;
            self.has_opened = self.turn.open_call == Some(self.driver.last_seq);
        }
        Ok(outcome)
    }

    /// What Baton says so that a stage begins; people don't see it.
    fn prompt_stage(&mut self, id: MessageId, agent_id: AgentId) {
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
    }

    /// The step that opens an agent's first call. If no agent spoke before in this turn, the message shows the
    /// handoff.
    pub(super) fn first_call(&mut self, ready: &ReadyAgent, handed: Option<&NewStep>) -> NewStep {
        let (agent_id, message_id) = (ready.agent.id, MessageId::new());
        let mut spoken = Spoken::new(message_id, agent_id);
        spoken.attempt = self.driver.attempt;
        if let Some(event) = handed.and_then(|new| render(&new.clone().at(0, now()))) {
            spoken.apply(&event);
        }
        let start = ready.start(spoken.parts.clone());
        self.draft.messages.push(MessageWrite::Begin { spoken, step: self.draft.steps.len() });
        NewStep {
            task_id: Some(self.driver.task_id),
            agent_id,
            message_id: Some(message_id),
            step: Step::Call { attempt: self.driver.attempt, start: Some(start), lost: None },
        }
    }

    /// The message that is being answered: in a turn that tries again, the last one there is.
    fn asked(&self) -> Option<MessageId> {
        let last = || self.driver.log.iter().rev().find(|logged| matches!(logged.step, Step::User { .. }));
        self.turn.asked.or_else(|| last()?.message_id)
    }

    pub(super) fn asked_words(&self) -> String {
        let words = |logged: &LoggedStep| match &logged.step {
            Step::User { content, synthetic: false, .. } => Some(content.clone()),
            _ => None,
        };
        self.driver.log.iter().rev().find_map(words).unwrap_or_default()
    }

    /// The next agent is in a pipeline and this one isn't: now the stages' results are needed.
    async fn read_snapshots(&mut self) -> Result<(), Gone> {
        let driver = &self.driver;
        let kept = self.answered(|| newest_snapshots(driver.engine.store.as_ref(), driver.seat.id)).await?;
        self.driver.snapshots = kept.unwrap_or_default();
        Ok(())
    }

    /// About how long the next agent's request would be with the whole history, and how long it is.
    fn tokens(&self, ready: &ReadyAgent, begins: &NewActivation) -> (i64, i64) {
        let driver = &self.driver;
        let began_seq = driver.last_seq + 1 + begins.step as i64;
        let sent = scope_of_next(ready.team_kind(), &driver.activations, begins, began_seq);
        let situation = map_size(&begins.context) + map_size(&begins.context_data);
        let count = |scope: &Scope| {
            i64::try_from(tokens_in(self.shown_size(ready, scope) + situation)).unwrap_or(i64::MAX)
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
