//! The store's story, told once for both engines.

// Helpers of tests, outside the test functions themselves.
#![allow(clippy::unwrap_used)]

mod attachments;
mod cast;
mod catalog;
mod channel_speed;
mod channels;
mod conversations;
mod data;
mod database;
mod effects;
mod figures;
mod handoffs;
mod imports;
mod lasting;
mod lost_answers;
mod memories;
mod outages;
mod page_imports;
mod page_search;
mod pages;
mod people;
mod plans;
mod providers;
mod proxy;
mod removal;
mod reports;
mod result_files;
mod skills;
mod speed;
mod spending;
mod teams;
mod together;
mod tool_permissions;
mod tools;
mod turns;
mod upkeep;
mod writer;

use std::time::Duration;

use baton_core::catalog::Publish;
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::packs::Pack;
use baton_core::people::{FirstWorkspace, NewProfile, Profile, Tier};
use baton_core::store::{Catalog, People, Pieces};
use baton_store::SqlStore;
use database::TestDatabase;
use futures::TryStreamExt;
use plans::{Plans, UNHEARD};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use serde_json::Value;
use tokio::time::{sleep, timeout};

/// A store with the pack below applied, and the database it lives in.
pub struct Told {
    pub store: SqlStore,
    pub database: TestDatabase,
    pub plans: Plans,
}

impl Told {
    pub async fn begin() -> Self {
        let database = TestDatabase::new().await;
        Plans::tell(&database).await;
        let store = SqlStore::open(database.open()).await.expect("a store");
        store.apply_pack(&pack(PACK), Publish::OverItsOwn).await.expect("applied");
        Self { store, database, plans: Plans::hear() }
    }

    pub async fn person(&self, email: &str) -> (Profile, WorkspaceId) {
        let first = FirstWorkspace::Own { name: format!("{email}'s workspace") };
        let profile = self.store.sign_up(new_profile(email), first).await.expect("signed up");
        let workspace = self.first_workspace(profile.id).await;
        (profile, workspace)
    }

    pub async fn first_workspace(&self, id: ProfileId) -> WorkspaceId {
        self.store.memberships(id).await.expect("memberships")[0].workspace_id
    }

    /// Around the store, to the rows themselves.
    pub async fn raw(&self) -> DatabaseConnection {
        let url = match &self.database {
            TestDatabase::Sqlite(dir) => format!("sqlite://{}", dir.path().join("baton.db").display()),
            TestDatabase::Postgres { .. } => format!("{}?{UNHEARD}", self.database.url().unwrap()),
        };
        Database::connect(url).await.expect("connected")
    }

    /// Postgres only: waits until so many statements of this database wait for a lock.
    pub async fn until_waiting(&self, waiters: i64) {
        let raw = self.raw().await;
        let sql = "SELECT count(*) AS waiters FROM pg_locks JOIN pg_stat_activity USING (pid) \
                   WHERE NOT granted AND datname = current_database()";
        let waiting = async {
            loop {
                let row = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), sql)).await;
                let found: i64 = row.unwrap().unwrap().try_get("", "waiters").unwrap();
                if found >= waiters {
                    return;
                }
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(60), waiting).await.expect("someone waits for a lock");
        raw.close().await.unwrap();
    }

    pub fn is_postgres(&self) -> bool {
        matches!(self.database, TestDatabase::Postgres { .. })
    }

    pub async fn end(self) {
        let unscoped = self.plans.unscoped();
        assert!(unscoped.is_empty(), "no workspace:\n{}", Vec::from_iter(unscoped).join("\n"));
        let scans = self.plans.scans(&self.raw().await).await;
        assert!(scans.is_empty(), "no index serves:\n{}", Vec::from_iter(scans).join("\n"));
        self.store.close().await.expect("closed");
        self.database.drop().await;
    }
}

pub fn new_profile(email: &str) -> NewProfile {
    NewProfile {
        email: email.to_owned(),
        name: "Ana".to_owned(),
        password_hash: Some("hash".to_owned()),
        tier: Tier::Free,
        is_admin: false,
    }
}

/// What the pieces of an export are together.
pub async fn whole(pieces: Pieces) -> Value {
    let pieces: Vec<String> = pieces.try_collect().await.expect("all pieces");
    serde_json::from_str(&pieces.concat()).expect("JSON")
}

pub fn pack(toml: &str) -> Pack {
    Pack::parse(toml).expect("a pack")
}

pub const PACK: &str = r#"
    name = "test"
    title = "Test"
    description = "Two agents."
    auto_hire = true
    [[departments]]
    slug = "finance"
    name = "Finance"
    [[agents]]
    slug = "budget-coach"
    name = "Budget Coach"
    description = "Plans spending."
    department = "finance"
    category = "finance"
    is_default = true
    system_prompt = "You coach."
    [[agents.rules]]
    name = "Money"
    content = "Name the currency."
    [[agents]]
    slug = "uebersicht"
    name = "Übersicht"
    description = "Reports."
    category = "general"
    system_prompt = "You report."
"#;
