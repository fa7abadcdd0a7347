//! The rows of the store in memory, and what a commit does to them: the same rules that the databases apply.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use baton_core::access::{Gate, Use, Viewer};
use baton_core::agents::Agent;
use baton_core::allow_rules::AllowRule;
use baton_core::approvals::{Approval, ApprovalStatus, NewApproval, arguments_hash, decided_hash};
use baton_core::conversations::Conversation;
use baton_core::effects::{CallPlace, Effect, EffectRefused};
use baton_core::fold::Spoken;
use baton_core::handoffs::{
    Activation, ActivationStatus, NewActivation, NewHandoff, NewTransition, TransitionOutcome, Trigger,
    active,
};
use baton_core::ids::*;
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::memories::{MemoryChange, MemoryWrite, full_path, nothing_at};
use baton_core::people::Tier;
use baton_core::refusals::{GuardedRow, Target, check_commit, check_decision, check_target};
use baton_core::spending::UsageRow;
use baton_core::store::{Error, Written};
use baton_core::subtasks::{NewSubtask, Subtask};
use baton_core::tape::Tape;
use baton_core::teams::Team;
use baton_core::turns::*;
use chrono::{DateTime, Utc};
use serde_json::Value;

pub struct State {
    pub agents: HashMap<AgentId, Agent>,
    pub rows: HashMap<ConversationId, Row>,
    pub alive: HashSet<NodeId>,
    pub team: Option<Team>,
    /// Handoffs that were refused before anything was changed.
    pub attempts: Vec<NewTransition>,
    /// For all agents.
    pub allow_rules: Vec<AllowRule>,
    /// Of everyone.
    pub tier: Tier,
    /// Grows whenever an agent, the team or the tier changes.
    pub generation: u64,
    keys: HashMap<String, KeptRequest>,
    /// Memories, by agent and path.
    memories: HashSet<(AgentId, String)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            agents: HashMap::new(),
            rows: HashMap::new(),
            alive: HashSet::new(),
            team: None,
            attempts: Vec::new(),
            allow_rules: Vec::new(),
            tier: Tier::Premium,
            generation: 0,
            keys: HashMap::new(),
            memories: HashSet::new(),
        }
    }
}

impl State {
    pub fn request(&self, key: &str) -> Option<KeptRequest> {
        self.keys.get(key).cloned()
    }

    /// The target as it is, and the person.
    fn check_open(&self, target: AgentId, how: Use) -> Result<(), Refused> {
        let hired = self.agents.get(&target).filter(|agent| agent.is_active);
        let viewer = Viewer::Profile(self.tier);
        check_target(hired.map(|agent| Target { viewer, gate: Gate::from(&agent.definition) }), how)
    }

    fn check_handoff(&self, row: &Row, handoff: Option<&NewHandoff>) -> Result<(), Refused> {
        let Some(handoff) = handoff else { return Ok(()) };
        if active(&row.activations).map(|active| active.id) != Some(handoff.ends) {
            return Err(Refused::StaleEpoch);
        }
        handoff.access.map_or(Ok(()), |how| self.check_open(handoff.begins.agent_id, how))
    }
}

/// A conversation, its log and its projections.
#[derive(Clone)]
pub struct Row {
    pub conversation: Conversation,
    pub turn: Option<TurnRow>,
    pub steps: Vec<LoggedStep>,
    pub messages: Vec<(i64, StoredMessage)>,
    /// What calls of Baton's own tools did, by the numbers of their steps: the hash of the arguments, and the outcome.
    pub effects: BTreeMap<i64, (String, Value)>,
    /// The paths of memories that were written by them, once for each time.
    pub memories: Vec<String>,
    pub usage: Vec<(TaskId, UsageRow)>,
    /// Those a person can decide on, with their task.
    pub approvals: Vec<(ApprovalId, TaskId, NewStep)>,
    /// All that were ever asked, as they stand.
    pub asked: Vec<Approval>,
    pub tape: Option<(i64, Tape)>,
    pub activations: Vec<Activation>,
    /// Tasks, and whether they still work.
    pub tasks: Vec<(TaskId, bool)>,
    pub transitions: Vec<NewTransition>,
    pub snapshots: Vec<(String, Value)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StoredMessage {
    User { id: MessageId, content: String },
    Spoken(Spoken),
}

impl Row {
    /// The hash of the arguments that are shown to who decides.
    pub fn shown(&self, approval: ApprovalId) -> Option<String> {
        let (_, _, asked) = self.approvals.iter().find(|(id, ..)| *id == approval)?;
        match &asked.step {
            Step::ApprovalAsked { tool_name, args, .. } => Some(arguments_hash(tool_name, args)),
            _ => None,
        }
    }

