use baton_core::ids::AgentId;
use baton_core::log::CallStep;
use baton_core::tools::Nature;
use serde_json::{Map, json};

use super::*;
use crate::turn::state::Consent;

#[test]
fn a_result_names_its_call_and_how_long_it_took() {
    let step = CallStep {
        call_id: "call_1".into(),
        tool_name: "look".into(),
        display_name: "Look".into(),
        args: Map::new(),
        nature: Some(Nature::READS),
        loads_skill: false,
        hands_off: false,
        through: None,
    };
    let (agent_id, consent) = (AgentId::new(), Consent::NotAsked);
    let call = Call {
        seq: 3,
        step,
        agent_id,
        consent,
        seen: Vec::new(),
        is_answered: false,
        subtask: None,
        is_begun: true,
    };
    for success in [true, false] {
        let found = result(&call, json!({"found": 2}), success, Duration::from_millis(1_500));
        let expected = ResultStep {
            call_id: "call_1".into(),
            tool_name: "look".into(),
            result: json!({"found": 2}),
            success,
            duration_ms: 1_500,
            unknown: false,
            wrote: false,
            kept: Vec::new(),
        };
        assert_eq!(found, expected);
    }
    assert_eq!(result(&call, json!(1), true, Duration::MAX).duration_ms, u64::MAX);
}

#[test]
fn the_model_is_told_why_a_call_was_not_allowed() {
    let table = [
        (Denial::Rejected { reason: Some("Not on a Friday.".into()) }, "and said: Not on a Friday."),
        (Denial::Rejected { reason: None }, "Don't try it again."),
        (Denial::Expired, "Nobody allowed this in time"),
        (Denial::Cancelled, "the turn ended before anyone allowed it"),
    ];
    for (denial, told) in table {
        let text = refused(&denial);
        assert!(text.contains(told), "{denial:?}: {text}");
    }
}
