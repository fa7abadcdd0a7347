//! What tools answer beside what the model is given: kept for the person, and for nobody else.

use baton_server::settings::Given;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use crate::agents::member;
use crate::http_tools::open_here;
use crate::talk::{conversation_of, scripted_with};
use crate::test_app::{Actor, Answer, text};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\xff\xfe00000000";

/// Somebody's API: a picture at `/picture`, and anywhere else more words than a model is given.
async fn api() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let asked = crate::http_tools::request(&mut socket).await;
            let (kind, body) = match asked.starts_with("GET /picture") {
                true => ("image/png", PNG.to_vec()),
                false => {
                    ("application/json", json!({"words": vec!["long"; 20_000]}).to_string().into_bytes())
                }
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            let _ = socket.write_all(&[head.into_bytes(), body].concat()).await;
        }
    });
    url
}

/// An agent that looks at the picture and at the words, without asking.
async fn looker(ana: &Actor<'_>) -> String {
    let url = api().await;
    for name in ["picture", "words"] {
        let tool = json!({
            "workspaceId": ana.workspace, "name": name, "type": "http_api", "description": "Looks.",
            "config": {"method": "GET", "url": format!("{url}/{name}"), "trusted_as": "reads", "parameters": {"type": "object"}},
        });
        ana.post("/api/tools", tool).await.expect(StatusCode::CREATED);
    }
    ana.make_agent("Looker", json!({"tools": ["picture", "words"]})).await
}

fn looks() -> Value {
    json!([
        {"calls": [{"name": "picture", "arguments": {}}, {"name": "words", "arguments": {}}]},
        {"text": "I have looked."},
    ])
}

async fn look(ana: &Actor<'_>, agent: &str) -> (String, Vec<Value>) {
    let conversation = ana.begin("agentId", agent).await;
    let events = ana.say(&conversation, "Look at it").await;
    assert_eq!(conversation_of(&events), conversation);
    let results = events.into_iter().filter(|got| got.name == "tool_result").map(|got| got.data);
    (conversation, results.collect())
}

#[tokio::test]
async fn pictures_and_whole_results_are_for_the_person_of_the_conversation() {
    let (app, _script) = scripted_with(looks(), open_here()).await;
    let ana = app.person("ana").await;
    let ben = member(&app, &ana, "ben").await;
    let (conversation, results) = look(&ana, &looker(&ana).await).await;
    let [picture, words] = &results[..] else { panic!("two results: {results:?}") };
    assert_eq!(
        (&picture["kept"][0]["name"], &picture["kept"][0]["mediaType"]),
        (&json!("answer.png"), &json!("image/png"))
    );
    assert!(words["result"]["answer"].as_str().is_some_and(|text| text.contains("Ask for less")), "{words}");
    assert_eq!(
        (&words["kept"][0]["name"], &words["kept"][0]["mediaType"]),
        (&json!("answer.json"), &json!("application/json"))
    );
    // Whoever reads it later finds the same.
    let parts = ana.read(&conversation).await["messages"][1]["parts"].clone();
    assert_eq!((&parts[0]["kept"], &parts[1]["kept"]), (&picture["kept"], &words["kept"]));

    let path = |result: &Value| format!("/api/result-files/{}", text(&result["kept"][0]["id"]));
    let file = ana.request(Method::GET, &path(picture)).send().await.expect("an answer");
    assert_eq!(file.status(), StatusCode::OK);
    let headers = file.headers().clone();
    assert_eq!(headers["content-type"], "image/png");
    assert!(
        headers["content-disposition"]
            .to_str()
            .expect("text")
            .starts_with("attachment; filename=\"answer.png\"")
    );
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert_eq!(headers["content-security-policy"], "default-src 'none'; sandbox");
    assert_eq!(file.bytes().await.expect("bytes").as_ref(), PNG);
    let whole = ana.get_owned(path(words)).await;
    assert_eq!(whole["words"].as_array().map(Vec::len), Some(20_000), "all of it");

    for other in [ben, app.person("cleo").await, app.anonymous()] {
        let refused = other.get(&path(picture)).await;
        assert!(matches!(refused.status.as_u16(), 401 | 404), "{}", refused.body);
    }
    // A fork shows them too, as long as the first conversation is there.
    ana.say(&conversation, "And now?").await;
    let later = text(&ana.read(&conversation).await["messages"][2]["id"]);
    let fork = format!("/api/agent-conversations/{conversation}/fork");
    let fork = ana.post(&fork, json!({"beforeMessageId": later})).await.expect(StatusCode::CREATED);
    let copied = ana.read(&text(&fork["id"])).await["messages"][1]["parts"][0]["kept"].clone();
    assert_eq!(copied, picture["kept"]);
    let export = ana.request(Method::GET, &format!("/api/workspaces/{}/export", ana.workspace));
    let export = export.send().await.expect("an answer").text().await.expect("text");
    assert!(
        export.contains(&text(&picture["kept"][0]["id"])),
        "an export names them as it names attachments"
    );

    ana.delete(&format!("/api/agent-conversations/{conversation}")).await.expect(StatusCode::OK);
    assert_eq!(ana.get(&path(picture)).await.status, StatusCode::NOT_FOUND, "gone with the conversation");
    app.end().await;
}

#[tokio::test]
async fn without_room_a_result_is_told_with_a_word_about_it() {
    let (app, _script) = scripted_with(looks(), Given { workspace_megabytes: Some(1), ..open_here() }).await;
    let ana = app.person("ana").await;
    let agent = looker(&ana).await;
    // Nearly full: there is room for messages, and not for a file.
    let path = format!("/api/attachments?workspaceId={}&name=a.txt", ana.workspace);
    let filler = ana.request(Method::POST, &path).body("x".repeat(950_000));
    Answer::read(filler).await.expect(StatusCode::CREATED);
    app.app.space.forget(baton_core::ids::WorkspaceId(ana.workspace.parse().expect("an id")));
    let (_, results) = look(&ana, &agent).await;
    let [picture, words] = &results[..] else { panic!("two results: {results:?}") };
    assert_eq!(picture["kept"].as_array().map(Vec::len), Some(1), "small ones fit");
    assert_eq!(words["kept"], Value::Null);
    assert!(words["result"]["answer"].as_str().is_some_and(|text| text.contains("Ask for less")));
    assert!(words["result"]["note"].as_str().is_some_and(|note| note.contains("full")), "{words}");
    assert_eq!(words["success"], true);
    app.end().await;
}

/// A member's conversation that is shown as guests see it names no files.
#[tokio::test]
async fn who_is_no_member_any_more_opens_nothing() {
    let (app, _script) = scripted_with(looks(), open_here()).await;
    let ana = app.person("ana").await;
    let agent = looker(&ana).await;
    let ben = member(&app, &ana, "ben").await;
    let (_, results) = look(&ben, &agent).await;
    let path = format!("/api/result-files/{}", text(&results[0]["kept"][0]["id"]));
    assert_eq!(ben.request(Method::GET, &path).send().await.expect("an answer").status(), StatusCode::OK);
    let leaves = format!("/api/workspaces/{}/members/{}", ana.workspace, ben.id);
    ana.delete(&leaves).await.expect(StatusCode::OK);
    assert_eq!(ben.get(&path).await.status, StatusCode::NOT_FOUND);
    app.end().await;
}
