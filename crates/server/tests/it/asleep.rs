//! A node that sleeps amid a tool's write: another takes its turn over and does the call, and the node that wakes does nothing
//! more. Two real processes on one Postgres; SQLite has one.

use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement, Value as SqlValue};
use serde_json::json;
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::held_model::{HeldModel, Reply};
use crate::killed_in_handoff::serve;
use crate::process::{Server, post};
use crate::test_app::{Actor, text};

/// Longer than anything here takes on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

struct Tables(DatabaseConnection);

impl Tables {
    async fn count(&self, what: &str, of: SqlValue) -> i64 {
        let sql = format!("SELECT COUNT(*) AS number FROM {what}");
        let statement = Statement::from_sql_and_values(self.0.get_database_backend(), sql, [of]);
        let row = self.0.query_one_raw(statement).await.expect("asked").expect("a row");
        row.try_get("", "number").expect("a number")
    }

    async fn until(&self, what: &str, of: SqlValue, many: i64) {
        let begun = Instant::now();
        while self.count(what, of.clone()).await != many {
            assert!(begun.elapsed() < PATIENCE, "{what}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn signal(server: &Server, name: &str) {
    let sent = Command::new("kill").args([name, &server.child.id().to_string()]).status().expect("ran");
    assert!(sent.success(), "{name}");
}

async fn until_over(who: &Actor<'_>, conversation: &str) {
    let begun = Instant::now();
    while !who.read(conversation).await["turn"].is_null() {
        assert!(begun.elapsed() < PATIENCE, "the turn went silent");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_slept_amid_a_write_does_nothing_more_when_it_wakes() {
    let database = TestDatabase::new().await;
    let Some(url) = database.url() else { return database.drop().await };
    baton_tools::outbound::install_tls();
    let (home, other_home) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut model = HeldModel::start().await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let sleeper = serve(home.path(), &database, &model);
    let (_, me, cookie) =
        post(&format!("{}/api/auth/links/redeem", sleeper.url), json!({"token": sleeper.link})).await;
    let workspace = text(&me["workspaces"][0]["id"]);
    let here = Actor::nobody(&sleeper.url, &client).with_cookie(&cookie).at(&workspace);
    let clerk =
        here.make_agent("Clerk", json!({"tools": ["budgets"], "permission_mode": "acceptEdits"})).await;
    let conversation = here.begin("agentId", &clerk).await;
    let id: Uuid = conversation.parse().expect("an id");
    let waker = serve(other_home.path(), &database, &model);
    let there = Actor::nobody(&waker.url, &client).with_cookie(&cookie).at(&workspace);

    // Somebody else writes in this workspace, so the write of the call waits, begun and not done.
    let tables = Tables(Database::connect(&url).await.expect("connected"));
    let mut alone = sea_orm::ConnectOptions::new(&url);
    alone.max_connections(1);
    let held = Database::connect(alone).await.expect("connected");
    let lock = |what: &str| format!("SELECT {what}(hashtext('data of {workspace}'))");
    held.execute_unprepared(&lock("pg_advisory_lock")).await.expect("locked");
    let reading = here.saying(&conversation, "Make a budget").await;
    let create = json!({"action": "create", "name": "Slept over", "amount": "10", "currency": "EUR"});
    model.next().await.reply(Reply::call("manageBudgets", create));
    tables.until("task_messages WHERE type = 'tool_call' AND conversation_id = $1", id.into(), 1).await;
    let waits = "pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database WHERE NOT granted \
                 AND locktype = 'advisory' AND datname = current_database() AND $1";
    tables.until(waits, true.into(), 1).await;
    signal(&sleeper, "-STOP");
    held.execute_unprepared(&lock("pg_advisory_unlock")).await.expect("unlocked");
    drop(reading);

    // The other node makes the call again, and is the one that tells the model of it.
    let asked = model.next().await;
    assert!(asked.body.to_string().contains("The budget is made."), "{}", asked.body);
    asked.reply(Reply::text("It is made."));
    until_over(&there, &conversation).await;
    let made = "budgets WHERE name = $1";
    assert_eq!(tables.count(made, "Slept over".into()).await, 1);

    signal(&sleeper, "-CONT");
    let begun = Instant::now();
    while here.get("/readyz").await.status != StatusCode::OK {
        assert!(begun.elapsed() < PATIENCE, "the node that woke is not ready again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // It works again, in the same conversation: whatever was left of its earlier turn came before.
    let more = here.saying(&conversation, "Thank you").await;
    let asked = model.next().await;
    assert!(
        asked.body.to_string().contains("Thank you"),
        "nobody asked for the turn that is over: {}",
        asked.body
    );
    asked.reply(Reply::text("You are welcome."));
    more.rest().await;

    assert_eq!(tables.count(made, "Slept over".into()).await, 1, "one row");
    for (what, many) in [
        ("tool_effects WHERE conversation_id = $1", 1),
        ("data_changes WHERE kind = 'budgets' AND conversation_id = $1", 1),
        ("task_messages WHERE type = 'tool_call' AND conversation_id = $1", 1),
        ("task_messages WHERE type = 'tool_result' AND conversation_id = $1", 1),
    ] {
        assert_eq!(tables.count(what, id.into()).await, many, "{what}");
    }
    let answer = there.read(&conversation).await["messages"][1].clone();
    let calls = answer["parts"].as_array().expect("parts").iter().filter(|part| part["type"] == "tool-call");
    assert_eq!(calls.map(|part| text(&part["state"])).collect::<Vec<_>>(), ["completed"], "{answer}");
    drop((sleeper, waker));
    held.close().await.expect("closed");
    tables.0.close().await.expect("closed");
    database.drop().await;
}
