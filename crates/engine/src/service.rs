//! The engine as the house uses it: send, retry, stop, decide, read. It owns the drivers of this node.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use baton_core::conversations::Conversation;
use baton_core::events::Cursor;
use baton_core::ids::{ConversationId, NodeId, TaskId, WorkspaceId};
use baton_core::log::{LoggedStep, Step};
use baton_core::models::Models;
use baton_core::store::{Error, Store};
use baton_core::tools::Toolbox;
use baton_core::turns::{Claimed, TurnRow};
use baton_core::visitors::Person;
use tokio::sync::{broadcast, watch};
use tokio::time::{Duration, Instant};

use crate::cast::Casting;
use crate::driver::Begins;
use crate::hub::{Hub, Live, lock};
use crate::listen::Pace;
use crate::notices::{Happened, Notice};
use crate::reader::{Reader, Until};

/// Whose conversation, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    pub id: ConversationId,
    pub workspace_id: WorkspaceId,
    pub person: Person,
    /// Nobody is told of what goes on in one: it is a part of another conversation's turn.
    pub is_subtask: bool,
}

impl Seat {
    pub fn of(conversation: &Conversation) -> Self {
        let Conversation { id, workspace_id, person, subtask, .. } = *conversation;
        Self { id, workspace_id, person, is_subtask: subtask.is_some() }
    }
}

pub struct Options {
    pub store: Arc<dyn Store>,
    pub toolbox: Arc<dyn Toolbox>,
    pub models: Arc<dyn Models>,
}

/// As whom this process acts. A driver keeps the name it began under, and stops when that is gone.
#[derive(Debug, Clone, Copy)]
struct Standing {
    node: NodeId,
    is_ending: bool,
}

#[derive(Clone)]
pub struct Engine(pub(crate) Arc<Inner>);

pub struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) casting: Casting,
    pub(crate) hub: Hub,
    standing: watch::Sender<Standing>,
    /// The turns this node drives, at which attempt, and how to tell each to stop.
    running: Mutex<HashMap<TaskId, (i32, watch::Sender<bool>)>>,
    /// Turns that are this node's by the database, or may be, and that nobody drives yet.
    left: Mutex<Vec<(Claimed, Begins)>>,
    /// Models without a price that ran under a spending limit; each is warned of once.
    unpriced: Mutex<HashSet<String>>,
    /// Turns that nobody drove when this node last looked.
    stranded: Mutex<Vec<Claimed>>,
    notices: broadcast::Sender<Notice>,
    pub(crate) pace: Pace,
    /// When the lease was last renewed, by this node's own clock.
    renewed: Mutex<Option<Instant>>,
    has_claimed: AtomicBool,
}

const NOTICES: usize = 1_024;
/// Before a lease runs out by the database's clock, its node has stopped by its own.
pub const HOLD: Duration = Duration::from_millis(2_500);
/// The attempt a turn begins with.
pub const FIRST: i32 = 1;

impl Engine {
    pub fn new(options: Options) -> Self {
        Self::with_pace(options, Pace::STEADY)
    }

