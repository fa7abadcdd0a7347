//! `kill -9` in the middle of each tool's write, one tool at a time and in two states: the call is stored and its write has begun,
//! with nothing of it to be seen; and all of it is stored, without the result. At the next start the turn goes on, and the write
//! has been done once, all of it.
//!
//! Neither state is left to luck: `held.rs` holds the server there, in the database itself, until it is killed.

mod cases;
mod held;

use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::held_model::{HeldModel, Reply};
use crate::killed_in_handoff::serve;
use crate::process::post;
use crate::test_app::{Actor, text};
use cases::{CASES, Case, Ground, Of};
use held::{Held, Tables};

/// As agents name them.
const TOOLS: [&str; 9] = [
    "transactions",
    "budgets",
    "goals",
    "leads",
    "sales",
    "projectTasks",
    "knowledge",
    "memory",
    "messaging",
];
/// Longer than anything here takes on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody else in the owner's workspace.
async fn joined(owner: &Actor<'_>, email: &str) {
    let path = format!("/api/workspaces/{}/invitations", owner.workspace);
    let link = owner.post(&path, json!({"role": "member"})).await.expect(StatusCode::CREATED);
    let account = json!({"name": email, "email": email, "password": "correct horse battery", "invitation": link["token"]});
    owner.post("/api/auth/sign-up", account).await.expect(StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_a_tools_write_each_has_written_once() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let database = TestDatabase::new().await;
    let mut model = HeldModel::start().await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let mut server = serve(dir.path(), &database, &model);
    let redeem = format!("{}/api/auth/links/redeem", server.url);
    let (_, me, cookie) = post(&redeem, json!({"token": server.link})).await;
    let workspace = text(&me["workspaces"][0]["id"]);
    let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
    let clerk = owner.make_agent("Clerk", json!({"tools": TOOLS, "permission_mode": "acceptEdits"})).await;
    let mut ground = Ground::new(&owner).await;
    for held in [Held::Amid, Held::Stored] {
        joined(&owner, &cases::friend(held)).await;
        for case in &CASES {
            ground.prepare(&owner, case, held).await;
        }
    }
    drop(owner);
    let tables = Tables::open(dir.path(), &database).await;

    for held in [Held::Amid, Held::Stored] {
        for case in &CASES {
            let label = cases::label(case, held);
            tables.hold(held).await;
            let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
            let conversation = owner.begin("agentId", &clerk).await;
            let id: Uuid = conversation.parse().expect("an id");
            let reading = owner.saying(&conversation, &label).await;
            let call = (case.tool.to_owned(), (case.arguments)(&label, &ground, held));
            model.next().await.reply(Reply::Says { text: "One moment.".into(), calls: vec![call] });
            tables.until_held(held, id).await;
            drop(server); // SIGKILL
            drop(reading);

            tables.release().await;
            let effects = i64::from(held == Held::Stored);
            assert_eq!(tables.steps(id).await, [1, effects, 0], "{label}: the state that it was killed in");
            check(&tables, case, &label, id, held).await;

            server = serve(dir.path(), &database, &model);
            let asked = model.next().await;
            assert!(asked.body.to_string().contains("tool_call_id"), "{label}: {}", asked.body);
            asked.reply(Reply::text("All is written."));
            let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
            let answer = until_answered(&owner, &conversation, &label).await;
            let parts = answer["parts"].as_array().expect("parts").iter();
            let states: Vec<&Value> = parts.filter(|part| part["type"] == "tool-call").collect();
            assert_eq!((states.len(), &states[0]["state"]), (1, &json!("completed")), "{label}: {answer}");
            assert_eq!(tables.steps(id).await, [1, 1, 1], "{label}: the call, its effect and its result");
            check(&tables, case, &label, id, Held::Stored).await;
        }
    }
    drop(server);
    tables.close().await;
    database.drop().await;
}

/// All rows of the write are there, or none.
async fn check(tables: &Tables, case: &Case, label: &str, conversation: Uuid, held: Held) {
    for (of, rows, before, after) in case.made {
        let value = match of {
            Of::Call => conversation.into(),
            Of::Label => label.into(),
        };
        let expected = if held == Held::Amid { *before } else { *after };
        assert_eq!(tables.count(rows, value).await, expected, "{label}: {rows}");
    }
}

/// The agent's message, once the turn is over.
async fn until_answered(owner: &Actor<'_>, conversation: &str, label: &str) -> Value {
    let begun = Instant::now();
    loop {
        let read = owner.read(conversation).await;
        if read["turn"].is_null() {
            return read["messages"][1].clone();
        }
        assert!(begun.elapsed() < PATIENCE, "{label}: the turn went silent: {read}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
