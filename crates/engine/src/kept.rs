//! The logs that this node has read, kept between turns, so that a turn reads only what has come since. Only what is
//! committed is kept: steps, who held the conversation when, and results of stages. The conversation's row is read anew
//! each time and says how far the log goes; who may do what, agents and attachments are never kept.
//!
//! Whoever takes a log has it alone, and gives it back; meanwhile others read it from the database.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Mutex;

use baton_core::handoffs::Activation;
use baton_core::ids::ConversationId;
use baton_core::log::LoggedStep;
use baton_core::store::Error;
use baton_core::turns::{Loaded, Since};
use serde_json::Value;

use crate::hub::lock;
use crate::request::step_size;
use crate::service::Engine;

/// Of one conversation, as much as is read of one.
const MOST_STEPS: usize = 4_000;
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// Of all together.
const ALL_BYTES: usize = 32 * 1024 * 1024;
/// What a step is beside what it says.
const STEP: usize = 300;
/// Conversations that were deleted lately: whoever had their log does not give it back.
const DELETED: usize = 1_000;

/// A conversation's log up to `last_seq`, with what changes only by a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub last_seq: i64,
    pub steps: Vec<LoggedStep>,
    pub is_cut: bool,
    pub weight: usize,
    /// `None`: someone else changed who holds the conversation.
    pub activations: Option<Vec<Activation>>,
    pub snapshots: Option<Vec<(String, Value)>>,
}

/// About how many bytes steps are.
pub fn weight(steps: &[LoggedStep]) -> usize {
    steps.iter().map(|logged| STEP + step_size(&logged.step)).sum()
}

#[derive(Default)]
pub struct KeptLogs(Mutex<Inside>);

#[derive(Default)]
struct Inside {
    logs: HashMap<ConversationId, (u64, Kept)>,
    /// When each was given back, oldest first.
    order: BTreeMap<u64, ConversationId>,
    given: u64,
    bytes: usize,
    deleted: HashSet<ConversationId>,
    deleted_order: VecDeque<ConversationId>,
}

impl Inside {
    fn take(&mut self, id: ConversationId) -> Option<Kept> {
        let (given, kept) = self.logs.remove(&id)?;
        self.order.remove(&given);
        self.bytes -= kept.weight;
        Some(kept)
    }
}

impl KeptLogs {
    pub fn take(&self, id: ConversationId) -> Option<Kept> {
        lock(&self.0).take(id)
    }

    pub fn give_back(&self, id: ConversationId, mut kept: Kept) {
        kept.cut();
        let mut inside = lock(&self.0);
        let is_newer = inside.logs.get(&id).is_some_and(|(_, there)| there.last_seq > kept.last_seq);
        if is_newer || inside.deleted.contains(&id) || kept.weight > MOST_BYTES {
            return;
        }
        inside.take(id);
        inside.given += 1;
        let given = inside.given;
        inside.bytes += kept.weight;
        inside.order.insert(given, id);
        inside.logs.insert(id, (given, kept));
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

    /// Whoever lost its lease or its database does not know what came meanwhile.
    pub fn forget_all(&self) {
        let mut inside = lock(&self.0);
        (inside.logs, inside.order, inside.bytes) = Default::default();
    }

    #[cfg(test)]
    pub fn all(&self) -> Vec<(ConversationId, Kept)> {
        lock(&self.0).logs.iter().map(|(id, (_, kept))| (*id, kept.clone())).collect()
    }
}

impl Kept {
    /// What was loaded, to be given back as it is.
    pub fn of(loaded: Loaded, snapshots: Option<Vec<(String, Value)>>) -> Self {
        Self {
            last_seq: loaded.conversation.last_seq,
            steps: loaded.steps,
            is_cut: loaded.is_cut,
            weight: loaded.weight,
            activations: Some(loaded.activations),
            snapshots,
        }
    }

    /// Leaves the oldest steps out where there are more than are ever shown.
    fn cut(&mut self) {
        let (mut weight, mut left_out) = (self.weight, 0);
        while self.steps.len() - left_out > MOST_STEPS
            || (weight > MOST_BYTES && left_out + 1 < self.steps.len())
        {
            weight -= self::weight(&self.steps[left_out..=left_out]).min(weight);
            left_out += 1;
        }
        if left_out > 0 {
            self.steps.drain(..left_out);
            (self.weight, self.is_cut) = (weight, true);
        }
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
            weight: self.weight + since.weight,
            checkpoint: since.checkpoint,
            allowed: since.allowed,
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
            // Who holds it must be read anew as well, so nothing is saved by reading a part.
            let since = match kept.activations {
                Some(_) => self.0.store.load_since(id, kept.last_seq).await?,
                None => None,
            };
            if let Some(since) = since {
                return Ok(kept.with(since));
            }
        }
        Ok((self.0.store.load(id).await?, None))
    }
}
