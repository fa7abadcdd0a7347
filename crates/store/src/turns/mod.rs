//! The turn's commits, hand-written once per engine: `sqlite/` on the writer thread, `postgres/` in one round trip.
//! `rows.rs`, `handoff_rows.rs` and `subtask_rows.rs` shape the rows that both write, `core::refusals` says why a
//! commit was refused, `load.rs` reads.

mod handoff_rows;
mod json;
mod load;
mod postgres;
mod rows;
mod sqlite;
mod subtask_rows;
mod writer;

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use baton_core::ids::{ConversationId, NodeId, TaskId};
use baton_core::log::LoggedStep;
use baton_core::store::{Result, Steps, StepsPage, Turns};
use baton_core::turns::{
    Checkpoint, Claimed, Commit, Committed, KeptRequest, LEASE, LeaseBefore, Loaded, Refused, Since, TurnRow,
};
use baton_core::visitors::Person;
use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::OrStoreError;
use crate::write::number;

use rows::CommitRows;

pub(crate) use load::{find_turn, logged, turn_row};
pub(crate) use rows::{model_usage_row, step_model, to_json};
pub(crate) use writer::Writer;

/// The owner of turns whose node ended in order, or lost its lease in an outage. It is no node's id. Claiming such
/// turns counts as no try.
const LEFT_IN_ORDER: Uuid = Uuid::nil();
/// How long a request can be repeated by its key.
const KEY_DAYS: i64 = 1;

#[async_trait]
impl Turns for SqlStore {
    async fn load(&self, id: ConversationId) -> Result<Loaded> {
        load::load(self, id).await
    }

    async fn load_since(&self, id: ConversationId, seq: i64) -> Result<Option<Since>> {
        load::load_since(self, id, seq).await
    }

    async fn find_request(
        &self,
        person: Person,
        key: &str,
        at: DateTime<Utc>,
    ) -> Result<Option<KeptRequest>> {
        let sql = "SELECT body_hash, conversation_id, task_id, first_seq FROM request_keys \
                   WHERE person_id = $1 AND request_key = $2 AND created_at >= $3";
        let since = at - chrono::Duration::days(KEY_DAYS);
        let values = [person.id().into(), key.into(), since.into()];
        let statement = Statement::from_sql_and_values(self.backend(), sql, values);
        let Some(row) = self.db.query_one_raw(statement).await.db()? else { return Ok(None) };
        Ok(Some(KeptRequest {
            body_hash: row.try_get("", "body_hash").db()?,
            conversation_id: row.try_get::<Uuid>("", "conversation_id").db()?.into(),
            task_id: row.try_get::<Uuid>("", "task_id").db()?.into(),
            first_seq: row.try_get("", "first_seq").db()?,
        }))
    }

    async fn commit(&self, commit: &Commit) -> std::result::Result<Committed, Refused> {
        match &self.writer {
            Some(writer) => writer.commit(CommitRows::new(commit)?).await,
            None => postgres::commit(self, commit).await,
        }
    }

    async fn checkpoint(&self, checkpoint: Checkpoint) -> std::result::Result<(), Refused> {
        match &self.writer {
            Some(writer) => writer.checkpoint(checkpoint).await,
            None => postgres::checkpoint(&self.db, checkpoint).await,
        }
    }

