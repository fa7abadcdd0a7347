//! Commits made up from a conversation as it is. Some are correct, some are wrong in one way, some in several.

use std::time::{Duration as StdDuration, Instant};

use baton_core::access::Use;
use baton_core::agents::PermissionMode;
use baton_core::approvals::{Decision, NewApproval};
use baton_core::effects::{CallPlace, Effect, Shown};
use baton_core::handoffs::{ActivationStatus, NewActivation, NewHandoff, NewTask, Trigger, active};
use baton_core::ids::*;
use baton_core::log::{NewStep, Step, TurnStatus};
use baton_core::memories::{MemoryChange, MemoryWrite, Scope};
use baton_core::subtasks::NewSubtask;
use baton_core::tape::Tape;
use baton_core::turns::*;
use baton_core::visitors::Person;
use chrono::{DateTime, Duration, Utc};
use fastrand::Rng;
use serde_json::{Map, json};

use super::memory_rows::Row;
use super::memory_store::MemoryStore;
use crate::clock::now;

#[derive(Debug, Clone)]
pub enum Op {
    Commit(Box<Commit>),
    Checkpoint(Checkpoint),
    Stop(ConversationId, DateTime<Utc>),
    Claim {
        node: NodeId,
        alive: Vec<NodeId>,
        dead: Vec<NodeId>,
    },
    ClaimAgain(NodeId, Claimed),
    Decide(Decide),
    Write(Effect, MemoryWrite),
    /// Something that is kept between requests changes.
    Change,
}

impl Op {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Commit(commit) => match &commit.guard {
                Guard::Accept(_) => "accept",
                Guard::Switch(_) => "switch",
                Guard::Turn { .. } if commit.handoff.is_some() => "handoff",
                Guard::Turn { .. } if commit.subtask.is_some() => "subtask",
                Guard::Turn { .. } => "commit",
            },
            Self::Checkpoint(_) => "checkpoint",
            Self::Stop(..) => "stop",
            Self::Claim { .. } => "claim",
            Self::ClaimAgain(..) => "claim again",
            Self::Decide(_) => "decide",
            Self::Write(..) => "write",
            Self::Change => "change",
        }
    }
}

impl Op {
    /// The conversation it speaks of, if it is one.
    pub fn conversation(&self) -> Option<ConversationId> {
        match self {
            Self::Commit(commit) => Some(commit.conversation_id),
            Self::Checkpoint(checkpoint) => Some(checkpoint.conversation_id),
            Self::Stop(id, _) => Some(*id),
            Self::ClaimAgain(_, claimed) => Some(claimed.conversation_id),
            Self::Write(effect, _) => Some(effect.call.conversation_id),
            Self::Claim { .. } | Self::Decide(_) | Self::Change => None,
        }
    }

    /// The same for a store that had seen this many changes when the scene began: those of a commit are counted from there.
    pub fn counted_from(mut self, changes: u64) -> Self {
        if let Self::Commit(commit) = &mut self {
            commit.known = commit.known.map(|known| changes + known);
        }
        self
    }
}

/// Who takes part.
pub struct Scene {
    pub dice: Rng,
    pub workspace: WorkspaceId,
    pub profile: ProfileId,
    pub agents: Vec<AgentId>,
    pub nodes: [NodeId; 2],
    /// Whether other nodes can be alive.
    pub shares: bool,
    /// How many changes there were since it began.
    pub changes: u64,
}

impl Scene {
    pub fn any(&mut self, store: &MemoryStore) -> Op {
        let mut op = self.any_read_anew(store);
        if let Op::Commit(commit) = &mut op
            && self.dice.bool()
        {
            commit.known = Some(self.changes.saturating_sub(u64::from(self.rarely())));
        }
        op
    }

    /// None of its commits names the number of changes at which it was made.
    fn any_read_anew(&mut self, store: &MemoryStore) -> Op {
        let ids = store.conversations();
        let Some(id) = self.dice.choice(&ids).copied() else { return self.begin() };
        let row = store.row(id);
        match self.dice.u8(..46) {
            0..=2 if ids.len() < 6 => self.begin(),
            0..=8 => self.accept(&row),
            9..=21 => self.commit(&row),
            22..=27 => self.switch(&row),
            28 => {
                let (conversation_id, fence) = (self.conversation(&row), self.fence(&row));
                let last_seq = self.about(row.conversation.last_seq);
                Op::Checkpoint(Checkpoint { conversation_id, fence, last_seq, tape: Tape::default() })
            }
            29 | 30 => Op::Stop(if self.rarely() { ConversationId::new() } else { id }, now()),
            31..=33 => self.claim(),
            34 => self.claim_again(&row),
            35..=38 => self.write(&row),
            39 | 40 => Op::Change,
            _ => self.decide(&row),
        }
    }

    fn rarely(&mut self) -> bool {
        self.dice.u8(..9) == 0
    }

    /// The number as it is, or one beside it.
    fn about(&mut self, number: i64) -> i64 {
        match self.dice.u8(..14) {
            0 => number - 1,
            1 => number + 1,
            _ => number,
        }
    }

