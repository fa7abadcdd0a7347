use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::talk::scripted;
use crate::test_app::{Actor, TestApp, text};

#[tokio::test]
async fn a_conversation_from_beginning_to_end() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let id = ana.conversation("Budget Coach").await;
    let path = format!("/api/agent-conversations/{id}");
    let parts = json!([{"type": "tool-invocation", "toolInvocation": {"toolName": "x", "state": "call"}}]);
    let body = json!({"messages": [
        {"role": "user", "content": "How much is left? 💶"},
        {"role": "assistant", "content": "Enough.", "parts": parts},
    ]});
    let kept = ana.post(&format!("{path}/messages"), body).await.expect(StatusCode::CREATED);
    assert_eq!(kept["messages"][1]["metadata"]["imported"], true);
    assert_eq!(kept["messages"][1]["parts"][0]["type"], "text", "whatever it claims to be");

    let read = ana.get(&path).await.expect(StatusCode::OK);
    assert_eq!(
        (&read["title"], &read["cursor"], &read["has_more"]),
        (&json!("How much is left? 💶"), &json!("2.0"), &json!(false))
    );
    assert!(read["messages"].as_array().expect("messages").iter().all(|m| m["agent_id"] == read["agent_id"]));
    let renamed = ana.patch(&path, json!({"title": "Left over"})).await.expect(StatusCode::OK);
    assert_eq!(renamed["title"], "Left over");
    ana.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&path).await.status, 404);
    app.end().await;
}

#[tokio::test]
async fn nobody_elses() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let admin = app.admin().await;
    let id = ana.conversation("Budget Coach").await;
    let path = format!("/api/agent-conversations/{id}");
    for actor in [&admin, &app.person("ben").await] {
        assert_eq!(actor.get(&path).await.status, 404);
        assert_eq!(actor.patch(&path, json!({"title": "x"})).await.status, 404);
        assert_eq!(actor.delete(&path).await.status, 404);
        let body = json!({"messages": [{"role": "user", "content": "x"}]});
        assert_eq!(actor.post(&format!("{path}/messages"), body).await.status, 404);
    }
    assert_eq!(app.anonymous().get(&path).await.status, 401);
    let agent = ana.agent("Budget Coach").await["localAgentId"].clone();
    let theirs = json!({"agentId": agent, "workspaceId": admin.workspace});
    assert_eq!(
        admin.post("/api/agent-conversations", theirs).await.status,
        404,
        "an agent of another workspace"
    );
    app.end().await;
}

#[tokio::test]
async fn the_list_of_all_is_ones_own_in_that_workspace_with_who_holds_each() {
    let (app, _script) = scripted(json!([{"text": "Here."}])).await;
    let ana = app.person("ana").await;
    let (vera, ben) = (ana.make_agent("Vera", json!({})).await, ana.make_agent("Ben", json!({})).await);
    let (first, second) = (ana.begin("agentId", &vera).await, ana.begin("agentId", &ben).await);
    ana.say(&first, "What is\nleft?").await;
    ana.switch(&first, json!({"agentId": ben})).await.expect(StatusCode::OK);
    let body = json!({"name": "Second"});
    let other = text(&ana.post("/api/workspaces", body).await.expect(StatusCode::CREATED)["id"]);
    let eve = app.person("eve").await;
    eve.conversation("Budget Coach").await;

    let all = async |actor: &Actor<'_>, workspace: &str| {
        actor.get(&format!("/api/agent-conversations?workspaceId={workspace}")).await
    };
    let rows = all(&ana, &ana.workspace).await.expect(StatusCode::OK);
    let seen = |row: &Value| {
        (text(&row["id"]), row["title"].clone(), text(&row["holder"]["name"]), row["turn"].clone())
    };
    assert_eq!(
        rows.as_array().expect("a list").iter().map(seen).collect::<Vec<_>>(),
        [
            (first, json!("What is"), "Ben".to_owned(), Value::Null),
            (second, Value::Null, "Ben".to_owned(), Value::Null),
        ]
    );
    assert_eq!(all(&ana, &other).await.expect(StatusCode::OK), json!([]), "nothing of another workspace");
    assert_eq!(all(&eve, &ana.workspace).await.status, 403);
    assert_eq!(all(&app.anonymous(), &ana.workspace).await.status, 401);
    app.end().await;
}

#[tokio::test]
async fn a_list_tells_which_turns_run_and_which_wait() {
    let (app, _script) = scripted(json!([{"text": "Slowly.", "delay_ms_per_word": 60_000}])).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let id = ana.begin("agentId", &vera).await;
    let mut reading = ana.saying(&id, "Go").await;
    reading.until("message_start").await;
    let path = format!("/api/agent-conversations?workspaceId={}", ana.workspace);
    let rows = ana.get(&path).await.expect(StatusCode::OK);
    assert_eq!(rows[0]["turn"]["status"], "running");
    app.end().await;
}

#[tokio::test]
async fn long_histories_come_in_pages() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let id = ana.conversation("Budget Coach").await;
    let path = format!("/api/agent-conversations/{id}");
    for batch in 0..3 {
        let messages: Vec<_> = (0..50)
            .map(|n| json!({"role": "user", "content": format!("message {}", batch * 50 + n)}))
            .collect();
        ana.post(&format!("{path}/messages"), json!({"messages": messages}))
            .await
            .expect(StatusCode::CREATED);
    }
    let newest = ana.get(&path).await.expect(StatusCode::OK);
    let messages = newest["messages"].as_array().expect("messages");
    assert_eq!((messages.len(), &newest["has_more"]), (100, &json!(true)));
    assert_eq!(
        (&messages[0]["content"], &messages[99]["content"]),
        (&json!("message 50"), &json!("message 149"))
    );
    let older = ana.get(&format!("{path}?before={}", text(&messages[0]["id"]))).await.expect(StatusCode::OK);
    assert_eq!(
        (older["messages"].as_array().expect("messages").len(), &older["has_more"]),
        (50, &json!(false))
    );
    app.end().await;
}

#[tokio::test]
async fn the_list_pages_by_its_link_header_and_searches() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(ana.conversation("Budget Coach").await);
    }
    let messages = json!({"messages": [{"role": "user", "content": "Der GROẞE Plan"}]});
    ana.post(&format!("/api/agent-conversations/{}/messages", made[2]), messages)
        .await
        .expect(StatusCode::CREATED);
    let agent = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let base = format!("/api/agent-conversations?agentId={agent}&workspaceId={}", ana.workspace);
    let mut next = Some(format!("{base}&limit=2"));
    let mut seen = Vec::new();
    while let Some(path) = next {
        let page = ana.get(&path).await;
        let rows = page.expect(StatusCode::OK);
        seen.extend(rows.as_array().expect("an array").iter().map(|row| text(&row["id"])));
        next = page.headers.get("link").map(|link| {
            let link = link.to_str().expect("text");
            link.trim_start_matches('<').split('>').next().expect("an address").to_owned()
        });
    }
    assert_eq!(seen.len(), 5);
    assert_eq!(seen[0], made[2], "the latest first");
    let found = ana.get(&format!("{base}&search=grosse")).await.expect(StatusCode::OK);
    assert_eq!(found.as_array().expect("an array").len(), 1);
    app.end().await;
}
