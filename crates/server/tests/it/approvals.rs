//! A tool call that needs approval: the turn waits, and goes on as the person decides.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::bad_input::nested;
use crate::talk::{conversation_of, names, scripted, text_of};
use crate::test_app::{Actor, TestApp, text};

const AGENT: &str = "Knowledge Curator";

async fn asking() -> (TestApp, tempfile::NamedTempFile) {
    let save = |content: &str| json!({"action": "save", "path": "note", "content": content});
    scripted(json!([
        {"match": "two", "calls": [
            {"name": "manageMemory", "arguments": save("one")},
            {"name": "getCurrentTime", "arguments": {}},
        ]},
        {"match": "two", "text": "Both done."},
        {"match": "save", "text": "I will note it.", "calls": [{"name": "manageMemory", "arguments": save("tea at five")}]},
        {"match": "save", "text": "As you wish."},
        {"match": "never mind", "text": "Fine, I leave it."},
    ]))
    .await
}

/// A decision on what was shown, with what else it says.
pub fn decision(shown: &Value, more: Value) -> Value {
    let hash = if shown["args_hash"].is_null() { &shown["argsHash"] } else { &shown["args_hash"] };
    let mut body = json!({"args_hash": hash});
    body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    body
}

async fn notes(ana: &Actor<'_>) -> Vec<String> {
    let agent = text(&ana.agent(AGENT).await["localAgentId"]);
    let list = ana.get_owned(format!("/api/agents/{agent}/memories")).await;
    list["memories"].as_array().expect("memories").iter().map(|note| text(&note["content"])).collect()
}

async fn pending(ana: &Actor<'_>) -> Vec<Value> {
    let list = ana.get_owned(format!("/api/approvals?workspaceId={}&status=pending", ana.workspace)).await;
    list["approvals"].as_array().expect("approvals").clone()
}

#[tokio::test]
async fn nobody_is_asked_about_a_call_with_invalid_arguments() {
    for (arguments, why) in [
        (json!({"action": "save", "path": "note", "content": 5}), "content must be"),
        (json!({"action": "burn", "path": "note"}), "action must be"),
        (json!({"limit": "many"}), "limit must be"),
        (json!("{\"action\": \"save\""), "no JSON object"),
    ] {
        let (app, _script) = scripted(json!([
            {"calls": [{"name": "manageMemory", "arguments": arguments}]},
            {"text": "I got that wrong."},
        ]))
        .await;
        let ana = app.person("ana").await;
        let events = ana.chat(AGENT, "save this").await;
        let result = events.iter().find(|got| got.name == "tool_result").expect("a result");
        assert_eq!(result.data["success"], false);
        let told = text(&result.data["result"]["error"]);
        assert!(told.contains(why), "{told}");
        assert!(!names(&events).contains(&"approval_required") && pending(&ana).await.is_empty());
        assert_eq!(text_of(&events), "I got that wrong.");
        app.end().await;
    }
}

#[tokio::test]
async fn an_approved_call_runs_once_and_the_turn_goes_on() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let events = ana.chat(AGENT, "save this").await;
    assert_eq!(
        names(&events)[events.len() - 2..],
        ["tool_start", "approval_required"],
        "the stream ends there"
    );
    assert!(notes(&ana).await.is_empty(), "nothing runs before it is allowed");
    let id = conversation_of(&events);
    let asked = events.last().expect("asked");
    let read = ana.read(&id).await;
    assert_eq!(read["turn"]["status"], "waiting");
    assert_eq!(read["messages"][1]["parts"][1]["state"], "pending");
    assert_eq!(pending(&ana).await.len(), 1);

    let approval = text(&asked.data["approvalId"]);
    let path = format!("/api/approvals/{approval}");
    let mut rest = ana.follow(&id, asked.id.as_deref().expect("an id")).await;
    let approved =
        ana.post(&format!("{path}/approve"), decision(&asked.data, json!({}))).await.expect(StatusCode::OK);
    assert_eq!(approved["status"], "approved");
    assert_eq!(rest.next().await.expect("resolved").name, "approval_resolved");
    let result = rest.until("tool_result").await;
    assert_eq!(result.data["success"], true);
    assert_eq!(rest.until("done").await.data["status"], "completed");
    assert_eq!(notes(&ana).await, ["tea at five"]);
    ana.post(&format!("{path}/approve"), decision(&asked.data, json!({}))).await.expect(StatusCode::OK);
    assert_eq!(
        ana.post(&format!("{path}/reject"), decision(&asked.data, json!({}))).await.refusal(),
        (409, "already_decided")
    );
    let parts = ana.read(&id).await["messages"][1]["parts"].clone();
    let kinds: Vec<_> = parts.as_array().expect("parts").iter().map(|part| text(&part["type"])).collect();
    assert_eq!(kinds, ["text", "tool-call", "approval", "text"]);
    assert_eq!((&parts[1]["state"], &parts[2]["status"]), (&json!("completed"), &json!("approved")));
    app.end().await;
}

