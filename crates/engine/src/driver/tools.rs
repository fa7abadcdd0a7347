//! Tool calls in a turn: asks a person about those that need approval, runs the others, and commits the results.

use std::collections::HashSet;

use baton_core::approvals::{APPROVAL_TIME, NewApproval};
use baton_core::handoffs::may_note;
use baton_core::ids::ApprovalId;
use baton_core::log::{CallStep, Step};
use baton_core::models::SaidCall;
use baton_core::tools::{Change, ToolContext};
use serde_json::{Map, Value, json};

use super::{Gone, Work};
use crate::clock::now;
use crate::driver::call_steps::call_step;
use crate::driver::subtask_wait::SUBTASK_TIME;
use crate::driver::tool_calls::{Answer, Answered, RunningCalls, TOOL_TIME, ToolRun};
use crate::turn::run::Fate;
use crate::turn::state::Call;

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

    pub(super) fn ask_person(&mut self, calls: &[usize]) {
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
            };
            self.add(Step::ApprovalAsked {
                approval_id: new.id,
                call_id: new.call_id.clone(),
                tool_name: new.tool_name.clone(),
                args: new.args.clone(),
                expires_at,
            });
            self.draft.approvals.push(new);
        }
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
                // It has its own, and stops what takes longer.
                let time = if subtask.is_some() { 2 * SUBTASK_TIME } else { TOOL_TIME };
                let tool = subtask.or_else(|| self.driver.ready.tools.get(&call.step.tool_name).cloned());
                Some(ToolRun { call, fate, tool, time })
            })
            .collect();
        let context = self.tool_context().await?;
        self.still_ours()?;
        if self.is_stopped() {
            return Ok(());
        }
        for begun in runs.iter().filter(|run| run.fate == Fate::Run) {
            self.begins(&begun.call.step.call_id);
        }
        self.taken_over = false;
        let mut running = RunningCalls::begin(runs, &context);
        loop {
            match running.next(self.driver.interrupted()).await {
                Answered::Some(answers) => self.take_answers(answers),
                Answered::Interrupted(answers) => {
                    self.take_answers(answers);
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

    fn take_answers(&mut self, answers: Vec<Answer>) {
        for mut answer in answers {
            let before = self.draft.changes.len();
            self.draft.changes.extend(answer.changes);
            // Each call saw the notes as they were before the reply; together they may be too much.
            if let Err(why) = self.may_note() {
                self.draft.changes.truncate(before);
                answer.result.success = false;
                answer.result.result = json!({"error": why});
            }
            self.add(Step::ToolResult(answer.result));
            self.draft.progressed = true;
        }
    }

    fn may_note(&self) -> Result<(), String> {
        let noted = self.changes().into_iter().find_map(|change| match change {
            Change::PutContext { data } => Some(data),
            _ => None,
        });
        noted.map_or(Ok(()), |noted| may_note(&noted))
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

    async fn tool_context(&self) -> Result<ToolContext, Gone> {
        let driver = &self.driver;
        let (store, agent) = (&driver.engine.store, &driver.ready.agent);
        let (mut time_zone, mut may_change_agent) = (driver.ready.workspace.time_zone.clone(), false);
        if let Some(id) = driver.seat.person.profile_id() {
            if let Some(profile) = self.answered(|| store.profile(id)).await? {
                time_zone = profile.time_zone;
            }
            // As it is now: rights may have changed since the turn began.
            let role = self.answered(|| store.role(driver.seat.workspace_id, id)).await?.flatten();
            may_change_agent = role.is_some_and(|role| agent.may_be_changed_by(id, role));
        }
        Ok(ToolContext {
            workspace_id: driver.seat.workspace_id,
            agent_id: agent.id,
            conversation_id: driver.seat.id,
            person: driver.seat.person,
            may_change_agent,
            time_zone,
            context_data: driver.active().map(|active| active.context_data.clone()).unwrap_or_default(),
            teammates: self.teammates(),
        })
    }
}
