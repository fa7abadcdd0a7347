use baton_core::ids::ProfileId;

use super::*;

#[test]
fn places_are_counted_for_each_and_come_back() {
    let turn_permits = TurnPermits::new(TurnLimits {
        per_person: 2,
        per_workspace: 3,
        public_per_workspace: 1,
        per_node: 4,
    });
    let [ana, ben, cleo] = [(); 3].map(|()| Person::Profile(ProfileId::new()));
    let (here, there) = (WorkspaceId::new(), WorkspaceId::new());
    let take = |person, workspace| {
        turn_permits.take(person, workspace, Origin::Member).map_err(|refused| refused.to_string())
    };
    let refused = |person, workspace| turn_permits.take(person, workspace, Origin::Member).err();
    let first = take(ana, here).expect("the first");
    let _second = take(ana, there).expect("the second");
    assert_eq!(refused(ana, here), Some(NotNow::PersonBusy(2)), "wherever they are");
    let _third = take(ben, here).expect("another person's");
    let fourth = take(ben, here).expect("the workspace's third");
    assert_eq!(refused(cleo, here), Some(NotNow::WorkspaceBusy(3)));
    assert_eq!(refused(cleo, there), Some(NotNow::NodeBusy(4)));
    drop(first);
    let again = take(cleo, here).expect("a permit that came back");
    drop((again, fourth));
    assert_eq!(turn_permits.taken(), 2);
    assert!(take(ben, here).is_ok() && take(ana, here).is_ok());
}

#[test]
fn guests_and_visitors_have_fewer_places_and_take_none_from_members() {
    let turn_permits = TurnPermits::new(TurnLimits { public_per_workspace: 2, ..TurnLimits::NONE });
    let (here, there) = (WorkspaceId::new(), WorkspaceId::new());
    let take = |workspace, origin| turn_permits.take(Person::Profile(ProfileId::new()), workspace, origin);
    let visits = [(); 2].map(|()| take(here, Origin::Public).map_err(|refused| refused.to_string()));
    assert_eq!(take(here, Origin::Public).err(), Some(NotNow::PublicBusy(2)), "whoever they are");
    assert!(take(there, Origin::Public).is_ok() && take(here, Origin::Member).is_ok());
    drop(visits);
    assert!(take(here, Origin::Public).is_ok());
}

#[test]
fn accepted_work_counts_and_is_never_refused() {
    let turn_permits = TurnPermits::new(TurnLimits { per_person: 1, ..TurnLimits::NONE });
    let (person, workspace_id) = (Person::Profile(ProfileId::new()), WorkspaceId::new());
    let seat = Seat { id: baton_core::ids::ConversationId::new(), workspace_id, person, is_subtask: true };
    let subtasks = [(); 3].map(|()| turn_permits.take_anyway(&seat, Origin::Public));
    let take = || turn_permits.take(person, workspace_id, Origin::Member);
    assert_eq!(take().err(), Some(NotNow::PersonBusy(1)));
    drop(subtasks);
    assert!(take().is_ok());
}

#[test]
fn without_limits_as_many_run_as_come() {
    let turn_permits = TurnPermits::new(TurnLimits::NONE);
    let (person, workspace) = (Person::Profile(ProfileId::new()), WorkspaceId::new());
    let taken: Vec<_> =
        (0..500).map_while(|_| turn_permits.take(person, workspace, Origin::Public).ok()).collect();
    assert_eq!((taken.len(), turn_permits.taken()), (500, 500));
}