/// Nobody decides on what they did not see: a card that shows something else can't be answered.
#[tokio::test]
async fn a_decision_names_the_arguments_that_were_shown() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let events = ana.chat(AGENT, "save this").await;
    let asked = events.last().expect("asked").data.clone();
    let listed = pending(&ana).await[0].clone();
    let read = ana.read(&conversation_of(&events)).await;
    let hash = text(&asked["argsHash"]);
    assert_eq!(
        (&listed["args_hash"], &read["messages"][1]["parts"][2]["argsHash"]),
        (&json!(hash), &json!(hash))
    );

    let path = format!("/api/approvals/{}", text(&asked["approvalId"]));
    let tool = text(&asked["toolName"]);
    let harmless = baton_core::approvals::arguments_hash(&tool, &serde_json::Map::new());
    for verb in ["approve", "reject"] {
        let path = format!("{path}/{verb}");
        assert_eq!(ana.post(&path, json!({})).await.refusal(), (422, "args_hash_required"), "{verb}");
        let other = ana.post(&path, json!({"args_hash": harmless})).await;
        assert_eq!((other.refusal(), &other.body["field"]), ((409, "other_arguments"), &json!("args_hash")));
    }
    assert!(notes(&ana).await.is_empty() && pending(&ana).await.len() == 1, "nothing was decided");
    ana.post(&format!("{path}/approve"), json!({"args_hash": hash})).await.expect(StatusCode::OK);
    app.end().await;
}

#[tokio::test]
async fn a_rejection_and_its_reason_reach_the_model() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let events = ana.chat(AGENT, "save this").await;
    let (id, asked) = (conversation_of(&events), events.last().expect("asked").clone());
    let path = format!("/api/approvals/{}/reject", text(&asked.data["approvalId"]));
    let mut rest = ana.follow(&id, asked.id.as_deref().expect("an id")).await;
    ana.post(&path, decision(&asked.data, json!({"reason": "not that one"}))).await.expect(StatusCode::OK);
    let result = rest.until("tool_result").await;
    assert_eq!(result.data["success"], false);
    assert!(result.data["result"]["error"].as_str().expect("words").contains("not that one"));
    rest.until("done").await;
    assert!(notes(&ana).await.is_empty());
    app.end().await;
}

