//! A turn's commits, told once for both engines.

use baton_core::approvals::{APPROVAL_TIME, ApprovalStatus, Decision, NewApproval, arguments_hash};
use baton_core::conversations::Versions;
use baton_core::fold::Spoken;
use baton_core::ids::{AgentId, ApprovalId, ConversationId, NodeId, ProfileId, TaskId};
use baton_core::log::{MessageStatus, ResultStep, Step, TurnStatus};
use baton_core::store::{Approvals, Conversations, Error, Forks, People, Steps, Turns};
use baton_core::tape::{Tape, Voice};
use baton_core::tools::{Preview, PreviewChange};
use baton_core::turns::{After, Commit, Decide, MessageWrite, Refused, RequestKey};
use baton_core::visitors::Person;
use chrono::Duration;
use serde_json::{Value, json};

use crate::cast::{Cast, Place, attempt, call, called, done, now, said, with_key};

/// Each of three turns has two results of 400 kB.
#[tokio::test]
async fn a_page_ends_where_its_results_are_many() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let person = Person::Profile(cast.ana);
    let (mut id, mut last_seq) = (None, 0);
    for _ in 0..3 {
        let place = match id {
            Some(id) => Place::Existing { id, last_seq, ends: None },
            None => Place::New { title: None },
        };
        let (accept, begun) = cast.accept(place, "How much is left?");
        last_seq = store.commit(&accept).await.unwrap().last_seq;
        let steps = vec![
            said("Look:", None),
            called("c1"),
            called("c2"),
            came_to("c1"),
            came_to("c2"),
            said("So.", Some(MessageStatus::Complete)),
            done(TurnStatus::Completed),
        ];
        let mut finish = cast.commit(&begun, last_seq, steps, After::Ended(TurnStatus::Completed));
        let mut spoken = Spoken::new(begun.message, cast.agent);
        for (seq, new) in (last_seq + 1..).zip(finish.steps.clone()) {
            spoken.take(&new.at(seq, finish.at));
        }
        finish.messages = vec![MessageWrite::Update { spoken, metadata: json!({}) }];
        last_seq = store.commit(&finish).await.unwrap().last_seq;
        id = Some(begun.id);
    }
    let (mut before, mut pages) = (None, Vec::new());
    loop {
        let page = store.read_conversation(id.unwrap(), person, before, 200).await.unwrap();
        let answers = page.messages.iter().filter_map(|message| message.parts.as_ref());
        let results =
            answers.flat_map(|parts| parts.as_array().unwrap()).filter(|part| part["result"].is_string());
        pages.push((page.messages.len(), results.count()));
        before = page.messages.first().map(|message| message.id);
        if !page.has_more {
            break;
        }
    }
    // With the results of a second answer it would be more than a page; questions have none.
    assert_eq!(pages, [(2, 2), (2, 2), (2, 2)]);
    let export = crate::whole(store.export_profile(cast.ana).await.unwrap()).await;
    let exported = export["conversations"][0]["messages"].as_array().unwrap();
    let is_whole = |message: &&Value| message.to_string().len() > 2 * LONG;
    assert_eq!((exported.len(), exported.iter().filter(is_whole).count()), (6, 3));
    cast.told.end().await;
}

const LONG: usize = 400_000;

fn came_to(call_id: &str) -> Step {
    Step::ToolResult(ResultStep {
        call_id: call_id.into(),
        tool_name: "manageMemory".into(),
        result: json!("x".repeat(LONG)),
        success: true,
        duration_ms: 1,
        unknown: false,
        wrote: false,
        kept: Vec::new(),
    })
}

