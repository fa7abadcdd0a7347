//! Tools: asking a person about calls, and answering them.

use std::collections::HashSet;

use baton_core::approvals::{APPROVAL_TIME, NewApproval};
use baton_core::ids::ApprovalId;
use baton_core::log::{CallStep, Step};
use baton_core::models::SaidCall;
use baton_core::tools::ToolContext;

use super::{Gone, Work};
use crate::answers::{Asked, answer};
use crate::calls::call_step;
use crate::run::Fate;
use crate::time::now;

impl Work {
    pub(super) fn call_step(&self, call: SaidCall) -> CallStep {
        let logged = self.driver.log.iter().map(|logged| &logged.step);
        let steps = logged.chain(self.draft.steps.iter().map(|new| &new.step));
        let used: HashSet<&str> = steps
            .filter_map(|step| match step {
                Step::ToolCall(call) => Some(call.call_id.as_str()),
                _ => None,
            })
            .collect();
        call_step(&self.driver.cast, call, |id| used.contains(id))
    }

    pub(super) fn ask(&mut self, calls: &[usize]) {
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
        let asked: Vec<Asked> = fates
            .into_iter()
            .filter_map(|(index, fate)| {
                let call = self.turn.calls.get(index)?.clone();
                let tool = self.driver.cast.tools.get(&call.step.tool_name).cloned();
                Some(Asked { call, fate, tool })
            })
            .collect();
        let context = self.tool_context().await;
        self.still_ours()?;
        let Some(answers) = answer(asked, context, self.driver.interrupted()).await else {
            let stopped = *self.driver.stop.borrow();
            // A stop is seen by the next decision, which closes what is open.
            return if stopped { Ok(()) } else { Err(Gone) };
        };
        for answer in answers {
            self.add(Step::ToolResult(answer.result));
            self.draft.changes.extend(answer.changes);
        }
        self.taken_over = false;
        self.draft.progressed = true;
        Ok(())
    }

    pub(super) async fn tool_context(&self) -> ToolContext {
        let driver = &self.driver;
        let (store, agent) = (&driver.engine.store, &driver.cast.agent);
        let (mut time_zone, mut may_change_agent) = (driver.cast.workspace.time_zone.clone(), false);
        if let Some(id) = driver.seat.person.profile_id() {
            if let Ok(profile) = store.profile(id).await {
                time_zone = profile.time_zone;
            }
            // As it is now: rights may have changed since the turn began.
            let role = store.role(driver.seat.workspace_id, id).await.ok().flatten();
            may_change_agent = role.is_some_and(|role| agent.may_be_changed_by(id, role));
        }
        ToolContext {
            workspace_id: driver.seat.workspace_id,
            agent_id: agent.id,
            conversation_id: driver.seat.id,
            person: driver.seat.person,
            may_change_agent,
            time_zone,
        }
    }
}
