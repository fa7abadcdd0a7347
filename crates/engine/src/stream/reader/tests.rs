//! One reader, step by step: what it is sent from each cursor, which live pieces it accepts, and when it ends.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use baton_core::conversations::MessageRole;
use baton_core::handoffs::Trigger;
use baton_core::ids::{ActivationId, AgentId, ConversationId, MessageId, NodeId};
use baton_core::log::{MessageStatus, Said, Spent, Start, Switched, TurnStatus};
use baton_core::store::StepsPage;
use baton_core::tape::{Block, Voice};
use baton_core::turns::TurnRow;
use chrono::DateTime;
use tokio::runtime::{Builder, Runtime};

use super::*;
use crate::lock::lock;
use crate::stream::hub::{Hub, LivePiece, Recording};

const BATCH: u64 = 200;

/// A log in memory that counts how often it is read.
#[derive(Default)]
struct Kept {
    steps: Mutex<Vec<LoggedStep>>,
    turn: Mutex<Option<TurnRow>>,
    reads: AtomicUsize,
}

#[async_trait]
impl Steps for Kept {
    async fn steps_after(&self, _: ConversationId, seq: i64, limit: u64) -> Result<Vec<LoggedStep>, Error> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let steps = lock(&self.steps);
        Ok(steps.iter().filter(|step| step.seq > seq).take(limit as usize).cloned().collect())
    }

    async fn steps_page(&self, id: ConversationId, seq: i64) -> Result<StepsPage, Error> {
        let steps = self.steps_after(id, seq, BATCH).await?;
        Ok(StepsPage { is_last: (steps.len() as u64) < BATCH, steps })
    }

    async fn open_call(&self, _: ConversationId, seq: i64) -> Result<Option<LoggedStep>, Error> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let mut open = None;
        for step in lock(&self.steps).iter().filter(|step| step.seq <= seq) {
            match step.step {
                Step::Call { .. } => open = Some(step.clone()),
                Step::Said(_) => open = None,
                _ => {}
            }
        }
        Ok(open)
    }

    async fn step(&self, _: ConversationId, seq: i64) -> Result<Option<LoggedStep>, Error> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        Ok(lock(&self.steps).iter().find(|step| step.seq == seq).cloned())
    }

    async fn turn(&self, _: ConversationId) -> Result<Option<TurnRow>, Error> {
        Ok(*lock(&self.turn))
    }

    async fn last_seqs(&self, _: Vec<ConversationId>) -> Result<Vec<(ConversationId, i64)>, Error> {
        Ok(vec![])
    }
}

/// A conversation whose steps belong to one turn and one message.
struct Scene {
    runtime: Runtime,
    live: Arc<Live>,
    kept: Arc<Kept>,
    task: TaskId,
    speaker: Speaker,
}

impl Scene {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        let live = Hub::default().join(ConversationId::new());
        let speaker = Speaker { call_seq: 1, message_id: MessageId::new(), agent_id: AgentId::new() };
        Self { runtime, live, kept: Arc::default(), task: TaskId::new(), speaker }
    }

    fn step_of(&self, seq: i64, message_id: MessageId, step: Step) -> LoggedStep {
        let (task_id, agent_id, message_id) = (Some(self.task), self.speaker.agent_id, Some(message_id));
        LoggedStep { seq, task_id, agent_id, message_id, step, at: DateTime::UNIX_EPOCH }
    }

    /// The next step is stored. Nobody is told.
    fn store(&self, step: Step) -> LoggedStep {
        let message = match step {
            Step::Switched(_) => MessageId::new(),
            _ => self.speaker.message_id,
        };
        let seq = lock(&self.kept.steps).len() as i64 + 1;
        let logged = self.step_of(seq, message, step);
        lock(&self.kept.steps).push(logged.clone());
        logged
    }

    /// The next step is stored, and told.
    fn publish(&self, step: Step) -> LoggedStep {
        let logged = self.store(step);
        self.live.publish_steps(vec![logged.clone()]);
        logged
    }

    fn reader(&self, cursor: &str, until: Until) -> Reader {
        Reader::new(self.live.clone(), self.kept.clone(), cursor.parse().expect("a cursor"), until)
    }

    fn ends_with_turn(&self) -> Until {
        Until::TurnEnds(self.task)
    }

    fn records(&self) -> Recording<'_> {
        self.live.record(self.speaker)
    }

    /// A piece as it came over the line, from some earlier or later moment.
    fn piece(&self, call_seq: i64, at_seq: i64, from: u64, to: u64) {
        let frames = Bytes::from(format!("piece {at_seq} {from}-{to}\n\n"));
        self.live.signal(Signal::Piece(Arc::new(LivePiece { call_seq, at_seq, from, to, frames })));
    }

    /// What comes now: a line per event, with its id and words; `.` where the stream ends.
    fn hear(&self, reader: &mut Reader) -> Vec<String> {
        self.runtime.block_on(async {
            let mut heard = Vec::new();
            loop {
                let next = tokio::select! {
                    biased;
                    next = reader.next() => next.expect("an answer"),
                    () = yields(50) => return heard,
                };
                let Some(bytes) = next else {
                    heard.push(".".to_owned());
                    return heard;
                };
                assert!(!bytes.is_empty(), "nothing is no event");
                let text = String::from_utf8(bytes.to_vec()).expect("text");
                heard.extend(text.split_terminator("\n\n").map(brief));
            }
        })
    }
}

