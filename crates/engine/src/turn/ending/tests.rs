//! What each way of ending does to what is open: calls, questions, and the message being written.

use baton_core::access::AccessRefusal;
use baton_core::fold::Spoken;
use baton_core::ids::{AgentId, ApprovalId};
use baton_core::log::{CallStep, Spent};
use baton_core::models::Usage;
use baton_core::tools::Nature;
use serde_json::Map;

use super::*;
use crate::turn::state::Call;

fn call(id: &str, nature: Nature, consent: Consent) -> Call {
    let step = CallStep {
        call_id: id.into(),
        tool_name: "send".into(),
        display_name: "Send".into(),
        args: Map::new(),
        nature: Some(nature),
        loads_skill: false,
        hands_off: false,
        through: None,
    };
    let agent_id = AgentId::new();
    Call {
        seq: 1,
        step,
        agent_id,
        consent,
        seen: Vec::new(),
        is_answered: false,
        subtask: None,
        is_begun: false,
    }
}

/// A message being written, with a question, a call that was not begun, one that was, and one that is answered.
struct Open {
    turn: Turn,
    asked: ApprovalId,
}

impl Open {
    fn new() -> Self {
        let asked = ApprovalId::new();
        let begun = Call { is_begun: true, ..call("begun", Nature::UNKNOWN, Consent::NotAsked) };
        let repeatable = Call { is_begun: true, ..call("repeatable", Nature::WRITES, Consent::NotAsked) };
        let answered =
            Call { is_answered: true, ..call("answered", Nature::READS, Consent::Asked(ApprovalId::new())) };
        let usage = Usage { input_tokens: 7, ..Usage::NOTHING };
        let turn = Turn {
            message: Some(Spoken::new(MessageId::new(), AgentId::new())),
            calls: vec![
                call("asked", Nature::UNKNOWN, Consent::Asked(asked)),
                call("fresh", Nature::UNKNOWN, Consent::NotAsked),
                begun,
                repeatable,
                answered,
            ],
            spent: Spent { usage, cost_micros: Some(3) },
            sent_calls: 2,
            ..Turn::default()
        };
        Self { turn, asked }
    }
}

fn fault() -> Fault {
    Fault { code: "broken".into(), message: "It broke.".into(), recoverable: true }
}

/// What became of each open call: what it is told, and whether its outcome is unknown.
fn told(steps: &[(Option<MessageId>, Step)]) -> Vec<(&str, String, bool)> {
    let results = steps.iter().filter_map(|(_, step)| match step {
        Step::ToolResult(result) => {
            assert!(!result.success, "{result:?}");
            let why = result.result["error"].as_str().expect("a reason").to_owned();
            Some((result.call_id.as_str(), why, result.unknown))
        }
        _ => None,
    });
    results.collect()
}

#[test]
fn every_open_call_is_closed_and_says_why() {
    let (interrupted, switched) = ("It was interrupted.", "The person switched to Bo, so it was not run.");
    let cancelled = "It was not done: the turn ended before anyone allowed it.";
    let by_words = "The person did not allow this, and said: Later.";
    let table: [(Cause, [&str; 4]); 5] = [
        (Cause::Completed, [cancelled, interrupted, interrupted, interrupted]),
        (Cause::Stopped { by: "Eva".into() }, [cancelled, interrupted, interrupted, interrupted]),
        (Cause::Switched { to: "Bo".into() }, [switched, switched, interrupted, interrupted]),
        (Cause::Failed(fault()), [cancelled, interrupted, interrupted, interrupted]),
        (
            Cause::WroteOn { by: "Eva".into(), words: "Later.".into() },
            [by_words, interrupted, interrupted, interrupted],
        ),
    ];
    for (cause, why) in table {
        let EndingSteps { steps, .. } = ending_steps(&Open::new().turn, &cause);
        let unknown = [false, false, true, false];
        let names = ["asked", "fresh", "begun", "repeatable"];
        let expected: Vec<_> = (0..4).map(|at| (names[at], why[at].to_owned(), unknown[at])).collect();
        assert_eq!(told(&steps), expected, "{cause:?}");
    }
}

