//! Every decision of `run`, as a table.

use baton_core::ids::ApprovalId;
use baton_core::log::CallStep;
use baton_core::tools::Nature;

use super::*;
use crate::tests::ready_agents::rule;

fn facts() -> Facts {
    Facts {
        stop_requested: false,
        cap_reached: None,
        unpriced: false,
        tries: 0,
        taken_over: false,
        max_calls: 3,
        mode: PermissionMode::Default,
        nobody_to_ask: false,
        unstorable: false,
        is_routed_team: false,
        is_stuck: false,
        allowed: vec![],
        rules: vec![],
        levels: vec![],
    }
}

fn fresh() -> Turn {
    Turn::default()
}

/// After one reply with these calls.
fn replied(calls: Vec<Call>) -> Turn {
    Turn { model_calls: 1, last_stop: Some(StopReason::ToolUse), calls, ..fresh() }
}

fn call(name: &str, nature: Option<Nature>) -> Call {
    Call {
        seq: 1,
        step: CallStep {
            call_id: format!("id-{name}"),
            tool_name: name.into(),
            through: None,
            display_name: name.into(),
            args: Default::default(),
            nature,
            loads_skill: false,
            hands_off: false,
        },
        agent_id: baton_core::ids::AgentId::new(),
        consent: Consent::NotAsked,
        is_answered: false,
        seen: Vec::new(),
        subtask: None,
        is_begun: false,
    }
}

fn reads() -> Call {
    call("look", Some(Nature::READS))
}

fn writes() -> Call {
    call("save", Some(Nature::WRITES))
}

fn sends() -> Call {
    call("send", Some(Nature::UNKNOWN))
}

fn with(consent: Consent, call: Call) -> Call {
    Call { consent, ..call }
}

fn answered(call: Call) -> Call {
    Call { is_answered: true, ..call }
}

#[track_caller]
fn check(turn: Turn, facts: Facts, expected: Next) {
    assert_eq!(run(&turn, &facts), expected);
}

fn failed(failure: Failure) -> Next {
    Next::Finish(Ending::Failed(failure))
}

#[test]
fn a_turn_with_a_step_that_is_not_known_is_ended_unless_it_was_stopped() {
    let task = baton_core::ids::TaskId::new();
    let unknown = baton_core::log::LoggedStep {
        seq: 1,
        task_id: Some(task),
        agent_id: baton_core::ids::AgentId::new(),
        message_id: None,
        step: baton_core::log::Step::read(serde_json::json!({"step": "levitated"})),
        at: chrono::DateTime::UNIX_EPOCH,
    };
    let turn = Turn { calls: vec![writes()], ..Turn::of(task, &[unknown]) };
    let newer = Next::Finish(Ending::Failed(Failure::NewerVersion));
    assert_eq!(run(&turn, &facts()), newer);
    assert_eq!(run(&turn, &Facts { tries: 1, taken_over: true, ..facts() }), newer);
    assert_eq!(run(&turn, &Facts { stop_requested: true, ..facts() }), Next::Finish(Ending::Stopped));
}

#[test]
fn when_the_model_is_called() {
    check(fresh(), facts(), Next::CallModel(Offered::Tools));
    check(replied(vec![answered(reads())]), facts(), Next::CallModel(Offered::Tools));
    let at_limit = Turn { model_calls: 3, ..replied(vec![answered(reads())]) };
    check(at_limit, facts(), Next::CallModel(Offered::Nothing));
    let cap_reached = Some(Cap::Server);
    check(fresh(), Facts { cap_reached, ..facts() }, failed(Failure::SpendCapReached(Cap::Server)));
    check(fresh(), Facts { unpriced: true, ..facts() }, failed(Failure::NoPrice));
    let capped = replied(vec![answered(reads())]);
    check(capped, Facts { cap_reached, ..facts() }, failed(Failure::SpendCapReached(Cap::Server)));
}

#[test]
fn an_open_call_is_made_again_and_counts_once() {
    let open = Turn { open_call: Some(2), model_calls: 3, ..fresh() };
    check(open.clone(), facts(), Next::CallModel(Offered::Tools));
    let last = Turn { model_calls: 4, ..open.clone() };
    check(last, facts(), Next::CallModel(Offered::Nothing));
    check(open.clone(), Facts { tries: 2, ..facts() }, Next::CallModel(Offered::Tools));
    check(open, Facts { tries: 3, ..facts() }, failed(Failure::GaveUp));
}

