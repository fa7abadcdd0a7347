//! The logs that this node has read. They are kept between turns, so that a turn reads only the steps that were added
//! since. Only committed things are kept: steps, activations and results of stages. The conversation's row is read
//! anew each time and says how far the log goes. Rights, agents and attachments are never kept.
//!
//! Whoever takes a log has it alone and gives it back; meanwhile others read from the database.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Mutex;

use baton_core::handoffs::Activation;
use baton_core::ids::ConversationId;
use baton_core::log::{LoggedStep, Step};
use baton_core::models::Thinking;
use baton_core::store::Error;
use baton_core::tools::PreviewChange;
use baton_core::turns::{Loaded, Since};
use serde_json::Value;

use crate::lock::lock;
use crate::node::engine::Engine;
use crate::sizes::{json_size, map_size};

/// The most that is kept of one conversation: as much as is read of one.
const MOST_STEPS: usize = 4_000;
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// The most that is kept of all conversations together.
const ALL_BYTES: usize = 32 * 1024 * 1024;
/// What a step takes in memory besides its text.
const STEP: usize = 300;
/// What a row that a person was shown takes.
const SEEN: usize = 80;
/// Conversations that were deleted lately: a log of one of them that is given back is dropped.
const DELETED: usize = 1_000;

/// A conversation's log up to `last_seq`, with what changes only by a step.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptLog {
    pub last_seq: i64,
    pub steps: Vec<LoggedStep>,
    pub is_cut: bool,
    /// A turn is under way: its steps belong together.
    pub in_turn: bool,
    /// `None`: someone else changed who holds the conversation.
    pub activations: Option<Vec<Activation>>,
    pub snapshots: Option<Vec<(String, Value)>>,
}

/// About how many bytes a step is in memory.
fn weight(step: &Step) -> usize {
    let said = match step {
        Step::User { content, .. } | Step::Imported { content, .. } => content.len(),
        Step::Greeting { text, .. } => text.len(),
        Step::Said(said) => {
            let thought =
                |thought: &Thinking| thought.text.len() + thought.opaque.as_ref().map_or(0, json_size);
            let spoken = said.blocks.iter().map(|block| block.text.len());
            spoken.chain(said.thinking.iter().map(thought)).sum()
        }
        Step::ToolCall(call) => map_size(&call.args),
        Step::ToolResult(result) => json_size(&result.result),
        Step::ApprovalAsked { args, preview, .. } => {
            let texts = |change: &PreviewChange| {
                let values = change.old.iter().chain(&change.new).map(String::len).sum::<usize>();
                change.what.len() + change.field.len() + values
            };
            let shown = preview.as_ref().map_or(0, |preview| preview.changes.iter().map(texts).sum());
            let seen = preview.as_ref().map_or(0, |preview| preview.seen.len() * SEEN);
            map_size(args) + shown + seen
        }
        Step::ApprovalResolved { args, .. } => args.as_ref().map_or(0, map_size),
        Step::Handoff(handoff) => map_size(&handoff.context),
        Step::Snapshot { data, .. } => json_size(data),
        Step::Unknown(value) => json_size(value),
        _ => 0,
    };
    STEP + said
}

#[derive(Default)]
pub struct KeptLogs(Mutex<Inside>);

#[derive(Default)]
struct Inside {
    logs: HashMap<ConversationId, Entry>,
    /// When each was given back, oldest first.
    order: BTreeMap<u64, ConversationId>,
    given: u64,
    bytes: usize,
    deleted: HashSet<ConversationId>,
    deleted_order: VecDeque<ConversationId>,
}

struct Entry {
    given: u64,
    weight: usize,
    kept: KeptLog,
}

impl Inside {
    fn take(&mut self, id: ConversationId) -> Option<KeptLog> {
        let Entry { given, weight, kept } = self.logs.remove(&id)?;
        self.order.remove(&given);
        self.bytes -= weight;
        Some(kept)
    }
}

impl KeptLogs {
    pub fn take(&self, id: ConversationId) -> Option<KeptLog> {
        lock(&self.0).take(id)
    }

