//! Commits that are stored while their answer is lost: the next try recognises the earlier one in the log, and
//! everything goes on as if the answer had come.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use baton_core::approvals::Decision;
use baton_core::handoffs::{ActivationStatus, TransitionOutcome, Trigger};
use baton_core::ids::ConversationId;
use baton_core::log::{Step, TurnStatus};
use baton_core::models::ModelError;
use baton_core::store::Error;
use baton_core::teams::TeamKind::{Pipeline, Router, Swarm};
use serde_json::json;

use super::stage::{Line, Stage, save};
use super::well_formed;
use crate::accept::decide::Deciding;
use crate::accept::send::To;
use crate::lock::lock;
use crate::node::pace::Pace;
use crate::stream::reader::Reader;

fn to(agent: &str) -> Line {
    Line::Call("switch_agent", json!({"agent": agent, "reason": "It is theirs."}))
}

/// The kinds of steps, in order, as one reads them.
fn told(stage: &Stage, id: ConversationId) -> String {
    let steps = stage.store.row(id).steps;
    let word = |step: &Step| match step {
        Step::User { .. } => "user",
        Step::Call { .. } => "call",
        Step::Said(_) => "said",
        Step::ToolCall(_) => "tool",
        Step::ToolResult(_) => "result",
        Step::Handoff(_) => "handoff",
        Step::Switched(_) => "switched",
        Step::Routed(_) => "routed",
        Step::ApprovalAsked { .. } => "asked",
        Step::ApprovalResolved { .. } => "resolved",
        Step::Done { .. } => "done",
        Step::MessageEnd { .. } => "end",
        _ => "other",
    };
    steps.iter().map(|logged| word(&logged.step)).collect::<Vec<_>>().join(" ")
}

/// What a reader is sent until these words come: a lost answer takes a moment.
fn hear(stage: &Stage, reader: &mut Reader, words: &str) -> String {
    let mut heard = String::new();
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        heard += &stage.hear(reader);
        if heard.contains(words) {
            return heard;
        }
        stage.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(5)).await });
    }
    panic!("never heard {words:?}: {heard}")
}

const DONE: &str = "event: done";

