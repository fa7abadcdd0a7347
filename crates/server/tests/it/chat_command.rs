//! `baton chat`, as people run it: the real program beside a real server, whose models follow a script.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::{Server, command, get, post, start};

/// A demo whose models follow a script, in a folder of its own.
pub struct House {
    dir: TempDir,
    server: Server,
}

pub fn house(replies: Value) -> House {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let script = json!({"replies": replies}).to_string();
    std::fs::write(dir.path().join("script.json"), script).expect("written");
    let server = start(dir.path(), &["--demo", "--model-script", "script.json"]);
    House { dir, server }
}

impl House {
    pub fn command(&self) -> Command {
        let mut command = command(self.dir.path());
        command.arg("chat");
        command
    }

    /// `baton import`, in its own folder.
    pub fn import(&self, args: &[&str]) -> Output {
        command(self.dir.path()).arg("import").args(args).output().expect("ran")
    }

    pub fn folder(&self) -> &Path {
        self.dir.path()
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server.url)
    }

    pub fn chat(&self, args: &[&str]) -> Output {
        self.command().args(args).output().expect("ran")
    }

    /// The owner's cookie and workspace.
    pub async fn owner(&self) -> (String, String) {
        let redeem = format!("{}/api/auth/links/redeem", self.server.url);
        let (status, me, cookie) = post(&redeem, json!({"token": self.server.link})).await;
        assert_eq!(status, StatusCode::OK, "{me}");
        (cookie, text(&me["workspaces"][0]["id"]))
    }

    /// Gives the Budget Coach a memory, whose writes ask for approval.
    async fn with_memory(self) -> (Self, String, String) {
        let (cookie, workspace) = self.owner().await;
        let url = &self.server.url;
        let agents = get(&format!("{url}/api/agents?workspaceId={workspace}&search=coach"), &cookie).await;
        let id = text(&agents["agents"][0]["localAgentId"]);
        let client = Client::builder().no_proxy().build().expect("a client");
        let change = client.patch(format!("{url}/api/agents/{id}")).header("cookie", &cookie);
        let changed = change.json(&json!({"tools": ["memory"]})).send().await.expect("an answer");
        assert_eq!(changed.status(), StatusCode::OK);
        (self, cookie, workspace)
    }

    /// Posts as the owner.
    pub async fn post(&self, cookie: &str, path: &str, body: Value) -> Value {
        let client = Client::builder().no_proxy().build().expect("a client");
        let post = client.post(format!("{}{path}", self.server.url)).header("cookie", cookie);
        let answer = post.json(&body).send().await.expect("an answer");
        let status = answer.status();
        let body: Value = answer.json().await.expect("json");
        assert!(status.is_success(), "{status} {body}");
        body
    }

    async fn token(&self, cookie: &str, workspace: &str) -> String {
        let client = Client::builder().no_proxy().build().expect("a client");
        let create = client.post(format!("{}/api/auth/tokens", self.server.url)).header("cookie", cookie);
        let created = create.json(&json!({"name": "cli", "workspaceId": workspace})).send().await;
        let created: Value = created.expect("an answer").json().await.expect("json");
        text(&created["token"])
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("text, not {value}")).to_owned()
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn conversation_in(output: &Output) -> String {
    let err = err(output);
    err.rsplit("--conversation ").next().expect("an id").trim().to_owned()
}

