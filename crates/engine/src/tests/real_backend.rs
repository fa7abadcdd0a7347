//! Real databases under a simulation: SQLite behind a store that loses answers, with one node that is killed and started
//! again; Postgres behind a proxy per node that cuts, delays, loses and swallows.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use baton_core::bus::Bus;
use baton_core::ids::{ConversationId, NodeId};
use baton_core::people::Tier;
use baton_core::store::{EngineStore, Teams};
use baton_store::{DataDir, Database, Durability, Locked, SqlStore};
use fastrand::Rng;
use sea_orm::{ConnectionTrait, Database as Connection, DatabaseConnection, DbErr, Statement};
use tokio::runtime::Runtime;

use super::backend::{Backend, Cast, Tick};
use super::cluster::agents;
use super::database::TestDatabase;
use super::faulty_store::{Faults, FaultyStore, Notes};
use super::memory_rows::Row;
use super::proxy::{How, Proxy, When};
use super::real_house::House;
use super::{real_rows, teams};
use crate::lock::lock;

pub struct RealBackend {
    /// Where the checks read, beside the nodes and around what breaks.
    side: Runtime,
    db: DatabaseConnection,
    database: TestDatabase,
    /// Of SQLite's store.
    faults: Arc<Faults>,
    /// Before Postgres, by the node's place.
    proxies: Mutex<HashMap<usize, Proxy>>,
    is_calm: AtomicBool,
    pub notes: Arc<Notes>,
}

const CONNECTIONS: u32 = 4;

impl RealBackend {
    pub fn new(dice: &mut Rng) -> (Arc<Self>, Cast) {
        let side = Tick::Milliseconds.runtime();
        let like = agents(dice);
        let (house, cast) = side.block_on(async {
            let (house, store) = House::build(Tier::Premium).await;
            let hired = house.hire(&store, like).await;
            let agents = [hired[0].id, hired[1].id, hired[2].id];
            let team = match teams::any(dice, agents) {
                Some(team) => {
                    let made = store.create_team(house.workspace, team.definition, house.profile).await;
                    Some(made.expect("a team").id)
                }
                None => None,
            };
            store.close().await.expect("closed");
            let cast = Cast { workspace: house.workspace, profile: house.profile, agents, team };
            (house, cast)
        });
        let url = match &house.database {
            TestDatabase::Sqlite(dir) => format!("sqlite://{}", dir.path().join("baton.db").display()),
            TestDatabase::Postgres { .. } => house.database.url().expect("a URL"),
        };
        let notes = Arc::new(Notes::default());
        let backend = Self {
            db: side.block_on(Connection::connect(url)).expect("a connection"),
            side,
            database: house.database,
            faults: Arc::new(Faults::new(dice.fork(), notes.clone())),
            proxies: Mutex::default(),
            is_calm: AtomicBool::new(false),
            notes,
        };
        (Arc::new(backend), cast)
    }

    /// How many nodes this database can have.
    pub fn most_nodes(&self) -> usize {
        if self.database.url().is_some() { 3 } else { 1 }
    }

    pub fn end(self: Arc<Self>) {
        let Ok(backend) = Arc::try_unwrap(self) else { return };
        let Self { side, db, database, .. } = backend;
        side.block_on(async {
            db.close().await.expect("closed");
            database.drop().await;
        });
    }

