//! The writer of turns on SQLite when the disk refuses a whole group of commits, when another process has locked the
//! file, and when something changes while a commit waits for it.

use std::time::Duration;

use baton_core::agents::Author;
use baton_core::store::{Agents, Error, Steps, Store, Turns};
use baton_core::turns::{Commit, Committed, Refused};
use baton_core::workspaces::Role;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::cast::{Begun, Cast};

type Answer = Result<Committed, Refused>;

impl Cast {
    /// Has the file for itself, as another process could: the writer waits to begin.
    async fn hold_file(&self) -> DatabaseTransaction {
        let raw = self.told.raw().await;
        let mode = Some(SqliteTransactionMode::Immediate);
        let options = TransactionOptions { sqlite_transaction_mode: mode, ..Default::default() };
        raw.begin_with_options(options).await.unwrap()
    }

    /// Sends it to the writer, which has it when this returns.
    async fn send(&self, accept: Commit) -> JoinHandle<Answer> {
        let store = self.told.store.clone();
        let sent = tokio::spawn(async move { store.commit(&accept).await });
        tokio::task::yield_now().await;
        sent
    }

    async fn is_stored(&self, begun: &Begun) -> bool {
        !self.told.store.steps_after(begun.id, 0, 10).await.unwrap().is_empty()
    }
}

/// A statement that fails so that SQLite takes back the transaction, as it may on a full disk.
const TAKES_ALL_BACK: &str = "CREATE TRIGGER takes_all_back BEFORE INSERT ON task_messages \
    WHEN NEW.body LIKE '%poison%' BEGIN SELECT RAISE(ROLLBACK, 'as a full disk does'); END";

#[tokio::test]
async fn nobody_of_a_group_that_was_taken_back_is_told_that_it_was_stored() {
    let cast = Cast::gather().await;
    if cast.told.is_postgres() {
        return cast.told.end().await;
    }
    cast.told.raw().await.execute_unprepared(TAKES_ALL_BACK).await.unwrap();
    let held = cast.hold_file().await;
    let names = ["alone", "before", "poison", "after", "the poison again", "last"];
    let (mut sent, mut turns) = (Vec::new(), Vec::new());
    for name in names {
        let (accept, begun) = cast.fresh(name);
        // The first one waits for the file, and the others for it: they are one group.
        sent.push(cast.send(accept).await);
        turns.push(begun);
        if name == "alone" {
            sleep(Duration::from_millis(200)).await;
        }
    }
    held.rollback().await.unwrap();
    let mut answers = Vec::new();
    for answer in sent {
        answers.push(timeout(Duration::from_secs(60), answer).await.expect("an answer").unwrap());
    }
    for ((name, answer), turn) in names.iter().zip(&answers).zip(&turns) {
        assert_eq!(answer.is_ok(), cast.is_stored(turn).await, "{name}: {answer:?}");
    }
    let told: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(
        told,
        [true, false, false, false, false, true],
        "those after it have a transaction of their own"
    );
    cast.told.end().await;
}

#[tokio::test]
async fn a_commit_that_was_not_begun_in_time_is_withdrawn() {
    let cast = Cast::gather().await;
    if cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let held = cast.hold_file().await;
    let mut turns = Vec::new();
    for name in ["first", "second"] {
        let (accept, begun) = cast.fresh(name);
        turns.push((cast.send(accept).await, begun));
    }
    for (answer, _) in &mut turns {
        let answer = timeout(Duration::from_secs(60), answer).await.expect("an answer").unwrap();
        assert!(matches!(answer, Err(Refused::Store(Error::Unavailable))), "{answer:?}");
    }
    held.rollback().await.unwrap();
    let (accept, begun) = cast.fresh("third");
    cast.told.store.commit(&accept).await.expect("the writer goes on");
    assert!(cast.is_stored(&begun).await);
    for (_, begun) in &turns {
        assert!(!cast.is_stored(begun).await, "what was said to be lost is");
    }
    cast.told.end().await;
}

#[tokio::test]
async fn a_commit_that_waits_for_a_change_does_not_know_it() {
    let cast = Cast::gather().await;
    if cast.told.is_postgres() {
        return cast.told.end().await;
    }
    let (store, agent, by) = (cast.told.store.clone(), cast.agent, Author::in_person(cast.ana, Role::Owner));
    let known = store.generation();
    let (mut accept, begun) = cast.fresh("To an agent that is let go");
    accept.known = known;
    // It has the permit when this returns; the commit is sent behind it.
    let change = tokio::spawn(async move { store.unhire(agent, by).await });
    tokio::task::yield_now().await;
    let answer = cast.told.store.commit(&accept).await;
    change.await.unwrap().unwrap();
    assert!(matches!(answer, Err(Refused::Stale)), "{answer:?}");
    assert!(!cast.is_stored(&begun).await);
    accept.known = cast.told.store.generation();
    assert!(accept.known > known);
    cast.told.store.commit(&accept).await.expect("made from what is there now");
    cast.told.end().await;
}
