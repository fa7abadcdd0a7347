//! A store in memory that keeps the commits' rules: guards, fences, numbers, projections. It pauses before and after
//! each change, loses answers and fails now and then, as a database over a network does.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use async_trait::async_trait;
use baton_core::agents::{Agent, PermissionMode};
use baton_core::allow_rules::AllowRule;
use baton_core::approvals::Decision;
use baton_core::attachments::{Attachment, AttachmentRef};
use baton_core::data::areas::Areas;
use baton_core::data::rows::Once;
use baton_core::defined_tools::DefinedTool;
use baton_core::effects::Effect;
use baton_core::handoffs::{Activation, NewTransition, Snapshot};
use baton_core::ids::*;
use baton_core::log::{LoggedStep, Step};
use baton_core::memories::MemoryWrite;
use baton_core::people::{Profile, Tier};
use baton_core::refusals::check_checkpoint;
use baton_core::result_files::NewResultFiles;
use baton_core::rules::Rule;
use baton_core::spending::{Counted, SpendingChanges, SpentLately, UsageRow};
use baton_core::store::{Effects, EngineStore, Error, Result, Spending, Steps, StepsPage, Turns, Written};
use baton_core::teams::Team;
use baton_core::turns::*;
use baton_core::visitors::Person;
use baton_core::workspaces::{Role, Workspace};
use chrono::{DateTime, Utc};
use fastrand::Rng;
use serde_json::Value;

use super::memory_rows::{Row, State, committed, decided, written};
use crate::lock::lock;

/// The owner of turns whose node ended in order.
const LEFT_IN_ORDER: NodeId = NodeId(uuid::Uuid::nil());

/// Steps that a reader is sent at once.
const PAGE: u64 = 200;

/// What this store can't keep, as databases can't keep everything.
pub const UNSTORABLE: &str = "<unstorable>";

pub struct MemoryStore {
    state: Mutex<State>,
    dice: Mutex<Rng>,
    /// One answer in so many is lost, before the change and again after it.
    loses_one_in: u8,
    /// Nothing fails any more.
    pub is_calm: AtomicBool,
    /// What happens before a method of this name does anything.
    pub before: Mutex<HashMap<&'static str, Before>>,
    /// The commits of these kinds are stored once more without an answer.
    pub unheard: Mutex<Vec<&'static str>>,
    /// No turn's step can be stored.
    pub is_full: AtomicBool,
    /// The same, and nobody knows why.
    pub is_broken: AtomicBool,
    /// No turn's step can be stored, but checkpoints can.
    pub takes_no_commits: AtomicBool,
    /// So many more commits of turns are refused for nothing that is in the log.
    pub refuses: AtomicU32,
    /// Commits of these kinds are stored after whoever asked has given up waiting, and before they ask again.
    pub stores_late: Mutex<Vec<&'static str>>,
    late: Mutex<Option<Commit>>,
    /// So many more messages meet an error of the database.
    pub breaks: AtomicU32,
    /// Writes of tools that are asked for, and take place when the next commit of a turn comes. `None`: they don't wait.
    pub late_writes: Mutex<Option<Vec<(Effect, MemoryWrite)>>>,
    /// The write of a tool takes place, and its answer never comes.
    pub writes_silently: AtomicBool,
    /// How many commits of turns were tried.
    pub tried: AtomicU32,
    /// As its nodes heard.
    last_generation: AtomicU64,
}

/// What can happen to a call, so many times.
#[derive(Clone, Copy)]
pub enum Before {
    NeverAnswers(u32),
    Panics(u32),
}

