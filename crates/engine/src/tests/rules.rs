//! The rules of a handoff, a scene each.

use std::sync::Arc;

use baton_core::agents::PermissionMode;
use baton_core::handoffs::ActivationStatus::{Active, Completed, Paused};
use baton_core::handoffs::{TransitionOutcome, Trigger};
use baton_core::ids::{AgentId, ConversationId};
use baton_core::log::{Step, TurnStatus};
use baton_core::models::ModelError;
use baton_core::teams::TeamKind::{Pipeline, Router, Swarm};
use serde_json::json;

use super::client::yields;
use super::ready_agents::agent;
use super::stage::{Line, Stage, save};
use crate::accept::send::{SendError, Started, To};

fn to(agent: &str) -> Line {
    Line::Call("switch_agent", json!({"agent": agent, "reason": "It is theirs."}))
}

fn say(text: &'static str) -> Vec<Line> {
    vec![Line::Say(text)]
}

fn complete(size: i64) -> Line {
    Line::Call("complete_stage", json!({"size": size}))
}

fn route(decision: &str, agent: &str) -> Vec<Line> {
    vec![Line::Call("route", json!({"decision": decision, "agent": agent, "summary": "A car is wanted."}))]
}

fn hear(stage: &Stage, started: Started) -> (ConversationId, String) {
    let heard = stage.hear(&mut { started.reader });
    (started.conversation_id, heard)
}

fn holder(stage: &Stage, id: ConversationId) -> AgentId {
    let row = stage.store.row(id);
    row.activations.iter().rfind(|one| one.status == Active).expect("a holder").agent_id
}

fn errors(stage: &Stage, id: ConversationId) -> Vec<String> {
    let steps = stage.store.row(id).steps.into_iter();
    let failed = steps.filter_map(|logged| match logged.step {
        Step::ToolResult(result) if !result.success => result.result["error"].as_str().map(str::to_owned),
        _ => None,
    });
    failed.collect()
}

