//! One agent asks another: what comes back, what is refused, who sees it, and what ends it.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use baton_engine::Assignment;

use crate::held_model::{HeldModel, Reply};
use crate::process::{SERVE, command, get, launch, post};
use crate::talk::{Got, Reading, names, scripted, text_of};
use crate::test_app::{Actor, TestApp, text};

fn ask(slug: &str) -> Value {
    json!([{"name": format!("ask_{slug}"), "arguments": {"message": "What does the car cost?"}}])
}

fn session(events: &[Got]) -> String {
    text(&events.iter().find(|got| got.name == "session").expect("a session").data["sessionId"])
}

fn results(events: &[Got]) -> Vec<Value> {
    events.iter().filter(|got| got.name == "tool_result").map(|got| got.data["result"].clone()).collect()
}

/// Vera, who asks Ben, and Ben, who asks whom he is told to.
async fn desk(of: &Actor<'_>, ben: Value) -> (String, String) {
    let ben = of.make_agent("Ben", ben).await;
    let vera = of.make_agent("Vera", json!({"tools": ["ask_ben"]})).await;
    (vera, ben)
}

/// The tasks of a turn.
async fn tasks(of: &Actor<'_>, events: &[Got]) -> Vec<Value> {
    let tree = of.get_owned(format!("/api/tasks/{}", session(events))).await;
    tree["tasks"].as_array().expect("tasks").clone()
}

