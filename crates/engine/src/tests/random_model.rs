//! A model that says anything, stalls and breaks, and tools that keep a ledger of what was really done.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::data::rows::Once;
use baton_core::effects::EffectRefused;
use baton_core::memories::{MemoryChange, MemoryWrite, Scope};
use baton_core::models::{
    CONTEXT_WINDOW, ChatModel, ModelError, ModelEvent, ModelRequest, ModelStream, Models, PaidBy, Price,
    Resolved, SaidCall, StopReason, Thinking, Usage,
};
use baton_core::store::{EngineStore, Error};
use baton_core::tools::{Nature, Offer, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec, Toolbox};
use fastrand::Rng;
use futures::StreamExt;
use serde_json::{Map, Value, json};

use super::backend::{Backend, Tick};
use super::random_text::words;
use super::strict;
use crate::lock::lock;

pub struct World {
    database: Arc<dyn Backend>,
    dice: Mutex<Rng>,
    /// How often each call of other people's tool was carried out, by its key.
    pub ledger: Mutex<HashMap<String, usize>>,
    /// What the strict vendors had to say.
    pub wrong: Mutex<Vec<String>>,
    keys: Mutex<u64>,
}

impl World {
    pub fn new(seed: u64, database: Arc<dyn Backend>) -> Arc<Self> {
        let dice = Mutex::new(Rng::with_seed(seed));
        let (ledger, wrong, keys) = Default::default();
        Arc::new(Self { database, dice, ledger, wrong, keys })
    }

    fn is_calm(&self) -> bool {
        self.database.is_calm()
    }

    fn tick(&self) -> Tick {
        self.database.tick()
    }

    fn dice(&self) -> Rng {
        lock(&self.dice).fork()
    }

    fn key(&self) -> String {
        let mut keys = lock(&self.keys);
        *keys += 1;
        format!("key-{keys}")
    }

    fn reply(&self, dice: &mut Rng, request: &ModelRequest) -> VecDeque<Said> {
        let mut said = VecDeque::new();
        for _ in 0..dice.usize(..4) {
            let aloud = dice.u8(..3) > 0;
            for _ in 0..dice.usize(1..5) {
                let text = words(dice);
                let event = if aloud { ModelEvent::Text(text) } else { ModelEvent::Reasoning(text) };
                said.push_back(Said::Event(Ok(event)));
                said.extend((0..dice.usize(..3)).map(|_| Said::Pause));
            }
        }
        if self.is_calm() {
            said.push_back(Said::Event(Ok(ModelEvent::Text("Well then.".into()))));
        }
        let calls = if self.is_calm() || dice.bool() { 0 } else { dice.usize(1..4) };
        if calls > 0 && dice.bool() {
            let block =
                json!({"type": "thinking", "thinking": "hm", "signature": strict::signature(request)});
            let thought = Thinking { text: "hm".into(), opaque: Some(block) };
            said.push_back(Said::Event(Ok(ModelEvent::Thinking(thought))));
        }
        for _ in 0..calls {
            let offered =
                dice.choice(&request.tools).filter(|tool| tool.parameters["properties"] != json!({}));
            let handing =
                offered.filter(|_| dice.bool()).map(|tool| (tool.name.as_str(), any_arguments(dice, tool)));
            let plain = |dice: &mut Rng| {
                let name = *dice.choice(&["look", "save", "send", "nope"]).expect("a name");
                let mut arguments = Map::from_iter([("key".to_owned(), json!(self.key()))]);
                if dice.u8(..6) == 0 {
                    arguments.insert("fails".into(), json!(true));
                }
                (name, arguments)
            };
            let (name, arguments) = handing.unwrap_or_else(|| plain(dice));
            let id = (*dice.choice(&["call_1", "call_2", "", "x y"]).expect("an id")).to_owned();
            let call = SaidCall { id, name: name.into(), arguments: Ok(arguments) };
            said.push_back(Said::Event(Ok(ModelEvent::Call(call))));
        }
        let usage = Usage { input_tokens: 10, output_tokens: 5, ..Usage::NOTHING };
        let stop = if calls > 0 { StopReason::ToolUse } else { StopReason::End };
        let end = match dice.u8(..14) {
            0 if !self.is_calm() => Said::Event(Err(ModelError::Truncated)),
            1 if !self.is_calm() && dice.bool() => Said::Stall,
            end => {
                let pauses = if end == 2 && !self.is_calm() { 60 } else { 0 };
                said.extend((0..pauses).map(|_| Said::Pause));
                Said::Event(Ok(ModelEvent::End { stop, usage }))
            }
        };
        said.push_back(end);
        said
    }
}

