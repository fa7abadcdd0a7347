//! Secrets at rest: what is stored can be read by nobody else, nothing gives it out, and its key can be changed.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use baton_server::secrets::{KEY_FILE, Keyring, Unreadable};
use baton_server::settings::Given;
use reqwest::{Method, StatusCode};
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::database::TestDatabase;
use crate::process::{command, start};
use crate::providers::fake;
use crate::talk::{conversation_of, text_of};
use crate::test_app::{Actor, TestApp, text};

const PLANTED: &str = "sk-planted-5f3759df";

async fn add(by: &Actor<'_>, name: &str, url: &str, workspace: Option<&str>) -> Value {
    let models = json!([{"model": "llama"}]);
    let body = json!({"workspaceId": workspace, "name": name, "wire": "openai", "base_url": url, "key": PLANTED, "models": models});
    by.post("/api/providers", body).await.expect(StatusCode::CREATED)
}

fn local() -> Given {
    Given {
        sign_up: Some(baton_core::people::SignUp::Open),
        outbound_allow: Some(vec!["127.0.0.0/8".parse().expect("a network")]),
        ..Given::default()
    }
}

/// All that is logged, at the finest level.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("the log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A gateway that repeats the key it was sent, as some do in their errors.
async fn tattling() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = [0; 8192];
            let read = socket.read(&mut request).await.unwrap_or(0);
            let asked = String::from_utf8_lossy(&request[..read]).into_owned();
            let sent = asked
                .lines()
                .find(|line| line.to_lowercase().starts_with("authorization"))
                .unwrap_or_default();
            let body = json!({"error": {"message": format!("I don't like {sent}"), "type": "invalid_request_error"}}).to_string();
            let head = format!(
                "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            let _ = socket.write_all(format!("{head}{body}").as_bytes()).await;
        }
    });
    url
}

/// The bytes of the database and of everything beside it.
async fn stored(database: &TestDatabase) -> Vec<u8> {
    match database {
        TestDatabase::Sqlite(dir) => {
            let files =
                std::fs::read_dir(dir.path()).expect("files").map(|file| file.expect("a file").path());
            files.filter(|path| path.is_file()).flat_map(|path| std::fs::read(path).expect("bytes")).collect()
        }
        TestDatabase::Postgres { .. } => {
            let db = Database::connect(database.url().expect("a URL")).await.expect("connected");
            let ask = async |sql: String| {
                db.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.expect("rows")
            };
            let tables =
                "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'".to_owned();
            let mut bytes = Vec::new();
            for table in ask(tables).await {
                let table: String = table.try_get("", "name").expect("a name");
                let sql = format!("SELECT COALESCE(string_agg(t::text, ' '), '') AS rows FROM \"{table}\" t");
                for row in ask(sql).await {
                    bytes.extend(row.try_get::<String>("", "rows").expect("text").into_bytes());
                }
            }
            db.close().await.expect("closed");
            bytes
        }
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    has(text.as_bytes()) || has(hex.as_bytes())
}

/// What every GET of the API answers to this person, whatever it is.
async fn everything_said_to(person: &Actor<'_>, ids: &[(&str, String)], fallback: &str) -> String {
    let document = serde_json::to_value(baton_server::router::openapi()).expect("a document");
    let mut said = String::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        // Streams have no end.
        if operations.get("get").is_none() || path == "/api/events" || path.ends_with("/stream") {
            continue;
        }
        let id =
            ids.iter().find(|(prefix, _)| path.starts_with(prefix)).map_or(fallback, |(_, id)| id.as_str());
        let mut filled = path.clone();
        while let (Some(from), Some(to)) = (filled.find('{'), filled.find('}')) {
            filled.replace_range(from..=to, id);
        }
        for query in [format!("?workspaceId={}", person.workspace), String::new()] {
            let answer =
                person.request(Method::GET, &format!("{filled}{query}")).send().await.expect("an answer");
            said.push_str(&format!("{:?}", answer.headers()));
            said.push_str(&answer.text().await.expect("text"));
        }
    }
    said
}

