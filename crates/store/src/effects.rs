//! Writes that are done once: those of Baton's own tools, and those of requests with an `Idempotency-Key`. One transaction looks
//! whether a call is still its turn's, records that it is carried out, changes what it is about, and keeps the outcome.

use std::time::Instant;

use async_trait::async_trait;
use baton_core::data::rows::Once;
use baton_core::effects::{CallPlace, Effect, EffectRefused};
use baton_core::ids::{ConversationId, ProfileId};
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

/// How often a write is begun that ends in a deadlock.
const TRIES: u32 = 4;

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

    async fn done_before(&self, once: &Once) -> Result<Option<Value>> {
        match once {
            Once::Call(Effect { call, .. }) => {
                let found = self.effects(call.conversation_id, &[call.seq]).await?.pop();
                Ok(found.map(|(_, outcome)| outcome))
            }
            Once::Request { profile_id, key, request_hash } => {
                let found = recorded_request(&self.db, *profile_id, key).await?;
                Ok(found.filter(|found| found.args_hash == *request_hash).map(|found| found.outcome))
            }
            Once::Unkeyed => Ok(None),
        }
    }

    async fn write_memory(&self, effect: &Effect, write: MemoryWrite) -> Written {
        let once = Once::Call(effect.clone());
        self.once(&once, move |within| memories::write(within, write.clone()).boxed()).await
    }
}

impl SqlStore {
    /// Does `work` in a transaction with the record of its outcome, unless it was done before: then that is the answer. It runs
    /// to its end, also when nobody waits for it any more. Nothing but this transaction may be awaited in `work`: on SQLite
    /// every other writer waits for it, and a second `write()` within it is refused. A deadlock takes all of it back, and it is
    /// tried again.
    pub(crate) async fn once<W>(&self, once: &Once, work: W) -> Written
    where
        W: for<'a> Fn(&'a Write) -> BoxFuture<'a, Written> + Send + Sync + 'static,
    {
        let (store, once) = (self.clone(), once.clone());
        let carried_out = async move {
            for _ in 1..TRIES {
                match store.try_once(&once, &work).await {
                    Tried::Deadlock => tracing::warn!("a write ended in a deadlock and is tried again"),
                    Tried::Done(written) => return written,
                }
            }
            match store.try_once(&once, &work).await {
                Tried::Deadlock => Err(Error::Unavailable.into()),
                Tried::Done(written) => written,
            }
        };
        let done = tokio::spawn(carried_out).await;
        done.unwrap_or_else(|lost| Err(Error::Database(Box::new(lost)).into()))
    }

    async fn try_once<W>(&self, once: &Once, work: &W) -> Tried
    where
        W: for<'a> Fn(&'a Write) -> BoxFuture<'a, Written> + Send + Sync,
    {
        let tried = async {
            let write = self.write().await?;
            // A statement of the record can end in a deadlock as well as one of the work.
            let whole = async {
                if let Some(before) = begin(&write, once).await? {
                    return Ok(Whole::Before(before));
                }
                let outcome = work(&write).await?;
                keep(&write, once, &outcome).await?;
                Ok::<_, EffectRefused>(Whole::Now(outcome))
            };
            let (whole, is_deadlock) = within_effect(whole).await;
            if is_deadlock {
                return Ok(Err(()));
            }
            match whole? {
                Whole::Before(outcome) => Ok(Ok(outcome)),
                Whole::Now(outcome) => {
                    write.commit_unkept().await?;
                    Ok(Ok(outcome))
                }
            }
        };
        match tried.await {
            Ok(Err(())) => Tried::Deadlock,
            Ok(Ok(outcome)) => Tried::Done(Ok(outcome)),
            Err(refused) => Tried::Done(Err(refused)),
        }
    }
}

/// What is to be told, and whether it is yet to be committed.
enum Whole {
    Before(Value),
    Now(Value),
}

/// What came of a try.
enum Tried {
    Done(Written),
    Deadlock,
}

