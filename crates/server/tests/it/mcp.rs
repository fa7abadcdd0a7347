//! A workspace as an MCP server: who gets in, and what a program finds and changes there.

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::agents::member;
use crate::talk::scripted;
use crate::test_app::{Actor, Answer, TestApp, text};

pub const TASKS: &str = "io.modelcontextprotocol/tasks";

/// A program with a token of this person.
pub async fn program<'a>(person: &Actor<'a>) -> Actor<'a> {
    let made = person.post("/api/auth/tokens", json!({"name": "mcp", "workspaceId": person.workspace})).await;
    person.with_token(&text(&made.expect(StatusCode::CREATED)["token"]))
}

/// What a client declares that takes handles, or nothing.
pub fn capabilities(extension: Option<&str>) -> Value {
    extension.map_or(json!({}), |name| json!({"extensions": {name: {}}}))
}

/// A request that says everything itself.
pub fn stateless(
    program: &Actor<'_>,
    method: &str,
    mut params: Value,
    capabilities: Value,
) -> RequestBuilder {
    let name = params.get("name").or(params.get("taskId")).and_then(Value::as_str).map(str::to_owned);
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    let request = program
        .request(Method::POST, "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    let request = name.iter().fold(request, |request, name| request.header("mcp-name", name));
    request.json(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
}

/// A request of a client that began with `initialize`.
pub fn after_initialize(
    program: &Actor<'_>,
    session: &str,
    id: i64,
    method: &str,
    params: Value,
) -> RequestBuilder {
    let request = program
        .request(Method::POST, "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .header("mcp-session-id", session);
    request.json(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

pub async fn initialize(program: &Actor<'_>) -> String {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let request = program.request(Method::POST, "/mcp");
    let answer = Answer::read(
        request.json(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})),
    )
    .await;
    assert_eq!(answer.expect(StatusCode::OK)["result"]["protocolVersion"], "2025-11-25");
    answer.headers["mcp-session-id"].to_str().expect("text").to_owned()
}

/// The messages of an answer, the response last.
pub async fn messages(response: Response) -> Vec<Value> {
    assert_eq!(response.status(), StatusCode::OK);
    let is_stream = response.headers()["content-type"] == "text/event-stream";
    let body = response.text().await.expect("a body");
    if !is_stream {
        return vec![serde_json::from_str(&body).expect("JSON")];
    }
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).expect("JSON")).collect()
}

/// The result of a request that says everything itself.
pub async fn result(program: &Actor<'_>, method: &str, params: Value) -> Value {
    let response = stateless(program, method, params, json!({})).send().await.expect("an answer");
    let last = messages(response).await.pop().expect("a response");
    assert!(last["error"].is_null(), "{last}");
    last["result"].clone()
}

/// All text of a tool's result.
pub fn said(result: &Value) -> String {
    let content = result["content"].as_array().unwrap_or_else(|| panic!("no content: {result}"));
    content.iter().map(|part| text(&part["text"])).collect::<Vec<_>>().join("\n")
}

async fn names(program: &Actor<'_>) -> Vec<String> {
    let list = result(program, "tools/list", json!({})).await;
    list["tools"].as_array().expect("tools").iter().map(|tool| text(&tool["name"])).collect()
}

#[tokio::test]
async fn only_a_token_gets_in_and_from_no_other_site() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let program = program(&ana).await;
    let list = |actor: &Actor<'_>| stateless(actor, "tools/list", json!({}), json!({}));
    assert_eq!(Answer::read(list(&program)).await.status, StatusCode::OK);

    let anonymous = Answer::read(list(&app.anonymous())).await;
    assert_eq!(anonymous.refusal(), (401, "token_required"));
    assert_eq!(anonymous.headers["www-authenticate"], "Bearer");
    assert_eq!(Answer::read(list(&ana)).await.refusal(), (401, "token_required"), "by cookie");
    assert_eq!(Answer::read(list(&ana.with_token("bat_guess"))).await.refusal(), (401, "unauthorized"));

    let foreign = list(&program).header("origin", "https://evil.example");
    assert_eq!(Answer::read(foreign).await.refusal(), (403, "wrong_origin"));
    assert_eq!(Answer::read(list(&program).header("origin", &app.url)).await.status, StatusCode::OK);
    let rebound = list(&program).header("host", "evil.example");
    assert_eq!(Answer::read(rebound).await.refusal(), (421, "host_not_allowed"));
    assert_eq!(program.get("/mcp").await.refusal(), (405, "method_not_allowed"));
    assert_eq!(program.delete("/mcp").await.refusal(), (405, "method_not_allowed"));

    let large = "x".repeat(5 * 1024 * 1024);
    let large = program.request(Method::POST, "/mcp").body(large);
    assert_eq!(Answer::read(large).await.refusal(), (413, "too_large"));
    let broken = Answer::read(program.request(Method::POST, "/mcp").body("{")).await;
    assert_eq!((broken.status.as_u16(), &broken.body["error"]["code"]), (400, &json!(-32700)));

    let tokens = ana.get("/api/auth/tokens").await.expect(StatusCode::OK);
    ana.delete(&format!("/api/auth/tokens/{}", text(&tokens["tokens"][0]["id"])))
        .await
        .expect(StatusCode::OK);
    assert_eq!(Answer::read(list(&program)).await.status, 401, "a deleted token is none");
    app.end().await;
}

