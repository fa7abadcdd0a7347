//! Tools that people define over other people's APIs, and presets of Baton's own: from the API to an agent's call.

use std::path::Path;
use std::sync::{Arc, Mutex};

use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::agents::member;
use crate::approvals::decision;
use crate::process::{get, post, start_with};
use crate::talk::{conversation_of, names, scripted_with, text_of};
use crate::test_app::{Actor, text};

const AGENT: &str = "Knowledge Curator";

/// Somebody's API on this machine. It tells what it was asked, and answers all alike.
pub struct Api {
    pub url: String,
    heard: Arc<Mutex<Vec<String>>>,
    asked: Arc<Notify>,
}

#[derive(Clone, Copy)]
pub enum Answers {
    With(&'static str),
    /// The connection is closed after the request.
    Nothing,
    /// Never; the connection stays.
    Never,
}

impl Api {
    pub async fn that(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let api = Self { url, heard: Arc::default(), asked: Arc::default() };
        let (heard, asked) = (api.heard.clone(), api.asked.clone());
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let (heard, asked) = (heard.clone(), asked.clone());
                tokio::spawn(async move {
                    let request = request(&mut socket).await;
                    heard.lock().expect("unpoisoned").push(request);
                    asked.notify_one();
                    match answers {
                        Answers::With(body) => {
                            let head = format!(
                                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                                body.len()
                            );
                            let _ = socket.write_all(format!("{head}{body}").as_bytes()).await;
                        }
                        Answers::Nothing => {}
                        Answers::Never => std::future::pending().await,
                    }
                });
            }
        });
        api
    }

    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("unpoisoned").clone()
    }

    /// Waits for a request.
    pub async fn is_asked(&self) {
        self.asked.notified().await;
    }
}

async fn request(socket: &mut TcpStream) -> String {
    let (mut text, mut bytes) = (String::new(), [0; 4096]);
    loop {
        let read = socket.read(&mut bytes).await.unwrap_or(0);
        text.push_str(&String::from_utf8_lossy(&bytes[..read]));
        if read == 0 {
            return text;
        }
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return text;
        }
    }
}

pub fn open_here() -> Given {
    Given {
        sign_up: Some(SignUp::Open),
        outbound_allow: Some(vec!["127.0.0.0/8".parse().expect("a network")]),
        ..Given::default()
    }
}

pub fn ticket_tool(workspace: &str, url: &str) -> Value {
    json!({
        "workspaceId": workspace, "name": "open_ticket", "type": "http_api",
        "description": "Opens a ticket at the help desk.",
        "config": {
            "method": "POST", "url": format!("{url}/desks/{{desk}}/tickets"),
            "headers": {"X-Source": "baton"}, "secret_headers": ["Authorization"],
            "parameters": {
                "type": "object",
                "properties": {"desk": {"type": "string"}, "title": {"type": "string"}},
                "required": ["desk", "title"],
            },
            "pick": "/ticket",
        },
        "secrets": {"Authorization": "Bearer s3cret-key"},
    })
}

fn opens() -> Value {
    json!([{"name": "open_ticket", "arguments": {"desk": "it/1", "title": "Printer"}}])
}

/// The agent has exactly these tools.
pub async fn has(who: &Actor<'_>, tools: Value) -> String {
    let agent = text(&who.agent(AGENT).await["localAgentId"]);
    let path = format!("/api/agents/{agent}");
    who.patch(&path, json!({"tools": tools})).await.expect(StatusCode::OK);
    path
}

