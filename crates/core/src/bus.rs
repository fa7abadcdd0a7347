//! Hints that nodes send each other. What a hint is about is already stored, so a lost hint does no harm: the node
//! that missed it finds the change later, by reading the database.

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::ids::{ConversationId, TaskId};
use crate::notices::{Happened, Notice};

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

impl Heard {
    /// What another node said, which may be of another version. Nothing, if it is about something that is not known here: what it
    /// is about is stored, and means nothing to this node. What is known and can't be read was missed.
    pub fn read(said: Value) -> Option<Self> {
        if let Ok(heard) = Self::deserialize(&said) {
            return Some(heard);
        }
        let hint = said.get("hint").unwrap_or(&said);
        let is_word = |words: &[&str], word: Option<&str>| word.is_some_and(|word| words.contains(&word));
        let word = hint.as_str().or_else(|| hint.as_object()?.keys().next().map(String::as_str));
        let happened = hint.pointer("/notice/happened/type");
        let is_known =
            is_word(HINTS, word) && happened.is_none_or(|kind| is_word(Happened::WORDS, kind.as_str()));
        is_known.then_some(Self::Missed)
    }
}

const HINTS: &[&str] = &["notice", "stored", "stopped", "deleted", "look_again"];

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

#[cfg(test)]
mod tests;