/// Whatever else is to be done comes first.
async fn yields(count: usize) {
    for _ in 0..count {
        tokio::task::yield_now().await;
    }
}

/// `id name "content"` of an event.
fn brief(block: &str) -> String {
    let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
    let Some(event) = line("event: ") else { return block.to_owned() };
    let data: serde_json::Value = serde_json::from_str(line("data: ").expect("data")).expect("JSON");
    let words = data["content"].as_str().map_or_else(String::new, |content| format!(" {content:?}"));
    format!("{} {event}{words}", line("id: ").unwrap_or("-"))
}

fn call() -> Step {
    let start = Start { agent_name: "Ana".into(), avatar_url: None, parts: vec![] };
    Step::Call { attempt: 1, start: Some(start), lost: None }
}

fn said(text: &str) -> Step {
    Step::Said(Said {
        blocks: vec![Block { voice: Voice::Text, text: text.into() }],
        thinking: vec![],
        model: "any/model".into(),
        prompt_hash: String::new(),
        spent: Spent::NOTHING,
        stop: None,
        unsent: false,
        ends: Some(MessageStatus::Complete),
    })
}

fn done() -> Step {
    Step::Done { status: TurnStatus::Completed, spent: Spent::NOTHING, calls: 1 }
}

fn switched() -> Step {
    let (from, to, to_name) = (AgentId::new(), AgentId::new(), "Bo".into());
    let (by, epoch, activation_id) = (Trigger::User, 2, ActivationId::new());
    Step::Switched(Switched { from, to, to_name, by, epoch, activation_id, pinned: false })
}

fn error(number: usize) -> Step {
    Step::Error { code: number.to_string(), message: String::new(), recoverable: true }
}

#[test]
fn a_stored_turn_is_told_from_any_cursor() {
    let scene = Scene::new();
    for step in [call(), said("Hello"), done()] {
        scene.store(step);
    }
    let table: [(&str, &[&str]); 6] = [
        (
            "0.0",
            &[
                "1.0 message_start",
                "1.5 text \"Hello\"",
                "1.6 text \"\"",
                "2.0 message_complete",
                "3.0 done",
                ".",
            ],
        ),
        ("1.0", &["1.5 text \"Hello\"", "1.6 text \"\"", "2.0 message_complete", "3.0 done", "."]),
        ("1.3", &["1.5 text \"lo\"", "1.6 text \"\"", "2.0 message_complete", "3.0 done", "."]),
        ("1.6", &["2.0 message_complete", "3.0 done", "."]),
        ("2.0", &["3.0 done", "."]),
        ("3.0", &[]),
    ];
    for (cursor, wanted) in table {
        let mut reader = scene.reader(cursor, scene.ends_with_turn());
        assert_eq!(scene.hear(&mut reader), wanted, "from {cursor}");
        assert_eq!(reader.cursor(), Cursor::at(3), "from {cursor}");
    }
}

#[test]
fn coming_back_costs_a_look_at_the_cursor_and_one_at_what_follows() {
    let scene = Scene::new();
    for step in [call(), said("Hello"), done()] {
        scene.store(step);
    }
    scene.hear(&mut scene.reader("2.0", Until::Closed));
    assert_eq!(scene.kept.reads.load(Ordering::Relaxed), 2);
}

#[test]
fn a_cursor_that_names_nothing_is_told_to_begin_anew() {
    let scene = Scene::new();
    for step in [call(), said("Hello"), done()] {
        scene.store(step);
    }
    for (cursor, what) in [
        ("4.0", "no step"),
        ("2.1", "no call is open"),
        ("0.1", "none is open yet"),
        ("1.7", "beyond what was said"),
    ] {
        let heard = scene.hear(&mut scene.reader(cursor, Until::Closed));
        assert_eq!(heard, ["- reset", "."], "{what}");
    }
}

