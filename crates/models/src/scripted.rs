//! A model that replays a file, for tests. It keeps no state: what it answers depends on the request alone, so a
//! server that was restarted in the middle of a turn goes on right.
//!
//! ```json
//! { "replies": [
//!     { "match": "weather", "reasoning": "I should look.", "calls": [{ "name": "weather", "arguments": { "at": "Rome" } }] },
//!     { "match": "weather", "text": "It is sunny in Rome.", "delay_ms_per_word": 20 },
//!     { "match": "again", "system": "You are Nora", "error": "model_overloaded" },
//!     { "text": "Hello." }
//! ] }
//! ```
//!
//! A reply *fits* if its `match` is in the last user message and its `system` in the fixed part of the prompt; either may be
//! left out. The first call of the model after that message is answered by the first reply that fits, the second by
//! the second, and so on. A reply with `"after_tools": true` is not counted: it answers every call but the first;
//! with `false` it answers the first only.
//!
//! A reply streams its `reasoning`, then its `text`, word by word, then its `calls` (whose `arguments` may be a
//! string, for a model that gets its JSON wrong), then the end: `stop` (else `tool_use` or `end`) and `usage` (else
//! an estimate). `"truncate": true` breaks off before the end; `error` (a code of `ModelError`) fails there.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_core::models::{
    ChatMessage, ChatModel, ModelError, ModelEvent, ModelRequest, ModelStream, SaidCall, StopReason,
    Thinking, Usage, UserPart,
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Scripted {
    replies: Arc<[Reply]>,
}

