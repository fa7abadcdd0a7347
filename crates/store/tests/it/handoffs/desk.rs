//! A conversation with two agents, and what is committed when one hands off to the other.

use baton_core::access::Use;
use baton_core::conversations::Conversation;
use baton_core::handoffs::{
    Activation, ActivationStatus, NewActivation, NewHandoff, NewTask, NewTransition, TransitionOutcome,
    Trigger,
};
use baton_core::ids::{ActivationId, AgentId, ConversationId, MessageId, TaskId, TransitionId};
use baton_core::log::{NewStep, Start, Step, Switched, TurnStatus};
use baton_core::store::{Handoffs, Turns};
use baton_core::turns::{After, Commit, Guard, Loaded, Switch};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::{Map, Value, json};

use crate::cast::{Begun, Cast, called, done, now, said};

pub struct Desk {
    pub cast: Cast,
    /// The second agent; the first is the cast's.
    pub other: AgentId,
}

pub const RUNNING: After = After::Running { progressed: true };

pub fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

impl Desk {
    pub async fn open() -> Self {
        let cast = Cast::gather().await;
        let hired = cast.told.store.hired(cast.workspace).await.unwrap();
        let other = hired.iter().find(|agent| agent.id != cast.agent).expect("a second agent").id;
        Self { cast, other }
    }

    pub async fn load(&self, id: ConversationId) -> Loaded {
        self.cast.told.store.load(id).await.unwrap()
    }

    /// A turn that runs, and the conversation as it is then.
    pub async fn running(&self) -> (Begun, Loaded) {
        let (accept, begun) = self.cast.fresh("Go");
        self.cast.told.store.commit(&accept).await.unwrap();
        let loaded = self.load(begun.id).await;
        (begun, loaded)
    }

    /// A conversation in which nothing runs.
    pub async fn idle(&self) -> Loaded {
        let (begun, loaded) = self.running().await;
        let end = After::Ended(TurnStatus::Completed);
        let finish =
            self.cast.commit(&begun, loaded.conversation.last_seq, vec![done(TurnStatus::Completed)], end);
        self.cast.told.store.commit(&finish).await.unwrap();
        self.load(begun.id).await
    }

    pub fn new_handoff(&self, loaded: &Loaded, to: AgentId) -> NewHandoff {
        NewHandoff {
            epoch: loaded.conversation.epoch,
            ends: loaded.active().expect("one holds it").id,
            ends_as: ActivationStatus::Completed,
            begins: NewActivation {
                id: ActivationId::new(),
                agent_id: to,
                trigger: Trigger::Model,
                reason: Some("reports".into()),
                summary: Some("Ana wants a report.".into()),
                message_id: None,
                context: map(json!({"lead_id": "7"})),
                context_data: Map::new(),
                resumes: None,
                is_pinned: false,
                step: 2,
            },
            access: Some(Use::ModelSwitch),
            task: None,
        }
    }

    pub fn transition(&self, to: AgentId, outcome: TransitionOutcome) -> NewTransition {
        NewTransition {
            id: TransitionId::new(),
            trigger: Trigger::Model,
            from: self.cast.agent,
            to: Some(to),
            reason: Some("reports".into()),
            outcome,
            code: None,
            latency_ms: 3,
            tokens_full: 1_000,
            tokens_sent: 200,
        }
    }

    /// The model hands off to the second agent, which goes on in the same turn.
    pub fn handoff(&self, begun: &Begun, loaded: &Loaded, to: AgentId) -> Commit {
        let steps = vec![said("I pass you on.", None), called("h1"), self.switched(loaded, to)];
        let mut commit = self.cast.commit(begun, loaded.conversation.last_seq, steps, RUNNING);
        let task = NewTask {
            id: TaskId::new(),
            parent_id: begun.task,
            agent_id: to,
            input: json!({"message": "Go"}),
            context: map(json!({"lead_id": "7", "_handoff_from": "budget-coach"})),
        };
        commit.handoff = Some(NewHandoff { task: Some(task), ..self.new_handoff(loaded, to) });
        commit.transitions = vec![self.transition(to, TransitionOutcome::Completed)];
        let start = Some(Start { agent_name: "Reports".into(), avatar_url: None, parts: vec![] });
        commit.next_call = Some(NewStep {
            agent_id: to,
            ..self.cast.step(begun.task, MessageId::new(), Step::Call { attempt: 1, start, lost: None })
        });
        commit
    }