#[tokio::test]
async fn changed_arguments_are_checked_and_run() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let events = ana.chat(AGENT, "save this").await;
    let asked = events.last().expect("asked").clone();
    let path = format!("/api/approvals/{}/approve", text(&asked.data["approvalId"]));
    let as_shown = |more: Value| decision(&asked.data, more);
    let wrong = ana.post(&path, as_shown(json!({"arguments": {"action": "burn"}}))).await;
    assert_eq!(wrong.refusal(), (400, "invalid_field"));
    let empty = ana.post(&path, as_shown(json!({"arguments": {"action": "save", "path": "note"}}))).await;
    assert_eq!((empty.refusal(), &empty.body["field"]), ((400, "invalid_field"), &json!("arguments")));
    assert_eq!(empty.body["error"], "arguments don't fit the tool: content is required.");
    let deep = json!({"arguments": {"action": "save", "content": nested(64)}});
    let deep = ana.post(&path, as_shown(deep)).await;
    assert!(text(&deep.body["error"]).contains("nested"), "{}", deep.body);
    let id = conversation_of(&events);
    let mut rest = ana.follow(&id, asked.id.as_deref().expect("an id")).await;
    let arguments = json!({"action": "save", "path": "note", "content": "tea at six"});
    let approved = ana.post(&path, as_shown(json!({"arguments": arguments, "remember": true}))).await;
    let approved = approved.expect(StatusCode::OK);
    assert_eq!(approved["args"], arguments);
    rest.until("done").await;
    assert_eq!(notes(&ana).await, ["tea at six"]);
    ana.post(&path, as_shown(json!({"arguments": arguments}))).await.expect(StatusCode::OK);
    // Another page still shows what it was before.
    let other = json!({"arguments": {"action": "save", "path": "note", "content": "tea at five"}});
    for otherwise in [json!({}), other] {
        let otherwise = ana.post(&path, as_shown(otherwise)).await;
        assert_eq!(otherwise.refusal(), (409, "already_decided"));
        assert!(text(&otherwise.body["error"]).contains("with other arguments"), "{otherwise:?}");
    }
    assert_eq!(ana.read(&id).await["messages"][1]["parts"][1]["args"], arguments);

    let again = ana.say(&id, "save this too").await;
    assert!(
        names(&again).contains(&"approval_required"),
        "other arguments than those that are always allowed"
    );
    assert_eq!(notes(&ana).await, ["tea at six"]);
    app.end().await;
}

#[tokio::test]
async fn siblings_run_while_one_waits() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let events = ana.chat(AGENT, "do two things").await;
    let seen = names(&events);
    assert_eq!(seen[seen.len() - 4..], ["tool_start", "tool_start", "approval_required", "tool_result"]);
    let asked = events.iter().find(|got| got.name == "approval_required").expect("asked");
    let id = conversation_of(&events);
    let mut rest = ana.follow(&id, events.last().and_then(|got| got.id.as_deref()).expect("an id")).await;
    let path = format!("/api/approvals/{}/approve", text(&asked.data["approvalId"]));
    ana.post(&path, decision(&asked.data, json!({}))).await.expect(StatusCode::OK);
    rest.until("done").await;
    assert_eq!(text_of(&ana.say(&id, "never mind").await), "Fine, I leave it.");
    app.end().await;
}

#[tokio::test]
async fn writing_on_stopping_and_deleting_resolve_what_waits() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let events = ana.chat(AGENT, "save this").await;
    let id = conversation_of(&events);
    let asked = events.last().expect("asked").data.clone();
    let approval = text(&asked["approvalId"]);
    let answer = ana.say(&id, "never mind, drop it").await;
    assert_eq!(text_of(&answer), "Fine, I leave it.");
    let late = ana.post(&format!("/api/approvals/{approval}/approve"), decision(&asked, json!({}))).await;
    assert_eq!(late.refusal(), (409, "already_decided"));
    let read = ana.read(&id).await;
    assert_eq!(read["messages"][1]["status"], "stopped");
    assert_eq!(read["messages"][1]["parts"][2]["status"], "rejected");

    let events = ana.chat(AGENT, "save this").await;
    let id = conversation_of(&events);
    let asked = events.last().expect("asked").data.clone();
    let approval = text(&asked["approvalId"]);
    let stopped = ana.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(stopped["stopped"], true);
    assert_eq!(ana.read(&id).await["turn"], json!(null));
    let late = ana.post(&format!("/api/approvals/{approval}/approve"), decision(&asked, json!({}))).await;
    assert_eq!(late.refusal(), (410, "too_late"));

    let events = ana.chat(AGENT, "save this").await;
    let id = conversation_of(&events);
    let asked = events.last().expect("asked").data.clone();
    let approval = text(&asked["approvalId"]);
    ana.delete(&format!("/api/agent-conversations/{id}")).await.expect(StatusCode::OK);
    let late = ana.post(&format!("/api/approvals/{approval}/approve"), decision(&asked, json!({}))).await;
    assert_eq!(late.status, 404);
    assert!(pending(&ana).await.is_empty() && notes(&ana).await.is_empty());
    app.end().await;
}