impl MemoryStore {
    pub fn new(seed: u64) -> Self {
        let mut dice = Rng::with_seed(seed);
        // A bad network shows what a good one hides, and the other way round: turns that come far.
        let loses_one_in = *dice.choice(&[6, 12, 40]).expect("a number");
        Self {
            state: Mutex::default(),
            dice: Mutex::new(dice),
            loses_one_in,
            is_calm: AtomicBool::new(false),
            before: Mutex::default(),
            unheard: Mutex::default(),
            is_full: AtomicBool::new(false),
            is_broken: AtomicBool::new(false),
            takes_no_commits: AtomicBool::new(false),
            refuses: AtomicU32::new(0),
            stores_late: Mutex::default(),
            late: Mutex::default(),
            breaks: AtomicU32::new(0),
            late_writes: Mutex::default(),
            writes_silently: AtomicBool::new(false),
            tried: AtomicU32::new(0),
            last_generation: AtomicU64::new(0),
        }
    }

    /// One that never fails.
    pub fn calm() -> Self {
        Self { is_calm: AtomicBool::new(true), ..Self::new(1) }
    }

    /// Changes what nodes may have kept. They hear of it when their lease is renewed, or when a commit is refused.
    pub fn change_house(&self, change: impl FnOnce(&mut State)) {
        let mut state = lock(&self.state);
        change(&mut state);
        state.generation += 1;
    }

    /// How many such changes there were.
    pub fn changes(&self) -> u64 {
        lock(&self.state).generation
    }

    pub fn hire(&self, agent: Agent) {
        self.change_house(|state| drop(state.agents.insert(agent.id, agent)));
    }

    pub fn unhire(&self, id: AgentId) {
        self.change(id, |agent| agent.is_active = false);
    }

    pub fn rehire(&self, id: AgentId) {
        self.change(id, |agent| agent.is_active = true);
    }

    pub fn found(&self, team: Team) {
        self.change_house(|state| state.team = Some(team));
    }

    pub fn conversations(&self) -> Vec<ConversationId> {
        let mut ids: Vec<_> = lock(&self.state).rows.keys().copied().collect();
        ids.sort();
        ids
    }

    pub fn row(&self, id: ConversationId) -> Row {
        lock(&self.state).rows[&id].clone()
    }

    pub fn last_seq(&self, id: ConversationId) -> i64 {
        lock(&self.state).rows[&id].conversation.last_seq
    }

    fn change(&self, id: AgentId, change: impl FnOnce(&mut Agent)) {
        self.change_house(|state| change(state.agents.get_mut(&id).expect("an agent")));
    }

    pub fn let_go(&self, id: AgentId) {
        self.change(id, |agent| agent.is_active = false);
    }

    pub fn restrict(&self, id: AgentId) {
        self.change(id, |agent| agent.definition.is_restricted = true);
    }

    pub fn set_prompt(&self, id: AgentId, prompt: &str) {
        self.change(id, |agent| agent.definition.system_prompt = prompt.to_owned());
    }

    pub fn set_mode(&self, id: AgentId, mode: PermissionMode) {
        self.change(id, |agent| agent.definition.permission_mode = mode);
    }

    pub fn lists(&self, id: AgentId, tool: &str) {
        self.change(id, |agent| agent.definition.tools.push(tool.to_owned()));
    }

    pub fn set_allow_rules(&self, rules: Vec<AllowRule>) {
        self.change_house(|state| state.allow_rules = rules);
    }

    pub fn set_tier(&self, tier: Tier) {
        self.change_house(|state| state.tier = tier);
    }

    /// Someone asks all turns to stop, at another node.
    pub fn stop_elsewhere(&self) {
        for row in lock(&self.state).rows.values_mut() {
            row.turn.iter_mut().for_each(|turn| turn.stop_requested = true);
        }
    }

    /// Another node has this turn.
    pub fn is_driven_by(&self, id: ConversationId, node: NodeId) {
        let mut state = lock(&self.state);
        state.alive.insert(node);
        let turn = state.rows.get_mut(&id).and_then(|row| row.turn.as_mut());
        turn.expect("a turn").owner = Some(node);
    }

    /// The lease of a node has run out; it may not know.
    pub fn expire(&self, node: NodeId) {
        lock(&self.state).alive.remove(&node);
    }

    pub fn is_alive(&self, node: NodeId) -> bool {
        lock(&self.state).alive.contains(&node)
    }

