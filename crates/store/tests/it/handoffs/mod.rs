//! Handoffs: the whole story, then what refuses them, who wins a race, and that a failed handoff leaves nothing
//! behind.

mod desk;
mod faults;
mod forks;
mod races;
mod refusals;
mod subtasks;
mod switches;
mod targets;

use baton_core::fold::Spoken;
use baton_core::handoffs::{
    ActivationStatus, NewActivation, NewHandoff, NewSnapshot, TransitionOutcome, Trigger,
};
use baton_core::ids::{ActivationId, AgentId, ProfileId, SnapshotId, TaskId};
use baton_core::log::TurnStatus;
use baton_core::models::{PaidBy, Usage};
use baton_core::spending::{CallRef, UsageRow};
use baton_core::store::{Error, Handoffs, Steps, TransitionQuery, Turns};
use baton_core::turns::{After, MessageWrite, Refused};
use baton_core::visitors::Person;
use serde_json::json;

use crate::cast::{Place, accepting, call, done, working};
use desk::{Desk, RUNNING, assert_held_by, begins, map};

/// What a call used that was opened by the step with this number.
fn used(seq: i64, task_id: TaskId, agent_id: AgentId, cost_micros: Option<i64>) -> UsageRow {
    UsageRow {
        call: CallRef::Agent { seq },
        is_open: false,
        task_id,
        agent_id,
        profile_id: None,
        model: "demo/demo".into(),
        usage: Usage { input_tokens: 10, output_tokens: 5, ..Usage::NOTHING },
        cost_micros,
        is_estimate: false,
        is_public: false,
        paid_by: PaidBy::Server,
    }
}

#[tokio::test]
async fn a_conversation_changes_hands() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    assert_eq!((loaded.conversation.epoch, loaded.holder()), (1, cast.agent));
    assert_held_by(&loaded.activations, cast.agent);

    // The first agent keeps something, completes a stage and hands off, all at once.
    let mut handoff = desk.handoff(&begun, &loaded, desk.other);
    let message = handoff.next_call.as_ref().and_then(|step| step.message_id).unwrap();
    handoff.messages = vec![MessageWrite::Begin { spoken: Spoken::new(message, desk.other), step: 3 }];
    handoff.notes = Some((cast.agent, map(json!({"budget": 30_000}))));
    let stage = |data| NewSnapshot {
        id: SnapshotId::new(),
        agent_id: cast.agent,
        task_id: begun.task,
        stage: "qualify".into(),
        data,
    };
    handoff.snapshot = Some(stage(json!({"fit": true})));
    handoff.usage = vec![used(1, begun.task, cast.agent, Some(40)), used(2, begun.task, cast.agent, None)];
    let child = handoff.handoff.as_ref().and_then(|over| over.task.as_ref()).unwrap().id;
    let transition = handoff.transitions[0].id;
    assert_eq!(store.commit(&handoff.clone()).await.unwrap().last_seq, 6, "three steps and the next call");

    let now = desk.load(begun.id).await;
    assert_eq!(
        (now.conversation.epoch, now.holder(), now.conversation.agent_id),
        (2, desk.other, cast.agent)
    );
    assert_held_by(&now.activations, desk.other);
    let [first, second] = &now.activations[..] else { panic!("{:?}", now.activations) };
    assert_eq!((first.status, first.began_seq), (ActivationStatus::Completed, 0));
    assert_eq!(first.context_data, map(json!({"budget": 30_000})));
    let begins = handoff.handoff.clone().unwrap().begins;
    assert_eq!(*second, begins.begun(2, handoff.at), "as it was planned");
    assert_eq!(second.began_seq, 5);
    assert_eq!(desk.task_status(begun.task).await, ("completed".into(), true));
    assert_eq!(desk.task_status(child).await, ("running".into(), false));
    assert!(matches!(store.commit(&handoff).await, Err(Refused::StaleEpoch)), "once");

    // The next one fails before it says anything: it is given back, and the turn ends.
    let steps = vec![call(), done(TurnStatus::Failed)];
    let mut back = cast.commit(&begun, 6, steps, After::Ended(TurnStatus::Failed));
    let mut handoff = NewHandoff {
        ends_as: ActivationStatus::Cancelled,
        access: None,
        ..desk.new_handoff(&now, cast.agent)
    };
    handoff.begins.trigger = Trigger::Rollback;
    handoff.begins.resumes = Some(first.id);
    handoff.begins.step = 0;
    back.handoff = Some(handoff);
    *working(&mut back) = child;
    back.rolled_back = Some(transition);
    back.usage = vec![used(3, child, desk.other, Some(2))];
    store.commit(&back).await.unwrap();
    let now = desk.load(begun.id).await;
    assert_eq!((now.conversation.epoch, now.turn, now.holder()), (3, None, cast.agent));
    assert_eq!(now.activations[1].status, ActivationStatus::Cancelled);
    assert_eq!(desk.task_status(begun.task).await.0, "completed");
    assert_eq!(desk.task_status(child).await, ("failed".into(), true));

    // The stage again, in another turn: the next version. And an attempt that was refused leaves only its record.
    let place = Place::Existing { id: begun.id, last_seq: now.conversation.last_seq, ends: None };
    let (accept, again) = cast.accept(place, "Again");
    let last = store.commit(&accept).await.unwrap().last_seq;
    let mut commit = cast.commit(&again, last, vec![call()], RUNNING);
    commit.snapshot = Some(stage(json!({"fit": false})));
    commit.transitions = vec![desk.transition(desk.other, TransitionOutcome::Refused)];
    commit.notes = Some((cast.agent, map(json!({"kept": true}))));
    store.commit(&commit).await.unwrap();
    let after = desk.load(begun.id).await;
    assert_eq!((after.conversation.epoch, after.activations.len()), (3, 3));
    assert_eq!(after.active().unwrap().context_data, map(json!({"kept": true})));

    assert_records(&desk, &begun, child).await;
    desk.close().await;
}

