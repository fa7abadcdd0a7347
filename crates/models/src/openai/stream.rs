//! The chat completions stream as a state machine.
//!
//! The answer is complete with its `finish_reason`; usage may come after it, or with every chunk. Calls are given out
//! at the end, when all their pieces are there.

use baton_core::models::{ModelError, ModelEvent, StopReason, Thinking, Usage};
use serde::Deserialize;
use serde_json::Value;

use super::call_pieces::{CallPieces, Piece};
use super::think_tag::ThinkTag;
use super::usage;
use crate::calls::CallIds;
use crate::errors::{Failure, Retry};
use crate::events::Events;
use crate::wire::{Text, Wire, settled};

#[derive(Default)]
pub struct Machine {
    ids: CallIds,
    content: ThinkTag,
    calls: CallPieces,
    /// All of it, to be sent back with the calls.
    reasoning: String,
    usage: Usage,
    has_refused: bool,
    stop: Option<StopReason>,
}

impl Machine {
    pub fn new(ids: CallIds) -> Self {
        Self { ids, ..Self::default() }
    }

    fn take(&mut self, choice: Choice<'_>, out: &mut Events) -> Result<(), Failure> {
        // `message` is what servers send that answer in one piece.
        if let Some(delta) = choice.delta.or(choice.message) {
            let reasoning = [delta.reasoning_content, delta.reasoning].into_iter().flatten();
            if let Some(thought) = reasoning.map(Text::into_string).find(|thought| !thought.is_empty()) {
                self.reasoning.push_str(&thought);
                out.reasoning(thought);
            }
            if let Some(text) = delta.content.map(Text::into_string).filter(|text| !text.is_empty()) {
                self.take_content(text, out);
            }
            if let Some(refusal) = delta.refusal.map(Text::into_string).filter(|text| !text.is_empty()) {
                self.has_refused = true;
                out.text(refusal);
            }
            for piece in delta.tool_calls.unwrap_or_default() {
                self.calls.push(piece);
            }
        }
        match choice.finish_reason.as_ref().map_or("", Text::as_str) {
            "" => {}
            "error" => return Err(Failure::from_stream(&choice.error.unwrap_or_default())),
            reason => self.stop = Some(stop(reason)),
        }
        Ok(())
    }

    fn take_content(&mut self, text: String, out: &mut Events) {
        if matches!(self.content, ThinkTag::Outside) {
            return out.text(text);
        }
        let mut sorted = Events::default();
        self.content.push(text, &mut sorted);
        self.give(sorted, out);
    }

    fn give(&mut self, sorted: Events, out: &mut Events) {
        for event in sorted {
            match event {
                ModelEvent::Text(text) => out.text(text),
                ModelEvent::Reasoning(thought) => {
                    self.reasoning.push_str(&thought);
                    out.reasoning(thought);
                }
                other => out.push(other),
            }
        }
    }

    fn finish(&mut self, stop: StopReason, out: &mut Events) {
        let mut sorted = Events::default();
        self.content.end(&mut sorted);
        self.give(sorted, out);
        if !self.reasoning.is_empty() {
            let text = std::mem::take(&mut self.reasoning);
            out.push(ModelEvent::Thinking(Thinking { text, opaque: None }));
        }
        let calls = self.calls.finish(&mut self.ids);
        let stop = if self.has_refused { StopReason::Refusal } else { settled(stop, calls.len()) };
        calls.into_iter().for_each(|call| out.push(ModelEvent::Call(call)));
        out.push(ModelEvent::End { stop, usage: self.usage });
    }
}

impl Wire for Machine {
    fn data(&mut self, data: &str, out: &mut Events) -> Result<(), Failure> {
        let data = data.trim();
        if data == "[DONE]" {
            return self
                .end(out)
                .map_err(|error| Failure::new(error, Retry::Soon, "done without a finish_reason"));
        }
        if !data.starts_with('{') {
            return Ok(());
        }
        let chunk: Chunk<'_> = serde_json::from_str(data).map_err(|error| {
            Failure::new(ModelError::Truncated, Retry::Soon, format!("a chunk could not be read: {error}"))
        })?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(Failure::from_stream(&error));
        }
        if let Some(usage) = chunk.usage {
            self.usage = usage.into();
        }
        match chunk.choices.into_iter().flatten().next() {
            Some(choice) => self.take(choice, out),
            None => Ok(()),
        }
    }

    fn is_complete(&self) -> bool {
        self.stop.is_some()
    }

    fn end(&mut self, out: &mut Events) -> Result<(), ModelError> {
        let stop = self.stop.ok_or(ModelError::Truncated)?;
        self.finish(stop, out);
        Ok(())
    }
}

fn stop(reason: &str) -> StopReason {
    match reason {
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "length" | "max_tokens" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refusal,
        // `stop`, and whatever else a lookalike calls its end.
        _ => StopReason::End,
    }
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow)]
    choices: Option<Vec<Choice<'a>>>,
    usage: Option<usage::Said>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    delta: Option<Delta<'a>>,
    #[serde(borrow)]
    message: Option<Delta<'a>>,
    #[serde(borrow)]
    finish_reason: Option<Text<'a>>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Option<Text<'a>>,
    #[serde(borrow)]
    refusal: Option<Text<'a>>,
    #[serde(borrow)]
    reasoning: Option<Text<'a>>,
    #[serde(borrow)]
    reasoning_content: Option<Text<'a>>,
    #[serde(borrow)]
    tool_calls: Option<Vec<Piece<'a>>>,
}

#[cfg(test)]
mod tests;
