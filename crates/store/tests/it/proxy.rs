//! A proxy in front of Postgres that fails as networks and poolers do: it goes silent with its connections open, cuts
//! them, delays, and loses one answer before or after the server acted.
//!
//! It reads the protocol as far as it must: cached statements are sent by name, so it remembers the text of each name.
//! It runs on its own threads, and so beside any runtime. (Other crates' tests use this file too.)

// Whoever uses this file needs only some of it.
#![allow(dead_code)]

use std::collections::{HashMap, VecDeque};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// When an answer is lost: before the statement reaches the server, which never hears of it, or once the server has done it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Before,
    After,
}

/// What becomes of the connection whose answer is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Cut,
    /// It stays open, and nothing comes through it any more, in either direction.
    Silent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Answers,
    Silent,
    Refuses,
    Gone,
}

/// How many statements are remembered.
const ASKED: usize = 1_000;

struct Rule {
    text: String,
    when: When,
    how: How,
}

struct State {
    mode: Mode,
    delay: Duration,
    rules: Vec<Rule>,
    lost: usize,
    /// What was asked, as long as nobody has taken it: the newest of it.
    asked: VecDeque<String>,
    links: HashMap<u64, Link>,
    next: u64,
}

/// Both ends of one connection. It has no server where it was made in silence.
struct Link {
    client: TcpStream,
    server: Option<TcpStream>,
    is_silent: bool,
    /// Answers that are due, one for each Sync and each simple query, and the one after which this happens.
    due: u64,
    answered: u64,
    loses: Option<(u64, How)>,
}

