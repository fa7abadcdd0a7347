//! What a real database holds of a conversation, read by SQL in one query and without the store: the checks of a
//! simulation must not rely on the code that they check.

use std::collections::HashMap;

use baton_core::agents::PermissionMode;
use baton_core::conversations::Conversation;
use baton_core::fold::Spoken;
use baton_core::handoffs::Activation;
use baton_core::ids::*;
use baton_core::log::{LoggedStep, NewStep, Step};
use baton_core::models::{PaidBy, Usage};
use baton_core::spending::{CallRef, UsageRow};
use baton_core::subtasks::Subtask;
use baton_core::turns::TurnRow;
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, IsolationLevel, QueryResult, Statement,
    TransactionTrait, Value,
};
use serde_json::Value as Json;
use uuid::Uuid;

use super::memory_rows::{Row, StoredMessage};

struct Look(DatabaseTransaction);

impl Look {
    async fn all(&self, sql: &str, id: Uuid) -> Result<Vec<QueryResult>, DbErr> {
        let statement = Statement::from_sql_and_values(self.0.get_database_backend(), sql, [id.into()]);
        self.0.query_all_raw(statement).await
    }
}

fn id(row: &QueryResult, column: &str) -> Result<Uuid, DbErr> {
    row.try_get("", column)
}

fn maybe_id(row: &QueryResult, column: &str) -> Result<Option<Uuid>, DbErr> {
    row.try_get("", column)
}

fn number(row: &QueryResult, column: &str) -> Result<i64, DbErr> {
    row.try_get("", column)
}

fn word<T: std::str::FromStr<Err = String>>(row: &QueryResult, column: &str) -> Result<T, DbErr> {
    row.try_get::<String>("", column)?.parse().map_err(DbErr::Type)
}

fn json<T: serde::de::DeserializeOwned>(row: &QueryResult, column: &str) -> Result<T, DbErr> {
    let value = row.try_get::<Option<Json>>("", column)?.unwrap_or_default();
    serde_json::from_value(value).map_err(|error| DbErr::Json(error.to_string()))
}

pub async fn conversations(db: &DatabaseConnection) -> Result<Vec<ConversationId>, DbErr> {
    let sql = "SELECT id FROM agent_conversations ORDER BY id";
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    rows.iter().map(|row| id(row, "id").map(ConversationId)).collect()
}

pub async fn last_seq(db: &DatabaseConnection, of: ConversationId) -> Result<i64, DbErr> {
    let sql = "SELECT last_seq FROM agent_conversations WHERE id = $1";
    let values: [Value; 1] = [of.0.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let row = db.query_one_raw(statement).await?;
    number(&row.ok_or_else(|| DbErr::RecordNotFound(of.to_string()))?, "last_seq")
}

/// How many memories there are, and how many of them were written more than once.
pub async fn memories(db: &DatabaseConnection) -> Result<(i64, i64), DbErr> {
    let sql = "SELECT COUNT(*) AS there_are, COUNT(CASE WHEN updated_at <> created_at THEN 1 END) AS twice \
               FROM agent_memories";
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("a count".to_owned()))?;
    Ok((number(&row, "there_are")?, number(&row, "twice")?))
}

pub async fn row(db: &DatabaseConnection, of: ConversationId) -> Result<Row, DbErr> {
    let look = Look(db.begin_with_config(isolation(db), None).await?);
    let found = look.all("SELECT * FROM agent_conversations WHERE id = $1", of.0).await?;
    let found = found.first().ok_or_else(|| DbErr::RecordNotFound(of.to_string()))?;
    let (conversation, turn) = conversation(found)?;
    let steps = steps(&look, of).await?;
    let tasks =
        look.all("SELECT id, parent_id, ended_at FROM tasks WHERE conversation_id = $1", of.0).await?;
    let parents = tasks.iter().map(|task| Ok((id(task, "id")?, maybe_id(task, "parent_id")?)));
    let parents: HashMap<Uuid, Option<Uuid>> = parents.collect::<Result<_, DbErr>>()?;
    let working = tasks.iter().map(|task| {
        let ended: Option<DateTime<Utc>> = task.try_get("", "ended_at")?;
        Ok((TaskId(id(task, "id")?), ended.is_none()))
    });
    let row = Row {
        messages: messages(&look, of).await?,
        memories: written(&look, &steps).await?,
        usage: usage(&look, of, &parents).await?,
        approvals: pending(&look, of, &steps).await?,
        tasks: working.collect::<Result<_, DbErr>>()?,
        turn,
        activations: activations(&look, of).await?,
        snapshots: snapshots(&look, of).await?,
        steps,
        ..Row::new(conversation)
    };
    look.0.commit().await?;
    Ok(row)
}

