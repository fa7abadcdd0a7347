//! A database that goes silent while an agent speaks: readers are told, a stop is obeyed, and everything goes on when
//! the database is back. (SQLite has no connection that could break.)

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;
use tokio::time::timeout;

use crate::database::TestDatabase;
use crate::held_model::HeldModel;
use crate::proxy::Proxy;
use crate::test_app::{TestApp, text};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_database_is_told_of_and_a_stop_is_heard() {
    let mut model = HeldModel::start().await;
    let database = TestDatabase::new().await;
    let Some(url) = database.url() else { return };
    let proxy = Proxy::before(&url);
    let app = TestApp::behind(database, proxy.url(), model.given()).await;
    let ana = app.person("ana").await;
    let mut reading = ana.send(&ana.chat_body("Budget Coach", "Go on").await).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    let asked = model.next().await;

    proxy.silence();
    let told = timeout(PATIENCE, reading.until("error")).await.expect("told");
    assert_eq!((told.id, &told.data["code"]), (None, &json!("storage_unavailable")));
    let path = format!("/api/agent-chat/{id}/stop");
    let stranger = app.anonymous();
    assert_eq!(stranger.post(&path, json!({})).await.status, StatusCode::UNAUTHORIZED);
    let stopped = timeout(PATIENCE, ana.post(&path, json!({}))).await.expect("an answer");
    assert_eq!(stopped.expect(StatusCode::OK)["stopped"], true);

    proxy.answer_again();
    drop(asked);
    let back = async {
        while ana.get(&format!("/api/agent-conversations/{id}")).await.status != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        ana.follow(&id, "0.0").await.until("done").await
    };
    let done = timeout(PATIENCE, back).await.expect("the turn has come to its end");
    assert_eq!(done.data["status"], "stopped", "what they asked for while nobody could store it");
    app.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_visitor_who_reads_can_stop_while_the_database_is_silent_and_nobody_else() {
    let mut model = HeldModel::start().await;
    let database = TestDatabase::new().await;
    let Some(url) = database.url() else { return };
    let proxy = Proxy::before(&url);
    let app = TestApp::behind(database, proxy.url(), model.given()).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach, "public_unpriced": true})).await;
    let (visitor, other) = (app.visitor(&slug).await, app.visitor(&slug).await);
    let body = json!({"message": "Go on", "agentId": coach, "workspaceId": visitor.workspace});
    let mut reading = visitor.send(&body).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    let _asked = model.next().await;

    proxy.silence();
    timeout(PATIENCE, reading.until("error")).await.expect("told");
    let path = format!("/api/agent-chat/{id}/stop");
    let refused = timeout(PATIENCE, other.post(&path, json!({}))).await.expect("an answer");
    assert_eq!(refused.refusal(), (503, "unavailable"));
    let stopped = timeout(PATIENCE, visitor.post(&path, json!({}))).await.expect("an answer");
    assert_eq!(stopped.expect(StatusCode::OK)["stopped"], true);

    proxy.answer_again();
    let back = async {
        while visitor.get(&format!("/api/agent-conversations/{id}")).await.status != StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        visitor.follow(&id, "0.0").await.until("done").await
    };
    let done = timeout(PATIENCE, back).await.expect("the turn has come to its end");
    assert_eq!(done.data["status"], "stopped");
    app.end().await;
}
