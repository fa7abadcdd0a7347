//! Events in their wire form: text that is made once and shared by all readers.

use baton_core::events::{Cursor, Event, render};
use baton_core::ids::{AgentId, MessageId};
use baton_core::log::LoggedStep;
use baton_core::public;
use baton_core::tape::{Piece, Voice};
use bytes::Bytes;
use serde::Serialize;

pub fn frame(event: &Event, cursor: Option<Cursor>) -> Bytes {
    wire(event.name(), cursor, event)
}

/// The frame of a step, if it has an event.
pub fn step_frame(step: &LoggedStep) -> Option<Bytes> {
    step_frame_at(step, Cursor::at(step.seq))
}

/// The same for a reader that has heard part of a call which is still open.
pub fn step_frame_at(step: &LoggedStep, cursor: Cursor) -> Option<Bytes> {
    // A reset says no more than itself, and where to go on is not known.
    render(step).map(|event| {
        let cursor = (!matches!(event, Event::Reset {})).then_some(cursor);
        frame(&event, cursor)
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PieceEvent<'a> {
    r#type: &'static str,
    message_id: MessageId,
    agent_id: AgentId,
    content: &'a str,
    is_complete: bool,
}

/// Whose words a tape holds, and the step that opened it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speaker {
    pub call_seq: i64,
    pub message_id: MessageId,
    pub agent_id: AgentId,
}

/// `at_seq`: the newest step when it is said.
pub fn piece_frames(speaker: &Speaker, at_seq: i64, pieces: &[Piece<'_>]) -> Bytes {
    let mut text = Vec::with_capacity(pieces.iter().map(|piece| piece.text.len() + 220).sum());
    for piece in pieces {
        let name = match piece.voice {
            Voice::Text => "text",
            Voice::Reasoning => "reasoning",
        };
        let event = PieceEvent {
            r#type: name,
            message_id: speaker.message_id,
            agent_id: speaker.agent_id,
            content: piece.text,
            is_complete: piece.is_complete,
        };
        write(&mut text, name, Some(Cursor { seq: at_seq, off: piece.end }), &event);
    }
    Bytes::from(text)
}

fn wire(name: &str, cursor: Option<Cursor>, data: &impl Serialize) -> Bytes {
    let mut text = Vec::with_capacity(256);
    write(&mut text, name, cursor, data);
    Bytes::from(text)
}

fn write(text: &mut Vec<u8>, name: &str, cursor: Option<Cursor>, data: &impl Serialize) {
    use std::io::Write;
    // Writing to memory does not fail, and events are made of what JSON can say.
    if let Some(cursor) = cursor {
        let _ = writeln!(text, "id: {cursor}");
    }
    let _ = write!(text, "event: {name}\ndata: ");
    let _ = serde_json::to_writer(&mut *text, data);
    text.extend_from_slice(b"\n\n");
}

/// Frames as people at a public address see them. What can't be read is nothing for them.
pub fn public_frames(frames: &[u8]) -> Bytes {
    let mut shown = Vec::new();
    let text = std::str::from_utf8(frames).unwrap_or_default();
    for block in text.split_inclusive("\n\n") {
        let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        let event = line("data: ").and_then(|data| serde_json::from_str::<Event>(data).ok());
        if let Some(event) = event.and_then(public::event) {
            let cursor = line("id: ").and_then(|id| id.parse().ok());
            write(&mut shown, event.name(), cursor, &event);
        }
    }
    Bytes::from(shown)
}
