//! The start of the program on Postgres: a wrong setting ends it; a database that goes away again is waited for while
//! the server already listens, but by a command not for ever. (None of it can happen on SQLite.)

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::{Client, StatusCode};
use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::database::TestDatabase;
use crate::process::{SERVE, command, launch, post};
use crate::proxy::{How, Proxy, When};
use crate::talk::names;
use crate::test_app::{Actor, PASSWORD, TestApp};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that may never end by itself.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Started {
    fn by(mut command: Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program"))
    }

    /// Waits for its end, and says whether it was a good one and what it said.
    async fn end(mut self) -> (bool, String) {
        let ending = async {
            loop {
                match self.0.try_wait().expect("a state") {
                    Some(status) => return status.success(),
                    None => sleep(Duration::from_millis(20)).await,
                }
            }
        };
        let is_good = timeout(PATIENCE, ending).await.expect("it waits for ever");
        let said = std::io::read_to_string(self.0.stderr.take().expect("its words")).expect("text");
        (is_good, said)
    }
}

#[tokio::test]
async fn a_wrong_password_or_name_ends_the_program_and_it_says_which() {
    let database = TestDatabase::new().await;
    let Some(url) = database.url() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let (user, rest) = url.rsplit_once('@').expect("a password");
    let (address, _) = rest.split_once('/').expect("a database");
    for (wrong, why) in [
        (format!("{user}x@{rest}"), "password authentication failed"),
        (format!("{user}@{address}/there_is_none"), "database \"there_is_none\" does not exist"),
    ] {
        let mut command = command(dir.path());
        command.env("DATABASE_URL", wrong).args(SERVE);
        let (is_good, said) = Started::by(command).end().await;
        assert!(!is_good && said.contains(why), "{said}");
    }
    database.drop().await;
}

#[tokio::test]
async fn a_command_does_not_wait_for_a_database_that_is_away_for_ever() {
    let database = TestDatabase::new().await;
    let Some(url) = database.url() else { return };
    let (refusing, silent) = (Proxy::before(&url), Proxy::before(&url));
    refusing.refuse();
    silent.silence();
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("pack.toml"), "").expect("a file");
    let commands: [(&[&str], &Proxy); 3] = [
        (&["admin", "sign-in-link", "ana@example.org"], &refusing),
        (&["admin", "rotate-key"], &silent),
        (&["catalog", "apply", "pack.toml"], &refusing),
    ];
    let begun = commands.map(|(args, proxy)| {
        let mut command = command(dir.path());
        command.env("DATABASE_URL", proxy.url()).args(args);
        Started::by(command)
    });
    for command in begun {
        let (is_good, said) = command.end().await;
        assert!(!is_good && said.contains("the database did not answer within 30 seconds"), "{said}");
    }
    database.drop().await;
}

/// A process and its waiting for it block this thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_goes_away_between_any_two_steps_of_a_start_is_waited_for() {
    baton_tools::outbound::install_tls();
    let database = TestDatabase::new().await;
    let Some(url) = database.url() else { return };
    let proxy = Proxy::before(&url);
    // In the order in which a start asks for them; the last two once it listens.
    let steps =
        ["instance_notes", "instance_secrets", "ai_agents", "instance_notes", "nodes", "sign_in_links"];
    for (step, how) in steps.into_iter().zip([How::Cut, How::Silent].into_iter().cycle()) {
        proxy.lose_next(step, When::Before, how);
    }
    let dir = tempfile::tempdir().expect("a folder");
    let mut command = command(dir.path());
    command.env("DATABASE_URL", proxy.url()).args(SERVE);
    let started = tokio::task::spawn_blocking(|| launch(command));
    let server = timeout(PATIENCE, started).await.expect("it starts").expect("it did not end");
    assert_eq!(proxy.lost(), steps.len());
    let redeem = format!("{}/api/auth/links/redeem", server.url);
    let body = json!({"token": server.link, "name": "Ana", "email": "ana@example.org", "password": PASSWORD});
    let (status, said, _) = post(&redeem, body).await;
    assert!(status.is_success(), "{said}");
    drop(server);
    database.drop().await;
}

#[tokio::test]
async fn without_its_first_lease_a_server_lives_and_is_not_ready() {
    baton_tools::outbound::install_tls();
    let app = TestApp::new().await;
    let Some(url) = app.database.url() else { return app.end().await };
    let ana = app.person("ana").await;
    let body = ana.chat_body("Budget Coach", "Go").await;
    let admin = Database::connect(&url).await.expect("the database");
    let held = admin.begin().await.expect("a transaction");
    held.execute_unprepared("LOCK TABLE nodes IN EXCLUSIVE MODE").await.expect("locked");

    let dir = tempfile::tempdir().expect("a folder");
    // Free a moment ago: it says where it is only once it is ready.
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let mut command = command(dir.path());
    command.env("DATABASE_URL", &url).args(["serve", "--listen", &port.to_string()]);
    let _server = Started::by(command);
    let (client, at) = (Client::builder().no_proxy().build().expect("a client"), format!("http://{port}"));
    let ask = async |path: &str| {
        let answer = client.get(format!("{at}{path}")).send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    };
    let healthy = async {
        while ask("/healthz").await != Some((200, "ok".to_owned())) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, healthy).await.expect("it says that it lives");
    let (status, why) = ask("/readyz").await.expect("an answer");
    assert!(status == 503 && why.contains("lease"), "{status} {why}");
    let there = Actor::nobody(&at, &client);
    let there = there.with_cookie(ana.cookie.as_deref().expect("a cookie")).at(&ana.workspace);
    let refused = there.post("/api/agent-chat", body.clone()).await;
    assert_eq!(refused.refusal(), (503, "unavailable"), "nothing begins without a lease");

    held.rollback().await.expect("unlocked");
    admin.close().await.expect("closed");
    let ready = async {
        while ask("/readyz").await.is_none_or(|(status, _)| status != StatusCode::OK) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, ready).await.expect("it is ready once it has one");
    assert_eq!(names(&there.send(&body).await.rest().await).last(), Some(&"done"));
    app.end().await;
}
