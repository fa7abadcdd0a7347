//! Calls of Baton's own tools whose write took place while their answer did not come: what was done is told, and never done
//! again.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use baton_core::data::rows::Once;
use baton_core::effects::EffectRefused;
use baton_core::log::{ResultStep, Step};
use baton_core::memories::{MemoryChange, MemoryWrite, Scope};
use baton_core::store::{Effects, Error};
use baton_core::tools::{Nature, Preview, Tool, ToolAnswer, ToolContext, ToolFailure, ToolSpec};
use serde_json::{Map, Value, json};

use super::client::yields;
use super::memory_rows::Row;
use super::memory_store::{Before, MemoryStore};
use super::stage::{Line, Stage};
use super::well_formed;
use crate::lock::lock;

/// Writes a memory under the path `key`, and gives up when nobody answers.
pub struct Keep(pub Arc<MemoryStore>);

#[async_trait]
impl Tool for Keep {
    fn spec(&self) -> ToolSpec {
        let parameters = json!({"type": "object"});
        ToolSpec { name: "keep".into(), description: "Keeps it.".into(), parameters }
    }

    fn display_name(&self) -> String {
        "Keep".into()
    }

    fn nature(&self, _arguments: &Map<String, Value>) -> Nature {
        Nature::WRITES
    }

    fn has_preview(&self) -> bool {
        true
    }

