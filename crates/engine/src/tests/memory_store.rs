//! A store in memory that keeps the commits' rules: guards, fences, numbers, projections. It pauses before and after
//! each change, loses answers and fails now and then, as a database over a network does.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use baton_core::agents::Agent;
use baton_core::approvals::{Approval, Decision};
use baton_core::conversations::Conversation;
use baton_core::events::render;
use baton_core::fold::Spoken;
use baton_core::ids::*;
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::store::*;
use baton_core::tape::Tape;
use baton_core::tools::Change;
use baton_core::turns::*;
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use fastrand::Rng;

use crate::hub::lock;

pub struct MemoryStore {
    state: Mutex<State>,
    dice: Mutex<Rng>,
    /// Nothing fails any more.
    pub is_calm: AtomicBool,
}

#[derive(Default)]
struct State {
    agents: HashMap<AgentId, Agent>,
    rows: HashMap<ConversationId, Row>,
    alive: HashSet<NodeId>,
    keys: HashMap<String, (ConversationId, TaskId, i64)>,
}

/// A conversation, its log and its projections.
#[derive(Clone)]
pub struct Row {
    pub conversation: Conversation,
    pub turn: Option<TurnRow>,
    pub steps: Vec<LoggedStep>,
    pub messages: Vec<(i64, StoredMessage)>,
    pub changes: Vec<Change>,
    pub usage: Vec<(TaskId, UsageRow)>,
    /// Those a person can decide on, with their task.
    pub approvals: Vec<(ApprovalId, TaskId, NewStep)>,
    tape: Option<(i64, Tape)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StoredMessage {
    User { id: MessageId, content: String },
    Spoken(Spoken),
}

impl MemoryStore {
    pub fn new(seed: u64) -> Self {
        let dice = Mutex::new(Rng::with_seed(seed));
        Self { state: Mutex::default(), dice, is_calm: AtomicBool::new(false) }
    }

    pub fn hire(&self, agent: Agent) {
        lock(&self.state).agents.insert(agent.id, agent);
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

    /// The lease of a node has run out; it may not know.
    pub fn expire(&self, node: NodeId) {
        lock(&self.state).alive.remove(&node);
    }

    pub fn revive(&self, node: NodeId) {
        lock(&self.state).alive.insert(node);
    }

    fn rarely(&self, one_in: u8) -> bool {
        !self.is_calm.load(Ordering::Relaxed) && lock(&self.dice).u8(..one_in) == 0
    }

    async fn pause(&self) {
        let pauses = lock(&self.dice).u8(..3);
        for _ in 0..pauses {
            tokio::task::yield_now().await;
        }
    }

    /// Does something at one moment, with the way there and back; either may be lost.
    async fn at_once<T>(&self, act: impl FnOnce(&mut State) -> T) -> Result<T> {
        let done = self.answered(act).await?;
        if self.rarely(40) { Err(Error::Unavailable) } else { Ok(done) }
    }

    /// The same, but only the way there may be lost: nobody can know what a claim or a decision did that was not
    /// answered.
    async fn answered<T>(&self, act: impl FnOnce(&mut State) -> T) -> Result<T> {
        self.pause().await;
        if self.rarely(40) {
            return Err(Error::Unavailable);
        }
        let done = act(&mut lock(&self.state));
        self.pause().await;
        Ok(done)
    }

    pub async fn agent_now(&self, id: AgentId) -> Result<Agent> {
        self.at_once(|state| state.agents.get(&id).cloned()).await?.ok_or(Error::NotFound("agent"))
    }
}

impl Row {
    fn is_at(&self, guard: &Guard) -> std::result::Result<(), Refused> {
        let same =
            self.turn.is_some_and(|turn| turn.task_id == guard.task_id && turn.attempt == guard.attempt);
        match (same, self.conversation.last_seq == guard.last_seq) {
            (true, true) => Ok(()),
            (true, false) => Err(Refused::Moved),
            (false, _) => Err(Refused::Fenced),
        }
    }

    fn append(&mut self, steps: Vec<NewStep>, at: DateTime<Utc>) {
        for new in steps {
            self.conversation.last_seq += 1;
            self.steps.push(new.at(self.conversation.last_seq, at));
        }
    }

    fn write(&mut self, base: i64, writes: Vec<MessageWrite>) {
        for write in writes {
            match write {
                MessageWrite::User { id, content, step, .. } => {
                    let message = StoredMessage::User { id, content };
                    self.messages.push((base + 1 + step as i64, message));
                }
                MessageWrite::Begin { spoken, step } => {
                    self.messages.push((base + 1 + step as i64, StoredMessage::Spoken(spoken)));
                }
                MessageWrite::Update { spoken, .. } => {
                    let old = self.spoken(spoken.id).expect("a message that was begun");
                    *old = spoken;
                }
            }
        }
    }

    fn spoken(&mut self, id: MessageId) -> Option<&mut Spoken> {
        self.messages.iter_mut().find_map(|(_, message)| match message {
            StoredMessage::Spoken(spoken) if spoken.id == id => Some(spoken),
            _ => None,
        })
    }