fn loses(stage: &Stage, kinds: &[&'static str]) {
    lock(&stage.store.unheard).extend(kinds);
}

/// All that were to be lost were.
fn all_were_lost(stage: &Stage) {
    assert_eq!(*lock(&stage.store.unheard), [""; 0]);
}

#[test]
fn a_handoff_whose_answer_is_lost_is_known_as_ones_own() {
    let stage = Stage::team(Swarm, vec![vec![Line::Say("Bo knows."), to("bo")], vec![Line::Say("I do.")]]);
    loses(&stage, &["handoff"]);
    let started = stage.send("Help");
    let heard = hear(&stage, &mut { started.reader }, DONE);
    all_were_lost(&stage);
    let id = started.conversation_id;
    assert_eq!(told(&stage, id), "user call said tool result handoff end call said done");
    assert!(heard.contains("I do.") && heard.contains("\"completed\""), "{heard}");
    let row = stage.store.row(id);
    well_formed::check(&row);
    assert_eq!(row.activations.last().map(|one| one.agent_id), Some(stage.agents[1]), "Bo has it");
    assert_eq!(stage.requests().len(), 2, "nobody is asked twice");
}

#[test]
fn a_routers_handoff_whose_answer_is_lost_is_known_as_ones_own() {
    let route = Line::Call("route", json!({"decision": "switch", "agent": "bo", "summary": "A car."}));
    let stage = Stage::team(Router, vec![vec![route], vec![Line::Say("Which one?")]]);
    loses(&stage, &["handoff"]);
    let started = stage.send("A car");
    hear(&stage, &mut { started.reader }, DONE);
    all_were_lost(&stage);
    assert_eq!(told(&stage, started.conversation_id), "user routed handoff call said done");
    well_formed::check(&stage.store.row(started.conversation_id));
}

#[test]
fn a_message_whose_answer_is_lost_is_accepted_once() {
    let stage = Stage::new(vec![vec![Line::Say("Hello.")], vec![Line::Say("Again.")]]);
    loses(&stage, &["accept", "finish"]);
    let started = stage.send("Hi");
    let id = started.conversation_id;
    let heard = hear(&stage, &mut { started.reader }, DONE);
    assert!(heard.contains("Hello."), "{heard}");
    loses(&stage, &["accept", "commit"]);
    let started = stage.send_to(To::Conversation(id), "Hi again");
    let heard = hear(&stage, &mut { started.reader }, DONE);
    assert!(heard.contains("Again."), "{heard}");
    lock(&stage.store.unheard).clear();
    assert_eq!(told(&stage, id), "user call said done user call said done");
}

#[test]
fn a_stage_that_is_tried_again_is_known_as_ones_own_although_it_begins_without_a_step() {
    let complete = |size: u32| Line::Call("complete_stage", json!({"size": size}));
    let stage = Stage::team(Pipeline, vec![vec![complete(1)], vec![complete(2)]]);
    let cy = stage.agents[2];
    stage.store.unhire(cy);
    let started = stage.send("Assess us");
    hear(&stage, &mut { started.reader }, DONE);
    stage.store.rehire(cy);
    stage.replies(vec![Line::Say("The report.")]);
    loses(&stage, &["accept"]);
    let again = stage.retry(started.conversation_id);
    all_were_lost(&stage);
    let heard = hear(&stage, &mut { again.reader }, DONE);
    assert!(heard.contains("The report."), "{heard}");
    assert_eq!(stage.store.row(started.conversation_id).turn, None);
}

#[test]
fn a_switch_whose_answer_is_lost_is_made_once() {
    let stage = Stage::team(Swarm, vec![vec![Line::Say("Hello.")]]);
    let started = stage.send("Hi");
    let id = started.conversation_id;
    hear(&stage, &mut { started.reader }, DONE);
    loses(&stage, &["switch"]);
    assert!(stage.switch(id, stage.agents[1]));
    all_were_lost(&stage);
    assert_eq!(told(&stage, id), "user call said done switched");
    let row = stage.store.row(id);
    assert_eq!((row.conversation.epoch, row.transitions.len()), (2, 1));
}

#[test]
fn a_decision_whose_answer_is_lost_is_taken_once_and_the_turn_goes_on() {
    let stage = Stage::new(vec![vec![save()], vec![Line::Say("Saved.")]]);
    let started = stage.send("Remember this");
    let id = started.conversation_id;
    hear(&stage, &mut { started.reader }, "approval_required");
    let row = stage.store.row(id);
    let approval_id = row.approvals[0].0;
    let args_hash = row.shown(approval_id);
    loses(&stage, &["decide"]);
    let (by, decision) = ("Eva".to_owned(), Decision::Approved);
    let deciding =
        Deciding { approval_id, decision, by, reason: None, args: None, args_hash, remember: false };
    let decided = stage.runtime.block_on(stage.engine.decide(deciding)).expect("decided");
    assert!(decided.resumes);
    all_were_lost(&stage);
    let mut reader = stage.read(id, baton_core::events::Cursor::at(0));
    assert!(hear(&stage, &mut reader, DONE).contains("Saved."));
    assert_eq!(told(&stage, id), "user call said tool asked resolved result call said done");
}

#[test]
fn pinning_the_holder_changes_the_pin_and_nothing_else() {
    let stay = Line::Call("route", json!({"decision": "stay"}));
    let stage = Stage::team(Router, vec![vec![stay]]);
    let (pins, ana) = (Arc::new(AtomicBool::new(false)), stage.agents[0]);
    stage.replies(vec![Line::Say("A long "), Line::Until(pins.clone()), Line::Say("answer.")]);
    let started = stage.send("Tell me");
    let id = started.conversation_id;
    let mut reader = started.reader;
    hear(&stage, &mut reader, "A long ");
    assert!(stage.switch(id, ana), "pinned in the middle of its answer");
    pins.store(true, Ordering::Relaxed);
    let heard = hear(&stage, &mut reader, DONE);
    assert!(heard.contains("answer.") && heard.contains("\"completed\""), "{heard}");
    assert_eq!(told(&stage, id), "user routed call switched said done");
    let row = stage.store.row(id);
    well_formed::check(&row);
    assert_eq!((row.activations.len(), row.activations[0].is_pinned, row.conversation.epoch), (1, true, 1));
    assert!(row.transitions.is_empty(), "nobody was handed anything");
    // The router leaves it alone now.
    stage.replies(vec![Line::Say("Still me.")]);
    let started = stage.send_to(To::Conversation(id), "And then?");
    hear(&stage, &mut { started.reader }, DONE);
    assert_eq!(told(&stage, id), "user routed call switched said done user call said done");
}

#[test]
fn an_answer_that_is_cut_after_a_handoff_stays_with_who_gave_it() {
    let cut = vec![Line::Say("I would say"), Line::Fail(ModelError::Truncated)];
    let stage = Stage::team(Swarm, vec![vec![to("bo")], cut]);
    let started = stage.send("Help");
    let id = started.conversation_id;
    let heard = hear(&stage, &mut { started.reader }, DONE);
    assert!(heard.contains("I would say") && !heard.contains("rollback"), "{heard}");
    let (ana, bo) = (stage.agents[0], stage.agents[1]);
    let row = stage.store.row(id);
    let held: Vec<_> = row.activations.iter().map(|one| (one.agent_id, one.status)).collect();
    assert_eq!(held, [(ana, ActivationStatus::Completed), (bo, ActivationStatus::Active)]);
    assert_eq!(row.transitions[0].outcome, TransitionOutcome::Completed);
    stage.replies(vec![Line::Say("that it works.")]);
    let started = stage.retry(id);
    hear(&stage, &mut { started.reader }, DONE);
    let row = stage.store.row(id);
    assert!(row.activations.iter().all(|one| one.trigger != Trigger::Rollback));
    let last = row.steps.last().map(|step| (step.agent_id, step.step.clone()));
    assert!(matches!(last, Some((agent, Step::Done { status: TurnStatus::Completed, .. })) if agent == bo));
}

#[test]
fn who_asks_to_stop_is_heard_though_the_database_is_away() {
    let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Stall]]);
    let started = stage.send("Talk");
    let id = started.conversation_id;
    let mut reader = started.reader;
    hear(&stage, &mut reader, "Half an");
    lock(&stage.store.unheard).push("request_stop");
    assert!(stage.runtime.block_on(stage.engine.stop(id, "Eva")).expect("stopped"));
    let heard = hear(&stage, &mut reader, DONE);
    assert!(heard.contains("\"stopped\""), "{heard}");
}

