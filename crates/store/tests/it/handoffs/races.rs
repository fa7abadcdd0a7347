//! Many people switch at once, all having seen the same epoch: one of them wins.

use std::collections::BTreeSet;
use std::sync::Arc;

use baton_core::ids::ActivationId;
use baton_core::store::Turns;
use baton_core::turns::{Committed, Loaded, Refused};

use super::desk::{Desk, assert_held_by, begins};

const AT_ONCE: usize = 64;

/// `BATON_RACE_ROUNDS` for more or fewer.
fn rounds(desk: &Desk) -> usize {
    let few = if desk.cast.told.is_postgres() { 10 } else { 200 };
    std::env::var("BATON_RACE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// What one switch leaves: a row that was and a row that is of what changed, and what is new.
const ONE_SWITCH: (&[&str], &[&str]) = (
    &["activations", "agent_conversations"],
    &["activations", "activations", "agent_conversations", "task_messages", "transitions"],
);

/// The tables of the rows that are gone, and of those that have come.
fn changed<'a>(before: &'a str, after: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let rows = |all: &'a str| all.lines().collect::<BTreeSet<_>>();
    let table = |row: &&'a str| row.split(':').next().unwrap_or_default();
    let (before, after) = (rows(before), rows(after));
    (before.difference(&after).map(table).collect(), after.difference(&before).map(table).collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_switches_at_once_one_wins() {
    let desk = Arc::new(Desk::open().await);
    let mut loaded = desk.idle().await;
    let raw = desk.cast.told.raw().await;
    let mut everything = desk.everything_by(&raw).await;
    for round in 0..rounds(&desk) {
        let to = if loaded.holder() == desk.other { desk.cast.agent } else { desk.other };
        let racing: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let (mut switch, store) = (desk.switch(&loaded, to), desk.cast.told.store.clone());
                let begins = begins(&mut switch).id;
                tokio::spawn(async move { (begins, store.commit(&switch).await) })
            })
            .collect();
        let mut winners: Vec<(ActivationId, Committed)> = Vec::new();
        for race in racing {
            match race.await.unwrap() {
                (begins, Ok(committed)) => winners.push((begins, committed)),
                (_, Err(Refused::StaleEpoch)) => {}
                (_, Err(other)) => panic!("round {round}: {other:?}"),
            }
        }
        let [(winner, committed)] = winners[..] else { panic!("round {round}: {winners:?}") };
        let before = loaded;
        loaded = desk.load(before.conversation.id).await;
        assert_held_by(&loaded.activations, to);
        assert_eq!(loaded.active().unwrap().id, winner);
        assert_eq!(loaded.conversation.epoch, before.conversation.epoch + 1);
        assert_eq!(loaded.conversation.last_seq, before.conversation.last_seq + 1, "nothing else");
        assert_eq!(committed.last_seq, loaded.conversation.last_seq);
        if before.activations.len() < 200 {
            assert_eq!(loaded.activations.len(), before.activations.len() + 1);
        }
        assert_eq!(loaded.turn, before.turn);
        let after = desk.everything_by(&raw).await;
        let (gone, come) = changed(&everything, &after);
        assert_eq!((&gone[..], &come[..]), ONE_SWITCH, "round {round}: nothing else changed");
        everything = after;
    }
    raw.close().await.unwrap();
    let Ok(desk) = Arc::try_unwrap(desk) else { panic!("all are done") };
    desk.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handoff_and_a_switch_at_once_are_one_change() {
    let desk = Desk::open().await;
    let store = &desk.cast.told.store;
    for round in 0..rounds(&desk) {
        let (begun, loaded) = desk.running().await;
        let handoff = desk.handoff(&begun, &loaded, desk.other);
        let mut switch = desk.switch(&loaded, desk.other);
        let (planned, chosen) = (handoff.handoff.as_ref().unwrap().begins.id, begins(&mut switch).id);
        let (by_model, by_person) = (store.clone(), store.clone());
        let by_model = tokio::spawn(async move { by_model.commit(&handoff).await });
        let by_person = tokio::spawn(async move { by_person.commit(&switch).await });
        let now = |loaded: &Loaded| (loaded.conversation.epoch, loaded.active().unwrap().id);
        let (handed, switched) = (by_model.await.unwrap(), by_person.await.unwrap());
        let loaded = desk.load(begun.id).await;
        match (handed, switched) {
            (Ok(_), Err(Refused::StaleEpoch)) => assert_eq!(now(&loaded), (2, planned), "round {round}"),
            (Err(Refused::StaleEpoch), Ok(_)) => assert_eq!(now(&loaded), (2, chosen), "round {round}"),
            other => panic!("round {round}: {other:?}"),
        }
        assert_held_by(&loaded.activations, desk.other);
        assert_eq!(loaded.activations.len(), 2);
    }
    desk.close().await;
}
