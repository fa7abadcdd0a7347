//! Commits made up from a conversation as it is, and then wrong in some way, or in several, or not at all.

use baton_core::access::Use;
use baton_core::agents::PermissionMode;
use baton_core::approvals::{Decision, NewApproval};
use baton_core::handoffs::{ActivationStatus, Handover, NewActivation, NewTask, Trigger, active};
use baton_core::ids::*;
use baton_core::log::{NewStep, Step, TurnStatus};
use baton_core::subtasks::NewSubtask;
use baton_core::tape::Tape;
use baton_core::turns::*;
use baton_core::visitors::Person;
use chrono::{DateTime, Duration, Utc};
use fastrand::Rng;
use serde_json::{Map, json};

use super::memory_rows::Row;
use super::memory_store::MemoryStore;
use crate::time::now;

#[derive(Debug, Clone)]
pub enum Op {
    Accept(Box<Accept>),
    Commit(Box<Commit>),
    Switch(Box<Switch>),
    Checkpoint(Checkpoint),
    Stop(ConversationId, DateTime<Utc>),
    Claim { node: NodeId, alive: Vec<NodeId>, dead: Vec<NodeId> },
    ClaimAgain(NodeId, Claimed),
    Decide(Decide),
}

impl Op {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Accept(_) => "accept",
            Self::Commit(commit) if commit.handover.is_some() => "handoff",
            Self::Commit(commit) if commit.subtask.is_some() => "subtask",
            Self::Commit(_) => "commit",
            Self::Switch(_) => "switch",
            Self::Checkpoint(_) => "checkpoint",
            Self::Stop(..) => "stop",
            Self::Claim { .. } => "claim",
            Self::ClaimAgain(..) => "claim again",
            Self::Decide(_) => "decide",
        }
    }
}

