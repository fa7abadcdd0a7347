//! The state that the steps of a turn fold to, one promise at a time.

use baton_core::ids::ActivationId;
use baton_core::log::{ResultStep, Said, StageRef, Start, Switched, TurnStatus};
use baton_core::models::Usage;
use baton_core::tape::Block;
use baton_core::tools::Nature;
use chrono::DateTime;

use super::*;
use crate::turn::ending::{Cause, ending_steps};

/// A turn in the making: whoever speaks, in the message at hand.
struct Teller {
    turn: Turn,
    seq: i64,
    task: TaskId,
    agent: AgentId,
    message: MessageId,
}

impl Teller {
    fn new() -> Self {
        let (task, agent, message) = (TaskId::new(), AgentId::new(), MessageId::new());
        Self { turn: Turn::default(), seq: 0, task, agent, message }
    }

    fn step(&mut self, step: Step) -> &mut Self {
        self.seq += 1;
        let (seq, task_id, message_id) = (self.seq, Some(self.task), Some(self.message));
        let at = DateTime::UNIX_EPOCH;
        self.turn.push(&LoggedStep { seq, task_id, agent_id: self.agent, message_id, step, at });
        self
    }

    fn opens(&mut self) -> &mut Self {
        self.step(Step::Call { attempt: 1, start: Some(start()), lost: None })
    }

    fn says(&mut self, voice: Voice, text: &str) -> &mut Self {
        self.step(Step::Said(said(vec![Block { voice, text: text.into() }])))
    }

    fn calls(&mut self, nature: Nature) -> &mut Self {
        self.step(Step::ToolCall(call_of(nature)))
    }

    fn answers(&mut self, answer: ResultStep) -> &mut Self {
        self.step(Step::ToolResult(answer))
    }
}

fn start() -> Start {
    Start { agent_name: "Ana".into(), avatar_url: None, parts: vec![] }
}

fn tokens(number: u64) -> Spent {
    let usage = Usage { input_tokens: number, ..Usage::NOTHING };
    Spent { usage, cost_micros: Some(0) }
}

fn said(blocks: Vec<Block>) -> Said {
    Said {
        blocks,
        thinking: vec![],
        model: "any/model".into(),
        prompt_hash: String::new(),
        spent: tokens(5),
        stop: None,
        unsent: false,
        ends: None,
    }
}

fn call_of(nature: Nature) -> CallStep {
    CallStep {
        call_id: "one".into(),
        tool_name: "send".into(),
        through: None,
        display_name: "Send".into(),
        args: Map::new(),
        nature: Some(nature),
        loads_skill: false,
        hands_off: false,
    }
}

fn result() -> ResultStep {
    let (call_id, tool_name) = ("one".into(), "send".into());
    ResultStep {
        call_id,
        tool_name,
        result: json!(1),
        success: true,
        duration_ms: 0,
        unknown: false,
        wrote: false,
        kept: Vec::new(),
    }
}

fn handed(from: AgentId, to: AgentId, stage: Option<&str>) -> Handoff {
    let named = |name: &str| StageRef { name: name.into(), number: 2, of: 3, completed: "first".into() };
    Handoff {
        id: TransitionId::new(),
        from,
        to,
        to_name: "Bo".into(),
        trigger: Trigger::Model,
        reason: None,
        context: Map::new(),
        epoch: 2,
        activation_id: ActivationId::new(),
        task_id: TaskId::new(),
        mode: PermissionMode::AcceptEdits,
        stage: stage.map(named),
        call_id: None,
    }
}

#[test]
fn a_turn_is_made_of_its_own_steps() {
    let (mut one, mut two) = (Teller::new(), Teller::new());
    let mut log = Vec::new();
    for teller in [&mut one, &mut two] {
        let (task_id, agent_id, message_id) = (Some(teller.task), teller.agent, Some(teller.message));
        let step = Step::Call { attempt: 1, start: Some(start()), lost: None };
        log.push(LoggedStep { seq: 1, task_id, agent_id, message_id, step, at: DateTime::UNIX_EPOCH });
    }
    let turn = Turn::of(two.task, &log);
    assert_eq!((turn.root, turn.chain, turn.model_calls), (Some(two.task), vec![two.agent], 1));
    assert_eq!(turn.message.map(|message| message.id), Some(two.message));
}

