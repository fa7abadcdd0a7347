//! Approvals: a person's decision on one tool call, bound to agent, call and arguments.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

use crate::ids::{AgentId, ApprovalId, ConversationId, MessageId, TaskId, WorkspaceId};
use crate::tools::Preview;
use crate::words;

words! {
    Decision {
        Approved => "approved",
        Rejected => "rejected",
        /// Nobody decided in time.
        Expired => "expired",
        /// The turn ended first.
        Cancelled => "cancelled",
    }
}

impl Decision {
    /// Whether a person decided; the other statuses say how the approval ended without a decision.
    pub fn is_a_persons(self) -> bool {
        matches!(self, Self::Approved | Self::Rejected)
    }
}

words! {
    ApprovalStatus {
        Pending => "pending",
        Approved => "approved",
        Rejected => "rejected",
        Expired => "expired",
        Cancelled => "cancelled",
    }
}

impl From<Decision> for ApprovalStatus {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Approved => Self::Approved,
            Decision::Rejected => Self::Rejected,
            Decision::Expired => Self::Expired,
            Decision::Cancelled => Self::Cancelled,
        }
    }
}

/// How long a person has to decide.
pub const APPROVAL_TIME: Duration = Duration::hours(24);
pub const MAX_REASON: usize = 2_000;

/// An approval to be asked for, with the turn's commit.
#[derive(Debug, Clone, PartialEq)]
pub struct NewApproval {
    pub id: ApprovalId,
    pub agent_id: AgentId,
    pub message_id: MessageId,
    pub call_id: String,
    pub tool_name: String,
    pub args: Map<String, Value>,
    pub expires_at: DateTime<Utc>,
    pub preview: Option<Preview>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Approval {
    pub id: ApprovalId,
    pub workspace_id: WorkspaceId,
    pub conversation_id: ConversationId,
    pub task_id: TaskId,
    pub agent_id: AgentId,
    pub call_id: String,
    pub tool_name: String,
    pub args: Map<String, Value>,
    pub args_hash: String,
    pub status: ApprovalStatus,
    pub reason: Option<String>,
    pub decided_by: Option<String>,
    pub decided_at: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
    /// What the call would change, where its tool can tell.
    pub preview: Option<Preview>,
    pub created_at: DateTime<Utc>,
}

/// What an approval is bound to: the same arguments in any order of keys, and no others.
pub fn arguments_hash(tool: &str, args: &Map<String, Value>) -> String {
    let mut sha = Sha256::new();
    sha.update(tool.as_bytes());
    sha.update([0]);
    sha.update(canonical(&Value::Object(args.clone())).as_bytes());
    sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of the arguments that a decision is about: those that were shown, or what the person made of them.
pub fn decided_hash(
    tool: &str,
    shown: Option<&String>,
    changed: Option<&Map<String, Value>>,
) -> Option<String> {
    changed.map(|args| arguments_hash(tool, args)).or_else(|| shown.cloned())
}

/// A value as one text, whatever the order of its keys and however its numbers are written.
pub(crate) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.keys().collect();
            keys.sort();
            let fields: Vec<_> = keys
                .into_iter()
                .map(|key| format!("{}:{}", Value::from(key.as_str()), canonical(&map[key])))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Number(number) => canonical_number(number),
        other => other.to_string(),
    }
}

/// Whole numbers have no fraction and no exponent: databases don't keep how a number was written.
fn canonical_number(number: &Number) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT => {
            format!("{}", float as i64)
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests;
