//! Databases that earlier versions wrote (`scripts/keep-database`): this version opens them, reads everything in them,
//! and goes on with every conversation, including one whose turn was cut off and one that waits for a person.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use reqwest::{Client, Method, StatusCode};
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};

use crate::approvals::decision;
use crate::database::TestDatabase;
use crate::process::{Server, post, start_with};
use crate::talk::{Got, text_of};
use crate::test_app::{Actor, text};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
const OF_POSTGRES: &str = "-postgres.zip";

/// The conversations that each of them holds, by title.
const KEPT: [&str; 11] = [
    "approval",
    "attachment",
    "cut",
    "failed",
    "fork",
    "fork, first version",
    "pipeline",
    "router",
    "subtask",
    "swarm",
    "switched",
];

/// Those of the engine that the tests run on.
fn kept(database: &TestDatabase) -> Vec<PathBuf> {
    let is_postgres = database.url().is_some();
    let files = std::fs::read_dir(FIXTURES).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut kept: Vec<PathBuf> = files
        .filter(|path| {
            let name = path.to_string_lossy();
            name.ends_with(".zip") && name.ends_with(OF_POSTGRES) == is_postgres
        })
        .collect();
    kept.sort();
    kept
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).expect("a file")).expect("an archive");
    let mut bytes = Vec::new();
    archive.by_index(0).expect("one file").read_to_end(&mut bytes).expect("read");
    bytes
}

/// Puts it back. What waited for a person must not have waited too long by now.
async fn restore(path: &Path, database: &TestDatabase, dir: &Path) {
    let url = match database.url() {
        Some(url) => {
            let sql = String::from_utf8(unpacked(path)).expect("text");
            let into = Database::connect(&url).await.expect("connected");
            into.execute_unprepared(&sql).await.expect("restored");
            into.close().await.expect("closed");
            url
        }
        None => {
            let file = dir.join("data").join("baton.db");
            std::fs::create_dir(dir.join("data")).expect("a folder");
            std::fs::write(&file, unpacked(path)).expect("written");
            format!("sqlite://{}", file.display())
        }
    };
    let rows = Database::connect(url).await.expect("connected");
    let waits = "UPDATE approvals SET expires_at = '2999-01-01 00:00:00+00:00' WHERE status = 'pending'";
    rows.execute_unprepared(waits).await.expect("changed");
    rows.close().await.expect("closed");
}

