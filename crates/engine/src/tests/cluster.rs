//! Several nodes on one database, each with its own runtime: to kill a node is to drop its runtime, wherever its tasks
//! are. Random numbers decide which node runs when, who says what, and what breaks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use baton_core::access::Viewer;
use baton_core::agents::Agent;
use baton_core::approvals::Decision;
use baton_core::ids::{AgentId, ConversationId, ProfileId, TaskId};
use baton_core::models::SameModels;
use baton_core::people::Tier;
use baton_core::result_files::NoLimit;
use baton_core::store::Error;
use baton_core::turns::RequestKey;
use baton_core::visitors::Person;
use fastrand::Rng;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use super::backend::{Backend, Cast, MemoryStoreBackend, Tick};
use super::client::{Client, Ends, Patience, Place, follow};
use super::memory_store::MemoryStore;
use super::random_model::{RandomModel, RandomToolbox, World};
use super::random_text::words;
use super::ready_agents::{agent, workspace};
use super::{relay, teams};
use crate::accept::decide::Deciding;
use crate::accept::send::{OnWaiting, Send, SendBody, SendError, To};
use crate::accept::switch::{SwitchTo, Switching};
use crate::agent::ready::Assignment;
use crate::lock::lock;
use crate::node::engine::{Engine, Options};

pub struct Cluster {
    dice: Rng,
    pub(super) database: Arc<dyn Backend>,
    pub(super) world: Arc<World>,
    pub(super) nodes: Vec<Node>,
    cast: Cast,
    pub(super) slots: Arc<Mutex<Vec<Arc<Slot>>>>,
    /// Turns that someone was told of.
    pub(super) begun: Arc<Mutex<Vec<(ConversationId, TaskId)>>>,
    /// What people said and were told was not taken.
    pub(super) refused: Arc<Mutex<Vec<String>>>,
    sent: u64,
    /// What must not panic.
    watched: Vec<JoinHandle<()>>,
    keys: u64,
}

pub struct Node {
    runtime: Runtime,
    pub(super) engine: Engine,
}

/// A client, and whether it is connected.
pub struct Slot {
    pub(super) client: Arc<Mutex<Client>>,
    pub(super) is_busy: AtomicBool,
}

/// Frees the slot however its connection ends.
struct Busy(Arc<Slot>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.is_busy.store(false, Ordering::Relaxed);
    }
}

impl Cluster {
    /// On the store in memory, where a seed always plays the same.
    pub fn new(seed: u64) -> Self {
        let mut dice = Rng::with_seed(seed);
        let store = Arc::new(MemoryStore::new(dice.u64(..)));
        let agents = agents(&mut dice).map(|agent| {
            store.hire(agent.clone());
            agent.id
        });
        let team = teams::any(&mut dice, agents);
        team.iter().for_each(|team| store.found(team.clone()));
        let (profile, team) = (ProfileId(uuid::Uuid::from_u128(7)), team.map(|team| team.id));
        let cast = Cast { workspace: workspace().id, profile, agents, team };
        let nodes = dice.usize(1..4);
        Self::on(Arc::new(MemoryStoreBackend(store)), cast, nodes, dice)
    }

    pub fn on(database: Arc<dyn Backend>, cast: Cast, nodes: usize, mut dice: Rng) -> Self {
        let world = World::new(dice.u64(..), database.clone());
        let mut cluster = Self {
            dice,
            database,
            world,
            nodes: Vec::new(),
            cast,
            slots: Arc::default(),
            begun: Arc::default(),
            refused: Arc::default(),
            sent: 0,
            watched: Vec::new(),
            keys: 0,
        };
        for place in 0..nodes {
            let node = cluster.node(place);
            cluster.nodes.push(node);
        }
        cluster
    }

    fn node(&self, place: usize) -> Node {
        let tick = self.database.tick();
        let runtime = tick.runtime();
        let (store, bus) = self.database.open(place, &runtime);
        let options = Options {
            toolbox: Arc::new(RandomToolbox { world: self.world.clone(), store: store.clone() }),
            store,
            bus,
            room: Arc::new(NoLimit),
            models: Arc::new(SameModels(Arc::new(RandomModel(self.world.clone())))),
        };
        let engine = Engine::with_pace(options, tick.pace(), Arc::new(SystemTime::now));
        self.database.revive(engine.0.node());
        match tick {
            Tick::Milliseconds => runtime.block_on(engine.start()),
            Tick::Turns => engine.has_lease(),
        }
        Node { runtime, engine }
    }

