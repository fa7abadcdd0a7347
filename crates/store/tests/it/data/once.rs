//! Writes of requests are done once by their key, those of a turn by their call; a deadlock is tried again.

use baton_core::data::kinds::{ACCOUNTS, TRANSACTIONS};
use baton_core::data::rows::{Author, ByAgent, Change, Once, RowChange, RowQuery};
use baton_core::effects::EffectRefused;
use baton_core::store::{ChangesOf, Effects, Error, Rows, Turns};
use baton_core::turns::After;
use chrono::Duration;
use futures::future::join_all;
use sea_orm::{ConnectionTrait, Statement, TransactionTrait, Value};
use serde_json::json;
use tokio::time::sleep;
use uuid::Uuid;

use super::{Desk, call, fields};
use crate::cast::{Begun, called, now, said};
use crate::outages::{behind_a_proxy, soon};
use crate::proxy::{How, When};

fn account(name: &str) -> Vec<RowChange> {
    let change =
        Change::Create { id: Uuid::now_v7(), fields: fields(json!({"name": name, "currency": "EUR"})) };
    vec![RowChange { kind: &ACCOUNTS, change }]
}

#[tokio::test]
async fn a_request_with_a_key_is_done_once_for_a_day() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let keyed = |key: &str, hash: &str| Once::Request {
        profile_id: desk.cast.ana,
        key: key.to_owned(),
        request_hash: hash.to_owned(),
    };
    let make = async |once: Once| store.change_rows(&once, desk.scope, desk.author, account("Giro")).await;
    let number = async || desk.page(&ACCOUNTS, RowQuery { limit: 50, ..Default::default() }).await.total;
    // Also when they come at the same moment.
    let told = join_all((0..6).map(|_| make(keyed("k", "h")))).await;
    let told: Vec<_> = told.into_iter().map(Result::unwrap).collect();
    assert!(told.iter().all(|outcome| *outcome == told[0]), "{told:?}");
    assert_eq!(number().await, 1);
    let other = make(keyed("k", "another body")).await;
    assert!(matches!(other, Err(EffectRefused::OtherArguments)), "{other:?}");
    // Who only asks is told the same, and nothing about another body or a key that nobody used.
    assert_eq!(store.done_before(&keyed("k", "h")).await.unwrap(), Some(told[0].clone()));
    for once in [keyed("k", "another body"), keyed("another", "h"), Once::Unkeyed] {
        assert_eq!(store.done_before(&once).await.unwrap(), None, "{once:?}");
    }
    make(keyed("another", "h")).await.unwrap();
    make(Once::Unkeyed).await.unwrap();
    make(Once::Unkeyed).await.unwrap();
    assert_eq!(number().await, 4);
    // What was refused leaves its key free.
    let none = vec![RowChange { kind: &ACCOUNTS, change: Change::Delete { id: Uuid::now_v7(), seen: None } }];
    assert!(store.change_rows(&keyed("free", "h"), desk.scope, desk.author, none).await.is_err());
    make(keyed("free", "other")).await.unwrap();
    // Another person's key is another.
    let (bob, _) = desk.cast.told.person("bob@example.org").await;
    let bobs = Once::Request { profile_id: bob.id, key: "k".into(), request_hash: "h".into() };
    make(bobs).await.unwrap();
    assert_eq!(number().await, 6);
    store.purge(now() + Duration::hours(23)).await.unwrap();
    make(keyed("k", "h")).await.unwrap();
    assert_eq!(number().await, 6);
    store.purge(now() + Duration::hours(25)).await.unwrap();
    make(keyed("k", "h")).await.unwrap();
    assert_eq!(number().await, 7);
    desk.end().await;
}

