//! Tells a random conversation the way the driver would: `run` decides, random numbers say what models, tools and
//! people do, and the real pure functions make the steps. Every request on the way is shown to a listener.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use baton_core::agents::PermissionMode;
use baton_core::attachments::AttachmentRef;
use baton_core::conversations::MessageRole;
use baton_core::fold::Fault;
use baton_core::ids::{AgentId, FileId, MessageId, TaskId};
use baton_core::log::{LoggedStep, MessageStatus, Said, Spent, Start, Step};
use baton_core::models::{CONTEXT_WINDOW, ModelError, ModelRequest, StopReason};
use chrono::DateTime;
use fastrand::Rng;

use super::random_text::{anything, words};
use super::ready_agents::{ready, rule};
use crate::agent::ready::ReadyAgent;
use crate::driver::call_steps::call_step;
use crate::nul::clean_thinking;
use crate::prompt::request::{RequestInput, prompt_hash, request};
use crate::prompt::scope::Scope;
use crate::prompt::view::FileContent;
use crate::turn::ending::{Cause, ending_steps};
use crate::turn::run::{Facts, Next, Offered, run};
use crate::turn::state::Turn;

/// Two agents, each as its admin may have left it: other tools, another model.
pub struct Company {
    agents: [AgentId; 2],
    casts: [Vec<Arc<ReadyAgent>>; 2],
}

impl Company {
    pub fn new() -> Self {
        let agents = [AgentId::new(), AgentId::new()];
        let variants = [("anthropic", 6), ("anthropic", 2), ("anthropic", 0), ("openai", 6), ("openai", 3)];
        let wide = variants.map(|(provider, tools)| (provider, tools, CONTEXT_WINDOW));
        // Nothing that people brought fits: it is searched for.
        let narrow = [("anthropic", 6, 0), ("openai", 6, 0)];
        let variants: Vec<_> = wide.into_iter().chain(narrow).collect();
        let ready = |id, name, of: &(&'static str, usize, u64)| ready(id, name, of.0, of.1, of.2);
        let casts = |id, name| variants.iter().map(|of| ready(id, name, of)).collect();
        Self { agents, casts: [casts(agents[0], "Ana"), casts(agents[1], "Bo")] }
    }

    pub fn pick(&self, dice: &mut Rng, agent: usize) -> Arc<ReadyAgent> {
        // Mostly as it was hired.
        let variant = if dice.u8(..3) > 0 { 0 } else { dice.usize(..self.casts[agent].len()) };
        self.casts[agent][variant].clone()
    }
}

pub struct Teller<'a> {
    pub dice: Rng,
    pub log: Vec<LoggedStep>,
    pub files: HashMap<FileId, FileContent>,
    company: &'a Company,
    /// Long texts, so that the cap is met.
    is_heavy: bool,
    /// Numbers what is said, so that it can be found again.
    said: u32,
    listener: &'a Listener,
}

/// Is given the log, the agent that reads it, and what it is sent.
pub type Listener = dyn Fn(&[LoggedStep], AgentId, &ModelRequest);

/// The turn under way.
pub struct Now {
    pub task: TaskId,
    pub message: MessageId,
    pub ready: Arc<ReadyAgent>,
    pub turn: Turn,
    pub attempt: i32,
    pub has_opened: bool,
    pub facts: Facts,
}

impl<'a> Teller<'a> {
    pub fn new(seed: u64, company: &'a Company, listener: &'a Listener) -> Self {
        let mut dice = Rng::with_seed(seed);
        let is_heavy = dice.u8(..80) == 0;
        Self { dice, log: Vec::new(), files: HashMap::new(), company, is_heavy, said: 0, listener }
    }

    pub fn tell(&mut self) {
        for _ in 0..self.dice.usize(1..if self.is_heavy { 9 } else { 5 }) {
            match self.dice.u8(..12) {
                0 | 1 => self.import(),
                2 => self.fork(),
                _ => {
                    if !self.turn() {
                        return;
                    }
                }
            }
        }
    }

    pub(super) fn rarely(&mut self, one_in: u8) -> bool {
        self.dice.u8(..one_in) == 0
    }

    fn push(&mut self, task: Option<TaskId>, agent: AgentId, message: Option<MessageId>, step: Step) {
        let seq = self.log.last().map_or(0, |last| last.seq) + 1;
        self.log.push(LoggedStep {
            seq,
            task_id: task,
            agent_id: agent,
            message_id: message,
            step,
            at: DateTime::UNIX_EPOCH,
        });
    }

    pub(super) fn filler(&mut self) -> String {
        let long = self.is_heavy && self.dice.bool();
        if long { "many words ".repeat(self.dice.usize(1_000..14_000)) } else { String::new() }
    }

    pub(super) fn marked(&mut self, mark: char) -> String {
        self.said += 1;
        let (number, filler) = (self.said, self.filler());
        format!("{mark}{number}{mark}{}{filler}", words(&mut self.dice))
    }

