use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::agents::member;
use crate::talk::{Reading, conversation_of, scripted, text_of};
use crate::test_app::{Actor, Answer, TestApp, text};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n0000000000";

pub async fn attach(actor: &Actor<'_>, name: &str, bytes: impl Into<Vec<u8>>) -> Answer {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("workspaceId", &actor.workspace)
        .append_pair("name", name)
        .finish();
    let path = format!("/api/attachments?{query}");
    Answer::read(actor.request(Method::POST, &path).body(bytes.into())).await
}

fn path(made: &Value) -> String {
    format!("/api/attachments/{}", text(&made["id"]))
}

#[tokio::test]
async fn files_are_taken_by_what_they_are_and_given_back() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let made = attach(&ana, "Größen 1.png", PNG).await.expect(StatusCode::CREATED);
    assert_eq!(made["name"], "Größen 1.png");
    assert_eq!((&made["mediaType"], &made["size"]), (&json!("image/png"), &json!(PNG.len())));
    let file = ana.request(Method::GET, &path(&made)).send().await.expect("an answer");
    assert_eq!(file.status(), 200);
    let headers = file.headers().clone();
    assert_eq!(headers["content-type"], "image/png");
    assert_eq!(
        headers["content-disposition"],
        "attachment; filename=\"Gr__en 1.png\"; filename*=UTF-8''Gr%C3%B6%C3%9Fen%201.png"
    );
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(headers["content-security-policy"], "default-src 'none'; sandbox");
    assert_eq!(file.bytes().await.expect("bytes").as_ref(), PNG);

    let page = attach(&ana, "page.html", "<script>alert(1)</script>").await.expect(StatusCode::CREATED);
    assert_eq!(page["mediaType"], "text/plain", "never a type that a browser runs");

    let csv = "name,sum\nAna,-5\n=cmd|x,\"@y\"\n";
    let made = attach(&ana, "sums.csv", csv).await.expect(StatusCode::CREATED);
    assert_eq!(made["mediaType"], "text/csv");
    let file = ana.request(Method::GET, &path(&made)).send().await.expect("an answer");
    assert_eq!(file.headers()["content-type"], "text/csv; charset=utf-8");
    assert_eq!(file.text().await.expect("text"), "name,sum\nAna,-5\n'=cmd|x,\"'@y\"\n");
    let same = attach(&ana, "sums.txt", csv).await.expect(StatusCode::CREATED);
    let file = ana.request(Method::GET, &path(&same)).send().await.expect("an answer");
    assert_eq!(file.text().await.expect("text"), csv, "other text is served as it was");
    app.end().await;
}

#[tokio::test]
async fn what_is_not_taken() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    assert_eq!(attach(&ana, "a.pdf", &b"%PDF-1.7\x00\xff"[..]).await.refusal(), (415, "unsupported_type"));
    assert_eq!(attach(&ana, "a.txt", &b"a\x00b"[..]).await.refusal(), (415, "unsupported_type"));
    assert_eq!(attach(&ana, "a.txt", "").await.refusal(), (400, "empty_file"));
    let most = vec![b'x'; 5 * 1024 * 1024];
    attach(&ana, "a.txt", most.clone()).await.expect(StatusCode::CREATED);
    assert_eq!(attach(&ana, "a.txt", [most, vec![b'x']].concat()).await.refusal(), (413, "too_large"));
    for name in ["", " ", "a\nb", "a\0b", &"x".repeat(201)] {
        let answer = attach(&ana, name, "x").await;
        assert_eq!((answer.status.as_u16(), &answer.body["field"]), (400, &json!("name")), "{name:?}");
    }
    let unnamed = format!("/api/attachments?workspaceId={}", ana.workspace);
    let unnamed = Answer::read(ana.request(Method::POST, &unnamed).body("x")).await;
    assert_eq!(unnamed.body["field"], "name");
    app.end().await;
}

#[tokio::test]
async fn an_attachment_can_be_found_and_deleted_also_when_it_was_sent() {
    let (app, _script) = scripted(json!([
        {"match": "no longer kept", "text": "It is gone."},
        {"match": "the plan", "error": "model_unreachable"},
    ]))
    .await;
    let ana = app.person("ana").await;
    let ben = app.person("ben").await;
    let unused = attach(&ana, "unused.txt", "x").await.expect(StatusCode::CREATED);
    let sent = attach(&ana, "plan.txt", "the plan").await.expect(StatusCode::CREATED);
    let list = format!("/api/attachments?workspaceId={}", ana.workspace);
    let listed = ana.get(&list).await.expect(StatusCode::OK);
    assert_eq!(listed, json!({"attachments": [sent, unused], "total": 2}));
    assert_eq!(ben.get(&list).await.refusal(), (403, "not_a_member"));

    let mut body = ana.chat_body("Budget Coach", "Read it").await;
    body["attachments"] = json!([sent["id"]]);
    let events = ana.send(&body).await.rest().await;
    assert_eq!(events.last().expect("done").data["status"], "failed");
    assert_eq!(ben.delete(&path(&sent)).await.refusal(), (404, "not_found"));
    for made in [&unused, &sent] {
        ana.delete(&path(made)).await.expect(StatusCode::OK);
        assert_eq!(ana.get(&path(made)).await.refusal(), (404, "not_found"));
        assert_eq!(ana.delete(&path(made)).await.refusal(), (404, "not_found"));
    }
    assert_eq!(ana.get(&list).await.expect(StatusCode::OK)["total"], 0);
    let id = conversation_of(&events);
    let named = ana.read(&id).await["messages"][0]["metadata"]["attachments"][0]["name"].clone();
    assert_eq!(named, "plan.txt", "the message still says what it was sent with");
    let retry = ana.request(Method::POST, &format!("/api/agent-chat/{id}/retry"));
    assert_eq!(text_of(&Reading::open(retry).await.rest().await), "It is gone.");
    app.end().await;
}

#[tokio::test]
async fn an_attachment_is_its_own_persons() {
    let app = TestApp::new().await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let cleo = app.person("cleo").await;
    let his = path(&attach(&ben, "a.txt", "his").await.expect(StatusCode::CREATED));
    ben.request(Method::GET, &his).send().await.expect("an answer").error_for_status().expect("his file");
    assert_eq!(ana.get(&his).await.refusal(), (404, "not_found"), "not even for the owner");
    assert_eq!(cleo.get(&his).await.refusal(), (404, "not_found"));
    assert_eq!(app.anonymous().get(&his).await.status, 401);
    let mut there = cleo.clone();
    there.workspace = ana.workspace.clone();
    assert_eq!(attach(&there, "a.txt", "x").await.refusal(), (403, "not_a_member"));

    let own = ben.get("/api/auth/me").await.expect(StatusCode::OK)["workspaces"].clone();
    let own = own.as_array().expect("workspaces").iter().find(|w| w["id"] != json!(ana.workspace));
    let own = own.expect("a workspace of his own")["id"].clone();
    let token = ben.post("/api/auth/tokens", json!({"name": "x", "workspaceId": own})).await;
    let program = ben.with_token(&text(&token.expect(StatusCode::CREATED)["token"]));
    assert_eq!(program.get(&his).await.refusal(), (404, "not_found"), "a token is for one workspace");
    assert_eq!(attach(&program, "a.txt", "x").await.refusal(), (403, "not_a_member"));

    ana.delete(&format!("/api/workspaces/{}/members/{}", ana.workspace, ben.id)).await.expect(StatusCode::OK);
    assert_eq!(ben.get(&his).await.refusal(), (404, "not_found"), "the workspace's things stay in it");
    app.end().await;
}
