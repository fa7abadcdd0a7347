//! The parts of a message, as they are stored and shown.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::approvals::{ApprovalStatus, arguments_hash};
use crate::handoffs::Trigger;
use crate::ids::{AgentId, ApprovalId, ConversationId, TaskId, TransitionId};
use crate::tape::Voice;
use crate::tools::Preview;
use crate::words;

words! {
    CallState {
        /// Waits for a person.
        Pending => "pending",
        Running => "running",
        Completed => "completed",
        Error => "error",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Part {
    Text {
        text: String,
    },
    Reasoning {
        reasoning: String,
    },
    ToolCall(CallPart),
    Approval {
        approval_id: ApprovalId,
        tool_call_id: String,
        tool_name: String,
        args: Map<String, Value>,
        /// Names the arguments: a decision gives it back.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        args_hash: String,
        expires_at: DateTime<Utc>,
        /// What the call would change, where its tool can tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preview: Option<Preview>,
        status: ApprovalStatus,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decided_at: Option<DateTime<Utc>>,
    },
    Handoff {
        handoff_id: TransitionId,
        /// The call that asked for it stands before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
        from: AgentId,
        to: AgentId,
        to_name: String,
        trigger: Trigger,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        context: Map<String, Value>,
        epoch: i64,
    },
    /// One stage is completed and the next begins.
    Stage {
        handoff_id: TransitionId,
        /// The call that asked for it stands before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool_call_id: Option<String>,
        from: AgentId,
        to: AgentId,
        to_name: String,
        epoch: i64,
        name: String,
        number: usize,
        of: usize,
        completed: String,
    },
    /// A part that a newer version of Baton wrote: kept as it is stored.
    #[serde(untagged)]
    Unknown(Value),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallPart {
    pub tool_call_id: String,
    pub tool_name: String,
    pub display_name: String,
    pub args: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// The step that holds the result. The result is stored only there, however often the message's row is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_seq: Option<i64>,
    pub state: CallState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The call asked another agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask: Option<SubtaskRef>,
}

/// Where an agent that was asked works on the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubtaskRef {
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
}

/// Adds a piece of what a model says: to the last part if it is of the same voice and still open, else as a new one.
pub fn say(parts: &mut Vec<Part>, open: &mut bool, voice: Voice, text: &str) {
    if text.is_empty() {
        return;
    }
    match (parts.last_mut(), voice) {
        (Some(Part::Text { text: said }), Voice::Text) if *open => said.push_str(text),
        (Some(Part::Reasoning { reasoning }), Voice::Reasoning) if *open => reasoning.push_str(text),
        (_, Voice::Text) => parts.push(Part::Text { text: text.to_owned() }),
        (_, Voice::Reasoning) => parts.push(Part::Reasoning { reasoning: text.to_owned() }),
    }
    *open = true;
}

/// The text of a message: its text parts, a paragraph each.
pub fn content(parts: &[Part]) -> String {
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Text { text } => Some(text.trim()),
            _ => None,
        })
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n\n")
}

/// The parts of a message that a client brought along: text and thinking as they are, everything else as text that
/// tells what it was. So nothing in it looks like a call, an approval or a handoff that took place here.
pub fn flattened(parts: &Value) -> Value {
    let Value::Array(parts) = parts else { return Value::Null };
    parts.iter().map(flat).collect()
}

/// The steps whose results these parts name.
pub fn result_seqs(parts: &Value) -> impl Iterator<Item = i64> {
    parts.as_array().into_iter().flatten().filter_map(|part| part["resultSeq"].as_i64())
}

/// Parts as people read them: with the results in place of the steps that hold them.
pub fn put_results(parts: &mut Value, results: &HashMap<i64, Value>) {
    for part in parts.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        if let Some(seq) = part.remove("resultSeq").and_then(|seq| seq.as_i64())
            && let Some(result) = results.get(&seq)
        {
            part.insert("result".to_owned(), result.clone());
        }
    }
}

/// Approvals that were asked for before parts named their arguments are given the name, so that they can be decided.
pub fn name_arguments(parts: &mut Value) {
    for part in parts.as_array_mut().into_iter().flatten() {
        let is_unnamed =
            part["type"] == "approval" && part["status"] == "pending" && part["argsHash"].is_null();
        if let (true, Some(tool), Some(args)) =
            (is_unnamed, part["toolName"].as_str(), part["args"].as_object())
        {
            part["argsHash"] = json!(arguments_hash(tool, args));
        }
    }
}

fn flat(part: &Value) -> Value {
    match (part["type"].as_str(), &part["text"], &part["reasoning"]) {
        (Some("text"), Value::String(text), _) => json!({"type": "text", "text": text}),
        (Some("reasoning"), _, Value::String(reasoning)) => {
            json!({"type": "reasoning", "reasoning": reasoning})
        }
        _ => json!({"type": "text", "text": format!("Imported: {part}")}),
    }
}

#[cfg(test)]
mod tests;
