//! The people and agents in the stories of turns, and the commits they make.

use baton_core::fold::Spoken;
use baton_core::ids::{
    ActivationId, AgentId, ConversationId, MessageId, NodeId, ProfileId, TaskId, WorkspaceId,
};
use baton_core::log::{CallStep, MessageStatus, NewStep, Said, Spent, Start, Step, TurnStatus};
use baton_core::store::Turns;
use baton_core::tape::{Block, Tape, Voice};
use baton_core::tools::Nature;
use baton_core::turns::{
    Accept, After, Checkpoint, Commit, Fence, Guard, MessageWrite, NewConversation, RequestKey, TurnRow,
};
use baton_core::visitors::Person;
use chrono::{DateTime, SubsecRound, Utc};
use serde_json::{Map, json};

use crate::Told;
use crate::conversations::first_agent;

pub fn now() -> DateTime<Utc> {
    Utc::now().trunc_subsecs(6)
}

/// A person, their agent, and a node that runs turns.
pub struct Cast {
    pub told: Told,
    pub ana: ProfileId,
    pub workspace: WorkspaceId,
    pub agent: AgentId,
    pub node: NodeId,
}

/// A turn that was accepted.
pub struct Begun {
    pub id: ConversationId,
    pub task: TaskId,
    pub message: MessageId,
}

impl Cast {
    pub async fn gather() -> Self {
        let told = Told::begin().await;
        let (ana, workspace) = told.person("ana@example.org").await;
        let agent = first_agent(&told, workspace).await;
        let node = NodeId::new();
        told.store.renew_lease(node).await.unwrap();
        Self { told, ana: ana.id, workspace, agent, node }
    }

    pub fn step(&self, task: TaskId, message: MessageId, step: Step) -> NewStep {
        NewStep { task_id: Some(task), agent_id: self.agent, message_id: Some(message), step }
    }

    pub fn accept(&self, place: Place, words: &str) -> (Commit, Begun) {
        let (task, asked, message) = (TaskId::new(), MessageId::new(), MessageId::new());
        let user =
            Step::User { content: words.into(), attachments: vec![], web_search: false, synthetic: false };
        let start = Some(Start { agent_name: "Coach".into(), avatar_url: None, parts: vec![] });
        let (id, last_seq, begins, ends, title) = match place {
            Place::New { title } => {
                let new = NewConversation { activation_id: ActivationId::new(), team_id: None };
                (ConversationId::new(), 0, Some(new), None, title)
            }
            Place::Existing { id, last_seq, ends } => (id, last_seq, None, ends, None),
        };
        let accept = Accept {
            begins,
            ends: ends.map(|turn| turn.task_id),
            title,
            person: Person::Profile(self.ana),
            agent_id: self.agent,
            node: self.node,
            task_id: task,
            token_id: None,
            key: None,
            input: json!({"message": words}),
            context: Map::new(),
        };
        let commit = Commit {
            steps: vec![
                self.step(task, asked, user),
                self.step(task, message, Step::Call { attempt: 1, start, lost: None }),
            ],
            messages: vec![
                MessageWrite::User {
                    id: asked,
                    agent_id: self.agent,
                    content: words.into(),
                    metadata: json!({}),
                    step: 0,
                },
                MessageWrite::Begin { spoken: Spoken::new(message, self.agent), step: 1 },
            ],
            ..Commit::new((id, self.workspace), last_seq, Guard::Accept(Box::new(accept)), now())
        };
        (commit, Begun { id, task, message })
    }

    pub fn fresh(&self, words: &str) -> (Commit, Begun) {
        self.accept(Place::New { title: Some(words.to_owned()) }, words)
    }

    pub fn commit(&self, begun: &Begun, last_seq: i64, steps: Vec<Step>, after: After) -> Commit {
        let guard = Guard::Turn { fence: begun.fence(), working: begun.task, after };
        Commit {
            steps: steps.into_iter().map(|step| self.step(begun.task, begun.message, step)).collect(),
            ..Commit::new((begun.id, self.workspace), last_seq, guard, now())
        }
    }
}

/// Which conversation a message goes into.
pub enum Place {
    New {
        title: Option<String>,
    },
    /// `ends` is the turn that waits for a person and ends with this message.
    Existing {
        id: ConversationId,
        last_seq: i64,
        ends: Option<TurnRow>,
    },
}

impl Begun {
    pub fn fence(&self) -> Fence {
        Fence { task_id: self.task, attempt: 1 }
    }

    pub fn checkpoint(&self, last_seq: i64, tape: Tape) -> Checkpoint {
        Checkpoint { conversation_id: self.id, fence: self.fence(), last_seq, tape }
    }
}

pub fn attempt(commit: &mut Commit) -> &mut i32 {
    match &mut commit.guard {
        Guard::Turn { fence, .. } => &mut fence.attempt,
        other => panic!("no turn's: {other:?}"),
    }
}

/// The task under the turn that works.
pub fn working(commit: &mut Commit) -> &mut TaskId {
    match &mut commit.guard {
        Guard::Turn { working, .. } => working,
        other => panic!("no turn's: {other:?}"),
    }
}

pub fn accepting(commit: &mut Commit) -> &mut Accept {
    match &mut commit.guard {
        Guard::Accept(accept) => accept,
        other => panic!("no message's: {other:?}"),
    }
}

pub fn with_key(key: Option<RequestKey>, mut commit: Commit) -> Commit {
    accepting(&mut commit).key = key;
    commit
}

pub fn said(text: &str, ends: Option<MessageStatus>) -> Step {
    Step::Said(Said {
        blocks: vec![Block { voice: Voice::Text, text: text.into() }],
        thinking: vec![],
        model: "demo/demo".into(),
        prompt_hash: String::new(),
        spent: Spent::NOTHING,
        stop: None,
        unsent: false,
        ends,
    })
}

pub fn done(status: TurnStatus) -> Step {
    Step::Done { status, spent: Spent::NOTHING, calls: 1 }
}

pub fn called(call_id: &str) -> Step {
    Step::ToolCall(CallStep {
        call_id: call_id.into(),
        tool_name: "manageMemory".into(),
        through: None,
        display_name: "Memory".into(),
        args: Default::default(),
        nature: Some(Nature::WRITES),
        loads_skill: false,
        hands_off: false,
    })
}

/// A call opens: on with the same message.
pub fn call() -> Step {
    Step::Call { attempt: 1, start: None, lost: None }
}
