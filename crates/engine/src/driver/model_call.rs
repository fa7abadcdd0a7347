//! Calls the model: opens a call, listens to it, and closes it with a step that holds everything the model said.

use std::collections::HashMap;

use baton_core::fold::Fault;
use baton_core::ids::FileId;
use baton_core::log::{MessageStatus, NewStep, Said, Spent, Start, Step};
use baton_core::models::{ModelError, ModelRequest, ModelStream, StopReason, Usage};
use baton_core::tape::Tape;
use baton_core::turns::{After, Refused};

use super::commit::NextCall;
use super::{CommitOutcome, Gone, Work};
use crate::driver::listen::{End, Heard, listen};
use crate::node::spending::Told;
use crate::nul::clean_thinking;
use crate::prompt::files::files_in;
use crate::prompt::request::{RequestInput, prompt_hash, request};
use crate::prompt::scope::Scope;
use crate::prompt::view::FileContent;
use crate::stream::frames::Speaker;
use crate::turn::ending::Cause;
use crate::turn::run::Offered;

impl Work {
    /// Opens the next call; true if it was open already. One that has just been opened, and reserved what it may cost, is
    /// decided on again: several may have opened at once.
    pub(super) async fn open_call(&mut self, offered: Offered) -> Result<bool, Gone> {
        if self.has_opened && self.turn.open_call.is_some() {
            return Ok(true);
        }
        let attempt = self.driver.attempt;
        let before = self.draft.clone();
        let opened = if self.turn.message.is_none() {
            let ready = self.driver.ready.clone();
            let step = self.first_call(&ready, None);
            self.open_with(step).await?
        } else if self.turn.open_call.is_some() {
            let lost = self.lost_call(offered).await?;
            let start = Some(self.start());
            let input_tokens = self.next_input_tokens();
            self.add(Step::Call { attempt, start, lost: Some(lost) });
            let seq = self.driver.last_seq + self.draft.steps.len() as i64;
            let opened = self.reserve(&self.driver.ready, seq, input_tokens);
            self.draft.usage.extend(opened);
            self.commit(None, After::Running { progressed: false }).await?
        } else {
            let step = self.step(Step::Call { attempt, start: None, lost: None });
            self.open_with(step).await?
        };
        if !matches!(opened, CommitOutcome::Stored) {
            self.take_back(before);
        }
        self.has_opened =
            matches!(opened, CommitOutcome::Stored) && self.turn.open_call == Some(self.driver.last_seq);
        Ok(false)
    }

    async fn open_with(&mut self, step: NewStep) -> Result<CommitOutcome, Gone> {
        let (ready, input_tokens) = (self.driver.ready.clone(), self.next_input_tokens());
        let progressed = self.draft.progressed;
        let next_call = NextCall { step, ready: &ready, input_tokens };
        self.commit(Some(next_call), After::Running { progressed }).await
    }

    /// How the message starts again, with what is stored of it.
    pub(super) fn start(&self) -> Start {
        let parts = self.turn.message.as_ref().map(|message| message.parts.clone()).unwrap_or_default();
        self.driver.ready.start(parts)
    }

    pub(super) fn checkpointed(&self) -> Option<&Tape> {
        let (seq, tape) = self.driver.checkpoint.as_ref()?;
        (self.turn.open_call == Some(*seq)).then_some(tape)
    }

    pub(super) async fn request(&self, offered: Offered) -> Result<ModelRequest, Gone> {
        let files = self.files().await?;
        Ok(request(&self.request_input(offered, &self.driver.scope(), files)))
    }

