//! Turns that are stopped, that reach a limit, that slow readers follow, or that lose their node.

use std::sync::atomic::Ordering;
use std::time::Duration;

use baton_core::models::Price;
use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::agents::member;
use crate::database::TestDatabase;
use crate::fake_model::{FakeModel, Speech};
use crate::slow_reader::SlowReader;
use crate::talk::{Reading, conversation_of, names, scripted, text_of};
use crate::test_app::{TestApp, text};

fn speech(piece: &str, times: usize, pace_ms: u64) -> Speech {
    Speech { piece: piece.to_owned(), times, pace: Duration::from_millis(pace_ms) }
}

fn with_model(fake: &FakeModel) -> Given {
    Given {
        sign_up: Some(SignUp::Open),
        openai_base_url: Some(fake.url.clone()),
        openai_model: Some("fake".into()),
        ..Given::default()
    }
}

#[tokio::test]
async fn any_compatible_server_answers_and_has_no_price() {
    let fake = FakeModel::start(speech("Well. ", 3, 0)).await;
    let no_cap = Some(0.0);
    let given = Given { spend_cap_usd: no_cap, person_spend_cap_usd: no_cap, ..with_model(&fake) };
    let app = TestApp::with(given).await;
    let ana = app.person("ana").await;
    let events = ana.chat("Budget Coach", "Hello").await;
    assert_eq!(text_of(&events), "Well. Well. Well. ");
    let usage = &events.last().expect("done").data["usage"];
    assert_eq!((&usage["inputTokens"], &usage["outputTokens"]), (&json!(1000), &json!(100)));
    assert_eq!(usage["costUsd"], json!(null));
    let models = ana.get_owned("/api/models".into()).await;
    assert_eq!((&models["demo"], &models["providers"][0]["baseUrl"]), (&json!(false), &json!(null)));
    assert_eq!(fake.calls.load(Ordering::SeqCst), 1);

    let path = format!("/api/workspaces/{}", ana.workspace);
    assert_eq!(ana.get(&path).await.expect(StatusCode::OK)["warnings"], json!([]));
    let capped = ana.patch(&path, json!({"spend_cap_usd": 5})).await.expect(StatusCode::OK);
    assert_eq!(capped["warnings"].as_array().map(Vec::len), Some(1), "{capped}");
    assert!(text(&capped["warnings"][0]).contains("The price of openai/fake is not known"), "{capped}");
    app.end().await;
}

