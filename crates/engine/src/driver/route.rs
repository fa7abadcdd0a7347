//! Asks the router of a team which agent answers.

use std::time::{Duration, Instant};

use baton_core::access::may_use;
use baton_core::handoffs::Trigger;
use baton_core::log::{Route, Routed, Spent, Step};
use baton_core::models::{ModelError, ModelEvent, ModelRequest, Resolved, SaidCall, Usage};
use baton_core::spending::UsageRow;
use baton_core::turns::After;
use futures::StreamExt;

use super::handoff::AgreedHandoff;
use super::{CommitOutcome, Draft, Gone, Work};
use crate::handoff::plan::{Planned, gone, not_allowed};
use crate::node::spending::{Told, lost};
use crate::prompt::request::estimated_tokens;
use crate::prompt::router::{Choice, Decision, RouterInput, decision, likely_tokens, request};

/// A router that takes longer has decided nothing.
const ROUTER_TIME: Duration = Duration::from_secs(20);

impl Work {
    pub(super) async fn route(&mut self) -> Result<(), Gone> {
        let begun = Instant::now();
        let ready = self.driver.ready.clone();
        let Some(team) = ready.team.clone() else { return Err(Gone) };
        let members: Vec<Choice<'_>> = ready
            .members
            .iter()
            // Whom the person may not be given isn't offered; who has the conversation stays a member all the same.
            .filter(|target| {
                let may =
                    may_use(self.driver.assignment.viewer, target.gate, Trigger::Router.needs()).is_ok();
                may || target.id == ready.agent.id
            })
            .filter_map(|target| {
                let member = team.definition.member(target.id)?;
                Some(Choice { target, priority: member.priority, is_general: member.is_entry })
            })
            .collect();
        let Some(router) = &ready.router else { return Err(Gone) };
        let (mut decided, used, model) = match router.model.clone() {
            Err(error) => (Decision::nothing(error.to_string()), RouterUsage::default(), router.name.clone()),
            Ok(resolved) if self.refuses_price(&resolved) => {
                (Decision::nothing("its model has no price"), RouterUsage::default(), resolved.name())
            }
            Ok(resolved) => {
                if !self.reserve_router(&resolved).await? {
                    return Ok(());
                }
                let input = RouterInput {
                    team: &team,
                    model: &resolved.model,
                    members: &members,
                    activations: &self.driver.activations,
                    log: &self.driver.log,
                };
                let request = request(&input);
                let whole = Usage { input_tokens: estimated_tokens(&request), ..Usage::NOTHING };
                self.still_ours().await?;
                let heard = tokio::select! {
                    biased;
                    () = self.driver.interrupted() => None,
                    heard = tokio::time::timeout(ROUTER_TIME, hear(&resolved, request)) => Some(heard),
                };
                let (decided, usage, told) = match heard {
                    Some(Ok(Ok((calls, usage)))) => {
                        let told = (usage != Usage::NOTHING).then_some((usage, Told::ByProvider));
                        let (usage, told) = told.unwrap_or((whole, Told::Estimated));
                        (decision(&calls, &input, ready.agent.id), usage, told)
                    }
                    // A call that was refused costs nothing; one that broke off does.
                    Some(Ok(Err(error))) => {
                        let usage = if error.is_refusal() { Usage::NOTHING } else { whole };
                        (Decision::nothing(error.to_string()), usage, Told::Estimated)
                    }
                    Some(Err(_)) => (Decision::nothing("it took too long"), whole, Told::Estimated),
                    None => (Decision::nothing("it was stopped"), whole, Told::Estimated),
                };
                let used = self.router_used(&resolved, usage, told);
                let is_stopped = *self.driver.stop.borrow();
                if !is_stopped && self.still_ours().await.is_err() {
                    self.draft.usage = used.rows;
                    return Err(Gone);
                }
                (decided, used, resolved.name())
            }
        };
        self.replied_at = begun;
        let mut next = None;
        if let Decision::Go { to, summary, resumes } = decided.clone() {
            let refusal = match may_use(self.driver.assignment.viewer, to.gate, Trigger::Router.needs()) {
                Err(refusal) => Some(not_allowed(refusal, &to)),
                Ok(()) => match self.ready_agent(to.id).await? {
                    Some(ready) if ready.agent.is_active => {
                        next = Some((to.clone(), summary, resumes, ready));
                        None
                    }
                    _ => Some(gone()),
                },
            };
            if let Some(refusal) = refusal {
                self.refused_to(Trigger::Router, Some(to.id), refusal.code);
                decided = Decision::nothing(refusal.words);
            }
        }
        let before = self.draft.clone();
        let duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let routed = told(&decided, used.spent, model, duration_ms);
        self.draft.usage.extend(used.rows.clone());
        self.add(Step::Routed(routed.clone()));
        let Some((to, summary, resumes, ready)) = next else { return Ok(()) };
        let target = to.id;
        let planned = Planned {
            to,
            trigger: Trigger::Router,
            reason: None,
            summary,
            variables: Default::default(),
            instructions: None,
            stage: None,
        };
        match self.make_handoff(AgreedHandoff { planned, ready, call: None, resumes }).await? {
            CommitOutcome::Stored => {}
            // It stays, and what the router used is counted all the same.
            CommitOutcome::Moved => self.router_is_late(before, used, routed, "something came in between"),
            CommitOutcome::Refused(refusal) => {
                self.router_is_late(before, used, routed, &refusal.words);
                self.refused_to(Trigger::Router, Some(target), refusal.code);
            }
        }
        Ok(())
    }

