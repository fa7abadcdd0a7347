//! A small setting for exact scenes: one engine on a store without faults, and a model that says prepared lines.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use baton_core::access::Viewer;
use baton_core::agents::{Agent, PermissionMode};
use baton_core::events::Cursor;
use baton_core::ids::{AgentId, ConversationId, ProfileId, TeamId};
use baton_core::models::{
    CONTEXT_WINDOW, ChatModel, ModelError, ModelEvent, ModelRequest, ModelStream, Models, PaidBy, Price,
    Resolved, SaidCall, SameModels, StopReason, Usage,
};
use baton_core::people::Tier;
use baton_core::result_files::NoLimit;
use baton_core::store::{EngineStore, Error};
use baton_core::teams::TeamKind;
use baton_core::tools::{Nature, Offer, Tool, Toolbox};
use baton_core::visitors::Person;
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::client::yields;
use super::memory_store::MemoryStore;
use super::ready_agents::{TestTool, agent, workspace};
use crate::accept::send::{OnWaiting, Send, SendBody, SendError, Started, To};
use crate::accept::switch::{SwitchTo, Switching};
use crate::agent::ready::Assignment;
use crate::lock::lock;
use crate::node::engine::{Engine, Options};
use crate::node::pace::Pace;
use crate::stream::reader::Reader;

