//! Tool calls in a turn: asks a person about those that need approval, runs the others, and commits the results.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use baton_core::approvals::{APPROVAL_TIME, NewApproval};
use baton_core::data::areas::Areas;
use baton_core::handoffs::may_note;
use baton_core::ids::ApprovalId;
use baton_core::log::{CallStep, Step};
use baton_core::models::SaidCall;
use baton_core::tools::{Preview, Tool};
use futures::FutureExt;
use serde_json::{Map, Value, json};

use super::{Gone, Work};
use crate::clock::now;
use crate::driver::call_steps::call_step;
use crate::driver::tool_calls::{Answer, Answered, Caller, RunningCalls, ToolRun, carried_out, writes_here};
use crate::turn::results::result;
use crate::turn::run::Fate;
use crate::turn::state::Call;

/// How long a person waits to be asked because of what they will be shown.
const PREVIEW_TIME: Duration = Duration::from_secs(3);

impl Work {
    pub(super) fn call_steps(&self, calls: Vec<SaidCall>) -> Vec<CallStep> {
        let logged = self.driver.log.iter().map(|logged| &logged.step);
        let steps = logged.chain(self.draft.steps.iter().map(|new| &new.step));
        let mut used: HashSet<String> = steps
            .filter_map(|step| match step {
                Step::ToolCall(call) => Some(call.call_id.clone()),
                _ => None,
            })
            .collect();
        let mut called = Vec::with_capacity(calls.len());
        for call in calls {
            let step = call_step(&self.driver.ready, call, |id| used.contains(id));
            used.insert(step.call_id.clone());
            called.push(step);
        }
        called
    }

    pub(super) async fn ask_person(&mut self, calls: &[usize]) -> Result<(), Gone> {
        let mut previews = self.previews(calls).await?;
        let expires_at = now() + APPROVAL_TIME;
        for index in calls {
            let Some(call) = self.turn.calls.get(*index).cloned() else { continue };
            let Some(message_id) = self.turn.message.as_ref().map(|message| message.id) else { continue };
            let new = NewApproval {
                id: ApprovalId::new(),
                agent_id: call.agent_id,
                message_id,
                call_id: call.step.call_id,
                tool_name: call.step.tool_name,
                args: call.step.args,
                expires_at,
                preview: previews.remove(index),
            };
            self.add(Step::ApprovalAsked {
                approval_id: new.id,
                call_id: new.call_id.clone(),
                tool_name: new.tool_name.clone(),
                args: new.args.clone(),
                expires_at,
                preview: new.preview.clone(),
            });
            self.draft.approvals.push(new);
        }
        Ok(())
    }

    /// What these calls would change, as far as their tools can tell in a short time. Whatever goes wrong, the person is asked
    /// without it.
    async fn previews(&self, calls: &[usize]) -> Result<HashMap<usize, Preview>, Gone> {
        let known = calls.iter().filter_map(|index| {
            let call = self.turn.calls.get(*index)?;
            let tool = self.driver.ready.tools.get(&call.step.tool_name)?;
            tool.has_preview().then(|| (*index, call.clone(), tool.clone()))
        });
        let known: Vec<(usize, Call, Arc<dyn Tool>)> = known.collect();
        if known.is_empty() {
            return Ok(HashMap::new());
        }
        let caller = self.caller().await?;
        let previews = known.iter().map(async |(index, call, tool)| {
            let (_waiting, context) = caller.looking(call, PREVIEW_TIME);
            let preview = AssertUnwindSafe(tool.preview(&context, &call.step.args)).catch_unwind();
            let preview = tokio::time::timeout(PREVIEW_TIME, preview).await.ok()?.ok()??;
            Some((*index, preview.capped()))
        });
        Ok(futures::future::join_all(previews).await.into_iter().flatten().collect())
    }

    pub(super) async fn answer(&mut self, fates: Vec<(usize, Fate)>) -> Result<(), Gone> {
        let calls = fates.iter().filter(|(_, fate)| *fate == Fate::Run);
        let calls: Vec<Call> = calls.filter_map(|(index, _)| self.turn.calls.get(*index).cloned()).collect();
        if !self.open_subtasks(&calls).await? {
            return Ok(());
        }
        let runs: Vec<ToolRun> = fates
            .into_iter()
            .filter_map(|(index, fate)| {
                let call = self.turn.calls.get(index)?.clone();
                let subtask = self.subtask_tool(&call);
                let tool = subtask.or_else(|| self.driver.ready.tools.get(&call.step.tool_name).cloned());
                Some(ToolRun { call, fate, tool })
            })
            .collect();
        let caller = self.caller().await?;
        self.still_ours().await?;
        if self.is_stopped() {
            return Ok(());
        }
        for begun in runs.iter().filter(|run| run.fate == Fate::Run) {
            self.begins(&begun.call.step.call_id);
        }
        self.taken_over = false;
        let mut running = RunningCalls::begin(runs, &caller);
        loop {
            match running.next(self.driver.interrupted()).await {
                Answered::Some(answers) => self.take_answers(answers).await?,
                Answered::Interrupted(answers) => {
                    self.take_answers(answers).await?;
                    if *self.driver.stop.borrow() {
                        self.stop_subtasks(&self.open_subtask_ids());
                    }
                    // A stop is seen by the next decision, which closes what is open.
                    return if *self.driver.stop.borrow() { Ok(()) } else { Err(Gone) };
                }
                Answered::All => return Ok(()),
            }
            // Those that are there are kept while others still run.
            if !running.is_over() {
                self.flush().await?;
            }
        }
    }

