//! A stored conversation, told as events: used when its stream can't be followed from the last cursor.

use std::collections::HashMap;

use baton_core::events::Event;
use baton_core::fold::Fault;
use baton_core::ids::AgentId;
use baton_core::log::MessageStatus;
use serde::Deserialize as _;

use crate::api::{Conversation, Message};
use crate::turn::End;

/// What agents are called.
pub type Names = HashMap<AgentId, String>;

/// The messages of the last turn, each begun again with all it has.
pub fn events(conversation: &Conversation, names: &Names) -> Vec<Event> {
    let mut events = Vec::new();
    for message in last_turn(conversation).iter().filter(|message| message.role != "user") {
        let (message_id, agent_id) = (message.id, message.agent_id);
        events.push(Event::MessageStart {
            message_id,
            agent_id,
            agent_name: names.get(&agent_id).cloned().unwrap_or_else(|| "Agent".to_owned()),
            avatar_url: None,
            attempt: message.attempt,
            parts: message.known_parts(),
            timestamp: message.created_at,
        });
        if let Ok(Fault { code, message, recoverable }) = Fault::deserialize(&message.metadata["error"]) {
            events.push(Event::Error { message_id: None, message, code, recoverable });
        }
    }
    events
}

/// How a turn that is over went.
pub fn end(conversation: &Conversation) -> End {
    match last_turn(conversation).iter().rfind(|message| message.role != "user").map(|message| message.status)
    {
        Some(MessageStatus::Complete) => End::Completed,
        Some(MessageStatus::Stopped) => End::Stopped,
        Some(MessageStatus::Failed | MessageStatus::Streaming) | None => End::Failed,
    }
}

fn last_turn(conversation: &Conversation) -> &[Message] {
    let messages = &conversation.messages;
    let said = messages.iter().rposition(Message::is_persons);
    &messages[said.map_or(0, |at| at + 1)..]
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_last_turn_is_told_again() {
        let agent = Uuid::now_v7();
        let message = |role: &str, content: &str, status: &str| {
            json!({"id": Uuid::now_v7(), "conversation_id": Uuid::now_v7(), "agent_id": agent, "role": role,
                "content": content, "parts": [{"type": "text", "text": content}, {"type": "from-later"}],
                "metadata": {"error": {"code": "model_overloaded", "message": "Busy."}}, "status": status,
                "attempt": 2, "created_at": "2026-01-01T00:00:00Z"})
        };
        let stored: Conversation = serde_json::from_value(json!({
            "workspace_id": Uuid::now_v7(), "cursor": "9.0", "turn": null, "active": null,
            "messages": [
                message("user", "Hi", "complete"),
                message("assistant", "Hello", "complete"),
                message("user", "More", "complete"),
                message("assistant", "Half an ans", "failed"),
            ],
        }))
        .expect("a conversation");
        let names = Names::from([(AgentId(agent), "Coach".to_owned())]);
        let told = events(&stored, &names);
        assert!(
            matches!(&told[..], [Event::MessageStart { agent_name, parts, .. }, Event::Error { code, .. }]
                if agent_name == "Coach" && parts.len() == 1 && code == "model_overloaded"),
            "{told:?}"
        );
        assert_eq!(end(&stored), End::Failed);
    }

    #[test]
    fn what_begins_a_stage_begins_no_turn() {
        let message = |role: &str, metadata: serde_json::Value| {
            json!({"id": Uuid::now_v7(), "agent_id": Uuid::now_v7(), "role": role, "content": role, "parts": null,
                "metadata": metadata, "status": "complete", "attempt": 1, "created_at": "2026-01-01T00:00:00Z"})
        };
        let stored: Conversation = serde_json::from_value(json!({
            "workspace_id": Uuid::now_v7(), "cursor": "9.0", "turn": null,
            "active": {"activationId": Uuid::now_v7(), "agentId": Uuid::now_v7(), "agentName": "Ben", "epoch": 2},
            "messages": [
                message("user", json!({})),
                message("assistant", json!({})),
                message("user", json!({"synthetic": true})),
                message("assistant", json!({})),
            ],
        }))
        .expect("a conversation");
        assert_eq!(events(&stored, &Names::new()).len(), 2, "both stages, and nothing that nobody said");
        assert_eq!(end(&stored), End::Completed);
    }
}
