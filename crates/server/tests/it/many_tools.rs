//! Agents with more tools than their model should read with every call: they are searched for, and called through one tool.

use std::fmt::Debug;
use std::path::Path;
use std::sync::{Arc, Mutex};

use baton_core::ids::{ProfileId, ToolId};
use baton_core::server_tools::{Annotations, Definition};
use baton_server::settings::Given;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber, span};

use crate::approvals::decision;
use crate::database::TestDatabase;
use crate::held_model::{Asked, HeldModel, Reply};
use crate::http_tools::{Answers, Api, open_here, ticket_tool};
use crate::process::{post, start_with};
use crate::test_app::{Actor, TestApp, text};

/// More than a twentieth of what is assumed of a model that nobody knows.
const LONG: usize = 30_000;

/// A tool that says so much of its parameters.
fn big_tool(workspace: &str, url: &str) -> Value {
    let mut tool = ticket_tool(workspace, url);
    tool["name"] = json!("big_report");
    tool["description"] = json!("Makes a report of everything.");
    tool["config"]["parameters"]["properties"]["title"]["description"] = json!("x".repeat(LONG));
    tool
}

fn called(body: &Value) -> Vec<(String, Value)> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let calls = messages.flat_map(|message| message["tool_calls"].as_array().into_iter().flatten());
    let call = |call: &Value| {
        let arguments = text(&call["function"]["arguments"]);
        (text(&call["function"]["name"]), serde_json::from_str(&arguments).expect("json"))
    };
    calls.map(call).collect()
}

/// What the last tool answered.
fn answered(asked: &Asked) -> Value {
    let last = asked.body["messages"].as_array().and_then(|messages| messages.last()).expect("messages");
    assert_eq!(last["role"], "tool", "{last}");
    serde_json::from_str(last["content"].as_str().expect("text")).expect("json")
}

