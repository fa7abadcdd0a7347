//! Long logs, large steps, and the checkpoint of an open call.

use baton_core::ids::{ProfileId, TaskId, VisitorId};
use baton_core::log::{MessageStatus, TurnStatus};
use baton_core::store::{Error, Turns};
use baton_core::tape::{Tape, Voice};
use baton_core::turns::{After, Checkpoint, Fence, Refused};
use baton_core::visitors::Person;
use sea_orm::{ConnectionTrait, Statement};

use crate::cast::{Begun, Cast, Place, accepting, call, called, done, said};

const RUNNING: After = After::Running { progressed: true };

impl Cast {
    /// A turn that says this and is over.
    async fn whole_turn(&self, place: Place, text: &str) -> (Begun, i64) {
        let (accept, begun) = self.accept(place, "Go");
        let last = self.told.store.commit(&accept).await.unwrap().last_seq;
        let steps = vec![said(text, Some(MessageStatus::Complete)), done(TurnStatus::Completed)];
        let end = self.commit(&begun, last, steps, After::Ended(TurnStatus::Completed));
        let last = self.told.store.commit(&end).await.unwrap().last_seq;
        (begun, last)
    }

    async fn tapes(&self) -> i64 {
        let raw = self.told.raw().await;
        let sql = "SELECT CAST(COUNT(*) AS BIGINT) AS tapes FROM tapes";
        let row = raw.query_one_raw(Statement::from_string(raw.get_database_backend(), sql)).await.unwrap();
        row.unwrap().try_get("", "tapes").unwrap()
    }
}

fn again(begun: &Begun, last_seq: i64) -> Place {
    Place::Existing { id: begun.id, last_seq, ends: None }
}

fn new_place() -> Place {
    Place::New { title: None }
}

#[tokio::test]
async fn the_running_turn_is_read_whole_however_many_steps_it_has() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (first, last) = cast.whole_turn(new_place(), "Before").await;
    let (accept, begun) = cast.accept(again(&first, last), "A long one");
    let mut last = store.commit(&accept).await.unwrap().last_seq;
    for _ in 0..5 {
        let steps = (0..1_000).map(|number| called(&format!("c{number}"))).collect();
        last = store.commit(&cast.commit(&begun, last, steps, RUNNING)).await.unwrap().last_seq;
    }
    let loaded = store.load(begun.id).await.unwrap();
    let seqs: Vec<i64> = loaded.steps.iter().map(|step| step.seq).collect();
    assert_eq!(seqs, (5..=last).collect::<Vec<_>>(), "all of this turn, nothing of the one before");
    assert!(loaded.is_cut);
    let end =
        cast.commit(&begun, last, vec![done(TurnStatus::Completed)], After::Ended(TurnStatus::Completed));
    store.commit(&end).await.unwrap();
    let loaded = store.load(begun.id).await.unwrap();
    assert_eq!((loaded.steps.len(), loaded.is_cut), (4_000, true), "what is over may be cut");
    cast.told.end().await;
}

#[tokio::test]
async fn large_steps_of_turns_that_are_over_are_not_all_read() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let large = "x".repeat(600_000);
    let (begun, mut last) = cast.whole_turn(new_place(), &large).await;
    for _ in 0..5 {
        last = cast.whole_turn(again(&begun, last), &large).await.1;
    }
    let loaded = store.load(begun.id).await.unwrap();
    let seqs: Vec<i64> = loaded.steps.iter().map(|step| step.seq).collect();
    assert_eq!((seqs[0], seqs[seqs.len() - 1], loaded.is_cut), (11, 24, true), "four of six: two megabytes");

    let (accept, running) = cast.accept(again(&begun, last), "Much");
    last = store.commit(&accept).await.unwrap().last_seq;
    for _ in 0..5 {
        let steps = vec![said(&large, None), call()];
        last = store.commit(&cast.commit(&running, last, steps, RUNNING)).await.unwrap().last_seq;
    }
    let loaded = store.load(begun.id).await.unwrap();
    let seqs: Vec<i64> = loaded.steps.iter().map(|step| step.seq).collect();
    assert_eq!(seqs, (25..=last).collect::<Vec<_>>(), "the running one is whole");
    cast.told.end().await;
}

#[tokio::test]
async fn a_tape_is_kept_for_its_own_call_and_only_while_one_is_open() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let heard = |words: &str| {
        let mut tape = Tape::default();
        tape.say(Voice::Text, words);
        tape
    };
    let keep = |last_seq, words: &str| store.checkpoint(begun.checkpoint(last_seq, heard(words)));
    keep(2, "one").await.unwrap();
    store.commit(&cast.commit(&begun, 2, vec![said("one two", None), call()], RUNNING)).await.unwrap();
    keep(2, "one two").await.expect("late, and still its owner's turn");
    assert_eq!(store.load(begun.id).await.unwrap().checkpoint, Some((2, heard("one"))), "no other call's");
    keep(4, "three").await.unwrap();
    assert_eq!(store.load(begun.id).await.unwrap().checkpoint, Some((4, heard("three"))));
    let fence = Fence { task_id: TaskId::new(), attempt: 1 };
    let zombie = store.checkpoint(Checkpoint { fence, ..begun.checkpoint(4, heard("x")) }).await;
    assert!(matches!(zombie, Err(Refused::Fenced)));

    assert_eq!(cast.tapes().await, 1);
    store.commit(&cast.commit(&begun, 4, vec![said("three", None)], After::Waiting)).await.unwrap();
    assert_eq!(cast.tapes().await, 0, "nothing speaks while a person is asked");
    keep(4, "late").await.unwrap();
    assert_eq!(cast.tapes().await, 0);

    let (accept, begun) = cast.fresh("Once more");
    store.commit(&accept).await.unwrap();
    store.checkpoint(begun.checkpoint(2, heard("one"))).await.unwrap();
    let steps = vec![said("one", Some(MessageStatus::Complete)), done(TurnStatus::Completed)];
    store.commit(&cast.commit(&begun, 2, steps, After::Ended(TurnStatus::Completed))).await.unwrap();
    assert_eq!(cast.tapes().await, 0, "nor after the turn");
    cast.told.end().await;
}

#[tokio::test]
async fn nobody_writes_into_another_persons_conversation() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (begun, last) = cast.whole_turn(new_place(), "Hello").await;
    for person in [Person::Profile(ProfileId::new()), Person::Visitor(VisitorId(cast.ana.0))] {
        let (mut accept, _) = cast.accept(again(&begun, last), "Mine now");
        accepting(&mut accept).person = person;
        let refused = store.commit(&accept).await;
        assert!(matches!(refused, Err(Refused::Store(Error::NotFound("conversation")))), "{refused:?}");
    }
    let (accept, _) = cast.accept(again(&begun, last), "Hers");
    store.commit(&accept).await.unwrap();
    cast.told.end().await;
}
