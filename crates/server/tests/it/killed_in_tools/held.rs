//! The database beside the server that writes it, with triggers by which the server stands still in the middle of a write.

use std::path::Path;
use std::time::{Duration, Instant};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement, Value};
use uuid::Uuid;

use super::PATIENCE;
use crate::database::TestDatabase;

/// Where a call is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// Its rows are written, and not yet committed.
    Amid,
    /// They are, and its result is not.
    Stored,
}

impl Held {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Amid => "amid",
            Self::Stored => "stored",
        }
    }
}

/// The last thing that a write does before its commit is to keep its outcome; then comes the step of the result. Whoever comes
/// there while `held_back` names the place never comes back.
const ON_SQLITE: [&str; 4] = [
    "CREATE TABLE held_back (place TEXT NOT NULL)",
    "CREATE VIEW held_for_ever AS WITH RECURSIVE steps(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM steps) SELECT n FROM steps",
    "CREATE TRIGGER held_amid BEFORE UPDATE OF outcome ON tool_effects WHEN EXISTS (SELECT 1 FROM held_back WHERE place = 'amid') \
     BEGIN SELECT COUNT(*) FROM held_for_ever; END",
    "CREATE TRIGGER held_stored BEFORE INSERT ON task_messages WHEN NEW.type = 'tool_result' \
     AND EXISTS (SELECT 1 FROM held_back WHERE place = 'stored') BEGIN SELECT COUNT(*) FROM held_for_ever; END",
];
const ON_POSTGRES: [&str; 4] = [
    "CREATE TABLE held_back (place TEXT NOT NULL)",
    "CREATE FUNCTION hold_back() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     IF EXISTS (SELECT 1 FROM held_back WHERE place = TG_ARGV[0]) THEN PERFORM pg_sleep(3600); END IF; RETURN NEW; END $$",
    "CREATE TRIGGER held_amid BEFORE UPDATE OF outcome ON tool_effects FOR EACH ROW EXECUTE FUNCTION hold_back('amid')",
    "CREATE TRIGGER held_stored BEFORE INSERT ON task_messages FOR EACH ROW WHEN (NEW.type = 'tool_result') \
     EXECUTE FUNCTION hold_back('stored')",
];
const SLEEPING: &str =
    "pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event = 'PgSleep'";

pub struct Tables {
    db: DatabaseConnection,
    /// Of SQLite: asks at once whether somebody writes.
    probe: Option<DatabaseConnection>,
}

impl Tables {
    pub async fn open(dir: &Path, database: &TestDatabase) -> Self {
        let file = format!("sqlite://{}", dir.join("data/baton.db").display());
        let connect = async |url: String| {
            let mut options = ConnectOptions::new(url);
            options.max_connections(1);
            Database::connect(options).await.expect("connected")
        };
        let db = connect(database.url().unwrap_or_else(|| file.clone())).await;
        let mut probe = None;
        let mut setting = ON_POSTGRES;
        if db.get_database_backend() == DbBackend::Sqlite {
            let own = connect(file).await;
            own.execute_unprepared("PRAGMA busy_timeout = 0").await.expect("set");
            probe = Some(own);
            setting = ON_SQLITE;
        }
        for sql in setting {
            db.execute_unprepared(sql).await.expect(sql);
        }
        Self { db, probe }
    }

    pub async fn close(self) {
        for db in self.probe.into_iter().chain([self.db]) {
            db.close().await.expect("closed");
        }
    }

    pub async fn hold(&self, held: Held) {
        let sql = format!("INSERT INTO held_back VALUES ('{}')", held.as_str());
        self.db.execute_unprepared(&sql).await.expect("held");
    }

    /// After the kill: what was held is let go, and on Postgres the dead server's lease ends now instead of in seconds.
    pub async fn release(&self) {
        if self.probe.is_none() {
            let sql = format!("SELECT pg_terminate_backend(pid) FROM {SLEEPING}");
            self.db.execute_unprepared(&sql).await.expect("ended");
            self.until(async || self.rows(SLEEPING, None).await == 0, "it sleeps on").await;
            let sql = "UPDATE nodes SET lease_until = now() - INTERVAL '1 minute'";
            self.db.execute_unprepared(sql).await.expect("ended");
        }
        self.db.execute_unprepared("DELETE FROM held_back").await.expect("released");
    }

    /// Returns once the conversation's one call is in that state, and the server in the write that would end it.
    pub async fn until_held(&self, held: Held, conversation: Uuid) {
        let effects = i64::from(held == Held::Stored);
        let is_there = async || self.steps(conversation).await == [1, effects, 0] && self.is_writing().await;
        self.until(is_there, held.as_str()).await;
    }

    async fn until(&self, look: impl AsyncFn() -> bool, what: &str) {
        let begun = Instant::now();
        while !look().await {
            assert!(begun.elapsed() < PATIENCE, "it never came to this: {what}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Whether a write stands still. On SQLite any other is over long before it has been seen so often.
    async fn is_writing(&self) -> bool {
        let Some(probe) = &self.probe else { return self.rows(SLEEPING, None).await == 1 };
        for _ in 0..20 {
            if probe.execute_unprepared("BEGIN IMMEDIATE").await.is_ok() {
                probe.execute_unprepared("ROLLBACK").await.expect("rolled back");
                return false;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        true
    }

    /// How many calls of a conversation are stored, how many effects and how many results.
    pub async fn steps(&self, conversation: Uuid) -> [i64; 3] {
        let of = async |rows: &str| self.count(rows, conversation.into()).await;
        [
            of("task_messages WHERE conversation_id = $1 AND type = 'tool_call'").await,
            of("tool_effects WHERE conversation_id = $1 AND outcome IS NOT NULL").await,
            of("task_messages WHERE conversation_id = $1 AND type = 'tool_result'").await,
        ]
    }

    pub async fn count(&self, rows: &str, value: Value) -> i64 {
        self.rows(rows, Some(value)).await
    }

    async fn rows(&self, rows: &str, value: Option<Value>) -> i64 {
        let sql = format!("SELECT COUNT(*) AS number FROM {rows}");
        let statement = Statement::from_sql_and_values(self.db.get_database_backend(), sql, value);
        let row = self.db.query_one_raw(statement).await.expect("asked").expect("a row");
        row.try_get("", "number").expect("a number")
    }
}
