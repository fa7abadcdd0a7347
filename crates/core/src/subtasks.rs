//! Subtasks: an agent asks another agent by calling `ask_<slug>`. The asked agent works in a conversation of its own,
//! and the asking agent goes on with its answer.

use crate::agents::PermissionMode;
use crate::conversations::MAX_CONTENT;
use crate::handoffs::Refusal;
use crate::ids::{ActivationId, AgentId, ConversationId, MessageId, NodeId, TaskId};
use crate::log::{LoggedStep, NewStep, Step, SubtaskCreated, TurnStatus};
use crate::tape::Voice;
use crate::turns::MessageWrite;
use serde_json::{Map, Value, json};

/// How the tools begin that ask another agent.
pub const ASK: &str = "ask_";
/// How many subtasks can be under each other.
pub const MAX_DEPTH: i32 = 3;

/// The agent that a tool of this name asks.
pub fn asks(tool: &str) -> Option<&str> {
    tool.strip_prefix(ASK).filter(|slug| !slug.is_empty())
}

/// What makes a conversation a subtask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subtask {
    /// The conversation that asked.
    pub parent_id: ConversationId,
    /// From 1, for what an ordinary conversation asked.
    pub depth: i32,
    /// The permission mode of the asking agent: the stricter of both agents' modes holds.
    pub mode: PermissionMode,
}

/// A conversation with its first turn, made by a call in another.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSubtask {
    pub id: ConversationId,
    pub activation_id: ActivationId,
    /// Its turn, under the task that asked.
    pub task_id: TaskId,
    pub parent_task_id: TaskId,
    pub agent_id: AgentId,
    pub agent_name: String,
    pub node: NodeId,
    pub depth: i32,
    pub mode: PermissionMode,
    pub message_id: MessageId,
    pub message: String,
    /// Who asks, by name.
    pub asked_by: String,
}

impl NewSubtask {
    /// What the log of the asking conversation says about the subtask.
    pub fn created(&self, call_id: &str) -> SubtaskCreated {
        SubtaskCreated {
            call_id: call_id.to_owned(),
            conversation_id: self.id,
            task_id: self.task_id,
            agent_id: self.agent_id,
            agent_name: self.agent_name.clone(),
            depth: self.depth,
        }
    }

    /// Its first step.
    pub fn step(&self) -> NewStep {
        NewStep {
            task_id: Some(self.task_id),
            agent_id: self.agent_id,
            message_id: Some(self.message_id),
            step: Step::User {
                content: self.message.clone(),
                attachments: Vec::new(),
                web_search: false,
                synthetic: false,
            },
        }
    }

    pub fn message(&self) -> MessageWrite {
        MessageWrite::User {
            id: self.message_id,
            agent_id: self.agent_id,
            content: self.message.clone(),
            metadata: json!({"askedBy": self.asked_by}),
            step: 0,
        }
    }

    pub fn title(&self) -> Option<String> {
        crate::text::title_from(&self.message)
    }

    pub fn input(&self) -> Value {
        json!({"message": self.message, "askedBy": self.asked_by})
    }
}

/// What is asked, and how deep that would be.
pub fn check(args: &Map<String, Value>, depth: i32) -> Result<(String, i32), Refusal> {
    if depth >= MAX_DEPTH {
        let words = format!(
            "This is {MAX_DEPTH} subtasks deep already, so nobody else can be asked. Answer with what you have."
        );
        return Err(Refusal::new("too_deep", words));
    }
    let message = args.get("message").and_then(Value::as_str).map_or("", str::trim);
    if message.is_empty() || args.keys().any(|key| key != "message") {
        return Err(Refusal::new("wrong_message", "Send what you ask as message, and nothing else."));
    }
    if message.chars().count() > MAX_CONTENT {
        return Err(Refusal::new(
            "wrong_message",
            format!("message must be at most {MAX_CONTENT} characters."),
        ));
    }
    Ok((message.to_owned(), depth + 1))
}

/// What a subtask came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Came {
    /// Its final text, or why there is none.
    pub answer: Result<String, String>,
    /// A tool that writes came through in it.
    pub wrote: bool,
}

/// What the turn of `task` came to, by its steps; `None` while it goes on.
pub fn came(name: &str, task: TaskId, steps: &[LoggedStep]) -> Option<Came> {
    let own = || steps.iter().filter(|logged| logged.task_id == Some(task));
    let status = own().rev().find_map(|logged| match &logged.step {
        Step::Done { status, .. } => Some(*status),
        _ => None,
    })?;
    let answer = match status {
        TurnStatus::Completed => {
            let said = own().rev().find_map(|logged| match &logged.step {
                Step::Said(said) => Some(text(said)).filter(|text| !text.trim().is_empty()),
                _ => None,
            });
            said.ok_or_else(|| format!("{name} gave no answer."))
        }
        TurnStatus::Stopped => Err(format!("{name} was stopped before it had answered.")),
        TurnStatus::Failed => {
            let why = own().rev().find_map(|logged| match &logged.step {
                Step::Error { message, .. } => Some(message.as_str()),
                _ => None,
            });
            Err(format!("{name} could not answer: {}", why.unwrap_or("something went wrong.")))
        }
    };
    Some(Came { answer, wrote: wrote(own()) })
}

fn text(said: &crate::log::Said) -> String {
    let blocks = said.blocks.iter().filter(|block| block.voice == Voice::Text);
    blocks.map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// Whether a tool wrote, counted as for a turn, including its own subtasks.
fn wrote<'a>(steps: impl Iterator<Item = &'a LoggedStep>) -> bool {
    let mut writing = Vec::new();
    let mut wrote = false;
    for logged in steps {
        match &logged.step {
            Step::ToolCall(call) if call.nature.is_some_and(|nature| nature.writes) => {
                writing.push(call.call_id.as_str());
            }
            Step::ToolResult(result) => {
                let came_through = result.success && writing.contains(&result.call_id.as_str());
                wrote |= came_through || result.unknown || result.wrote;
            }
            _ => {}
        }
    }
    wrote
}

#[cfg(test)]
mod tests;
