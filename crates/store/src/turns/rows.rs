//! A commit as rows, the same for both engines. Postgres reads them as JSON, SQLite binds them.

use std::collections::BTreeMap;

use baton_core::approvals::arguments_hash;
use baton_core::conversations::MessageRole;
use baton_core::fold::Spoken;
use baton_core::ids::{AgentId, ConversationId};
use baton_core::log::{MessageStatus, NewStep, TurnStatus};
use baton_core::store::{Error, Result};
use baton_core::tools::Change;
use baton_core::turns::{After, Commit, MessageWrite, ResolvedApproval, UsageRow};
use baton_core::{memories, text};
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::Set;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::entities::task_messages;

#[derive(Debug, Serialize)]
pub struct StepRow {
    pub seq: i64,
    pub task_id: Option<Uuid>,
    pub agent_id: Uuid,
    pub message_id: Option<Uuid>,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub body: Value,
}

fn step_row(seq: i64, new: &NewStep) -> Result<StepRow> {
    Ok(StepRow {
        seq,
        task_id: new.task_id.map(|id| id.0),
        agent_id: new.agent_id.0,
        message_id: new.message_id.map(|id| id.0),
        kind: new.step.kind(),
        body: new.step.body().map_err(|error| Error::Database(Box::new(error)))?,
    })
}

/// The same for what is stored outside the turn's own commits.
pub fn step_model(
    conversation: Uuid,
    seq: i64,
    new: &NewStep,
    at: DateTime<Utc>,
) -> Result<task_messages::ActiveModel> {
    let row = step_row(seq, new)?;
    Ok(task_messages::ActiveModel {
        conversation_id: Set(conversation),
        seq: Set(seq),
        task_id: Set(row.task_id),
        agent_id: Set(row.agent_id),
        message_id: Set(row.message_id),
        kind: Set(row.kind.to_owned()),
        body: Set(row.body),
        created_at: Set(at),
    })
}

/// Steps numbered from the one after `last_seq`.
pub fn step_rows<'a>(last_seq: i64, steps: impl Iterator<Item = &'a NewStep>) -> Result<Vec<StepRow>> {
    (last_seq + 1..).zip(steps).map(|(seq, step)| step_row(seq, step)).collect()
}

#[derive(Debug, Serialize)]
pub struct MessageRow {
    pub id: Uuid,
    pub seq: i64,
    pub agent_id: Uuid,
    pub role: &'static str,
    pub content: String,
    pub search_text: String,
    pub parts: Option<Value>,
    pub metadata: Value,
    pub status: &'static str,
    pub attempt: i32,
}

/// New messages, and changed ones (whose `seq` means nothing).
pub fn message_rows(last_seq: i64, writes: &[MessageWrite]) -> Result<(Vec<MessageRow>, Vec<MessageRow>)> {
    let (mut new, mut changed) = (Vec::new(), Vec::new());
    for write in writes {
        match write {
            MessageWrite::User { id, agent_id, content, metadata, step } => new.push(MessageRow {
                id: id.0,
                seq: last_seq + 1 + *step as i64,
                agent_id: agent_id.0,
                role: MessageRole::User.as_str(),
                search_text: text::fold(content),
                content: content.clone(),
                parts: Some(json!([{"type": "text", "text": content}])),
                metadata: metadata.clone(),
                status: MessageStatus::Complete.as_str(),
                attempt: 1,
            }),
            MessageWrite::Begin { spoken, step } => {
                new.push(spoken_row(spoken, last_seq + 1 + *step as i64, json!({}))?);
            }
            MessageWrite::Update { spoken, metadata } => {
                changed.push(spoken_row(spoken, 0, metadata.clone())?);
            }
        }
    }
    Ok((new, changed))
}

fn spoken_row(spoken: &Spoken, seq: i64, metadata: Value) -> Result<MessageRow> {
    let content = spoken.content();
    Ok(MessageRow {
        id: spoken.id.0,
        seq,
        agent_id: spoken.agent_id.0,
        role: MessageRole::Assistant.as_str(),
        search_text: text::fold(&content),
        content,
        parts: Some(to_json(&spoken.parts)?),
        metadata,
        status: spoken.status.as_str(),
        attempt: spoken.attempt,
    })
}

#[derive(Debug, Serialize)]
pub struct ApprovalRow {
    pub id: Uuid,
    pub agent_id: Uuid,
    pub message_id: Uuid,
    pub call_id: String,
    pub tool_name: String,
    pub args: Value,
    pub args_hash: String,
    pub expires_at: chrono::DateTime<chrono::Utc>,
}

#[derive(Debug, Serialize)]
pub struct ResolvedRow {
    pub id: Uuid,
    pub status: &'static str,
    pub decided_by: String,
    pub reason: Option<String>,
}

pub fn resolved_rows(resolved: &[ResolvedApproval]) -> Vec<ResolvedRow> {
    let row = |approval: &ResolvedApproval| ResolvedRow {
        id: approval.id.0,
        status: approval.decision.as_str(),
        decided_by: approval.by.clone(),
        reason: approval.reason.clone(),
    };
    resolved.iter().map(row).collect()
}

