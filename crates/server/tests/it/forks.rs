//! Versions of a conversation.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::talk::{Reading, conversation_of, scripted, text_of};
use crate::test_app::{Actor, text};

async fn fork(ana: &Actor<'_>, id: &str, before: &Value) -> Value {
    let path = format!("/api/agent-conversations/{id}/fork");
    ana.post(&path, json!({"beforeMessageId": before})).await.expect(StatusCode::CREATED)
}

#[tokio::test]
async fn an_edit_is_another_version_with_the_same_beginning() {
    let (app, _script) = scripted(json!([
        {"match": "first", "text": "One."},
        {"match": "second", "text": "Two.", "calls": [{"name": "manageMemory", "arguments":
            {"action": "save", "path": "n", "content": "x"}}]},
        {"match": "second", "text": "Saved."},
        {"match": "edited", "text": "Three."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let id = conversation_of(&ana.chat("Project Manager", "first").await);
    ana.say(&id, "second").await;
    let read = ana.read(&id).await;
    assert_eq!(read["messages"][3]["metadata"]["wrote"], true);
    let forked = fork(&ana, &id, &read["messages"][2]["id"]).await;
    assert_eq!((&forked["forked_from"], &forked["left_writes_behind"]), (&json!(id), &json!(true)));
    let copy = text(&forked["id"]);
    let fresh = ana.read(&copy).await;
    let contents = |read: &Value| -> Vec<String> {
        read["messages"].as_array().expect("messages").iter().map(|m| text(&m["content"])).collect()
    };
    assert_eq!(contents(&fresh), ["first", "One."]);
    assert_eq!(fresh["versions"][0]["message_id"], json!(null), "its own version has not begun");
    assert_eq!(text_of(&ana.say(&copy, "edited").await), "Three.");
    assert_eq!(contents(&ana.read(&id).await), ["first", "One.", "second", "Two.\n\nSaved."], "untouched");

    let edited = ana.read(&copy).await;
    let again = fork(&ana, &copy, &edited["messages"][2]["id"]).await;
    assert_eq!(again["forked_from"], json!(id), "another version of the same place");
    for (of, message) in [(&id, &read["messages"][2]["id"]), (&copy, &edited["messages"][2]["id"])] {
        let points = ana.read(of).await["versions"].clone();
        assert_eq!(points.as_array().expect("points").len(), 1);
        assert_eq!(&points[0]["message_id"], message);
        let ids: Vec<String> =
            points[0]["conversations"].as_array().expect("versions").iter().map(|v| text(&v["id"])).collect();
        assert_eq!(ids, [id.clone(), copy.clone(), text(&again["id"])]);
    }
    app.end().await;
}

#[tokio::test]
async fn an_answer_can_be_had_anew() {
    let (app, _script) = scripted(json!([{"match": "first", "text": "One."}])).await;
    let ana = app.person("ana").await;
    let id = conversation_of(&ana.chat("Project Manager", "first").await);
    let read = ana.read(&id).await;
    let retry = ana.request(Method::POST, &format!("/api/agent-chat/{id}/retry"));
    assert_eq!(crate::test_app::Answer::read(retry).await.refusal(), (409, "nothing_to_retry"));
    let forked = text(&fork(&ana, &id, &read["messages"][1]["id"]).await["id"]);
    let retry = ana.request(Method::POST, &format!("/api/agent-chat/{forked}/retry"));
    assert_eq!(text_of(&Reading::open(retry).await.rest().await), "One.");
    let path = format!("/api/agent-conversations/{id}/fork");
    let elsewhere = json!({"beforeMessageId": ana.read(&forked).await["messages"][0]["id"]});
    assert_eq!(ana.post(&path, elsewhere).await.status, 404, "a message of another conversation");
    let ben = app.person("ben").await;
    let body = json!({"beforeMessageId": read["messages"][0]["id"]});
    assert_eq!(ben.post(&path, body).await.status, 404);
    app.end().await;
}
