//! A reader of a conversation's stream is a cursor. It subscribes first, then reads the database, then follows: stored
//! steps in order; before a call's closing step the rest of its tape; a live piece only if it continues what the
//! reader has seen.

use std::collections::VecDeque;
use std::sync::Arc;

use baton_core::events::{Cursor, Event};
use baton_core::ids::TaskId;
use baton_core::log::{LoggedStep, Step};
use baton_core::store::{Error, Steps};
use baton_core::tape::Tape;
use bytes::Bytes;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::stream::frames::{Speaker, frame, piece_frames, step_frame, step_frame_at};
use crate::stream::hub::{Live, Signal};

/// When a stream ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// With this turn, or when it waits for a person.
    TurnEnds(TaskId),
    Closed,
}

pub struct Reader {
    live: Arc<Live>,
    signals: Receiver<Signal>,
    store: Arc<dyn Steps>,
    until: Until,
    cursor: Cursor,
    /// The call that is open at the cursor. Steps that don't belong to its message may come while it is: a person
    /// switches.
    open: Option<Speaker>,
    queue: VecDeque<Bytes>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The cursor has to be understood before anything else.
    Fresh,
    /// The database may have more.
    Behind,
    Following,
    /// What is queued is the last.
    Ending,
}

impl Reader {
    pub fn new(live: Arc<Live>, store: Arc<dyn Steps>, cursor: Cursor, until: Until) -> Self {
        let signals = live.subscribe();
        let queue = VecDeque::new();
        Self { live, signals, store, until, cursor, open: None, queue, state: State::Fresh }
    }