    async fn renew_lease(&self, node: NodeId) -> Result<LeaseBefore> {
        if self.writer.is_some() {
            // The data folder's lock is the lease.
            return Ok(LeaseBefore::Good);
        }
        // Nodes that crashed leave their row; there are never many. One that slept for so long finds its own.
        let sql = "WITH gone AS (DELETE FROM nodes WHERE lease_until < now() - interval '1 hour' AND id <> $1), \
                   held AS (SELECT id FROM nodes WHERE id = $1 AND lease_until > now()) \
                   INSERT INTO nodes (id, lease_until) VALUES ($1, now() + $2 * interval '1 second') \
                   ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until \
                   RETURNING (SELECT number FROM generation) AS number, EXISTS (SELECT FROM held) AS was_good";
        let values = [node.0.into(), LEASE.as_secs_f64().into()];
        let statement = Statement::from_sql_and_values(self.backend(), sql, values);
        let Some(row) = self.lease_db.query_one_raw(statement).await.db()? else {
            return Ok(LeaseBefore::RunOut);
        };
        self.generation.fetch_max(number(&row)?, Ordering::Release);
        let was_good: bool = row.try_get("", "was_good").db()?;
        Ok(if was_good { LeaseBefore::Good } else { LeaseBefore::RunOut })
    }

    async fn end_lease(&self, node: NodeId) -> Result<()> {
        let values = [LEFT_IN_ORDER.into(), node.0.into()];
        if self.writer.is_some() {
            let write = self.write().await?;
            let sql = "UPDATE agent_conversations SET turn_owner = $1 \
                       WHERE turn_task_id IS NOT NULL AND turn_owner = $2";
            let statement = Statement::from_sql_and_values(self.backend(), sql, values);
            write.execute_raw(statement).await.db()?;
            return write.commit_unkept().await;
        }
        // A row that is locked has a commit under way: it isn't waited for, and costs its turn a try.
        let sql = "WITH ours AS MATERIALIZED (SELECT id FROM agent_conversations WHERE turn_task_id IS NOT NULL \
                     AND turn_owner = $2 FOR UPDATE SKIP LOCKED), \
                   left_in_order AS (UPDATE agent_conversations SET turn_owner = $1 FROM ours \
                     WHERE agent_conversations.id = ours.id) \
                   DELETE FROM nodes WHERE id = $2";
        // It looks through conversations: nothing that can take a while is asked over the lease's connection.
        self.watch_execute(sql, values).await
    }

    async fn drop_lease(&self, node: NodeId) -> Result<()> {
        if self.writer.is_some() {
            return Ok(());
        }
        self.watch_execute("DELETE FROM nodes WHERE id = $1", [node.0.into()]).await
    }

    async fn claim_turns(&self, node: NodeId) -> Result<Vec<Claimed>> {
        // On Postgres the rows are chosen once and locked: a plan that chose them anew for each would pass over its own.
        let (dead, lock, chosen) = if self.writer.is_some() {
            ("turn_owner <> $1", "", "")
        } else {
            let dead = "turn_owner NOT IN (SELECT id FROM nodes WHERE lease_until > now())";
            (dead, "FOR UPDATE SKIP LOCKED", "MATERIALIZED")
        };
        let sql = format!(
            "WITH dead AS {chosen} (SELECT id FROM agent_conversations WHERE turn_task_id IS NOT NULL \
                                    AND turn_owner IS NOT NULL AND {dead} LIMIT 200 {lock}) \
             UPDATE agent_conversations SET turn_owner = $1, turn_attempt = turn_attempt + 1, \
             turn_tries = turn_tries + CASE WHEN turn_owner = $2 THEN 0 ELSE 1 END \
             WHERE id IN (SELECT id FROM dead) RETURNING id, turn_task_id"
        );
        let claim = ClaimedRow::find_by_statement(Statement::from_sql_and_values(
            self.backend(),
            sql,
            [node.0.into(), LEFT_IN_ORDER.into()],
        ));
        let rows = if self.writer.is_some() {
            let write = self.write().await?;
            let rows = claim.all(&*write).await.db()?;
            write.commit_unkept().await?;
            rows
        } else {
            claim.all(&self.watch_db).await.db()?
        };
        Ok(rows.into_iter().map(Claimed::from).collect())
    }

