//! Listens to a model: what it says goes to the tape at once and to readers in pieces. Nothing here touches the
//! database or writes a log line per delta.

use std::future::Future;
use std::time::Duration;

use baton_core::models::{ModelError, ModelEvent, ModelStream, SaidCall, StopReason, Thinking, Usage};
use baton_core::tape::{Tape, Voice};
use futures::future::{Fuse, FusedFuture};
use futures::{FutureExt, StreamExt};
use tokio::time::{Instant, sleep_until};

use crate::node::pace::Pace;
use crate::stream::hub::Recording;

/// A longer tape is not worth writing again and again.
const MAX_KEPT: u64 = 1024 * 1024;
/// While one tape is being kept, no other waits to be.
const LATER: Duration = Duration::from_secs(3_600);

/// All that came of a call.
pub struct Heard {
    pub tape: Tape,
    pub thinking: Vec<Thinking>,
    pub calls: Vec<SaidCall>,
    pub end: End,
}

impl Heard {
    pub fn is_empty(&self) -> bool {
        self.tape.is_empty() && self.calls.is_empty()
    }
}

pub enum End {
    Whole {
        stop: StopReason,
        usage: Usage,
    },
    Broken(ModelError),
    /// Someone wants the turn to stop.
    Interrupted,
}

/// Listens until the call ends or `interrupted` is done. `keep` is given the tape about once a second; `false` from it
/// means that the turn is no longer ours.
pub async fn listen<K: Future<Output = bool>>(
    recording: Recording<'_>,
    pace: Pace,
    opening: impl Future<Output = Result<ModelStream, ModelError>>,
    interrupted: impl Future<Output = ()>,
    keep: impl Fn(Tape) -> K,
) -> Heard {
    let mut interrupted = std::pin::pin!(interrupted);
    let mut heard = Listening {
        recording,
        pace,
        thinking: Vec::new(),
        calls: Vec::new(),
        sent_at: None,
        is_dirty: false,
    };
    let mut stream = tokio::select! {
        biased;
        () = &mut interrupted => return heard.end(End::Interrupted),
        opened = opening => match opened {
            Ok(stream) => stream,
            Err(error) => return heard.end(End::Broken(error)),
        },
    };
    let mut wake = std::pin::pin!(sleep_until(Instant::now() + pace.checkpoints));
    let mut keep_at = Instant::now() + pace.checkpoints;
    // The database may be slow; the model is listened to all the same.
    let mut keeping = std::pin::pin!(Fuse::<K>::terminated());
    loop {
        let keep_due = if keeping.is_terminated() { keep_at } else { keep_at + LATER };
        let due = heard.flush_at().map_or(keep_due, |flush_at| flush_at.min(keep_due));
        if wake.deadline() != due {
            wake.as_mut().reset(due);
        }
        tokio::select! {
            biased;
            () = &mut interrupted => return heard.end(End::Interrupted),
            event = stream.next() => match event {
                Some(Ok(event)) => {
                    if let Some(end) = heard.take(event) {
                        return heard.end(end);
                    }
                }
                Some(Err(error)) => return heard.end(End::Broken(error)),
                None => return heard.end(End::Broken(ModelError::Truncated)),
            },
            is_ours = &mut keeping => {
                if !is_ours {
                    return heard.end(End::Interrupted);
                }
                keep_at = Instant::now() + pace.checkpoints;
            },
            () = &mut wake => {
                let now = Instant::now();
                if heard.flush_at().is_some_and(|at| at <= now) {
                    heard.flush(now);
                }
                if keep_at <= now && keeping.is_terminated() {
                    keep_at = now + pace.checkpoints;
                    if recording.len() <= MAX_KEPT {
                        keeping.set(keep(recording.so_far()).fuse());
                    }
                }
            },
        }
    }
}

struct Listening<'a> {
    recording: Recording<'a>,
    pace: Pace,
    thinking: Vec<Thinking>,
    calls: Vec<SaidCall>,
    /// When readers were last sent something.
    sent_at: Option<Instant>,
    is_dirty: bool,
}

impl Listening<'_> {
    fn take(&mut self, event: ModelEvent) -> Option<End> {
        match event {
            ModelEvent::Text(text) => self.say(Voice::Text, &text),
            ModelEvent::Reasoning(text) => self.say(Voice::Reasoning, &text),
            ModelEvent::Thinking(thinking) => self.thinking.push(thinking),
            ModelEvent::Call(call) => self.calls.push(call),
            ModelEvent::End { stop, usage } => return Some(End::Whole { stop, usage }),
        }
        None
    }

    fn say(&mut self, voice: Voice, text: &str) {
        if text.is_empty() {
            return;
        }
        if text.contains('\0') {
            self.recording.say(voice, &crate::nul::clean(text));
        } else {
            self.recording.say(voice, text);
        }
        self.is_dirty = true;
        let now = Instant::now();
        if self.sent_at.is_none_or(|sent_at| sent_at + self.pace.pieces <= now) {
            self.flush(now);
        }
    }

    fn flush_at(&self) -> Option<Instant> {
        if self.is_dirty { self.sent_at.map(|sent_at| sent_at + self.pace.pieces) } else { None }
    }

    fn flush(&mut self, now: Instant) {
        self.recording.publish();
        self.sent_at = Some(now);
        self.is_dirty = false;
    }

    /// The rest of the tape goes out with the closing step.
    fn end(self, end: End) -> Heard {
        Heard { tape: self.recording.close(), thinking: self.thinking, calls: self.calls, end }
    }
}
