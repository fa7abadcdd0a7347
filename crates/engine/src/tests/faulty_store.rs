//! A real store that loses answers: before the store received a call, or after it did what was asked; at once or after
//! a long silence. Some answers come late.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::allow_rules::AllowRule;
use baton_core::attachments::{Attachment, AttachmentRef};
use baton_core::data::areas::Areas;
use baton_core::data::rows::Once;
use baton_core::defined_tools::DefinedTool;
use baton_core::effects::Effect;
use baton_core::handoffs::{Activation, NewTransition, Snapshot};
use baton_core::ids::*;
use baton_core::log::LoggedStep;
use baton_core::memories::MemoryWrite;
use baton_core::people::Profile;
use baton_core::result_files::NewResultFiles;
use baton_core::rules::Rule;
use baton_core::spending::{SpendingChanges, SpentLately, UsageRow};
use baton_core::store::{Effects, EngineStore, Error, Result, Spending, Steps, StepsPage, Turns, Written};
use baton_core::teams::Team;
use baton_core::turns::*;
use baton_core::visitors::Person;
use baton_core::workspaces::{Role, Workspace};
use baton_store::SqlStore;
use chrono::{DateTime, Utc};
use fastrand::Rng;
use serde_json::Value;

use crate::lock::lock;

/// What may become of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The store never hears of it.
    LostBefore,
    /// It is done, and nobody is told.
    LostAfter,
    SilentBefore,
    SilentAfter,
    Late,
}

/// What happened, and when; told if the test fails.
pub struct Notes {
    begun: Instant,
    notes: Mutex<Vec<String>>,
}

impl Default for Notes {
    fn default() -> Self {
        Self { begun: Instant::now(), notes: Mutex::default() }
    }
}

impl Notes {
    pub fn add(&self, what: &str) {
        lock(&self.notes).push(format!("{:>6} ms  {what}", self.begun.elapsed().as_millis()));
    }

    pub fn print(&self) {
        lock(&self.notes).iter().for_each(|note| eprintln!("{note}"));
    }
}

const SILENCE: Duration = Duration::from_millis(250);
const LATE: Duration = Duration::from_millis(15);

pub struct Faults {
    dice: Mutex<Rng>,
    /// One call in so many.
    one_in: u8,
    pub is_calm: AtomicBool,
    notes: Arc<Notes>,
}

impl Faults {
    pub fn new(mut dice: Rng, notes: Arc<Notes>) -> Self {
        let one_in = *dice.choice(&[6, 12, 40]).expect("a number");
        Self { dice: Mutex::new(dice), one_in, is_calm: AtomicBool::new(false), notes }
    }

    fn next(&self, call: &'static str) -> Option<Fault> {
        let mut dice = lock(&self.dice);
        if self.is_calm.load(Ordering::Relaxed) || dice.u8(..self.one_in) > 0 {
            return None;
        }
        let fault = match dice.u8(..12) {
            0..=2 => Fault::LostBefore,
            3..=6 => Fault::LostAfter,
            7 => Fault::SilentBefore,
            8 => Fault::SilentAfter,
            _ => Fault::Late,
        };
        self.notes.add(&format!("{call}: {fault:?}"));
        Some(fault)
    }
}

pub struct FaultyStore {
    pub inner: SqlStore,
    pub faults: Arc<Faults>,
}

impl FaultyStore {
    async fn through<T, E: From<Error>>(
        &self,
        name: &'static str,
        call: impl Future<Output = std::result::Result<T, E>>,
    ) -> std::result::Result<T, E> {
        match self.faults.next(name) {
            None => return call.await,
            Some(Fault::Late) => {
                tokio::time::sleep(LATE).await;
                return call.await;
            }
            Some(Fault::LostBefore) => {}
            Some(Fault::LostAfter) => drop(call.await),
            Some(Fault::SilentBefore) => tokio::time::sleep(SILENCE).await,
            Some(Fault::SilentAfter) => {
                drop(call.await);
                tokio::time::sleep(SILENCE).await;
            }
        }
        Err(Error::Unavailable.into())
    }
}