/// What fits a tool, or nearly.
fn any_arguments(dice: &mut Rng, tool: &ToolSpec) -> Map<String, Value> {
    let properties = tool.parameters["properties"].as_object().cloned().unwrap_or_default();
    let mut arguments = Map::new();
    for (name, schema) in properties {
        let choices = schema["enum"].as_array().cloned().unwrap_or_default();
        let value = match (schema["type"].as_str(), dice.choice(&choices)) {
            (_, Some(choice)) => choice.clone(),
            (Some("integer"), None) => json!(dice.u8(..)),
            _ => json!(words(dice)),
        };
        match dice.u8(..12) {
            0 => {}
            1 => drop(arguments.insert(name, json!(["nonsense"]))),
            _ => drop(arguments.insert(name, value)),
        }
    }
    arguments
}

#[derive(Clone)]
enum Said {
    Event(Result<ModelEvent, ModelError>),
    Pause,
    /// Nothing more comes, until the world calms down.
    Stall,
}

pub struct RandomModel(pub Arc<World>);

#[async_trait]
impl ChatModel for RandomModel {
    async fn call(&self, request: ModelRequest) -> Result<ModelStream, ModelError> {
        let world = self.0.clone();
        lock(&world.wrong).extend(strict::check(&request).err());
        let mut dice = world.dice();
        world.tick().times(dice.usize(..3)).await;
        if dice.u8(..20) == 0 && !world.is_calm() {
            return Err(ModelError::Overloaded);
        }
        let said = world.reply(&mut dice, &request);
        let stream = futures::stream::unfold((said, world), |(mut said, world)| async move {
            loop {
                match said.pop_front()? {
                    Said::Event(event) => return Some((event, (said, world))),
                    Said::Pause => world.tick().times(1).await,
                    Said::Stall => {
                        while !world.is_calm() {
                            world.tick().times(1).await;
                        }
                    }
                }
            }
        });
        Ok(stream.boxed())
    }
}

impl Models for RandomModel {
    fn resolve(&self, _name: &str) -> Result<Resolved, ModelError> {
        let price = Some(Price { input: 3.0, output: 15.0, cache_read: None, cache_write: None });
        let client = Arc::new(Self(self.0.clone()));
        Ok(Resolved {
            client,
            provider: "scripted".into(),
            model: "random".into(),
            price,
            context_window: CONTEXT_WINDOW,
            is_local: false,
            paid_by: PaidBy::Server,
        })
    }
}

struct LedgerTool {
    world: Arc<World>,
    store: Arc<dyn EngineStore>,
    name: &'static str,
    nature: Nature,
}

#[async_trait]
impl Tool for LedgerTool {
    fn spec(&self) -> ToolSpec {
        let parameters = json!({"type": "object"});
        ToolSpec { name: self.name.into(), description: "Does it.".into(), parameters }
    }

    fn display_name(&self) -> String {
        self.name.to_owned()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        self.nature
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let mut dice = self.world.dice();
        self.world.tick().times(dice.usize(..3)).await;
        let key = arguments["key"].as_str().unwrap_or_default().to_owned();
        *lock(&self.world.ledger).entry(key.clone()).or_default() += 1;
        self.world.tick().times(dice.usize(..4)).await;
        if arguments.contains_key("fails") {
            return Err(ToolFailure("It did not work.".into()));
        }
        match self.nature {
            Nature::WRITES => self.write(context, key, dice.usize(..4)).await.map(Into::into),
            _ => Ok(json!({"ok": true}).into()),
        }
    }
}

impl LedgerTool {
    /// Some give up sooner than others when nobody answers: whoever drives the turn looks what came of it.
    async fn write(&self, context: &ToolContext, key: String, patience: usize) -> Result<Value, ToolFailure> {
        let write = MemoryWrite {
            workspace_id: context.workspace_id,
            agent_id: context.calling_agent()?.agent_id,
            person: context.person.profile_id().expect("someone who is signed in"),
            scope: Scope::Agent,
            change: MemoryChange::Save { path: Some(key.clone()), content: key },
        };
        let Once::Call(effect) = &context.once else { panic!("a call of a turn") };
        let mut tries = 0;
        loop {
            match self.store.write_memory(effect, write.clone()).await {
                Err(EffectRefused::Store(_)) if tries < patience => self.world.tick().times(tries).await,
                written => return written.map_err(|refused| ToolFailure(refused.to_string())),
            }
            tries += 1;
        }
    }
}

pub struct RandomToolbox {
    pub world: Arc<World>,
    pub store: Arc<dyn EngineStore>,
}

#[async_trait]
impl Toolbox for RandomToolbox {
    async fn offered(&self, _agent: &Agent, _place: baton_core::tools::ToolPlace) -> Result<Offer, Error> {
        let kinds = [("look", Nature::READS), ("save", Nature::WRITES), ("send", Nature::UNKNOWN)];
        let tools = kinds.map(|(name, nature)| {
            let (world, store) = (self.world.clone(), self.store.clone());
            Arc::new(LedgerTool { world, store, name, nature }) as Arc<dyn Tool>
        });
        Ok(Offer { tools: tools.to_vec(), ..Offer::default() })
    }

    fn is_unknown(&self, name: &str) -> bool {
        name == crate::handoff::targets::SWITCH_AGENT || baton_core::subtasks::asks(name).is_some()
    }
}
