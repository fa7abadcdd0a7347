//! What a person does while a turn runs: the turn's driver reads the new steps and takes them into account.

use baton_core::approvals::Decision;
use baton_core::log::Step;
use serde_json::json;

use super::client::yields;
use super::stage::{Line, Stage, save};
use crate::accept::decide::Deciding;

#[test]
fn what_is_allowed_for_good_while_a_turn_runs_is_not_asked_again_in_it() {
    let look = Line::Call("look", json!({"pauses": 1_000}));
    let replies = vec![vec![save(), look], vec![Line::Say("Again."), save()], vec![Line::Say("Saved.")]];
    let stage = Stage::new(replies);
    let started = stage.send("Remember this twice");
    let id = started.conversation_id;
    let mut reader = started.reader;
    while stage.store.row(id).approvals.is_empty() {
        stage.runtime.block_on(yields(1));
    }
    let row = stage.store.row(id);
    assert!(row.turn.is_some_and(|turn| turn.owner.is_some()), "another call still runs");
    let approval_id = row.approvals[0].0;
    let (args_hash, by, decision) = (row.shown(approval_id), "Eva".to_owned(), Decision::Approved);
    let deciding =
        Deciding { approval_id, decision, by, reason: None, args: None, args_hash, remember: true };
    let decided = stage.runtime.block_on(stage.engine.decide(deciding)).expect("decided");
    assert!(!decided.resumes, "its driver goes on by itself");
    stage.runtime.block_on(yields(3_000));
    let heard = stage.hear(&mut reader);
    assert!(heard.contains("Saved.") && heard.contains("\"completed\""), "{heard}");
    let row = stage.store.row(id);
    let asked = row.steps.iter().filter(|step| matches!(step.step, Step::ApprovalAsked { .. })).count();
    assert_eq!(asked, 1, "nobody was asked twice");
    let kept = stage.engine.0.kept.all();
    assert_eq!(kept[0].1.steps, row.steps, "and what others added is kept too");
}