    fn router_is_late(&mut self, before: Draft, used: RouterUsage, routed: Routed, why: &str) {
        self.take_back(before);
        self.draft.usage.extend(used.rows);
        let stays = Decision::nothing(why);
        self.add(Step::Routed(told(&stays, used.spent, routed.model, routed.duration_ms)));
    }

    /// Reserves what asking the router may use, where the message that began the turn did not; false when something came
    /// in between.
    async fn reserve_router(&mut self, model: &Resolved) -> Result<bool, Gone> {
        let call = self.router_call();
        if self.reservation(call).is_some() {
            return Ok(true);
        }
        let before = self.draft.clone();
        let input_tokens = likely_tokens(self.asked_words().len());
        let row = self.call_for(self.driver.ready.agent.id).reserved(call, model, input_tokens);
        self.maybe_reserved = Some(row.clone());
        self.draft.usage.push(row);
        let stored =
            matches!(self.commit(None, After::Running { progressed: false }).await?, CommitOutcome::Stored);
        if !stored {
            self.take_back(before);
        }
        Ok(stored && !self.is_stopped())
    }

    /// What asking has used, with what whoever drove this turn before has, or was about to.
    fn router_used(&self, model: &Resolved, usage: Usage, told: Told) -> RouterUsage {
        let call = self.router_call();
        let own = self.call_for(self.driver.ready.agent.id).used(call, model, usage, told);
        let earlier =
            self.driver.reserved.iter().filter(|row| row.call != call && row.call.router_attempt().is_some());
        let rows: Vec<UsageRow> = std::iter::once(own).chain(earlier.map(lost)).collect();
        let mut spent = Spent::NOTHING;
        rows.iter().for_each(|row| spent += Spent { usage: row.usage, cost_micros: row.cost_micros });
        RouterUsage { spent, rows }
    }
}

/// What asking a router has used.
struct RouterUsage {
    spent: Spent,
    rows: Vec<UsageRow>,
}

impl Default for RouterUsage {
    fn default() -> Self {
        Self { spent: Spent::NOTHING, rows: Vec::new() }
    }
}

/// All calls of a router's reply, and what it used.
async fn hear(model: &Resolved, request: ModelRequest) -> Result<(Vec<SaidCall>, Usage), ModelError> {
    let mut stream = model.client.call(request).await?;
    let mut calls = Vec::new();
    while let Some(event) = stream.next().await {
        match event? {
            ModelEvent::Call(call) => calls.push(call),
            ModelEvent::End { usage, .. } => return Ok((calls, usage)),
            ModelEvent::Text(_) | ModelEvent::Reasoning(_) | ModelEvent::Thinking(_) => {}
        }
    }
    Err(ModelError::Truncated)
}

fn told(decided: &Decision, spent: Spent, model: String, duration_ms: u64) -> Routed {
    let (decision, to, summary, problem) = match decided {
        Decision::Stay { problem } => (Route::Stay, None, None, problem.clone()),
        Decision::Go { to, summary, resumes } => {
            let decision = if resumes.is_some() { Route::Resume } else { Route::Switch };
            (decision, Some(to.id), summary.clone(), None)
        }
    };
    Routed { decision, to, summary, problem, model, spent, duration_ms }
}