#[test]
fn one_message_by_the_data_folders_own_key() {
    let house = house(json!([
        {"match": "time", "reasoning": "I look.", "text": "One moment.", "calls": [{"name": "getCurrentTime", "arguments": {}}]},
        {"match": "time", "text": "It is late."},
        {"match": "again", "text": "Later still."},
    ]));
    let said = house.chat(&["What time is it?"]);
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    assert_eq!(out(&said), "One moment.\n\nIt is late.\n", "only the answer");
    let aside = err(&said);
    for part in ["Budget Coach\n", "I look.\n", "⚙ ", "✓ ", " in · ", " out · $0\n"] {
        assert!(aside.contains(part), "{part:?} is missing in {aside}");
    }
    assert!(!aside.contains('\u{1b}'), "no colours where nobody sees them");

    let more = house.chat(&["--conversation", &conversation_in(&said), "--no-reasoning", "And again?"]);
    assert_eq!((out(&more).as_str(), more.status.code()), ("Later still.\n", Some(0)), "{more:?}");
    assert_eq!(conversation_in(&more), conversation_in(&said));

    for named in ["budget coach", "BUDGET-COACH"] {
        let coach = house.chat(&["--agent", named, "Try again"]);
        assert!(err(&coach).starts_with("Budget Coach\n"), "{coach:?}");
    }
    let nobody = house.chat(&["--agent", "coach", "Try again"]);
    assert_eq!((nobody.status.code(), out(&nobody).as_str()), (Some(1), ""));
    assert!(err(&nobody).contains("Budget Coach (budget-coach)"), "{nobody:?}");
    let nowhere = house.chat(&["--workspace", "elsewhere", "Try again"]);
    assert!(err(&nowhere).contains("There are: Demo (demo)"), "{nowhere:?}");
}

#[test]
fn anyone_here_can_be_meant() {
    let house = house(json!([{"match": "Sam", "text": "Hello, Sam."}]));
    let sam = house.chat(&["--as", "sam@demo.localhost", "I am Sam"]);
    assert_eq!(out(&sam), "Hello, Sam.\n", "{sam:?}");
    let nobody = house.chat(&["--as", "x@y.z", "Hello"]);
    assert!(err(&nobody).contains("Nobody here has the email address x@y.z"), "{nobody:?}");
    let nothing = house.chat(&["  "]);
    assert_eq!(nothing.status.code(), Some(1), "{nothing:?}");
    let by_address = house.chat(&["--url", &house.server.url, "Hello"]);
    assert!(err(&by_address).contains("BATON_TOKEN"), "{by_address:?}");
}