    fn resolve(&mut self, resolved: &[ResolvedApproval]) {
        self.approvals.retain(|(id, ..)| !resolved.iter().any(|one| one.id == *id));
    }
}

#[async_trait]
impl Turns for MemoryStore {
    async fn load(&self, id: ConversationId) -> Result<Loaded> {
        let row = self.at_once(|state| state.rows.get(&id).cloned()).await?;
        let row = row.ok_or(Error::NotFound("conversation"))?;
        Ok(Loaded {
            turn: row.turn,
            holder: row.conversation.agent_id,
            checkpoint: row.tape.filter(|_| row.turn.is_some()),
            conversation: row.conversation,
            steps: row.steps,
            is_cut: false,
            allowed: Vec::new(),
            token_id: None,
        })
    }

    async fn accept(&self, accept: Accept) -> std::result::Result<Committed, Refused> {
        self.at_once(|state| accepted(state, accept)).await?
    }

    async fn commit(&self, commit: Commit) -> std::result::Result<Committed, Refused> {
        self.at_once(|state| {
            let row = state.rows.get_mut(&commit.guard.conversation_id).ok_or(Refused::Fenced)?;
            committed(row, commit)
        })
        .await?
    }

    async fn checkpoint(&self, checkpoint: Checkpoint) -> std::result::Result<(), Refused> {
        let Checkpoint { guard, tape } = checkpoint;
        self.at_once(|state| {
            let row = state.rows.get_mut(&guard.conversation_id).ok_or(Refused::Fenced)?;
            if matches!(row.is_at(&guard), Err(Refused::Fenced)) {
                return Err(Refused::Fenced);
            }
            row.tape = Some((row.conversation.last_seq, tape));
            Ok(())
        })
        .await?
    }

    async fn renew_lease(&self, node: NodeId) -> Result<()> {
        self.at_once(|state| state.alive.insert(node)).await.map(drop)
    }

    async fn end_lease(&self, node: NodeId) -> Result<()> {
        self.at_once(|state| state.alive.remove(&node)).await.map(drop)
    }

    async fn claim_turns(&self, node: NodeId) -> Result<Vec<Claimed>> {
        self.answered(|state| {
            let State { rows, alive, .. } = state;
            let mut claimed = Vec::new();
            for row in rows.values_mut() {
                if let Some(turn) = &mut row.turn
                    && turn.owner.is_some_and(|owner| !alive.contains(&owner))
                {
                    turn.owner = Some(node);
                    turn.attempt += 1;
                    turn.tries += 1;
                    claimed.push(Claimed { conversation_id: row.conversation.id, task_id: turn.task_id });
                }
            }
            claimed
        })
        .await
    }

    async fn request_stop(&self, id: ConversationId, _at: DateTime<Utc>) -> Result<Option<TurnRow>> {
        self.at_once(|state| {
            let turn = state.rows.get_mut(&id)?.turn.as_mut()?;
            turn.stop_requested = true;
            Some(*turn)
        })
        .await
    }

    async fn stops_requested(&self, node: NodeId) -> Result<Vec<TaskId>> {
        let asked = |turn: &TurnRow| turn.stop_requested && turn.owner == Some(node);
        self.at_once(|state| {
            let turns = state.rows.values().filter_map(|row| row.turn);
            turns.filter(asked).map(|turn| turn.task_id).collect()
        })
        .await
    }

