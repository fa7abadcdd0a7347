//! Subtasks scene by scene: one agent asks another, whatever happens on the way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use baton_core::agents::PermissionMode;
use baton_core::ids::{ConversationId, NodeId};
use baton_core::log::{LoggedStep, ResultStep, Step, SubtaskCreated, TurnStatus};
use baton_core::models::ModelError;
use baton_core::people::Tier;
use baton_core::subtasks::came;
use serde_json::json;

use super::client::yields;
use super::scenes::check;
use super::stage::{Line, Stage, save};

fn ask(slug: &'static str) -> Line {
    Line::Call(slug, json!({"message": "How much is it?"}))
}

fn results(stage: &Stage, id: ConversationId) -> Vec<ResultStep> {
    let steps = stage.store.row(id).steps;
    let results = steps.into_iter().filter_map(|logged| match logged.step {
        Step::ToolResult(result) => Some(result),
        _ => None,
    });
    results.collect()
}

fn subtasks(stage: &Stage, id: ConversationId) -> Vec<SubtaskCreated> {
    let steps = stage.store.row(id).steps;
    let created = steps.into_iter().filter_map(|logged| match logged.step {
        Step::SubtaskCreated(created) => Some(created),
        _ => None,
    });
    created.collect()
}

fn ended(stage: &Stage, id: ConversationId) -> Option<TurnStatus> {
    match stage.store.row(id).steps.last().map(|step| step.step.clone()) {
        Some(Step::Done { status, .. }) => Some(status),
        _ => None,
    }
}

/// Runs until the conversation's turn is over.
fn settle(stage: &Stage, id: ConversationId) {
    for _ in 0..200 {
        if stage.store.row(id).turn.is_none() {
            return;
        }
        stage.runtime.block_on(yields(50));
    }
    panic!("never over: {:#?}", stage.store.row(id).steps);
}

#[test]
fn one_agent_asks_another() {
    let stage = Stage::asking(vec![
        vec![Line::Say("I ask Bo."), ask("ask_bo")],
        vec![Line::Say("Let me look."), Line::Call("look", json!({}))],
        vec![Line::Say("It is 42.")],
        vec![Line::Say("Bo says 42.")],
    ]);
    let started = stage.send("Help");
    let heard = stage.hear(&mut { started.reader });
    check("a_subtask", &heard);
    let id = started.conversation_id;
    let [created] = &subtasks(&stage, id)[..] else { panic!("one subtask") };
    let [result] = &results(&stage, id)[..] else { panic!("one result") };
    assert_eq!((result.success, &result.result), (true, &json!("It is 42.")));
    let child = stage.store.row(created.conversation_id);
    let subtask = child.conversation.subtask.expect("a subtask");
    assert_eq!((subtask.parent_id, subtask.depth, subtask.mode), (id, 1, PermissionMode::Default));
    assert_eq!(child.conversation.person, stage.store.row(id).conversation.person);
    assert_eq!(child.activations[0].agent_id, stage.agents[1]);
    assert_eq!(child.usage.len(), 2, "counted where it was used");
    assert_eq!(ended(&stage, created.conversation_id), Some(TurnStatus::Completed));
    assert_eq!(ended(&stage, id), Some(TurnStatus::Completed));
}

#[test]
fn a_circle_ends_at_the_third() {
    // Ana asks Bo, who asks Ana, who asks Bo; who would ask Ana again.
    let stage = Stage::asking(vec![
        vec![ask("ask_bo")],
        vec![ask("ask_ana")],
        vec![ask("ask_bo")],
        vec![ask("ask_ana")],
        vec![Line::Say("one")],
        vec![Line::Say("two")],
        vec![Line::Say("three")],
        vec![Line::Say("four")],
    ]);
    let started = stage.send("Help");
    let mut id = started.conversation_id;
    settle(&stage, id);
    for (depth, answer) in [(1, "three"), (2, "two"), (3, "one")] {
        let [created] = &subtasks(&stage, id)[..] else { panic!("one subtask") };
        assert_eq!(created.depth, depth);
        assert_eq!(results(&stage, id)[0].result, json!(answer));
        id = created.conversation_id;
    }
    assert!(subtasks(&stage, id).is_empty());
    let refused = &results(&stage, id)[0];
    assert!(
        !refused.success
            && refused.result["error"].as_str().is_some_and(|why| why.contains("3 subtasks deep"))
    );
}

