//! The store's story, told once for both engines.

// Helpers of tests, outside the test functions themselves.
#![allow(clippy::unwrap_used)]

mod attachments;
mod cast;
mod catalog;
mod conversations;
mod database;
mod effects;
mod handoffs;
mod lasting;
mod memories;
mod outages;
mod people;
mod plans;
mod proxy;
mod removal;
mod skills;
mod spending;
mod teams;
mod together;
mod tools;
mod turns;
mod upkeep;
mod writer;

use baton_core::catalog::Publish;
use baton_core::ids::{ProfileId, WorkspaceId};
use baton_core::packs::Pack;
use baton_core::people::{FirstWorkspace, NewProfile, Profile, Tier};
use baton_core::store::{Catalog, People, Pieces};
use baton_store::SqlStore;
use database::TestDatabase;
use futures::TryStreamExt;
use plans::{Plans, UNHEARD};
use sea_orm::{Database, DatabaseConnection};
use serde_json::Value;

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

    pub fn is_postgres(&self) -> bool {
        matches!(self.database, TestDatabase::Postgres { .. })
    }

    pub async fn end(self) {
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