    fn switched(&self, loaded: &Loaded, to: AgentId) -> Step {
        Step::Switched(Switched {
            from: loaded.holder(),
            to,
            to_name: "Reports".into(),
            by: Trigger::User,
            epoch: loaded.conversation.epoch + 1,
            activation_id: ActivationId::new(),
            pinned: false,
        })
    }

    /// A person chooses this agent.
    pub fn switch(&self, loaded: &Loaded, to: AgentId) -> Commit {
        let mut handoff = self.new_handoff(loaded, to);
        handoff.ends_as = ActivationStatus::Paused;
        handoff.access = Some(Use::Select);
        handoff.begins.trigger = Trigger::User;
        handoff.begins.is_pinned = true;
        handoff.begins.step = 0;
        let Conversation { id, last_seq, .. } = loaded.conversation;
        let guard = Guard::Switch(Switch { ends: None, pin: None });
        Commit {
            steps: vec![NewStep {
                task_id: None,
                agent_id: to,
                message_id: None,
                step: self.switched(loaded, to),
            }],
            handoff: Some(handoff),
            transitions: vec![NewTransition {
                trigger: Trigger::User,
                ..self.transition(to, TransitionOutcome::Completed)
            }],
            ..Commit::new((id, self.cast.workspace), last_seq, guard, now())
        }
    }

    /// Everything there is, as text: whatever was written shows.
    pub async fn everything(&self) -> String {
        let raw = self.cast.told.raw().await;
        let all = self.everything_by(&raw).await;
        raw.close().await.unwrap();
        all
    }

    /// The same, over a connection that stays open.
    pub async fn everything_by(&self, raw: &DatabaseConnection) -> String {
        let backend = raw.get_database_backend();
        let rows = async |sql: String| {
            let rows = raw.query_all_raw(Statement::from_string(backend, sql)).await.unwrap();
            rows.iter().map(|row| row.try_get::<String>("", "row").unwrap()).collect::<Vec<_>>()
        };
        let mut all = String::new();
        for table in TABLES {
            let row = if self.cast.told.is_postgres() {
                format!("CAST(row_to_json({table}) AS TEXT)")
            } else {
                let columns =
                    format!("SELECT 'quote(' || name || ')' AS row FROM pragma_table_info('{table}')");
                rows(columns).await.join(" || ' ' || ")
            };
            for row in rows(format!("SELECT {row} AS row FROM {table} ORDER BY 1")).await {
                all += &format!("{table}: {row}\n");
            }
        }
        all
    }

    pub async fn task_status(&self, task: TaskId) -> (String, bool) {
        let person = baton_core::visitors::Person::Profile(self.cast.ana);
        let tree = self.cast.told.store.task_tree(task, person).await.unwrap();
        let task = tree.tasks.into_iter().find(|other| other.id == task).expect("in its own tree");
        (task.status, task.ended_at.is_some())
    }

    pub async fn close(self) {
        self.cast.told.end().await;
    }
}

/// What begins with a switch to another agent.
pub fn begins(switch: &mut Commit) -> &mut NewActivation {
    &mut switch.handoff.as_mut().expect("another agent").begins
}

/// What a handoff can touch.
pub const TABLES: &[&str] = &[
    "agent_conversations",
    "task_messages",
    "agent_messages",
    "activations",
    "tasks",
    "transitions",
    "snapshots",
    "approvals",
    "model_usage",
    "agent_memories",
    "tapes",
    "request_keys",
];

/// Exactly one holds the conversation, and it is this agent.
pub fn assert_held_by(activations: &[Activation], agent: AgentId) {
    let active: Vec<_> = activations.iter().filter(|one| one.status == ActivationStatus::Active).collect();
    assert_eq!(active.len(), 1, "{activations:?}");
    assert_eq!((active[0].agent_id, active[0].ended_at), (agent, None));
    assert!(
        activations.iter().all(|one| (one.ended_at.is_none()) == (one.status == ActivationStatus::Active))
    );
}