/// On SQLite a transaction sees one state anyhow.
fn isolation(db: &DatabaseConnection) -> Option<IsolationLevel> {
    (db.get_database_backend() == sea_orm::DbBackend::Postgres).then_some(IsolationLevel::RepeatableRead)
}

fn conversation(row: &QueryResult) -> Result<(Conversation, Option<TurnRow>), DbErr> {
    let subtask = match maybe_id(row, "parent_id")? {
        None => None,
        Some(parent) => Some(Subtask {
            parent_id: ConversationId(parent),
            depth: row.try_get("", "subtask_depth")?,
            mode: word::<PermissionMode>(row, "subtask_mode")?,
        }),
    };
    let stop: Option<DateTime<Utc>> = row.try_get("", "stop_requested_at")?;
    let (attempt, tries) = (row.try_get("", "turn_attempt")?, row.try_get("", "turn_tries")?);
    let owner = maybe_id(row, "turn_owner")?.map(NodeId);
    let turn = maybe_id(row, "turn_task_id")?.map(|task| TurnRow {
        task_id: TaskId(task),
        owner,
        attempt,
        tries,
        stop_requested: stop.is_some(),
    });
    let conversation = Conversation {
        id: ConversationId(id(row, "id")?),
        workspace_id: WorkspaceId(id(row, "workspace_id")?),
        agent_id: AgentId(id(row, "agent_id")?),
        team_id: maybe_id(row, "team_id")?.map(TeamId),
        person: Person::Profile(ProfileId(id(row, "user_id")?)),
        title: row.try_get("", "title")?,
        last_seq: number(row, "last_seq")?,
        epoch: number(row, "epoch")?,
        forked_from: None,
        forked_seq: None,
        family_id: None,
        left_writes_behind: false,
        subtask,
        created_at: row.try_get("", "created_at")?,
        updated_at: row.try_get("", "updated_at")?,
    };
    Ok((conversation, turn))
}

async fn snapshots(look: &Look, of: ConversationId) -> Result<Vec<(String, Json)>, DbErr> {
    let sql = "SELECT stage, data FROM snapshots WHERE conversation_id = $1 ORDER BY stage, version";
    let rows = look.all(sql, of.0).await?;
    rows.iter().map(|row| Ok((row.try_get("", "stage")?, row.try_get("", "data")?))).collect()
}

async fn activations(look: &Look, of: ConversationId) -> Result<Vec<Activation>, DbErr> {
    let sql = "SELECT * FROM activations WHERE conversation_id = $1 ORDER BY began_seq, id";
    let rows = look.all(sql, of.0).await?;
    let activation = |row: &QueryResult| {
        Ok(Activation {
            id: ActivationId(id(row, "id")?),
            agent_id: AgentId(id(row, "agent_id")?),
            status: word(row, "status")?,
            trigger: word(row, "trigger")?,
            reason: row.try_get("", "reason")?,
            summary: row.try_get("", "activation_summary")?,
            message_id: maybe_id(row, "message_id")?.map(MessageId),
            context: json::<Option<_>>(row, "context")?.unwrap_or_default(),
            context_data: json(row, "context_data")?,
            resumes: maybe_id(row, "resumes")?.map(ActivationId),
            is_pinned: row.try_get("", "is_pinned")?,
            began_seq: number(row, "began_seq")?,
            began_at: row.try_get("", "began_at")?,
            ended_at: row.try_get("", "ended_at")?,
        })
    };
    rows.iter().map(activation).collect()
}

async fn steps(look: &Look, of: ConversationId) -> Result<Vec<LoggedStep>, DbErr> {
    let rows = look.all("SELECT * FROM task_messages WHERE conversation_id = $1 ORDER BY seq", of.0).await?;
    let step = |row: &QueryResult| {
        Ok(LoggedStep {
            seq: number(row, "seq")?,
            task_id: maybe_id(row, "task_id")?.map(TaskId),
            agent_id: AgentId(id(row, "agent_id")?),
            message_id: maybe_id(row, "message_id")?.map(MessageId),
            step: json::<Step>(row, "body")?,
            at: row.try_get("", "created_at")?,
        })
    };
    rows.iter().map(step).collect()
}