#[tokio::test]
async fn a_planted_secret_is_nowhere_to_be_found() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .try_init()
        .expect("the only test of this process");
    let app = TestApp::with(local()).await;
    let (admin, ana) = (app.admin().await, app.person("ana").await);
    let (model, tattler) = (fake("Hello.").await, tattling().await);
    let mut said = String::new();
    let server = add(&admin, "lab", &model.url, None).await;
    let own = add(&ana, "own", &tattler, Some(&ana.workspace)).await;
    said.push_str(&format!("{server}{own}"));
    // Used, tried, refused, changed: everything that touches a key.
    let events = ana.chat("Budget Coach", "Hello").await;
    assert!(events.iter().any(|got| got.data["code"] == "model_rejected"), "{events:?}");
    said.push_str(&format!("{events:?}"));
    let conversation = conversation_of(&events);
    let hello = admin.chat("Budget Coach", "Hello").await;
    assert_eq!(text_of(&hello), "Hello.");
    for (by, id, url) in [(&admin, &server["id"], &model.url), (&ana, &own["id"], &tattler)] {
        let workspace = if by.id == ana.id { json!(ana.workspace) } else { Value::Null };
        let test =
            json!({"id": id, "workspaceId": workspace, "wire": "openai", "base_url": url, "model": "llama"});
        said.push_str(&by.post("/api/providers/test", test).await.expect(StatusCode::OK).to_string());
        let wrong = json!({"key": format!("{PLANTED} with spaces")});
        said.push_str(&by.patch(&format!("/api/providers/{}", text(id)), wrong).await.body.to_string());
    }
    let engine = json!({"workspaceId": ana.workspace, "kind": "tavily", "base_url": tattler, "key": PLANTED});
    for (method, path) in [(Method::POST, "/api/search-engine/test"), (Method::PUT, "/api/search-engine")] {
        let answer = ana.request(method, path).json(&engine).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        said.push_str(&answer.text().await.expect("text"));
    }
    let bad = json!({"name": "x", "wire": "openai", "key": [PLANTED]});
    said.push_str(&admin.post("/api/providers", bad).await.body.to_string());

    let ids = [("/api/agent-conversations", conversation.clone()), ("/api/providers", text(&own["id"]))];
    said.push_str(&everything_said_to(&ana, &ids, &ana.workspace).await);
    said.push_str(&everything_said_to(&admin, &ids, &admin.workspace).await);
    assert!(said.contains("\"model_providers\""), "the export was read");
    assert!(said.contains("provider.added"), "the audit was read");
    let logged = log.0.lock().expect("the log").clone();
    assert!(holds(&logged, "model call failed"), "the log was read");
    let bytes = stored(&app.database).await;
    assert!(holds(&bytes, "llama"), "the database was read");
    for (what, given_out) in [("a response", said.as_bytes()), ("the log", &logged), ("the database", &bytes)]
    {
        let at = given_out.windows(PLANTED.len()).position(|part| part == PLANTED.as_bytes());
        let around =
            at.map(|at| String::from_utf8_lossy(&given_out[at.saturating_sub(200)..at + 40]).into_owned());
        assert!(!holds(given_out, PLANTED), "{what} holds it: {around:?}");
    }
    app.end().await;
}

async fn readable(admin: &Actor<'_>) -> Vec<bool> {
    let list = admin.get("/api/providers").await.expect(StatusCode::OK);
    let all = list["providers"].as_array().expect("providers");
    all.iter().map(|one| one["has_key"] == true && one["key_is_readable"] == true).collect()
}

fn keys(dir: &Path) -> Vec<String> {
    Keyring::of_folder(dir).expect("keys").keys().iter().map(|key| key.id.clone()).collect()
}

#[tokio::test]
async fn the_key_is_changed_and_nothing_is_lost_wherever_that_is_interrupted() {
    let app = TestApp::with(Given { secret_key: None, ..local() }).await;
    let TestDatabase::Sqlite(dir) = &app.database else { return app.end().await };
    let (admin, model) = (app.admin().await, fake("Hello.").await);
    for name in ["one", "two", "three"] {
        add(&admin, name, &model.url, None).await;
    }
    let (store, vault) = (&app.app.store, &app.app.vault);
    let first = keys(dir.path());
    assert_eq!((first.len(), store.sealing_key().await.expect("a key")), (1, first.first().cloned()));

    let done = vault.rotate(Unreadable::Keep).await.expect("rotated");
    assert_eq!((done.sealed_again, done.unreadable), (3, 0));
    let second = keys(dir.path());
    assert!(second.len() == 1 && second != first);
    assert!(store.secrets_not_under(&second[0], None).await.expect("secrets").is_empty());
    assert_eq!(readable(&admin).await, [true, true, true]);

    // What a process leaves behind that was killed: a key in the file that nothing uses, a key that was chosen, one secret
    // that was sealed again.
    let sealed_again = async || {
        let id = store.sealing_key().await.expect("read").expect("a key");
        let secret = store.secrets_not_under(&id, None).await.expect("secrets").remove(0);
        let text = vault.open(&secret.place, &secret.sealed).expect("opened");
        let again = vault.seal(secret.place.clone(), &text).await.expect("sealed");
        assert!(store.reseal(&secret, again.sealed.clone()).await.expect("stored"));
        assert!(!store.reseal(&secret, again.sealed).await.expect("asked"), "it is another by now");
    };
    for killed_after in ["adding", "choosing", "one"] {
        let before = keys(dir.path());
        let added = Keyring::of_folder(dir.path()).expect("a ring").add().expect("a key").id.clone();
        if killed_after != "adding" {
            store.choose_sealing_key(&added).await.expect("chosen");
        }
        if killed_after == "one" {
            sealed_again().await;
        }
        assert_eq!(readable(&admin).await, [true, true, true], "{killed_after}");
        // Secrets that come in between are sealed too.
        let between = add(&admin, "between", &model.url, None).await;
        let done = vault.rotate(Unreadable::Keep).await.expect("rotated");
        assert_eq!(done.unreadable, 0, "{killed_after}");
        let after = keys(dir.path());
        assert!(after.len() == 1 && !before.contains(&after[0]), "{killed_after}: {before:?} {after:?}");
        assert_eq!(readable(&admin).await, [true, true, true, true], "{killed_after}");
        admin.delete(&format!("/api/providers/{}", text(&between["id"]))).await.expect(StatusCode::OK);
    }
    assert_eq!(text_of(&admin.chat("Budget Coach", "Hello").await), "Hello.");

    // The file is lost: the server says so, stores nothing that it could not open again, and begins anew when told to.
    std::fs::remove_file(dir.path().join(KEY_FILE)).expect("removed");
    Keyring::of_folder(dir.path()).expect("a ring").first().expect("another key");
    // A server that runs has the key in memory until it reads the file again.
    assert!(vault.rotate(Unreadable::Keep).await.is_err());
    assert_eq!(readable(&admin).await, [false, false, false]);
    let refused = admin.post("/api/providers", json!({"name": "x", "wire": "openai", "key": PLANTED})).await;
    assert_eq!(refused.refusal(), (409, "secret_key_differs"));
    assert!(text(&refused.body["error"]).contains("secret.key"));
    let done = vault.rotate(Unreadable::Forget).await.expect("rotated");
    assert_eq!((done.sealed_again, done.forgotten), (0, 3));
    add(&admin, "four", &model.url, None).await;
    app.end().await;
}