    /// Begins at a step this node is about to store: nothing before it is of interest.
    pub fn at_step(live: Arc<Live>, store: Arc<dyn Steps>, seq: i64, until: Until) -> Self {
        Self { state: State::Following, ..Self::new(live, store, Cursor::at(seq), until) }
    }

    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// The next frames, until the stream ends. Safe to drop while it waits.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            if let Some(frames) = self.rest().await? {
                return Ok(Some(frames));
            }
            if self.state == State::Ending {
                return Ok(None);
            }
            match self.signals.recv().await {
                Ok(signal) => self.take(signal),
                Err(RecvError::Lagged(_)) => self.lag(),
                Err(RecvError::Closed) => self.state = State::Ending,
            }
        }
    }

    /// The next frames of what is there already, and nothing that is still to come. Safe to drop while it waits.
    pub async fn rest(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            if let Some(frames) = self.queue.pop_front() {
                return Ok(Some(frames));
            }
            match self.state {
                State::Ending => return Ok(None),
                State::Fresh => self.understand().await?,
                State::Behind => self.catch_up().await?,
                State::Following => match self.signals.try_recv() {
                    Ok(signal) => self.take(signal),
                    Err(TryRecvError::Empty) => return Ok(None),
                    Err(TryRecvError::Lagged(_)) => self.lag(),
                    Err(TryRecvError::Closed) => self.state = State::Ending,
                },
            }
        }
    }

    fn lag(&mut self) {
        self.end_with(Event::Lagged { resume_from: self.cursor.to_string() });
    }

    fn end_with(&mut self, event: Event) {
        self.queue.push_back(frame(&event, None));
        self.state = State::Ending;
    }

    /// Whether there is a step at the cursor, and which call is open there.
    async fn understand(&mut self) -> Result<(), Error> {
        if self.cursor.seq > 0 {
            let (store, id, seq) = (self.store.clone(), self.live.id, self.cursor.seq);
            let read = async move {
                match store.step(id, seq).await? {
                    Some(step) if is_aside(&step) => Ok(Some(store.open_call(id, seq).await?)),
                    Some(step) => Ok(Some(Some(step))),
                    None => Ok(None),
                }
            };
            match apart(read).await? {
                Some(step) => self.open = step.as_ref().and_then(opened),
                None => {
                    self.end_with(Event::Reset {});
                    return Ok(());
                }
            }
        }
        if self.cursor.off > 0 && self.open.is_none() {
            self.end_with(Event::Reset {});
        } else {
            self.state = State::Behind;
        }
        Ok(())
    }

    async fn catch_up(&mut self) -> Result<(), Error> {
        // Asked first: of a turn that waits now, what is read next is all, until a person decides.
        let waits = self.turn_waits().await?;
        let (store, id, seq) = (self.store.clone(), self.live.id, self.cursor.seq);
        let page = apart(async move { store.steps_page(id, seq).await }).await?;
        let has_read = !page.steps.is_empty();
        for step in page.steps {
            if self.state == State::Ending {
                return Ok(());
            }
            let frames = step_frame(&step);
            self.see(&step, frames);
        }
        let is_all = if waits { !has_read } else { page.is_last };
        if self.state == State::Ending || !is_all {
            return Ok(());
        }
        if waits {
            self.state = State::Ending;
        } else {
            self.state = State::Following;
            self.hear();
        }
        Ok(())
    }

    /// Whether the turn this stream ends with waits for a person.
    async fn turn_waits(&self) -> Result<bool, Error> {
        let Until::TurnEnds(task) = self.until else { return Ok(false) };
        let (store, id) = (self.store.clone(), self.live.id);
        let turn = apart(async move { store.turn(id).await }).await?;
        Ok(turn.is_some_and(|turn| turn.task_id == task && turn.owner.is_none()))
    }

    fn take(&mut self, signal: Signal) {
        match signal {
            Signal::Steps(steps) => {
                for rendered in steps.iter() {
                    if self.state != State::Following {
                        return;
                    }
                    match rendered.step.seq - self.cursor.seq {
                        ..=0 => {}
                        1 => self.see(&rendered.step, rendered.frame.clone()),
                        _ => self.state = State::Behind,
                    }
                }
            }
            Signal::Piece(piece) => {
                if piece.at_seq > self.cursor.seq {
                    self.state = State::Behind;
                } else if self.open.is_some_and(|open| open.call_seq == piece.call_seq) {
                    if piece.at_seq == self.cursor.seq && piece.from == self.cursor.off {
                        self.cursor.off = piece.to;
                        self.queue.push_back(piece.frames.clone());
                    } else if piece.to > self.cursor.off {
                        self.hear();
                    }
                }
            }
            // By now it may have gone on: the database knows.
            Signal::Waiting(task) => {
                if self.until == Until::TurnEnds(task) {
                    self.state = State::Behind;
                }
            }
            Signal::ReadOn => self.state = State::Behind,
            Signal::Told(frame) => self.queue.push_back(frame),
            Signal::Close => self.state = State::Ending,
        }
    }

    /// Takes over what the open call has said, as far as this node has it.
    fn hear(&mut self) {
        let Some(open) = self.open else { return };
        if let Some((frames, end)) = self.live.heard_since(open.call_seq, self.cursor) {
            self.cursor.off = end;
            self.queue.push_back(frames);
        }
    }

    /// The next step in order.
    fn see(&mut self, step: &LoggedStep, frame: Option<Bytes>) {
        if self.open.is_some_and(|open| step.message_id != Some(open.message_id)) {
            // The open call goes on after it.
            self.cursor.seq = step.seq;
            self.queue.extend(if self.cursor.off > 0 { step_frame_at(step, self.cursor) } else { frame });
            return;
        }
        if let (Step::Said(said), Some(speaker)) = (&step.step, self.open.take()) {
            match Tape::closed(said.blocks.clone()).pieces_from(self.cursor.off) {
                Some(rest) if rest.is_empty() => {}
                Some(rest) => self.queue.push_back(piece_frames(&speaker, self.cursor.seq, &rest)),
                None => return self.end_with(Event::Reset {}),
            }
        }
        self.cursor = Cursor::at(step.seq);
        self.open = opened(step);
        self.queue.extend(frame);
        match &step.step {
            Step::Imported { .. } => self.state = State::Ending,
            Step::Done { .. } if step.task_id.map(Until::TurnEnds) == Some(self.until) => {
                self.state = State::Ending;
            }
            _ => {}
        }
    }
}

/// Runs a read in a task of its own: a reader whose client has stalled is not polled, and must hold no connection of
/// the database meanwhile.
async fn apart<T: Send + 'static>(
    read: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(read).await.unwrap_or(Err(Error::Unavailable))
}

/// Whether it may stand between the opening and the closing of a call.
fn is_aside(step: &LoggedStep) -> bool {
    matches!(step.step, Step::Switched(_) | Step::Greeting { .. } | Step::MessageEnd { .. })
}

fn opened(step: &LoggedStep) -> Option<Speaker> {
    match step.step {
        Step::Call { .. } => {
            Some(Speaker { call_seq: step.seq, message_id: step.message_id?, agent_id: step.agent_id })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