#[tokio::test]
async fn a_stop_reaches_the_model_and_the_next_message_works() {
    let fake = FakeModel::start(speech("word ", 200, 20)).await;
    let app = TestApp::with(with_model(&fake)).await;
    let ana = app.person("ana").await;
    let mut reading = ana.send(&ana.chat_body("Budget Coach", "Go on and on").await).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    reading.until("text").await;
    ana.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await.expect(StatusCode::OK);
    fake.wait_for_hang_up().await;
    assert_eq!(reading.rest().await.last().expect("done").data["status"], "stopped");
    let mut reading = ana.saying(&id, "Once more").await;
    reading.until("text").await;
    drop(reading);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(fake.hung_up.load(Ordering::SeqCst), 1, "closing a tab stops nothing");
    assert_eq!(ana.read(&id).await["turn"]["status"], "running");
    ana.delete(&format!("/api/agent-conversations/{id}")).await.expect(StatusCode::OK);
    app.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_is_told_and_goes_on_from_there() {
    let piece = "0123456789abcdef".repeat(400);
    let fake = FakeModel::start(speech(&piece, 1_500, 2)).await;
    let app = TestApp::with(with_model(&fake)).await;
    let ana = app.person("ana").await;
    let mut quick = ana.send(&ana.chat_body("Budget Coach", "All of it").await).await;
    let id = text(&quick.until("session").await.data["conversationId"]);
    let path = format!("/api/agent-chat/{id}/stream?after=0.0");
    let slow = SlowReader::open(&app.url, &path, ana.cookie.as_deref().expect("a cookie")).await;
    // It reads nothing while the other one reads everything.
    let whole =
        tokio::time::timeout(Duration::from_secs(240), quick.rest()).await.expect("the quick one ends");
    assert_eq!(text_of(&whole).len(), piece.len() * 1_500);
    let seen = slow.rest().await;
    let lagged = seen.last().expect("an end");
    assert_eq!(lagged.name, "lagged", "it was told");
    let mut rest = ana.follow(&id, &text(&lagged.data["resumeFrom"])).await;
    let mut heard = text_of(&seen);
    loop {
        let got = rest.next().await.expect("more");
        if got.name == "done" {
            break;
        }
        heard.push_str(&text_of(&[got]));
    }
    assert_eq!(heard.len(), piece.len() * 1_500, "nothing lost, nothing twice");
    app.end().await;
}

#[tokio::test]
async fn a_spending_limit_ends_the_turn_before_the_next_call() {
    let fake = FakeModel::start(speech("Paid. ", 1, 0)).await;
    let price = Price { input: 1_000.0, output: 0.0, cache_read: None, cache_write: None };
    let prices = Some([("openai/fake".to_owned(), price)].into());
    let app = TestApp::with(Given { prices, ..with_model(&fake) }).await;
    let ana = app.person("ana").await;
    let path = format!("/api/workspaces/{}", ana.workspace);
    let capped = ana.patch(&path, json!({"spend_cap_usd": 0.5})).await.expect(StatusCode::OK);
    assert_eq!(capped["warnings"], json!([]), "there is a price");
    let events = ana.chat("Budget Coach", "First").await;
    assert_eq!(events.last().expect("done").data["usage"]["costUsd"], json!(1.0));
    let id = conversation_of(&events);
    let events = ana.say(&id, "Second").await;
    assert_eq!(names(&events)[events.len() - 3..], ["message_complete", "error", "done"]);
    let error = &events[events.len() - 2].data;
    assert_eq!((&error["code"], &error["recoverable"]), (&json!("spend_cap_reached"), &json!(true)));
    let (front, help) = (ana.make_agent("Front", json!({})).await, ana.make_agent("Help", json!({})).await);
    let routed = ana.begin("teamId", &ana.make_team("router", &[&front, &help]).await).await;
    ana.say(&routed, "Third").await;
    assert_eq!(ana.read(&routed).await["messages"].as_array().map(Vec::len), Some(1), "nobody spoke");
    for id in [&id, &routed] {
        let told = &ana.read(id).await["last_turn"];
        assert_eq!(
            (&told["status"], &told["error"]["code"]),
            (&json!("failed"), &json!("spend_cap_reached"))
        );
    }
    assert_eq!(fake.calls.load(Ordering::SeqCst), 1, "no call was made");
    ana.patch(&path, json!({"spend_cap_usd": null})).await.expect(StatusCode::OK);
    let retry = ana.request(Method::POST, &format!("/api/agent-chat/{id}/retry"));
    assert_eq!(text_of(&Reading::open(retry).await.rest().await), "Paid. ");
    assert_eq!(
        ana.read(&id).await["last_turn"],
        json!({"status": "completed", "error": null, "suggested": null})
    );
    app.end().await;
}

#[tokio::test]
async fn wrong_calls_are_answered_and_calls_are_limited() {
    let (app, _script) = scripted(json!([
        {"match": "wrong", "calls": [
            {"name": "noSuchTool", "arguments": {}},
            {"name": "manageMemory", "arguments": "not json"},
            {"name": "manageMemory", "arguments": {"action": "dance"}},
        ]},
        // A model is never shown a call of a tool it doesn't have: it is told in words.
        {"match": "Result of noSuchTool", "text": "I see."},
        {"match": "loop", "text": "Again.", "calls": [{"name": "getCurrentTime", "arguments": {}}]},
        {"match": "loop", "text": "And again.", "calls": [{"name": "getCurrentTime", "arguments": {}}]},
        {"match": "Result of getCurrentTime", "text": "Here is the answer."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let events = ana.chat("Project Manager", "wrong").await;
    let results: Vec<&Value> =
        events.iter().filter(|got| got.name == "tool_result").map(|got| &got.data).collect();
    assert_eq!(results.len(), 3);
    assert!(results.iter().all(|result| result["success"] == false));
    let words = |result: &Value| text(&result["result"]["error"]);
    assert!(words(results[0]).contains("noSuchTool"));
    assert!(words(results[1]).contains("JSON object"));
    assert!(words(results[2]).contains("action"));
    assert_eq!(text_of(&events), "I see.");

    let agent = text(&ana.agent("Project Manager").await["localAgentId"]);
    ana.patch(&format!("/api/agents/{agent}"), json!({"max_turns": 2})).await.expect(StatusCode::OK);
    let events = ana.chat("Project Manager", "loop").await;
    assert_eq!(events.iter().filter(|got| got.name == "tool_start").count(), 2);
    assert!(text_of(&events).ends_with("Here is the answer."));
    assert_eq!(events.last().expect("done").data["turnCount"], 3, "once more, without tools");
    app.end().await;
}

#[tokio::test]
async fn other_tabs_hear_of_it_and_other_people_do_not() {
    let (app, _script) = scripted(json!([{"text": "Hi."}])).await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let path = |workspace: &str| format!("/api/events?workspaceId={workspace}");
    assert_eq!(ben.get(&path(&ana.workspace)).await.status, 403);
    let mut tab = Reading::open(ana.request(Method::GET, &path(&ana.workspace))).await;
    let events = ana.chat("Budget Coach", "Hello").await;
    let started = tab.until("turn_started").await;
    assert_eq!(started.data["conversationId"], json!(conversation_of(&events)));
    assert_eq!(tab.until("turn_ended").await.data["status"], "completed");
    app.end().await;
}

#[tokio::test]
async fn a_fellow_member_hears_nothing_of_it() {
    let (app, _script) = scripted(json!([{"text": "Hi."}])).await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let mut tab =
        Reading::open(ben.request(Method::GET, &format!("/api/events?workspaceId={}", ana.workspace))).await;
    let id = conversation_of(&ana.chat("Budget Coach", "Hello").await);
    ana.patch(&format!("/api/agent-conversations/{id}"), json!({"title": "Secret"}))
        .await
        .expect(StatusCode::OK);
    // What is for all members comes through the same line, after all that was hers.
    ana.make_agent("Another", json!({})).await;
    let first = tab.next().await.expect("an event");
    assert_eq!(first.name, "workspace_changed", "{first:?}");
    app.end().await;
}

#[tokio::test]
async fn a_web_search_that_cannot_be_done_is_said() {
    let (app, _script) = scripted(json!([{"text": "From memory."}])).await;
    let ana = app.person("ana").await;
    let mut body = ana.chat_body("Budget Coach", "Look it up").await;
    body["webSearch"] = json!(true);
    let events = ana.send(&body).await.rest().await;
    assert!(text(&events[0].data["notice"]).contains("Web search"));
    let read = ana.read(&conversation_of(&events)).await;
    assert_eq!(read["messages"][0]["metadata"]["webSearch"], true);
    app.end().await;
}

#[tokio::test]
async fn another_node_goes_on_with_a_turn_and_its_readers_follow() {
    let fake = FakeModel::start(speech("word ", 60, 20)).await;
    let app = TestApp::with(with_model(&fake)).await;
    let TestDatabase::Postgres { .. } = app.database else { return app.end().await };
    let second = TestApp::beside(&app, with_model(&fake)).await;
    let ana = app.person("ana").await;
    let there = second.actor(ana.cookie.as_deref().expect("a cookie"), &ana.workspace);
    let mut here = ana.send(&ana.chat_body("Budget Coach", "Go").await).await;
    let id = text(&here.until("session").await.data["conversationId"]);
    here.until("text").await;
    let mut follower = there.follow(&id, "0.0").await;
    follower.until("message_start").await;
    app.app.end().await; // This node leaves in the middle of the call.
    let again = follower.until("message_start").await;
    assert_eq!((&again.data["attempt"], &again.data["parts"]), (&json!(2), &json!([])));
    let mut heard = String::new();
    loop {
        let got = follower.next().await.expect("more");
        heard.push_str(got.data["content"].as_str().unwrap_or_default());
        if got.name == "done" {
            break;
        }
    }
    assert_eq!(heard, "word ".repeat(60));
    let read = there.read(&id).await;
    assert_eq!(read["messages"].as_array().expect("messages").len(), 2);
    assert_eq!(read["messages"][1]["attempt"], 2);
    second.end().await;
    app.end().await;
}

#[tokio::test]
async fn a_call_that_was_opened_and_never_made_is_not_counted() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let agent = "Project Manager";
    let count = |events: &[crate::talk::Got]| events.last().expect("done").data["turnCount"].clone();
    assert_eq!(count(&ana.chat(agent, "Hi").await), 1);
    let path = format!("/api/workspaces/{}", ana.workspace);
    ana.patch(&path, json!({"spend_cap_usd": 0})).await.expect(StatusCode::OK);
    let capped = ana.chat(agent, "Hi").await;
    assert_eq!(capped[capped.len() - 2].data["code"], "spend_cap_reached");
    assert_eq!(count(&capped), 0);
    app.end().await;
}
