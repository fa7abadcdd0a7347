//! A person switches: while a turn runs, while it waits, and when nothing does.

use baton_core::approvals::{APPROVAL_TIME, ApprovalStatus, Decision, NewApproval, arguments_hash};
use baton_core::conversations::{ConversationQuery, With};
use baton_core::handoffs::{Activation, ActivationStatus};
use baton_core::ids::{ApprovalId, TaskId};
use baton_core::log::TurnStatus;
use baton_core::store::{Approvals, Conversations, Turns};
use baton_core::turns::{After, Commit, Decide, Guard, Loaded, Pin, Refused, ResolvedApproval, Switch};
use baton_core::visitors::Person;

use super::desk::{Desk, assert_held_by};
use crate::cast::{Begun, Place, called, done, now, said, working};

#[tokio::test]
async fn a_pin_changes_the_pin_and_nothing_else() {
    let desk = Desk::open().await;
    let store = &desk.cast.told.store;
    let (begun, loaded) = desk.running().await;
    let holds = loaded.active().unwrap().clone();
    let pin = |loaded: &Loaded, activation_id, is_pinned| {
        let pin = Some(Pin { epoch: loaded.conversation.epoch, activation_id, is_pinned });
        let mut switch = Commit {
            guard: Guard::Switch(Switch { ends: None, pin }),
            handoff: None,
            transitions: vec![],
            ..desk.switch(loaded, holds.agent_id)
        };
        switch.steps[0].task_id = Some(begun.task);
        switch
    };
    assert_eq!(store.commit(&pin(&loaded, holds.id, true)).await.unwrap().last_seq, 3);
    let pinned = desk.load(begun.id).await;
    let wanted = [Activation { is_pinned: true, ..holds.clone() }];
    assert_eq!((pinned.activations.as_slice(), pinned.turn), (&wanted[..], loaded.turn));
    assert_eq!(pinned.conversation.epoch, loaded.conversation.epoch, "nobody else holds it");

    let before = desk.everything().await;
    let refused = store.commit(&pin(&loaded, holds.id, false)).await;
    assert!(matches!(refused, Err(Refused::Moved)), "{refused:?}");
    let mut stale = pin(&pinned, holds.id, false);
    let seen = Pin { epoch: 7, activation_id: holds.id, is_pinned: false };
    stale.guard = Guard::Switch(Switch { ends: None, pin: Some(seen) });
    assert!(matches!(store.commit(&stale).await, Err(Refused::StaleEpoch)));
    let other = pin(&pinned, baton_core::ids::ActivationId::new(), false);
    assert!(matches!(store.commit(&other).await, Err(Refused::StaleEpoch)), "it is another's by now");
    assert_eq!(desk.everything().await, before);

    store.commit(&pin(&pinned, holds.id, false)).await.unwrap();
    assert_eq!(desk.load(begun.id).await.activations, [holds]);
    desk.close().await;
}

#[tokio::test]
async fn a_switch_waits_for_nobody() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let loaded = desk.idle().await;
    let switch = desk.switch(&loaded, desk.other);
    assert_eq!(store.commit(&switch.clone()).await.unwrap().last_seq, loaded.conversation.last_seq + 1);
    let now_held = desk.load(loaded.conversation.id).await;
    assert_held_by(&now_held.activations, desk.other);
    assert_eq!(now_held.conversation.epoch, 2);
    let [before, active] = &now_held.activations[..] else { panic!("{:?}", now_held.activations) };
    assert_eq!((before.status, active.is_pinned), (ActivationStatus::Paused, true));
    assert_eq!(active.began_seq, now_held.conversation.last_seq);
    assert!(matches!(store.commit(&switch).await, Err(Refused::StaleEpoch)), "rather than moved");

    // Both agents took part.
    let (person, search) = (Person::Profile(cast.ana), None::<String>);
    for (agent_id, found) in [(cast.agent, 1), (desk.other, 1), (baton_core::ids::AgentId::new(), 0)] {
        for search in [search.clone(), Some("Go".into())] {
            let query = ConversationQuery {
                workspace_id: cast.workspace,
                with: With::Agent(agent_id),
                person,
                search,
                limit: 10,
                before: None,
            };
            assert_eq!(store.conversations(query).await.unwrap().len(), found);
        }
    }

    // While a turn runs it goes on with it; only who holds the conversation is another.
    let (begun, loaded) = desk.running().await;
    store.commit(&desk.switch(&loaded, desk.other)).await.unwrap();
    let switched = desk.load(begun.id).await;
    assert_eq!((switched.turn, switched.holder()), (loaded.turn, desk.other));
    let late = cast.commit(&begun, 2, vec![said("x", None)], After::Running { progressed: true });
    assert!(matches!(store.commit(&late).await, Err(Refused::Moved)), "it reads on first");
    let handoff = desk.handoff(&begun, &loaded, desk.other);
    assert!(matches!(store.commit(&handoff).await, Err(Refused::StaleEpoch)), "the person wins");
    let mut finish =
        cast.commit(&begun, 3, vec![done(TurnStatus::Completed)], After::Ended(TurnStatus::Completed));
    // What it noted meanwhile is kept where the agent finds it again.
    let noted = serde_json::Map::from_iter([("seats".to_owned(), 5.into())]);
    finish.notes = Some((cast.agent, noted.clone()));
    store.commit(&finish).await.unwrap();
    let kept = desk.load(begun.id).await.activations;
    let of = |agent| kept.iter().rfind(|one| one.agent_id == agent).map(|one| one.context_data.clone());
    assert_eq!((of(cast.agent), of(desk.other)), (Some(noted), Some(Default::default())));
    assert_held_by(&desk.load(begun.id).await.activations, desk.other);
    desk.close().await;
}