#[tokio::test]
async fn a_token_talks_from_anywhere_but_does_not_approve_its_own_wishes() {
    let save = json!({"action": "save", "path": "reviews", "content": "On Fridays."});
    let house = house(json!([
        {"match": "Hello", "text": "Hello."},
        {"match": "Remember", "calls": [{"name": "manageMemory", "arguments": save}]},
        {"match": "Remember", "text": "Noted."},
    ]));
    let (house, cookie, workspace) = house.with_memory().await;
    let token = house.token(&cookie, &workspace).await;
    let elsewhere = tempfile::tempdir().expect("a folder");
    let chat = |token: &str, args: &[&str]| {
        let mut command = command(elsewhere.path());
        command.env("BATON_TOKEN", token).env("BATON_URL", &house.server.url);
        command.arg("chat").args(args).output().expect("ran")
    };
    let said = chat(&token, &["Hello"]);
    assert_eq!((out(&said).as_str(), said.status.code()), ("Hello.\n", Some(0)), "{said:?}");
    let asked = chat(&token, &["--agent", "budget-coach", "--yes", "Remember it"]);
    assert_eq!(asked.status.code(), Some(3), "{asked:?}");
    assert!(err(&asked).contains("A token can't approve what it asked for itself"), "{asked:?}");
    assert!(!err(&asked).contains("own_request"), "it is known without asking the server: {asked:?}");
    let wrong = chat("bat_wrong", &["Hello"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(err(&wrong).contains("BATON_TOKEN"), "{wrong:?}");
    assert!(!elsewhere.path().join("data").exists(), "nothing is made");
}

#[tokio::test]
async fn what_asks_for_approval_waits_or_is_allowed_by_yes() {
    let save = json!({"action": "save", "path": "reviews", "content": "On Fridays."});
    let house = house(json!([
        {"match": "Remember", "text": "I note it.", "calls": [{"name": "manageMemory", "arguments": save}]},
        {"match": "Remember", "text": "Noted."},
    ]));
    let (house, cookie, workspace) = house.with_memory().await;
    let waits = house.chat(&["--agent", "budget-coach", "Remember it"]);
    assert_eq!((out(&waits).as_str(), waits.status.code()), ("I note it.\n", Some(3)), "{waits:?}");
    let aside = err(&waits);
    let asked = "Memory wants to save\n  Remember this, only when it works for you.\n  reviews Note: nothing → On Fridays.\n  \
                 with\n  content: On Fridays.\n";
    for part in [asked, "waits for your approval", "--yes"] {
        assert!(aside.contains(part), "{part:?} is missing in {aside}");
    }
    let pending = format!("{}/api/approvals?workspaceId={workspace}&status=pending", house.server.url);
    assert_eq!(get(&pending, &cookie).await["approvals"].as_array().map(Vec::len), Some(1));

    let id = aside.rsplit("--conversation ").next().expect("an id").trim();
    let taken_up = house.chat(&["--conversation", id, "--yes"]);
    assert_eq!(taken_up.status.code(), Some(0), "{taken_up:?}");
    assert!(out(&taken_up).ends_with("Noted.\n"), "{taken_up:?}");
    assert_eq!(get(&pending, &cookie).await["approvals"].as_array().map(Vec::len), Some(0));
    let stored = get(&format!("{}/api/agent-conversations/{id}", house.server.url), &cookie).await;
    assert_eq!(stored["messages"][1]["status"], "complete", "it was decided, not talked over");
    let again = house.chat(&["--conversation", id, "--yes"]);
    assert!(err(&again).contains("nothing waits"), "{again:?}");

    // What is allowed beforehand is what comes of the message, not what waited before it.
    let waits = house.chat(&["--agent", "budget-coach", "Remember it"]);
    let aside = err(&waits);
    let id = aside.rsplit("--conversation ").next().expect("an id").trim();
    house.chat(&["--conversation", id, "--yes", "Never mind"]);
    let stored = get(&format!("{}/api/agent-conversations/{id}", house.server.url), &cookie).await;
    assert_eq!(stored["messages"][1]["status"], "stopped", "it was talked over");

    let allowed = house.chat(&["--agent", "budget-coach", "--yes", "Remember it"]);
    assert_eq!(
        (out(&allowed).as_str(), allowed.status.code()),
        ("I note it.\n\nNoted.\n", Some(0)),
        "{allowed:?}"
    );
    assert!(err(&allowed).contains("approved by Robin Demo\n"), "{allowed:?}");
}

#[test]
fn a_turn_that_fails_says_so() {
    let house = house(json!([{"error": "model_key_rejected"}]));
    let failed = house.chat(&["Hello"]);
    assert_eq!((out(&failed).as_str(), failed.status.code()), ("", Some(1)), "{failed:?}");
    assert!(err(&failed).contains("(model_key_rejected)"), "{failed:?}");
}

#[test]
fn without_a_server_it_says_how_to_start_one() {
    let dir = tempfile::tempdir().expect("a folder");
    let chat = || command(dir.path()).args(["chat", "Hello"]).output().expect("ran");
    let alone = chat();
    assert_eq!(alone.status.code(), Some(1));
    assert!(err(&alone).contains("no Baton runs on") && err(&alone).contains("baton serve"), "{alone:?}");
    assert!(!dir.path().join("data").exists(), "nothing is made");

    drop(start(dir.path(), &["--demo"])); // SIGKILL: its door is still there
    assert!(dir.path().join("data/operator.json").exists());
    let killed = chat();
    assert!(err(&killed).contains("no Baton runs on"), "{killed:?}");

    let nobody = tempfile::tempdir().expect("a folder");
    let _server = start(nobody.path(), &[]);
    let early = command(nobody.path()).args(["chat", "Hello"]).output().expect("ran");
    assert!(err(&early).contains("Nobody has set this server up yet"), "{early:?}");
}

#[tokio::test]
async fn the_session_it_opens_is_short_and_ends_with_it() {
    let house = house(json!([{"text": "Hello."}]));
    let door = std::fs::read_to_string(house.dir.path().join("data/operator.json")).expect("a door");
    let door: Value = serde_json::from_str(&door).expect("json");
    let url = format!("{}/api/operator/session", house.server.url);
    let (status, ..) = post(&url, json!({})).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let client = Client::builder().no_proxy().build().expect("a client");
    let open = client.post(&url).bearer_auth(text(&door["key"])).json(&json!({})).send().await;
    let opened: Value = open.expect("an answer").json().await.expect("json");
    let cookie = format!("baton_session={}", text(&opened["session"]));
    let me = get(&format!("{}/api/auth/me", house.server.url), &cookie).await;
    assert_eq!(me["profile"]["name"], "Robin Demo");
    assert_eq!(me["workspaces"][0]["slug"], "demo");

    assert_eq!(house.chat(&["Hello"]).status.code(), Some(0));
    drop(house.server);
    let database = house.dir.path().join("data/baton.db");
    let left = sessions(&database).await;
    assert_eq!(left.len(), 1, "the program's own is gone");
    assert!((11..=12).contains(&left[0]), "{left:?}: using it doesn't make it longer");
}

/// In how many hours each session ends.
async fn sessions(database: &Path) -> Vec<i64> {
    use sea_orm::ConnectionTrait;
    let url = format!("sqlite://{}?mode=rwc", database.display());
    let db = sea_orm::Database::connect(url).await.expect("a database");
    let rows = db.query_all_raw(sea_orm::Statement::from_string(
        sea_orm::DatabaseBackend::Sqlite,
        "SELECT CAST((julianday(expires_at) - julianday('now')) * 24 + 0.1 AS INTEGER) AS hours FROM sessions",
    ));
    let rows = rows.await.expect("rows");
    rows.iter().map(|row| row.try_get("", "hours").expect("a number")).collect()
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_the_turn() {
    let house = house(json!([{"text": "word ".repeat(400), "delay_ms_per_word": 20}]));
    let mut child = house
        .command()
        .arg("Tell me something long")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ran");
    let mut first = [0; 4];
    child.stdout.as_mut().expect("its output").read_exact(&mut first).expect("a word");
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("told");
    assert!(told.success());
    let ended = child.wait_with_output().expect("an end");
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    assert!(err(&ended).contains("stopping …") && err(&ended).contains("stopped · "), "{ended:?}");
    assert!(out(&ended).len() < 1_000, "{ended:?}");
}

#[test]
fn a_server_that_is_killed_and_started_again_is_followed_to_the_end() {
    let mut house = house(json!([{"text": "word ".repeat(60), "delay_ms_per_word": 50}]));
    let mut child = house
        .command()
        .arg("Tell me something")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ran");
    let mut first = [0; 4];
    child.stdout.as_mut().expect("its output").read_exact(&mut first).expect("a word");
    let _ = house.server.child.kill();
    let _ = house.server.child.wait();
    let at = house.server.url.trim_start_matches("http://").to_owned();
    let mut again = command(house.dir.path());
    again.args(["serve", "--demo", "--model-script", "script.json", "--listen", &at]).stdout(Stdio::null());
    house.server.child = again.spawn().expect("the program");

    let ended = child.wait_with_output().expect("an end");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(err(&ended).contains("(starting again)"), "{ended:?}");
    let answer = out(&ended);
    let last = answer.trim_end().rsplit('\n').next().unwrap_or_default();
    assert_eq!(last.trim(), "word ".repeat(60).trim(), "all of it, after it began again");
}

#[test]
fn help_says_who_and_how() {
    let dir = tempfile::tempdir().expect("a folder");
    let help = command(dir.path()).args(["chat", "--help"]).output().expect("ran");
    for part in [
        "--agent",
        "--team",
        "/switch",
        "--conversation",
        "--workspace",
        "--as",
        "--yes",
        "BATON_TOKEN",
        "BATON_URL",
        "Exit codes",
    ] {
        assert!(out(&help).contains(part), "{part} is missing in {}", out(&help));
    }
}