    pub fn revive(&self, node: NodeId) {
        lock(&self.state).alive.insert(node);
    }

    fn is_lost(&self) -> bool {
        !self.is_calm.load(Ordering::Relaxed) && lock(&self.dice).u8(..self.loses_one_in) == 0
    }

    async fn pause(&self) {
        let pauses = lock(&self.dice).u8(..3);
        for _ in 0..pauses {
            tokio::task::yield_now().await;
        }
    }

    /// Does something at one moment, with the way there and back; either may be lost.
    async fn at_once<T>(&self, act: impl FnOnce(&mut State) -> T) -> Result<T> {
        self.pause().await;
        if self.is_lost() {
            return Err(Error::Unavailable);
        }
        let done = act(&mut lock(&self.state));
        self.pause().await;
        if self.is_lost() { Err(Error::Unavailable) } else { Ok(done) }
    }

    /// What a test has prepared for a commit.
    fn meets_trouble(&self, kind: &'static str, commit: &Commit) -> std::result::Result<(), Refused> {
        let is_left = |number: &AtomicU32| {
            number.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
        };
        let broken = Error::Database("it is broken".into());
        if let Guard::Turn { .. } = commit.guard {
            self.tried.fetch_add(1, Ordering::Relaxed);
            if self.is_broken.load(Ordering::Relaxed) || self.takes_no_commits.load(Ordering::Relaxed) {
                return Err(broken.into());
            }
            if is_left(&self.refuses) {
                return Err(Refused::Moved);
            }
        } else if is_left(&self.breaks) {
            return Err(broken.into());
        }
        if let Some(late) = lock(&self.late).take() {
            committed(&mut lock(&self.state), late)?;
        }
        let mut stores_late = lock(&self.stores_late);
        if let Some(at) = stores_late.iter().position(|late| *late == kind) {
            stores_late.remove(at);
            *lock(&self.late) = Some(commit.clone());
            return Err(Error::Unavailable.into());
        }
        Ok(())
    }

    fn heard<T, E: From<Error>>(
        &self,
        kind: &str,
        answer: std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut unheard = lock(&self.unheard);
        match unheard.iter().position(|lost| *lost == kind) {
            Some(at) if answer.is_ok() => {
                unheard.remove(at);
                Err(Error::Unavailable.into())
            }
            _ => answer,
        }
    }

    /// Does what is to happen before a call, if anything.
    async fn before(&self, method: &'static str) {
        let happens = {
            let mut before = lock(&self.before);
            let happens = before.get(method).copied();
            let once_less = match happens {
                Some(Before::NeverAnswers(times)) if times > 1 => Some(Before::NeverAnswers(times - 1)),
                Some(Before::Panics(times)) if times > 1 => Some(Before::Panics(times - 1)),
                _ => None,
            };
            match once_less {
                Some(less) => before.insert(method, less),
                None => before.remove(method),
            };
            happens
        };
        match happens {
            Some(Before::NeverAnswers(_)) => std::future::pending().await,
            Some(Before::Panics(_)) => panic!("as it was asked to"),
            None => {}
        }
    }

    async fn load_now(&self, id: ConversationId) -> Result<Loaded> {
        let row = self.at_once(|state| state.rows.get(&id).cloned()).await?;
        let row = row.ok_or(Error::NotFound("conversation"))?;
        Ok(Loaded {
            turn: row.turn,
            activations: row.activations,
            checkpoint: row.tape.filter(|_| row.turn.is_some()),
            conversation: row.conversation,
            steps: row.steps,
            is_cut: false,
        })
    }
}

#[async_trait]
impl Turns for MemoryStore {
    async fn load(&self, id: ConversationId) -> Result<Loaded> {
        self.before("load").await;
        self.load_now(id).await
    }

