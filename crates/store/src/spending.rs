//! Rows of model calls and their cost, as nodes add them up. Turns write these rows with their commits.

use async_trait::async_trait;
use baton_core::ids::{AgentId, ConversationId, NodeId, ProfileId, TaskId, WorkspaceId};
use baton_core::models::{PaidBy, Usage};
use baton_core::spending::{CallRef, Counted, SettledSum, SpendingChanges, SpentLately, UsageRow};
use baton_core::store::{Result, Spending};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::{OrStoreError, now};
use crate::turns::model_usage_row;

/// The workspaces that rows are of, also those that are gone: one step of the index each, from the id before all others ($1).
const WORKSPACES: &str = "WITH RECURSIVE spenders(id) AS (\
    SELECT * FROM (SELECT workspace_id FROM model_usage WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1) AS first \
    UNION ALL SELECT (SELECT workspace_id FROM model_usage WHERE workspace_id > spenders.id \
    ORDER BY workspace_id LIMIT 1) FROM spenders WHERE spenders.id IS NOT NULL)";

/// What changed since is told row by row, so that whoever hears of it again counts it once.
const LATELY: TimeDelta = TimeDelta::minutes(2);

#[derive(FromQueryResult)]
struct SumRow {
    workspace_id: Uuid,
    profile_id: Option<Uuid>,
    is_public: bool,
    is_own: bool,
    quarter: i64,
    cost_micros: i64,
}

#[derive(FromQueryResult)]
struct CountedRow {
    id: Uuid,
    workspace_id: Uuid,
    profile_id: Option<Uuid>,
    is_public: bool,
    is_own: bool,
    is_open: bool,
    cost_micros: Option<i64>,
    created_at: DateTime<Utc>,
}

impl From<CountedRow> for Counted {
    fn from(row: CountedRow) -> Self {
        Self {
            id: row.id,
            workspace_id: row.workspace_id.into(),
            profile_id: row.profile_id.map(ProfileId),
            is_public: row.is_public,
            paid_by: paid_by(row.is_own),
            is_open: row.is_open,
            cost_micros: row.cost_micros.unwrap_or(0),
            at: row.created_at,
        }
    }
}

const COUNTED: &str = "used.id, used.workspace_id, used.profile_id, used.is_public, used.is_own, used.is_open, used.cost_micros, used.created_at";

fn paid_by(is_own: bool) -> PaidBy {
    if is_own { PaidBy::Workspace } else { PaidBy::Server }
}

#[async_trait]
impl Spending for SqlStore {
    async fn spent_lately(&self, since: DateTime<Utc>) -> Result<SpentLately> {
        // Read before the rows: what changes meanwhile is read again.
        let read_at = self.clock().await?;
        let quarter = match self.db.get_database_backend() {
            DbBackend::Postgres => "CAST(FLOOR(EXTRACT(EPOCH FROM used.created_at) / 900) AS BIGINT)",
            _ => "CAST(strftime('%s', used.created_at) AS INTEGER) / 900",
        };
        // SQLite goes through a CROSS JOIN from left to right.
        let rows = "FROM spenders CROSS JOIN model_usage used WHERE used.workspace_id = spenders.id AND used.created_at >= $2";
        let is_late = "(used.is_open OR COALESCE(used.changed_at, used.created_at) >= $3)";
        let settled = format!(
            "{WORKSPACES} SELECT used.workspace_id, used.profile_id, used.is_public, used.is_own, {quarter} AS quarter, \
             CAST(SUM(used.cost_micros) AS BIGINT) AS cost_micros {rows} \
             AND NOT {is_late} AND used.cost_micros > 0 \
             GROUP BY used.workspace_id, used.profile_id, used.is_public, used.is_own, quarter"
        );
        let late = format!("{WORKSPACES} SELECT {COUNTED} {rows} AND {is_late}");
        let values = || [Uuid::nil().into(), since.into(), (read_at - LATELY).into()];
        let settled = SumRow::find_by_statement(self.statement(&settled, values()));
        let late = CountedRow::find_by_statement(self.statement(&late, values()));
        let db = &self.patient_db;
        let (settled, late) = tokio::try_join!(settled.all(db), late.all(db)).db()?;
        let settled = settled.into_iter().map(|row| SettledSum {
            workspace_id: row.workspace_id.into(),
            profile_id: row.profile_id.map(ProfileId),
            is_public: row.is_public,
            paid_by: paid_by(row.is_own),
            quarter: row.quarter,
            cost_micros: row.cost_micros,
        });
        let rows = late.into_iter().map(Counted::from).collect();
        Ok(SpentLately { settled: settled.collect(), rows, read_at })
    }

