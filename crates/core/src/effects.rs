//! Effects: what calls of Baton's own tools changed. A write and the record of its outcome are one transaction, so a call
//! that is carried out again (after a crash, a lost answer, by another node) finds its outcome and changes nothing.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::ConversationId;
use crate::store::Error;
use crate::turns::Fence;

/// The call that a write belongs to, and the arguments it is carried out with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    pub call: CallPlace,
    /// See [`arguments_hash`](crate::approvals::arguments_hash).
    pub args_hash: String,
    /// After this nobody waits for it any more, and it is not begun.
    pub deadline: Instant,
    pub shown: Shown,
}

/// What the person who allowed a call was shown: nothing is written if these rows are not as they were then.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    pub rows: Vec<SeenRow>,
    /// The number of the first call of its reply. What the calls of one reply change was shown together, so they don't stand in
    /// each other's way.
    pub first_call: i64,
}

/// A row of a kind, as it was when somebody looked at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenRow {
    pub kind: String,
    pub id: Uuid,
    pub version: i64,
}

/// Where a call stands. Never its vendor's id: those repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallPlace {
    pub conversation_id: ConversationId,
    /// The number of its step.
    pub seq: i64,
    /// Whose call it is. Once the turn is another's, or someone asked to stop it, nothing new is written.
    pub fence: Fence,
}

/// Why a write did not take place.
#[derive(Debug, thiserror::Error)]
pub enum EffectRefused {
    #[error("the turn is another's, was stopped or deleted, or nobody waits for the call any more")]
    Fenced,
    #[error("the call was carried out before, with other arguments")]
    OtherArguments,
    /// Words for the model, which reads again and tries something else.
    #[error("{0}")]
    NotNow(String),
    #[error(transparent)]
    Store(#[from] Error),
}
