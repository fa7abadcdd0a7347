//! Drives a turn: asks `run` what is next, does it, commits the outcome, then tells readers, and asks again.
//!
//! Steps are collected in a draft and applied to the turn at once, so that the next decision can be part of the same
//! commit. A tool or a model is called only after the step that asks for it is stored.

mod alone;
pub mod call_steps;
mod commit;
mod finish;
mod handoff;
mod listen;
mod model_call;
mod outage;
mod progress;
mod reservations;
mod resume;
mod route;
mod snapshots;
mod subtask_wait;
mod subtasks;
mod tool_calls;
mod tools;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use baton_core::agents::PermissionMode;
use baton_core::allow_rules::AllowRule;
use baton_core::approvals::NewApproval;
use baton_core::handoffs::{Activation, NewHandoff, NewSnapshot, NewTransition, Refusal, active};
use baton_core::ids::{ConversationId, FileId, NodeId, TaskId, TransitionId};
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::models::{PaidBy, Resolved};
use baton_core::server_tools::Level;
use baton_core::spending::{Cap, Spender, UsageRow};
use baton_core::subtasks::{NewSubtask, Subtask};
use baton_core::tape::Tape;
use baton_core::teams::TeamKind;
use baton_core::turns::{After, MessageWrite, ResolvedApproval};
use serde_json::{Map, Value};
use tokio::sync::{OnceCell, watch};

use crate::agent::ready::{Assignment, ReadyAgent};
use crate::clock::now;
use crate::handoff::plan::stuck_stage;
use crate::node::engine::{Inner, Seat};
use crate::node::kept_logs::KeptLog;
use crate::node::running::Begins;
use crate::node::turn_permits::TurnPermit;
use crate::prompt::scope::{Scope, scope};
use crate::prompt::view::FileContent;
use crate::stream::hub::{Driven, Live, Signal};
use crate::turn::ending::Cause;
use crate::turn::run::{Facts, Next, run};
use crate::turn::state::Turn;

pub struct Driver {
    pub engine: Arc<Inner>,
    pub live: Arc<Live>,
    pub seat: Seat,
    /// The name this driver acts under.
    pub node: NodeId,
    /// Where the agents of this conversation work, and for whom.
    pub assignment: Assignment,
    pub ready: Arc<ReadyAgent>,
    /// Who held the conversation when, oldest first.
    pub activations: Vec<Activation>,
    pub epoch: i64,
    /// Results of stages, the newest of each, in the order they were completed.
    pub snapshots: Vec<(String, Value)>,
    pub task_id: TaskId,
    pub attempt: i32,
    pub tries: i32,
    pub last_seq: i64,
    /// All that is stored, as far as models may be shown it.
    pub log: Vec<LoggedStep>,
    pub log_is_cut: bool,
    /// A person gave the conversation to another agent meanwhile: `activations` is as it was before.
    pub holder_changed: bool,
    pub checkpoint: Option<(i64, Tape)>,
    /// Rows of model calls that are stored and not settled, whoever opened them.
    pub reserved: Vec<UsageRow>,
    /// What this turn's model calls are told besides.
    pub context: Option<String>,
    /// Set if another agent asked for this turn.
    pub subtask: Option<Subtask>,
    pub begins: Begins,
    pub stop: watch::Receiver<bool>,
    pub stop_seen: bool,
}

/// A commit that the database refuses this often is given up. A database that is only away is waited for.
const STORE_TRIES: u32 = 8;

/// What an agent is told whose stage was completed when the next could not begin.
const STUCK: &str = "You have completed your stage and its result is kept, but the next stage could not begin then. If the \
    person wants to go on, call complete_stage again with the same result.";

/// The turn is no longer this driver's. Everything is dropped, quietly.
pub struct Gone;

