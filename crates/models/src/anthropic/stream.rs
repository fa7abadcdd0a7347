//! The Messages stream as a state machine: blocks open, grow and close, then the message ends.
//!
//! Unknown events and blocks are skipped. Thinking blocks are kept exactly as they came, with their signature, because
//! the vendor wants them back unchanged.

use baton_core::models::{ModelError, ModelEvent, SaidCall, StopReason, Thinking, Usage};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::usage::{self, Counts};
use crate::calls::{CallIds, arguments};
use crate::errors::{Failure, Retry};
use crate::events::Events;
use crate::wire::{Text, Wire, settled};

#[derive(Default)]
pub struct Machine {
    ids: CallIds,
    open: Vec<(u64, Block)>,
    counts: Counts,
    calls: usize,
    has_spoken: bool,
    stop: Option<Stop>,
}

enum Block {
    Thinking { raw: Map<String, Value>, text: String },
    Call { id: String, name: String, input: Value, json: String },
}

#[derive(Clone, Copy, PartialEq)]
enum Stop {
    For(StopReason),
    ContextFull,
}

impl Machine {
    pub fn new(ids: CallIds) -> Self {
        Self { ids, ..Self::default() }
    }

    fn begin_block(&mut self, index: u64, block: Start<'_>, data: &str, out: &mut Events) {
        let block = match block.kind {
            BlockKind::Text => return self.say_text(block.text, out),
            BlockKind::Thinking | BlockKind::RedactedThinking => {
                let raw = serde_json::from_str::<RawStart>(data)
                    .map(|start| start.content_block)
                    .unwrap_or_default();
                let text = raw.get("thinking").and_then(Value::as_str).unwrap_or_default().to_owned();
                Block::Thinking { raw, text }
            }
            BlockKind::ToolUse => Block::Call {
                id: block.id.map(Text::into_string).unwrap_or_default(),
                name: block.name.map(Text::into_string).unwrap_or_default(),
                input: block.input.unwrap_or_default(),
                json: String::new(),
            },
            BlockKind::Unknown => return,
        };
        self.open.push((index, block));
    }

    fn grow_block(&mut self, index: u64, delta: Delta<'_>, out: &mut Events) {
        match delta.kind {
            DeltaKind::TextDelta => return self.say_text(delta.text, out),
            DeltaKind::ThinkingDelta => {
                if let Some(more) = &delta.thinking {
                    self.has_spoken |= !more.as_str().is_empty();
                    out.reasoning(more.as_str().to_owned());
                }
            }
            _ => {}
        }
        let block = self.open.iter_mut().rev().find(|(at, _)| *at == index).map(|(_, block)| block);
        match (block, delta) {
            (Some(Block::Thinking { text, .. }), Delta { thinking: Some(more), .. }) => {
                text.push_str(more.as_str())
            }
            (Some(Block::Thinking { raw, .. }), Delta { signature: Some(signature), .. }) => {
                raw.insert("signature".into(), signature.into_string().into());
            }
            (Some(Block::Call { json, .. }), Delta { partial_json: Some(more), .. }) => {
                json.push_str(more.as_str())
            }
            _ => {}
        }
    }

    fn say_text(&mut self, text: Option<Text<'_>>, out: &mut Events) {
        let text = text.map(Text::into_string).unwrap_or_default();
        self.has_spoken |= !text.is_empty();
        out.text(text);
    }

    fn close_block(&mut self, index: u64, out: &mut Events) {
        if let Some(at) = self.open.iter().position(|(open, _)| *open == index) {
            let (_, block) = self.open.remove(at);
            self.say_block(block, out);
        }
    }

    fn say_block(&mut self, block: Block, out: &mut Events) {
        match block {
            Block::Thinking { mut raw, text } => {
                if raw.contains_key("thinking") || !text.is_empty() {
                    raw.insert("thinking".into(), text.clone().into());
                }
                out.push(ModelEvent::Thinking(Thinking { text, opaque: Some(raw.into()) }));
            }
            Block::Call { id, name, input, json } => {
                self.calls += 1;
                self.has_spoken = true;
                let arguments = match input {
                    // Lookalikes may give the whole input at once.
                    Value::Object(whole) if json.is_empty() => Ok(whole),
                    _ => arguments(json),
                };
                out.push(ModelEvent::Call(SaidCall { id: self.ids.unique(id), name, arguments }));
            }
        }
    }