#[tokio::test]
async fn an_answer_comes_back() {
    let (app, _script) = scripted(json!([
        {"system": "You are Vera.", "text": "I ask Ben.", "calls": ask("ben"), "usage": {"input_tokens": 100, "output_tokens": 10}},
        {"system": "You are Vera.", "text": "It costs 9,000.", "usage": {"input_tokens": 120, "output_tokens": 5}},
        {"system": "You are Ben.", "text": "Let me look.", "calls": [{"name": "getCurrentTime", "arguments": {}}],
            "usage": {"input_tokens": 40, "output_tokens": 4}},
        {"system": "You are Ben.", "text": "9,000 euros.", "usage": {"input_tokens": 50, "output_tokens": 6}},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (vera, ben) = desk(&ana, json!({"description": "Knows what cars cost."})).await;
    let id = ana.begin("agentId", &vera).await;
    let events = ana.say(&id, "What is it?").await;
    assert_eq!(text_of(&events), "I ask Ben.It costs 9,000.");
    let start = events.iter().find(|got| got.name == "tool_start").expect("a call");
    assert_eq!((&start.data["toolName"], &start.data["displayName"]), (&json!("ask_ben"), &json!("Ask Ben")));
    assert_eq!(results(&events), [json!("9,000 euros.")]);
    let created = &events.iter().find(|got| got.name == "subtask_created").expect("what was asked").data;
    assert_eq!(created["toolCallId"], start.data["toolCallId"]);
    let stored = ana.read(&id).await["messages"][1]["parts"][1].clone();
    assert_eq!(stored["subtask"], created["subtask"], "{stored}");
    assert!(!names(&events).contains(&"handoff") && !names(&events).contains(&"switched"));

    let tree = ana.get_owned(format!("/api/tasks/{}", session(&events))).await;
    assert_eq!((&tree["status"], &tree["usage"]["inputTokens"]), (&json!("completed"), &json!(310)));
    let [first, second] = &tasks(&ana, &events).await[..] else { panic!("{tree:#}") };
    assert_eq!(created["subtask"]["taskId"], second["id"]);
    assert_eq!((&second["parent_id"], &second["agent_id"]), (&first["id"], &json!(ben)));
    assert_eq!(
        (&second["input"]["message"], &second["status"]),
        (&json!("What does the car cost?"), &json!("completed"))
    );
    assert_eq!((&first["usage"]["inputTokens"], &second["usage"]["inputTokens"]), (&json!(220), &json!(90)));
    let kinds = |task: &Value| -> Vec<String> {
        task["steps"].as_array().expect("steps").iter().map(|step| text(&step["body"]["step"])).collect()
    };
    assert_eq!(
        kinds(first),
        ["user", "call", "said", "tool_call", "subtask_created", "tool_result", "call", "said", "done"]
    );
    assert_eq!(kinds(second), ["user", "call", "said", "tool_call", "tool_result", "call", "said", "done"]);
    assert_eq!(first["steps"][4]["type"], "subtask_created");
    assert_eq!(first["steps"][4]["body"]["conversation_id"], second["conversation_id"]);
    assert_eq!(ana.get_owned(format!("/api/tasks/{}", text(&second["id"]))).await, tree);

    // It is there for its person, in no list, and nobody writes in it.
    let child = text(&second["conversation_id"]);
    let read = ana.read(&child).await;
    assert_eq!(
        (&read["parent_id"], &read["messages"][1]["content"]),
        (&json!(id), &json!("Let me look.\n\n9,000 euros."))
    );
    assert_eq!(read["messages"][0]["metadata"]["askedBy"], "Vera");
    let list =
        ana.get_owned(format!("/api/agent-conversations?workspaceId={}&agentId={ben}", ana.workspace)).await;
    assert_eq!(list, json!([]));
    let body = json!({"message": "And I?", "workspaceId": ana.workspace, "conversationId": child});
    assert_eq!(ana.post("/api/agent-chat", body).await.refusal(), (409, "is_subtask"));
    assert_eq!(ana.switch(&child, json!({"agentId": vera})).await.refusal(), (409, "is_subtask"));
    let fork = json!({"beforeMessageId": read["messages"][0]["id"]});
    let path = format!("/api/agent-conversations/{child}");
    assert_eq!(ana.post(&format!("{path}/fork"), fork).await.refusal(), (409, "is_subtask"));
    let cleo = app.person("cleo").await;
    assert_eq!(cleo.get(&path).await.refusal(), (404, "not_found"));

    ana.delete(&format!("/api/agent-conversations/{id}")).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&path).await.refusal(), (404, "not_found"));
    app.end().await;
}

#[tokio::test]
async fn three_deep_and_no_deeper() {
    let (app, _script) = scripted(json!([
        {"match": "begin", "calls": ask("ben")},
        {"match": "begin", "text": "Said and done."},
        {"match": "car", "system": "You are Ben.", "calls": ask("vera")},
        {"match": "car", "system": "You are Ben.", "text": "Ben is done."},
        {"match": "car", "system": "You are Vera.", "calls": ask("ben")},
        {"match": "car", "system": "You are Vera.", "text": "Vera is done."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (vera, ben) = desk(&ana, json!({})).await;
    ana.patch(&format!("/api/agents/{ben}"), json!({"tools": ["ask_vera"]})).await.expect(StatusCode::OK);
    let id = ana.begin("agentId", &vera).await;
    let events = ana.say(&id, "begin").await;
    assert_eq!(results(&events), [json!("Ben is done.")]);
    let tasks = tasks(&ana, &events).await;
    assert_eq!(tasks.len(), 4, "{tasks:#?}");
    for (above, below) in tasks.iter().zip(&tasks[1..]) {
        assert_eq!(below["parent_id"], above["id"]);
    }
    let deepest = tasks[3]["steps"].as_array().expect("steps");
    let refused = deepest.iter().find(|step| step["type"] == "tool_result").expect("a result");
    assert!(text(&refused["body"]["result"]["error"]).contains("3 subtasks deep"), "{refused}");
    app.end().await;
}

#[tokio::test]
async fn what_is_refused() {
    let save =
        json!([{"name": "manageMemory", "arguments": {"action": "save", "path": "a", "content": "b"}}]);
    let (app, _script) = scripted(json!([
        {"match": "cost", "system": "You are Ben.", "calls": save},
        {"match": "cost", "system": "You are Ben.", "text": "That needs approval."},
        {"system": "You are Vera.", "calls": ask("ben"), "after_tools": false},
        {"system": "You are Vera.", "text": "So be it.", "after_tools": true},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (vera, ben) = desk(&ana, json!({"tools": ["memory"]})).await;
    // An approval nobody could see is not asked for.
    let id = ana.begin("agentId", &vera).await;
    let events = ana.say(&id, "Go").await;
    assert_eq!(results(&events), [json!("That needs approval.")]);
    let child = text(&tasks(&ana, &events).await[1]["conversation_id"]);
    let part = ana.read(&child).await["messages"][1]["parts"][0].clone();
    assert!(part.to_string().contains("needs a person's approval"), "{part}");
    let waiting = ana.get_owned(format!("/api/approvals?workspaceId={}", ana.workspace)).await;
    assert_eq!(waiting["approvals"].as_array().or(waiting.as_array()).map(Vec::len), Some(0), "{waiting}");

    // Who may not use the agent now, may not have it asked.
    app.make_premium(&ana).await;
    let dan = crate::agents::member(&app, &ana, "dan").await;
    ana.patch(&format!("/api/agents/{ben}"), json!({"is_restricted": true})).await.expect(StatusCode::OK);
    let his = dan.at(&ana.workspace).begin("agentId", &vera).await;
    let events = dan.at(&ana.workspace).say(&his, "Go").await;
    let why = text(&results(&events)[0]["error"]);
    assert!(why.contains("requires a premium subscription"), "{why}");
    assert_eq!(text_of(&events), "So be it.");
    app.end().await;
}

#[tokio::test]
async fn a_stop_stops_both() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let (vera, _) = desk(&ana, json!({})).await;
    let id = ana.begin("agentId", &vera).await;
    let mut reading = ana.saying(&id, "Go").await;
    let session = text(&reading.until("session").await.data["sessionId"]);
    model.next().await.reply(Reply::call("ask_ben", json!({"message": "What does the car cost?"})));
    let mut ben = model.next().await;
    assert!(ben.system().contains("You are Ben."), "{}", ben.system());
    ana.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await.expect(StatusCode::OK);
    let done = reading.until("done").await;
    assert_eq!(done.data["status"], "stopped");
    ben.hung_up().await;
    for _ in 0..400 {
        let tree = ana.get_owned(format!("/api/tasks/{session}")).await;
        if tree["ended_at"].is_string() {
            assert_eq!(
                (&tree["tasks"][0]["status"], &tree["tasks"][1]["status"]),
                (&json!("cancelled"), &json!("cancelled"))
            );
            app.end().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the subtask goes on");
}

#[tokio::test]
async fn visitors_have_it_where_it_is_named_for_them() {
    let (app, _script) = scripted(json!([
        {"match": "cost", "system": "You are Ben.", "text": "9,000 euros."},
        {"system": "You are Vera.", "calls": ask("ben"), "after_tools": false},
        {"system": "You are Vera.", "text": "So be it.", "after_tools": true},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (vera, ben) = desk(&ana, json!({"role": "support"})).await;
    let slug = ana.open_to_public(json!({"default_agent_id": vera})).await;
    let visitor = app.visitor(&slug).await;
    let say = async |words: &str| {
        let id = visitor.begin("agentId", &vera).await;
        let events = visitor.say(&id, words).await;
        (id, events)
    };
    let answer = async |id: &str| {
        let id = baton_core::ids::ConversationId(id.parse().expect("an id"));
        let log = app.app.store.steps_after(id, 0, 100).await.expect("a log");
        let result = log.into_iter().find_map(|logged| match logged.step {
            baton_core::log::Step::ToolResult(result) => Some(result.result),
            _ => None,
        });
        result.expect("a result")
    };
    let (id, _) = say("Go").await;
    assert!(text(&answer(&id).await["error"]).contains("There is no tool called ask_ben"));
    let named = json!({"public_tools": ["ask_ben"]});
    ana.patch(&format!("/api/agents/{vera}"), named).await.expect(StatusCode::OK);
    let (id, events) = say("Go").await;
    assert_eq!((answer(&id).await, text_of(&events)), (json!("9,000 euros."), "So be it.".to_owned()));
    assert!(!format!("{events:?}").contains("9,000"), "what tools say is not for visitors");
    // Ben has no tools there either.
    let log =
        app.app.store.steps_after(baton_core::ids::ConversationId(id.parse().expect("an id")), 0, 100).await;
    let child = log.expect("a log").into_iter().find_map(|logged| match logged.step {
        baton_core::log::Step::SubtaskCreated(created) => Some(created.conversation_id.to_string()),
        _ => None,
    });
    let child = child.expect("a subtask");
    let there = Assignment {
        agent: baton_core::ids::AgentId(ben.parse().expect("an id")),
        team: None,
        viewer: baton_core::access::Viewer::Visitor,
        is_public: true,
        is_subtask: true,
    };
    assert!(app.app.engine.ready_agent(there).await.expect("an agent").specs.is_empty());
    let read = visitor.get(&format!("/api/agent-conversations/{child}")).await;
    assert_eq!(read.refusal(), (404, "not_found"), "what is asked is not for visitors");
    // Models hand visitors to support only, and ask nobody else for them.
    ana.patch(&format!("/api/agents/{ben}"), json!({"role": null})).await.expect(StatusCode::OK);
    let (id, _) = say("Go").await;
    assert!(text(&answer(&id).await["error"]).contains("Authentication required to access Ben"));
    for wrong in ["ask_nobody", "ask_vera"] {
        let refused = ana.patch(&format!("/api/agents/{vera}"), json!({"public_tools": [wrong]})).await;
        assert_eq!(refused.refusal(), (400, "invalid_field"), "{wrong}");
    }
    app.end().await;
}

#[tokio::test]
async fn whom_agents_can_list() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let (vera, ben) = desk(&ana, json!({"description": "Knows what cars cost."})).await;
    let path = format!("/api/agents/{vera}");
    for (wrong, words) in [("ask_nobody", "no agent nobody"), ("ask_vera", "can't ask itself")] {
        let refused = ana.patch(&path, json!({"tools": [wrong]})).await;
        assert_eq!((refused.refusal(), &refused.body["field"]), ((400, "invalid_field"), &json!("tools")));
        assert!(text(&refused.body["error"]).contains(words), "{}", refused.body);
    }
    let new = json!({"workspaceId": ana.workspace, "name": "Cy", "system_prompt": "You help.", "tools": ["ask_nobody"]});
    assert_eq!(ana.post("/api/agents", new).await.refusal(), (400, "invalid_field"));
    let detail = async || ana.get(&path).await.expect(StatusCode::OK)["localAgent"]["toolDetails"][0].clone();
    let ask = detail().await;
    assert_eq!(
        (&ask["id"], &ask["toolName"], &ask["name"]),
        (&json!("ask_ben"), &json!("ask_ben"), &json!("Ask Ben"))
    );
    assert_eq!((&ask["description"], &ask["available"]), (&json!("Knows what cars cost."), &json!(true)));
    let tool = json!({
        "workspaceId": ana.workspace, "name": "ask_ben", "type": "handoff", "description": "To Ben.",
        "config": {"target_agent_id": ben},
    });
    assert_eq!(ana.post("/api/tools", tool).await.refusal(), (400, "invalid_field"));
    ana.delete(&format!("/api/agents/{ben}/unhire")).await.expect(StatusCode::OK);
    let gone = detail().await;
    assert_eq!((&gone["name"], &gone["available"]), (&json!("ask_ben"), &json!(false)));
    app.end().await;
}

/// The server is killed while Ben speaks: both turns go on, and Ben is asked once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_the_other_speaks() {
    baton_tools::outbound::install_tls();
    let dir = tempfile::tempdir().expect("a folder");
    let mut model = HeldModel::start().await;
    let vendor = model.url.clone();
    let serve = || {
        let mut command = command(dir.path());
        command.env("OPENAI_BASE_URL", &vendor).env("BATON_OPENAI_MODEL", "fake");
        command.args(SERVE).arg("--demo");
        launch(command)
    };
    let server = serve();
    let (_, me, cookie) =
        post(&format!("{}/api/auth/links/redeem", server.url), json!({"token": server.link})).await;
    let workspace = me["workspaces"][0]["id"].clone();
    let client = Client::builder().no_proxy().build().expect("a client");
    let make = async |name: &str, tools: Value| {
        let body = json!({"workspaceId": workspace, "name": name, "system_prompt": format!("You are {name}."), "tools": tools});
        let made = client
            .post(format!("{}/api/agents", server.url))
            .header("cookie", &cookie)
            .json(&body)
            .send()
            .await;
        made.expect("an answer").json::<Value>().await.expect("an agent")["id"].clone()
    };
    make("Ben", json!([])).await;
    let vera = make("Vera", json!(["ask_ben"])).await;
    let body = json!({"message": "Go", "workspaceId": workspace, "agentId": vera});
    let request = client.post(format!("{}/api/agent-chat", server.url)).header("cookie", &cookie).json(&body);
    let mut reading = Reading::open(request).await;
    let begun = reading.until("session").await.data;
    model.next().await.reply(Reply::call("ask_ben", json!({"message": "What does the car cost?"})));
    let ben = model.next().await.speak();
    ben.say("It costs ");
    drop(server); // SIGKILL
    let server = serve();
    model.next().await.reply(Reply::text("It costs nine thousand euros."));
    let url = format!("{}/api/agent-chat/{}/stream?after=0.0", server.url, text(&begun["conversationId"]));
    let mut reading = Reading::open(client.get(url).header("cookie", &cookie)).await;
    let result =
        tokio::time::timeout(Duration::from_secs(30), reading.until("tool_result")).await.expect("a result");
    assert_eq!(result.data["result"], "It costs nine thousand euros.");
    model.next().await.reply(Reply::text("It costs 9,000."));
    assert_eq!(reading.until("done").await.data["status"], "completed");
    let tree = get(&format!("{}/api/tasks/{}", server.url, text(&begun["sessionId"])), &cookie).await;
    let tasks = tree["tasks"].as_array().expect("tasks");
    assert_eq!(tasks.len(), 2, "asked once");
    assert!(tasks.iter().all(|task| task["status"] == "completed"), "{tree:#}");
    let attempts: Vec<_> = tasks[1]["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .map(|step| step["body"]["attempt"].clone())
        .collect();
    assert!(attempts.contains(&json!(2)), "Ben was cut: {attempts:?}");
}
