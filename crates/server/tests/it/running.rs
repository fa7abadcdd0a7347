//! Running a server: it drains before it ends, says whether turns can be driven, and limits how many run at once.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use baton_server::settings::Given;
use reqwest::{Method, StatusCode};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, QueryResult, Statement, TransactionTrait};
use serde_json::{Value, json};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::TestDatabase;
use crate::held_model::{HeldModel, Reply};
use crate::process::{SERVE, Server, command, get, launch, post, start_with};
use crate::talk::{Reading, names};
use crate::test_app::{Actor, Answer, TestApp, text};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

async fn events(person: &Actor<'_>) -> Reading {
    let path = format!("/api/events?workspaceId={}", person.workspace);
    Reading::open(person.request(Method::GET, &path)).await
}

async fn ready(person: &Actor<'_>) -> (u16, String) {
    let answer = person.request(Method::GET, "/readyz").send().await.expect("an answer");
    (answer.status().as_u16(), answer.text().await.expect("text"))
}

/// Sends a message that may be refused.
async fn try_send(person: &Actor<'_>, body: &Value, key: &str) -> Answer {
    let request = person.request(Method::POST, "/api/agent-chat").header("idempotency-key", key);
    Answer::read(request.json(body)).await
}

async fn send(person: &Actor<'_>, body: &Value, key: &str) -> Reading {
    let request = person.request(Method::POST, "/api/agent-chat").header("idempotency-key", key);
    Reading::open(request.json(body)).await
}

fn wait_of(answer: &Answer) -> u64 {
    let wait = answer.headers.get("retry-after").expect("when to come back");
    wait.to_str().expect("text").parse().expect("seconds")
}

#[tokio::test]
async fn a_draining_server_begins_nothing_and_sees_what_runs_to_its_end() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    assert_eq!(ready(&ana).await, (200, "ready".to_owned()));
    let idle = ana.conversation("Budget Coach").await;
    let ended = [events(&ana).await, ana.follow(&idle, "0.0").await];
    let body = ana.chat_body("Budget Coach", "Go on").await;
    let mut reading = send(&ana, &body, "once").await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    let asked = model.next().await;

    app.app.drain();
    for stream in ended {
        timeout(PATIENCE, stream.rest()).await.expect("its reader is told to come back");
    }
    assert_eq!(ready(&ana).await, (503, "the server is ending".to_owned()));
    let health = ana.request(Method::GET, "/healthz").send().await.expect("an answer");
    assert_eq!(health.status(), StatusCode::OK);
    let refused = try_send(&ana, &body, "twice").await;
    assert_eq!(refused.refusal(), (503, "server_ending"));
    assert!(wait_of(&refused) > 0);
    for path in
        [format!("/api/agent-chat/{idle}/stream"), format!("/api/events?workspaceId={}", ana.workspace)]
    {
        assert_eq!(ana.get(&path).await.refusal(), (503, "server_ending"), "{path}");
    }
    // What runs here can still be followed, and asked for again.
    let follower = ana.follow(&id, "0.0").await;
    let mut again = send(&ana, &body, "once").await;
    assert_eq!(text(&again.until("session").await.data["conversationId"]), id);

    asked.reply(Reply::text("To the end."));
    for stream in [reading, follower, again] {
        let heard = timeout(PATIENCE, stream.rest()).await.expect("an end");
        assert_eq!(names(&heard).last(), Some(&"done"), "{heard:?}");
    }
    timeout(PATIENCE, app.app.engine.idle()).await.expect("nothing runs");
    app.end().await;
}

