//! The exact text of streams, scene by scene, as kept in `scenes/*.txt`. Ids are named in the order they appear;
//! times, durations and the cost of a crash are left out. `BATON_BLESS=1` writes the files anew: read the difference.

use std::path::Path;
use std::time::Duration;

use baton_core::approvals::Decision;
use baton_core::models::ModelError;
use serde_json::json;

use super::client::frames;
use super::memory_store::UNSTORABLE;
use super::stage::{Line, Stage, redacted, save};
use crate::accept::decide::Deciding;

#[track_caller]
pub fn check(scene: &str, heard: &str) {
    let heard = redacted(heard);
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/scenes").join(scene).with_extension("txt");
    if std::env::var_os("BATON_BLESS").is_some() {
        std::fs::write(&path, &heard).expect("a file that can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(heard == kept, "{scene} is now:\n{heard}");
}

#[test]
fn a_plain_turn() {
    let stage = Stage::new(vec![vec![Line::Think("Hm."), Line::Say("Hel"), Line::Say("lo.")]]);
    let heard = stage.hear(&mut stage.send("Hi").reader);
    check("a_plain_turn", &heard);
}

#[test]
fn a_turn_with_tools() {
    let look = Line::Call("look", json!({"at": "it"}));
    let nope = Line::Call("nope", json!({}));
    let stage = Stage::new(vec![vec![Line::Say("I look."), look, nope], vec![Line::Say("Seen.")]]);
    let heard = stage.hear(&mut stage.send("Look").reader);
    check("a_turn_with_tools", &heard);
}

#[test]
fn an_approval() {
    let stage = Stage::new(vec![vec![save()], vec![Line::Say("Saved.")]]);
    let mut started = stage.send("Save it");
    let mut heard = stage.hear(&mut started.reader);
    let cursor = frames(heard.replace("(the stream ends)\n", "").as_bytes()).last().and_then(|last| last.id);
    let mut reader = stage.read(started.conversation_id, cursor.expect("a cursor"));
    let row = stage.store.row(started.conversation_id);
    let approval_id = row.approvals[0].0;
    let deciding = Deciding {
        approval_id,
        decision: Decision::Approved,
        by: "Eva".into(),
        reason: None,
        args: Some(json!({"note": "b"}).as_object().cloned().unwrap_or_default()),
        args_hash: row.shown(approval_id),
        remember: false,
    };
    let decided = stage.runtime.block_on(stage.engine.decide(deciding));
    assert!(decided.is_ok_and(|decided| decided.resumes));
    heard.push_str(&stage.hear(&mut reader));
    check("an_approval", &heard);
}

#[test]
fn a_stop() {
    let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Stall]]);
    let mut started = stage.send("Talk");
    let mut heard = stage.hear(&mut started.reader);
    let stopped = stage.runtime.block_on(stage.engine.stop(started.conversation_id, "Eva"));
    assert!(stopped.is_ok_and(|stopped| stopped));
    heard.push_str(&stage.hear(&mut started.reader));
    check("a_stop", &heard);
}

#[test]
fn an_error() {
    let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Fail(ModelError::Truncated)]]);
    let heard = stage.hear(&mut stage.send("Talk").reader);
    check("an_error", &heard);
}

#[test]
fn a_takeover() {
    let look = Line::Call("look", json!({}));
    let stage = Stage::new(vec![
        vec![Line::Say("I look."), look],
        vec![Line::Say("Half an"), Line::Stall],
        vec![Line::Say("An answer.")],
    ]);
    let mut started = stage.send("Look");
    let mut heard = stage.hear(&mut started.reader);
    let cursor = frames(heard.as_bytes()).last().and_then(|last| last.id).expect("a cursor");
    drop(started.reader);
    let stage = stage.killed();
    let mut reader = stage.read(started.conversation_id, cursor);
    heard.push_str("(killed)\n\n");
    heard.push_str(&stage.hear(&mut reader));
    // How much of the lost call was kept depends on the clock.
    let (before, usage) = heard.split_once("\"usage\":").expect("the end");
    let after = usage.split_once('}').map_or("", |(_, after)| after);
    check("a_takeover", &format!("{before}\"usage\":{{}}{after}"));
}

#[test]
fn what_can_not_be_stored() {
    let stage = Stage::new(vec![vec![Line::Say(UNSTORABLE)]]);
    let mut reader = stage.send("Hi").reader;
    let mut heard = stage.hear(&mut reader);
    // It is tried some times, with a pause between.
    while !heard.ends_with("(the stream ends)\n") {
        stage.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(5)).await });
        heard.push_str(&stage.hear(&mut reader));
    }
    check("what_can_not_be_stored", &heard);
}