#[test]
fn a_stream_ends_with_its_own_turn_or_stays_open() {
    let scene = Scene::new();
    scene.store(done());
    assert_eq!(scene.hear(&mut scene.reader("0.0", Until::TurnEnds(TaskId::new()))), ["1.0 done"]);
    assert_eq!(scene.hear(&mut scene.reader("0.0", Until::Closed)), ["1.0 done"]);
    let mut open = scene.reader("1.0", Until::Closed);
    assert_eq!(scene.hear(&mut open), [""; 0]);
    scene.live.signal(Signal::Close);
    assert_eq!(scene.hear(&mut open), ["."]);
}

#[test]
fn a_long_log_is_read_to_its_end_and_then_followed() {
    for count in [BATCH as usize, BATCH as usize + 1, 2 * BATCH as usize + 50] {
        let scene = Scene::new();
        for number in 1..=count {
            scene.store(error(number));
        }
        let mut reader = scene.reader("0.0", Until::Closed);
        assert_eq!(scene.hear(&mut reader).len(), count);
        scene.publish(done());
        assert_eq!(scene.hear(&mut reader), [format!("{}.0 done", count + 1)]);
    }
}

#[test]
fn a_stream_of_a_turn_that_waits_ends_once_all_is_told() {
    let scene = Scene::new();
    for number in 1..=BATCH as usize + 1 {
        scene.store(error(number));
    }
    let waits = TurnRow { task_id: scene.task, owner: None, attempt: 1, tries: 0, stop_requested: false };
    let runs = TurnRow { owner: Some(NodeId::new()), ..waits };
    let ends = |row: TurnRow, until: Until| {
        *lock(&scene.kept.turn) = Some(row);
        let mut heard = scene.hear(&mut scene.reader("0.0", until));
        let ended = heard.pop_if(|last| last == ".").is_some();
        assert_eq!(heard.len(), BATCH as usize + 1, "all of it first");
        ended
    };
    assert!(ends(waits, scene.ends_with_turn()));
    assert!(!ends(runs, scene.ends_with_turn()));
    assert!(!ends(waits, Until::TurnEnds(TaskId::new())), "another turn");
    assert!(!ends(waits, Until::Closed));
    // Told of it while it follows, it looks: it may have gone on.
    *lock(&scene.kept.turn) = Some(runs);
    let mut reader = scene.reader("200.0", scene.ends_with_turn());
    assert_eq!(scene.hear(&mut reader).len(), 1);
    let reads = scene.kept.reads.load(Ordering::Relaxed);
    scene.live.signal(Signal::Waiting(TaskId::new()));
    assert_eq!(scene.hear(&mut reader), [""; 0]);
    assert_eq!(scene.kept.reads.load(Ordering::Relaxed), reads, "that was another's");
    scene.live.signal(Signal::Waiting(scene.task));
    assert_eq!(scene.hear(&mut reader), [""; 0], "it has gone on");
    *lock(&scene.kept.turn) = Some(waits);
    scene.live.signal(Signal::Waiting(scene.task));
    assert_eq!(scene.hear(&mut reader), ["."]);
}

#[test]
fn steps_are_told_once_and_in_order_however_they_come() {
    let scene = Scene::new();
    scene.store(error(1));
    let mut reader = scene.reader("1.0", Until::Closed);
    assert_eq!(scene.hear(&mut reader), [""; 0]);
    let reads = || scene.kept.reads.load(Ordering::Relaxed);
    let before = reads();
    let second = scene.publish(error(2));
    assert_eq!(scene.hear(&mut reader), ["2.0 error"]);
    scene.live.publish_steps(vec![second]);
    assert_eq!(scene.hear(&mut reader), [""; 0], "doubled");
    let steps = [scene.store(error(3)), scene.store(error(4))];
    scene.live.publish_steps(steps.to_vec());
    assert_eq!(scene.hear(&mut reader), ["3.0 error", "4.0 error"]);
    assert_eq!(reads(), before, "whoever keeps up reads nothing");
    let (_, _, seventh) = (scene.store(error(5)), scene.store(error(6)), scene.store(error(7)));
    scene.live.publish_steps(vec![seventh, scene.store(error(8))]);
    assert_eq!(scene.hear(&mut reader), ["5.0 error", "6.0 error", "7.0 error", "8.0 error"], "after a gap");
    scene.store(error(9));
    scene.live.signal(Signal::ReadOn);
    assert_eq!(scene.hear(&mut reader), ["9.0 error"]);
}

#[test]
fn who_begins_with_a_step_follows_without_a_look() {
    let scene = Scene::new();
    scene.store(error(1));
    let mut reader = Reader::at_step(scene.live.clone(), scene.kept.clone(), 1, scene.ends_with_turn());
    assert_eq!(scene.hear(&mut reader), [""; 0]);
    scene.publish(done());
    assert_eq!(scene.hear(&mut reader), ["2.0 done", "."]);
    assert_eq!(scene.kept.reads.load(Ordering::Relaxed), 0);
}

