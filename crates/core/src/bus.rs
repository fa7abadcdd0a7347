//! What nodes say to each other. Hints, never the truth: what they are about is stored already, and whoever misses one
//! finds out by looking, only later.

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::{ConversationId, TaskId};
use crate::notices::Notice;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hint {
    Notice(Notice),
    /// A conversation's log has grown up to this step.
    Stored {
        conversation_id: ConversationId,
        seq: i64,
    },
    /// A turn was asked to stop.
    Stopped(TaskId),
    Deleted(ConversationId),
    /// Someone's open streams are to ask whether they may still be read; everyone's, if nobody is named.
    LookAgain(Option<Uuid>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heard {
    Hint(Hint),
    /// Hints may have been lost, any number of any kind.
    Missed,
}

pub trait Bus: Send + Sync {
    /// Tells every other node, soon. Never waits and never fails: what can't be sent is lost, and the others hear that
    /// they missed something as soon as they can.
    fn tell(&self, hint: Hint);

    /// What other nodes say from now on, and never what this one does. Ends if nothing can come.
    fn listen(&self) -> BoxStream<'static, Heard>;
}

/// For a node that has the database to itself.
#[derive(Debug)]
pub struct Alone;

impl Bus for Alone {
    fn tell(&self, _: Hint) {}

    fn listen(&self) -> BoxStream<'static, Heard> {
        stream::empty().boxed()
    }
}
