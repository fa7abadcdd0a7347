//! The demo model: deterministic, without a vendor, and honest about what it is. It reads the tools and agents on
//! offer, compares their texts with what the person says, and calls, hands off, routes or answers. It knows no
//! question in advance. `decide` says what to answer; this file only says it, word by word.

mod about;
mod agents;
mod answer;
mod answers;
mod choose;
mod clauses;
mod collect;
mod context;
mod conversation;
mod crafts;
mod dates;
mod decide;
mod deeds;
mod ellipsis;
mod extremes;
mod failures;
mod files;
mod fill;
mod follow;
mod free;
mod habits;
mod judge;
mod keep;
mod keeping;
mod labels;
// Tables are read as tables, not one word per line.
#[rustfmt::skip]
mod lexicon;
mod look;
mod meant;
mod moments;
mod moods;
mod offer;
mod outcome;
mod params;
mod plan;
mod quote;
mod recall;
mod render;
mod reopen;
mod reply;
mod report;
mod results;
mod resume;
mod route;
mod sayings;
mod scene;
mod sentences;
mod skills;
mod stage;
mod sums;
mod talk;
#[cfg(test)]
mod tests;
mod told;
mod vain;
mod values;
mod wanted;
mod words;
mod zones;

use std::time::Duration;

use async_trait::async_trait;
use baton_core::models::{
    ChatMessage, ChatModel, ModelError, ModelEvent, ModelRequest, ModelStream, SaidCall, StopReason, Usage,
    UserPart,
};
use futures::{StreamExt, stream};

use reply::Reply;

/// A model for trying Baton without a provider.
#[derive(Debug, Clone)]
pub struct DemoModel {
    pace: Duration,
}

impl DemoModel {
    /// `pace`: the time each word takes.
    pub fn new(pace: Duration) -> Self {
        Self { pace }
    }
}

impl Default for DemoModel {
    fn default() -> Self {
        Self::new(Duration::from_millis(15))
    }
}

#[async_trait]
impl ChatModel for DemoModel {
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError> {
        let pace = self.pace;
        let said = events(&request, decide::decide(&request));
        Ok(Box::pin(stream::iter(said).then(move |event| async move {
            if !pace.is_zero() && matches!(event, ModelEvent::Text(_) | ModelEvent::Reasoning(_)) {
                tokio::time::sleep(pace).await;
            }
            Ok(event)
        })))
    }
}

/// A token is about four bytes.
fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}

/// What a picture costs, whatever its size.
const IMAGE_BYTES: usize = 4_000;

fn events(request: &ModelRequest, reply: Reply) -> Vec<ModelEvent> {
    let limit = (request.max_output_tokens as usize).saturating_mul(4);
    let cut = reply.text.len() > limit;
    let text = if cut {
        pieces(&reply.text)
            .scan(0, |length, piece| {
                *length += piece.len();
                Some((*length, piece))
            })
            .take_while(|(length, _)| *length <= limit)
            .map(|(_, piece)| piece)
            .collect::<String>()
    } else {
        reply.text
    };
    let text = if text.is_empty() && reply.calls.is_empty() { "…".to_owned() } else { text };
    let seed = format!("{}/{}", request.messages.len(), text);
    let mut said: Vec<ModelEvent> =
        pieces(&reply.reasoning).map(|piece| ModelEvent::Reasoning(piece.to_owned())).collect();
    said.extend(pieces(&text).map(|piece| ModelEvent::Text(piece.to_owned())));
    let mut output = text.len() + reply.reasoning.len();
    let calls = if cut { Vec::new() } else { reply.calls };
    let stop = match (cut, calls.is_empty()) {
        (true, _) => StopReason::MaxTokens,
        (false, true) => StopReason::End,
        (false, false) => StopReason::ToolUse,
    };
    for (at, call) in calls.into_iter().enumerate() {
        let arguments = serde_json::to_string(&call.arguments).unwrap_or_default();
        output += call.name.len() + arguments.len();
        let id = format!("demo_{:016x}_{at}", words::hash(&format!("{seed}{}{arguments}", call.name)));
        said.push(ModelEvent::Call(SaidCall { id, name: call.name, arguments: Ok(call.arguments) }));
    }
    let usage = Usage {
        input_tokens: tokens(input_bytes(request)),
        output_tokens: tokens(output),
        reasoning_tokens: tokens(reply.reasoning.len()),
        ..Usage::default()
    };
    said.push(ModelEvent::End { stop, usage });
    said
}

/// Words with the space after them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive([' ', '\n'])
}

fn input_bytes(request: &ModelRequest) -> usize {
    let system = request.system.standing.len() + request.system.context.as_deref().map_or(0, str::len);
    let tools = request.tools.iter().map(|tool| {
        tool.name.len()
            + tool.description.len()
            + serde_json::to_string(&tool.parameters).unwrap_or_default().len()
    });
    let messages = request.messages.iter().map(|message| match message {
        ChatMessage::User(parts) => parts
            .iter()
            .map(|part| match part {
                UserPart::Text(text) => text.len(),
                UserPart::Image { .. } => IMAGE_BYTES,
            })
            .sum::<usize>(),
        ChatMessage::Assistant(message) => {
            let calls = message.calls.iter().map(|call| {
                call.name.len() + serde_json::to_string(&call.arguments).unwrap_or_default().len()
            });
            let thinking = message.thinking.iter().map(|thinking| thinking.text.len());
            message.text.len() + calls.sum::<usize>() + thinking.sum::<usize>()
        }
        ChatMessage::Results(results) => results.iter().map(|result| result.content.len()).sum(),
    });
    system + tools.sum::<usize>() + messages.sum::<usize>()
}
