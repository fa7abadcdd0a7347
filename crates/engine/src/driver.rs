//! Carries a turn out: asks `run` what is next, does it, commits what came of it, then tells readers, and asks again.
//!
//! Steps are gathered in a draft and applied to the turn at once, so that the next decision is part of the same commit
//! where it can be. Effects begin only when what they follow from is stored.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use baton_core::approvals::{APPROVAL_TIME, NewApproval};
use baton_core::events::EventUsage;
use baton_core::ids::{ApprovalId, FileId, NodeId, TaskId};
use baton_core::log::{CallStep, LoggedStep, MessageStatus, NewStep, Said, Spent, Start, Step};
use baton_core::models::{ModelError, SaidCall, Usage};
use baton_core::tape::Tape;
use baton_core::tools::{Change, ToolContext};
use baton_core::turns::{
    After, Checkpoint, Commit, Committed, Guard, MessageWrite, Refused, ResolvedApproval, UsageRow,
};
use serde_json::json;
use tokio::sync::{OnceCell, watch};

use crate::answers::{Asked, answer};
use crate::calls::call_step;
use crate::cast::Cast;
use crate::clean::clean_thinking;
use crate::ending::{Cause, Told, ending_steps};
use crate::files::files_in;
use crate::frame::Speaker;
use crate::hub::{Live, Signal};
use crate::listen::{End, Heard, listen};
use crate::request::{Asking, estimated_tokens, request};
use crate::run::{Facts, Fate, Next, Offered, run};
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
    /// Tools of this agent that the person allowed for the rest of the conversation.
    pub allowed: Vec<String>,
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
}

