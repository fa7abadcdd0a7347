//! What a node keeps of agents may have been changed elsewhere: no turn begins and nothing is handed off with what is
//! out of date.

use baton_core::handoffs::Outcome;
use baton_core::teams::TeamKind::{Router, Swarm};
use serde_json::json;

use super::stage::{Line, Stage};
use crate::send::{SendError, To};

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

/// Bo is kept by the first turn, and changed after the second has begun.
fn bo_changes_meanwhile(stage: &Stage) {
    stage.hear(&mut stage.send("Help").reader);
    let started = stage.send("Help again");
    let [_, bo, _] = stage.agents;
    stage.store.set_prompt(bo, "You speak in rhymes.");
    stage.hear(&mut { started.reader });
    let asked: Vec<String> = stage.requests().into_iter().filter(|asked| asked.contains("rhymes")).collect();
    assert_eq!(asked.len(), 1, "{:?}", stage.requests());
    let row = stage.store.row(started.conversation_id);
    let made: Vec<Outcome> = row.transitions.iter().map(|one| one.outcome).collect();
    assert_eq!((made, row.conversation.epoch), (vec![Outcome::Completed], 2), "it is handed off, once");
}

#[test]
fn a_handoff_meets_the_agent_as_it_is() {
    let to = Line::Call("switch_agent", json!({"agent": "bo", "reason": "It is theirs."}));
    let script = [vec![to.clone()], vec![Line::Say("One.")], vec![to], vec![Line::Say("Two.")]];
    bo_changes_meanwhile(&Stage::team(Swarm, script.to_vec()));
}

#[test]
fn what_a_router_chose_stays_chosen() {
    let route =
        Line::Call("route", json!({"decision": "switch", "agent": "bo", "summary": "They want a car."}));
    let script = [vec![route.clone()], vec![Line::Say("One.")], vec![route], vec![Line::Say("Two.")]];
    bo_changes_meanwhile(&Stage::team(Router, script.to_vec()));
}

#[test]
fn nobody_hands_off_to_who_was_let_go_meanwhile() {
    let to = Line::Call("switch_agent", json!({"agent": "bo", "reason": "It is theirs."}));
    let script = [vec![to.clone()], vec![Line::Say("One.")], vec![to], vec![Line::Say("Then I do it.")]];
    let stage = Stage::team(Swarm, script.to_vec());
    stage.hear(&mut stage.send("Help").reader);
    let started = stage.send("Help again");
    let [_, bo, _] = stage.agents;
    stage.store.let_go(bo);
    let heard = stage.hear(&mut { started.reader });
    assert!(heard.contains("Then I do it."), "{heard}");
    assert_eq!(stage.store.row(started.conversation_id).conversation.epoch, 1);
}