#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    #[error("The script {0} could not be read: {1}")]
    Unreadable(String, std::io::Error),
    #[error("The script is not as it should be: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("The script names the error {0}, which is no code of a model's error.")]
    UnknownError(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    replies: Vec<Reply>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    r#match: Option<String>,
    system: Option<String>,
    after_tools: Option<bool>,
    #[serde(default)]
    reasoning: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    calls: Vec<Call>,
    error: Option<String>,
    #[serde(default)]
    delay_ms_per_word: u64,
    #[serde(default)]
    truncate: bool,
    stop: Option<StopReason>,
    usage: Option<Usage>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl Scripted {
    pub fn load(path: &Path) -> Result<Self, ScriptError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ScriptError::Unreadable(path.display().to_string(), error))?;
        Self::from_json(&text)
    }

    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        let script: Script = serde_json::from_str(text)?;
        let mut codes = script.replies.iter().filter_map(|reply| reply.error.as_ref());
        match codes.find(|code| error_of(code).is_none()) {
            Some(unknown) => Err(ScriptError::UnknownError(unknown.clone())),
            None => Ok(Self { replies: script.replies.into() }),
        }
    }

    fn reply_to(&self, request: &ModelRequest) -> Option<&Reply> {
        let last_user = request.messages.iter().rposition(|message| matches!(message, ChatMessage::User(_)));
        let (text, since) = match last_user {
            Some(at) => (text_of(&request.messages[at]), &request.messages[at..]),
            None => (String::new(), request.messages.as_slice()),
        };
        let calls_before =
            since.iter().filter(|message| matches!(message, ChatMessage::Assistant(_))).count();
        let fits =
            |part: &Option<String>, whole: &str| part.as_deref().is_none_or(|part| whole.contains(part));
        let mut counted = 0;
        self.replies
            .iter()
            .filter(|reply| fits(&reply.r#match, &text) && fits(&reply.system, &request.system.fixed))
            .find(|reply| match reply.after_tools {
                Some(after) => after == (calls_before > 0),
                None => {
                    counted += 1;
                    counted == calls_before + 1
                }
            })
    }
}

#[async_trait]
impl ChatModel for Scripted {
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError> {
        let reply = self.reply_to(&request).ok_or_else(|| {
            let last = request.messages.iter().rev().map(text_of).find(|text| !text.is_empty());
            ModelError::Rejected(format!("the script has no reply to: {}", last.unwrap_or_default()))
        })?;
        let items = reply.items(&request);
        // As with vendors: a failure before the first word is a failure to open the call.
        if let Some(Err(error)) = items.front() {
            return Err(error.clone());
        }
        let delay = Duration::from_millis(reply.delay_ms_per_word);
        Ok(Box::pin(futures::stream::unfold(items, move |mut items| async move {
            let item = items.pop_front()?;
            if !delay.is_zero() && matches!(item, Ok(ModelEvent::Text(_) | ModelEvent::Reasoning(_))) {
                tokio::time::sleep(delay).await;
            }
            Some((item, items))
        })))
    }
}

impl Reply {
    fn items(&self, request: &ModelRequest) -> VecDeque<Result<ModelEvent, ModelError>> {
        let words = |text: &str| text.split_inclusive(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut events: Vec<ModelEvent> = Vec::new();
        events.extend(words(&self.reasoning).into_iter().map(ModelEvent::Reasoning));
        if !self.reasoning.is_empty() {
            events.push(ModelEvent::Thinking(Thinking { text: self.reasoning.clone(), opaque: None }));
        }
        events.extend(words(&self.text).into_iter().map(ModelEvent::Text));
        let calls_before: usize = request.messages.iter().map(calls_of).sum();
        events.extend(self.calls.iter().enumerate().map(|(at, call)| {
            let arguments = match &call.arguments {
                Value::Object(arguments) => Ok(arguments.clone()),
                Value::Null => Ok(Default::default()),
                Value::String(raw) => Err(raw.clone()),
                other => Err(other.to_string()),
            };
            let id = format!("call_{}", calls_before + at);
            ModelEvent::Call(SaidCall { id, name: call.name.clone(), arguments })
        }));
        let last = match self.error.as_deref().and_then(error_of) {
            Some(error) => Err(error),
            None if self.truncate => Err(ModelError::Truncated),
            None => {
                let usual = if self.calls.is_empty() { StopReason::End } else { StopReason::ToolUse };
                let usage = self.usage.unwrap_or_else(|| self.estimate(request));
                Ok(ModelEvent::End { stop: self.stop.unwrap_or(usual), usage })
            }
        };
        events.into_iter().map(Ok).chain([last]).collect()
    }

    /// A token per word said, and one per four characters read.
    fn estimate(&self, request: &ModelRequest) -> Usage {
        let read: usize = request.messages.iter().map(|message| text_of(message).len()).sum();
        let reasoning_tokens = self.reasoning.split_whitespace().count() as u64;
        let said = self.text.split_whitespace().count() + self.calls.len();
        Usage {
            input_tokens: ((request.system.fixed.len() + read) / 4) as u64,
            output_tokens: said as u64 + reasoning_tokens,
            reasoning_tokens,
            ..Usage::default()
        }
    }
}

fn text_of(message: &ChatMessage) -> String {
    match message {
        ChatMessage::User(parts) => {
            let texts = parts.iter().filter_map(|part| match part {
                UserPart::Text(text) => Some(text.as_str()),
                UserPart::Image { .. } => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        ChatMessage::Assistant(said) => said.text.clone(),
        ChatMessage::Results(results) => {
            results.iter().map(|result| result.content.as_str()).collect::<Vec<_>>().join("\n")
        }
    }
}

fn calls_of(message: &ChatMessage) -> usize {
    match message {
        ChatMessage::Assistant(said) => said.calls.len(),
        _ => 0,
    }
}

fn error_of(code: &str) -> Option<ModelError> {
    let words = || "scripted".to_owned();
    [
        ModelError::NotConfigured(words()),
        ModelError::KeyRejected,
        ModelError::NoCredit,
        ModelError::ContextTooLong,
        ModelError::Overloaded,
        ModelError::ProviderFailed,
        ModelError::Unreachable,
        ModelError::Truncated,
        ModelError::Rejected(words()),
    ]
    .into_iter()
    .find(|error| error.code() == code)
}

#[cfg(test)]
mod tests;
