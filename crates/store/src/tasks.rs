//! A turn as the tree of its tasks, including subtasks in their own conversations, for the turn's own person.

use std::collections::{BTreeSet, HashMap};

use baton_core::ids::{AgentId, ConversationId, TaskId};
use baton_core::log::{LoggedStep, Spent};
use baton_core::models::Usage;
use baton_core::store::{Error, Result, Task, TaskTree};
use baton_core::visitors::Person;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, Statement, Value,
};
use uuid::Uuid;

use crate::activations::map;
use crate::conversations;
use crate::db::{OrStoreError, now};
use crate::entities::{task_messages, tasks};
use crate::turns::logged;

pub async fn tree(db: &impl ConnectionTrait, id: TaskId, person: Person) -> Result<TaskTree> {
    let task = tasks::Entity::find_by_id(id.0).one(db).await.db()?.ok_or(Error::NotFound("task"))?;
    match conversations::find(db, ConversationId(task.conversation_id), person).await {
        Err(Error::NotFound(_)) => return Err(Error::NotFound("task")),
        other => other?,
    };
    // The one that the others hang on is the oldest; ids made later sort later.
    let root = tasks::Entity::find_by_id(task.master_task_id).one(db).await.db()?;
    let root = root.ok_or(Error::NotFound("task"))?;
    let rows = tasks::Entity::find()
        .filter(tasks::Column::ConversationId.is_in(line(db, root.conversation_id).await?))
        .filter(tasks::Column::MasterTaskId.eq(root.id))
        .order_by_asc(tasks::Column::CreatedAt)
        .order_by_asc(tasks::Column::Id)
        .all(db)
        .await
        .db()?;
    let spent = spent(db, &rows).await?;
    let of = |row: tasks::Model| Task {
        id: TaskId(row.id),
        parent_id: row.parent_id.map(TaskId),
        conversation_id: ConversationId(row.conversation_id),
        agent_id: AgentId(row.agent_id),
        status: row.status,
        input: row.input,
        context: map(row.context),
        spent: spent.get(&row.id).copied().unwrap_or(Spent::NOTHING),
        created_at: row.created_at,
        ended_at: row.ended_at,
    };
    let conversation_id = ConversationId(root.conversation_id);
    // Each conversation's part is known by its first task.
    let mut firsts: Vec<&tasks::Model> = Vec::new();
    for row in &rows {
        if !firsts.iter().any(|first| first.conversation_id == row.conversation_id) {
            firsts.push(row);
        }
    }
    let mut logged = Vec::new();
    for first in firsts {
        logged.extend(steps(db, ConversationId(first.conversation_id), first.id).await?);
    }
    Ok(TaskTree { conversation_id, tasks: rows.into_iter().map(of).collect(), steps: logged })
}

/// A conversation with all that was asked for in it and is still there.
async fn line(db: &impl ConnectionTrait, id: Uuid) -> Result<Vec<Uuid>> {
    let sql = "WITH RECURSIVE line(id) AS (SELECT id FROM agent_conversations WHERE id = $1 UNION ALL \
               SELECT asked.id FROM agent_conversations AS asked JOIN line ON asked.parent_id = line.id \
               WHERE asked.deleted_at IS NULL) SELECT id FROM line";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.into()]);
    let rows = db.query_all_raw(statement).await.db()?;
    rows.iter().map(|row| row.try_get("", "id").db()).collect()
}

async fn steps(db: &impl ConnectionTrait, id: ConversationId, turn: Uuid) -> Result<Vec<LoggedStep>> {
    let rows = task_messages::Entity::find()
        .filter(task_messages::Column::ConversationId.eq(id.0))
        .filter(task_messages::Column::TaskId.eq(turn))
        .order_by_asc(task_messages::Column::Seq)
        .all(db)
        .await
        .db()?;
    Ok(rows.into_iter().map(logged).collect())
}

#[derive(FromQueryResult)]
struct SpentRow {
    task_id: Uuid,
    input_tokens: i64,
    cache_read_tokens: i64,
    cache_write_tokens: i64,
    output_tokens: i64,
    reasoning_tokens: i64,
    cost_micros: Option<i64>,
    unpriced: i64,
}

/// By task. Usage is found by its workspace and time: that is the index it has.
async fn spent(db: &impl ConnectionTrait, tasks: &[tasks::Model]) -> Result<HashMap<Uuid, Spent>> {
    let Some(root) = tasks.first() else { return Ok(HashMap::new()) };
    let sum = |column: &str| format!("CAST(SUM({column}) AS BIGINT) AS {column}");
    let sums: Vec<String> = [
        "input_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
        "output_tokens",
        "reasoning_tokens",
        "cost_micros",
    ]
    .map(sum)
    .into();
    let conversations: BTreeSet<Uuid> = tasks.iter().map(|task| task.conversation_id).collect();
    let places: Vec<String> = (4..4 + conversations.len()).map(|place| format!("${place}")).collect();
    let sql = format!(
        "SELECT task_id, {}, COUNT(*) - COUNT(cost_micros) AS unpriced FROM model_usage \
         WHERE workspace_id = $1 AND created_at >= $2 AND created_at <= $3 AND NOT is_open AND conversation_id IN ({}) \
         GROUP BY task_id",
        sums.join(", "),
        places.join(", ")
    );
    let ended = tasks.iter().map(|task| task.ended_at).collect::<Option<Vec<_>>>();
    let until = ended.and_then(|times| times.into_iter().max()).unwrap_or_else(now);
    let mut values: Vec<Value> = vec![root.workspace_id.into(), root.created_at.into(), until.into()];
    values.extend(conversations.into_iter().map(Value::from));
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let rows = SpentRow::find_by_statement(statement).all(db).await.db()?;
    Ok(rows.into_iter().map(|row| (row.task_id, row.spent())).collect())
}

impl SpentRow {
    fn spent(&self) -> Spent {
        Spent {
            usage: Usage {
                input_tokens: self.input_tokens.unsigned_abs(),
                cache_read_tokens: self.cache_read_tokens.unsigned_abs(),
                cache_write_tokens: self.cache_write_tokens.unsigned_abs(),
                output_tokens: self.output_tokens.unsigned_abs(),
                reasoning_tokens: self.reasoning_tokens.unsigned_abs(),
            },
            cost_micros: if self.unpriced > 0 { None } else { self.cost_micros },
        }
    }
}
