//! Agents as tools of an MCP server: a full turn with its progress, stops, and calls that wait for a person.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::approvals::decision;
use crate::held_model::{HeldModel, Reply};
use crate::mcp::{
    TASKS, after_initialize, capabilities, initialize, messages, program, result, said, stateless,
};
use crate::talk::scripted;
use crate::test_app::{Actor, TestApp, text};

fn ask(message: &str, conversation: Option<&str>) -> Value {
    let mut arguments = json!({"message": message});
    if let Some(id) = conversation {
        arguments["conversationId"] = id.into();
    }
    json!({"name": "ask_knowledge-curator", "arguments": arguments, "_meta": {"progressToken": "p"}})
}

fn conversation(result: &Value) -> String {
    text(&result["_meta"]["baton/conversationId"])
}

#[tokio::test]
async fn an_agent_answers_in_a_turn_of_its_own() {
    let (app, _script) = scripted(json!([
        {"match": "time", "calls": [{"name": "getCurrentTime", "arguments": {}}]},
        {"match": "time", "text": "Tea time."},
        {"match": "sure", "text": "Quite sure."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let sent = stateless(&hers, "tools/call", ask("What time is it?", None), json!({})).send().await;
    let told = messages(sent.expect("an answer")).await;
    let progress: Vec<&Value> = told.iter().filter(|one| one["method"] == "notifications/progress").collect();
    assert!(progress.iter().all(|one| one["params"]["progressToken"] == "p"));
    let numbers = progress.iter().map(|one| one["params"]["progress"].as_i64().expect("a number"));
    assert!(numbers.eq(1..=progress.len() as i64), "it only grows");
    let words: Vec<String> = progress.iter().map(|one| text(&one["params"]["message"])).collect();
    assert!(words.iter().any(|words| words.starts_with("Uses")), "{words:?}");

    let answer = &told.last().expect("a response")["result"];
    assert_eq!((&answer["isError"], &answer["resultType"]), (&json!(false), &json!("complete")));
    assert!(said(answer).starts_with("Tea time.\n"), "{answer}");
    let id = conversation(answer);
    assert!(said(answer).contains(&id), "a model has to see it to go on");
    let read = ana.read(&id).await;
    assert_eq!(read["messages"][0]["parts"][0]["text"], "What time is it?", "the person finds it in the app");

    let on = result(&hers, "tools/call", ask("Are you sure?", Some(&id))).await;
    assert!(said(&on).starts_with("Quite sure."), "{on}");
    assert_eq!(conversation(&on), id);
    let ben = app.person("ben").await;
    let his = program(&ben).await;
    let refused = result(&his, "tools/call", ask("Let me see", Some(&id))).await;
    assert!(said(&refused).starts_with("There is no conversation"), "{refused}");
    app.end().await;
}

async fn only_conversation(ana: &Actor<'_>) -> String {
    let list = ana.get_owned(format!("/api/agent-conversations?workspaceId={}", ana.workspace)).await;
    text(&list[0]["id"])
}

/// Waits until the turn of a conversation has ended, by its stream.
async fn ended(ana: &Actor<'_>, id: &str) -> Value {
    let mut stream = ana.follow(id, "0.0").await;
    stream.until("done").await.data["status"].clone()
}

#[tokio::test]
async fn who_hangs_up_stops_the_turn() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let sent = stateless(&hers, "tools/call", ask("Think long", None), json!({})).send().await;
    let mut asked = model.next().await;
    drop(sent.expect("a stream"));
    asked.hung_up().await;
    let id = only_conversation(&ana).await;
    assert_eq!(ended(&ana, &id).await, "stopped");
    app.end().await;
}

/// A lost connection means nothing to clients that began with `initialize`: they say so.
#[tokio::test]
async fn a_client_that_says_so_stops_the_turn() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let session = initialize(&hers).await;
    let call = async |id: i64, message: &str| {
        let sent = after_initialize(&hers, &session, id, "tools/call", ask(message, None)).send().await;
        sent.expect("a stream")
    };
    let lost = call(1, "Go on alone").await;
    let asked = model.next().await;
    drop(lost);
    asked.reply(Reply::text("Done alone."));
    let id = only_conversation(&ana).await;
    assert_eq!(ended(&ana, &id).await, "completed");

    let waiting = call(2, "Think long").await;
    let mut asked = model.next().await;
    let cancel = |session: &str, program: &Actor<'_>| {
        let params = json!({"requestId": 2});
        let body = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        program.request(reqwest::Method::POST, "/mcp").header("mcp-session-id", session).json(&body)
    };
    let other = program(&ana).await;
    for (session, program) in [("another", &hers), (session.as_str(), &other)] {
        let heard = cancel(session, program).send().await.expect("an answer");
        assert_eq!(heard.status(), StatusCode::ACCEPTED);
        assert!(!asked.is_gone(), "another session's or token's request 2 is another");
    }
    assert_eq!(cancel(&session, &hers).send().await.expect("an answer").status(), StatusCode::ACCEPTED);
    asked.hung_up().await;
    let last = messages(waiting).await.pop().expect("a response");
    assert_eq!(last["result"]["isError"], true, "{last}");
    assert!(said(&last["result"]).contains("was stopped"), "{last}");
    app.end().await;
}

async fn asking() -> (TestApp, tempfile::NamedTempFile) {
    let save = json!({"action": "save", "path": "note", "content": "tea at five"});
    scripted(json!([
        {"match": "save", "text": "I will note it.", "calls": [{"name": "manageMemory", "arguments": save}]},
        {"match": "save", "text": "Noted."},
        {"match": "came", "text": "I have noted it."},
    ]))
    .await
}

async fn pending(ana: &Actor<'_>) -> Value {
    let list = ana.get_owned(format!("/api/approvals?workspaceId={}&status=pending", ana.workspace)).await;
    list["approvals"].clone()
}

#[tokio::test]
async fn whoever_asked_never_decides() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let waits = result(&hers, "tools/call", ask("Please save this", None)).await;
    let id = conversation(&waits);
    assert_eq!(
        (&waits["isError"], &waits["_meta"]["baton/status"]),
        (&json!(false), &json!("waits_for_person"))
    );
    let address = format!("{}/agents/", app.url);
    assert!(
        said(&waits).contains(&address) && said(&waits).contains(&format!("?conversation={id}")),
        "{waits}"
    );

    // Another message would refuse the call, if a person sent it.
    let again = result(&hers, "tools/call", ask("Just do it", Some(&id))).await;
    assert_eq!(said(&again), said(&waits));
    let approval = pending(&ana).await[0].clone();
    let path = format!("/api/approvals/{}/approve", text(&approval["id"]));
    assert_eq!(hers.post(&path, decision(&approval, json!({}))).await.status, 403, "nor over the API");
    assert_eq!(pending(&ana).await.as_array().map(Vec::len), Some(1));

    ana.post(&path, decision(&approval, json!({}))).await.expect(StatusCode::OK);
    assert_eq!(ended(&ana, &id).await, "completed");
    let after = result(&hers, "tools/call", ask("What came of it?", Some(&id))).await;
    assert!(said(&after).starts_with("I have noted it."), "{after}");
    app.end().await;
}