    async fn claim_again(&self, node: NodeId, turn: Claimed) -> Result<bool> {
        let write = self.watching().write().await?;
        let sql = "UPDATE agent_conversations SET turn_attempt = turn_attempt + 1, turn_tries = turn_tries + 1 \
                   WHERE id = $1 AND turn_task_id = $2 AND turn_owner = $3";
        let values = [turn.conversation_id.0.into(), turn.task_id.0.into(), node.0.into()];
        let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
        let done = write.execute_raw(statement).await.db()?;
        write.commit_unkept().await?;
        Ok(done.rows_affected() > 0)
    }

    async fn turns_of(&self, node: NodeId) -> Result<Vec<Claimed>> {
        let sql = "SELECT id, turn_task_id FROM agent_conversations WHERE turn_task_id IS NOT NULL \
                   AND turn_owner = $1";
        let statement = Statement::from_sql_and_values(self.backend(), sql, [node.0.into()]);
        let rows = ClaimedRow::find_by_statement(statement).all(&self.watch_db).await.db()?;
        Ok(rows.into_iter().map(Claimed::from).collect())
    }

    async fn request_stop(
        &self,
        id: ConversationId,
        only: Option<TaskId>,
        at: DateTime<Utc>,
    ) -> Result<Option<TurnRow>> {
        let write = self.write().await?;
        let sql = "UPDATE agent_conversations SET stop_requested_at = COALESCE(stop_requested_at, $2) \
                   WHERE id = $1 AND turn_task_id = COALESCE($3, turn_task_id) AND deleted_at IS NULL";
        let values = [id.0.into(), at.into(), only.map(|task| task.0).into()];
        let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values);
        write.execute_raw(statement).await.db()?;
        let turn = find_turn(&*write, id).await?;
        write.commit_unkept().await?;
        Ok(turn.filter(|turn| only.is_none_or(|only| turn.task_id == only)))
    }

    async fn stops_requested(&self, node: NodeId) -> Result<Vec<TaskId>> {
        let sql = "SELECT turn_task_id FROM agent_conversations WHERE turn_task_id IS NOT NULL AND turn_owner = $1 \
                   AND stop_requested_at IS NOT NULL";
        let statement = Statement::from_sql_and_values(self.backend(), sql, [node.0.into()]);
        let rows = self.watch_db.query_all_raw(statement).await.db()?;
        rows.iter().map(|row| row.try_get::<Uuid>("", "turn_task_id").map(TaskId).db()).collect()
    }
}

#[derive(FromQueryResult)]
struct ClaimedRow {
    id: Uuid,
    turn_task_id: Uuid,
}

impl From<ClaimedRow> for Claimed {
    fn from(row: ClaimedRow) -> Self {
        Self { conversation_id: ConversationId(row.id), task_id: row.turn_task_id.into() }
    }
}

#[async_trait]
impl Steps for SqlStore {
    async fn steps_after(&self, id: ConversationId, seq: i64, limit: u64) -> Result<Vec<LoggedStep>> {
        load::steps_after(&self.db, id, seq, limit).await
    }

    async fn steps_page(&self, id: ConversationId, seq: i64) -> Result<StepsPage> {
        load::steps_page(&self.db, id, seq).await
    }

    async fn open_call(&self, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>> {
        load::open_call(&self.db, id, seq).await
    }

    async fn step(&self, id: ConversationId, seq: i64) -> Result<Option<LoggedStep>> {
        load::step(&self.db, id, seq).await
    }

    async fn turn(&self, id: ConversationId) -> Result<Option<TurnRow>> {
        find_turn(&self.db, id).await
    }

    async fn last_seqs(&self, ids: Vec<ConversationId>) -> Result<Vec<(ConversationId, i64)>> {
        load::last_seqs(&self.watch_db, ids).await
    }
}

impl SqlStore {
    fn backend(&self) -> DbBackend {
        self.db.get_database_backend()
    }

    async fn watch_execute(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<()> {
        let statement = Statement::from_sql_and_values(self.backend(), sql, values);
        self.watch_db.execute_raw(statement).await.db().map(drop)
    }
}
