//! `kill -9` while an agent's tools write, each of them: the turn goes on at the next start, and every call has changed its
//! table once. The server is killed as soon as so many of the calls are stored, so the next write has begun or is about to.

use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::held_model::{HeldModel, Reply};
use crate::killed_in_handoff::serve;
use crate::process::post;
use crate::test_app::{Actor, text};

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
/// What a round's calls must have made, and how SQL counts it: rows of one table, of this conversation or of this name.
const MADE: [(&str, &str); 9] = [
    ("transaction", "data_changes WHERE kind = 'transactions' AND conversation_id = $1"),
    ("budget", "data_changes WHERE kind = 'budgets' AND conversation_id = $1"),
    ("goal", "data_changes WHERE kind = 'goals' AND conversation_id = $1"),
    ("lead", "data_changes WHERE kind = 'contacts' AND conversation_id = $1"),
    ("deal", "data_changes WHERE kind = 'deals' AND conversation_id = $1"),
    ("project task", "data_changes WHERE kind = 'project_tasks' AND conversation_id = $1"),
    ("page", "page_versions WHERE conversation_id = $1"),
    ("effect of memory", "agent_memories WHERE content = $2"),
    ("channel message", "channel_messages WHERE conversation_id = $1"),
];
/// Longer than anything here takes on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A call of each tool that writes; `round` makes them those of one round.
fn calls(round: &str, transaction: &str) -> Vec<(String, Value)> {
    let call = |name: &str, arguments: Value| (name.to_owned(), arguments);
    vec![
        call("manageTransactions", json!({"action": "annotate", "ids": [transaction], "note": round})),
        call("manageBudgets", json!({"action": "create", "name": round, "amount": "10", "currency": "EUR"})),
        call(
            "manageGoals",
            json!({"action": "create", "name": round, "targetAmount": "10", "currency": "EUR"}),
        ),
        call("manageCRM", json!({"action": "create", "record": "lead", "name": round})),
        call("manageSales", json!({"action": "create", "record": "deal", "name": round})),
        call("manageProjects", json!({"action": "create_tasks", "project": "Depot", "title": round})),
        call("manageKnowledge", json!({"action": "create", "title": round, "body": "Written once."})),
        call("manageMemory", json!({"action": "save", "path": round, "content": round})),
        call("manageMessaging", json!({"action": "send", "channel": "depot", "text": round})),
    ]
}

/// The database beside the server that writes it.
struct Tables(DatabaseConnection);

impl Tables {
    async fn open(dir: &Path, database: &TestDatabase) -> Self {
        let file = || format!("sqlite://{}", dir.join("data/baton.db").display());
        let url = database.url().unwrap_or_else(file);
        Self(Database::connect(url).await.expect("connected"))
    }

    async fn count(&self, what: &str, conversation: Uuid, round: &str) -> i64 {
        let sql = format!("SELECT COUNT(*) AS number FROM {what}");
        let values = match what.contains("$2") {
            // Each engine takes as many values as there are places.
            true => vec![round.into()],
            false => vec![conversation.into()],
        };
        let sql = sql.replace("$2", "$1");
        let statement = Statement::from_sql_and_values(self.0.get_database_backend(), sql, values);
        let row = self.0.query_one_raw(statement).await.expect("asked").expect("a row");
        row.try_get("", "number").expect("a number")
    }

    /// Returns as soon as so many writes of the conversation's calls are stored.
    async fn until_stored(&self, many: i64, conversation: Uuid) {
        let begun = Instant::now();
        while self.count("tool_effects WHERE conversation_id = $1", conversation, "").await < many {
            assert!(begun.elapsed() < PATIENCE, "{many} writes never came");
            tokio::task::yield_now().await;
        }
    }
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
    let made = async |kind: &str, row: Value| {
        let path = format!("/api/data/{kind}?workspaceId={workspace}");
        text(&owner.post(&path, row).await.expect(StatusCode::CREATED)["id"])
    };
    let account = made("accounts", json!({"name": "Till of the depot", "currency": "EUR"})).await;
    let paid = json!({"account_id": account, "booked_on": "2026-01-02", "amount": -100, "payee": "Kiosk"});
    let transaction = made("transactions", paid).await;
    made("projects", json!({"name": "Depot"})).await;
    let channel = json!({"workspaceId": workspace, "kind": "open", "name": "depot"});
    owner.post("/api/channels", channel).await.expect(StatusCode::CREATED);
    drop(owner);
    let tables = Tables::open(dir.path(), &database).await;

    // On Postgres the next server waits for the lease of the one that was killed: fewer rounds there.
    let step = if database.url().is_some() { 3 } else { 1 };
    let mut cut = 0;
    for stored in (0..TOOLS.len() as i64).step_by(step) {
        let round = format!("Written in round {stored}");
        let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
        let conversation = owner.begin("agentId", &clerk).await;
        let id: Uuid = conversation.parse().expect("an id");
        let reading = owner.saying(&conversation, &round).await;
        let asked = model.next().await;
        asked.reply(Reply::Says { text: "One moment.".into(), calls: calls(&round, &transaction) });
        tables.until_stored(stored, id).await;
        drop(server); // SIGKILL
        drop(reading);
        let left = tables.count("tool_effects WHERE conversation_id = $1", id, "").await;
        cut += usize::from(left < TOOLS.len() as i64);

        server = serve(dir.path(), &database, &model);
        let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
        // Killed before the reply was stored, the model is asked for it again.
        let mut asked = model.next().await;
        if !asked.body.to_string().contains("tool_call_id") {
            asked.reply(Reply::Says { text: "One moment.".into(), calls: calls(&round, &transaction) });
            asked = model.next().await;
        }
        asked.reply(Reply::text("All is written."));
        let begun = Instant::now();
        let read = loop {
            let read = owner.read(&conversation).await;
            if read["turn"].is_null() {
                break read;
            }
            assert!(begun.elapsed() < PATIENCE, "{round}: the turn went silent: {read}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let answer = &read["messages"][1];
        let parts = answer["parts"].as_array().expect("parts").iter();
        let states: Vec<&Value> = parts.filter(|part| part["type"] == "tool-call").collect();
        assert_eq!(states.len(), TOOLS.len(), "{round}: {answer}");
        assert!(states.iter().all(|part| part["state"] == "completed"), "{round}: {answer}");
        for (name, what) in MADE {
            let found = tables.count(what, id, &round).await;
            assert_eq!(found, 1, "{round}: {name}, killed with {left} writes stored");
        }
    }
    assert!(cut > 0, "at least one round is to be cut amid the writes");
    drop(server);
    tables.0.close().await.expect("closed");
    database.drop().await;
}
