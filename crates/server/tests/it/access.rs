use baton_core::ids::ProfileId;
use baton_core::people::{Standing, Tier};
use reqwest::StatusCode;
use serde_json::json;

use crate::test_app::TestApp;

/// The access table over HTTP, as far as its paths exist: list, read, begin, hire.
#[tokio::test]
async fn restricted_agents_are_for_premium_profiles() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let coach = ana.agent("Budget Coach").await;
    let local = coach["localAgentId"].as_str().expect("an id").to_owned();
    let path = format!("/api/agents/{local}");
    ana.patch(&path, json!({"is_restricted": true})).await.expect(StatusCode::OK);
    let begin = json!({"agentId": local, "workspaceId": ana.workspace});

    assert_eq!(ana.agents("&hired_only=true").await["total"], 6, "not in a free profile's list");
    ana.get(&path).await.expect(StatusCode::OK);
    let refused = ana.post("/api/agent-conversations", begin.clone()).await;
    assert_eq!(refused.refusal(), (403, "premium_required"));
    assert_eq!(refused.body["error"], "This agent requires a premium subscription.");

    let id = ProfileId(ana.id.parse().expect("an id"));
    let premium = Standing { tier: Some(Tier::Premium), is_admin: None };
    app.app.store.set_standing(id, premium, None).await.expect("premium");
    assert_eq!(ana.agents("&hired_only=true").await["total"], 7);
    ana.post("/api/agent-conversations", begin).await.expect(StatusCode::CREATED);
    app.end().await;
}

#[tokio::test]
async fn hiring_needs_select() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let body = json!({"name": "Analyst", "system_prompt": "You analyse.", "is_restricted": true});
    let entry = admin.post("/api/admin/agents", body).await.expect(StatusCode::CREATED);
    let id = entry["id"].as_str().expect("an id").to_owned();
    admin.post(&format!("/api/admin/agents/{id}/publish"), json!({})).await.expect(StatusCode::OK);
    let ben = app.person("ben").await;
    let hire = json!({"workspaceId": ben.workspace});
    let refused = ben.post(&format!("/api/agents/{id}/hire"), hire.clone()).await;
    assert_eq!(refused.refusal(), (403, "premium_required"));
    assert_eq!(ben.get(&format!("/api/agents/{id}")).await.refusal(), (403, "premium_required"));
    assert_eq!(ben.agents("&search=analyst").await["total"], 0);
    let standing = json!({"tier": "premium"});
    admin.patch(&format!("/api/admin/profiles/{}", ben.id), standing).await.expect(StatusCode::OK);
    let hired = ben.post(&format!("/api/agents/{id}/hire"), hire).await.expect(StatusCode::CREATED);

    let path = format!("/api/agents/{}/update", hired["id"].as_str().expect("an id"));
    ben.post(&path, json!({})).await.expect(StatusCode::OK);
    let free = json!({"tier": "free"});
    admin.patch(&format!("/api/admin/profiles/{}", ben.id), free).await.expect(StatusCode::OK);
    let refused = ben.post(&path, json!({})).await;
    assert_eq!(refused.refusal(), (403, "premium_required"), "taking a version over is as hiring it");
    app.end().await;
}