    pub fn play(mut self) {
        for _ in 0..self.dice.usize(40..200) {
            self.act();
        }
        self.settle();
        self.check();
    }

    pub(super) fn some_node(&mut self) -> usize {
        self.dice.usize(..self.nodes.len())
    }

    pub(super) fn run(&mut self, node: usize, ticks: usize) {
        match self.database.tick() {
            Tick::Turns => self.nodes[node].runtime.block_on(Tick::Turns.times(ticks)),
            Tick::Milliseconds => std::thread::sleep(Duration::from_millis(ticks as u64)),
        }
        for handle in std::mem::take(&mut self.watched) {
            if !handle.is_finished() {
                self.watched.push(handle);
            } else if let Err(error) = self.nodes[node].runtime.block_on(handle)
                && error.is_panic()
            {
                std::panic::resume_unwind(error.into_panic());
            }
        }
    }

    fn act(&mut self) {
        let node = self.some_node();
        let act = self.dice.u8(..100);
        self.note(node, act);
        match act {
            0..=9 => self.send(node),
            10..=12 => self.stop(node),
            13..=18 => self.decide(node),
            19 => self.kill(node),
            20 => self.database.expire(self.nodes[node].engine.0.node()),
            21..=29 if self.database.tick() == Tick::Milliseconds => {
                self.database.trouble(node, &mut self.dice);
            }
            21 | 22 => self.stand_down(node),
            23..=27 => self.claim(node),
            28 | 29 => self.look(node),
            30..=33 => self.join(node),
            34 => self.relay(),
            35..=38 => self.switch(node),
            39 | 40 => self.database.change_house(),
            _ => {
                let ticks = self.dice.usize(1..40);
                self.run(node, ticks);
            }
        }
    }

    fn note(&self, node: usize, act: u8) {
        let act = match act {
            0..=9 => "someone writes",
            10..=12 => "someone asks to stop",
            13..=18 => "someone decides",
            19 => "it is killed",
            20 => "its lease runs out",
            35..=38 => "someone switches",
            _ => return,
        };
        self.database.note(&format!("node {node}: {act}"));
    }

    fn some_conversation(&mut self) -> Option<ConversationId> {
        let ids = self.database.conversations();
        self.dice.choice(&ids).copied()
    }

    /// Someone writes, and may hang up before they hear.
    fn send(&mut self, node: usize) {
        let to = match self.some_conversation() {
            Some(id) if self.database.conversations().len() > 1 || self.dice.bool() => To::Conversation(id),
            _ if self.database.conversations().len() > 1 => return,
            _ => self.cast.team.map_or(To::Agent(self.cast.agents[0]), To::Team),
        };
        let has_key = self.dice.bool();
        let is_repeated = self.dice.u8(..6) == 0;
        self.keys += u64::from(!is_repeated);
        let retry = matches!(to, To::Conversation(_)) && self.dice.u8(..5) == 0;
        let body = if retry {
            SendBody::Retry
        } else {
            self.sent += 1;
            let content = format!("{} ({})", words(&mut self.dice), self.sent);
            SendBody::Message { content, attachments: vec![], web_search: false }
        };
        let content = match &body {
            SendBody::Message { content, .. } => Some(content.clone()),
            SendBody::Retry => None,
        };
        let send = Send {
            workspace_id: self.cast.workspace,
            person: Person::Profile(self.cast.profile),
            person_name: "Eva".into(),
            viewer: Viewer::Profile(Tier::Premium),
            is_public: false,
            token_id: None,
            known: self.nodes[node].engine.0.store.last_generation(),
            to,
            body,
            key: has_key.then(|| RequestKey { key: format!("{}", self.keys), body_hash: vec![] }),
            on_waiting: OnWaiting::Refuses,
        };
        let engine = self.nodes[node].engine.clone();
        let (database, slots, begun) = (self.database.clone(), self.slots.clone(), self.begun.clone());
        let mut dice = self.dice.fork();
        let hangs_up = if dice.u8(..5) == 0 { dice.usize(..8) } else { usize::MAX };
        let (tick, refused) = (database.tick(), self.refused.clone());
        let sending = async move {
            let sends = async {
                match engine.send(send.clone()).await {
                    // What was kept has changed: it is sent again with what is read now.
                    Err(SendError::Stale) => engine.send(Send { known: None, ..send }).await,
                    answer => answer,
                }
            };
            let started = tokio::select! {
                biased;
                started = sends => started,
                () = tick.times(hangs_up) => return,
            };
            let started = match started {
                Ok(started) => started,
                // A database that is away for long can't say whether it took it.
                Err(SendError::Store(Error::Unavailable)) if tick == Tick::Milliseconds => return,
                Err(_) => return lock(&refused).extend(content),
            };
            lock(&begun).push((started.conversation_id, started.task_id));
            let client = Client::at(started.conversation_id, started.reader.cursor().seq);
            let slot =
                Arc::new(Slot { client: Arc::new(Mutex::new(client)), is_busy: AtomicBool::new(true) });
            lock(&slots).push(slot.clone());
            let busy = Busy(slot.clone());
            let (ends, place) = (Ends::WithTurn, Place::Seen);
            follow(started.reader, slot.client.clone(), database, dice, Patience::None, ends, place).await;
            drop(busy);
        };
        self.watched.push(self.nodes[node].runtime.spawn(sending));
    }