    /// Waits for what is done on the side, from wherever it is asked.
    fn wait<T: Send + 'static>(&self, work: impl Future<Output = Result<T, DbErr>> + Send + 'static) -> T {
        let (done, is_done) = mpsc::channel();
        self.side.spawn(async move { done.send(work.await) });
        is_done.recv().expect("an answer").expect("what is stored")
    }

    fn open_sqlite(&self, dir: &std::path::Path, runtime: &Runtime) -> SqlStore {
        // The node that was killed lets go of the folder when the last of its threads is gone.
        let patience = Instant::now() + Duration::from_secs(30);
        loop {
            if let Locked::Ours(dir) = DataDir::lock(dir).expect("a folder") {
                let database = Database::Sqlite { dir, durability: Durability::Normal };
                return runtime.block_on(SqlStore::open(database)).expect("a store");
            }
            assert!(Instant::now() < patience, "the folder stays locked");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Backend for RealBackend {
    fn tick(&self) -> Tick {
        Tick::Milliseconds
    }

    fn open(&self, place: usize, runtime: &Runtime) -> (Arc<dyn EngineStore>, Arc<dyn Bus>) {
        self.note(&format!("node {place} starts"));
        match &self.database {
            TestDatabase::Sqlite(dir) => {
                let inner = self.open_sqlite(dir.path(), runtime);
                let bus = inner.bus();
                (Arc::new(FaultyStore { inner, faults: self.faults.clone() }), bus)
            }
            TestDatabase::Postgres { .. } => {
                let proxy = Proxy::before(&self.database.url().expect("a URL"));
                let database = Database::Postgres { url: proxy.url(), connections: CONNECTIONS };
                let store = runtime.block_on(SqlStore::open(database)).expect("a store");
                lock(&self.proxies).insert(place, proxy);
                let bus = store.bus();
                (Arc::new(store), bus)
            }
        }
    }

    fn conversations(&self) -> Vec<ConversationId> {
        let db = self.db.clone();
        self.wait(async move { real_rows::conversations(&db).await })
    }

    fn row(&self, id: ConversationId) -> Row {
        let db = self.db.clone();
        self.wait(async move { real_rows::row(&db, id).await })
    }

    fn last_seq(&self, id: ConversationId) -> i64 {
        let db = self.db.clone();
        self.wait(async move { real_rows::last_seq(&db, id).await })
    }

    /// On SQLite the folder's lock is the lease.
    fn expire(&self, node: NodeId) {
        let db = self.db.clone();
        if self.database.url().is_some() {
            self.wait(async move {
                let sql = "DELETE FROM nodes WHERE id = $1";
                let values: [sea_orm::Value; 1] = [node.0.into()];
                db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await
            });
        }
    }

    /// Nodes renew their leases themselves.
    fn revive(&self, _: NodeId) {}

    /// On SQLite nobody else changes anything.
    fn change_house(&self) {
        let db = self.db.clone();
        if self.database.url().is_some() {
            self.wait(
                async move { db.execute_unprepared("UPDATE generation SET number = number + 1").await },
            );
        }
    }

    fn trouble(&self, place: usize, dice: &mut Rng) {
        let proxies = lock(&self.proxies);
        let Some(proxy) = proxies.get(&place) else { return };
        let statement = *dice
            .choice(&[
                "UPDATE agent_conversations",
                "INSERT INTO agent_conversations",
                "task_messages",
                "tool_effects",
                "COMMIT",
                "nodes",
            ])
            .expect("a statement");
        let when = if dice.bool() { When::Before } else { When::After };
        let what = match dice.u8(..24) {
            0..=12 => {
                proxy.lose_next(statement, when, How::Cut);
                format!("the answer to {statement} is lost, {when:?}")
            }
            13 => {
                proxy.lose_next(statement, when, How::Silent);
                format!("the answer to {statement} never comes, {when:?}")
            }
            14 if dice.u8(..4) == 0 => {
                proxy.silence();
                "nothing comes through".to_owned()
            }
            14 | 15 => {
                proxy.cut();
                "connections are cut".to_owned()
            }
            16 | 17 => {
                let late = dice.u64(1..15);
                proxy.delay(Duration::from_millis(late));
                format!("statements are {late} ms late")
            }
            _ => {
                proxy.answer_again();
                "all is well".to_owned()
            }
        };
        self.note(&format!("node {place}: {what}"));
    }

    fn calm(&self) {
        self.note("nothing fails any more");
        self.is_calm.store(true, Ordering::Relaxed);
        self.faults.is_calm.store(true, Ordering::Relaxed);
        for proxy in lock(&self.proxies).values() {
            proxy.lose_nothing();
            proxy.answer_again();
        }
    }

    fn is_calm(&self) -> bool {
        self.is_calm.load(Ordering::Relaxed)
    }

    fn note(&self, what: &str) {
        self.notes.add(what);
    }

    fn check_rest(&self, rows: &[Row]) {
        let db = self.db.clone();
        let (there_are, twice) = self.wait(async move { real_rows::memories(&db).await });
        let told_of: usize = rows.iter().map(|row| row.memories.len()).sum();
        assert_eq!((there_are, twice), (told_of as i64, 0), "memories, and those written more than once");
    }
}