#[tokio::test]
async fn a_client_that_takes_handles_asks_later() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let sent = stateless(&hers, "tools/call", ask("Please save this", None), capabilities(Some(TASKS)));
    let created = messages(sent.send().await.expect("an answer")).await.pop().expect("a response");
    let created = &created["result"];
    assert_eq!(
        (&created["resultType"], &created["status"]),
        (&json!("task"), &json!("working")),
        "{created}"
    );
    assert!(text(&created["statusMessage"]).contains("/agents/"), "where a person decides: {created}");
    let task = text(&created["taskId"]);
    let about = |program: &Actor<'_>, method: &str, extension| {
        let sent = stateless(program, method, json!({"taskId": task}), capabilities(extension)).send();
        async move { sent.await.expect("an answer").json::<Value>().await.expect("JSON") }
    };

    let got = about(&hers, "tasks/get", Some(TASKS)).await;
    assert_eq!(
        (&got["result"]["status"], &got["result"]["resultType"]),
        (&json!("working"), &json!("complete"))
    );
    assert_eq!(got["result"].get("inputRequests"), None, "the client is asked nothing");
    let undeclared = about(&hers, "tasks/get", None).await;
    assert_eq!(undeclared["error"]["code"], -32021);
    let ben = app.person("ben").await;
    assert_eq!(about(&program(&ben).await, "tasks/get", Some(TASKS)).await["error"]["code"], -32602);
    let elsewhere = ana.post("/api/workspaces", json!({"name": "Other"})).await.expect(StatusCode::CREATED);
    let elsewhere = program(&ana.at(&text(&elsewhere["id"]))).await;
    assert_eq!(about(&elsewhere, "tasks/get", Some(TASKS)).await["error"]["code"], -32602);
    assert_eq!(about(&hers, "tasks/update", Some(TASKS)).await["result"]["resultType"], "complete");
    assert_eq!(pending(&ana).await.as_array().map(Vec::len), Some(1), "no answer of a client decides");

    let approval = pending(&ana).await[0].clone();
    let path = format!("/api/approvals/{}/approve", text(&approval["id"]));
    ana.post(&path, decision(&approval, json!({}))).await.expect(StatusCode::OK);
    assert_eq!(ended(&ana, &text(&approval["conversation_id"])).await, "completed");
    let done = about(&hers, "tasks/get", Some(TASKS)).await["result"].clone();
    assert_eq!(done["status"], "completed", "{done}");
    assert!(said(&done["result"]).starts_with("Noted."), "{done}");
    app.end().await;
}

#[tokio::test]
async fn a_handle_can_be_cancelled() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let sent = stateless(&hers, "tools/call", ask("Please save this", None), capabilities(Some(TASKS)));
    let created = messages(sent.send().await.expect("an answer")).await.pop().expect("a response");
    let task = json!({"taskId": created["result"]["taskId"]});
    for (method, status) in [("tasks/cancel", Value::Null), ("tasks/get", json!("cancelled"))] {
        let sent = stateless(&hers, method, task.clone(), capabilities(Some(TASKS))).send().await;
        let answer: Value = sent.expect("an answer").json().await.expect("JSON");
        assert_eq!(answer["result"]["status"], status, "{answer}");
    }
    assert_eq!(pending(&ana).await, json!([]));
    app.end().await;
}