#[tokio::test]
async fn always_means_the_same_arguments_and_a_retry_is_no_decision() {
    let save = |path: &str| json!({"name": "manageMemory", "arguments": {"action": "save", "path": path, "content": path}});
    let delete = json!({"name": "manageMemory", "arguments": {"action": "delete", "path": "one"}});
    let (app, _script) = scripted(json!([
        {"match": "both", "calls": [save("one"), save("two"), save("one")]},
        {"match": "both", "text": "Done."},
        {"match": "again", "calls": [save("one")]},
        {"match": "again", "text": "Kept."},
        {"match": "delete", "calls": [delete]},
    ]))
    .await;
    let ana = app.person("ana").await;
    let events = ana.chat(AGENT, "save both").await;
    let id = conversation_of(&events);
    let retry = ana.post(&format!("/api/agent-chat/{id}/retry"), json!({})).await;
    assert_eq!(retry.refusal(), (409, "turn_in_progress"));
    let asked: Vec<_> = events.iter().filter(|got| got.name == "approval_required").collect();
    assert_eq!(asked.len(), 3);
    let mut rest = ana.follow(&id, asked[2].id.as_deref().expect("an id")).await;
    let path = |at: usize| format!("/api/approvals/{}/approve", text(&asked[at].data["approvalId"]));
    let always = decision(&asked[0].data, json!({"remember": true}));
    ana.post(&path(0), always).await.expect(StatusCode::OK);
    let left: Vec<Value> = pending(&ana).await.into_iter().map(|one| one["args"]["path"].clone()).collect();
    assert_eq!(left, ["two"], "what waits beside it is allowed with it only if it is the same");
    ana.post(&path(1), decision(&asked[1].data, json!({}))).await.expect(StatusCode::OK);
    assert_eq!(rest.until("done").await.data["status"], "completed");
    assert_eq!(notes(&ana).await.len(), 2);

    let again = ana.say(&id, "again").await;
    assert!(!names(&again).contains(&"approval_required"), "the same call is allowed in this conversation");
    let deletes = ana.say(&id, "delete it").await;
    assert!(names(&deletes).contains(&"approval_required"), "who may save may not delete");
    app.end().await;
}

#[tokio::test]
async fn only_the_conversations_own_person_decides_and_no_token_for_itself() {
    let (app, _script) = asking().await;
    let ana = app.person("ana").await;
    let made = ana.post("/api/auth/tokens", json!({"name": "t", "workspaceId": ana.workspace})).await;
    let program = ana.with_token(&text(&made.expect(StatusCode::CREATED)["token"]));
    let other = ana.post("/api/auth/tokens", json!({"name": "u", "workspaceId": ana.workspace})).await;
    let other = ana.with_token(&text(&other.expect(StatusCode::CREATED)["token"]));
    let events = program.chat(AGENT, "save this").await;
    let asked = events.last().expect("asked").data.clone();
    let (path, allow) =
        (format!("/api/approvals/{}/approve", text(&asked["approvalId"])), decision(&asked, json!({})));
    assert_eq!(program.post(&path, allow.clone()).await.refusal(), (403, "own_request"));
    assert_eq!(app.person("ben").await.post(&path, allow.clone()).await.status, 404);
    let always = other.post(&path, decision(&asked, json!({"remember": true}))).await;
    assert_eq!((always.refusal(), &always.body["field"]), ((403, "session_required"), &json!("remember")));
    other.post(&path, allow).await.expect(StatusCode::OK);

    let events = program.chat(AGENT, "save this").await;
    let asked = events.last().expect("asked").data.clone();
    let path = format!("/api/approvals/{}/reject", text(&asked["approvalId"]));
    let rejected = program.post(&path, decision(&asked, json!({}))).await.expect(StatusCode::OK);
    assert_eq!(rejected["status"], "rejected", "to refuse is no danger");
    app.end().await;
}