impl Driver {
    pub async fn drive(self) {
        let (engine, task_id, attempt) = (self.engine.clone(), self.task_id, self.attempt);
        let turn = Turn::of(self.task_id, &self.log);
        let work = Work {
            has_opened: self.begins == Begins::Accepted,
            taken_over: self.begins == Begins::TakenOver,
            stored: turn.clone(),
            turn,
            draft: Draft::default(),
            files: OnceCell::new(),
            driver: self,
        };
        // A turn that is someone else's now has been told about there.
        let _gone = work.work().await;
        engine.has_left(task_id, attempt);
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
            let facts = self.facts().await;
            match run(&self.turn, &facts) {
                Next::CallModel(offered) => {
                    if self.open_call(offered).await? && self.speak(offered).await? {
                        return Ok(());
                    }
                }
                Next::Ask(calls) => self.ask(&calls),
                Next::Answer(fates) => {
                    if let Outcome::Stored = self.flush().await? {
                        self.answer(fates).await?;
                    }
                }
                Next::Wait => {
                    if let Outcome::Stored = self.commit(None, After::Waiting).await? {
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

    async fn facts(&self) -> Facts {
        let driver = &self.driver;
        let workspace = &driver.cast.workspace;
        let cap_reached = match workspace.spend_cap_micros {
            None => false,
            Some(cap) => {
                let since = day_start(now(), &workspace.time_zone);
                // A database that doesn't answer is no reason to spend.
                driver.engine.store.spent_since(workspace.id, since).await.map_or(true, |spent| spent >= cap)
            }
        };
        Facts {
            stop_requested: driver.stop_seen || *driver.stop.borrow(),
            cap_reached,
            tries: driver.tries,
            taken_over: self.taken_over,
            max_calls: driver.cast.agent.definition.max_turns,
            mode: driver.cast.agent.definition.permission_mode,
            allowed: driver.allowed.clone(),
        }
    }

    // ---- Model calls

    /// Opens the next call; false when something came in between.
    async fn open_call(&mut self, offered: Offered) -> Result<bool, Gone> {
        if self.has_opened && self.turn.open_call.is_some() {
            return Ok(true);
        }
        let attempt = self.driver.attempt;
        let before = self.draft.clone();
        let opened = if self.turn.open_call.is_some() {
            let lost = self.lost_call(offered).await;
            let start = Some(self.start());
            self.add(Step::Call { attempt, start, lost: Some(lost) });
            self.commit(None, After::Running { progressed: false }).await?
        } else {
            let step = self.step(Step::Call { attempt, start: None, lost: None });
            let progressed = self.draft.progressed;
            self.commit(Some(step), After::Running { progressed }).await?
        };
        if let Outcome::Moved = opened {
            self.draft = before;
            self.apply_draft();
        }
        self.has_opened =
            matches!(opened, Outcome::Stored) && self.turn.open_call == Some(self.driver.last_seq);
        Ok(self.has_opened)
    }

    /// How the message starts again, with what is stored of it.
    fn start(&self) -> Start {
        let agent = &self.driver.cast.agent.definition;
        let parts = self.turn.message.as_ref().map(|message| message.parts.clone()).unwrap_or_default();
        Start { agent_name: agent.name.clone(), avatar_url: agent.avatar_url.clone(), parts }
    }

    /// What a call that a crash cut may have used: the provider may charge it.
    async fn lost_call(&mut self, offered: Offered) -> Spent {
        let Ok(model) = &self.driver.cast.model else { return Spent::NOTHING };
        let price = model.price;
        let input_tokens = estimated_tokens(&self.request(offered).await);
        let said = self.checkpointed().map_or(0, |tape| tape.len());
        let usage = Usage { input_tokens, output_tokens: said / 4, ..Usage::NOTHING };
        let cost_micros = price.map(|price| price.cost_micros(&usage));
        self.draft.usage.push(self.usage_row(usage, cost_micros, true));
        Spent { usage, cost_micros }
    }

    fn checkpointed(&self) -> Option<&Tape> {
        let (seq, tape) = self.driver.checkpoint.as_ref()?;
        (self.turn.open_call == Some(*seq)).then_some(tape)
    }

    async fn request(&self, offered: Offered) -> baton_core::models::ModelRequest {
        let driver = &self.driver;
        let read = || files_in(driver.engine.store.as_ref(), &driver.log, driver.seat.person);
        // What is attached does not change within a turn.
        let files = self.files.get_or_init(read).await;
        request(&Asking {
            cast: &driver.cast,
            model: driver.cast.model.as_ref().map_or("", |model| model.model.as_str()),
            log: &driver.log,
            log_is_cut: driver.log_is_cut,
            task_id: driver.task_id,
            offered,
            context: driver.context.as_deref(),
            files,
        })
    }

    /// Listens to the open call and closes it; true when the turn ended with it.
    async fn speak(&mut self, offered: Offered) -> Result<bool, Gone> {
        let heard = match &self.driver.cast.model {
            Ok(model) => {
                let request = self.request(offered).await;
                self.still_ours()?;
                self.listen(model.client.call(request)).await?
            }
            Err(error) => nothing_heard(error.clone()),
        };
        self.has_opened = false;
        let estimate = !matches!(heard.end, End::Whole { .. });
        let usage = match &heard.end {
            End::Whole { usage, .. } => *usage,
            _ if heard.tape.is_empty() && heard.calls.is_empty() => Usage::NOTHING,
            _ => {
                let input_tokens = estimated_tokens(&self.request(offered).await);
                Usage { input_tokens, output_tokens: heard.tape.len() / 4, ..Usage::NOTHING }
            }
        };
        let spent = self.spend(usage, estimate);
        let Heard { tape, thinking, calls, end } = heard;
        let has_text = tape.has_text() || self.turn.has_text();
        let (stop, ends, calls) = match &end {
            // It was asked for an answer only, and gave one.
            End::Whole { stop, .. } if calls.is_empty() || (offered == Offered::Nothing && has_text) => {
                let status = if has_text { MessageStatus::Complete } else { MessageStatus::Failed };
                (Some(*stop), Some(status), Vec::new())
            }
            End::Whole { stop, .. } => (Some(*stop), None, calls),
            End::Broken(_) => (None, Some(MessageStatus::Failed), Vec::new()),
            End::Interrupted => (None, Some(MessageStatus::Stopped), Vec::new()),
        };
        let thinking = if calls.is_empty() { Vec::new() } else { clean_thinking(thinking) };
        let (model, prompt) = (self.driver.cast.model_name(), self.driver.cast.print.clone());
        let blocks = tape.into_blocks();
        self.add(Step::Said(Said { blocks, thinking, model, prompt, spent, stop, ends }));
        for call in calls {
            let step = self.call_step(call);
            self.add(Step::ToolCall(step));
        }
        self.draft.progressed = true;
        let cause = match end {
            End::Whole { .. } => return Ok(false),
            End::Broken(error) => Cause::Failed(Told::from(&error)),
            End::Interrupted => Cause::Stopped { by: "the person".to_owned() },
        };
        while !self.finish(&cause).await? {}
        Ok(true)
    }

    async fn listen(
        &self,
        opening: impl Future<Output = Result<baton_core::models::ModelStream, ModelError>>,
    ) -> Result<Heard, Gone> {
        let driver = &self.driver;
        let message = self.turn.message.as_ref().ok_or(Gone)?;
        let recording = driver.live.record(Speaker {
            call_seq: driver.last_seq,
            message_id: message.id,
            agent_id: message.agent_id,
        });
        let guard = self.guard();
        let keep = |tape: Tape| async move {
            let kept = driver.engine.store.checkpoint(Checkpoint { guard, tape }).await;
            !matches!(kept, Err(Refused::Fenced))
        };
        let heard = listen(recording, driver.engine.pace, opening, driver.interrupted(), keep).await;
        let stopped = *driver.stop.borrow();
        // Interrupted by no person: the turn is another node's, or will be.
        if matches!(heard.end, End::Interrupted) && !stopped { Err(Gone) } else { Ok(heard) }
    }

    /// What happens outside can't be taken back: look once more whose turn it is.
    fn still_ours(&self) -> Result<(), Gone> {
        if self.driver.engine.may_act(self.driver.node) { Ok(()) } else { Err(Gone) }
    }

    fn spend(&mut self, usage: Usage, is_estimate: bool) -> Spent {
        if usage == Usage::NOTHING {
            return Spent::NOTHING;
        }
        let price = self.driver.cast.model.as_ref().ok().and_then(|model| model.price);
        let cost_micros = price.map(|price| price.cost_micros(&usage));
        self.draft.usage.push(self.usage_row(usage, cost_micros, is_estimate));
        Spent { usage, cost_micros }
    }

    fn usage_row(&self, usage: Usage, cost_micros: Option<i64>, is_estimate: bool) -> UsageRow {
        let (agent_id, model) = (self.driver.cast.agent.id, self.driver.cast.model_name());
        UsageRow { agent_id, model, usage, cost_micros, is_estimate }
    }

    // ---- Tools

    fn call_step(&self, call: SaidCall) -> CallStep {
        let logged = self.driver.log.iter().map(|logged| &logged.step);
        let steps = logged.chain(self.draft.steps.iter().map(|new| &new.step));
        let used: HashSet<&str> = steps
            .filter_map(|step| match step {
                Step::ToolCall(call) => Some(call.call_id.as_str()),
                _ => None,
            })
            .collect();
        call_step(&self.driver.cast, call, |id| used.contains(id))
    }

    fn ask(&mut self, calls: &[usize]) {
        let expires_at = now() + APPROVAL_TIME;
        for index in calls {
            let Some(call) = self.turn.calls.get(*index).cloned() else { continue };
            let Some(message_id) = self.turn.message.as_ref().map(|message| message.id) else { continue };
            let new = NewApproval {
                id: ApprovalId::new(),
                agent_id: call.agent_id,
                message_id,
                call_id: call.step.call_id,
                tool_name: call.step.tool_name,
                args: call.step.args,
                expires_at,
            };
            self.add(Step::ApprovalAsked {
                approval_id: new.id,
                call_id: new.call_id.clone(),
                tool_name: new.tool_name.clone(),
                args: new.args.clone(),
                expires_at,
            });
            self.draft.approvals.push(new);
        }
    }

    async fn answer(&mut self, fates: Vec<(usize, Fate)>) -> Result<(), Gone> {
        let asked: Vec<Asked> = fates
            .into_iter()
            .filter_map(|(index, fate)| {
                let call = self.turn.calls.get(index)?.clone();
                let tool = self.driver.cast.tools.get(&call.step.tool_name).cloned();
                Some(Asked { call, fate, tool })
            })
            .collect();
        let context = self.tool_context().await;
        self.still_ours()?;
        let Some(answers) = answer(asked, context, self.driver.interrupted()).await else {
            let stopped = *self.driver.stop.borrow();
            // A stop is seen by the next decision, which closes what is open.
            return if stopped { Ok(()) } else { Err(Gone) };
        };
        for answer in answers {
            self.add(Step::ToolResult(answer.result));
            self.draft.changes.extend(answer.changes);
        }
        self.taken_over = false;
        self.draft.progressed = true;
        Ok(())
    }

    async fn tool_context(&self) -> ToolContext {
        let driver = &self.driver;
        let own = match driver.seat.person.profile_id() {
            Some(id) => driver.engine.store.profile(id).await.ok().map(|profile| profile.time_zone),
            None => None,
        };
        ToolContext {
            workspace_id: driver.seat.workspace_id,
            agent_id: driver.cast.agent.id,
            conversation_id: driver.seat.id,
            person: driver.seat.person,
            time_zone: own.unwrap_or_else(|| driver.cast.workspace.time_zone.clone()),
        }
    }

    // ---- Endings

    /// Ends the turn; false when something came in between.
    async fn finish(&mut self, cause: &Cause) -> Result<bool, Gone> {
        let before = (self.draft.clone(), self.turn.clone());
        if self.turn.open_call.is_some() {
            self.close_unspoken(cause);
        }
        let ending = ending_steps(&self.turn, cause);
        for (message_id, step) in ending.steps {
            let new = NewStep { message_id, ..self.step(step) };
            self.push(new);
        }
        self.draft.resolved.extend(ending.resolved);
        match self.commit(None, After::Ended(cause.turn_status())).await? {
            Outcome::Stored => Ok(true),
            Outcome::Moved => {
                self.draft = before.0;
                self.apply_draft();
                Ok(false)
            }
        }
    }

    /// Closes a call in which nothing was said by us: one of ours, or one whose speaker is gone. For the latter the
    /// message first starts again from what is stored, and then says what was kept of it.
    fn close_unspoken(&mut self, cause: &Cause) {
        let kept = self.checkpointed().cloned().unwrap_or_default();
        if !self.has_opened {
            let (attempt, start) = (self.driver.attempt, Some(self.start()));
            self.add(Step::Call { attempt, start, lost: None });
        }
        let said = Said {
            blocks: kept.into_blocks(),
            thinking: Vec::new(),
            model: self.driver.cast.model_name(),
            prompt: self.driver.cast.print.clone(),
            spent: Spent::NOTHING,
            stop: None,
            ends: Some(cause.message_status()),
        };
        self.add(Step::Said(said));
    }

    // ---- Commits

    fn step(&self, step: Step) -> NewStep {
        NewStep {
            task_id: Some(self.driver.task_id),
            agent_id: self.driver.cast.agent.id,
            message_id: self.turn.message.as_ref().map(|message| message.id),
            step,
        }
    }

    fn add(&mut self, step: Step) {
        let new = self.step(step);
        self.push(new);
    }

    fn push(&mut self, new: NewStep) {
        let seq = self.driver.last_seq + self.draft.steps.len() as i64 + 1;
        self.turn.push(&new.clone().at(seq, now()));
        self.draft.steps.push(new);
    }

    fn guard(&self) -> Guard {
        Guard {
            conversation_id: self.driver.seat.id,
            task_id: self.driver.task_id,
            attempt: self.driver.attempt,
            last_seq: self.driver.last_seq,
        }
    }

    /// Stores the draft, if there is one.
    async fn flush(&mut self) -> Result<Outcome, Gone> {
        if self.draft.steps.is_empty() {
            return Ok(Outcome::Stored);
        }
        let progressed = self.draft.progressed;
        self.commit(None, After::Running { progressed }).await
    }

    async fn commit(&mut self, next_call: Option<NewStep>, after: After) -> Result<Outcome, Gone> {
        let at = now();
        let agent_id = self.driver.cast.agent.id;
        let commit = Commit {
            guard: self.guard(),
            workspace_id: self.driver.seat.workspace_id,
            profile_id: self.driver.seat.person.profile_id(),
            steps: self.draft.steps.clone(),
            next_call: next_call.clone(),
            messages: self.message_write().into_iter().collect(),
            changes: self.draft.changes.iter().cloned().map(|change| (agent_id, change)).collect(),
            approvals: self.draft.approvals.clone(),
            resolved: self.draft.resolved.clone(),
            usage: self.draft.usage.clone(),
            after,
            at,
        };
        let mut tries = 0;
        let committed = loop {
            let refused = match self.driver.engine.store.commit(commit.clone()).await {
                Ok(committed) => break committed,
                Err(refused) => refused,
            };
            // An earlier try may have come through without an answer.
            let may_be_stored = match (&refused, after) {
                (Refused::Moved, _) | (Refused::Fenced, After::Ended(_)) => tries > 0,
                _ => false,
            };
            if may_be_stored && let Some(committed) = self.found(next_call.is_some()).await? {
                break committed;
            }
            match refused {
                Refused::Moved => {
                    self.read_on().await?;
                    return Ok(Outcome::Moved);
                }
                Refused::Store(error) => {
                    // Nothing is published that is not stored, and nothing is dropped that was said: it has to wait.
                    tracing::error!(%error, conversation = %self.driver.seat.id, "could not commit a turn's step");
                    if !self.driver.engine.may_act(self.driver.node) {
                        return Err(Gone);
                    }
                    backoff(self.driver.engine.pace.backoff, tries).await;
                    tries += 1;
                }
                _ => return Err(Gone),
            }
        };
        let mut stored: Vec<LoggedStep> = (self.driver.last_seq + 1..)
            .zip(self.draft.steps.drain(..))
            .map(|(seq, new)| new.at(seq, at))
            .collect();
        let called = next_call.filter(|_| committed.last_seq > self.driver.last_seq + stored.len() as i64);
        if let Some(call) = called {
            let call = call.at(committed.last_seq, at);
            self.turn.push(&call);
            stored.push(call);
        }
        self.driver.last_seq = committed.last_seq;
        self.driver.stop_seen |= committed.stop_requested;
        self.driver.tries = if self.draft.progressed { 0 } else { self.driver.tries };
        self.draft = Draft::default();
        self.stored = self.turn.clone();
        self.driver.log.extend(stored.iter().cloned());
        self.driver.engine.tell(&self.driver.seat, &stored);
        self.driver.live.publish_steps(stored);
        Ok(Outcome::Stored)
    }

    /// The message as the draft leaves it.
    fn message_write(&self) -> Option<MessageWrite> {
        let message = self.turn.message.as_ref()?;
        if self.draft.steps.is_empty() {
            return None;
        }
        let mut metadata = json!({"model": self.driver.cast.model_name()});
        if self.turn.is_over {
            metadata["usage"] = json!(EventUsage::from(&self.turn.spent));
        }
        if self.turn.has_written {
            metadata["wrote"] = json!(true);
        }
        if let Some((code, message)) = &message.error {
            metadata["error"] = json!({"code": code, "message": message});
        }
        Some(MessageWrite::Update { spoken: message.clone(), metadata })
    }

    /// The draft, if the log goes on with it: what it would have been answered.
    async fn found(&self, wants_call: bool) -> Result<Option<Committed>, Gone> {
        let steps = self.steps_since().await?;
        let drafted = self.draft.steps.len();
        let same = |(stored, new): (&LoggedStep, &NewStep)| {
            (stored.task_id, stored.message_id) == (new.task_id, new.message_id)
                && as_stored(&new.step).is_some_and(|step| step == stored.step)
        };
        if steps.len() < drafted || !steps.iter().zip(&self.draft.steps).all(same) {
            return Ok(None);
        }
        let has_call =
            wants_call && matches!(steps.get(drafted).map(|step| &step.step), Some(Step::Call { .. }));
        let stored = drafted + usize::from(has_call);
        let last_seq = self.driver.last_seq + stored as i64;
        Ok((stored > 0).then_some(Committed { last_seq, stop_requested: wants_call && !has_call }))
    }

    async fn steps_since(&self) -> Result<Vec<LoggedStep>, Gone> {
        let driver = &self.driver;
        let mut tries = 0;
        loop {
            match driver.engine.store.steps_after(driver.seat.id, driver.last_seq, 1_000).await {
                Ok(steps) => return Ok(steps),
                Err(_) if !driver.engine.may_act(driver.node) => return Err(Gone),
                Err(_) => backoff(driver.engine.pace.backoff, tries).await,
            }
            tries += 1;
        }
    }

    /// Takes in what others added to the log, under the draft.
    async fn read_on(&mut self) -> Result<(), Gone> {
        for step in self.steps_since().await? {
            self.driver.last_seq = step.seq;
            if step.task_id == Some(self.driver.task_id) {
                self.stored.push(&step);
            }
            self.driver.log.push(step);
        }
        self.apply_draft();
        Ok(())
    }

    fn apply_draft(&mut self) {
        self.turn = self.stored.clone();
        for (seq, new) in (self.driver.last_seq + 1..).zip(&self.draft.steps) {
            self.turn.push(&new.clone().at(seq, now()));
        }
    }
}

/// A step as it comes back: numbers may change their last digit on the way.
fn as_stored(step: &Step) -> Option<Step> {
    serde_json::from_str(&serde_json::to_string(step).ok()?).ok()
}

fn nothing_heard(error: ModelError) -> Heard {
    Heard { tape: Tape::default(), thinking: Vec::new(), calls: Vec::new(), end: End::Broken(error) }
}