#[tokio::test]
async fn an_api_from_its_definition_to_an_approved_call() {
    let api = Api::that(Answers::With(r#"{"ticket": {"number": 7}, "internal": true}"#)).await;
    let replies = json!([{"calls": opens()}, {"text": "Ticket 7 is open."}]);
    let (app, _script) = scripted_with(replies, open_here()).await;
    let ana = app.person("ana").await;
    let made = ana.post("/api/tools", ticket_tool(&ana.workspace, &api.url)).await;
    let made = made.expect(StatusCode::CREATED);
    assert_eq!((&made["type"], &made["missing_secrets"]), (&json!("http_api"), &json!([])));
    assert_eq!(made["config"]["trusted_as"], "unknown", "nobody vouches for it");
    let path = has(&ana, json!(["open_ticket"])).await;
    let agent = ana.get_owned(path).await;
    let detail = &agent["localAgent"]["toolDetails"][0];
    assert_eq!((&detail["server"], &detail["available"]), (&json!("http-tools"), &json!(true)));

    let events = ana.chat(AGENT, "My printer is broken").await;
    let asked = events.last().expect("asked");
    assert_eq!((asked.name.as_str(), &asked.data["toolName"]), ("approval_required", &json!("open_ticket")));
    assert_eq!(api.heard(), Vec::<String>::new(), "nothing is sent before it is allowed");
    let conversation = conversation_of(&events);
    let mut rest = ana.follow(&conversation, asked.id.as_deref().expect("an id")).await;
    let approve = format!("/api/approvals/{}/approve", text(&asked.data["approvalId"]));
    ana.post(&approve, decision(&asked.data, json!({}))).await.expect(StatusCode::OK);
    let result = rest.until("tool_result").await.data;
    assert_eq!(
        (&result["success"], &result["result"]),
        (&json!(true), &json!({"status": 200, "answer": {"number": 7}}))
    );
    assert_eq!(rest.until("done").await.data["status"], "completed");
    let heard = api.heard();
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(heard[0].starts_with("POST /desks/it%2F1/tickets HTTP/1.1\r\n"), "{}", heard[0]);
    assert!(heard[0].contains("authorization: Bearer s3cret-key\r\n"), "{}", heard[0]);
    assert!(heard[0].ends_with(r#"{"title":"Printer"}"#), "{}", heard[0]);

    // What is a secret stays one.
    let tools = format!("/api/tools?workspaceId={}", ana.workspace);
    let export = format!("/api/workspaces/{}/export", ana.workspace);
    let conversation = format!("/api/agent-conversations/{conversation}");
    for path in [tools, export, conversation] {
        let told = ana.request(reqwest::Method::GET, &path).send().await.expect("an answer");
        let told = told.text().await.expect("text");
        assert!(told.contains("open_ticket") && !told.contains("s3cret-key"), "{path}");
    }
    app.end().await;
}

/// Sent once, whatever comes of it: the model is told that nobody knows, and the next call asks first.
#[tokio::test]
async fn a_call_without_an_answer_is_not_sent_again_by_itself() {
    let api = Api::that(Answers::Nothing).await;
    let replies = json!([{"calls": opens()}, {"calls": opens()}, {"text": "I can't tell."}]);
    let (app, _script) = scripted_with(replies, open_here()).await;
    let ana = app.person("ana").await;
    ana.post("/api/tools", ticket_tool(&ana.workspace, &api.url)).await.expect(StatusCode::CREATED);
    let path = has(&ana, json!(["open_ticket"])).await;
    let rules = format!("{path}/allow-rules");
    ana.post(&rules, json!({"tool_name": "open_ticket"})).await.expect(StatusCode::CREATED);
    let events = ana.chat(AGENT, "My printer is broken").await;
    let result = events.iter().find(|got| got.name == "tool_result").expect("a result");
    assert_eq!(result.data["success"], false, "{}", result.data);
    assert!(result.data["result"].to_string().contains("nobody knows"), "{}", result.data);
    assert_eq!(
        events.last().map(|got| got.name.as_str()),
        Some("approval_required"),
        "although a rule allows it"
    );
    assert_eq!(api.heard().len(), 1);
    app.end().await;
}

#[tokio::test]
async fn what_was_allowed_ends_when_the_tool_becomes_another() {
    let api = Api::that(Answers::With("{}")).await;
    let replies = json!([{"match": "now", "calls": opens()}, {"text": "Done."}]);
    let (app, _script) = scripted_with(replies, open_here()).await;
    let ana = app.person("ana").await;
    let made =
        ana.post("/api/tools", ticket_tool(&ana.workspace, &api.url)).await.expect(StatusCode::CREATED);
    let tool = format!("/api/tools/{}", text(&made["id"]));
    let rules = format!("{}/allow-rules", has(&ana, json!(["open_ticket"])).await);
    let allow =
        async || ana.post(&rules, json!({"tool_name": "open_ticket"})).await.expect(StatusCode::CREATED);
    let left = async || ana.get_owned(rules.clone()).await["rules"].as_array().map(Vec::len);
    allow().await;
    assert!(!names(&ana.chat(AGENT, "now").await).contains(&"approval_required"));
    ana.patch(&tool, json!({"description": "Opens a ticket."})).await.expect(StatusCode::OK);
    assert_eq!(left().await, Some(1), "it does what it did");
    let mut config = made["config"].clone();
    config["url"] = json!(format!("{}/other", api.url));
    ana.patch(&tool, json!({"config": config})).await.expect(StatusCode::OK);
    assert_eq!(left().await, Some(0));
    assert!(names(&ana.chat(AGENT, "now").await).contains(&"approval_required"));
    allow().await;
    ana.delete(&tool).await.expect(StatusCode::OK);
    ana.post("/api/tools", ticket_tool(&ana.workspace, &api.url)).await.expect(StatusCode::CREATED);
    assert_eq!(left().await, Some(0), "another tool has its name now");
    app.end().await;
}

#[tokio::test]
async fn an_admin_says_always_ask_or_never_for_each_agent_and_tool() {
    let api = Api::that(Answers::With("{}")).await;
    let replies = json!([{"match": "now", "calls": opens()}, {"text": "Done."}]);
    let (app, _script) = scripted_with(replies, open_here()).await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let made =
        ana.post("/api/tools", ticket_tool(&ana.workspace, &api.url)).await.expect(StatusCode::CREATED);
    let agent = has(&ana, json!(["open_ticket"])).await;
    let permissions = format!("{agent}/tool-permissions");
    let put = |who: &Actor<'_>, body: Value| who.request(reqwest::Method::PUT, &permissions).json(&body);
    let level = |level: &str| json!({"tool_id": made["id"], "level": level});
    let set =
        async |to: &str| crate::test_app::Answer::read(put(&ana, level(to))).await.expect(StatusCode::OK);
    let refused = crate::test_app::Answer::read(put(&ben, level("always"))).await;
    assert_eq!(refused.refusal(), (403, "role_too_low"));
    for (wrong, field) in [
        (json!({"tool_id": made["id"], "raw_name": "x", "level": "ask"}), "raw_name"),
        (json!({"tool_id": made["id"], "level": "sometimes"}), "level"),
    ] {
        let refused = crate::test_app::Answer::read(put(&ana, wrong)).await;
        assert_eq!((refused.status.as_u16(), &refused.body["field"]), (400, &json!(field)));
    }
    set("always").await;
    let listed = ana.get_owned(permissions.clone()).await["permissions"].clone();
    assert_eq!(listed, json!([{"tool_id": made["id"], "raw_name": null, "level": "always"}]));
    assert!(!names(&ana.chat(AGENT, "now").await).contains(&"approval_required"));
    assert_eq!(api.heard().len(), 1);

    ana.patch(&agent, json!({"permission_mode": "bypassPermissions"})).await.expect(StatusCode::OK);
    set("ask").await;
    assert!(names(&ana.chat(AGENT, "now").await).contains(&"approval_required"), "whatever its mode");
    set("never").await;
    let events = ana.chat(AGENT, "now").await;
    let result = events.iter().find(|got| got.name == "tool_result").expect("a result");
    assert!(result.data["result"].to_string().contains("no tool"), "{}", result.data);
    assert_eq!(api.heard().len(), 1, "it has no such tool");

    ana.delete(&format!("{permissions}?toolId={}", text(&made["id"]))).await.expect(StatusCode::OK);
    ana.patch(&agent, json!({"permission_mode": "default"})).await.expect(StatusCode::OK);
    set("always").await;
    let mut config = made["config"].clone();
    config["url"] = json!(format!("{}/other", api.url));
    ana.patch(&format!("/api/tools/{}", text(&made["id"])), json!({"config": config}))
        .await
        .expect(StatusCode::OK);
    assert!(names(&ana.chat(AGENT, "now").await).contains(&"approval_required"), "it is another tool now");
    app.end().await;
}

#[tokio::test]
async fn a_document_of_an_api_tells_which_tools_it_could_be() {
    let api = Api::that(Answers::With("openapi: 3.1.0\ninfo: {title: Desk}\nservers: [{url: /v2}]\npaths:\n  /tickets:\n    post: {operationId: open, summary: Opens one.}\n    delete: {operationId: x, security: [{gone: []}]}\n")).await;
    let (app, _script) = scripted_with(json!([]), open_here()).await;
    let ana = app.person("ana").await;
    let url = format!("{}/openapi.yaml", api.url);
    let told = ana.post("/api/tools/openapi", json!({"workspaceId": ana.workspace, "url": url})).await;
    let told = told.expect(StatusCode::OK);
    let operation = told["operations"][0].clone();
    assert_eq!((&told["title"], &operation["name"]), (&json!("Desk"), &json!("open")));
    assert!(told["not_imported"][0]["why"].as_str().is_some_and(|why| why.contains("gone")), "{told}");
    let new = json!({
        "workspaceId": ana.workspace, "type": "http_api", "name": operation["name"],
        "description": operation["description"], "config": operation["config"],
    });
    let made = ana.post("/api/tools", new).await.expect(StatusCode::CREATED);
    assert_eq!(made["config"]["url"], json!(format!("{}/v2/tickets", api.url)));
    for (wrong, field) in [
        (json!({}), "document"),
        (json!({"document": "[]"}), "document"),
        (json!({"url": "http://169.254.169.254/"}), "url"),
    ] {
        let mut body = wrong;
        body["workspaceId"] = json!(ana.workspace);
        let refused = ana.post("/api/tools/openapi", body).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["field"]),
            (400, &json!(field)),
            "{}",
            refused.body
        );
    }
    app.end().await;
}

#[tokio::test]
async fn secrets_stay_as_long_as_they_go_to_the_same_place() {
    let api = Api::that(Answers::With("{}")).await;
    let (app, _script) = scripted_with(json!([]), open_here()).await;
    let ana = app.person("ana").await;
    let mut new = ticket_tool(&ana.workspace, &api.url);
    new["config"]["secret_headers"] = json!(["Authorization", "X-Second"]);
    let made = ana.post("/api/tools", new).await.expect(StatusCode::CREATED);
    assert_eq!(made["missing_secrets"], json!(["X-Second"]), "it can be given later");
    let tool = format!("/api/tools/{}", text(&made["id"]));
    let test = format!("{tool}/test");
    let run = async || {
        ana.post(&test, json!({"arguments": {"desk": "1", "title": "x"}})).await.expect(StatusCode::OK)
    };
    let lacks = run().await;
    assert!(lacks["ok"] == false && lacks["result"].to_string().contains("X-Second"), "{lacks}");
    assert_eq!(api.heard().len(), 0);
    let given = ana.patch(&tool, json!({"secrets": {"X-Second": "two"}})).await.expect(StatusCode::OK);
    assert_eq!(given["missing_secrets"], json!([]));
    assert_eq!(run().await["ok"], true);
    let heard = api.heard().pop().expect("a request");
    assert!(heard.contains("Bearer s3cret-key") && heard.contains("x-second: two"), "both: {heard}");
    let gone = ana.patch(&tool, json!({"secrets": {"X-Second": null}})).await.expect(StatusCode::OK);
    assert_eq!(gone["missing_secrets"], json!(["X-Second"]));
    for (secrets, field) in [
        (json!({"Other": "x"}), "secrets.Other"),
        (json!({"X-Second": " x"}), "secrets.X-Second"),
        (json!({"X-Second": "a\nb"}), "secrets.X-Second"),
    ] {
        let refused = ana.patch(&tool, json!({"secrets": secrets})).await;
        assert_eq!((refused.status.as_u16(), &refused.body["field"]), (400, &json!(field)));
    }
    // Whoever answers elsewhere gets no secret of before.
    let mut config = made["config"].clone();
    config["url"] = json!("http://127.0.0.1:1/desks/{desk}");
    let moved = ana.patch(&tool, json!({"config": config})).await.expect(StatusCode::OK);
    assert_eq!(moved["missing_secrets"], json!(["Authorization", "X-Second"]));
    app.end().await;
}

#[tokio::test]
async fn only_admins_in_person_let_agents_out_and_nobody_lets_them_in() {
    let (app, _script) =
        scripted_with(json!([]), Given { sign_up: Some(SignUp::Open), ..Given::default() }).await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let public = ticket_tool(&ana.workspace, "http://192.88.98.1");
    assert_eq!(ben.post("/api/tools", public.clone()).await.refusal(), (403, "role_too_low"));
    let token = ana.post("/api/auth/tokens", json!({"name": "t", "workspaceId": ana.workspace})).await;
    let program = ana.with_token(&text(&token.expect(StatusCode::CREATED)["token"]));
    assert_eq!(program.post("/api/tools", public.clone()).await.refusal(), (403, "session_required"));
    let made = ana.post("/api/tools", public).await.expect(StatusCode::CREATED);
    let tool = format!("/api/tools/{}", text(&made["id"]));
    ben.get(&tool).await.expect(StatusCode::OK);
    for refused in [
        ben.patch(&tool, json!({"description": "x"})).await,
        ben.delete(&tool).await,
        ben.post(&format!("{tool}/test"), json!({"arguments": {}})).await,
    ] {
        assert_eq!(refused.refusal(), (403, "role_too_low"));
    }
    for inside in [
        "http://127.0.0.1",
        "http://localhost:8080",
        "http://169.254.169.254",
        "http://[::ffff:10.0.0.1]",
        "http://2130706433",
    ] {
        let refused = ana.post("/api/tools", ticket_tool(&ana.workspace, inside)).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["field"]),
            (400, &json!("config.url")),
            "{inside}"
        );
    }
    let program = json!({
        "workspaceId": ana.workspace, "name": "local", "type": "mcp_server", "description": "Files.",
        "config": {"transport": "stdio", "program": "/bin/sh"},
    });
    assert_eq!(
        ana.post("/api/tools", program).await.status,
        StatusCode::FORBIDDEN,
        "an owner is no admin of the server"
    );
    app.end().await;
}

