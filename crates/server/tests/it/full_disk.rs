//! A disk that is really full under a running server. The program gets a small file system of its own, in memory,
//! which needs a Linux that lets everyone make a mount namespace. Elsewhere this test is skipped and says why
//! (`.config/nextest.toml` has its words shown), except where `CI` is set: there it fails.
//!
//! What is hard: SQLite overwrites the part of its write-ahead log that it no longer needs, so a full disk is noticed
//! only once that part is used up.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::held_model::{HeldModel, Reply};
use crate::process::{self, BATON, SERVE, Server, post};
use crate::talk::Reading;
use crate::test_app::{Actor, Answer, text};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// More than what SQLite's log has room for.
const MOST_WRITES: usize = 50_000;

/// Runs the rest of its arguments with a small file system at `$BATON_DATA_DIR`.
const ON_SMALL_DISK: &str = r#"mount -t tmpfs -o size=48m,mode=0700 tmpfs "$BATON_DATA_DIR" && exec "$@""#;

fn small_disk(dir: &Path) -> Command {
    let data = dir.join("data");
    std::fs::create_dir_all(&data).expect("a folder");
    let mut command = Command::new("unshare");
    command.env_clear().current_dir(dir).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("BATON_DATA_DIR", data).env("BATON_LOG", "off");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_SMALL_DISK, "sh"]);
    command
}

/// Why there can't be one here.
fn why_not(dir: &Path) -> Option<String> {
    match small_disk(dir).arg("true").output() {
        Ok(tried) if tried.status.success() => None,
        Ok(tried) => Some(String::from_utf8_lossy(&tried.stderr).trim().to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// What takes up all the room there is, until it is dropped.
struct Ballast(PathBuf);

impl Ballast {
    fn beside(server: &Server, data: &Path) -> Self {
        let path = PathBuf::from(format!("/proc/{}/root{}/ballast", server.child.id(), data.display()));
        let mut file = File::create(&path).expect("a file on the server's disk");
        for size in [64 * 1024, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
        Self(path)
    }
}

impl Drop for Ballast {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).expect("room");
    }
}

/// Writes again and again until there is no room.
async fn until_full(ana: &Actor<'_>, method: Method, path: &str, body: impl Fn(usize) -> Value) {
    for written in 0..MOST_WRITES {
        let answer = Answer::read(ana.request(method.clone(), path).json(&body(written))).await;
        if !answer.status.is_success() {
            return assert_eq!(answer.refusal(), (507, "storage_full"), "{}", answer.body);
        }
    }
    panic!("{path}: the disk is never full");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_told_a_stop_is_heard_and_the_turn_ends_whole_when_there_is_room() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    if let Some(why) = why_not(dir.path()) {
        let skipped = format!(
            "SKIPPED: a full disk isn't tested, because `unshare` can't make a small one here: {why}"
        );
        assert!(std::env::var_os("CI").is_none(), "{skipped}");
        return eprintln!("{skipped}");
    }
    let mut model = HeldModel::start().await;
    let mut command = small_disk(dir.path());
    command.env("OPENAI_BASE_URL", &model.url).env("BATON_OPENAI_MODEL", "fake");
    command.arg(BATON).args(SERVE).arg("--demo");
    let server = process::launch(command);
    let (_, me, cookie) =
        post(&format!("{}/api/auth/links/redeem", server.url), json!({"token": server.link})).await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let nobody = Actor::nobody(&server.url, &client);
    let ana = nobody.with_cookie(&cookie).at(&text(&me["workspaces"][0]["id"]));
    let body = ana.chat_body("Project Manager", "Go").await;
    let begin = async || {
        let mut reading = ana.send(&body).await;
        let id = text(&reading.until("session").await.data["conversationId"]);
        (id, reading)
    };
    let (answered, mut reading) = begin().await;
    let asked = model.next().await;
    let (stopped, mut other_reading) = begin().await;
    let _held = model.next().await;

    let ballast = Ballast::beside(&server, &dir.path().join("data"));
    // First what makes the database grow: from then on SQLite can't begin its log anew. Then the smallest there is.
    let conversation = json!({"agentId": body["agentId"], "workspaceId": ana.workspace});
    until_full(&ana, Method::POST, "/api/agent-conversations", |_| conversation.clone()).await;
    until_full(&ana, Method::PATCH, "/api/auth/me", |n| json!({"name": format!("Ana {n}")})).await;

    let refused = ana.post("/api/agent-chat", body.clone()).await;
    assert_eq!(refused.refusal(), (507, "storage_full"), "{}", refused.body);
    let answer = "All of it. ".repeat(1_000);
    asked.reply(Reply::text(&answer));
    let told = timeout(PATIENCE, reading.until("error")).await.expect("told");
    assert_eq!((told.id, &told.data["code"]), (None, &json!("storage_full")));
    let path = format!("/api/agent-chat/{stopped}/stop");
    let heard = timeout(PATIENCE, ana.post(&path, json!({}))).await.expect("an answer");
    assert_eq!(heard.expect(StatusCode::OK)["stopped"], true);
    let still = ana.read(&answered).await;
    assert_eq!(still["messages"][1]["content"], "", "nothing was stored: {still}");

    drop(ballast);
    let done = async |reading: &mut Reading| {
        timeout(PATIENCE, reading.until("done")).await.expect("an end").data["status"].clone()
    };
    assert_eq!(done(&mut reading).await, "completed");
    assert_eq!(done(&mut other_reading).await, "stopped");
    // Whichever connection reads it: none is left with what it saw when the disk was full.
    for _ in 0..200 {
        let messages = ana.read(&answered).await["messages"].clone();
        assert_eq!(messages[1]["content"], answer.trim_end(), "the whole answer");
    }
}