#[tokio::test]
async fn a_turn_from_accept_to_finish() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("How much is left?");
    assert_eq!(store.commit(&accept).await.unwrap().last_seq, 2);
    let loaded = store.load(begun.id).await.unwrap();
    let turn = loaded.turn.expect("a turn");
    assert_eq!((turn.task_id, turn.owner, turn.attempt), (begun.task, Some(cast.node), 1));
    assert_eq!((loaded.holder(), loaded.steps.len(), loaded.is_cut), (cast.agent, 2, false));

    let place = Place::Existing { id: begun.id, last_seq: 2, ends: None };
    assert!(matches!(store.commit(&cast.accept(place, "And?").0).await, Err(Refused::TurnInProgress)));

    let mut reply =
        cast.commit(&begun, 2, vec![said("Look:", None), called("c1")], After::Running { progressed: true });
    reply.next_call = Some(cast.step(begun.task, begun.message, call()));
    assert_eq!(store.commit(&reply.clone()).await.unwrap().last_seq, 5, "two steps and the next call");
    let read = store.read_conversation(begun.id, Person::Profile(cast.ana), None, 10).await.unwrap();
    let so_far = &read.messages[1];
    assert_eq!((so_far.content.as_str(), so_far.status), ("Look:", MessageStatus::Streaming));
    assert_eq!(so_far.parts.as_ref().unwrap()[1]["toolCallId"], "c1");
    assert_eq!(so_far.metadata, json!({"taskId": begun.task}));
    assert!(matches!(store.commit(&reply).await, Err(Refused::Moved)), "the same commit again");

    let mut spoken = Spoken::new(begun.message, cast.agent);
    spoken.say(Voice::Text, "Enough.", true);
    spoken.status = MessageStatus::Complete;
    let steps = vec![said("Enough.", Some(MessageStatus::Complete)), done(TurnStatus::Completed)];
    let mut finish = cast.commit(&begun, 5, steps, After::Ended(TurnStatus::Completed));
    finish.messages = vec![MessageWrite::Update { spoken, metadata: json!({"model": "demo/demo"}) }];
    assert_eq!(store.commit(&finish).await.unwrap().last_seq, 7);
    assert!(matches!(store.commit(&finish).await, Err(Refused::Fenced)), "the turn is over");

    let read = store.read_conversation(begun.id, Person::Profile(cast.ana), None, 10).await.unwrap();
    assert_eq!(read.conversation.last_seq, 7);
    assert!(read.turn.is_none());
    assert_eq!(read.messages[1].content, "Enough.");
    let steps = store.steps_after(begun.id, 4, 10).await.unwrap();
    assert_eq!(steps.iter().map(|step| step.seq).collect::<Vec<_>>(), [5, 6, 7]);
    assert_eq!(
        store.step(begun.id, 6).await.unwrap().unwrap().step,
        said("Enough.", Some(MessageStatus::Complete))
    );
    assert!(store.step(begun.id, 8).await.unwrap().is_none());
    assert_eq!(store.last_seqs(vec![begun.id]).await.unwrap(), [(begun.id, 7)]);
    cast.told.end().await;
}

#[tokio::test]
async fn a_stop_seen_by_the_guard_opens_no_call() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    assert!(matches!(store.request_stop(ConversationId::new(), None, now()).await, Err(Error::NotFound(_))));
    let (accept, begun) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let another = store.request_stop(begun.id, Some(TaskId::new()), now()).await.unwrap();
    assert!(another.is_none(), "that turn is not there: {another:?}");
    assert!(store.stops_requested(cast.node).await.unwrap().is_empty());
    let (accept, other) = cast.fresh("Go too");
    store.commit(&accept).await.unwrap();
    let its = store.request_stop(other.id, Some(other.task), now()).await.unwrap().expect("a turn");
    assert!(its.stop_requested);
    assert_eq!(store.stops_requested(cast.node).await.unwrap(), [other.task]);
    let finish = cast.commit(&other, 2, vec![done(TurnStatus::Stopped)], After::Ended(TurnStatus::Stopped));
    store.commit(&finish).await.unwrap();
    assert!(store.request_stop(begun.id, None, now()).await.unwrap().expect("a turn").stop_requested);
    assert_eq!(store.stops_requested(cast.node).await.unwrap(), [begun.task]);
    let mut reply = cast.commit(&begun, 2, vec![said("x", None)], After::Running { progressed: true });
    reply.next_call = Some(cast.step(begun.task, begun.message, call()));
    let committed = store.commit(&reply).await.unwrap();
    assert!(committed.stop_requested);
    assert_eq!(committed.last_seq, 3, "the call is left out");
    assert_eq!(store.steps_after(begun.id, 0, 10).await.unwrap().len(), 3);
    let finish = cast.commit(&begun, 3, vec![done(TurnStatus::Stopped)], After::Ended(TurnStatus::Stopped));
    store.commit(&finish).await.unwrap();
    assert!(store.request_stop(begun.id, None, now()).await.unwrap().is_none(), "nothing runs");
    cast.told.end().await;
}

