//! A node whose lease has run out, or that ends, stops at once, even if it gets a lease back within the same moment.
//! The loops that keep the lease and the turns going come back, whatever doesn't answer or breaks down.

use std::time::Duration;

use baton_core::approvals::Decision;
use baton_core::events::Cursor;
use baton_core::ids::ApprovalId;
use baton_core::log::{Step, TurnStatus};
use baton_core::spending::{Account, Cap, Limit};
use baton_core::store::Error;
use baton_core::turns::Refused;
use tokio::time::Instant;

use super::client::yields;
use super::memory_store::Before;
use super::stage::{Line, Stage};
use crate::accept::decide::Deciding;
use crate::accept::send::{SendError, To};
use crate::clock::now;
use crate::cluster::drain::NotReady;
use crate::lock::lock;
use crate::node::engine::Engine;
use crate::node::pace::Pace;
use crate::node::pace::WatchPace;
use crate::node::state::Renewal;
use crate::node::turn_permits::NotNow;
use crate::stream::frames::Speaker;
use crate::stream::hub::Hub;
use crate::stream::reader::Reader;

impl Engine {
    /// For an engine that was not started: its lease is good, however long the test takes.
    pub(crate) fn has_lease(&self) {
        let begun = self.0.renewal();
        let (at, wall) = (begun.at + PATIENCE * 60, begun.wall + PATIENCE * 60);
        self.0.renewed.send_replace(Some(Renewal { at, wall, ..begun }));
    }

    /// Everything a node looks for every other second, once.
    pub(crate) async fn look(&self) {
        self.find_stops().await;
        self.repair_readers().await;
        self.take_up_left().await;
        self.find_stranded().await;
        self.expire_overdue().await;
    }
}

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Rounds in quick succession; what doesn't answer is given up soon, and the lease holds throughout.
fn brisk() -> Pace {
    let (quick, hold) = (Duration::from_millis(10), PATIENCE);
    Pace {
        watch: WatchPace { renew: quick, renew_limit: quick, hold, claim: quick, look: quick, limit: quick },
        ..Pace::HASTY
    }
}

impl Stage {
    /// Waits for something that happens by itself.
    fn until(&self, what: &str, happened: impl Fn() -> bool) {
        let waiting = async {
            while !happened() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let waited = async { tokio::time::timeout(PATIENCE, waiting).await };
        assert!(self.runtime.block_on(waited).is_ok(), "{what}");
    }

    fn readiness(&self) -> Result<(), NotReady> {
        self.runtime.block_on(async { self.engine.readiness() })
    }

    fn before(&self, method: &'static str, happens: Before) {
        lock(&self.store.before).insert(method, happens);
    }

    fn has_happened(&self, method: &str) -> bool {
        !lock(&self.store.before).contains_key(method)
    }
}

#[test]
fn renewals_that_are_never_answered_drop_nothing_as_long_as_one_comes_through_in_time() {
    for (unanswered, is_kept) in [(2, true), (3, false)] {
        let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Stall], vec![Line::Stall]]);
        stage.pause_clock();
        stage.runtime.block_on(stage.engine.start());
        stage.send("Talk");
        let renewals = || *stage.engine.0.renewed.borrow();
        let (node, first) = (stage.engine.0.node(), renewals());
        stage.until("it renews by itself", || renewals() > first);
        let last = renewals();
        stage.before("renew_lease", Before::NeverAnswers(unanswered));
        stage.until("it renews again", || stage.has_happened("renew_lease") && renewals() > last);
        assert_eq!(stage.engine.0.node() == node, is_kept, "{unanswered} without an answer");
        assert_eq!(stage.readiness(), Ok(()));
        if is_kept {
            assert_eq!(stage.engine.running(), 1);
        }
    }
}

#[test]
fn a_node_that_gets_no_answer_leaves_its_turns_in_time_and_comes_back_as_another() {
    let lines = vec![vec![Line::Say("Half an"), Line::Stall], vec![Line::Say("An answer.")]];
    let stage = Stage::new(lines);
    stage.pause_clock();
    stage.runtime.block_on(stage.engine.start());
    let started = stage.send("Talk");
    stage.until("it runs", || stage.engine.running() == 1);
    let (node, renewed) = (stage.engine.0.node(), stage.engine.0.renewed.borrow().expect("a lease"));
    stage.before("renew_lease", Before::NeverAnswers(u32::MAX));
    stage.until("it leaves its turn", || stage.engine.0.node() != node && stage.engine.running() == 0);
    let held = stage.runtime.block_on(async { renewed.at.elapsed() });
    assert!(held < Duration::from_secs(5), "the database gave its turns away, and it held them for {held:?}");
    assert_eq!(stage.readiness(), Err(NotReady::NoLease));
    let refused = stage.try_send(To::Conversation(started.conversation_id), "Again").err();
    assert!(matches!(refused, Some(SendError::NotNow(NotNow::NoLease))), "{refused:?}");
    lock(&stage.store.before).clear();
    stage.until("the turn goes on", || stage.store.row(started.conversation_id).turn.is_none());
    assert_eq!(stage.readiness(), Ok(()));
}