#[tokio::test]
async fn a_call_of_a_turn_is_done_once_and_its_outcome_reads_as_models_read() {
    let desk = Desk::set_up().await;
    let store = &desk.cast.told.store;
    let giro = desk.account("Giro").await;
    let (accept, begun) = desk.cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    // The call is the fourth step, and its person approved it; another call of the same reply, nobody was asked about.
    let steps = vec![said("", None), called("c1"), called("c2")];
    store.commit(&desk.cast.commit(&begun, 2, steps, After::Running { progressed: true })).await.unwrap();
    desk.approved(&begun, "c1").await;
    let agent = ByAgent { agent_id: desk.cast.agent, conversation_id: begun.id, seq: 4 };
    let author = Author { agent: Some(agent), ..desk.author };
    let row = json!({"account_id": giro, "booked_on": "2026-03-17", "amount": -1250, "payee": "Rewe"});
    let change = Change::Create { id: Uuid::now_v7(), fields: fields(row) };
    let changes = vec![RowChange { kind: &TRANSACTIONS, change }];
    let first = store.change_rows(&call(&begun, 4), desk.scope, author, changes.clone()).await.unwrap();
    let again = store.change_rows(&call(&begun, 4), desk.scope, author, changes).await.unwrap();
    assert_eq!(first, again);
    let shown = &first["rows"][0];
    assert_eq!(
        (&shown["amount"], &shown["account"], &shown["bookedOn"]),
        (&json!("-12.50"), &json!("Giro"), &json!("2026-03-17"))
    );
    assert!(first.get("changes").is_none(), "models have no use for them: {first}");
    let of = ChangesOf::Call { conversation: begun.id, seq: 4 };
    let recorded = store.changes(desk.scope, of, 10).await.unwrap();
    assert_eq!(recorded.len(), 1);
    assert_eq!(recorded[0].author.unwrap().agent, Some(agent));
    assert_eq!(recorded[0].approved_by, Some(desk.cast.ana));
    let author = Author { agent: Some(ByAgent { seq: 5, ..agent }), ..desk.author };
    store.change_rows(&call(&begun, 5), desk.scope, author, account("Other")).await.unwrap();
    let of = ChangesOf::Call { conversation: begun.id, seq: 5 };
    assert_eq!(store.changes(desk.scope, of, 10).await.unwrap()[0].approved_by, None);
    desk.end().await;
}

impl Desk {
    /// Its person approved this call.
    async fn approved(&self, begun: &Begun, call_id: &str) {
        let raw = self.cast.told.raw().await;
        let sql = "INSERT INTO approvals (id, workspace_id, conversation_id, task_id, agent_id, message_id, call_id, tool_name, \
                   args, args_hash, status, remember, decided_by, expires_at, created_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, 'tool', $8, '', 'approved', false, 'Ana', $9, $9)";
        let values: [Value; 9] = [
            Uuid::now_v7().into(),
            self.cast.workspace.0.into(),
            begun.id.0.into(),
            begun.task.0.into(),
            self.cast.agent.0.into(),
            begun.message.0.into(),
            call_id.into(),
            json!({}).into(),
            now().into(),
        ];
        raw.execute_raw(Statement::from_sql_and_values(raw.get_database_backend(), sql, values))
            .await
            .unwrap();
        raw.close().await.unwrap();
    }
}

/// Postgres only: on SQLite there is one writer.
#[tokio::test]
async fn a_deadlock_is_tried_again() {
    let desk = Desk::set_up().await;
    if !desk.cast.told.is_postgres() {
        return desk.end().await;
    }
    let giro = desk.account("Giro").await;
    let raw = desk.cast.told.raw().await;
    // Someone holds the row and then wants what the write holds; who of the two is ended is the server's choice.
    let lock = format!("SELECT pg_advisory_xact_lock(hashtext('data of {}'))", desk.cast.workspace);
    let held = raw.begin().await.unwrap();
    held.execute_unprepared("SET LOCAL deadlock_timeout = '10s'").await.unwrap();
    held.execute_unprepared(&format!("SELECT id FROM accounts WHERE id = '{giro}' FOR UPDATE"))
        .await
        .unwrap();
    let other = async {
        desk.cast.told.until_waiting(1).await;
        let waited = held.execute_unprepared(&lock).await;
        // The write was ended, so this one goes on; then the write is tried again.
        waited.expect("the other one was ended");
        held.rollback().await.unwrap();
    };
    let (written, ()) = tokio::join!(desk.set(&ACCOUNTS, giro, json!({"name": "Main"})), other);
    assert_eq!(written.unwrap()["rows"][0]["name"], "Main");
    raw.close().await.unwrap();
    desk.end().await;
}

