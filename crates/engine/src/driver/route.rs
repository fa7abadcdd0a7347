//! Asking the router of a team who answers.

use std::time::{Duration, Instant};

use baton_core::access::{Use, may_use};
use baton_core::handoffs::ActivationStatus;
use baton_core::handoffs::Trigger;
use baton_core::log::{Route, Routed, Spent, Step};
use baton_core::models::{ModelError, ModelEvent, ModelRequest, Resolved, SaidCall, Usage};
use baton_core::turns::UsageRow;
use futures::StreamExt;

use super::hand::Carried;
use super::{Gone, Outcome, Work};
use crate::plan::{Planned, not_allowed};
use crate::request::estimated_tokens;
use crate::router::{Asked, Choice, DEFAULT_MODEL, Decision, decision, request};

/// A router that takes longer has decided nothing.
const ROUTER_TIME: Duration = Duration::from_secs(20);

impl Work {
    pub(super) async fn route(&mut self) -> Result<(), Gone> {
        let before = self.draft.clone();
        let begun = Instant::now();
        let cast = self.driver.cast.clone();
        let Some(team) = cast.team.clone() else { return Err(Gone) };
        let members: Vec<Choice<'_>> = cast
            .members
            .iter()
            .filter_map(|target| {
                let member = team.definition.member(target.id)?;
                Some(Choice { target, priority: member.priority, is_general: member.is_entry })
            })
            .collect();
        let name = team.definition.router_model.as_deref().unwrap_or(DEFAULT_MODEL);
        let (mut decided, spent, model) = match self.driver.engine.casting.model(name) {
            Err(error) => (Decision::nothing(error.to_string()), Spent::NOTHING, name.to_owned()),
            Ok(resolved) => {
                let asked = Asked {
                    team: &team,
                    model: &resolved.model,
                    members: &members,
                    activations: &self.driver.activations,
                    log: &self.driver.log,
                };
                let request = request(&asked);
                let input = estimated_tokens(&request);
                self.still_ours()?;
                let heard = tokio::select! {
                    biased;
                    () = self.driver.interrupted() => {
                        return if *self.driver.stop.borrow() { Ok(()) } else { Err(Gone) };
                    }
                    heard = tokio::time::timeout(ROUTER_TIME, hear(&resolved, request)) => heard,
                };
                let (decided, usage) = match heard {
                    Ok(Ok((calls, usage))) => (decision(&calls, &asked, cast.agent.id), (usage, false)),
                    Ok(Err(error)) => (Decision::nothing(error.to_string()), (Usage::NOTHING, true)),
                    Err(_) => {
                        let usage = Usage { input_tokens: input, ..Usage::NOTHING };
                        (Decision::nothing("it took too long"), (usage, true))
                    }
                };
                let (spent, model) = self.router_spends(&resolved, usage);
                (decided, spent, model)
            }
        };
        let mut next = None;
        if let Decision::Go { to, summary, resumes } = decided.clone() {
            match may_use(self.driver.role.viewer, to.gate, Use::ModelSwitch) {
                Err(refusal) => decided = Decision::nothing(not_allowed(refusal, &to.name).words),
                Ok(()) => match self.cast_of(to.id).await? {
                    Some(cast) if cast.agent.is_active => next = Some((to, summary, resumes, cast)),
                    _ => decided = Decision::nothing(format!("{} isn't there any more", to.name)),
                },
            }
        }
        let duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.replied_at = begun;
        self.add(Step::Routed(told(&decided, spent, model, duration_ms)));
        let Some((to, summary, resumes, cast)) = next else { return Ok(()) };
        let planned = Planned {
            to,
            trigger: Trigger::Router,
            reason: None,
            summary,
            variables: Default::default(),
            instructions: None,
            ends_as: ActivationStatus::Paused,
            stage: None,
        };
        match self.carry_out(Carried { planned, cast, call: None, resumes }).await? {
            Outcome::Stored => {}
            // Whoever came in between: the router looks again.
            Outcome::Moved => self.take_back(before),
            Outcome::Refused(refusal) => {
                self.take_back(before);
                let stays = Decision::nothing(refusal.words);
                self.add(Step::Routed(told(&stays, Spent::NOTHING, String::new(), 0)));
            }
        }
        Ok(())
    }

    fn router_spends(&mut self, model: &Resolved, (usage, is_estimate): (Usage, bool)) -> (Spent, String) {
        let name = format!("{}/{}", model.provider, model.model);
        if usage == Usage::NOTHING {
            return (Spent::NOTHING, name);
        }
        let cost_micros = model.price.map(|price| price.cost_micros(&usage));
        self.draft.usage.push(UsageRow {
            task_id: self.driver.task_id,
            agent_id: self.driver.cast.agent.id,
            model: name.clone(),
            usage,
            cost_micros,
            is_estimate,
            is_public: self.driver.role.is_public,
        });
        (Spent { usage, cost_micros }, name)
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