#[test]
fn a_call_made_again_is_the_same_call_and_what_was_lost_is_counted() {
    let mut teller = Teller::new();
    teller.opens();
    let again = Step::Call { attempt: 2, start: Some(start()), lost: Some(tokens(3)) };
    teller.step(again);
    assert_eq!((teller.turn.model_calls, teller.turn.open_call, teller.turn.sent_calls), (1, Some(2), 0));
    // It was sent before the crash, though never again.
    teller.step(Step::Said(Said { unsent: true, spent: tokens(0), ..said(vec![]) }));
    assert_eq!((teller.turn.sent_calls, teller.turn.spent), (1, tokens(3)));
    teller.opens().step(Step::Said(Said { unsent: true, spent: tokens(0), ..said(vec![]) }));
    assert_eq!((teller.turn.model_calls, teller.turn.sent_calls), (2, 1), "opened, and never sent");
    teller.opens().says(Voice::Text, "Hello");
    assert_eq!((teller.turn.sent_calls, teller.turn.open_call), (2, None));
    assert_eq!(teller.turn.chain, [teller.agent], "the same agent all the while");
}

#[test]
fn what_a_message_used_is_counted_by_itself() {
    let mut teller = Teller::new();
    teller.opens().says(Voice::Text, "Hello");
    teller.step(Step::Call { attempt: 1, start: None, lost: None }).says(Voice::Text, "again");
    assert_eq!((teller.turn.message_spent, teller.turn.spent), (tokens(10), tokens(10)));
    // A call that starts the same message anew, after a takeover, begins no other.
    teller.opens().says(Voice::Text, "and again");
    assert_eq!(teller.turn.message_spent, tokens(15));
    (teller.agent, teller.message) = (AgentId::new(), MessageId::new());
    teller.opens().says(Voice::Text, "Bo here");
    assert_eq!((teller.turn.message_spent, teller.turn.spent), (tokens(5), tokens(20)));
    assert_eq!(teller.turn.message.as_ref().map(|message| message.content()), Some("Bo here".into()));
    assert_eq!(teller.turn.chain.len(), 2);
}

#[test]
fn events_of_other_messages_leave_the_one_at_hand_alone() {
    let mut teller = Teller::new();
    teller.opens();
    let own = std::mem::replace(&mut teller.message, MessageId::new());
    teller.step(Step::MessageEnd { status: MessageStatus::Stopped });
    assert!(teller.turn.is_speaking());
    teller.message = own;
    teller.step(Step::MessageEnd { status: MessageStatus::Stopped });
    assert!(!teller.turn.is_speaking());
}

#[test]
fn an_agent_has_spoken_once_a_person_can_read_a_word_of_it() {
    let spoken = |voice, text: &str| {
        let mut teller = Teller::new();
        let handoff = handed(teller.agent, AgentId::new(), None);
        teller.opens().says(Voice::Text, "Bo takes over.").step(Step::Handoff(handoff));
        teller.opens().says(voice, text);
        teller.turn.handoff.is_some_and(|handoff| handoff.has_spoken)
    };
    assert!(spoken(Voice::Text, "Hello"));
    assert!(!spoken(Voice::Text, " \n"));
    assert!(!spoken(Voice::Reasoning, "Hm"));
    let mut teller = Teller::new();
    let handoff = handed(teller.agent, AgentId::new(), None);
    teller.step(Step::Handoff(handoff)).opens().says(Voice::Text, "Hello").opens().says(Voice::Text, "");
    assert!(teller.turn.handoff.is_some_and(|handoff| handoff.has_spoken), "what was said stays said");
}

#[test]
fn a_handoff_says_who_goes_on_and_stages_are_counted_apart() {
    let mut teller = Teller::new();
    let to = AgentId::new();
    teller.opens().says(Voice::Text, "").calls(Nature::READS);
    let first = handed(teller.agent, to, None);
    teller.step(Step::Handoff(first.clone()));
    let turn = &teller.turn;
    assert_eq!((&turn.chain[..], turn.stages, turn.calls.len()), (&[teller.agent, to][..], 0, 0));
    assert_eq!((turn.task_id, turn.mode), (Some(first.task_id), Some(PermissionMode::AcceptEdits)));
    let taken_back = LastHandoff { id: first.id, from: teller.agent, epoch: 2, has_spoken: false };
    assert_eq!(turn.handoff, Some(taken_back));
    for _ in 0..2 {
        teller.step(Step::Handoff(handed(to, AgentId::new(), Some("second"))));
    }
    assert_eq!((teller.turn.stages, teller.turn.chain.len()), (2, 4));
}