    fn stop(&mut self, node: usize) {
        let Some(id) = self.some_conversation() else { return };
        let engine = self.nodes[node].engine.clone();
        let (hangs_up, tick) = (self.hangs_up(), self.database.tick());
        self.watched.push(self.nodes[node].runtime.spawn(async move {
            tokio::select! {
                biased;
                _ = engine.stop(id, "Eva") => {}
                () = tick.times(hangs_up) => {}
            }
        }));
    }

    /// The person chooses another agent, whatever goes on.
    fn switch(&mut self, node: usize) {
        let Some(conversation_id) = self.some_conversation() else { return };
        let now = self.database.row(conversation_id).conversation.epoch;
        let epoch = self.dice.bool().then(|| now - i64::from(self.dice.u8(..8) == 0));
        let agent = *self.dice.choice(&self.cast.agents).expect("an agent");
        let to = if self.dice.u8(..6) == 0 { SwitchTo::Auto } else { SwitchTo::Agent(agent) };
        let (team, viewer) = (self.cast.team, Viewer::Profile(Tier::Premium));
        let assignment = Assignment { agent, team, viewer, is_public: false, is_subtask: false };
        let engine = self.nodes[node].engine.clone();
        let (hangs_up, tick) = (self.hangs_up(), self.database.tick());
        self.watched.push(self.nodes[node].runtime.spawn(async move {
            let switching = Switching { conversation_id, to, epoch, assignment };
            tokio::select! {
                biased;
                _ = engine.switch(switching) => {}
                () = tick.times(hangs_up) => {}
            }
        }));
    }

    fn hangs_up(&mut self) -> usize {
        if self.dice.u8(..5) == 0 { self.dice.usize(..8) } else { usize::MAX }
    }

    pub(super) fn decide(&mut self, node: usize) {
        let Some(id) = self.some_conversation() else { return };
        let row = self.database.row(id);
        let asked: Vec<_> = row.approvals.iter().map(|(id, ..)| *id).collect();
        let Some(approval_id) = self.dice.choice(&asked).copied() else { return };
        let args_hash = row.shown(approval_id);
        let decisions = [Decision::Approved, Decision::Approved, Decision::Rejected, Decision::Expired];
        let decision = *self.dice.choice(&decisions).expect("a decision");
        let (by, args, remember) = ("Eva".into(), None, false);
        let deciding = Deciding { approval_id, decision, by, reason: None, args, args_hash, remember };
        let engine = self.nodes[node].engine.clone();
        let (hangs_up, tick) = (self.hangs_up(), self.database.tick());
        self.watched.push(self.nodes[node].runtime.spawn(async move {
            tokio::select! {
                biased;
                _ = engine.decide(deciding) => {}
                () = tick.times(hangs_up) => {}
            }
        }));
    }

