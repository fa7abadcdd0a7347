//! The cost of a model call counts, whatever ends the call, and nobody spends more than their cap.

use std::time::Duration;

use baton_core::models::Price;
use baton_core::people::{SignUp, WorkspaceMakers};
use baton_server::settings::Given;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::fake_model::{FakeModel, Speech};
use crate::held_model::{HeldModel, Reply};
use crate::talk::{Got, Reading, names, text_of};
use crate::test_app::{Actor, TestApp, text};

/// Longer than anything here takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a token costs makes each call dear, whether its tokens are counted or guessed.
fn priced(model: &HeldModel) -> Given {
    let price = Price { input: 1_000.0, output: 1_000.0, cache_read: None, cache_write: None };
    Given {
        prices: Some([("openai/fake".to_owned(), price)].into()),
        spend_cap_usd: Some(0.0),
        person_spend_cap_usd: Some(0.0),
        ..model.given()
    }
}

/// An owner, and a visitor at the workspace's public address.
async fn opened<'a>(app: &'a TestApp) -> (Actor<'a>, Actor<'a>) {
    let ana = app.person("ana").await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let slug = ana.open_to_public(json!({"default_agent_id": coach})).await;
    let visitor = app.visitor(&slug).await;
    (ana, visitor)
}

async fn cap(owner: &Actor<'_>, changes: Value) {
    owner.patch(&format!("/api/workspaces/{}", owner.workspace), changes).await.expect(StatusCode::OK);
}

/// A call that is under way, in a conversation.
async fn calling(person: &Actor<'_>, model: &mut HeldModel) -> (String, Reading, crate::held_model::Asked) {
    let body = person.chat_body("Budget Coach", "Go").await;
    let mut reading = person.send(&body).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    (id, reading, model.next().await)
}

fn error_of(events: &[Got]) -> Option<&Value> {
    events.iter().find(|got| got.name == "error").map(|got| &got.data["code"])
}

/// What the workspace's calls of today cost.
async fn spent(owner: &Actor<'_>) -> (i64, f64) {
    let path = format!("/api/agents/usage?workspaceId={}&days=1", owner.workspace);
    let used = owner.get(&path).await.expect(StatusCode::OK);
    let today = used["days"].as_array().and_then(|days| days.last()).cloned().expect("today");
    (today["calls"].as_i64().unwrap_or_default(), today["cost_usd"].as_f64().unwrap_or_default())
}

#[tokio::test]
async fn a_conversation_deleted_in_the_middle_of_a_call_is_paid_for() {
    let slowly = Speech { piece: "word ".into(), times: 3_000, pace: Duration::from_millis(20) };
    let fake = FakeModel::start(slowly).await;
    let model = HeldModel::start().await;
    let app = TestApp::with(Given { openai_base_url: Some(fake.url.clone()), ..priced(&model) }).await;
    let (ana, visitor) = opened(&app).await;
    let mut reading = visitor.send(&visitor.chat_body("Budget Coach", "Go").await).await;
    let id = text(&reading.until("session").await.data["conversationId"]);
    reading.until("text").await;
    let (calls, reserved) = spent(&ana).await;
    assert!(calls == 1 && reserved > 1.0, "{calls} calls, {reserved} dollars");
    visitor.delete(&format!("/api/agent-conversations/{id}")).await.expect(StatusCode::OK);
    fake.wait_for_hang_up().await;
    // Whoever drove the turn has lost it, and says all the same what it was sent and what it said: less than was reserved.
    let settled = async {
        while spent(&ana).await.1 >= reserved {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, settled).await.expect("what it used");
    let (calls, cost) = spent(&ana).await;
    assert!(calls == 1 && cost > 0.01, "{calls} calls, {cost} dollars");
    // And the next is refused for it.
    cap(&ana, json!({"public_spend_cap_usd": 0.01})).await;
    assert_eq!(error_of(&visitor.chat("Budget Coach", "Again").await), Some(&json!("unavailable")));
    app.end().await;
}

#[tokio::test]
async fn an_answer_stopped_before_its_first_word_is_paid_for() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(priced(&model)).await;
    let (ana, visitor) = opened(&app).await;
    let (id, reading, _asked) = calling(&visitor, &mut model).await;
    visitor.post(&format!("/api/agent-chat/{id}/stop"), json!({})).await.expect(StatusCode::OK);
    assert_eq!(names(&reading.rest().await).last(), Some(&"done"));
    let (calls, cost) = spent(&ana).await;
    assert!(calls == 1 && cost > 0.01, "{calls} calls, {cost} dollars");
    cap(&ana, json!({"public_spend_cap_usd": 0.01})).await;
    let retried =
        Reading::open(visitor.request(reqwest::Method::POST, &format!("/api/agent-chat/{id}/retry"))).await;
    assert_eq!(error_of(&retried.rest().await), Some(&json!("unavailable")), "nor does a retry get round it");
    app.end().await;
}

