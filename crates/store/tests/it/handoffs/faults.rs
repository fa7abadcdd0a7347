//! The database fails at each row that a handoff writes, one after the other. Nothing is left behind, and the next try
//! succeeds.

use std::collections::BTreeSet;

use baton_core::approvals::{Decision, NewApproval};
use baton_core::conversations::Conversation;
use baton_core::fold::Spoken;
use baton_core::handoffs::{NewSnapshot, TransitionOutcome, Trigger};
use baton_core::ids::{ApprovalId, ConversationId, SnapshotId};
use baton_core::log::TurnStatus;
use baton_core::store::Turns;
use baton_core::tape::Tape;
use baton_core::turns::{After, Commit, Guard, Loaded, MessageWrite, Refused, ResolvedApproval, Switch};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::json;

use super::desk::{Desk, TABLES, assert_held_by, map};
use super::used;
use crate::cast::{Begun, Place, accepting, now};

/// What a handoff's commit writes of these.
const WRITES: &[&str] = &[
    "INSERT activations",
    "INSERT agent_messages",
    "INSERT approvals",
    "INSERT model_usage",
    "INSERT snapshots",
    "INSERT task_messages",
    "INSERT tasks",
    "INSERT transitions",
    "UPDATE activations",
    "UPDATE agent_conversations",
    "UPDATE agent_messages",
    "UPDATE approvals",
    "UPDATE tasks",
    "UPDATE transitions",
];

/// Burns down by one with every row that is written, and breaks what is written when nothing is left of it.
struct Fuse {
    raw: DatabaseConnection,
}

const NEVER: i32 = 1_000_000;

impl Fuse {
    async fn lay(desk: &Desk) -> Self {
        let raw = desk.cast.told.raw().await;
        let run = async |sql: String| {
            raw.execute_unprepared(&sql).await.unwrap();
        };
        run("CREATE TABLE fuse (left_over INTEGER NOT NULL)".into()).await;
        run(format!("INSERT INTO fuse VALUES ({NEVER})")).await;
        if desk.cast.told.is_postgres() {
            let body = "BEGIN UPDATE fuse SET left_over = left_over - 1; \
                        IF (SELECT left_over FROM fuse) < 0 THEN RAISE EXCEPTION 'broken at % %!', TG_OP, TG_TABLE_NAME; END IF; \
                        RETURN COALESCE(NEW, OLD); END";
            run(format!("CREATE FUNCTION burn() RETURNS trigger LANGUAGE plpgsql AS $${body}$$")).await;
        }
        for (table, write) in TABLES.iter().flat_map(|table| WAYS.map(|write| (table, write))) {
            let burns = if desk.cast.told.is_postgres() {
                "EXECUTE FUNCTION burn()".to_owned()
            } else {
                format!(
                    "BEGIN UPDATE fuse SET left_over = left_over - 1; \
                     SELECT RAISE(ABORT, 'broken at {write} {table}!') WHERE (SELECT left_over FROM fuse) < 0; END"
                )
            };
            let name = format!("burn_{write}_{table}");
            run(format!("CREATE TRIGGER {name} BEFORE {write} ON {table} FOR EACH ROW {burns}")).await;
        }
        Self { raw }
    }

    async fn set(&self, writes: i32) {
        self.raw.execute_unprepared(&format!("UPDATE fuse SET left_over = {writes}")).await.unwrap();
    }
}

const WAYS: [&str; 3] = ["INSERT", "UPDATE", "DELETE"];

/// Prepares the same again and again, and lets each write of it break in turn, until there are no more. Nothing is left
/// of what broke, and the same comes through afterwards. Which writes there were, by what and where.
pub async fn break_each_write<T: Clone>(
    desk: &Desk,
    prepare: impl AsyncFn() -> (ConversationId, T),
    write: impl AsyncFn(T) -> Result<(), Refused>,
) -> BTreeSet<String> {
    let fuse = Fuse::lay(desk).await;
    let mut broke = BTreeSet::new();
    for writes in 0.. {
        let (id, prepared) = prepare().await;
        let before = desk.everything().await;
        fuse.set(writes).await;
        let written = write(prepared.clone()).await;
        fuse.set(NEVER).await;
        let Err(refused) = written else {
            println!("{writes} rows written, of {} kinds", broke.len());
            break;
        };
        let Refused::Store(error) = &refused else { panic!("write {writes}: {refused:?}") };
        let told = format!("{error:?}");
        let place = told.split("broken at ").nth(1).and_then(|rest| rest.split('!').next());
        broke.insert(place.unwrap_or_else(|| panic!("{told}")).to_owned());
        assert_eq!(desk.everything().await, before, "write {writes}: {told}");
        write(prepared).await.unwrap();
        assert_held_by(&desk.load(id).await.activations, desk.other);
    }
    fuse.raw.close().await.unwrap();
    broke
}

fn asked(desk: &Desk, begun: &Begun) -> NewApproval {
    NewApproval {
        id: ApprovalId::new(),
        agent_id: desk.cast.agent,
        message_id: begun.message,
        call_id: "c1".into(),
        tool_name: "pay".into(),
        args: Default::default(),
        expires_at: now() + chrono::Duration::hours(1),
        preview: None,
    }
}

fn cancelled(id: ApprovalId) -> ResolvedApproval {
    ResolvedApproval { id, decision: Decision::Cancelled, by: "Ana".into(), reason: None }
}