#[tokio::test]
async fn a_node_without_the_key_says_so_and_makes_no_secret_of_its_own() {
    let key = |name: &str| Some(format!("{name} key of more than thirty-two characters"));
    let app = TestApp::with(Given { secret_key: key("first"), ..local() }).await;
    let TestDatabase::Postgres { .. } = app.database else { return app.end().await };
    let other = TestApp::beside(&app, Given { secret_key: key("other"), ..local() }).await;
    let admin = app.admin().await;
    let there = other.actor(admin.cookie.as_deref().expect("a cookie"), &admin.workspace);
    let model = fake("Hello.").await;
    add(&admin, "lab", &model.url, None).await;
    assert_eq!((readable(&admin).await, readable(&there).await), (vec![true], vec![false]));
    let events = there.chat("Budget Coach", "Hello").await;
    assert!(events.iter().any(|got| got.data["code"] == "model_key_unreadable"), "{events:?}");
    let new = json!({"name": "x", "wire": "openai", "key": PLANTED});
    assert_eq!(there.post("/api/providers", new).await.refusal(), (409, "secret_key_differs"));
    assert_eq!(text_of(&admin.chat("Budget Coach", "Hello").await), "Hello.");

    // The key is changed in the settings: all nodes get both, then one of them encrypts everything again.
    let both = format!("{},{}", key("other").expect("a key"), key("first").expect("a key"));
    let third = TestApp::beside(&app, Given { secret_key: Some(both), ..local() }).await;
    let nothing = Unreadable::Keep;
    assert_eq!(third.app.vault.rotate(nothing).await.expect("rotated").sealed_again, 1);
    assert!(third.app.vault.rotate(nothing).await.is_err_and(|error| error.to_string().contains("already")));
    assert_eq!((readable(&admin).await, readable(&there).await), (vec![false], vec![true]));
    assert_eq!(text_of(&there.chat("Budget Coach", "Hello").await), "Hello.");
    third.app.end().await;
    other.app.end().await;
    app.end().await;
}

#[tokio::test]
async fn the_operator_changes_the_key_of_a_server_that_runs_and_of_one_that_was_killed() {
    let dir = tempfile::tempdir().expect("a folder");
    let data = dir.path().join("data");
    let rotate = || {
        let output = command(dir.path()).args(["admin", "rotate-key"]).output().expect("run");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said} {}", String::from_utf8_lossy(&output.stderr));
        said
    };
    let nothing = command(dir.path()).args(["admin", "rotate-key"]).output().expect("run");
    assert!(!nothing.status.success() && !data.join(KEY_FILE).exists(), "there is no Baton there yet");
    let mut server = start(dir.path(), &[]);
    let first = keys(&data);
    assert_eq!(rotate(), "0 secrets are encrypted with the new key\n");
    let second = keys(&data);
    assert!(second.len() == 1 && second != first, "the running server has done it");
    server.child.kill().expect("killed");
    server.child.wait().expect("gone");
    rotate();
    assert!(keys(&data).len() == 1 && keys(&data) != second);
}
