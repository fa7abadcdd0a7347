//! A client of a conversation's stream: it reads the text of the frames, folds events into messages, keeps them across
//! reconnects, and checks that the server keeps to the protocol.

use std::sync::{Arc, Mutex};

use baton_core::approvals::ApprovalStatus;
use baton_core::events::{Cursor, Event};
use baton_core::fold::Spoken;
use baton_core::ids::{ConversationId, MessageId};
use baton_core::parts::Part;
use fastrand::Rng;
use serde_json::Value;

use super::backend::{Backend, Tick};
use super::memory_rows::StoredMessage;
use crate::lock::lock;
use crate::stream::reader::Reader;

#[derive(Clone)]
pub struct Client {
    pub conversation: ConversationId,
    pub cursor: Cursor,
    /// It knows nothing of messages up to here.
    pub since: i64,
    messages: Vec<StoredMessage>,
    has_seen_the_end: bool,
}

/// One frame of the wire.
pub struct Frame {
    pub id: Option<Cursor>,
    pub event: Event,
}

pub fn frames(bytes: &[u8]) -> Vec<Frame> {
    let text = std::str::from_utf8(bytes).expect("text");
    assert!(text.ends_with("\n\n"), "whole frames only: {text:?}");
    text.split_terminator("\n\n").map(frame).collect()
}

fn frame(text: &str) -> Frame {
    let (mut id, mut name, mut data) = (None, None, None);
    for line in text.lines() {
        match line.split_once(": ").expect("a field") {
            ("id", value) => id = Some(value.parse().expect("a cursor")),
            ("event", value) => name = Some(value),
            ("data", value) => data = Some(value),
            other => panic!("an unknown field: {other:?}"),
        }
    }
    let data = data.expect("data");
    let event: Event = serde_json::from_str(data).expect("an event");
    assert_eq!(Some(event.name()), name);
    assert_eq!(serde_json::from_str::<Value>(data).expect("JSON")["type"], event.name());
    Frame { id, event }
}

/// What a frame asks of its reader.
#[derive(Debug, PartialEq, Eq)]
pub enum Then {
    ReadOn,
    Reload,
    Reconnect,
}

impl Client {
    pub fn at(conversation: ConversationId, seq: i64) -> Self {
        Self {
            conversation,
            cursor: Cursor::at(seq),
            since: seq,
            messages: Vec::new(),
            has_seen_the_end: false,
        }
    }

    /// As `GET` gives it: messages, and the cursor they end at.
    pub fn reload(&mut self, database: &dyn Backend) {
        let row = database.row(self.conversation);
        self.cursor = Cursor::at(row.conversation.last_seq);
        self.since = 0;
        self.messages = row.read_messages().into_iter().map(|(_, message)| restored(message)).collect();
    }

    pub fn take(&mut self, frame: Frame) -> Then {
        let Frame { id, event } = frame;
        match (&event, id) {
            (Event::Reset {}, None) => return Then::Reload,
            (Event::Lagged { resume_from }, None) => {
                let from: Cursor = resume_from.parse().expect("a cursor");
                assert!(from >= self.cursor, "it was told to go back from {} to {from}", self.cursor);
                return Then::Reconnect;
            }
            (_, Some(id)) => {
                assert!(id > self.cursor, "{id} came after {}", self.cursor);
                self.cursor = id;
            }
            // A notice that the database is away: nothing has ended, and nothing of it is stored.
            (Event::Error { message_id: None, recoverable: true, .. }, None) => return Then::ReadOn,
            // Told while it is so, and not stored.
            (Event::ToolProgress { .. }, None) => return Then::ReadOn,
            (_, None) => panic!("an event without an id: {event:?}"),
        }
        self.fold(&event);
        Then::ReadOn
    }

    fn fold(&mut self, event: &Event) {
        match event {
            Event::UserMessage { message_id, content, .. } => {
                self.messages.push(StoredMessage::User { id: *message_id, content: content.clone() });
            }
            Event::MessageStart { message_id, agent_id, .. } => {
                if self.spoken(*message_id).is_none() {
                    self.messages.push(StoredMessage::Spoken(Spoken::new(*message_id, *agent_id)));
                }
                self.apply(*message_id, event);
            }
            Event::Text { message_id, .. }
            | Event::Reasoning { message_id, .. }
            | Event::ToolStart { message_id, .. }
            | Event::ToolResult { message_id, .. }
            | Event::SubtaskCreated { message_id, .. }
            | Event::MessageComplete { message_id, .. }
            | Event::ApprovalRequired { message_id, .. }
            | Event::ApprovalResolved { message_id, .. }
            | Event::Handoff { message_id: Some(message_id), .. }
            | Event::Error { message_id: Some(message_id), .. } => self.apply(*message_id, event),
            Event::Switched { .. }
            | Event::HandoffSuggested { .. }
            | Event::Handoff { message_id: None, .. }
            | Event::Error { message_id: None, .. } => {}
            Event::Done { .. } => self.has_seen_the_end = true,
            Event::Session { .. } | Event::ToolProgress { .. } | Event::Lagged { .. } | Event::Reset {} => {
                panic!("out of place: {event:?}")
            }
        }
    }

