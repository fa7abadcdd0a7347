//! How much space a workspace takes: its rows keep sums up to date, and these sums are added up when somebody asks.

use baton_core::conversations::{SpaceSum, SpaceTaken};
use baton_core::ids::WorkspaceId;
use baton_core::store::{Error, Result};
use sea_orm::{ConnectionTrait, QueryResult, Statement};

use crate::connection::Db;
use crate::db::OrStoreError;

/// Of visitors, and of profiles that are no members.
const CONVERSATIONS: &str = "SELECT COUNT(*) AS conversations, CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes, \
    CAST(COALESCE(SUM(is_public), 0) AS BIGINT) AS public_conversations, \
    CAST(COALESCE(SUM(bytes * is_public), 0) AS BIGINT) AS public_bytes FROM \
    (SELECT bytes, CASE WHEN user_id IN (SELECT profile_id FROM workspace_members WHERE workspace_id = $1) THEN 0 ELSE 1 END \
    AS is_public FROM agent_conversations WHERE workspace_id = $1 AND deleted_at IS NULL) AS there";
const ATTACHMENTS: &str =
    "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM attachments WHERE workspace_id = $1";
const RESULT_FILES: &str =
    "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM result_files WHERE workspace_id = $1";
/// With their versions, deleted ones too, and with their files.
const PAGES: &str =
    "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM pages WHERE workspace_id = $1";
const PAGE_FILES: &str =
    "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM page_files WHERE workspace_id = $1";
const CHANNELS: &str =
    "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM channels WHERE workspace_id = $1";
/// Kept with every change of a row.
const DATA: &str =
    "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM data_totals WHERE workspace_id = $1";

/// Files that come in, until they are read, and files that were made for people, until they expire.
const FILES: &str = "SELECT CAST(COALESCE((SELECT SUM(size) FROM imports WHERE workspace_id = $1), 0) \
    + COALESCE((SELECT SUM(size) FROM exports WHERE workspace_id = $1), 0) AS BIGINT) AS bytes";

pub async fn taken(db: &Db, workspace: WorkspaceId) -> Result<SpaceTaken> {
    let row = one(db, CONVERSATIONS, workspace).await?;
    let number = |row: &QueryResult, name: &str| row.try_get::<i64>("", name).db().map(i64::unsigned_abs);
    let public = SpaceSum {
        conversations: number(&row, "public_conversations")?,
        bytes: number(&row, "public_bytes")?,
    };
    let mut all = SpaceSum { conversations: number(&row, "conversations")?, bytes: number(&row, "bytes")? };
    for sql in [ATTACHMENTS, RESULT_FILES, PAGES, PAGE_FILES, CHANNELS, DATA, FILES] {
        all.bytes += number(&one(db, sql, workspace).await?, "bytes")?;
    }
    Ok(SpaceTaken { all, public })
}

async fn one(db: &Db, sql: &str, workspace: WorkspaceId) -> Result<QueryResult> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [workspace.0.into()]);
    let row = db.query_one_raw(statement).await.db()?;
    row.ok_or_else(|| Error::Database("a sum without a row".into()))
}
