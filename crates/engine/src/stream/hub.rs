//! What is live on this node: for each conversation with a turn or a reader, the tape of its open call and a channel
//! to readers.
//!
//! Everything that goes through here is only a faster copy of what is stored or will be stored. Losing any of it harms
//! no stream.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use baton_core::events::{Cursor, Event};
use baton_core::ids::{ConversationId, TaskId};
use baton_core::log::LoggedStep;
use baton_core::tape::{Tape, Voice};
use bytes::Bytes;
use tokio::sync::{broadcast, watch};

use crate::lock::lock;
use crate::stream::frames::{Speaker, frame, piece_frames, step_frame};

/// A reader this many signals behind is told so and closed: about two seconds of a fast model.
const CHANNEL: usize = if cfg!(test) { 16 } else { 64 };

#[derive(Default)]
pub struct Hub {
    lives: Mutex<HashMap<ConversationId, Weak<Live>>>,
}

/// One conversation, as this node knows it now.
pub struct Live {
    pub id: ConversationId,
    signals: broadcast::Sender<Signal>,
    open: Mutex<Option<OpenTape>>,
    /// The newest step this node has told its readers of.
    told: AtomicI64,
    /// How many drivers are at work here: one, or two while one takes over from another.
    drivers: watch::Sender<usize>,
}

struct OpenTape {
    speaker: Speaker,
    tape: Tape,
    /// How much of it readers were sent.
    published: u64,
}

#[derive(Clone)]
pub enum Signal {
    Steps(Arc<[Rendered]>),
    Piece(Arc<LivePiece>),
    /// The turn waits for a person; nothing more will come until they decide.
    Waiting(TaskId),
    /// The database has more than this node has seen.
    ReadOn,
    /// Something that is stored nowhere: readers pass it on, and their cursor stays.
    Told(Bytes),
    /// The conversation is gone, or the reader may no longer see it.
    Close,
}

pub struct Rendered {
    pub step: LoggedStep,
    pub frame: Option<Bytes>,
}

/// A stretch of the open call's tape.
pub struct LivePiece {
    pub call_seq: i64,
    /// The newest step when it was said: whoever has seen another needs it under another number.
    pub at_seq: i64,
    pub from: u64,
    pub to: u64,
    pub frames: Bytes,
}

impl Hub {
    pub fn join(&self, id: ConversationId) -> Arc<Live> {
        let mut lives = lock(&self.lives);
        if let Some(live) = lives.get(&id).and_then(Weak::upgrade) {
            return live;
        }
        // Those nobody holds any more are swept when the map would grow.
        if lives.len() == lives.capacity() {
            lives.retain(|_, live| live.strong_count() > 0);
        }
        let live = Arc::new(Live {
            id,
            signals: broadcast::channel(CHANNEL).0,
            open: Mutex::new(None),
            told: AtomicI64::new(0),
            drivers: watch::channel(0).0,
        });
        lives.insert(id, Arc::downgrade(&live));
        live
    }

    pub fn find(&self, id: ConversationId) -> Option<Arc<Live>> {
        lock(&self.lives).get(&id).and_then(Weak::upgrade)
    }

    /// Those with readers here.
    pub fn read_here(&self) -> Vec<Arc<Live>> {
        let lives = lock(&self.lives);
        lives.values().filter_map(Weak::upgrade).filter(|live| live.signals.receiver_count() > 0).collect()
    }
}

impl Live {
    pub fn subscribe(&self) -> broadcast::Receiver<Signal> {
        self.signals.subscribe()
    }

    pub fn signal(&self, signal: Signal) {
        // Nobody may be listening.
        let _ = self.signals.send(signal);
    }

    pub fn told(&self) -> i64 {
        self.told.load(Ordering::Acquire)
    }

    pub fn has_read(&self, seq: i64) {
        self.told.fetch_max(seq, Ordering::AcqRel);
    }

    /// Tells readers of steps that are stored now.
    pub fn publish_steps(&self, steps: Vec<LoggedStep>) {
        let Some(last) = steps.last().map(|step| step.seq) else { return };
        self.told.fetch_max(last, Ordering::AcqRel);
        if self.signals.receiver_count() == 0 {
            return;
        }
        let rendered: Vec<Rendered> =
            steps.into_iter().map(|step| Rendered { frame: step_frame(&step), step }).collect();
        self.signal(Signal::Steps(rendered.into()));
    }

