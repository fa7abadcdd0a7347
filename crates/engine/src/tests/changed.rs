//! Agents may be changed at another node while this node keeps a copy of them: no turn begins and nothing is handed
//! off with an outdated copy.

use std::sync::Arc;

use baton_core::handoffs::TransitionOutcome;
use baton_core::ids::AgentId;
use baton_core::teams::TeamKind::{self, Router, Swarm};
use serde_json::json;

use super::memory_store::MemoryStore;
use super::stage::{Line, Stage};
use crate::accept::send::{SendError, Started, To};

#[test]
fn a_message_meets_the_agent_as_it_is() {
    let stage = Stage::new(vec![vec![Line::Say("One.")], vec![Line::Say("Two.")], vec![Line::Say("Three.")]]);
    stage.hear(&mut stage.send("Hi").reader);
    let (words, known) = ("You speak in rhymes.", stage.known());
    stage.store.set_prompt(stage.agents[0], words);
    let refused = stage.try_send_at(known, To::Agent(stage.agents[0]), "Again");
    assert!(matches!(refused, Err(SendError::Stale)), "it was made with what is out of date");
    assert_eq!(stage.requests().len(), 1, "and nothing was asked");
    assert!(stage.known() > known, "the next knows");
    stage.store.set_prompt(stage.agents[0], "You count.");
    // A server reads anew what was refused as out of date.
    stage.hear(&mut stage.send("And again").reader);
    assert!(stage.last_request().contains("You count."), "{}", stage.last_request());
}

/// Bo is kept by the first turn, and changed while the second decides to hand off to it.
fn hands_over_meanwhile(
    kind: TeamKind,
    by: &Line,
    happens: fn(&MemoryStore, AgentId),
    then: &'static str,
) -> (Stage, Started) {
    let stage = Stage::team(kind, vec![vec![by.clone()], vec![Line::Say("One.")]]);
    stage.hear(&mut stage.send("Help").reader);
    let (store, [_, bo, _]) = (stage.store.clone(), stage.agents);
    stage.replies(vec![Line::Meanwhile(Arc::new(move || happens(&store, bo))), by.clone()]);
    stage.replies(vec![Line::Say(then)]);
    let mut started = stage.send("Help again");
    let heard = stage.hear(&mut started.reader);
    assert!(heard.contains(then), "{heard}");
    (stage, started)
}

fn to_bo() -> Line {
    Line::Call("switch_agent", json!({"agent": "bo", "reason": "It is theirs."}))
}

fn check_changed(stage: &Stage, started: &Started) {
    assert!(stage.last_request().contains("rhymes"), "{:?}", stage.requests());
    let row = stage.store.row(started.conversation_id);
    let made: Vec<TransitionOutcome> = row.transitions.iter().map(|one| one.outcome).collect();
    assert_eq!(
        (made, row.conversation.epoch),
        (vec![TransitionOutcome::Completed], 2),
        "it is handed off, once"
    );
}

#[test]
fn a_handoff_meets_the_agent_as_it_is() {
    let (stage, started) = hands_over_meanwhile(Swarm, &to_bo(), rhymes, "Two.");
    check_changed(&stage, &started);
}

#[test]
fn what_a_router_chose_stays_chosen() {
    let route =
        Line::Call("route", json!({"decision": "switch", "agent": "bo", "summary": "They want a car."}));
    let (stage, started) = hands_over_meanwhile(Router, &route, rhymes, "Two.");
    check_changed(&stage, &started);
}

#[test]
fn nobody_hands_off_to_who_was_let_go_meanwhile() {
    let (stage, started) = hands_over_meanwhile(Swarm, &to_bo(), MemoryStore::let_go, "Then I do it.");
    assert_eq!(stage.store.row(started.conversation_id).conversation.epoch, 1);
}

fn rhymes(store: &MemoryStore, id: AgentId) {
    store.set_prompt(id, "You speak in rhymes.");
}