#[tokio::test]
async fn what_is_under_way_is_reserved() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(priced(&model)).await;
    let (ana, visitor) = opened(&app).await;
    cap(&ana, json!({"public_spend_cap_usd": 0.5})).await;
    let (_, reading, asked) = calling(&visitor, &mut model).await;
    // Nothing is spent yet: what the first may cost keeps the second from beginning.
    assert_eq!(error_of(&visitor.chat("Budget Coach", "Me too").await), Some(&json!("unavailable")));
    asked.reply(Reply::text("Cheap."));
    assert_eq!(text_of(&reading.rest().await), "Cheap.");
    let (calls, _) = spent(&ana).await;
    assert_eq!(calls, 1, "who was refused called nobody");
    app.end().await;
}

#[tokio::test]
async fn limits_of_the_server_hold_for_each_person_workspace_and_all() {
    for (given, whose) in [
        (Given { person_spend_cap_usd: Some(0.01), ..Given::default() }, "person"),
        (Given { spend_cap_usd: Some(0.01), ..Given::default() }, "server"),
        (Given { workspace_spend_cap_usd: Some(0.01), ..Given::default() }, "workspace"),
    ] {
        let mut model = HeldModel::start().await;
        let app = TestApp::with(Given {
            spend_cap_usd: given.spend_cap_usd.or(Some(0.0)),
            person_spend_cap_usd: given.person_spend_cap_usd.or(Some(0.0)),
            workspace_spend_cap_usd: given.workspace_spend_cap_usd,
            ..priced(&model)
        })
        .await;
        let (ana, ben) = (app.person("ana").await, app.person("ben").await);
        let first = calling(&ana, &mut model).await;
        first.2.reply(Reply::text("Paid."));
        assert_eq!(text_of(&first.1.rest().await), "Paid.", "{whose}");
        assert_eq!(
            error_of(&ana.chat("Budget Coach", "More").await),
            Some(&json!("spend_cap_reached")),
            "{whose}"
        );
        // In a workspace that was made to get round it.
        let made = ana.post("/api/workspaces", json!({"name": "Another"})).await.expect(StatusCode::CREATED);
        let elsewhere = ana.at(&text(&made["id"]));
        // And where the day begins elsewhere.
        cap(&ana, json!({"time_zone": "Pacific/Kiritimati"})).await;
        let again = error_of(&ana.chat("Budget Coach", "More").await).cloned();
        assert_eq!(again, Some(json!("spend_cap_reached")), "{whose}");
        if whose == "workspace" {
            let again = calling(&elsewhere, &mut model).await;
            again.2.reply(Reply::text("Paid."));
            assert_eq!(text_of(&again.1.rest().await), "Paid.");
        } else {
            assert_eq!(
                error_of(&elsewhere.chat("Budget Coach", "More").await),
                Some(&json!("spend_cap_reached"))
            );
        }
        if whose == "person" {
            let other = calling(&ben, &mut model).await;
            other.2.reply(Reply::text("Paid."));
            assert_eq!(text_of(&other.1.rest().await), "Paid.");
        } else if whose == "server" {
            assert_eq!(error_of(&ben.chat("Budget Coach", "Me").await), Some(&json!("spend_cap_reached")));
        }
        app.end().await;
    }
}

#[tokio::test]
async fn visitors_use_a_model_without_a_price_only_where_an_admin_says_so() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(model.given()).await;
    let (ana, visitor) = opened(&app).await;
    assert_eq!(error_of(&visitor.chat("Budget Coach", "Hi").await), Some(&json!("unavailable")));
    let own = calling(&ana, &mut model).await;
    own.2.reply(Reply::text("For members."));
    assert_eq!(text_of(&own.1.rest().await), "For members.");
    cap(&ana, json!({"public_unpriced": true})).await;
    let (_, reading, asked) = calling(&visitor, &mut model).await;
    asked.reply(Reply::text("For you too."));
    assert_eq!(text_of(&reading.rest().await), "For you too.");
    app.end().await;
}

