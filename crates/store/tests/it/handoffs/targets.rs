//! The target agent of a handoff changes while the commit waits: the commit sees the change, or the change waits for
//! the commit. (SQLite has one writer.)

use std::time::Duration;

use baton_core::store::Turns;
use baton_core::turns::Refused;
use sea_orm::{ConnectionTrait, DatabaseTransaction, TransactionTrait};
use tokio::time::{sleep, timeout};

use super::desk::Desk;

async fn run(on: &DatabaseTransaction, sql: String) {
    on.execute_unprepared(&sql).await.unwrap();
}

/// Whether someone waits for a lock that another transaction holds.
async fn someone_waits(on: &impl ConnectionTrait) {
    let sql =
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let statement = || sea_orm::Statement::from_string(on.get_database_backend(), sql);
    let waits = async {
        while on.query_one_raw(statement()).await.unwrap().is_none() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(30), waits).await.expect("someone waits");
}

#[tokio::test]
async fn an_agent_that_is_being_disabled_is_handed_nothing() {
    let desk = Desk::open().await;
    if !desk.cast.told.is_postgres() {
        return desk.close().await;
    }
    let raw = desk.cast.told.raw().await;
    let (begun, loaded) = desk.running().await;
    let disabling = raw.begin().await.unwrap();
    run(&disabling, format!("UPDATE agents SET is_active = false WHERE id = '{}'", desk.other)).await;
    let (store, handoff) = (desk.cast.told.store.clone(), desk.handoff(&begun, &loaded, desk.other));
    let handing = tokio::spawn(async move { store.commit(&handoff).await });
    someone_waits(&raw).await;
    disabling.commit().await.unwrap();
    let handed = handing.await.unwrap();
    assert!(matches!(handed, Err(Refused::TargetGone)), "{handed:?}");
    raw.close().await.unwrap();
    desk.close().await;
}

#[tokio::test]
async fn an_agent_is_not_disabled_under_a_commit_that_waits() {
    let desk = Desk::open().await;
    if !desk.cast.told.is_postgres() {
        return desk.close().await;
    }
    let raw = desk.cast.told.raw().await;
    let (begun, loaded) = desk.running().await;
    let holding = raw.begin().await.unwrap();
    run(&holding, format!("SELECT 1 FROM agent_conversations WHERE id = '{}' FOR UPDATE", begun.id)).await;
    let (store, handoff) = (desk.cast.told.store.clone(), desk.handoff(&begun, &loaded, desk.other));
    let handing = tokio::spawn(async move { store.commit(&handoff).await });
    someone_waits(&raw).await;
    let disabling = raw.begin().await.unwrap();
    run(&disabling, "SET LOCAL lock_timeout = '300ms'".to_owned()).await;
    let disable = format!("UPDATE agents SET is_active = false WHERE id = '{}'", desk.other);
    assert!(disabling.execute_unprepared(&disable).await.is_err(), "it waits for the commit");
    disabling.rollback().await.unwrap();
    holding.rollback().await.unwrap();
    handing.await.unwrap().expect("handed over");
    raw.close().await.unwrap();
    desk.close().await;
}