#[test]
fn a_full_disk_is_told_to_the_reader_and_the_turn_goes_on_when_there_is_room() {
    // With pauses between two tries, as in life: they are when it is told of.
    let pace = Pace { backoff: Pace::STEADY.backoff, ..Pace::HASTY };
    let stage = Stage::at_pace(vec![vec![Line::Say("An answer.")]], pace);
    stage.pause_clock();
    stage.store.is_full.store(true, Ordering::Relaxed);
    let started = stage.send("Talk");
    let mut reader = started.reader;
    let heard = hear(&stage, &mut reader, "storage_full");
    assert!(!heard.contains(DONE), "nothing is published that was not stored: {heard}");
    assert!(!heard.contains("storage_unavailable"), "{heard}");
    stage.store.is_full.store(false, Ordering::Relaxed);
    let heard = hear(&stage, &mut reader, DONE);
    assert!(heard.contains("\"completed\""), "{heard}");
    assert_eq!(told(&stage, started.conversation_id), "user call said done");
}

#[test]
fn a_handoff_that_is_stored_late_is_known_as_ones_own() {
    let stage = Stage::team(Swarm, vec![vec![Line::Say("Bo knows."), to("bo")], vec![Line::Say("I do.")]]);
    lock(&stage.store.stores_late).push("handoff");
    let started = stage.send("Help");
    let heard = hear(&stage, &mut { started.reader }, DONE);
    assert!(heard.contains("I do.") && heard.contains("\"completed\""), "{heard}");
    let row = stage.store.row(started.conversation_id);
    well_formed::check(&row);
    assert_eq!(
        told(&stage, started.conversation_id),
        "user call said tool result handoff end call said done"
    );
    let taken_over = row.steps.iter().any(|step| matches!(step.step, Step::Call { attempt: 2.., .. }));
    assert!(!taken_over, "nobody had to begin anew");
}

/// A turn of one answer whose commits are refused so often for nothing.
fn refused(times: u32) -> (Stage, ConversationId, Reader) {
    let stage = Stage::new(vec![vec![Line::Say("An answer.")]]);
    stage.store.refuses.store(times, Ordering::Relaxed);
    let started = stage.send("Talk");
    (stage, started.conversation_id, started.reader)
}

#[test]
fn a_turn_whose_end_is_refused_too_is_left_and_goes_on_once_it_is_taken() {
    let stage = Stage::new(vec![vec![Line::Say("An answer.")]]);
    stage.store.takes_no_commits.store(true, Ordering::Relaxed);
    let started = stage.send("Talk");
    let (id, mut reader) = (started.conversation_id, started.reader);
    for _ in 0..10_000 {
        if stage.engine.running() == 0 {
            break;
        }
        stage.hear(&mut reader);
    }
    assert_eq!(stage.engine.running(), 0, "it tries for ever");
    // Its answer, then its end, each until a no is believed.
    assert_eq!(stage.store.tried.load(Ordering::Relaxed), 18);
    stage.store.takes_no_commits.store(false, Ordering::Relaxed);
    stage.replies(vec![Line::Say("An answer.")]);
    let stage = stage.killed();
    let heard = hear(&stage, &mut stage.read(id, baton_core::events::Cursor::at(0)), DONE);
    assert!(heard.contains("An answer.") && heard.contains("\"completed\""), "{heard}");
}