#[tokio::test]
async fn what_is_offered_depends_on_the_token_alone() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let owned = names(&hers).await;
    let tools = &owned[..owned.iter().position(|name| name.starts_with("ask_")).expect("agents")];
    assert_eq!(tools.first().map(String::as_str), Some("manageTransactions"));
    assert!(!owned.contains(&"manageMemory".to_owned()), "that is an agent's own");
    let agents = &owned[tools.len()..];
    assert_eq!(agents.len(), 7);
    assert!(agents.is_sorted() && agents.contains(&"ask_budget-coach".to_owned()), "{agents:?}");

    let session = initialize(&hers).await;
    let older =
        after_initialize(&hers, &session, 1, "tools/list", json!({})).send().await.expect("an answer");
    let older = messages(older).await.remove(0);
    let listed = older["result"]["tools"].as_array().expect("tools");
    assert!(listed.iter().map(|tool| &tool["name"]).eq(owned.iter()), "both eras see the same");
    assert!(listed.iter().all(|tool| tool["inputSchema"]["type"] == "object"));
    let read_only = listed.iter().filter(|tool| tool["annotations"]["readOnlyHint"] == true);
    assert!(read_only.map(|tool| text(&tool["name"])).eq(["exportData", "queryAnalytics"]));

    let ben = member(&app, &ana, "ben").await;
    let his = program(&ben).await;
    assert_eq!(names(&his).await, owned);
    let rules = json!({"rules": [{"role": "member", "area": "money", "access": "none"}]});
    ana.patch(&format!("/api/workspaces/{}/areas", ana.workspace), rules).await.expect(StatusCode::OK);
    let fewer = names(&his).await;
    assert!(!fewer.contains(&"manageBudgets".to_owned()) && fewer.contains(&"manageKnowledge".to_owned()));
    let budgets = json!({"name": "manageBudgets", "arguments": {"action": "list"}});
    let refused = stateless(&his, "tools/call", budgets, json!({})).send().await.expect("an answer");
    assert_eq!(messages(refused).await[0]["error"]["code"], -32602, "what isn't listed isn't there");
    assert_eq!(names(&hers).await, owned);
    app.end().await;
}

#[tokio::test]
async fn a_program_changes_what_its_person_may_and_once() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    let create = |title: &str, key: &str| {
        let arguments = json!({"action": "create", "title": title, "body": "Within 30 days."});
        json!({"name": "manageKnowledge", "arguments": arguments, "_meta": {"baton/idempotencyKey": key}})
    };
    let pages = async || ana.get_owned(format!("/api/knowledge?workspaceId={}", ana.workspace)).await;
    let before = pages().await["total"].as_i64().expect("a number");

    let first = result(&hers, "tools/call", create("Refunds", "k1")).await;
    assert_eq!(first["isError"], false, "{first}");
    let again = result(&hers, "tools/call", create("Refunds", "k1")).await;
    assert_eq!(said(&first), said(&again), "the record answers");
    assert_eq!(pages().await["total"], before + 1);
    let other = result(&hers, "tools/call", create("Returns", "k1")).await;
    assert_eq!(other["isError"], true, "{other}");
    result(&hers, "tools/call", create("Returns", "k2")).await;
    assert_eq!(pages().await["total"], before + 2);

    let made: Value = serde_json::from_str(&said(&first)).expect("JSON");
    let versions = ana.get_owned(format!("/api/knowledge/{}/versions", text(&made["id"]))).await;
    let version = &versions["versions"][0];
    assert_eq!((&version["profile_name"], &version["agent_id"]), (&json!("ana"), &Value::Null), "{version}");

    // A client that began with `initialize` numbers its requests: one that comes again is the same.
    let session = initialize(&hers).await;
    let arguments = json!({"action": "create", "title": "Numbered", "body": "One."});
    let call = json!({"name": "manageKnowledge", "arguments": arguments});
    for id in [5, 5, 6] {
        let sent = after_initialize(&hers, &session, id, "tools/call", call.clone()).send().await;
        let answer = messages(sent.expect("an answer")).await.remove(0);
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
    assert_eq!(pages().await["total"], before + 4);
    app.end().await;
}

/// What is wrong is told in words that a model can act on, and never as a broken request.
#[tokio::test]
async fn a_call_that_does_not_fit_is_told_to_the_model() {
    let (app, _script) = scripted(json!([])).await;
    let ana = app.person("ana").await;
    let hers = program(&ana).await;
    for (name, arguments, why) in [
        ("manageKnowledge", json!({"action": "burn"}), "don't fit"),
        ("manageKnowledge", json!({"action": "read", "page": "nowhere"}), "no page"),
        ("ask_budget-coach", json!({}), "message is"),
        ("ask_budget-coach", json!({"message": " "}), "message"),
        ("ask_budget-coach", json!({"message": "x", "conversationId": "y"}), "no conversation y"),
        ("ask_budget-coach", json!({"message": "x", "agentId": "y"}), "agentId"),
    ] {
        let called = result(&hers, "tools/call", json!({"name": name, "arguments": arguments})).await;
        assert_eq!(called["isError"], true, "{name} {arguments}: {called}");
        assert!(said(&called).contains(why), "{name} {arguments}: {called}");
    }
    for params in
        [json!({}), json!({"name": "burn"}), json!({"name": "ask_nobody", "arguments": {"message": "x"}})]
    {
        let sent = stateless(&hers, "tools/call", params.clone(), json!({})).send().await.expect("an answer");
        assert_eq!(messages(sent).await[0]["error"]["code"], -32602, "{params}");
    }
    app.end().await;
}