    fn node(&mut self) -> NodeId {
        self.nodes[self.dice.usize(..2)]
    }

    fn agent(&mut self) -> AgentId {
        if self.rarely() { AgentId::new() } else { self.agents[self.dice.usize(..self.agents.len())] }
    }

    fn step(&self, task: TaskId, step: Step) -> NewStep {
        NewStep { task_id: Some(task), agent_id: self.agents[0], message_id: None, step }
    }

    fn conversation(&mut self, row: &Row) -> ConversationId {
        if self.rarely() { ConversationId::new() } else { row.conversation.id }
    }

    fn begin(&mut self) -> Op {
        let new = NewConversation { activation_id: ActivationId::new(), team_id: None };
        let mut commit = self.accepting(ConversationId::new(), 0, None);
        if let Guard::Accept(accept) = &mut commit.guard {
            accept.begins = Some(new);
        }
        Op::Commit(Box::new(commit))
    }

    fn accept(&mut self, row: &Row) -> Op {
        let waiting = row.turn.filter(|turn| turn.owner.is_none());
        let ends = if self.rarely() { row.turn } else { waiting };
        let (id, last_seq) = (self.conversation(row), self.about(row.conversation.last_seq));
        let mut commit = self.accepting(id, last_seq, ends.map(|turn| turn.task_id));
        // Who holds the conversation only changes with a step.
        let hands = !commit.steps.is_empty() && self.dice.u8(..3) == 0;
        commit.handoff = hands.then(|| self.handoff(row, Trigger::Fallback));
        if let (true, Guard::Accept(accept)) = (self.rarely(), &mut commit.guard) {
            (accept.person, accept.key) = (Person::Profile(ProfileId::new()), None);
        }
        Op::Commit(Box::new(commit))
    }

    fn accepting(&mut self, id: ConversationId, last_seq: i64, ends: Option<TaskId>) -> Commit {
        let task_id = TaskId::new();
        let said =
            Step::User { content: "Go".into(), attachments: vec![], web_search: false, synthetic: false };
        let key = (self.dice.u8(..4) == 0)
            .then(|| RequestKey { key: self.dice.u8(..6).to_string(), body_hash: vec![self.dice.u8(..2)] });
        let accept = Accept {
            begins: None,
            ends,
            title: None,
            person: Person::Profile(self.profile),
            agent_id: self.agents[0],
            node: self.node(),
            task_id,
            token_id: None,
            key,
            input: json!({}),
            context: Map::new(),
        };
        let guard = Guard::Accept(Box::new(accept));
        // A stage that is tried again begins without a step.
        let said = (!self.rarely()).then(|| self.step(task_id, said));
        Commit {
            steps: said.into_iter().collect(),
            ..Commit::new((id, self.workspace), last_seq, guard, now())
        }
    }

    fn fence(&mut self, row: &Row) -> Fence {
        let now = row.turn.map(|turn| turn.task_id).or(row.tasks.last().map(|(task, _)| *task));
        let task_id = now.filter(|_| !self.rarely()).unwrap_or_else(TaskId::new);
        let attempt = self.about(i64::from(row.turn.map_or(1, |turn| turn.attempt)));
        Fence { task_id, attempt: i32::try_from(attempt).expect("a small number") }
    }

    fn handoff(&mut self, row: &Row, trigger: Trigger) -> NewHandoff {
        let holds = active(&row.activations).expect("one holds it").id;
        NewHandoff {
            epoch: self.about(row.conversation.epoch),
            ends: if self.rarely() { ActivationId::new() } else { holds },
            ends_as: ActivationStatus::Paused,
            begins: NewActivation::of(self.agent(), trigger),
            access: Some(trigger.needs()).filter(|how| *how != Use::Begin),
            task: None,
        }
    }

    fn commit(&mut self, row: &Row) -> Op {
        let fence = self.fence(row);
        let working = row.tasks.last().expect("a task").0;
        let mut after = match self.dice.u8(..8) {
            0 => After::Waiting,
            1 | 2 => After::Ended(TurnStatus::Completed),
            _ => After::Running { progressed: self.dice.bool() },
        };
        let call = Step::Call { attempt: 1, start: None, lost: None };
        let mut steps = vec![self.step(fence.task_id, call.clone())];
        let (mut handoff, mut subtask, mut approvals) = (None, None, vec![]);
        match self.dice.u8(..10) {
            0..=3 => {
                let mut hands = self.handoff(row, Trigger::Model);
                hands.task = self.dice.bool().then(|| NewTask {
                    id: TaskId::new(),
                    parent_id: working,
                    agent_id: hands.begins.agent_id,
                    input: json!({}),
                    context: Map::new(),
                });
                (handoff, after) = (Some(hands), After::Running { progressed: true });
            }
            4 | 5 => {
                (subtask, after) = (Some(self.subtask(row, working)), After::Running { progressed: true })
            }
            6 | 7 => {
                let new = self.approval();
                let asks = Step::ApprovalAsked {
                    approval_id: new.id,
                    call_id: new.call_id.clone(),
                    tool_name: new.tool_name.clone(),
                    args: new.args.clone(),
                    expires_at: new.expires_at,
                    preview: new.preview.clone(),
                };
                steps.push(self.step(fence.task_id, asks));
                approvals.push(new);
                after = After::Waiting;
            }
            _ => {}
        }
        let (id, last_seq) = (self.conversation(row), self.about(row.conversation.last_seq));
        Op::Commit(Box::new(Commit {
            next_call: self.dice.bool().then(|| self.step(fence.task_id, call)),
            steps,
            approvals,
            handoff,
            subtask,
            ..Commit::new((id, self.workspace), last_seq, Guard::Turn { fence, working, after }, now())
        }))
    }

