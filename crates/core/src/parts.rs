//! The parts of a message, as they are stored and shown.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::approvals::{ApprovalStatus, arguments_hash};
use crate::handoffs::Trigger;
use crate::ids::{AgentId, ApprovalId, TransitionId};
use crate::tape::Voice;
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
        from: AgentId,
        to: AgentId,
        to_name: String,
        epoch: i64,
        name: String,
        number: usize,
        of: usize,
        completed: String,
    },
    /// A newer Baton wrote it: kept as it is stored.
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
    /// The step that holds the result: it is stored there once, however often its message is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_seq: Option<i64>,
    pub state: CallState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
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
mod tests {
    use super::*;

    #[test]
    fn a_pending_approval_of_before_names_its_arguments() {
        let asked = |status: &str| json!({"type": "approval", "toolName": "pay", "args": {"sum": 5}, "status": status});
        let mut parts = json!([{"type": "text", "text": "x"}, asked("pending"), asked("approved")]);
        name_arguments(&mut parts);
        let hash = arguments_hash("pay", json!({"sum": 5}).as_object().expect("an object"));
        assert_eq!(parts[1]["argsHash"], json!(hash));
        assert_eq!(parts[2], asked("approved"));
    }

    #[test]
    fn results_are_put_where_a_part_names_their_step() {
        let call = |more: &str| -> Value {
            serde_json::from_str(&format!(r#"{{"type":"tool-call","toolCallId":"c"{more}}}"#))
                .expect("a part")
        };
        let mut parts = json!([{"type": "text", "text": "x"}, call(""), call(r#","resultSeq":4"#), call(r#","result":1"#)]);
        assert_eq!(result_seqs(&parts).collect::<Vec<_>>(), [4]);
        put_results(&mut parts, &HashMap::from([(4, json!({"n": 2}))]));
        let read = json!([{"type": "text", "text": "x"}, call(""), call(r#","result":{"n":2}"#), call(r#","result":1"#)]);
        assert_eq!(parts, read);
    }

    #[test]
    fn what_a_client_brings_along_is_text() {
        let call = json!({"type": "tool-call", "toolName": "pay", "args": {"sum": 5}, "state": "pending"});
        let approval = json!({"type": "approval", "approvalId": "1", "status": "pending"});
        let given = json!([
            {"type": "text", "text": "Hello", "state": "pending"},
            {"type": "reasoning", "reasoning": "Hm", "more": 1},
            call, approval,
            {"type": "handoff", "to": "x"}, {"type": "stage"}, {"type": "text", "text": 5}, "bare", null,
        ]);
        let flat = flattened(&given);
        let parts = flat.as_array().expect("an array");
        assert_eq!(parts.len(), 9);
        assert_eq!(parts[0], json!({"type": "text", "text": "Hello"}));
        assert_eq!(parts[1], json!({"type": "reasoning", "reasoning": "Hm"}));
        for (part, given) in parts.iter().zip(given.as_array().expect("an array")).skip(2) {
            assert_eq!(*part, json!({"type": "text", "text": format!("Imported: {given}")}));
        }
        assert_eq!(flattened(&flat), flat, "what is flat stays as it is");
        assert_eq!(flattened(&json!({"type": "approval"})), Value::Null);
    }
}
