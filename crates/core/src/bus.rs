//! What nodes say to each other. Hints, never the truth: what they are about is stored already, and whoever misses one
//! finds out by looking, only later.

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
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "018f3c1e-0000-7000-8000-000000000000";

    #[test]
    fn what_another_version_says_is_heard_as_far_as_it_matters_here() {
        let notice = |happened: Value| json!({"hint": {"notice": {"workspace_id": ID, "audience": "members", "happened": happened}}});
        let ended = |status: &str| {
            notice(json!({"type": "turn_ended", "conversationId": ID, "sessionId": ID, "status": status}))
        };
        let deleted = json!({"hint": {"deleted": ID}});
        let read = |said: &Value| Heard::read(said.clone());
        assert!(matches!(read(&deleted), Some(Heard::Hint(Hint::Deleted(_)))));
        assert!(matches!(read(&ended("completed")), Some(Heard::Hint(Hint::Notice(_)))));
        for missed in [
            json!("missed"),
            ended("postponed"),
            json!({"hint": {"deleted": 5}}),
            json!({"hint": {"stored": {"conversation": ID}}}),
        ] {
            assert_eq!(read(&missed), Some(Heard::Missed), "{missed}");
        }
        for nothing in [
            json!({"hint": {"piece": {"call": 1, "off": 2, "text": "abc"}}}),
            json!({"hint": "drained"}),
            notice(json!({"type": "moon_rose"})),
            json!({"gossip": 1}),
            json!(5),
        ] {
            assert_eq!(read(&nothing), None, "{nothing}");
        }
    }

    #[test]
    fn every_hint_is_a_known_word() {
        let id = || ConversationId(ID.parse().expect("an id"));
        let notice = Notice {
            workspace_id: crate::ids::WorkspaceId::new(),
            audience: crate::notices::Audience::Members,
            happened: Happened::WorkspaceChanged {},
        };
        for hint in [
            Hint::Notice(notice),
            Hint::Stored { conversation_id: id(), seq: 1 },
            Hint::Stopped(TaskId::new()),
            Hint::Deleted(id()),
            Hint::LookAgain(None),
        ] {
            // Exhaustive on purpose: a new hint is a new word.
            match hint {
                Hint::Notice(_)
                | Hint::Stored { .. }
                | Hint::Stopped(_)
                | Hint::Deleted(_)
                | Hint::LookAgain(_) => {}
            }
            let said = serde_json::to_value(&hint).expect("JSON");
            let word = said.as_object().and_then(|map| map.keys().next()).expect("a word").clone();
            assert!(HINTS.contains(&word.as_str()), "{word}");
        }
    }
}
