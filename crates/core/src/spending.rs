//! What model calls cost. Each call has a row, which is reserved when the call opens and settled when it ends. A row
//! that nobody settles keeps the estimate it was reserved with, so every call is counted. [`Ledger`] adds the rows up.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::days::day_start;
use crate::ids::{AgentId, ConversationId, ProfileId, TaskId, WorkspaceId};
use crate::models::{PaidBy, Usage};

/// What one model call used, or may use. Such rows refer to nothing and stay.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageRow {
    pub call: CallRef,
    /// The call may still be under way: these numbers are an estimate made before it.
    pub is_open: bool,
    /// The task that used it: the turn's root or one under it.
    pub task_id: TaskId,
    pub agent_id: AgentId,
    /// Who asked; `None` for a visitor.
    pub profile_id: Option<ProfileId>,
    /// `provider/model`.
    pub model: String,
    pub usage: Usage,
    /// `None`: no price is known.
    pub cost_micros: Option<i64>,
    /// The provider did not say what the call used; these numbers are an estimate.
    pub is_estimate: bool,
    /// For a guest or a visitor, at the workspace's public address.
    pub is_public: bool,
    pub paid_by: PaidBy,
}

/// Which call of a conversation is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallRef {
    /// The number of the step that opened it.
    Agent { seq: i64 },
    /// A router's call opens no step: the number of the turn's first step, and the attempt at the turn that asked.
    Router { seq: i64, attempt: i32 },
}

impl CallRef {
    pub fn seq(self) -> i64 {
        let (Self::Agent { seq } | Self::Router { seq, .. }) = self;
        seq
    }

    pub fn router_attempt(self) -> Option<i32> {
        match self {
            Self::Agent { .. } => None,
            Self::Router { attempt, .. } => Some(attempt),
        }
    }

    pub fn of(seq: i64, router_attempt: Option<i32>) -> Self {
        router_attempt.map_or(Self::Agent { seq }, |attempt| Self::Router { seq, attempt })
    }

    /// The row's id: whoever settles a call finds it without having reserved it. Ids of one conversation lie together.
    pub fn row_id(self, conversation: ConversationId) -> Uuid {
        let mut hash = Sha256::new();
        hash.update(conversation.0.as_bytes());
        hash.update(self.seq().to_be_bytes());
        hash.update(self.router_attempt().unwrap_or(0).to_be_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.finalize()[..16]);
        bytes[..6].copy_from_slice(&conversation.0.as_bytes()[..6]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }
}

/// One row as the sums see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub id: Uuid,
    pub workspace_id: WorkspaceId,
    pub profile_id: Option<ProfileId>,
    pub is_public: bool,
    pub paid_by: PaidBy,
    pub is_open: bool,
    pub cost_micros: i64,
    /// When the call opened.
    pub at: DateTime<Utc>,
}

impl Counted {
    pub fn of(
        row: &UsageRow,
        (conversation, workspace_id): (ConversationId, WorkspaceId),
        at: DateTime<Utc>,
    ) -> Self {
        Self {
            id: row.call.row_id(conversation),
            workspace_id,
            profile_id: row.profile_id,
            is_public: row.is_public,
            paid_by: row.paid_by,
            is_open: row.is_open,
            cost_micros: row.cost_micros.unwrap_or(0),
            at,
        }
    }
}

/// Many settled rows of the same kind, added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettledSum {
    pub workspace_id: WorkspaceId,
    pub profile_id: Option<ProfileId>,
    pub is_public: bool,
    pub paid_by: PaidBy,
    /// Which quarter of an hour since 1970.
    pub quarter: i64,
    pub cost_micros: i64,
}

/// All that counts towards today's sums.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpentLately {
    pub settled: Vec<SettledSum>,
    /// Rows that may change or come again: those that are open, or changed in the last minutes.
    pub rows: Vec<Counted>,
    /// The database's clock; changes from a little before it on are read next.
    pub read_at: DateTime<Utc>,
}

/// Rows that changed since a moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SpendingChanges {
    pub changed: Vec<Counted>,
    pub read_at: DateTime<Utc>,
}

/// Whose spending is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Account {
    Server,
    Workspace(WorkspaceId),
    /// The part of it that the server pays.
    PaidFor(WorkspaceId),
    /// Guests and visitors at the workspace's public address.
    Public(WorkspaceId),
    Person(ProfileId),
}

/// A settled row is remembered this long, so that reading it again counts it once.
const REMEMBERED: TimeDelta = TimeDelta::seconds(150);
/// Longer than any day, in any time zone.
const KEPT: TimeDelta = TimeDelta::hours(26);
const QUARTER_SECONDS: i64 = 15 * 60;

/// What was spent and reserved lately, by account and quarter of an hour: days begin on one in every time zone.
#[derive(Debug, Default)]
pub struct Ledger {
    sums: HashMap<Account, BTreeMap<i64, i64>>,
    /// Rows that may change or come again, and until when they are remembered.
    rows: HashMap<Uuid, (Counted, DateTime<Utc>)>,
}

impl Ledger {
    /// Begins with all that counts today.
    pub fn new(lately: SpentLately, now: DateTime<Utc>) -> Self {
        let mut ledger = Self::default();
        for sum in &lately.settled {
            ledger.add(sum.accounts(), sum.quarter, sum.cost_micros);
        }
        lately.rows.into_iter().for_each(|row| ledger.count(row, now));
        ledger
    }

