//! The engine as the server uses it: send, retry, stop, decide, read. It owns the drivers of this node.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use baton_core::bus::{Bus, Hint};
use baton_core::channels;
use baton_core::conversations::Conversation;
use baton_core::data::rows::kinds_changed;
use baton_core::events::Cursor;
use baton_core::ids::{ConversationId, NodeId, TaskId, WorkspaceId};
use baton_core::log::{LoggedStep, Step};
use baton_core::models::WorkspaceModels;
use baton_core::notices::{Audience, Happened, Notice};
use baton_core::result_files::Room;
use baton_core::store::{EngineStore, Error};
use baton_core::tools::Toolbox;
use baton_core::turns::{Claimed, TurnRow};
use baton_core::visitors::Person;
use serde_json::Value;
use tokio::sync::{broadcast, watch};

use crate::agent::loader::AgentLoader;
use crate::clock::WallClock;
use crate::lock::lock;
use crate::node::kept_logs::KeptLogs;
use crate::node::owed_stops::OwedStops;
use crate::node::pace::Pace;
use crate::node::rounds::Rounds;
use crate::node::running::Begins;
use crate::node::running::Running;
use crate::node::spending::{KnownSpending, SpendingRules};
use crate::node::state::{LastTry, LeftName, NodeState, Phase, Renewal};
use crate::node::turn_permits::{TurnLimits, TurnPermits};
use crate::stream::hub::{Hub, Live, Signal};
use crate::stream::news::{News, Newsroom};
use crate::stream::reader::{Reader, Until};

/// A conversation with its person and its workspace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    pub id: ConversationId,
    pub workspace_id: WorkspaceId,
    pub person: Person,
    /// The conversation of a subtask. Its notices are not sent: it is a part of another conversation's turn.
    pub is_subtask: bool,
}

impl Seat {
    pub fn of(conversation: &Conversation) -> Self {
        let Conversation { id, workspace_id, person, subtask, .. } = *conversation;
        Self { id, workspace_id, person, is_subtask: subtask.is_some() }
    }

    /// A notice for the conversation's own person.
    pub fn notice(&self, happened: Happened) -> Notice {
        Notice { workspace_id: self.workspace_id, audience: Audience::Person(self.person), happened }
    }
}

pub struct Options {
    pub store: Arc<dyn EngineStore>,
    pub toolbox: Arc<dyn Toolbox>,
    pub models: Arc<dyn WorkspaceModels>,
    pub bus: Arc<dyn Bus>,
    /// For what tools' answers hold beside what models are given.
    pub room: Arc<dyn Room>,
}

/// The limits on the turns of this node.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub turns: TurnLimits,
    pub spending: SpendingRules,
}

#[derive(Clone)]
pub struct Engine(pub(crate) Arc<Inner>);

pub struct Inner {
    pub(crate) store: Arc<dyn EngineStore>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) room: Arc<dyn Room>,
    pub(crate) agents: AgentLoader,
    pub(crate) hub: Hub,
    pub(crate) state: watch::Sender<NodeState>,
    /// The turns this node drives.
    pub(crate) running: Mutex<HashMap<TaskId, Running>>,
    pub(crate) turn_permits: TurnPermits,
    pub(crate) spending: KnownSpending,
    pub(crate) kept: KeptLogs,
    pub(crate) owed_stops: OwedStops,
    /// Turns that are this node's by the database, or may be, and that nobody drives yet.
    pub(crate) left: Mutex<VecDeque<(Claimed, Begins)>>,
    /// Turns of which a batch is about to be taken up.
    pub(crate) taking_up: Mutex<HashSet<TaskId>>,
    /// Models without a price that ran under a spending limit; each is warned of once.
    unpriced: Mutex<HashSet<String>>,
    /// Turns that nobody drove when this node last looked.
    pub(crate) stranded: Mutex<Vec<Claimed>>,
    pub(crate) news: Newsroom,
    pub(crate) pace: Pace,
    pub(crate) wall_clock: WallClock,
    /// The last renewal of the lease that came through.
    pub(crate) renewed: watch::Sender<Option<Renewal>>,
    /// Held while a renewal is under way. Whether the last one came through.
    pub(crate) renewing: tokio::sync::Mutex<LastTry>,
    /// Names this process went under before, whose leases are still to be ended.
    pub(crate) left_names: Mutex<Vec<LeftName>>,
    /// Whether a renewal failed since the last that came through.
    pub(crate) renewal_failed: AtomicBool,
    pub(crate) rounds: Rounds,
    pub(crate) has_claimed: AtomicBool,
}

impl Engine {
    pub fn new(options: Options, limits: Limits) -> Self {
        Self::with_clock(options, Pace::STEADY, limits, Arc::new(SystemTime::now))
    }

    #[cfg(test)]
    pub(crate) fn with_pace(options: Options, pace: Pace, wall_clock: WallClock) -> Self {
        let limits = Limits { turns: TurnLimits::NONE, spending: SpendingRules::default() };
        Self::with_clock(options, pace, limits, wall_clock)
    }

    fn with_clock(options: Options, pace: Pace, limits: Limits, wall_clock: WallClock) -> Self {
        let Options { store, toolbox, models, bus, room } = options;
        Self(Arc::new(Inner {
            agents: AgentLoader::new(store.clone(), toolbox, models),
            store,
            bus,
            room,
            hub: Hub::default(),
            state: watch::channel(NodeState { node: NodeId::new(), phase: Phase::Serving }).0,
            running: Mutex::default(),
            turn_permits: TurnPermits::new(limits.turns),
            spending: KnownSpending::new(limits.spending),
            kept: KeptLogs::default(),
            owed_stops: OwedStops::default(),
            left: Mutex::default(),
            taking_up: Mutex::default(),
            unpriced: Mutex::default(),
            stranded: Mutex::default(),
            news: Newsroom::default(),
            pace,
            wall_clock,
            renewed: watch::channel(None).0,
            renewing: tokio::sync::Mutex::default(),
            left_names: Mutex::default(),
            renewal_failed: AtomicBool::new(false),
            rounds: Rounds::default(),
            has_claimed: AtomicBool::new(false),
        }))
    }

