//! The messages of a conversation as people read them. A message that is still being written is folded from its steps,
//! and a part that names a step shows that step's result.

use std::collections::HashMap;

use baton_core::events::render;
use baton_core::fold::Spoken;
use baton_core::ids::MessageId;
use baton_core::log::{LoggedStep, MessageStatus, Step};
use baton_core::parts::Part;

use super::memory_rows::{Row, StoredMessage};

/// What the events of these steps fold to, as with a reader who heard all of them.
pub fn folded(steps: &[LoggedStep]) -> HashMap<MessageId, Spoken> {
    let mut folded: HashMap<MessageId, Spoken> = HashMap::new();
    for logged in steps {
        let Some(id) = logged.message_id else { continue };
        if let Step::Call { .. } | Step::Greeting { .. } = logged.step {
            folded.entry(id).or_insert_with(|| Spoken::new(id, logged.agent_id));
        }
        let Some(message) = folded.get_mut(&id) else { continue };
        if let Step::Said(said) = &logged.step {
            said.blocks.iter().for_each(|block| message.say(block.voice, &block.text, true));
        }
        if let Some(event) = render(logged) {
            message.apply(&event);
        }
    }
    folded
}

impl Row {
    pub fn read_messages(&self) -> Vec<(i64, StoredMessage)> {
        let folded = folded(&self.steps);
        let read = |(seq, message): &(i64, StoredMessage)| {
            let message = match message {
                StoredMessage::Spoken(spoken) if spoken.status == MessageStatus::Streaming => {
                    StoredMessage::Spoken(folded[&spoken.id].clone())
                }
                StoredMessage::Spoken(spoken) => StoredMessage::Spoken(self.with_results(spoken.clone())),
                user => user.clone(),
            };
            (*seq, message)
        };
        self.messages.iter().map(read).collect()
    }

    fn with_results(&self, mut spoken: Spoken) -> Spoken {
        for part in &mut spoken.parts {
            let Part::ToolCall(call) = part else { continue };
            let Some(seq) = call.result_seq else { continue };
            let step = self.steps.iter().find(|logged| logged.seq == seq).expect("a step that is named");
            let Step::ToolResult(result) = &step.step else { panic!("no result at {seq}") };
            assert_eq!(result.call_id, call.tool_call_id, "the result of another call");
            (call.result, call.result_seq) = (Some(result.result.clone()), None);
        }
        spoken
    }
}
