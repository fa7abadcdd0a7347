use reqwest::StatusCode;
use serde_json::json;

use crate::test_app::{Actor, Answer, TestApp, text};

#[tokio::test]
async fn a_token_is_one_person_in_one_workspace() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let made = ana.post("/api/auth/tokens", json!({"name": "ci", "workspaceId": ana.workspace})).await;
    let made = made.expect(StatusCode::CREATED);
    let program = ana.with_token(made["token"].as_str().expect("a token"));
    assert_eq!(program.agents("&hired_only=true").await["total"], 7);

    let other = ana.post("/api/workspaces", json!({"name": "Other"})).await.expect(StatusCode::CREATED);
    let path = format!("/api/agents?workspaceId={}", text(&other["id"]));
    assert_eq!(program.get(&path).await.refusal(), (403, "not_a_member"));
    let me = program.get("/api/auth/me").await.expect(StatusCode::OK);
    assert_eq!(me["workspaces"].as_array().expect("workspaces").len(), 1);

    for (method, path) in [
        (reqwest::Method::GET, "/api/auth/tokens"),
        (reqwest::Method::DELETE, "/api/auth/me"),
        (reqwest::Method::GET, "/api/auth/me/export"),
        (reqwest::Method::GET, "/api/admin/profiles"),
    ] {
        let refused = crate::test_app::Answer::read(program.request(method, path)).await;
        assert_eq!(refused.refusal(), (403, "session_required"), "{path}");
    }

    let agent = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    let loosened = program.patch(&agent, json!({"permission_mode": "bypassPermissions"})).await;
    assert_eq!(loosened.refusal(), (403, "session_required"), "it would be asked no more");
    program.patch(&agent, json!({"permission_mode": "default"})).await.expect(StatusCode::OK);

    let invite = format!("/api/workspaces/{}/invitations", ana.workspace);
    assert_eq!(
        program.post(&invite, json!({})).await.refusal(),
        (403, "session_required"),
        "people invite people"
    );

    let list = ana.get("/api/auth/tokens").await.expect(StatusCode::OK);
    assert_eq!(list["tokens"][0]["name"], "ci");
    assert!(list["tokens"][0].get("token").is_none(), "shown once");
    ana.delete(&format!("/api/auth/tokens/{}", text(&made["id"]))).await.expect(StatusCode::OK);
    assert_eq!(program.get("/api/auth/me").await.status, 401);
    app.end().await;
}

#[tokio::test]
async fn a_token_ends_with_the_membership() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let path = format!("/api/workspaces/{}/invitations", ana.workspace);
    let invitation = ana.post(&path, json!({})).await.expect(StatusCode::CREATED);
    let accept = format!("/api/invitations/{}/accept", text(&invitation["token"]));
    ben.post(&accept, json!({})).await.expect(StatusCode::OK);
    let made = ben.post("/api/auth/tokens", json!({"name": "x", "workspaceId": ana.workspace})).await;
    let program = ben.with_token(&text(&made.expect(StatusCode::CREATED)["token"]));
    program.get("/api/auth/me").await.expect(StatusCode::OK);
    ana.delete(&format!("/api/workspaces/{}/members/{}", ana.workspace, ben.id)).await.expect(StatusCode::OK);
    assert_eq!(program.get("/api/auth/me").await.status, 401);
    app.end().await;
}

/// Whoever can't approve their own requests can't bring in an agent that never asks.
#[tokio::test]
async fn a_token_brings_in_no_agent_that_acts_without_asking() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let bold = json!({"name": "Bold", "system_prompt": "You act.", "permission_mode": "bypassPermissions"});
    let entry = text(&admin.post("/api/admin/agents", bold).await.expect(StatusCode::CREATED)["id"]);
    admin.post(&format!("/api/admin/agents/{entry}/publish"), json!({})).await.expect(StatusCode::OK);
    let made = admin.post("/api/auth/tokens", json!({"name": "t", "workspaceId": admin.workspace})).await;
    let program = admin.with_token(&text(&made.expect(StatusCode::CREATED)["token"]));

    let refused = |answer: &Answer| {
        assert_eq!(answer.refusal(), (403, "session_required"));
        assert_eq!(answer.body["field"], "permission_mode");
    };
    for mode in ["bypassPermissions", "acceptEdits"] {
        let own = json!({"workspaceId": admin.workspace, "name": "Own", "system_prompt": "x", "permission_mode": mode});
        refused(&program.post("/api/agents", own).await);
    }
    let (hire, body) = (format!("/api/agents/{entry}/hire"), json!({"workspaceId": admin.workspace}));
    refused(&program.post(&hire, body.clone()).await);
    let hired = text(&admin.post(&hire, body.clone()).await.expect(StatusCode::CREATED)["id"]);
    let agent = format!("/api/agents/{hired}");
    admin.patch(&agent, json!({"permission_mode": "default"})).await.expect(StatusCode::OK);
    refused(&program.post(&format!("{agent}/update"), json!({})).await);
    assert_eq!(admin.get(&agent).await.body["localAgent"]["permission_mode"], "default");
    admin.post(&format!("{agent}/update"), json!({})).await.expect(StatusCode::OK);
    admin.delete(&format!("{agent}/unhire")).await.expect(StatusCode::OK);
    refused(&program.post(&hire, body.clone()).await);
    admin.post(&hire, body).await.expect(StatusCode::CREATED);
    app.end().await;
}

#[tokio::test]
async fn a_server_admins_token_sees_no_base_urls() {
    let model = crate::held_model::HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let admin = app.admin().await;
    let made = admin.post("/api/auth/tokens", json!({"name": "t", "workspaceId": admin.workspace})).await;
    let program = admin.with_token(&text(&made.expect(StatusCode::CREATED)["token"]));
    let seen = async |who: &Actor<'_>| who.get("/api/models").await.body["providers"][0]["baseUrl"].clone();
    assert!(seen(&admin).await.is_string());
    assert_eq!(seen(&program).await, json!(null));
    app.end().await;
}