    async fn spending_changes(&self, node: NodeId, since: DateTime<Utc>) -> Result<SpendingChanges> {
        if self.writer.is_some() {
            return Ok(SpendingChanges { changed: Vec::new(), read_at: since });
        }
        // A node that writes has a lease, and had one a moment ago.
        let sql = "SELECT now() AS at, EXISTS (SELECT 1 FROM nodes WHERE id <> $1 \
                   AND lease_until > now() - interval '1 minute') AS others";
        let Some(row) = self.watch_db.query_one_raw(self.statement(sql, [node.0.into()])).await.db()? else {
            return Ok(SpendingChanges { changed: Vec::new(), read_at: since });
        };
        let read_at = row.try_get("", "at").db()?;
        if !row.try_get::<bool>("", "others").db()? {
            return Ok(SpendingChanges { changed: Vec::new(), read_at });
        }
        let sql = format!("SELECT {COUNTED} FROM model_usage used WHERE used.changed_at >= $1");
        let rows = CountedRow::find_by_statement(self.statement(&sql, [since.into()]));
        let changed = rows.all(&self.watch_db).await.db()?.into_iter().map(Counted::from).collect();
        Ok(SpendingChanges { changed, read_at })
    }

    async fn open_usage(
        &self,
        (conversation, workspace): (ConversationId, WorkspaceId),
        since: DateTime<Utc>,
    ) -> Result<Vec<UsageRow>> {
        let sql = "SELECT * FROM model_usage WHERE workspace_id = $1 AND created_at >= $2 AND conversation_id = $3 \
                   AND is_open AND call_seq IS NOT NULL ORDER BY call_seq, router_attempt";
        let values = [workspace.0.into(), since.into(), conversation.0.into()];
        let rows = OpenRow::find_by_statement(self.statement(sql, values)).all(&self.db).await.db()?;
        Ok(rows.into_iter().map(UsageRow::from).collect())
    }

    async fn settle(&self, of: ConversationId, rows: &[UsageRow]) -> Result<Vec<UsageRow>> {
        let changed_at = match self.writer {
            Some(_) => "NULL",
            None => "now()",
        };
        let sql = format!(
            "UPDATE model_usage SET model = $2, input_tokens = $3, cache_read_tokens = $4, cache_write_tokens = $5, \
             output_tokens = $6, reasoning_tokens = $7, cost_micros = $8, is_estimate = $9, is_own = $10, \
             is_open = false, changed_at = {changed_at} WHERE id = $1 AND is_open"
        );
        let write = self.write().await?;
        let mut settled = Vec::new();
        for row in rows {
            let used = model_usage_row(of, row);
            let values: [Value; 10] = [
                used.id.into(),
                used.model.into(),
                used.input_tokens.into(),
                used.cache_read_tokens.into(),
                used.cache_write_tokens.into(),
                used.output_tokens.into(),
                used.reasoning_tokens.into(),
                used.cost_micros.into(),
                used.is_estimate.into(),
                used.is_own.into(),
            ];
            if write.execute_raw(self.statement(&sql, values)).await.db()?.rows_affected() > 0 {
                settled.push(row.clone());
            }
        }
        write.commit_unkept().await?;
        Ok(settled)
    }
}

impl SqlStore {
    fn statement(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
        Statement::from_sql_and_values(self.db.get_database_backend(), sql, values)
    }

    /// The clock that `changed_at` is told by.
    async fn clock(&self) -> Result<DateTime<Utc>> {
        if self.writer.is_some() {
            return Ok(now());
        }
        match self.watch_db.query_one_raw(self.statement("SELECT now() AS at", [])).await.db()? {
            Some(row) => row.try_get("", "at").db(),
            None => Ok(now()),
        }
    }
}

#[derive(FromQueryResult)]
struct OpenRow {
    call_seq: i64,
    router_attempt: Option<i32>,
    task_id: Uuid,
    agent_id: Uuid,
    profile_id: Option<Uuid>,
    model: String,
    input_tokens: i64,
    cache_read_tokens: i64,
    cache_write_tokens: i64,
    output_tokens: i64,
    reasoning_tokens: i64,
    cost_micros: Option<i64>,
    is_estimate: bool,
    is_public: bool,
    is_own: bool,
}

impl From<OpenRow> for UsageRow {
    fn from(row: OpenRow) -> Self {
        Self {
            call: CallRef::of(row.call_seq, row.router_attempt),
            is_open: true,
            task_id: TaskId(row.task_id),
            agent_id: AgentId(row.agent_id),
            profile_id: row.profile_id.map(ProfileId),
            model: row.model,
            usage: Usage {
                input_tokens: row.input_tokens.unsigned_abs(),
                cache_read_tokens: row.cache_read_tokens.unsigned_abs(),
                cache_write_tokens: row.cache_write_tokens.unsigned_abs(),
                output_tokens: row.output_tokens.unsigned_abs(),
                reasoning_tokens: row.reasoning_tokens.unsigned_abs(),
            },
            cost_micros: row.cost_micros,
            is_estimate: row.is_estimate,
            is_public: row.is_public,
            paid_by: paid_by(row.is_own),
        }
    }
}
