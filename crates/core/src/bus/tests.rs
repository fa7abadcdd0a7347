use super::*;
use serde_json::json;

const ID: &str = "018f3c1e-0000-7000-8000-000000000000";

#[test]
fn what_another_version_says_is_heard_as_far_as_it_matters_here() {
    let notice = |happened: Value| json!({"hint": {"notice": {"workspace_id": ID, "audience": "members", "happened": happened}}});
    let ended = |status: &str| {
        notice(json!({"type": "turn_ended", "conversationId": ID, "sessionId": ID, "status": status}))
    };
    let deleted = json!({"hint": {"deleted": ID}});
    let read = |said: &Value| Heard::read(said.clone());
    assert!(matches!(read(&deleted), Some(Heard::Hint(Hint::Deleted(_)))));
    assert!(matches!(read(&ended("completed")), Some(Heard::Hint(Hint::Notice(_)))));
    for missed in [
        json!("missed"),
        ended("postponed"),
        json!({"hint": {"deleted": 5}}),
        json!({"hint": {"stored": {"conversation": ID}}}),
    ] {
        assert_eq!(read(&missed), Some(Heard::Missed), "{missed}");
    }
    for nothing in [
        json!({"hint": {"piece": {"call": 1, "off": 2, "text": "abc"}}}),
        json!({"hint": "drained"}),
        notice(json!({"type": "moon_rose"})),
        json!({"gossip": 1}),
        json!(5),
    ] {
        assert_eq!(read(&nothing), None, "{nothing}");
    }
}

#[test]
fn every_hint_is_a_known_word() {
    let id = || ConversationId(ID.parse().expect("an id"));
    let notice = Notice {
        workspace_id: crate::ids::WorkspaceId::new(),
        audience: crate::notices::Audience::Members,
        happened: Happened::WorkspaceChanged {},
    };
    for hint in [
        Hint::Notice(notice),
        Hint::Stored { conversation_id: id(), seq: 1 },
        Hint::Stopped(TaskId::new()),
        Hint::Deleted(id()),
        Hint::LookAgain(None),
    ] {
        // Exhaustive on purpose: a new hint is a new word.
        match hint {
            Hint::Notice(_)
            | Hint::Stored { .. }
            | Hint::Stopped(_)
            | Hint::Deleted(_)
            | Hint::LookAgain(_) => {}
        }
        let said = serde_json::to_value(&hint).expect("JSON");
        let word = said.as_object().and_then(|map| map.keys().next()).expect("a word").clone();
        assert!(HINTS.contains(&word.as_str()), "{word}");
    }
}