#[tokio::test]
async fn so_many_turns_run_at_once_and_those_beyond_are_told_when_to_come_back() {
    let mut model = HeldModel::start().await;
    let given = Given { turns_per_person: Some(2), turns_per_workspace: Some(3), ..model.given() };
    let app = TestApp::with(given).await;
    let ana = app.person("ana").await;
    let ben = crate::agents::member(&app, &ana, "ben").await;
    let body = ana.chat_body("Budget Coach", "Go").await;
    let mut reading = send(&ana, &body, "one").await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    let asked = model.next().await;
    let _second = send(&ana, &body, "two").await;
    let second = model.next().await;

    let refused = try_send(&ana, &body, "three").await;
    assert_eq!(refused.refusal(), (429, "too_many_turns"));
    assert!(wait_of(&refused) > 0 && text(&refused.body["error"]).contains("2 answers under way"));
    let mut same = send(&ana, &body, "one").await;
    assert_eq!(
        text(&same.until("session").await.data["conversationId"]),
        id,
        "the same request is no new turn"
    );
    let _third = send(&ben, &body, "one").await;
    let _asked_by_ben = model.next().await;
    let refused = try_send(&ben, &body, "two").await;
    assert_eq!(refused.refusal(), (429, "too_many_turns"));
    assert!(text(&refused.body["error"]).contains("This workspace"), "{}", refused.body);

    // Who waits for a person makes room, and so does who is done.
    let note = json!({"action": "save", "path": "a", "content": "b"});
    let saver = ana.make_agent("Saver", json!({"tools": ["memory"]})).await;
    asked.reply(Reply::text("Done."));
    reading.rest().await;
    timeout(PATIENCE, async {
        while app.app.engine.running() > 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("its driver leaves");
    let to_saver = json!({"message": "Save it", "agentId": saver, "workspaceId": ana.workspace});
    let waiting = send(&ana, &to_saver, "four").await;
    model.next().await.reply(Reply::call("manageMemory", note));
    let heard = waiting.rest().await;
    assert_eq!(names(&heard).last(), Some(&"approval_required"), "{heard:?}");
    let after = send(&ana, &body, "five").await;
    model.next().await.reply(Reply::text("There was room."));
    assert_eq!(names(&after.rest().await).last(), Some(&"done"));
    second.reply(Reply::text("Done too."));
    app.end().await;
}

#[tokio::test]
async fn a_node_whose_lease_cannot_be_renewed_is_not_ready_and_comes_back() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let TestDatabase::Postgres { .. } = app.database else { return app.end().await };
    let ana = app.person("ana").await;
    let body = ana.chat_body("Budget Coach", "Go").await;
    let mut reading = send(&ana, &body, "one").await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    let mut asked = model.next().await;

    let admin = Database::connect(app.database.url().expect("a URL")).await.expect("the database");
    let held = admin.begin().await.expect("a transaction");
    held.execute_unprepared("LOCK TABLE nodes IN EXCLUSIVE MODE").await.expect("locked");
    timeout(PATIENCE, asked.hung_up()).await.expect("it stops its turn by its own clock");
    let (status, why) = ready(&ana).await;
    assert!(status == 503 && why.contains("lease"), "{status} {why}");
    assert_eq!(try_send(&ana, &body, "two").await.refusal(), (503, "unavailable"));

    held.rollback().await.expect("unlocked");
    admin.close().await.expect("closed");
    model.next().await.reply(Reply::text("Again, and to the end."));
    let heard = timeout(PATIENCE, ana.follow(&id, "0.0").await.until("done")).await.expect("an end");
    assert_eq!(heard.data["status"], "completed");
    assert_eq!(ready(&ana).await.0, 200);
    app.end().await;
}

/// Who owns a conversation's turn, and what it cost so far.
#[derive(Debug, PartialEq)]
struct Owned {
    by: Option<Uuid>,
    attempt: i32,
    tries: i32,
}

async fn owned(db: &DatabaseConnection, conversation: &str) -> Owned {
    let sql = "SELECT turn_owner, turn_attempt, turn_tries FROM agent_conversations WHERE id = $1";
    let id: Uuid = conversation.parse().expect("an id");
    let row = query(db, sql, id).await.expect("the conversation");
    let number = |column| row.try_get("", column).expect("a number");
    let by = row.try_get("", "turn_owner").expect("an owner or none");
    Owned { by, attempt: number("turn_attempt"), tries: number("turn_tries") }
}

/// Whether a node's lease is good by the database's clock; none if it has no lease.
async fn lease(db: &DatabaseConnection, node: Uuid) -> Option<bool> {
    let row = query(db, "SELECT lease_until > now() AS is_good FROM nodes WHERE id = $1", node).await?;
    Some(row.try_get("", "is_good").expect("a truth value"))
}

async fn query(db: &DatabaseConnection, sql: &str, id: Uuid) -> Option<QueryResult> {
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [id.into()]);
    db.query_one_raw(statement).await.expect("an answer")
}

