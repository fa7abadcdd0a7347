use reqwest::StatusCode;
use serde_json::json;

use crate::test_app::{Answer, TestApp, text};

#[tokio::test]
async fn the_catalog_is_for_admins_and_versions_count() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let ben = app.person("ben").await;
    assert_eq!(ben.get("/api/admin/agents").await.refusal(), (403, "admin_required"));
    let list = admin.get("/api/admin/agents?search=coach").await.expect(StatusCode::OK);
    assert_eq!(list["total"], 1);
    let path = format!("/api/admin/agents/{}", text(&list["agents"][0]["id"]));

    let changed = admin.patch(&path, json!({"description": "Coaches more."})).await.expect(StatusCode::OK);
    assert_eq!((&changed["current_version"], &changed["published_version"]), (&json!(2), &json!(1)));
    let seen = ben.agent("Budget Coach").await;
    assert_ne!(seen["description"], "Coaches more.", "a draft is nobody's business");
    let publish = admin.request(reqwest::Method::POST, &format!("{path}/publish"));
    Answer::read(publish).await.expect(StatusCode::OK);
    let hired = format!("/api/agents/{}", text(&seen["localAgentId"]));
    let updated = ben.post(&format!("{hired}/update"), json!({})).await.expect(StatusCode::OK);
    assert_eq!((&updated["description"], &updated["hired_version"]), (&json!("Coaches more."), &json!(2)));
    assert_eq!(
        admin.get(&format!("{path}/versions")).await.body["versions"].as_array().expect("versions").len(),
        2
    );
    admin.post(&format!("{path}/publish"), json!({"version": 1})).await.expect(StatusCode::OK);
    assert_eq!(admin.post(&format!("{path}/publish"), json!({"version": 7})).await.status, 404);

    admin.post(&format!("{path}/disable"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(ben.agents("&hired_only=true").await["total"], 6, "who had it has it no more");
    let cleo = app.person("cleo").await;
    assert_eq!(cleo.agents("&hired_only=true").await["total"], 6, "new workspaces don't get it");
    let id = path.rsplit('/').next().expect("an id");
    let hire = cleo.post(&format!("/api/agents/{id}/hire"), json!({"workspaceId": cleo.workspace})).await;
    assert_eq!(hire.status, 404);
    admin.post(&format!("{path}/enable"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(cleo.agents("&search=coach").await["total"], 1);
    assert_eq!(ben.agents("&hired_only=true").await["total"], 7, "and has it again");
    app.end().await;
}

#[tokio::test]
async fn a_new_entry_is_hidden_until_published() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let body = json!({"name": "Translator", "system_prompt": "You translate.", "category": "communications"});
    let made = admin.post("/api/admin/agents", body).await.expect(StatusCode::CREATED);
    assert_eq!(made["published_version"], json!(null));
    let id = text(&made["id"]);
    assert_eq!(admin.get(&format!("/api/agents/{id}")).await.status, 404);
    let hire = json!({"workspaceId": admin.workspace});
    assert_eq!(admin.post(&format!("/api/agents/{id}/hire"), hire.clone()).await.status, 404);
    admin.post(&format!("/api/admin/agents/{id}/publish"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(admin.agent("Translator").await["isHired"], false);
    admin.post(&format!("/api/agents/{id}/hire"), hire).await.expect(StatusCode::CREATED);
    app.end().await;
}

#[tokio::test]
async fn people_for_admins() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let ben = app.person("ben").await;
    assert_eq!(ben.get("/api/admin/profiles").await.refusal(), (403, "admin_required"));
    let found = admin.get("/api/admin/profiles?search=BEN").await.expect(StatusCode::OK);
    assert_eq!((&found["total"], &found["profiles"][0]["id"]), (&json!(1), &json!(ben.id)));
    let path = format!("/api/admin/profiles/{}", ben.id);
    let premium = admin.patch(&path, json!({"tier": "premium"})).await.expect(StatusCode::OK);
    assert_eq!(premium["tier"], "premium");
    let own = format!("/api/admin/profiles/{}", admin.id);
    assert_eq!(admin.patch(&own, json!({"is_admin": false})).await.refusal(), (409, "last_admin"));

    let link = admin.post(&format!("{path}/sign-in-link"), json!({})).await.expect(StatusCode::CREATED);
    let token = text(&link["path"]).rsplit('#').next().expect("a token").to_owned();
    let signed_in = app.anonymous().post("/api/auth/links/redeem", json!({"token": token})).await;
    assert_eq!(signed_in.expect(StatusCode::OK)["profile"]["id"], json!(ben.id));
    app.end().await;
}