    fn request_input<'a>(
        &'a self,
        offered: Offered,
        scope: &'a Scope,
        files: &'a HashMap<FileId, FileContent>,
    ) -> RequestInput<'a> {
        let driver = &self.driver;
        RequestInput {
            ready: &driver.ready,
            model: driver.ready.model.as_ref().map_or("", |model| model.model.as_str()),
            log: &driver.log,
            log_is_cut: driver.log_is_cut,
            scope,
            activation: driver.active(),
            snapshots: &driver.snapshots,
            task_id: driver.task_id,
            offered,
            note: driver.context.as_deref(),
            files,
        }
    }

    /// What is attached does not change within a turn.
    async fn files(&self) -> Result<&HashMap<FileId, FileContent>, Gone> {
        let driver = &self.driver;
        let read = || files_in(driver.engine.store.as_ref(), &driver.log, driver.seat.person);
        let read = || async { Ok(self.answered(read).await?.unwrap_or_default()) };
        self.files.get_or_try_init(read).await
    }

    /// Listens to the open call and closes it; true when the turn ended with it.
    pub(super) async fn speak(&mut self, offered: Offered) -> Result<bool, Gone> {
        let heard = match &self.driver.ready.model {
            Ok(model) => {
                let request = self.request(offered).await?;
                self.still_ours().await?;
                self.listen(model.client.call(request)).await?
            }
            Err(error) => nothing_heard(error.clone()),
        };
        self.has_opened = false;
        self.replied_at = std::time::Instant::now();
        let spent = self.spent_on(&heard);
        // Interrupted by no person: the turn is another node's, or will be.
        if matches!(heard.end, End::Interrupted) && !*self.driver.stop.borrow() {
            return Err(Gone);
        }
        let Heard { tape, thinking, calls, end } = heard;
        let has_text = tape.has_text() || self.turn.has_text();
        let (stop, ends, calls) = match &end {
            // It was asked for an answer only, and gave one.
            End::Whole { stop, .. } if calls.is_empty() || (offered == Offered::Nothing && has_text) => {
                let is_whole = has_text && !matches!(stop, StopReason::MaxTokens | StopReason::Refusal);
                let status = if is_whole { MessageStatus::Complete } else { MessageStatus::Failed };
                (Some(*stop), Some(status), Vec::new())
            }
            End::Whole { stop, .. } => (Some(*stop), None, calls),
            End::Broken(_) => (None, Some(MessageStatus::Failed), Vec::new()),
            End::Interrupted => (None, Some(MessageStatus::Stopped), Vec::new()),
        };
        let thinking = if calls.is_empty() { Vec::new() } else { clean_thinking(thinking) };
        let model = self.driver.ready.model_name();
        let prompt_hash = prompt_hash(&self.request_input(offered, &Scope::Full, &HashMap::new()));
        let blocks = tape.into_blocks();
        let unsent = self.driver.ready.model.is_err();
        self.add(Step::Said(Said { blocks, thinking, model, prompt_hash, spent, stop, unsent, ends }));
        for call in self.call_steps(calls) {
            self.add(Step::ToolCall(call));
        }
        self.draft.progressed = true;
        let cause = match end {
            End::Whole { .. } => return Ok(false),
            End::Broken(error) => Cause::Failed(Fault::from(&error)),
            End::Interrupted => Cause::Stopped { by: "the person".to_owned() },
        };
        while !self.finish(&cause).await? {}
        Ok(true)
    }

    /// Counts what a call used. Not every server says; a request that was sent is paid for, whoever ended the call.
    fn spent_on(&mut self, heard: &Heard) -> Spent {
        let Ok(model) = self.driver.ready.model.clone() else { return Spent::NOTHING };
        let (usage, told) = match &heard.end {
            End::Whole { usage, .. } if *usage != Usage::NOTHING => (*usage, Told::ByProvider),
            End::Broken(error) if heard.is_empty() && error.is_refusal() => {
                self.settle_unsent();
                return Spent::NOTHING;
            }
            _ => {
                let reserved = self.own_reservation().map_or(Usage::NOTHING, |row| row.usage);
                (self.estimated(reserved, &heard.tape), Told::Estimated)
            }
        };
        self.spend(&model, usage, told)
    }

    async fn listen(
        &self,
        opening: impl Future<Output = Result<ModelStream, ModelError>>,
    ) -> Result<Heard, Gone> {
        let driver = &self.driver;
        let message = self.turn.message.as_ref().ok_or(Gone)?;
        let recording = driver.live.record(Speaker {
            call_seq: driver.last_seq,
            message_id: message.id,
            agent_id: message.agent_id,
        });
        let keep = |tape: Tape| async move {
            let kept = driver.engine.store.checkpoint(self.checkpoint(tape)).await;
            !matches!(kept, Err(Refused::Fenced))
        };
        Ok(listen(recording, driver.engine.pace, opening, driver.interrupted(), keep).await)
    }

    /// Whether the turn still belongs to this driver. Asked just before each effect outside, which can't be taken
    /// back.
    pub(super) async fn still_ours(&self) -> Result<(), Gone> {
        if self.driver.engine.may_still_act(self.driver.node).await { Ok(()) } else { Err(Gone) }
    }
}

fn nothing_heard(error: ModelError) -> Heard {
    Heard { tape: Tape::default(), thinking: Vec::new(), calls: Vec::new(), end: End::Broken(error) }
}