    fn import(&mut self) {
        for _ in 0..self.dice.usize(1..4) {
            let role = *self.dice.choice(&[MessageRole::User, MessageRole::Assistant]).expect("one");
            let mut content = self.marked(if role == MessageRole::User { '§' } else { '¶' });
            if self.rarely(20) {
                content = " \n".to_owned();
            }
            let agent = self.company.agents[0];
            self.push(None, agent, Some(MessageId::new()), Step::Imported { role, content });
        }
    }

    /// What a fork keeps: all before some message.
    fn fork(&mut self) {
        let begins: Vec<usize> = (0..self.log.len())
            .filter(|index| match &self.log[*index].step {
                Step::User { .. } | Step::Imported { .. } => true,
                Step::Call { attempt, start, .. } => *attempt == 1 && start.is_some(),
                _ => false,
            })
            .collect();
        if let Some(before) = self.dice.choice(&begins) {
            self.log.truncate(*before);
        }
    }

    fn attachments(&mut self) -> Vec<AttachmentRef> {
        let count = if self.rarely(6) { self.dice.usize(1..4) } else { 0 };
        let mut attached = Vec::new();
        for _ in 0..count {
            let id = FileId::new();
            let name = words(&mut self.dice);
            let content = match self.dice.u8(..4) {
                0 => None,
                1 => Some(FileContent::Image { media_type: "image/png".into(), bytes: Arc::from([1, 2, 3]) }),
                _ => Some(FileContent::Text(anything(&mut self.dice) + &self.filler())),
            };
            self.files.extend(content.map(|content| (id, content)));
            attached.push(AttachmentRef { id, name, media_type: "text/plain".into(), size: 3 });
        }
        attached
    }

    /// A turn to its end; false when it was left in the middle.
    fn turn(&mut self) -> bool {
        let agent = usize::from(self.rarely(5));
        let mut now = self.begin(agent);
        for _ in 0..60 {
            now.facts.stop_requested |= self.rarely(40);
            now.facts.cap_reached = self.rarely(60).then_some(baton_core::spending::Cap::Server);
            match run(&now.turn, &now.facts) {
                Next::CallModel(offered) => {
                    if self.open(&mut now, offered) && self.speak(&mut now, offered) {
                        return true;
                    }
                }
                Next::AskPerson(calls) => self.ask(&mut now, &calls),
                Next::Answer(fates) => self.answer(&mut now, fates),
                Next::Wait => match self.dice.u8(..10) {
                    0 => return false,
                    1 => {
                        let words = self.marked('§');
                        self.end(&mut now, &Cause::WroteOn { by: "Eva".into(), words });
                        return true;
                    }
                    2 => now.facts.stop_requested = true,
                    _ => self.decide(&mut now),
                },
                // Nobody here can hand off.
                Next::Route | Next::Advance | Next::HandOff(_) => unreachable!("no team, no handoff tools"),
                Next::Finish(ending) => {
                    self.end(&mut now, &Cause::of(&ending));
                    return true;
                }
            }
        }
        false
    }

    fn begin(&mut self, agent: usize) -> Now {
        let (task, message) = (TaskId::new(), MessageId::new());
        let ready = self.company.pick(&mut self.dice, agent);
        if self.log.is_empty() || !self.rarely(6) {
            let (content, attachments) = (self.marked('§'), self.attachments());
            let step = Step::User { content, attachments, web_search: false, synthetic: false };
            self.push(Some(task), ready.agent.id, Some(MessageId::new()), step);
        }
        let modes = [PermissionMode::Default, PermissionMode::AcceptEdits, PermissionMode::BypassPermissions];
        let facts = Facts {
            stop_requested: false,
            cap_reached: None,
            unpriced: false,
            tries: 0,
            taken_over: false,
            max_calls: self.dice.i32(1..6),
            mode: *self.dice.choice(&modes).expect("a mode"),
            unstorable: false,
            nobody_to_ask: self.rarely(8),
            is_routed_team: false,
            is_stuck: false,
            allowed: vec![],
            rules: if self.rarely(4) { vec![rule("save", false)] } else { vec![] },
            levels: Vec::new(),
        };
        let mut now =
            Now { task, message, ready, turn: Turn::default(), attempt: 1, has_opened: true, facts };
        let start = Some(start(&now));
        self.add(&mut now, Step::Call { attempt: 1, start, lost: None });
        now
    }

    pub(super) fn add(&mut self, now: &mut Now, step: Step) {
        self.push(Some(now.task), now.ready.agent.id, Some(now.message), step);
        let logged = self.log.last().expect("a step").clone();
        now.turn.push(&logged);
    }

    /// Another process goes on with it, and may find the agent changed.
    pub(super) fn taken_over(&mut self, now: &mut Now) {
        now.attempt += 1;
        now.facts.tries += 1;
        now.facts.taken_over = true;
        now.has_opened = false;
        self.recast(now);
    }

    pub(super) fn recast(&mut self, now: &mut Now) {
        if self.rarely(4) {
            let agent = usize::from(now.ready.agent.id == self.company.agents[1]);
            now.ready = self.company.pick(&mut self.dice, agent);
        }
    }