impl Op {
    /// The conversation it speaks of, if it is one.
    pub fn conversation(&self) -> Option<ConversationId> {
        match self {
            Self::Accept(accept) => Some(accept.place.id()),
            Self::Commit(commit) => Some(commit.guard.conversation_id),
            Self::Switch(switch) => Some(switch.conversation_id),
            Self::Checkpoint(checkpoint) => Some(checkpoint.guard.conversation_id),
            Self::Stop(id, _) => Some(*id),
            Self::ClaimAgain(_, claimed) => Some(claimed.conversation_id),
            Self::Claim { .. } | Self::Decide(_) => None,
        }
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
}

impl Scene {
    pub fn any(&mut self, store: &MemoryStore) -> Op {
        let ids = store.conversations();
        let Some(id) = self.dice.choice(&ids).copied() else { return self.begin() };
        let row = store.row(id);
        match self.dice.u8(..40) {
            0..=2 if ids.len() < 6 => self.begin(),
            0..=8 => self.accept(&row),
            9..=21 => self.commit(&row),
            22..=27 => self.switch(&row),
            28 => {
                let guard = self.guard(&row);
                Op::Checkpoint(Checkpoint { guard, tape: Tape::default() })
            }
            29 | 30 => Op::Stop(if self.rarely() { ConversationId::new() } else { id }, now()),
            31..=33 => self.claim(),
            34 => self.claim_again(&row),
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

    fn begin(&mut self) -> Op {
        let (id, activation_id) = (ConversationId::new(), ActivationId::new());
        self.accepting(Place::New { id, activation_id, team_id: None, title: None }, None)
    }

    fn accept(&mut self, row: &Row) -> Op {
        let waiting = row.turn.filter(|turn| turn.owner.is_none());
        let place = Place::Existing {
            id: if self.rarely() { ConversationId::new() } else { row.conversation.id },
            last_seq: self.about(row.conversation.last_seq),
            ends: if self.rarely() { row.turn } else { waiting },
            title: None,
        };
        let handover = (self.dice.u8(..3) == 0).then(|| self.handover(row, Trigger::Fallback));
        self.accepting(place, handover)
    }

    fn accepting(&mut self, place: Place, handover: Option<Handover>) -> Op {
        let task_id = TaskId::new();
        let said =
            Step::User { content: "Go".into(), attachments: vec![], web_search: false, synthetic: false };
        let key = (self.dice.u8(..4) == 0)
            .then(|| RequestKey { key: self.dice.u8(..6).to_string(), body_hash: vec![self.dice.u8(..2)] });
        let is_another = self.rarely() && matches!(place, Place::Existing { .. });
        let profile = if is_another { ProfileId::new() } else { self.profile };
        Op::Accept(Box::new(Accept {
            place,
            workspace_id: self.workspace,
            person: Person::Profile(profile),
            agent_id: self.agents[0],
            node: self.node(),
            task_id,
            token_id: None,
            key: key.filter(|_| !is_another),
            input: json!({}),
            context: Map::new(),
            handover,
            transition: None,
            steps: vec![self.step(task_id, said)],
            messages: vec![],
            resolved: vec![],
            at: now(),
        }))
    }

    fn guard(&mut self, row: &Row) -> Guard {
        let now = row.turn.map(|turn| turn.task_id).or(row.tasks.last().map(|(task, _)| *task));
        let task_id = now.filter(|_| !self.rarely()).unwrap_or_else(TaskId::new);
        let attempt = self.about(i64::from(row.turn.map_or(1, |turn| turn.attempt)));
        Guard {
            conversation_id: if self.rarely() { ConversationId::new() } else { row.conversation.id },
            task_id,
            attempt: i32::try_from(attempt).expect("a small number"),
            last_seq: self.about(row.conversation.last_seq),
        }
    }

    fn handover(&mut self, row: &Row, trigger: Trigger) -> Handover {
        let holds = active(&row.activations).expect("one holds it").id;
        Handover {
            epoch: self.about(row.conversation.epoch),
            ends: if self.rarely() { ActivationId::new() } else { holds },
            ends_as: ActivationStatus::Paused,
            begins: NewActivation {
                id: ActivationId::new(),
                agent_id: self.agent(),
                trigger,
                reason: None,
                summary: None,
                message_id: None,
                context: Map::new(),
                context_data: Map::new(),
                resumes: None,
                is_pinned: false,
                step: 0,
            },
            access: Some(trigger.needs()).filter(|how| *how != Use::Begin),
            task: None,
        }
    }

    fn commit(&mut self, row: &Row) -> Op {
        let guard = self.guard(row);
        let working = row.tasks.last().expect("a task").0;
        let mut after = match self.dice.u8(..8) {
            0 => After::Waiting,
            1 | 2 => After::Ended(TurnStatus::Completed),
            _ => After::Running { progressed: self.dice.bool() },
        };
        let call = Step::Call { attempt: 1, start: None, lost: None };
        let mut steps = vec![self.step(guard.task_id, call.clone())];
        let (mut handover, mut subtask, mut approvals) = (None, None, vec![]);
        match self.dice.u8(..10) {
            0..=3 => {
                let mut hands = self.handover(row, Trigger::Model);
                hands.task = self.dice.bool().then(|| NewTask {
                    id: TaskId::new(),
                    parent_id: working,
                    agent_id: hands.begins.agent_id,
                    input: json!({}),
                    context: Map::new(),
                });
                (handover, after) = (Some(hands), After::Running { progressed: true });
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
                };
                steps.push(self.step(guard.task_id, asks));
                approvals.push(new);
                after = After::Waiting;
            }
            _ => {}
        }
        Op::Commit(Box::new(Commit {
            guard,
            workspace_id: self.workspace,
            profile_id: Some(self.profile),
            next_call: self.dice.bool().then(|| self.step(guard.task_id, call)),
            steps,
            messages: vec![],
            changes: vec![],
            approvals,
            resolved: vec![],
            usage: vec![],
            task_id: working,
            snapshot: None,
            handover,
            transitions: vec![],
            rolled_back: None,
            subtask,
            stops: vec![],
            after,
            at: now(),
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
        }
    }

    fn switch(&mut self, row: &Row) -> Op {
        let handover = self.handover(row, Trigger::User);
        let (epoch, activation_id) = (handover.epoch, handover.ends);
        let choice = match self.dice.u8(..4) {
            0 => Choice::Pin { activation_id, is_pinned: self.dice.bool() },
            _ => Choice::Agent(Box::new(handover)),
        };
        let waiting = row.turn.filter(|turn| turn.owner.is_none());
        let said = Step::Error { code: "none".into(), message: "none".into(), recoverable: true };
        Op::Switch(Box::new(Switch {
            conversation_id: if self.rarely() { ConversationId::new() } else { row.conversation.id },
            workspace_id: self.workspace,
            last_seq: self.about(row.conversation.last_seq),
            epoch,
            choice,
            ends: if self.rarely() { row.turn } else { waiting },
            steps: vec![NewStep { task_id: None, agent_id: self.agents[0], message_id: None, step: said }],
            messages: vec![],
            resolved: vec![],
            transition: None,
            at: now(),
        }))
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