    pub fn new(conversation: Conversation) -> Self {
        Self {
            conversation,
            turn: None,
            steps: Vec::new(),
            messages: Vec::new(),
            effects: BTreeMap::new(),
            memories: Vec::new(),
            usage: Vec::new(),
            approvals: Vec::new(),
            asked: Vec::new(),
            tape: None,
            activations: Vec::new(),
            tasks: Vec::new(),
            transitions: Vec::new(),
            snapshots: Vec::new(),
        }
    }

    pub fn guarded(&self) -> GuardedRow {
        GuardedRow {
            person: self.conversation.person,
            turn_task_id: self.turn.map(|turn| turn.task_id),
            turn_owner: self.turn.and_then(|turn| turn.owner),
            attempt: self.turn.map_or(0, |turn| turn.attempt),
            last_seq: self.conversation.last_seq,
            epoch: self.conversation.epoch,
            stop_requested: self.turn.is_some_and(|turn| turn.stop_requested),
        }
    }

    /// What a commit writes, once nothing refuses it.
    fn committed(&mut self, commit: Commit) -> Committed {
        let (base, ends) = (self.conversation.last_seq, commit.ends());
        if ends.is_some() {
            self.turn = None;
            self.tasks.iter_mut().for_each(|task| task.1 = false);
        }
        let stop_requested = self.turn.is_some_and(|turn| turn.stop_requested);
        if let Some(handoff) = commit.handoff {
            self.hand_off(base, handoff, commit.at);
        }
        self.transitions.extend(commit.transitions);
        for taken_back in self.transitions.iter_mut().filter(|one| Some(one.id) == commit.rolled_back) {
            taken_back.outcome = TransitionOutcome::RolledBack;
        }
        self.snapshots.extend(commit.snapshot.map(|snapshot| (snapshot.stage, snapshot.data)));
        for new in &commit.approvals {
            let is_it = |step: &&NewStep| matches!(&step.step, Step::ApprovalAsked { approval_id, .. } if *approval_id == new.id);
            let asked = commit.steps.iter().find(is_it).expect("the step that asks").clone();
            self.ask(new, asked, commit.at);
        }
        self.append(commit.steps, commit.at);
        self.append(commit.next_call.into_iter().filter(|_| !stop_requested).collect(), commit.at);
        // What the next call would have begun isn't, if nothing was called.
        let last = self.conversation.last_seq;
        let begun = |write: &MessageWrite| !matches!(write, MessageWrite::Begin { step, .. } if base + 1 + *step as i64 > last);
        self.write(base, commit.messages.into_iter().filter(begun).collect());
        self.resolve(&commit.resolved, commit.at);
        let root = match &commit.guard {
            Guard::Accept(accept) => Some(accept.task_id),
            Guard::Turn { fence, .. } => Some(fence.task_id),
            Guard::Switch(_) => None,
        };
        for used in commit.usage.into_iter().filter(|used| used.call.seq() <= last) {
            self.count(root.expect("a turn that calls"), used);
        }
        match commit.guard {
            Guard::Accept(accept) => {
                self.tasks.push((accept.task_id, true));
                let (task_id, owner) = (accept.task_id, Some(accept.node));
                self.turn = Some(TurnRow { task_id, owner, attempt: 1, tries: 0, stop_requested: false });
            }
            Guard::Turn { working, after, .. } => {
                if let After::Ended(_) = after {
                    self.end_task(working);
                }
                match (after, &mut self.turn) {
                    (After::Running { progressed: true }, Some(turn)) => turn.tries = 0,
                    (After::Waiting, Some(turn)) => (turn.tries, turn.owner) = (0, None),
                    (After::Ended(_), turn) => *turn = None,
                    _ => {}
                }
            }
            Guard::Switch(Switch { pin, .. }) => {
                let held = self.activations.iter_mut().rfind(|one| one.status == ActivationStatus::Active);
                if let (Some(held), Some(pin)) = (held, pin) {
                    held.is_pinned = pin.is_pinned;
                }
            }
        }
        let stop_requested = self.turn.is_some_and(|turn| turn.stop_requested);
        Committed { last_seq: self.conversation.last_seq, stop_requested }
    }

