//! Model providers that are set in the app: by an admin of the server for everyone, by a workspace for itself, without a
//! restart.

use std::sync::atomic::Ordering;
use std::time::Duration;

use baton_core::models::Price;
use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::agents::member;
use crate::database::TestDatabase;
use crate::fake_model::{FakeModel, Speech};
use crate::talk::text_of;
use crate::test_app::{Actor, TestApp, text};

pub async fn fake(says: &str) -> FakeModel {
    FakeModel::start(Speech { piece: says.to_owned(), times: 1, pace: Duration::ZERO }).await
}

/// A server where workspaces may name addresses on this machine.
fn with_local_addresses() -> Given {
    Given {
        sign_up: Some(SignUp::Open),
        outbound_allow: Some(vec!["127.0.0.0/8".parse().expect("a network")]),
        ..Given::default()
    }
}

async fn says(person: &Actor<'_>) -> String {
    text_of(&person.chat("Budget Coach", "Hello").await)
}

async fn add(by: &Actor<'_>, body: Value) -> Value {
    by.post("/api/providers", body).await.expect(StatusCode::CREATED)
}

fn local(url: &str) -> Value {
    let priced = json!({"model": "llama", "aliases": ["haiku"], "input_price": 1.0, "output_price": 2.0});
    json!({"name": "lab", "wire": "openai", "base_url": url, "key": "sk-lab-12345678", "models": [priced]})
}

fn of(workspace: &str, mut body: Value) -> Value {
    body["workspaceId"] = json!(workspace);
    body
}

#[tokio::test]
async fn a_provider_answers_as_soon_as_it_is_added() {
    let app = TestApp::new().await;
    let (admin, ana) = (app.admin().await, app.person("ana").await);
    let demo = says(&ana).await;
    assert_eq!(ana.get("/api/models").await.expect(StatusCode::OK)["demo"], true);

    let model = fake("From the lab.").await;
    let made = add(&admin, local(&model.url)).await;
    assert_eq!(
        (&made["has_key"], &made["key_is_readable"], &made["workspace_id"]),
        (&json!(true), &json!(true), &Value::Null)
    );
    assert!(!made.to_string().contains("sk-lab"));
    assert_eq!(says(&ana).await, "From the lab.");
    let head = model.heads.lock().expect("heads").last().cloned().expect("a request");
    assert!(head.contains("authorization: bearer sk-lab-12345678"), "{head}");
    let models = ana.get("/api/models").await.expect(StatusCode::OK);
    assert_eq!((&models["demo"], &models["providers"][0]["provider"]), (&json!(false), &json!("lab")));

    // Changed: the next turn goes there, and the key has to be given for the new address.
    let second = fake("From elsewhere.").await;
    let path = format!("/api/providers/{}", text(&made["id"]));
    let moved = json!({"base_url": second.url});
    let refused = admin.patch(&path, moved.clone()).await;
    assert_eq!((refused.refusal(), &refused.body["field"]), ((400, "invalid_field"), &json!("key")));
    let mut moved = moved;
    moved["key"] = json!("sk-other-12345678");
    admin.patch(&path, moved).await.expect(StatusCode::OK);
    assert_eq!(says(&ana).await, "From elsewhere.");
    assert_eq!(model.calls.load(Ordering::SeqCst), 1);
    // Its models alone: the key stays.
    let other = json!({"models": [{"model": "qwen"}]});
    let changed = admin.patch(&path, other).await.expect(StatusCode::OK);
    assert_eq!((&changed["has_key"], &changed["models"][0]["model"]), (&json!(true), &json!("qwen")));
    assert_eq!(says(&ana).await, "From elsewhere.");
    assert!(second.heads.lock().expect("heads").iter().all(|head| head.contains("sk-other-12345678")));

    admin.delete(&path).await.expect(StatusCode::OK);
    assert_eq!(says(&ana).await, demo);
    app.end().await;
}

