//! Forks: versions of a conversation.

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
    let manager = format!("/api/agents/{}", text(&ana.agent("Project Manager").await["localAgentId"]));
    ana.patch(&manager, json!({"permission_mode": "acceptEdits"})).await.expect(StatusCode::OK);
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
async fn versions_are_one_entry_of_the_history() {
    let (app, _script) = scripted(json!([
        {"match": "first", "text": "One."},
        {"match": "walrus", "text": "Two."},
        {"match": "edited", "text": "Three."},
        {"match": "further", "text": "Four."},
        {"match": "alone", "text": "Five."},
    ]))
    .await;
    let ana = app.person("ana").await;
    let id = conversation_of(&ana.chat("Project Manager", "first").await);
    ana.say(&id, "walrus").await;
    let alone = conversation_of(&ana.chat("Project Manager", "alone").await);
    let read = ana.read(&id).await;
    assert_eq!(read["family_id"], json!(null));
    let (agent, workspace) = (text(&read["agent_id"]), text(&read["workspace_id"]));
    let history = async |search: &str| -> Vec<String> {
        let path = format!(
            "/api/agent-conversations?agentId={agent}&workspaceId={workspace}&search={search}&limit=1"
        );
        let mut found = Vec::new();
        let mut next = Some(path);
        while let Some(path) = next {
            let answer = ana.get(&path).await;
            next = answer.headers.get("link").map(|link| {
                let link = link.to_str().expect("a link");
                link[1..link.find('>').expect("its end")].to_owned()
            });
            let page = answer.expect(StatusCode::OK);
            found.extend(page.as_array().expect("a page").iter().map(|entry| text(&entry["id"])));
        }
        found
    };
    let copy = text(&fork(&ana, &id, &read["messages"][2]["id"]).await["id"]);
    ana.say(&copy, "edited").await;
    assert_eq!(history("").await, [copy.clone(), alone.clone()], "the version that was active last");
    ana.say(&id, "further").await;
    assert_eq!(history("").await, [id.clone(), alone.clone()]);
    assert_eq!(history("edited").await, [copy.as_str()], "what only another version says is found there");
    assert_eq!(history("first").await, [id.as_str()], "and what all say once");
    assert_eq!(ana.read(&copy).await["family_id"], json!(id));

    let path = |id: &str| format!("/api/agent-conversations/{id}");
    ana.patch(&path(&copy), json!({"title": "Walks"})).await.expect(StatusCode::OK);
    assert_eq!(ana.read(&id).await["title"], "Walks");
    assert_eq!(ana.read(&alone).await["title"], "alone");

    let third = text(&fork(&ana, &copy, &ana.read(&copy).await["messages"][2]["id"]).await["id"]);
    ana.delete(&format!("{}?keepVersions=true", path(&third))).await.expect(StatusCode::OK);
    assert_eq!(history("").await, [id.clone(), alone.clone()]);
    ana.delete(&format!("{}?keepVersions=true", path(&copy))).await.expect(StatusCode::OK);
    assert_eq!(ana.read(&id).await["family_id"], json!(null), "no other version is left");
    let copy = text(&fork(&ana, &id, &read["messages"][2]["id"]).await["id"]);
    ana.delete(&path(&copy)).await.expect(StatusCode::OK);
    assert_eq!(history("").await, [alone], "the entry went with all it stands for");
    assert_eq!(ana.get(&path(&id)).await.status, 404);
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
