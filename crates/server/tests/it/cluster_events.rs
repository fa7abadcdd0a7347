//! Two nodes on one Postgres: what happens at one shows at the other, at once and once.

use std::time::Duration;

use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::{Method, StatusCode};
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::approvals::decision;
use crate::database::TestDatabase;
use crate::talk::{Got, Reading, scripted};
use crate::test_app::{Actor, TestApp, text};

/// Less than nodes take to find it out by looking: every two seconds, and at heartbeats every fifteen.
const AT_ONCE: Duration = Duration::from_millis(1_500);
const SOON: Duration = Duration::from_secs(10);

pub async fn two_nodes(replies: Value) -> Option<(TestApp, TestApp, tempfile::NamedTempFile)> {
    let (app, script) = scripted(replies).await;
    let TestDatabase::Postgres { .. } = app.database else {
        app.end().await;
        return None;
    };
    let model_script = Some(script.path().to_owned());
    let given = Given { sign_up: Some(SignUp::Open), model_script, ..Given::default() };
    let second = TestApp::beside(&app, given).await;
    Some((app, second, script))
}

pub fn elsewhere<'a>(node: &'a TestApp, person: &Actor<'_>) -> Actor<'a> {
    node.actor(person.cookie.as_deref().expect("a cookie"), &person.workspace)
}

async fn events(person: &Actor<'_>) -> Reading {
    let path = format!("/api/events?workspaceId={}", person.workspace);
    Reading::open(person.request(Method::GET, &path)).await
}

async fn at_once(tab: &mut Reading, name: &str) -> Got {
    timeout(SOON, tab.until(name)).await.unwrap_or_else(|_| panic!("no {name} from the other node"))
}

#[tokio::test]
async fn turns_handoffs_switches_and_approvals_show_at_the_other_node() {
    let save = json!({"action": "save", "path": "note", "content": "tea at five"});
    let to_ben = json!({"agent": "ben", "reason": "It is about a car."});
    let replies = json!([
        {"match": "car", "system": "You are Vera.", "calls": [{"name": "switch_agent", "arguments": to_ben}]},
        {"match": "save", "system": "You are Ben.", "calls": [{"name": "manageMemory", "arguments": save}]},
        {"text": "Here I am."},
    ]);
    let Some((app, second, _script)) = two_nodes(replies).await else { return };
    let ana = app.person("ana").await;
    let there = elsewhere(&second, &ana);
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({"tools": ["memory"]})).await;
    let team = ana.make_team("swarm", &[&vera, &ben]).await;
    let id = ana.begin("teamId", &team).await;
    let (mut tab, mut own) = (events(&there).await, events(&ana).await);
    let stranger = second.person("stranger").await;
    let mut other_tab = events(&stranger).await;

    // The model hands off.
    ana.say(&id, "My car broke down").await;
    assert_eq!(at_once(&mut tab, "turn_started").await.data["conversationId"], json!(id));
    let handed = at_once(&mut tab, "switched").await;
    let active = ana.read(&id).await["active"].clone();
    assert_eq!(
        (&handed.data["from"], &handed.data["to"], &handed.data["toName"], &handed.data["trigger"]),
        (&json!(vera), &json!(ben), &json!("Ben"), &json!("model"))
    );
    assert_eq!(handed.data["epoch"], active["epoch"]);
    assert_eq!(at_once(&mut tab, "turn_ended").await.data["status"], "completed");

    // An agent asks, and the person decides at the other node.
    let asked = ana.say(&id, "save it").await;
    let shown = &asked.last().expect("asked").data;
    let approval = text(&shown["approvalId"]);
    assert_eq!(at_once(&mut tab, "approval_required").await.data["approvalId"], json!(approval));
    there
        .post(&format!("/api/approvals/{approval}/approve"), decision(shown, json!({})))
        .await
        .expect(StatusCode::OK);
    assert_eq!(at_once(&mut own, "approval_resolved").await.data["approvalId"], json!(approval));

    // The person switches; both the tab and the conversation's stream hear of it, with the epoch.
    at_once(&mut tab, "turn_ended").await;
    let cursor = text(&there.read(&id).await["cursor"]);
    let mut follower = there.follow(&id, &cursor).await;
    let switched = ana.switch(&id, json!({"agentId": vera})).await.expect(StatusCode::OK);
    let told = timeout(AT_ONCE, follower.until("switched")).await.expect("at once");
    assert_eq!(told.data["epoch"], switched["active"]["epoch"]);
    let noticed = at_once(&mut tab, "switched").await;
    assert_eq!(noticed.data["epoch"], switched["active"]["epoch"]);

    // Each of them once: the next is this one, at both nodes.
    app.app.workspace_changed(baton_core::ids::WorkspaceId(ana.workspace.parse().expect("an id")));
    for tab in [&mut tab, &mut own] {
        let mut rest = Vec::new();
        while rest.last().is_none_or(|got: &Got| got.name != "workspace_changed") {
            rest.push(timeout(SOON, tab.next()).await.expect("in time").expect("more"));
        }
        let after: Vec<&str> = rest.iter().map(|got| got.name.as_str()).collect();
        let repeated = after.iter().filter(|name| **name == "switched").count();
        assert!(repeated <= 1, "{after:?}");
    }
    second.app.workspace_changed(baton_core::ids::WorkspaceId(stranger.workspace.parse().expect("an id")));
    let first = timeout(SOON, other_tab.next()).await.expect("in time").expect("something");
    assert_eq!(first.name, "workspace_changed", "nothing of ana's");
    second.end().await;
    app.end().await;
}

