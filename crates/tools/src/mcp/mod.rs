//! The client of other people's MCP servers. Nothing outside this folder knows the wire: the protocol is going to change.
//!
//! [`Connections`] is what the house uses. It lives as long as its node, keeps a connection and the last list of tools per
//! server (and per person, where a server wants a sign-in), and tells what is wrong with a server in words.
//!
//! | file | what |
//! | --- | --- |
//! | `slot.rs` | one server: its connection, its list, what is wrong with it, when to try again |
//! | `connection.rs` | one connection, from the greeting to the end |
//! | `call.rs` | one call, sent once and followed until its answer |
//! | `http.rs`, `sse.rs`, `child.rs` | the two transports, each bounded |
//! | `listener.rs`, `asking.rs` | what a server says by itself, and what it asks a person |
//! | `definitions.rs`, `results.rs`, `failure.rs` | what servers say, as the house reads it |

mod asking;
mod call;
mod child;
mod connection;
mod definitions;
mod failure;
mod http;
mod listener;
mod results;
mod slot;
mod sse;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use async_trait::async_trait;
use baton_core::ids::ToolId;
use baton_core::server_tools::{CallFailure, Listing, Outcome, Server, ServerCall, ServerTools};
use baton_core::visitors::Person;
use futures::future;
use uuid::Uuid;

pub use asking::{AskPerson, Asked, Question, Reply};
use slot::Slot;

use crate::outbound::Outbound;

/// What is asked of connections. The times are the house's patience, not the servers'.
#[derive(Clone)]
pub struct Options {
    /// Until a server has greeted and told its tools. A command may have to be installed first.
    pub connect: Duration,
    /// How long a list is waited for by whoever only wants to offer tools; it is heard in the background then.
    pub patience: Duration,
    /// A call without a sign of progress.
    pub idle: Duration,
    /// A call, whatever its signs. A turn's own patience may be shorter.
    pub total: Duration,
    /// How old a list may be until it is read again.
    pub list_age: Duration,
    /// How long a connection is kept that nobody uses.
    pub unused: Duration,
    /// How often connections are looked after.
    pub upkeep: Duration,
    /// Between tries to reach a server that is down: at first, and at most. Each is varied, so that not all nodes come at once.
    pub retry: (Duration, Duration),
    /// The most bytes of one message of a server.
    pub max_bytes: usize,
    /// Whom servers can ask, if anybody.
    pub people: Option<Arc<dyn AskPerson>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(60),
            patience: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(600),
            list_age: Duration::from_secs(300),
            unused: Duration::from_secs(900),
            upkeep: Duration::from_secs(10),
            retry: (Duration::from_secs(1), Duration::from_secs(60)),
            max_bytes: 8 * 1024 * 1024,
            people: None,
        }
    }
}

/// A handle on all connections of this node. Clones are the same connections.
#[derive(Clone)]
pub struct Connections(Arc<Inner>);

struct Inner {
    out: Arc<Outbound>,
    options: Options,
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
}

/// A server, and whose connection to it: nobody's in particular, or that of a person who signed in there.
type Key = (ToolId, Option<Uuid>);

impl Connections {
    /// Begins to look after connections; there are none yet.
    pub fn start(out: Arc<Outbound>, options: Options) -> Self {
        let inner = Arc::new(Inner { out, options, slots: Mutex::default() });
        tokio::spawn(look_after(Arc::downgrade(&inner)));
        Self(inner)
    }

    /// Ends all of them, and waits until sessions are given back and children are gone.
    pub async fn close(&self) {
        let slots: Vec<_> = self.0.lock().drain().map(|(_, slot)| slot).collect();
        future::join_all(slots.iter().map(|slot| slot.close())).await;
    }
}

impl Inner {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of a server as it is described now. If it is described otherwise than before, what was is ended.
    fn slot(&self, server: &Server) -> Arc<Slot> {
        let mut slots = self.lock();
        let key = (server.id, None);
        if let Some(slot) = slots.get(&key) {
            if slot.server == *server {
                return slot.clone();
            }
            let old = slot.clone();
            tokio::spawn(async move { old.close().await });
        }
        let slot = Arc::new(Slot::new(server.clone()));
        slots.insert(key, slot.clone());
        slot
    }
}

/// Reads lists again that are old, tries servers again that are down, and ends connections that nobody uses.
async fn look_after(inner: Weak<Inner>) {
    loop {
        let Some(upkeep) = inner.upgrade().map(|inner| inner.options.upkeep) else { return };
        tokio::time::sleep(upkeep).await;
        let Some(inner) = inner.upgrade() else { return };
        let slots: Vec<_> = inner.lock().iter().map(|(key, slot)| (*key, slot.clone())).collect();
        for (key, slot) in slots {
            if slot.is_unused(&inner) {
                inner.lock().remove(&key);
                tokio::spawn(async move { slot.close().await });
            } else if slot.wants_hearing(&inner) {
                slot.hear_in_background(&inner);
            }
        }
    }
}

#[async_trait]
impl ServerTools for Connections {
    async fn list(&self, server: &Server, _person: Option<Person>) -> Listing {
        self.0.slot(server).list(&self.0).await
    }

    async fn refresh(&self, server: &Server, _person: Option<Person>) -> Listing {
        let slot = self.0.slot(server);
        slot.try_now();
        slot.hear(&self.0).await;
        slot.listing()
    }

    async fn call(&self, call: ServerCall<'_>) -> Result<Outcome, CallFailure> {
        self.0.slot(call.server).call(&self.0, call).await.map_err(slot::Failed::into_failure)
    }
}
