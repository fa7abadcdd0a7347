//! Carries a turn out: asks `run` what is next, does it, commits what came of it, then tells readers, and asks again.
//!
//! Steps are gathered in a draft and applied to the turn at once, so that the next decision is part of the same commit
//! where it can be. Effects begin only when what they follow from is stored.

mod act;
mod commit;
mod end;
mod speak;

use std::collections::HashMap;
use std::sync::Arc;

use baton_core::approvals::NewApproval;
use baton_core::ids::{AgentId, FileId, NodeId, TaskId};
use baton_core::log::{LoggedStep, NewStep};
use baton_core::tape::Tape;
use baton_core::tools::Change;
use baton_core::turns::{After, ResolvedApproval, UsageRow};
use tokio::sync::{OnceCell, watch};

use crate::cast::Cast;
use crate::ending::Cause;
use crate::hub::{Live, Signal};
use crate::run::{Facts, Next, run};
use crate::service::{Inner, Seat};
use crate::time::{backoff, day_start, now};
use crate::turn::Turn;
use crate::view::FileContent;

pub struct Driver {
    pub engine: Arc<Inner>,
    pub live: Arc<Live>,
    pub seat: Seat,
    /// The name this driver acts under.
    pub node: NodeId,
    pub cast: Arc<Cast>,
    pub task_id: TaskId,
    pub attempt: i32,
    pub tries: i32,
    pub last_seq: i64,
    /// All that is stored, as far as models may be shown it.
    pub log: Vec<LoggedStep>,
    pub log_is_cut: bool,
    /// Tools that the person allowed an agent for the rest of the conversation.
    pub allowed: Vec<(AgentId, String)>,
    pub checkpoint: Option<(i64, Tape)>,
    /// What this turn's calls are told besides.
    pub context: Option<String>,
    pub begins: Begins,
    pub stop: watch::Receiver<bool>,
    pub stop_seen: bool,
}

/// How a driver comes to a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    /// It was accepted a moment ago, with its first call opened.
    Accepted,
    /// A person decided.
    Resumed,
    /// Another process ran it and is gone.
    TakenOver,
}

/// The turn is no longer this driver's. Everything is dropped, quietly.
pub struct Gone;

#[derive(Debug, Clone, Default)]
struct Draft {
    steps: Vec<NewStep>,
    changes: Vec<Change>,
    approvals: Vec<NewApproval>,
    resolved: Vec<ResolvedApproval>,
    usage: Vec<UsageRow>,
    /// A step that was tried came through.
    progressed: bool,
}

enum Outcome {
    Stored,
    /// Others added to the log: decide again.
    Moved,
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
}

/// However a driver ends, a panic included, its turn is then driven by nobody.
struct Leaves {
    engine: Arc<Inner>,
    task_id: TaskId,
    attempt: i32,
}

impl Drop for Leaves {
    fn drop(&mut self) {
        self.engine.has_left(self.task_id, self.attempt);
    }
}

impl Driver {
    pub async fn drive(self) {
        let _leaves = Leaves { engine: self.engine.clone(), task_id: self.task_id, attempt: self.attempt };
        let mut turn = Turn::of(self.task_id, &self.log);
        if self.begins == Begins::TakenOver {
            turn.assume_begun();
        }
        let work = Work {
            has_opened: self.begins == Begins::Accepted,
            taken_over: self.begins == Begins::TakenOver,
            unstorable: false,
            stored: turn.clone(),
            turn,
            draft: Draft::default(),
            files: OnceCell::new(),
            driver: self,
        };
        // A turn that is someone else's now has been told about there.
        let _gone = work.work().await;
    }

    /// The tools this agent needs not ask for.
    fn allowed_here(&self) -> Vec<String> {
        let own = self.allowed.iter().filter(|(agent, _)| *agent == self.cast.agent.id);
        own.map(|(_, tool)| tool.clone()).collect()
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
        loop {
            let facts = self.facts().await?;
            match run(&self.turn, &facts) {
                Next::CallModel(offered) => {
                    if self.open_call(offered).await? && !self.is_stopped() && self.speak(offered).await? {
                        return Ok(());
                    }
                }
                Next::Ask(calls) => self.ask(&calls),
                Next::Answer(fates) => {
                    if let Outcome::Stored = self.flush().await?
                        && !self.is_stopped()
                    {
                        self.answer(fates).await?;
                    }
                }
                Next::Wait => {
                    // Who asked to stop meanwhile found a turn that ran: it ends here.
                    if let Outcome::Stored = self.commit(None, After::Waiting).await?
                        && !self.is_stopped()
                    {
                        self.driver.live.signal(Signal::Waiting(self.driver.task_id));
                        return Ok(());
                    }
                }
                Next::Finish(ending) => {
                    if self.finish(&Cause::of(&ending)).await? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.driver.stop_seen || *self.driver.stop.borrow()
    }

    async fn facts(&self) -> Result<Facts, Gone> {
        let driver = &self.driver;
        let cap_reached = self.turn.wants_model() && self.cap_is_reached().await?;
        Ok(Facts {
            stop_requested: self.is_stopped(),
            cap_reached,
            unstorable: self.unstorable,
            tries: driver.tries,
            taken_over: self.taken_over,
            max_calls: driver.cast.agent.definition.max_turns,
            mode: driver.cast.agent.definition.permission_mode,
            allowed: driver.allowed_here(),
        })
    }

    /// Whether the workspace has spent what it may today. While the database doesn't say, nothing is spent.
    async fn cap_is_reached(&self) -> Result<bool, Gone> {
        let (engine, workspace) = (&self.driver.engine, &self.driver.cast.workspace);
        let Some(cap) = workspace.spend_cap_micros else { return Ok(false) };
        if self.driver.cast.model.as_ref().is_ok_and(|model| model.price.is_none()) {
            engine.warn_unpriced(&self.driver.cast.model_name());
        }
        let mut tries = 0;
        loop {
            let since = day_start(now(), &workspace.time_zone);
            match engine.store.spent_since(workspace.id, since).await {
                Ok(spent) => return Ok(spent >= cap),
                Err(_) if !engine.may_act(self.driver.node) => return Err(Gone),
                Err(_) => backoff(engine.pace.backoff, tries).await,
            }
            tries += 1;
        }
    }
}