impl Link {
    fn cut(&self) {
        for end in [Some(&self.client), self.server.as_ref()].into_iter().flatten() {
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

type Shared = Arc<Mutex<State>>;

/// The proxy; it ends, with all its connections, when it is dropped.
pub struct Proxy {
    state: Shared,
    address: SocketAddr,
    url: String,
}

impl Proxy {
    /// Begins to listen in front of the server of `url`.
    pub fn before(url: &str) -> Self {
        let (start, rest) = url.split_once('@').expect("a password in the URL");
        let (host, path) = rest.split_once('/').expect("a database in the URL");
        let server: SocketAddr = host.parse().expect("an address in the URL");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(Mutex::new(State {
            mode: Mode::Answers,
            delay: Duration::ZERO,
            rules: Vec::new(),
            lost: 0,
            asked: VecDeque::new(),
            links: HashMap::new(),
            next: 0,
        }));
        let shared = state.clone();
        thread::spawn(move || listen(&listener, server, &shared));
        Self { state, address, url: format!("{start}@{address}/{path}") }
    }

    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// From now on nothing comes through, and connections stay open. Those that were open, or are opened meanwhile, stay
    /// silent for ever.
    pub fn silence(&self) {
        let mut state = self.state();
        state.mode = Mode::Silent;
        state.links.values_mut().for_each(|link| link.is_silent = true);
    }

    /// Cuts every connection; new ones go through as before.
    pub fn cut(&self) {
        self.state().links.values().for_each(Link::cut);
    }

    /// Cuts every connection and takes no new ones, like a server that is down.
    pub fn refuse(&self) {
        let mut state = self.state();
        state.mode = Mode::Refuses;
        state.links.values().for_each(Link::cut);
    }

    /// New connections go through again, and at once.
    pub fn answer_again(&self) {
        let mut state = self.state();
        state.mode = Mode::Answers;
        state.delay = Duration::ZERO;
    }

    /// Every statement reaches the server so much later.
    pub fn delay(&self, by: Duration) {
        self.state().delay = by;
    }

    /// Loses the answer of the next statement that contains `text`; once.
    pub fn lose_next(&self, text: &str, when: When, how: How) {
        self.state().rules.push(Rule { text: text.to_owned(), when, how });
    }

    /// Takes back what was to be lost and was not yet.
    pub fn lose_nothing(&self) {
        self.state().rules.clear();
    }

    /// How many answers were lost by `lose_next`.
    pub fn lost(&self) -> usize {
        self.state().lost
    }

    /// The statements that came since this was asked last.
    pub fn asked(&self) -> Vec<String> {
        self.state().asked.drain(..).collect()
    }

    /// How many connections are open, on the client's side.
    pub fn open(&self) -> usize {
        self.state().links.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        {
            let mut state = self.state();
            state.mode = Mode::Gone;
            state.links.values().for_each(Link::cut);
        }
        // Wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn listen(listener: &TcpListener, server: SocketAddr, shared: &Shared) {
    for client in listener.incoming().flatten() {
        let mode = lock(shared).mode;
        let begun = match mode {
            Mode::Gone => return,
            Mode::Refuses => continue,
            Mode::Silent => link(client, None, shared),
            Mode::Answers => TcpStream::connect(server).and_then(|server| link(client, Some(server), shared)),
        };
        // Whoever can't be served is hung up on.
        drop(begun);
    }
}

/// Begins to carry what both ends say.
fn link(client: TcpStream, server: Option<TcpStream>, shared: &Shared) -> io::Result<()> {
    client.set_nodelay(true)?;
    server.iter().try_for_each(|server| server.set_nodelay(true))?;
    let from_client = client.try_clone()?;
    let from_server = server.as_ref().map(TcpStream::try_clone).transpose()?;
    let mut state = lock(shared);
    let id = state.next;
    state.next += 1;
    // It may have gone silent between the two looks.
    let is_silent = server.is_none() || state.mode == Mode::Silent;
    state.links.insert(id, Link { client, server, is_silent, due: 0, answered: 0, loses: None });
    drop(state);
    let up = shared.clone();
    thread::spawn(move || {
        let _ = carry_up(id, from_client, &up);
        // The client is gone; so is the link.
        if let Some(link) = lock(&up).links.remove(&id) {
            link.cut();
        }
    });
    if let Some(from_server) = from_server {
        let down = shared.clone();
        thread::spawn(move || {
            let _ = carry_down(id, from_server, &down);
            let state = lock(&down);
            if let Some(link) = state.links.get(&id).filter(|link| !link.is_silent) {
                link.cut();
            }
        });
    }
    Ok(())
}

const TLS: [u8; 4] = 80_877_103_u32.to_be_bytes();
const GSS: [u8; 4] = 80_877_104_u32.to_be_bytes();

fn carry_up(id: u64, mut client: TcpStream, shared: &Shared) -> io::Result<()> {
    // What opens a connection has no type, only a length. No encryption here: asked for it, the answer is no.
    loop {
        let opening = read_message(&mut client, false)?;
        if opening.get(4..8).is_some_and(|code| code == TLS || code == GSS) {
            if !lock(shared).links.get(&id).is_none_or(|link| link.is_silent) {
                client.write_all(b"N")?;
            }
            continue;
        }
        forward_up(id, &opening, shared)?;
        break;
    }
    let mut texts = HashMap::new();
    loop {
        let message = read_message(&mut client, true)?;
        let text = match message[0] {
            b'P' => {
                let mut fields = message[5..].split(|byte| *byte == 0);
                let name = fields.next().unwrap_or_default().to_vec();
                let text = String::from_utf8_lossy(fields.next().unwrap_or_default()).into_owned();
                texts.insert(name, text);
                None
            }
            b'B' => {
                let name = message[5..].split(|byte| *byte == 0).nth(1).unwrap_or_default();
                texts.get(name).cloned()
            }
            b'Q' => Some(String::from_utf8_lossy(&message[5..]).into_owned()),
            _ => None,
        };
        let is_asked = matches!(message[0], b'S' | b'Q');
        if is_asked {
            let delay = lock(shared).delay;
            thread::sleep(delay);
        }
        if let Some(text) = text {
            if lose(id, &text, shared) {
                continue;
            }
            let asked = &mut lock(shared).asked;
            asked.push_back(text);
            asked.drain(..asked.len().saturating_sub(ASKED));
        }
        if is_asked && let Some(link) = lock(shared).links.get_mut(&id) {
            link.due += 1;
        }
        forward_up(id, &message, shared)?;
    }
}

/// Applies the first rule that speaks of this statement. True: it must not reach the server.
fn lose(id: u64, text: &str, shared: &Shared) -> bool {
    let mut state = lock(shared);
    let Some(rule) = state.rules.iter().position(|rule| text.contains(&rule.text)) else { return false };
    let Rule { when, how, .. } = state.rules.remove(rule);
    state.lost += 1;
    let Some(link) = state.links.get_mut(&id) else { return true };
    if when == When::After {
        link.loses = Some((link.due + 1, how));
        return false;
    }
    match how {
        How::Cut => link.cut(),
        How::Silent => link.is_silent = true,
    }
    true
}

fn forward_up(id: u64, message: &[u8], shared: &Shared) -> io::Result<()> {
    let server = match lock(shared).links.get(&id) {
        Some(Link { is_silent: false, server: Some(server), .. }) => server.try_clone()?,
        _ => return Ok(()),
    };
    (&server).write_all(message)
}

fn carry_down(id: u64, mut server: TcpStream, shared: &Shared) -> io::Result<()> {
    loop {
        let message = read_message(&mut server, true)?;
        let client = {
            let mut state = lock(shared);
            let Some(link) = state.links.get_mut(&id) else { return Ok(()) };
            // The first `Z` follows the opening, not a statement.
            let is_ready = message[0] == b'Z';
            let passes = !link.is_silent && link.loses.is_none();
            if is_ready && link.due > 0 {
                link.answered += 1;
            }
            if let Some((answer, how)) = link.loses
                && link.answered >= answer
            {
                link.loses = None;
                match how {
                    How::Cut => link.cut(),
                    How::Silent => link.is_silent = true,
                }
            }
            if passes { link.client.try_clone()? } else { continue }
        };
        (&client).write_all(&message)?;
    }
}

/// One message, with its type if it has one, and its length.
fn read_message(from: &mut TcpStream, has_type: bool) -> io::Result<Vec<u8>> {
    let head = if has_type { 5 } else { 4 };
    let mut message = vec![0; head];
    from.read_exact(&mut message)?;
    let length =
        u32::from_be_bytes([message[head - 4], message[head - 3], message[head - 2], message[head - 1]]);
    message.resize(head + (length as usize).saturating_sub(4), 0);
    from.read_exact(&mut message[head..])?;
    Ok(message)
}