#[tokio::test]
async fn a_key_names_one_request() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let key = |hash: &[u8]| Some(RequestKey { key: "k".into(), body_hash: hash.to_vec() });
    let (accept, begun) = cast.fresh("Once");
    store.commit(&with_key(key(b"one"), accept)).await.unwrap();
    let (again, _) = cast.fresh("Once");
    match store.commit(&with_key(key(b"one"), again)).await {
        Err(Refused::Repeated { conversation_id, task_id, first_seq }) => {
            assert_eq!((conversation_id, task_id, first_seq), (begun.id, begun.task, 1));
        }
        other => panic!("{other:?}"),
    }
    let place = Place::Existing { id: begun.id, last_seq: 2, ends: None };
    let (same_place, _) = cast.accept(place, "Once");
    let repeated = store.commit(&with_key(key(b"one"), same_place)).await;
    assert!(matches!(repeated, Err(Refused::Repeated { .. })), "rather than in progress: {repeated:?}");
    let (other, _) = cast.fresh("Twice");
    assert!(matches!(store.commit(&with_key(key(b"two"), other)).await, Err(Refused::KeyReused)));
    let (later, _) = cast.fresh("Tomorrow");
    let tomorrow = now() + Duration::days(1) + Duration::minutes(1);
    let later = Commit { at: tomorrow, ..with_key(key(b"two"), later) };
    let first = store.commit(&later.clone()).await;
    // Postgres finds out that the key is spent by trying; the engine tries again.
    let accepted = match first {
        Err(Refused::Moved) => store.commit(&later).await,
        other => other,
    };
    assert!(accepted.is_ok(), "{accepted:?}");
    cast.told.end().await;
}

#[tokio::test]
async fn turns_of_a_node_that_is_gone_are_taken_over_once() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let mut tape = Tape::default();
    tape.say(Voice::Text, "half an ans");
    store.checkpoint(begun.checkpoint(2, tape.clone())).await.unwrap();
    assert!(store.claim_turns(cast.node).await.unwrap().is_empty(), "it is alive");

    cast.told.lose_lease(cast.node).await;
    let (one, other) = (NodeId::new(), NodeId::new());
    store.renew_lease(one).await.unwrap();
    store.renew_lease(other).await.unwrap();
    let claimed = store.claim_turns(one).await.unwrap();
    assert_eq!(store.turns_of(one).await.unwrap(), claimed);
    assert_eq!(claimed.len(), 1);
    if matches!(cast.told.database, crate::database::TestDatabase::Postgres { .. }) {
        assert!(store.claim_turns(other).await.unwrap().is_empty(), "only one gets it");
    }
    let loaded = store.load(begun.id).await.unwrap();
    let turn = loaded.turn.expect("a turn");
    assert_eq!((turn.owner, turn.attempt, turn.tries), (Some(one), 2, 1));
    assert_eq!(loaded.checkpoint, Some((2, tape.clone())));

    let zombie = cast.commit(&begun, 2, vec![said("late", None)], After::Running { progressed: true });
    assert!(matches!(store.commit(&zombie).await, Err(Refused::Fenced)));
    assert!(matches!(store.checkpoint(begun.checkpoint(2, tape)).await, Err(Refused::Fenced)));
    let mut ours = cast.commit(&begun, 2, vec![said("on time", None)], After::Running { progressed: true });
    *attempt(&mut ours) = 2;
    store.commit(&ours).await.unwrap();
    assert_eq!(store.turn(begun.id).await.unwrap().expect("a turn").tries, 0, "it came through");
    cast.told.end().await;
}