#[test]
fn loops_come_back_from_statements_without_an_answer_and_from_panics() {
    for happens in [Before::NeverAnswers(2), Before::Panics(1)] {
        let stage = Stage::at_pace(vec![], brisk());
        stage.pause_clock();
        stage.runtime.block_on(stage.engine.start());
        let renewed = *stage.engine.0.renewed.borrow();
        let methods = ["renew_lease", "claim_turns"];
        methods.iter().for_each(|method| stage.before(method, happens));
        stage.until("they are met with", || methods.iter().all(|method| stage.has_happened(method)));
        // Who claims a turn of a node that is gone has come back.
        let gone = Stage::beside(&stage, vec![vec![Line::Stall], vec![Line::Say("An answer.")]]);
        let started = gone.send("Talk");
        stage.store.expire(gone.engine.0.node());
        drop(gone.runtime);
        stage.until("it is claimed", || stage.store.row(started.conversation_id).turn.is_none());
        stage.until("it renews", || *stage.engine.0.renewed.borrow() > renewed);
    }
}

#[test]
fn no_loop_waits_for_another() {
    let mut pace = brisk();
    // What doesn't answer isn't given up within this test.
    pace.watch.limit = PATIENCE;
    let stage = Stage::at_pace(vec![vec![Line::Say("Half an"), Line::Stall]], pace);
    stage.runtime.block_on(stage.engine.start());
    let started = stage.send("Talk");
    let stuck = ["claim_turns", "turns_of", "last_seqs", "overdue_approvals"];
    stuck.iter().for_each(|method| stage.before(method, Before::NeverAnswers(1)));
    stage.until("they wait", || stuck.iter().all(|method| stage.has_happened(method)));
    let renewed = *stage.engine.0.renewed.borrow();
    stage.store.stop_elsewhere();
    stage.until("the stop is seen", || stage.store.row(started.conversation_id).turn.is_none());
    stage.until("the lease is renewed", || *stage.engine.0.renewed.borrow() > renewed);
}

#[test]
fn a_second_node_that_is_gone_does_not_wait_for_the_turns_of_the_first() {
    let stage = Stage::new(vec![]);
    stage.pause_clock();
    stage.runtime.block_on(stage.engine.start());
    let die = || {
        let node = Stage::beside(&stage, vec![vec![Line::Stall]]);
        let started = node.send("Talk");
        while node.asked().is_empty() {
            node.runtime.block_on(yields(1));
        }
        stage.store.expire(node.engine.0.node());
        drop(node.runtime);
        started.conversation_id
    };
    die();
    // Nobody answers whoever takes up its turn.
    stage.before("load", Before::NeverAnswers(1));
    stage.until("it is being taken up", || stage.has_happened("load"));
    let gone = die();
    (0..2).for_each(|_| stage.replies(vec![Line::Say("An answer.")]));
    let died = stage.runtime.block_on(async { Instant::now() });
    stage.until("it goes on", || stage.store.row(gone).turn.is_none());
    let took = stage.runtime.block_on(async { died.elapsed() });
    assert!(took < Duration::from_secs(2), "others waited for {took:?}");
}

#[test]
fn what_was_spent_is_asked_for_again_if_nobody_answers() {
    let stage = Stage::new(vec![]);
    stage.pause_clock();
    stage.before("spent_lately", Before::NeverAnswers(1));
    stage.runtime.block_on(stage.engine.start());
    stage.until("the loop waits", || stage.has_happened("spent_lately"));
    // A turn with a limit waits behind the loop.
    let limit = Limit { cap: Cap::Server, account: Account::Server, cap_micros: 1, since: now() };
    let limits = [limit];
    let asked = async { tokio::time::timeout(PATIENCE, stage.engine.0.reached(&limits, None)).await };
    let reached = stage.runtime.block_on(asked).expect("an answer");
    assert!(matches!(reached, Ok(None)), "{reached:?}");
    assert_eq!(stage.readiness(), Ok(()));
}

