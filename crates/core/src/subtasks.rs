//! Subtasks: one agent asks another by `ask_<slug>`, in a conversation of its own, and goes on with the answer.

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
    /// The mode of who asked: the stricter of both agents' holds.
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
    /// What the log of the conversation that asked says of it.
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

/// As a turn does, its own subtasks included.
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
mod tests {
    use super::*;
    use crate::log::{CallStep, ResultStep, Said, Spent};
    use crate::tape::Block;
    use crate::tools::Nature;

    #[test]
    fn what_a_tool_asks() {
        assert_eq!(asks("ask_ben"), Some("ben"));
        assert_eq!(asks("ask_tax-desk"), Some("tax-desk"));
        for none in ["ask_", "ask", "switch_agent", "Ask_ben", ""] {
            assert_eq!(asks(none), None, "{none}");
        }
    }

    #[test]
    fn what_can_be_asked() {
        let args = |value: Value| value.as_object().cloned().unwrap_or_default();
        for (given, depth, expected) in [
            (json!({"message": " How much? "}), 0, Ok(("How much?".to_owned(), 1))),
            (json!({"message": "How much?"}), 2, Ok(("How much?".to_owned(), 3))),
            (json!({"message": "How much?"}), 3, Err("too_deep")),
            (json!({}), 0, Err("wrong_message")),
            (json!({"message": "  "}), 0, Err("wrong_message")),
            (json!({"message": 7}), 0, Err("wrong_message")),
            (json!({"message": "How?", "agent": "ben"}), 0, Err("wrong_message")),
            (json!({"message": "x".repeat(MAX_CONTENT + 1)}), 0, Err("wrong_message")),
        ] {
            let told = check(&args(given), depth).map_err(|refusal| refusal.code);
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn what_a_subtask_comes_to() {
        let task = TaskId::new();
        let said = |text: &str| {
            Step::Said(Said {
                blocks: vec![
                    Block { voice: Voice::Reasoning, text: "Hm.".into() },
                    Block { voice: Voice::Text, text: text.into() },
                ],
                thinking: vec![],
                model: "a/b".into(),
                prompt: String::new(),
                spent: Spent::NOTHING,
                stop: None,
                unsent: false,
                ends: None,
            })
        };
        let called = |nature| {
            Step::ToolCall(CallStep {
                call_id: "c".into(),
                tool_name: "t".into(),
                display_name: "T".into(),
                args: Map::new(),
                nature: Some(nature),
                loads_skill: false,
                hands_off: false,
            })
        };
        let result = |success, wrote| {
            Step::ToolResult(ResultStep {
                call_id: "c".into(),
                tool_name: "t".into(),
                result: json!({}),
                success,
                duration_ms: 1,
                unknown: false,
                wrote,
            })
        };
        let failed = || Step::Error { code: "x".into(), message: "It broke.".into(), recoverable: true };
        let done = |status| Step::Done { status, spent: Spent::NOTHING, calls: 1 };
        use TurnStatus::{Completed, Failed, Stopped};
        let ok = |text: &str, wrote| Some(Came { answer: Ok(text.to_owned()), wrote });
        let no = |why: &str| Some(Came { answer: Err(why.to_owned()), wrote: false });
        for (steps, expected) in [
            (vec![said("42")], None),
            (vec![said("42"), done(Completed)], ok("42", false)),
            (
                vec![
                    said("Let me see."),
                    called(Nature::READS),
                    result(true, false),
                    said("42"),
                    done(Completed),
                ],
                ok("42", false),
            ),
            (vec![said("42"), said(" "), done(Completed)], ok("42", false)),
            (vec![called(Nature::WRITES), result(true, false), said("42"), done(Completed)], ok("42", true)),
            (
                vec![called(Nature::WRITES), result(false, false), said("42"), done(Completed)],
                ok("42", false),
            ),
            (vec![called(Nature::READS), result(true, true), said("42"), done(Completed)], ok("42", true)),
            (vec![said("4"), done(Stopped)], no("Ben was stopped before it had answered.")),
            (vec![failed(), done(Failed)], no("Ben could not answer: It broke.")),
            (vec![done(Completed)], no("Ben gave no answer.")),
        ] {
            let log: Vec<LoggedStep> = (1..)
                .zip(steps)
                .map(|(seq, step)| LoggedStep {
                    seq,
                    task_id: Some(task),
                    agent_id: AgentId::new(),
                    message_id: None,
                    step,
                    at: chrono::DateTime::UNIX_EPOCH,
                })
                .collect();
            assert_eq!(came("Ben", task, &log), expected);
            assert_eq!(came("Ben", TaskId::new(), &log), None, "another turn's");
        }
    }
}