/// Somebody's own name for one of the thirteen. What it may do is what that one may do.
#[tokio::test]
async fn a_preset_is_one_of_batons_own_with_arguments_given() {
    let replies = json!([
        {"match": "note", "calls": [{"name": "note_today", "arguments": {"content": "Rain.", "path": "elsewhere"}}]},
        {"match": "note", "calls": [{"name": "note_today", "arguments": {"content": "Rain."}}]},
        {"text": "Noted."},
    ]);
    let (app, _script) = scripted_with(replies, open_here()).await;
    let ana = app.person("ana").await;
    let preset = |tool: &str, arguments: Value| {
        json!({
            "workspaceId": ana.workspace, "name": "note_today", "type": "internal", "description": "Notes the weather.",
            "config": {"tool": tool, "arguments": arguments},
        })
    };
    for (wrong, field) in [
        (preset("noSuchTool", json!({})), "config.tool"),
        (preset("manageMemory", json!({"colour": 1})), "config.arguments.colour"),
        (preset("manageMemory", json!({"action": "burn"})), "config.arguments.action"),
    ] {
        let refused = ana.post("/api/tools", wrong).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["field"]),
            (400, &json!(field)),
            "{}",
            refused.body
        );
    }
    let good = preset("manageMemory", json!({"action": "save", "path": "weather"}));
    let made = ana.post("/api/tools", good).await.expect(StatusCode::CREATED);
    let path = has(&ana, json!(["note_today"])).await;
    ana.patch(&path, json!({"permission_mode": "acceptEdits"})).await.expect(StatusCode::OK);
    let events = ana.chat(AGENT, "note it").await;
    assert_eq!(text_of(&events), "Noted.", "{events:?}");
    let notes = ana.get_owned(format!("{path}/memories")).await;
    let paths: Vec<String> =
        notes["memories"].as_array().expect("memories").iter().map(|note| text(&note["path"])).collect();
    assert!(paths.len() == 1 && paths[0].ends_with("weather"), "{paths:?}");
    let tried = ana
        .post(&format!("/api/tools/{}/test", text(&made["id"])), json!({"arguments": {"content": "x"}}))
        .await;
    assert_eq!(tried.status, StatusCode::BAD_REQUEST, "it writes: {}", tried.body);
    app.end().await;
}