#[derive(Debug, Clone, Default)]
struct Draft {
    steps: Vec<NewStep>,
    /// What calls noted, in their order.
    notes: Vec<Map<String, Value>>,
    approvals: Vec<NewApproval>,
    resolved: Vec<ResolvedApproval>,
    usage: Vec<UsageRow>,
    /// Messages besides the one being written.
    messages: Vec<MessageWrite>,
    snapshot: Option<NewSnapshot>,
    handoff: Option<NewHandoff>,
    transitions: Vec<NewTransition>,
    rolled_back: Option<TransitionId>,
    subtask: Option<NewSubtask>,
    /// Subtasks nobody waits for any more.
    stops: Vec<ConversationId>,
    /// The agent that it hands to was read at this number of changes.
    known: Option<u64>,
    /// A step of an earlier try was stored.
    progressed: bool,
}

enum CommitOutcome {
    Stored,
    /// Others added to the log: decide again.
    Moved,
    /// The target of the draft's handoff was refused.
    Refused(Refusal),
}

struct Work {
    driver: Driver,
    /// The turn with the draft applied, and without.
    turn: Turn,
    stored: Turn,
    draft: Draft,
    /// Whether the open call, if there is one, is this driver's own.
    has_opened: bool,
    files: OnceCell<HashMap<FileId, FileContent>>,
    taken_over: bool,
    /// A draft could not be stored, however often it was tried.
    unstorable: bool,
    /// How often a commit was refused lately without anything new in the log.
    vain: u32,
    /// The router's reservation, if the commit that stores it was sent and not answered.
    maybe_reserved: Option<UsageRow>,
    /// Handoffs and subtasks that were refused, by their call.
    refused: HashMap<String, Refusal>,
    /// A kept agent turned out to be outdated: from now on agents are read from the database.
    reads_agents: bool,
    /// When the last reply was there.
    replied_at: Instant,
}

/// Frees the turn when its driver ends, however it ends, a panic included.
struct Leaves {
    engine: Arc<Inner>,
    task_id: TaskId,
    attempt: i32,
    _permit: TurnPermit,
    _driven: Driven,
}

impl Drop for Leaves {
    fn drop(&mut self) {
        self.engine.has_left(self.task_id, self.attempt);
    }
}

impl Driver {
    /// The driver counts as running from this call on, and not only when its future is first polled.
    pub fn drive(self, permit: TurnPermit) -> impl Future<Output = ()> + Send {
        let leaves = Leaves {
            engine: self.engine.clone(),
            task_id: self.task_id,
            attempt: self.attempt,
            _permit: permit,
            _driven: self.live.driven(),
        };
        self.drive_until(leaves)
    }

    async fn drive_until(mut self, _leaves: Leaves) {
        if self.is_stuck() {
            self.context.get_or_insert_default().push_str(STUCK);
        }
        let mut turn = Turn::of(self.task_id, &self.log);
        if self.begins == Begins::TakenOver {
            turn.assume_begun();
        }
        let work = Work {
            has_opened: self.begins == Begins::Accepted,
            taken_over: self.begins == Begins::TakenOver,
            unstorable: false,
            vain: 0,
            maybe_reserved: None,
            refused: HashMap::new(),
            reads_agents: false,
            replied_at: Instant::now(),
            stored: turn.clone(),
            turn,
            draft: Draft::default(),
            files: OnceCell::new(),
            driver: self,
        };
        let (engine, live, node) = (work.driver.engine.clone(), work.driver.live.clone(), work.driver.node);
        let task_id = work.driver.task_id;
        let gone = work.work().await;
        // A turn that is someone else's now is told about there. Until someone has it, nobody tells of it but this node.
        if gone.is_err() && engine.node() != node {
            engine.owed_stops.has_left(live.id, task_id);
            outage::tell(&live, outage::Trouble::NoAnswer);
        }
    }

    /// The activation that holds the conversation.
    fn active(&self) -> Option<&Activation> {
        active(&self.activations)
    }

    /// Whether a router decides who answers: in its team, and unless a person has chosen.
    fn routes(&self) -> bool {
        let is_pinned = self.active().is_some_and(|active| active.is_pinned);
        self.ready.team_kind() == Some(TeamKind::Router) && !is_pinned && self.begins_with_words()
    }

