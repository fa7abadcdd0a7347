//! The demo model: it answers when no provider is set up. It is small and predictable: it matches words with the tools
//! and agents on offer (`score.rs`), fills their parameters from what was said (`fill.rs`), asks for what is missing,
//! and shows results as they came. It promises the starters of the packs and the sentences of docs/demo.md, nothing
//! else.

mod answer;
mod decide;
mod fill;
mod forms;
mod route;
mod scene;
mod score;
#[cfg(test)]
mod tests;
mod values;
mod words;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use async_trait::async_trait;
use baton_core::models::{
    ChatMessage, ChatModel, ModelError, ModelEvent, ModelRequest, ModelStream, SaidCall, StopReason, Usage,
    UserPart,
};
use chrono::Utc;
use futures::{StreamExt, stream};
use serde_json::{Map, Value};

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

/// What it says: words, calls, or both.
#[derive(Debug, Default, PartialEq)]
struct Reply {
    text: String,
    calls: Vec<(String, Map<String, Value>)>,
}

impl Reply {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), calls: Vec::new() }
    }

    fn call(tool: &str, arguments: Map<String, Value>) -> Self {
        Self { text: String::new(), calls: vec![(tool.to_owned(), arguments)] }
    }
}

#[async_trait]
impl ChatModel for DemoModel {
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError> {
        let pace = self.pace;
        let said = events(&request, decide::decide(&request, Utc::now().date_naive()));
        Ok(Box::pin(stream::iter(said).then(move |event| async move {
            if !pace.is_zero() && matches!(event, ModelEvent::Text(_)) {
                tokio::time::sleep(pace).await;
            }
            Ok(event)
        })))
    }
}

fn events(request: &ModelRequest, reply: Reply) -> Vec<ModelEvent> {
    let limit = (request.max_output_tokens as usize).saturating_mul(4);
    let is_cut = reply.text.len() > limit;
    let text = &reply.text[..reply.text.floor_char_boundary(limit)];
    let text = if text.is_empty() && reply.calls.is_empty() { "…" } else { text };
    let mut said: Vec<ModelEvent> =
        text.split_inclusive([' ', '\n']).map(|word| ModelEvent::Text(word.to_owned())).collect();
    let calls = if is_cut { Vec::new() } else { reply.calls };
    let stop = match (is_cut, calls.is_empty()) {
        (true, _) => StopReason::MaxTokens,
        (false, true) => StopReason::End,
        (false, false) => StopReason::ToolUse,
    };
    let mut output = text.len();
    for (at, (name, arguments)) in calls.into_iter().enumerate() {
        let written = Value::Object(arguments.clone()).to_string();
        output += name.len() + written.len();
        let mut hasher = DefaultHasher::new();
        (request.messages.len(), text, &name, written).hash(&mut hasher);
        let id = format!("demo_{:016x}_{at}", hasher.finish());
        said.push(ModelEvent::Call(SaidCall { id, name, arguments: Ok(arguments) }));
    }
    let usage = Usage {
        input_tokens: tokens(input_bytes(request)),
        output_tokens: tokens(output),
        ..Usage::default()
    };
    said.push(ModelEvent::End { stop, usage });
    said
}

/// A token is about four bytes.
fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}

/// What a picture costs, whatever its size.
const IMAGE_BYTES: usize = 4_000;

fn input_bytes(request: &ModelRequest) -> usize {
    let system = request.system.fixed.len() + request.system.context.as_deref().map_or(0, str::len);
    let tools = request
        .tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + tool.parameters.to_string().len());
    let messages = request.messages.iter().map(|message| match message {
        ChatMessage::User(parts) => parts
            .iter()
            .map(|part| match part {
                UserPart::Text(text) => text.len(),
                UserPart::Image { .. } => IMAGE_BYTES,
            })
            .sum::<usize>(),
        ChatMessage::Assistant(message) => {
            let calls = message
                .calls
                .iter()
                .map(|call| call.name.len() + Value::Object(call.arguments.clone()).to_string().len());
            message.text.len() + calls.sum::<usize>()
        }
        ChatMessage::Results(results) => results.iter().map(|result| result.content.len()).sum(),
    });
    system + tools.sum::<usize>() + messages.sum::<usize>()
}
