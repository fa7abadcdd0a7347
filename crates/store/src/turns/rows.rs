//! A commit as rows, the same for both engines, built before either engine gets it: what is JSON is text by then, so that
//! SQLite's one writer doesn't make it. Postgres reads the rows as JSON, SQLite binds them.

use baton_core::approvals::arguments_hash;
use baton_core::conversations::MessageRole;
use baton_core::fold::Spoken;
use baton_core::ids::ConversationId;
use baton_core::log::{MessageStatus, NewStep, Step, TurnStatus};
use baton_core::models::PaidBy;
use baton_core::spending::UsageRow;
use baton_core::store::{Error, Result};
use baton_core::text;
use baton_core::turns::{
    Accept, After, Commit, Guard, MessageWrite, NewConversation, ResolvedApproval, Terms,
};
use baton_core::visitors::Person;
use chrono::{DateTime, Duration, Utc};
use sea_orm::ActiveValue::Set;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::KEY_DAYS;
use super::handoff_rows::HandoffRows;
use super::json::Json;
use super::subtask_rows::SubtaskRow;
use crate::entities::task_messages;

#[derive(Debug, Serialize)]
pub struct StepRow {
    pub seq: i64,
    pub task_id: Option<Uuid>,
    pub agent_id: Uuid,
    pub message_id: Option<Uuid>,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub body: Json,
}

fn step_row(seq: i64, new: &NewStep) -> Result<StepRow> {
    Ok(StepRow {
        seq,
        task_id: new.task_id.map(|id| id.0),
        agent_id: new.agent_id.0,
        message_id: new.message_id.map(|id| id.0),
        kind: new.step.kind(),
        body: match &new.step {
            Step::Unknown(body) => Json::of(body)?,
            known => Json::of(known)?,
        },
    })
}

/// The same for what is stored outside the turn's own commits.
pub fn step_model(
    conversation: Uuid,
    seq: i64,
    new: &NewStep,
    at: DateTime<Utc>,
) -> Result<task_messages::ActiveModel> {
    Ok(task_messages::ActiveModel {
        conversation_id: Set(conversation),
        seq: Set(seq),
        task_id: Set(new.task_id.map(|id| id.0)),
        agent_id: Set(new.agent_id.0),
        message_id: Set(new.message_id.map(|id| id.0)),
        kind: Set(new.step.kind().to_owned()),
        body: Set(new.step.body().map_err(|error| Error::Database(Box::new(error)))?),
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
    pub parts: Json,
    pub metadata: Json,
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
                parts: Json::of(&json!([{"type": "text", "text": content}]))?,
                metadata: Json::of(metadata)?,
                status: MessageStatus::Complete.as_str(),
                attempt: 1,
            }),
            MessageWrite::Begin { spoken, step } => {
                new.push(spoken_row(spoken, last_seq + 1 + *step as i64, &json!({}))?);
            }
            MessageWrite::Update { spoken, metadata } => {
                changed.push(spoken_row(spoken, 0, metadata)?);
            }
        }
    }
    Ok((new, changed))
}