    /// The holder has completed its stage, and the next could not begin.
    fn is_stuck(&self) -> bool {
        stuck_stage(self.ready.team_kind(), &self.log, self.active()).is_some()
    }

    /// Whether the person said something; else they asked to try again.
    fn begins_with_words(&self) -> bool {
        self.log.iter().rev().any(|logged| {
            logged.task_id == Some(self.task_id) && matches!(logged.step, Step::User { synthetic: false, .. })
        })
    }

    /// What the agent is shown of the log.
    fn scope(&self) -> Scope {
        scope(self.ready.team_kind(), &self.activations)
    }

    /// Is done when a person wants the turn to stop, or when it is no longer this driver's.
    async fn interrupted(&self) {
        let mut stop = self.stop.clone();
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => {}
            () = self.engine.loses(self.node) => {}
        }
    }
}

impl Work {
    async fn work(mut self) -> Result<(), Gone> {
        let worked = self.work_on().await;
        match worked {
            Ok(()) => self.give_log_back(),
            Err(Gone) => self.settle_alone(),
        }
        worked
    }

    /// Everything is stored: the log is kept for the next turn.
    fn give_log_back(self) {
        let Driver { engine, seat, ready, log, log_is_cut, last_seq, activations, snapshots, .. } =
            self.driver;
        if seat.is_subtask {
            return;
        }
        let is_pipeline = ready.team_kind() == Some(TeamKind::Pipeline);
        let kept = KeptLog {
            last_seq,
            steps: log,
            is_cut: log_is_cut,
            in_turn: !self.stored.is_over,
            activations: (!self.driver.holder_changed).then_some(activations),
            snapshots: is_pipeline.then_some(snapshots),
        };
        engine.kept.give_back(seat.id, kept);
    }