#[derive(Debug, Serialize)]
pub struct UsedRow {
    pub id: Uuid,
    pub task_id: Uuid,
    pub agent_id: Uuid,
    pub model: String,
    pub input_tokens: i64,
    pub cache_read_tokens: i64,
    pub cache_write_tokens: i64,
    pub output_tokens: i64,
    pub reasoning_tokens: i64,
    pub cost_micros: Option<i64>,
    pub is_estimate: bool,
    pub is_public: bool,
}

fn used_row(used: &UsageRow) -> UsedRow {
    let tokens = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    UsedRow {
        id: Uuid::now_v7(),
        task_id: used.task_id.0,
        agent_id: used.agent_id.0,
        model: used.model.clone(),
        input_tokens: tokens(used.usage.input_tokens),
        cache_read_tokens: tokens(used.usage.cache_read_tokens),
        cache_write_tokens: tokens(used.usage.cache_write_tokens),
        output_tokens: tokens(used.usage.output_tokens),
        reasoning_tokens: tokens(used.usage.reasoning_tokens),
        cost_micros: used.cost_micros,
        is_estimate: used.is_estimate,
        is_public: used.is_public,
    }
}

#[derive(Debug, Serialize)]
pub struct MemoryRow {
    pub id: Uuid,
    pub agent_id: Uuid,
    pub path: String,
    pub content: String,
    pub search_text: String,
}

#[derive(Debug, Serialize)]
pub struct ForgottenRow {
    pub agent_id: Uuid,
    pub path: String,
}

/// Everything a commit writes besides its guard.
pub struct CommitRows {
    pub conversation_id: ConversationId,
    pub steps: Vec<StepRow>,
    pub new_messages: Vec<MessageRow>,
    pub changed_messages: Vec<MessageRow>,
    pub memories: Vec<MemoryRow>,
    pub forgotten: Vec<ForgottenRow>,
    pub approvals: Vec<ApprovalRow>,
    pub resolved: Vec<ResolvedRow>,
    pub usage: Vec<UsedRow>,
    /// The task's status after it, and whether it is over.
    pub task_status: &'static str,
    pub is_over: bool,
}

impl CommitRows {
    pub fn new(commit: &Commit) -> Result<Self> {
        let last_seq = commit.guard.last_seq;
        let (new_messages, changed_messages) = message_rows(last_seq, &commit.messages)?;
        let (memories, forgotten) = memory_rows(&commit.changes);
        let (task_status, is_over) = task_status(commit.after);
        Ok(Self {
            conversation_id: commit.guard.conversation_id,
            steps: step_rows(last_seq, commit.steps.iter().chain(&commit.next_call))?,
            new_messages,
            changed_messages,
            memories,
            forgotten,
            approvals: approval_rows(commit),
            resolved: resolved_rows(&commit.resolved),
            usage: commit.usage.iter().map(used_row).collect(),
            task_status,
            is_over,
        })
    }
}

/// How a task stands after a commit, and whether it is over.
pub fn task_status(after: After) -> (&'static str, bool) {
    match after {
        After::Running { .. } => ("running", false),
        After::Waiting => ("waiting", false),
        After::Ended(TurnStatus::Completed) => ("completed", true),
        After::Ended(TurnStatus::Stopped) => ("cancelled", true),
        After::Ended(TurnStatus::Failed) => ("failed", true),
    }
}

/// What is written and what is forgotten, each path once: the last of several changes to it holds. In the order of
/// paths, so that two commits on Postgres wait for each other in one direction only.
fn memory_rows(changes: &[(AgentId, Change)]) -> (Vec<MemoryRow>, Vec<ForgottenRow>) {
    let mut last: BTreeMap<(Uuid, &str), Option<&str>> = BTreeMap::new();
    for (agent_id, change) in changes {
        match change {
            Change::PutMemory { path, content } => last.insert((agent_id.0, path), Some(content)),
            Change::DeleteMemory { path } => last.insert((agent_id.0, path), None),
            Change::PutContext { .. } => None,
        };
    }
    let (mut written, mut forgotten) = (Vec::new(), Vec::new());
    for ((agent_id, path), content) in last {
        let path = path.to_owned();
        match content {
            Some(content) => written.push(MemoryRow {
                id: Uuid::now_v7(),
                agent_id,
                search_text: memories::search_text(&path, content),
                path,
                content: content.to_owned(),
            }),
            None => forgotten.push(ForgottenRow { agent_id, path }),
        }
    }
    (written, forgotten)
}

fn approval_rows(commit: &Commit) -> Vec<ApprovalRow> {
    let rows = commit.approvals.iter().map(|new| ApprovalRow {
        id: new.id.0,
        agent_id: new.agent_id.0,
        message_id: new.message_id.0,
        call_id: new.call_id.clone(),
        tool_name: new.tool_name.clone(),
        args_hash: arguments_hash(&new.tool_name, &new.args),
        args: Value::Object(new.args.clone()),
        expires_at: new.expires_at,
    });
    rows.collect()
}

pub fn to_json<T: Serialize>(value: &T) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| Error::Database(Box::new(error)))
}
