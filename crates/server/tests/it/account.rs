use reqwest::StatusCode;
use serde_json::json;

use crate::test_app::{PASSWORD, TestApp};

#[tokio::test]
async fn changing_ones_account() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let changed = ana.patch("/api/auth/me", json!({"name": "Ana 🦊", "time_zone": "Europe/Zurich"})).await;
    let me = changed.expect(StatusCode::OK);
    assert_eq!(
        (&me["profile"]["name"], &me["profile"]["time_zone"]),
        (&json!("Ana 🦊"), &json!("Europe/Zurich"))
    );
    let refused = ana.patch("/api/auth/me", json!({"time_zone": "Mars/Olympus"})).await;
    assert_eq!((refused.status.as_u16(), &refused.body["field"]), (400, &json!("time_zone")));

    let without = ana.patch("/api/auth/me", json!({"password": "another good one"})).await;
    assert_eq!(without.refusal(), (403, "wrong_password"));
    let body = json!({"password": "another good one", "current_password": PASSWORD});
    ana.patch("/api/auth/me", body).await.expect(StatusCode::OK);
    let sign_in = json!({"email": "ana@example.org", "password": "another good one"});
    app.anonymous().post("/api/auth/sign-in", sign_in).await.expect(StatusCode::OK);
    app.end().await;
}

#[tokio::test]
async fn taking_ones_account_along_and_deleting_it() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let conversation = ana.conversation("Budget Coach").await;
    let messages = json!({"messages": [{"role": "user", "content": "Remember me"}]});
    ana.post(&format!("/api/agent-conversations/{conversation}/messages"), messages).await;
    let export = ana.get("/api/auth/me/export").await;
    assert!(export.headers["content-disposition"].to_str().expect("text").starts_with("attachment"));
    let export = export.expect(StatusCode::OK);
    assert_eq!(export["conversations"][0]["messages"][0]["content"], "Remember me");
    assert!(!export.to_string().contains("argon2"), "no hashes leave");

    ana.delete("/api/auth/me").await.expect(StatusCode::OK);
    assert_eq!(ana.get("/api/auth/me").await.status, 401);
    let sign_in = json!({"email": "ana@example.org", "password": PASSWORD});
    assert_eq!(app.anonymous().post("/api/auth/sign-in", sign_in).await.status, 401);
    app.person("ana").await;
    app.end().await;
}
