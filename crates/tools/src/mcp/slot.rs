//! One server on this node: its connection, its tools as last heard, and what is wrong with it.
//!
//! While a server is down, its last list of tools is kept together with the reason (`Trouble`). Baton tries it again after a
//! while, later each time, and at once when a person asks for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use baton_core::server_tools::{CallFailure, Definition, Listing, Outcome, Server, ServerCall, Trouble};
use baton_core::visitors::Person;
use tokio::time::Instant;

use super::connection::{Connection, Era, Way};
use super::failure::NotConnected;
use super::{Inner, call};

pub(super) struct Slot {
    pub(super) server: Server,
    /// Whose sign-in it uses; `None`: it is everybody's.
    whose: Option<Person>,
    /// One at a time connects, and one at a time reads the list.
    connecting: tokio::sync::Mutex<()>,
    hearing: tokio::sync::Mutex<()>,
    state: Mutex<State>,
}

struct State {
    connection: Option<Arc<Connection>>,
    heard: Option<Heard>,
    wrong: Option<Wrong>,
    /// Found out once; asking each time costs up to ten seconds.
    era: Option<Era>,
    /// How the server asked for a sign-in last, in its own words.
    challenge: Option<String>,
    used: Instant,
    closed: bool,
}

struct Heard {
    tools: Arc<Vec<Definition>>,
    at: Instant,
}

struct Wrong {
    what: NotConnected,
    tries: u32,
    again: Instant,
}

/// Why a call has no outcome.
pub(super) enum Failed {
    Call(CallFailure),
    SignIn(String),
}

impl Failed {
    pub(super) fn into_failure(self) -> CallFailure {
        match self {
            Self::Call(failure) => failure,
            Self::SignIn(_) => CallFailure::NeedsSignIn,
        }
    }
}

impl From<CallFailure> for Failed {
    fn from(failure: CallFailure) -> Self {
        Self::Call(failure)
    }
}

