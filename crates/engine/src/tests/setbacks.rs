//! What goes wrong around handoffs, scene by scene: what is kept, and where the next try begins.

use std::sync::Arc;

use baton_core::handoffs::{ActivationStatus, TransitionOutcome, Trigger};
use baton_core::log::{Step, TurnStatus};
use baton_core::models::ModelError;
use baton_core::teams::TeamKind::{Pipeline, Router, Swarm};
use serde_json::json;

use super::stage::{Line, Stage};
use crate::accept::send::{Started, To};

fn hear(stage: &Stage, started: Started) -> (baton_core::ids::ConversationId, String) {
    let heard = stage.hear(&mut { started.reader });
    (started.conversation_id, heard)
}

fn complete(size: i64) -> Line {
    Line::Call("complete_stage", json!({"size": size}))
}

fn route_to_bo() -> Line {
    Line::Call("route", json!({"decision": "switch", "agent": "bo", "summary": "They want a car."}))
}

#[test]
fn what_a_failed_specialist_was_asked_is_the_general_ones_again() {
    let stage = Stage::team(Router, vec![vec![route_to_bo()], vec![Line::Fail(ModelError::Overloaded)]]);
    let (id, heard) = hear(&stage, stage.send("A red car please"));
    assert!(heard.contains("rollback"), "{heard}");
    stage.replies(vec![Line::Say("I am on it.")]);
    hear(&stage, stage.retry(id));
    let asked = stage.last_request();
    assert!(asked.contains("A red car please") && asked.contains("could not answer"), "{asked}");
}

#[test]
fn a_completed_stage_stays_when_the_next_is_gone_and_goes_on_once_it_is_back() {
    let stage = Stage::team(Pipeline, vec![vec![complete(1)], vec![complete(2)]]);
    let [_, bo, cy] = stage.agents;
    stage.store.unhire(cy);
    let (id, heard) = hear(&stage, stage.send("Assess us"));
    assert!(heard.contains("stage_unavailable"), "{heard}");
    let row = stage.store.row(id);
    assert_eq!(
        row.activations.last().map(|one| (one.agent_id, one.status)),
        Some((bo, ActivationStatus::Active))
    );
    assert_eq!(row.snapshots.len(), 2, "both results are kept");
    let stuck = row.transitions.last().map(|one| (one.trigger, one.outcome, one.code.as_deref()));
    assert_eq!(stuck, Some((Trigger::Completion, TransitionOutcome::Refused, Some("stage_unavailable"))));

    // Still gone: no model is asked, and it says so again.
    let (_, heard) = hear(&stage, stage.retry(id));
    assert!(heard.contains("stage_unavailable"), "{heard}");

    stage.store.rehire(cy);
    stage.replies(vec![Line::Say("The report.")]);
    let (_, heard) = hear(&stage, stage.retry(id));
    assert!(heard.contains("The report.") && !heard.contains("\"error\""), "{heard}");
    let row = stage.store.row(id);
    assert_eq!(row.activations.last().map(|one| one.agent_id), Some(cy));
    assert_eq!(row.snapshots.len(), 2, "no result is stored twice");
    assert!(stage.last_request().contains("Results of earlier stages"), "{}", stage.last_request());
}

#[test]
fn a_stage_whose_agent_leaves_during_the_turn_is_stuck_too() {
    let stage = Stage::team(Pipeline, vec![]);
    let (store, bo) = (stage.store.clone(), stage.agents[1]);
    let leaves = Line::Meanwhile(Arc::new(move || store.unhire(bo)));
    stage.replies(vec![leaves, Line::Say("Done."), complete(1)]);
    let (id, heard) = hear(&stage, stage.send("Assess us"));
    assert!(heard.contains("stage_unavailable"), "{heard}");
    let row = stage.store.row(id);
    assert_eq!(
        (row.snapshots.len(), row.activations.len()),
        (1, 1),
        "the result is kept and the stage stays"
    );
}

#[test]
fn a_handoff_in_a_retried_turn_passes_the_persons_words() {
    let stage = Stage::team(Swarm, vec![vec![Line::Fail(ModelError::Overloaded)]]);
    let (id, _) = hear(&stage, stage.send("A red car please"));
    stage.replies(vec![Line::Call("switch_agent", json!({"agent": "Bo", "reason": "Cars."}))]);
    stage.replies(vec![Line::Say("Which model?")]);
    hear(&stage, stage.retry(id));
    let row = stage.store.row(id);
    let asked = row.steps.iter().find(|step| matches!(step.step, Step::User { .. })).expect("a message");
    assert_eq!(row.activations.last().expect("bo").message_id, asked.message_id);
    assert!(stage.last_request().contains("A red car please"), "{}", stage.last_request());
}

#[test]
fn what_a_router_used_counts_though_its_decision_came_too_late() {
    let stage = Stage::team(
        Router,
        vec![vec![Line::Call("route", json!({"decision": "stay"}))], vec![Line::Say("Hello.")]],
    );
    let (id, _) = hear(&stage, stage.send("Hello"));
    let before = stage.store.row(id).usage.len();
    // The person asks to stop while the router decides: the call is counted, and nothing is handed off.
    stage.replies(vec![route_to_bo(), Line::Stall]);
    let started = stage.send_to(To::Conversation(id), "A car");
    stage.hear(&mut { started.reader });
    stage.runtime.block_on(stage.engine.stop(id, "Eva")).expect("stopped");
    let mut reader = stage.read(id, baton_core::events::Cursor::at(0));
    let heard = stage.hear(&mut reader);
    assert!(heard.contains("\"stopped\""), "{heard}");
    let row = stage.store.row(id);
    let spent: Vec<_> = row.usage[before..].iter().map(|(_, used)| used.is_estimate).collect();
    assert_eq!(spent, [true], "as far as one can tell");
    assert_eq!(row.activations.len(), 1);
    let ended = row.steps.last().map(|step| step.step.clone());
    assert!(matches!(ended, Some(Step::Done { status: TurnStatus::Stopped, .. })), "{ended:?}");
}