#[tokio::test]
async fn a_workspace_brings_its_own_and_pays_it() {
    let prices = [(
        "openai/usual".to_owned(),
        Price { input: 1_000.0, output: 1_000.0, cache_read: None, cache_write: None },
    )];
    let usual = fake("From the server.").await;
    let given = Given {
        openai_base_url: Some(usual.url.clone()),
        openai_model: Some("usual".to_owned()),
        prices: Some(prices.into()),
        // One call of the server's reaches it.
        spend_cap_usd: Some(0.5),
        ..with_local_addresses()
    };
    let app = TestApp::with(given).await;
    let (ana, ben) = (app.person("ana").await, app.person("ben").await);
    let own = fake("From our own.").await;
    let made = add(&ana, of(&ana.workspace, local(&own.url))).await;
    assert_eq!(made["workspace_id"], json!(ana.workspace));
    assert_eq!(says(&ana).await, "From our own.");
    assert_eq!(says(&ben).await, "From the server.");
    // What the server pays is used up; what the workspace pays itself goes on, and is counted for it.
    let events = ben.chat("Budget Coach", "Again").await;
    assert!(events.iter().any(|got| got.data["code"] == "spend_cap_reached"), "{events:?}");
    assert_eq!(says(&ana).await, "From our own.");
    let used = ana.get(&format!("/api/agents/usage?workspaceId={}&days=1", ana.workspace)).await;
    let today =
        used.expect(StatusCode::OK)["days"].as_array().and_then(|days| days.last()).cloned().expect("today");
    // 1,000 tokens read at one dollar a million, 100 written at two, twice.
    assert_eq!((&today["calls"], &today["cost_usd"]), (&json!(2), &json!(0.0024)));
    // Its own limit counts it.
    let cap = json!({"spend_cap_usd": 0.001});
    ana.patch(&format!("/api/workspaces/{}", ana.workspace), cap).await.expect(StatusCode::OK);
    let events = ana.chat("Budget Coach", "Once more").await;
    assert!(events.iter().any(|got| got.data["code"] == "spend_cap_reached"), "{events:?}");
    app.end().await;
}

#[tokio::test]
async fn an_explicit_model_is_never_another() {
    let app = TestApp::with(with_local_addresses()).await;
    let ana = app.person("ana").await;
    let own = fake("Here.").await;
    add(&ana, of(&ana.workspace, local(&own.url))).await;
    let coach = text(&ana.agent("Budget Coach").await["localAgentId"]);
    let set = async |model: &str| {
        let path = format!("/api/agents/{coach}?workspaceId={}", ana.workspace);
        ana.patch(&path, json!({"model": model})).await
    };
    set("lab/another-llama").await.expect(StatusCode::OK);
    assert_eq!(says(&ana).await, "Here.");
    set("openai/llama").await.expect(StatusCode::OK);
    let events = ana.chat("Budget Coach", "Hello").await;
    assert!(events.iter().any(|got| got.data["code"] == "model_not_configured"), "{events:?}");
    app.end().await;
}

#[tokio::test]
async fn a_test_says_what_came_of_it() {
    let app = TestApp::with(with_local_addresses()).await;
    let (admin, model) = (app.admin().await, fake("OK").await);
    let test = async |body: Value| admin.post("/api/providers/test", body).await;
    let outcome = async |body: Value| {
        let told = test(body).await.expect(StatusCode::OK);
        (told["ok"].as_bool().expect("ok"), text(&told["message"]))
    };
    let (ok, words) = outcome(json!({"wire": "openai", "base_url": model.url, "model": "llama"})).await;
    assert!(ok && words.contains("llama answered") && words.contains("“OK”"), "{words}");
    let (ok, words) = outcome(json!({"wire": "openai", "base_url": model.url})).await;
    assert!(!ok && words.contains("Name a model first"), "{words}");
    let (ok, words) =
        outcome(json!({"wire": "anthropic", "base_url": "http://127.0.0.1:1", "model": "x"})).await;
    assert!(
        !ok && words.contains("Nothing that speaks this format answered at http://127.0.0.1:1"),
        "{words}"
    );
    let nothing = test(json!({"wire": "anthropic"})).await;
    assert_eq!((nothing.refusal(), &nothing.body["field"]), ((400, "invalid_field"), &json!("key")));

    // A saved one is tried with its key; at another address without it.
    let saved = add(&admin, local(&model.url)).await;
    let other = fake("OK").await;
    for (url, server) in [(&model.url, &model), (&other.url, &other)] {
        let body = json!({"id": saved["id"], "wire": "openai", "base_url": url, "model": "llama"});
        assert!(outcome(body).await.0);
        let head = server.heads.lock().expect("heads").last().cloned().expect("a request");
        assert_eq!(head.contains("sk-lab"), server.url == model.url, "{head}");
    }
    app.end().await;
}

