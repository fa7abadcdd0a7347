//! The database fails at each write of a handover in turn. Nothing is left behind, and the next try comes through.

use baton_core::approvals::{Decision, NewApproval};
use baton_core::fold::Spoken;
use baton_core::handoffs::{NewSnapshot, Outcome};
use baton_core::ids::{ApprovalId, SnapshotId};
use baton_core::store::Turns;
use baton_core::tools::Change;
use baton_core::turns::{Commit, MessageWrite, Refused, ResolvedApproval, Switch};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::json;

use super::desk::{Desk, assert_held_by, map};
use super::used;
use crate::cast::{Begun, now};

/// Every kind of write that a handover's commit makes, by table.
const WRITES: &[(&str, &str)] = &[
    ("UPDATE", "agent_conversations"),
    ("INSERT", "task_messages"),
    ("INSERT", "agent_messages"),
    ("UPDATE", "agent_messages"),
    ("UPDATE", "activations"),
    ("INSERT", "activations"),
    ("UPDATE", "tasks"),
    ("INSERT", "tasks"),
    ("INSERT", "transitions"),
    ("UPDATE", "transitions"),
    ("INSERT", "snapshots"),
    ("UPDATE", "approvals"),
    ("INSERT", "approvals"),
    ("INSERT", "model_usage"),
    ("INSERT", "agent_memories"),
];

/// What a person's switch writes of these.
const WRITES_OF_SWITCH: &[(&str, &str)] = &[
    ("UPDATE", "agent_conversations"),
    ("INSERT", "task_messages"),
    ("INSERT", "agent_messages"),
    ("UPDATE", "activations"),
    ("INSERT", "activations"),
    ("INSERT", "transitions"),
    ("UPDATE", "approvals"),
    ("UPDATE", "tasks"),
];

pub struct Fault {
    raw: DatabaseConnection,
    table: &'static str,
}

impl Fault {
    pub async fn plant(desk: &Desk, write: &str, table: &'static str) -> Self {
        let raw = desk.cast.told.raw().await;
        let sql = if desk.cast.told.is_postgres() {
            format!(
                "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION 'broken'; END $$; \
                 CREATE TRIGGER fault BEFORE {write} ON {table} FOR EACH ROW EXECUTE FUNCTION fail()"
            )
        } else {
            format!("CREATE TRIGGER fault BEFORE {write} ON {table} BEGIN SELECT RAISE(ABORT, 'broken'); END")
        };
        raw.execute_unprepared(&sql).await.unwrap();
        Self { raw, table }
    }

    pub async fn mend(self, desk: &Desk) {
        let on = if desk.cast.told.is_postgres() { format!(" ON {}", self.table) } else { String::new() };
        self.raw.execute_unprepared(&format!("DROP TRIGGER fault{on}")).await.unwrap();
        self.raw.close().await.unwrap();
    }
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
    }
}

fn cancelled(id: ApprovalId) -> ResolvedApproval {
    ResolvedApproval { id, decision: Decision::Cancelled, by: "Ana".into(), reason: None }
}

/// A handover that writes all there is to write.
async fn all_of_it(desk: &Desk) -> (Begun, Commit) {
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let earlier = desk.transition(desk.other, Outcome::Completed);
    let pending = asked(desk, &begun);
    let mut first = cast.commit(&begun, loaded.conversation.last_seq, vec![], super::RUNNING);
    first.transitions = vec![earlier.clone()];
    first.approvals = vec![pending.clone()];
    store.commit(first).await.unwrap();

    let mut commit = desk.handoff(&begun, &desk.load(begun.id).await, desk.other);
    let message = commit.next_call.as_ref().and_then(|step| step.message_id).unwrap();
    commit.messages = vec![
        MessageWrite::Update { spoken: Spoken::new(begun.message, cast.agent), metadata: json!({"m": 1}) },
        MessageWrite::Begin { spoken: Spoken::new(message, desk.other), step: 3 },
    ];
    commit.changes = vec![
        (cast.agent, Change::PutContext { data: map(json!({"kept": 1})) }),
        (cast.agent, Change::PutMemory { path: begun.id.to_string(), content: "note".into() }),
    ];
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
    commit.usage = vec![used(begun.task, cast.agent, Some(1))];
    (begun, commit)
}

#[tokio::test]
async fn a_handoff_happens_wholly_or_not_at_all() {
    let desk = Desk::open().await;
    let store = &desk.cast.told.store;
    for (write, table) in WRITES.iter().copied() {
        let (begun, commit) = all_of_it(&desk).await;
        let before = desk.everything().await;
        let fault = Fault::plant(&desk, write, table).await;
        let failed = store.commit(commit.clone()).await;
        assert!(matches!(failed, Err(Refused::Store(_))), "{write} {table}: {failed:?}");
        assert_eq!(desk.everything().await, before, "{write} {table}");
        fault.mend(&desk).await;
        store.commit(commit).await.unwrap();
        assert_held_by(&desk.load(begun.id).await.activations, desk.other);
    }
    desk.close().await;
}

/// A switch that ends a turn which waits.
async fn ending(desk: &Desk) -> Switch {
    let (cast, store) = (&desk.cast, &desk.cast.told.store);
    let (begun, loaded) = desk.running().await;
    let pending = asked(desk, &begun);
    let mut ask =
        cast.commit(&begun, loaded.conversation.last_seq, vec![], baton_core::turns::After::Waiting);
    ask.approvals = vec![pending.clone()];
    store.commit(ask).await.unwrap();
    let loaded = desk.load(begun.id).await;
    let mut switch = desk.switch(&loaded, desk.other);
    switch.ends = loaded.turn;
    switch.resolved = vec![cancelled(pending.id)];
    let greeting = Spoken::new(baton_core::ids::MessageId::new(), desk.other);
    switch.messages = vec![MessageWrite::Begin { spoken: greeting, step: 0 }];
    switch
}

#[tokio::test]
async fn a_switch_happens_wholly_or_not_at_all() {
    let desk = Desk::open().await;
    let store = &desk.cast.told.store;
    for (write, table) in WRITES_OF_SWITCH.iter().copied() {
        let switch = ending(&desk).await;
        let before = desk.everything().await;
        let fault = Fault::plant(&desk, write, table).await;
        let failed = store.switch(switch.clone()).await;
        assert!(matches!(failed, Err(Refused::Store(_))), "{write} {table}: {failed:?}");
        assert_eq!(desk.everything().await, before, "{write} {table}");
        fault.mend(&desk).await;
        let id = switch.conversation_id;
        store.switch(switch).await.unwrap();
        assert_held_by(&desk.load(id).await.activations, desk.other);
    }
    desk.close().await;
}
