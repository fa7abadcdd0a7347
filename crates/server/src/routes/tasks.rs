//! A turn as the chain of its tasks: which agent did what, with which context, how long it took and what it cost.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use baton_core::events::EventUsage;
use baton_core::ids::TaskId;
use baton_core::log::{LoggedStep, Spent};
use baton_core::store::Task;
use baton_core::tasks::attributed;
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::agent_names::names;
use super::step_body::{body, thought};
use super::stream_events::UsageView;
use crate::app::SharedApp;
use crate::http::{ApiError, Caller, Errors, Id};

/// All that answered one message, or one other piece of work.
#[derive(Serialize, ToSchema)]
pub struct TaskTreeView {
    /// The first task; the others are under it.
    id: Uuid,
    conversation_id: Uuid,
    /// `pending`, `running`, `waiting`, `completed`, `failed` or `cancelled`: as the last task is.
    status: String,
    created_at: DateTime<Utc>,
    /// Null while it goes on.
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
    #[schema(required)]
    duration_ms: Option<i64>,
    /// Of all tasks, routers and subtasks included.
    #[schema(value_type = UsageView)]
    usage: EventUsage,
    /// The first one first, then as they began.
    tasks: Vec<TaskView>,
}

/// One agent's part in it.
#[derive(Serialize, ToSchema)]
#[schema(as = Task)]
pub struct TaskView {
    id: Uuid,
    /// The task that handed off to this one, or asked for it.
    #[schema(required)]
    parent_id: Option<Uuid>,
    /// A subtask has a conversation of its own.
    conversation_id: Uuid,
    agent_id: Uuid,
    /// Null if the agent is gone.
    #[schema(required)]
    agent_name: Option<String>,
    status: String,
    #[schema(value_type = Object)]
    input: Value,
    /// What was passed along, and in `_handoff_…` by whom and how.
    #[schema(value_type = Object)]
    context: Map<String, Value>,
    started_at: DateTime<Utc>,
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
    #[schema(required)]
    duration_ms: Option<i64>,
    #[schema(value_type = UsageView)]
    usage: EventUsage,
    steps: Vec<StepView>,
}

/// Something that was done.
#[derive(Serialize, ToSchema)]
#[schema(as = TaskStep)]
pub struct StepView {
    /// Its place in the conversation's log; what was thought has that of the reply it led to.
    seq: i64,
    /// `user_message`, `assistant_message`, `thinking`, `call`, `tool_call`, `tool_result`, `skill_load`,
    /// `subtask_created`, `handoff`, `status_change` or `error`.
    r#type: &'static str,
    agent_id: Uuid,
    #[schema(required)]
    message_id: Option<Uuid>,
    created_at: DateTime<Utc>,
    /// What it was, by its `step`: what was said, called or decided, and what that used.
    #[schema(value_type = Object)]
    body: Value,
}

impl StepView {
    /// A step, and before it what was thought on the way there: that is no step of its own, the closing one holds it.
    fn of(logged: &LoggedStep) -> impl Iterator<Item = Self> {
        let thought =
            thought(&logged.step).map(|body| Self { r#type: "thinking", body, ..Self::new(logged) });
        thought.into_iter().chain([Self::new(logged)])
    }

    fn new(logged: &LoggedStep) -> Self {
        Self {
            seq: logged.seq,
            r#type: logged.step.kind(),
            agent_id: logged.agent_id.0,
            message_id: logged.message_id.map(|id| id.0),
            created_at: logged.at,
            body: body(&logged.step),
        }
    }
}

/// The whole chain that a task belongs to
#[utoipa::path(get, path = "/api/tasks/{id}", tag = "tasks", params(("id" = Uuid, Path)), responses((status = 200, body = TaskTreeView), Errors))]
pub async fn read(
    State(app): State<SharedApp>,
    caller: Caller,
    Id(id): Id,
) -> Result<Json<TaskTreeView>, ApiError> {
    let person = Person::Profile(caller.profile.id);
    let tree = app.store.task_tree(TaskId(id), person).await?;
    let conversation = app.store.conversation(tree.conversation_id, person).await?;
    app.role_inside(&caller, conversation.workspace_id, "task").await?;
    let names = names(&app, tree.tasks.iter().map(|task| task.agent_id).collect()).await?;
    // Subtasks end before who asked for them, or with it.
    let last = tree.tasks.iter().rfind(|task| task.conversation_id == tree.conversation_id);
    let (Some(root), Some(last)) = (tree.tasks.first(), last) else {
        return Err(ApiError::not_found("task"));
    };
    let mut spent = Spent::NOTHING;
    tree.tasks.iter().for_each(|task| spent += task.spent);
    let ended_at = tree.tasks.iter().map(|task| task.ended_at).collect::<Option<Vec<_>>>();
    let ended_at = ended_at.and_then(|times| times.into_iter().max());
    // By the conversation's first task; which one under it did what, its log tells.
    let mut logs: Vec<(TaskId, Vec<LoggedStep>)> = Vec::new();
    for logged in tree.steps {
        let Some(first) = logged.task_id else { continue };
        match logs.last_mut().filter(|(task, _)| *task == first) {
            Some((_, log)) => log.push(logged),
            None => logs.push((first, vec![logged])),
        }
    }
    let mut steps: HashMap<TaskId, Vec<StepView>> = HashMap::new();
    for (task, logged) in logs.into_iter().flat_map(|(first, log)| attributed(first, log)) {
        steps.entry(task).or_default().extend(StepView::of(&logged));
    }
    Ok(Json(TaskTreeView {
        id: root.id.0,
        conversation_id: tree.conversation_id.0,
        status: last.status.clone(),
        created_at: root.created_at,
        ended_at,
        duration_ms: lasted(root.created_at, ended_at),
        usage: EventUsage::from(&spent),
        tasks: tree
            .tasks
            .iter()
            .map(|task| {
                let name = names.get(&task.agent_id).cloned();
                TaskView::new(task, name, steps.remove(&task.id).unwrap_or_default())
            })
            .collect(),
    }))
}

impl TaskView {
    fn new(task: &Task, agent_name: Option<String>, steps: Vec<StepView>) -> Self {
        Self {
            id: task.id.0,
            parent_id: task.parent_id.map(|id| id.0),
            conversation_id: task.conversation_id.0,
            agent_id: task.agent_id.0,
            agent_name,
            status: task.status.clone(),
            input: task.input.clone(),
            context: task.context.clone(),
            started_at: task.created_at,
            ended_at: task.ended_at,
            duration_ms: lasted(task.created_at, task.ended_at),
            usage: EventUsage::from(&task.spent),
            steps,
        }
    }
}

fn lasted(began: DateTime<Utc>, ended: Option<DateTime<Utc>>) -> Option<i64> {
    ended.map(|ended| (ended - began).num_milliseconds().max(0))
}
