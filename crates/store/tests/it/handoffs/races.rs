//! Many switch at once, all having seen the same: one of them wins.

use std::sync::Arc;

use baton_core::ids::ActivationId;
use baton_core::store::Turns;
use baton_core::turns::{Committed, Refused, Switch};

use super::desk::{Desk, assert_held_by};

const AT_ONCE: usize = 64;

/// `BATON_RACE_ROUNDS` for more or fewer.
fn rounds(desk: &Desk) -> usize {
    let few = if desk.cast.told.is_postgres() { 10 } else { 50 };
    std::env::var("BATON_RACE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_switches_at_once_one_wins() {
    let desk = Arc::new(Desk::open().await);
    let mut loaded = desk.idle().await;
    for round in 0..rounds(&desk) {
        let to = if loaded.holder() == desk.other { desk.cast.agent } else { desk.other };
        let racing: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let (switch, store) = (desk.switch(&loaded, to), desk.cast.told.store.clone());
                let begins = switch.handover.begins.id;
                tokio::spawn(async move { (begins, tries(&store, switch).await) })
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
    }
    let Ok(desk) = Arc::try_unwrap(desk) else { panic!("all are done") };
    desk.close().await;
}

async fn tries(store: &baton_store::SqlStore, switch: Switch) -> Result<Committed, Refused> {
    store.switch(switch).await
}