/// `kill -9` while the request is out: the API is asked once, and the turn goes on with what is known.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_in_the_middle_of_a_call_does_not_send_it_again() {
    baton_tools::outbound::install_tls();
    let api = Api::that(Answers::Never).await;
    let dir = tempfile::tempdir().expect("a folder");
    let script = json!({"replies": [{"calls": opens()}, {"text": "I could not find out."}]});
    std::fs::write(dir.path().join("script.json"), script.to_string()).expect("written");
    let serve = || {
        let script = dir.path().join("script.json");
        let env =
            [("BATON_MODEL_SCRIPT", script.as_path()), ("BATON_OUTBOUND_ALLOW", Path::new("127.0.0.0/8"))];
        start_with(dir.path(), &["--demo"], &env)
    };
    let server = serve();
    let (_, me, cookie) =
        post(&format!("{}/api/auth/links/redeem", server.url), json!({"token": server.link})).await;
    let workspace = text(&me["workspaces"][0]["id"]);
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let send = |method: reqwest::Method, url: String, body: Value| {
        client.request(method, url).header("cookie", &cookie).json(&body).send()
    };
    let tools = format!("{}/api/tools", server.url);
    let made =
        send(reqwest::Method::POST, tools, ticket_tool(&workspace, &api.url)).await.expect("an answer");
    assert_eq!(made.status(), StatusCode::CREATED);
    let agents =
        get(&format!("{}/api/agents?workspaceId={workspace}&search=project", server.url), &cookie).await;
    let agent = text(&agents["agents"][0]["localAgentId"]);
    let path = format!("{}/api/agents/{agent}", server.url);
    let free = json!({"tools": ["open_ticket"], "permission_mode": "bypassPermissions"});
    assert_eq!(send(reqwest::Method::PATCH, path, free).await.expect("an answer").status(), StatusCode::OK);
    let message = json!({"message": "My printer is broken", "workspaceId": workspace, "agentId": agent});
    let turn = send(reqwest::Method::POST, format!("{}/api/agent-chat", server.url), message);
    let turn = turn.await.expect("a stream");
    api.is_asked().await;
    drop(server); // SIGKILL
    drop(turn);
    let server = serve();
    let list = format!("{}/api/agent-conversations?workspaceId={workspace}", server.url);
    let list = get(&list, &cookie).await;
    let conversation = text(&list[0]["id"]);
    // From the beginning: the turn may be over before anybody reads.
    let stream = format!("{}/api/agent-chat/{conversation}/stream?after=0.0", server.url);
    let reading = crate::talk::Reading::open(client.get(stream).header("cookie", &cookie)).await;
    let mut reading = reading;
    reading.until("done").await;
    let read = get(&format!("{}/api/agent-conversations/{conversation}", server.url), &cookie).await;
    let call = &read["messages"][1]["parts"][0];
    assert!(call["result"].to_string().contains("nobody knows"), "{read}");
    assert_eq!(api.heard().len(), 1, "it was sent once");
}