/// Found, called by its name through the other tool, asked about as the tool it is, killed, approved, run once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_was_found_is_called_as_itself_even_after_a_kill() {
    baton_tools::outbound::install_tls();
    let api = Api::that(Answers::With(r#"{"ticket": {"number": 7}}"#)).await;
    let dir = tempfile::tempdir().expect("a folder");
    let database = TestDatabase::new().await;
    let mut model = HeldModel::start().await;
    let (url, model_url) = (database.url(), model.url.clone());
    let start = || {
        let mut env = vec![
            ("OPENAI_BASE_URL", Path::new(&model_url)),
            ("BATON_OPENAI_MODEL", Path::new("fake")),
            ("BATON_OUTBOUND_ALLOW", Path::new("127.0.0.0/8")),
        ];
        env.extend(url.as_deref().map(|url| ("DATABASE_URL", Path::new(url))));
        start_with(dir.path(), &["--demo"], &env)
    };
    let server = start();
    let client = Client::builder().no_proxy().build().expect("a client");
    let redeem = format!("{}/api/auth/links/redeem", server.url);
    let (_, me, cookie) = post(&redeem, json!({"token": server.link})).await;
    let workspace = text(&me["workspaces"][0]["id"]);
    let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
    for tool in [ticket_tool(&workspace, &api.url), big_tool(&workspace, &api.url)] {
        owner.post("/api/tools", tool).await.expect(StatusCode::CREATED);
    }
    let desk = owner.make_agent("Desk", json!({"tools": ["open_ticket", "big_report"]})).await;
    let conversation = owner.begin("agentId", &desk).await;

    let mut reading = owner.saying(&conversation, "My printer is broken").await;
    let asked = model.next().await;
    assert!(asked.offers("search_tools") && asked.offers("call_tool"), "{}", asked.body["tools"]);
    assert!(!asked.offers("open_ticket") && !asked.offers("big_report"));
    asked.reply(Reply::call("call_tool", json!({"name": "open_tickets", "arguments": {}})));
    let asked = model.next().await;
    let refused = answered(&asked);
    assert!(refused["error"].as_str().is_some_and(|why| why.contains("search_tools")), "{refused}");
    asked.reply(Reply::call("search_tools", json!({"query": "open a ticket"})));
    let asked = model.next().await;
    let found = answered(&asked);
    assert_eq!(found["tools"][0]["name"], "open_ticket", "{found}");
    assert_eq!(found["tools"][0]["input_schema"]["required"], json!(["desk", "title"]));
    asked.reply(Reply::call("call_tool", json!({"name": "open_ticket", "arguments": {"desk": "it"}})));
    let asked = model.next().await;
    let misfit = answered(&asked);
    assert!(misfit["error"].as_str().is_some_and(|why| why.contains("title")), "{misfit}");
    let arguments = json!({"desk": "it", "title": "Printer"});
    asked.reply(Reply::call("call_tool", json!({"name": "open_ticket", "arguments": arguments})));
    let question = reading.until("approval_required").await.data;
    assert_eq!((&question["toolName"], &question["args"]), (&json!("open_ticket"), &arguments));
    assert_eq!(api.heard(), Vec::<String>::new(), "nothing is sent before it is allowed");
    drop(server); // SIGKILL
    drop(reading);

    let server = start();
    let owner = Actor::nobody(&server.url, &client).with_cookie(&cookie).at(&workspace);
    let changed = json!({"desk": "it", "title": "Printer on floor 2"});
    let approve = format!("/api/approvals/{}/approve", text(&question["approvalId"]));
    let misfit = owner.post(&approve, decision(&question, json!({"arguments": {"desk": "it"}}))).await;
    assert_eq!(misfit.status, StatusCode::BAD_REQUEST, "it is checked as what it is: {}", misfit.body);
    owner.post(&approve, decision(&question, json!({"arguments": changed}))).await.expect(StatusCode::OK);
    let asked = model.next().await;
    assert_eq!(answered(&asked)["answer"], json!({"number": 7}));
    let heard = api.heard();
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(heard[0].ends_with(r#"{"title":"Printer on floor 2"}"#), "{}", heard[0]);
    // The model is shown its calls as it made them.
    let calls = called(&asked.body);
    let names: Vec<&str> = calls.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["call_tool", "search_tools", "call_tool", "call_tool"]);
    assert_eq!(calls[3].1, json!({"name": "open_ticket", "arguments": changed}));
    asked.reply(Reply::text("Ticket 7 is open."));
    let read = loop {
        let read = owner.read(&conversation).await;
        if read["turn"].is_null() {
            break read;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    let parts = read["messages"][1]["parts"].as_array().expect("parts").clone();
    let last = parts.iter().rfind(|part| part["type"] == "tool-call").expect("a call");
    assert_eq!((&last["toolName"], &last["state"]), (&json!("open_ticket"), &json!("completed")));
    // Nobody can be let use the means by which others are called.
    let rules = format!("/api/agents/{desk}/allow-rules");
    let allowable = owner.get_owned(rules.clone()).await["tools"].to_string();
    assert!(allowable.contains("open_ticket") && !allowable.contains("call_tool"), "{allowable}");
    let refused = owner.post(&rules, json!({"tool_name": "call_tool"})).await;
    assert_eq!((refused.status.as_u16(), &refused.body["field"]), (400, &json!("tool_name")));
    drop(server);
    database.drop().await;
}

/// What is "never" is in no search and can't be named; what asks is asked about, by whichever of its two names it is called.
#[tokio::test]
async fn what_an_admin_decided_holds_for_tools_that_are_searched_for() {
    let api = Api::that(Answers::With("{}")).await;
    let mut model = HeldModel::start().await;
    let given = Given { outbound_allow: open_here().outbound_allow, ..model.given() };
    let app = TestApp::with(given).await;
    let ana = app.person("ana").await;
    let mut made = Vec::new();
    let second = || {
        let mut second = big_tool(&ana.workspace, &api.url);
        second["name"] = json!("other_report");
        second
    };
    for tool in [ticket_tool(&ana.workspace, &api.url), big_tool(&ana.workspace, &api.url), second()] {
        made.push(ana.post("/api/tools", tool).await.expect(StatusCode::CREATED));
    }
    let tools = json!(["open_ticket", "big_report", "other_report"]);
    let desk = ana.make_agent("Desk", json!({"tools": tools, "permission_mode": "bypassPermissions"})).await;
    let permissions = format!("/api/agents/{desk}/tool-permissions");
    for (tool, level) in [(&made[0], "ask"), (&made[1], "never")] {
        let body = json!({"tool_id": tool["id"], "level": level});
        let put = ana.request(reqwest::Method::PUT, &permissions).json(&body);
        crate::test_app::Answer::read(put).await.expect(StatusCode::OK);
    }
    let conversation = ana.begin("agentId", &desk).await;
    let mut reading = ana.saying(&conversation, "My printer is broken").await;
    model.next().await.reply(Reply::call("search_tools", json!({"query": "report"})));
    let asked = model.next().await;
    let found = answered(&asked);
    let names: Vec<&Value> =
        found["tools"].as_array().into_iter().flatten().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["other_report"], "the other is never to be called");
    let arguments = json!({"desk": "it", "title": "Printer"});
    asked.reply(Reply::Says {
        text: String::new(),
        calls: vec![
            ("call_tool".into(), json!({"name": "big_report", "arguments": arguments})),
            ("big_report".into(), arguments.clone()),
        ],
    });
    let asked = model.next().await;
    assert_eq!(api.heard(), Vec::<String>::new(), "there are not two ways to what is never called");
    // By its own name it is the same call, and asks as well.
    asked.reply(Reply::call("open_ticket", arguments.clone()));
    let question = reading.until("approval_required").await.data;
    assert_eq!((&question["toolName"], &question["args"]), (&json!("open_ticket"), &arguments));
    let approve = format!("/api/approvals/{}/approve", text(&question["approvalId"]));
    ana.post(&approve, decision(&question, json!({}))).await.expect(StatusCode::OK);
    let asked = model.next().await;
    assert_eq!(api.heard().len(), 1);
    let last = called(&asked.body).pop().expect("a call");
    assert_eq!(last, ("call_tool".to_owned(), json!({"name": "open_ticket", "arguments": arguments})));
    asked.reply(Reply::text("Done."));
    app.end().await;
}

/// Statements that read what servers and permissions there are.
#[derive(Clone, Default)]
struct Statements(Arc<Mutex<Vec<String>>>);

impl Statements {
    fn take(&self) -> usize {
        std::mem::take(&mut *self.0.lock().expect("unpoisoned")).len()
    }
}

impl Subscriber for Statements {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        about.target() == "baton_store::sql"
    }

    fn event(&self, event: &Event<'_>) {
        struct Sql(String);
        impl Visit for Sql {
            fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
                self.0 = format!("{value:?}");
            }
        }
        let mut sql = Sql(String::new());
        event.record(&mut sql);
        if ["tools", "pinned_tools", "tool_permissions"]
            .iter()
            .any(|table| sql.0.contains(&format!("FROM \\\"{table}\\\"")))
        {
            self.0.lock().expect("unpoisoned").push(sql.0);
        }
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

/// A server with so many allowed tools.
async fn server(app: &TestApp, ana: &Actor<'_>, slug: &str, tools: usize) {
    let new = json!({
        "workspaceId": ana.workspace, "name": slug, "type": "mcp_server", "description": "Somebody's.",
        "config": {"transport": "http", "url": "http://127.0.0.1:1/mcp"},
    });
    let made = ana.post("/api/tools", new).await.expect(StatusCode::CREATED);
    let tool = |number: usize| Definition {
        name: format!("look_{number}"),
        title: None,
        description: format!("Looks at {number}. {}", "It says at length what it does. ".repeat(20)),
        input_schema: json!({"type": "object", "properties": {"at": {"type": "string"}}}),
        output_schema: None,
        annotations: Annotations::default(),
    };
    let id = ToolId(text(&made["id"]).parse().expect("an id"));
    let by = ProfileId(ana.id.parse().expect("an id"));
    app.app.store.pin_tools(id, (0..tools).map(tool).collect(), by).await.expect("allowed");
}

/// A turn: how many bytes the model was sent, and how many statements read what tools there are.
async fn turn(ana: &Actor<'_>, model: &mut HeldModel, agent: &str, heard: &Statements) -> (usize, usize) {
    heard.take();
    let conversation = ana.begin("agentId", agent).await;
    let reading = ana.saying(&conversation, "Good morning").await;
    let asked = model.next().await;
    let bytes = asked.body.to_string().len();
    asked.reply(Reply::text("Good morning."));
    reading.rest().await;
    (bytes, heard.take())
}

#[tokio::test]
async fn two_hundred_tools_on_ten_servers_add_nothing_to_a_turn_that_does_not_use_them() {
    let heard = Statements::default();
    let _ear = tracing::subscriber::set_default(heard.clone());
    let mut model = HeldModel::start().await;
    let given = Given { outbound_allow: open_here().outbound_allow, ..model.given() };
    let app = TestApp::with(given).await;
    let ana = app.person("ana").await;
    let slugs: Vec<String> = (0..10).map(|number| format!("server{number}")).collect();
    for slug in &slugs {
        server(&app, &ana, slug, 20).await;
    }
    let none = ana.make_agent("None", json!({"tools": []})).await;
    let one = ana.make_agent("One", json!({"tools": [slugs[0]]})).await;
    let all = ana.make_agent("All", json!({"tools": slugs})).await;
    let mut sent = Vec::new();
    for agent in [&none, &one, &all] {
        let first = turn(&ana, &mut model, agent, &heard).await;
        let again = turn(&ana, &mut model, agent, &heard).await;
        assert_eq!(first.0, again.0, "a prompt that stays the same is cached");
        sent.push((first.0, first.1, again.1));
    }
    let [none, one, all] = sent[..] else { unreachable!("three agents") };
    assert!(one.0 > none.0 + 15_000, "twenty tools fit, and are sent: {one:?}");
    assert!(all.0 < none.0 + 3_000, "two hundred are searched for: {none:?} {all:?}");
    assert!(one.1 > 0, "what there is was read");
    assert_eq!((all.1, all.2), (one.1, one.2), "ten servers are read as one is");
    if matches!(app.database, TestDatabase::Sqlite(_)) {
        assert_eq!(all.2, none.2, "and only once");
    }
    app.end().await;
}
