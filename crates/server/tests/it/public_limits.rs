//! What guests and visitors may cost, and how often they may ask.

use std::time::Duration;

use baton_core::models::Price;
use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::StatusCode;
use serde_json::json;

use crate::fake_model::{FakeModel, Speech};
use crate::talk::{conversation_of, names, scripted, text_of};
use crate::test_app::{TestApp, text};

#[tokio::test]
async fn guests_and_visitors_have_a_spending_limit_of_their_own() {
    let fake = FakeModel::start(Speech { piece: "Paid. ".into(), times: 1, pace: Duration::ZERO }).await;
    // A dollar a call.
    let price = Price { input: 1_000.0, output: 0.0, cache_read: None, cache_write: None };
    let app = TestApp::with(Given {
        sign_up: Some(SignUp::Open),
        openai_base_url: Some(fake.url.clone()),
        openai_model: Some("fake".into()),
        spend_cap_usd: Some(0.0),
        person_spend_cap_usd: Some(0.0),
        prices: Some([("openai/fake".to_owned(), price)].into()),
        ..Given::default()
    })
    .await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let path = format!("/api/workspaces/{}", ana.workspace);
    let usual = ana.get(&path).await.expect(StatusCode::OK);
    assert_eq!((&usual["public_spend_cap_usd"], &usual["spend_cap_usd"]), (&json!(5.0), &json!(null)));
    assert_eq!(
        ana.patch(&path, json!({"public_spend_cap_usd": -1})).await.body["field"],
        "public_spend_cap_usd"
    );
    ana.patch(&path, json!({"public_spend_cap_usd": 1.5})).await.expect(StatusCode::OK);

    // What members spend is not theirs.
    for _ in 0..2 {
        assert_eq!(text_of(&ana.chat("Budget Coach", "Hello").await), "Paid. ");
    }
    let visitor = app.visitor(&slug).await;
    let guest = app.person("guest").await.at(&ana.workspace);
    let id = conversation_of(&visitor.chat("Budget Coach", "One").await);
    assert_eq!(text_of(&guest.chat("Budget Coach", "Two").await), "Paid. ");
    let events = visitor.say(&id, "Three").await;
    assert_eq!(names(&events)[events.len() - 2..], ["error", "done"]);
    let error = &events[events.len() - 2].data;
    assert_eq!((&error["code"], &error["recoverable"]), (&json!("unavailable"), &json!(true)));
    assert_eq!(visitor.read(&id).await["messages"][3]["metadata"]["error"]["code"], "unavailable");
    assert_eq!(text_of(&ana.chat("Budget Coach", "Still").await), "Paid. ");
    // What they spend counts for the workspace.
    ana.patch(&path, json!({"spend_cap_usd": 5})).await.expect(StatusCode::OK);
    assert_eq!(names(&ana.chat("Budget Coach", "More").await).last(), Some(&"done"));
    ana.patch(&path, json!({"public_spend_cap_usd": null, "spend_cap_usd": null}))
        .await
        .expect(StatusCode::OK);
    assert_eq!(text_of(&visitor.say(&id, "Four").await), "Paid. ");
    app.end().await;
}

#[tokio::test]
async fn a_visitor_can_say_only_so_much_a_minute() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let visitor = app.visitor(&slug).await;
    let id = conversation_of(&visitor.chat("Budget Coach", "Hi").await);
    for _ in 0..19 {
        visitor.say(&id, "Hi").await;
    }
    let body = json!({"message": "Hi", "conversationId": id, "workspaceId": visitor.workspace});
    let refused = visitor.post("/api/agent-chat", body.clone()).await;
    assert_eq!(refused.refusal(), (429, "too_many_attempts"));
    let wait: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=60).contains(&wait));
    app.visitor(&slug).await.chat("Budget Coach", "Hi").await;
    for _ in 0..25 {
        ana.chat("Budget Coach", "Members are not counted").await;
    }
    // Nor can one be a new visitor again and again.
    let path = format!("/api/public/{slug}");
    let mut came = 2;
    while app.anonymous().get(&path).await.status == StatusCode::OK {
        came += 1;
    }
    assert_eq!(came, 30);
    assert_eq!(app.anonymous().get(&path).await.refusal(), (429, "too_many_attempts"));
    assert_eq!(visitor.get(&path).await.status, StatusCode::OK, "who is known may come");
    app.end().await;
}

#[tokio::test]
async fn messages_of_guests_and_visitors_are_short() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let visitor = app.visitor(&slug).await;
    let guest = app.person("guest").await.at(&ana.workspace);
    let longest = "x".repeat(4_000);
    let body = |message: String| json!({"message": message, "agentId": coach, "workspaceId": ana.workspace});
    for someone in [&visitor, &guest] {
        assert_eq!(text_of(&someone.chat("Budget Coach", &longest).await), "Hello.");
        let refused = someone.post("/api/agent-chat", body(format!("{longest}x"))).await;
        assert_eq!((refused.refusal(), &refused.body["field"]), ((400, "invalid_field"), &json!("message")));
        let said = refused.body["error"].as_str().unwrap_or_default();
        assert!(said.contains("4000 characters"), "{said}");
    }
    assert_eq!(text_of(&ana.chat("Budget Coach", &longest.repeat(10)).await), "Hello.");
    // Nothing longer is read of visitors at all.
    let refused = visitor.post("/api/agent-chat", body("x".repeat(100_000))).await;
    assert_eq!(refused.refusal(), (413, "too_large"));
    app.end().await;
}

#[tokio::test]
async fn guests_and_visitors_read_and_change_only_so_often() {
    let (app, _script) = scripted(json!([{"text": "Hello."}])).await;
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let visitor = app.visitor(&slug).await;
    let guest = app.person("guest").await.at(&ana.workspace);
    for someone in [&visitor, &guest] {
        let path = format!(
            "/api/agent-conversations/{}",
            conversation_of(&someone.chat("Budget Coach", "Hi").await)
        );
        let renamed = async || someone.patch(&path, json!({"title": "New"})).await;
        let answers = futures::future::join_all((0..40).map(|_| renamed())).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == StatusCode::OK).count(), 30);
        let answers = futures::future::join_all((0..310).map(|_| someone.get(&path))).await;
        let refused = answers.iter().find(|answer| answer.status == StatusCode::TOO_MANY_REQUESTS);
        assert!(refused.is_some_and(|answer| answer.headers.contains_key("retry-after")));
    }
    let own = format!("/api/agent-conversations/{}", conversation_of(&ana.chat("Budget Coach", "Hi").await));
    let answers = futures::future::join_all((0..310).map(|_| ana.get(&own))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::OK), "members are not counted");
    app.end().await;
}