/// A handoff that writes all there is to write.
async fn all_of_it(desk: &Desk) -> (Begun, Commit) {
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let earlier = desk.transition(desk.other, TransitionOutcome::Completed);
    let pending = asked(desk, &begun);
    let mut first = cast.commit(&begun, loaded.conversation.last_seq, vec![], super::RUNNING);
    first.transitions = vec![earlier.clone()];
    first.approvals = vec![pending.clone()];
    store.commit(&first).await.unwrap();

    let mut commit = desk.handoff(&begun, &desk.load(begun.id).await, desk.other);
    let message = commit.next_call.as_ref().and_then(|step| step.message_id).unwrap();
    commit.messages = vec![
        MessageWrite::Update { spoken: Spoken::new(begun.message, cast.agent), metadata: json!({"m": 1}) },
        MessageWrite::Begin { spoken: Spoken::new(message, desk.other), step: 3 },
    ];
    commit.notes = Some((cast.agent, map(json!({"kept": 1}))));
    commit.snapshot = Some(NewSnapshot {
        id: SnapshotId::new(),
        agent_id: cast.agent,
        task_id: begun.task,
        stage: "first".into(),
        data: json!({}),
    });
    commit.rolled_back = Some(earlier.id);
    commit.approvals = vec![asked(desk, &begun)];
    commit.resolved = vec![cancelled(pending.id)];
    commit.usage = vec![used(1, begun.task, cast.agent, Some(1))];
    (begun, commit)
}

#[tokio::test]
async fn a_handoff_happens_wholly_or_not_at_all() {
    let desk = Desk::open().await;
    let prepare = async || {
        let (begun, commit) = all_of_it(&desk).await;
        (begun.id, commit)
    };
    let write = async |commit: Commit| desk.cast.told.store.commit(&commit).await.map(drop);
    let broke = break_each_write(&desk, prepare, write).await;
    assert_eq!(Vec::from_iter(&broke), WRITES);
    desk.close().await;
}

#[tokio::test]
async fn an_end_that_gives_it_back_happens_wholly_or_not_at_all() {
    let desk = Desk::open().await;
    let prepare = async || {
        let (begun, mut commit) = all_of_it(&desk).await;
        let tape = Tape::default();
        desk.cast.told.store.checkpoint(begun.checkpoint(commit.last_seq, tape)).await.unwrap();
        commit.next_call = None;
        commit.messages.pop();
        let (fence, after) = (begun.fence(), After::Ended(TurnStatus::Failed));
        commit.guard = Guard::Turn { fence, working: begun.task, after };
        commit.handoff.as_mut().unwrap().task = None;
        (begun.id, commit)
    };
    let write = async |commit: Commit| desk.cast.told.store.commit(&commit).await.map(drop);
    let broke = break_each_write(&desk, prepare, write).await;
    let not_here = ["INSERT agent_messages", "INSERT tasks"];
    let expected = WRITES.iter().copied().filter(|write| !not_here.contains(write));
    let expected: BTreeSet<String> = expected.chain(["DELETE tapes"]).map(str::to_owned).collect();
    assert_eq!(broke, expected);
    desk.close().await;
}

/// A conversation whose turn waits for a person, and the question.
async fn waiting(desk: &Desk) -> (Loaded, ApprovalId) {
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let pending = asked(desk, &begun);
    let mut ask = cast.commit(&begun, loaded.conversation.last_seq, vec![], After::Waiting);
    ask.approvals = vec![pending.clone()];
    store.commit(&ask).await.unwrap();
    (desk.load(begun.id).await, pending.id)
}

#[tokio::test]
async fn a_switch_happens_wholly_or_not_at_all() {
    let desk = Desk::open().await;
    let prepare = async || {
        let (loaded, pending) = waiting(&desk).await;
        let mut switch = desk.switch(&loaded, desk.other);
        switch.guard = Guard::Switch(Switch { ends: loaded.turn.map(|turn| turn.task_id), pin: None });
        switch.resolved = vec![cancelled(pending)];
        let greeting = Spoken::new(baton_core::ids::MessageId::new(), desk.other);
        switch.messages = vec![MessageWrite::Begin { spoken: greeting, step: 0 }];
        (loaded.conversation.id, switch)
    };
    let write = async |switch: Commit| desk.cast.told.store.commit(&switch).await.map(drop);
    let broke = break_each_write(&desk, prepare, write).await;
    let expected = [
        "INSERT activations",
        "INSERT agent_messages",
        "INSERT task_messages",
        "INSERT transitions",
        "UPDATE activations",
        "UPDATE agent_conversations",
        "UPDATE approvals",
        "UPDATE tasks",
    ];
    assert_eq!(Vec::from_iter(&broke), expected);
    desk.close().await;
}

/// A message whose holder is gone gives the conversation to another, and ends a turn that waits.
#[tokio::test]
async fn a_fallback_happens_wholly_or_not_at_all() {
    let desk = Desk::open().await;
    let prepare = async || {
        let (loaded, pending) = waiting(&desk).await;
        let Conversation { id, last_seq, .. } = loaded.conversation;
        let place = Place::Existing { id, last_seq, ends: loaded.turn };
        let (mut accept, _) = desk.cast.accept(place, "Hello?");
        let mut handoff = desk.new_handoff(&loaded, desk.other);
        handoff.begins.trigger = Trigger::Fallback;
        handoff.begins.step = 0;
        accept.handoff = Some(handoff);
        accepting(&mut accept).agent_id = desk.other;
        accept.resolved = vec![cancelled(pending)];
        (id, accept)
    };
    let write = async |accept: Commit| desk.cast.told.store.commit(&accept).await.map(drop);
    let broke = break_each_write(&desk, prepare, write).await;
    let expected = [
        "INSERT activations",
        "INSERT agent_messages",
        "INSERT task_messages",
        "INSERT tasks",
        "UPDATE activations",
        "UPDATE agent_conversations",
        "UPDATE approvals",
        "UPDATE tasks",
    ];
    assert_eq!(Vec::from_iter(&broke), expected);
    desk.close().await;
}