impl Slot {
    pub(super) fn new(server: Server, whose: Option<Person>) -> Self {
        let state = State {
            connection: None,
            heard: None,
            wrong: None,
            era: None,
            challenge: None,
            used: Instant::now(),
            closed: false,
        };
        Self {
            server,
            whose,
            connecting: tokio::sync::Mutex::default(),
            hearing: tokio::sync::Mutex::default(),
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_connection(&self) -> Option<Arc<Connection>> {
        self.state().connection.clone().filter(|connection| connection.is_open())
    }

    /// The open connection, or a new one.
    async fn connection(self: &Arc<Self>, inner: &Arc<Inner>) -> Result<Arc<Connection>, NotConnected> {
        if let Some(connection) = self.open_connection() {
            return Ok(connection);
        }
        let _one = self.connecting.lock().await;
        if let Some(connection) = self.open_connection() {
            return Ok(connection);
        }
        let era = {
            let state = self.state();
            if let Some(wrong) = state.wrong.as_ref().filter(|wrong| Instant::now() < wrong.again) {
                return Err(wrong.what.clone());
            }
            state.era
        };
        let opened = tokio::time::timeout(inner.options.connect, self.open(inner, era)).await;
        let late = || {
            NotConnected::Down(format!(
                "it did not answer within {} seconds",
                inner.options.connect.as_secs()
            ))
        };
        match opened.unwrap_or_else(|_| Err(late())) {
            Ok(connection) => Ok(self.connected(inner, Arc::new(connection))),
            Err(what) => {
                self.failed(inner, what.clone());
                Err(what)
            }
        }
    }

    async fn open(&self, inner: &Inner, era: Option<Era>) -> Result<Connection, NotConnected> {
        let sign_in = match self.whose {
            None => None,
            Some(person) => {
                let going = inner.going(&self.server, person);
                let renewing = match going {
                    Ok(going) => going.renewing().await,
                    Err(error) => Err(error),
                };
                match renewing {
                    Ok(Some(manager)) => Some(manager),
                    Ok(None) => return Err(NotConnected::NeedsSignIn(String::new())),
                    Err(error) => return Err(NotConnected::Down(error.to_string())),
                }
            }
        };
        let way = Way { server: &self.server, out: &inner.out, options: &inner.options, sign_in };
        Connection::open(way, era).await
    }

    fn connected(self: &Arc<Self>, inner: &Arc<Inner>, connection: Arc<Connection>) -> Arc<Connection> {
        {
            let mut state = self.state();
            state.era = Some(connection.era);
            state.wrong = None;
            state.used = Instant::now();
            // If the slot was closed meanwhile, the connection ends when its caller lets go of it.
            if !state.closed {
                state.connection = Some(connection.clone());
            }
        }
        let (slot, inner, watched) =
            (Arc::downgrade(self), Arc::downgrade(inner), Arc::downgrade(&connection));
        let changed = connection.changed.clone();
        let ended = connection.ending();
        tokio::spawn(async move {
            let mut ended = std::pin::pin!(ended);
            loop {
                tokio::select! {
                    () = changed.notified() => {}
                    () = &mut ended => return,
                }
                let (Some(slot), Some(inner), Some(_)) = (slot.upgrade(), inner.upgrade(), watched.upgrade())
                else {
                    return;
                };
                slot.hear(&inner).await;
            }
        });
        connection
    }

    fn failed(&self, inner: &Inner, what: NotConnected) {
        let mut state = self.state();
        let tries = state.wrong.as_ref().map_or(0, |wrong| wrong.tries) + 1;
        // Whether a person has signed in meanwhile, perhaps on another node, costs little to find out.
        let waits_for_person = self.whose.is_some() && matches!(what, NotConnected::NeedsSignIn(_));
        let again = Instant::now() + wait(inner.options.retry, if waits_for_person { 1 } else { tries });
        if let NotConnected::NeedsSignIn(challenge) = &what {
            state.challenge = Some(challenge.clone());
        }
        // It may be another program by now.
        state.era = None;
        if let NotConnected::Down(why) = &what {
            tracing::info!(server = self.server.slug, why, tries, "an MCP server is down");
        }
        state.wrong = Some(Wrong { what, tries, again });
    }

    fn try_now(&self) {
        if let Some(wrong) = &mut self.state().wrong {
            wrong.again = Instant::now();
        }
    }

    /// Whether it is too early to try again, as somebody else who waited found out.
    fn waits_to_try(&self) -> bool {
        self.state().wrong.as_ref().is_some_and(|wrong| Instant::now() < wrong.again)
    }

    /// Reads the list of tools, connecting first if need be. What went wrong is in the listing.
    pub(super) async fn hear(self: &Arc<Self>, inner: &Arc<Inner>) {
        let asked = Instant::now();
        let _one = self.hearing.lock().await;
        if self.state().heard.as_ref().is_some_and(|heard| heard.at > asked) || self.waits_to_try() {
            return;
        }
        let late = Instant::now() + inner.options.connect;
        let Ok(connection) = self.connection(inner).await else { return };
        let what = match tokio::time::timeout_at(late, connection.tools()).await {
            Ok(Ok((tools, left_out))) => {
                if !left_out.is_empty() {
                    tracing::info!(server = self.server.slug, ?left_out, "tools that can't be used");
                }
                let mut state = self.state();
                state.heard = Some(Heard { tools: Arc::new(tools), at: Instant::now() });
                state.wrong = None;
                return;
            }
            Ok(Err(error)) => NotConnected::of_list(error),
            Err(_) => NotConnected::Down("it did not tell its tools in time".into()),
        };
        if matches!(what, NotConnected::NeedsSignIn(_)) {
            self.let_go(&connection);
        }
        self.failed(inner, what);
    }

    pub(super) fn hear_in_background(self: &Arc<Self>, inner: &Arc<Inner>) {
        if self.hearing.try_lock().is_err() {
            return;
        }
        let (slot, inner) = (self.clone(), inner.clone());
        tokio::spawn(async move { slot.hear(&inner).await });
    }

    /// What was heard last, and if it is old, it is read again meanwhile. If nothing was heard, or the server was down and it
    /// is time to try it again, it is waited for.
    pub(super) async fn list(self: &Arc<Self>, inner: &Arc<Inner>) -> Listing {
        let is_known = {
            let mut state = self.state();
            state.used = Instant::now();
            state.heard.is_some() && state.wrong.as_ref().is_none_or(|wrong| Instant::now() < wrong.again)
        };
        if !is_known {
            let (slot, for_task) = (self.clone(), inner.clone());
            // A task of its own, so that the server goes on starting if whoever waits gives up.
            let _ = tokio::spawn(async move { slot.hear(&for_task).await }).await;
        } else if self.wants_hearing(inner) {
            self.hear_in_background(inner);
        }
        self.listing()
    }

    /// What the server has now, whatever was wrong before: someone asks for it.
    pub(super) async fn ask_again(self: &Arc<Self>, inner: &Arc<Inner>) -> Listing {
        self.state().used = Instant::now();
        self.try_now();
        self.hear(inner).await;
        self.listing()
    }

    /// Whether this server, asked without a sign-in, wants one.
    pub(super) fn asks_sign_in(&self) -> bool {
        self.state().challenge.is_some()
    }

    pub(super) fn wants_sign_in(&self) {
        self.state().challenge.get_or_insert_default();
    }

    /// How it asked for one.
    pub(super) fn challenge(&self) -> Option<String> {
        self.state().challenge.clone().filter(|challenge| !challenge.is_empty())
    }

    /// How it asks for one when it is asked for its tools.
    pub(super) async fn probe(self: &Arc<Self>, inner: &Arc<Inner>) -> String {
        if self.challenge().is_none() {
            self.ask_again(inner).await;
        }
        self.challenge().unwrap_or_default()
    }

    /// What went wrong when it was tried last.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        self.state().wrong.as_ref().map(|wrong| trouble(&self.server.slug, &wrong.what))
    }

    fn listing(&self) -> Listing {
        let state = self.state();
        let trouble = match (&state.wrong, &state.heard) {
            (Some(wrong), _) => Some(trouble(&self.server.slug, &wrong.what)),
            (None, None) => {
                Some(trouble(&self.server.slug, &NotConnected::Down("it has not told its tools yet".into())))
            }
            (None, Some(_)) => None,
        };
        let tools = state.heard.as_ref().map(|heard| heard.tools.clone()).unwrap_or_default();
        Listing { tools, trouble }
    }

    pub(super) async fn call(
        self: &Arc<Self>,
        inner: &Arc<Inner>,
        asked: ServerCall<'_>,
    ) -> Result<Outcome, Failed> {
        self.state().used = Instant::now();
        let connection = self.connection(inner).await.map_err(|what| match what {
            NotConnected::NeedsSignIn(challenge) => Failed::SignIn(challenge),
            NotConnected::Down(_) => match trouble(&self.server.slug, &what) {
                Trouble::Down(why) => Failed::Call(CallFailure::NotDone(why)),
                Trouble::NeedsSignIn => Failed::SignIn(String::new()),
            },
        })?;
        let outcome = call::run(&connection, &inner.options, asked).await;
        if let Err(Failed::SignIn(challenge)) = &outcome {
            self.state().challenge = Some(challenge.clone());
            self.let_go(&connection);
        }
        outcome
    }

    /// The sign-in of a person's own connection is worth nothing any more, or not enough: the next one reads what there
    /// is then.
    fn let_go(&self, connection: &Arc<Connection>) {
        let mut state = self.state();
        if self.whose.is_some() && state.connection.as_ref().is_some_and(|open| Arc::ptr_eq(open, connection))
        {
            state.connection = None;
        }
    }

    /// Whether the list is old, or the server should be tried again.
    pub(super) fn wants_hearing(&self, inner: &Inner) -> bool {
        let state = self.state();
        match (&state.wrong, &state.heard) {
            (Some(wrong), _) => Instant::now() >= wrong.again,
            (None, Some(heard)) => heard.at.elapsed() >= inner.options.list_age,
            (None, None) => false,
        }
    }

    pub(super) fn is_unused(&self, inner: &Inner) -> bool {
        let state = self.state();
        let is_calling = state.connection.as_ref().is_some_and(|connection| !connection.calls.is_empty());
        !is_calling && state.used.elapsed() >= inner.options.unused
    }

    /// Ends the connection until someone needs it again.
    pub(super) async fn rest(&self) {
        let connection = self.state().connection.take();
        if let Some(connection) = connection {
            connection.close().await;
        }
    }

    /// Ends it for good.
    pub(super) async fn close(&self) {
        self.state().closed = true;
        self.rest().await;
    }
}

fn trouble(server: &str, what: &NotConnected) -> Trouble {
    match what {
        NotConnected::NeedsSignIn(_) => Trouble::NeedsSignIn,
        NotConnected::Down(why) => Trouble::Down(format!("The server {server} can't be used now: {why}.")),
    }
}

/// How long to wait after so many tries: twice as long each time, and between half and all of that.
fn wait((first, most): (Duration, Duration), tries: u32) -> Duration {
    let longest =
        first.saturating_mul(1_u32.checked_shl(tries.saturating_sub(1)).unwrap_or(u32::MAX)).min(most);
    let random = f64::from(u16::from_be_bytes(random_bytes())) / f64::from(u16::MAX);
    longest.mul_f64(0.5 + random / 2.0)
}

fn random_bytes() -> [u8; 2] {
    let bytes = uuid::Uuid::new_v4().into_bytes();
    [bytes[0], bytes[1]]
}