    /// Counts a row, in place of what it was before.
    pub fn count(&mut self, row: Counted, now: DateTime<Utc>) {
        let before = self.rows.get(&row.id).map(|(before, _)| *before);
        // This row was read before it was settled: it is outdated.
        if before.is_some_and(|before| row.is_open && !before.is_open) {
            return;
        }
        let row = Counted { at: before.map_or(row.at, |before| before.at), ..row };
        if let Some(before) = before {
            self.add(before.accounts(), before.quarter(), -before.cost_micros);
        }
        self.add(row.accounts(), row.quarter(), row.cost_micros);
        let until = if row.is_open { row.at + KEPT } else { now + REMEMBERED };
        self.rows.insert(row.id, (row, until));
    }

    /// What an account has spent and reserved since a moment, but for one row.
    pub fn spent(&self, account: Account, since: DateTime<Utc>, but: Option<Uuid>) -> i64 {
        let first = quarter(since);
        let sum: i64 =
            self.sums.get(&account).map_or(0, |sums| sums.range(first..).map(|(_, sum)| sum).sum());
        let own = but.and_then(|id| self.rows.get(&id)).map(|(row, _)| row);
        let own = own.filter(|row| row.quarter() >= first && row.accounts().contains(&Some(account)));
        sum - own.map_or(0, |row| row.cost_micros)
    }

    /// Forgets rows that are older than every current day.
    pub fn forget_old(&mut self, now: DateTime<Utc>) {
        let oldest = quarter(now - KEPT);
        self.sums.retain(|_, sums| {
            *sums = sums.split_off(&oldest);
            !sums.is_empty()
        });
        self.rows.retain(|_, (_, until)| *until > now);
    }

    fn add(&mut self, accounts: [Option<Account>; 5], quarter: i64, micros: i64) {
        for account in accounts.into_iter().flatten().filter(|_| micros != 0) {
            *self.sums.entry(account).or_default().entry(quarter).or_default() += micros;
        }
    }
}

impl Counted {
    fn accounts(&self) -> [Option<Account>; 5] {
        accounts(self.workspace_id, self.profile_id, self.is_public, self.paid_by)
    }

    fn quarter(&self) -> i64 {
        quarter(self.at)
    }
}

impl SettledSum {
    fn accounts(&self) -> [Option<Account>; 5] {
        accounts(self.workspace_id, self.profile_id, self.is_public, self.paid_by)
    }
}

/// What a workspace pays itself, at prices that it says itself, counts for itself alone: otherwise one workspace could use up
/// what the server allows to all, or to a person elsewhere.
fn accounts(
    workspace: WorkspaceId,
    profile: Option<ProfileId>,
    is_public: bool,
    paid_by: PaidBy,
) -> [Option<Account>; 5] {
    let is_servers = paid_by == PaidBy::Server;
    [
        Some(Account::Workspace(workspace)),
        is_public.then_some(Account::Public(workspace)),
        is_servers.then_some(Account::Server),
        is_servers.then_some(Account::PaidFor(workspace)),
        profile.filter(|_| is_servers).map(Account::Person),
    ]
}

fn quarter(at: DateTime<Utc>) -> i64 {
    at.timestamp().div_euclid(QUARTER_SECONDS)
}

/// The oldest moment that a day under way may have begun at.
pub fn oldest_day_start(now: DateTime<Utc>) -> DateTime<Utc> {
    now - KEPT
}

/// The most that may be spent in a day, in millionths of a dollar, for the server as a whole and for each workspace and
/// person on it. `None`: no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpendCaps {
    pub server: Option<i64>,
    pub workspace: Option<i64>,
    pub person: Option<i64>,
}

/// Which limit is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// For guests and visitors of a workspace.
    Public,
    /// A workspace's own, set by its admins.
    Workspace,
    /// The server's, for each workspace.
    EachWorkspace,
    EachPerson,
    Server,
}

/// What one call is checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub cap: Cap,
    pub account: Account,
    pub cap_micros: i64,
    /// When the account's day began.
    pub since: DateTime<Utc>,
}

/// Who wants to call a model, and what holds for the workspace where it is called.
#[derive(Debug, Clone, Copy)]
pub struct Spender<'a> {
    pub workspace_id: WorkspaceId,
    pub time_zone: &'a str,
    /// The workspace's own cap.
    pub workspace_cap: Option<i64>,
    /// The cap for guests and visitors, where the caller is one.
    pub public_cap: Option<i64>,
    pub profile_id: Option<ProfileId>,
    pub paid_by: PaidBy,
}

impl SpendCaps {
    /// Every limit that holds for a call; the server's only where the server pays. The days of a workspace's own limits are its own; those of the server's are UTC's,
    /// so that nobody begins a day anew by moving to another time zone.
    pub fn limits(&self, spender: &Spender<'_>, now: DateTime<Utc>) -> Vec<Limit> {
        let here = day_start(now, spender.time_zone);
        let today = day_start(now, "UTC");
        let id = spender.workspace_id;
        let limit = |cap, account, micros: Option<i64>| {
            let since = if matches!(cap, Cap::Public | Cap::Workspace) { here } else { today };
            micros.map(|cap_micros| Limit { cap, account, cap_micros, since })
        };
        let person = spender.profile_id.map(Account::Person);
        let servers = |micros: Option<i64>| micros.filter(|_| spender.paid_by == PaidBy::Server);
        [
            limit(Cap::Public, Account::Public(id), spender.public_cap),
            person.and_then(|person| limit(Cap::EachPerson, person, servers(self.person))),
            limit(Cap::Workspace, Account::Workspace(id), spender.workspace_cap),
            limit(Cap::EachWorkspace, Account::PaidFor(id), servers(self.workspace)),
            limit(Cap::Server, Account::Server, servers(self.server)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests;