    pub fn give_back(&self, id: ConversationId, mut kept: KeptLog) {
        let Some(weight) = kept.fit() else { return };
        let mut inside = lock(&self.0);
        let is_newer = inside.logs.get(&id).is_some_and(|there| there.kept.last_seq > kept.last_seq);
        if is_newer || inside.deleted.contains(&id) {
            return;
        }
        inside.take(id);
        inside.given += 1;
        let given = inside.given;
        inside.bytes += weight;
        inside.order.insert(given, id);
        inside.logs.insert(id, Entry { given, weight, kept });
        while inside.bytes > ALL_BYTES
            && let Some((_, oldest)) = inside.order.first_key_value().map(|(given, id)| (*given, *id))
        {
            inside.take(oldest);
        }
    }

    pub fn has_deleted(&self, id: ConversationId) {
        let mut inside = lock(&self.0);
        inside.take(id);
        if inside.deleted.insert(id) {
            inside.deleted_order.push_back(id);
        }
        if inside.deleted_order.len() > DELETED
            && let Some(oldest) = inside.deleted_order.pop_front()
        {
            inside.deleted.remove(&oldest);
        }
    }

    /// A database that was away may come back with less than it had: a copy that takes its place lacks the last commits.
    pub fn forget_if_away(&self, error: &Error) {
        if matches!(error, Error::Unavailable) {
            self.forget_all();
        }
    }

    pub fn forget_all(&self) {
        let mut inside = lock(&self.0);
        (inside.logs, inside.order, inside.bytes) = Default::default();
    }

    #[cfg(test)]
    pub fn all(&self) -> Vec<(ConversationId, KeptLog)> {
        lock(&self.0).logs.iter().map(|(id, place)| (*id, place.kept.clone())).collect()
    }
}

impl KeptLog {
    /// What was loaded, to be given back as it is.
    pub fn of(loaded: Loaded, snapshots: Option<Vec<(String, Value)>>) -> Self {
        Self {
            last_seq: loaded.conversation.last_seq,
            steps: loaded.steps,
            is_cut: loaded.is_cut,
            in_turn: loaded.turn.is_some(),
            activations: Some(loaded.activations),
            snapshots,
        }
    }

    /// Leaves the oldest steps out where there are more than are ever shown; about how many bytes are left. `None` where it
    /// can't be kept: it is too large, or would be cut within a turn, which nobody could then go on with or end.
    fn fit(&mut self) -> Option<usize> {
        let held = self.activations.iter().flatten();
        let held = held.map(|one| STEP + map_size(&one.context) + map_size(&one.context_data));
        let found = self.snapshots.iter().flatten().map(|(_, data)| STEP + json_size(data));
        let steps = self.steps.iter().map(|logged| weight(&logged.step));
        let mut weight: usize = held.chain(found).chain(steps).sum();
        let mut left_out = 0;
        while left_out < self.steps.len() && (self.steps.len() - left_out > MOST_STEPS || weight > MOST_BYTES)
        {
            weight -= self::weight(&self.steps[left_out].step);
            left_out += 1;
        }
        if left_out > 0 && (self.in_turn || left_out == self.steps.len()) {
            return None;
        }
        self.steps.drain(..left_out);
        self.is_cut |= left_out > 0;
        Some(weight)
    }

    /// The conversation as it is now, and its results of stages as far as they are known.
    fn with(mut self, since: Since) -> (Loaded, Option<Vec<(String, Value)>>) {
        let is_same = since.steps.is_empty();
        self.steps.extend(since.steps);
        let loaded = Loaded {
            conversation: since.conversation,
            turn: since.turn,
            activations: since.activations.or(self.activations).unwrap_or_default(),
            steps: self.steps,
            is_cut: self.is_cut,
            checkpoint: since.checkpoint,
        };
        (loaded, self.snapshots.filter(|_| is_same))
    }
}

impl Engine {
    /// A conversation as it is now: what is kept of its log, and what has come since. Results of stages come along if they
    /// are known.
    pub(crate) async fn load(
        &self,
        id: ConversationId,
    ) -> Result<(Loaded, Option<Vec<(String, Value)>>), Error> {
        if let Some(kept) = self.0.kept.take(id) {
            // The activations must be read anew as well, so reading only a part would save nothing.
            let since = match kept.activations {
                Some(_) => self.0.store.load_since(id, kept.last_seq).await,
                None => Ok(None),
            };
            match since {
                Ok(Some(since)) => return Ok(kept.with(since)),
                Ok(None) => {}
                Err(error) => {
                    self.0.kept.forget_if_away(&error);
                    return Err(error);
                }
            }
        }
        Ok((self.0.store.load(id).await?, None))
    }
}

#[cfg(test)]
mod tests;