#[tokio::test]
async fn a_node_that_ends_in_order_leaves_its_turns_to_others_without_a_try() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let mut node = cast.node;
    for attempt in 2..6 {
        store.end_lease(node).await.unwrap();
        store.end_lease(node).await.expect("once more, as its answer may be lost");
        node = NodeId::new();
        store.renew_lease(node).await.unwrap();
        assert_eq!(store.claim_turns(node).await.unwrap().len(), 1, "at once");
        let turn = store.turn(begun.id).await.unwrap().expect("a turn");
        assert_eq!((turn.owner, turn.attempt, turn.tries), (Some(node), attempt, 0));
    }
    cast.told.lose_lease(node).await;
    let next = NodeId::new();
    store.renew_lease(next).await.unwrap();
    store.claim_turns(next).await.unwrap();
    let turn = store.turn(begun.id).await.unwrap().expect("a turn");
    assert_eq!((turn.attempt, turn.tries), (6, 1), "a crash is a try");
    store.drop_lease(next).await.unwrap();
    store.drop_lease(next).await.expect("once more, as its answer may be lost");
    let last = NodeId::new();
    store.renew_lease(last).await.unwrap();
    assert_eq!(store.claim_turns(last).await.unwrap().len(), 1, "at once");
    let turn = store.turn(begun.id).await.unwrap().expect("a turn");
    assert_eq!((turn.attempt, turn.tries), (7, 2), "so is a lease that was dropped");
    cast.told.end().await;
}

#[tokio::test]
async fn an_approval_is_decided_once_and_hands_the_turn_on() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("Pay");
    store.commit(&accept).await.unwrap();
    let approval_id = ApprovalId::new();
    let expires_at = now() + APPROVAL_TIME;
    let changes = vec![PreviewChange {
        what: "Rent".into(),
        field: "amount".into(),
        old: None,
        new: Some("€ 5".into()),
    }];
    let preview = Preview { sentence: "Pays the rent.".into(), changes, more: 3, seen: Vec::new() };
    let asked = Step::ApprovalAsked {
        approval_id,
        call_id: "c1".into(),
        tool_name: "pay".into(),
        args: Default::default(),
        expires_at,
        preview: Some(preview.clone()),
    };
    let mut ask = cast.commit(&begun, 2, vec![said("I ask.", None), called("c1"), asked], After::Waiting);
    ask.approvals = vec![NewApproval {
        id: approval_id,
        agent_id: cast.agent,
        message_id: begun.message,
        call_id: "c1".into(),
        tool_name: "pay".into(),
        args: Default::default(),
        expires_at,
        preview: Some(preview.clone()),
    }];
    store.commit(&ask).await.unwrap();
    assert_eq!(store.turn(begun.id).await.unwrap().expect("a turn").owner, None);
    assert!(
        store.claim_turns(NodeId::new()).await.unwrap().is_empty(),
        "what waits is nobody's to take over"
    );
    let decide = |decision| Decide {
        approval_id,
        decision,
        by: "Ana".into(),
        reason: None,
        args: None,
        args_hash: Some(arguments_hash("pay", &Default::default())),
        remember: true,
        node: cast.node,
        at: now(),
    };
    let late = Decide { at: expires_at + Duration::seconds(1), ..decide(Decision::Approved) };
    assert!(matches!(store.decide(late).await, Err(Refused::TooLate)));
    assert_eq!(store.overdue_approvals(expires_at + Duration::seconds(1)).await.unwrap(), [approval_id]);
    for shown in [None, Some(arguments_hash("pay", json!({"sum": 5}).as_object().unwrap()))] {
        for decision in [Decision::Approved, Decision::Rejected] {
            let unseen = Decide { args_hash: shown.clone(), ..decide(decision) };
            assert!(matches!(store.decide(unseen).await, Err(Refused::OtherArguments)), "{shown:?}");
        }
    }
    let decided = store.decide(decide(Decision::Approved)).await.unwrap();
    assert!(decided.resumes);
    assert_eq!(decided.step.seq, 6);
    assert!(matches!(store.decide(decide(Decision::Rejected)).await, Err(Refused::AlreadyDecided(as_it_is))
        if as_it_is.status == ApprovalStatus::Approved));
    let loaded = store.load(begun.id).await.unwrap();
    assert_eq!(loaded.turn.expect("a turn").owner, Some(cast.node));
    let remembered = async |agent| store.remembered(begun.id, agent).await.unwrap();
    assert_eq!(remembered(cast.agent).await, [arguments_hash("pay", &Default::default())]);
    assert!(remembered(AgentId::new()).await.is_empty(), "another agent asks");
    let hers = store.approval(approval_id, Person::Profile(cast.ana)).await.unwrap();
    assert_eq!(hers.preview, Some(preview));
    assert_eq!(hers.decided_by.as_deref(), Some("Ana"));
    assert!(store.approval(approval_id, Person::Profile(ProfileId::new())).await.is_err());

    store.delete_conversation(begun.id, Person::Profile(cast.ana), Versions::All).await.unwrap();
    assert!(matches!(store.load(begun.id).await, Err(Error::NotFound(_))));
    let mut on = cast.commit(&begun, 6, vec![said("x", None)], After::Running { progressed: true });
    *attempt(&mut on) = 2;
    assert!(matches!(store.commit(&on).await, Err(Refused::Fenced)), "deleted is gone");
    cast.told.end().await;
}

