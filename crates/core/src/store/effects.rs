//! What the engine and the tools ask of the store about effects.

use async_trait::async_trait;
use serde_json::Value;

use super::Result;
use crate::data::rows::Once;
use crate::effects::{Effect, EffectRefused};
use crate::ids::ConversationId;
use crate::memories::MemoryWrite;

/// What came of a write: its outcome, which is also the call's result.
pub type Written = std::result::Result<Value, EffectRefused>;

/// The writes of Baton's own tools. Each is one transaction with the record of its outcome; asked again, the record answers.
#[async_trait]
pub trait Effects: Send + Sync {
    /// Of these calls, by the numbers of their steps, those that were carried out, with their outcomes. One that is under way is
    /// waited for.
    async fn effects(&self, conversation: ConversationId, calls: &[i64]) -> Result<Vec<(i64, Value)>>;
    /// What was done before under this key, if it was.
    async fn done_before(&self, once: &Once) -> Result<Option<Value>>;
    async fn write_memory(&self, effect: &Effect, write: MemoryWrite) -> Written;
}