    fn spoken(&mut self, id: MessageId) -> Option<&mut Spoken> {
        self.messages.iter_mut().find_map(|message| match message {
            StoredMessage::Spoken(spoken) if spoken.id == id => Some(spoken),
            _ => None,
        })
    }

    fn apply(&mut self, id: MessageId, event: &Event) {
        self.spoken(id).unwrap_or_else(|| panic!("of a message that never began: {event:?}")).apply(event);
    }

    /// Whether it has seen the end, or a question that nobody has answered.
    fn has_its_turn(&self) -> bool {
        let asks = |part: &Part| matches!(part, Part::Approval { status: ApprovalStatus::Pending, .. });
        let is_asked = |message: &StoredMessage| match message {
            StoredMessage::Spoken(spoken) => spoken.parts.iter().any(asks),
            StoredMessage::User { .. } => false,
        };
        self.has_seen_the_end || self.messages.iter().any(is_asked)
    }

    /// Everything it should know, it knows, and nothing else.
    pub fn agrees_with(&self, database: &dyn Backend) {
        let row = database.row(self.conversation);
        let stored: Vec<StoredMessage> = row
            .read_messages()
            .into_iter()
            .filter(|(seq, _)| *seq > self.since)
            .map(|(_, message)| restored(message))
            .collect();
        let folded: Vec<StoredMessage> = self.messages.iter().cloned().map(restored).collect();
        assert_eq!(folded, stored, "what is folded, and what is stored, at {}", self.cursor);
    }
}

/// Without what is not kept: whether the last part is open.
fn restored(message: StoredMessage) -> StoredMessage {
    match message {
        StoredMessage::Spoken(spoken) => {
            let Spoken { id, agent_id, attempt, status, parts, error, .. } = spoken;
            let mut kept = Spoken::stored(id, agent_id, attempt, status, parts);
            kept.error = error;
            StoredMessage::Spoken(kept)
        }
        user => user,
    }
}

/// How long a client goes on with one connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// It is cut anywhere, dawdles, and now and then gives up waiting to look at something else.
    None,
    /// Until the stream ends.
    Endless,
}

/// When a stream may end by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    Never,
    /// When the turn is over, or waits for a person.
    WithTurn,
}

/// Where a client took its cursor from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An event it has seen, or a conversation it has read.
    Seen,
    MadeUp,
}

/// Reads one connection to its end.
pub async fn follow(
    mut reader: Reader,
    client: Arc<Mutex<Client>>,
    database: Arc<dyn Backend>,
    mut dice: Rng,
    patience: Patience,
    ends: Ends,
    place: Place,
) {
    let (is_patient, tick) = (patience == Patience::Endless, database.tick());
    loop {
        if !is_patient {
            tick.times(if dice.u8(..12) == 0 { 60 } else { dice.usize(..3) }).await;
        }
        // A question to a real database that is given up costs its connection: heartbeats are rare.
        let heartbeat = if tick == Tick::Turns { 1 } else { 100 };
        let waits = if is_patient { usize::MAX } else { heartbeat * dice.usize(1..30) };
        let next = tokio::select! {
            biased;
            next = reader.next() => next,
            // As a heartbeat does: the same reader is asked again.
            () = tick.times(waits) => continue,
        };
        let Ok(next) = next else { return };
        let Some(bytes) = next else {
            assert_eq!(ends, Ends::WithTurn, "a stream that should stay open has ended");
            return assert!(lock(&client).has_its_turn(), "a turn's stream ended too early");
        };
        for frame in frames(&bytes) {
            if !is_patient && dice.u8(..25) == 0 {
                return;
            }
            let mut client = lock(&client);
            match client.take(frame) {
                Then::ReadOn => {}
                Then::Reload => {
                    assert_eq!(place, Place::MadeUp, "told to read again at {}", client.cursor);
                    return client.reload(database.as_ref());
                }
                Then::Reconnect => return,
            }
        }
    }
}

/// Lets others run so many times.
pub async fn yields(count: usize) {
    Tick::Turns.times(count).await;
}
