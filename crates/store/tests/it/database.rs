//! A database for one test: SQLite in a temporary folder, or with `BATON_TEST_ENGINE=postgres` one of its own on the
//! server that `BATON_TEST_POSTGRES` names. (The server's tests use this file too.)

use baton_store::{DataDir, Database, Durability, Locked};
use sea_orm::{ConnectionTrait, Database as Connection};
use tempfile::TempDir;

pub enum TestDatabase {
    Sqlite(TempDir),
    Postgres { server: String, name: String },
}

impl TestDatabase {
    pub async fn new() -> Self {
        match std::env::var("BATON_TEST_ENGINE").as_deref() {
            Ok("postgres") => Self::postgres().await,
            Ok("sqlite") | Err(_) => Self::Sqlite(tempfile::tempdir().expect("a temporary folder")),
            Ok(other) => panic!("BATON_TEST_ENGINE must be sqlite or postgres, not {other}"),
        }
    }

    async fn postgres() -> Self {
        let server =
            std::env::var("BATON_TEST_POSTGRES").expect("BATON_TEST_POSTGRES: run through `make test`");
        let name = format!("baton_test_{}", uuid::Uuid::new_v4().simple());
        let admin = Connection::connect(&server).await.expect("the test server");
        admin.execute_unprepared(&format!("CREATE DATABASE {name}")).await.expect("a database");
        admin.close().await.expect("closed");
        Self::Postgres { server, name }
    }

    /// The URL, on Postgres.
    pub fn url(&self) -> Option<String> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres { server, name } => {
                let (base, _) = server.rsplit_once('/').expect("a database in the URL");
                Some(format!("{base}/{name}"))
            }
        }
    }

    #[allow(dead_code)]
    pub fn open(&self) -> Database {
        match (self, self.url()) {
            (_, Some(url)) => Database::Postgres { url, connections: 5 },
            (Self::Sqlite(dir), None) => match DataDir::lock(dir.path()).expect("a lock") {
                Locked::Ours(dir) => Database::Sqlite { dir, durability: Durability::Normal },
                Locked::Theirs => panic!("the folder is locked"),
            },
            (Self::Postgres { .. }, None) => unreachable!(),
        }
    }

    /// Removes the database; a test that fails leaves it to the server's end.
    #[allow(dead_code)]
    pub async fn drop(self) {
        if let Self::Postgres { server, name } = self {
            let admin = Connection::connect(&server).await.expect("the test server");
            let _ = admin.execute_unprepared(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}
