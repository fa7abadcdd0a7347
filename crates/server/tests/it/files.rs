use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use baton_core::people::SignUp;
use baton_server::settings::Given;
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::test_app::{Answer, TestApp, text};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n0000000000";

#[tokio::test]
async fn an_uploaded_avatar() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let upload = format!("/api/files?workspaceId={}", ana.workspace);
    let made = Answer::read(ana.request(Method::POST, &upload).body(PNG)).await.expect(StatusCode::CREATED);
    let url = text(&made["url"]);
    let agent = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    let changed = ana.patch(&agent, json!({"avatar_url": url})).await.expect(StatusCode::OK);
    assert_eq!(changed["avatar_url"], json!(url));

    let file = ana.request(Method::GET, &url).send().await.expect("an answer");
    assert_eq!(file.headers()["content-type"], "image/png");
    assert_eq!(file.headers()["content-disposition"], "attachment");
    assert_eq!(file.headers()["x-content-type-options"], "nosniff");
    assert!(file.headers()["content-security-policy"].to_str().expect("text").contains("sandbox"));
    assert_eq!(file.bytes().await.expect("bytes").as_ref(), PNG);

    let ben = app.person("ben").await;
    assert_eq!(ben.get(&url).await.status, 404, "another workspace's file");
    let theirs = format!("/api/agents/{}", text(&ben.agent("Budget Coach").await["localAgentId"]));
    assert_eq!(ben.patch(&theirs, json!({"avatar_url": url})).await.body["field"], "avatar_url");
    let script = Answer::read(ana.request(Method::POST, &upload).body("<svg onload=alert(1)>")).await;
    assert_eq!(script.refusal(), (415, "unsupported_type"));
    let huge = Answer::read(ana.request(Method::POST, &upload).body(vec![0u8; 2 * 1024 * 1024])).await;
    assert_eq!(huge.refusal(), (413, "too_large"));
    app.end().await;
}

/// Serves one small image to whoever asks.
async fn image_server() -> (String, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    let served = Arc::new(AtomicUsize::new(0));
    let count = served.clone();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let mut request = [0; 1024];
            let _ = socket.read(&mut request).await;
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", PNG.len());
            let _ = socket.write_all(head.as_bytes()).await;
            let _ = socket.write_all(PNG).await;
        }
    });
    (format!("http://{at}/avatar.png"), served)
}

#[tokio::test]
async fn a_remote_avatar_is_fetched_and_kept_never_linked() {
    let (remote, served) = image_server().await;
    let closed = TestApp::new().await;
    let ana = closed.person("ana").await;
    let agent = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    let refused = ana.patch(&agent, json!({"avatar_url": remote})).await;
    assert_eq!((refused.status.as_u16(), &refused.body["field"]), (400, &json!("avatar_url")));
    closed.end().await;

    let allow = Some(vec!["127.0.0.1/32".parse().expect("a network")]);
    let given = Given { sign_up: Some(SignUp::Open), outbound_allow: allow, ..Given::default() };
    let open = TestApp::with(given).await;
    let ana = open.person("ana").await;
    let agent = format!("/api/agents/{}", text(&ana.agent("Budget Coach").await["localAgentId"]));
    let wrong = ana.patch(&agent, json!({"avatar_url": remote, "max_turns": 0})).await;
    assert_eq!(wrong.body["field"], "max_turns");
    assert_eq!(served.load(Ordering::SeqCst), 0, "nothing is fetched or kept for a change that is refused");
    let changed = ana.patch(&agent, json!({"avatar_url": remote})).await.expect(StatusCode::OK);
    let kept = text(&changed["avatar_url"]);
    assert!(kept.starts_with("/api/files/"), "{kept}");
    let file = ana.request(Method::GET, &kept).send().await.expect("an answer");
    assert_eq!(file.bytes().await.expect("bytes").as_ref(), PNG);
    open.end().await;
}