/// Implements a trait by passing each call on, as far as faults let it.
macro_rules! passed {
    ($trait:ident { $($here:tt)* } $(fn $name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        #[async_trait]
        impl $trait for FaultyStore {
            $($here)*
            $(async fn $name(&self, $($arg: $type),*) -> $out {
                self.through(stringify!($name), $trait::$name(&self.inner, $($arg),*)).await
            })*
        }
    };
}

type Answer<T> = std::result::Result<T, Refused>;

passed! { Turns {}
    fn load(id: ConversationId) -> Result<Loaded>;
    fn load_since(id: ConversationId, seq: i64) -> Result<Option<Since>>;
    fn find_request(person: Person, key: &str, at: DateTime<Utc>) -> Result<Option<KeptRequest>>;
    fn commit(commit: &Commit) -> Answer<Committed>;
    fn checkpoint(checkpoint: Checkpoint) -> Answer<()>;
    fn renew_lease(node: NodeId) -> Result<LeaseBefore>;
    fn end_lease(node: NodeId) -> Result<()>;
    fn drop_lease(node: NodeId) -> Result<()>;
    fn claim_turns(node: NodeId) -> Result<Vec<Claimed>>;
    fn claim_again(node: NodeId, turn: Claimed) -> Result<bool>;
    fn turns_of(node: NodeId) -> Result<Vec<Claimed>>;
    fn request_stop(id: ConversationId, only: Option<TaskId>, at: DateTime<Utc>) -> Result<Option<TurnRow>>;
    fn stops_requested(node: NodeId) -> Result<Vec<TaskId>>;
}

passed! { Spending {}
    fn spent_lately(since: DateTime<Utc>) -> Result<SpentLately>;
    fn spending_changes(node: NodeId, since: DateTime<Utc>) -> Result<SpendingChanges>;
    fn open_usage(of: (ConversationId, WorkspaceId), since: DateTime<Utc>) -> Result<Vec<UsageRow>>;
    fn settle(of: ConversationId, rows: &[UsageRow]) -> Result<Vec<UsageRow>>;
}

passed! { Effects {}
    fn effects(conversation: ConversationId, calls: &[i64]) -> Result<Vec<(i64, Value)>>;
    fn done_before(once: &Once) -> Result<Option<Value>>;
    fn write_memory(effect: &Effect, write: MemoryWrite) -> Written;
}

passed! { Steps {}
    fn steps_after(id: ConversationId, seq: i64, limit: u64) -> Result<Vec<LoggedStep>>;
    fn steps_page(id: ConversationId, seq: i64) -> Result<StepsPage>;
    fn open_call(id: ConversationId, seq: i64) -> Result<Option<LoggedStep>>;
    fn step(id: ConversationId, seq: i64) -> Result<Option<LoggedStep>>;
    fn turn(id: ConversationId) -> Result<Option<TurnRow>>;
    fn last_seqs(ids: Vec<ConversationId>) -> Result<Vec<(ConversationId, i64)>>;
}

passed! { EngineStore {
        fn generation(&self) -> Option<u64> {
            EngineStore::generation(&self.inner)
        }

        fn last_generation(&self) -> Option<u64> {
            EngineStore::last_generation(&self.inner)
        }
    }
    fn profile(id: ProfileId) -> Result<Profile>;
    fn workspace(id: WorkspaceId) -> Result<Workspace>;
    fn role(id: WorkspaceId, profile: ProfileId) -> Result<Option<Role>>;
    fn areas(id: WorkspaceId, profile: ProfileId) -> Result<Areas>;
    fn agent(id: AgentId) -> Result<Agent>;
    fn team(id: TeamId) -> Result<Team>;
    fn rules_of(agent: Option<AgentId>, catalog_agent: Option<CatalogAgentId>) -> Result<Vec<Rule>>;
    fn allow_rules(agent: AgentId) -> Result<Vec<AllowRule>>;
    fn tools(workspace: WorkspaceId) -> Result<Vec<DefinedTool>>;
    fn attachments(ids: &[FileId], person: Person, most: usize) -> Result<Vec<Attachment>>;
    fn keep_result_files(new: &NewResultFiles) -> Result<Vec<AttachmentRef>>;
    fn hired(workspace: WorkspaceId) -> Result<Vec<Agent>>;
    fn active(id: ConversationId) -> Result<Option<(Activation, i64)>>;
    fn record_attempt(id: ConversationId, attempt: NewTransition) -> Result<()>;
    fn snapshots(id: ConversationId) -> Result<Vec<Snapshot>>;
    fn decide(decide: Decide) -> Answer<Decided>;
    fn remembered(conversation: ConversationId, agent: AgentId) -> Result<Vec<String>>;
    fn overdue_approvals(now: DateTime<Utc>) -> Result<Vec<ApprovalId>>;
}