#[test]
fn an_open_question_is_decided_by_who_ends_the_turn() {
    let switched = Some("The person switched to Bo".to_owned());
    let table = [
        (Cause::Completed, Decision::Cancelled, "Baton", None),
        (Cause::Failed(fault()), Decision::Cancelled, "Baton", None),
        (Cause::Stopped { by: "Eva".into() }, Decision::Cancelled, "Eva", None),
        (Cause::Switched { to: "Bo".into() }, Decision::Cancelled, "the person", switched),
        (
            Cause::WroteOn { by: "Eva".into(), words: "Later.".into() },
            Decision::Rejected,
            "Eva",
            Some("Later.".to_owned()),
        ),
    ];
    for (cause, decision, by, reason) in table {
        let open = Open::new();
        let EndingSteps { steps, resolved } = ending_steps(&open.turn, &cause);
        let row = ResolvedApproval { id: open.asked, decision, by: by.into(), reason: reason.clone() };
        assert_eq!(resolved, [row], "{cause:?}");
        let step = Step::ApprovalResolved {
            approval_id: open.asked,
            call_id: "asked".into(),
            decision,
            by: by.into(),
            reason,
            remember: false,
            args: None,
            args_hash: None,
        };
        let questions: Vec<&Step> = steps
            .iter()
            .map(|(_, step)| step)
            .filter(|step| matches!(step, Step::ApprovalResolved { .. }))
            .collect();
        assert_eq!(questions, [&step], "{cause:?}");
    }
}

#[test]
fn the_message_and_the_turn_end_alike() {
    let table = [
        (Cause::Completed, MessageStatus::Complete, TurnStatus::Completed),
        (Cause::Stopped { by: "Eva".into() }, MessageStatus::Stopped, TurnStatus::Stopped),
        (Cause::Switched { to: "Bo".into() }, MessageStatus::Stopped, TurnStatus::Stopped),
        (
            Cause::WroteOn { by: "Eva".into(), words: "Later.".into() },
            MessageStatus::Stopped,
            TurnStatus::Stopped,
        ),
        (Cause::Failed(fault()), MessageStatus::Failed, TurnStatus::Failed),
    ];
    for (cause, message, turn) in table {
        let open = Open::new();
        let id = open.turn.message.as_ref().map(|message| message.id);
        let EndingSteps { steps, .. } = ending_steps(&open.turn, &cause);
        assert!(steps.iter().all(|(message, _)| *message == id), "{cause:?}");
        let done = Step::Done { status: turn, spent: open.turn.spent, calls: 2 };
        assert_eq!(steps.last().map(|(_, step)| step), Some(&done), "{cause:?}");
        let ends = |step: &Step| matches!(step, Step::MessageEnd { status } if *status == message);
        assert_eq!(steps.iter().filter(|(_, step)| ends(step)).count(), 1, "{cause:?}");
        let errors: Vec<&Step> =
            steps.iter().map(|(_, step)| step).filter(|step| matches!(step, Step::Error { .. })).collect();
        let error = Step::Error { code: "broken".into(), message: "It broke.".into(), recoverable: true };
        let expected: &[&Step] = if turn == TurnStatus::Failed { &[&error] } else { &[] };
        assert_eq!(errors, expected, "{cause:?}");
    }
    // A message that has ended by itself, or never began, isn't ended again.
    let mut whole = Spoken::new(MessageId::new(), AgentId::new());
    whole.status = MessageStatus::Complete;
    for message in [None, Some(whole)] {
        let turn = Turn { message, ..Turn::default() };
        let steps = ending_steps(&turn, &Cause::Completed).steps;
        assert!(matches!(&steps[..], [(_, Step::Done { .. })]), "{steps:?}");
    }
}

#[test]
fn an_ending_is_its_cause() {
    let refused = Failure::StageRefused(AccessRefusal::SignIn);
    let (code, message, recoverable) = refused.told();
    let failed = Fault { code: code.into(), message: message.into(), recoverable };
    assert!(!recoverable);
    let table = [
        (Ending::Completed, Cause::Completed),
        (Ending::Stopped, Cause::Stopped { by: "the person".into() }),
        (Ending::Switched("Bo".into()), Cause::Switched { to: "Bo".into() }),
        (Ending::Failed(refused), Cause::Failed(failed)),
    ];
    for (ending, cause) in table {
        assert_eq!(Cause::of(&ending), cause);
    }
}