#[test]
fn a_person_who_switches_ends_the_turn_and_who_pins_does_not() {
    let switched = |by, is_pin: bool| {
        let mut teller = Teller::new();
        let from = AgentId::new();
        let to = if is_pin { from } else { AgentId::new() };
        let (to_name, epoch, activation_id) = ("Bo".into(), 2, ActivationId::new());
        teller.step(Step::Switched(Switched { from, to, to_name, by, epoch, activation_id, pinned: true }));
        teller.turn.switched_to
    };
    assert_eq!(switched(Trigger::User, false), Some("Bo".into()));
    assert_eq!(switched(Trigger::User, true), None);
    assert_eq!(switched(Trigger::Rollback, false), None);
    assert_eq!(switched(Trigger::Fallback, true), None);
}

#[test]
fn whether_a_tool_has_written_is_known_or_feared() {
    let wrote = |nature, answer| {
        let mut teller = Teller::new();
        teller.opens().says(Voice::Text, "").calls(nature).answers(answer);
        assert!(teller.turn.calls[0].is_answered);
        teller.turn.has_written
    };
    let failed = ResultStep { success: false, ..result() };
    assert!(wrote(Nature::WRITES, result()));
    assert!(!wrote(Nature::READS, result()));
    assert!(!wrote(Nature::WRITES, failed.clone()));
    assert!(wrote(Nature::READS, ResultStep { wrote: true, ..failed.clone() }), "in a subtask");
    assert!(wrote(Nature::UNKNOWN, ResultStep { unknown: true, ..failed.clone() }), "perhaps");
    let mut teller = Teller::new();
    teller.opens().says(Voice::Text, "").calls(Nature::WRITES).answers(result());
    teller.opens().says(Voice::Text, "").calls(Nature::READS).answers(result());
    assert!(teller.turn.has_written, "what was written stays written");
    assert!(teller.turn.doubtful.is_empty());
    teller.opens().calls(Nature::UNKNOWN).answers(ResultStep { unknown: true, ..failed });
    assert_eq!(teller.turn.doubtful, ["send"]);
}

#[test]
fn a_handoff_that_was_tried_stays_tried() {
    let mut teller = Teller::new();
    teller.opens().calls(Nature::READS);
    assert!(!teller.turn.has_tried);
    teller.step(Step::ToolCall(CallStep { hands_off: true, ..call_of(Nature::READS) }));
    teller.calls(Nature::READS);
    assert!(teller.turn.has_tried);
}

#[test]
fn a_person_decides_on_the_call_they_were_asked_about() {
    let decided = |decision, reason: Option<&str>| {
        let mut teller = Teller::new();
        let other = CallStep { call_id: "two".into(), ..call_of(Nature::UNKNOWN) };
        teller.opens().calls(Nature::UNKNOWN).step(Step::ToolCall(other));
        let (approval_id, args) = (ApprovalId::new(), Map::new());
        let (call_id, tool_name) = ("two".to_owned(), "send".to_owned());
        let expires_at = DateTime::UNIX_EPOCH;
        let asked = call_id.clone();
        teller.step(Step::ApprovalAsked {
            approval_id,
            call_id: asked,
            tool_name,
            args,
            expires_at,
            preview: None,
        });
        assert_eq!(teller.turn.calls[1].consent, Consent::Asked(approval_id));
        let (by, reason) = ("Eva".into(), reason.map(str::to_owned));
        let args = json!({"to": "me"}).as_object().cloned();
        let (remember, args_hash) = (false, Some("as shown".to_owned()));
        let resolved =
            Step::ApprovalResolved { approval_id, call_id, decision, by, reason, remember, args, args_hash };
        teller.step(resolved);
        let [untouched, call] = &teller.turn.calls[..] else { panic!("{:?}", teller.turn.calls) };
        assert_eq!((&untouched.consent, untouched.step.args.len()), (&Consent::NotAsked, 0));
        assert_eq!(call.step.args["to"], "me", "it runs with what the person made of it");
        call.consent.clone()
    };
    let why = Some("Not today".to_owned());
    let rejected = Consent::Refused(Denial::Rejected { reason: why });
    assert_eq!(decided(Decision::Approved, None), Consent::Given("as shown".into()));
    assert_eq!(decided(Decision::Rejected, Some("Not today")), rejected);
    assert_eq!(decided(Decision::Expired, None), Consent::Refused(Denial::Expired));
    assert_eq!(decided(Decision::Cancelled, None), Consent::Refused(Denial::Cancelled));
}