    /// What changes in a workspace outside an open chat.
    pub fn news(&self, workspace: WorkspaceId) -> broadcast::Receiver<News> {
        self.0.news.listen(workspace)
    }

    /// The number of changes that were made by a moment ago; none where that isn't known.
    pub fn changes(&self) -> Option<u64> {
        let heard = || self.0.store.last_generation().filter(|_| self.0.holds_lease());
        self.0.store.generation().or_else(heard)
    }

    pub fn notify(&self, notice: Notice) {
        self.0.notify(notice);
    }

    /// A stream from a cursor on, open across turns.
    pub fn read(&self, id: ConversationId, cursor: Cursor) -> Reader {
        Reader::new(self.0.hub.join(id), self.steps(), cursor, Until::Closed)
    }

    pub(crate) fn steps(&self) -> Arc<dyn baton_core::store::Steps> {
        self.0.store.clone()
    }

    /// A conversation was deleted: its turn ends here, its streams close.
    pub async fn close(&self, id: ConversationId, turn: Option<TurnRow>) {
        if let Some(turn) = turn {
            self.0.stop_running(turn.task_id);
            self.0.bus.tell(Hint::Stopped(turn.task_id));
        }
        self.0.has_deleted(id);
        self.0.bus.tell(Hint::Deleted(id));
    }

    /// A workspace or an account was deleted: nothing of its conversations is kept.
    pub fn forget_logs(&self) {
        self.0.kept.forget_all();
    }

    /// How many turns run on this node.
    pub fn running(&self) -> usize {
        lock(&self.0.running).len()
    }

    /// An agent as its turns see it.
    pub async fn ready_agent(
        &self,
        assignment: crate::agent::ready::Assignment,
    ) -> Result<Arc<crate::agent::ready::ReadyAgent>, Error> {
        self.0.agents.load(assignment).await
    }
}

impl Inner {
    /// Tells the streams of this node, and those of others.
    pub fn notify(&self, notice: Notice) {
        self.bus.tell(Hint::Notice(notice.clone()));
        self.news.report(notice);
    }

    /// A conversation was deleted: nothing of it is kept, and its streams close.
    pub fn has_deleted(&self, id: ConversationId) {
        self.kept.has_deleted(id);
        if let Some(live) = self.hub.find(id) {
            live.signal(Signal::Close);
        }
    }

    /// Tells what other tabs and pages want to know of these steps, and other nodes that they are there.
    pub fn tell(&self, seat: &Seat, steps: &[LoggedStep]) {
        for logged in steps {
            // Of subtasks too: their agents change the same data.
            let Step::ToolResult(told) = &logged.step else { continue };
            self.tell_outcome(seat.workspace_id, &told.result);
        }
        for logged in steps.iter().filter(|_| !seat.is_subtask) {
            let id = seat.id;
            let happened = match &logged.step {
                Step::Handoff(handoff) => Happened::Switched {
                    conversation_id: id,
                    from: handoff.from,
                    to: handoff.to,
                    to_name: handoff.to_name.clone(),
                    trigger: handoff.trigger,
                    epoch: handoff.epoch,
                },
                Step::Switched(switched) => Happened::Switched {
                    conversation_id: id,
                    from: switched.from,
                    to: switched.to,
                    to_name: switched.to_name.clone(),
                    trigger: switched.by,
                    epoch: switched.epoch,
                },
                Step::ApprovalAsked { approval_id, tool_name, .. } => Happened::ApprovalRequired {
                    conversation_id: id,
                    approval_id: *approval_id,
                    agent_id: logged.agent_id,
                    tool_name: tool_name.clone(),
                },
                Step::ApprovalResolved { approval_id, decision, .. } => Happened::ApprovalResolved {
                    conversation_id: id,
                    approval_id: *approval_id,
                    decision: *decision,
                },
                Step::Done { status, .. } => {
                    let Some(session_id) = logged.task_id else { continue };
                    Happened::TurnEnded { conversation_id: id, session_id, status: *status }
                }
                _ => continue,
            };
            self.notify(seat.notice(happened));
        }
        if let Some(last) = steps.last() {
            self.bus.tell(Hint::Stored { conversation_id: seat.id, seq: last.seq });
        }
    }

    /// Tells who looks at what a tool changed, by the outcome of its call.
    pub fn tell_outcome(&self, workspace: WorkspaceId, outcome: &Value) {
        for kind in kinds_changed(outcome) {
            self.notify(Notice::data_changed(workspace, kind));
        }
        for notice in channels::notices(workspace, outcome) {
            self.notify(notice);
        }
    }

    pub fn warn_unpriced(&self, model: &str) {
        if lock(&self.unpriced).insert(model.to_owned()) {
            tracing::warn!(
                model,
                "a workspace has a spending limit, but this model has no price: its calls don't count"
            );
        }
    }
}

impl Engine {
    pub(crate) fn live(&self, id: ConversationId) -> Arc<Live> {
        self.0.hub.join(id)
    }
}

/// Runs a future to its end, even if its caller disconnects: readers must be told what is stored, and a turn that
/// began must be driven.
pub async fn whole<T, E>(work: impl Future<Output = Result<T, E>> + Send + 'static) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    match tokio::spawn(work).await {
        Ok(outcome) => outcome,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The server is going down.
        Err(_) => Err(Error::Unavailable.into()),
    }
}