async fn messages(look: &Look, of: ConversationId) -> Result<Vec<(i64, StoredMessage)>, DbErr> {
    let rows = look.all("SELECT * FROM agent_messages WHERE conversation_id = $1 ORDER BY seq", of.0).await?;
    let message = |row: &QueryResult| {
        let message = MessageId(id(row, "id")?);
        let stored = if row.try_get::<String>("", "role")? == "user" {
            StoredMessage::User { id: message, content: row.try_get("", "content")? }
        } else {
            let (agent, attempt) = (AgentId(id(row, "agent_id")?), row.try_get("", "attempt")?);
            let mut spoken =
                Spoken::stored(message, agent, attempt, word(row, "status")?, json(row, "parts")?);
            let metadata: Json = row.try_get("", "metadata")?;
            spoken.error = serde_json::from_value(metadata["error"].clone()).ok();
            StoredMessage::Spoken(spoken)
        };
        Ok((number(row, "seq")?, stored))
    };
    rows.iter().map(message).collect()
}

/// Memories that calls of this log wrote: each call has a key of its own.
async fn written(look: &Look, steps: &[LoggedStep]) -> Result<Vec<String>, DbErr> {
    let sql = "SELECT path FROM agent_memories WHERE id <> $1";
    let rows = look.all(sql, Uuid::nil()).await?;
    let own = |path: &str| {
        steps.iter().any(|logged| matches!(&logged.step, Step::ToolCall(call) if call.args.get("key").is_some_and(|key| *key == *path)))
    };
    let paths: Vec<String> = rows.iter().map(|row| row.try_get("", "path")).collect::<Result<_, DbErr>>()?;
    Ok(paths.into_iter().filter(|path| own(path)).collect())
}

/// By the turn that used it: the first task of the conversation above the one that did.
async fn usage(
    look: &Look,
    of: ConversationId,
    parents: &HashMap<Uuid, Option<Uuid>>,
) -> Result<Vec<(TaskId, UsageRow)>, DbErr> {
    let rows = look.all("SELECT * FROM model_usage WHERE conversation_id = $1", of.0).await?;
    let used = |row: &QueryResult| {
        let task = id(row, "task_id")?;
        let mut root = task;
        while let Some(Some(parent)) = parents.get(&root)
            && parents.contains_key(parent)
        {
            root = *parent;
        }
        let tokens = |column| number(row, column).map(i64::unsigned_abs);
        let usage = Usage {
            input_tokens: tokens("input_tokens")?,
            cache_read_tokens: tokens("cache_read_tokens")?,
            cache_write_tokens: tokens("cache_write_tokens")?,
            output_tokens: tokens("output_tokens")?,
            reasoning_tokens: tokens("reasoning_tokens")?,
        };
        let used = UsageRow {
            call: CallRef::of(number(row, "call_seq")?, row.try_get("", "router_attempt")?),
            is_open: row.try_get("", "is_open")?,
            task_id: TaskId(task),
            agent_id: AgentId(id(row, "agent_id")?),
            profile_id: row.try_get::<Option<Uuid>>("", "profile_id")?.map(ProfileId),
            model: row.try_get("", "model")?,
            usage,
            cost_micros: row.try_get("", "cost_micros")?,
            is_estimate: row.try_get("", "is_estimate")?,
            is_public: row.try_get("", "is_public")?,
            paid_by: if row.try_get("", "is_own")? { PaidBy::Workspace } else { PaidBy::Server },
        };
        Ok((TaskId(root), used))
    };
    rows.iter().map(used).collect()
}

/// Approvals a person can decide on, with the step that asked.
async fn pending(
    look: &Look,
    of: ConversationId,
    steps: &[LoggedStep],
) -> Result<Vec<(ApprovalId, TaskId, NewStep)>, DbErr> {
    let sql = "SELECT id, task_id FROM approvals WHERE conversation_id = $1 AND status = 'pending'";
    let mut pending = Vec::new();
    for row in look.all(sql, of.0).await? {
        let approval = ApprovalId(id(&row, "id")?);
        let asked = steps.iter().find(
            |logged| matches!(logged.step, Step::ApprovalAsked { approval_id, .. } if approval_id == approval),
        );
        let LoggedStep { task_id, agent_id, message_id, step, .. } =
            asked.expect("the step that asks").clone();
        pending.push((
            approval,
            TaskId(id(&row, "task_id")?),
            NewStep { task_id, agent_id, message_id, step },
        ));
    }
    Ok(pending)
}