fn serve(dir: &Path, database: &TestDatabase) -> Server {
    // The long answer was slow to be cut; it need not be slow to be told.
    let script = std::fs::read_to_string(Path::new(FIXTURES).join("script.json")).expect("a script");
    let quick = script.replace(r#""delay_ms_per_word": 150"#, r#""delay_ms_per_word": 1"#);
    let (script, url) = (dir.join("script.json"), database.url());
    std::fs::write(&script, quick).expect("written");
    let mut env = vec![("BATON_MODEL_SCRIPT", script.as_path())];
    env.extend(url.as_deref().map(|url| ("DATABASE_URL", Path::new(url))));
    start_with(dir, &["--demo"], &env)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_earlier_versions_wrote_is_opened_and_gone_on_with() {
    baton_tools::outbound::install_tls();
    let database = TestDatabase::empty().await;
    let kept = kept(&database);
    assert!(!kept.is_empty());
    database.drop().await;
    for path in kept {
        println!("{}", path.display());
        let (dir, database) = (tempfile::tempdir().expect("a folder"), TestDatabase::empty().await);
        restore(&path, &database, dir.path()).await;
        let server = serve(dir.path(), &database);
        goes_on(&server).await;
        drop(server);
        database.drop().await;
    }
}

async fn goes_on(server: &Server) {
    let client = Client::builder().no_proxy().build().expect("a client");
    let (status, me, cookie) =
        post(&format!("{}/api/auth/links/redeem", server.url), json!({"token": server.link})).await;
    assert_eq!(status, StatusCode::OK, "{me}");
    let workspace = text(&me["workspaces"][0]["id"]);
    let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);

    let conversations = conversations(&owner).await;
    for title in KEPT {
        assert!(conversations.contains_key(title), "{title}");
    }
    // The turn that was cut goes on by itself: what was said is said again, and not twice.
    let cut = &conversations["cut"];
    let done = owner.follow(cut, "0.0").await.until("done").await;
    assert_eq!(done.data["status"], "completed");
    let answer = text(&owner.read(cut).await["messages"][1]["content"]);
    assert_eq!(
        (answer.matches("Once upon a time").count(), answer.ends_with("twice.")),
        (1, true),
        "{answer}"
    );

    read_everything(&owner, &conversations).await;
    work(&owner).await;
    decide(&owner, &conversations["approval"]).await;
    for (title, id) in &conversations {
        let words = if title == "router" { "Let us go back" } else { "Hello again" };
        let turn = owner.say(id, words).await;
        assert_eq!(text_of(&turn), "Still here.", "{title}");
        // Someone who reads it all from the beginning gets there too, or is told to load what was imported.
        let last = turn.last().and_then(|got| got.id.clone()).expect("a number");
        let mut stream = owner.follow(id, "0.0").await;
        let is_there = |got: &Got| got.id.as_ref() == Some(&last) || got.name == "reset";
        while !is_there(&stream.next().await.expect("more")) {}
    }
    let held =
        owner.get_owned(format!("/api/agent-conversations/{}/activations", conversations["router"])).await;
    let now = held.as_array().and_then(|held| held.last()).expect("someone holds it").clone();
    assert_eq!((&now["agent_name"], &now["trigger"]), (&json!("Ben"), &json!("router")), "{held}");
    assert_eq!(now["context_data"], json!({"colour": "red"}), "he goes on with what he had noted");
}

async fn conversations(owner: &Actor<'_>) -> BTreeMap<String, String> {
    let workspace = &owner.workspace;
    let agents = owner.agents("&hired_only=true").await["agents"].clone();
    let teams = owner.get_owned(format!("/api/teams?workspaceId={workspace}")).await["teams"].clone();
    let whose = |list: &Value, field: &str, id: &str| -> Vec<String> {
        list.as_array().expect("a list").iter().map(|row| format!("{field}={}", text(&row[id]))).collect()
    };
    let whose = [whose(&agents, "agentId", "localAgentId"), whose(&teams, "teamId", "id")].concat();
    let mut all = BTreeMap::new();
    for whose in whose {
        let path = format!("/api/agent-conversations?workspaceId={workspace}&{whose}");
        for row in owner.get_owned(path).await.as_array().expect("conversations") {
            let title = row["title"].as_str().unwrap_or_default();
            all.insert(title.to_owned(), text(&row["id"]));
            // Of the versions of one only the latest is listed, and they share their title.
            if let Some(first) = row["forked_from"].as_str() {
                all.insert(format!("{title}, first version"), first.to_owned());
            }
        }
    }
    all
}

async fn read_everything(owner: &Actor<'_>, conversations: &BTreeMap<String, String>) {
    for id in conversations.values() {
        let read = owner.read(id).await;
        for message in read["messages"].as_array().expect("messages") {
            if let Some(task) = message["metadata"]["taskId"].as_str() {
                let tree = owner.get_owned(format!("/api/tasks/{task}")).await;
                assert!(
                    tree["tasks"][0]["steps"].as_array().is_some_and(|steps| !steps.is_empty()),
                    "{tree}"
                );
            }
        }
        for more in ["activations", "snapshots"] {
            owner.get_owned(format!("/api/agent-conversations/{id}/{more}")).await;
        }
    }
    let stages =
        owner.get_owned(format!("/api/agent-conversations/{}/snapshots", conversations["pipeline"])).await;
    assert_eq!(stages[0]["data"], json!({"goal": "a car"}));
    for list in [
        "agents",
        "teams",
        "tools",
        "rules",
        "skills",
        "approvals",
        "attachments",
        "agents/stats",
        "agents/usage",
        "agents/transitions",
        "packs",
    ] {
        owner.get_owned(format!("/api/{list}?workspaceId={}", owner.workspace)).await;
    }
    for part in ["", "/export", "/members", "/audit"] {
        owner.get_owned(format!("/api/workspaces/{}{part}", owner.workspace)).await;
    }
    let files = owner.get_owned(format!("/api/attachments?workspaceId={}", owner.workspace)).await;
    let path = format!("/api/attachments/{}", text(&files["attachments"][0]["id"]));
    let file = owner.request(Method::GET, &path).send().await.expect("an answer");
    assert_eq!(file.text().await.expect("text"), "Things to do: ship it.\n");
}

/// The workspace's data, pages and channels are there, and are changed as others are.
async fn work(owner: &Actor<'_>) {
    let workspace = &owner.workspace;
    for kind in baton_core::data::kinds::KINDS {
        let rows = owner.get_owned(format!("/api/data/{}?workspaceId={workspace}&limit=1", kind.name)).await;
        let Some(row) = rows["rows"].as_array().and_then(|rows| rows.first()) else { continue };
        let path = format!("/api/data/{}/{}?workspaceId={workspace}", kind.name, text(&row["id"]));
        owner.get_owned(path.clone()).await;
        let changed = owner.patch(&path, json!({"version": row["version"]})).await;
        assert_eq!(changed.status, StatusCode::OK, "{}: {}", kind.name, changed.body);
    }
    for kind in ["transactions", "budgets", "contacts", "deals", "activities", "project_tasks"] {
        let rows = owner.get_owned(format!("/api/data/{kind}?workspaceId={workspace}&limit=1")).await;
        assert!(rows["total"].as_u64() > Some(0), "{kind}: {rows}");
    }
    owner.get_owned(format!("/api/reports/balances?workspaceId={workspace}")).await;
    let page = owner.pages("").await["pages"][0].clone();
    let page = owner.page(&page["id"]).await;
    let body = json!({"version": page["version"], "body": "Changed: xylophone."});
    owner.patch(&format!("/api/knowledge/{}", text(&page["id"])), body).await.expect(StatusCode::OK);
    let found = owner.get_owned(format!("/api/knowledge/search?workspaceId={workspace}&search=xyloph")).await;
    assert_eq!(found["pages"][0]["id"], page["id"], "{found}");
    let channel = text(&owner.channels().await["channels"][0]["id"]);
    let before = owner.messages_in(&channel).await;
    assert!(!before.is_empty());
    let path = format!("/api/channels/{channel}/messages");
    owner.post(&path, json!({"text": "Still here?"})).await.expect(StatusCode::CREATED);
    let last = |messages: &[Value]| messages.iter().filter_map(|message| message["number"].as_i64()).max();
    assert_eq!(last(&owner.messages_in(&channel).await), last(&before).map(|number| number + 1));
}

/// The approval that waited is given, and the turn goes on.
async fn decide(owner: &Actor<'_>, conversation: &str) {
    let pending =
        owner.get_owned(format!("/api/approvals?workspaceId={}&status=pending", owner.workspace)).await;
    let asked = pending["approvals"][0].clone();
    let cursor = text(&owner.read(conversation).await["cursor"]);
    let path = format!("/api/approvals/{}/approve", text(&asked["id"]));
    owner.post(&path, decision(&asked, json!({}))).await.expect(StatusCode::OK);
    let done = owner.follow(conversation, &cursor).await.until("done").await;
    assert_eq!(done.data["status"], "completed");
    let curator = text(&asked["agent_id"]);
    let notes = owner.get_owned(format!("/api/agents/{curator}/memories")).await;
    let mut paths: Vec<String> =
        notes["memories"].as_array().expect("memories").iter().map(|note| text(&note["path"])).collect();
    paths.sort();
    assert_eq!(paths, ["habits", "tea"]);
}