    async fn load_since(&self, id: ConversationId, seq: i64) -> Result<Option<Since>> {
        let loaded = self.load_now(id).await?;
        let last_seq = loaded.conversation.last_seq;
        if last_seq < seq {
            return Ok(None);
        }
        let steps: Vec<_> = loaded.steps.into_iter().filter(|step| step.seq > seq).collect();
        Ok(Some(Since {
            conversation: loaded.conversation,
            turn: loaded.turn,
            activations: (last_seq > seq).then_some(loaded.activations),
            steps,
            checkpoint: loaded.checkpoint,
        }))
    }

    async fn find_request(
        &self,
        _person: Person,
        key: &str,
        _at: DateTime<Utc>,
    ) -> Result<Option<KeptRequest>> {
        self.at_once(|state| state.request(key)).await
    }

    async fn commit(&self, commit: &Commit) -> std::result::Result<Committed, Refused> {
        let kind = match (&commit.guard, &commit.handoff) {
            (Guard::Accept(_), _) => "accept",
            (Guard::Switch(_), _) => "switch",
            (Guard::Turn { .. }, Some(_)) => "handoff",
            (Guard::Turn { after: After::Ended(_), .. }, None) => "finish",
            (Guard::Turn { .. }, None) => "commit",
        };
        if let Guard::Turn { .. } = commit.guard {
            if format!("{:?}", commit.steps).contains(UNSTORABLE) {
                return Err(Error::Database("no such text can be stored".into()).into());
            }
            if self.is_full.load(Ordering::Relaxed) {
                return Err(Error::Full.into());
            }
        }
        self.meets_trouble(kind, commit)?;
        if let (Guard::Turn { .. }, Some(late)) = (&commit.guard, &mut *lock(&self.late_writes)) {
            late.drain(..).for_each(|(effect, write)| drop(written(&mut lock(&self.state), &effect, &write)));
        }
        let answer = self.at_once(|state| {
            let answer = committed(state, commit.clone());
            if let Err(Refused::Stale) = answer {
                self.last_generation.store(state.generation, Ordering::Relaxed);
            }
            answer
        });
        let answer = answer.await?;
        self.heard(kind, answer)
    }

    async fn checkpoint(&self, checkpoint: Checkpoint) -> std::result::Result<(), Refused> {
        let Checkpoint { conversation_id, fence, last_seq, tape } = checkpoint;
        if self.is_broken.load(Ordering::Relaxed) {
            return Err(Error::Database("it is broken".into()).into());
        }
        self.at_once(|state| {
            let row = state.rows.get_mut(&conversation_id);
            check_checkpoint(row.as_deref().map(Row::guarded), fence)?;
            let row = row.ok_or(Refused::Fenced)?;
            if row.conversation.last_seq == last_seq {
                row.tape = Some((last_seq, tape));
            }
            Ok(())
        })
        .await?
    }

    async fn renew_lease(&self, node: NodeId) -> Result<LeaseBefore> {
        self.before("renew_lease").await;
        let renewed = self.at_once(|state| {
            self.last_generation.store(state.generation, Ordering::Relaxed);
            if state.alive.insert(node) { LeaseBefore::RunOut } else { LeaseBefore::Good }
        });
        self.heard("renew_lease", renewed.await)
    }

    async fn end_lease(&self, node: NodeId) -> Result<()> {
        self.before("end_lease").await;
        self.at_once(|state| {
            state.alive.remove(&node);
            let turns = state.rows.values_mut().filter_map(|row| row.turn.as_mut());
            let ours = turns.filter(|turn| turn.owner == Some(node));
            ours.for_each(|turn| turn.owner = Some(LEFT_IN_ORDER));
        })
        .await
    }

    async fn drop_lease(&self, node: NodeId) -> Result<()> {
        self.before("drop_lease").await;
        self.at_once(|state| state.alive.remove(&node)).await.map(drop)
    }

    async fn claim_turns(&self, node: NodeId) -> Result<Vec<Claimed>> {
        self.before("claim_turns").await;
        self.at_once(|state| {
            let State { rows, alive, .. } = state;
            let mut claimed = Vec::new();
            for row in rows.values_mut() {
                if let Some(turn) = &mut row.turn
                    && turn.owner.is_some_and(|owner| !alive.contains(&owner))
                {
                    let was = turn.owner.replace(node);
                    turn.attempt += 1;
                    turn.tries += i32::from(was != Some(LEFT_IN_ORDER));
                    claimed.push(Claimed { conversation_id: row.conversation.id, task_id: turn.task_id });
                }
            }
            claimed
        })
        .await
    }