#[test]
fn live_words_come_at_once_and_cost_no_read() {
    let scene = Scene::new();
    let mut reader = scene.reader("0.0", Until::Closed);
    scene.hear(&mut reader);
    scene.publish(call());
    assert_eq!(scene.hear(&mut reader), ["1.0 message_start"]);
    let before = scene.kept.reads.load(Ordering::Relaxed);
    let recording = scene.records();
    for (words, wanted) in [("Hel", "1.3 text \"Hel\""), ("lo", "1.5 text \"lo\"")] {
        recording.say(Voice::Text, words);
        recording.publish();
        assert_eq!(scene.hear(&mut reader), [wanted]);
    }
    // Late and doubled pieces, and those of other calls, tell nothing new.
    scene.piece(1, 1, 0, 3);
    scene.piece(1, 1, 3, 5);
    scene.piece(7, 1, 5, 9);
    assert_eq!(scene.hear(&mut reader), [""; 0]);
    assert_eq!(scene.kept.reads.load(Ordering::Relaxed), before);
    recording.close();
    scene.publish(said("Hello"));
    assert_eq!(scene.hear(&mut reader), ["1.6 text \"\"", "2.0 message_complete"]);
}

#[test]
fn a_piece_that_was_missed_or_begins_too_early_is_heard_from_the_tape() {
    let scene = Scene::new();
    scene.store(call());
    let recording = scene.records();
    recording.say(Voice::Text, "Hel");
    // Who comes in the middle hears what was said so far.
    let mut reader = scene.reader("1.1", Until::Closed);
    assert_eq!(scene.hear(&mut reader), ["1.3 text \"el\""]);
    recording.say(Voice::Text, "lo, you");
    scene.piece(1, 1, 5, 10);
    assert_eq!(scene.hear(&mut reader), ["1.10 text \"lo, you\""], "one was lost before it");
    recording.say(Voice::Text, " all");
    scene.piece(1, 1, 0, 14);
    assert_eq!(scene.hear(&mut reader), ["1.14 text \" all\""], "it holds what was heard already");
    // From a node that has stored more than this reader has seen: it reads first.
    scene.store(switched());
    recording.say(Voice::Text, "!");
    scene.piece(1, 2, 14, 15);
    assert_eq!(scene.hear(&mut reader), ["2.14 switched", "2.15 text \"!\""]);
    // One that was said before that step came late: its words stand under the newer number.
    recording.say(Voice::Text, "?");
    scene.piece(1, 1, 15, 16);
    assert_eq!(scene.hear(&mut reader), ["2.16 text \"?\""]);
}

#[test]
fn a_switch_while_a_call_is_open_leaves_the_call_open() {
    let scene = Scene::new();
    scene.store(call());
    scene.store(switched());
    let recording = scene.records();
    recording.say(Voice::Text, "Hello");
    for (cursor, wanted) in [
        ("0.0", &["1.0 message_start", "2.0 switched", "2.5 text \"Hello\""][..]),
        ("1.2", &["2.2 switched", "2.5 text \"llo\""]),
        ("2.0", &["2.5 text \"Hello\""]),
        ("2.2", &["2.5 text \"llo\""]),
    ] {
        let mut reader = scene.reader(cursor, Until::Closed);
        assert_eq!(scene.hear(&mut reader), wanted, "from {cursor}");
        assert_eq!(reader.cursor(), Cursor { seq: 2, off: 5 });
    }
    recording.close();
    scene.store(said("Hello"));
    let heard = scene.hear(&mut scene.reader("2.2", Until::Closed));
    assert_eq!(heard, ["2.5 text \"llo\"", "2.6 text \"\"", "3.0 message_complete"]);
}

#[test]
fn a_reader_that_meets_an_import_begins_anew() {
    let scene = Scene::new();
    scene.store(error(1));
    scene.store(Step::Imported { role: MessageRole::User, content: "Hi".into() });
    scene.store(error(3));
    assert_eq!(scene.hear(&mut scene.reader("0.0", Until::Closed)), ["1.0 error", "- reset", "."]);
}

#[test]
fn what_is_told_beside_the_log_moves_no_cursor_and_who_lags_is_sent_away() {
    let scene = Scene::new();
    scene.store(error(1));
    let mut reader = scene.reader("1.0", Until::Closed);
    scene.hear(&mut reader);
    scene.live.tell_trouble("storage_full", "No room.");
    assert_eq!((scene.hear(&mut reader), reader.cursor()), (vec!["- error".to_owned()], Cursor::at(1)));
    for _ in 0..100 {
        scene.live.signal(Signal::ReadOn);
    }
    assert_eq!(scene.hear(&mut reader), ["- lagged", "."]);
}