/// How a node goes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Goes {
    Killed,
    InOrder,
}

#[tokio::test]
async fn another_node_speaks_again_for_one_that_was_killed_and_at_once_for_one_that_ended() {
    baton_tools::outbound::install_tls();
    let mut model = HeldModel::start().await;
    let survivor = TestApp::with(model.given()).await;
    let TestDatabase::Postgres { .. } = survivor.database else { return survivor.end().await };
    let ana = survivor.person("ana").await;
    let url = survivor.database.url().expect("a URL");
    let db = Database::connect(&url).await.expect("the database");
    for goes in [Goes::Killed, Goes::InOrder] {
        let dir = tempfile::tempdir().expect("a folder");
        let env = [
            ("DATABASE_URL", Path::new(&url)),
            ("OPENAI_BASE_URL", Path::new(&model.url)),
            ("BATON_OPENAI_MODEL", Path::new("fake")),
            ("BATON_DRAIN_SECONDS", Path::new("0")),
        ];
        let mut node = start_with(dir.path(), &[], &env);
        let client = reqwest::Client::new();
        let there = Actor::nobody(&node.url, &client);
        let there = there.with_cookie(ana.cookie.as_deref().expect("a cookie")).at(&ana.workspace);
        let mut reading = there.send(&ana.chat_body("Budget Coach", "Go").await).await;
        let id = text(&reading.until("session").await.data["conversationId"]);
        let _asked = model.next().await;
        let before = owned(&db, &id).await;
        let first = before.by.expect("an owner");
        assert_eq!((before.attempt, before.tries), (1, 0));
        assert_eq!(lease(&db, first).await, Some(true));

        match goes {
            Goes::Killed => node.child.kill().expect("killed"),
            Goes::InOrder => tell_to_end(&node),
        }
        let asked = model.next().await;
        let taken = owned(&db, &id).await;
        let next = taken.by.expect("another owner");
        assert_eq!(lease(&db, next).await, Some(true), "{goes:?}");
        let (tries, lease_of_first) = match goes {
            Goes::Killed => (1, Some(false)),
            Goes::InOrder => (0, None),
        };
        assert_eq!(taken, Owned { by: Some(next), attempt: 2, tries }, "{goes:?}");
        assert!(next != first, "{goes:?}");
        assert_eq!(lease(&db, first).await, lease_of_first, "{goes:?}: one ran out, the other was ended");

        asked.reply(Reply::text("Here I am, with all of it."));
        let mut follower = ana.follow(&id, "0.0").await;
        let done = timeout(PATIENCE, follower.until("done")).await.expect("an end");
        assert_eq!(done.data["status"], "completed", "{goes:?}");
        assert_eq!(owned(&db, &id).await, Owned { by: None, attempt: 2, tries: 0 }, "{goes:?}");
        let messages = ana.read(&id).await["messages"].clone();
        let said: Vec<_> = messages.as_array().expect("messages").iter().map(|one| &one["content"]).collect();
        assert_eq!(said, ["Go", "Here I am, with all of it."], "{goes:?}");
    }
    db.close().await.expect("closed");
    survivor.end().await;
}

/// A server of its own process that talks to a held model.
fn serve(dir: &Path, model: &HeldModel, drain: &str) -> Server {
    let env = [
        ("OPENAI_BASE_URL", Path::new(&model.url)),
        ("BATON_OPENAI_MODEL", Path::new("fake")),
        ("BATON_DRAIN_SECONDS", Path::new(drain)),
    ];
    start_with(dir, &["--demo"], &env)
}

fn tell_to_end(server: &Server) {
    let told = Command::new("kill").arg(server.child.id().to_string()).status().expect("told");
    assert!(told.success());
}