async fn assert_records(desk: &Desk, begun: &crate::cast::Begun, child: TaskId) {
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let versions: Vec<_> =
        store.snapshots(begun.id).await.unwrap().into_iter().map(|kept| (kept.version, kept.data)).collect();
    assert_eq!(versions, [(1, json!({"fit": true})), (2, json!({"fit": false}))]);

    let query = |agent_id| TransitionQuery { workspace_id: cast.workspace, agent_id, since: None, limit: 10 };
    let made = store.transitions(query(Some(desk.other))).await.unwrap();
    let outcomes: Vec<_> = made.iter().map(|one| one.new.outcome).collect();
    assert_eq!(outcomes, [TransitionOutcome::Refused, TransitionOutcome::RolledBack], "newest first");
    assert!(store.transitions(query(Some(AgentId::new()))).await.unwrap().is_empty());
    let totals = store.transition_totals(query(None)).await.unwrap();
    let [pair] = &totals[..] else { panic!("{totals:?}") };
    assert_eq!((pair.from, pair.to, pair.attempts, pair.completed), (cast.agent, Some(desk.other), 2, 0));
    assert_eq!((pair.latency_ms, pair.tokens_full, pair.tokens_sent), (6, 2_000, 400));

    let person = Person::Profile(cast.ana);
    let tree = store.task_tree(child, person).await.unwrap();
    assert_eq!(tree.conversation_id, begun.id);
    let tasks: Vec<_> = tree.tasks.iter().map(|task| (task.id, task.parent_id, task.agent_id)).collect();
    assert_eq!(tasks, [(begun.task, None, cast.agent), (child, Some(begun.task), desk.other)]);
    let spent: Vec<_> =
        tree.tasks.iter().map(|task| (task.spent.usage.input_tokens, task.spent.cost_micros)).collect();
    assert_eq!(spent, [(20, None), (10, Some(2))], "no sum of prices where one is unknown");
    assert_eq!(tree.tasks[1].context["lead_id"], "7");
    assert_eq!(tree.steps.iter().map(|step| step.seq).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
    for (task, person) in [(child, Person::Profile(ProfileId::new())), (TaskId::new(), person)] {
        assert!(matches!(store.task_tree(task, person).await, Err(Error::NotFound("task"))));
    }
}

#[tokio::test]
async fn a_message_finds_its_holder_gone() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let loaded = desk.idle().await;
    let place =
        || Place::Existing { id: loaded.conversation.id, last_seq: loaded.conversation.last_seq, ends: None };
    let mut handoff = desk.new_handoff(&loaded, desk.other);
    handoff.begins.trigger = Trigger::Fallback;
    handoff.begins.step = 0;
    let (mut stale, _) = cast.accept(place(), "Hello?");
    stale.handoff = Some(NewHandoff { epoch: 7, ..handoff.clone() });
    let before = desk.everything().await;
    assert!(matches!(store.commit(&stale).await, Err(Refused::StaleEpoch)));
    assert_eq!(desk.everything().await, before);

    let nobody = NewHandoff {
        begins: NewActivation { agent_id: AgentId::new(), ..handoff.begins.clone() },
        ..handoff.clone()
    };
    let (mut gone, _) = cast.accept(place(), "Hello?");
    gone.handoff = Some(nobody);
    assert!(matches!(store.commit(&gone).await, Err(Refused::TargetGone)));
    assert_eq!(desk.everything().await, before);

    let (mut accept, begun) = cast.accept(place(), "Hello?");
    accept.handoff = Some(handoff);
    accepting(&mut accept).agent_id = desk.other;
    accepting(&mut accept).context = map(json!({"lead_id": "7"}));
    store.commit(&accept).await.unwrap();
    let now = desk.load(begun.id).await;
    assert_eq!((now.conversation.epoch, now.holder()), (2, desk.other));
    assert_held_by(&now.activations, desk.other);
    let tree = store.task_tree(begun.task, Person::Profile(cast.ana)).await.unwrap();
    assert_eq!(tree.tasks[0].context, map(json!({"lead_id": "7"})));
    desk.close().await;
}

#[tokio::test]
async fn of_many_activations_the_newest_are_read_and_what_the_active_one_goes_on_with() {
    let desk = Desk::open().await;
    let store = &desk.cast.told.store;
    let mut loaded = desk.idle().await;
    let first = loaded.active().unwrap().id;
    let mut line: Vec<ActivationId> = vec![first];
    for round in 0..210 {
        let to = if loaded.holder() == desk.other { desk.cast.agent } else { desk.other };
        let mut switch = desk.switch(&loaded, to);
        // Only at the very end does the first agent go on where it was at the beginning.
        if round == 209 {
            begins(&mut switch).resumes = Some(first);
        }
        line.push(begins(&mut switch).id);
        store.commit(&switch).await.unwrap();
        loaded = desk.load(loaded.conversation.id).await;
    }
    let ids: Vec<_> = loaded.activations.iter().map(|one| one.id).collect();
    let newest = line[line.len() - 200..].iter().copied();
    assert_eq!(ids, std::iter::once(first).chain(newest).collect::<Vec<_>>());
    assert_eq!(store.activations(loaded.conversation.id).await.unwrap().len(), 211);
    assert_eq!(loaded.conversation.epoch, 211);
    assert!(store.turn(loaded.conversation.id).await.unwrap().is_none());
    desk.close().await;
}