    pub(crate) fn with_pace(options: Options, pace: Pace) -> Self {
        let Options { store, toolbox, models } = options;
        Self(Arc::new(Inner {
            casting: Casting::new(store.clone(), toolbox, models),
            store,
            hub: Hub::default(),
            standing: watch::channel(Standing { node: NodeId::new(), is_ending: false }).0,
            running: Mutex::default(),
            left: Mutex::default(),
            unpriced: Mutex::default(),
            stranded: Mutex::default(),
            notices: broadcast::channel(NOTICES).0,
            pace,
            renewed: Mutex::default(),
            has_claimed: AtomicBool::new(false),
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
    pub async fn cast(&self, role: crate::cast::Engagement) -> Result<Arc<crate::cast::Cast>, Error> {
        self.0.casting.cast(role).await
    }
}

impl Inner {
    pub fn node(&self) -> NodeId {
        self.standing.borrow().node
    }

    /// A node that lost its lease comes back as another: what it ran is anyone's to claim, its own too.
    pub fn renew_node(&self) {
        self.standing.send_modify(|standing| standing.node = NodeId::new());
    }

    pub fn set_ending(&self) {
        self.standing.send_modify(|standing| standing.is_ending = true);
    }

    pub fn is_ending(&self) -> bool {
        self.standing.borrow().is_ending
    }

    /// Whether what began under this name may go on. Asked just before each effect: another node may have taken over
    /// while this one slept.
    pub fn may_act(&self, node: NodeId) -> bool {
        let standing = *self.standing.borrow();
        let is_late = || lock(&self.renewed).is_some_and(|renewed| renewed.elapsed() > HOLD);
        !standing.is_ending && standing.node == node && (self.store.generation().is_some() || !is_late())
    }

    /// Whether the lease is good, so that what is claimed can be driven.
    pub fn may_claim(&self) -> bool {
        self.may_act(self.node())
    }

    pub fn has_renewed(&self, at: Instant) {
        *lock(&self.renewed) = Some(at);
    }

    pub fn has_claimed(&self) -> bool {
        self.has_claimed.load(Ordering::Acquire)
    }

    pub fn set_claimed(&self) {
        self.has_claimed.store(true, Ordering::Release);
    }

    /// Is done when it may not any more.
    pub async fn loses(&self, node: NodeId) {
        let mut standing = self.standing.subscribe();
        let _gone = standing.wait_for(|now| now.is_ending || now.node != node).await;
    }

    pub fn notify(&self, notice: Notice) {
        // Nobody may be listening.
        let _ = self.notices.send(notice);
    }

    /// Tells what other tabs and pages want to know of these steps.
    pub fn tell(&self, seat: &Seat, steps: &[LoggedStep]) {
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
            self.notify(Notice::for_person(seat, happened));
        }
    }

    pub fn stop_running(&self, task_id: TaskId) {
        if let Some((_, stop)) = lock(&self.running).get(&task_id) {
            stop.send_replace(true);
        }
    }

    /// A driver is done. One that came after it to the same turn stays.
    pub fn has_left(&self, task_id: TaskId, attempt: i32) {
        let mut running = lock(&self.running);
        if running.get(&task_id).is_some_and(|(at, _)| *at == attempt) {
            running.remove(&task_id);
        }
    }

    /// Notes that a turn runs here, unless it does already. What comes back tells the driver to stop, and ends when
    /// another takes its place.
    pub fn enters(&self, task_id: TaskId, attempt: i32) -> Option<watch::Receiver<bool>> {
        let mut running = lock(&self.running);
        if running.get(&task_id).is_some_and(|(at, _)| *at >= attempt) {
            return None;
        }
        let (stop, stopped) = watch::channel(false);
        running.insert(task_id, (attempt, stop));
        Some(stopped)
    }

    /// Those of this node's turns that nobody drives, now as when it last looked.
    pub fn stranded_again(&self, ours: Vec<Claimed>) -> Vec<Claimed> {
        let undriven: Vec<Claimed> = {
            let running = lock(&self.running);
            ours.into_iter().filter(|turn| !running.contains_key(&turn.task_id)).collect()
        };
        let before = std::mem::replace(&mut *lock(&self.stranded), undriven.clone());
        undriven.into_iter().filter(|turn| before.contains(turn)).collect()
    }

    pub fn warn_unpriced(&self, model: &str) {
        if lock(&self.unpriced).insert(model.to_owned()) {
            tracing::warn!(
                model,
                "a workspace has a spending limit, but this model has no price: its calls don't count"
            );
        }
    }

    /// Someone has to look at this turn again.
    pub fn leave(&self, claimed: Claimed, begins: Begins) {
        lock(&self.left).push((claimed, begins));
    }

    pub fn take_left(&self) -> Vec<(Claimed, Begins)> {
        std::mem::take(&mut *lock(&self.left))
    }
}

impl Engine {
    pub(crate) fn live(&self, id: ConversationId) -> Arc<Live> {
        self.0.hub.join(id)
    }
}

/// Does something to its end, even if whoever asked hangs up: what is stored must be told, and what is begun driven.
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
