use reqwest::{Method, StatusCode, header};
use serde_json::json;

use crate::test_app::{Answer, TestApp};

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
