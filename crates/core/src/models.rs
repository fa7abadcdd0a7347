//! The request to a model and its answer, in a form that does not depend on the vendor.

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use futures::Stream;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::WorkspaceId;
use crate::starters::Starter;
use crate::store;
use crate::tools::ToolSpec;

/// The name of the demo model, and of its provider.
pub const DEMO: &str = "demo";
/// The name of the model of a script, and of its provider.
pub const SCRIPTED: &str = "scripted";

/// One call of a model. Made by the engine so that it satisfies the strictest vendor: the first message is the
/// user's, sides alternate, every call is answered in place, the last message is from the user's side.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// The vendor's name of the model.
    pub model: String,
    pub system: SystemPrompt,
    pub messages: Vec<ChatMessage>,
    /// In a stable order, so that vendors can cache the prefix.
    pub tools: Vec<ToolSpec>,
    pub max_output_tokens: u32,
    /// For the demo model alone; no vendor is sent it.
    pub demo: Option<Arc<DemoCard>>,
}

/// What the demo model is told of the agent it plays, beside what every model reads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DemoCard {
    pub name: String,
    pub starters: Vec<Starter>,
    /// What the agent's pack wants said once it has facts: a template with names in braces.
    pub answer: Option<String>,
    /// Tools that the agent lists and this server doesn't have, as people call them.
    pub missing_tools: Vec<String>,
    /// At a public address, where nobody is told how a server is set up.
    pub is_public: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SystemPrompt {
    /// The same bytes for every call of one agent: what vendors cache.
    pub fixed: String,
    /// What is true of this call only; comes last, and is not cached.
    pub context: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ChatMessage {
    User(Vec<UserPart>),
    Assistant(AssistantMessage),
    /// The answers to every call of the assistant message before, in call order.
    Results(Vec<CallResult>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum UserPart {
    Text(String),
    Image { media_type: String, bytes: Arc<[u8]> },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssistantMessage {
    /// Only inside the agent's own unbroken tool loop.
    pub thinking: Vec<Thinking>,
    pub text: String,
    pub calls: Vec<ToolCall>,
}

/// Thinking as the vendor wants it back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thinking {
    pub text: String,
    /// The vendor's own block, byte for byte, if it signs them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    pub call_id: String,
    pub content: String,
    pub is_error: bool,
}

/// What a model says, piece by piece. A stream ends with [`ModelEvent::End`] or with an error, never silently.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelEvent {
    Text(String),
    Reasoning(String),
    /// A whole thinking block, to be sent back within the tool loop.
    Thinking(Thinking),
    /// A whole call, in the order of the reply.
    Call(SaidCall),
    End {
        stop: StopReason,
        usage: Usage,
    },
}

/// A call as the model said it.
#[derive(Debug, Clone, PartialEq)]
pub struct SaidCall {
    /// The vendor's id; made up by the client where the vendor gave none or the same twice.
    pub id: String,
    pub name: String,
    /// The raw text where it is no JSON object.
    pub arguments: Result<Map<String, Value>, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    End,
    ToolUse,
    /// Cut by the limit on output; a call at the end is not to be run.
    MaxTokens,
    Refusal,
}

/// What a call used. Input counts everything read, cached or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    pub input_tokens: u64,
    #[serde(default)]
    pub cache_read_tokens: u64,
    #[serde(default)]
    pub cache_write_tokens: u64,
    pub output_tokens: u64,
    #[serde(default)]
    pub reasoning_tokens: u64,
}

impl Usage {
    pub const NOTHING: Self = Self {
        input_tokens: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        output_tokens: 0,
        reasoning_tokens: 0,
    };
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.input_tokens += more.input_tokens;
        self.cache_read_tokens += more.cache_read_tokens;
        self.cache_write_tokens += more.cache_write_tokens;
        self.output_tokens += more.output_tokens;
        self.reasoning_tokens += more.reasoning_tokens;
    }
}

/// Dollars per million tokens, which is millionths of a dollar per token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    pub output: f64,
    /// The same as `input` unless set.
    pub cache_read: Option<f64>,
    pub cache_write: Option<f64>,
}

impl Price {
    /// In millionths of a dollar, rounded up.
    pub fn cost_micros(&self, usage: &Usage) -> i64 {
        let plain = usage.input_tokens.saturating_sub(usage.cache_read_tokens + usage.cache_write_tokens);
        let cost = plain as f64 * self.input
            + usage.cache_read_tokens as f64 * self.cache_read.unwrap_or(self.input)
            + usage.cache_write_tokens as f64 * self.cache_write.unwrap_or(self.input)
            + usage.output_tokens as f64 * self.output;
        cost.ceil() as i64
    }
}

