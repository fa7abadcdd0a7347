//! The rows of the store in memory, and what a commit does to them: the same rules as the databases keep.

use std::collections::{HashMap, HashSet};

use baton_core::access::{Gate, Use, Viewer, may_use};
use baton_core::agents::Agent;
use baton_core::approvals::Decision;
use baton_core::conversations::Conversation;
use baton_core::events::render;
use baton_core::fold::Spoken;
use baton_core::handoffs::{Activation, ActivationStatus, Handover, NewTransition, Outcome, Trigger};
use baton_core::ids::*;
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::people::Tier;
use baton_core::subtasks::{NewSubtask, Subtask};
use baton_core::tape::Tape;
use baton_core::teams::Team;
use baton_core::tools::Change;
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
    /// Of everyone.
    pub tier: Tier,
    keys: HashMap<String, (ConversationId, TaskId, i64)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            agents: HashMap::new(),
            rows: HashMap::new(),
            alive: HashSet::new(),
            team: None,
            attempts: Vec::new(),
            tier: Tier::Premium,
            keys: HashMap::new(),
        }
    }
}

impl State {
    pub fn request(&self, key: &str) -> Option<KeptRequest> {
        let (conversation_id, task_id, first_seq) = *self.keys.get(key)?;
        Some(KeptRequest { body_hash: Vec::new(), conversation_id, task_id, first_seq })
    }
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
    fn new(conversation: Conversation) -> Self {
        Self {
            conversation,
            turn: None,
            steps: Vec::new(),
            messages: Vec::new(),
            changes: Vec::new(),
            usage: Vec::new(),
            approvals: Vec::new(),
            tape: None,
            activations: Vec::new(),
            tasks: Vec::new(),
            transitions: Vec::new(),
            snapshots: Vec::new(),
        }
    }

    pub fn is_at(&self, guard: &Guard) -> Result<(), Refused> {
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

    /// Who holds the conversation changes, if it may.
    fn hand_over(&mut self, base: i64, handover: Handover, at: DateTime<Utc>) -> Result<(), Refused> {
        if self.conversation.epoch != handover.epoch {
            return Err(Refused::StaleEpoch);
        }
        let active = |one: &&mut Activation| one.status == ActivationStatus::Active;
        let held: Vec<_> = self.activations.iter_mut().filter(active).collect();
        assert_eq!(held.len(), 1, "exactly one is active");
        for one in held {
            assert_eq!(one.id, handover.ends, "who ends is who holds it");
            (one.status, one.ended_at) = (handover.ends_as, Some(at));
        }
        self.activations.push(handover.begins.begun(base, at));
        self.conversation.epoch += 1;
        if let Some(task) = handover.task {
            self.end_task(task.parent_id);
            self.tasks.push((task.id, true));
        }
        Ok(())
    }

    fn end_task(&mut self, id: TaskId) {
        let task = self.tasks.iter_mut().find(|(task, _)| *task == id).expect("a task");
        task.1 = false;
    }

    fn resolve(&mut self, resolved: &[ResolvedApproval]) {
        self.approvals.retain(|(id, ..)| !resolved.iter().any(|one| one.id == *id));
    }
}

pub fn accepted(state: &mut State, accept: Accept) -> Result<Committed, Refused> {
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
        activations: Vec::from_iter(accept.first_activation()),
        ..Row::new(conversation(id, &accept))
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
    if let Some(handover) = accept.handover.clone() {
        row.hand_over(base, handover, accept.at)?;
    }
    if let Some(ends) = ends {
        row.tasks
            .iter_mut()
            .filter(|_| row.turn.is_some_and(|turn| turn.task_id == ends))
            .for_each(|task| task.1 = false);
    }
    row.tasks.push((accept.task_id, true));
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
        team_id: match accept.place {
            Place::New { team_id, .. } => team_id,
            Place::Existing { .. } => None,
        },
        person: accept.person,
        title: None,
        last_seq: 0,
        epoch: 1,
        forked_from: None,
        forked_seq: None,
        family_id: None,
        left_writes_behind: false,
        subtask: None,
        created_at: accept.at,
        updated_at: accept.at,
    }
}

