//! What this node knows of today's spending: the row of every model call. Its own rows are known at once, those of
//! other nodes after about a second. A call is checked against these rows before it is sent, without asking the
//! database.

use std::sync::Mutex;
use std::time::Duration;

use baton_core::ids::{AgentId, ConversationId, TaskId, WorkspaceId};
use baton_core::models::{Resolved, Usage};
use baton_core::spending::{CallRef, Cap, Counted, Ledger, Limit, SpendCaps, UsageRow, oldest_day_start};
use baton_core::store::Error;
use baton_core::visitors::Person;
use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::timeout;
use uuid::Uuid;

use crate::clock::now;
use crate::lock::lock;
use crate::node::engine::{Engine, Inner};

/// The estimate for a call's answer before it is known.
const RESERVED_OUTPUT: u64 = 1_000;
/// A row may be seen this long after the moment it carries: longer than a statement may take.
const SEEN_LATE: TimeDelta = TimeDelta::seconds(8);

/// The first read adds up a whole day, so it has more time than other statements. Turns with a limit wait for it.
const FIRST_READ: Duration = Duration::from_secs(20);

/// The limits on spending.
#[derive(Debug, Clone, Copy, Default)]
pub struct SpendingRules {
    pub caps: SpendCaps,
    /// Calls of models without a price are refused, as no limit counts them, unless they run on this machine.
    pub refuses_unpriced: bool,
}

pub struct KnownSpending {
    pub rules: SpendingRules,
    known: Mutex<Known>,
    /// Held while the database is read for the first time.
    reading: tokio::sync::Mutex<()>,
}

enum Known {
    /// The database was not read yet. What this node counts while it is being read waits here.
    NotYet(Vec<Counted>),
    Since(Ledger, DateTime<Utc>),
}

impl KnownSpending {
    pub fn new(rules: SpendingRules) -> Self {
        Self { rules, known: Mutex::new(Known::NotYet(Vec::new())), reading: tokio::sync::Mutex::default() }
    }

    /// Counts rows that this node has stored.
    pub fn count<'a>(
        &self,
        of: (ConversationId, WorkspaceId),
        rows: impl Iterator<Item = &'a UsageRow>,
        at: DateTime<Utc>,
    ) {
        let mut known = lock(&self.known);
        for row in rows.map(|row| Counted::of(row, of, at)) {
            match &mut *known {
                Known::NotYet(waiting) => waiting.push(row),
                Known::Since(ledger, _) => ledger.count(row, at),
            }
        }
    }

    fn reached(&self, limits: &[Limit], but: Option<Uuid>) -> Result<Option<Cap>, NotRead> {
        let Known::Since(ledger, _) = &*lock(&self.known) else { return Err(NotRead) };
        let is_reached = |limit: &&Limit| ledger.spent(limit.account, limit.since, but) >= limit.cap_micros;
        Ok(limits.iter().find(is_reached).map(|limit| limit.cap))
    }
}

struct NotRead;

impl Inner {
    /// The first of these limits that is reached, not counting one row. The first time, the database is asked.
    pub async fn reached(&self, limits: &[Limit], but: Option<Uuid>) -> Result<Option<Cap>, Error> {
        if limits.is_empty() {
            return Ok(None);
        }
        match self.spending.reached(limits, but) {
            Ok(reached) => Ok(reached),
            Err(NotRead) => {
                self.read_spending().await?;
                Ok(self.spending.reached(limits, but).unwrap_or_default())
            }
        }
    }

    /// Reads all that counts today, once: whoever comes meanwhile waits for it.
    async fn read_spending(&self) -> Result<(), Error> {
        let _alone = self.spending.reading.lock().await;
        match &mut *lock(&self.spending.known) {
            Known::Since(..) => return Ok(()),
            // Rows that are stored by now will be read from the database.
            Known::NotYet(waiting) => waiting.clear(),
        }
        let read = timeout(FIRST_READ, self.store.spent_lately(oldest_day_start(now())));
        let lately = read.await.unwrap_or(Err(Error::Unavailable))?;
        let mut known = lock(&self.spending.known);
        if let Known::NotYet(waiting) = &mut *known {
            let (read_at, waiting) = (lately.read_at, std::mem::take(waiting));
            let mut ledger = Ledger::new(lately, now());
            // Those that were read too come as rows, and count once.
            waiting.into_iter().for_each(|row| ledger.count(row, now()));
            *known = Known::Since(ledger, read_at);
        }
        Ok(())
    }
}

impl Engine {
    /// Reads what other nodes have spent, and forgets what no day counts any more.
    pub(crate) async fn follow_spending(&self) {
        let since = match &*lock(&self.0.spending.known) {
            Known::NotYet(_) => None,
            Known::Since(_, read_at) => Some(*read_at - SEEN_LATE),
        };
        let Some(since) = since else {
            if let Err(error) = self.0.read_spending().await {
                tracing::warn!(%error, "could not read what was spent today");
            }
            return;
        };
        let changes = match self.0.bounded(self.0.store.spending_changes(self.0.node(), since)).await {
            Ok(changes) => changes,
            Err(error) => return tracing::warn!(%error, "could not read what other nodes have spent"),
        };
        if let Known::Since(ledger, read_at) = &mut *lock(&self.0.spending.known) {
            changes.changed.into_iter().for_each(|row| ledger.count(row, now()));
            ledger.forget_old(now());
            *read_at = changes.read_at;
        }
    }
}

/// For whom a model is called.
#[derive(Debug, Clone, Copy)]
pub struct CallFor {
    pub task_id: TaskId,
    pub agent_id: AgentId,
    pub person: Person,
    pub is_public: bool,
}

impl CallFor {
    /// What a call is taken to use before it is made.
    pub fn reserved(self, call: CallRef, model: &Resolved, input_tokens: u64) -> UsageRow {
        let usage = Usage { input_tokens, output_tokens: RESERVED_OUTPUT, ..Usage::NOTHING };
        UsageRow { is_open: true, ..self.used(call, model, usage, Told::Estimated) }
    }

    pub fn used(self, call: CallRef, model: &Resolved, usage: Usage, told: Told) -> UsageRow {
        UsageRow {
            call,
            is_open: false,
            task_id: self.task_id,
            agent_id: self.agent_id,
            profile_id: self.person.profile_id(),
            model: model.name(),
            usage,
            cost_micros: match usage {
                Usage::NOTHING => Some(0),
                usage => model.price.map(|price| price.cost_micros(&usage)),
            },
            is_estimate: told == Told::Estimated,
            is_public: self.is_public,
            paid_by: model.paid_by,
        }
    }
}

/// Who says what a call used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    ByProvider,
    Estimated,
}

/// The row of a call that was never sent.
pub fn unsent(row: &UsageRow) -> UsageRow {
    let (usage, cost_micros) = (Usage::NOTHING, Some(0));
    UsageRow { is_open: false, is_estimate: false, usage, cost_micros, ..row.clone() }
}

/// The row of a call that may have been sent by someone who is gone: its estimate stands.
pub fn lost(row: &UsageRow) -> UsageRow {
    UsageRow { is_open: false, ..row.clone() }
}
