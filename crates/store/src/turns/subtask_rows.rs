//! The subtask of a commit, as rows; the same for both engines.

use baton_core::store::Result;
use baton_core::subtasks::NewSubtask;
use baton_core::text;
use serde::Serialize;
use uuid::Uuid;

use super::json::Json;
use super::rows::{MessageRow, StepRow, message_rows, step_rows};

/// A conversation with the turn that was asked for.
#[derive(Debug, Serialize)]
pub struct SubtaskRow {
    pub id: Uuid,
    pub activation_id: Uuid,
    pub task_id: Uuid,
    pub parent_task_id: Uuid,
    pub agent_id: Uuid,
    pub node: Uuid,
    pub depth: i32,
    pub mode: &'static str,
    pub title: Option<String>,
    pub search_text: String,
    pub last_seq: i64,
    pub input: Json,
    #[serde(skip)]
    pub steps: Vec<StepRow>,
    #[serde(skip)]
    pub messages: Vec<MessageRow>,
}

impl SubtaskRow {
    pub fn new(new: &NewSubtask) -> Result<Self> {
        let title = new.title();
        let steps = step_rows(0, [new.step()].iter())?;
        Ok(Self {
            id: new.id.0,
            activation_id: new.activation_id.0,
            task_id: new.task_id.0,
            parent_task_id: new.parent_task_id.0,
            agent_id: new.agent_id.0,
            node: new.node.0,
            depth: new.depth,
            mode: new.mode.as_str(),
            search_text: text::fold(title.as_deref().unwrap_or_default()),
            title,
            last_seq: steps.len() as i64,
            input: Json::of(&new.input())?,
            steps,
            messages: message_rows(0, &[new.message()])?.0,
        })
    }
}
