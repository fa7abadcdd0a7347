//! What a simulation needs of its database, so that the same acts and the same checks run on the store in memory, on real
//! SQLite and on real Postgres.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use baton_core::bus::{Alone, Bus};
use baton_core::ids::{AgentId, ConversationId, NodeId, ProfileId, TeamId, WorkspaceId};
use baton_core::store::EngineStore;
use fastrand::Rng;
use tokio::runtime::{Builder, Runtime};

use super::memory_rows::Row;
use super::memory_store::MemoryStore;
use crate::node::pace::Pace;
use crate::node::pace::WatchPace;

pub trait Backend: Send + Sync {
    fn tick(&self) -> Tick;

    /// A node's own way to the database, in its runtime; a node of this place that was there before is gone.
    fn open(&self, place: usize, runtime: &Runtime) -> (Arc<dyn EngineStore>, Arc<dyn Bus>);

    fn conversations(&self) -> Vec<ConversationId>;

    /// A conversation and all that belongs to it, as one look finds it.
    fn row(&self, id: ConversationId) -> Row;

    fn last_seq(&self, id: ConversationId) -> i64;

    /// The lease of a node has run out; it may not know.
    fn expire(&self, node: NodeId);

    fn revive(&self, node: NodeId);

    /// Someone changes an agent, a rule, a person: what nodes keep of them is out of date, and they don't know.
    fn change_house(&self);

    /// Something breaks between a node and its database, or is mended.
    fn trouble(&self, place: usize, dice: &mut Rng);

    /// Nothing fails any more.
    fn calm(&self);

    fn is_calm(&self) -> bool;

    /// Notes what was done or broken, for whoever reads of a failure.
    fn note(&self, what: &str);

    /// Nothing was changed that no log tells of.
    fn check_rest(&self, rows: &[Row]);
}

/// Who is there.
#[derive(Clone, Copy)]
pub struct Cast {
    pub workspace: WorkspaceId,
    pub profile: ProfileId,
    pub agents: [AgentId; 3],
    pub team: Option<TeamId>,
}

/// How time goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tick {
    /// Only when the dice let a node run.
    Turns,
    /// By itself.
    Milliseconds,
}

impl Tick {
    /// Lets others run for so long; `usize::MAX` is for ever.
    pub async fn times(self, count: usize) {
        match self {
            _ if count == usize::MAX => std::future::pending().await,
            Self::Turns => {
                for _ in 0..count {
                    tokio::task::yield_now().await;
                }
            }
            Self::Milliseconds => tokio::time::sleep(Duration::from_millis(count as u64)).await,
        }
    }

    pub fn runtime(self) -> Runtime {
        let runtime = match self {
            Self::Turns => Builder::new_current_thread().enable_time().event_interval(1).build(),
            Self::Milliseconds => Builder::new_multi_thread().worker_threads(1).enable_all().build(),
        };
        runtime.expect("a runtime")
    }

    pub fn pace(self) -> Pace {
        match self {
            Self::Turns => Pace::HASTY,
            Self::Milliseconds => Pace {
                pieces: Duration::from_millis(1),
                checkpoints: Duration::from_millis(20),
                backoff: Duration::from_millis(5),
                // What was left is found soon; a lease lasts as long as it does in earnest.
                watch: WatchPace {
                    renew: Duration::from_millis(250),
                    look: Duration::from_millis(400),
                    ..WatchPace::STEADY
                },
            },
        }
    }
}

impl Backend for MemoryStoreBackend {
    fn tick(&self) -> Tick {
        Tick::Turns
    }

    fn open(&self, _: usize, _: &Runtime) -> (Arc<dyn EngineStore>, Arc<dyn Bus>) {
        (self.0.clone(), Arc::new(Alone))
    }

    fn conversations(&self) -> Vec<ConversationId> {
        self.0.conversations()
    }

    fn row(&self, id: ConversationId) -> Row {
        self.0.row(id)
    }

    fn last_seq(&self, id: ConversationId) -> i64 {
        self.0.last_seq(id)
    }

    fn expire(&self, node: NodeId) {
        self.0.expire(node);
    }

    fn revive(&self, node: NodeId) {
        self.0.revive(node);
    }

    fn change_house(&self) {
        self.0.change_house(|_| {});
    }

    fn trouble(&self, _: usize, _: &mut Rng) {}

    fn calm(&self) {
        self.0.is_calm.store(true, Ordering::Relaxed);
    }

    fn is_calm(&self) -> bool {
        self.0.is_calm.load(Ordering::Relaxed)
    }

    /// A seed plays the same again.
    fn note(&self, _: &str) {}

    fn check_rest(&self, _: &[Row]) {}
}

/// The store in memory; it loses answers by itself.
pub struct MemoryStoreBackend(pub Arc<MemoryStore>);
