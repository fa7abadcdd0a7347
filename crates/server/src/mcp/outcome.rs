//! What came of a turn, as its caller is told: the answer, why there is none, or that a person has to decide first. Read from
//! what is stored, so that any node can say it.

use baton_core::ids::{ConversationId, TaskId};
use baton_core::log::{Step, TurnStatus};
use baton_core::store::TaskTree;
use baton_core::subtasks;
use baton_core::visitors::Person;
use baton_tools::mcp::serve::{Failure, Object, Request, TASKS};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::approvals::{Pending, pending};
use super::workspace::{Workspace, failed};
use super::workspace_tools::{refused, result};
use crate::app::SharedApp;

/// How often a client may ask for what came of a turn that waits.
const POLL_MS: u64 = 5_000;

/// Looks up what came of one turn.
pub struct Outcomes {
    pub app: SharedApp,
    person: Person,
    base: String,
    conversation: ConversationId,
    task: TaskId,
    /// Whether the client takes a handle for what is not over.
    takes_handles: bool,
}

pub enum Came {
    Over { status: TurnStatus, result: Object },
    Waits(Pending),
    GoesOn,
}

/// A turn, as it is known by its handle.
pub struct Handle {
    pub came: Came,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl Outcomes {
    pub fn of(workspace: &Workspace, turn: (ConversationId, TaskId), takes_handles: bool) -> Self {
        Self {
            app: workspace.app.clone(),
            person: workspace.someone.person(),
            base: workspace.base.clone(),
            conversation: turn.0,
            task: turn.1,
            takes_handles,
        }
    }

    /// The result of the call that began the turn.
    pub async fn result(&self) -> Result<Object, Failure> {
        let handle = self.look().await?;
        match (&handle.came, self.takes_handles) {
            (Came::Over { result, .. }, _) => Ok(result.clone()),
            (Came::Waits(_) | Came::GoesOn, true) => {
                let mut created = self.task(&handle);
                created.insert("resultType".to_owned(), "task".into());
                Ok(created)
            }
            (Came::Waits(pending), false) => Ok(self.waits(pending)),
            (Came::GoesOn, false) => Ok(self.with_conversation(
                vec!["The agent is still at work, and this connection ends. Its answer will be in the conversation.".into()],
                false,
                "working",
            )),
        }
    }

    pub async fn look(&self) -> Result<Handle, Failure> {
        let tree = self.app.store.task_tree(self.task, self.person).await.map_err(failed)?;
        let at = |tree: &TaskTree| Some((tree.tasks.first()?.created_at, tree.steps.last()?.at));
        let (created_at, updated_at) = at(&tree).unwrap_or_default();
        let name = self.name(&tree).await;
        let own = || tree.steps.iter().rev().filter(|logged| logged.task_id == Some(self.task));
        let status = own().find_map(|logged| match &logged.step {
            Step::Done { status, .. } => Some(*status),
            _ => None,
        });
        let came = match (subtasks::came(&name, self.task, &tree.steps), status) {
            (Some(came), Some(status)) => Came::Over {
                status,
                result: match came.answer {
                    Ok(answer) => self.with_conversation(vec![answer], false, "completed"),
                    Err(why) => self.with_conversation(vec![why], true, "failed"),
                },
            },
            _ => match pending(&tree, self.task) {
                Some(pending) => Came::Waits(pending),
                None => Came::GoesOn,
            },
        };
        Ok(Handle { came, created_at, updated_at })
    }

    /// Who answered last.
    async fn name(&self, tree: &TaskTree) -> String {
        let said = tree.steps.iter().rev().find(|logged| logged.task_id == Some(self.task));
        match said {
            Some(logged) => match self.app.store.agent(logged.agent_id).await {
                Ok(agent) => agent.definition.name,
                Err(_) => "The agent".to_owned(),
            },
            None => "The agent".to_owned(),
        }
    }

    /// Nothing is asked of the client: it could not answer.
    pub fn task(&self, handle: &Handle) -> Object {
        let (status, message) = match &handle.came {
            Came::Over { status: TurnStatus::Stopped, .. } => ("cancelled", "It was stopped.".to_owned()),
            Came::Over { .. } => ("completed", "The agent has answered.".to_owned()),
            Came::Waits(pending) => ("working", pending.sentence(&self.base)),
            Came::GoesOn => ("working", "The agent is at work.".to_owned()),
        };
        let at = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Millis, true);
        let mut task = Object::from_iter([
            ("taskId".to_owned(), json!(self.task)),
            ("status".to_owned(), status.into()),
            ("statusMessage".to_owned(), message.into()),
            ("createdAt".to_owned(), at(handle.created_at).into()),
            ("lastUpdatedAt".to_owned(), at(handle.updated_at).into()),
            ("ttlMs".to_owned(), Value::Null),
            ("pollIntervalMs".to_owned(), POLL_MS.into()),
        ]);
        if let ("completed", Came::Over { result, .. }) = (status, &handle.came) {
            task.insert("result".to_owned(), Value::Object(result.clone()));
        }
        task
    }

    fn waits(&self, pending: &Pending) -> Object {
        let texts = vec![
            pending.sentence(&self.base),
            "You can't decide it. Tell the person; when they have decided, ask again in the same conversation.".into(),
        ];
        self.with_conversation(texts, false, "waits_for_person")
    }

    fn with_conversation(&self, mut texts: Vec<String>, is_error: bool, status: &str) -> Object {
        let id = self.conversation;
        texts.push(format!("(conversationId {id}: give it with the next message to go on.)"));
        let mut result = result(texts, is_error);
        result.insert("_meta".to_owned(), json!({"baton/conversationId": id, "baton/status": status}));
        result
    }
}

/// What is told to who asks in a conversation that waits for a person.
pub async fn waiting(
    workspace: &Workspace,
    request: &Request,
    id: ConversationId,
) -> Result<Object, Failure> {
    match workspace.app.store.turn(id).await.map_err(failed)? {
        Some(turn) => Outcomes::of(workspace, (id, turn.task_id), request.knows(TASKS)).result().await,
        None => Ok(refused("A person has just decided. Send the message again.")),
    }
}