/// Why a call failed, as far as a person can act on it. What the vendor said goes to the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("No provider is configured for {0}. Set its API key or base URL, or choose another model.")]
    NotConfigured(String),
    #[error("The model's provider rejected the API key. An admin has to check it.")]
    KeyRejected,
    /// The node has not the key under which the provider's key was encrypted.
    #[error(
        "The API key of this model's provider can't be decrypted on this server. An admin has to give the server the \
         right secret key, or enter the API key again."
    )]
    KeyUnreadable,
    #[error("The account at the model's provider has no credit left. An admin has to top it up.")]
    NoCredit,
    #[error(
        "The conversation is too long for this model. Begin a new one, or choose a model that reads more."
    )]
    ContextTooLong,
    #[error("The model is overloaded. Try again in a moment.")]
    Overloaded,
    #[error(
        "The model's provider had an error of its own. Try again in a moment, or look at its status page."
    )]
    ProviderFailed,
    /// The vendor did not answer in time, or a gateway answered instead.
    #[error("The model could not be reached. Check the connection and the base URL, then try again.")]
    Unreachable,
    /// The same, before anything was sent.
    #[error("The model could not be reached. Check the connection and the base URL, then try again.")]
    NoConnection,
    #[error("The model stopped in the middle of its answer. Try again to go on from there.")]
    Truncated,
    #[error("The model refused the request: {0}")]
    Rejected(String),
}

impl ModelError {
    /// The provider did not take the request, so there is nothing to pay.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::NotConfigured(_)
            | Self::KeyRejected
            | Self::KeyUnreadable
            | Self::NoCredit
            | Self::ContextTooLong
            | Self::Overloaded
            | Self::NoConnection
            | Self::Rejected(_) => true,
            Self::ProviderFailed | Self::Unreachable | Self::Truncated => false,
        }
    }

    /// A stable code; clients act on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured(_) => "model_not_configured",
            Self::KeyRejected => "model_key_rejected",
            Self::KeyUnreadable => "model_key_unreadable",
            Self::NoCredit => "model_no_credit",
            Self::ContextTooLong => "context_too_long",
            Self::Overloaded => "model_overloaded",
            Self::ProviderFailed => "model_provider_failed",
            Self::Unreachable | Self::NoConnection => "model_unreachable",
            Self::Truncated => "model_truncated",
            Self::Rejected(_) => "model_rejected",
        }
    }
}

pub type ModelStream = Pin<Box<dyn Stream<Item = Result<ModelEvent, ModelError>> + Send>>;

#[async_trait]
pub trait ChatModel: Send + Sync {
    /// Opens a call. Failures are retried inside, and only as long as nothing was given out. Dropping the stream (or
    /// this future) cancels the call at the vendor.
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError>;
}

/// A model that can be called, as an agent's `model` resolved to it.
#[derive(Clone)]
pub struct Resolved {
    pub client: Arc<dyn ChatModel>,
    /// The provider's name: `anthropic` or `openai` unless people gave it another; `demo` or `scripted`.
    pub provider: Arc<str>,
    /// The vendor's name of it.
    pub model: String,
    /// `None`: no price is known.
    pub price: Option<Price>,
    /// Its provider is on this machine.
    pub is_local: bool,
    pub paid_by: PaidBy,
}

/// Whose money a call costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaidBy {
    Server,
    /// The workspace brought the provider itself.
    Workspace,
}

impl Resolved {
    /// `provider/model`, as logs and usage name it.
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }
}

/// Finds the model that an alias or a `provider/model` stands for.
pub trait Models: Send + Sync {
    fn resolve(&self, name: &str) -> Result<Resolved, ModelError>;
}

/// Says which models a workspace has now: its own, and the server's.
#[async_trait]
pub trait WorkspaceModels: Send + Sync {
    async fn models_of(&self, workspace: WorkspaceId) -> store::Result<Arc<dyn Models>>;
}

/// The same models for every workspace.
pub struct SameModels(pub Arc<dyn Models>);

#[async_trait]
impl WorkspaceModels for SameModels {
    async fn models_of(&self, _: WorkspaceId) -> store::Result<Arc<dyn Models>> {
        Ok(self.0.clone())
    }
}

#[cfg(test)]
mod tests;
