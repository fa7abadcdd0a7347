//! Limits on the space that a workspace and its visitors take, and the deletion of visitors' old conversations.

use baton_core::people::SignUp;
use baton_server::retention::forget_visitors;
use baton_server::settings::Given;
use chrono::{Duration, Utc};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::talk::{Reading, conversation_of, scripted, text_of};
use crate::test_app::{Actor, Answer, TestApp, text};

fn small() -> Given {
    Given { sign_up: Some(SignUp::Open), ..Given::default() }
}

/// What is measured from now on is what is there now.
fn look_again(app: &TestApp, workspace: &str) {
    app.app.space.forget(baton_core::ids::WorkspaceId(workspace.parse().expect("an id")));
}

/// Brings a conversation along that takes 1.2 MB.
async fn fill(of: &Actor<'_>) -> String {
    let id = of.conversation("Budget Coach").await;
    let long = json!({"role": "user", "content": "語".repeat(200_000)});
    let path = format!("/api/agent-conversations/{id}/messages");
    of.post(&path, json!({"messages": [long, long]})).await.expect(StatusCode::CREATED);
    id
}

#[tokio::test]
async fn a_workspace_holds_only_so_much() {
    let app = TestApp::with(Given { workspace_megabytes: Some(1), ..small() }).await;
    let ana = app.person("ana").await;
    let agent = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let other = ana.conversation("Budget Coach").await;
    let full = fill(&ana).await;
    look_again(&app, &ana.workspace);
    let message = text(&ana.read(&full).await["messages"][1]["id"]);
    let begins = json!({"message": "Hi", "agentId": agent, "workspaceId": ana.workspace});
    let goes_on = json!({"message": "Hi", "conversationId": other, "workspaceId": ana.workspace});
    let brings = json!({"messages": [{"role": "user", "content": "Hi"}]});
    for (path, body) in [
        ("/api/agent-chat".to_owned(), begins),
        ("/api/agent-chat".to_owned(), goes_on.clone()),
        ("/api/agent-conversations".to_owned(), json!({"agentId": agent, "workspaceId": ana.workspace})),
        (format!("/api/agent-conversations/{full}/fork"), json!({"beforeMessageId": message})),
        (format!("/api/agent-conversations/{other}/messages"), brings),
    ] {
        let refused = ana.post(&path, body).await;
        assert_eq!(refused.refusal(), (409, "workspace_full"), "{path}");
        assert!(text(&refused.body["message"]).contains("workspace_megabytes"), "{}", refused.body);
    }
    let upload = format!("/api/attachments?workspaceId={}&name=a.txt", ana.workspace);
    let refused = Answer::read(ana.request(Method::POST, &upload).body("text")).await;
    assert_eq!(refused.refusal(), (409, "workspace_full"));
    assert_eq!(text(&ana.read(&other).await["id"]), other, "what is there can be read");
    // Nobody else's is full, and there is room again once something goes.
    let ben = app.person("ben").await;
    ben.conversation("Budget Coach").await;
    ana.delete(&format!("/api/agent-conversations/{full}")).await.expect(StatusCode::OK);
    assert_eq!(ana.post("/api/agent-chat", goes_on).await.status, StatusCode::OK);
    app.end().await;
}

#[tokio::test]
async fn a_message_that_is_stored_is_answered_again_however_full_it_is() {
    let app = TestApp::with(Given { workspace_megabytes: Some(1), ..small() }).await;
    let ana = app.person("ana").await;
    let body = ana.chat_body("Budget Coach", "Hi").await;
    let post =
        |key: &'static str| ana.request(Method::POST, "/api/agent-chat").header("idempotency-key", key);
    let first = Reading::open(post("k1").json(&body)).await.rest().await;
    fill(&ana).await;
    look_again(&app, &ana.workspace);
    assert_eq!(Answer::read(post("k2").json(&body)).await.refusal(), (409, "workspace_full"));
    let again = Reading::open(post("k1").json(&body)).await.rest().await;
    assert_eq!(first[0].data["sessionId"], again[0].data["sessionId"]);
    assert_eq!(text_of(&first), text_of(&again));
    let other = ana.chat_body("Budget Coach", "Something else").await;
    assert_eq!(Answer::read(post("k1").json(&other)).await.refusal(), (422, "idempotency_key_reused"));
    app.end().await;
}