/// A commit with the conversation that it begins and those that it stops.
pub fn committed_in(state: &mut State, commit: Commit) -> Result<Committed, Refused> {
    let id = commit.guard.conversation_id;
    let (stops, at) = (commit.stops.clone(), commit.at);
    let row = state.rows.get_mut(&id).ok_or(Refused::Fenced)?;
    let begun = match &commit.subtask {
        None => None,
        Some(new) => {
            row.is_at(&commit.guard)?;
            if row.turn.is_some_and(|turn| turn.stop_requested) {
                return Err(Refused::Stopped);
            }
            let target = state.agents.get(&new.agent_id).filter(|agent| agent.is_active);
            let target = target.ok_or(Refused::TargetGone)?;
            let (viewer, gate) = (Viewer::Profile(state.tier), Gate::from(&target.definition));
            may_use(viewer, gate, Use::ModelSwitch).map_err(Refused::NotAllowed)?;
            Some(subtask(row, new, at))
        }
    };
    let committed = committed(row, commit)?;
    if let Some(begun) = begun {
        assert!(state.rows.insert(begun.conversation.id, begun).is_none(), "a conversation of its own");
    }
    for id in stops {
        let turn = state.rows.get_mut(&id).and_then(|row| row.turn.as_mut());
        turn.into_iter().for_each(|turn| turn.stop_requested = true);
    }
    Ok(committed)
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
    let begins = Activation {
        id: new.activation_id,
        agent_id: new.agent_id,
        status: ActivationStatus::Active,
        trigger: Trigger::Model,
        reason: None,
        summary: None,
        message_id: None,
        context: Default::default(),
        context_data: Default::default(),
        resumes: None,
        is_pinned: false,
        began_seq: 0,
        began_at: at,
        ended_at: None,
    };
    let mut row = Row {
        turn: Some(turn),
        activations: vec![begins],
        tasks: vec![(new.task_id, true)],
        ..Row::new(conversation)
    };
    row.append(vec![new.step()], at);
    row.write(0, vec![new.message()]);
    row
}

fn committed(row: &mut Row, commit: Commit) -> Result<Committed, Refused> {
    row.is_at(&commit.guard)?;
    let task = commit.guard.task_id;
    let stop_requested = row.turn.is_some_and(|turn| turn.stop_requested);
    let base = row.conversation.last_seq;
    if let Some(handover) = commit.handover.clone() {
        if stop_requested {
            return Err(Refused::Stopped);
        }
        row.hand_over(base, handover, commit.at)?;
    }
    row.transitions.extend(commit.transitions);
    for taken_back in row.transitions.iter_mut().filter(|one| Some(one.id) == commit.rolled_back) {
        taken_back.outcome = Outcome::RolledBack;
    }
    row.snapshots.extend(commit.snapshot.map(|snapshot| (snapshot.stage, snapshot.data)));
    for new in &commit.approvals {
        let asked = commit.steps.iter().find(
            |step| matches!(&step.step, Step::ApprovalAsked { approval_id, .. } if *approval_id == new.id),
        );
        row.approvals.push((new.id, task, asked.expect("the step that asks").clone()));
    }
    row.append(commit.steps, commit.at);
    row.append(commit.next_call.into_iter().filter(|_| !stop_requested).collect(), commit.at);
    // What the next call would have begun isn't, if nothing was called.
    let last = row.conversation.last_seq;
    let begun = |write: &MessageWrite| !matches!(write, MessageWrite::Begin { step, .. } if base + 1 + *step as i64 > last);
    row.write(base, commit.messages.into_iter().filter(begun).collect());
    row.resolve(&commit.resolved);
    row.changes.extend(commit.changes.into_iter().map(|(_, change)| change));
    row.usage.extend(commit.usage.into_iter().map(|used| (task, used)));
    if let After::Ended(_) = commit.after {
        row.end_task(commit.task_id);
    }
    match (commit.after, &mut row.turn) {
        (After::Running { progressed: true }, Some(turn)) => turn.tries = 0,
        (After::Waiting, Some(turn)) => (turn.tries, turn.owner) = (0, None),
        (After::Ended(_), turn) => *turn = None,
        _ => {}
    }
    Ok(Committed { last_seq: row.conversation.last_seq, stop_requested })
}

pub fn decided(row: &mut Row, at: usize, decide: Decide) -> Result<Decided, Refused> {
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
    Ok(Decided { conversation: row.conversation.clone(), step, resumes })
}

pub fn switched(row: &mut Row, switch: Switch) -> Result<Committed, Refused> {
    if row.conversation.epoch != switch.epoch {
        return Err(Refused::StaleEpoch);
    }
    let base = row.conversation.last_seq;
    let ends = switch.ends.map(|turn| turn.task_id);
    let is_there =
        ends.is_none_or(|task| row.turn.is_some_and(|turn| turn.task_id == task && turn.owner.is_none()));
    if base != switch.last_seq || !is_there {
        return Err(Refused::Moved);
    }
    match switch.choice {
        Choice::Agent(handover) => row.hand_over(base, handover, switch.at)?,
        Choice::Pin { activation_id, is_pinned } => {
            let held = row.activations.last_mut().expect("a holder");
            assert_eq!((held.id, held.status), (activation_id, ActivationStatus::Active));
            held.is_pinned = is_pinned;
        }
    }
    if ends.is_some() {
        row.turn = None;
        row.tasks.iter_mut().for_each(|task| task.1 = false);
    }
    row.append(switch.steps, switch.at);
    row.write(base, switch.messages);
    row.resolve(&switch.resolved);
    row.transitions.extend(switch.transition);
    Ok(Committed { last_seq: row.conversation.last_seq, stop_requested: false })
}
