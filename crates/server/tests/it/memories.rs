use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::test_app::{Actor, TestApp, text};

async fn notes_of(actor: &Actor<'_>, agent: &str) -> String {
    format!("/api/agents/{}/memories", text(&actor.agent(agent).await["localAgentId"]))
}

fn paths(list: &Value) -> Vec<String> {
    list["memories"].as_array().expect("memories").iter().map(|memory| text(&memory["path"])).collect()
}

#[tokio::test]
async fn notes_are_kept_found_changed_and_forgotten() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let notes = notes_of(&ana, "Budget Coach").await;
    let own = ana.post(&notes, json!({"path": "/diet", "content": "No MEAT"})).await;
    let own = own.expect(StatusCode::CREATED);
    assert_eq!((&own["path"], &own["scope"]), (&json!("diet"), &json!("own")));
    let house = json!({"path": "house/style", "content": "Be brief", "scope": "agent"});
    ana.post(&notes, house.clone()).await.expect(StatusCode::CREATED);
    let again = ana.post(&notes, house).await;
    assert_eq!((again.refusal(), &again.body["field"]), ((409, "name_taken"), &json!("path")));

    let list = ana.get(&notes).await.expect(StatusCode::OK);
    assert_eq!((paths(&list), &list["total"]), (vec!["house/style".into(), "diet".into()], &json!(2)));
    for (query, found) in [
        ("?search=meat", vec!["diet"]),
        ("?search=STYLE", vec!["house/style"]),
        ("?search=people", vec![]),
        ("?scope=own", vec!["diet"]),
        ("?limit=1&offset=1", vec!["diet"]),
    ] {
        assert_eq!(
            paths(&ana.get(&format!("{notes}{query}")).await.expect(StatusCode::OK)),
            found,
            "{query}"
        );
    }

    let one = format!("{notes}/{}", text(&own["id"]));
    let changed =
        ana.patch(&one, json!({"content": "Fish", "path": "food/diet"})).await.expect(StatusCode::OK);
    assert_eq!((&changed["path"], &changed["scope"]), (&json!("food/diet"), &json!("own")));
    assert_eq!(ana.get(&one).await.expect(StatusCode::OK), changed);
    for (body, field) in [
        (json!({"path": "people/x/y"}), "path"),
        (json!({"path": "../x"}), "path"),
        (json!({"path": "x".repeat(151)}), "path"),
        (json!({"path": null}), "path"),
        (json!({"content": ""}), "content"),
        (json!({"content": "a\u{0}"}), "content"),
        (json!({"content": "x".repeat(20_001)}), "content"),
        (json!({"scope": "agent"}), "scope"),
    ] {
        let answer = ana.patch(&one, body).await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!(field)), "{}", answer.body);
    }
    let nowhere = ana.post(&notes, json!({"path": "x", "content": "x", "scope": "all"})).await;
    assert_eq!(nowhere.body["field"], "scope");

    ana.delete(&one).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&one).await.refusal(), (404, "not_found"));
    app.end().await;
}

#[tokio::test]
async fn nobody_sees_what_another_person_said() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let notes = notes_of(&ana, "Budget Coach").await;
    let hers =
        ana.post(&notes, json!({"path": "diet", "content": "No meat"})).await.expect(StatusCode::CREATED);
    let house = json!({"path": "style", "content": "Be brief", "scope": "agent"});
    let house = ana.post(&notes, house).await.expect(StatusCode::CREATED);
    let (hers, house) = (format!("{notes}/{}", text(&hers["id"])), format!("{notes}/{}", text(&house["id"])));

    assert_eq!(paths(&ben.get(&notes).await.expect(StatusCode::OK)), ["style"]);
    for refused in [ben.get(&hers).await, ben.patch(&hers, json!({})).await, ben.delete(&hers).await] {
        assert_eq!(refused.refusal(), (404, "not_found"));
    }
    ben.get(&house).await.expect(StatusCode::OK);
    assert_eq!(ben.patch(&house, json!({"content": "x"})).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.delete(&house).await.refusal(), (403, "role_too_low"));
    let shared = json!({"path": "x", "content": "x", "scope": "agent"});
    assert_eq!(ben.post(&notes, shared).await.refusal(), (403, "role_too_low"));
    ben.post(&notes, json!({"path": "diet", "content": "Meat"})).await.expect(StatusCode::CREATED);
    assert_eq!(ana.get(&hers).await.expect(StatusCode::OK)["content"], "No meat", "his path is not hers");

    for refused in [
        cleo.get(&notes).await,
        cleo.get(&house).await,
        cleo.post(&notes, json!({"path": "a", "content": "b"})).await,
    ] {
        assert_eq!(refused.refusal(), (404, "not_found"), "another workspace's agent");
    }
    let theirs = notes_of(&cleo, "Budget Coach").await;
    let id = hers.rsplit('/').next().expect("an id");
    assert_eq!(ana.get(&format!("{theirs}/{id}")).await.status, 404);
    let own_agent = notes_of(&ana, "Sales Agent").await;
    assert_eq!(ana.get(&format!("{own_agent}/{id}")).await.status, 404, "a note is one agent's");
    assert_eq!(app.anonymous().get(&notes).await.status, 401);

    let token = ben.post("/api/auth/tokens", json!({"name": "x", "workspaceId": ana.workspace})).await;
    let program = ben.with_token(&text(&token.expect(StatusCode::CREATED)["token"]));
    assert_eq!(paths(&program.get(&notes).await.expect(StatusCode::OK)), ["diet", "style"]);
    app.end().await;
}

#[tokio::test]
async fn restricted_agents_and_those_let_go() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let notes = format!("/api/agents/{coach}/memories");
    let note = json!({"path": "diet", "content": "Meat"});
    let kept = ben.post(&notes, note.clone()).await.expect(StatusCode::CREATED);
    ana.delete(&format!("/api/agents/{coach}/unhire")).await.expect(StatusCode::OK);
    assert_eq!(ben.post(&notes, json!({"path": "x", "content": "x"})).await.refusal(), (404, "not_found"));
    ben.delete(&format!("{notes}/{}", text(&kept["id"]))).await.expect(StatusCode::OK);

    let sales = text(&ana.agent("Sales Agent").await["localAgentId"]);
    ana.patch(&format!("/api/agents/{sales}"), json!({"is_restricted": true})).await.expect(StatusCode::OK);
    let notes = format!("/api/agents/{sales}/memories");
    assert_eq!(ben.get(&notes).await.refusal(), (403, "premium_required"));
    ana.get(&notes).await.expect(StatusCode::OK);
    app.end().await;
}

#[tokio::test]
async fn memory_is_a_tool_this_server_has() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let body = json!({"workspaceId": ana.workspace, "name": "Friend", "system_prompt": "x", "tools": ["memory", "webSearch"]});
    ana.post("/api/agents", body).await.expect(StatusCode::CREATED);
    let tools = ana.agent("Friend").await["toolDetails"].clone();
    assert_eq!((&tools[0]["toolName"], &tools[0]["available"]), (&json!("manageMemory"), &json!(true)));
    assert_eq!(tools[1]["available"], false);
    app.end().await;
}