    async fn preview(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> Option<Preview> {
        match arguments["key"].as_str() {
            Some("panics") => panic!("as the test wants it"),
            Some("hangs") => std::future::pending().await,
            key => Some(Preview {
                sentence: format!("Keeps {}.", key?),
                changes: Vec::new(),
                more: 0,
                seen: Vec::new(),
            }),
        }
    }

    async fn call(
        &self,
        context: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolFailure> {
        let path = arguments["key"].as_str().map(str::to_owned);
        let write = MemoryWrite {
            workspace_id: context.workspace_id,
            agent_id: context.calling_agent()?.agent_id,
            person: context.person.profile_id().expect("someone who is signed in"),
            scope: Scope::Agent,
            change: MemoryChange::Save { path, content: "kept".into() },
        };
        let Once::Call(effect) = &context.once else { panic!("a call of a turn") };
        match self.0.write_memory(effect, write).await {
            Ok(outcome) => Ok(outcome.into()),
            Err(EffectRefused::Store(Error::Unavailable)) => Err(ToolFailure("Nobody answers.".into())),
            Err(refused) => Err(ToolFailure(refused.to_string())),
        }
    }
}

fn keep(key: &str) -> Line {
    Line::Call("keep", json!({"key": key}))
}

fn results(row: &Row) -> Vec<ResultStep> {
    let results = row.steps.iter().filter_map(|logged| match &logged.step {
        Step::ToolResult(result) => Some(result.clone()),
        _ => None,
    });
    results.collect()
}

/// A turn in the middle of a write that took place, without an answer.
fn written_without_an_answer() -> (Stage, baton_core::ids::ConversationId) {
    let stage = Stage::new(vec![vec![keep("note")], vec![Line::Say("Kept.")]]);
    stage.keeps();
    stage.store.writes_silently.store(true, Ordering::Relaxed);
    let id = stage.send("Keep it").conversation_id;
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(id);
    assert_eq!((row.memories.len(), results(&row).len()), (1, 0), "written, and nobody knows");
    stage.store.writes_silently.store(false, Ordering::Relaxed);
    (stage, id)
}

fn tells_of_it(row: &Row) {
    let results = results(row);
    let [result] = results.as_slice() else { panic!("{results:#?}") };
    assert!(result.success && !result.unknown, "{result:#?}");
    assert_eq!(result.result["done"], "saved", "{result:#?}");
    assert_eq!(row.memories, ["note"], "it was written once");
    well_formed::check(row);
}

#[test]
fn who_stops_a_call_that_was_carried_out_is_told_what_it_did() {
    let (stage, id) = written_without_an_answer();
    assert!(stage.runtime.block_on(stage.engine.stop(id, "Eva")).expect("stopped"));
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(id);
    assert!(row.turn.is_none(), "the turn is over");
    tells_of_it(&row);
}

#[test]
fn whoever_takes_the_turn_over_finds_what_was_done() {
    let (stage, id) = written_without_an_answer();
    let stage = stage.killed();
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(id);
    assert!(row.turn.is_none(), "the turn went on to its end");
    tells_of_it(&row);
}

#[test]
fn nobody_is_asked_to_allow_what_was_done() {
    let (stage, id) = written_without_an_answer();
    let stage = stage.killed_before(Stage::asks);
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(id);
    assert!(row.approvals.is_empty() && row.turn.is_none(), "it waits for a person");
    tells_of_it(&row);
}

#[test]
fn a_call_that_gave_up_waiting_is_told_as_what_it_did() {
    let (stage, id) = {
        let stage = Stage::new(vec![vec![keep("note")], vec![Line::Say("Kept.")]]);
        stage.keeps();
        lock(&stage.store.unheard).push("write_memory");
        let id = stage.send("Keep it").conversation_id;
        (stage, id)
    };
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(id);
    assert!(row.turn.is_none(), "the turn is over");
    tells_of_it(&row);
}

#[test]
fn what_was_not_carried_out_is_told_as_interrupted() {
    let stage = Stage::new(vec![vec![Line::Call("keep", json!({"key": "note"}))]]);
    stage.keeps();
    lock(&stage.store.before).insert("write_memory", Before::NeverAnswers(1));
    let id = stage.send("Keep it").conversation_id;
    stage.runtime.block_on(yields(100));
    assert!(stage.runtime.block_on(stage.engine.stop(id, "Eva")).expect("stopped"));
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(id);
    let results = results(&row);
    assert_eq!(results.len(), 1);
    assert!(!results[0].success && row.memories.is_empty(), "{results:#?}");
}

/// A write goes on though whoever asked for it is gone, and may have waited until then.
#[test]
fn no_write_follows_a_stop_that_only_the_driver_has_heard_of() {
    let stage = Stage::new(vec![vec![keep("note")]]);
    stage.keeps();
    *lock(&stage.store.late_writes) = Some(vec![]);
    let id = stage.send("Keep it").conversation_id;
    stage.runtime.block_on(yields(100));
    lock(&stage.store.unheard).push("request_stop");
    assert!(stage.runtime.block_on(stage.engine.stop(id, "Eva")).expect("stopped"));
    stage.runtime.block_on(yields(100));
    let row = stage.store.row(id);
    assert!(row.turn.is_none(), "the turn is over");
    let results = results(&row);
    assert!(matches!(results.as_slice(), [result] if !result.success), "{results:#?}");
    assert!(row.memories.is_empty(), "it was told as interrupted, and then done");
}

/// Whatever becomes of what it would be shown, a person is asked.
#[test]
fn a_person_is_asked_with_what_a_call_would_change_or_without() {
    for (key, told) in [("note", Some("Keeps note.")), ("panics", None), ("hangs", None)] {
        let stage = Stage::new(vec![vec![keep(key)], vec![Line::Say("Kept.")]]);
        stage.keeps();
        stage.asks();
        let id = stage.send("Keep it").conversation_id;
        stage.runtime.block_on(async {
            yields(100).await;
            tokio::time::sleep(std::time::Duration::from_secs(4)).await;
            yields(100).await;
        });
        let row = stage.store.row(id);
        let asked = row.steps.iter().find_map(|logged| match &logged.step {
            Step::ApprovalAsked { preview, .. } => Some(preview.clone()),
            _ => None,
        });
        let preview = asked.unwrap_or_else(|| panic!("{key}: nobody was asked"));
        assert_eq!(preview.map(|preview| preview.sentence).as_deref(), told, "{key}");
    }
}