    fn finish(&mut self, out: &mut Events) -> Result<(), ModelError> {
        for (_, block) in std::mem::take(&mut self.open) {
            self.say_block(block, out);
        }
        let stop = match self.stop {
            Some(Stop::ContextFull) if !self.has_spoken => return Err(ModelError::ContextTooLong),
            Some(Stop::ContextFull) => StopReason::MaxTokens,
            Some(Stop::For(stop)) => settled(stop, self.calls),
            None => settled(StopReason::End, self.calls),
        };
        out.push(ModelEvent::End { stop, usage: self.usage() });
        Ok(())
    }

    fn usage(&self) -> Usage {
        self.counts.normal()
    }
}

impl Wire for Machine {
    fn data(&mut self, data: &str, out: &mut Events) -> Result<(), Failure> {
        if !data.starts_with('{') {
            return Ok(());
        }
        let frame: Frame<'_> = match serde_json::from_str(data) {
            Ok(frame) => frame,
            // An event to come may use our fields for other things.
            Err(_) if matches!(serde_json::from_str(data), Ok(AnyFrame { kind: FrameKind::Unknown })) => {
                return Ok(());
            }
            Err(error) => {
                let said = format!("an event could not be read: {error}");
                return Err(Failure::new(ModelError::Truncated, Retry::Soon, said));
            }
        };
        match frame.kind {
            FrameKind::MessageStart => {
                self.counts.replace(frame.message.and_then(|message| message.usage).unwrap_or_default());
            }
            FrameKind::ContentBlockStart => {
                if let Some(block) = frame.content_block {
                    self.begin_block(frame.index, block, data, out);
                }
            }
            FrameKind::ContentBlockDelta => {
                if let Some(delta) = frame.delta {
                    self.grow_block(frame.index, delta, out);
                }
            }
            FrameKind::ContentBlockStop => self.close_block(frame.index, out),
            FrameKind::MessageDelta => {
                self.counts.replace(frame.usage.unwrap_or_default());
                if let Some(reason) = frame.delta.and_then(|delta| delta.stop_reason) {
                    self.stop = Some(stop(reason.as_str()));
                }
            }
            FrameKind::MessageStop => {
                self.finish(out)
                    .map_err(|error| Failure::new(error, Retry::Never, "ended with nothing said"))?;
            }
            FrameKind::Error => return Err(Failure::from_stream(&frame.error.unwrap_or_default())),
            FrameKind::Unknown => {}
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.stop.is_some()
    }

    fn end(&mut self, out: &mut Events) -> Result<(), ModelError> {
        if self.is_complete() { self.finish(out) } else { Err(ModelError::Truncated) }
    }
}

fn stop(reason: &str) -> Stop {
    Stop::For(match reason {
        "model_context_window_exceeded" => return Stop::ContextFull,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "refusal" => StopReason::Refusal,
        // `end_turn`, `stop_sequence`, `pause_turn` (Baton uses none of the vendor's own tools), and what is to come.
        _ => StopReason::End,
    })
}

/// Every event in one flat struct: a tagged enum would buffer each delta before reading it.
#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(rename = "type", default)]
    kind: FrameKind,
    #[serde(default)]
    index: u64,
    #[serde(borrow)]
    delta: Option<Delta<'a>>,
    #[serde(borrow)]
    content_block: Option<Start<'a>>,
    message: Option<Message>,
    usage: Option<usage::Said>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct AnyFrame {
    #[serde(rename = "type", default)]
    kind: FrameKind,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum FrameKind {
    MessageStart,
    ContentBlockStart,
    ContentBlockDelta,
    ContentBlockStop,
    MessageDelta,
    MessageStop,
    Error,
    #[default]
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
struct Message {
    usage: Option<usage::Said>,
}

#[derive(Deserialize)]
struct Start<'a> {
    #[serde(rename = "type", default)]
    kind: BlockKind,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    name: Option<Text<'a>>,
    input: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum BlockKind {
    Text,
    Thinking,
    RedactedThinking,
    ToolUse,
    #[default]
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
struct RawStart {
    content_block: Map<String, Value>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(rename = "type", default)]
    kind: DeltaKind,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    thinking: Option<Text<'a>>,
    #[serde(borrow)]
    signature: Option<Text<'a>>,
    #[serde(borrow)]
    partial_json: Option<Text<'a>>,
    #[serde(borrow)]
    stop_reason: Option<Text<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum DeltaKind {
    TextDelta,
    ThinkingDelta,
    #[default]
    #[serde(other)]
    Other,
}

#[cfg(test)]
mod tests;