    /// Tells those who read now of a trouble that may pass, such as a database that doesn't answer. Nothing has ended, and
    /// nothing is stored: who reads later is not told.
    pub fn tell_trouble(&self, code: &str, message: &str) {
        let (code, message) = (code.to_owned(), message.to_owned());
        self.tell(&Event::Error { message_id: None, message, code, recoverable: true });
    }

    /// Tells those who read now, and nobody else.
    pub fn tell(&self, event: &Event) {
        self.signal(Signal::Told(frame(event, None)));
    }

    /// A driver is at work, until what comes back is dropped.
    pub fn driven(self: &Arc<Self>) -> Driven {
        self.drivers.send_modify(|drivers| *drivers += 1);
        Driven(self.clone())
    }

    pub fn drivers(&self) -> watch::Receiver<usize> {
        self.drivers.subscribe()
    }

    /// Begins the tape of a call. Whoever still speaks into an earlier one is no longer heard.
    pub fn record(&self, speaker: Speaker) -> Recording<'_> {
        *lock(&self.open) = Some(OpenTape { speaker, tape: Tape::default(), published: 0 });
        Recording { live: self, call_seq: speaker.call_seq }
    }

    /// What a call has said beyond `off`, and where that ends.
    pub fn heard_since(&self, call_seq: i64, cursor: Cursor) -> Option<(Bytes, u64)> {
        let open = lock(&self.open);
        let open = open.as_ref().filter(|open| open.speaker.call_seq == call_seq)?;
        let pieces = open.tape.pieces_from(cursor.off)?;
        let end = pieces.last()?.end;
        Some((piece_frames(&open.speaker, cursor.seq, &pieces), end))
    }
}

/// A driver at work on a conversation.
pub struct Driven(Arc<Live>);

impl Drop for Driven {
    fn drop(&mut self) {
        self.0.drivers.send_modify(|drivers| *drivers -= 1);
    }
}

/// Speaking into the tape of one call, for as long as it is the open one.
#[derive(Clone, Copy)]
pub struct Recording<'a> {
    live: &'a Live,
    call_seq: i64,
}

impl Recording<'_> {
    fn with<T>(&self, act: impl FnOnce(&mut OpenTape) -> T) -> Option<T> {
        let mut open = lock(&self.live.open);
        open.as_mut().filter(|open| open.speaker.call_seq == self.call_seq).map(act)
    }

    pub fn say(&self, voice: Voice, text: &str) {
        self.with(|open| {
            if open.tape.blocks().last().is_some_and(|block| block.voice != voice) {
                open.tape.end_block();
            }
            open.tape.say(voice, text);
        });
    }

    /// Sends readers what was said since the last time.
    pub fn publish(&self) {
        let has_readers = self.live.signals.receiver_count() > 0;
        let piece = self.with(|open| {
            let to = open.tape.len();
            let from = std::mem::replace(&mut open.published, to);
            if from == to || !has_readers {
                return None;
            }
            let call_seq = open.speaker.call_seq;
            let at_seq = self.live.told().max(call_seq);
            let frames = piece_frames(&open.speaker, at_seq, &open.tape.pieces_from(from)?);
            Some(LivePiece { call_seq, at_seq, from, to, frames })
        });
        if let Some(piece) = piece.flatten() {
            self.live.signal(Signal::Piece(Arc::new(piece)));
        }
    }

    pub fn len(&self) -> u64 {
        self.with(|open| open.tape.len()).unwrap_or(0)
    }

    /// A copy of the tape so far.
    pub fn so_far(&self) -> Tape {
        self.with(|open| open.tape.clone()).unwrap_or_default()
    }

    /// Ends the last block and takes the tape away; what readers miss of it comes with the closing step.
    pub fn close(self) -> Tape {
        let mut open = lock(&self.live.open);
        let own = open.take_if(|open| open.speaker.call_seq == self.call_seq);
        let mut tape = own.map(|open| open.tape).unwrap_or_default();
        tape.end_block();
        tape
    }
}
