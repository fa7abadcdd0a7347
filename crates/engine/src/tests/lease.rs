//! A node whose lease has run out: it stops at once, even if it comes back within the same moment.

use baton_core::events::Cursor;
use baton_core::log::{Step, TurnStatus};

use super::client::yields;
use super::stage::{Line, Stage};
use crate::frame::Speaker;
use crate::hub::Hub;

#[test]
fn a_node_that_lost_its_lease_drops_its_turns_and_may_take_them_over() {
    let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Stall], vec![Line::Say("An answer.")]]);
    let started = stage.send("Talk");
    stage.runtime.block_on(yields(100));
    assert_eq!(stage.engine.running(), 1);
    let inner = &stage.engine.0;
    stage.store.expire(inner.node());
    inner.renew_node();
    stage.store.revive(inner.node());
    stage.runtime.block_on(yields(100));
    assert_eq!(stage.engine.running(), 0, "it goes on under a name that is gone");
    stage.runtime.block_on(stage.engine.claim());
    let mut reader = stage.read(started.conversation_id, Cursor::default());
    assert!(stage.hear(&mut reader).contains("An answer."));
    let row = stage.store.row(started.conversation_id);
    let last = row.steps.last().map(|step| &step.step);
    assert!(matches!(last, Some(Step::Done { status: TurnStatus::Completed, .. })), "{last:?}");
}

#[test]
fn an_ending_node_leaves_its_turns_to_others() {
    let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Stall], vec![Line::Say("An answer.")]]);
    let started = stage.send("Talk");
    stage.runtime.block_on(yields(100));
    stage.runtime.block_on(stage.engine.end());
    stage.runtime.block_on(yields(100));
    assert_eq!(stage.engine.running(), 0);
    assert!(stage.store.row(started.conversation_id).turn.is_some(), "the turn is still to be gone on with");
    let stage = stage.killed();
    stage.runtime.block_on(yields(300));
    assert!(stage.store.row(started.conversation_id).turn.is_none());
}

#[test]
fn who_speaks_into_a_tape_that_was_replaced_is_not_heard() {
    use baton_core::ids::{AgentId, ConversationId, MessageId};
    use baton_core::tape::Voice;
    let (hub, message_id, agent_id) = (Hub::default(), MessageId::new(), AgentId::new());
    let live = hub.join(ConversationId::new());
    let zombie = live.record(Speaker { call_seq: 5, message_id, agent_id });
    zombie.say(Voice::Text, "Half an");
    let own = live.record(Speaker { call_seq: 9, message_id, agent_id });
    own.say(Voice::Text, "An ");
    zombie.say(Voice::Text, "other");
    zombie.publish();
    assert!(zombie.so_far().is_empty() && zombie.close().is_empty());
    own.say(Voice::Text, "answer.");
    assert_eq!(own.close().into_blocks()[0].text, "An answer.");
}
