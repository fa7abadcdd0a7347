//! Handles of turns (the extension `io.modelcontextprotocol/tasks`): a client asks later what came of a turn, on any node. A
//! handle is the id of the turn's task; nothing else is kept.

use baton_core::ids::TaskId;
use baton_core::store::Error;
use baton_tools::mcp::serve::{Failure, Object, Request, TASKS};
use serde_json::{Value, json};
use uuid::Uuid;

use super::outcome::Outcomes;
use super::workspace::{Workspace, failed};

pub async fn get(workspace: &Workspace, request: &Request) -> Result<Object, Failure> {
    let outcomes = find(workspace, request).await?.0;
    let handle = outcomes.look().await?;
    Ok(outcomes.task(&handle))
}

/// Baton asks clients nothing, so whatever is answered belongs to no question.
pub async fn update(workspace: &Workspace, request: &Request) -> Result<Object, Failure> {
    find(workspace, request).await.map(|_| Object::new())
}

pub async fn cancel(workspace: &Workspace, request: &Request) -> Result<Object, Failure> {
    let (_, conversation, task) = find(workspace, request).await?;
    let stopped = workspace.app.engine.stop_turn(conversation, Some(task), workspace.someone.name()).await;
    stopped.map(|_| Object::new()).map_err(failed)
}

/// The turn of a handle, if it is one of this person in this workspace.
async fn find(
    workspace: &Workspace,
    request: &Request,
) -> Result<(Outcomes, baton_core::ids::ConversationId, TaskId), Failure> {
    if !request.knows(TASKS) {
        return Err(Failure::missing_capability(json!({"extensions": {TASKS: {}}})));
    }
    let none = || Failure::invalid("There is no such task.");
    let id = request.params.get("taskId").and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
    let asked = TaskId(id.ok_or_else(none)?);
    let (store, person) = (&workspace.app.store, workspace.someone.person());
    let missing = |error| if let Error::NotFound(_) = error { none() } else { failed(error) };
    let tree = store.task_tree(asked, person).await.map_err(missing)?;
    let root = tree.tasks.first().map(|task| task.id);
    let conversation = store.conversation(tree.conversation_id, person).await.map_err(missing)?;
    if root != Some(asked) || conversation.workspace_id != workspace.workspace_id {
        return Err(none());
    }
    let turn = (conversation.id, asked);
    Ok((Outcomes::of(workspace, turn, true), conversation.id, asked))
}