#[test]
fn how_a_turn_ends() {
    let mut message =
        baton_core::fold::Spoken::new(baton_core::ids::MessageId::new(), baton_core::ids::AgentId::new());
    message.say(baton_core::tape::Voice::Text, "Hello", true);
    let said = Turn { model_calls: 1, last_stop: Some(StopReason::End), message: Some(message), ..fresh() };
    check(said.clone(), facts(), Next::Finish(Ending::Completed));
    check(
        Turn { last_stop: Some(StopReason::MaxTokens), ..said.clone() },
        facts(),
        failed(Failure::CutShort),
    );
    check(
        Turn { last_stop: Some(StopReason::Refusal), ..said.clone() },
        facts(),
        failed(Failure::ModelRefused),
    );
    check(said, Facts { stop_requested: true, ..facts() }, Next::Finish(Ending::Stopped));
    let silent = Turn { model_calls: 1, last_stop: Some(StopReason::End), ..fresh() };
    check(silent.clone(), facts(), failed(Failure::EmptyAnswer));
    check(Turn { last_stop: Some(StopReason::Refusal), ..silent }, facts(), failed(Failure::ModelRefused));
    let beyond = Turn { model_calls: 4, ..replied(vec![reads()]) };
    check(beyond, facts(), failed(Failure::TooManyCalls));
    for turn in
        [fresh(), replied(vec![reads()]), replied(vec![with(Consent::Asked(ApprovalId::new()), writes())])]
    {
        check(turn, Facts { stop_requested: true, ..facts() }, Next::Finish(Ending::Stopped));
    }
}

#[test]
fn a_call_that_closed_without_a_reason_is_not_made_again() {
    let closed = Turn { model_calls: 1, ..fresh() };
    check(closed, facts(), failed(Failure::EmptyAnswer));
    let thought = Turn { model_calls: 1, last_stop: Some(StopReason::MaxTokens), ..fresh() };
    check(thought, facts(), failed(Failure::EmptyAnswer));
}

#[test]
fn a_handoff_comes_last_and_only_if_it_is_whole() {
    let hands_off = |nature| {
        let mut call = call("switch_agent", nature);
        call.step.hands_off = true;
        call
    };
    let whole = || hands_off(Some(Nature::READS));
    check(replied(vec![whole(), reads(), whole()]), facts(), Next::Answer(vec![(1, Fate::Run)]));
    check(replied(vec![whole(), answered(reads()), whole()]), facts(), Next::HandOff(vec![0, 2]));
    let waits = with(Consent::Asked(ApprovalId::new()), writes());
    check(replied(vec![whole(), waits]), facts(), Next::Wait);
    // Arguments that are wrong, or cut, hand nothing to anybody.
    check(replied(vec![hands_off(None)]), facts(), Next::Answer(vec![(0, Fate::Impossible)]));
    let cut = Turn { last_stop: Some(StopReason::MaxTokens), ..replied(vec![whole()]) };
    check(cut, facts(), Next::Answer(vec![(0, Fate::CutOff)]));
}

#[test]
fn who_is_asked_first() {
    check(replied(vec![reads(), writes()]), facts(), Next::AskPerson(vec![1]));
    let edits = Facts { mode: PermissionMode::AcceptEdits, ..facts() };
    let both = Next::Answer(vec![(0, Fate::Run), (1, Fate::Run)]);
    check(replied(vec![reads(), writes()]), edits.clone(), both.clone());
    check(replied(vec![writes(), sends()]), edits, Next::AskPerson(vec![1]));
    let bypass = Facts { mode: PermissionMode::BypassPermissions, ..facts() };
    check(replied(vec![writes(), sends()]), bypass, both.clone());
    let allowed = Facts { allowed: vec![writes().args_hash()], ..facts() };
    check(replied(vec![reads(), writes()]), allowed.clone(), both);
    let mut other = writes();
    other.step.args.insert("note".into(), "another".into());
    check(replied(vec![writes(), other.clone()]), allowed, Next::AskPerson(vec![1]));
    let by_rule = |covers_outside| Facts {
        rules: vec![rule("save", covers_outside), rule("send", covers_outside)],
        ..facts()
    };
    let both = Next::Answer(vec![(0, Fate::Run), (1, Fate::Run)]);
    check(replied(vec![writes(), other]), by_rule(false), both.clone());
    check(replied(vec![writes(), sends()]), by_rule(false), Next::AskPerson(vec![1]));
    check(replied(vec![writes(), sends()]), by_rule(true), both);
}

#[test]
fn what_an_admin_decided_comes_before_modes_and_rules() {
    let level = |name: &str, level| vec![(name.to_owned(), level)];
    let run = Next::Answer(vec![(0, Fate::Run)]);
    let always = Facts { levels: level("send", Level::Always), ..facts() };
    check(replied(vec![sends()]), always.clone(), run.clone());
    check(replied(vec![writes()]), always, Next::AskPerson(vec![0]));
    let ask = Facts {
        levels: level("send", Level::Ask),
        mode: PermissionMode::BypassPermissions,
        rules: vec![rule("send", true)],
        ..facts()
    };
    check(replied(vec![sends()]), ask.clone(), Next::AskPerson(vec![0]));
    check(replied(vec![sends()]), Facts { allowed: vec![sends().args_hash()], ..ask.clone() }, run);
    let nobody = Next::Answer(vec![(0, Fate::NobodyToAsk)]);
    check(replied(vec![sends()]), Facts { nobody_to_ask: true, ..ask.clone() }, nobody);
    let never = Facts { levels: level("send", Level::Never), ..ask };
    check(replied(vec![sends()]), never, Next::AskPerson(vec![0]));
}