/// Records that it is carried out. If it was before, its outcome is returned.
async fn begin(write: &Write, once: &Once) -> std::result::Result<Option<Value>, EffectRefused> {
    match once {
        Once::Call(effect) => {
            let is_its_turns = lock_turn(write, effect.call).await?;
            let place = (effect.call.conversation_id, effect.call.seq);
            if let Some(before) = recorded(&**write, place).await? {
                return before.answer(&effect.args_hash).map(Some);
            }
            if !is_its_turns || Instant::now() > effect.deadline {
                return Err(EffectRefused::Fenced);
            }
            if begin_call(write, effect).await? {
                return Ok(None);
            }
            // Another try of the same call was ahead, and has just been committed.
            let before = recorded(&**write, place).await?;
            before.ok_or(EffectRefused::Fenced)?.answer(&effect.args_hash).map(Some)
        }
        Once::Request { profile_id, key, request_hash } => {
            if begin_request(write, *profile_id, key, request_hash).await? {
                return Ok(None);
            }
            // Another request with this key was ahead, long ago or just now.
            let before = recorded_request(&**write, *profile_id, key).await?;
            before.ok_or(EffectRefused::Fenced)?.answer(request_hash).map(Some)
        }
        Once::Unkeyed => Ok(None),
    }
}

/// False: one with this key was begun before. One that is under way is waited for.
async fn begin_request(write: &Write, profile: ProfileId, key: &str, request_hash: &str) -> Result<bool> {
    let sql = "INSERT INTO request_effects (profile_id, key, request_hash, created_at) \
               VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    let values: [SqlValue; 4] = [profile.0.into(), key.into(), request_hash.into(), now().into()];
    let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
    Ok(write.execute_raw(statement).await.db()?.rows_affected() == 1)
}

async fn recorded_request(
    db: &impl ConnectionTrait,
    profile: ProfileId,
    key: &str,
) -> Result<Option<Recorded>> {
    let sql =
        "SELECT request_hash AS args_hash, outcome FROM request_effects WHERE profile_id = $1 AND key = $2";
    one(db, sql, [profile.0.into(), key.into()]).await?.map(|row| Recorded::read(&row)).transpose()
}

async fn keep(write: &Write, once: &Once, outcome: &Value) -> Result<()> {
    let (sql, values): (_, [SqlValue; 3]) = match once {
        Once::Call(effect) => (
            "UPDATE tool_effects SET outcome = $1 WHERE conversation_id = $2 AND seq = $3",
            [outcome.clone().into(), effect.call.conversation_id.0.into(), effect.call.seq.into()],
        ),
        Once::Request { profile_id, key, .. } => (
            "UPDATE request_effects SET outcome = $1 WHERE profile_id = $2 AND key = $3",
            [outcome.clone().into(), profile_id.0.into(), key.clone().into()],
        ),
        Once::Unkeyed => return Ok(()),
    };
    let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
    write.execute_raw(statement).await.db().map(drop)
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
async fn begin_call(write: &Write, effect: &Effect) -> Result<bool> {
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

/// What was carried out before.
struct Recorded {
    args_hash: String,
    outcome: Value,
}

impl Recorded {
    fn read(row: &QueryResult) -> Result<Self> {
        Ok(Self { args_hash: row.try_get("", "args_hash").db()?, outcome: row.try_get("", "outcome").db()? })
    }

    fn answer(self, args_hash: &str) -> Written {
        match self.args_hash == args_hash {
            true => Ok(self.outcome),
            false => Err(EffectRefused::OtherArguments),
        }
    }
}

async fn recorded(
    db: &impl ConnectionTrait,
    (conversation, seq): (ConversationId, i64),
) -> Result<Option<Recorded>> {
    let sql = "SELECT args_hash, outcome FROM tool_effects WHERE conversation_id = $1 AND seq = $2";
    let values: [SqlValue; 2] = [conversation.0.into(), seq.into()];
    one(db, sql, values).await?.map(|row| Recorded::read(&row)).transpose()
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