#[tokio::test]
async fn what_is_large_counts_at_once() {
    let app = TestApp::with(Given { workspace_megabytes: Some(3), ..small() }).await;
    let ana = app.person("ana").await;
    let upload = format!("/api/attachments?workspaceId={}&name=a.txt", ana.workspace);
    let mut answers = Vec::new();
    for _ in 0..6 {
        let file = Answer::read(ana.request(Method::POST, &upload).body("x".repeat(1_000_000))).await;
        answers.push(file.status.as_u16());
    }
    assert_eq!(answers, [201, 201, 201, 409, 409, 409]);
    // Each person has a workspace of their own.
    let ben = app.person("ben").await;
    let full = fill(&ben).await;
    let message = text(&ben.read(&full).await["messages"][1]["id"]);
    let mut answers = Vec::new();
    for _ in 0..6 {
        let path = format!("/api/agent-conversations/{full}/fork");
        answers.push(ben.post(&path, json!({"beforeMessageId": message})).await.status.as_u16());
    }
    assert_eq!(answers[0], 201);
    assert_eq!(answers[5], 409, "{answers:?}");
    app.end().await;
}

#[tokio::test]
async fn visitors_have_only_so_much_together() {
    let limits = Given { visitor_conversations: Some(2), visitor_megabytes: Some(1), ..small() };
    let app = TestApp::with(limits).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let (visitor, guest) = (app.visitor(&slug).await, app.person("guest").await.at(&ana.workspace));
    let first = visitor.conversation("Budget Coach").await;
    guest.conversation("Budget Coach").await;
    look_again(&app, &ana.workspace);
    let new = json!({"agentId": coach, "workspaceId": ana.workspace});
    for someone in [&visitor, &guest, &app.visitor(&slug).await] {
        let refused = someone.post("/api/agent-conversations", new.clone()).await;
        assert_eq!(refused.refusal(), (409, "visitors_full"));
        let body = json!({"message": "Hi", "agentId": coach, "workspaceId": ana.workspace});
        assert_eq!(someone.post("/api/agent-chat", body).await.refusal(), (409, "visitors_full"));
    }
    assert!(!visitor.say(&first, "One that is there goes on").await.is_empty());
    ana.conversation("Budget Coach").await;
    visitor.delete(&format!("/api/agent-conversations/{first}")).await.expect(StatusCode::OK);
    let second = visitor.conversation("Budget Coach").await;

    // What a member had and leaves behind is a guest's.
    fill(&ana).await;
    look_again(&app, &ana.workspace);
    let say = json!({"message": "Hi", "conversationId": second, "workspaceId": ana.workspace});
    assert_eq!(visitor.post("/api/agent-chat", say.clone()).await.status, StatusCode::OK);
    let invitation = format!("/api/workspaces/{}/invitations", ana.workspace);
    let token =
        text(&ana.post(&invitation, json!({"role": "owner"})).await.expect(StatusCode::CREATED)["token"]);
    guest.post(&format!("/api/invitations/{token}/accept"), json!({})).await.expect(StatusCode::OK);
    let ana_there = format!("/api/workspaces/{}/members/{}", ana.workspace, ana.id);
    guest.delete(&ana_there).await.expect(StatusCode::OK);
    look_again(&app, &ana.workspace);
    assert_eq!(visitor.post("/api/agent-chat", say).await.refusal(), (409, "visitors_full"));
    app.end().await;
}

