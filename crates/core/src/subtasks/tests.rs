use super::*;
use crate::log::{CallStep, ResultStep, Said, Spent};
use crate::tape::Block;
use crate::tools::Nature;

#[test]
fn what_a_tool_asks() {
    assert_eq!(asks("ask_ben"), Some("ben"));
    assert_eq!(asks("ask_tax-desk"), Some("tax-desk"));
    for none in ["ask_", "ask", "switch_agent", "Ask_ben", ""] {
        assert_eq!(asks(none), None, "{none}");
    }
}

#[test]
fn what_can_be_asked() {
    let args = |value: Value| value.as_object().cloned().unwrap_or_default();
    for (given, depth, expected) in [
        (json!({"message": " How much? "}), 0, Ok(("How much?".to_owned(), 1))),
        (json!({"message": "How much?"}), 2, Ok(("How much?".to_owned(), 3))),
        (json!({"message": "How much?"}), 3, Err("too_deep")),
        (json!({}), 0, Err("wrong_message")),
        (json!({"message": "  "}), 0, Err("wrong_message")),
        (json!({"message": 7}), 0, Err("wrong_message")),
        (json!({"message": "How?", "agent": "ben"}), 0, Err("wrong_message")),
        (json!({"message": "x".repeat(MAX_CONTENT + 1)}), 0, Err("wrong_message")),
    ] {
        let told = check(&args(given), depth).map_err(|refusal| refusal.code);
        assert_eq!(told, expected);
    }
}

#[test]
fn what_a_subtask_comes_to() {
    let task = TaskId::new();
    let said = |text: &str| {
        Step::Said(Said {
            blocks: vec![
                Block { voice: Voice::Reasoning, text: "Hm.".into() },
                Block { voice: Voice::Text, text: text.into() },
            ],
            thinking: vec![],
            model: "a/b".into(),
            prompt_hash: String::new(),
            spent: Spent::NOTHING,
            stop: None,
            unsent: false,
            ends: None,
        })
    };
    let called = |nature| {
        Step::ToolCall(CallStep {
            call_id: "c".into(),
            tool_name: "t".into(),
            through: None,
            display_name: "T".into(),
            args: Map::new(),
            nature: Some(nature),
            loads_skill: false,
            hands_off: false,
        })
    };
    let result = |success, wrote| {
        Step::ToolResult(ResultStep {
            call_id: "c".into(),
            tool_name: "t".into(),
            result: json!({}),
            success,
            duration_ms: 1,
            unknown: false,
            wrote,
            kept: Vec::new(),
        })
    };
    let failed = || Step::Error { code: "x".into(), message: "It broke.".into(), recoverable: true };
    let done = |status| Step::Done { status, spent: Spent::NOTHING, calls: 1 };
    use TurnStatus::{Completed, Failed, Stopped};
    let ok = |text: &str, wrote| Some(Came { answer: Ok(text.to_owned()), wrote });
    let no = |why: &str| Some(Came { answer: Err(why.to_owned()), wrote: false });
    for (steps, expected) in [
        (vec![said("42")], None),
        (vec![said("42"), done(Completed)], ok("42", false)),
        (
            vec![
                said("Let me see."),
                called(Nature::READS),
                result(true, false),
                said("42"),
                done(Completed),
            ],
            ok("42", false),
        ),
        (vec![said("42"), said(" "), done(Completed)], ok("42", false)),
        (vec![called(Nature::WRITES), result(true, false), said("42"), done(Completed)], ok("42", true)),
        (vec![called(Nature::WRITES), result(false, false), said("42"), done(Completed)], ok("42", false)),
        (vec![called(Nature::READS), result(true, true), said("42"), done(Completed)], ok("42", true)),
        (vec![said("4"), done(Stopped)], no("Ben was stopped before it had answered.")),
        (vec![failed(), done(Failed)], no("Ben could not answer: It broke.")),
        (vec![done(Completed)], no("Ben gave no answer.")),
    ] {
        let log: Vec<LoggedStep> = (1..)
            .zip(steps)
            .map(|(seq, step)| LoggedStep {
                seq,
                task_id: Some(task),
                agent_id: AgentId::new(),
                message_id: None,
                step,
                at: chrono::DateTime::UNIX_EPOCH,
            })
            .collect();
        assert_eq!(came("Ben", task, &log), expected);
        assert_eq!(came("Ben", TaskId::new(), &log), None, "another turn's");
    }
}
