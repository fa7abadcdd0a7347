//! What is passed along in a handoff: notes, context, and the record of what was refused.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::approvals::decision;
use crate::talk::{names, scripted, text_of};
use crate::test_app::{Actor, text};

fn noting(words: &str, data: Value) -> Value {
    json!({"match": words, "after_tools": false, "calls": [{"name": "update_context", "arguments": {"data": data}}]})
}

async fn held(of: &Actor<'_>, id: &str) -> Vec<Value> {
    let read = of.get_owned(format!("/api/agent-conversations/{id}/activations")).await;
    read.as_array().expect("activations").clone()
}

async fn desk(of: &Actor<'_>) -> (String, String, String) {
    let vera = of.make_agent("Vera", json!({})).await;
    let ben = of.make_agent("Ben", json!({})).await;
    let team = of.make_team("swarm", &[&vera, &ben]).await;
    (vera, ben, team)
}

#[tokio::test]
async fn a_fork_has_the_notes_of_its_moment_and_no_later_ones() {
    let (app, _script) = scripted(json!([
        noting("Toyota", json!({"brand": "Toyota"})),
        noting("Volvo", json!({"brand": "Volvo", "seats": 5})),
        noting("forget", json!({"seats": null})),
        {"text": "Noted."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (_, _, team) = desk(&ana).await;
    let id = ana.begin("teamId", &team).await;
    for words in ["Toyota", "Volvo", "forget the seats"] {
        ana.say(&id, words).await;
    }
    assert_eq!(held(&ana, &id).await[0]["context_data"], json!({"brand": "Volvo"}));
    let read = ana.read(&id).await;
    for (message, noted) in
        [(0, json!({})), (2, json!({"brand": "Toyota"})), (4, json!({"brand": "Volvo", "seats": 5}))]
    {
        let body = json!({"beforeMessageId": read["messages"][message]["id"]});
        let forked = ana.post(&format!("/api/agent-conversations/{id}/fork"), body).await;
        let copy = text(&forked.expect(StatusCode::CREATED)["id"]);
        assert_eq!(held(&ana, &copy).await[0]["context_data"], noted, "before message {message}");
    }
    app.end().await;
}

#[tokio::test]
async fn notes_of_one_reply_are_measured_together() {
    let large =
        |name: &str| json!({"name": "update_context", "arguments": {"data": {name: "x".repeat(40_000)}}});
    let (app, _script) = scripted(json!([
        {"after_tools": false, "calls": [large("one"), large("two")]},
        {"after_tools": true, "text": "One of them fits."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (_, _, team) = desk(&ana).await;
    let id = ana.begin("teamId", &team).await;
    let events = ana.say(&id, "Note this").await;
    let results: Vec<bool> = events
        .iter()
        .filter(|got| got.name == "tool_result")
        .map(|got| got.data["success"] == json!(true))
        .collect();
    assert_eq!(results.iter().filter(|success| **success).count(), 1, "{results:?}");
    let noted = held(&ana, &id).await[0]["context_data"].to_string().len();
    assert!(noted < 64 * 1024, "{noted} bytes");
    app.end().await;
}

#[tokio::test]
async fn a_persons_switch_passes_the_context_on() {
    let (app, _script) = scripted(json!([
        {"match": "lead", "system": "You are Vera.", "calls": [{"name": "to_ben", "arguments": {"lead_id": "L-1"}}]},
        {"text": "Yes?"},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (vera, ben, _) = desk(&ana).await;
    let cleo = ana.make_agent("Cleo", json!({})).await;
    let tool = json!({
        "workspaceId": ana.workspace, "name": "to_ben", "type": "handoff", "description": "Hands leads to Ben.",
        "config": {"target_agent_id": ben, "context_variables": [
            {"name": "lead_id", "type": "string", "required": true, "description": "Which"}]},
    });
    ana.post("/api/tools", tool).await.expect(StatusCode::CREATED);
    ana.patch(&format!("/api/agents/{vera}"), json!({"tools": ["to_ben"]})).await.expect(StatusCode::OK);
    let id = ana.begin("agentId", &vera).await;
    assert!(names(&ana.say(&id, "A lead").await).contains(&"handoff"));
    ana.switch(&id, json!({"agentId": cleo})).await.expect(StatusCode::OK);
    let events = ana.say(&id, "And now?").await;
    assert_eq!(text_of(&events), "Yes?");
    let task = events.iter().find(|got| got.name == "session").expect("a session");
    let tree = ana.get_owned(format!("/api/tasks/{}", text(&task.data["sessionId"]))).await;
    let context = &tree["tasks"][0]["context"];
    assert_eq!(
        (&context["lead_id"], &context["_handoff_from"], &context["_handoff_chain"]),
        (&json!("L-1"), &json!("ben"), &json!(["vera", "ben"])),
        "{tree:#}"
    );
    app.end().await;
}

#[tokio::test]
async fn refused_switches_and_fallbacks_are_in_the_record() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let (vera, ben, _) = desk(&ana).await;
    let closed = ana.make_agent("Closed", json!({"is_restricted": true})).await;
    let id = ana.begin("agentId", &vera).await;
    ana.switch(&id, json!({"agentId": ben})).await.expect(StatusCode::OK);
    assert_eq!(ana.switch(&id, json!({"agentId": closed})).await.status, StatusCode::FORBIDDEN);
    assert_eq!(ana.switch(&id, json!({"agentId": vera, "epoch": 1})).await.status, StatusCode::CONFLICT);
    // Of what is elsewhere, or nowhere, not even the name is told.
    let cleo = app.person("cleo").await;
    let hers = cleo.make_agent("Hers", json!({})).await;
    assert_eq!(ana.switch(&id, json!({"agentId": hers})).await.status, StatusCode::NOT_FOUND);
    ana.delete(&format!("/api/agents/{ben}/unhire")).await.expect(StatusCode::OK);
    ana.say(&id, "Anyone?").await;

    let seen = ana.get_owned(format!("/api/agents/transitions?workspaceId={}", ana.workspace)).await;
    assert!(!seen.to_string().contains("Hers"), "{seen}");
    let seen: Vec<(Value, Value, Value)> = seen["transitions"]
        .as_array()
        .expect("transitions")
        .iter()
        .map(|one| (one["trigger"].clone(), one["outcome"].clone(), one["code"].clone()))
        .collect();
    assert_eq!(
        seen,
        [
            (json!("fallback"), json!("completed"), Value::Null),
            (json!("user"), json!("refused"), json!("target_gone")),
            (json!("user"), json!("refused"), json!("stale_epoch")),
            (json!("user"), json!("refused"), json!("premium_required")),
            (json!("user"), json!("completed"), Value::Null),
        ]
    );
    app.end().await;
}

#[tokio::test]
async fn a_visitor_is_given_back_to_the_default_agent_when_the_task_is_done() {
    let (app, _script) = scripted(json!([
        {"system": "You route", "match": "broken", "calls": [
            {"name": "route", "arguments": {"decision": "switch", "agent": "help", "summary": "It is broken."}}]},
        {"system": "You are Help.", "after_tools": false, "calls": [
            {"name": "complete_task", "arguments": {"summary": "Repaired."}}]},
        {"system": "You are Front.", "text": "Anything else?"},
    ]))
    .await;
    let ana = app.person("ana").await;
    let front = ana.make_agent("Front", json!({})).await;
    let help = ana.make_agent("Help", json!({"role": "support"})).await;
    let team = ana.make_team("router", &[&front, &help]).await;
    ana.open_team(&team).await;
    let slug = ana.open_to_public(json!({"default_agent_id": front})).await;
    let visitor = app.visitor(&slug).await;
    let body = json!({"message": "It is broken", "teamId": team, "workspaceId": visitor.workspace});
    let events = visitor.send(&body).await.rest().await;
    assert_eq!(text_of(&events), "Anything else?", "{events:#?}");
    app.end().await;
}

/// A tool that hands leads from one agent to another.
async fn lead_tool(of: &Actor<'_>, target: &str) {
    let body = json!({
        "workspaceId": of.workspace, "name": "to_ben", "type": "handoff", "description": "Hands leads to Ben.",
        "config": {
            "target_agent_id": target, "handoff_instructions": "Be gentle.",
            "context_variables": [
                {"name": "lead_id", "type": "string", "required": true, "description": "Which"},
                {"name": "priority", "type": "integer", "required": false, "description": "How urgent"},
            ],
        },
    });
    of.post("/api/tools", body).await.expect(StatusCode::CREATED);
}

#[tokio::test]
async fn wrong_variables_are_results_the_model_can_act_on() {
    let call = |arguments: Value| json!({"name": "to_ben", "arguments": arguments});
    let (app, _script) = scripted(json!([
        {"system": "You are Ben.", "text": "Ben here."},
        {"system": "You are Vera.", "after_tools": false, "calls": [
            call(json!({"lead_id": 7})),
            call(json!({"priority": 1})),
            call(json!({"lead_id": "x".repeat(1 << 20)})),
            call(json!({"lead_id": "L-1", "_handoff_from": "forged"})),
        ]},
        {"system": "You are Vera.", "after_tools": true, "calls": [call(json!({"lead_id": "L-1", "priority": 2}))]},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (vera, ben, _) = desk(&ana).await;
    lead_tool(&ana, &ben).await;
    ana.patch(&format!("/api/agents/{vera}"), json!({"tools": ["to_ben"]})).await.expect(StatusCode::OK);
    let id = ana.begin("agentId", &vera).await;
    let events = ana.say(&id, "A lead").await;
    let results: Vec<(bool, String)> = events
        .iter()
        .filter(|got| got.name == "tool_result")
        .map(|got| (got.data["success"] == json!(true), got.data["result"].to_string()))
        .collect();
    assert_eq!(results.len(), 5, "{results:#?}");
    for (success, told) in &results[..4] {
        assert!(
            !success
                && (told.contains("lead_id") || told.contains("bytes") || told.contains("_handoff_from")),
            "{told}"
        );
    }
    assert!(results[4].0);
    assert_eq!(text_of(&events), "Ben here.");
    let handoff = events.iter().find(|got| got.name == "handoff").expect("a handoff");
    assert_eq!(handoff.data["context"], json!({"lead_id": "L-1", "priority": 2}));
    // Which of the calls it was, whatever its tool is called.
    let asked = events.iter().rfind(|got| got.name == "tool_start").expect("a call");
    assert_eq!(handoff.data["toolCallId"], asked.data["toolCallId"]);
    app.end().await;
}

#[tokio::test]
async fn who_lists_switch_agent_reaches_the_workspace() {
    let (app, _script) = scripted(json!([
        {"system": "You are Vera.", "calls": [
            {"name": "switch_agent", "arguments": {"agent": "ben", "reason": "His."}}]},
        {"system": "You are Ben.", "text": "Ben here."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({"tools": ["switch_agent"]})).await;
    ana.make_agent("Ben", json!({})).await;
    let id = ana.begin("agentId", &vera).await;
    let events = ana.say(&id, "Hello").await;
    assert_eq!(text_of(&events), "Ben here.");
    let asked = &events.iter().find(|got| got.name == "tool_start").expect("a call").data["toolCallId"];
    let read = ana.read(&id).await;
    let parts = read["messages"][1]["parts"].as_array().expect("parts");
    let stored = parts.iter().find(|part| part["type"] == "handoff").expect("a handoff");
    assert_eq!(stored["toolCallId"], *asked, "the call that it came of");
    app.end().await;
}

#[tokio::test]
async fn an_approved_sibling_runs_before_the_handoff() {
    let save = json!({"name": "manageMemory", "arguments": {"action": "save", "path": "a", "content": "b"}});
    let (app, _script) = scripted(json!([
        {"system": "You are Vera.", "after_tools": false, "calls": [
            {"name": "switch_agent", "arguments": {"agent": "ben", "reason": "His."}}, save]},
        {"system": "You are Ben.", "text": "Ben here."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let (vera, ben, team) = desk(&ana).await;
    let changes = json!({"tools": ["memory"], "permission_mode": "default"});
    ana.patch(&format!("/api/agents/{vera}"), changes).await.expect(StatusCode::OK);
    let id = ana.begin("teamId", &team).await;
    let events = ana.say(&id, "Keep this and hand it on").await;
    assert_eq!(names(&events).last(), Some(&"approval_required"), "{events:#?}");
    assert_eq!(held(&ana, &id).await.len(), 1, "nothing is handed off before");
    let approval = events.iter().find(|got| got.name == "approval_required").expect("asked");
    let path = format!("/api/approvals/{}/approve", text(&approval.data["approvalId"]));
    let cursor = events.last().and_then(|got| got.id.clone()).expect("an id");
    let mut reading = ana.follow(&id, &cursor).await;
    ana.post(&path, decision(&approval.data, json!({}))).await.expect(StatusCode::OK);
    reading.until("done").await;
    let now_held = held(&ana, &id).await;
    assert_eq!((now_held.len(), &now_held[1]["agent_id"]), (2, &json!(ben)), "{now_held:#?}");
    app.end().await;
}