#[tokio::test]
async fn what_visitors_left_long_ago_is_deleted() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let (visitor, guest) = (app.visitor(&slug).await, app.person("guest").await.at(&ana.workspace));
    let mut ids = Vec::new();
    for someone in [&visitor, &guest, &ana] {
        let events = someone.chat("Budget Coach", "Hi").await;
        assert_eq!(text_of(&events), "Hello.");
        ids.push(format!("/api/agent-conversations/{}", conversation_of(&events)));
    }
    let empty = format!("/api/agent-conversations/{}", visitor.conversation("Budget Coach").await);
    forget_visitors(&app.app, Utc::now() + Duration::days(89)).await.expect("done");
    assert_eq!(visitor.get(&ids[0]).await.status, StatusCode::OK);
    forget_visitors(&app.app, Utc::now() + Duration::days(91)).await.expect("done");
    for gone in [&ids[0], &empty] {
        assert_eq!(visitor.get(gone).await.refusal(), (404, "not_found"));
    }
    assert_eq!(guest.get(&ids[1]).await.status, StatusCode::OK, "who has an account keeps theirs");
    assert_eq!(ana.get(&ids[2]).await.status, StatusCode::OK);
    let audit = ana.get(&format!("/api/workspaces/{}/audit", ana.workspace)).await.expect(StatusCode::OK);
    assert!(audit.to_string().matches("conversation.deleted").count() == 2, "{audit}");
    app.end().await;

    let app = TestApp::with(Given { visitor_days: Some(0), ..small() }).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let visitor = app.visitor(&slug).await;
    let id = visitor.conversation("Budget Coach").await;
    forget_visitors(&app.app, Utc::now() + Duration::days(10_000)).await.expect("done");
    assert_eq!(text(&visitor.read(&id).await["id"]), id, "0 is never");
    app.end().await;
}

#[tokio::test]
async fn forking_and_importing_have_a_limit_an_hour() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let id = ana.conversation("Budget Coach").await;
    let path = format!("/api/agent-conversations/{id}/messages");
    let brings = json!({"messages": [{"role": "user", "content": "Hi"}]});
    ana.post(&path, brings.clone()).await.expect(StatusCode::CREATED);
    // All but the last that she has.
    let _ = app.app.copies.take_many(&ana.id, 998, u32::MAX);
    let message = text(&ana.read(&id).await["messages"][0]["id"]);
    let fork = format!("/api/agent-conversations/{id}/fork");
    let before = json!({"beforeMessageId": message});
    ana.post(&fork, before.clone()).await.expect(StatusCode::CREATED);
    assert_eq!(ana.post(&fork, before).await.refusal(), (429, "too_many_attempts"));
    assert_eq!(ana.post(&path, brings.clone()).await.refusal(), (429, "too_many_attempts"));
    let ben = app.person("ben").await;
    let his = format!("/api/agent-conversations/{}/messages", ben.conversation("Budget Coach").await);
    ben.post(&his, brings).await.expect(StatusCode::CREATED);
    app.end().await;
}

#[tokio::test]
async fn pictures_are_fetched_only_so_often() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let body = json!({
        "workspaceId": ana.workspace, "name": "Pia", "system_prompt": "You paint.",
        "avatar_url": "http://127.0.0.1/a.png",
    });
    let refused = ana.post("/api/agents", body.clone()).await;
    assert_eq!((refused.refusal(), &refused.body["field"]), ((400, "invalid_field"), &json!("avatar_url")));
    let _ = app.app.copies.take_many(&format!("avatars of {}", ana.id), 59, u32::MAX);
    assert_eq!(ana.post("/api/agents", body).await.refusal(), (429, "too_many_attempts"));
    app.end().await;
}

#[tokio::test]
async fn one_address_reads_only_so_many_streams_of_visitors() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let visitor = app.visitor(&slug).await;
    let stream =
        format!("/api/agent-chat/{}/stream", conversation_of(&visitor.chat("Budget Coach", "Hi").await));
    // As many other visitors from here read.
    let here = Some(std::net::IpAddr::from([127, 0, 0, 1]));
    let mut others: Vec<_> = (0..1_000).map_while(|_| app.app.public_limits.stream(here).ok()).collect();
    assert!(others.len() < 1_000);
    assert_eq!(visitor.get(&stream).await.refusal(), (429, "too_many_streams"));
    others.clear();
    let open = visitor.request(Method::GET, &stream).send().await.expect("an answer");
    assert_eq!(open.status(), StatusCode::OK);
    app.end().await;
}