#[test]
fn what_cannot_be_asked_is_a_result() {
    let stage = Stage::asking(vec![
        vec![Line::Call("ask_bo", json!({"message": " "})), ask("ask_nobody"), ask("ask_cy"), ask("ask_ana")],
        vec![Line::Say("Then I do it.")],
    ]);
    stage.store.set_tier(Tier::Free);
    stage.store.restrict(stage.agents[2]);
    let started = stage.send("Help");
    settle(&stage, started.conversation_id);
    let told: Vec<(bool, String)> = results(&stage, started.conversation_id)
        .into_iter()
        .map(|result| (result.success, result.result["error"].as_str().unwrap_or_default().to_owned()))
        .collect();
    for ((success, why), words) in told.iter().zip([
        "Send what you ask as message",
        "There is no tool called ask_nobody",
        "Cy: This agent requires a premium subscription.",
        "There is no tool called ask_ana",
    ]) {
        assert!(!success && why.contains(words), "{why}");
    }
    assert_eq!(told.len(), 4);
    assert!(subtasks(&stage, started.conversation_id).is_empty());
    assert_eq!(stage.store.conversations().len(), 1);
    assert_eq!(ended(&stage, started.conversation_id), Some(TurnStatus::Completed));
}

#[test]
fn who_is_gone_by_then_is_a_result() {
    let stage = Stage::asking(vec![]);
    let (store, bo) = (stage.store.clone(), stage.agents[1]);
    let leaves = Line::Meanwhile(Arc::new(move || store.let_go(bo)));
    stage.replies(vec![leaves, ask("ask_bo")]);
    stage.replies(vec![Line::Say("Then I do it.")]);
    let started = stage.send("Help");
    settle(&stage, started.conversation_id);
    let [refused] = &results(&stage, started.conversation_id)[..] else { panic!("one result") };
    assert!(refused.result["error"].as_str().is_some_and(|why| why.contains("isn't here any more")));
    assert_eq!(stage.store.conversations().len(), 1);
}

#[test]
fn who_fails_says_why() {
    let stage = Stage::asking(vec![
        vec![ask("ask_bo")],
        vec![Line::Fail(ModelError::Overloaded)],
        vec![Line::Say("Then I do it.")],
    ]);
    let started = stage.send("Help");
    settle(&stage, started.conversation_id);
    let [failed] = &results(&stage, started.conversation_id)[..] else { panic!("one result") };
    let why = failed.result["error"].as_str().unwrap_or_default();
    assert!(!failed.success && why.starts_with("Bo could not answer: "), "{why}");
    assert_eq!(ended(&stage, started.conversation_id), Some(TurnStatus::Completed));
}

#[test]
fn no_person_is_asked_and_nothing_is_handed_off() {
    let switch = Line::Call("switch_agent", json!({"agent": "cy"}));
    let stage = Stage::asking(vec![
        vec![ask("ask_bo")],
        vec![save(), switch],
        vec![Line::Say("I may not.")],
        vec![Line::Say("Bo may not.")],
    ]);
    stage.store.lists(stage.agents[1], "switch_agent");
    let started = stage.send("Help");
    let id = started.conversation_id;
    settle(&stage, id);
    let child = subtasks(&stage, id)[0].conversation_id;
    let told = results(&stage, child);
    let why = |at: usize| told[at].result["error"].as_str().unwrap_or_default();
    assert!(why(0).contains("needs a person's approval"), "{}", why(0));
    assert!(why(1).contains("There is no tool called switch_agent"), "{}", why(1));
    assert!(stage.store.row(child).approvals.is_empty());
    assert_eq!(results(&stage, id)[0].result, json!("I may not."));
}

#[test]
fn the_stricter_mode_holds() {
    let script =
        || vec![vec![ask("ask_bo")], vec![save()], vec![Line::Say("Done.")], vec![Line::Say("Well.")]];
    use PermissionMode::{BypassPermissions, Default};
    for (ana, bo, saved) in [
        (Default, BypassPermissions, false),
        (BypassPermissions, Default, false),
        (BypassPermissions, BypassPermissions, true),
    ] {
        let stage = Stage::asking(script());
        stage.store.set_mode(stage.agents[0], ana);
        stage.store.set_mode(stage.agents[1], bo);
        let started = stage.send("Help");
        settle(&stage, started.conversation_id);
        let child = subtasks(&stage, started.conversation_id)[0].conversation_id;
        assert_eq!(results(&stage, child)[0].success, saved, "{ana:?} {bo:?}");
        assert_eq!(results(&stage, started.conversation_id)[0].wrote, saved, "who asked has written too");
    }
}

