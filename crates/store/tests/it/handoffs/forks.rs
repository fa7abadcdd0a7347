//! What goes with a conversation that had handoffs: into a fork, into an export, and when it is deleted.

use baton_core::conversations::Versions;
use baton_core::handoffs::{ActivationStatus, NewSnapshot};
use baton_core::ids::{MessageId, SnapshotId};
use baton_core::log::TurnStatus;
use baton_core::store::{
    Conversations, Forks, Handoffs, People, Sessions, TransitionQuery, Turns, Workspaces,
};
use baton_core::turns::{After, Loaded};
use baton_core::visitors::Person;
use serde_json::json;

use super::desk::{Desk, assert_held_by, begins};
use crate::cast::{Place, done};

/// A turn of the cast's agent that completes a stage; its first message.
async fn stage(desk: &Desk, loaded: &Loaded, words: &str) -> MessageId {
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (id, last_seq) = (loaded.conversation.id, loaded.conversation.last_seq);
    let (accept, begun) = cast.accept(Place::Existing { id, last_seq, ends: None }, words);
    let asked = accept.steps[0].message_id.unwrap();
    let last = store.commit(&accept).await.unwrap().last_seq;
    let end = After::Ended(TurnStatus::Completed);
    let mut finish = cast.commit(&begun, last, vec![done(TurnStatus::Completed)], end);
    finish.snapshot = Some(NewSnapshot {
        id: SnapshotId::new(),
        agent_id: cast.agent,
        task_id: begun.task,
        stage: "qualify".into(),
        data: json!({"after": words}),
    });
    store.commit(&finish).await.unwrap();
    asked
}

#[tokio::test]
async fn a_fork_is_held_by_whoever_held_it_there() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let person = Person::Profile(cast.ana);
    let loaded = desk.idle().await;
    let id = loaded.conversation.id;
    let first = stage(&desk, &loaded, "one").await;
    // To the other, back again going on where it was, and once more to the other.
    let loaded = desk.load(id).await;
    let start = loaded.active().unwrap().id;
    store.commit(&desk.switch(&loaded, desk.other)).await.unwrap();
    let mut back = desk.switch(&desk.load(id).await, cast.agent);
    begins(&mut back).resumes = Some(start);
    store.commit(&back).await.unwrap();
    let second = stage(&desk, &desk.load(id).await, "two").await;
    store.commit(&desk.switch(&desk.load(id).await, desk.other)).await.unwrap();

    let fork = store.fork(id, person, second).await.unwrap();
    assert_eq!(fork.epoch, 3);
    let copy = desk.load(fork.id).await;
    assert_held_by(&copy.activations, cast.agent);
    let original = desk.load(id).await;
    assert_held_by(&original.activations, desk.other);
    assert_eq!((copy.activations.len(), original.activations.len()), (3, 4));
    for (copied, from) in copy.activations.iter().zip(&original.activations) {
        assert_ne!(copied.id, from.id);
        assert_eq!((copied.agent_id, copied.began_seq), (from.agent_id, from.began_seq));
    }
    assert_eq!(copy.activations[2].resumes, Some(copy.activations[0].id), "its own, not the original's");
    assert_eq!(copy.activations[1].status, ActivationStatus::Paused);
    let stages = async |of| {
        let kept = store.snapshots(of).await.unwrap();
        kept.into_iter().map(|one| (one.version, one.data["after"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(stages(fork.id).await, [(1, json!("one"))]);
    assert_eq!(stages(id).await, [(1, json!("one")), (2, json!("two"))]);
    store.commit(&desk.switch(&copy, desk.other)).await.expect("it lives on its own");

    let early = store.fork(id, person, first).await.unwrap();
    assert_eq!((early.epoch, desk.load(early.id).await.activations.len()), (1, 1));
    assert!(stages(early.id).await.is_empty());
    desk.close().await;
}

#[tokio::test]
async fn what_is_exported_and_what_is_forgotten() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let loaded = desk.idle().await;
        stage(&desk, &loaded, "one").await;
        let loaded = desk.load(loaded.conversation.id).await;
        store.commit(&desk.switch(&loaded, desk.other)).await.unwrap();
        ids.push(loaded.conversation.id);
    }
    let export = crate::whole(store.export_profile(cast.ana).await.unwrap()).await;
    let hers = &export["conversations"][0];
    assert_eq!(hers["activations"][1]["summary"], "Ana wants a report.");
    assert_eq!(hers["snapshots"][0]["data"], json!({"after": "one"}));

    let query = || TransitionQuery { workspace_id: cast.workspace, agent_id: None, since: None, limit: 10 };
    let told = async || {
        let made = store.transitions(query()).await.unwrap();
        (made.len(), made.iter().filter(|one| one.new.reason.is_some()).count())
    };
    assert_eq!(told().await, (3, 3));
    store.delete_conversation(ids[0], Person::Profile(cast.ana), Versions::All).await.unwrap();
    assert_eq!(told().await, (3, 2), "that there was a handoff stays; what it was about goes");
    store.delete_workspace(cast.workspace, cast.ana).await.unwrap();
    store.delete_expired().await.unwrap();
    assert_eq!(told().await, (3, 0));
    let left = desk.everything().await;
    for table in ["activations", "tasks", "snapshots", "task_messages"] {
        assert!(!left.contains(&format!("{table}: ")), "{left}");
    }
    desk.close().await;
}