    fn count(&mut self, root: TaskId, used: UsageRow) {
        match self.usage.iter_mut().find(|(_, row)| row.call == used.call) {
            Some((_, row)) => *row = used,
            None => self.usage.push((root, used)),
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

    /// Who holds the conversation changes.
    fn hand_off(&mut self, base: i64, handoff: NewHandoff, at: DateTime<Utc>) {
        let active = |one: &&mut Activation| one.status == ActivationStatus::Active;
        let held: Vec<_> = self.activations.iter_mut().filter(active).collect();
        assert_eq!(held.len(), 1, "exactly one is active");
        for one in held {
            assert_eq!(one.id, handoff.ends, "who ends is who holds it");
            (one.status, one.ended_at) = (handoff.ends_as, Some(at));
        }
        self.activations.push(handoff.begins.begun(base, at));
        self.conversation.epoch += 1;
        if let Some(task) = handoff.task {
            self.end_task(task.parent_id);
            self.tasks.push((task.id, true));
        }
    }

    fn end_task(&mut self, id: TaskId) {
        let task = self.tasks.iter_mut().find(|(task, _)| *task == id).expect("a task");
        task.1 = false;
    }

    fn ask(&mut self, new: &NewApproval, asked: NewStep, at: DateTime<Utc>) {
        let task = asked.task_id.expect("a turn that asks");
        self.approvals.push((new.id, task, asked));
        self.asked.push(Approval {
            id: new.id,
            workspace_id: self.conversation.workspace_id,
            conversation_id: self.conversation.id,
            task_id: task,
            agent_id: new.agent_id,
            call_id: new.call_id.clone(),
            tool_name: new.tool_name.clone(),
            args: new.args.clone(),
            args_hash: arguments_hash(&new.tool_name, &new.args),
            status: ApprovalStatus::Pending,
            reason: None,
            decided_by: None,
            decided_at: None,
            expires_at: new.expires_at,
            preview: new.preview.clone(),
            created_at: at,
        });
    }

    fn resolve(&mut self, resolved: &[ResolvedApproval], at: DateTime<Utc>) {
        for one in resolved {
            self.approvals.retain(|(id, ..)| *id != one.id);
            let pending =
                |asked: &&mut Approval| asked.id == one.id && asked.status == ApprovalStatus::Pending;
            for asked in self.asked.iter_mut().filter(pending) {
                asked.status = one.decision.into();
                (asked.decided_by, asked.decided_at) = (Some(one.by.clone()), Some(at));
            }
        }
    }
}

/// A commit, with the conversation that it begins and those that it stops.
pub fn committed(state: &mut State, commit: Commit) -> Result<Committed, Refused> {
    let (id, at, begins) = (commit.conversation_id, commit.at, commit.first_activation());
    if let Guard::Accept(accept) = &commit.guard {
        check_key(state, accept)?;
    }
    if commit.known.is_some_and(|known| known != state.generation) {
        return Err(Refused::Stale);
    }
    if let Guard::Accept(accept) = &commit.guard {
        if let (Some(first), false) = (begins.clone(), state.rows.contains_key(&id)) {
            let row = Row { activations: vec![first], ..Row::new(conversation(&commit, accept)) };
            state.rows.insert(id, row);
        } else if begins.is_some() {
            return Err(Error::Database("this conversation is there already".into()).into());
        }
    }
    let row = state.rows.get(&id);
    check_commit(row.map(Row::guarded), &commit.terms())?;
    let row = row.ok_or(Error::NotFound("conversation"))?;
    state.check_handoff(row, commit.handoff.as_ref())?;
    let asks = commit.subtask.as_ref().map(|new| new.agent_id);
    asks.map_or(Ok(()), |target| state.check_open(target, Use::ModelSwitch))?;
    if let Some(pin) = commit.pin()
        && active(&row.activations).is_none_or(|held| held.id != pin.activation_id)
    {
        return Err(Refused::StaleEpoch);
    }
    let begun = commit.subtask.as_ref().map(|new| subtask(row, new, at));
    let stops = commit.stops.clone();
    keep_key(state, &commit);
    let row = state.rows.get_mut(&id).ok_or(Error::NotFound("conversation"))?;
    let committed = row.committed(commit);
    if let Some(begun) = begun {
        assert!(state.rows.insert(begun.conversation.id, begun).is_none(), "a conversation of its own");
    }
    for stopped in stops {
        let asked = state.rows.get_mut(&stopped);
        let own = asked.filter(|row| row.conversation.subtask.is_some_and(|subtask| subtask.parent_id == id));
        let turn = own.and_then(|row| row.turn.as_mut());
        turn.into_iter().for_each(|turn| turn.stop_requested = true);
    }
    Ok(committed)
}

fn check_key(state: &State, accept: &Accept) -> Result<(), Refused> {
    let Some(key) = &accept.key else { return Ok(()) };
    match state.request(&key.key) {
        None => Ok(()),
        Some(kept) if kept.body_hash != key.body_hash => Err(Refused::KeyReused),
        Some(KeptRequest { conversation_id, task_id, first_seq, .. }) => {
            Err(Refused::Repeated { conversation_id, task_id, first_seq })
        }
    }
}

fn keep_key(state: &mut State, commit: &Commit) {
    let Guard::Accept(accept) = &commit.guard else { return };
    let Some(RequestKey { key, body_hash }) = accept.key.clone() else { return };
    let before = commit.steps.iter().take_while(|step| step.task_id != Some(accept.task_id)).count() as i64;
    let (conversation_id, task_id) = (commit.conversation_id, accept.task_id);
    let first_seq = commit.last_seq + 1 + before;
    state.keys.insert(key, KeptRequest { body_hash, conversation_id, task_id, first_seq });
}

fn conversation(commit: &Commit, accept: &Accept) -> Conversation {
    Conversation {
        id: commit.conversation_id,
        workspace_id: commit.workspace_id,
        agent_id: accept.agent_id,
        team_id: accept.begins.and_then(|new| new.team_id),
        person: accept.person,
        title: None,
        last_seq: 0,
        epoch: 1,
        forked_from: None,
        forked_seq: None,
        family_id: None,
        left_writes_behind: false,
        subtask: None,
        created_at: commit.at,
        updated_at: commit.at,
    }
}

fn subtask(parent: &Row, new: &NewSubtask, at: DateTime<Utc>) -> Row {
    let conversation = Conversation {
        id: new.id,
        agent_id: new.agent_id,
        team_id: None,
        title: new.title(),
        last_seq: 0,
        epoch: 1,
        forked_from: None,
        forked_seq: None,
        left_writes_behind: false,
        subtask: Some(Subtask { parent_id: parent.conversation.id, depth: new.depth, mode: new.mode }),
        created_at: at,
        updated_at: at,
        ..parent.conversation.clone()
    };
    let turn =
        TurnRow { task_id: new.task_id, owner: Some(new.node), attempt: 1, tries: 0, stop_requested: false };
    let begins = NewActivation { id: new.activation_id, ..NewActivation::of(new.agent_id, Trigger::Model) };
    let mut row = Row {
        turn: Some(turn),
        activations: vec![begins.from_the_start(at)],
        tasks: vec![(new.task_id, true)],
        ..Row::new(conversation)
    };
    row.append(vec![new.step()], at);
    row.write(0, vec![new.message()]);
    row
}

/// Carries out the write of a call, or says what came of it before.
pub fn written(state: &mut State, effect: &Effect, write: &MemoryWrite) -> Written {
    let CallPlace { conversation_id, seq, fence } = effect.call;
    let row = state.rows.get_mut(&conversation_id).ok_or(EffectRefused::Fenced)?;
    if let Some((args_hash, outcome)) = row.effects.get(&seq) {
        let is_same = *args_hash == effect.args_hash;
        return is_same.then(|| outcome.clone()).ok_or(EffectRefused::OtherArguments);
    }
    let is_its_turns = |turn: &TurnRow| {
        turn.task_id == fence.task_id && turn.attempt == fence.attempt && !turn.stop_requested
    };
    if !row.turn.as_ref().is_some_and(is_its_turns) || Instant::now() > effect.deadline {
        return Err(EffectRefused::Fenced);
    }
    let (MemoryChange::Save { path: Some(path), .. } | MemoryChange::Delete { path }) = &write.change else {
        panic!("no test lets a path be made up");
    };
    let at = (write.agent_id, full_path(write.scope, path, write.person));
    let was_there = match write.change {
        MemoryChange::Save { .. } => !state.memories.insert(at.clone()),
        MemoryChange::Delete { .. } => state.memories.remove(&at),
    };
    match write.change {
        MemoryChange::Save { .. } => row.memories.push(at.1),
        MemoryChange::Delete { .. } if !was_there => {
            return Err(EffectRefused::NotNow(nothing_at(write.scope, path)));
        }
        MemoryChange::Delete { .. } => {}
    }
    let outcome = write.outcome(path, was_there);
    row.effects.insert(seq, (effect.args_hash.clone(), outcome.clone()));
    Ok(outcome)
}

pub fn decided(state: &mut State, decide: Decide) -> Result<Decided, Refused> {
    let is_it = |asked: &Approval| asked.id == decide.approval_id;
    let row = state.rows.values_mut().find(|row| row.asked.iter().any(is_it));
    let row = row.ok_or(Error::NotFound("approval"))?;
    let approval = row.asked.iter_mut().find(|asked| is_it(asked)).ok_or(Error::NotFound("approval"))?;
    check_decision(approval, row.turn.map(|turn| turn.task_id), &decide)?;
    approval.status = decide.decision.into();
    (approval.decided_by, approval.decided_at) = (Some(decide.by.clone()), Some(decide.at));
    let call_id = approval.call_id.clone();
    let args_hash = decided_hash(&approval.tool_name, decide.args_hash.as_ref(), decide.args.as_ref());
    let at = row.approvals.iter().position(|(id, ..)| *id == decide.approval_id).expect("it is pending");
    let (_, _, asked) = row.approvals.remove(at);
    let turn = row.turn.as_mut().expect("a turn that asked");
    let resumes = turn.owner.is_none();
    if resumes {
        turn.owner = Some(decide.node);
        turn.attempt += 1;
    }
    let step = Step::ApprovalResolved {
        approval_id: decide.approval_id,
        call_id,
        decision: decide.decision,
        by: decide.by,
        reason: decide.reason,
        remember: decide.remember,
        args: decide.args,
        args_hash,
    };
    row.append(vec![NewStep { step, ..asked }], decide.at);
    let step = row.steps.last().expect("a step").clone();
    Ok(Decided { conversation: row.conversation.clone(), step, resumes })
}
