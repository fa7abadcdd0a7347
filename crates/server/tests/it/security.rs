use std::sync::{Arc, Mutex};

use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::{Method, StatusCode, header};
use serde_json::json;

use crate::test_app::{Answer, PASSWORD, TestApp, text};

#[tokio::test]
async fn other_hosts_are_not_answered() {
    let app = TestApp::new().await;
    let nobody = app.anonymous();
    for path in ["/api/auth/options", "/", "/healthz", "/api/openapi.json"] {
        let request = nobody.request(Method::GET, path).header(header::HOST, "evil.example");
        assert_eq!(Answer::read(request).await.refusal(), (421, "host_not_allowed"), "{path}");
    }
    app.end().await;
}

#[tokio::test]
async fn other_sites_cannot_use_a_persons_cookie() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let rename = |origin: &str| {
        let body = json!({"name": "Changed"});
        ana.request(Method::PATCH, "/api/auth/me").header(header::ORIGIN, origin.to_owned()).json(&body)
    };
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        assert_eq!(Answer::read(rename(origin)).await.refusal(), (403, "wrong_origin"), "{origin}");
    }
    Answer::read(rename(&app.url)).await.expect(StatusCode::OK);
    let with_basic = rename("https://evil.example").header(header::AUTHORIZATION, "Basic eDp5");
    assert_eq!(
        Answer::read(with_basic).await.refusal(),
        (403, "wrong_origin"),
        "only a bearer token needs no Origin"
    );
    let crossed = ana.request(Method::DELETE, "/api/auth/me").header("sec-fetch-site", "cross-site");
    assert_eq!(Answer::read(crossed).await.refusal(), (403, "wrong_origin"));
    app.end().await;
}

#[tokio::test]
async fn every_answer_carries_the_headers() {
    let app = TestApp::new().await;
    let nobody = app.anonymous();
    for path in ["/", "/api/auth/options", "/api/nothing", "/healthz"] {
        let answer = nobody.get(path).await;
        for name in ["content-security-policy", "x-content-type-options", "referrer-policy", "x-request-id"] {
            assert!(answer.headers.contains_key(name), "{path} without {name}");
        }
    }
    assert_eq!(nobody.get("/api/auth/options").await.headers["cache-control"], "no-store");
    app.end().await;
}

#[tokio::test]
async fn unknown_addresses_and_methods() {
    let app = TestApp::new().await;
    let nobody = app.anonymous();
    assert_eq!(nobody.get("/api/nothing").await.refusal(), (404, "not_found"));
    assert_eq!(nobody.delete("/api/auth/options").await.refusal(), (405, "method_not_allowed"));
    assert_eq!(nobody.get("/assets/nothing.js").await.status, 404);
    assert_eq!(nobody.get("/readyz").await.status, 200);
    assert_eq!(nobody.post("/api/operator/sign-in-link", json!({"email": "x"})).await.status, 401);
    let docs = nobody.request(Method::GET, "/api/docs").send().await.expect("an answer");
    let page = docs.text().await.expect("a page");
    assert!(page.contains("/api/agents/{id}/hire") && !page.contains("<script"));
    app.end().await;
}

/// What a test has logged so far.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_secret_reaches_the_log() {
    let log = Log::default();
    let writer = log.clone();
    let ours =
        "info,baton_server=trace,baton_engine=trace,baton_store=trace,baton_models=trace,baton_tools=trace";
    let subscriber =
        tracing_subscriber::fmt().with_env_filter(ours).with_writer(move || writer.clone()).finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let key = "sk-test-0123456789";
    let given = Given {
        sign_up: Some(SignUp::Open),
        openai_api_key: Some(key.into()),
        // Nobody listens there: that the model can't be reached is logged.
        openai_base_url: Some("http://127.0.0.1:9/v1".into()),
        ..Given::default()
    };
    let app = TestApp::with(given).await;
    let ana = app.person("ana").await;
    let session = ana.cookie.clone().expect("a cookie");
    let wrong = json!({"email": "ana@example.org", "password": "hunter2 hunter2"});
    app.anonymous().post("/api/auth/sign-in", wrong).await;
    let made = ana.post("/api/auth/tokens", json!({"name": "t", "workspaceId": ana.workspace})).await;
    let token = text(&made.expect(StatusCode::CREATED)["token"]);
    ana.with_token(&token).get("/api/auth/me").await.expect(StatusCode::OK);
    ana.with_token("bt_not-a-token").get("/api/auth/me").await;
    let invitations = format!("/api/workspaces/{}/invitations", ana.workspace);
    let invited = text(&ana.post(&invitations, json!({})).await.expect(StatusCode::CREATED)["token"]);
    app.anonymous().get(&format!("/api/invitations/{invited}")).await.expect(StatusCode::OK);
    ana.chat("Budget Coach", "My word is quince-jelly-and-marzipan").await;
    app.end().await;

    let logged = String::from_utf8(log.0.lock().expect("the log").clone()).expect("text");
    assert!(logged.contains("answered") && logged.contains("/api/invitations/{token}"), "{logged}");
    let session = session.split_once('=').expect("a value").1;
    for secret in [
        PASSWORD,
        "hunter2",
        session,
        token.as_str(),
        "bt_not-a-token",
        invited.as_str(),
        key,
        "quince-jelly",
    ] {
        assert!(!logged.contains(secret), "{secret} is in the log:\n{logged}");
    }
}