    async fn spent_since(&self, _workspace: WorkspaceId, _since: DateTime<Utc>) -> Result<i64> {
        Ok(0)
    }
}

fn accepted(state: &mut State, accept: Accept) -> std::result::Result<Committed, Refused> {
    if let Some((conversation_id, task_id, first_seq)) =
        accept.key.as_ref().and_then(|key| state.keys.get(&key.key)).copied()
    {
        return Err(Refused::Repeated { conversation_id, task_id, first_seq });
    }
    let (id, base) = (accept.place.id(), accept.place.last_seq());
    let turn = TurnRow {
        task_id: accept.task_id,
        owner: Some(accept.node),
        attempt: 1,
        tries: 0,
        stop_requested: false,
    };
    let row = state.rows.entry(id).or_insert_with(|| Row {
        conversation: conversation(id, &accept),
        turn: None,
        steps: Vec::new(),
        messages: Vec::new(),
        changes: Vec::new(),
        usage: Vec::new(),
        approvals: Vec::new(),
        tape: None,
    });
    let ends = match accept.place {
        Place::New { .. } => None,
        Place::Existing { ends, .. } => ends.map(|turn| turn.task_id),
    };
    let free = row.turn.is_none_or(|turn| turn.owner.is_none() && ends == Some(turn.task_id));
    if row.conversation.last_seq != base || !free {
        let is_running = row.turn.is_some_and(|turn| turn.owner.is_some());
        return Err(if is_running { Refused::TurnInProgress } else { Refused::Moved });
    }
    row.turn = Some(turn);
    let before = accept.steps.iter().take_while(|step| step.task_id != Some(accept.task_id)).count() as i64;
    row.append(accept.steps, accept.at);
    row.write(base, accept.messages);
    row.resolve(&accept.resolved);
    let last_seq = row.conversation.last_seq;
    if let Some(key) = accept.key {
        state.keys.insert(key.key, (id, accept.task_id, base + 1 + before));
    }
    Ok(Committed { last_seq, stop_requested: false })
}

fn conversation(id: ConversationId, accept: &Accept) -> Conversation {
    Conversation {
        id,
        workspace_id: accept.workspace_id,
        agent_id: accept.agent_id,
        person: accept.person,
        title: None,
        last_seq: 0,
        epoch: 1,
        forked_from: None,
        forked_seq: None,
        left_writes_behind: false,
        created_at: accept.at,
        updated_at: accept.at,
    }
}

fn committed(row: &mut Row, commit: Commit) -> std::result::Result<Committed, Refused> {
    row.is_at(&commit.guard)?;
    let task = commit.guard.task_id;
    let stop_requested = row.turn.is_some_and(|turn| turn.stop_requested);
    let base = row.conversation.last_seq;
    for new in &commit.approvals {
        let asked = commit.steps.iter().find(
            |step| matches!(&step.step, Step::ApprovalAsked { approval_id, .. } if *approval_id == new.id),
        );
        row.approvals.push((new.id, task, asked.expect("the step that asks").clone()));
    }
    row.append(commit.steps, commit.at);
    row.append(commit.next_call.into_iter().filter(|_| !stop_requested).collect(), commit.at);
    row.write(base, commit.messages);
    row.resolve(&commit.resolved);
    row.changes.extend(commit.changes.into_iter().map(|(_, change)| change));
    row.usage.extend(commit.usage.into_iter().map(|used| (task, used)));
    match (commit.after, &mut row.turn) {
        (After::Running { progressed: true }, Some(turn)) => turn.tries = 0,
        (After::Waiting, Some(turn)) => (turn.tries, turn.owner) = (0, None),
        (After::Ended(_), turn) => *turn = None,
        _ => {}
    }
    Ok(Committed { last_seq: row.conversation.last_seq, stop_requested })
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

    async fn step(&self, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>> {
        self.at_once(|state| state.rows.get(&id)?.steps.iter().find(|step| step.seq == seq).cloned()).await
    }

    async fn turn(&self, id: ConversationId) -> Result<Option<TurnRow>> {
        self.at_once(|state| state.rows.get(&id)?.turn).await
    }

    async fn last_seqs(&self, ids: Vec<ConversationId>) -> Result<Vec<(ConversationId, i64)>> {
        self.at_once(|state| {
            let rows = ids.iter().filter_map(|id| state.rows.get(id));
            rows.map(|row| (row.conversation.id, row.conversation.last_seq)).collect()
        })
        .await
    }
}

#[async_trait]
impl Approvals for MemoryStore {
    async fn approvals(&self, _query: ApprovalQuery) -> Result<Vec<Approval>> {
        Err(Error::Unavailable)
    }

    async fn approval(&self, _id: ApprovalId, _person: Person) -> Result<Approval> {
        Err(Error::Unavailable)
    }

    async fn decide(&self, decide: Decide) -> std::result::Result<Decided, Refused> {
        self.answered(|state| {
            let found = state.rows.values_mut().find_map(|row| {
                let at = row.approvals.iter().position(|(id, ..)| *id == decide.approval_id)?;
                Some((row, at))
            });
            let Some((row, at)) = found else { return Err(Refused::TooLate) };
            decided(row, at, decide)
        })
        .await?
    }

    async fn overdue_approvals(&self, _now: DateTime<Utc>) -> Result<Vec<ApprovalId>> {
        Ok(Vec::new())
    }

    async fn token_of_task(&self, _task: TaskId) -> Result<Option<TokenId>> {
        Ok(None)
    }
}

fn decided(row: &mut Row, at: usize, decide: Decide) -> std::result::Result<Decided, Refused> {
    let (_, task, asked) = row.approvals[at].clone();
    let Some(turn) = row.turn.as_mut().filter(|turn| turn.task_id == task) else {
        return Err(Refused::TooLate);
    };
    let Step::ApprovalAsked { call_id, .. } = &asked.step else { return Err(Refused::TooLate) };
    let resumes = turn.owner.is_none();
    if resumes {
        turn.owner = Some(decide.node);
        turn.attempt += 1;
    }
    let step = Step::ApprovalResolved {
        approval_id: decide.approval_id,
        call_id: call_id.clone(),
        decision: decide.decision,
        by: decide.by,
        reason: decide.reason,
        remember: decide.remember,
        args: decide.args.filter(|_| decide.decision == Decision::Approved),
    };
    row.append(vec![NewStep { step, ..asked.clone() }], decide.at);
    row.approvals.remove(at);
    let step = row.steps.last().expect("a step").clone();
    if let (Some(event), Some(message)) = (render(&step), asked.message_id.and_then(|id| row.spoken(id))) {
        message.apply(&event);
    }
    Ok(Decided { conversation_id: row.conversation.id, step, resumes })
}

impl Store for MemoryStore {
    fn generation(&self) -> Option<u64> {
        None
    }
}