#[test]
fn a_stop_reaches_all_that_is_asked() {
    let stage =
        Stage::asking(vec![vec![ask("ask_bo")], vec![ask("ask_cy")], vec![Line::Say("Hm"), Line::Stall]]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    stage.runtime.block_on(yields(300));
    let bo = subtasks(&stage, id)[0].conversation_id;
    let cy = subtasks(&stage, bo)[0].conversation_id;
    assert!(stage.store.row(cy).turn.is_some());
    assert!(stage.runtime.block_on(stage.engine.stop(id, "Eva")).expect("stopped"));
    for one in [id, bo, cy] {
        settle(&stage, one);
        assert_eq!(ended(&stage, one), Some(TurnStatus::Stopped));
    }
}

#[test]
fn a_stop_reaches_what_another_node_was_asked_with_the_same_commit() {
    let stage = Stage::asking(vec![vec![ask("ask_bo")], vec![Line::Say("Hm"), Line::Stall]]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    stage.runtime.block_on(yields(300));
    let bo = subtasks(&stage, id)[0].conversation_id;
    stage.store.is_driven_by(bo, NodeId::new());
    let stage = stage.killed();
    stage.runtime.block_on(yields(300));
    let is_asked = || stage.store.row(bo).turn.is_some_and(|turn| turn.stop_requested);
    assert!(!is_asked(), "who takes over waits for it again");
    assert!(stage.runtime.block_on(stage.engine.stop(id, "Eva")).expect("stopped"));
    settle(&stage, id);
    assert_eq!((ended(&stage, id), is_asked()), (Some(TurnStatus::Stopped), true));
}

#[test]
fn who_is_stopped_by_itself_is_a_result() {
    let stage = Stage::asking(vec![
        vec![ask("ask_bo")],
        vec![Line::Say("Hm"), Line::Stall],
        vec![Line::Say("Then I.")],
    ]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    stage.runtime.block_on(yields(300));
    let bo = subtasks(&stage, id)[0].conversation_id;
    assert!(stage.runtime.block_on(stage.engine.stop(bo, "Eva")).expect("stopped"));
    settle(&stage, id);
    let why = results(&stage, id)[0].result["error"].as_str().map(str::to_owned);
    assert_eq!(why.as_deref(), Some("Bo was stopped before it had answered."));
    assert_eq!(ended(&stage, id), Some(TurnStatus::Completed));
}

/// Killed after every number of steps: the answer is the same, and Bo is asked once.
#[test]
fn killed_anywhere_it_is_asked_once() {
    for moment in 0..60 {
        let go_on = Arc::new(AtomicBool::new(false));
        let stage = Stage::asking(vec![
            vec![ask("ask_bo")],
            vec![Line::Say("It is "), Line::Until(go_on.clone()), Line::Say("42.")],
        ]);
        let started = stage.send("Help");
        let id = started.conversation_id;
        stage.runtime.block_on(yields(moment));
        go_on.store(true, Ordering::Relaxed);
        // Whoever is cut off says their line again; what is said is the same whoever asks.
        stage.forget_lines();
        let has_called = |step: &LoggedStep| matches!(step.step, Step::ToolCall(_));
        if !stage.store.row(id).steps.iter().any(has_called) {
            stage.replies(vec![ask("ask_bo")]);
        }
        for _ in 0..3 {
            stage.replies(vec![Line::Say("It is 42.")]);
        }
        let stage = stage.killed();
        settle(&stage, id);
        let [created] = &subtasks(&stage, id)[..] else { panic!("{moment}: asked once") };
        let child = stage.store.row(created.conversation_id);
        let came = came("Bo", created.task_id, &child.steps).expect("an end");
        assert_eq!(came.answer.as_deref(), Ok("It is 42."), "{moment}");
        assert_eq!(results(&stage, id)[0].result, json!("It is 42."), "{moment}");
        assert_eq!(ended(&stage, id), Some(TurnStatus::Completed), "{moment}");
        super::well_formed::check(&child);
        super::well_formed::check(&stage.store.row(id));
    }
}

#[test]
fn a_switch_lets_it_finish() {
    let go_on = Arc::new(AtomicBool::new(false));
    let stage =
        Stage::asking(vec![vec![ask("ask_bo")], vec![Line::Until(go_on.clone()), Line::Say("It is 42.")]]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    stage.runtime.block_on(yields(300));
    assert!(stage.switch(id, stage.agents[2]));
    assert!(stage.store.row(id).turn.is_some(), "it waits for nobody, and nobody for it");
    go_on.store(true, Ordering::Relaxed);
    settle(&stage, id);
    assert_eq!(results(&stage, id)[0].result, json!("It is 42."));
    assert_eq!(ended(&stage, id), Some(TurnStatus::Stopped));
}

#[test]
fn nobody_writes_to_a_subtask() {
    let stage =
        Stage::asking(vec![vec![ask("ask_bo")], vec![Line::Say("It is 42.")], vec![Line::Say("42.")]]);
    let started = stage.send("Help");
    settle(&stage, started.conversation_id);
    let child = subtasks(&stage, started.conversation_id)[0].conversation_id;
    assert!(!stage.switch(child, stage.agents[2]));
    let refused = stage.try_send(crate::accept::send::To::Conversation(child), "And I?");
    assert!(matches!(
        refused.err(),
        Some(crate::accept::send::SendError::Store(baton_core::store::Error::IsSubtask))
    ));
}