fn spoken_row(spoken: &Spoken, seq: i64, metadata: &Value) -> Result<MessageRow> {
    let content = spoken.content();
    Ok(MessageRow {
        id: spoken.id.0,
        seq,
        agent_id: spoken.agent_id.0,
        role: MessageRole::Assistant.as_str(),
        search_text: text::fold(&content),
        content,
        parts: Json::of(&spoken.parts)?,
        metadata: Json::of(metadata)?,
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
    pub args: Json,
    pub args_hash: String,
    pub expires_at: chrono::DateTime<chrono::Utc>,
    pub preview: Option<Json>,
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
pub struct ModelUsageRow {
    pub id: Uuid,
    pub call_seq: i64,
    pub router_attempt: Option<i32>,
    pub is_open: bool,
    pub task_id: Uuid,
    pub agent_id: Uuid,
    pub profile_id: Option<Uuid>,
    pub model: String,
    pub input_tokens: i64,
    pub cache_read_tokens: i64,
    pub cache_write_tokens: i64,
    pub output_tokens: i64,
    pub reasoning_tokens: i64,
    pub cost_micros: Option<i64>,
    pub is_estimate: bool,
    pub is_public: bool,
    pub is_own: bool,
}

pub fn model_usage_row(conversation: ConversationId, used: &UsageRow) -> ModelUsageRow {
    let tokens = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    ModelUsageRow {
        id: used.call.row_id(conversation),
        call_seq: used.call.seq(),
        router_attempt: used.call.router_attempt(),
        is_open: used.is_open,
        task_id: used.task_id.0,
        agent_id: used.agent_id.0,
        profile_id: used.profile_id.map(|id| id.0),
        model: used.model.clone(),
        input_tokens: tokens(used.usage.input_tokens),
        cache_read_tokens: tokens(used.usage.cache_read_tokens),
        cache_write_tokens: tokens(used.usage.cache_write_tokens),
        output_tokens: tokens(used.usage.output_tokens),
        reasoning_tokens: tokens(used.usage.reasoning_tokens),
        cost_micros: used.cost_micros,
        is_estimate: used.is_estimate,
        is_public: used.is_public,
        is_own: used.paid_by == PaidBy::Workspace,
    }
}

/// Everything a commit writes.
pub struct CommitRows {
    pub conversation_id: Uuid,
    pub workspace_id: Uuid,
    pub at: DateTime<Utc>,
    pub terms: Terms,
    pub guard: GuardRows,
    /// The number of changes at which the commit's agents were read (`Commit::known`).
    pub known: Option<u64>,
    /// The turn that waited and ends with it.
    pub ends: Option<Uuid>,
    /// About how many bytes its steps have.
    pub bytes: i64,
    /// How many steps are stored whatever happens; one more may follow, unless someone asked to stop.
    pub certain: i64,
    pub steps: Vec<StepRow>,
    pub new_messages: Vec<MessageRow>,
    pub changed_messages: Vec<MessageRow>,
    pub approvals: Vec<ApprovalRow>,
    pub resolved: Vec<ResolvedRow>,
    pub usage: Vec<ModelUsageRow>,
    pub handoff: HandoffRows,
    pub subtask: Option<SubtaskRow>,
    pub stops: Vec<Uuid>,
}

/// What only this kind of commit writes.
pub enum GuardRows {
    Accept(Box<AcceptRow>),
    Turn { task_id: Uuid, working: Uuid, after: After },
    Switch,
}

pub struct AcceptRow {
    pub begins: Option<NewConversation>,
    pub title: Option<String>,
    pub search_text: String,
    pub person: Person,
    pub agent_id: Uuid,
    pub node: Uuid,
    pub task_id: Uuid,
    pub token_id: Option<Uuid>,
    pub input: Json,
    pub context: Json,
    pub key: Option<KeyRow>,
}

pub struct KeyRow {
    pub key: String,
    pub body_hash: Vec<u8>,
    pub first_seq: i64,
    /// Keys older than this no longer count.
    pub since: DateTime<Utc>,
}

impl CommitRows {
    pub fn new(commit: &Commit) -> Result<Self> {
        let last_seq = commit.last_seq;
        let (new_messages, changed_messages) = message_rows(last_seq, &commit.messages)?;
        let steps = step_rows(last_seq, commit.steps.iter().chain(&commit.next_call))?;
        Ok(Self {
            conversation_id: commit.conversation_id.0,
            workspace_id: commit.workspace_id.0,
            at: commit.at,
            terms: commit.terms(),
            guard: guard_rows(commit)?,
            known: commit.known,
            ends: commit.ends().map(|task| task.0),
            certain: commit.steps.len() as i64,
            bytes: steps.iter().map(|step| step.body.len()).sum(),
            steps,
            new_messages,
            changed_messages,
            approvals: approval_rows(commit)?,
            resolved: resolved_rows(&commit.resolved),
            usage: commit.usage.iter().map(|used| model_usage_row(commit.conversation_id, used)).collect(),
            handoff: HandoffRows::of(commit)?,
            subtask: commit.subtask.as_ref().map(SubtaskRow::new).transpose()?,
            stops: commit.stops.iter().map(|id| id.0).collect(),
        })
    }

    pub fn may_call(&self) -> bool {
        self.steps.len() as i64 > self.certain
    }
}

fn guard_rows(commit: &Commit) -> Result<GuardRows> {
    Ok(match &commit.guard {
        Guard::Accept(accept) => GuardRows::Accept(Box::new(accept_row(commit, accept)?)),
        Guard::Turn { fence, working, after } => {
            GuardRows::Turn { task_id: fence.task_id.0, working: working.0, after: *after }
        }
        Guard::Switch(_) => GuardRows::Switch,
    })
}

fn accept_row(commit: &Commit, accept: &Accept) -> Result<AcceptRow> {
    let key = accept.key.as_ref().map(|key| {
        let before = commit.steps.iter().take_while(|step| step.task_id != Some(accept.task_id)).count();
        KeyRow {
            key: key.key.clone(),
            body_hash: key.body_hash.clone(),
            first_seq: commit.last_seq + 1 + before as i64,
            since: commit.at - Duration::days(KEY_DAYS),
        }
    });
    Ok(AcceptRow {
        begins: accept.begins,
        search_text: text::fold(accept.title.as_deref().unwrap_or_default()),
        title: accept.title.clone(),
        person: accept.person,
        agent_id: accept.agent_id.0,
        node: accept.node.0,
        task_id: accept.task_id.0,
        token_id: accept.token_id.map(|token| token.0),
        input: Json::of(&accept.input)?,
        context: Json::of(&accept.context)?,
        key,
    })
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

/// What the turn's own commit sets of the turn on the conversation's row, in the SQL of both engines.
pub fn turn_after(after: After) -> &'static str {
    match after {
        After::Running { progressed: false } => "",
        After::Running { progressed: true } => ", turn_tries = 0",
        After::Waiting => ", turn_owner = NULL, turn_tries = 0",
        After::Ended(_) => ", turn_task_id = NULL, turn_owner = NULL, turn_tries = 0",
    }
}

fn approval_rows(commit: &Commit) -> Result<Vec<ApprovalRow>> {
    let rows = commit.approvals.iter().map(|new| {
        Ok(ApprovalRow {
            id: new.id.0,
            agent_id: new.agent_id.0,
            message_id: new.message_id.0,
            call_id: new.call_id.clone(),
            tool_name: new.tool_name.clone(),
            args_hash: arguments_hash(&new.tool_name, &new.args),
            args: Json::of(&new.args)?,
            expires_at: new.expires_at,
            preview: new.preview.as_ref().map(Json::of).transpose()?,
        })
    });
    rows.collect()
}

pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| Error::Database(Box::new(error)))
}