/// Postgres only. Its record is the first thing that it writes.
#[tokio::test]
async fn a_deadlock_over_its_record_is_tried_again() {
    let desk = Desk::set_up().await;
    if !desk.cast.told.is_postgres() {
        return desk.end().await;
    }
    let (accept, begun) = desk.cast.fresh("Go");
    desk.cast.told.store.commit(&accept).await.unwrap();
    let raw = desk.cast.told.raw().await;
    let held = raw.begin().await.unwrap();
    held.execute_unprepared("SET LOCAL deadlock_timeout = '10s'").await.unwrap();
    let record = format!(
        "INSERT INTO tool_effects (conversation_id, seq, task_id, args_hash, created_at) \
         VALUES ('{}', 3, '{}', 'these', now())",
        begun.id, begun.task
    );
    held.execute_unprepared(&record).await.unwrap();
    let other = async {
        // It holds the conversation's row, and waits for the record.
        desk.cast.told.until_waiting(1).await;
        let lock = format!("SELECT id FROM agent_conversations WHERE id = '{}' FOR UPDATE", begun.id);
        held.execute_unprepared(&lock).await.expect("the other one was ended");
        held.rollback().await.unwrap();
    };
    let store = &desk.cast.told.store;
    let once = call(&begun, 3);
    let write = store.change_rows(&once, desk.scope, desk.author, account("Giro"));
    let (written, ()) = tokio::join!(write, other);
    assert_eq!(written.unwrap()["rows"][0]["name"], "Giro");
    raw.close().await.unwrap();
    desk.end().await;
}

/// Postgres only: SQLite has no network to lose. What a silent connection holds is let go after five seconds, so each comes back.
#[tokio::test]
async fn a_write_whose_answer_is_lost_is_done_once_when_it_is_tried_again() {
    let desk = Desk::set_up().await;
    let Some((store, proxy)) = behind_a_proxy(&desk.cast.told).await else { return desk.end().await };
    let (accept, begun) = desk.cast.fresh("Go");
    store.commit(&accept).await.unwrap();
    let mut seq = 3;
    for lost in ["UPDATE tool_effects", "COMMIT"] {
        for (when, how) in
            [When::Before, When::After].into_iter().flat_map(|when| [(when, How::Cut), (when, How::Silent)])
        {
            let name = format!("{lost}, {when:?}, {how:?}");
            seq += 1;
            let once = call(&begun, seq);
            let write = || store.change_rows(&once, desk.scope, desk.author, account(&name));
            proxy.lose_next(lost, when, how);
            let first = soon(&name, write()).await;
            assert!(matches!(first, Err(EffectRefused::Store(Error::Unavailable))), "{name}: {first:?}");
            let again = async {
                loop {
                    match write().await {
                        Err(EffectRefused::Store(Error::Unavailable)) => {
                            sleep(std::time::Duration::from_millis(50)).await;
                        }
                        written => return written.unwrap(),
                    }
                }
            };
            let outcome = soon(&name, again).await;
            assert_eq!(write().await.unwrap(), outcome, "{name}");
            let page = desk.page(&ACCOUNTS, RowQuery { limit: 50, ..Default::default() }).await;
            assert_eq!(page.rows.iter().filter(|row| row.fields["name"] == *name).count(), 1, "{name}");
        }
    }
    assert_eq!(proxy.lost(), 8);
    store.close().await.unwrap();
    desk.end().await;
}