    async fn claim_again(&self, node: NodeId, turn: Claimed) -> Result<bool> {
        self.at_once(|state| {
            let row = state.rows.get_mut(&turn.conversation_id).and_then(|row| row.turn.as_mut());
            let ours = row.filter(|row| row.task_id == turn.task_id && row.owner == Some(node));
            let Some(row) = ours else { return false };
            row.attempt += 1;
            row.tries += 1;
            true
        })
        .await
    }

    async fn turns_of(&self, node: NodeId) -> Result<Vec<Claimed>> {
        self.before("turns_of").await;
        self.at_once(|state| {
            let ours = state.rows.values().filter_map(|row| {
                let turn = row.turn.filter(|turn| turn.owner == Some(node))?;
                Some(Claimed { conversation_id: row.conversation.id, task_id: turn.task_id })
            });
            ours.collect()
        })
        .await
    }

    async fn request_stop(
        &self,
        id: ConversationId,
        only: Option<TaskId>,
        _at: DateTime<Utc>,
    ) -> Result<Option<TurnRow>> {
        // Before anything is stored.
        if let Err(Refused::Store(error)) = self.heard("request_stop", Ok(())) {
            return Err(error);
        }
        self.at_once(|state| {
            let row = state.rows.get_mut(&id).ok_or(Error::NotFound("conversation"))?;
            let mut turn = row.turn.as_mut().filter(|turn| only.is_none_or(|only| turn.task_id == only));
            turn.iter_mut().for_each(|turn| turn.stop_requested = true);
            Ok(turn.copied())
        })
        .await?
    }

    async fn stops_requested(&self, node: NodeId) -> Result<Vec<TaskId>> {
        let asked = |turn: &TurnRow| turn.stop_requested && turn.owner == Some(node);
        self.at_once(|state| {
            let turns = state.rows.values().filter_map(|row| row.turn);
            turns.filter(asked).map(|turn| turn.task_id).collect()
        })
        .await
    }
}

#[async_trait]
impl Effects for MemoryStore {
    async fn effects(&self, conversation: ConversationId, calls: &[i64]) -> Result<Vec<(i64, Value)>> {
        self.at_once(|state| {
            let Some(row) = state.rows.get(&conversation) else { return Vec::new() };
            let found = calls.iter().filter_map(|seq| Some((*seq, row.effects.get(seq)?.1.clone())));
            found.collect()
        })
        .await
    }

    async fn done_before(&self, once: &Once) -> Result<Option<Value>> {
        let Once::Call(Effect { call, .. }) = once else { return Ok(None) };
        Ok(self.effects(call.conversation_id, &[call.seq]).await?.pop().map(|(_, outcome)| outcome))
    }

    async fn write_memory(&self, effect: &Effect, write: MemoryWrite) -> Written {
        self.before("write_memory").await;
        let is_late = lock(&self.late_writes).as_mut().map(|late| late.push((effect.clone(), write.clone())));
        if is_late.is_some() {
            return std::future::pending().await;
        }
        let answer = self.at_once(|state| written(state, effect, &write)).await?;
        if self.writes_silently.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        self.heard("write_memory", Ok::<_, Error>(()))?;
        answer
    }
}

/// All rows are told of each time, as if they had changed: whoever counts them must count them once.
#[async_trait]
impl Spending for MemoryStore {
    async fn spent_lately(&self, _since: DateTime<Utc>) -> Result<SpentLately> {
        self.before("spent_lately").await;
        let rows = self.at_once(|state| counted(state)).await?;
        Ok(SpentLately { settled: Vec::new(), rows, read_at: Utc::now() })
    }

