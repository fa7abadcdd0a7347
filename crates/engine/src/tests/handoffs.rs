//! Handoffs, scene by scene: what readers are sent, and what is stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use baton_core::handoffs::{ActivationStatus, TransitionOutcome, Trigger};
use baton_core::log::{Step, TurnStatus};
use baton_core::models::ModelError;
use baton_core::teams::TeamKind::{Pipeline, Router, Swarm};
use serde_json::{Value, json};

use super::client::yields;
use super::scenes::check;
use super::stage::{Line, Stage, save};
use crate::accept::send::To;

fn to(agent: &str) -> Line {
    Line::Call("switch_agent", json!({"agent": agent, "reason": "It is theirs."}))
}

/// The last step's word on how the turn ended.
fn ended(stage: &Stage, id: baton_core::ids::ConversationId) -> Option<TurnStatus> {
    match stage.store.row(id).steps.last().map(|step| step.step.clone()) {
        Some(Step::Done { status, .. }) => Some(status),
        _ => None,
    }
}

fn results(stage: &Stage, id: baton_core::ids::ConversationId) -> Vec<(String, bool, Value)> {
    let steps = stage.store.row(id).steps;
    let results = steps.into_iter().filter_map(|logged| match logged.step {
        Step::ToolResult(result) => Some((result.tool_name, result.success, result.result)),
        _ => None,
    });
    results.collect()
}

#[test]
fn a_model_hands_off_and_the_next_goes_on() {
    let script = vec![vec![Line::Say("Bo knows."), to("bo")], vec![Line::Say("I do.")]];
    let stage = Stage::team(Swarm, script);
    let started = stage.send("Help");
    let heard = stage.hear(&mut { started.reader });
    check("a_handoff", &heard);
    let row = stage.store.row(started.conversation_id);
    let held: Vec<_> = row.activations.iter().map(|one| (one.agent_id, one.status, one.trigger)).collect();
    let [ana, bo, _] = stage.agents;
    assert_eq!(
        held,
        [(ana, ActivationStatus::Completed, Trigger::User), (bo, ActivationStatus::Active, Trigger::Model)]
    );
    assert_eq!(row.activations[1].context["_handoff_from"], "ana");
    assert_eq!((row.tasks.len(), row.conversation.epoch), (2, 2));
}

#[test]
fn siblings_run_first_and_the_first_handoff_wins() {
    let look = Line::Call("look", json!({}));
    let stage =
        Stage::team(Swarm, vec![vec![to("nobody"), to("bo"), look, to("cy")], vec![Line::Say("Here.")]]);
    let started = stage.send("Help");
    stage.hear(&mut { started.reader });
    let results = results(&stage, started.conversation_id);
    let outcome: Vec<(&str, bool)> =
        results.iter().map(|(name, success, _)| (name.as_str(), *success)).collect();
    assert_eq!(
        outcome,
        [("look", true), ("switch_agent", false), ("switch_agent", true), ("switch_agent", false)]
    );
    assert!(results[1].2["error"].as_str().is_some_and(|words| words.contains("no agent \"nobody\"")));
    assert!(results[3].2["error"].as_str().is_some_and(|words| words.starts_with("Ignored")));
    let made: Vec<TransitionOutcome> =
        stage.store.row(started.conversation_id).transitions.iter().map(|one| one.outcome).collect();
    assert_eq!(made, [TransitionOutcome::Refused, TransitionOutcome::Ignored, TransitionOutcome::Completed]);
}

#[test]
fn an_approval_of_a_sibling_is_waited_for_before_anything_is_handed_off() {
    let stage = Stage::team(Swarm, vec![vec![to("bo"), save()]]);
    let started = stage.send("Help");
    stage.hear(&mut { started.reader });
    let row = stage.store.row(started.conversation_id);
    assert_eq!((row.approvals.len(), row.activations.len()), (1, 1));
    // And a switch cancels it in the same commit.
    assert!(stage.switch(started.conversation_id, stage.agents[2]));
    let row = stage.store.row(started.conversation_id);
    assert!(row.approvals.is_empty() && row.turn.is_none());
    assert_eq!(row.activations.last().map(|one| one.agent_id), Some(stage.agents[2]));
}

#[test]
fn back_and_forth_ends() {
    let script = vec![vec![to("bo")], vec![to("ana")], vec![to("bo")], vec![Line::Say("Then I do it.")]];
    let stage = Stage::team(Swarm, script);
    let started = stage.send("Help");
    stage.hear(&mut { started.reader });
    let results = results(&stage, started.conversation_id);
    assert!(
        results[2].2["error"].as_str().is_some_and(|words| words.contains("back and forth")),
        "{results:?}"
    );
    assert_eq!(ended(&stage, started.conversation_id), Some(TurnStatus::Completed));
}

