//! Stops that come at the worst moment, and drivers that break down.

use std::sync::Arc;

use baton_core::log::{LoggedStep, Step, TurnStatus};
use baton_core::teams::TeamKind;
use serde_json::json;

use super::client::yields;
use super::ready_agents::rule;
use super::stage::{Line, Stage, save};
use super::well_formed;

/// What a turn stored whose first reply ends just as someone at another node asks to stop.
fn stopped_during(reply: Vec<Line>) -> (Stage, Vec<LoggedStep>) {
    let stage = Stage::new(vec![]);
    let store = stage.store.clone();
    let stop = Line::Meanwhile(Arc::new(move || store.stop_elsewhere()));
    stage.replies(reply.into_iter().chain([stop]).collect());
    let started = stage.send("Go");
    stage.runtime.block_on(yields(300));
    let row = stage.store.row(started.conversation_id);
    assert!(row.turn.is_none() && row.approvals.is_empty(), "it waits although someone asked to stop");
    (stage, row.steps)
}

fn is_stopped(steps: &[LoggedStep]) -> bool {
    matches!(steps.last().map(|step| &step.step), Some(Step::Done { status: TurnStatus::Stopped, .. }))
}

#[test]
fn a_turn_about_to_wait_for_a_person_sees_the_stop() {
    let (_stage, steps) = stopped_during(vec![save()]);
    assert!(is_stopped(&steps), "{steps:#?}");
}

#[test]
fn no_tool_runs_after_a_commit_has_seen_the_stop() {
    let (_stage, steps) = stopped_during(vec![Line::Call("look", json!({"at": "it"}))]);
    let ran = steps.iter().any(|step| matches!(&step.step, Step::ToolResult(result) if result.success));
    assert!(is_stopped(&steps) && !ran, "{steps:#?}");
}

#[test]
fn a_stop_hands_nothing_on() {
    let stage = Stage::team(TeamKind::Swarm, vec![]);
    let store = stage.store.clone();
    let stop = Line::Meanwhile(Arc::new(move || store.stop_elsewhere()));
    stage.replies(vec![stop, Line::Call("switch_agent", json!({"agent": "bo", "reason": "Cars."}))]);
    let started = stage.send("Go");
    stage.runtime.block_on(yields(300));
    let row = stage.store.row(started.conversation_id);
    assert!(is_stopped(&row.steps) && row.turn.is_none(), "{:#?}", row.steps);
    assert_eq!(row.activations.len(), 1);
}

#[test]
fn no_call_is_opened_once_a_commit_has_seen_the_stop() {
    let stage = Stage::new(vec![vec![Line::Call("look", json!({"pauses": 1_000}))]]);
    let started = stage.send("Go");
    let mut reader = started.reader;
    stage.hear(&mut reader);
    stage.store.stop_elsewhere();
    stage.runtime.block_on(yields(3_000));
    let heard = stage.hear(&mut reader);
    assert!(heard.contains("tool_result") && !heard.contains("message_start"), "{heard}");
    let row = stage.store.row(started.conversation_id);
    well_formed::check(&row);
    assert!(is_stopped(&row.steps), "{:#?}", row.steps);
    let calls = row.steps.iter().filter(|step| matches!(step.step, Step::Call { .. })).count();
    let said = row.steps.iter().filter(|step| matches!(step.step, Step::Said(_))).count();
    assert_eq!((calls, said, stage.requests().len()), (1, 1, 1), "{:#?}", row.steps);
}

#[test]
fn a_turn_whose_driver_broke_down_is_taken_up_again() {
    let breaks = Line::Meanwhile(Arc::new(|| panic!("as it was asked to")));
    let stage = Stage::new(vec![vec![breaks], vec![Line::Say("An answer.")]]);
    let started = stage.send("Go");
    stage.runtime.block_on(yields(100));
    assert_eq!(stage.engine.running(), 0);
    // Found once it may be on its way; found twice it is stranded.
    stage.runtime.block_on(stage.engine.look());
    assert!(stage.store.row(started.conversation_id).turn.is_some_and(|turn| turn.attempt == 1));
    stage.runtime.block_on(stage.engine.look());
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(started.conversation_id);
    assert!(row.turn.is_none(), "{:?}", row.turn);
    assert!(matches!(
        row.steps.last().map(|step| &step.step),
        Some(Step::Done { status: TurnStatus::Completed, .. })
    ));
}

/// What became of a call that a process had begun without asking when it was killed, in a turn that ends with the next one's
/// first look.
fn begun_and_killed(tool: &'static str, meanwhile: impl FnOnce(&Stage)) -> LoggedStep {
    let call = Line::Call(tool, json!({"pauses": 1_000_000}));
    let stage = Stage::new(vec![vec![call], vec![Line::Say("Nobody knows whether they heard.")]]);
    stage.store.lists(stage.agents[0], tool);
    stage.store.set_allow_rules(vec![rule(tool, true)]);
    let started = stage.send("Call them");
    stage.runtime.block_on(yields(300));
    let id = started.conversation_id;
    drop(started);
    let is_begun = |step: &LoggedStep| matches!(step.step, Step::ToolCall(_));
    assert!(stage.store.row(id).steps.last().is_some_and(is_begun));
    let stage = stage.killed_before(meanwhile);
    stage.runtime.block_on(yields(300));
    let row = stage.store.row(id);
    assert!(row.turn.is_none() && row.approvals.is_empty(), "{:?}, {:?}", row.turn, row.approvals);
    row.steps.into_iter().find(|step| matches!(step.step, Step::ToolResult(_))).expect("a result")
}

#[test]
fn a_turn_that_ends_as_it_is_taken_over_says_what_may_have_been_done() {
    let stopped = begun_and_killed("phone", |stage| stage.store.stop_elsewhere());
    let Step::ToolResult(result) = stopped.step else { panic!("{stopped:?}") };
    assert!(result.unknown && !result.success, "{result:?}");
}

/// Who is asked and allows it would have it sent a second time.
#[test]
fn nobody_is_asked_about_a_call_that_was_begun_under_a_rule_that_is_gone() {
    let begun = begun_and_killed("send", |stage| stage.store.set_allow_rules(vec![]));
    let Step::ToolResult(result) = begun.step else { panic!("{begun:?}") };
    assert!(result.unknown && !result.success, "{result:?}");
}
