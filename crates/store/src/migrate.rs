//! Migrations: one SQL text for both engines, forward only, each in its own transaction.

use baton_core::store::{Error, Result};
use sea_orm::{ConnectionTrait, DbBackend};

use crate::connection::{Db, For};
use crate::db::OrStoreError;

const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_house.sql"),
    include_str!("../migrations/0002_turns.sql"),
    include_str!("../migrations/0003_upkeep.sql"),
    include_str!("../migrations/0004_handoffs.sql"),
    include_str!("../migrations/0005_subtasks.sql"),
    include_str!("../migrations/0006_versions.sql"),
    include_str!("../migrations/0007_removal.sql"),
    include_str!("../migrations/0008_withdrawn.sql"),
    include_str!("../migrations/0009_profile_references.sql"),
    include_str!("../migrations/0010_sight.sql"),
    include_str!("../migrations/0011_space.sql"),
    include_str!("../migrations/0013_generation.sql"),
    include_str!("../migrations/0014_spending.sql"),
    include_str!("../migrations/0015_starters.sql"),
    include_str!("../migrations/0016_own_conversations.sql"),
    include_str!("../migrations/0017_effects.sql"),
    include_str!("../migrations/0018_data.sql"),
    include_str!("../migrations/0019_knowledge.sql"),
    include_str!("../migrations/0020_secrets.sql"),
    include_str!("../migrations/0021_imports.sql"),
    include_str!("../migrations/0022_sales.sql"),
    include_str!("../migrations/0023_projects.sql"),
    include_str!("../migrations/0024_channels.sql"),
    include_str!("../migrations/0025_analytics.sql"),
    include_str!("../migrations/0026_server_tools.sql"),
    include_str!("../migrations/0027_result_files.sql"),
];

pub async fn run(db: &Db) -> Result<()> {
    let engine = db.get_database_backend();
    for (version, sql) in (1i32..).zip(MIGRATIONS) {
        let txn = db.begin(For::Writing).await.db()?;
        if engine == DbBackend::Postgres {
            // Nodes that start together take turns.
            txn.execute_unprepared("SELECT pg_advisory_xact_lock(hashtext('baton migrations'))")
                .await
                .db()?;
        }
        txn.execute_unprepared("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
            .await
            .db()?;
        if current(&txn).await? < version {
            txn.execute_unprepared(&for_engine(sql, engine)).await.db()?;
            txn.execute_unprepared(&format!("INSERT INTO schema_version VALUES ({version})")).await.db()?;
        }
        txn.commit().await.db()?;
    }
    let known = MIGRATIONS.len() as i32;
    let found = current(db).await?;
    if found > known {
        let message =
            format!("the database is at version {found}, this Baton knows {known}: use a newer Baton");
        return Err(Error::Database(message.into()));
    }
    Ok(())
}

async fn current(db: &impl ConnectionTrait) -> Result<i32> {
    let sql = "SELECT COALESCE(MAX(version), 0) AS version FROM schema_version";
    let statement = sea_orm::Statement::from_string(db.get_database_backend(), sql);
    match db.query_one_raw(statement).await.db()? {
        Some(row) => row.try_get("", "version").db(),
        None => Ok(0),
    }
}

fn for_engine(sql: &str, engine: DbBackend) -> String {
    let words = match engine {
        DbBackend::Postgres => [
            ("{id}", "UUID"),
            ("{time}", "TIMESTAMPTZ"),
            ("{json}", "JSONB"),
            ("{bytes}", "BYTEA"),
            ("{day}", "DATE"),
            ("{json_object}", "jsonb_build_object"),
            ("{without_rowid}", ""),
            ("{bytewise}", " COLLATE \"C\""),
        ],
        _ => [
            ("{id}", "BLOB"),
            ("{time}", "TEXT"),
            ("{json}", "TEXT"),
            ("{bytes}", "BLOB"),
            ("{day}", "TEXT"),
            ("{json_object}", "json_object"),
            ("{without_rowid}", "WITHOUT ROWID"),
            ("{bytewise}", ""),
        ],
    };
    let sql = words.iter().fold(sql.to_owned(), |sql, (word, own)| sql.replace(word, own));
    // Lines for one engine only.
    let (own, other) = match engine {
        DbBackend::Postgres => ("{postgres}", "{sqlite}"),
        _ => ("{sqlite}", "{postgres}"),
    };
    let lines = sql.lines().filter(|line| !line.starts_with(other));
    lines.map(|line| line.strip_prefix(own).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
