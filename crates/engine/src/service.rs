//! The engine as the house uses it: send, retry, stop, decide, read. It owns the drivers of this node.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use baton_core::events::Cursor;
use baton_core::ids::{ConversationId, NodeId, TaskId, WorkspaceId};
use baton_core::log::{LoggedStep, Step};
use baton_core::models::Models;
use baton_core::store::{Error, Store};
use baton_core::tools::Toolbox;
use baton_core::turns::{Claimed, Loaded, TurnRow};
use baton_core::visitors::Person;
use tokio::sync::{broadcast, watch};
use tokio::time::{Duration, Instant};

use crate::cast::Casting;
use crate::driver::{Begins, Driver};
use crate::hub::{Hub, Live, lock};
use crate::notices::{Happened, Notice};
use crate::reader::{Reader, Until};
use crate::time::backoff;

/// Whose conversation, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    pub id: ConversationId,
    pub workspace_id: WorkspaceId,
    pub person: Person,
}

pub struct Options {
    pub store: Arc<dyn Store>,
    pub toolbox: Arc<dyn Toolbox>,
    pub models: Arc<dyn Models>,
}

#[derive(Clone)]
pub struct Engine(pub(crate) Arc<Inner>);

pub struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) casting: Casting,
    pub(crate) hub: Hub,
    node: RwLock<NodeId>,
    /// The turns this node drives, and how to tell each to stop.
    running: Mutex<HashMap<TaskId, watch::Sender<bool>>>,
    notices: broadcast::Sender<Notice>,
    /// Grows when every driver of this node has to leave: the lease ran out, or the server ends.
    halts: watch::Sender<u64>,
    /// True once this node takes nothing on any more.
    pub(crate) ended: watch::Sender<bool>,
    /// When the lease was last renewed, by this node's own clock.
    renewed: Mutex<Instant>,
}

const NOTICES: usize = 1_024;
/// Before a lease runs out by the database's clock, its node has stopped by its own.
pub const HOLD: Duration = Duration::from_millis(2_500);

impl Engine {
    pub fn new(options: Options) -> Self {
        let Options { store, toolbox, models } = options;
        Self(Arc::new(Inner {
            casting: Casting::new(store.clone(), toolbox, models),
            store,
            hub: Hub::default(),
            node: RwLock::new(NodeId::new()),
            running: Mutex::default(),
            notices: broadcast::channel(NOTICES).0,
            halts: watch::channel(0).0,
            ended: watch::channel(false).0,
            renewed: Mutex::new(Instant::now()),
        }))
    }

    /// What changes outside an open chat.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.0.notices.subscribe()
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
        }
        if let Some(live) = self.0.hub.find(id) {
            live.signal(crate::hub::Signal::Close);
        }
    }

    /// How many turns run on this node.
    pub fn running(&self) -> usize {
        lock(&self.0.running).len()
    }

    /// An agent as its turns see it.
    pub async fn cast(&self, id: baton_core::ids::AgentId) -> Result<Arc<crate::cast::Cast>, Error> {
        self.0.casting.cast(id).await
    }
}

impl Inner {
    pub fn node(&self) -> NodeId {
        *self.node.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A node that lost its lease comes back as another: what it ran is anyone's to claim, its own too.
    pub fn renew_node(&self) {
        *self.node.write().unwrap_or_else(PoisonError::into_inner) = NodeId::new();
    }

    /// Changes when whoever asked now has to leave.
    pub fn halts(&self) -> watch::Receiver<u64> {
        self.halts.subscribe()
    }

    pub fn halt(&self) {
        self.halts.send_modify(|halts| *halts += 1);
    }

    pub fn has_renewed(&self, at: Instant) {
        *lock(&self.renewed) = at;
    }

    /// Whether effects may still go out: not if another node may have taken over by now. Asked just before each.
    pub fn may_act(&self) -> bool {
        self.store.generation().is_some() || lock(&self.renewed).elapsed() < HOLD
    }

    pub fn notify(&self, notice: Notice) {
        // Nobody may be listening.
        let _ = self.notices.send(notice);
    }

    /// Tells what other tabs and pages want to know of these steps.
    pub fn tell(&self, seat: &Seat, steps: &[LoggedStep]) {
        for logged in steps {
            let (Some(task_id), id) = (logged.task_id, seat.id) else { continue };
            let happened = match &logged.step {
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
                    Happened::TurnEnded { conversation_id: id, session_id: task_id, status: *status }
                }
                _ => continue,
            };
            self.notify(Notice::for_person(seat, happened));
        }
    }

    pub fn stop_running(&self, task_id: TaskId) {
        if let Some(stop) = lock(&self.running).get(&task_id) {
            stop.send_replace(true);
        }
    }

    pub fn has_left(&self, task_id: TaskId) {
        lock(&self.running).remove(&task_id);
    }

    /// Notes that a turn runs here; what comes back tells the driver to stop.
    pub fn enters(&self, task_id: TaskId) -> watch::Receiver<bool> {
        let (stop, stopped) = watch::channel(false);
        lock(&self.running).insert(task_id, stop);
        stopped
    }
}

impl Engine {
    /// Goes on with a turn that is this node's by the database. It tries until it can: nobody else would.
    pub(crate) fn go_on(&self, claimed: Claimed, begins: Begins) {
        let engine = self.clone();
        tokio::spawn(async move {
            let mut tries = 0;
            loop {
                match engine.try_go_on(claimed, begins).await {
                    Ok(()) | Err(Error::NotFound(_)) => return,
                    Err(error) => {
                        tracing::error!(%error, conversation = %claimed.conversation_id, "could not go on with a turn");
                        backoff(tries).await;
                        tries += 1;
                    }
                }
            }
        });
    }

    async fn try_go_on(&self, claimed: Claimed, begins: Begins) -> Result<(), Error> {
        let loaded = self.0.store.load(claimed.conversation_id).await?;
        let Some(turn) = loaded.turn.filter(|turn| turn.task_id == claimed.task_id) else { return Ok(()) };
        if turn.owner != Some(self.0.node()) {
            return Ok(());
        }
        let cast = self.0.casting.cast(speaking(&loaded, turn.task_id)).await?;
        let Loaded { conversation, steps, is_cut, checkpoint, allowed, .. } = loaded;
        let seat = Seat {
            id: conversation.id,
            workspace_id: conversation.workspace_id,
            person: conversation.person,
        };
        let agent_id = cast.agent.id;
        let driver = Driver {
            engine: self.0.clone(),
            live: self.0.hub.join(seat.id),
            seat,
            task_id: turn.task_id,
            attempt: turn.attempt,
            tries: turn.tries,
            last_seq: conversation.last_seq,
            context: crate::send::turn_context(&steps, turn.task_id),
            log: steps,
            log_is_cut: is_cut,
            allowed: allowed
                .into_iter()
                .filter(|(agent, _)| *agent == agent_id)
                .map(|(_, tool)| tool)
                .collect(),
            checkpoint,
            begins,
            halt: self.0.halts(),
            stop: self.0.enters(turn.task_id),
            stop_seen: turn.stop_requested,
            cast,
        };
        tokio::spawn(driver.drive());
        Ok(())
    }

    pub(crate) fn live(&self, id: ConversationId) -> Arc<Live> {
        self.0.hub.join(id)
    }
}

/// The agent that speaks in a turn: whoever its last step names.
fn speaking(loaded: &Loaded, task_id: TaskId) -> baton_core::ids::AgentId {
    let last = loaded.steps.iter().rev().find(|logged| logged.task_id == Some(task_id));
    last.map_or(loaded.holder, |logged| logged.agent_id)
}
