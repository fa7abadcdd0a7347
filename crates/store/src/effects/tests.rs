use super::*;
use crate::connect::{Database, Durability};
use crate::lock::{DataDir, Locked};

/// A tool's write that opened another would wait for itself on SQLite, and could be half done on Postgres.
#[tokio::test]
async fn a_second_write_within_one_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let Locked::Ours(locked) = DataDir::lock(dir.path()).expect("a lock") else { panic!("it is locked") };
    let database = Database::Sqlite { dir: locked, durability: Durability::Normal };
    let store = SqlStore::open(database).await.expect("a store");
    let within = within_effect(store.write()).await;
    assert!(matches!(&within.err(), Some(Error::Database(_))));
    store.write().await.expect("one on its own").commit_unkept().await.expect("committed");
}
