//! Logs that are kept between turns: a turn reads only the steps added since, and sees what others added.

use baton_core::models::{ChatMessage, UserPart};

use super::memory_store::Before;
use super::stage::{Line, Stage};
use crate::accept::send::To;
use crate::lock::lock;

fn says(text: &'static str) -> Vec<Line> {
    vec![Line::Say(text)]
}

/// What the last request shows of the conversation, a line for each message.
fn shown(stage: &Stage) -> Vec<String> {
    let request = stage.asked().pop().expect("a request");
    let texts = request.messages.into_iter().map(|message| match message {
        ChatMessage::User(parts) => parts
            .into_iter()
            .map(|part| match part {
                UserPart::Text(text) => text,
                UserPart::Image { .. } => "(an image)".to_owned(),
            })
            .collect(),
        ChatMessage::Assistant(said) => said.text,
        ChatMessage::Results(_) => "(results)".to_owned(),
    });
    texts.collect()
}

#[test]
fn a_second_message_loads_only_what_came_since() {
    let stage = Stage::new(vec![says("One."), says("Two.")]);
    let mut started = stage.send("First");
    stage.hear(&mut started.reader);
    lock(&stage.store.before).insert("load", Before::Panics(9));
    let mut started = stage.send_to(To::Conversation(started.conversation_id), "Second");
    stage.hear(&mut started.reader);
    assert_eq!(shown(&stage), ["First", "One.", "Second"]);
}

#[test]
fn what_another_node_added_is_seen() {
    let stage = Stage::new(vec![says("One.")]);
    let mut started = stage.send("First");
    stage.hear(&mut started.reader);
    let to = || To::Conversation(started.conversation_id);
    let other = Stage::beside(&stage, vec![says("Two.")]);
    other.hear(&mut other.send_to(to(), "Second").reader);
    stage.replies(says("Three."));
    stage.hear(&mut stage.send_to(to(), "Third").reader);
    assert_eq!(shown(&stage), ["First", "One.", "Second", "Two.", "Third"]);
}

#[test]
fn nothing_is_kept_of_what_was_deleted_nor_over_a_lost_lease() {
    let stage = Stage::new(vec![says("One."), says("Two.")]);
    let mut started = stage.send("First");
    stage.hear(&mut started.reader);
    assert_eq!(stage.engine.0.kept.all().len(), 1);
    stage.runtime.block_on(stage.engine.close(started.conversation_id, None));
    assert!(stage.engine.0.kept.all().is_empty());
    let mut other = stage.send("Another");
    stage.hear(&mut other.reader);
    assert_eq!(stage.engine.0.kept.all().len(), 1);
    stage.engine.0.renew_node();
    assert!(stage.engine.0.kept.all().is_empty());
}
