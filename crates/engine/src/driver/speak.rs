//! Calling the model: opening a call, listening to it, closing it with all it said.

use std::collections::HashMap;

use baton_core::fold::Fault;
use baton_core::ids::FileId;
use baton_core::log::{MessageStatus, Said, Spent, Start, Step};
use baton_core::models::{ModelError, ModelRequest, ModelStream, StopReason, Usage};
use baton_core::tape::Tape;
use baton_core::turns::{After, Refused, UsageRow};

use super::{Gone, Outcome, Work};
use crate::clean::clean_thinking;
use crate::ending::Cause;
use crate::files::files_in;
use crate::frame::Speaker;
use crate::listen::{End, Heard, listen};
use crate::request::{Asking, estimated_tokens, print, request};
use crate::run::Offered;
use crate::scope::Scope;
use crate::view::FileContent;

impl Work {
    /// Opens the next call; false when something came in between.
    pub(super) async fn open_call(&mut self, offered: Offered) -> Result<bool, Gone> {
        if self.has_opened && self.turn.open_call.is_some() {
            return Ok(true);
        }
        let attempt = self.driver.attempt;
        let before = self.draft.clone();
        let opened = if self.turn.message.is_none() {
            let cast = self.driver.cast.clone();
            let step = self.first_call(&cast, None);
            let progressed = self.draft.progressed;
            self.commit(Some(step), After::Running { progressed }).await?
        } else if self.turn.open_call.is_some() {
            let lost = self.lost_call(offered).await?;
            let start = Some(self.start());
            self.add(Step::Call { attempt, start, lost: Some(lost) });
            self.commit(None, After::Running { progressed: false }).await?
        } else {
            let step = self.step(Step::Call { attempt, start: None, lost: None });
            let progressed = self.draft.progressed;
            self.commit(Some(step), After::Running { progressed }).await?
        };
        if !matches!(opened, Outcome::Stored) {
            self.take_back(before);
        }
        self.has_opened =
            matches!(opened, Outcome::Stored) && self.turn.open_call == Some(self.driver.last_seq);
        Ok(self.has_opened)
    }

    /// How the message starts again, with what is stored of it.
    pub(super) fn start(&self) -> Start {
        let parts = self.turn.message.as_ref().map(|message| message.parts.clone()).unwrap_or_default();
        self.driver.cast.start(parts)
    }

    /// What a call that a crash cut may have used: the provider may charge it.
    pub(super) async fn lost_call(&mut self, offered: Offered) -> Result<Spent, Gone> {
        let Ok(model) = &self.driver.cast.model else { return Ok(Spent::NOTHING) };
        let price = model.price;
        let input_tokens = estimated_tokens(&self.request(offered).await?);
        let said = self.checkpointed().map_or(0, |tape| tape.len());
        let usage = Usage { input_tokens, output_tokens: said / 4, ..Usage::NOTHING };
        let cost_micros = price.map(|price| price.cost_micros(&usage));
        self.draft.usage.push(self.usage_row(usage, cost_micros, true));
        Ok(Spent { usage, cost_micros })
    }

    pub(super) fn checkpointed(&self) -> Option<&Tape> {
        let (seq, tape) = self.driver.checkpoint.as_ref()?;
        (self.turn.open_call == Some(*seq)).then_some(tape)
    }

    async fn request(&self, offered: Offered) -> Result<ModelRequest, Gone> {
        let files = self.files().await?;
        Ok(request(&self.asking(offered, &self.driver.scope(), files)))
    }

    fn asking<'a>(
        &'a self,
        offered: Offered,
        scope: &'a Scope,
        files: &'a HashMap<FileId, FileContent>,
    ) -> Asking<'a> {
        let driver = &self.driver;
        Asking {
            cast: &driver.cast,
            model: driver.cast.model.as_ref().map_or("", |model| model.model.as_str()),
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
        let heard = match &self.driver.cast.model {
            Ok(model) => {
                let request = self.request(offered).await?;
                self.still_ours()?;
                self.listen(model.client.call(request)).await?
            }
            Err(error) => nothing_heard(error.clone()),
        };
        self.has_opened = false;
        self.replied_at = std::time::Instant::now();
        // Not every server says what it used.
        let said = match &heard.end {
            End::Whole { usage, .. } if *usage != Usage::NOTHING => Some(*usage),
            _ => None,
        };
        let estimate = said.is_none();
        let usage = match said {
            Some(usage) => usage,
            None if heard.tape.is_empty() && heard.calls.is_empty() => Usage::NOTHING,
            _ => {
                let input_tokens = estimated_tokens(&self.request(offered).await?);
                Usage { input_tokens, output_tokens: heard.tape.len() / 4, ..Usage::NOTHING }
            }
        };
        let spent = self.spend(usage, estimate);
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
        let model = self.driver.cast.model_name();
        let prompt = print(&self.asking(offered, &Scope::Full, &HashMap::new()));
        let blocks = tape.into_blocks();
        let unsent = self.driver.cast.model.is_err();
        self.add(Step::Said(Said { blocks, thinking, model, prompt, spent, stop, unsent, ends }));
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

    pub(super) async fn listen(
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
        let heard = listen(recording, driver.engine.pace, opening, driver.interrupted(), keep).await;
        let stopped = *driver.stop.borrow();
        // Interrupted by no person: the turn is another node's, or will be.
        if matches!(heard.end, End::Interrupted) && !stopped { Err(Gone) } else { Ok(heard) }
    }

    /// What happens outside can't be taken back: look once more whose turn it is.
    pub(super) fn still_ours(&self) -> Result<(), Gone> {
        if self.driver.engine.may_act(self.driver.node) { Ok(()) } else { Err(Gone) }
    }

    pub(super) fn spend(&mut self, usage: Usage, is_estimate: bool) -> Spent {
        if usage == Usage::NOTHING {
            return Spent::NOTHING;
        }
        let price = self.driver.cast.model.as_ref().ok().and_then(|model| model.price);
        let cost_micros = price.map(|price| price.cost_micros(&usage));
        self.draft.usage.push(self.usage_row(usage, cost_micros, is_estimate));
        Spent { usage, cost_micros }
    }

    pub(super) fn usage_row(&self, usage: Usage, cost_micros: Option<i64>, is_estimate: bool) -> UsageRow {
        let (agent_id, model) = (self.driver.cast.agent.id, self.driver.cast.model_name());
        let (task_id, is_public) = (self.working_task(), self.driver.role.is_public);
        let profile_id = self.driver.seat.person.profile_id();
        UsageRow { task_id, agent_id, profile_id, model, usage, cost_micros, is_estimate, is_public }
    }
}

fn nothing_heard(error: ModelError) -> Heard {
    Heard { tape: Tape::default(), thinking: Vec::new(), calls: Vec::new(), end: End::Broken(error) }
}
