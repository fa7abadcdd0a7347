//! Open streams end when the reader's rights end, at once and not at the next heartbeat.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::time::timeout;

use crate::agents::member;
use crate::talk::Reading;
use crate::test_app::{Actor, PASSWORD, TestApp, text};

const AT_ONCE: Duration = Duration::from_secs(5);

/// Both kinds of streams: of a conversation, and of the workspace.
async fn reading(person: &Actor<'_>) -> [Reading; 2] {
    let conversation = person.conversation("Budget Coach").await;
    let events = format!("/api/events?workspaceId={}", person.workspace);
    [person.follow(&conversation, "0.0").await, Reading::open(person.request(Method::GET, &events)).await]
}

async fn ended(streams: [Reading; 2]) {
    for stream in streams {
        timeout(AT_ONCE, stream.rest()).await.expect("an end before the heartbeat");
    }
}

#[tokio::test]
async fn a_deleted_token_a_sign_out_and_a_new_password_end_streams() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let made = ana.post("/api/auth/tokens", json!({"name": "t", "workspaceId": ana.workspace})).await;
    let made = made.expect(StatusCode::CREATED);
    let by_token = reading(&ana.with_token(&text(&made["token"]))).await;
    let [_, mut still_open] = reading(&ana).await;
    ana.delete(&format!("/api/auth/tokens/{}", text(&made["id"]))).await.expect(StatusCode::OK);
    ended(by_token).await;

    let sign_in = json!({"email": "ana@example.org", "password": PASSWORD});
    let other = ana.with_cookie(&ana.post("/api/auth/sign-in", sign_in).await.session());
    let by_other = reading(&other).await;
    let change = json!({"password": "another long one", "current_password": PASSWORD});
    ana.patch("/api/auth/me", change).await.expect(StatusCode::OK);
    ended(by_other).await;

    app.app.workspace_changed(baton_core::ids::WorkspaceId(ana.workspace.parse().expect("an id")));
    still_open.until("workspace_changed").await;
    let both = reading(&ana).await;
    ana.post("/api/auth/sign-out", json!({})).await.expect(StatusCode::OK);
    ended(both).await;
    app.end().await;
}

#[tokio::test]
async fn a_removed_member_and_a_deleted_workspace_end_streams() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let (ben, cleo) = (member(&app, &ana, "ben").await, member(&app, &ana, "cleo").await);
    let (bens, cleos) = (reading(&ben).await, reading(&cleo).await);
    let workspace = format!("/api/workspaces/{}", ana.workspace);
    ana.delete(&format!("{workspace}/members/{}", ben.id)).await.expect(StatusCode::OK);
    ended(bens).await;
    ana.delete(&workspace).await.expect(StatusCode::OK);
    ended(cleos).await;
    app.end().await;
}
