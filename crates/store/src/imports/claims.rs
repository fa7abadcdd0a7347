//! Who works on an import. On SQLite the data folder's lock proves that earlier processes are gone; on Postgres a claim
//! holds for a while and is renewed with everything that is stored.

use baton_core::data::imports::ImportClaim;
use baton_core::ids::ImportId;
use baton_core::store::Result;
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use uuid::Uuid;

use crate::connect::SqlStore;
use crate::db::OrStoreError;

/// Set with everything that a claim stores, by the database's clock.
pub fn renewed(engine: DbBackend) -> &'static str {
    match engine {
        DbBackend::Postgres => "claimed_until = now() + interval '20 seconds'",
        _ => "claimed_until = NULL",
    }
}

impl SqlStore {
    pub(super) async fn claimed(&self, worker: Uuid) -> Result<Vec<ImportClaim>> {
        let write = self.write().await?;
        write.lock_name("claims of imports").await?;
        let engine = write.get_database_backend();
        let (held, lock) = match engine {
            DbBackend::Postgres => {
                ("claimed_by IS NOT NULL AND claimed_until >= now()", " FOR UPDATE SKIP LOCKED")
            }
            _ => ("claimed_by = $1", ""),
        };
        const OPEN: &str = "ended_at IS NULL AND status IN ('reading', 'importing', 'undoing')";
        // One at a time: what a process can't begin yet is left to others. And one of a workspace at a time: each has looked
        // at the accounts and categories that were there when it began, and two would make the same new one twice.
        let sql = format!(
            "WITH free AS MATERIALIZED (SELECT id FROM imports WHERE {OPEN} AND NOT EXISTS (SELECT 1 FROM imports AS worked_on \
             WHERE worked_on.workspace_id = imports.workspace_id AND {OPEN} AND {held}) ORDER BY updated_at LIMIT 1{lock}) \
             UPDATE imports SET claimed_by = $1, attempt = attempt + 1, {} WHERE id IN (SELECT id FROM free) \
             RETURNING id, attempt",
            renewed(engine)
        );
        let statement = Statement::from_sql_and_values(engine, sql, [worker.into()]);
        let mut claims = Vec::new();
        for row in write.query_all_raw(statement).await.db()? {
            let import_id = ImportId(row.try_get::<Uuid>("", "id").db()?);
            claims.push(ImportClaim { import_id, attempt: row.try_get("", "attempt").db()? });
        }
        write.commit_unkept().await?;
        Ok(claims)
    }

    pub(super) async fn claim_kept(&self, claim: ImportClaim) -> Result<bool> {
        if self.writer.is_some() {
            let sql = "SELECT id FROM imports WHERE id = $1 AND attempt = $2 AND ended_at IS NULL";
            let statement = Statement::from_sql_and_values(DbBackend::Sqlite, sql, values(claim));
            return Ok(self.db.query_one_raw(statement).await.db()?.is_some());
        }
        let sql = format!(
            "UPDATE imports SET {} WHERE id = $1 AND attempt = $2 AND ended_at IS NULL",
            renewed(DbBackend::Postgres)
        );
        let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values(claim));
        Ok(self.db.execute_raw(statement).await.db()?.rows_affected() > 0)
    }

    pub(super) async fn claim_released(&self, claim: ImportClaim) -> Result<()> {
        let write = self.write().await?;
        let sql = "UPDATE imports SET claimed_by = NULL WHERE id = $1 AND attempt = $2";
        let statement = Statement::from_sql_and_values(write.get_database_backend(), sql, values(claim));
        write.execute_raw(statement).await.db()?;
        write.commit_unkept().await
    }
}

fn values(claim: ImportClaim) -> [Value; 2] {
    [claim.import_id.0.into(), claim.attempt.into()]
}
