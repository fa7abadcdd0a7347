//! The writes of Baton's own tools, each done once. One transaction looks whether the call is still its turn's, records that
//! it is carried out, changes what it is about, and keeps the outcome.

use std::time::Instant;

use async_trait::async_trait;
use baton_core::effects::{CallPlace, Effect, EffectRefused};
use baton_core::ids::ConversationId;
use baton_core::memories::MemoryWrite;
use baton_core::store::{Effects, Error, Result, Written};
use futures::FutureExt;
use futures::future::BoxFuture;
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value as SqlValue};
use serde_json::Value;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::memories;
use crate::write::{Write, within_effect};

#[async_trait]
impl Effects for SqlStore {
    async fn effects(&self, conversation: ConversationId, calls: &[i64]) -> Result<Vec<(i64, Value)>> {
        // Whoever carries one out holds the row, or on SQLite the only permit to write.
        let write = self.write().await?;
        let lock =
            if write.get_database_backend() == DbBackend::Postgres { " FOR NO KEY UPDATE" } else { "" };
        let sql = format!("SELECT id FROM agent_conversations WHERE id = $1{lock}");
        one(&*write, &sql, [conversation.0.into()]).await?;
        let (Some(first), Some(last)) = (calls.iter().min(), calls.iter().max()) else {
            return Ok(Vec::new());
        };
        let sql = "SELECT seq, outcome FROM tool_effects WHERE conversation_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq";
        let values: [SqlValue; 3] = [conversation.0.into(), (*first).into(), (*last).into()];
        let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
        let mut found = Vec::new();
        for row in write.query_all_raw(statement).await.db()? {
            found.push((row.try_get("", "seq").db()?, row.try_get("", "outcome").db()?));
        }
        found.retain(|(seq, _)| calls.contains(seq));
        // At once: whoever asked commits next, and would wait for the lock.
        write.commit_unkept().await?;
        Ok(found)
    }

    async fn write_memory(&self, effect: &Effect, write: MemoryWrite) -> Written {
        self.once(effect, |within| memories::write(within, write).boxed()).await
    }
}

impl SqlStore {
    /// Does `work` in a transaction with the record of its outcome, unless it was done before: then that is the answer. It runs
    /// to its end, also when nobody waits for it any more. Nothing but this transaction may be awaited in `work`: on SQLite
    /// every other writer waits for it, and a second `write()` within it is refused.
    pub(crate) async fn once<W>(&self, effect: &Effect, work: W) -> Written
    where
        W: for<'a> FnOnce(&'a Write) -> BoxFuture<'a, Written> + Send + 'static,
    {
        let (store, effect) = (self.clone(), effect.clone());
        let carried_out = async move {
            let write = store.write().await?;
            let is_its_turns = lock_turn(&write, effect.call).await?;
            if let Some(before) = recorded(&*write, effect.call.conversation_id, effect.call.seq).await? {
                return before.answer(&effect);
            }
            if !is_its_turns || Instant::now() > effect.deadline {
                return Err(EffectRefused::Fenced);
            }
            if !begin(&write, &effect).await? {
                // Another try of the same call was ahead, and has just been committed.
                let before = recorded(&*write, effect.call.conversation_id, effect.call.seq).await?;
                return before.map_or(Err(EffectRefused::Fenced), |before| before.answer(&effect));
            }
            let outcome = within_effect(work(&write)).await?;
            keep(&write, effect.call, &outcome).await?;
            write.commit_unkept().await?;
            Ok(outcome)
        };
        let done = tokio::spawn(carried_out).await;
        done.unwrap_or_else(|lost| Err(Error::Database(Box::new(lost)).into()))
    }
}

/// Locks the conversation's row as a reader does: other calls of the same turn don't wait, a stop, a takeover and a removal do.
/// Whether the call is still its turn's.
async fn lock_turn(write: &Write, call: CallPlace) -> Result<bool> {
    let lock = if write.get_database_backend() == DbBackend::Postgres { " FOR SHARE" } else { "" };
    let sql = format!(
        "SELECT id FROM agent_conversations WHERE id = $1 AND turn_task_id = $2 AND turn_attempt = $3 \
         AND stop_requested_at IS NULL AND deleted_at IS NULL{lock}"
    );
    let values: [SqlValue; 3] =
        [call.conversation_id.0.into(), call.fence.task_id.0.into(), call.fence.attempt.into()];
    Ok(one(&**write, &sql, values).await?.is_some())
}

/// False: it was begun before.
async fn begin(write: &Write, effect: &Effect) -> Result<bool> {
    let sql = "INSERT INTO tool_effects (conversation_id, seq, task_id, args_hash, created_at) \
               VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    let call = effect.call;
    let values: [SqlValue; 5] = [
        call.conversation_id.0.into(),
        call.seq.into(),
        call.fence.task_id.0.into(),
        effect.args_hash.clone().into(),
        now().into(),
    ];
    let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
    Ok(write.execute_raw(statement).await.db()?.rows_affected() == 1)
}

async fn keep(write: &Write, call: CallPlace, outcome: &Value) -> Result<()> {
    let sql = "UPDATE tool_effects SET outcome = $1 WHERE conversation_id = $2 AND seq = $3";
    let values: [SqlValue; 3] = [outcome.clone().into(), call.conversation_id.0.into(), call.seq.into()];
    let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
    write.execute_raw(statement).await.db()?;
    Ok(())
}

/// A call that was carried out.
struct Recorded {
    args_hash: String,
    outcome: Value,
}

impl Recorded {
    fn answer(self, effect: &Effect) -> Written {
        match self.args_hash == effect.args_hash {
            true => Ok(self.outcome),
            false => Err(EffectRefused::OtherArguments),
        }
    }
}

async fn recorded(
    db: &impl ConnectionTrait,
    conversation: ConversationId,
    seq: i64,
) -> Result<Option<Recorded>> {
    let sql = "SELECT args_hash, outcome FROM tool_effects WHERE conversation_id = $1 AND seq = $2";
    let values: [SqlValue; 2] = [conversation.0.into(), seq.into()];
    let Some(row) = one(db, sql, values).await? else { return Ok(None) };
    Ok(Some(Recorded {
        args_hash: row.try_get("", "args_hash").db()?,
        outcome: row.try_get("", "outcome").db()?,
    }))
}

async fn one(
    db: &impl ConnectionTrait,
    sql: &str,
    values: impl IntoIterator<Item = SqlValue>,
) -> Result<Option<QueryResult>> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.query_one_raw(statement).await.db()
}

#[cfg(test)]
mod tests;