#[test]
fn a_person_would_be_asked_about_what_is_open_and_nobody_decided_on() {
    let would_ask = |nature, mode| {
        let mut teller = Teller::new();
        teller.opens().says(Voice::Text, "").calls(nature);
        (teller.turn.would_ask(mode), teller)
    };
    let (asks, mut teller) = would_ask(Nature::WRITES, PermissionMode::Default);
    assert!(asks);
    assert!(!would_ask(Nature::READS, PermissionMode::Default).0);
    assert!(!would_ask(Nature::WRITES, PermissionMode::AcceptEdits).0);
    teller.turn.calls[0].consent = Consent::Asked(ApprovalId::new());
    assert!(!teller.turn.would_ask(PermissionMode::Default), "they are asked already");
    teller.turn.calls[0].consent = Consent::NotAsked;
    teller.answers(result());
    assert!(!teller.turn.would_ask(PermissionMode::Default), "it is done");
    assert!(!Turn::default().would_ask(PermissionMode::Default), "nothing was called");
}

#[test]
fn when_nothing_is_left_but_to_ask_the_model() {
    let mut teller = Teller::new();
    assert!(teller.turn.wants_model(), "nothing was said yet");
    teller.opens();
    assert!(teller.turn.wants_model(), "a call is open");
    teller.says(Voice::Text, "").calls(Nature::READS);
    assert!(!teller.turn.wants_model(), "a tool has to answer");
    teller.answers(result());
    assert!(teller.turn.wants_model());
}

#[test]
fn a_message_has_text_once_there_is_some() {
    let mut teller = Teller::new();
    assert!(!teller.turn.has_text() && !teller.turn.is_speaking());
    teller.opens();
    assert!(!teller.turn.has_text() && teller.turn.is_speaking());
    teller.says(Voice::Text, "Hello");
    assert!(teller.turn.has_text());
}

#[test]
fn what_is_kept_beside_a_message() {
    let mut teller = Teller::new();
    assert_eq!(teller.turn.metadata(), json!({}));
    teller.opens().says(Voice::Text, "Hello");
    let open = json!({"taskId": teller.task, "model": "any/model"});
    assert_eq!(teller.turn.metadata(), open, "what it used is not known before it ends");
    let usage = json!({
        "inputTokens": 5, "outputTokens": 0, "cacheReadTokens": 0, "cacheWriteTokens": 0, "reasoningTokens": 0,
        "costUsd": 0.0,
    });
    let mut whole = open.clone();
    whole["usage"] = usage;
    teller.step(Step::MessageEnd { status: MessageStatus::Complete });
    assert_eq!(teller.turn.metadata(), whole);
    let mut over = Teller { task: teller.task, ..Teller::new() };
    over.opens().says(Voice::Text, "Hello");
    over.step(Step::Done { status: TurnStatus::Completed, spent: tokens(5), calls: 1 });
    assert_eq!(over.turn.metadata(), whole, "nor after the turn is over");
    teller.calls(Nature::WRITES).answers(result());
    let (code, message) = ("gave_up".to_owned(), "No.".to_owned());
    teller.step(Step::Error { code, message, recoverable: true });
    whole["wrote"] = json!(true);
    whole["error"] = json!({"code": "gave_up", "message": "No.", "recoverable": true});
    assert_eq!(teller.turn.metadata(), whole);
}

/// Whoever takes a turn over can't know whether a call was sent. Ended at once, the turn says so.
#[test]
fn what_another_process_may_have_sent_ends_as_unknown() {
    let unknown = |nature, consent: Consent, taken_over: bool| {
        let mut teller = Teller::new();
        teller.opens().says(Voice::Text, "").calls(nature);
        teller.turn.calls[0].consent = consent;
        if taken_over {
            teller.turn.assume_begun();
        }
        let ended = ending_steps(&teller.turn, &Cause::Stopped { by: "Eva".into() });
        let answers = ended.steps.iter().find_map(|(_, step)| match step {
            Step::ToolResult(result) => Some(result.unknown),
            _ => None,
        });
        answers.expect("an answer")
    };
    assert!(unknown(Nature::UNKNOWN, Consent::NotAsked, true));
    assert!(unknown(Nature::UNKNOWN, Consent::Given(String::new()), true));
    assert!(!unknown(Nature::UNKNOWN, Consent::NotAsked, false), "its own driver knows that it was not");
    assert!(
        !unknown(Nature::WRITES, Consent::Given(String::new()), true),
        "it would be found if it were asked again"
    );
    assert!(!unknown(Nature::UNKNOWN, Consent::Asked(ApprovalId::new()), true), "nobody has allowed it");
}
