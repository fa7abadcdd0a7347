//! The Model Context Protocol: the client of other people's servers, and Baton as a server (`serve/`). Nothing outside this
//! folder knows the wire: the protocol is going to change.
//!
//! The rest of Baton uses [`Connections`]. It lives as long as its node, keeps a connection and the last list of tools per
//! server (and per person, where a server wants a sign-in), and tells what is wrong with a server in words.
//!
//! | file | what |
//! | --- | --- |
//! | `slot.rs` | one server: its connection, its list, what is wrong with it, when to try again |
//! | `connection.rs` | one connection, from the greeting to the end |
//! | `call.rs` | one call, sent once and followed until its answer |
//! | `http.rs`, `sse.rs`, `child.rs` | the two transports, each bounded |
//! | `listener.rs`, `asking.rs` | what a server says by itself, and what it asks a person |
//! | `sign_in/` | OAuth, per person and server |
//! | `definitions.rs`, `results.rs`, `failure.rs` | what servers say, in Baton's own types |

mod asking;
mod call;
mod child;
mod connection;
mod definitions;
mod failure;
mod http;
mod listener;
mod results;
pub mod serve;
pub mod sign_in;
mod slot;
mod sse;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use async_trait::async_trait;
use baton_core::ids::ToolId;
use baton_core::secrets::SecretText;
use baton_core::server_tools::{CallFailure, Listing, Outcome, Server, ServerCall, ServerTools, Trouble};
use baton_core::visitors::Person;
use futures::future;
use uuid::Uuid;

pub use asking::{AskPerson, Asked, Question, Reply};
use sign_in::{Going, SignInBegun, SignInClient, SignInError, SignInPlace, SignIns};
use slot::{Failed, Slot};

use crate::outbound::Outbound;

/// How connections are to behave. The times are how long Baton waits, whatever a server asks for.
#[derive(Clone)]
pub struct Options {
    /// Until a server has greeted and told its tools. A command may have to be installed first.
    pub connect: Duration,
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
    /// Where sign-ins are kept. Without it, a server that wants one can't be used.
    pub sign_ins: Option<Arc<dyn SignIns>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(60),
            idle: Duration::from_secs(60),
            total: Duration::from_secs(600),
            list_age: Duration::from_secs(300),
            unused: Duration::from_secs(900),
            upkeep: Duration::from_secs(10),
            retry: (Duration::from_secs(1), Duration::from_secs(60)),
            max_bytes: 8 * 1024 * 1024,
            people: None,
            sign_ins: None,
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

    /// Begins a person's sign-in at a server.
    pub async fn begin_sign_in(
        &self,
        server: &Server,
        person: Person,
        client: &SignInClient,
    ) -> Result<SignInBegun, SignInError> {
        let going = self.0.going(server, person)?;
        let challenge = match self.0.slot(server, Some(person)).challenge() {
            Some(challenge) => challenge,
            None => self.0.slot(server, None).probe(&self.0).await,
        };
        going.begin(client, challenge).await
    }

    /// Ends it, with what was kept since and the address that the browser came back to. From now on the person's calls use it.
    pub async fn finish_sign_in(
        &self,
        server: &Server,
        person: Person,
        under_way: &SecretText,
        came_back: &str,
    ) -> Result<(), SignInError> {
        self.0.going(server, person)?.finish(under_way, came_back).await?;
        self.0.slot(server, None).wants_sign_in();
        self.forget(server, person).await;
        Ok(())
    }

    /// Ends a person's own connection to a server, as their sign-in is another one now or none.
    pub async fn forget(&self, server: &Server, person: Person) {
        let slot = self.0.lock().remove(&(server.id, Some(person.id())));
        if let Some(slot) = slot {
            slot.close().await;
        }
    }

    /// A server's tool was changed, or is gone (`None`): connections to the server as it was described before end.
    pub fn changed(&self, id: ToolId, now: Option<&Server>) {
        let old: Vec<_> =
            self.0.lock().extract_if(|key, slot| key.0 == id && now != Some(&slot.server)).collect();
        for (_, slot) in old {
            tokio::spawn(async move { slot.close().await });
        }
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

    fn going(&self, server: &Server, person: Person) -> Result<Going<'_>, SignInError> {
        let place = SignInPlace::of(server, person).ok_or(SignInError::NoSignIn)?;
        let sign_ins = self.options.sign_ins.as_ref().ok_or(SignInError::NoSignIn)?;
        Ok(Going { out: &self.out, place, sign_ins })
    }

    /// The connection that a person's calls use: everybody's, unless the server wants to know who it is.
    fn slot_for(&self, server: &Server, person: Option<Person>) -> Arc<Slot> {
        let shared = self.slot(server, None);
        match person {
            Some(_) if shared.asks_sign_in() && self.options.sign_ins.is_some() => self.slot(server, person),
            _ => shared,
        }
    }

    /// The place of a server as it is described now. If it is described otherwise than before, what was is ended.
    fn slot(&self, server: &Server, whose: Option<Person>) -> Arc<Slot> {
        let mut slots = self.lock();
        let key = (server.id, whose.map(Person::id));
        if let Some(slot) = slots.get(&key) {
            if slot.server == *server {
                return slot.clone();
            }
            let old = slot.clone();
            tokio::spawn(async move { old.close().await });
        }
        let slot = Arc::new(Slot::new(server.clone(), whose));
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
                // Of a server it is remembered what it said and how it is spoken to; of a person's own place, nothing.
                if key.1.is_some() {
                    inner.lock().remove(&key);
                }
                tokio::spawn(async move { slot.rest().await });
            } else if slot.wants_hearing(&inner) {
                slot.hear_in_background(&inner);
            }
        }
    }
}

#[async_trait]
impl ServerTools for Connections {
    async fn list(&self, server: &Server, person: Option<Person>) -> Listing {
        let slot = self.0.slot_for(server, person);
        let listing = slot.list(&self.0).await;
        // Only now the server said that it wants to know who it is.
        let own = self.0.slot_for(server, person);
        if Arc::ptr_eq(&slot, &own) { listing } else { own.list(&self.0).await }
    }

    fn trouble(&self, server: ToolId, person: Option<Person>) -> Option<Trouble> {
        let slots = self.0.lock();
        let shared = slots.get(&(server, None))?;
        let own = person.and_then(|person| slots.get(&(server, Some(person.id()))));
        own.filter(|_| shared.asks_sign_in()).unwrap_or(shared).trouble()
    }

    async fn refresh(&self, server: &Server, person: Option<Person>) -> Listing {
        let slot = self.0.slot_for(server, person);
        let listing = slot.ask_again(&self.0).await;
        let own = self.0.slot_for(server, person);
        if Arc::ptr_eq(&slot, &own) { listing } else { own.ask_again(&self.0).await }
    }

    async fn call(&self, call: ServerCall<'_>) -> Result<Outcome, CallFailure> {
        let person = Some(call.context.person);
        let slot = self.0.slot_for(call.server, person);
        let again = ServerCall { arguments: call.arguments.clone(), ..call };
        let outcome = match slot.call(&self.0, call).await {
            // It was refused unread, so it is sent for the first time now.
            Err(Failed::SignIn(challenge)) => {
                let own = self.0.slot_for(again.server, person);
                if Arc::ptr_eq(&slot, &own) {
                    Err(Failed::SignIn(challenge))
                } else {
                    own.call(&self.0, again).await
                }
            }
            outcome => outcome,
        };
        outcome.map_err(Failed::into_failure)
    }
}

#[cfg(test)]
mod tests;