#[test]
fn who_fails_before_a_word_gives_it_back() {
    let script = vec![vec![Line::Say("Bo knows."), to("bo")], vec![Line::Fail(ModelError::Overloaded)]];
    let stage = Stage::team(Swarm, script);
    let started = stage.send("Help");
    let heard = stage.hear(&mut { started.reader });
    check("a_rollback", &heard);
    let row = stage.store.row(started.conversation_id);
    let statuses: Vec<_> = row.activations.iter().map(|one| one.status).collect();
    use ActivationStatus::{Active, Cancelled, Completed};
    assert_eq!(statuses, [Completed, Cancelled, Active]);
    assert_eq!(row.activations[2].agent_id, stage.agents[0]);
    assert_eq!(row.transitions[0].outcome, TransitionOutcome::RolledBack);
}

#[test]
fn who_failed_after_a_word_keeps_it() {
    let broken = vec![Line::Say("I think"), Line::Fail(ModelError::Truncated)];
    let spoken = vec![Line::Say("Let me see."), Line::Call("look", json!({}))];
    let stage = Stage::team(Swarm, vec![vec![to("bo")], spoken, broken]);
    let started = stage.send("Help");
    stage.hear(&mut { started.reader });
    let row = stage.store.row(started.conversation_id);
    assert_eq!(row.activations.last().map(|one| one.agent_id), Some(stage.agents[1]));
}

#[test]
fn a_router_calls_a_specialist_in_and_gets_it_back() {
    let route =
        Line::Call("route", json!({"decision": "switch", "agent": "bo", "summary": "They want a car."}));
    let done = Line::Call("complete_task", json!({"summary": "The car is ordered."}));
    let stage =
        Stage::team(Router, vec![vec![route], vec![Line::Say("Done."), done], vec![Line::Say("Else?")]]);
    let started = stage.send("A car please");
    let heard = stage.hear(&mut { started.reader });
    check("a_router", &heard);
    let row = stage.store.row(started.conversation_id);
    let held: Vec<_> =
        row.activations.iter().map(|one| (one.status, one.trigger, one.summary.as_deref())).collect();
    use ActivationStatus::{Active, Completed, Paused};
    assert_eq!(
        held,
        [
            (Paused, Trigger::User, None),
            (Completed, Trigger::Router, Some("They want a car.")),
            (Active, Trigger::Completion, Some("The car is ordered.")),
        ]
    );
    assert_eq!(row.activations[2].resumes, Some(row.activations[0].id), "the general one keeps its thread");
}

#[test]
fn a_router_that_talks_nonsense_changes_nothing() {
    let nonsense = [
        vec![Line::Say("I think Bo.")],
        vec![Line::Call("route", json!({"decision": "fly"}))],
        vec![Line::Call("route", json!({"decision": "switch", "agent": "dora"}))],
        vec![Line::Fail(ModelError::Overloaded)],
    ];
    for reply in nonsense {
        let stage = Stage::team(Router, vec![reply, vec![Line::Say("Me then.")]]);
        let started = stage.send("Help");
        stage.hear(&mut { started.reader });
        let row = stage.store.row(started.conversation_id);
        assert_eq!((row.activations.len(), row.conversation.epoch), (1, 1));
        assert_eq!(ended(&stage, started.conversation_id), Some(TurnStatus::Completed));
        let told = row
            .steps
            .iter()
            .any(|step| matches!(&step.step, Step::Routed(routed) if routed.problem.is_some()));
        assert!(told, "what was wrong is in the log");
    }
}

#[test]
fn stages_follow_each_other_in_one_response() {
    let complete = |size: i64| Line::Call("complete_stage", json!({"size": size}));
    let wrong = Line::Call("complete_stage", json!({"size": "large"}));
    let script = vec![
        vec![wrong],
        vec![Line::Say("One."), complete(1)],
        // Ids of calls are made from their place in the reply; used twice, they would be random.
        vec![Line::Say("Tw"), Line::Say("o."), complete(2)],
        vec![Line::Think("H"), Line::Think("m"), Line::Think("."), complete(3)],
        vec![Line::Say("The report.")],
    ];
    let stage = Stage::team(Pipeline, script);
    let started = stage.send("Assess us");
    let heard = stage.hear(&mut { started.reader });
    check("stages", &heard);
    let row = stage.store.row(started.conversation_id);
    let kept: Vec<i64> = row.snapshots.iter().filter_map(|(_, data)| data["size"].as_i64()).collect();
    assert_eq!(kept, [1, 2, 3]);
    for (asked, found) in stage.requests()[2..].iter().zip([&[1][..], &[1, 2], &[1, 2, 3]]) {
        let shows = |size: &i64| asked.contains(&format!(":{{\"size\":{size}}}"));
        assert!(found.iter().all(shows), "every earlier stage's result is before the next: {asked}");
    }
    assert_eq!(row.activations.last().map(|one| one.agent_id), Some(stage.agents[2]));
    assert!(results(&stage, started.conversation_id)[0].2["error"].as_str().is_some());
}

