//! A database for one test: SQLite in a temporary folder, or with `BATON_TEST_ENGINE=postgres` one of its own on the
//! server that `BATON_TEST_POSTGRES` names. (The tests of server and engine use this file too.)
//! What is hard: time. On Postgres the tables take longer to make than most tests, so a test gets a copy of a database
//! that has them. The first test that asks makes that one, whichever process it is in.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use baton_store::{DataDir, Database, Durability, Locked, SqlStore};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database as Connection, DatabaseConnection, DbBackend, Statement,
};
use tempfile::TempDir;

const STORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../store");

pub enum TestDatabase {
    Sqlite(TempDir),
    Postgres { server: String, name: String },
}

impl TestDatabase {
    /// With all tables, on Postgres.
    pub async fn new() -> Self {
        Self::made(Content::Tables).await
    }

    /// Without any table.
    #[allow(dead_code)]
    pub async fn empty() -> Self {
        Self::made(Content::Nothing).await
    }

    async fn made(content: Content) -> Self {
        match std::env::var("BATON_TEST_ENGINE").as_deref() {
            Ok("postgres") => Self::postgres(content).await,
            Ok("sqlite") | Err(_) => Self::Sqlite(tempfile::tempdir().expect("a temporary folder")),
            Ok(other) => panic!("BATON_TEST_ENGINE must be sqlite or postgres, not {other}"),
        }
    }

    async fn postgres(content: Content) -> Self {
        let server =
            std::env::var("BATON_TEST_POSTGRES").expect("BATON_TEST_POSTGRES: run through `make test`");
        let name = format!("baton_test_{}", uuid::Uuid::new_v4().simple());
        // One connection, as it may hold a lock.
        let admin = Connection::connect(ConnectOptions::new(&server).max_connections(1).to_owned());
        let admin = admin.await.expect("the test server");
        let like = match content {
            Content::Tables => template(&admin, &server).await,
            Content::Nothing => "template1".to_owned(),
        };
        run(&admin, &format!("CREATE DATABASE {name} TEMPLATE {like}")).await;
        admin.close().await.expect("closed");
        Self::Postgres { server, name }
    }

    /// The URL, on Postgres.
    pub fn url(&self) -> Option<String> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres { server, name } => Some(url_of(server, name)),
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

enum Content {
    Nothing,
    Tables,
}

/// The name of the database that those of tests are copies of. It is made under another name, so it is there whole or not
/// at all, and a server that outlives the tests has one for each state of the migrations.
async fn template(admin: &DatabaseConnection, server: &str) -> String {
    let name = format!("baton_template_{:016x}", migrations());
    if exists(admin, &name).await {
        return name;
    }
    run(admin, "SELECT pg_advisory_lock(hashtext('baton template'))").await;
    if !exists(admin, &name).await {
        let unfinished = format!("{name}_unfinished");
        run(admin, &format!("DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)")).await;
        run(admin, &format!("CREATE DATABASE {unfinished}")).await;
        let database = Database::Postgres { url: url_of(server, &unfinished), connections: 5 };
        let store = SqlStore::open(database).await.expect("a store");
        store.close().await.expect("closed");
        run(admin, &format!("ALTER DATABASE {unfinished} RENAME TO {name}")).await;
    }
    run(admin, "SELECT pg_advisory_unlock_all()").await;
    name
}

/// A number for the migrations as they are now.
fn migrations() -> u64 {
    let files = Path::new(STORE).join("migrations").read_dir().expect("the migrations");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.push(Path::new(STORE).join("src/migrate.rs"));
    paths.sort();
    let mut hasher = DefaultHasher::new();
    for path in paths {
        std::fs::read(path).expect("a migration").hash(&mut hasher);
    }
    hasher.finish()
}

async fn exists(admin: &DatabaseConnection, name: &str) -> bool {
    let sql = format!("SELECT 1 FROM pg_database WHERE datname = '{name}'");
    admin.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.expect("asked").is_some()
}

async fn run(admin: &DatabaseConnection, sql: &str) {
    admin.execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

fn url_of(server: &str, name: &str) -> String {
    let (base, _) = server.rsplit_once('/').expect("a database in the URL");
    format!("{base}/{name}")
}