#[test]
fn what_runs_while_a_person_thinks() {
    let asked = with(Consent::Asked(ApprovalId::new()), writes());
    check(replied(vec![asked.clone(), reads()]), facts(), Next::Answer(vec![(1, Fate::Run)]));
    check(replied(vec![asked.clone(), answered(reads())]), facts(), Next::Wait);
    let given = with(Consent::Given(writes().args_hash()), writes());
    check(replied(vec![given.clone(), answered(reads())]), facts(), Next::Answer(vec![(0, Fate::Run)]));
    let mut changed = given;
    changed.step.args.insert("note".into(), "another".into());
    check(replied(vec![changed]), facts(), Next::Answer(vec![(0, Fate::NotAsAllowed)]));
    let refusal = Denial::Rejected { reason: Some("no".into()) };
    let refused = with(Consent::Refused(refusal.clone()), writes());
    check(replied(vec![refused]), facts(), Next::Answer(vec![(0, Fate::Refused(refusal))]));
}

#[test]
fn what_is_never_run() {
    check(replied(vec![call("nope", None)]), facts(), Next::Answer(vec![(0, Fate::Impossible)]));
    let cut = Turn { last_stop: Some(StopReason::MaxTokens), ..replied(vec![reads()]) };
    check(cut, facts(), Next::Answer(vec![(0, Fate::CutOff)]));
}

#[test]
fn after_a_takeover_only_what_is_safe_runs_again() {
    let over = Facts { taken_over: true, mode: PermissionMode::BypassPermissions, ..facts() };
    let expected = Next::Answer(vec![(0, Fate::Run), (1, Fate::Run), (2, Fate::Unknown)]);
    check(replied(vec![reads(), writes(), sends()]), over.clone(), expected);
    let approved = with(Consent::Given(sends().args_hash()), sends());
    check(replied(vec![approved]), over.clone(), Next::Answer(vec![(0, Fate::Unknown)]));
    let doubtful = Turn { doubtful: vec!["send".into()], ..replied(vec![sends()]) };
    check(doubtful.clone(), Facts { taken_over: false, ..over.clone() }, Next::AskPerson(vec![0]));
    check(doubtful, over, Next::Answer(vec![(0, Fate::Unknown)]));
}

#[test]
fn a_call_that_was_begun_stays_begun_when_a_person_would_be_asked_by_now() {
    let over = Facts { taken_over: true, ..facts() };
    let levels = |level| vec![("send".to_owned(), level)];
    let by_now = [
        over.clone(),
        Facts { levels: levels(Level::Ask), mode: PermissionMode::BypassPermissions, ..over.clone() },
        Facts { levels: levels(Level::Never), ..over.clone() },
        Facts { nobody_to_ask: true, ..over.clone() },
    ];
    for facts in by_now {
        check(replied(vec![sends()]), facts, Next::Answer(vec![(0, Fate::Unknown)]));
    }
    // What can be repeated can be asked about.
    check(replied(vec![writes()]), over, Next::AskPerson(vec![0]));
}

#[test]
fn where_nobody_can_be_asked_the_agent_is_told() {
    let open = Facts { nobody_to_ask: true, mode: PermissionMode::AcceptEdits, ..facts() };
    let nobody = |at| (at, Fate::NobodyToAsk);
    check(replied(vec![sends()]), open.clone(), Next::Answer(vec![nobody(0)]));
    check(replied(vec![reads(), sends()]), open.clone(), Next::Answer(vec![(0, Fate::Run), nobody(1)]));
    let strict = Facts { mode: PermissionMode::Default, ..open };
    check(replied(vec![writes()]), strict, Next::Answer(vec![nobody(0)]));
}

#[test]
fn a_stage_that_can_not_begin_says_whether_waiting_helps() {
    let stuck = |refusal| Turn {
        stuck_stage: Some(crate::handoff::plan::Stuck { why: "No.".into(), refusal }),
        ..replied(vec![])
    };
    let table = [
        (None, Failure::StageUnavailable, true),
        (Some(AccessRefusal::SignIn), Failure::StageRefused(AccessRefusal::SignIn), false),
        (Some(AccessRefusal::Premium), Failure::StageRefused(AccessRefusal::Premium), false),
    ];
    for (refusal, failure, recoverable) in table {
        check(stuck(refusal), facts(), failed(failure));
        let told = failure.told();
        assert_eq!((told.0, told.2), ("stage_unavailable", recoverable));
    }
}

#[test]
fn where_nobody_can_be_asked_the_rest_still_runs() {
    let facts = Facts { nobody_to_ask: true, ..facts() };
    let answers = |calls: Vec<Call>| match run(&replied(calls), &facts) {
        Next::Answer(fates) => fates.into_iter().map(|(_, fate)| fate).collect(),
        other => panic!("{other:?}"),
    };
    let fates: Vec<Fate> = answers(vec![reads(), writes(), sends()]);
    assert_eq!(fates, [Fate::Run, Fate::NobodyToAsk, Fate::NobodyToAsk]);
    let bypass = Facts { mode: PermissionMode::BypassPermissions, ..facts.clone() };
    let doubtful = Turn { doubtful: vec!["send".into()], ..replied(vec![sends()]) };
    assert_eq!(run(&doubtful, &bypass), Next::Answer(vec![(0, Fate::NobodyToAsk)]));
}