    async fn take_answers(&mut self, mut answers: Vec<Answer>) -> Result<(), Gone> {
        let doubtful = answers.iter().filter(|answer| answer.may_have_written).map(|answer| answer.seq);
        let effects = self.effects(doubtful.collect()).await?;
        for answer in &mut answers {
            if let Some((_, outcome)) = effects.iter().find(|(seq, _)| *seq == answer.seq) {
                (answer.result.success, answer.result.result) = (true, carried_out(outcome));
            }
        }
        for mut answer in answers {
            let before = self.draft.notes.len();
            self.draft.notes.extend(answer.notes.take());
            self.keep(&mut answer).await?;
            // Each call saw the notes as they were before the reply; together they may be too much.
            if let Some(Err(why)) = self.noted().map(|noted| may_note(&noted)) {
                self.draft.notes.truncate(before);
                answer.result.success = false;
                answer.result.result = json!({"error": why});
            }
            self.add(Step::ToolResult(answer.result));
            self.draft.progressed = true;
        }
        Ok(())
    }

    /// Answers calls that were carried out before, by a process that is gone or before someone asked to stop: what they
    /// changed is there, and is told.
    pub(super) async fn find_effects(&mut self) -> Result<(), Gone> {
        let open = self.turn.calls.iter().filter(|call| call.is_begun && !call.is_answered);
        let open: Vec<Call> = open.filter(|call| writes_here(call)).cloned().collect();
        if self.is_stopped() && !open.is_empty() {
            // This driver may have heard of the stop before the database has: a write that was asked for and has not begun
            // must find it there, or it would take place after the look.
            let (store, id, task) = (&self.driver.engine.store, self.driver.seat.id, self.driver.task_id);
            self.answered(|| store.request_stop(id, Some(task), now())).await?;
        }
        let effects = self.effects(open.iter().map(|call| call.seq).collect()).await?;
        for call in &open {
            if let Some((_, outcome)) = effects.iter().find(|(seq, _)| *seq == call.seq) {
                self.add(Step::ToolResult(result(call, carried_out(outcome), true, Duration::ZERO)));
                self.draft.progressed = true;
            }
        }
        Ok(())
    }

    async fn effects(&self, calls: Vec<i64>) -> Result<Vec<(i64, Value)>, Gone> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let (store, id) = (&self.driver.engine.store, self.driver.seat.id);
        Ok(self.answered(|| store.effects(id, &calls)).await?.unwrap_or_default())
    }

    fn begins(&mut self, call_id: &str) {
        let calls = self.turn.calls.iter_mut().chain(&mut self.stored.calls);
        calls.filter(|call| call.step.call_id == call_id).for_each(|call| call.is_begun = true);
    }

    /// What the other members of the team have noted in this conversation.
    fn teammates(&self) -> Vec<(String, Map<String, Value>)> {
        let driver = &self.driver;
        let others = driver.ready.members.iter().filter(|member| member.id != driver.ready.agent.id);
        others
            .filter_map(|member| {
                let own = driver.activations.iter().rev().filter(|one| one.agent_id == member.id);
                let noted = own.map(|one| &one.context_data).find(|noted| !noted.is_empty())?;
                Some((member.slug.clone(), noted.clone()))
            })
            .collect()
    }

    async fn caller(&self) -> Result<Caller, Gone> {
        let driver = &self.driver;
        let (store, agent) = (&driver.engine.store, &driver.ready.agent);
        let (mut time_zone, mut may_change_agent) = (driver.ready.workspace.time_zone.clone(), false);
        let mut areas = Areas::NONE;
        if let Some(id) = driver.seat.person.profile_id() {
            if let Some(profile) = self.answered(|| store.profile(id)).await? {
                time_zone = profile.time_zone;
            }
            // As it is now: rights may have changed since the turn began.
            let role = self.answered(|| store.role(driver.seat.workspace_id, id)).await?.flatten();
            may_change_agent = role.is_some_and(|role| agent.may_be_changed_by(id, role));
            // At the public address a member is a guest like any other.
            if role.is_some() && !driver.assignment.is_public {
                areas = self.answered(|| store.areas(driver.seat.workspace_id, id)).await?.unwrap_or(areas);
            }
        }
        Ok(Caller {
            fence: self.fence(),
            workspace_id: driver.seat.workspace_id,
            agent_id: agent.id,
            conversation_id: driver.seat.id,
            person: driver.seat.person,
            may_change_agent,
            areas,
            time_zone,
            context_data: driver.active().map(|active| active.context_data.clone()).unwrap_or_default(),
            teammates: self.teammates(),
            first_call: self.turn.calls.first().map(|call| call.seq).unwrap_or_default(),
            live: driver.live.clone(),
            message_id: self.turn.message.as_ref().map(|message| message.id),
        })
    }
}