fn ends(turn: Option<TaskId>) -> Guard {
    Guard::Switch(Switch { ends: turn, pin: None })
}

/// A turn that was handed off, and whose second agent waits for a person.
async fn waiting(desk: &Desk) -> (Begun, TaskId, ApprovalId) {
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let handoff = desk.handoff(&begun, &loaded, desk.other);
    let child = handoff.handoff.as_ref().and_then(|over| over.task.as_ref()).unwrap().id;
    let last = store.commit(&handoff).await.unwrap().last_seq;
    let approval = ApprovalId::new();
    let mut ask = cast.commit(&begun, last, vec![said("May I?", None)], After::Waiting);
    *working(&mut ask) = child;
    ask.approvals = vec![NewApproval {
        id: approval,
        agent_id: desk.other,
        message_id: begun.message,
        call_id: "c1".into(),
        tool_name: "pay".into(),
        args: Default::default(),
        expires_at: now() + APPROVAL_TIME,
        preview: None,
    }];
    store.commit(&ask).await.unwrap();
    assert_eq!(desk.task_status(child).await, ("waiting".into(), false));
    (begun, child, approval)
}

#[tokio::test]
async fn a_switch_ends_a_turn_that_waits() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, child, approval) = waiting(&desk).await;
    let loaded = desk.load(begun.id).await;
    let mut switch = desk.switch(&loaded, cast.agent);
    let by = ResolvedApproval { id: approval, decision: Decision::Cancelled, by: "Ana".into(), reason: None };
    switch.resolved = vec![by];
    let before = desk.everything().await;
    let mut other_turn = switch.clone();
    other_turn.guard = ends(Some(TaskId::new()));
    assert!(matches!(store.commit(&other_turn).await, Err(Refused::Moved)));
    assert_eq!(desk.everything().await, before);

    switch.guard = ends(loaded.turn.map(|turn| turn.task_id));
    store.commit(&switch).await.unwrap();
    let switched = desk.load(begun.id).await;
    assert_eq!((switched.turn, switched.conversation.epoch), (None, 3));
    assert_held_by(&switched.activations, cast.agent);
    let person = Person::Profile(cast.ana);
    assert_eq!(store.approval(approval, person).await.unwrap().status, ApprovalStatus::Cancelled);
    assert_eq!(desk.task_status(child).await, ("cancelled".into(), true));
    assert_eq!(desk.task_status(begun.task).await.0, "completed", "the first agent's part was done");

    // Once it runs again, a switch that would end it comes too late.
    let (begun, child, approval) = waiting(&desk).await;
    let loaded = desk.load(begun.id).await;
    let decide = Decide {
        approval_id: approval,
        decision: Decision::Approved,
        by: "Ana".into(),
        reason: None,
        args: None,
        args_hash: Some(arguments_hash("pay", &Default::default())),
        remember: false,
        node: cast.node,
        at: now(),
    };
    store.decide(decide).await.unwrap();
    assert_eq!(desk.task_status(child).await, ("running".into(), false), "the task that waited");
    let mut late = desk.switch(&loaded, cast.agent);
    late.guard = ends(loaded.turn.map(|turn| turn.task_id));
    assert!(matches!(store.commit(&late.clone()).await, Err(Refused::Moved)));
    late.last_seq += 1;
    assert!(matches!(store.commit(&late).await, Err(Refused::Moved)), "it is not ownerless");
    desk.close().await;
}

#[tokio::test]
async fn a_message_ends_a_turn_that_waits_wherever_it_was_handed() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (waited, child, _) = waiting(&desk).await;
    let loaded = desk.load(waited.id).await;
    let (id, last_seq) = (waited.id, loaded.conversation.last_seq);
    let (accept, begun) = cast.accept(Place::Existing { id, last_seq, ends: loaded.turn }, "Rather not");
    store.commit(&accept).await.unwrap();
    assert_eq!(desk.task_status(child).await, ("cancelled".into(), true));
    assert_eq!(desk.task_status(waited.task).await.0, "completed");
    assert_eq!(desk.task_status(begun.task).await, ("running".into(), false));
    assert_eq!(desk.load(id).await.conversation.epoch, 2, "nothing was handed off");
    desk.close().await;
}

/// A person switches while an agent is about to ask them something: the question is stored with its end.
#[tokio::test]
async fn what_is_asked_and_taken_back_in_one_commit_is_not_open() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let question = NewApproval {
        id: ApprovalId::new(),
        agent_id: cast.agent,
        message_id: begun.message,
        call_id: "c1".into(),
        tool_name: "pay".into(),
        args: Default::default(),
        expires_at: now() + chrono::Duration::hours(1),
        preview: None,
    };
    let end = After::Ended(TurnStatus::Stopped);
    let steps = vec![called("c1"), done(TurnStatus::Stopped)];
    let mut commit = cast.commit(&begun, loaded.conversation.last_seq, steps, end);
    let (decision, by, reason) = (Decision::Cancelled, "Ana".to_owned(), Some("They switched.".to_owned()));
    commit.resolved = vec![ResolvedApproval { id: question.id, decision, by, reason }];
    commit.approvals = vec![question.clone()];
    store.commit(&commit).await.unwrap();
    let kept = store.approval(question.id, Person::Profile(cast.ana)).await.unwrap();
    assert_eq!((kept.status, kept.decided_by.as_deref()), (ApprovalStatus::Cancelled, Some("Ana")));
    assert_eq!((kept.reason.as_deref(), kept.decided_at.is_some()), (Some("They switched."), true));
    assert!(store.overdue_approvals(now() + chrono::Duration::days(2)).await.unwrap().is_empty());
    desk.close().await;
}
