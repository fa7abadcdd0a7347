//! The rows of this turn's model calls. A row is reserved in the commit that opens the call and settled in the commit
//! that closes it. A driver that loses the turn in between settles the row on its own. A row that nobody settles stays
//! as it was reserved.

use baton_core::handoffs::Activation;
use baton_core::ids::AgentId;
use baton_core::log::{LoggedStep, Spent};
use baton_core::models::{Resolved, Usage};
use baton_core::spending::{CallRef, UsageRow};
use baton_core::tape::Tape;
use chrono::{DateTime, Utc};

use super::{Gone, Work};
use crate::agent::ready::ReadyAgent;
use crate::clock::now;
use crate::node::spending::{CallFor, Told, lost, unsent};
use crate::prompt::request::{estimated_tokens, request_size};
use crate::prompt::scope::Scope;
use crate::sizes::{map_size, tokens_in};
use crate::turn::run::Offered;

impl Work {
    pub(super) fn call_for(&self, agent_id: AgentId) -> CallFor {
        CallFor {
            task_id: self.working_task(),
            agent_id,
            person: self.driver.seat.person,
            is_public: self.driver.assignment.is_public,
        }
    }

    /// The row of a call that is about to open at the end of the draft, unless there is no model to send it to.
    pub(super) fn reserve(&self, ready: &ReadyAgent, seq: i64, input_tokens: u64) -> Option<UsageRow> {
        let model = ready.model.as_ref().ok()?;
        Some(self.call_for(ready.agent.id).reserved(CallRef::Agent { seq }, model, input_tokens))
    }

    /// About how many tokens the next request of the agent that speaks has.
    pub(super) fn next_input_tokens(&self) -> u64 {
        let driver = &self.driver;
        let situation = |active: &Activation| map_size(&active.context) + map_size(&active.context_data);
        tokens_in(self.shown_size(&driver.ready, &driver.scope()) + driver.active().map_or(0, situation))
    }

    /// About how many bytes an agent is shown of the log, with its prompt and tools.
    pub(super) fn shown_size(&self, ready: &ReadyAgent, scope: &Scope) -> usize {
        let driver = &self.driver;
        let drafted = (driver.last_seq + 1..).zip(self.draft.steps.iter().cloned());
        let drafted: Vec<LoggedStep> = drafted.map(|(seq, new)| new.at(seq, now())).collect();
        let shown = [&driver.log[..], &drafted[..]];
        request_size(ready.size, shown.into_iter().flat_map(|steps| scope.of(steps, ready.agent.id)))
    }

    /// The row of the open call, or of the router's if it is to be asked.
    pub(super) fn own_reservation(&self) -> Option<&UsageRow> {
        let open = self.turn.open_call.map(|seq| CallRef::Agent { seq });
        self.reservation(open.unwrap_or_else(|| self.router_call()))
    }

    pub(super) fn reservation(&self, call: CallRef) -> Option<&UsageRow> {
        self.driver.reserved.iter().find(|row| row.call == call)
    }

    pub(super) fn router_call(&self) -> CallRef {
        let own = |logged: &&LoggedStep| logged.task_id == Some(self.driver.task_id);
        let first = self.driver.log.iter().find(own).map_or(0, |logged| logged.seq);
        CallRef::Router { seq: first, attempt: self.driver.attempt }
    }

    /// Counts what the open call used.
    pub(super) fn spend(&mut self, model: &Resolved, usage: Usage, told: Told) -> Spent {
        let Some(seq) = self.turn.open_call else { return Spent::NOTHING };
        let row = self.call_for(self.driver.ready.agent.id).used(CallRef::Agent { seq }, model, usage, told);
        let cost_micros = row.cost_micros;
        self.draft.usage.push(row);
        Spent { usage, cost_micros }
    }

    /// What a call has used of which nobody says: what it was sent, and what it said. Before its first word it may have
    /// thought, so then what was reserved stands.
    pub(super) fn estimated(&self, reserved: Usage, said: &Tape) -> Usage {
        let output_tokens = if said.is_empty() { reserved.output_tokens } else { said.len() / 4 };
        Usage { output_tokens, ..reserved }
    }

    /// The open call is this driver's own, and was not sent.
    pub(super) fn settle_unsent(&mut self) {
        let row = self.own_reservation().filter(|_| self.turn.open_call.is_some()).map(unsent);
        self.draft.usage.extend(row);
    }

    /// What a call that a crash cut may have used: the provider may charge it.
    pub(super) async fn lost_call(&mut self, offered: Offered) -> Result<Spent, Gone> {
        let Ok(model) = self.driver.ready.model.clone() else {
            let row = self.own_reservation().map(lost);
            let spent = row.as_ref().map(|row| Spent { usage: row.usage, cost_micros: row.cost_micros });
            self.draft.usage.extend(row);
            return Ok(spent.unwrap_or(Spent::NOTHING));
        };
        let reserved = match self.own_reservation() {
            Some(row) => row.usage,
            None => Usage { input_tokens: self.estimated_input(offered).await?, ..Usage::NOTHING },
        };
        let said = self.checkpointed().cloned().unwrap_or_default();
        let usage = self.estimated(reserved, &said);
        Ok(self.spend(&model, usage, Told::Estimated))
    }

    /// Rows of a router that no decision of this commit settles: asked in an earlier attempt, or reserved and never asked.
    pub(super) fn unrouted(&self) -> Vec<UsageRow> {
        let is_settled = |call: CallRef| self.draft.usage.iter().any(|row| row.call == call);
        let reserved = self.driver.reserved.iter().chain(&self.maybe_reserved);
        let left = reserved.filter(|row| row.call.router_attempt().is_some() && !is_settled(row.call));
        left.map(|row| if row.call == self.router_call() { unsent(row) } else { lost(row) }).collect()
    }

    /// Rows that are stored now.
    pub(super) fn has_counted(&mut self, rows: &[UsageRow], last_seq: i64, at: DateTime<Utc>) {
        let driver = &mut self.driver;
        let stored = || rows.iter().filter(|row| row.call.seq() <= last_seq);
        driver.engine.spending.count((driver.seat.id, driver.seat.workspace_id), stored(), at);
        self.maybe_reserved =
            self.maybe_reserved.take().filter(|one| stored().all(|row| row.call != one.call));
        for row in stored() {
            driver.reserved.retain(|one| one.call != row.call);
            driver.reserved.extend(Some(row).filter(|row| row.is_open).cloned());
        }
    }

    /// The turn is someone else's, or its conversation is gone: what its calls used is counted all the same.
    pub(super) fn settle_alone(self) {
        let rows: Vec<UsageRow> = self.draft.usage.into_iter().filter(|row| !row.is_open).collect();
        if rows.is_empty() {
            return;
        }
        let (engine, seat) = (self.driver.engine, self.driver.seat);
        tokio::spawn(async move {
            match engine.bounded(engine.store.settle(seat.id, &rows)).await {
                Ok(settled) => engine.spending.count((seat.id, seat.workspace_id), settled.iter(), now()),
                Err(error) => {
                    tracing::warn!(%error, conversation = %seat.id, "what a call used stays an estimate");
                }
            }
        });
    }

    async fn estimated_input(&self, offered: Offered) -> Result<u64, Gone> {
        Ok(estimated_tokens(&self.request(offered).await?))
    }
}