    async fn spending_changes(&self, _node: NodeId, _since: DateTime<Utc>) -> Result<SpendingChanges> {
        let changed = self.at_once(|state| counted(state)).await?;
        Ok(SpendingChanges { changed, read_at: Utc::now() })
    }

    async fn open_usage(
        &self,
        (id, _): (ConversationId, WorkspaceId),
        _since: DateTime<Utc>,
    ) -> Result<Vec<UsageRow>> {
        self.at_once(|state| {
            let rows = state.rows.get(&id).into_iter().flat_map(|row| &row.usage);
            rows.filter(|(_, used)| used.is_open).map(|(_, used)| used.clone()).collect()
        })
        .await
    }

    async fn settle(&self, of: ConversationId, rows: &[UsageRow]) -> Result<Vec<UsageRow>> {
        self.at_once(|state| {
            let Some(row) = state.rows.get_mut(&of) else { return Vec::new() };
            let mut settled = Vec::new();
            for used in rows {
                let open = row.usage.iter_mut().find(|(_, one)| one.call == used.call && one.is_open);
                if let Some((_, one)) = open {
                    *one = used.clone();
                    settled.push(used.clone());
                }
            }
            settled
        })
        .await
    }
}

fn counted(state: &State) -> Vec<Counted> {
    let rows = state.rows.values().flat_map(|row| row.usage.iter().map(move |(_, used)| (row, used)));
    rows.map(|(row, used)| {
        Counted::of(used, (row.conversation.id, row.conversation.workspace_id), Utc::now())
    })
    .collect()
}

#[async_trait]
impl Steps for MemoryStore {
    async fn steps_after(&self, id: ConversationId, seq: i64, limit: u64) -> Result<Vec<LoggedStep>> {
        self.at_once(|state| {
            let steps = state.rows.get(&id).map_or(&[][..], |row| row.steps.as_slice());
            steps.iter().filter(|step| step.seq > seq).take(limit as usize).cloned().collect()
        })
        .await
    }

    async fn steps_page(&self, id: ConversationId, seq: i64) -> Result<StepsPage> {
        let steps = self.steps_after(id, seq, PAGE).await?;
        Ok(StepsPage { is_last: (steps.len() as u64) < PAGE, steps })
    }

