use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::agents::member;
use crate::talk::{conversation_of, scripted};
use crate::test_app::{Actor, Answer, PASSWORD, TestApp, text};

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

    let without = ana.delete("/api/auth/me").await;
    assert_eq!(
        (without.refusal(), &without.body["field"]),
        ((403, "wrong_password"), &json!("current_password"))
    );
    let wrong = ana.request(Method::DELETE, "/api/auth/me").json(&json!({"current_password": "a guess"}));
    assert_eq!(Answer::read(wrong).await.refusal(), (403, "wrong_password"));
    ana.get("/api/auth/me").await.expect(StatusCode::OK);
    let proven = ana.request(Method::DELETE, "/api/auth/me").json(&json!({"current_password": PASSWORD}));
    Answer::read(proven).await.expect(StatusCode::OK);
    assert_eq!(ana.get("/api/auth/me").await.status, 401);
    let sign_in = json!({"email": "ana@example.org", "password": PASSWORD});
    assert_eq!(app.anonymous().post("/api/auth/sign-in", sign_in).await.status, 401);
    app.person("ana").await;
    app.end().await;
}

/// A guest and who was a member take along what they were shown, and no workings of a workspace that isn't theirs.
#[tokio::test]
async fn an_export_holds_what_guests_and_former_members_were_shown() {
    let (app, _script) = scripted(json!([
        {"match": "time", "after_tools": false, "reasoning": "My prompt says so.", "text": "Let me look.",
         "calls": [{"name": "getCurrentTime", "arguments": {"timeZone": "Asia/Tokyo"}}]},
        {"match": "time", "after_tools": true, "text": "It is noon."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    ana.patch(&format!("/api/agents/{coach}"), json!({"public_tools": ["getCurrentTime"]})).await;
    ana.open_to_public(json!({"default_agent_id": coach})).await;
    let guest = app.person("guest").await.at(&ana.workspace);
    let ben = member(&app, &ana, "ben").await;
    let exported = async |who: &Actor<'_>, id: &str| -> Value {
        let export = who.get("/api/auth/me/export").await.expect(StatusCode::OK);
        let all = export["conversations"].as_array().expect("conversations").clone();
        all.into_iter().find(|one| one["id"] == id).expect("the conversation")
    };
    let asked = async |who: &Actor<'_>| conversation_of(&who.chat("Budget Coach", "What time is it?").await);
    let (by_guest, by_ben) = (asked(&guest).await, asked(&ben).await);
    let as_member = exported(&ben, &by_ben).await;
    assert!(as_member.to_string().contains("Asia/Tokyo") && as_member["activations"][0].is_object());

    ana.delete(&format!("/api/workspaces/{}/members/{}", ana.workspace, ben.id)).await.expect(StatusCode::OK);
    for (who, id) in [(&guest, &by_guest), (&ben, &by_ben)] {
        let taken = exported(who, id).await;
        assert!(taken["messages"][1]["content"].as_str().is_some_and(|said| said.ends_with("It is noon.")));
        for inside in
            ["Asia/Tokyo", "getCurrentTime", "My prompt says so", "scripted", "inputTokens", "taskId"]
        {
            assert!(!taken.to_string().contains(inside), "{inside}: {taken:#}");
        }
        assert!(taken.get("activations").is_none() && taken.get("snapshots").is_none(), "{taken:#}");
    }
    app.end().await;
}