#[test]
fn readers_of_many_conversations_are_repaired() {
    let stage = Stage::new(vec![vec![Line::Say("Hello.")]]);
    let started = stage.send("Talk");
    let mut reader = stage.read(started.conversation_id, Cursor::default());
    stage.hear(&mut reader);
    let _others: Vec<_> =
        (0..1_500).map(|_| stage.read(baton_core::ids::ConversationId::new(), Cursor::default())).collect();
    // Another node writes, and nobody tells.
    let elsewhere = Stage::beside(&stage, vec![vec![Line::Say("And again.")]]);
    let again = elsewhere.send_to(To::Conversation(started.conversation_id), "More");
    elsewhere.hear(&mut { again.reader });
    assert_eq!(stage.hear(&mut reader), "");
    stage.runtime.block_on(stage.engine.repair_readers());
    assert!(stage.hear(&mut reader).contains("And again."));
}

#[test]
fn the_first_lease_is_there_before_anything_begins() {
    let gone = Stage::at_pace(vec![vec![Line::Stall], vec![Line::Say("An answer.")]], brisk());
    let started = gone.send("Talk");
    let stage = gone.killed_before_lease(brisk());
    assert_eq!(stage.readiness(), Err(NotReady::NoLease));
    let refused = stage.try_send(To::Conversation(started.conversation_id), "Again").err();
    assert!(matches!(refused, Some(SendError::NotNow(NotNow::NoLease))), "{refused:?}");
    stage.runtime.block_on(stage.engine.claim());
    assert_eq!(stage.engine.running(), 0, "nothing is taken over either");
    let deciding = Deciding {
        approval_id: ApprovalId::new(),
        decision: Decision::Approved,
        by: "Eva".into(),
        reason: None,
        args: None,
        args_hash: None,
        remember: false,
    };
    let decided = stage.runtime.block_on(stage.engine.decide(deciding));
    assert!(matches!(decided, Err(Refused::Store(Error::Unavailable))), "nobody could go on with it");
    stage.before("renew_lease", Before::NeverAnswers(3));
    stage.runtime.block_on(stage.engine.start());
    assert!(stage.has_happened("renew_lease") && stage.store.is_alive(stage.engine.0.node()));
    assert_eq!(stage.engine.readiness(), Ok(()));
    stage.until("the turn goes on", || stage.store.row(started.conversation_id).turn.is_none());
}

#[test]
fn a_draining_node_begins_nothing_and_lets_what_runs_come_to_its_end() {
    let is_set = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let lines = vec![Line::Say("Half an "), Line::Until(is_set.clone()), Line::Say("answer.")];
    let stage = Stage::new(vec![lines]);
    let mut started = stage.send("Talk");
    stage.runtime.block_on(yields(100));
    stage.engine.drain();
    let refused = stage.try_send(To::Conversation(started.conversation_id), "More").err();
    assert!(matches!(refused, Some(SendError::NotNow(NotNow::Ending))), "{refused:?}");
    assert_eq!((stage.engine.readiness(), stage.engine.running()), (Err(NotReady::Ending), 1));
    let mut departure = stage.engine.departure(started.conversation_id);
    assert!(departure.is_driven());
    let due = |departure: &mut crate::cluster::drain::Departure| {
        stage.runtime.block_on(async {
            tokio::select! {
                biased;
                () = departure.due() => true,
                () = yields(100) => false,
            }
        })
    };
    assert!(!due(&mut departure), "its readers stay");
    is_set.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(stage.hear(&mut started.reader).contains("completed"));
    stage.runtime.block_on(stage.engine.idle());
    assert!(due(&mut departure), "nothing more comes here");
}

#[test]
fn a_reader_that_must_leave_is_first_sent_what_is_there() {
    let stage = Stage::new(vec![vec![Line::Say("An answer.")], vec![Line::Say("Half an"), Line::Stall]]);
    let started = stage.send("Talk");
    stage.hear(&mut { started.reader });
    let rest = |reader: &mut Reader| {
        let mut heard = String::new();
        while let Some(frames) = stage.runtime.block_on(reader.rest()).expect("read") {
            heard += std::str::from_utf8(&frames).expect("text");
        }
        heard
    };
    // It has read nothing yet.
    let mut reader = stage.read(started.conversation_id, Cursor::default());
    let heard = rest(&mut reader);
    assert!(heard.contains("An answer.") && heard.trim_end().ends_with(r#""turnCount":1}"#), "{heard}");
    assert_eq!(rest(&mut reader), "");
    // What is still to come is not waited for.
    stage.send_to(To::Conversation(started.conversation_id), "More");
    stage.runtime.block_on(yields(100));
    assert!(rest(&mut reader).contains("Half an"));
    assert_eq!(rest(&mut reader), "");
}

#[test]
fn a_node_that_ended_in_order_costs_its_turns_no_try_and_one_that_crashed_does() {
    let stalls = || vec![Line::Say("Half an"), Line::Stall];
    let stage = Stage::new((0..7).map(|_| stalls()).collect());
    let started = stage.send("Talk");
    let turn = |stage: &Stage| stage.store.row(started.conversation_id).turn.expect("a turn");
    let mut stage = stage;
    for round in 0..5 {
        stage.runtime.block_on(yields(100));
        assert_eq!((turn(&stage).tries, turn(&stage).attempt), (0, round + 1));
        stage.runtime.block_on(stage.engine.end());
        assert_eq!(stage.engine.running(), 0);
        stage = stage.killed();
    }
    stage.runtime.block_on(yields(100));
    stage = stage.killed();
    stage.runtime.block_on(yields(100));
    assert_eq!((turn(&stage).tries, turn(&stage).attempt), (1, 7));
}

#[test]
fn what_is_told_and_not_stored_reaches_those_who_read_and_moves_no_cursor() {
    let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Stall]]);
    let mut started = stage.send("Talk");
    stage.hear(&mut started.reader);
    let before = started.reader.cursor();
    stage.engine.live(started.conversation_id).tell_trouble("unavailable", "The database does not answer.");
    let heard = stage.hear(&mut started.reader);
    let expected = r#"event: error