#[derive(Clone)]
pub enum Line {
    Think(&'static str),
    Say(&'static str),
    Call(&'static str, Value),
    /// Nothing more comes.
    Stall,
    Fail(ModelError),
    /// Goes on once this is set.
    Until(Arc<AtomicBool>),
    /// Something happens elsewhere at this moment.
    Meanwhile(Arc<dyn Fn() + Sync + std::marker::Send>),
}

/// Each reply is said once, in order, whoever asks.
pub type Script = Arc<Mutex<VecDeque<Vec<Line>>>>;

struct Actor(Script, Requests);

/// What the model was asked, in order.
pub type Requests = Arc<Mutex<Vec<ModelRequest>>>;

#[async_trait]
impl ChatModel for Actor {
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError> {
        lock(&self.1).push(request);
        let lines = lock(&self.0).pop_front().expect("a reply for this call");
        let calls = lines.iter().filter(|line| matches!(line, Line::Call(..))).count();
        let mut events: Vec<Spoken> = Vec::new();
        for (number, line) in lines.into_iter().enumerate() {
            events.push(Spoken::Event(match line {
                Line::Until(is_set) => {
                    events.push(Spoken::Until(is_set));
                    continue;
                }
                Line::Meanwhile(happens) => {
                    happens();
                    continue;
                }
                Line::Think(text) => Ok(ModelEvent::Reasoning(text.into())),
                Line::Say(text) => Ok(ModelEvent::Text(text.into())),
                Line::Call(name, args) => Ok(ModelEvent::Call(SaidCall {
                    id: format!("call_{number}"),
                    name: name.into(),
                    arguments: Ok(args.as_object().cloned().unwrap_or_default()),
                })),
                Line::Stall => return Ok(spoken(events).chain(futures::stream::pending()).boxed()),
                Line::Fail(error) => Err(error),
            }));
        }
        let stop = if calls > 0 { StopReason::ToolUse } else { StopReason::End };
        let usage = Usage { input_tokens: 100, output_tokens: 20, ..Usage::NOTHING };
        events.push(Spoken::Event(Ok(ModelEvent::End { stop, usage })));
        Ok(spoken(events).boxed())
    }
}

enum Spoken {
    Event(Result<ModelEvent, ModelError>),
    Until(Arc<AtomicBool>),
}

fn spoken(events: Vec<Spoken>) -> impl futures::Stream<Item = Result<ModelEvent, ModelError>> {
    futures::stream::iter(events).filter_map(async |event| match event {
        Spoken::Event(event) => Some(event),
        Spoken::Until(is_set) => {
            while !is_set.load(Ordering::Relaxed) {
                tokio::task::yield_now().await;
            }
            None
        }
    })
}

impl Models for Actor {
    fn resolve(&self, _name: &str) -> Result<Resolved, ModelError> {
        let price = Some(Price { input: 3.0, output: 15.0, cache_read: None, cache_write: None });
        let client = Arc::new(Self(self.0.clone(), self.1.clone()));
        Ok(Resolved {
            client,
            provider: "scripted".into(),
            model: "actor".into(),
            price,
            context_window: CONTEXT_WINDOW,
            is_local: false,
            paid_by: PaidBy::Server,
        })
    }
}

struct Props(Arc<MemoryStore>);

/// Somebody else's tools, for those who list them: what was sent is not sent again. Before it phones, nobody is asked.
const OTHERS: [(&str, Nature); 2] =
    [("phone", Nature { writes: false, outside: true, repeatable: false }), ("send", Nature::UNKNOWN)];

#[async_trait]
impl Toolbox for Props {
    async fn offered(&self, agent: &Agent, _place: baton_core::tools::ToolPlace) -> Result<Offer, Error> {
        let lists = |listed: &str| agent.definition.tools.iter().any(|name| name == listed);
        let others = OTHERS.into_iter().filter(|(name, _)| lists(name));
        let tools = [("look", Nature::READS), ("save", Nature::WRITES)].into_iter().chain(others);
        let tools = tools.map(|(name, nature)| TestTool::new(name, nature) as Arc<dyn Tool>);
        let keep = Arc::new(super::effects::Keep(self.0.clone())) as Arc<dyn Tool>;
        let keep = lists("keep").then_some(keep);
        Ok(Offer { tools: tools.chain(keep).collect(), ..Offer::default() })
    }

    fn is_unknown(&self, name: &str) -> bool {
        name == crate::handoff::targets::SWITCH_AGENT || baton_core::subtasks::asks(name).is_some()
    }
}

pub struct Stage {
    pub runtime: Runtime,
    pub engine: Engine,
    pub store: Arc<MemoryStore>,
    /// How many seconds its wall clock was set by.
    pub wall: Arc<AtomicI64>,
    script: Script,
    requests: Requests,
    agent: AgentId,
    /// Ana, Bo and Cy, where they are a team.
    pub agents: [AgentId; 3],
    team: Option<TeamId>,
}

impl Stage {
    /// Three agents in a team.
    pub fn team(kind: TeamKind, script: Vec<Vec<Line>>) -> Self {
        let mut stage = Self::new(script);
        stage.agents = ["Ana", "Bo", "Cy"].map(|name| {
            let mut agent = agent(AgentId::new(), name, "any");
            agent.definition.initial_prompt = (name == "Cy").then(|| "Cy here.".to_owned());
            stage.store.hire(agent.clone());
            agent.id
        });
        let team = super::teams::team(kind, stage.agents);
        stage.team = Some(team.id);
        stage.store.found(team);
        stage
    }

    /// Three agents who are no team and ask each other: Ana anyone, Bo Ana and Cy.
    pub fn asking(script: Vec<Vec<Line>>) -> Self {
        let mut stage = Self::new(script);
        stage.agents = ["Ana", "Bo", "Cy"].map(|name| {
            let mut agent = agent(AgentId::new(), name, "any");
            agent.definition.tools =
                ["ask_ana", "ask_bo", "ask_cy", "ask_nobody"].map(str::to_owned).to_vec();
            stage.store.hire(agent.clone());
            agent.id
        });
        stage.store.let_go(stage.agent);
        stage.agent = stage.agents[0];
        stage
    }

    pub fn new(script: Vec<Vec<Line>>) -> Self {
        Self::at_pace(script, Pace::HASTY)
    }

    pub fn at_pace(script: Vec<Vec<Line>>, pace: Pace) -> Self {
        let store = Arc::new(MemoryStore::new(1));
        store.is_calm.store(true, Ordering::Relaxed);
        let agent = agent(AgentId::new(), "Ana", "any");
        let id = agent.id;
        store.hire(agent);
        Self::on(store, Arc::new(Mutex::new(script.into())), id, pace)
    }

    /// Another node on the same database, with the same model.
    pub fn beside(other: &Self, script: Vec<Vec<Line>>) -> Self {
        lock(&other.script).extend(script);
        Self::on(other.store.clone(), other.script.clone(), other.agent, Pace::HASTY)
    }

    fn on(store: Arc<MemoryStore>, script: Script, agent: AgentId, pace: Pace) -> Self {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let requests = Requests::default();
        let actor = Arc::new(Actor(script.clone(), requests.clone()));
        let (models, toolbox) = (Arc::new(SameModels(actor)), Arc::new(Props(store.clone())));
        let bus = Arc::new(baton_core::bus::Alone);
        let options = Options { store: store.clone(), toolbox, models, bus, room: Arc::new(NoLimit) };
        let wall = Arc::new(AtomicI64::new(0));
        let set = wall.clone();
        let wall_clock = move || as_set(SystemTime::now(), set.load(Ordering::Relaxed));
        let engine = Engine::with_pace(options, pace, Arc::new(wall_clock));
        store.revive(engine.0.node());
        engine.has_lease();
        Self { runtime, engine, store, wall, script, requests, agent, agents: [agent; 3], team: None }
    }

    /// From now on time passes only where everything waits for it, and then at once. What asks for the time must do so
    /// within the runtime.
    pub fn pause_clock(&self) {
        self.runtime.block_on(async { tokio::time::pause() });
    }

    /// One more reply for the model to give.
    pub fn replies(&self, lines: Vec<Line>) {
        lock(&self.script).push_back(lines);
    }

    /// Its agent has the tool that writes in earnest, and may use it without asking.
    pub fn keeps(&self) {
        self.store.lists(self.agent, "keep");
        self.store.set_mode(self.agent, PermissionMode::AcceptEdits);
    }

    /// From now on its agent must ask before it writes.
    pub fn asks(&self) {
        self.store.set_mode(self.agent, PermissionMode::Default);
    }

    pub fn forget_lines(&self) {
        lock(&self.script).clear();
    }

    /// The process is killed, and another takes its place that has no lease yet.
    pub fn killed_before_lease(self, pace: Pace) -> Self {
        let next = self.replaced(pace);
        next.store.expire(next.engine.0.node());
        next.engine.0.renewed.send_replace(None);
        next
    }

    /// The process is killed, and another takes its place.
    pub fn killed(self) -> Self {
        self.killed_before(|_| {})
    }

    /// The same, with something that happens in between.
    pub fn killed_before(self, happens: impl FnOnce(&Self)) -> Self {
        let next = self.replaced(Pace::HASTY);
        happens(&next);
        next.runtime.block_on(next.engine.claim());
        next
    }

    fn replaced(self, pace: Pace) -> Self {
        let Self { store, wall: _, script, requests: _, agent, engine, runtime, agents, team } = self;
        store.expire(engine.0.node());
        drop(runtime);
        Self { agents, team, ..Self::on(store, script, agent, pace) }
    }

    pub fn send(&self, words: &str) -> Started {
        self.send_to(self.team.map_or(To::Agent(self.agent), To::Team), words)
    }

    /// The person gives the conversation to another agent.
    pub fn switch(&self, conversation_id: ConversationId, agent: AgentId) -> bool {
        let (team, viewer) = (self.team, Viewer::Profile(Tier::Premium));
        let assignment = Assignment { agent, team, viewer, is_public: false, is_subtask: false };
        let (to, epoch) = (SwitchTo::Agent(agent), None);
        self.runtime
            .block_on(self.engine.switch(Switching { conversation_id, to, epoch, assignment }))
            .is_ok()
    }

    /// What models were asked, as text.
    pub fn asked(&self) -> Vec<ModelRequest> {
        lock(&self.requests).clone()
    }

    pub fn requests(&self) -> Vec<String> {
        let text = |asked: &ModelRequest| {
            let context = asked.system.context.as_deref().unwrap_or_default();
            format!("{}\n{context}\n{:?}", asked.system.fixed, asked.messages)
        };
        lock(&self.requests).iter().map(text).collect()
    }

    pub fn last_request(&self) -> String {
        self.requests().pop().expect("a request")
    }

    /// The person asks to try again.
    pub fn retry(&self, id: ConversationId) -> Started {
        self.sends(To::Conversation(id), SendBody::Retry).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn send_to(&self, to: To, words: &str) -> Started {
        let body = SendBody::Message { content: words.to_owned(), attachments: vec![], web_search: false };
        self.sends(to, body).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn try_send(&self, to: To, words: &str) -> Result<Started, SendError> {
        self.sends(
            to,
            SendBody::Message { content: words.to_owned(), attachments: vec![], web_search: false },
        )
    }

    /// The number of changes that this node has heard of.
    pub fn known(&self) -> Option<u64> {
        self.store.last_generation()
    }

    /// With what was kept under this number.
    pub fn try_send_at(&self, known: Option<u64>, to: To, words: &str) -> Result<Started, SendError> {
        let body = SendBody::Message { content: words.to_owned(), attachments: vec![], web_search: false };
        self.runtime.block_on(self.engine.send(Send { known, ..Self::sending(to, body) }))
    }

    /// As a server does it: where something has changed, what is there now is read.
    fn sends(&self, to: To, body: SendBody) -> Result<Started, SendError> {
        let send = Self::sending(to, body);
        match self.runtime.block_on(self.engine.send(Send { known: self.known(), ..send.clone() })) {
            Err(SendError::Stale) => self.runtime.block_on(self.engine.send(send)),
            answer => answer,
        }
    }

    fn sending(to: To, body: SendBody) -> Send {
        Send {
            workspace_id: workspace().id,
            person: Person::Profile(ProfileId(uuid::Uuid::from_u128(7))),
            person_name: "Eva".into(),
            viewer: Viewer::Profile(Tier::Premium),
            is_public: false,
            token_id: None,
            known: None,
            to,
            body,
            key: None,
            on_waiting: OnWaiting::Refuses,
        }
    }

    pub fn read(&self, id: ConversationId, cursor: Cursor) -> Reader {
        self.engine.read(id, cursor)
    }

    /// What a reader is sent until it ends or nothing more comes.
    pub fn hear(&self, reader: &mut Reader) -> String {
        self.runtime.block_on(async {
            let mut heard = String::new();
            loop {
                let next = tokio::select! {
                    biased;
                    next = reader.next() => next,
                    () = yields(300) => return heard,
                };
                match next.unwrap_or_else(|error| panic!("{error}")) {
                    Some(bytes) => heard.push_str(std::str::from_utf8(&bytes).expect("text")),
                    None => return heard + "(the stream ends)\n",
                }
            }
        })
    }
}

fn as_set(now: SystemTime, by: i64) -> SystemTime {
    let seconds = Duration::from_secs(by.unsigned_abs());
    if by < 0 { now - seconds } else { now + seconds }
}

/// Ids by the order they appear in, and no times.
pub fn redacted(text: &str) -> String {
    let timed: Vec<&str> = text.split("\"durationMs\":").collect();
    let untimed: Vec<&str> =
        timed.iter().map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit())).collect();
    let text = untimed.join("\"durationMs\":<ms>");
    let mut names: Vec<String> = Vec::new();
    let mut told = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('"') {
        let (before, after) = rest.split_at(at + 1);
        told.push_str(before);
        let end = after.find('"').unwrap_or(after.len());
        let word = &after[..end];
        if uuid::Uuid::parse_str(word).is_ok() {
            let known = names.iter().position(|name| name == word).unwrap_or(names.len());
            if known == names.len() {
                names.push(word.to_owned());
            }
            told.push_str(&format!("<id {}>", known + 1));
        } else if chrono::DateTime::parse_from_rfc3339(word).is_ok() {
            told.push_str("<time>");
        } else {
            told.push_str(word);
        }
        rest = &after[end..];
        if let Some(unquoted) = rest.strip_prefix('"') {
            told.push('"');
            rest = unquoted;
        }
    }
    told + rest
}

pub fn save() -> Line {
    Line::Call("save", json!({"note": "a"}))
}