    async fn work_on(&mut self) -> Result<(), Gone> {
        self.find_effects().await?;
        loop {
            let facts = self.facts().await?;
            match run(&self.turn, &facts) {
                Next::CallModel(offered) => {
                    if self.open_call(offered).await? && !self.is_stopped() && self.speak(offered).await? {
                        return Ok(());
                    }
                }
                Next::AskPerson(calls) => self.ask_person(&calls).await?,
                Next::Answer(fates) => {
                    if let CommitOutcome::Stored = self.flush().await?
                        && !self.is_stopped()
                    {
                        self.answer(fates).await?;
                    }
                }
                Next::Wait => {
                    // A stop that came meanwhile found a running turn: the turn ends here.
                    if let CommitOutcome::Stored = self.commit(None, After::Waiting).await?
                        && !self.is_stopped()
                    {
                        self.driver.live.signal(Signal::Waiting(self.driver.task_id));
                        return Ok(());
                    }
                }
                Next::Route => self.route().await?,
                Next::Advance => self.advance().await?,
                Next::HandOff(calls) => self.hand_off(calls).await?,
                Next::Finish(ending) => {
                    if self.finish(&Cause::of(&ending)).await? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The stricter of the modes of the agents this turn went through, who asked for it included; never without asking at
    /// a public address.
    fn mode(&self) -> PermissionMode {
        let own = self.driver.ready.agent.definition.permission_mode;
        let strictest = self.turn.mode.map_or(own, |mode| mode.min(own));
        let strictest = self.driver.subtask.map_or(strictest, |subtask| subtask.mode.min(strictest));
        if self.driver.assignment.is_public { strictest.in_public() } else { strictest }
    }

    /// The task under the turn that works.
    fn working_task(&self) -> TaskId {
        self.turn.task_id.unwrap_or(self.driver.task_id)
    }

    fn is_stopped(&self) -> bool {
        self.driver.stop_seen || *self.driver.stop.borrow()
    }

    async fn facts(&self) -> Result<Facts, Gone> {
        let driver = &self.driver;
        let cap_reached = match self.turn.wants_model() {
            true => self.reached_cap().await?,
            false => None,
        };
        let levels = self.levels();
        let (allowed, rules) = self.allowed_beforehand(&levels).await?;
        Ok(Facts {
            stop_requested: self.is_stopped(),
            cap_reached,
            unpriced: self.turn.wants_model()
                && driver.ready.model.as_ref().is_ok_and(|model| self.refuses_price(model)),
            unstorable: self.unstorable,
            tries: driver.tries,
            taken_over: self.taken_over,
            max_calls: driver.ready.agent.definition.max_turns,
            mode: self.mode(),
            nobody_to_ask: driver.assignment.is_public || driver.subtask.is_some(),
            is_routed_team: driver.routes(),
            is_stuck: !driver.begins_with_words() && driver.is_stuck(),
            allowed,
            rules,
            levels,
        })
    }

    /// What admins decided about tools of this agent.
    fn levels(&self) -> Vec<(String, Level)> {
        let tools = self.driver.ready.tools.iter();
        tools.filter_map(|(name, tool)| Some((name.clone(), tool.level()?))).collect()
    }

    /// Calls of this agent that the person allowed for the rest of the conversation, and the rules for its tools: as they
    /// are now, and only where one is asked for. At a public address no rule holds.
    async fn allowed_beforehand(
        &self,
        levels: &[(String, Level)],
    ) -> Result<(Vec<String>, Vec<AllowRule>), Gone> {
        let driver = &self.driver;
        let asks = levels.iter().any(|(_, level)| *level == Level::Ask);
        if !asks && !self.turn.would_ask(self.mode()) {
            return Ok(Default::default());
        }
        let (store, agent) = (&driver.engine.store, driver.ready.agent.id);
        let allowed = self.answered(|| store.remembered(driver.seat.id, agent)).await?.unwrap_or_default();
        if driver.assignment.is_public {
            return Ok((allowed, Vec::new()));
        }
        let mut rules = self.answered(|| store.allow_rules(agent)).await?.unwrap_or_default();
        // A rule of before may name what is a server's tool by now.
        let tools = &driver.ready.tools;
        rules.retain(|rule| !tools.get(&rule.tool_name).is_some_and(|tool| tool.is_served()));
        Ok((allowed, rules))
    }

    /// Whose limit for today is reached by what was spent and reserved, but for the call at hand. While the database doesn't
    /// say, nothing is spent.
    async fn reached_cap(&self) -> Result<Option<Cap>, Gone> {
        let (engine, assignment) = (&self.driver.engine, &self.driver.assignment);
        let workspace = &self.driver.ready.workspace;
        let spender = Spender {
            workspace_id: workspace.id,
            time_zone: &workspace.time_zone,
            workspace_cap: workspace.spend_cap_micros,
            public_cap: assignment.is_public.then(|| workspace.public_cap_micros()),
            profile_id: self.driver.seat.person.profile_id(),
            paid_by: self.driver.ready.paid_by(),
        };
        let limits = engine.spending.rules.caps.limits(&spender, now());
        if !limits.is_empty() && self.driver.ready.model.as_ref().is_ok_and(|model| model.price.is_none()) {
            engine.warn_unpriced(&self.driver.ready.model_name());
        }
        let own = self.own_reservation().map(|row| row.call.row_id(self.driver.seat.id));
        Ok(self.answered(|| engine.reached(&limits, own)).await?.flatten())
    }

    /// Whether a model may not be called because no limit would count it.
    fn refuses_price(&self, model: &Resolved) -> bool {
        let (driver, rules) = (&self.driver, &self.driver.engine.spending.rules);
        let is_servers = model.paid_by == PaidBy::Server && !model.is_local;
        let for_everyone = rules.refuses_unpriced && is_servers;
        let for_public = driver.assignment.is_public && !driver.ready.workspace.public_unpriced;
        model.price.is_none() && (for_everyone || for_public)
    }
}