#[test]
fn what_was_only_said_is_offered() {
    let stage = Stage::team(Swarm, vec![vec![Line::Say("I'll hand this over to Bo.")]]);
    let started = stage.send("Help");
    let heard = stage.hear(&mut { started.reader });
    assert!(heard.contains("handoff_suggested") && heard.contains("\"toName\":\"Bo\""), "{heard}");
}

#[test]
fn a_switch_lets_the_agent_finish_and_begins_nothing_more() {
    let stage = Stage::team(Swarm, vec![]);
    let look = Line::Call("look", json!({}));
    stage.replies(vec![Line::Say("I look. "), Line::Stall]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    let mut reader = started.reader;
    let mut heard = stage.hear(&mut reader);
    assert!(stage.switch(id, stage.agents[2]));
    heard.push_str(&stage.hear(&mut reader));
    stage.runtime.block_on(async { stage.engine.stop(id, "Eva").await.map(drop) }).unwrap_or_default();
    heard.push_str(&stage.hear(&mut reader));
    check("a_switch", &heard);
    // The next message is answered by whom the person chose.
    stage.replies(vec![Line::Say("Cy it is."), look]);
    stage.replies(vec![Line::Say("Seen.")]);
    let next = stage.send_to(To::Conversation(id), "And now?");
    let heard = stage.hear(&mut { next.reader });
    assert!(heard.contains("\"agentName\":\"Cy\""), "{heard}");
}

#[test]
fn calls_not_begun_when_the_person_switches_are_told_so() {
    let stage = Stage::team(Swarm, vec![]);
    let has_switched = Arc::new(AtomicBool::new(false));
    stage.replies(vec![
        Line::Say("I look."),
        Line::Until(has_switched.clone()),
        Line::Call("look", json!({})),
    ]);
    let started = stage.send("Help");
    stage.runtime.block_on(yields(50));
    assert!(stage.switch(started.conversation_id, stage.agents[2]));
    has_switched.store(true, Ordering::Relaxed);
    stage.runtime.block_on(yields(300));
    let results = results(&stage, started.conversation_id);
    let words = results[0].2["error"].as_str().unwrap_or_default();
    assert!(words.contains("switched to Cy"), "{results:?}");
    assert!(stage.store.row(started.conversation_id).turn.is_none());
}

#[test]
fn killed_after_a_handoff_the_next_agent_still_answers() {
    let stage = Stage::team(Swarm, vec![vec![to("bo")], vec![Line::Stall], vec![Line::Say("Here I am.")]]);
    let started = stage.send("Help");
    stage.runtime.block_on(yields(200));
    assert_eq!(stage.store.row(started.conversation_id).activations.len(), 2, "it was handed off");
    let stage = stage.killed();
    stage.runtime.block_on(yields(300));
    assert_eq!(ended(&stage, started.conversation_id), Some(TurnStatus::Completed));
    let row = stage.store.row(started.conversation_id);
    let said = row.steps.iter().rfind(|step| matches!(step.step, Step::Said(_))).map(|step| step.agent_id);
    assert_eq!(said, Some(stage.agents[1]));
    assert!(row.tasks.iter().all(|(_, works)| !works));
}

#[test]
fn what_an_agent_notes_is_before_it_with_its_next_call() {
    let note = |noted: Value| Line::Call("look", json!({"noted": noted}));
    let script = vec![
        vec![note(json!({"brand": "Volvo", "seats": 4})), note(json!({"seats": 5}))],
        vec![note(json!({"brand": null, "doors": 3}))],
        vec![Line::Say("I see.")],
    ];
    let stage = Stage::team(Swarm, script);
    let started = stage.send("A car");
    stage.hear(&mut { started.reader });
    let asked = stage.requests();
    assert!(asked[1].contains(r#"{"brand":"Volvo","seats":5}"#), "{}", asked[1]);
    assert!(asked[2].contains(r#"{"doors":3,"seats":5}"#), "{}", asked[2]);
}
