//! Two nodes on one Postgres: a change made at one node holds at the other for the next turn that begins there. Also
//! counts what a turn asks the database.

use std::collections::HashSet;
use std::time::Duration;

use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::StatusCode;
use serde_json::json;
use tokio::time::sleep;

use crate::cluster_events::{elsewhere, two_nodes};
use crate::database::TestDatabase;
use crate::proxy::Proxy;
use crate::talk::{conversation_of, names, text_of};
use crate::test_app::{Actor, TestApp, text};

async fn hello(person: &Actor<'_>, agent: &str) -> String {
    let body = json!({"message": "hello", "agentId": agent, "workspaceId": person.workspace});
    text_of(&person.send(&body).await.rest().await)
}

async fn refused(person: &Actor<'_>, agent: &str) -> (u16, String) {
    let body = json!({"message": "hello", "agentId": agent, "workspaceId": person.workspace});
    let answer = person.post("/api/agent-chat", body).await;
    let (status, code) = answer.refusal();
    (status, code.to_owned())
}

#[tokio::test]
async fn a_turn_begins_with_what_is_there_whichever_node_changed_it() {
    let replies = json!([
        {"match": "hello", "system": "You rhyme.", "text": "In rhyme."},
        {"match": "hello", "system": "You count.", "text": "One, two."},
        {"text": "Plain."},
    ]);
    let Some((app, second, _script)) = two_nodes(replies).await else { return };
    let ana = app.person("ana").await;
    let there = elsewhere(&second, &ana);
    let vera = ana.make_agent("Vera", json!({})).await;
    let made = ana.post("/api/auth/tokens", json!({"name": "ci", "workspaceId": ana.workspace})).await;
    let made = made.expect(StatusCode::CREATED);
    let token = ana.with_token(&text(&made["token"]));
    let invited = ana.post(&format!("/api/workspaces/{}/invitations", ana.workspace), json!({})).await;
    let ben = app.person("ben").await;
    let accept = format!("/api/invitations/{}/accept", text(&invited.expect(StatusCode::CREATED)["token"]));
    ben.post(&accept, json!({})).await.expect(StatusCode::OK);
    let ben = ben.at(&ana.workspace);
    // Twice: the second finds what the first has kept.
    for person in [&ana, &token, &ben, &ana, &token, &ben] {
        assert_eq!(hello(person, &vera).await, "Plain.");
    }

    for (prompt, said) in [("You rhyme.", "In rhyme."), ("You count.", "One, two."), ("You sing.", "Plain.")]
    {
        let path = format!("/api/agents/{vera}");
        there.patch(&path, json!({"system_prompt": prompt})).await.expect(StatusCode::OK);
        assert_eq!(hello(&ana, &vera).await, said);
    }
    there.delete(&format!("/api/auth/tokens/{}", text(&made["id"]))).await.expect(StatusCode::OK);
    assert_eq!(refused(&token, &vera).await, (401, "unauthorized".to_owned()));
    there
        .delete(&format!("/api/workspaces/{}/members/{}", ana.workspace, ben.id))
        .await
        .expect(StatusCode::OK);
    assert_eq!(refused(&ben, &vera).await, (403, "not_a_member".to_owned()));
    there.post("/api/auth/sign-out", json!({})).await.expect(StatusCode::OK);
    assert_eq!(refused(&ana, &vera).await, (401, "unauthorized".to_owned()));
    second.end().await;
    app.end().await;
}

const TRIES: usize = 10;
/// The most statements of a turn.
const MOST: [(&str, usize); 3] =
    [("a turn that begins a conversation", 4), ("the next turn", 5), ("a turn with a handoff", 6)];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_asks_the_database_little() {
    let database = TestDatabase::new().await;
    let Some(url) = database.url() else { return };
    let proxy = Proxy::before(&url);
    let script = tempfile::NamedTempFile::new().expect("a file");
    let to_ben = json!({"agent": "ben", "reason": "It is his."});
    let replies = json!({"replies": [
        {"match": "car", "system": "You are Vera.", "calls": [{"name": "switch_agent", "arguments": to_ben}]},
        {"text": "Here I am."},
    ]});
    std::fs::write(script.path(), replies.to_string()).expect("written");
    let model_script = Some(script.path().to_owned());
    let given = Given { sign_up: Some(SignUp::Open), model_script, ..Given::default() };
    let app = TestApp::behind(database, proxy.url(), given).await;
    let ana = app.person("ana").await;
    let vera = ana.make_agent("Vera", json!({})).await;
    let ben = ana.make_agent("Ben", json!({})).await;
    let team = ana.make_team("swarm", &[&vera, &ben]).await;
    // What a node asks again and again, for as long as someone reads.
    let kind = |text: &str| text.split(" WHERE").next().unwrap_or_default().to_owned();
    let reading = ana.follow(&ana.begin("agentId", &vera).await, "0.0").await;
    proxy.asked();
    sleep(Duration::from_secs(5)).await;
    drop(reading);
    let watch: HashSet<String> =
        proxy.asked().iter().map(|text| kind(text)).filter(|text| !text.contains("pg_notify")).collect();
    let asked = async |to: (&str, &str), message: &str| -> (String, Vec<String>) {
        proxy.asked();
        let body = json!({"message": message, to.0: to.1, "workspaceId": ana.workspace});
        let events = ana.send(&body).await.rest().await;
        assert_eq!(names(&events).last(), Some(&"done"));
        // What is told of the end is sent after it.
        sleep(Duration::from_millis(300)).await;
        let asked = proxy.asked().into_iter().filter(|text| !watch.contains(&kind(text)));
        (conversation_of(&events), asked.collect())
    };
    for message in ["hello", "car"] {
        asked(("agentId", &vera), "hello").await;
        asked(("teamId", &team), message).await;
    }
    // On a busy machine a turn asks more: it checkpoints what it said, or a node's rounds that weren't seen above fall into
    // it. So each may be tried again, and what a turn always asks is what counts.
    let mut least: [Option<Vec<String>>; 3] = Default::default();
    for _ in 0..TRIES {
        let (id, begun) = asked(("agentId", &vera), "hello").await;
        let (_, resumed) = asked(("conversationId", &id), "hello again").await;
        let (_, handed) = asked(("teamId", &team), "car").await;
        for (least, asked) in least.iter_mut().zip([begun, resumed, handed]) {
            if least.as_ref().is_none_or(|least| asked.len() < least.len()) {
                *least = Some(asked);
            }
        }
        if least.iter().flatten().zip(MOST).all(|(asked, (_, most))| asked.len() <= most) {
            break;
        }
    }
    for (asked, (what, most)) in least.into_iter().flatten().zip(MOST) {
        assert!(asked.len() <= most, "{what}: {}\n{}", asked.len(), asked.join("\n"));
    }
    app.end().await;
}