data: {"type":"error","message":"The database does not answer.","code":"unavailable","recoverable":true}"#;
    assert_eq!(heard.trim_end(), expected);
    assert_eq!(started.reader.cursor(), before);
    let mut later = stage.read(started.conversation_id, Cursor::default());
    assert!(!stage.hear(&mut later).contains("database"), "it is stored nowhere");
}

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
fn a_takeover_is_a_try_after_a_stall_and_none_after_an_outage() {
    for (is_outage, tries) in [(false, 1), (true, 0)] {
        let stage = Stage::new(vec![vec![Line::Say("Half an"), Line::Stall], vec![Line::Stall]]);
        let started = stage.send("Talk");
        stage.runtime.block_on(yields(100));
        let inner = &stage.engine.0;
        if is_outage {
            inner.has_not_renewed(tokio::time::Instant::now());
        }
        stage.store.expire(inner.node());
        inner.renew_node();
        stage.store.revive(inner.node());
        stage.runtime.block_on(yields(100));
        stage.runtime.block_on(stage.engine.claim());
        let turn = stage.store.row(started.conversation_id).turn;
        assert_eq!(turn.map(|turn| turn.tries), Some(tries), "outage: {is_outage}");
    }
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

/// A node that keeps its lease by itself, and has begun to.
fn renewing() -> Stage {
    let stage = Stage::new(vec![]);
    stage.pause_clock();
    stage.runtime.block_on(stage.engine.start());
    let first = *stage.engine.0.renewed.borrow();
    stage.until("it renews by itself", || *stage.engine.0.renewed.borrow() > first);
    stage
}

impl Stage {
    fn set_wall_clock(&self, by: i64) {
        self.wall.store(by, std::sync::atomic::Ordering::Relaxed);
    }

    fn holds_lease(&self) -> bool {
        self.runtime.block_on(async { self.engine.0.holds_lease() })
    }
}

#[test]
fn a_machine_that_slept_sends_nothing_before_it_knows_that_nobody_took_over() {
    for (has_run_out, is_unheard) in [(false, false), (false, true), (true, false), (true, true)] {
        let stage = renewing();
        let (inner, node) = (&stage.engine.0, stage.engine.0.node());
        if has_run_out {
            stage.store.expire(node);
        }
        if is_unheard {
            lock(&stage.store.unheard).push("renew_lease");
        }
        stage.set_wall_clock(3_600);
        assert!(!stage.holds_lease(), "an hour is gone by the wall clock");
        let asked = async { tokio::time::timeout(PATIENCE, inner.may_still_act(node)).await };
        let may_act = stage.runtime.block_on(asked).expect("an answer");
        let is_sure = !has_run_out && !is_unheard;
        assert_eq!((may_act, inner.node() == node), (is_sure, is_sure), "{has_run_out} {is_unheard}");
        stage.until("the lease is good, under whatever name", || inner.renewed.borrow().is_some());
        stage.until("it claims and begins turns again", || inner.may_claim());
    }
}

#[test]
fn a_wall_clock_that_is_set_back_makes_no_lease_last_longer() {
    let stage = renewing();
    let (inner, node) = (&stage.engine.0, stage.engine.0.node());
    stage.set_wall_clock(-3_600);
    assert!(stage.holds_lease(), "nothing is lost by it either");
    stage.before("renew_lease", Before::NeverAnswers(u32::MAX));
    let held = inner.renewed.borrow().expect("a lease").at;
    stage.until("it leaves its name", || inner.node() != node);
    let held = stage.runtime.block_on(async { held.elapsed() });
    assert!(held < Duration::from_secs(5), "the database gave its turns away, and it held them for {held:?}");
    assert!(!stage.holds_lease());
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
