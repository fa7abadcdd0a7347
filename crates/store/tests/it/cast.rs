//! Who takes part in the stories of turns, and what they commit.

use baton_core::fold::Spoken;
use baton_core::ids::{
    ActivationId, AgentId, ConversationId, MessageId, NodeId, ProfileId, TaskId, WorkspaceId,
};
use baton_core::log::{CallStep, MessageStatus, NewStep, Said, Spent, Start, Step, TurnStatus};
use baton_core::store::Turns;
use baton_core::tape::{Block, Voice};
use baton_core::tools::Nature;
use baton_core::turns::{Accept, After, Commit, Guard, MessageWrite, Place};
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

    pub fn accept(&self, place: Place, words: &str) -> (Accept, Begun) {
        let (task, asked, message) = (TaskId::new(), MessageId::new(), MessageId::new());
        let user =
            Step::User { content: words.into(), attachments: vec![], web_search: false, synthetic: false };
        let start = Some(Start { agent_name: "Coach".into(), avatar_url: None, parts: vec![] });
        let begun = Begun { id: place.id(), task, message };
        let accept = Accept {
            place,
            workspace_id: self.workspace,
            person: Person::Profile(self.ana),
            agent_id: self.agent,
            node: self.node,
            task_id: task,
            token_id: None,
            key: None,
            input: json!({"message": words}),
            context: Map::new(),
            handover: None,
            transition: None,
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
            resolved: vec![],
            at: now(),
        };
        (accept, begun)
    }

    pub fn fresh(&self, words: &str) -> (Accept, Begun) {
        let place = Place::New {
            id: ConversationId::new(),
            activation_id: ActivationId::new(),
            team_id: None,
            title: Some(words.to_owned()),
        };
        self.accept(place, words)
    }

    pub fn commit(&self, begun: &Begun, last_seq: i64, steps: Vec<Step>, after: After) -> Commit {
        Commit {
            guard: Guard { conversation_id: begun.id, task_id: begun.task, attempt: 1, last_seq },
            workspace_id: self.workspace,
            profile_id: Some(self.ana),
            steps: steps.into_iter().map(|step| self.step(begun.task, begun.message, step)).collect(),
            next_call: None,
            messages: vec![],
            changes: vec![],
            approvals: vec![],
            resolved: vec![],
            usage: vec![],
            task_id: begun.task,
            snapshot: None,
            handover: None,
            transitions: vec![],
            rolled_back: None,
            subtask: None,
            stops: vec![],
            after,
            at: now(),
        }
    }
}

pub fn said(text: &str, ends: Option<MessageStatus>) -> Step {
    Step::Said(Said {
        blocks: vec![Block { voice: Voice::Text, text: text.into() }],
        thinking: vec![],
        model: "demo/demo".into(),
        prompt: String::new(),
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