#[tokio::test]
async fn events_go_on_with_a_reset_after_the_line_was_cut() {
    let Some((app, second, _script)) = two_nodes(json!([{"text": "Hi."}])).await else { return };
    let ana = app.person("ana").await;
    let there = elsewhere(&second, &ana);
    let (mut here, mut tab) = (events(&ana).await, events(&there).await);
    let admin = Database::connect(app.database.url().expect("a URL")).await.expect("the database");
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() \
               AND pid <> pg_backend_pid() AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')";
    admin.execute_unprepared(cut).await.expect("cut");
    admin.close().await.expect("closed");
    for tab in [&mut here, &mut tab] {
        at_once(tab, "reset").await;
    }
    ana.chat("Budget Coach", "Hello").await;
    assert_eq!(at_once(&mut tab, "turn_ended").await.data["status"], "completed");
    assert_eq!(at_once(&mut here, "turn_ended").await.data["status"], "completed");
    second.end().await;
    app.end().await;
}

#[tokio::test]
async fn events_and_streams_end_with_a_session_that_signs_out_elsewhere() {
    let Some((app, second, _script)) = two_nodes(json!([{"text": "Hi."}])).await else { return };
    let ana = app.person("ana").await;
    let there = elsewhere(&second, &ana);
    let id = ana.conversation("Budget Coach").await;
    let streams = [events(&there).await, there.follow(&id, "0.0").await];
    ana.post("/api/auth/sign-out", json!({})).await.expect(StatusCode::OK);
    for stream in streams {
        timeout(SOON, stream.rest()).await.expect("an end before the heartbeat");
    }
    second.end().await;
    app.end().await;
}

#[tokio::test]
async fn events_of_a_stop_and_a_deletion_reach_the_node_that_runs_the_turn() {
    let words = "word ".repeat(400);
    let Some((app, second, _script)) = two_nodes(json!([{"text": words, "delay_ms_per_word": 50}])).await
    else {
        return;
    };
    let ana = app.person("ana").await;
    let there = elsewhere(&second, &ana);
    let mut reading = ana.send(&ana.chat_body("Budget Coach", "Go").await).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    reading.until("text").await;
    there.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await.expect(StatusCode::OK);
    let done = timeout(SOON, reading.until("done")).await.expect("stopped");
    assert_eq!(done.data["status"], "stopped");
    let follower = there.follow(&id, "0.0").await;
    ana.delete(&format!("/api/agent-conversations/{id}")).await.expect(StatusCode::OK);
    timeout(SOON, follower.rest()).await.expect("an end before the heartbeat");
    second.end().await;
    app.end().await;
}