fn ended(stage: &Stage, id: ConversationId) -> TurnStatus {
    match stage.store.row(id).steps.last().map(|step| step.step.clone()) {
        Some(Step::Done { status, .. }) => status,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_ninth_hop_of_a_turn_is_refused() {
    let round = ["bo", "cy", "ana", "bo", "cy", "ana", "bo", "cy", "ana"];
    let mut script: Vec<Vec<Line>> = round.iter().map(|name| vec![to(name)]).collect();
    script.push(say("Then I do it."));
    let stage = Stage::team(Swarm, script);
    let (id, _) = hear(&stage, stage.send("Help"));
    let errors = errors(&stage, id);
    assert!(matches!(&errors[..], [one] if one.contains("8 handoffs")), "{errors:?}");
    assert_eq!((stage.store.row(id).activations.len(), ended(&stage, id)), (9, TurnStatus::Completed));
}

#[test]
fn whom_the_person_chose_is_not_routed_until_the_task_is_done() {
    let stage = Stage::team(Router, vec![route("stay", "ana"), say("Hello.")]);
    let (id, _) = hear(&stage, stage.send("Hello"));
    assert!(stage.switch(id, stage.agents[1]));
    // One reply is enough: no router is asked.
    stage.replies(say("Bo here."));
    let (_, heard) = hear(&stage, stage.send_to(To::Conversation(id), "A car"));
    assert!(heard.contains("Bo here."), "{heard}");
    stage.replies(vec![Line::Say("Done."), Line::Call("complete_task", json!({"summary": "Sold."}))]);
    stage.replies(say("Anything else?"));
    hear(&stage, stage.send_to(To::Conversation(id), "Take it"));
    assert_eq!(holder(&stage, id), stage.agents[0]);
    stage.replies(route("switch", "cy"));
    stage.replies(say("Cy here."));
    let (_, heard) = hear(&stage, stage.send_to(To::Conversation(id), "A bicycle"));
    assert!(heard.contains("Cy here."), "{heard}");
}

#[test]
fn of_several_ways_on_in_one_reply_the_first_counts() {
    let stage = Stage::team(Pipeline, vec![vec![complete(1), complete(2)], say("Stage two.")]);
    let (id, _) = hear(&stage, stage.send("Assess us"));
    let row = stage.store.row(id);
    assert_eq!(row.snapshots, [("stage 0".to_owned(), json!({"size": 1}))]);
    assert!(errors(&stage, id)[0].starts_with("Ignored"));
    assert_eq!(holder(&stage, id), stage.agents[1]);
}

#[test]
fn whom_the_person_chose_keeps_it_though_it_fails() {
    let stage = Stage::team(Swarm, vec![say("Hello.")]);
    let (id, _) = hear(&stage, stage.send("Hello"));
    assert!(stage.switch(id, stage.agents[1]));
    stage.replies(vec![Line::Fail(ModelError::Overloaded)]);
    hear(&stage, stage.send_to(To::Conversation(id), "Bo?"));
    assert_eq!((holder(&stage, id), ended(&stage, id)), (stage.agents[1], TurnStatus::Failed));
}

#[test]
fn a_handoff_is_not_taken_back_over_a_persons_choice() {
    let stage = Stage::team(Swarm, vec![vec![to("bo")], vec![Line::Stall]]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    stage.runtime.block_on(yields(200));
    assert!(stage.switch(id, stage.agents[2]));
    stage.runtime.block_on(async { stage.engine.stop(id, "Eva").await.map(drop) }).unwrap_or_default();
    stage.runtime.block_on(yields(300));
    let row = stage.store.row(id);
    assert_eq!((holder(&stage, id), row.turn.is_none()), (stage.agents[2], true));
    assert!(row.activations.iter().all(|one| one.trigger != Trigger::Rollback));
}

#[test]
fn a_stop_right_after_a_handoff_leaves_it_where_it_is() {
    let stage = Stage::team(Swarm, vec![vec![to("bo")], vec![Line::Stall]]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    stage.runtime.block_on(yields(200));
    stage.runtime.block_on(async { stage.engine.stop(id, "Eva").await.map(drop) }).expect("stopped");
    stage.runtime.block_on(yields(300));
    assert_eq!((holder(&stage, id), ended(&stage, id)), (stage.agents[1], TurnStatus::Stopped));
    assert!(stage.store.row(id).tasks.iter().all(|(_, works)| !works));
}

#[test]
fn an_agent_that_left_during_the_turn_is_told_as_gone() {
    let stage = Stage::team(Swarm, vec![]);
    let (store, bo) = (stage.store.clone(), stage.agents[1]);
    stage.replies(vec![Line::Meanwhile(Arc::new(move || store.unhire(bo))), to("bo")]);
    stage.replies(say("Then I do it."));
    let (id, heard) = hear(&stage, stage.send("Help"));
    assert!(
        errors(&stage, id)[0].contains("isn't here any more") && heard.contains("Then I do it."),
        "{heard}"
    );
    assert_eq!(stage.store.row(id).transitions[0].outcome, TransitionOutcome::Refused);
}

#[test]
fn a_running_turn_keeps_its_agent_and_the_next_message_falls_back() {
    let stage = Stage::team(Swarm, vec![vec![to("bo")]]);
    let (store, bo) = (stage.store.clone(), stage.agents[1]);
    stage.replies(vec![Line::Meanwhile(Arc::new(move || store.unhire(bo))), Line::Say("Bo here.")]);
    let (id, heard) = hear(&stage, stage.send("Help"));
    assert!(heard.contains("Bo here."), "{heard}");

    // The agent before it is still there.
    stage.replies(say("Ana again."));
    let started = stage.send_to(To::Conversation(id), "And now?");
    assert!(started.notice.as_deref().is_some_and(|notice| notice.contains("Bo")), "{:?}", started.notice);
    let (_, heard) = hear(&stage, started);
    assert!(heard.contains("Ana again.") && heard.contains("\"by\":\"fallback\""), "{heard}");

    // Nobody who held it is left, and the team's first one is gone too.
    stage.store.unhire(stage.agents[0]);
    let refused = stage.try_send(To::Conversation(id), "Anyone?");
    assert!(matches!(refused, Err(SendError::NoAgent)));
}

#[test]
fn who_tried_to_hand_off_is_not_offered_the_switch() {
    let words = Line::Say("I'll hand this over to Bo.");
    let stage = Stage::team(Swarm, vec![vec![words.clone(), to("nobody")], vec![words]]);
    let (_, heard) = hear(&stage, stage.send("Help"));
    assert!(!heard.contains("handoff_suggested"), "{heard}");
}

#[test]
fn going_back_to_a_stage_makes_a_new_version_and_the_next_one_follows() {
    let stage = Stage::team(Pipeline, vec![vec![complete(1)], say("Stage two.")]);
    let (id, _) = hear(&stage, stage.send("Assess us"));
    assert!(stage.switch(id, stage.agents[0]));
    stage.replies(vec![complete(5)]);
    stage.replies(say("Again."));
    let (_, heard) = hear(&stage, stage.send_to(To::Conversation(id), "We are five."));
    assert!(heard.contains("Again."), "{heard}");
    let row = stage.store.row(id);
    assert_eq!(row.snapshots.last(), Some(&("stage 0".to_owned(), json!({"size": 5}))));
    assert_eq!(holder(&stage, id), stage.agents[1]);
    assert!(stage.last_request().contains("\"size\":5"), "{}", stage.last_request());
}

#[test]
fn the_stricter_mode_holds_after_a_handoff() {
    let stage = Stage::team(Swarm, vec![vec![to("bo")], vec![Line::Say("I save it."), save()]]);
    let mut bold = agent(stage.agents[1], "Bo", "any");
    bold.definition.permission_mode = PermissionMode::BypassPermissions;
    stage.store.hire(bold);
    let (id, heard) = hear(&stage, stage.send("Help"));
    assert!(heard.contains("approval_required"), "{heard}");
    assert_eq!(stage.store.row(id).approvals.len(), 1);
}

#[test]
fn what_each_is_told() {
    let stage = Stage::team(Router, vec![route("switch", "bo"), say("Which car?")]);
    let (id, _) = hear(&stage, stage.send("I need a red car"));
    let specialist = stage.last_request();
    assert!(
        specialist.contains("A car is wanted.") && specialist.contains("I need a red car"),
        "{specialist}"
    );
    stage.replies(route("switch", "cy"));
    stage.replies(say("Which bicycle?"));
    hear(&stage, stage.send_to(To::Conversation(id), "No, a bicycle"));
    let asked = stage.requests();
    let router = &asked[asked.len() - 2];
    for part in [
        "You route",
        "- bo: Bo",
        "- cy: Cy",
        "Active agent: bo",
        "Paused: ana",
        "Which car?",
        "No, a bicycle",
    ] {
        assert!(router.contains(part), "{part} in {router}");
    }
    let statuses: Vec<_> = stage.store.row(id).activations.iter().map(|one| one.status).collect();
    assert_eq!(statuses, [Paused, Paused, Active]);
    assert!(
        !stage.last_request().contains("I need a red car"),
        "since it was called in: {}",
        stage.last_request()
    );
    assert!(stage.store.row(id).activations.iter().all(|one| one.status != Completed));
}
