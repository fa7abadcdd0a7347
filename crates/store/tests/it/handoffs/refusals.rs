//! What refuses a handoff, as a table; whatever it is, nothing is left behind.

use baton_core::access::{AccessRefusal, Gate, Use, Viewer, may_use};
use baton_core::agents::{AgentChanges, AgentDefinition, Author};
use baton_core::conversations::Versions;
use baton_core::ids::VisitorId;
use baton_core::people::{ProfileRights, Tier};
use baton_core::store::{Agents, Conversations, People, Turns};
use baton_core::turns::{Commit, Refused};
use baton_core::visitors::Person;
use baton_core::workspaces::Role;

use super::desk::{Desk, assert_held_by};
use crate::cast::{accepting, attempt, now};

/// The commit is refused, and all is as it was.
async fn assert_refused(desk: &Desk, what: &str, commit: Commit, is_so: impl Fn(&Refused) -> bool) {
    let before = desk.everything().await;
    let refused = desk.cast.told.store.commit(&commit).await.expect_err(what);
    assert!(is_so(&refused), "{what}: {refused:?}");
    assert_eq!(desk.everything().await, before, "{what}");
}

#[tokio::test]
async fn a_handoff_is_refused_for_what_changed_meanwhile() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let handoff = || desk.handoff(&begun, &loaded, desk.other);

    let mut stale = handoff();
    stale.handoff.as_mut().unwrap().epoch = 2;
    stale.last_seq = 1;
    assert_refused(&desk, "stale before moved", stale, |refused| matches!(refused, Refused::StaleEpoch))
        .await;
    let mut moved = handoff();
    moved.last_seq = 1;
    assert_refused(&desk, "moved", moved, |refused| matches!(refused, Refused::Moved)).await;
    let mut other = handoff();
    other.handoff.as_mut().unwrap().ends = baton_core::ids::ActivationId::new();
    assert_refused(&desk, "not the holder", other, |refused| matches!(refused, Refused::StaleEpoch)).await;
    let mut fenced = handoff();
    *attempt(&mut fenced) = 2;
    fenced.handoff.as_mut().unwrap().epoch = 2;
    assert_refused(&desk, "fenced", fenced, |refused| matches!(refused, Refused::Fenced)).await;

    let gone = |refused: &Refused| matches!(refused, Refused::TargetGone);
    let (ben, abroad) = cast.told.person("ben@example.org").await;
    let foreign = AgentDefinition::new("Abroad", "You are abroad.").unwrap();
    let foreign =
        store.create_agent(abroad, foreign, Author::in_person(ben.id, Role::Owner)).await.unwrap().id;
    assert_refused(&desk, "another workspace's", desk.handoff(&begun, &loaded, foreign), gone).await;
    let nobody = baton_core::ids::AgentId::new();
    assert_refused(&desk, "nobody", desk.handoff(&begun, &loaded, nobody), gone).await;

    // Someone asked to stop: nothing is handed off.
    let (stopped, there) = desk.running().await;
    store.request_stop(stopped.id, None, now()).await.unwrap();
    let late = desk.handoff(&stopped, &there, desk.other);
    assert_refused(&desk, "stopped", late, |refused| matches!(refused, Refused::Stopped)).await;

    // Her subscription ends between the look and the commit.
    let tier = |tier| ProfileRights { tier: Some(tier), is_admin: None };
    store.set_rights(cast.ana, tier(Tier::Premium), None).await.unwrap();
    let restricted = AgentChanges { is_restricted: Some(true), ..Default::default() };
    store.change_agent(desk.other, restricted, Author::in_person(cast.ana, Role::Owner)).await.unwrap();
    store.set_rights(cast.ana, tier(Tier::Free), None).await.unwrap();
    let premium = |refused: &Refused| matches!(refused, Refused::NotAllowed(AccessRefusal::Premium));
    assert_refused(&desk, "lapsed", handoff(), premium).await;

    // An agent that nobody has any more.
    store.unhire(desk.other, Author::in_person(cast.ana, Role::Owner)).await.unwrap();
    assert_refused(&desk, "unhired", handoff(), gone).await;
    let mut own = handoff();
    own.handoff.as_mut().unwrap().access = None;
    store.commit(&own).await.expect("what Baton does itself asks nobody");
    assert_held_by(&desk.load(begun.id).await.activations, desk.other);

    let (deleted, there) = desk.running().await;
    store.delete_conversation(deleted.id, Person::Profile(cast.ana), Versions::All).await.unwrap();
    let late = desk.handoff(&deleted, &there, cast.agent);
    assert_refused(&desk, "deleted", late, |refused| matches!(refused, Refused::Fenced)).await;
    desk.close().await;
}

/// Whoever it is, whatever the agent, and whoever asks.
#[tokio::test]
async fn the_store_says_what_the_rule_says() {
    let desk = Desk::open().await;
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let tiers = [None, Some(Tier::Free), Some(Tier::Premium)];
    for bits in 0..8 {
        let gate =
            Gate { is_default: bits & 1 != 0, is_support: bits & 2 != 0, is_restricted: bits & 4 != 0 };
        let change = AgentChanges {
            role: Some(gate.is_support.then(|| "support".to_owned())),
            is_default: Some(gate.is_default),
            is_restricted: Some(gate.is_restricted),
            ..Default::default()
        };
        store.change_agent(desk.other, change, Author::in_person(cast.ana, Role::Owner)).await.unwrap();
        for tier in tiers {
            let rights = ProfileRights { tier, is_admin: None };
            store.set_rights(cast.ana, rights, None).await.unwrap();
            for how in [Use::Select, Use::ModelSwitch] {
                let (mut accept, begun) = cast.fresh("Hello");
                if tier.is_none() {
                    accepting(&mut accept).person = Person::Visitor(VisitorId::new());
                }
                store.commit(&accept).await.unwrap();
                let mut handoff = desk.handoff(&begun, &desk.load(begun.id).await, desk.other);
                handoff.handoff.as_mut().unwrap().access = Some(how);
                let said = match store.commit(&handoff).await {
                    Ok(_) => Ok(()),
                    Err(Refused::NotAllowed(refusal)) => Err(refusal),
                    Err(other) => panic!("{other:?}"),
                };
                let viewer = tier.map_or(Viewer::Visitor, Viewer::Profile);
                assert_eq!(said, may_use(viewer, gate, how), "{viewer:?} {gate:?} {how:?}");
                let holder = if said.is_ok() { desk.other } else { cast.agent };
                assert_held_by(&desk.load(begun.id).await.activations, holder);
            }
        }
    }
    desk.close().await;
}

#[tokio::test]
async fn a_team_that_is_gone_begins_nothing() {
    let desk = Desk::open().await;
    let (mut accept, _) = desk.cast.fresh("Hello");
    let begins = accepting(&mut accept).begins.as_mut().unwrap();
    begins.team_id = Some(baton_core::ids::TeamId::new());
    let before = desk.everything().await;
    desk.cast.told.store.commit(&accept).await.expect_err("no such team");
    assert_eq!(desk.everything().await, before);
    desk.close().await;
}