    fn subtask(&mut self, row: &Row, parent_task_id: TaskId) -> NewSubtask {
        NewSubtask {
            id: ConversationId::new(),
            activation_id: ActivationId::new(),
            task_id: TaskId::new(),
            parent_task_id,
            agent_id: self.agent(),
            agent_name: "Ana".into(),
            node: self.node(),
            depth: row.conversation.subtask.map_or(0, |own| own.depth) + 1,
            mode: PermissionMode::Default,
            message_id: MessageId::new(),
            message: "Look".into(),
            asked_by: "Ana".into(),
        }
    }

    fn approval(&mut self) -> NewApproval {
        NewApproval {
            id: ApprovalId::new(),
            agent_id: self.agents[0],
            message_id: MessageId::new(),
            call_id: "call".into(),
            tool_name: "send".into(),
            args: Map::new(),
            expires_at: now() + Duration::hours(if self.rarely() { -1 } else { 24 }),
            preview: None,
        }
    }

    fn switch(&mut self, row: &Row) -> Op {
        let handoff = self.handoff(row, Trigger::User);
        let (epoch, activation_id) = (handoff.epoch, handoff.ends);
        let is_pin = self.dice.u8(..4) == 0;
        let pin = is_pin.then(|| Pin { epoch, activation_id, is_pinned: self.dice.bool() });
        let waiting = row.turn.filter(|turn| turn.owner.is_none());
        let ends = if self.rarely() { row.turn } else { waiting }.map(|turn| turn.task_id);
        let said = Step::Error { code: "none".into(), message: "none".into(), recoverable: true };
        let (id, last_seq) = (self.conversation(row), self.about(row.conversation.last_seq));
        Op::Commit(Box::new(Commit {
            steps: vec![NewStep { task_id: None, agent_id: self.agents[0], message_id: None, step: said }],
            handoff: Some(handoff).filter(|_| !is_pin),
            ..Commit::new((id, self.workspace), last_seq, Guard::Switch(Switch { ends, pin }), now())
        }))
    }

    fn write(&mut self, row: &Row) -> Op {
        let call = CallPlace {
            conversation_id: self.conversation(row),
            seq: self.about(row.conversation.last_seq),
            fence: self.fence(row),
        };
        let args_hash = if self.rarely() { "others" } else { "these" }.to_owned();
        let deadline = Instant::now() + StdDuration::from_secs(if self.rarely() { 0 } else { 60 });
        let path = if self.dice.bool() { "one" } else { "other" }.to_owned();
        let write = MemoryWrite {
            workspace_id: self.workspace,
            agent_id: self.agents[0],
            person: self.profile,
            scope: if self.dice.bool() { Scope::Own } else { Scope::Agent },
            change: match self.dice.u8(..3) {
                0 => MemoryChange::Delete { path },
                _ => MemoryChange::Save { path: Some(path), content: "note".into() },
            },
        };
        Op::Write(Effect { call, args_hash, deadline, shown: Shown::default() }, write)
    }

    fn claim(&mut self) -> Op {
        let node = self.node();
        let lives = |dice: &mut Rng, other: &NodeId| *other == node || (self.shares && dice.bool());
        let mut dice = self.dice.fork();
        let (alive, dead) = self.nodes.iter().partition(|other| lives(&mut dice, other));
        Op::Claim { node, alive, dead }
    }

    fn claim_again(&mut self, row: &Row) -> Op {
        let task_id = row.turn.map_or_else(TaskId::new, |turn| turn.task_id);
        Op::ClaimAgain(self.node(), Claimed { conversation_id: row.conversation.id, task_id })
    }

    fn decide(&mut self, row: &Row) -> Op {
        let asked = self.dice.choice(&row.asked);
        let args_hash = asked.map(|asked| asked.args_hash.clone());
        let approval_id =
            asked.map(|asked| asked.id).filter(|_| !self.rarely()).unwrap_or_else(ApprovalId::new);
        let decisions = [Decision::Approved, Decision::Rejected, Decision::Expired];
        let decision = *self.dice.choice(&decisions).expect("a decision");
        let node = self.node();
        Op::Decide(Decide {
            approval_id,
            decision,
            by: "Eva".into(),
            reason: None,
            args: None,
            args_hash,
            remember: false,
            node,
            at: now(),
        })
    }
}