#[tokio::test]
async fn who_may_set_providers_and_where_they_may_point() {
    let usual = fake("x").await;
    let given = Given {
        sign_up: Some(SignUp::Open),
        openai_api_key: Some("sk-of-the-settings".to_owned()),
        openai_base_url: Some(usual.url.clone()),
        ..Given::default()
    };
    let app = TestApp::with(given).await;
    let (admin, ana) = (app.admin().await, app.person("ana").await);
    let ben = member(&app, &ana, "ben").await;
    let here = &ana.workspace;

    // The server's are for its admins; those of the settings are shown and stay.
    assert_eq!(ana.get("/api/providers").await.refusal(), (403, "admin_required"));
    assert_eq!(ana.post("/api/providers", local(&usual.url)).await.refusal(), (403, "admin_required"));
    let listed = admin.get("/api/providers").await.expect(StatusCode::OK);
    assert_eq!(
        (&listed["providers"][0]["id"], &listed["providers"][0]["name"]),
        (&Value::Null, &json!("openai"))
    );
    assert!(listed["providers"][0]["has_key"] == true && !listed.to_string().contains("sk-of"));
    let taken = json!({"name": "openai", "wire": "openai", "key": "sk-2"});
    let taken = admin.post("/api/providers", taken).await;
    assert_eq!((taken.refusal(), &taken.body["field"]), ((409, "name_taken"), &json!("name")));

    // A workspace's are for its admins and owners, signed in.
    let mine = of(here, json!({"name": "mine", "wire": "anthropic", "key": "sk-ant-1234"}));
    assert_eq!(ben.post("/api/providers", mine.clone()).await.refusal(), (403, "role_too_low"));
    assert_eq!(ben.get(&format!("/api/providers?workspaceId={here}")).await.refusal(), (403, "role_too_low"));
    let token = ana.post("/api/auth/tokens", json!({"name": "t", "workspaceId": here})).await;
    let program = ana.with_token(&text(&token.expect(StatusCode::CREATED)["token"]));
    assert_eq!(program.post("/api/providers", mine.clone()).await.refusal(), (403, "session_required"));
    let made = add(&ana, mine.clone()).await;
    assert_eq!(ana.post("/api/providers", mine).await.refusal(), (409, "name_taken"));
    let path = format!("/api/providers/{}", text(&made["id"]));
    assert_eq!(admin.patch(&path, json!({"name": "x"})).await.refusal(), (404, "not_found"));
    assert_eq!(program.delete(&path).await.refusal(), (403, "session_required"));

    // People of a workspace don't reach into the network; admins of the server do.
    for url in [
        &usual.url,
        "http://localhost:1/v1",
        "http://[::1]:1/v1",
        "http://0x7f.1/v1",
        "http://169.254.169.254/",
    ] {
        let inside = of(here, json!({"name": "inside", "wire": "openai", "base_url": url}));
        let refused = ana.post("/api/providers", inside.clone()).await;
        assert_eq!(
            (refused.refusal(), &refused.body["field"]),
            ((400, "invalid_field"), &json!("base_url")),
            "{url}"
        );
        let tested = of(here, json!({"wire": "openai", "base_url": url, "model": "x"}));
        assert_eq!(ana.post("/api/providers/test", tested).await.refusal(), (400, "invalid_field"), "{url}");
    }
    assert_eq!(usual.calls.load(Ordering::SeqCst), 0);
    for (wrong, field) in [
        (json!({"name": "My Lab", "wire": "openai", "key": "k"}), "name"),
        (json!({"name": "x", "wire": "openai"}), "key"),
        (json!({"name": "x", "wire": "grpc", "key": "k"}), "wire"),
        (json!({"name": "x", "wire": "openai", "key": "a b"}), "key"),
        (json!({"name": "x", "wire": "openai", "base_url": "https://me:pw@x.example/"}), "base_url"),
        (
            json!({"name": "x", "wire": "openai", "key": "k", "models": [{"model": "m", "input_price": 1.0}]}),
            "models.0.price",
        ),
        (
            json!({"name": "x", "wire": "openai", "key": "k", "models": [{"model": "m", "input_price": -1.0, "output_price": 1.0}]}),
            "models.0.price",
        ),
    ] {
        let refused = admin.post("/api/providers", wrong.clone()).await;
        assert_eq!((refused.refusal().0, refused.body["field"].as_str()), (400, Some(field)), "{wrong}");
    }
    app.end().await;
}

#[tokio::test]
async fn every_node_has_what_was_set_at_one() {
    let app = TestApp::with(with_local_addresses()).await;
    let TestDatabase::Postgres { .. } = app.database else { return app.end().await };
    let second = TestApp::beside(&app, with_local_addresses()).await;
    let admin = app.admin().await;
    let there = second.actor(admin.cookie.as_deref().expect("a cookie"), &admin.workspace);
    let before = says(&there).await;
    let model = fake("From the lab.").await;
    let made = add(&admin, local(&model.url)).await;
    assert_eq!(says(&there).await, "From the lab.");
    there.delete(&format!("/api/providers/{}", text(&made["id"]))).await.expect(StatusCode::OK);
    assert_eq!(says(&admin).await, before);
    second.app.end().await;
    app.end().await;
}