#[tokio::test]
async fn only_so_many_visitors_are_answered_at_once() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(Given { public_turns_per_workspace: Some(1), ..priced(&model) }).await;
    let (ana, visitor) = opened(&app).await;
    let slug =
        text(&ana.get(&format!("/api/workspaces/{}", ana.workspace)).await.expect(StatusCode::OK)["slug"]);
    let (_, reading, asked) = calling(&visitor, &mut model).await;
    let other = app.visitor(&slug).await;
    let refused = other.post("/api/agent-chat", other.chat_body("Budget Coach", "Me too").await).await;
    assert_eq!(refused.refusal(), (429, "too_many_turns"));
    assert!(refused.headers.contains_key("retry-after"));
    let member = calling(&ana, &mut model).await;
    for (reading, asked) in [(reading, asked), (member.1, member.2)] {
        asked.reply(Reply::text("There."));
        assert_eq!(text_of(&reading.rest().await), "There.");
    }
    let then = tokio::time::timeout(PATIENCE, async {
        loop {
            let answer = other.post("/api/agent-chat", other.chat_body("Budget Coach", "Now").await);
            tokio::select! {
                answer = answer => assert_eq!(answer.refusal().0, 429),
                asked = model.next() => break asked,
            }
        }
    });
    then.await.expect("a place").reply(Reply::text("You."));
    app.end().await;
}

#[tokio::test]
async fn who_may_make_workspaces_is_a_setting() {
    let makers = Some(WorkspaceMakers::Admins);
    let by_admins = Given { sign_up: Some(SignUp::Open), workspace_makers: makers, ..Given::default() };
    let app = TestApp::with(by_admins).await;
    let body = json!({"email": "ana@example.org", "name": "Ana", "password": "correct horse"});
    let signed_up = app.anonymous().post("/api/auth/sign-up", body).await;
    let me = signed_up.expect(StatusCode::CREATED);
    assert_eq!((&me["workspaces"], &me["may_make_workspaces"]), (&json!([]), &json!(false)));
    let ana = app.actor(&signed_up.session(), "");
    let refused = ana.post("/api/workspaces", json!({"name": "Mine"})).await;
    assert_eq!(refused.refusal(), (403, "workspaces_by_admins"));
    let id = baton_core::ids::ProfileId(text(&me["profile"]["id"]).parse().expect("an id"));
    let rights = baton_core::people::ProfileRights { is_admin: Some(true), tier: None };
    app.app.store.set_rights(id, rights, None).await.expect("an admin");
    ana.post("/api/workspaces", json!({"name": "Ours"})).await.expect(StatusCode::CREATED);
    app.end().await;
}

#[tokio::test]
async fn what_one_node_spends_another_knows_within_seconds() {
    let mut model = HeldModel::start().await;
    let app = TestApp::with(priced(&model)).await;
    if app.database.url().is_none() {
        return app.end().await; // SQLite has one node.
    }
    let ana = app.person("ana").await;
    // The second node's own calls cost nothing, so only the first one's can keep it from calling.
    let free = Price { input: 0.0, output: 0.0, cache_read: None, cache_write: None };
    let mut free_model = HeldModel::start().await;
    let prices = Some([("openai/fake".to_owned(), free)].into());
    let beside = TestApp::beside(&app, Given { prices, ..priced(&free_model) }).await;
    let there = beside.actor(ana.cookie.as_deref().expect("a session"), &ana.workspace);
    cap(&ana, json!({"spend_cap_usd": 0.01})).await;
    let before = calling(&there, &mut free_model).await;
    before.2.reply(Reply::text("Nothing is spent yet."));
    assert_eq!(text_of(&before.1.rest().await), "Nothing is spent yet.");
    let (_, reading, asked) = calling(&ana, &mut model).await;
    let refused = async {
        loop {
            let body = there.chat_body("Budget Coach", "Me too").await;
            let turn = async { there.send(&body).await.rest().await };
            let answered = async {
                loop {
                    free_model.next().await.reply(Reply::text("Not known yet."));
                }
            };
            tokio::select! {
                turn = turn => if error_of(&turn) == Some(&json!("spend_cap_reached")) { return },
                () = answered => {}
            }
        }
    };
    tokio::time::timeout(PATIENCE, refused).await.expect("the other node's call counts");
    asked.reply(Reply::text("Paid."));
    assert_eq!(text_of(&reading.rest().await), "Paid.");
    beside.end().await;
    app.end().await;
}