/// Waits until the server says that it ends.
async fn drains(server: &Server) {
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let waiting = async {
        while client.get(format!("{}/readyz", server.url)).send().await.expect("an answer").status() != 503 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("it drains");
}

/// Waits for the process and says how it ended.
async fn ended(server: &mut Server) -> Option<i32> {
    let waiting = async {
        loop {
            if let Some(status) = server.child.try_wait().expect("a state") {
                return status.code();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("it is still there")
}

/// Signs in at a demo server and says something; the cookie, the conversation and the stream.
async fn talk(server: &Server) -> (String, String, Reading) {
    let (_, me, cookie) =
        post(&format!("{}/api/auth/links/redeem", server.url), json!({"token": server.link})).await;
    let workspace = text(&me["workspaces"][0]["id"]);
    let agents =
        get(&format!("{}/api/agents?workspaceId={workspace}&search=project", server.url), &cookie).await;
    let body =
        json!({"message": "Go", "workspaceId": workspace, "agentId": agents["agents"][0]["localAgentId"]});
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let request = client.post(format!("{}/api/agent-chat", server.url)).header("cookie", &cookie).json(&body);
    let mut reading = Reading::open(request).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    (cookie, id, reading)
}

#[cfg(unix)]
#[tokio::test]
async fn told_to_end_the_program_lets_a_turn_finish_first() {
    baton_tools::outbound::install_tls();
    let mut model = HeldModel::start().await;
    let dir = tempfile::tempdir().expect("a folder");
    let mut server = serve(dir.path(), &model, "600");
    let (_, _, reading) = talk(&server).await;
    let asked = model.next().await;
    tell_to_end(&server);
    drains(&server).await;
    asked.reply(Reply::text("To the end."));
    let heard = timeout(PATIENCE, reading.rest()).await.expect("an end");
    assert_eq!(names(&heard).last(), Some(&"done"), "{heard:?}");
    assert_eq!(ended(&mut server).await, Some(0));
}

#[cfg(unix)]
#[tokio::test]
async fn told_twice_the_program_ends_at_once() {
    baton_tools::outbound::install_tls();
    let mut model = HeldModel::start().await;
    let dir = tempfile::tempdir().expect("a folder");
    let mut server = serve(dir.path(), &model, "600");
    let (_, _, reading) = talk(&server).await;
    let _asked = model.next().await;
    tell_to_end(&server);
    // Two signals that come together may be one.
    drains(&server).await;
    tell_to_end(&server);
    assert_eq!(ended(&mut server).await, Some(0));
    assert!(!names(&reading.rest().await).contains(&"done"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_turn_survives_more_deploys_than_crashes() {
    baton_tools::outbound::install_tls();
    let mut model = HeldModel::start().await;
    let dir = tempfile::tempdir().expect("a folder");
    let mut server = serve(dir.path(), &model, "0");
    let (cookie, id, reading) = talk(&server).await;
    drop(reading);
    for _ in 0..4 {
        let mut asked = model.next().await;
        tell_to_end(&server);
        assert_eq!(ended(&mut server).await, Some(0));
        timeout(PATIENCE, asked.hung_up()).await.expect("its call is dropped");
        server = serve(dir.path(), &model, "0");
    }
    model.next().await.reply(Reply::text("At last."));
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let url = format!("{}/api/agent-chat/{id}/stream?after=0.0", server.url);
    let mut follower = Reading::open(client.get(url).header("cookie", &cookie)).await;
    let done = timeout(PATIENCE, follower.until("done")).await.expect("an end");
    assert_eq!(done.data["status"], "completed", "it is not given up");
}

/// Where its log goes is full, or nobody reads it any more: what it would have logged is lost, and nothing else.
#[tokio::test]
async fn a_log_that_cannot_be_written_stops_nothing() {
    baton_tools::outbound::install_tls();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, log) in [
        ("full", std::fs::File::options().write(true).open("/dev/full").expect("/dev/full").into()),
        ("pipe", closed_pipe()),
    ] {
        let dir = folder.path().join(name);
        std::fs::create_dir(&dir).expect("a folder");
        let mut baton = command(&dir);
        baton.env("BATON_LOG", "debug").args(SERVE).arg("--demo").stderr::<std::process::Stdio>(log);
        let mut server = launch(baton);
        for _ in 0..5 {
            let (status, ..) = post(
                &format!("{}/api/auth/sign-in", server.url),
                json!({"email": "a@b.c", "password": "wrong one"}),
            )
            .await;
            assert!(status.is_client_error(), "{name}: {status}");
        }
        assert!(server.child.try_wait().expect("a state").is_none(), "{name}: it ended");
    }
}

fn closed_pipe() -> std::process::Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}