    fn open(&mut self, now: &mut Now, _offered: Offered) -> bool {
        if now.has_opened && now.turn.open_call.is_some() {
            return true;
        }
        let (attempt, is_restart) = (now.attempt, now.turn.open_call.is_some());
        // Another agent goes on, in a message of its own.
        let is_handed = !is_restart && self.rarely(12);
        if is_handed {
            self.add(now, Step::MessageEnd { status: MessageStatus::Complete });
            let other = usize::from(now.ready.agent.id == self.company.agents[0]);
            now.ready = self.company.pick(&mut self.dice, other);
            now.message = MessageId::new();
        }
        let start = (is_restart || is_handed).then(|| start(now));
        self.add(now, Step::Call { attempt, start, lost: None });
        now.has_opened = true;
        if self.rarely(12) {
            self.taken_over(now);
            return false;
        }
        true
    }

    fn request(&self, now: &Now, offered: Offered) -> ModelRequest {
        request(&self.request_input(now, offered))
    }

    fn request_input<'b>(&'b self, now: &'b Now, offered: Offered) -> RequestInput<'b> {
        RequestInput {
            ready: &now.ready,
            model: "claude-sonnet-5",
            log: &self.log,
            log_is_cut: false,
            task_id: now.task,
            offered,
            scope: &Scope::Full,
            activation: None,
            snapshots: &[],
            note: None,
            files: &self.files,
        }
    }

    /// A model answers, or something happens to it; true when the turn ended with it.
    fn speak(&mut self, now: &mut Now, offered: Offered) -> bool {
        let request = self.request(now, offered);
        (self.listener)(&self.log, now.ready.agent.id, &request);
        if self.rarely(10) {
            self.taken_over(now);
            return false;
        }
        now.has_opened = false;
        let tape = self.tape();
        let has_text = tape.has_text() || now.turn.has_text();
        let calls = self.calls(now);
        let (stop, ends, calls) = match self.dice.u8(..12) {
            0 => (None, Some(MessageStatus::Failed), Vec::new()),
            1 => (None, Some(MessageStatus::Stopped), Vec::new()),
            _ => {
                let stops =
                    [StopReason::End, StopReason::ToolUse, StopReason::MaxTokens, StopReason::Refusal];
                let stop = Some(*self.dice.choice(&stops).expect("a reason"));
                if calls.is_empty() || (offered == Offered::Nothing && has_text) {
                    let status = if has_text { MessageStatus::Complete } else { MessageStatus::Failed };
                    (stop, Some(status), Vec::new())
                } else {
                    (stop, None, calls)
                }
            }
        };
        let thinking = if calls.is_empty() { vec![] } else { clean_thinking(self.thinking(now, &request)) };
        let said = Said {
            blocks: tape.into_blocks(),
            thinking,
            model: now.ready.model_name(),
            prompt_hash: prompt_hash(&self.request_input(now, offered)),
            spent: Spent::NOTHING,
            stop,
            unsent: false,
            ends,
        };
        self.add(now, Step::Said(said));
        for call in calls {
            let used: HashSet<String> = used_ids(&self.log);
            let step = call_step(&now.ready, call, |id| used.contains(id));
            self.add(now, Step::ToolCall(step));
        }
        now.facts.tries = 0;
        let cause = match (stop, ends) {
            (None, Some(MessageStatus::Failed)) => Cause::Failed(Fault::from(&ModelError::Truncated)),
            (None, Some(_)) => Cause::Stopped { by: "Eva".into() },
            _ => return false,
        };
        self.end(now, &cause);
        true
    }

    fn end(&mut self, now: &mut Now, cause: &Cause) {
        if now.turn.open_call.is_some() {
            if !now.has_opened {
                let (attempt, start) = (now.attempt, Some(start(now)));
                self.add(now, Step::Call { attempt, start, lost: None });
            }
            let blocks = if now.has_opened { vec![] } else { self.tape().into_blocks() };
            let said = Said {
                blocks,
                thinking: vec![],
                model: now.ready.model_name(),
                prompt_hash: now.ready.prompt_hash.clone(),
                spent: Spent::NOTHING,
                stop: None,
                unsent: false,
                ends: Some(cause.message_status()),
            };
            self.add(now, Step::Said(said));
        }
        for (_, step) in ending_steps(&now.turn, cause).steps {
            self.add(now, step);
        }
    }
}

fn start(now: &Now) -> Start {
    let parts = now.turn.message.as_ref().filter(|message| message.id == now.message);
    Start {
        agent_name: now.ready.agent.definition.name.clone(),
        avatar_url: None,
        parts: parts.map(|message| message.parts.clone()).unwrap_or_default(),
    }
}

fn used_ids(log: &[LoggedStep]) -> HashSet<String> {
    let calls = log.iter().filter_map(|logged| match &logged.step {
        Step::ToolCall(call) => Some(call.call_id.clone()),
        _ => None,
    });
    calls.collect()
}