#[test]
fn a_refusal_for_nothing_is_met_again_but_not_for_ever() {
    let (stage, id, mut reader) = refused(7);
    let heard = hear(&stage, &mut reader, DONE);
    assert!(heard.contains("An answer.") && heard.contains("\"completed\""), "{heard}");
    assert_eq!((told(&stage, id).as_str(), stage.requests().len()), ("user call said done", 1));
    let (stage, id, mut reader) = refused(8);
    let heard = hear(&stage, &mut reader, DONE);
    assert!(heard.contains("not_stored") && heard.contains("\"failed\""), "{heard}");
    well_formed::check(&stage.store.row(id));
    // Not even the end can be stored: whoever takes the turn up next reads the log anew.
    let (stage, id, mut reader) = refused(u32::MAX);
    while stage.engine.running() > 0 {
        stage.hear(&mut reader);
    }
    assert_eq!(stage.store.tried.load(Ordering::Relaxed), 16);
    assert!(stage.store.row(id).turn.is_some(), "it is still to be answered");
    stage.store.refuses.store(0, Ordering::Relaxed);
    stage.replies(vec![Line::Say("An answer.")]);
    let stage = stage.killed();
    let heard = hear(&stage, &mut stage.read(id, baton_core::events::Cursor::at(0)), DONE);
    assert!(heard.contains("An answer.") && heard.contains("\"completed\""), "{heard}");
}

#[test]
fn what_was_said_waits_for_a_database_that_takes_nothing_at_all() {
    let stage = Stage::new(vec![vec![Line::Say("An answer.")]]);
    stage.store.is_broken.store(true, Ordering::Relaxed);
    let started = stage.send("Talk");
    let mut reader = started.reader;
    while stage.store.tried.load(Ordering::Relaxed) < 30 {
        stage.hear(&mut reader);
    }
    stage.store.is_broken.store(false, Ordering::Relaxed);
    let heard = hear(&stage, &mut reader, DONE);
    assert!(heard.contains("\"completed\""), "{heard}");
    assert_eq!(told(&stage, started.conversation_id), "user call said done");
}

#[test]
fn a_message_that_is_stored_late_is_accepted_once() {
    let stage = Stage::new(vec![vec![Line::Say("Hello.")], vec![Line::Say("Again.")]]);
    lock(&stage.store.stores_late).push("accept");
    let started = stage.send("Hi");
    let id = started.conversation_id;
    hear(&stage, &mut { started.reader }, DONE);
    lock(&stage.store.stores_late).push("accept");
    let started = stage.send_to(To::Conversation(id), "Hi again");
    hear(&stage, &mut { started.reader }, DONE);
    assert_eq!(told(&stage, id), "user call said done user call said done");
}

#[test]
fn a_message_that_the_database_does_not_take_is_tried_three_times() {
    let stage = Stage::new(vec![vec![Line::Say("Hello.")], vec![Line::Say("Again.")]]);
    stage.store.breaks.store(2, Ordering::Relaxed);
    let started = stage.send("Hi");
    let id = started.conversation_id;
    hear(&stage, &mut { started.reader }, DONE);
    stage.store.breaks.store(10, Ordering::Relaxed);
    assert!(stage.try_send(To::Conversation(id), "Hi again").is_err());
    assert_eq!(stage.store.breaks.load(Ordering::Relaxed), 7);
    assert_eq!(told(&stage, id), "user call said done");
}

#[test]
fn a_person_is_not_kept_waiting_for_ever() {
    let pace = Pace { backoff: Duration::from_secs(3), ..Pace::HASTY };
    let stage = Stage::at_pace(vec![], pace);
    let asked = AtomicU32::new(0);
    let ask = || async {
        asked.fetch_add(1, Ordering::Relaxed);
        Err::<(), _>(Error::Unavailable)
    };
    let answer = stage.runtime.block_on(stage.engine.until_answered(stage.engine.patience(), ask));
    assert!(matches!(answer, Err(Error::Unavailable)), "{answer:?}");
    assert!(asked.load(Ordering::Relaxed) > 1, "it was asked again before that");
}

#[test]
fn a_person_waits_once_whatever_is_asked_for_them() {
    let stage = Stage::at_pace(vec![], Pace { backoff: Duration::from_secs(1), ..Pace::HASTY });
    stage.pause_clock();
    let waited = stage.runtime.block_on(async {
        let (begun, patience) = (tokio::time::Instant::now(), stage.engine.patience());
        for _ in 0..3 {
            let answer = stage.engine.until_answered(patience, || async { Err::<(), _>(Error::Unavailable) });
            assert!(matches!(answer.await, Err(Error::Unavailable)));
        }
        begun.elapsed()
    });
    assert!((7..=8).contains(&waited.as_secs()), "{waited:?}");
}