    fn kill(&mut self, node: usize) {
        let Node { runtime, engine } = self.nodes.remove(node);
        self.database.expire(engine.0.node());
        drop(runtime);
        drop(engine);
        let node = (node, self.node(node));
        self.nodes.insert(node.0, node.1);
    }

    /// It notices that its lease ran out, and comes back as another.
    fn stand_down(&mut self, node: usize) {
        let inner = self.nodes[node].engine.0.clone();
        self.database.expire(inner.node());
        inner.renew_node();
        self.database.revive(inner.node());
    }

    pub(super) fn claim(&mut self, node: usize) {
        let engine = self.nodes[node].engine.clone();
        self.watched.push(self.nodes[node].runtime.spawn(async move { engine.claim().await }));
    }

    pub(super) fn look(&mut self, node: usize) {
        let engine = self.nodes[node].engine.clone();
        self.watched.push(self.nodes[node].runtime.spawn(async move { engine.look().await }));
    }

    /// A client comes, comes back, or opens a second tab.
    fn join(&mut self, node: usize) {
        let slots = lock(&self.slots).clone();
        let idle: Vec<_> =
            slots.iter().filter(|slot| !slot.is_busy.load(Ordering::Relaxed)).cloned().collect();
        let client = match (self.dice.u8(..6), self.dice.choice(&slots), self.some_conversation()) {
            (0, _, Some(id)) => Some(Client::at(id, 0)),
            (1, _, Some(id)) => {
                let mut client = Client::at(id, 0);
                client.reload(self.database.as_ref());
                Some(client)
            }
            (2, Some(other), _) => Some(lock(&other.client).clone()),
            _ => None,
        };
        if let Some(client) = client
            && slots.len() < 12
        {
            let client = Arc::new(Mutex::new(client));
            let slot = Arc::new(Slot { client, is_busy: AtomicBool::new(false) });
            lock(&self.slots).push(slot.clone());
            self.connect(node, slot, Patience::None);
        } else if let Some(slot) = self.dice.choice(&idle).cloned() {
            self.connect(node, slot, Patience::None);
        }
    }

    pub(super) fn connect(&mut self, node: usize, slot: Arc<Slot>, patience: Patience) {
        slot.is_busy.store(true, Ordering::Relaxed);
        let (id, mut cursor) = {
            let client = lock(&slot.client);
            (client.conversation, client.cursor)
        };
        let mut place = Place::Seen;
        if patience == Patience::None && self.dice.u8(..20) == 0 {
            place = Place::MadeUp;
            cursor = baton_core::events::Cursor { seq: cursor.seq + 1_000, off: self.dice.u64(..9) };
        }
        let reader = self.nodes[node].engine.read(id, cursor);
        let (database, dice, busy) = (self.database.clone(), self.dice.fork(), Busy(slot.clone()));
        self.watched.push(self.nodes[node].runtime.spawn(async move {
            follow(reader, slot.client.clone(), database, dice, patience, Ends::Never, place).await;
            drop(busy);
        }));
    }

    /// One node hears what another says, as far as the line lets it.
    fn relay(&mut self) {
        let (Some(id), true) = (self.some_conversation(), self.nodes.len() > 1) else { return };
        let to = self.dice.usize(1..self.nodes.len());
        let from = self.dice.usize(..to);
        let (source, target) = (self.nodes[from].engine.live(id), self.nodes[to].engine.live(id));
        self.nodes[to].runtime.spawn(relay::relay(source.subscribe(), target, self.dice.fork()));
    }
}

/// Three agents; some can hand off, some can ask the next.
pub fn agents(dice: &mut Rng) -> [Agent; 3] {
    ["Ana", "Bo", "Cy"].map(|name| {
        let mut agent = agent(AgentId::new(), name, "any");
        agent.definition.max_turns = 3;
        agent.definition.initial_prompt = dice.bool().then(|| format!("I am {name}."));
        let own = |tool: &str, has: bool| has.then(|| tool.to_owned());
        let next = match name {
            "Ana" => "ask_bo",
            "Bo" => "ask_cy",
            _ => "ask_ana",
        };
        let tools = [own("switch_agent", dice.bool()), own(next, dice.bool())];
        agent.definition.tools = tools.into_iter().flatten().collect();
        agent
    })
}