#[tokio::test]
async fn many_turns_at_once_each_keep_their_own_order() {
    let cast = std::sync::Arc::new(Cast::gather().await);
    let turns = (0..40).map(|number| {
        let cast = cast.clone();
        tokio::spawn(async move {
            let store = &cast.told.store;
            let (accept, begun) = cast.fresh(&format!("turn {number}"));
            store.commit(&accept).await.unwrap();
            for round in 0..10 {
                let text = format!("{number} says {round}");
                let commit = cast.commit(
                    &begun,
                    2 + round,
                    vec![said(&text, None)],
                    After::Running { progressed: true },
                );
                store.commit(&commit).await.unwrap();
            }
            let read = store.steps_after(begun.id, 2, 100).await.unwrap();
            let seqs: Vec<_> = read.iter().map(|step| step.seq).collect();
            assert_eq!(seqs, (3..=12).collect::<Vec<_>>());
        })
    });
    for turn in futures(turns).await {
        turn.unwrap();
    }
    let Ok(cast) = std::sync::Arc::try_unwrap(cast) else { panic!("all are done") };
    cast.told.end().await;
}

async fn futures<T: Send + 'static>(
    turns: impl Iterator<Item = tokio::task::JoinHandle<T>>,
) -> Vec<Result<T, tokio::task::JoinError>> {
    let mut done = Vec::new();
    for turn in turns.collect::<Vec<_>>() {
        done.push(turn.await);
    }
    done
}

#[tokio::test]
async fn a_fork_has_the_same_beginning_and_its_own_end() {
    let cast = Cast::gather().await;
    let store = &cast.told.store;
    let (accept, begun) = cast.fresh("One");
    store.commit(&accept).await.unwrap();
    let steps = vec![said("Uno", Some(MessageStatus::Complete)), done(TurnStatus::Completed)];
    store.commit(&cast.commit(&begun, 2, steps, After::Ended(TurnStatus::Completed))).await.unwrap();
    let place = Place::Existing { id: begun.id, last_seq: 4, ends: None };
    let (accept, second) = cast.accept(place, "Two");
    store.commit(&accept).await.unwrap();
    let person = Person::Profile(cast.ana);
    let read = store.read_conversation(begun.id, person, None, 10).await.unwrap();
    let fork = store.fork(begun.id, person, read.messages[2].id).await.unwrap();
    assert_eq!((fork.last_seq, fork.forked_from, fork.forked_seq), (4, Some(begun.id), Some(5)));
    let copied = store.steps_after(fork.id, 0, 10).await.unwrap();
    let original = store.steps_after(begun.id, 0, 4).await.unwrap();
    assert_eq!(copied.len(), 4);
    for (copy, step) in copied.iter().zip(&original) {
        assert_eq!((&copy.step, copy.seq), (&step.step, step.seq));
        assert_ne!(copy.message_id, step.message_id, "messages of its own");
    }
    assert!(store.turn(fork.id).await.unwrap().is_none(), "the running turn stays where it is");
    assert_eq!(store.turn(second.id).await.unwrap().expect("a turn").task_id, second.task);
    assert!(store.fork(begun.id, Person::Profile(ProfileId::new()), read.messages[2].id).await.is_err());
    cast.told.end().await;
}