    async fn open_call(&self, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>> {
        self.at_once(|state| {
            let before = state.rows.get(&id)?.steps.iter().rev().filter(|logged| logged.seq <= seq);
            let either = before.filter(|logged| matches!(logged.step, Step::Call { .. } | Step::Said(_)));
            either.take(1).find(|logged| matches!(logged.step, Step::Call { .. })).cloned()
        })
        .await
    }

    async fn step(&self, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>> {
        self.at_once(|state| state.rows.get(&id)?.steps.iter().find(|step| step.seq == seq).cloned()).await
    }

    async fn turn(&self, id: ConversationId) -> Result<Option<TurnRow>> {
        let row = self.at_once(|state| state.rows.get(&id).map(|row| row.turn)).await?;
        row.ok_or(Error::NotFound("conversation"))
    }

    async fn last_seqs(&self, ids: Vec<ConversationId>) -> Result<Vec<(ConversationId, i64)>> {
        self.before("last_seqs").await;
        assert!(ids.len() <= 1_000, "a statement takes only so many values");
        self.at_once(|state| {
            let rows = ids.iter().filter_map(|id| state.rows.get(id));
            rows.map(|row| (row.conversation.id, row.conversation.last_seq)).collect()
        })
        .await
    }
}

#[async_trait]
impl EngineStore for MemoryStore {
    fn generation(&self) -> Option<u64> {
        None
    }

    fn last_generation(&self) -> Option<u64> {
        Some(self.last_generation.load(Ordering::Relaxed))
    }

    async fn profile(&self, id: ProfileId) -> Result<Profile> {
        let (email, name) = ("eva@example.org".into(), "Eva".into());
        let (time_zone, tier, created_at) = ("UTC".into(), Tier::Premium, DateTime::UNIX_EPOCH);
        Ok(Profile { id, email, name, time_zone, tier, is_admin: false, created_at })
    }

    async fn workspace(&self, _id: WorkspaceId) -> Result<Workspace> {
        Ok(super::ready_agents::workspace())
    }

    async fn role(&self, _id: WorkspaceId, _profile: ProfileId) -> Result<Option<Role>> {
        Ok(Some(Role::Member))
    }

    async fn areas(&self, _id: WorkspaceId, _profile: ProfileId) -> Result<Areas> {
        Ok(Areas::WRITE)
    }

    async fn agent(&self, id: AgentId) -> Result<Agent> {
        self.at_once(|state| state.agents.get(&id).cloned()).await?.ok_or(Error::NotFound("agent"))
    }

    async fn team(&self, _id: TeamId) -> Result<Team> {
        self.at_once(|state| state.team.clone()).await?.ok_or(Error::NotFound("team"))
    }

    async fn rules_of(&self, _: Option<AgentId>, _: Option<CatalogAgentId>) -> Result<Vec<Rule>> {
        Ok(Vec::new())
    }

    async fn attachments(&self, _: &[FileId], _: Person, _: usize) -> Result<Vec<Attachment>> {
        Err(Error::Unavailable)
    }

    async fn keep_result_files(&self, new: &NewResultFiles) -> Result<Vec<AttachmentRef>> {
        self.at_once(|_| new.files.iter().map(|(about, _)| about.clone()).collect()).await
    }

    async fn allow_rules(&self, _agent: AgentId) -> Result<Vec<AllowRule>> {
        self.at_once(|state| state.allow_rules.clone()).await
    }

    async fn decide(&self, decide: Decide) -> std::result::Result<Decided, Refused> {
        let answer = self.at_once(|state| decided(state, decide)).await?;
        self.heard("decide", answer)
    }

    async fn overdue_approvals(&self, _now: DateTime<Utc>) -> Result<Vec<ApprovalId>> {
        self.before("overdue_approvals").await;
        Ok(Vec::new())
    }

    async fn remembered(&self, conversation: ConversationId, agent: AgentId) -> Result<Vec<String>> {
        self.at_once(|state| {
            let steps = state.rows.get(&conversation).into_iter().flat_map(|row| &row.steps);
            let own =
                steps.filter(|logged| logged.agent_id == agent).filter_map(|logged| match &logged.step {
                    Step::ApprovalResolved { decision, remember: true, args_hash, .. } => {
                        args_hash.clone().filter(|_| *decision == Decision::Approved)
                    }
                    _ => None,
                });
            own.collect()
        })
        .await
    }

    async fn hired(&self, _workspace: WorkspaceId) -> Result<Vec<Agent>> {
        self.at_once(|state| {
            let mut agents: Vec<Agent> =
                state.agents.values().filter(|agent| agent.is_active).cloned().collect();
            agents.sort_by(|one, other| one.slug.cmp(&other.slug));
            agents
        })
        .await
    }

    async fn active(&self, id: ConversationId) -> Result<Option<(Activation, i64)>> {
        self.at_once(|state| {
            let row = &state.rows[&id];
            baton_core::handoffs::active(&row.activations).map(|one| (one.clone(), row.conversation.epoch))
        })
        .await
    }

    async fn record_attempt(&self, _id: ConversationId, attempt: NewTransition) -> Result<()> {
        self.at_once(|state| state.attempts.push(attempt)).await
    }

    async fn snapshots(&self, id: ConversationId) -> Result<Vec<Snapshot>> {
        self.at_once(|state| {
            let kept = state.rows[&id].snapshots.iter();
            kept.map(|(stage, data)| Snapshot {
                id: SnapshotId::new(),
                stage: stage.clone(),
                version: 1,
                agent_id: AgentId::new(),
                data: data.clone(),
                created_at: DateTime::UNIX_EPOCH,
            })
            .collect()
        })
        .await
    }

    async fn tools(&self, _workspace: WorkspaceId) -> Result<Vec<DefinedTool>> {
        self.at_once(|_| Vec::new()).await
    }
}
