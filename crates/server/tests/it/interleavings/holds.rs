//! What must be true of every conversation, whatever has happened to it.

use std::collections::HashSet;

use serde_json::Value;

use super::reference::AGENTS;
use crate::strict_openai;
use crate::talk::Got;

pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Every request is one that the pickiest vendor takes.
pub fn valid(body: &Value) {
    if let Err(wrong) = strict_openai::check(body) {
        panic!("{wrong}\n{body:#}");
    }
}

/// Exactly one activation is active, it is the conversation's, and the epoch has grown with each that began.
pub fn one_holder(read: &Value, activations: &Value, last_epoch: i64) -> i64 {
    let active: Vec<_> = list(activations).iter().filter(|one| one["status"] == "active").collect();
    assert_eq!(active.len(), 1, "exactly one is active: {activations:#}");
    assert_eq!((&active[0]["id"], &active[0]["ended_at"]), (&read["active"]["activationId"], &Value::Null));
    let epoch = read["active"]["epoch"].as_i64().expect("an epoch");
    assert_eq!(epoch, list(activations).len() as i64, "it grows with every handoff, and only then");
    assert!(epoch >= last_epoch, "{epoch} after {last_epoch}");
    epoch
}

/// What an agent said is in messages of its own, and there once.
pub fn everyone_speaks_for_themselves(read: &Value, agents: &[String]) {
    let mut heard = HashSet::new();
    for message in list(&read["messages"]).iter().filter(|message| message["role"] == "assistant") {
        let at = agents.iter().position(|id| message["agent_id"] == **id).expect("a member");
        let content = message["content"].as_str().expect("text");
        for said in content.split('.').map(str::trim).filter(|said| !said.is_empty()) {
            assert!(said.starts_with(&format!("{} says ", AGENTS[at])), "{}: {content}", AGENTS[at]);
            assert!(heard.insert(said.to_owned()), "said twice: {said}");
        }
    }
}

/// A turn that completed has text, one that failed has an error.
pub fn every_turn_has_a_visible_end(events: &[Got], read: &Value) {
    let content = |id: &Value| {
        let message = list(&read["messages"]).iter().find(|message| message["id"] == *id);
        message.and_then(|message| message["content"].as_str()).unwrap_or_default().to_owned()
    };
    for turn in events.split_inclusive(|got| got.name == "done") {
        let Some(done) = turn.last().filter(|last| last.name == "done") else { continue };
        match done.data["status"].as_str() {
            Some("completed") => {
                let mut said = turn.iter().filter(|got| got.name == "message_complete");
                assert!(said.any(|got| !content(&got.data["messageId"]).is_empty()), "{turn:#?}");
            }
            Some("failed") => assert!(turn.iter().any(|got| got.name == "error"), "{turn:#?}"),
            other => assert_eq!(other, Some("stopped")),
        }
    }
}

/// A task that isn't over is the last, and is the turn's.
pub fn no_task_without_a_runner(read: &Value, tasks: &[String]) {
    let over = |status: &String| ["completed", "failed", "cancelled"].contains(&status.as_str());
    let open: Vec<&String> = tasks.iter().filter(|status| !over(status)).collect();
    let turn = read["turn"]["status"].as_str();
    assert_eq!(open, Vec::from_iter(turn), "of {tasks:?}");
}
